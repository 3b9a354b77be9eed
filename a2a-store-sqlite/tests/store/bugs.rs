//! What has gone wrong in other stores, by the number of the report.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use a2a_store_sqlite::SqliteStore;
use a2a_types::TaskPushNotificationConfig;
use a2a_types::reducer::TaskEvent;
use a2a_types::store::{ListQuery, NewTask, Owner, PushConfigStore, Scope, TaskStore};
use a2a_types::{
    Artifact, Message, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus, TaskStatusUpdateEvent,
};
use sqlx::{Connection, Row};

use crate::support::{
    Database, Writer, at, chunk, connect, input, list, load, number, owner, query, scope, status,
    task,
};

// R107: 50 tasks at once, a program that reads, and one whose read transaction stays open.
#[tokio::test(flavor = "multi_thread")]
async fn parallel_streams_never_find_the_database_locked() {
    let database = Database::new();
    let store = database.open().await;
    let mut idle = connect(&database.path()).await;
    let mut open_read = idle.begin().await.unwrap();
    sqlx::query("SELECT count(*) FROM tasks")
        .fetch_one(&mut *open_read)
        .await
        .unwrap();
    let path = database.path();
    let reader = tokio::spawn(async move {
        let mut connection = connect(&path).await;
        loop {
            let events = number(&mut connection, "SELECT count(*) FROM log").await;
            if events >= 50 * 101 {
                return events;
            }
            tokio::task::yield_now().await;
        }
    });
    let writers: Vec<_> = (0..50)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut writer = Writer::create(&store, task(&format!("t{n}"), 0)).await;
                for event in 0..100 {
                    writer.write([chunk(event.to_string())]).await.unwrap();
                }
                writer
                    .write([status(TaskState::Completed, 1)])
                    .await
                    .unwrap();
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    for n in 0..50 {
        let parts = load(&store, &format!("t{n}")).await.artifacts[0]
            .parts
            .len();
        assert_eq!(parts, 100);
    }
    let read = tokio::time::timeout(Duration::from_secs(60), reader);
    assert_eq!(read.await.unwrap().unwrap(), 50 * 101);
}

// R107: another program that holds the write lock is waited for.
#[tokio::test(flavor = "multi_thread")]
async fn write_lock_of_another_program_is_waited_for() {
    let database = Database::new();
    let store = database.open().await;
    let mut other = connect(&database.path()).await;
    sqlx::raw_sql("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let write = tokio::spawn(async move { Writer::create(&store, task("t", 0)).await.id });
    // Long enough that a store which gives up at once has done so.
    let release = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    };
    release.await;
    assert_eq!(write.await.unwrap(), "t");
}

// R109: whatever way a database was made, it has the same schema.
#[tokio::test]
async fn every_way_to_open_makes_the_same_schema() {
    let mut schemas = BTreeSet::new();
    for way in 0..3 {
        let database = Database::new();
        let store = match way {
            0 => SqliteStore::open(database.path()).await.unwrap(),
            1 => SqliteStore::builder().open(database.path()).await.unwrap(),
            _ => {
                crate::files::lay_fixture(&database, 1);
                database.open().await
            }
        };
        store.close().await;
        let mut connection = connect(&database.path()).await;
        let rows = sqlx::query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
            .fetch_all(&mut connection)
            .await
            .unwrap();
        let text = |row: &sqlx::sqlite::SqliteRow, index: usize| {
            row.get::<Option<String>, _>(index).unwrap_or_default()
        };
        let schema: Vec<_> = rows
            .iter()
            .map(|row| [0, 1, 2].map(|i| text(row, i)))
            .collect();
        assert!(schema.len() > 15);
        schemas.insert(schema);
    }
    assert_eq!(schemas.len(), 1);
}

// R109: what belongs to a task goes with it.
#[tokio::test]
async fn deleted_task_leaves_no_rows() {
    let database = Database::new();
    let store = database.open().await;
    let full = task("t", 0)
        .with_history([Message::user("1"), Message::agent("2")])
        .with_artifacts([Artifact::new("x", ["y"])])
        .with_metadata(serde_json::json!({"a": 1}).as_object().unwrap().clone());
    let mut writer = Writer::create(&store, full).await;
    writer.write([chunk("a"), input("b")]).await.unwrap();
    writer
        .write([status(TaskState::Completed, 1)])
        .await
        .unwrap();
    let config = TaskPushNotificationConfig::default()
        .with_task_id("t")
        .with_id("c");
    let _ = store.put(&owner(), config, 10).await.unwrap();
    assert_eq!(store.expire(at(2), 10).await.unwrap(), ["t"]);
    let mut connection = connect(&database.path()).await;
    let tables = [
        "owners",
        "tasks",
        "metadata",
        "messages",
        "artifacts",
        "log",
        "counts",
        "push_configs",
    ];
    for table in tables {
        let rows = number(&mut connection, format!("SELECT count(*) FROM {table}")).await;
        assert_eq!(rows, 0, "{table}");
    }
    assert!(
        sqlx::query("PRAGMA foreign_key_check")
            .fetch_all(&mut connection)
            .await
            .unwrap()
            .is_empty()
    );
}

// R110: a thousand messages of one second, also after a vacuum and a restart.
#[tokio::test]
async fn history_of_one_second_keeps_its_order() {
    let database = Database::new();
    let store = database.open().await;
    let mut writer = Writer::create(&store, task("t", 0)).await;
    for hundred in 0..10 {
        let inputs = (0..100).map(|n| input(&(hundred * 100 + n).to_string()));
        writer.write(inputs).await.unwrap();
    }
    store.close().await;
    let mut connection = connect(&database.path()).await;
    sqlx::raw_sql("VACUUM")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let history = load(&database.open().await, "t").await.history;
    let texts: Vec<_> = history.iter().map(Message::text).collect();
    assert_eq!(texts, (0..1000).map(|n| n.to_string()).collect::<Vec<_>>());
}

// R112: 250 tasks of one time; the cursor's task is deleted, others move between the pages.
#[tokio::test]
async fn walk_over_equal_times_skips_and_repeats_nothing() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    let mut writers = BTreeMap::new();
    for n in 0..250 {
        let id = format!("t{n:03}");
        writers.insert(id.clone(), Writer::create(&store, task(&id, 0)).await);
    }
    let mut query = ListQuery::new(100);
    let mut seen: Vec<String> = Vec::new();
    let mut moved = BTreeSet::new();
    loop {
        let page = list(&store, &scope(), &query).await;
        seen.extend(page.tasks.iter().map(|task| task.id.clone()));
        query.after = page.next;
        let Some(cursor) = &query.after else { break };
        // The task of the cursor ends and is purged, which also makes the list shorter.
        let gone = writers.get_mut(&cursor.id).unwrap();
        gone.write([status(TaskState::Completed, -1)])
            .await
            .unwrap();
        assert_eq!(store.expire(at(0), 10).await.unwrap().concat(), cursor.id);
        let later = format!("t{:03}", 249 - seen.len() - 20);
        writers
            .get_mut(&later)
            .unwrap()
            .write([status(TaskState::Working, 9)])
            .await
            .unwrap();
        moved.insert(later);
    }
    let distinct: BTreeSet<_> = seen.iter().cloned().collect();
    assert_eq!(distinct.len(), seen.len(), "nothing is repeated");
    let missing: BTreeSet<_> = writers
        .keys()
        .filter(|id| !distinct.contains(*id))
        .cloned()
        .collect();
    // A task that moved to the front of the list is on no later page.
    assert_eq!(missing, moved);
}

// R113: totals before paging, of the caller's tasks and filters alone, and at or after the instant.
#[tokio::test]
async fn totals_count_what_matches_before_paging() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    let foreign = Owner::new("", "bob");
    for n in 0..5 {
        let own = task(&format!("own{n}"), n);
        store.create(&owner(), NewTask::new(own)).await.unwrap();
    }
    for n in 0..3 {
        let other = task(&format!("foreign{n}"), n);
        store.create(&foreign, NewTask::new(other)).await.unwrap();
    }
    let all = ListQuery::new(2);
    let since = |second| query(2, |query| query.updated_since = Some(at(second)));
    let context = |id: &str| query(2, |query| query.context_id = Some(id.to_owned()));
    let state = |state| query(2, |query| query.status = Some(state));
    for (query, own, everybody) in [
        (all, 5, 8),
        (since(4), 1, 1),
        (since(2), 3, 4),
        (since(5), 0, 0),
        (context("context"), 5, 8),
        (context("other"), 0, 0),
        (state(TaskState::Submitted), 5, 8),
        (state(TaskState::Working), 0, 0),
    ] {
        for (scope, total) in [
            (scope(), own),
            (Scope::tenant(""), everybody),
            (Scope::__system(), everybody),
        ] {
            let page = list(&store, &scope, &query).await;
            assert_eq!(page.total, total, "{scope:?} {query:?}");
            assert_eq!(page.tasks.len(), total.min(2));
            assert!(page.tasks.iter().all(|task| task.artifacts.is_empty()));
        }
    }
}

// R115, as far as one server goes: every kind of event comes back from the file as it went in.
#[tokio::test]
async fn every_event_survives_a_restart() {
    let database = Database::new();
    let status_of = |update: TaskStatusUpdateEvent| {
        let status = TaskStatus::from(TaskState::Working).with_timestamp(at(1));
        update
            .with_task_id("t")
            .with_context_id("context")
            .with_status(status)
    };
    let said = |event: TaskStatusUpdateEvent| {
        let mut event = status_of(event);
        event.status.as_mut().unwrap().message = Some(Message::agent("said"));
        event
    };
    let events = [
        TaskEvent::Status(TaskStatusUpdateEvent::default()),
        TaskEvent::Status(status_of(TaskStatusUpdateEvent::default())),
        TaskEvent::Status(said(TaskStatusUpdateEvent::default())),
        TaskEvent::Transient(said(TaskStatusUpdateEvent::default())),
        TaskEvent::Artifact(TaskArtifactUpdateEvent::default()),
        TaskEvent::Artifact(TaskArtifactUpdateEvent::default().with_artifact(Artifact::default())),
        chunk(serde_json::json!({"n": u64::MAX, "m": i64::MIN, "f": 0.1})),
        chunk(a2a_types::Part::raw(&b"\x00\xff"[..])),
    ];
    let store = database.open().await;
    let mut writer = Writer::create(&store, task("t", 0)).await;
    for event in events.clone() {
        writer.write([event]).await.unwrap();
    }
    let before = load(&store, "t").await;
    store.close().await;
    let store = database.open().await;
    let log = store.events(&scope(), "t", 0, 100).await.unwrap().unwrap();
    let read: Vec<_> = log.iter().map(|entry| entry.event().clone()).collect();
    assert_eq!(read, events);
    assert_eq!(load(&store, "t").await, before);
    // A stream that was broken by the restart goes on where it was.
    let rest = store.events(&scope(), "t", 6, 100).await.unwrap().unwrap();
    assert_eq!(
        rest.iter()
            .map(|entry| entry.sequence())
            .collect::<Vec<_>>(),
        [7, 8]
    );
}

// R105: what a caller does with a task that it got changes nothing in the store.
#[tokio::test]
async fn loaded_tasks_share_nothing_with_the_store() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    Writer::create(&store, task("t", 0).with_history([Message::user("x")])).await;
    let mut loaded: Task = load(&store, "t").await;
    loaded.history.clear();
    assert_eq!(load(&store, "t").await.history.len(), 1);
}
