use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::{AgentError, Request};

/// What a run and its task's writer share, besides what the agent says.
#[derive(Default)]
pub(crate) struct RunControl {
    /// Made by whoever looks first: most runs are never canceled and most agents never look.
    cancel: OnceLock<CancellationToken>,
    /// Messages for the run that it has not taken yet. What is left goes to the next run.
    inbox: Mutex<VecDeque<Request>>,
    /// Why the writer takes nothing more from this run.
    fault: OnceLock<AgentError>,
    /// When the writer has waited for the first time.
    begun: OnceLock<Instant>,
    /// When the writer, which waits for what the agent says next, has to be let on: so many
    /// nanoseconds after it has waited for the first time. 0 when it does not wait.
    waited_for: AtomicU64,
}

impl RunControl {
    /// The writer waits. An agent that goes on without a pause has to let it on after that time.
    pub(super) fn wait_for(&self, patience: Duration) {
        let due = nanoseconds(self.time() + patience);
        self.waited_for.store(due.max(1), Ordering::Release);
    }

    /// The writer does not wait any more.
    pub(super) fn go_on(&self) {
        self.waited_for.store(0, Ordering::Release);
    }

    /// Whether the writer has waited long enough.
    pub(super) fn has_to_give_way(&self) -> bool {
        match self.waited_for.load(Ordering::Acquire) {
            0 => false,
            due => nanoseconds(self.time()) >= due,
        }
    }

    fn time(&self) -> Duration {
        self.begun.get_or_init(Instant::now).elapsed()
    }

    pub(crate) fn inbox(&self) -> MutexGuard<'_, VecDeque<Request>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn fault(&self) -> Option<&AgentError> {
        self.fault.get()
    }

    /// The first reason stays.
    pub(super) fn refuse(&self, why: AgentError) {
        let _ = self.fault.set(why);
    }

    /// Tells the agent to stop. `false` when it has never looked for that, so that there is no use
    /// in waiting for it.
    pub(crate) fn cancel(&self) -> bool {
        let observed = self.cancel.get().is_some();
        self.cancellation().cancel();
        observed
    }

    pub(super) fn cancellation(&self) -> &CancellationToken {
        self.cancel.get_or_init(CancellationToken::new)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
