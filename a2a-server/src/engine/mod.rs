//! The task engine: one writer per live task, an append-only log, and cursors that read it.
//!
//! What always holds:
//!
//! - **One writer.** A task that something happens to has one [`actor`]. Events of the agent,
//!   later messages, cancellations and shutdown all reach it as messages, in one order.
//! - **Stored before seen.** The actor appends to the store first and publishes afterwards.
//! - **A subscriber is a cursor.** It holds a sequence number and reads on from there: recent
//!   entries from the [`tail`], older ones from the store. It cannot miss or repeat an event, and
//!   one that stops reading holds nobody up.
//! - **An end for every run.** When the agent returns, fails, panics or drops its last handle, the
//!   actor leaves the task in a state that is terminal or waits for the client.
//! - **Nothing stays.** An actor ends with its task, and when nobody listens to a task that waits
//!   for its client. Such a task is in the store alone until something happens to it again.

mod actor;
mod birth;
mod cancel;
mod cursor;
mod deadline;
mod erase;
mod head;
mod live;
mod mailbox;
mod rules;
mod run;
mod sends;
mod shared;
mod sizes;
mod steps;
mod tail;
mod thoughts;
mod threads;
mod time;
mod upkeep;
mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use a2a_types::store::{EventBus, Scope, StoreError, StoreErrorKind, StoredTask, TaskStore};
use a2a_types::{A2aError, Task, TaskState};
use tokio::sync::{Mutex, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::agent::{Answer, CancelRequest, DynAgent, Request};
use crate::limits::Limits;
use crate::shard;

pub(crate) use birth::{Start, Started};
pub(crate) use cursor::{Batch, Cursor};
pub(crate) use deadline::RunLimits;
pub(crate) use live::Lease;
use live::{Command, LiveMap, Waiting};
use sends::Sends;
use steps::Steps;
pub(crate) use threads::Threads;
pub(crate) use time::Calendar;
pub(crate) use webhooks::{Registration, Webhooks};

/// How many stripes the lock is split into that keeps two actors from opening one stored task.
const STRIPES: usize = 64;

/// The tasks of one server.
pub(crate) struct Engine {
    shared: Arc<Shared>,
}

/// What every actor needs.
pub(crate) struct Shared {
    pub(crate) agent: Arc<dyn DynAgent>,
    threads: Threads,
    steps: Arc<Steps>,
    pub(crate) store: Arc<dyn TaskStore>,
    pub(crate) webhooks: Option<Webhooks>,
    pub(crate) settings: Settings,
    live: LiveMap,
    opening: Vec<Mutex<()>>,
    sends: Arc<Sends>,
    tracker: TaskTracker,
    /// Joins this server with others over the same store.
    bus: Option<Arc<dyn EventBus>>,
    /// The streams end that no actor ends.
    ending: CancellationToken,
}

/// How the engine behaves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// How long an agent that watches for cancellation may take to put things in order.
    pub(crate) cancel_grace: Duration,
    /// How many messages may wait for a running task.
    pub(crate) waiting_messages: usize,
    pub(crate) while_running: WhileRunning,
    pub(crate) status_messages: StatusMessages,
    pub(crate) lost_runs: LostRuns,
    pub(crate) calendar: Calendar,
    pub(crate) run_limits: RunLimits,
    pub(crate) limits: Limits,
}

/// What happens to a message for a task that is being worked on (A2A §3.3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhileRunning {
    /// The run may ask for it; else it waits for its turn. The default.
    #[default]
    Wait,
    /// It is refused with `UnsupportedOperationError`, unless the agent waits for it.
    Refuse,
}

/// What the history keeps of the messages that an agent gives with the status WORKING.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatusMessages {
    /// Each of them. The default.
    #[default]
    Each,
    /// One message for those in a row, as if each had been sent
    /// [`folded`](crate::StatusUpdate::folded).
    Folded,
}

/// What happens to a task that an earlier process left SUBMITTED or WORKING.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostRuns {
    /// It becomes FAILED, and its status message says why. The default.
    #[default]
    Fail,
    /// The agent is handed the newest message of the task's user once more. It finds what it has
    /// done before in [`Request::task`], and has to bear that some of it is done twice: a process
    /// that the agent itself brings down does so again. The caller of the request is the owner of
    /// the task, without scopes, headers or metadata, for those are not stored.
    RunAgain,
}

/// Where a task is.
pub(crate) enum Found {
    /// It is not terminal: this lease keeps its actor.
    Live(Lease),
    /// It is terminal: only the store has it.
    Settled(StoredTask),
}

/// What became of a message for a task that exists.
pub(crate) struct Accepted {
    /// The sequence after which the answer to the message follows.
    pub(crate) after: u64,
    /// The turn that answers it.
    pub(crate) turn: u64,
    /// The task with the message in its history, when it was asked for.
    pub(crate) snapshot: Option<Arc<Task>>,
}

/// Whether the sender of a message wants the task as it is when the message is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Snapshot {
    Wanted,
    Unwanted,
}

impl Engine {
    pub(crate) fn new(
        agent: Arc<dyn DynAgent>,
        threads: Threads,
        store: Arc<dyn TaskStore>,
        webhooks: Option<Webhooks>,
        bus: Option<Arc<dyn EventBus>>,
        settings: Settings,
    ) -> Self {
        let live = LiveMap::default();
        let steps = Arc::<Steps>::default();
        let taken = Arc::clone(&steps);
        threads.when_blocked(move |runtime| taken.look(runtime));
        let shared = Shared {
            agent,
            threads,
            steps,
            store,
            webhooks,
            settings,
            live,
            opening: (0..STRIPES).map(|_| Mutex::new(())).collect(),
            sends: Arc::default(),
            tracker: TaskTracker::new(),
            bus,
            ending: CancellationToken::new(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    pub(crate) fn store(&self) -> &Arc<dyn TaskStore> {
        &self.shared.store
    }

    /// Asks the agent how it will answer.
    pub(crate) async fn admit(&self, request: &Request) -> Result<Answer, A2aError> {
        self.shared.agent.admit(request).await
    }

    /// Begins something new. Returns as soon as there is a task or an answer; what was begun goes
    /// on without the caller.
    pub(crate) async fn start(
        &self,
        answer: Answer,
        start: Box<Start>,
    ) -> Result<Started, A2aError> {
        self.shared.refuse_when_closing()?;
        let (sender, receiver) = oneshot::channel();
        birth::begin(Arc::clone(&self.shared), answer, start, sender).await;
        receiver
            .await
            .map_err(|_| A2aError::internal("the task's actor is gone"))?
    }

    pub(crate) fn calendar(&self) -> Calendar {
        self.shared.settings.calendar
    }

    /// Hands a later message to the task. Returns once the message is part of the task.
    pub(crate) async fn message(
        &self,
        lease: &Lease,
        request: Request,
        webhook: Option<Box<Registration>>,
        snapshot: Snapshot,
    ) -> Result<Accepted, A2aError> {
        self.shared.refuse_when_closing()?;
        let (reply, answer) = oneshot::channel();
        let message = Waiting {
            request,
            webhook,
            snapshot,
            reply,
        };
        lease.command(Command::Message(message))?;
        answer.await.map_err(|_| lease.gone())?
    }

    /// Cancels the task. Returns when it has ended one way or the other.
    pub(crate) async fn cancel(
        &self,
        lease: &Lease,
        request: CancelRequest,
    ) -> Result<(), A2aError> {
        let (reply, answer) = oneshot::channel();
        if lease.command(Command::Cancel { request, reply }).is_ok()
            && let Ok(outcome) = answer.await
        {
            return outcome;
        }
        let state = lease.state();
        if state.is_terminal() {
            return Err(A2aError::task_not_cancelable(
                lease.id(),
                state.as_str_name(),
            ));
        }
        Err(lease.gone())
    }

    /// Lets the task know that its webhooks have changed. Returns when no event goes by the old
    /// ones any more.
    pub(crate) async fn webhooks_changed(&self, lease: &Lease) {
        let (done, changed) = oneshot::channel();
        // A task that has ended notifies nobody any more.
        if lease.command(Command::Webhooks(done)).is_ok() {
            let _ = changed.await;
        }
    }

    /// Ends all tasks: those that run may go on for `grace`, then they are failed. Streams of
    /// tasks that wait for their client are closed at once.
    pub(crate) async fn shutdown(&self, grace: Duration) {
        self.shared.tracker.close();
        self.shared.live.tell(|| Command::Drain);
        let drained = tokio::time::timeout(grace, self.shared.tracker.wait()).await;
        if drained.is_err() {
            self.shared.live.tell(|| Command::Stop);
            let _ = tokio::time::timeout(grace, self.shared.tracker.wait()).await;
        }
        self.shared.ending.cancel();
    }

    /// How many tasks have an actor now.
    pub(crate) fn live_tasks(&self) -> usize {
        self.shared.live.len()
    }
}

impl Shared {
    /// Finds the task, in memory or in the store.
    async fn look(self: &Arc<Self>, scope: &Scope, id: &str) -> Result<Found, A2aError> {
        self.find(scope, id, LostRuns::Fail).await
    }

    /// `lost` says what to do about a task that is found at work without a run.
    async fn find(
        self: &Arc<Self>,
        scope: &Scope,
        id: &str,
        lost: LostRuns,
    ) -> Result<Found, A2aError> {
        let not_found = || A2aError::task_not_found(id);
        if let Some(lease) = self.live.lease(id) {
            return lease
                .visible_to(scope)
                .then_some(Found::Live(lease))
                .ok_or_else(not_found);
        }
        let _opening = match self.opening.get(shard::of(id, STRIPES)) {
            Some(stripe) => Some(stripe.lock().await),
            None => None,
        };
        if let Some(lease) = self.live.lease(id) {
            return lease
                .visible_to(scope)
                .then_some(Found::Live(lease))
                .ok_or_else(not_found);
        }
        let load = async || self.store.load(scope, id).await.map_err(store_error);
        let mut stored = load().await?.ok_or_else(not_found)?;
        if stored.task.state().is_terminal() {
            return Ok(Found::Settled(stored));
        }
        self.refuse_when_closing()?;
        let claim = self.claim(id).await?;
        if claim.is_some() {
            // Until now others may have written it.
            stored = load().await?.ok_or_else(not_found)?;
            if stored.task.state().is_terminal() {
                return Ok(Found::Settled(stored));
            }
        }
        Ok(Found::Live(actor::open(self, stored, lost, claim)))
    }

    fn refuse_when_closing(&self) -> Result<(), A2aError> {
        if self.tracker.is_closed() {
            return Err(A2aError::unavailable(None));
        }
        Ok(())
    }
}

/// What the caller is told when the store fails: never why.
pub(crate) fn store_error(error: StoreError) -> A2aError {
    match error.kind() {
        StoreErrorKind::Unavailable => A2aError::unavailable(None).with_source(error),
        _ => A2aError::internal(error),
    }
}

/// A message for a task that ended meanwhile.
fn ended(task_id: &str) -> A2aError {
    A2aError::unsupported_operation(format!(
        "task {task_id} has ended and takes no more messages"
    ))
    .with_metadata("taskId", task_id)
}

/// Whether a blocking send answers in this state (A2A §3.2.2).
pub(crate) fn is_settled(state: TaskState) -> bool {
    state.is_terminal() || state.is_interrupted()
}
