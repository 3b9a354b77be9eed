//! What the server tests share: agents that do as the message says, a server on a loopback
//! socket, and a caller that speaks both bindings.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test binary uses its own part"
)]
#![allow(
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod agents;
mod call;
mod gate;
mod late;
mod logs;
mod people;
mod raw;
mod recorder;
mod sse;
mod tasks;
pub mod webhooks;

use std::net::SocketAddr;

use a2a_server::{Agent, BoundServer, Server, ServerBuilder};
use a2a_types::AgentCard;
use a2a_types::card::AgentCardBuilder;
use tokio::sync::oneshot;

pub use agents::{Script, Scripted, scripted};
pub use call::{Answer, BINDINGS, Caller, Wire, message};
pub use gate::{Gate, arrivals, within};
pub use late::LateStore;
pub use logs::{Logs, capture};
pub use people::{Badges, bearers, calls, complete, ids};
pub use raw::{Raw, RawAnswer, raw};
pub use recorder::Recorder;
pub use sse::{Event, Events};
pub use tasks::{TERMINAL, briefs, expect_timestamp, expect_updates, fold, said, spoken};

/// A card that any test agent can have.
pub fn card() -> AgentCardBuilder {
    AgentCard::builder("Test", "Does what tests want").skill("test", "Test", "Is tested")
}

/// A builder with a card, for an agent.
pub fn builder<A: Agent>(agent: A) -> ServerBuilder {
    Server::builder(agent).card(card())
}

/// A server on a loopback socket that stops when it is dropped.
pub struct TestServer {
    pub address: SocketAddr,
    pub server: Server,
    _stop: oneshot::Sender<()>,
}

/// In a build of the whole workspace the HTTP client can do TLS, and then wants to be told how.
pub fn crypto() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Serves on a free port of 127.0.0.1.
pub async fn serve(builder: ServerBuilder) -> TestServer {
    crypto();
    let server = builder.build().unwrap();
    let bound: BoundServer = server.bind("127.0.0.1:0").await.unwrap();
    let address = bound.address();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(bound.run_until(async move {
        let _ = stopped.await;
    }));
    TestServer {
        address,
        server,
        _stop: stop,
    }
}

/// Serves an agent with everything else as it is by default.
pub async fn serve_agent<A: Agent>(agent: A) -> TestServer {
    serve(builder(agent)).await
}

impl TestServer {
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A caller over this binding.
    pub fn caller(&self, wire: Wire) -> Caller {
        Caller::new(wire, self.url(""))
    }

    /// The same for each binding.
    pub fn callers(&self) -> impl Iterator<Item = Caller> + '_ {
        BINDINGS.into_iter().map(|wire| self.caller(wire))
    }
}
