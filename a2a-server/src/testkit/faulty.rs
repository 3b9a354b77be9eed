use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use a2a_types::store::{
    Append, Created, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner, Scope, StoreError,
    StoreErrorKind, StoreProperties, StoredTask, TaskPage, TaskStore,
};
use a2a_types::{Task, Timestamp};
use async_trait::async_trait;
use tokio::sync::watch;

/// A task store that fails or waits when a test says so, and otherwise does what the store inside
/// does. Clones are the same store.
///
/// A call that fails has not reached the store inside.
///
/// ```
/// # use std::sync::Arc;
/// # use a2a_server::MemoryTaskStore;
/// # use a2a_server::testkit::{FaultyStore, StoreCall};
/// # use a2a_types::store::StoreErrorKind;
/// let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
/// store.fail_nth(StoreCall::Append, 3, StoreErrorKind::Internal);
/// ```
#[derive(Clone)]
pub struct FaultyStore {
    inner: Arc<dyn TaskStore>,
    properties: StoreProperties,
    plan: Arc<Mutex<Plan>>,
}

/// A method of [`TaskStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreCall {
    /// [`TaskStore::create`]
    Create,
    /// [`TaskStore::resent`]
    Resent,
    /// [`TaskStore::append`]
    Append,
    /// [`TaskStore::load`]
    Load,
    /// [`TaskStore::list`]
    List,
    /// [`TaskStore::events`]
    Events,
    /// [`TaskStore::expire`]
    Expire,
    /// [`TaskStore::delete_owner`]
    DeleteOwner,
}

/// Holds calls back until it is dropped; see [`FaultyStore::hold`].
#[derive(Debug)]
#[must_use = "a gate that is dropped is open"]
pub struct Gate {
    _open_on_drop: watch::Sender<()>,
    arrived: watch::Receiver<usize>,
}

#[derive(Default)]
struct Plan {
    outage: Option<StoreErrorKind>,
    failures: Vec<Failure>,
    delays: Vec<(StoreCall, Duration)>,
    gates: Vec<Held>,
}

struct Failure {
    call: StoreCall,
    /// How many calls succeed before.
    spared: usize,
    kind: StoreErrorKind,
}

#[derive(Clone)]
struct Held {
    call: StoreCall,
    /// Closed when the gate opens.
    closed: watch::Receiver<()>,
    /// How many calls have come.
    count: watch::Sender<usize>,
}

impl FaultyStore {
    /// What every failure gives as its cause. It belongs into the log, and into no answer.
    pub const CAUSE: &str = "a failure on purpose at sql://user:password@store.example/tasks";

    /// A store without any fault yet.
    pub fn new(inner: Arc<dyn TaskStore>) -> Self {
        Self {
            properties: inner.properties(),
            inner,
            plan: Arc::default(),
        }
    }

    /// Promises something else about the data than the store inside: for tests of servers that
    /// start again on a store that never went away.
    #[must_use]
    pub fn with_properties(self, properties: StoreProperties) -> Self {
        Self { properties, ..self }
    }

    /// Lets the next call of this method fail: with [`Conflict`](StoreErrorKind::Conflict) as if
    /// another server had written to the task, for example.
    pub fn fail_next(&self, call: StoreCall, kind: StoreErrorKind) {
        self.fail_nth(call, 1, kind);
    }

    /// Lets the `n`-th call of this method fail, counted from 1 and from now on.
    pub fn fail_nth(&self, call: StoreCall, n: usize, kind: StoreErrorKind) {
        let spared = n.saturating_sub(1);
        self.plan().failures.push(Failure { call, spared, kind });
    }

    /// Lets every call fail until [`restore`](Self::restore).
    pub fn fail_until_restored(&self, kind: StoreErrorKind) {
        self.plan().outage = Some(kind);
    }

    /// Makes every call of this method take so long, by the runtime's clock, until
    /// [`restore`](Self::restore).
    pub fn delay(&self, call: StoreCall, time: Duration) {
        self.plan().delays.push((call, time));
    }

    /// Ends what [`fail_until_restored`](Self::fail_until_restored) began; failures that are
    /// planned for single calls are still to come.
    pub fn end_outage(&self) {
        self.plan().outage = None;
    }

    /// Ends all failures and delays; gates stay.
    pub fn restore(&self) {
        let mut plan = self.plan();
        plan.delays.clear();
        plan.outage = None;
        plan.failures.clear();
    }

    /// Makes calls of this method wait until the gate is dropped. A failure that is planned for a
    /// call comes when it goes on.
    pub fn hold(&self, call: StoreCall) -> Gate {
        let (open_on_drop, closed) = watch::channel(());
        let (count, arrived) = watch::channel(0);
        self.plan().gates.push(Held {
            call,
            closed,
            count,
        });
        Gate {
            _open_on_drop: open_on_drop,
            arrived,
        }
    }

    async fn enter(&self, call: StoreCall) -> Result<(), StoreError> {
        let (delay, gates): (Duration, Vec<Held>) = {
            let mut plan = self.plan();
            let delays = plan.delays.iter().filter(|(delayed, _)| *delayed == call);
            let delay = delays.map(|(_, time)| *time).sum();
            plan.gates.retain(|gate| gate.closed.has_changed().is_ok());
            let fits = plan.gates.iter().filter(|gate| gate.call == call);
            (delay, fits.cloned().collect())
        };
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        for mut gate in gates {
            gate.count.send_modify(|count| *count += 1);
            // Nothing is ever sent: this ends when the gate is dropped.
            while gate.closed.changed().await.is_ok() {}
        }
        let mut plan = self.plan();
        if let Some(kind) = plan.outage {
            return Err(StoreError::with_source(kind, Self::CAUSE));
        }
        let mut failing = None;
        plan.failures.retain_mut(|failure| {
            if failure.call != call || failing.is_some() {
                return true;
            }
            if failure.spared == 0 {
                failing = Some(failure.kind);
                return false;
            }
            failure.spared -= 1;
            true
        });
        failing.map_or(Ok(()), |kind| {
            Err(StoreError::with_source(kind, Self::CAUSE))
        })
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gate {
    /// Waits until `count` calls have come to the gate, those that waited before included.
    pub async fn arrived(&mut self, count: usize) {
        // The store holds the other side for as long as the gate is closed.
        let _ = self.arrived.wait_for(|arrived| *arrived >= count).await;
    }
}

#[async_trait]
impl TaskStore for FaultyStore {
    fn properties(&self) -> StoreProperties {
        self.properties
    }

    async fn create(&self, owner: &Owner, task: NewTask) -> Result<Created, StoreError> {
        self.enter(StoreCall::Create).await?;
        self.inner.create(owner, task).await
    }

    async fn resent(
        &self,
        owner: &Owner,
        key: &IdempotencyKey,
    ) -> Result<Option<String>, StoreError> {
        self.enter(StoreCall::Resent).await?;
        self.inner.resent(owner, key).await
    }

    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<Option<Arc<Task>>, StoreError> {
        self.enter(StoreCall::Append).await?;
        self.inner.append(scope, task_id, append).await
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        self.enter(StoreCall::Load).await?;
        self.inner.load(scope, task_id).await
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        self.enter(StoreCall::List).await?;
        self.inner.list(scope, query).await
    }

    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        self.enter(StoreCall::Events).await?;
        self.inner.events(scope, task_id, after, limit).await
    }

    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
        self.enter(StoreCall::Expire).await?;
        self.inner.expire(before, limit).await
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        self.enter(StoreCall::DeleteOwner).await?;
        self.inner.delete_owner(owner).await
    }
}

impl std::fmt::Debug for FaultyStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FaultyStore").finish_non_exhaustive()
    }
}
