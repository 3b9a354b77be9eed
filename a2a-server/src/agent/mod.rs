//! What the author of an agent writes against: the [`Agent`] trait and the values it is given.

mod artifact;
mod cancel;
mod check;
mod control;
mod erased;
mod error;
mod handle;
mod message;
mod request;
mod status;
mod words;

use std::future::Future;

use a2a_types::A2aError;

pub use artifact::ArtifactUpdate;
pub use cancel::CancelRequest;
pub(crate) use erased::DynAgent;
pub use error::AgentError;
pub(crate) use handle::Emission;
pub use handle::TaskHandle;
pub use message::AgentMessage;
pub use request::Request;
pub(crate) use request::{Origin, Peek};
pub(crate) use status::Keep;
pub use status::StatusUpdate;
pub(crate) use words::{Speaker, Words, words};

/// An agent: what runs when a message arrives.
///
/// One value serves all calls at once, so it holds shared state behind `&self`.
///
/// ```
/// use a2a_server::{Agent, AgentError, Request, TaskHandle};
///
/// struct Echo;
///
/// impl Agent for Echo {
///     async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
///         task.working().await?;
///         task.artifact("echo").text(request.text()).send().await?;
///         task.complete().await
///     }
/// }
/// ```
pub trait Agent: Send + Sync + 'static {
    /// Works on one message: the first of a task, or a later one of the same task.
    ///
    /// What the agent has to say it says through `task`. The run ends when this returns and the
    /// last clone of `task` is dropped. A task that is then neither terminal nor waiting for its
    /// client becomes FAILED; so does any task that is not terminal when this returns an error or
    /// panics. The client's connection has no part in it: when the client leaves, the run goes on.
    ///
    /// Code that blocks its thread takes it away from the runtime that serves; see
    /// [`ServerBuilder::agent_threads`](crate::ServerBuilder::agent_threads).
    ///
    /// # Errors
    ///
    /// Any error fails the task. The client sees the text given to [`AgentError::new`], or a fixed
    /// one for errors of other types; the cause is logged.
    fn execute(
        &self,
        request: Request,
        task: TaskHandle,
    ) -> impl Future<Output = Result<(), AgentError>> + Send;

    /// Says, before anything is stored or run, how the agent will answer `request`, or refuses it.
    ///
    /// The default answers every message with a task. A message that continues a task is always
    /// answered with that task, whatever this returns. Runs as a part of the call, also with
    /// [`ServerBuilder::agent_threads`](crate::ServerBuilder::agent_threads): it must not block.
    ///
    /// # Errors
    ///
    /// The error is the answer to the call: no task is made, a task that exists stays as it is, and
    /// the agent does not run.
    fn admit(&self, request: &Request) -> impl Future<Output = Result<Answer, A2aError>> + Send {
        let _ = request;
        async { Ok(Answer::Task) }
    }

    /// Called when a client cancels a task that is running, before the running code is told
    /// through [`TaskHandle::cancelled`].
    ///
    /// The default agrees.
    ///
    /// # Errors
    ///
    /// [`AgentError::not_cancelable`] declines: the client gets `TaskNotCancelableError` and the
    /// run goes on. Any other error is logged and the task is canceled all the same.
    fn cancel(
        &self,
        request: CancelRequest,
    ) -> impl Future<Output = Result<(), AgentError>> + Send {
        let _ = request;
        async { Ok(()) }
    }
}

/// How an agent answers a message that starts something new (A2A §3.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the protocol knows no other answer"
)]
pub enum Answer {
    /// With a task, stored as SUBMITTED before the agent runs: a client that does not want to
    /// wait has its answer at once.
    #[default]
    Task,
    /// With one message, given to [`TaskHandle::reply`]. No task exists and nothing is stored.
    Message,
    /// With whichever the agent's first word is. Every client has to wait for that word.
    Either,
}
