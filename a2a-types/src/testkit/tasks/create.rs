//! New tasks, and what a loaded task is.

use std::sync::Arc;

use crate::TaskState;
use crate::reducer;
use crate::store::{Append, Created, Due, NewTask, Replay, Scope, StoreErrorKind};
use crate::testkit::support::{
    Tasks, Writer, chunk, entries, full_task, owner, said, scope, sorted, status, task, whole,
};

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

pub(crate) async fn task_that_is_due_later_is_seen_at_once(store: Tasks) {
    let alice = owner("alice");
    let later = |id| NewTask::new(task(id, 0)).with_due(Due::FirstAppend);
    for id in ["a", "b", "c"] {
        let created = store.create(&alice, later(id)).await.unwrap();
        assert_eq!(created, Created::New);
    }
    let error = store.create(&alice, NewTask::new(task("a", 0))).await;
    assert_eq!(error.unwrap_err().kind(), StoreErrorKind::Conflict);
    let other = store.load(&scope(&owner("bob")), "a").await;
    assert!(other.unwrap().is_none());
    let events = store.events(&scope(&alice), "b", 0, 10).await;
    assert!(events.unwrap().unwrap().is_empty());
    assert_eq!(*store.stored(&scope(&alice), "a").await.task, task("a", 0));
    let entries = entries(&task("c", 0), 0, [chunk("x")]);
    for (scope, after, kind) in [
        (scope(&owner("bob")), 0, StoreErrorKind::NotFound),
        (scope(&alice), 1, StoreErrorKind::Conflict),
    ] {
        let append = Append::new(after, &entries);
        let error = store.append(&scope, "c", append).await.unwrap_err();
        assert_eq!(error.kind(), kind);
    }
    assert_eq!(store.page(&scope(&alice), &whole(10)).await.total, 3);
    for id in ["d", "e"] {
        store.create(&alice, later(id)).await.unwrap();
    }
    assert_eq!(store.page(&scope(&alice), &whole(10)).await.tasks.len(), 5);
    store.create(&alice, later("f")).await.unwrap();
    let deleted = store.delete_owner(&alice).await.unwrap();
    assert_eq!(sorted(deleted), ["a", "b", "c", "d", "e", "f"]);
    assert!(!store.is_there("f").await);
}

pub(crate) async fn task_that_nobody_followed_is_whole_in_the_end(store: Tasks) {
    let alice = owner("alice");
    let done = status(TaskState::Completed, 1);
    let lives = [
        vec![done.clone()],
        vec![chunk("x"), done.clone()],
        vec![said("x"), chunk("x"), chunk("y"), said("y"), done.clone()],
        vec![chunk("x"), chunk("y"), said("x"), done],
    ];
    for (n, life) in lives.into_iter().enumerate() {
        let new = task(&n.to_string(), 0);
        for due in [Due::Now, Due::FirstAppend] {
            let new = new.clone().with_id(format!("{}-{due:?}", new.id));
            let entries = entries(&new, 0, life.clone());
            let created = NewTask::new(new.clone()).with_due(due);
            store.create(&alice, created).await.unwrap();
            let mut whole = new;
            for entry in &entries {
                reducer::apply(&mut whole, entry.event());
            }
            let count = entries.len();
            // Whoever has no more use for the entries lets the store have them.
            let append = match due {
                Due::Now => Append::new(0, &entries),
                Due::FirstAppend => Append::new(0, entries),
            };
            let append = append.with_replay(Replay::Impossible);
            let ended = store.append(&scope(&alice), &whole.id, append).await;
            assert!(ended.unwrap().is_none_or(|ended| *ended == whole));
            let stored = store.stored(&scope(&alice), &whole.id).await;
            assert_eq!(*stored.task, whole);
            let length = count as u64;
            assert_eq!((stored.revision, stored.sequence), (length, length));
            let events = store.events(&scope(&alice), &whole.id, length, 10).await;
            assert!(events.unwrap().unwrap().is_empty());
            // Whatever became of the log, none of it is missing from an answer.
            let events = store.events(&scope(&alice), &whole.id, 0, 10).await;
            assert!(events.unwrap().is_none_or(|e| e.len() == count));
        }
    }
    let listed = store.page(&scope(&alice), &whole(10)).await;
    for task in listed.tasks {
        let stored = store.stored(&scope(&alice), &task.id).await;
        assert_eq!(task, stored.task);
    }
}
