use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use a2a_types::Timestamp;
use a2a_types::store::{
    Cursor, IdempotencyKey, ListQuery, LogEntry, Owner, Scope, ScopeKind, StoreError,
};
use foldhash::quality::RandomState;

use super::id::Id;
use super::table::{Hash, TOGETHER, Table};

/// The place of a task in lists: the timestamp of its status and its id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) timestamp: Timestamp,
    pub(super) id: Id,
}

impl Place {
    pub(super) fn new(timestamp: Timestamp, id: Id) -> Self {
        Self { timestamp, id }
    }

    /// The place that a cursor names.
    pub(super) fn of(cursor: &Cursor) -> Self {
        Self::new(cursor.timestamp, Id::of(&cursor.id))
    }

    /// Before all places of this timestamp.
    fn first(timestamp: Timestamp) -> Self {
        Self::new(timestamp, Id::of(""))
    }
}

/// The order in which tasks are listed, per owner, and what finds a repeated send.
#[derive(Default)]
pub(super) struct Index {
    owners: HashMap<Owner, Lists, RandomState>,
    /// Terminal tasks, oldest first. Some may be gone.
    ended: VecDeque<Place>,
    logs: EndedLogs,
}

/// The log of an ended task.
struct EndedLog {
    id: Id,
    entries: Vec<Arc<LogEntry>>,
}

/// The logs of ended tasks that are still there, oldest first.
#[derive(Default)]
struct EndedLogs {
    logs: VecDeque<EndedLog>,
    entries: usize,
}

/// How many logs of ended tasks are kept for readers that come late.
const KEPT_LOGS: usize = 256;

/// How many entries they may have together; the newest log may have more.
const KEPT_ENTRIES: usize = 100_000;

#[derive(Default)]
struct Lists {
    all: BTreeSet<Place>,
    /// Tasks that are not among the conversations yet: they go there together, as the slots of a
    /// [`Table`] do.
    recent: Vec<Recent>,
    /// Conversations by their ids.
    contexts: Table<Places>,
    hasher: RandomState,
    sent: HashMap<String, Vec<Sent>, RandomState>,
}

struct Recent {
    context: Id,
    place: Place,
}

/// The tasks of a conversation. Most have one.
enum Places {
    One(Place),
    Many(BTreeSet<Place>),
}

/// A send that can be recognized.
struct Sent {
    digest: [u8; 32],
    expires: Timestamp,
    task: Id,
}

/// Candidates for a page.
pub(super) struct Candidates {
    pub(super) newest_first: Vec<Place>,
    /// How many there are before paging.
    pub(super) total: usize,
}

impl Index {
    pub(super) fn insert(
        &mut self,
        owner: &Owner,
        context: &str,
        place: Place,
    ) -> Result<(), StoreError> {
        match self.owners.get_mut(owner) {
            Some(lists) => lists.insert(context, place),
            None => self
                .owners
                .entry(owner.clone())
                .or_default()
                .insert(context, place),
        }
    }

    /// The status of a task has a new timestamp.
    pub(super) fn shift(&mut self, owner: &Owner, context: &str, old: &Place, new: Place) {
        if let Some(lists) = self.owners.get_mut(owner) {
            lists.shift(context, old, new);
        }
    }

    /// The task at this place has ended.
    pub(super) fn end(&mut self, place: Place) {
        // Tasks end in the order of their timestamps, or nearly so.
        let later = self
            .ended
            .iter()
            .rev()
            .take_while(|at| **at > place)
            .count();
        self.ended.insert(self.ended.len() - later, place);
    }

    /// Keeps the log of a task that has ended. Returns those that have had their time, for the
    /// caller to drop when nobody waits for the index.
    pub(super) fn keep_log(&mut self, id: &Id, log: Vec<Arc<LogEntry>>) -> Vec<Vec<Arc<LogEntry>>> {
        let EndedLogs { logs, entries } = &mut self.logs;
        *entries += log.len();
        logs.push_back(EndedLog {
            id: id.clone(),
            entries: log,
        });
        let mut over = Vec::new();
        while logs.len() > KEPT_LOGS || (*entries > KEPT_ENTRIES && logs.len() > 1) {
            let Some(log) = logs.pop_front() else { break };
            *entries -= log.entries.len();
            over.push(log.entries);
        }
        over
    }

    /// Up to `limit` entries of an ended task's log from the one at `skip` on.
    pub(super) fn kept_log(
        &self,
        id: &Id,
        skip: usize,
        limit: usize,
    ) -> Option<Vec<Arc<LogEntry>>> {
        // Somebody who asks has just lost a connection: the log is one of the newest.
        let log = self.logs.logs.iter().rfind(|log| log.id == *id)?;
        let entries = log.entries.get(skip..)?;
        Some(entries.iter().take(limit).cloned().collect())
    }

    /// Forgets a task, and the send by the given message id that made it.
    pub(super) fn remove(
        &mut self,
        owner: &Owner,
        context: &str,
        place: &Place,
        sent: Option<&str>,
    ) {
        let Some(lists) = self.owners.get_mut(owner) else {
            return;
        };
        lists.take(context, place);
        if let Some(message_id) = sent
            && let Some(sends) = lists.sent.get_mut(message_id)
        {
            sends.retain(|sent| sent.task != place.id);
            if sends.is_empty() {
                lists.sent.remove(message_id);
            }
        }
        if lists.all.is_empty() {
            self.owners.remove(owner);
        }
    }

    /// The task that an earlier send of the same message made.
    pub(super) fn resent(&self, owner: &Owner, key: &IdempotencyKey) -> Option<String> {
        let sends = self.owners.get(owner)?.sent.get(&key.message_id)?;
        let same = |sent: &&Sent| sent.digest == key.digest && sent.expires > key.now;
        sends.iter().find(same).map(|sent| sent.task.to_string())
    }

    pub(super) fn remember(&mut self, owner: &Owner, key: IdempotencyKey, task: &Id) {
        let lists = self.owners.entry(owner.clone()).or_default();
        let sends = lists.sent.entry(key.message_id).or_default();
        sends.retain(|sent| sent.expires > key.now);
        sends.push(Sent {
            digest: key.digest,
            expires: key.expires,
            task: task.clone(),
        });
    }

    /// The places of a page, and one more where there is one. A filter by state is for the caller
    /// to apply, who then gets all places and pages by himself.
    pub(super) fn places(
        &mut self,
        scope: &Scope,
        query: &ListQuery,
    ) -> Result<Candidates, StoreError> {
        let mut lists: Vec<&mut Lists> = Vec::new();
        match scope.kind() {
            ScopeKind::Owner(owner) => lists.extend(self.owners.get_mut(owner)),
            ScopeKind::Tenant(tenant) => {
                lists.extend(
                    self.owners
                        .iter_mut()
                        .filter(|(o, _)| o.tenant() == tenant)
                        .map(|o| o.1),
                );
            }
            ScopeKind::System => lists.extend(self.owners.values_mut()),
        }
        if query.context_id.is_some() {
            lists.iter_mut().try_for_each(|lists| lists.settle())?;
        }
        let (before, limit) = match query.status {
            Some(_) => (None, usize::MAX),
            None => (
                query.after.as_ref().map(Place::of),
                query.page_size.saturating_add(1),
            ),
        };
        let total = lists.iter().map(|lists| lists.count(query)).sum();
        let mut newest_first = Vec::new();
        for lists in &lists {
            newest_first.extend(lists.page(query, before.as_ref()).take(limit).cloned());
        }
        if lists.len() > 1 {
            newest_first.sort_unstable_by(|a, b| b.cmp(a));
            newest_first.truncate(limit);
        }
        Ok(Candidates {
            newest_first,
            total,
        })
    }

    /// Takes up to `limit` terminal tasks with a status older than `before`. Some may be gone.
    pub(super) fn take_ended(&mut self, before: Timestamp, limit: usize) -> Vec<Place> {
        let due = self.ended.partition_point(|at| at.timestamp < before);
        self.ended.drain(..due.min(limit)).collect()
    }

    pub(super) fn of_owner(&self, owner: &Owner) -> Vec<Place> {
        self.owners
            .get(owner)
            .into_iter()
            .flat_map(|lists| lists.all.iter().cloned())
            .collect()
    }
}

impl Lists {
    fn insert(&mut self, context: &str, place: Place) -> Result<(), StoreError> {
        if self.recent.len() >= TOGETHER {
            self.settle()?;
        }
        self.recent.push(Recent {
            context: Id::of(context),
            place: place.clone(),
        });
        self.all.insert(place);
        Ok(())
    }

    fn context(&self, id: &str) -> (Id, Hash) {
        let id = Id::of(id);
        let hash = Hash::of(&id, &self.hasher);
        (id, hash)
    }

    /// Puts every task into its conversation.
    fn settle(&mut self) -> Result<(), StoreError> {
        while let Some(Recent { context, place }) = self.recent.pop() {
            let hash = Hash::of(&context, &self.hasher);
            match self.contexts.get_mut(hash, &context) {
                Some(places) => places.insert(place),
                None => self.contexts.insert(hash, context, Places::One(place))?,
            }
        }
        Ok(())
    }

    /// Moves a task to another place.
    fn shift(&mut self, context: &str, old: &Place, new: Place) {
        self.all.remove(old);
        if let Some(recent) = self.recent.iter_mut().rfind(|recent| recent.place == *old) {
            recent.place.clone_from(&new);
        } else {
            let (id, hash) = self.context(context);
            match self.contexts.get_mut(hash, &id) {
                Some(Places::One(only)) => only.clone_from(&new),
                Some(Places::Many(places)) => {
                    places.remove(old);
                    places.insert(new.clone());
                }
                None => {}
            }
        }
        self.all.insert(new);
    }

    fn take(&mut self, context: &str, place: &Place) {
        self.all.remove(place);
        let recent = self
            .recent
            .iter()
            .rposition(|recent| recent.place == *place);
        if let Some(at) = recent {
            self.recent.swap_remove(at);
            return;
        }
        let (id, hash) = self.context(context);
        self.contexts
            .remove_if(hash, &id, |places| places.remove(place) == 0);
    }

    fn places(&self, context: &str) -> Option<&Places> {
        let (id, hash) = self.context(context);
        self.contexts.get(hash, &id)
    }

    fn count(&self, query: &ListQuery) -> usize {
        match (&query.context_id, query.updated_since) {
            (None, None) => self.all.len(),
            _ => self.page(query, None).count(),
        }
    }

    /// What the query asks for from `before` on, newest first.
    fn page<'a>(
        &'a self,
        query: &ListQuery,
        before: Option<&Place>,
    ) -> Box<dyn Iterator<Item = &'a Place> + 'a> {
        let oldest = Timestamp {
            seconds: i64::MIN,
            nanos: 0,
        };
        let timestamp = query.updated_since.unwrap_or(oldest);
        let start = Place::first(timestamp);
        let end = match before {
            Some(before) if *before <= start => return Box::new(std::iter::empty()),
            Some(before) => Bound::Excluded(before.clone()),
            None => Bound::Unbounded,
        };
        let range = (Bound::Included(start), end);
        match &query.context_id {
            None => Box::new(self.all.range(range).rev()),
            Some(context) => match self.places(context) {
                None => Box::new(std::iter::empty()),
                Some(Places::One(place)) => {
                    Box::new(range.contains(place).then_some(place).into_iter())
                }
                Some(Places::Many(places)) => Box::new(places.range(range).rev()),
            },
        }
    }
}

impl Places {
    fn insert(&mut self, place: Place) {
        match self {
            Self::One(known) => {
                let known = known.clone();
                *self = Self::Many(BTreeSet::from([known, place]));
            }
            Self::Many(places) => {
                places.insert(place);
            }
        }
    }

    /// Returns how many are left.
    fn remove(&mut self, place: &Place) -> usize {
        match self {
            Self::One(known) => usize::from(known != place),
            Self::Many(places) => {
                places.remove(place);
                places.len()
            }
        }
    }
}
