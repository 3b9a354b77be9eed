//! Tasks that nobody has been told of yet ([`Due::FirstAppend`]): each is written in one transaction
//! with what is appended first, and by itself when that takes long. And tasks that have just ended:
//! whoever waits for the end asks for the task next.
//!
//! Whoever reads waits for what is still to be written, so nobody can tell the difference.
//!
//! [`Due::FirstAppend`]: a2a_types::store::Due::FirstAppend

use std::collections::{HashMap, VecDeque};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use a2a_types::store::{Append, LogEntry, Owner, Scope, StoreError, StoreErrorKind, StoredTask};
use a2a_types::{Task, Timestamp, reducer};
use async_trait::async_trait;
use sqlx::SqliteConnection;
use tokio::sync::{Notify, mpsc};

use crate::store::Inner;
use crate::tasks::{self, Birth, Create, Onto};
use crate::writer::{Outcome, Work};

/// How long a task waits for its first entries.
const MOMENT: Duration = Duration::from_millis(10);

/// How long it takes until writing is tried again that has failed.
const PAUSE: Duration = Duration::from_secs(1);

/// How many tasks that have just ended are kept, and of what encoded size at most.
const KEPT: usize = 64;
const KEPT_BYTES: usize = 64 << 10;

#[derive(Default)]
pub(crate) struct Nursery {
    unborn: Mutex<HashMap<Arc<str>, Unborn>>,
    /// How many there are: most calls only look here.
    count: AtomicUsize,
    /// Something has been written, or has not.
    changed: Notify,
    ended: Mutex<Ended>,
}

enum Unborn {
    Waiting(Arc<Newborn>),
    /// It is with the writer.
    Writing,
}

/// A task that is to be written.
pub(crate) struct Newborn {
    pub(crate) owner: Owner,
    pub(crate) task: Arc<Task>,
    pub(crate) create: Arc<Create>,
}

/// Tasks that have just ended, oldest first.
#[derive(Default)]
struct Ended {
    tasks: VecDeque<StoredTask>,
    /// Changes whenever tasks are deleted.
    era: u64,
}

impl Nursery {
    /// Keeps a new task until something is appended to it.
    pub(crate) fn put(&self, newborn: Newborn) -> Result<(), StoreError> {
        let id = Arc::from(newborn.task.id.as_str());
        let mut unborn = self.unborn();
        if unborn.contains_key(&id) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        unborn.insert(id, Unborn::Waiting(Arc::new(newborn)));
        self.count.store(unborn.len(), Ordering::Release);
        Ok(())
    }

    /// Takes the task to write it with its first entries, which the scope may append.
    pub(crate) async fn take(self: &Arc<Self>, scope: &Scope, id: &str) -> Option<Taken> {
        loop {
            let taken = self.take_if(id, |newborn| scope.covers(&newborn.owner));
            // One that could not be written is there again.
            if taken.is_some() || !self.written(id).await {
                return taken;
            }
        }
    }

    fn ids(&self) -> Vec<Arc<str>> {
        if self.is_empty() {
            return Vec::new();
        }
        self.unborn().keys().cloned().collect()
    }

    fn is_being_written(&self, id: &str) -> bool {
        !self.is_empty() && matches!(self.unborn().get(id), Some(Unborn::Writing))
    }

    /// Waits while the task is with the writer; whether it was.
    pub(crate) async fn written(&self, id: &str) -> bool {
        let mut waited = false;
        while self.is_being_written(id) {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if self.is_being_written(id) {
                changed.await;
            }
            waited = true;
        }
        waited
    }

    fn take_if(self: &Arc<Self>, id: &str, wanted: impl Fn(&Newborn) -> bool) -> Option<Taken> {
        if self.is_empty() {
            return None;
        }
        let era = self.ended().era;
        let mut unborn = self.unborn();
        let found = unborn.get_mut(id)?;
        let newborn = match found {
            Unborn::Waiting(newborn) if wanted(newborn) => Arc::clone(newborn),
            _ => return None,
        };
        *found = Unborn::Writing;
        Some(Taken {
            nursery: Arc::clone(self),
            newborn,
            era,
            is_written: false,
        })
    }

    fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    /// A task that has just ended.
    pub(crate) fn ended_task(&self, scope: &Scope, id: &str) -> Option<StoredTask> {
        let ended = self.ended();
        let found = ended.tasks.iter().rfind(|stored| stored.task.id == id)?;
        scope.covers(&found.owner).then(|| found.clone())
    }

    /// Forgets the tasks that have just ended: some are being deleted, or have been.
    pub(crate) fn forget_ended(&self) {
        let mut ended = self.ended();
        ended.tasks.clear();
        ended.era += 1;
    }

    fn unborn(&self) -> MutexGuard<'_, HashMap<Arc<str>, Unborn>> {
        self.unborn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> MutexGuard<'_, Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task that is being written. It goes back unless it has been.
pub(crate) struct Taken {
    nursery: Arc<Nursery>,
    pub(crate) newborn: Arc<Newborn>,
    era: u64,
    is_written: bool,
}

impl Taken {
    /// It has been written.
    pub(crate) fn written(mut self) {
        self.is_written = true;
    }

    /// It has been written, and these entries, which have ended it.
    pub(crate) fn ended(mut self, entries: &[Arc<LogEntry>]) {
        self.is_written = true;
        let Newborn { owner, task, .. } = &*self.newborn;
        let mut task = Task::clone(task);
        for entry in entries {
            reducer::apply(&mut task, entry.event());
        }
        // As the database gives it back.
        let status = task.status.as_mut();
        if let Some(timestamp) = status.and_then(|status| status.timestamp.as_mut()) {
            *timestamp = Timestamp::from_unix_millis(timestamp.unix_millis());
        }
        let sequence = entries.last().map_or(0, |entry| entry.sequence());
        let stored = StoredTask::new(owner.clone(), task.into(), entries.len() as u64, sequence);
        let mut ended = self.nursery.ended();
        if ended.era != self.era {
            return;
        }
        if ended.tasks.len() >= KEPT {
            ended.tasks.pop_front();
        }
        ended.tasks.push_back(stored);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut unborn = self.nursery.unborn();
        let id = self.newborn.task.id.as_str();
        match unborn.get_mut(id) {
            Some(state) if !self.is_written => *state = Unborn::Waiting(Arc::clone(&self.newborn)),
            _ => drop(unborn.remove(id)),
        }
        self.nursery.count.store(unborn.len(), Ordering::Release);
        drop(unborn);
        self.nursery.changed.notify_waiters();
    }
}

impl Inner {
    /// Writes a new task and its first entries.
    pub(crate) async fn be_born(
        &self,
        taken: Taken,
        scope: &Scope,
        append: Append<'_>,
    ) -> Result<(), StoreError> {
        let id = taken.newborn.task.id.as_str();
        let row = tasks::Append::new(self, scope, id, &append, Onto::Newborn);
        let row = row.inspect_err(|_| self.again())?;
        let create = Arc::clone(&taken.newborn.create);
        let birth = Birth {
            create,
            append: row,
        };
        let is_long = birth.append.ends_long_log();
        let kept = birth.is_life() && birth.bytes() <= KEPT_BYTES;
        let written = self.writer.run(birth).await;
        written.inspect_err(|_| self.again())?;
        if is_long {
            self.ended_long(id);
        }
        if kept {
            taken.ended(&append.entries);
        } else {
            taken.written();
        }
        Ok(())
    }

    /// Writes the task if it has not been, for somebody who reads it.
    pub(crate) async fn settle(self: &Arc<Self>, id: &str) -> Result<(), StoreError> {
        if let Some(taken) = self.nursery.take_if(id, |_| true) {
            return self.write_all(vec![taken]).await;
        }
        self.nursery.written(id).await;
        Ok(())
    }

    /// Writes all tasks that have not been, for somebody who reads them.
    pub(crate) async fn settle_all(self: &Arc<Self>) -> Result<(), StoreError> {
        let ids = self.nursery.ids();
        let taken = ids
            .iter()
            .filter_map(|id| self.nursery.take_if(id, |_| true));
        self.write_all(taken.collect()).await?;
        for id in ids {
            self.nursery.written(&id).await;
        }
        Ok(())
    }

    /// Writes new tasks without anything else. Goes on when the caller has left: the task's writer
    /// waits for it.
    pub(crate) async fn write_all(self: &Arc<Self>, taken: Vec<Taken>) -> Result<(), StoreError> {
        if taken.is_empty() {
            return Ok(());
        }
        let store = Arc::clone(self);
        let write = tokio::spawn(async move {
            let creates = taken.iter().map(|t| Arc::clone(&t.newborn.create));
            let written = store.writer.run(Births(creates.collect())).await;
            written.inspect_err(|_| store.again())?;
            taken.into_iter().for_each(Taken::written);
            Ok(())
        });
        let gone = |error| StoreError::with_source(StoreErrorKind::Unavailable, error);
        write.await.map_err(gone)?
    }

    /// Something could not be written; it is tried again.
    fn again(&self) {
        let _ = self.born.try_send(());
    }

    /// Deletes tasks.
    pub(crate) async fn delete<W: Work>(&self, work: W) -> Result<W::Output, StoreError> {
        self.nursery.forget_ended();
        let deleted = self.writer.run(work).await;
        self.nursery.forget_ended();
        deleted
    }
}

/// Writes by themselves the tasks that nothing has been appended to for a moment, until the store
/// is gone.
pub(crate) async fn run(store: Weak<Inner>, mut born: mpsc::Receiver<()>) {
    while born.recv().await.is_some() {
        tokio::time::sleep(MOMENT).await;
        let Some(store) = store.upgrade() else { return };
        let written = store.settle_all().await;
        drop(store);
        if let Err(error) = written {
            warn(&error);
            tokio::time::sleep(PAUSE).await;
        }
    }
}

pub(crate) fn warn(error: &(dyn std::error::Error + 'static)) {
    tracing::warn!(error, "tasks that have just begun could not be stored");
}

/// New tasks without anything else.
struct Births(Vec<Arc<Create>>);

#[async_trait]
impl Work for Births {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        for create in &self.0 {
            // One that is refused is there already.
            let _ = create.run(connection).await?;
        }
        Ok(Ok(()))
    }
}
