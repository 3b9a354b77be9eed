//! The conformance agent: public test kits and strict clients can be pointed at it.
//!
//! ```text
//! cargo run --example conformance -- --port 9999
//! ```
//!
//! What it does is told by the first word of a message's text (`agent.rs`), by the prefix of its id
//! (`tck.rs`), or by an instruction in one of its parts (`itk.rs`); `options.rs` has the options.
//! Everything goes through the public API.

mod agent;
mod itk;
mod options;
mod tck;

use std::error::Error;
use std::future::ready;
use std::io::Write;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use a2a_grpc::{Grpc, ServeGrpc};
use a2a_push::PushSender;
use a2a_push::net::Policy;
use a2a_server::auth::StaticBearer;
use a2a_server::{Binding, ExtendedCardAccess, InputModes, Server, ServerBuilder, Streaming};
use a2a_store_sqlite::SqliteStore;
use a2a_types::card::AgentCardBuilder;
use a2a_types::{AgentCard, AgentExtension, AgentSkill};

use crate::agent::Conformance;
use crate::options::{Options, USAGE};

/// Where the bindings with a path are, the preferred one first. gRPC comes after them.
const MOUNTS: [(Binding, &str); 2] = [(Binding::JsonRpc, "/jsonrpc"), (Binding::HttpJson, "/rest")];

/// What a part may be; an instruction of the interop kit may be something else.
const INPUT_MODES: [&str; 2] = ["text/plain", "application/json"];

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            complain(&format!("{error}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    match serve(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Where nobody reads the complaint, nothing more can be done.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

async fn serve(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut server = server(options);
    let mut sender = PushSender::builder().policy(webhooks(options));
    if let Some(path) = &options.database {
        let store = Arc::new(SqliteStore::open(path).await?);
        sender = sender.outbox(store.clone());
        server = server.task_store(store.clone()).push_config_store(store);
    }
    if !options.bare {
        server = server.push_sender(Arc::new(sender.build()?));
    }
    let server = server
        .build()?
        .bind(("127.0.0.1", options.port.get()))
        .await?;
    writeln!(std::io::stdout(), "READY http://{}", server.address())?;
    server.run().await?;
    Ok(())
}

fn server(options: &Options) -> ServerBuilder {
    let streaming = if options.bare {
        Streaming::Off
    } else {
        Streaming::On
    };
    let mut server = Server::builder(Conformance {
        pace: options.pace,
        broken: options.broken,
    })
        .card(card(options))
        .input_modes(InputModes::Checked)
        .streaming(streaming)
        // A test kit that leaves a task behind should not have to wait for the agent to end.
        .drain_time(Duration::from_secs(1));
    for (binding, path) in MOUNTS {
        server = server.mount(binding, path);
    }
    let grpc = Grpc::new().reflection();
    server = server.grpc(match options.grpc_port {
        Some(port) => grpc.own_address((Ipv4Addr::LOCALHOST, port.get())),
        None => grpc,
    });
    if let Some(authenticator) = authenticator(options) {
        server = server.authenticator(authenticator);
    }
    if options.extended_card() {
        let card = card(options).skill("hidden", "Hidden", "For those who may read this card");
        server = server.extended_card(move |_| ready(Ok(card.clone())));
    }
    if options.broken {
        server = server.declare_extended_card();
    }
    if options.anonymous_extended_card || options.broken {
        server = server.extended_card_access(ExtendedCardAccess::Everybody);
    }
    server
}

/// Test kits receive webhooks on this machine.
fn webhooks(options: &Options) -> Policy {
    if options.default_webhook_guard {
        Policy::default()
    } else {
        Policy::default().with_loopback()
    }
}

fn authenticator(options: &Options) -> Option<StaticBearer> {
    options.tokens.clone().map(StaticBearer::new)
}

fn card(options: &Options) -> AgentCardBuilder {
    let card = AgentCard::builder("Conformance", "Does what the message asks it to")
        .version(env!("CARGO_PKG_VERSION"))
        .default_input_modes(INPUT_MODES)
        .default_output_modes(["text/plain", "application/json", "application/octet-stream"])
        .add_skill(
            AgentSkill::default()
                .with_id("echo")
                .with_name("Echo")
                .with_description("Repeats what it hears, or follows its first word")
                .with_tags(["echo"])
                .with_input_modes(INPUT_MODES.into_iter().chain([itk::MEDIA_TYPE])),
        );
    match &options.required_extension {
        Some(uri) => card.extension(
            AgentExtension::default()
                .with_uri(uri.as_str())
                .with_required(true),
        ),
        None => card,
    }
}
