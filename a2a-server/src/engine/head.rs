use std::sync::{Mutex, MutexGuard, PoisonError};

use a2a_types::{A2aError, TaskState};
use tokio::sync::Notify;

use super::is_settled;
use super::rules::Ledger;

/// Where a live task stands, as its readers see it.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// The newest visible event.
    pub(super) sequence: u64,
    /// The newest event that was terminal or interrupted; 0 when there was none.
    pub(super) settled: u64,
    /// How many turns are over.
    pub(super) turns: u64,
    pub(super) state: TaskState,
    /// Nothing follows.
    pub(super) closed: bool,
    /// Why nothing follows, when it is not the task's end.
    pub(super) failure: Option<A2aError>,
}

impl Head {
    pub(super) fn of(ledger: &Ledger) -> Self {
        let (state, sequence) = (ledger.state(), ledger.sequence());
        let settled = if is_settled(state) { sequence } else { 0 };
        Self {
            sequence,
            settled,
            turns: 0,
            state,
            closed: false,
            failure: None,
        }
    }
}

/// A head that can be waited for.
pub(super) struct Watched {
    head: Mutex<Head>,
    changed: Notify,
}

impl Watched {
    pub(super) fn new(head: Head) -> Self {
        Self {
            head: Mutex::new(head),
            changed: Notify::new(),
        }
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Head) -> T) -> T {
        read(&self.head())
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Head)) {
        change(&mut self.head());
        self.changed.notify_waiters();
    }

    /// Waits until there is an answer.
    pub(super) async fn wait<T>(&self, answer: impl Fn(&Head) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            if let Some(answer) = self.read(&answer) {
                return answer;
            }
            // Changes from here on count, also those before the first poll.
            changed.as_mut().enable();
            if let Some(answer) = self.read(&answer) {
                return answer;
            }
            changed.await;
        }
    }

    fn head(&self) -> MutexGuard<'_, Head> {
        self.head.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
