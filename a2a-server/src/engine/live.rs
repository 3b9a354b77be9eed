use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::store::{Owner, Scope};
use a2a_types::{A2aError, TaskState};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use super::tail::Tail;
use super::{Accepted, CommandSender, Registration, Snapshot, ended, is_settled};
use crate::agent::{CancelRequest, Request};

/// How many commands may wait for an actor.
const COMMANDS: usize = 64;

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
    pub(super) webhook: Option<Registration>,
    pub(super) snapshot: Snapshot,
    pub(super) reply: oneshot::Sender<Result<Accepted, A2aError>>,
}

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

/// What an actor and the readers of its task share.
pub(super) struct Live {
    pub(super) id: String,
    pub(super) context_id: String,
    pub(super) owner: Owner,
    pub(super) commands: CommandSender,
    pub(super) head: watch::Sender<Head>,
    pub(super) tail: Tail,
    /// Told when a lease ends.
    pub(super) released: Arc<Notify>,
}

impl Live {
    pub(super) fn new(
        id: String,
        context_id: String,
        owner: Owner,
        head: Head,
    ) -> (Arc<Self>, mpsc::Receiver<Box<Command>>) {
        let (commands, receiver) = mpsc::channel(COMMANDS);
        let head = watch::Sender::new(head);
        let (tail, released) = (Tail::default(), Arc::new(Notify::new()));
        let live = Self {
            id,
            context_id,
            owner,
            commands,
            head,
            tail,
            released,
        };
        (Arc::new(live), receiver)
    }
}

/// Keeps a live task's actor as long as it is held.
#[derive(Clone)]
pub(crate) struct Lease(
    pub(super) Arc<Live>,
    #[expect(dead_code, reason = "dropped last")] Release,
);

/// Tells the actor that a lease has ended; dropped after the lease's hold on the task.
#[derive(Clone)]
struct Release(Arc<Notify>);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Lease {
    pub(super) fn new(live: &Arc<Live>) -> Self {
        Self(Arc::clone(live), Release(Arc::clone(&live.released)))
    }

    pub(crate) fn id(&self) -> &str {
        &self.0.id
    }

    pub(crate) fn context_id(&self) -> &str {
        &self.0.context_id
    }

    pub(crate) fn state(&self) -> TaskState {
        self.0.head.borrow().state
    }

    pub(crate) fn visible_to(&self, scope: &Scope) -> bool {
        scope.covers(&self.0.owner)
    }

    pub(super) async fn command(&self, command: Command) -> Result<(), A2aError> {
        self.0
            .commands
            .send(Box::new(command))
            .await
            .map_err(|_| ended(self.id()))
    }

    /// The place and the turn that [`settled`](Self::settled) waits for on behalf of somebody who
    /// joins in: none when the task is terminal or waits for its client, else those of the turn at
    /// work.
    pub(crate) fn awaited(&self) -> (u64, u64) {
        let head = self.0.head.borrow();
        if is_settled(head.state) {
            (0, 0)
        } else {
            (head.sequence, head.turns + 1)
        }
    }

    /// Waits until the answer to the turn is there: an event after `after` that is terminal or
    /// interrupted, or the end of the turn.
    pub(crate) async fn settled(&self, after: u64, turn: u64) -> Result<(), A2aError> {
        let mut head = self.0.head.subscribe();
        let head = head
            .wait_for(|head| head.settled > after || head.turns >= turn || head.closed)
            .await
            .map_err(|_| A2aError::internal("the task's actor is gone"))?;
        match &head.failure {
            Some(failure) if head.settled <= after && head.turns < turn => Err(failure.clone()),
            _ => Ok(()),
        }
    }
}

/// The tasks that have an actor.
pub(super) struct LiveMap {
    shards: Vec<Mutex<HashMap<String, Arc<Live>>>>,
    hasher: RandomState,
}

impl Default for LiveMap {
    fn default() -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self {
            shards,
            hasher: RandomState::new(),
        }
    }
}

impl LiveMap {
    pub(super) fn lease(&self, id: &str) -> Option<Lease> {
        self.shard(id)?.get(id).map(Lease::new)
    }

    pub(super) fn insert(&self, live: &Arc<Live>) {
        if let Some(mut shard) = self.shard(&live.id) {
            shard.insert(live.id.clone(), Arc::clone(live));
        }
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

    /// Removes the task unless somebody holds a lease on it. The caller and the map each hold the
    /// task once; leases are only given out under the same lock.
    pub(super) fn remove_unused(&self, live: &Arc<Live>) -> bool {
        let Some(mut shard) = self.shard(&live.id) else {
            return true;
        };
        if Arc::strong_count(live) > 2 {
            return false;
        }
        shard.remove(&live.id);
        true
    }

    pub(super) fn senders(&self) -> Vec<CommandSender> {
        let all = self
            .shards
            .iter()
            .map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner));
        all.flat_map(|shard| {
            shard
                .values()
                .map(|live| live.commands.clone())
                .collect::<Vec<_>>()
        })
        .collect()
    }

    pub(super) fn len(&self) -> usize {
        let all = self.shards.iter();
        all.map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).len())
            .sum()
    }

    fn shard(&self, id: &str) -> Option<MutexGuard<'_, HashMap<String, Arc<Live>>>> {
        let index = usize::try_from(self.hasher.hash_one(id) % SHARDS as u64).unwrap_or_default();
        let shard = self.shards.get(index)?;
        Some(shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub(super) fn hash(id: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    usize::try_from(hasher.finish() & u64::from(u32::MAX)).unwrap_or_default()
}
