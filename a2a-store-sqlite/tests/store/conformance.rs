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
