mod index;

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::projection::project_shared;
use a2a_types::reducer;
use a2a_types::store::{
    Append, Created, Cursor, Durability, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner,
    Replay, Scope, Sharing, StoreError, StoreErrorKind, StoreProperties, StoredTask, TaskPage,
    TaskStore,
};
use a2a_types::{Task, Timestamp};
use async_trait::async_trait;
use foldhash::quality::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use index::{Index, Place};

/// How many parts the tasks are split into, so that writers of different tasks seldom meet.
const SHARDS: usize = 32;

/// Tasks in memory. They end with the process.
///
/// An event costs what the event costs; a page of a list costs what the page costs, unless it is
/// filtered by state. Of ended tasks the newest 256 logs are kept (and at most 100,000 events in
/// all) for readers that come late; the tasks themselves stay until they are purged.
pub struct MemoryTaskStore {
    shards: [Mutex<HashTable<Slot>>; SHARDS],
    hasher: RandomState,
    /// Locked only while no row is locked, or after the row that is changed.
    index: Mutex<Index>,
}

/// A row and the hash of its id: a table that grows need not look at the rows, which are cold.
struct Slot {
    hash: u64,
    row: Box<Row>,
}

struct Row {
    /// Shared with the index.
    id: Arc<str>,
    owner: Owner,
    task: Arc<Task>,
    revision: u64,
    /// How many visible entries there have been.
    sequence: u64,
    /// All of them, until the task ends; then the index keeps them for a while.
    log: Vec<Arc<LogEntry>>,
    /// The id of the message that made the task, when a repeated send finds it by that.
    sent: Option<String>,
}

impl Slot {
    fn is(&self, hash: u64, id: &str) -> bool {
        self.hash == hash && *self.row.id == *id
    }
}

impl Row {
    fn place(&self) -> Place {
        Place::new(timestamp(&self.task), Arc::clone(&self.id))
    }
}

impl MemoryTaskStore {
    /// An empty store.
    pub fn new() -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            hasher: RandomState::default(),
            index: Mutex::default(),
        }
    }

    /// The part of the store that has the task, if any has, and the hash of its id.
    fn shard(&self, id: &str) -> Result<(MutexGuard<'_, HashTable<Slot>>, u64), StoreError> {
        let hash = self.hasher.hash_one(id);
        // The table uses the highest and the lowest bits.
        let shard = usize::try_from((hash >> 32) % SHARDS as u64).ok();
        let shard = shard.and_then(|shard| self.shards.get(shard));
        let shard = shard.ok_or(StoreError::new(StoreErrorKind::Internal))?;
        Ok((shard.lock().unwrap_or_else(PoisonError::into_inner), hash))
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a row that the scope covers.
    fn read<T>(
        &self,
        scope: &Scope,
        id: &str,
        read: impl FnOnce(&Row) -> T,
    ) -> Result<Option<T>, StoreError> {
        let (shard, hash) = self.shard(id)?;
        let row = shard.find(hash, |slot| slot.is(hash, id));
        Ok(row
            .map(|slot| &*slot.row)
            .filter(|row| scope.covers(&row.owner))
            .map(read))
    }

    /// Removes those of the tasks that `doomed` is true for.
    fn purge(
        &self,
        places: Vec<Place>,
        doomed: impl Fn(&Row, &Place) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let mut purged = Vec::with_capacity(places.len());
        for place in places {
            let (mut shard, hash) = self.shard(&place.id)?;
            let found = shard.find_entry(hash, |slot| {
                slot.is(hash, &place.id) && doomed(&slot.row, &place)
            });
            if let Ok(found) = found {
                let (Slot { row, .. }, _) = found.remove();
                let (context, sent) = (&row.task.context_id, row.sent.as_deref());
                self.index().remove(&row.owner, context, &row.place(), sent);
                purged.push(place.id.to_string());
            }
        }
        Ok(purged)
    }
}

impl Default for MemoryTaskStore {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl TaskStore for MemoryTaskStore {
    fn properties(&self) -> StoreProperties {
        StoreProperties::new(Durability::Volatile, Sharing::Exclusive)
    }

    async fn create(&self, owner: &Owner, new: NewTask) -> Result<Created, StoreError> {
        let NewTask {
            task, idempotency, ..
        } = new;
        let (mut shard, hash) = self.shard(&task.id)?;
        let same = |slot: &Slot| slot.is(hash, &task.id);
        let Entry::Vacant(vacant) = shard.entry(hash, same, |slot| slot.hash) else {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        };
        let row = Box::new(Row {
            id: Arc::from(&*task.id),
            owner: owner.clone(),
            task,
            revision: 0,
            sequence: 0,
            log: Vec::new(),
            sent: idempotency.as_ref().map(|key| key.message_id.clone()),
        });
        {
            let mut index = self.index();
            if let Some(key) = &idempotency
                && let Some(existing) = index.resent(owner, key)
            {
                return Ok(Created::Existing(existing));
            }
            index.insert(owner, &row.task.context_id, row.place());
            if row.task.state().is_terminal() {
                index.end(row.place());
            }
            if let Some(key) = idempotency {
                index.remember(owner, key, &row.id);
            }
        }
        vacant.insert(Slot { hash, row });
        Ok(Created::New)
    }

    async fn resent(
        &self,
        owner: &Owner,
        key: &IdempotencyKey,
    ) -> Result<Option<String>, StoreError> {
        Ok(self.index().resent(owner, key))
    }

    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<(), StoreError> {
        let (mut shard, hash) = self.shard(task_id)?;
        let row = shard.find_mut(hash, |slot| slot.is(hash, task_id));
        let row = row
            .map(|slot| &mut *slot.row)
            .filter(|row| scope.covers(&row.owner));
        let row = row.ok_or(StoreError::new(StoreErrorKind::NotFound))?;
        if row.revision != append.after {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        let before = timestamp(&row.task);
        let task = Arc::make_mut(&mut row.task);
        for entry in append.entries {
            reducer::apply(task, entry.event());
        }
        row.revision += append.entries.len() as u64;
        for entry in append.entries.iter().filter(|entry| entry.is_visible()) {
            row.sequence += 1;
            row.log.push(Arc::clone(entry));
        }
        if timestamp(&row.task) != before {
            let old = Place::new(before, Arc::clone(&row.id));
            self.index()
                .shift(&row.owner, &row.task.context_id, &old, row.place());
        }
        if !row.task.state().is_terminal() {
            return Ok(());
        }
        let log = std::mem::take(&mut row.log);
        let over = {
            let mut index = self.index();
            index.end(row.place());
            match append.replay {
                Replay::Impossible => vec![log],
                _ => index.keep_log(&row.id, log),
            }
        };
        drop(shard);
        drop(over);
        Ok(())
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        self.read(scope, task_id, |row| {
            let task = Arc::clone(&row.task);
            StoredTask::new(row.owner.clone(), task, row.revision, row.sequence)
        })
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        let places = self.index().places(scope, query);
        let after = query.after.as_ref().map(Place::of);
        let by_state = query.status.is_some();
        let mut total = if by_state { 0 } else { places.total };
        let mut page: Vec<Arc<Task>> = Vec::new();
        let (mut taken, mut more, mut last) = (0, false, None);
        for at in places.newest_first {
            let full = taken == query.page_size;
            if full && !by_state {
                more = true;
                break;
            }
            let task = self.read(scope, &at.id, |row| Arc::clone(&row.task))?;
            if by_state {
                if task.as_ref().map(|task| task.state()) != query.status {
                    continue;
                }
                total += 1;
                if after.as_ref().is_some_and(|after| at >= *after) {
                    continue;
                }
                if full {
                    more = true;
                    continue;
                }
            }
            // A task that was purged at this moment counts: it must not look like the end.
            taken += 1;
            page.extend(task.map(|task| project_shared(&task, query.history, query.artifacts)));
            last = Some(at);
        }
        let next = last.filter(|_| more).map(|at| Cursor {
            timestamp: at.timestamp,
            id: at.id.to_string(),
        });
        Ok(TaskPage::new(page, next, total))
    }

    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        let Ok(skip) = usize::try_from(after) else {
            return Ok(None);
        };
        let found = self.read(scope, task_id, |row| {
            let ended = row.task.state().is_terminal().then_some(row.sequence);
            let entries = row.log.get(skip..);
            (
                ended,
                entries.map(|entries| entries.iter().take(limit).cloned().collect()),
            )
        })?;
        let Some((ended, entries)) = found else {
            return Ok(None);
        };
        match ended {
            None => Ok(entries),
            // Nothing is missing, whether the log is still there or not.
            Some(sequence) if sequence == after => Ok(Some(Vec::new())),
            Some(_) => Ok(self.index().kept_log(task_id, skip, limit)),
        }
    }

    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
        let mut purged = Vec::new();
        while purged.len() < limit {
            let ended = self.index().take_ended(before, limit - purged.len());
            if ended.is_empty() {
                break;
            }
            // A task that was deleted may have been made anew.
            let same =
                |row: &Row, place: &Place| row.task.state().is_terminal() && row.place() == *place;
            purged.extend(self.purge(ended, same)?);
        }
        Ok(purged)
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        let places = self.index().of_owner(owner);
        self.purge(places, |row, _| row.owner == *owner)
    }
}

impl std::fmt::Debug for MemoryTaskStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryTaskStore").finish_non_exhaustive()
    }
}

fn timestamp(task: &Task) -> Timestamp {
    task.status
        .as_ref()
        .and_then(|status| status.timestamp)
        .unwrap_or_default()
}
