use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::store::{LogEntry, Owner, Replay, Scope};
use a2a_types::{A2aError, TaskState};
use foldhash::quality::RandomState;
use tokio::sync::oneshot;

use super::head::{Head, Watched};
use super::mailbox::Mailbox;
use super::tail::Tail;
use super::{Accepted, Registration, Snapshot, ended, is_settled};
use crate::agent::{CancelRequest, Request};
use crate::shard;

/// How many parts the map of live tasks is split into, so that calls do not wait for each other.
const SHARDS: usize = 32;

/// What an actor can be told.
pub(super) enum Command {
    /// A later message of the task.
    Message(Waiting),
    /// The client wants the task to end.
    Cancel {
        request: CancelRequest,
        reply: oneshot::Sender<Result<(), A2aError>>,
    },
    /// The webhooks of the task have changed; the answer says that the change is in force.
    Webhooks(oneshot::Sender<()>),
    /// The server stops: end unless something runs.
    Drain,
    /// The server stops: end now.
    Stop,
}

/// A message that is not part of the task yet.
pub(super) struct Waiting {
    pub(super) request: Request,
    /// A webhook that came along, and whose it is.
    pub(super) webhook: Option<Box<Registration>>,
    pub(super) snapshot: Snapshot,
    pub(super) reply: oneshot::Sender<Result<Accepted, A2aError>>,
}

/// What an actor and the readers of its task share.
pub(super) struct Live {
    pub(super) id: Arc<str>,
    pub(super) context_id: Arc<str>,
    pub(super) owner: Owner,
    pub(super) mailbox: Mailbox,
    pub(super) head: Watched,
    pub(super) tail: Tail,
    /// How many leases there are. Grows only under the lock of the task's place on the map.
    leases: AtomicUsize,
    /// How many cursors there are. Without one nobody needs the tail.
    readers: AtomicUsize,
    /// [`NOBODY`], [`FOLLOWED`] or [`TOO_LATE`].
    followers: AtomicU8,
}

/// Nobody has followed the task so far.
const NOBODY: u8 = 0;

/// Somebody follows the task or has followed it, or may have: its log is kept.
const FOLLOWED: u8 = 1;

/// The task ends, and its log with it: whoever comes now comes after the end.
const TOO_LATE: u8 = 2;

impl Live {
    pub(super) fn new(id: Arc<str>, context_id: Arc<str>, owner: Owner, head: Head) -> Arc<Self> {
        Arc::new(Self {
            id,
            context_id,
            owner,
            mailbox: Mailbox::new(),
            head: Watched::new(head),
            tail: Tail::default(),
            leases: AtomicUsize::new(0),
            readers: AtomicUsize::new(0),
            followers: AtomicU8::new(NOBODY),
        })
    }
}

impl Live {
    /// From now on somebody may know a place in the log. Not if the task is about to end without
    /// a log: then there is nothing to follow.
    pub(super) fn follow(&self) -> bool {
        self.settle_followers(FOLLOWED) == FOLLOWED
    }

    /// Whether the log is needed beyond the end of the task, which is about to be stored.
    pub(super) fn replay(&self) -> Replay {
        match self.settle_followers(TOO_LATE) {
            TOO_LATE => Replay::Impossible,
            _ => Replay::Possible,
        }
    }

    /// What it is settled to: the first one decides.
    fn settle_followers(&self, to: u8) -> u8 {
        let (seen, on) = (Ordering::Acquire, Ordering::AcqRel);
        let settled = self.followers.compare_exchange(NOBODY, to, on, seen);
        settled.map_or_else(|before| before, |_| to)
    }

    /// Whether somebody reads the log now.
    pub(super) fn is_read(&self) -> bool {
        self.readers.load(Ordering::Acquire) > 0
    }

    /// Shows entries that have been stored to whoever reads on from the newest.
    pub(super) fn show(&self, entries: &[Arc<LogEntry>]) {
        match self.readers.load(Ordering::Acquire) {
            0 => self.tail.clear(),
            _ => self
                .tail
                .extend(entries.iter().filter(|entry| entry.is_visible()).cloned()),
        }
    }
}

/// A lease of somebody who reads the task's log.
pub(super) struct Reader(pub(super) Lease);

impl Reader {
    /// The lease of somebody who [follows](Lease::follow) the task.
    pub(super) fn new(lease: Lease) -> Self {
        lease.0.readers.fetch_add(1, Ordering::AcqRel);
        Self(lease)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.0.readers.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Keeps a live task's actor as long as it is held.
pub(crate) struct Lease(pub(super) Arc<Live>);

impl Drop for Lease {
    fn drop(&mut self) {
        if self.0.leases.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.mailbox.nudge();
        }
    }
}

impl Lease {
    /// Only for a task that is not on the map yet, or under the lock of its place there.
    fn new(live: &Arc<Live>) -> Self {
        live.leases.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(live))
    }

    pub(crate) fn id(&self) -> &str {
        &self.0.id
    }

    /// Has the log kept for whoever is going to read it. Otherwise the task has ended, or is just
    /// about to: then this waits until that has been stored.
    pub(crate) async fn follow(&self) -> bool {
        let followed = self.0.follow();
        if !followed {
            self.closed().await;
        }
        followed
    }

    pub(crate) fn context_id(&self) -> &str {
        &self.0.context_id
    }

    pub(crate) fn state(&self) -> TaskState {
        self.0.head.read(|head| head.state)
    }

    /// Whether nothing happens to the task any more, as far as this actor goes.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.head.read(|head| head.closed)
    }

    pub(crate) fn visible_to(&self, scope: &Scope) -> bool {
        scope.covers(&self.0.owner)
    }

    pub(super) fn command(&self, command: Command) -> Result<(), A2aError> {
        self.0.mailbox.send(command).map_err(|_| self.gone())
    }

    /// Why the task's actor takes no commands any more.
    pub(super) fn gone(&self) -> A2aError {
        self.0.head.read(|head| match &head.failure {
            _ if head.state.is_terminal() => ended(self.id()),
            Some(failure) => failure.clone(),
            // It can be tried again: the task itself goes on.
            None => A2aError::unavailable(None),
        })
    }

    /// The place and the turn that [`settled`](Self::settled) waits for on behalf of somebody who
    /// joins in: none when the task is terminal or waits for its client, else those of the turn at
    /// work.
    pub(crate) fn awaited(&self) -> (u64, u64) {
        self.0.head.read(|head| {
            if is_settled(head.state) {
                (0, 0)
            } else {
                (head.sequence, head.turns + 1)
            }
        })
    }

    /// Waits until nothing happens to the task any more, as far as this actor goes.
    pub(super) async fn closed(&self) {
        self.0.head.wait(|head| head.closed.then_some(())).await;
    }

    /// Waits until the answer to the turn is there: an event after `after` that is terminal or
    /// interrupted, or the end of the turn.
    pub(crate) async fn settled(&self, after: u64, turn: u64) -> Result<(), A2aError> {
        let answer = self.0.head.wait(|head| {
            if head.settled > after || head.turns >= turn {
                return Some(Ok(()));
            }
            head.closed
                .then(|| head.failure.clone().map_or(Ok(()), Err))
        });
        answer.await
    }
}

type Shard = HashMap<Arc<str>, Arc<Live>, RandomState>;

/// The tasks that have an actor.
pub(super) struct LiveMap {
    shards: Vec<Mutex<Shard>>,
}

impl Default for LiveMap {
    fn default() -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards }
    }
}

impl LiveMap {
    pub(super) fn lease(&self, id: &str) -> Option<Lease> {
        self.shard(id)?.get(id).map(Lease::new)
    }

    /// Puts the task on the map, with a first lease on it.
    pub(super) fn insert(&self, live: &Arc<Live>) -> Lease {
        let lease = Lease::new(live);
        if let Some(mut shard) = self.shard(&live.id) {
            shard.insert(Arc::clone(&live.id), Arc::clone(live));
        }
        lease
    }

    /// Removes this very value; a newer one of the same task stays.
    pub(super) fn remove(&self, live: &Arc<Live>) {
        if let Some(mut shard) = self.shard(&live.id)
            && shard
                .get(&live.id)
                .is_some_and(|found| Arc::ptr_eq(found, live))
        {
            shard.remove(&live.id);
        }
    }

    /// Removes the task unless somebody holds a lease on it.
    pub(super) fn remove_unused(&self, live: &Arc<Live>) -> bool {
        let Some(mut shard) = self.shard(&live.id) else {
            return true;
        };
        if live.leases.load(Ordering::Acquire) > 0 {
            return false;
        }
        shard.remove(&live.id);
        true
    }

    /// The live tasks of an owner.
    pub(super) fn of_owner(&self, owner: &Owner) -> Vec<Lease> {
        let mut leases = Vec::new();
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            let own = shard.values().filter(|live| live.owner == *owner);
            leases.extend(own.map(Lease::new));
        }
        leases
    }

    /// Tells all actors.
    pub(super) fn tell(&self, command: impl Fn() -> Command) {
        for shard in &self.shards {
            for live in shard
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .values()
            {
                // An actor that takes no more commands is ending already.
                let _ = live.mailbox.send(command());
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        let all = self.shards.iter();
        all.map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len())
            .sum()
    }

    fn shard(&self, id: &str) -> Option<MutexGuard<'_, Shard>> {
        let shard = self.shards.get(shard::of(id, SHARDS))?;
        Some(shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
