mod body;
mod id;
mod index;
mod table;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::projection::project_shared;
use a2a_types::reducer;
use a2a_types::store::{
    Append, Created, Cursor, Due, Durability, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner,
    Replay, Scope, Sharing, StoreError, StoreErrorKind, StoreProperties, StoredTask, TaskPage,
    TaskStore,
};
use a2a_types::{Task, TaskState, Timestamp};
use async_trait::async_trait;
use foldhash::quality::RandomState;

use body::{Body, Room};
use id::Id;
use index::{Index, Place};
use table::{Hash, PARTS, Table};

/// Tasks in memory. They end with the process.
///
/// An event costs what the event costs; a page of a list costs what the page costs, unless it is
/// filtered by state. Of ended tasks the newest 256 logs are kept (and at most 100,000 events in
/// all) for readers that come late; the tasks themselves stay until they are purged.
pub struct MemoryTaskStore {
    /// So many that writers of different tasks seldom meet.
    shards: [Mutex<Shard>; PARTS],
    hasher: RandomState,
    /// Locked only while no row is locked, or after the row that is changed.
    index: Mutex<Index>,
}

/// Some of the tasks.
#[derive(Default)]
struct Shard {
    rows: Table<Row>,
    room: Room,
}

struct Row {
    owner: Owner,
    body: Body,
    state: TaskState,
    /// That of the status.
    timestamp: Timestamp,
    revision: u64,
    /// How many visible entries there have been.
    sequence: u64,
    /// The id of the message that made the task, when a repeated send finds it by that.
    sent: Option<Box<str>>,
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
    fn shard(&self, id: &Id) -> Result<(MutexGuard<'_, Shard>, Hash), StoreError> {
        let hash = Hash::of(id, &self.hasher);
        let shard = self.shards.get(hash.part());
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
        id: &Id,
        read: impl FnOnce(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let (shard, hash) = self.shard(id)?;
        let row = shard.rows.get(hash, id);
        row.filter(|row| scope.covers(&row.owner))
            .map(read)
            .transpose()
    }

    /// Removes those of the tasks that `doomed` is true for.
    fn purge(
        &self,
        places: Vec<Place>,
        doomed: impl Fn(&Row, &Place) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let mut purged = Vec::with_capacity(places.len());
        for place in places {
            let id = &place.id;
            let (mut shard, hash) = self.shard(id)?;
            let row = shard.rows.get(hash, id).filter(|row| doomed(row, &place));
            let Some(task) = row.map(|row| row.body.task(id)).transpose()? else {
                continue;
            };
            if let Some(row) = shard.rows.remove_if(hash, id, |_| true) {
                let place = Place::new(row.timestamp, id.clone());
                let mut index = self.index();
                index.remove(&row.owner, &task.context_id, &place, row.sent.as_deref());
                purged.push(id.to_string());
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
            task,
            idempotency,
            due,
            ..
        } = new;
        let id = Id::of(&task.id);
        let (mut shard, hash) = self.shard(&id)?;
        let Shard { rows, room } = &mut *shard;
        if due == Due::Now && rows.get(hash, &id).is_some() {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        let (state, timestamp) = (task.state(), timestamp(&task));
        let place = Place::new(timestamp, id.clone());
        let sent = idempotency.as_ref().map(|key| &*key.message_id);
        let sent = sent.map(Box::from);
        {
            let mut index = self.index();
            if let Some(key) = &idempotency
                && let Some(existing) = index.resent(owner, key)
            {
                return Ok(Created::Existing(existing));
            }
            index.insert(owner, &task.context_id, place.clone())?;
            if state.is_terminal() {
                index.end(place);
            }
            if let Some(key) = idempotency {
                index.remember(owner, key, &id);
            }
        }
        let mut body = Body::new(task);
        if state.is_terminal() {
            body.end(room);
        }
        let row = Row {
            owner: owner.clone(),
            body,
            state,
            timestamp,
            revision: 0,
            sequence: 0,
            sent,
        };
        rows.insert(hash, id, row)?;
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
    ) -> Result<Option<Arc<Task>>, StoreError> {
        let id = Id::of(task_id);
        let (mut shard, hash) = self.shard(&id)?;
        let Shard { rows, room } = &mut *shard;
        let row = rows.get_mut(hash, &id);
        let row = row.filter(|row| scope.covers(&row.owner));
        let row = row.ok_or(StoreError::new(StoreErrorKind::NotFound))?;
        if row.revision != append.after {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        if append.entries.is_empty() {
            return Ok(None);
        }
        let (task, log) = row.body.live(&id)?;
        row.revision += append.entries.len() as u64;
        let visible = append.entries.iter().filter(|entry| entry.is_visible());
        row.sequence += visible.clone().count() as u64;
        // Nobody will ever read it.
        let unread = append.replay == Replay::Impossible && ends(&append.entries);
        if !unread {
            log.extend(visible.cloned());
        }
        match append.entries {
            Cow::Borrowed(entries) => apply(task, entries),
            Cow::Owned(entries) => apply_taking(task, entries),
        }
        row.state = task.state();
        let before = std::mem::replace(&mut row.timestamp, timestamp(task));
        let place = Place::new(row.timestamp, id);
        let ended = row.state.is_terminal();
        let mut over = Vec::new();
        if row.timestamp != before || ended {
            let mut index = self.index();
            if row.timestamp != before {
                let old = Place::new(before, place.id.clone());
                index.shift(&row.owner, &task.context_id, &old, place.clone());
            }
            if ended {
                let log = std::mem::take(log);
                if !unread {
                    over = index.keep_log(&place.id, log);
                }
                index.end(place);
            }
        }
        let task = if ended { row.body.end(room) } else { None };
        drop(shard);
        drop(over);
        Ok(task)
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        let id = Id::of(task_id);
        self.read(scope, &id, |row| {
            let (owner, task) = (row.owner.clone(), row.body.task(&id)?);
            Ok(StoredTask::new(owner, task, row.revision, row.sequence))
        })
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        let places = self.index().places(scope, query)?;
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
            if by_state {
                let state = self.read(scope, &at.id, |row| Ok(row.state))?;
                if state != query.status {
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
            let task = self.read(scope, &at.id, |row| row.body.task(&at.id))?;
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
        let id = Id::of(task_id);
        let found = self.read(scope, &id, |row| {
            let ended = row.state.is_terminal().then_some(row.sequence);
            let entries = row.body.log().get(skip..);
            let entries = entries.map(|entries| entries.iter().take(limit).cloned().collect());
            Ok((ended, entries))
        })?;
        let Some((ended, entries)) = found else {
            return Ok(None);
        };
        match ended {
            None => Ok(entries),
            // Nothing is missing, whether the log is still there or not.
            Some(sequence) if sequence == after => Ok(Some(Vec::new())),
            Some(_) => Ok(self.index().kept_log(&id, skip, limit)),
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
                |row: &Row, at: &Place| row.state.is_terminal() && row.timestamp == at.timestamp;
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

/// Whether the task is over with the last of these.
fn ends(entries: &[Arc<LogEntry>]) -> bool {
    let state = entries.iter().rev().find_map(|entry| entry.event().state());
    state.is_some_and(TaskState::is_terminal)
}

fn apply(task: &mut Task, entries: &[Arc<LogEntry>]) {
    for entry in entries {
        reducer::apply(task, entry.event());
    }
}

fn apply_taking(task: &mut Task, entries: Vec<Arc<LogEntry>>) {
    for mut entry in entries {
        match Arc::get_mut(&mut entry) {
            Some(entry) => reducer::apply_taking(task, entry.event_mut()),
            None => reducer::apply(task, entry.event()),
        }
    }
}

fn timestamp(task: &Task) -> Timestamp {
    task.status
        .as_ref()
        .and_then(|status| status.timestamp)
        .unwrap_or_default()
}
