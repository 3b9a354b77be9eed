use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tracing::Instrument;

use super::Shared;
use crate::agent::{AgentError, Emission, Request, RunControl, Said, TaskHandle};

/// How many updates an agent may be ahead of the store.
const EMISSIONS: usize = 128;

/// One run of the agent's code, seen from the task's actor.
pub(super) struct Run {
    pub(super) emissions: mpsc::Receiver<Said>,
    pub(super) control: Arc<RunControl>,
    task: AbortHandle,
}

impl Run {
    /// Starts the agent in a task of its own: neither a caller that leaves nor an agent that
    /// blocks its thread touches the other.
    pub(super) fn spawn(shared: &Arc<Shared>, request: Request) -> Self {
        let (sender, emissions) = mpsc::channel(EMISSIONS);
        let control = Arc::new(RunControl::default());
        let task = TaskHandle::new(request.parts(), sender.clone(), Arc::clone(&control));
        let agent = Arc::clone(&shared.agent);
        let span = request.span();
        let run = async move {
            let run = AssertUnwindSafe(async { agent.execute(request, task).await });
            let result = run.catch_unwind().await.unwrap_or_else(|_| {
                // The panic hook has logged the panic itself.
                Err(AgentError::new("the agent failed unexpectedly"))
            });
            // The receiver is gone when the task has ended already.
            let _ = sender.send(Box::new(Emission::Done(result))).await;
        };
        let task = shared.threads.track(&shared.tracker, run.instrument(span));
        Self {
            emissions,
            control,
            task,
        }
    }

    /// Ends the agent's code at its next await.
    pub(super) fn abort(&self) {
        self.task.abort();
    }

    /// Takes nothing more from this run and tells it why.
    pub(super) fn refuse(&mut self, why: AgentError) {
        let _ = self.control.fault.set(why);
        self.emissions.close();
    }
}
