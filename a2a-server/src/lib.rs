//! Serve an A2A (Agent2Agent) 1.0 agent over JSON-RPC and HTTP+JSON.
//!
//! ```no_run
//! use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
//! use a2a_types::AgentCard;
//!
//! struct Echo;
//!
//! impl Agent for Echo {
//!     async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
//!         task.working().await?;
//!         task.artifact("echo").text(request.text()).send().await?;
//!         task.complete().await
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let card = AgentCard::builder("Echo", "Repeats what it hears")
//!         .skill("echo", "Echo", "Repeats the message");
//!     Server::builder(Echo).card(card).serve("127.0.0.1:8080").await?;
//!     Ok(())
//! }
//! ```
//!
//! A call goes one way: a codec reads it, the pipeline checks it, the handler says what it means,
//! the engine runs the task, and a store keeps it. `docs/architecture.md` in the repository shows
//! the picture.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agent;
pub mod auth;
pub mod binding;
mod card;
mod codec;
mod context;
mod engine;
mod give_way;
mod handler;
mod limits;
mod local;
mod pipeline;
mod server;
mod shard;
mod store;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use agent::{
    Agent, AgentError, AgentMessage, Answer, ArtifactUpdate, CancelRequest, Request, StatusUpdate,
    TaskHandle,
};
pub use card::CARD_PATH;
pub use codec::Compression;
pub use context::{Binding, CallContext};
pub use engine::{LostRuns, StatusMessages, WhileRunning};
pub use handler::AnonymousResends;
pub use limits::Limits;
pub use local::LocalClient;
pub use pipeline::{Core, Incoming, Reply, RequiredFor, Unversioned};
pub use server::{
    BoundServer, BuildError, Cors, ExtendedCardAccess, InputModes, ServeError, Server,
    ServerBuilder, Streaming,
};
#[cfg(feature = "tls")]
pub use server::{ClientCertificates, Tls};
pub use store::{LocalEventBus, MemoryPushConfigStore, MemoryTaskStore};
