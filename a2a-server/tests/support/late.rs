use std::sync::{Arc, Mutex};

use a2a_server::MemoryTaskStore;
use a2a_types::store::{
    Append, Created, ListQuery, LogEntry, NewTask, Owner, Scope, StoreError, StoreProperties,
    StoredTask, TaskPage, TaskStore,
};
use a2a_types::{Task, Timestamp};
use async_trait::async_trait;

use super::Gate;

/// A store that can be late to tell that a task has been made.
#[derive(Default)]
pub struct LateStore {
    inner: MemoryTaskStore,
    next: Mutex<Option<(Gate, Gate)>>,
}

impl LateStore {
    /// The next `create` opens the first gate once the task is stored, and returns when the second
    /// one is opened.
    pub fn hold_created(&self, stored: Gate, go: Gate) {
        *self.next.lock().unwrap() = Some((stored, go));
    }
}

#[async_trait]
impl TaskStore for LateStore {
    fn properties(&self) -> StoreProperties {
        self.inner.properties()
    }

    async fn create(&self, owner: &Owner, task: NewTask) -> Result<Created, StoreError> {
        let held = self.next.lock().unwrap().take();
        let created = self.inner.create(owner, task).await;
        if let Some((stored, go)) = held {
            stored.open();
            go.pass().await;
        }
        created
    }

    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<Option<Arc<Task>>, StoreError> {
        self.inner.append(scope, task_id, append).await
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        self.inner.load(scope, task_id).await
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        self.inner.list(scope, query).await
    }

    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        self.inner.events(scope, task_id, after, limit).await
    }

    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
        self.inner.expire(before, limit).await
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        self.inner.delete_owner(owner).await
    }
}
