//! The agent, and the servers that it is behind.

use std::sync::Arc;
use std::time::Duration;

use a2a_client::Client;
use a2a_grpc::client::Options;
use a2a_grpc::{Grpc, ServeGrpc};
use a2a_server::auth::StaticBearer;
use a2a_server::{
    Agent, AgentError, Answer, InputModes, Request, Server, ServerBuilder, Streaming, TaskHandle,
};
use a2a_types::card::{AgentCardBuilder, GRPC, HTTP_JSON, JSONRPC};
use a2a_types::push::{Notification, PushSender, Webhook};
use a2a_types::store::StoreError;
use a2a_types::{
    A2aError, AgentCard, AgentExtension, Part, Struct, TaskPushNotificationConfig, TaskState,
};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};

pub(crate) const BINDINGS: [&str; 3] = [JSONRPC, HTTP_JSON, GRPC];
pub(crate) const EXTENSION: &str = "urn:example:ext";

/// Does what the first word of a message says.
#[derive(Clone, Default)]
struct Told(Arc<Notify>);

impl Agent for Told {
    async fn admit(&self, request: &Request) -> Result<Answer, A2aError> {
        let text = request.text();
        match text.split(' ').next() {
            Some("message") => Ok(Answer::Message),
            Some("refuse") => Err(A2aError::content_type_not_supported("x/y")
                .with_metadata("why", "as told")
                .with_retry_after(Duration::from_secs(90))),
            _ => Ok(Answer::Task),
        }
    }

    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let text = request.text();
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match word {
            "message" => task.reply(rest).await,
            "ask" => task.input_required("what else?").await,
            "auth" => task.auth_required("here", "who says so?").await,
            "reject" => task.reject("no").await,
            "fail" => {
                task.working().await?;
                task.fail("it broke").await
            }
            "panic" => {
                task.working().await?;
                panic!("asked to");
            }
            "quit" => {
                task.working().await?;
                Err(AgentError::new("nothing for strangers"))
            }
            "wait" => {
                task.working().await?;
                task.cancelled().await;
                Ok(())
            }
            "hold" => {
                task.working().await?;
                self.0.notified().await;
                task.complete().await
            }
            "go" => {
                self.0.notify_one();
                task.complete().await
            }
            "big" => {
                let bytes = vec![7; rest.parse()?];
                task.artifact("big").part(Part::raw(bytes)).send().await?;
                task.complete().await
            }
            "chunks" => {
                for number in 0..rest.parse()? {
                    let chunk = task.artifact("chunks").text(format!("{number};"));
                    let chunk = if number > 0 { chunk.append() } else { chunk };
                    chunk.send().await?;
                }
                task.complete().await
            }
            "kinds" => {
                task.artifact("kinds")
                    .name("Kinds")
                    .description("one of each")
                    .metadata(object(
                        json!({"n": 1, "x": 1.5, "deep": {"list": [true, null, "ü", -7]}}),
                    ))
                    .extension(EXTENSION)
                    .part(Part::text("plain ☃"))
                    .part(Part::raw((0..=u8::MAX).collect::<Vec<_>>()).with_filename("b.bin"))
                    .part(Part::url("https://example.com/a%20b").with_media_type("image/png"))
                    .part(Part::data(
                        json!({"whole": 9_007_199_254_740_991_i64, "none": null}),
                    ))
                    .part(Part::data(json!(null)))
                    .part(Part::data(json!([0.1, "x", {}])))
                    .last_chunk()
                    .send()
                    .await?;
                task.complete().await
            }
            "context" => {
                let context = request.context();
                let told = format!(
                    "{} {:?} {} {:?}",
                    context.caller.id(),
                    context.tenant,
                    context.activated_extensions,
                    request.accepted_output_modes(),
                );
                task.artifact("context").text(told).send().await?;
                task.complete().await
            }
            _ => {
                task.working().await?;
                task.artifact("echo").text(text.as_str()).send().await?;
                let done = task.status(TaskState::Completed);
                done.message(text)
                    .metadata(object(json!({"k": 2})))
                    .send()
                    .await
            }
        }
    }
}

pub(crate) fn object(value: Value) -> Struct {
    serde_json::from_value(value).unwrap()
}

fn card() -> AgentCardBuilder {
    AgentCard::builder("Told", "Does as it is told")
        .default_input_modes(["text/plain"])
        .default_output_modes(["text/plain", "application/json"])
        .skill("obey", "Obey", "Does as told")
        .extension(AgentExtension::default().with_uri(EXTENSION))
}

/// Webhooks may be anywhere over TLS, and are never called.
struct Nowhere;

#[async_trait]
impl PushSender for Nowhere {
    async fn check(&self, config: &TaskPushNotificationConfig) -> Result<(), A2aError> {
        match config.url.starts_with("https://") {
            true => Ok(()),
            false => Err(A2aError::invalid_param("url", "must be an https address")),
        }
    }

    async fn notify(&self, _: &[Arc<Webhook>], _: &[Notification]) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A server that is gone with the test.
pub(crate) struct Running {
    pub(crate) base: String,
    _stop: oneshot::Sender<()>,
}

impl Running {
    pub(crate) async fn start(builder: ServerBuilder) -> Self {
        let server = builder.drain_time(Duration::ZERO).build().unwrap();
        let server = server.bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", server.address());
        let (stop, stopped) = oneshot::channel();
        tokio::spawn(server.run_until(async {
            _ = stopped.await;
        }));
        Self { base, _stop: stop }
    }
}

/// All bindings on one port.
pub(crate) fn open() -> ServerBuilder {
    Server::builder(Told::default())
        .card(card())
        .input_modes(InputModes::Checked)
        .push_sender(Arc::new(Nowhere))
        .grpc(Grpc::new())
}

/// The same for those who are known.
pub(crate) fn closed() -> ServerBuilder {
    let extended = card().skill("hidden", "Hidden", "For those who are known");
    open()
        .authenticator(StaticBearer::new([
            ("secret-a", "alice"),
            ("secret-b", "bob"),
        ]))
        .extended_card(move |_| std::future::ready(Ok(extended.clone())))
}

/// Nothing that is optional.
pub(crate) fn bare() -> ServerBuilder {
    Server::builder(Told::default())
        .card(card())
        .streaming(Streaming::Off)
        .grpc(Grpc::new())
}

/// An extension that must be declared.
pub(crate) fn demanding() -> ServerBuilder {
    let extension = AgentExtension::default()
        .with_uri("urn:must")
        .with_required(true);
    Server::builder(Told::default())
        .card(card().extension(extension))
        .grpc(Grpc::new())
}

/// A builder for clients that speak all three.
pub(crate) fn client() -> a2a_client::ClientBuilder {
    let options = Options::new();
    Client::builder()
        .with_retry(a2a_client::RetryPolicy::never())
        .without_capability_checks()
        .with_transport(GRPC, move |interface| options.transport(interface))
}
