//! Tasks that are purged: for their age, or with their owner (A2A §13.4).

use crate::TaskState;
use crate::store::{Append, ListQuery, Owner, Scope, StoreErrorKind};
use crate::testkit::support::{
    Tasks, Writer, at, at_millis, chunk, full_task, in_state, input, owner, scope, sorted, stamped,
    status, task, whole,
};

const ENDED: [TaskState; 4] = [
    TaskState::Completed,
    TaskState::Failed,
    TaskState::Canceled,
    TaskState::Rejected,
];

const OPEN: [TaskState; 4] = [
    TaskState::Submitted,
    TaskState::Working,
    TaskState::InputRequired,
    TaskState::AuthRequired,
];

/// Checks that there is nothing left of the task.
async fn check_gone(store: &Tasks, id: &str) {
    let system = Scope::__system();
    assert!(store.load(&system, id).await.unwrap().is_none());
    assert!(store.events(&system, id, 0, 10).await.unwrap().is_none());
    let error = store
        .append(&system, id, Append::new(0, &[]))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::NotFound);
    let mut queries = vec![
        whole(100),
        ListQuery {
            context_id: Some("context".into()),
            ..whole(9)
        },
    ];
    queries.extend(ENDED.map(|state| ListQuery {
        status: Some(state),
        ..whole(100)
    }));
    for query in queries {
        let page = store.page(&system, &query).await;
        assert_eq!(page.total, page.tasks.len());
        assert!(page.tasks.iter().all(|task| task.id != id));
    }
}

// A2A-13.4-22
pub(crate) async fn expiry_purges_every_kind_of_ended_task(store: Tasks) {
    let alice = owner("alice");
    for (n, state) in ENDED.into_iter().enumerate() {
        let mut writer = Writer::create(&store, &alice, task(&n.to_string(), 0)).await;
        writer
            .write([input("x"), chunk("x"), status(state, 5)])
            .await;
    }
    assert_eq!(
        sorted(store.expire(at(6), 100).await.unwrap()),
        ["0", "1", "2", "3"]
    );
    for n in 0..4 {
        check_gone(&store, &n.to_string()).await;
    }
    assert!(store.expire(at(6), 100).await.unwrap().is_empty());
}

pub(crate) async fn expiry_leaves_open_tasks(store: Tasks) {
    let alice = owner("alice");
    let mut writers = Vec::new();
    for (n, state) in OPEN.into_iter().enumerate() {
        let mut writer = Writer::create(&store, &alice, task(&n.to_string(), 0)).await;
        writer.write([chunk("x"), status(state, 5)]).await;
        writers.push(writer);
        store
            .add(&alice, in_state(&format!("new{n}"), 0, state))
            .await;
    }
    assert!(store.expire(at(1000), 100).await.unwrap().is_empty());
    for writer in writers {
        writer.check().await;
    }
    assert_eq!(store.page(&scope(&alice), &whole(1)).await.total, 8);
}

pub(crate) async fn expiry_purges_what_is_older_than_the_instant(store: Tasks) {
    let alice = owner("alice");
    for millis in [-1000, -1, 0, 1] {
        let id = millis.to_string();
        let ended = in_state(&id, 0, TaskState::Completed);
        let stamp = stamped(&id, at_millis(millis))
            .status
            .unwrap()
            .timestamp
            .unwrap();
        let status = ended.status.clone().unwrap().with_timestamp(stamp);
        store.add(&alice, ended.with_status(status)).await;
    }
    assert_eq!(
        sorted(store.expire(at(0), 100).await.unwrap()),
        ["-1", "-1000"]
    );
    assert!(store.is_there("0").await);
    assert!(store.is_there("1").await);
}

pub(crate) async fn expiry_counts_from_the_end_of_the_task(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    writer
        .write([
            status(TaskState::Working, 50),
            status(TaskState::Completed, 100),
        ])
        .await;
    assert!(store.expire(at(100), 100).await.unwrap().is_empty());
    writer.check().await;
    assert_eq!(store.expire(at(101), 100).await.unwrap(), ["t"]);
}

pub(crate) async fn expiry_purges_tasks_that_were_created_ended(store: Tasks) {
    let alice = owner("alice");
    for (n, state) in ENDED.into_iter().enumerate() {
        store.add(&alice, in_state(&n.to_string(), 0, state)).await;
    }
    assert_eq!(store.expire(at(1), 100).await.unwrap().len(), 4);
    assert_eq!(store.page(&Scope::__system(), &whole(1)).await.total, 0);
}

pub(crate) async fn expiry_purges_no_more_than_the_limit(store: Tasks) {
    for n in 0..10 {
        let ended = in_state(&format!("t{n}"), 0, TaskState::Completed);
        store.add(&owner(&format!("p{}", n % 3)), ended).await;
    }
    assert!(store.expire(at(1), 0).await.unwrap().is_empty());
    let mut purged = Vec::new();
    for expected in [4, 4, 2, 0] {
        let some = store.expire(at(1), 4).await.unwrap();
        assert_eq!(some.len(), expected);
        for id in &some {
            check_gone(&store, id).await;
        }
        purged.extend(some);
        assert_eq!(
            store.page(&Scope::__system(), &whole(1)).await.total,
            10 - purged.len()
        );
    }
    assert_eq!(
        sorted(purged),
        (0..10).map(|n| format!("t{n}")).collect::<Vec<_>>()
    );
}

pub(crate) async fn expiry_purges_tasks_of_all_owners(store: Tasks) {
    let owners = [
        Owner::new("", ""),
        Owner::new("a", ""),
        Owner::new("a", "x"),
        owner("x"),
    ];
    for (n, owner) in owners.iter().enumerate() {
        store
            .add(
                owner,
                in_state(&format!("ended{n}"), 0, TaskState::Completed),
            )
            .await;
        store.add(owner, task(&format!("open{n}"), 0)).await;
    }
    assert_eq!(store.expire(at(1), usize::MAX).await.unwrap().len(), 4);
    for (n, owner) in owners.iter().enumerate() {
        let page = store.page(&scope(owner), &whole(10)).await;
        assert_eq!((page.total, &*page.tasks[0].id), (1, &*format!("open{n}")));
    }
}

/// The id is free again, and there is nothing of the old task in the new one.
pub(crate) async fn purged_task_leaves_nothing_to_a_new_one(store: Tasks) {
    let alice = owner("alice");
    let mut old = Writer::create(&store, &alice, full_task("t")).await;
    old.write([chunk("x"), input("x"), status(TaskState::Completed, 5)])
        .await;
    assert_eq!(store.expire(at(6), 100).await.unwrap(), ["t"]);
    let bob = owner("bob");
    let mut new = Writer::create(&store, &bob, task("t", 9)).await;
    new.check().await;
    assert!(store.log("t").await.is_empty());
    new.write([chunk("y")]).await;
    new.check().await;
    assert!(store.load(&scope(&alice), "t").await.unwrap().is_none());
    assert!(store.expire(at(100), 100).await.unwrap().is_empty());
}

// A2A-13.4-21
pub(crate) async fn owner_goes_with_all_tasks(store: Tasks) {
    let alice = owner("alice");
    for (n, state) in ENDED.into_iter().chain(OPEN).enumerate() {
        let mut writer = Writer::create(&store, &alice, full_task(&n.to_string())).await;
        writer.write([chunk("x"), status(state, 5)]).await;
    }
    let purged = store.delete_owner(&alice).await.unwrap();
    assert_eq!(sorted(purged), ["0", "1", "2", "3", "4", "5", "6", "7"]);
    for n in 0..8 {
        check_gone(&store, &n.to_string()).await;
    }
    assert!(store.expire(at(1000), 100).await.unwrap().is_empty());
}

// A2A-13.4-21
pub(crate) async fn deletion_of_an_owner_leaves_the_others(store: Tasks) {
    let others = [
        Owner::new("", "alic"),
        Owner::new("", "Alice"),
        Owner::new("", "alice "),
        Owner::new("", ""),
        Owner::new("tenant", "alice"),
        Owner::new("alice", ""),
    ];
    let alice = owner("alice");
    store.add(&alice, task("t", 0)).await;
    for (n, owner) in others.iter().enumerate() {
        store.add(owner, task(&n.to_string(), 0)).await;
    }
    assert_eq!(store.delete_owner(&alice).await.unwrap(), ["t"]);
    for (n, owner) in others.iter().enumerate() {
        let stored = store.stored(&scope(owner), &n.to_string()).await;
        assert_eq!(*stored.task, task(&n.to_string(), 0));
    }
    assert_eq!(
        store.page(&Scope::__system(), &whole(1)).await.total,
        others.len()
    );
}

pub(crate) async fn deletion_of_an_owner_without_tasks_deletes_nothing(store: Tasks) {
    let alice = owner("alice");
    store.add(&alice, task("t", 0)).await;
    assert!(store.delete_owner(&owner("bob")).await.unwrap().is_empty());
    assert_eq!(store.delete_owner(&alice).await.unwrap(), ["t"]);
    assert!(store.delete_owner(&alice).await.unwrap().is_empty());
    store.add(&alice, task("t", 0)).await;
    assert!(store.is_there("t").await);
}
