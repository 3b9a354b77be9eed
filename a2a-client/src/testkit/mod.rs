//! A server that answers exactly what a test tells it, however wrong that is.
//!
//! It speaks HTTP/1.1 on a port of its own on the loopback address, and knows nothing of the
//! protocol. What it was asked, and how many connections are open, can be seen.
//!
//! Outside the semantic versioning promise.
//!
//! ```
//! use a2a_client::testkit::{Answer, HostileServer};
//! use a2a_client::{Client, Failure};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = HostileServer::start(|_| Answer::json(200, &json!({ "result": "what?" }))).await?;
//! let client = Client::from_card(server.card("JSONRPC"))?;
//! let error = client.get_task("t-1").await.unwrap_err();
//! assert_eq!(error.failure(), Failure::Decode);
//! assert_eq!(server.heard()[0].json()["method"], "GetTask");
//! # Ok(())
//! # }
//! ```

mod answer;
#[doc(hidden)]
pub mod fuzz;
mod serve;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use a2a_types::{AgentCapabilities, AgentCard, AgentInterface};
use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::answer::Answer;

/// A server that misbehaves as told. It stops when it is dropped; open connections go on.
pub struct HostileServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    answer: Box<dyn Fn(&Heard) -> Answer + Send + Sync>,
    heard: Mutex<Vec<Heard>>,
    /// How many connections are open.
    open: watch::Sender<usize>,
}

impl HostileServer {
    /// Starts a server that gives these answers.
    ///
    /// # Errors
    ///
    /// When no port can be had.
    pub async fn start(
        answer: impl Fn(&Heard) -> Answer + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            heard: Mutex::default(),
            open: watch::Sender::new(0),
        });
        Ok(Self {
            address: listener.local_addr()?,
            accepting: tokio::spawn(serve::accept(listener, Arc::clone(&shared))),
            shared,
        })
    }

    /// The address of a path on this server, which begins with a slash or is empty.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A card with everything on, whose one interface is the root of this server.
    #[must_use]
    pub fn card(&self, binding: &str) -> AgentCard {
        let capabilities = AgentCapabilities::default()
            .with_streaming(true)
            .with_push_notifications(true)
            .with_extended_agent_card(true);
        let interface = AgentInterface::default()
            .with_url(self.url("/"))
            .with_protocol_binding(binding)
            .with_protocol_version("1.0");
        AgentCard::default()
            .with_name("Hostile")
            .with_capabilities(capabilities)
            .with_supported_interfaces([interface])
    }

    /// The requests so far.
    #[must_use]
    pub fn heard(&self) -> Vec<Heard> {
        let heard = self.shared.heard.lock();
        heard.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many connections are open.
    #[must_use]
    pub fn connections(&self) -> usize {
        *self.shared.open.borrow()
    }

    /// Waits until no connection is open.
    pub async fn idle(&self) {
        let mut open = self.shared.open.subscribe();
        // The sender lives as long as this server.
        _ = open.wait_for(|open| *open == 0).await;
    }
}

impl Drop for HostileServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// A request that the server has read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Heard {
    /// The verb.
    pub method: String,
    /// Path and query, as they were sent.
    pub target: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Heard {
    /// The path, as it was sent.
    #[must_use]
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The query, as it was sent; empty without one.
    #[must_use]
    pub fn query(&self) -> &str {
        let query = self.target.split_once('?');
        query.map(|(_, query)| query).unwrap_or_default()
    }

    /// The first value of a header; empty without one.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The body as JSON; `null` when it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}
