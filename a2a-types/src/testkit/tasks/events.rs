//! The log of a task as streams read it.

use std::sync::Arc;

use serde_json::json;

use crate::reducer::TaskEvent;
use crate::store::{LogEntry, Scope};
use crate::testkit::support::{
    Tasks, Writer, artifact, chunk, full_task, input, object, owner, said, scope, status, task,
    transient,
};
use crate::{Artifact, TaskState};

fn sequences(events: &[Arc<LogEntry>]) -> Vec<u64> {
    events.iter().map(|entry| entry.sequence()).collect()
}

/// A task with ten events and some inputs between them.
async fn ten_events(store: &Tasks) -> Writer {
    let mut writer = Writer::create(store, &owner("alice"), task("t", 0)).await;
    writer
        .write([input("first"), chunk("1"), chunk("2"), input("more")])
        .await;
    writer.write([chunk("3"), said("4"), chunk("5")]).await;
    writer.write([input("alone")]).await;
    writer
        .write([
            chunk("6"),
            transient("7"),
            chunk("8"),
            chunk("9"),
            said("10"),
        ])
        .await;
    writer.write([input("last")]).await;
    writer
}

pub(crate) async fn events_come_as_they_were_written(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    let metadata = || object(json!({ "of": "the event", "n": [1.5, -1, null] }));
    let TaskEvent::Status(update) = said("x") else {
        panic!("a status")
    };
    let TaskEvent::Artifact(piece) = artifact(full_task("t").artifacts[0].clone(), true) else {
        panic!("an artifact")
    };
    let events = [
        TaskEvent::Status(update.clone().with_metadata(metadata())),
        TaskEvent::Artifact(piece.with_metadata(metadata()).with_last_chunk(true)),
        TaskEvent::Transient(update.with_metadata(metadata())),
        artifact(Artifact::new("a", ["x"]), false),
    ];
    let entries = writer.entries(events.clone());
    writer.write(events).await;
    let log = store.log("t").await;
    assert_eq!(log.len(), entries.len());
    for (read, written) in log.iter().zip(&entries) {
        assert_eq!(read.event(), written.event());
        assert_eq!(read.json(), written.json());
        assert_eq!(read.sequence(), written.sequence());
    }
}

pub(crate) async fn events_come_in_order_and_without_inputs(store: Tasks) {
    let writer = ten_events(&store).await;
    let log = store.log("t").await;
    assert_eq!(sequences(&log), (1..=10).collect::<Vec<_>>());
    assert!(log.iter().all(|entry| entry.is_visible()));
    assert_eq!((writer.revision, writer.sequence), (14, 10));
}

// D35
pub(crate) async fn events_after_a_sequence_are_those_above_it(store: Tasks) {
    let writer = ten_events(&store).await;
    let scope = scope(&owner("alice"));
    for after in 0..=writer.sequence {
        let events = store
            .events(&scope, "t", after, 100)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(sequences(&events), (after + 1..=10).collect::<Vec<_>>());
    }
}

pub(crate) async fn events_are_no_more_than_the_limit(store: Tasks) {
    ten_events(&store).await;
    let scope = scope(&owner("alice"));
    for limit in [0, 1, 3, 9, 10, 11, usize::MAX] {
        let events = store.events(&scope, "t", 0, limit).await.unwrap().unwrap();
        assert_eq!(events.len(), limit.min(10));
        let events = store.events(&scope, "t", 8, limit).await.unwrap().unwrap();
        assert_eq!(sequences(&events), [9, 10][..limit.min(2)]);
    }
}

pub(crate) async fn events_read_in_pages_are_all_of_them(store: Tasks) {
    ten_events(&store).await;
    let scope = scope(&owner("alice"));
    let mut seen = vec![0];
    loop {
        let after = *seen.last().unwrap();
        let page = store.events(&scope, "t", after, 3).await.unwrap().unwrap();
        if page.is_empty() {
            break;
        }
        seen.extend(sequences(&page));
        assert!(seen.len() <= 11, "the log has an end");
    }
    assert_eq!(seen, (0..=10).collect::<Vec<_>>());
}

pub(crate) async fn events_after_the_last_one_are_none_yet(store: Tasks) {
    let mut writer = ten_events(&store).await;
    let scope = scope(&owner("alice"));
    let events = store.events(&scope, "t", 10, 5).await.unwrap().unwrap();
    assert!(events.is_empty());
    writer.write([chunk("11")]).await;
    let events = store.events(&scope, "t", 10, 5).await.unwrap().unwrap();
    assert_eq!(sequences(&events), [11]);
}

pub(crate) async fn events_beyond_the_end_are_not_known(store: Tasks) {
    ten_events(&store).await;
    store.add(&owner("alice"), task("new", 0)).await;
    let scope = scope(&owner("alice"));
    let beyond = i64::MAX.unsigned_abs();
    for after in [11, 14, 1000, beyond, beyond + 1, u64::MAX] {
        assert!(
            store.events(&scope, "t", after, 5).await.unwrap().is_none(),
            "after {after}"
        );
    }
    assert!(store.events(&scope, "new", 1, 5).await.unwrap().is_none());
}

pub(crate) async fn new_task_has_no_events_yet(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), full_task("t")).await;
    assert!(store.log("t").await.is_empty());
    writer.write([input("x")]).await;
    assert!(store.log("t").await.is_empty());
}

/// A store may compact the log of a task that has ended, but shows no log with a hole.
pub(crate) async fn events_of_an_ended_task_are_whole_or_gone(store: Tasks) {
    let mut writer = ten_events(&store).await;
    writer.write([status(TaskState::Completed, 1)]).await;
    writer.check().await;
    for after in 0..=11 {
        let events = store
            .events(&Scope::__system(), "t", after, 100)
            .await
            .unwrap();
        if let Some(events) = events {
            assert_eq!(sequences(&events), (after + 1..=11).collect::<Vec<_>>());
        }
    }
    assert!(
        store
            .events(&Scope::__system(), "t", 12, 100)
            .await
            .unwrap()
            .is_none()
    );
}
