//! What is kept of tasks, for how long, and what that costs.

use std::time::Duration;

use a2a_store_sqlite::SqliteStore;
use a2a_types::store::{Due, ListQuery, Scope, TaskStore};
use a2a_types::{Message, TaskState, TaskStatusUpdateEvent};
use a2a_types::{TaskStatus, reducer::TaskEvent};

use crate::support::{
    Database, Writer, at, chunk, connect, input, list, load, number, query, scope, status, task,
};

#[tokio::test]
async fn log_of_an_ended_task_is_kept_for_the_window() {
    let database = Database::new();
    let store = database.open().await;
    let mut writer = Writer::create(&store, task("t", 0)).await;
    writer.write([chunk("a"), chunk("b")]).await.unwrap();
    writer
        .write([status(TaskState::Completed, 1)])
        .await
        .unwrap();
    store.tidy().await.unwrap();
    let events = store.events(&scope(), "t", 1, 10).await.unwrap().unwrap();
    assert_eq!(events.len(), 2);
}

#[tokio::test]
async fn ended_task_reads_the_same_when_its_log_is_gone() {
    let database = Database::new();
    let store = database.open_without_window().await;
    let mut writer = Writer::create(&store, task("t", 0).with_history([Message::user("hi")])).await;
    for n in 0..20 {
        writer
            .write([chunk(n.to_string()), input("x")])
            .await
            .unwrap();
    }
    let mut open = Writer::create(&store, task("open", 0)).await;
    open.write([chunk("kept")]).await.unwrap();
    let said = TaskStatus::from(TaskState::Failed)
        .with_timestamp(at(1))
        .with_message(Message::agent("no"));
    let end = TaskEvent::Status(TaskStatusUpdateEvent::default().with_status(said));
    writer.write([end]).await.unwrap();
    let mut short = Writer::create(&store, task("short", 0)).await;
    short
        .write([chunk("x"), status(TaskState::Completed, 1)])
        .await
        .unwrap();
    let before = [load(&store, "t").await, load(&store, "short").await];
    store.tidy().await.unwrap();
    assert_eq!(
        [load(&store, "t").await, load(&store, "short").await],
        before
    );
    let stored = store.load(&scope(), "t").await.unwrap().unwrap();
    assert_eq!((stored.revision, stored.sequence), (41, 21));
    // What is not there is not half there.
    assert!(store.events(&scope(), "t", 0, 10).await.unwrap().is_none());
    assert!(store.events(&scope(), "t", 22, 10).await.unwrap().is_none());
    assert_eq!(
        store
            .events(&scope(), "t", 21, 10)
            .await
            .unwrap()
            .unwrap()
            .len(),
        0
    );
    assert_eq!(
        store
            .events(&scope(), "open", 0, 10)
            .await
            .unwrap()
            .unwrap()
            .len(),
        1
    );
    let mut connection = connect(&database.path()).await;
    assert_eq!(number(&mut connection, "SELECT count(*) FROM log").await, 1);
    // A writer that is late is refused as before.
    assert!(short.write([]).await.is_ok());
    short.revision = 1;
    assert!(short.write([chunk("late")]).await.is_err());
}

// The n-th chunk writes what the first one writes.
#[tokio::test(flavor = "multi_thread")]
async fn late_chunk_of_a_long_task_writes_as_much_as_an_early_one() {
    const CHUNKS: usize = 100_000;
    const WINDOW: usize = 1000;
    let database = Database::new();
    let store = database.open().await;
    let mut writer = Writer::create(&store, task("t", 0)).await;
    let mut connection = connect(&database.path()).await;
    let mut pages = Vec::new();
    for window in 0..CHUNKS / WINDOW {
        for batch in 0..WINDOW / 10 {
            let first = window * WINDOW + batch * 10;
            let chunks = (first..first + 10).map(|n| chunk(format!("{n:08}")));
            writer.write(chunks).await.unwrap();
        }
        pages.push(number(&mut connection, "PRAGMA page_count").await);
    }
    // The file grows by the same amount for every window.
    let growth: Vec<_> = pages.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (first, last) = (&growth[..10], &growth[growth.len() - 10..]);
    let (first, last): (i64, i64) = (first.iter().sum(), last.iter().sum());
    assert!(
        last <= first + first / 10 + 2,
        "{first} pages at first, {last} at last"
    );
    writer
        .write([status(TaskState::Completed, 1)])
        .await
        .unwrap();
    let stored = store.load(&scope(), "t").await.unwrap().unwrap();
    assert_eq!(stored.sequence, CHUNKS as u64 + 1);
    let parts = &stored.task.artifacts[0].parts;
    assert_eq!(parts.len(), CHUNKS);
    let in_order = (0..)
        .zip(parts)
        .all(|(n, part)| part.as_text() == Some(&format!("{n:08}")));
    assert!(in_order);
}

#[tokio::test]
async fn file_shrinks_when_tasks_are_purged() {
    let database = Database::new();
    let store = database.open_without_window().await;
    let text = "x".repeat(100_000);
    for n in 0..200 {
        let mut writer = Writer::create(&store, task(&n.to_string(), 0)).await;
        writer
            .write([chunk(&*text), status(TaskState::Completed, 1)])
            .await
            .unwrap();
    }
    let size = async || {
        let mut connection = connect(&database.path()).await;
        number(&mut connection, "PRAGMA page_count").await * 2048
    };
    // The artifact and the log; some of the logs may be gone already.
    let full = size().await;
    store.tidy().await.unwrap();
    let spare = 2048 * 2048 + 500_000;
    let without_logs = size().await;
    assert!(
        without_logs < 200 * 120_000 + spare,
        "{without_logs} of {full}"
    );
    assert_eq!(store.expire(at(2), 190).await.unwrap().len(), 190);
    store.tidy().await.unwrap();
    let rest = size().await;
    // Ten tasks and what is kept for the next ones.
    assert!(rest < 10 * 120_000 + spare, "{rest} of {full}");
    assert_eq!(
        list(&store, &Scope::__system(), &ListQuery::new(1))
            .await
            .total,
        10
    );
}

#[tokio::test]
async fn totals_follow_every_change() {
    let database = Database::new();
    let store = database.open().await;
    for n in 0..30 {
        let mut writer = Writer::create(&store, task(&format!("{n:02}"), 0)).await;
        if n % 3 > 0 {
            writer.write([status(TaskState::Working, 1)]).await.unwrap();
        }
        if n % 3 > 1 {
            writer.write([status(TaskState::Failed, 2)]).await.unwrap();
        }
    }
    store.expire(at(3), 4).await.unwrap();
    let mut connection = connect(&database.path()).await;
    let drift = "SELECT count(*) FROM (SELECT tenant, owner, state, count(*) AS n FROM tasks \
        GROUP BY 1, 2, 3) AS t FULL JOIN (SELECT * FROM counts WHERE tasks > 0) AS c \
        USING (tenant, owner, state) WHERE t.n IS NOT c.tasks";
    assert_eq!(number(&mut connection, drift).await, 0);
    let query = query(1, |query| query.status = Some(TaskState::Failed));
    assert_eq!(list(&store, &scope(), &query).await.total, 6);
}

// Pages are walked in an index, not sorted and not counted through.
#[tokio::test]
async fn pages_come_from_an_index() {
    let database = Database::new();
    let store = database.open().await;
    for n in 0..10 {
        Writer::create(&store, task(&n.to_string(), n)).await;
    }
    let mut connection = connect(&database.path()).await;
    for (list, index) in [
        ("state = 1 AND owner = 1", "tasks_by_state"),
        ("owner = 1 AND context = 'c'", "tasks_by_context"),
        ("tenant = ''", "tasks_by_tenant"),
    ] {
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT key, time, id FROM tasks WHERE {list} \
             AND (time, id) < (5, 'x') ORDER BY time DESC, id DESC LIMIT 10"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        let plan: Vec<String> = rows.iter().map(|row| sqlx::Row::get(row, 3)).collect();
        assert_eq!(plan.len(), 1, "{plan:?}");
        assert!(
            plan[0].contains(&format!("USING COVERING INDEX {index}")),
            "{plan:?}"
        );
    }
}

#[tokio::test]
async fn memory_store_is_tidied_up_as_well() {
    let store = SqliteStore::builder().resume_window(Duration::ZERO);
    let store = store.open(":memory:").await.unwrap();
    let mut writer = Writer::create(&store, task("t", 0)).await;
    writer.write([chunk("a")]).await.unwrap();
    writer
        .write([status(TaskState::Completed, 1)])
        .await
        .unwrap();
    store.tidy().await.unwrap();
    assert_eq!(load(&store, "t").await.artifacts[0].text(), "a");
    assert!(store.events(&scope(), "t", 0, 10).await.unwrap().is_none());
}

#[tokio::test]
async fn a_new_task_that_nothing_is_appended_to_is_written_after_a_moment() {
    let database = Database::new();
    let store = database.open().await;
    let mut writer = Writer::create_due(&store, task("t", 0), Due::FirstAppend).await;
    // Past the store: whoever asks it has the task written at once.
    let mut connection = connect(&database.path()).await;
    let written = async {
        while number(&mut connection, "SELECT count(*) FROM tasks").await == 0 {
            tokio::task::yield_now().await;
        }
    };
    let minute = Duration::from_secs(60);
    tokio::time::timeout(minute, written).await.unwrap();
    writer.write([chunk("x")]).await.unwrap();
    assert_eq!(load(&store, "t").await.artifacts.len(), 1);
}

#[tokio::test]
async fn a_new_task_is_there_after_the_store_was_closed() {
    let database = Database::new();
    let store = database.open().await;
    Writer::create_due(&store, task("t", 0), Due::FirstAppend).await;
    store.close().await;
    let store = database.open().await;
    assert_eq!(load(&store, "t").await, task("t", 0));
}
