use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::{AbortHandle, Abortable};
use tracing::Instrument;

use super::Shared;
use crate::agent::{AgentError, Emission, Request, TaskHandle, Words, words};

/// One run of the agent's code, seen from the task's actor.
pub(super) struct Run {
    pub(super) words: Words,
    code: AbortHandle,
}

/// The agent's code itself.
pub(super) type Code = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Run {
    /// Starts the agent in a task of its own: neither a caller that leaves nor an agent that
    /// blocks its thread touches the other.
    pub(super) fn spawn(shared: &Arc<Shared>, request: Request) -> Self {
        let (run, code) = Self::new(shared, request);
        shared.threads.go_on(code);
        run
    }

    /// A run, and its code, which has not begun.
    pub(super) fn new(shared: &Arc<Shared>, request: Request) -> (Self, Code) {
        let (speaker, words) = words();
        let task = TaskHandle::new(request.parts(), speaker.clone());
        let agent = Arc::clone(&shared.agent);
        let span = request.span();
        let run = async move {
            let run = AssertUnwindSafe(async { agent.execute(request, task).await });
            let result = run.catch_unwind().await.unwrap_or_else(|_| {
                // The panic hook has logged the panic itself.
                Err(AgentError::new("the agent failed unexpectedly"))
            });
            // Nobody listens when the task has ended already.
            let _ = speaker.say(Emission::Done(result)).await;
        };
        let (code, registration) = AbortHandle::new_pair();
        let abortable = Abortable::new(run.instrument(span), registration).map(drop);
        let run = Self { words, code };
        (run, shared.threads.prepare(&shared.tracker, abortable))
    }

    /// Ends the agent's code at its next await.
    pub(super) fn abort(&self) {
        self.code.abort();
    }

    /// Takes nothing more from this run and tells it why.
    pub(super) fn refuse(&mut self, why: AgentError) {
        self.words.refuse(why);
    }
}
