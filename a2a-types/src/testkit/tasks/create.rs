//! New tasks, and what a loaded task is.

use std::sync::Arc;

use crate::TaskState;
use crate::store::{Append, NewTask, Scope, StoreErrorKind};
use crate::testkit::support::{Tasks, Writer, chunk, full_task, owner, said, scope, status, task};

pub(crate) async fn new_task_loads_as_it_was_given(store: Tasks) {
    let alice = owner("alice");
    store.add(&alice, full_task("t")).await;
    let stored = store.stored(&scope(&alice), "t").await;
    assert_eq!(*stored.task, full_task("t"));
    assert_eq!(stored.owner, alice);
    assert_eq!((stored.revision, stored.sequence), (0, 0));
}

pub(crate) async fn known_id_cannot_be_created_again(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, full_task("t")).await;
    writer.write([chunk("x")]).await;
    for other in [alice, owner("bob")] {
        let error = store
            .create(&other, NewTask::new(task("t", 9)))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Conflict);
    }
    writer.check().await;
    assert!(
        store
            .load(&scope(&owner("bob")), "t")
            .await
            .unwrap()
            .is_none()
    );
}

// A2A-3.3.2-12
pub(crate) async fn unknown_task_is_not_found(store: Tasks) {
    let alice = owner("alice");
    let writer = Writer::create(&store, &alice, task("t", 0)).await;
    let entries = writer.entries([chunk("x")]);
    for scope in [scope(&alice), Scope::tenant(""), Scope::__system()] {
        for id in ["", "T", "t ", "unknown"] {
            assert!(store.load(&scope, id).await.unwrap().is_none());
            assert!(store.events(&scope, id, 0, 10).await.unwrap().is_none());
            let error = store
                .append(&scope, id, Append::new(0, &entries))
                .await
                .unwrap_err();
            assert_eq!(error.kind(), StoreErrorKind::NotFound);
        }
    }
    writer.check().await;
}

// R105
pub(crate) async fn loaded_task_stays_as_it_was(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, full_task("t")).await;
    let before = store.stored(&scope(&alice), "t").await;
    writer
        .write([said("x"), chunk("x"), status(TaskState::Completed, 1)])
        .await;
    assert_eq!(*before.task, full_task("t"));
    assert_eq!((before.revision, before.sequence), (0, 0));
    writer.check().await;
}

// R105
pub(crate) async fn task_of_the_creator_stays_as_it_was(store: Tasks) {
    let alice = owner("alice");
    let given = Arc::new(full_task("t"));
    store
        .create(&alice, NewTask::new(Arc::clone(&given)))
        .await
        .unwrap();
    let stored = store.stored(&scope(&alice), "t").await;
    let mut writer = Writer::create(&store, &alice, full_task("u")).await;
    writer.write([chunk("x")]).await;
    let entries = writer.entries([chunk("x")]);
    store
        .append(&scope(&alice), "t", Append::new(0, &entries))
        .await
        .unwrap();
    assert_eq!(*given, full_task("t"));
    assert_eq!(*stored.task, full_task("t"));
}

pub(crate) async fn tasks_do_not_touch_each_other(store: Tasks) {
    let alice = owner("alice");
    let mut first = Writer::create(&store, &alice, full_task("first")).await;
    let mut second = Writer::create(&store, &alice, full_task("second")).await;
    first.write([chunk("1"), said("first")]).await;
    second.write([chunk("2")]).await;
    first.write([chunk("3")]).await;
    first.check().await;
    second.check().await;
    assert_eq!(store.log("first").await.len(), 3);
    assert_eq!(store.log("second").await.len(), 1);
}
