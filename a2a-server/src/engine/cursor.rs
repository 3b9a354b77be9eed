use std::sync::Arc;
use std::time::Duration;

use a2a_types::store::{LogEntry, Scope, StoredTask, TaskStore, Wakeups};
use a2a_types::{A2aError, TaskState};

use tokio_util::sync::CancellationToken;

use super::live::Reader;
use super::{Lease, store_error};

/// How many entries are read at once.
const BATCH: usize = 256;

/// After how long without a wake-up the store is looked at all the same: a bus may lose one.
const LOOK: Duration = Duration::from_secs(10);

/// A reader of a task's log: a place in it, and where to read on.
pub(crate) struct Cursor {
    task_id: String,
    after: u64,
    scope: Scope,
    store: Arc<dyn TaskStore>,
    live: Option<Reader>,
    /// Tells when to look again, where another server may write the task.
    wakeups: Option<(Box<dyn Wakeups>, CancellationToken)>,
    /// The turn after which the task, when it waits for input, has nothing more to say.
    turn: Option<u64>,
}

/// What a live task has for a cursor.
enum News {
    Entries,
    /// Nothing follows, and why if that is not the task's own end.
    End(Option<A2aError>),
}

/// What a cursor has found.
pub(crate) enum Batch {
    /// The entries are in the buffer.
    Entries,
    /// Nothing follows.
    End,
    /// What follows is not in the log any more: the task has ended long ago. This is what all of it
    /// came to.
    Outcome(StoredTask),
}

impl Cursor {
    /// Reads the log of a live task from after `after`.
    pub(crate) fn live(lease: Lease, store: Arc<dyn TaskStore>, scope: Scope, after: u64) -> Self {
        let task_id = lease.id().to_owned();
        Self {
            task_id,
            after,
            scope,
            store,
            live: Some(Reader::new(lease)),
            turn: None,
            wakeups: None,
        }
    }

    /// The place in the log up to which it has read.
    pub(crate) fn after(&self) -> u64 {
        self.after
    }

    /// Reads what the store still has of the log of a task that ended.
    pub(crate) fn settled(
        task_id: String,
        store: Arc<dyn TaskStore>,
        scope: Scope,
        after: u64,
    ) -> Self {
        Self {
            task_id,
            after,
            scope,
            store,
            live: None,
            turn: None,
            wakeups: None,
        }
    }

    /// Reads the log of a task that any server may write, from after `after`, until `ending`.
    pub(crate) fn shared(
        task_id: String,
        store: Arc<dyn TaskStore>,
        scope: Scope,
        after: u64,
        wakeups: Box<dyn Wakeups>,
        ending: CancellationToken,
    ) -> Self {
        Self {
            wakeups: Some((wakeups, ending)),
            ..Self::settled(task_id, store, scope, after)
        }
    }

    /// Ends with this turn when it leaves the task waiting for input.
    pub(crate) fn until_turn(self, turn: u64) -> Self {
        Self {
            turn: Some(turn),
            ..self
        }
    }

    /// The state of a live task.
    pub(crate) fn state(&self) -> Option<TaskState> {
        self.live.as_ref().map(|reader| reader.0.state())
    }

    /// Waits for entries and moves on past them. `out` must be empty.
    ///
    /// Can be dropped at any time and called again: the place moves only when entries are handed
    /// out.
    pub(crate) async fn next(&mut self, out: &mut Vec<Arc<LogEntry>>) -> Result<Batch, A2aError> {
        let Some(Reader(lease)) = &self.live else {
            return self.watch_store(out).await;
        };
        let (after, turn) = (self.after, self.turn);
        let news = lease.0.head.wait(|head| {
            if head.sequence > after {
                return Some(News::Entries);
            }
            let over = turn.is_some_and(|turn| head.turns >= turn)
                && head.state == TaskState::InputRequired;
            (head.closed || over).then(|| News::End(head.failure.clone()))
        });
        match news.await {
            News::End(failure) => failure.map_or(Ok(Batch::End), Err),
            News::Entries if lease.0.tail.read(after, BATCH, out) && !out.is_empty() => {
                self.pass(out);
                Ok(Batch::Entries)
            }
            News::Entries => {
                out.clear();
                self.read_store(out).await
            }
        }
    }

    /// Reads the store again and again, until there is something or the server shuts down.
    async fn watch_store(&mut self, out: &mut Vec<Arc<LogEntry>>) -> Result<Batch, A2aError> {
        loop {
            let found = self.read_store(out).await?;
            let Some((wakeups, ending)) = &mut self.wakeups else {
                return Ok(found);
            };
            if !matches!(found, Batch::End) || ending.is_cancelled() {
                return Ok(found);
            }
            let woken = tokio::time::timeout(LOOK, wakeups.wait());
            ending.run_until_cancelled(woken).await;
        }
    }

    async fn read_store(&mut self, out: &mut Vec<Arc<LogEntry>>) -> Result<Batch, A2aError> {
        let found = self
            .store
            .events(&self.scope, &self.task_id, self.after, BATCH)
            .await;
        match found.map_err(store_error)? {
            Some(entries) if entries.is_empty() => Ok(Batch::End),
            Some(entries) => {
                *out = entries;
                self.pass(out);
                Ok(Batch::Entries)
            }
            None => {
                let stored = self.store.load(&self.scope, &self.task_id).await;
                let stored = stored.map_err(store_error)?;
                stored
                    .map(Batch::Outcome)
                    .ok_or_else(|| A2aError::task_not_found(&self.task_id))
            }
        }
    }

    fn pass(&mut self, entries: &[Arc<LogEntry>]) {
        if let Some(last) = entries.last() {
            self.after = last.sequence();
        }
    }
}
