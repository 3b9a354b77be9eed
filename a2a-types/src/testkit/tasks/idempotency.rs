//! A message that is sent again finds the task that the first send made (B14).

use crate::TaskState;
use crate::store::{Append, Created, NewTask, Owner, Scope, StoreErrorKind};
use crate::testkit::support::{
    Tasks, Writer, at, chunk, full_task, in_state, key, owner, scope, status, task, whole,
};

fn existing(id: &str) -> Created {
    Created::Existing(id.to_owned())
}

pub(crate) async fn resend_finds_the_first_task(store: Tasks) {
    let alice = owner("alice");
    assert_eq!(
        store.send(&alice, "first", key("m", 1, 0, 100)).await,
        Created::New
    );
    for now in [0, 1, 99] {
        let created = store
            .send(&alice, "second", key("m", 1, now, now + 100))
            .await;
        assert_eq!(created, existing("first"));
    }
}

pub(crate) async fn resend_stores_nothing(store: Tasks) {
    let alice = owner("alice");
    store.send(&alice, "first", key("m", 1, 0, 100)).await;
    let new = NewTask::new(full_task("second")).with_idempotency(key("m", 1, 1, 100));
    assert_eq!(store.create(&alice, new).await.unwrap(), existing("first"));
    assert!(!store.is_there("second").await);
    let page = store.page(&Scope::__system(), &whole(10)).await;
    assert_eq!((page.tasks.len(), page.total), (1, 1));
    assert_eq!(*page.tasks[0], task("first", 0));
}

pub(crate) async fn resend_finds_a_task_that_has_moved_on(store: Tasks) {
    let alice = owner("alice");
    store.send(&alice, "first", key("m", 1, 0, 100)).await;
    let others = Writer::create(&store, &alice, task("other", 0)).await;
    for (after, event) in [chunk("x"), status(TaskState::Completed, 9)]
        .into_iter()
        .enumerate()
    {
        let entries = others.entries([event]);
        let append = Append::new(after as u64, &entries);
        store.append(&scope(&alice), "first", append).await.unwrap();
        assert_eq!(
            store.send(&alice, "x", key("m", 1, 9, 100)).await,
            existing("first")
        );
    }
}

pub(crate) async fn other_content_under_the_same_id_is_another_send(store: Tasks) {
    let alice = owner("alice");
    assert_eq!(
        store.send(&alice, "first", key("m", 1, 0, 100)).await,
        Created::New
    );
    assert_eq!(
        store.send(&alice, "second", key("m", 2, 0, 100)).await,
        Created::New
    );
    assert_eq!(
        store.send(&alice, "x", key("m", 1, 0, 100)).await,
        existing("first")
    );
    assert_eq!(
        store.send(&alice, "x", key("m", 2, 0, 100)).await,
        existing("second")
    );
}

pub(crate) async fn other_id_with_the_same_content_is_another_send(store: Tasks) {
    let alice = owner("alice");
    assert_eq!(
        store.send(&alice, "first", key("m1", 1, 0, 100)).await,
        Created::New
    );
    assert_eq!(
        store.send(&alice, "second", key("m2", 1, 0, 100)).await,
        Created::New
    );
    assert_eq!(
        store.send(&alice, "x", key("m1", 1, 0, 100)).await,
        existing("first")
    );
}

// A2A-13.1-01
pub(crate) async fn same_message_of_another_owner_is_another_send(store: Tasks) {
    let owners = [
        Owner::new("", "alice"),
        Owner::new("", "bob"),
        Owner::new("tenant", "alice"),
        Owner::new("", ""),
        Owner::new("tenant", ""),
    ];
    for (n, owner) in owners.iter().enumerate() {
        let created = store.send(owner, &n.to_string(), key("m", 1, 0, 100)).await;
        assert_eq!(created, Created::New, "{owner:?}");
    }
    for (n, owner) in owners.iter().enumerate() {
        let created = store.send(owner, "x", key("m", 1, 0, 100)).await;
        assert_eq!(created, existing(&n.to_string()), "{owner:?}");
    }
}

pub(crate) async fn expired_key_finds_nothing(store: Tasks) {
    let alice = owner("alice");
    store.send(&alice, "first", key("m", 1, 0, 100)).await;
    assert_eq!(
        store.send(&alice, "second", key("m", 1, 101, 200)).await,
        Created::New
    );
    assert_eq!(
        store.send(&alice, "x", key("m", 1, 199, 300)).await,
        existing("second")
    );
    assert!(store.is_there("first").await);
}

pub(crate) async fn resend_does_not_lengthen_the_window(store: Tasks) {
    let alice = owner("alice");
    store.send(&alice, "first", key("m", 1, 0, 100)).await;
    assert_eq!(
        store.send(&alice, "x", key("m", 1, 50, 500)).await,
        existing("first")
    );
    assert_eq!(
        store.send(&alice, "second", key("m", 1, 101, 500)).await,
        Created::New
    );
}

pub(crate) async fn task_without_a_key_is_never_found(store: Tasks) {
    let alice = owner("alice");
    store.add(&alice, task("first", 0)).await;
    assert_eq!(
        store.send(&alice, "second", key("", 0, 0, 100)).await,
        Created::New
    );
    store.add(&alice, task("third", 0)).await;
    assert_eq!(
        store.send(&alice, "x", key("", 0, 0, 100)).await,
        existing("second")
    );
}

pub(crate) async fn key_of_a_purged_task_finds_nothing(store: Tasks) {
    let alice = owner("alice");
    store.send(&alice, "first", key("m", 1, 0, 100)).await;
    store.delete_owner(&alice).await.unwrap();
    let ended = NewTask::new(in_state("second", 0, TaskState::Completed));
    let ended = ended.with_idempotency(key("m", 1, 0, 100));
    assert_eq!(store.create(&alice, ended).await.unwrap(), Created::New);
    // Another task of the owner, so that he is not forgotten with the last one.
    store.add(&alice, task("other", 0)).await;
    assert_eq!(store.expire(at(1), 10).await.unwrap(), ["second"]);
    assert_eq!(
        store.send(&alice, "third", key("m", 1, 0, 100)).await,
        Created::New
    );
}

/// What fails changes nothing: the key names no task.
pub(crate) async fn failed_create_leaves_no_key(store: Tasks) {
    let alice = owner("alice");
    store.add(&alice, task("taken", 0)).await;
    let new = NewTask::new(task("taken", 0)).with_idempotency(key("m", 1, 0, 100));
    let error = store.create(&alice, new).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Conflict);
    assert_eq!(
        store.send(&alice, "free", key("m", 1, 0, 100)).await,
        Created::New
    );
    assert_eq!(
        store.send(&alice, "x", key("m", 1, 0, 100)).await,
        existing("free")
    );
}
