//! The public suites, on a file and in memory.

use std::sync::Arc;

use a2a_store_sqlite::SqliteStore;
use a2a_types::store::{PushConfigStore, TaskStore};
use a2a_types::testkit::{PUSH_CONFIG_STORE, Subject, TASK_STORE, run_all};
use tempfile::TempDir;

async fn on_disk() -> (SqliteStore, TempDir) {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(folder.path().join("a2a.db")).await;
    (store.unwrap(), folder)
}

mod tasks {
    use super::*;

    async fn empty() -> Subject<dyn TaskStore> {
        let (store, folder) = on_disk().await;
        Subject::<dyn TaskStore>::new(Arc::new(store)).keeping(folder)
    }

    a2a_types::task_store_suite!(empty);

    #[tokio::test]
    async fn all_behaviours_hold_on_one_thread() {
        run_all(TASK_STORE, empty).await;
    }
}

mod tasks_in_memory {
    use super::*;

    async fn empty() -> Subject<dyn TaskStore> {
        Subject::<dyn TaskStore>::new(Arc::new(SqliteStore::open(":memory:").await.unwrap()))
    }

    a2a_types::task_store_suite!(empty);
}

mod tasks_due_with_their_first_entries {
    use super::*;
    use a2a_types::store::{
        Append, Created, Due, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner, Scope,
        StoreError, StoreProperties, StoredTask, TaskPage,
    };
    use a2a_types::{Task, Timestamp};
    use async_trait::async_trait;
    use std::collections::HashSet;
    use tokio::sync::Mutex;

    /// A store that may write each new task later. Nobody can tell.
    struct Later(SqliteStore, Mutex<HashSet<String>>);

    #[async_trait]
    impl TaskStore for Later {
        fn properties(&self) -> StoreProperties {
            self.0.properties()
        }

        async fn create(&self, owner: &Owner, task: NewTask) -> Result<Created, StoreError> {
            // Only a task whose id nobody has given before.
            let mut known = self.1.lock().await;
            let due = if known.insert(task.task.id.clone()) {
                Due::FirstAppend
            } else {
                Due::Now
            };
            self.0.create(owner, task.with_due(due)).await
        }

        async fn resent(
            &self,
            owner: &Owner,
            key: &IdempotencyKey,
        ) -> Result<Option<String>, StoreError> {
            self.0.resent(owner, key).await
        }

        async fn append(
            &self,
            scope: &Scope,
            task_id: &str,
            append: Append<'_>,
        ) -> Result<Option<Arc<Task>>, StoreError> {
            self.0.append(scope, task_id, append).await
        }

        async fn load(
            &self,
            scope: &Scope,
            task_id: &str,
        ) -> Result<Option<StoredTask>, StoreError> {
            self.0.load(scope, task_id).await
        }

        async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
            TaskStore::list(&self.0, scope, query).await
        }

        async fn events(
            &self,
            scope: &Scope,
            task_id: &str,
            after: u64,
            limit: usize,
        ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
            self.0.events(scope, task_id, after, limit).await
        }

        async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
            self.0.expire(before, limit).await
        }

        async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
            TaskStore::delete_owner(&self.0, owner).await
        }
    }

    async fn empty() -> Subject<dyn TaskStore> {
        let (store, folder) = on_disk().await;
        Subject::<dyn TaskStore>::new(Arc::new(Later(store, Mutex::default()))).keeping(folder)
    }

    a2a_types::task_store_suite!(empty);
}

mod push_configs {
    use super::*;

    async fn empty() -> Subject<dyn PushConfigStore> {
        let (store, folder) = on_disk().await;
        Subject::<dyn PushConfigStore>::new(Arc::new(store)).keeping(folder)
    }

    a2a_types::push_config_store_suite!(empty);

    #[tokio::test]
    async fn all_behaviours_hold_on_one_thread() {
        run_all(PUSH_CONFIG_STORE, empty).await;
    }
}

mod push_configs_in_memory {
    use super::*;

    async fn empty() -> Subject<dyn PushConfigStore> {
        let store = SqliteStore::open(":memory:").await.unwrap();
        Subject::<dyn PushConfigStore>::new(Arc::new(store))
    }

    a2a_types::push_config_store_suite!(empty);
}

#[cfg(feature = "encryption")]
mod push_configs_encrypted {
    use super::*;
    use a2a_store_sqlite::EncryptionKey;

    async fn empty() -> Subject<dyn PushConfigStore> {
        let builder = SqliteStore::builder().encryption_key(EncryptionKey::new([7; 32]));
        let store = builder.open(":memory:").await.unwrap();
        Subject::<dyn PushConfigStore>::new(Arc::new(store))
    }

    a2a_types::push_config_store_suite!(empty);
}

mod outbox {
    use super::*;
    use a2a_types::push::PushOutbox;

    async fn empty() -> Subject<dyn PushOutbox> {
        let (store, folder) = on_disk().await;
        Subject::<dyn PushOutbox>::new(Arc::new(store)).keeping(folder)
    }

    a2a_types::push_outbox_suite!(empty);
}

mod outbox_in_memory {
    use super::*;
    use a2a_types::push::PushOutbox;

    async fn empty() -> Subject<dyn PushOutbox> {
        let store = SqliteStore::open(":memory:").await.unwrap();
        Subject::<dyn PushOutbox>::new(Arc::new(store))
    }

    a2a_types::push_outbox_suite!(empty);
}

mod tasks_with_outbox {
    use super::*;
    use a2a_types::testkit::JoinedStore;

    async fn empty() -> Subject<JoinedStore> {
        let (store, folder) = on_disk().await;
        let store = Arc::new(store);
        let joined = JoinedStore {
            tasks: store.clone(),
            outbox: store,
        };
        Subject::new(Arc::new(joined)).keeping(folder)
    }

    a2a_types::joined_outbox_suite!(empty);
}
