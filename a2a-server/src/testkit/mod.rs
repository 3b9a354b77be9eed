//! Helpers for tests of agents, servers and stores (feature `testkit`). Outside the promise of
//! semantic versioning.
//!
//! An agent is tested without a socket, through everything else that a call passes:
//!
//! ```
//! # use a2a_server::{Agent, AgentError, Request, TaskHandle, testkit};
//! # use a2a_types::TaskState;
//! # struct Echo;
//! # impl Agent for Echo {
//! #     async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
//! #         task.artifact("echo").text(request.text()).send().await?;
//! #         task.complete().await
//! #     }
//! # }
//! # async fn test() {
//! // In a function with `#[tokio::test]`:
//! let client = testkit::local(Echo);
//! let task = client.ask("hi").await.unwrap();
//! assert_eq!(task.state(), TaskState::Completed);
//! assert_eq!(task.artifacts[0].text(), "hi");
//! # }
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test());
//! ```
//!
//! What surrounds an agent is tested with an agent that does as it is told, [`puppet`], and a
//! store that does not, [`FaultyStore`].
//!
//! # Time
//!
//! All waiting goes by the clock of the Tokio runtime, which a test can stop and move
//! (`tokio::time::pause` and `advance`, feature `test-util` of `tokio`); when nothing is left to do
//! a stopped clock jumps to the next thing that waits for it. Timestamps come from the clock of the
//! system, unless [`ServerBuilder::timestamps_from`] ties them to the runtime's:
//!
//! ```
//! # use std::time::Duration;
//! # use a2a_server::{Agent, AgentError, Request, TaskHandle, testkit};
//! # use a2a_types::{TaskState, Timestamp};
//! # struct Slow;
//! # impl Agent for Slow {
//! #     async fn execute(&self, _: Request, task: TaskHandle) -> Result<(), AgentError> {
//! #         tokio::time::sleep(Duration::from_secs(3600)).await;
//! #         task.complete().await
//! #     }
//! # }
//! # async fn test() {
//! tokio::time::pause();
//! let server = testkit::server(Slow).timestamps_from(Timestamp::from_unix_millis(0));
//! let server = server.run_limit(Duration::from_secs(60)).build().unwrap();
//! let status = server.local().ask("hi").await.unwrap().status.unwrap();
//! assert_eq!(status.state(), TaskState::Failed);
//! assert_eq!(status.timestamp.unwrap().seconds, 60);
//! # }
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test());
//! ```

mod faulty;
mod puppet;

use a2a_types::AgentCard;

pub use faulty::{FaultyStore, Gate, StoreCall};
pub use puppet::{Blocked, OnCancel, Puppet, Run, Runs, puppet};

use crate::agent::Agent;
use crate::local::LocalClient;
use crate::server::{Server, ServerBuilder};

/// A builder for this agent with a card that will do for tests.
pub fn server(agent: impl Agent) -> ServerBuilder {
    let card = AgentCard::builder("Test", "Is tested").skill("test", "Test", "Is tested");
    Server::builder(agent).card(card)
}

/// A client for this agent, in a server with everything else as it is by default.
///
/// # Panics
///
/// Never: such a server can be built.
#[expect(clippy::expect_used, reason = "nothing depends on the caller")]
pub fn local(agent: impl Agent) -> LocalClient {
    let server = server(agent).build();
    server.expect("the builder has a card").local()
}
