//! What the tests have in common.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use a2a_store_sqlite::{SqliteStore, SqliteStoreBuilder};
use a2a_types::reducer::TaskEvent;
use a2a_types::store::{
    Append, Due, ListQuery, LogEntry, NewTask, Owner, Scope, StoreError, TaskPage, TaskStore,
};
use a2a_types::{
    Artifact, Message, Part, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent, Timestamp,
};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Row, SqliteConnection};
use tempfile::TempDir;

/// A database in a folder of its own.
pub(crate) struct Database {
    folder: TempDir,
}

impl Database {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("a2a.db")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) async fn open(&self) -> SqliteStore {
        SqliteStore::open(self.path()).await.unwrap()
    }

    /// A store whose logs of ended tasks may go at once.
    pub(crate) async fn open_without_window(&self) -> SqliteStore {
        let builder = SqliteStore::builder().resume_window(Duration::ZERO);
        builder.open(self.path()).await.unwrap()
    }
}

/// A store that waits for nobody.
pub(crate) fn impatient() -> SqliteStoreBuilder {
    SqliteStore::builder().lock_timeout(Duration::ZERO)
}

/// A connection of another program.
pub(crate) async fn connect(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path);
    options
        .busy_timeout(Duration::from_secs(10))
        .connect()
        .await
        .unwrap()
}

/// The only number that a statement answers with.
pub(crate) async fn number(connection: &mut SqliteConnection, sql: impl Into<String>) -> i64 {
    let query = sqlx::query(AssertSqlSafe(sql.into()));
    query.fetch_one(connection).await.unwrap().get(0)
}

pub(crate) fn owner() -> Owner {
    Owner::new("", "alice")
}

pub(crate) fn scope() -> Scope {
    Scope::owner(owner())
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_millis((1_750_000_000 + second) * 1000)
}

pub(crate) fn task(id: &str, second: i64) -> Task {
    let status = TaskStatus::from(TaskState::Submitted).with_timestamp(at(second));
    Task::default()
        .with_id(id)
        .with_context_id("context")
        .with_status(status)
}

pub(crate) fn chunk(text: impl Into<Part>) -> TaskEvent {
    let event = TaskArtifactUpdateEvent::default()
        .with_task_id("t")
        .with_artifact(Artifact::new("a", [text]));
    TaskEvent::Artifact(event.with_append(true))
}

pub(crate) fn status(state: TaskState, second: i64) -> TaskEvent {
    let status = TaskStatus::from(state).with_timestamp(at(second));
    TaskEvent::Status(TaskStatusUpdateEvent::default().with_status(status))
}

pub(crate) fn input(text: &str) -> TaskEvent {
    TaskEvent::Input(Message::user(text))
}

/// The only writer of a task, who knows how far it is.
pub(crate) struct Writer {
    pub(crate) store: SqliteStore,
    pub(crate) id: String,
    pub(crate) revision: u64,
    pub(crate) sequence: u64,
}

impl Writer {
    pub(crate) async fn create(store: &SqliteStore, task: Task) -> Self {
        Self::create_due(store, task, Due::Now).await
    }

    pub(crate) async fn create_due(store: &SqliteStore, task: Task, due: Due) -> Self {
        let id = task.id.clone();
        let new = NewTask::new(task).with_due(due);
        store.create(&owner(), new).await.unwrap();
        Self {
            store: store.clone(),
            id,
            revision: 0,
            sequence: 0,
        }
    }

    /// Appends the events together.
    pub(crate) async fn write(
        &mut self,
        events: impl IntoIterator<Item = TaskEvent>,
    ) -> Result<(), StoreError> {
        let mut sequence = self.sequence;
        let entries: Vec<_> = events
            .into_iter()
            .map(|event| {
                sequence += u64::from(!matches!(event, TaskEvent::Input(_)));
                Arc::new(LogEntry::new(sequence, event))
            })
            .collect();
        let append = Append::new(self.revision, &entries);
        self.store.append(&scope(), &self.id, append).await?;
        self.revision += entries.len() as u64;
        self.sequence = sequence;
        Ok(())
    }
}

pub(crate) async fn load(store: &SqliteStore, id: &str) -> Task {
    let stored = store.load(&Scope::__system(), id).await.unwrap();
    Task::clone(&stored.unwrap().task)
}

pub(crate) async fn list(store: &SqliteStore, scope: &Scope, query: &ListQuery) -> TaskPage {
    TaskStore::list(store, scope, query).await.unwrap()
}

/// A query for so many tasks, with filters.
pub(crate) fn query(size: usize, filter: impl FnOnce(&mut ListQuery)) -> ListQuery {
    let mut query = ListQuery::new(size);
    filter(&mut query);
    query
}
