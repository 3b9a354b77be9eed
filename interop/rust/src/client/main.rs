//! The official Rust client drives our conformance agent and looks closely at the answers.
//!
//! ```text
//! client --base URL [--run RUN] [--token TOKEN] [--only TEXT]
//! ```
//!
//! The agent must have been started with the options of the run (`../../../matrix/runs.py`). One line a
//! check, `ok BINDING/SCENARIO` or `FAIL BINDING/SCENARIO REASON`; the exit status is 1 when one
//! failed.

mod content;
mod peer;
mod push;
mod refusals;
mod tasks;

use std::{any::Any, process::ExitCode, time::Duration};

use futures::future::{BoxFuture, FutureExt};

use crate::peer::Peer;

const PATIENCE: Duration = Duration::from_secs(60);

type Scenario = (&'static str, fn(Peer) -> BoxFuture<'static, ()>);

macro_rules! scenarios {
    ($($name:literal: $run:path),* $(,)?) => {
        vec![$(($name, |peer| $run(peer).boxed())),*]
    };
}

fn scenarios(run: &str) -> Vec<Scenario> {
    match run {
        "default" => scenarios![
            "card": tasks::card,
            "send_blocking": tasks::send_blocking,
            "send_immediate": tasks::send_immediate,
            "stream": tasks::stream,
            "stream_burst": tasks::stream_burst,
            "subscribe": tasks::subscribe,
            "history": tasks::history,
            "list": tasks::list,
            "cancel": tasks::cancel,
            "cancel_twice": tasks::cancel_twice,
            "follow_up": tasks::follow_up,
            "auth_required": tasks::auth_required,
            "direct_message": content::direct_message,
            "kinds": content::kinds,
            "null_data": content::null_data,
            "large": content::large,
            "states": content::states,
            "push_configs": push::push_configs,
            "push_delivery": push::push_delivery,
            "errors": refusals::errors,
            "content_type": refusals::content_type,
            "invalid": refusals::invalid,
            "tenant": content::tenant,
            "version": refusals::version,
        ],
        "bare" => scenarios!["capabilities": refusals::capabilities],
        "auth" => scenarios![
            "credentials": refusals::credentials,
            "extended_card": content::extended_card,
        ],
        "extension" => scenarios!["extension": refusals::extension],
        "broken" => scenarios![
            "card_not_configured": refusals::card_not_configured,
            "invalid_agent_response": refusals::invalid_agent_response,
        ],
        _ => panic!("no such run: {run}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (mut base, mut run, mut token, mut only) = Default::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().expect("the option has a value");
        match name.as_str() {
            "--base" => base = value,
            "--run" => run = value,
            "--token" => token = Some(value),
            "--only" => only = value,
            _ => panic!("unknown option {name}"),
        }
    }
    // A panic is told in the line of its scenario.
    std::panic::set_hook(Box::new(|_| {}));
    let mut code = ExitCode::SUCCESS;
    for binding in ["JSONRPC", "HTTP+JSON", "GRPC"] {
        for (name, scenario) in scenarios(&run) {
            let cell = format!("{binding}/{name}");
            if !cell.contains::<&str>(&only) {
                continue;
            }
            let peer = Peer::new(&base, binding, token.as_deref());
            let result = tokio::spawn(tokio::time::timeout(PATIENCE, scenario(peer))).await;
            let reason = match result {
                Ok(Ok(())) => {
                    println!("ok {cell}");
                    continue;
                }
                Ok(Err(_)) => format!("not done within {} s", PATIENCE.as_secs()),
                Err(error) => text(error.into_panic().as_ref()),
            };
            println!("FAIL {cell} {}", reason.replace('\n', " | "));
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn text(panic: &(dyn Any + Send)) -> String {
    let owned = panic.downcast_ref::<String>().cloned();
    let borrowed = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    owned.or(borrowed).unwrap_or_else(|| "a panic".to_owned())
}
