//! The in-memory stores do what every store does.
#![cfg(feature = "testkit")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod tasks {
    use std::sync::Arc;

    use a2a_server::MemoryTaskStore;
    use a2a_types::store::TaskStore;
    use a2a_types::testkit::{Subject, TASK_STORE, run_all};

    async fn empty() -> Subject<dyn TaskStore> {
        Subject::new(Arc::new(MemoryTaskStore::new()))
    }

    a2a_types::task_store_suite!(empty);

    #[tokio::test]
    async fn all_behaviours_hold_on_one_thread() {
        run_all(TASK_STORE, empty).await;
    }
}

mod push_configs {
    use std::sync::Arc;

    use a2a_server::MemoryPushConfigStore;
    use a2a_types::store::PushConfigStore;
    use a2a_types::testkit::{PUSH_CONFIG_STORE, Subject, run_all};

    async fn empty() -> Subject<dyn PushConfigStore> {
        Subject::new(Arc::new(MemoryPushConfigStore::new()))
    }

    a2a_types::push_config_store_suite!(empty);

    #[tokio::test]
    async fn all_behaviours_hold_on_one_thread() {
        run_all(PUSH_CONFIG_STORE, empty).await;
    }
}
