use std::sync::{Arc, Mutex};

use a2a_server::MemoryTaskStore;
use a2a_types::Timestamp;
use a2a_types::store::{
    Append, Created, ListQuery, LogEntry, NewTask, Owner, Scope, StoreError, StoreErrorKind,
    StoreProperties, StoredTask, TaskPage, TaskStore,
};
use async_trait::async_trait;

/// What the cause of each planted failure says: nobody outside may read it.
pub const SECRET: &str = "postgres://a2a:hunter2@10.1.2.3/tasks?sslkey=/etc/secret.pem";

/// A store in memory whose methods fail when told to.
#[derive(Default)]
pub struct FaultyStore {
    inner: MemoryTaskStore,
    faults: Mutex<Vec<(&'static str, StoreErrorKind)>>,
    calls: Mutex<Vec<&'static str>>,
}

impl FaultyStore {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: MemoryTaskStore::new(),
            faults: Mutex::default(),
            calls: Mutex::default(),
        })
    }

    /// From now on every call of this method fails.
    pub fn fail(&self, method: &'static str, kind: StoreErrorKind) {
        self.faults.lock().unwrap().push((method, kind));
    }

    /// Nothing fails any more.
    pub fn heal(&self) {
        self.faults.lock().unwrap().clear();
    }

    /// The methods that were called, in order.
    pub fn calls(&self) -> Vec<&'static str> {
        self.calls.lock().unwrap().clone()
    }

    fn enter(&self, method: &'static str) -> Result<(), StoreError> {
        self.calls.lock().unwrap().push(method);
        let faults = self.faults.lock().unwrap();
        match faults.iter().find(|(name, _)| *name == method) {
            Some((_, kind)) => Err(StoreError::with_source(*kind, SECRET)),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl TaskStore for FaultyStore {
    fn properties(&self) -> StoreProperties {
        self.inner.properties()
    }

    async fn create(&self, owner: &Owner, task: NewTask) -> Result<Created, StoreError> {
        self.enter("create")?;
        self.inner.create(owner, task).await
    }

    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<(), StoreError> {
        self.enter("append")?;
        self.inner.append(scope, task_id, append).await
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        self.enter("load")?;
        self.inner.load(scope, task_id).await
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        self.enter("list")?;
        self.inner.list(scope, query).await
    }

    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        self.enter("events")?;
        self.inner.events(scope, task_id, after, limit).await
    }

    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
        self.enter("expire")?;
        self.inner.expire(before, limit).await
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        self.enter("delete_owner")?;
        self.inner.delete_owner(owner).await
    }
}
