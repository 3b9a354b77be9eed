//! What the behaviours are made of: tasks, events and a writer that knows what must come of them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Subject;
use crate::projection::Artifacts;
use crate::reducer::{self, TaskEvent};
use crate::store::{
    Append, Created, Cursor, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner, Scope,
    StoreError, StoredTask, TaskPage, TaskStore,
};
use crate::{
    Artifact, Message, Part, Role, Struct, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent, Timestamp,
};

pub(super) type Tasks = Subject<dyn TaskStore>;

/// A second that all tests count from, so that times lie in our age.
const EPOCH: i64 = 1_750_000_000;

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp {
        seconds: EPOCH + second,
        nanos: 0,
    }
}

pub(super) fn at_millis(millis: i64) -> Timestamp {
    Timestamp::from_unix_millis(EPOCH * 1000 + millis)
}

/// An owner of an agent without tenants.
pub(super) fn owner(principal: &str) -> Owner {
    Owner::new("", principal)
}

pub(super) fn scope(owner: &Owner) -> Scope {
    Scope::owner(owner.clone())
}

/// A new task that got its status in this second.
pub(super) fn task(id: &str, second: i64) -> Task {
    stamped(id, at(second))
}

pub(super) fn stamped(id: &str, timestamp: Timestamp) -> Task {
    let status = TaskStatus::from(TaskState::Submitted).with_timestamp(timestamp);
    Task::default()
        .with_id(id)
        .with_context_id("context")
        .with_status(status)
}

pub(super) fn in_state(id: &str, second: i64, state: TaskState) -> Task {
    let status = TaskStatus::from(state).with_timestamp(at(second));
    task(id, second).with_status(status)
}

/// A task in which every field of every message is set.
pub(super) fn full_task(id: &str) -> Task {
    let message = |message: Message, message_id: &str| {
        message
            .with_message_id(message_id)
            .with_task_id(id)
            .with_context_id("context")
            .with_metadata(object(
                json!({ "from": "message", "deep": { "list": [1, null, "x"] } }),
            ))
            .with_extensions(["urn:x:v1", "urn:y:v1"])
            .with_reference_task_ids(["other"])
    };
    let status = TaskStatus::from(TaskState::InputRequired)
        .with_timestamp(at_millis(123))
        .with_message(message(Message::agent("which one?"), "m3"));
    let artifact = Artifact::new("a1", parts())
        .with_name("name")
        .with_description("description")
        .with_metadata(object(json!({ "from": "artifact" })))
        .with_extensions(["urn:z:v1"]);
    task(id, 0)
        .with_status(status)
        .with_history([
            message(Message::new(Role::User, parts()), "m1"),
            message(Message::agent("working on it"), "m2"),
        ])
        .with_artifacts([artifact, Artifact::new("a2", ["second"])])
        .with_metadata(object(json!({ "from": "task" })))
}

/// A part of every kind, and of every kind an empty one.
fn parts() -> Vec<Part> {
    let named = Part::raw(&b"\x00\xff\x80"[..])
        .with_filename("r.bin")
        .with_media_type("a/b");
    vec![
        named.with_metadata(object(json!({ "from": "part" }))),
        Part::text("text"),
        Part::url("https://example.com/a?b=c#d"),
        Part::data(json!({ "n": 1, "list": [true, null, {}] })),
        Part::raw(&b""[..]),
        Part::text(""),
        Part::url(""),
        Part::data(Value::Null),
    ]
}

pub(super) fn object(value: Value) -> Struct {
    match value {
        Value::Object(map) => Struct(map),
        other => panic!("{other} is not an object"),
    }
}

pub(super) fn status(state: TaskState, second: i64) -> TaskEvent {
    let status = TaskStatus::from(state).with_timestamp(at(second));
    TaskEvent::Status(TaskStatusUpdateEvent::default().with_status(status))
}

/// A status with something said, all in second 0.
pub(super) fn said(text: &str) -> TaskEvent {
    let message = Message::agent(text);
    let status = TaskStatus::from(TaskState::Working)
        .with_timestamp(at(0))
        .with_message(message);
    TaskEvent::Status(TaskStatusUpdateEvent::default().with_status(status))
}

pub(super) fn transient(text: &str) -> TaskEvent {
    match said(text) {
        TaskEvent::Status(event) => TaskEvent::Transient(event),
        other => other,
    }
}

pub(super) fn input(text: &str) -> TaskEvent {
    TaskEvent::Input(Message::user(text))
}

/// An artifact, or one more chunk of it.
pub(super) fn artifact(artifact: Artifact, append: bool) -> TaskEvent {
    let event = TaskArtifactUpdateEvent::default().with_artifact(artifact);
    TaskEvent::Artifact(event.with_append(append))
}

/// A chunk of text for artifact `a`.
pub(super) fn chunk(text: impl Into<Part>) -> TaskEvent {
    artifact(Artifact::new("a", [text]), true)
}

pub(super) fn key(message_id: &str, content: u8, now: i64, expires: i64) -> IdempotencyKey {
    IdempotencyKey::new(message_id, [content; 32], at(now), at(expires))
}

/// A query for everything, with all there is to each task.
pub(super) fn whole(page_size: usize) -> ListQuery {
    ListQuery {
        artifacts: Artifacts::Include,
        ..ListQuery::new(page_size)
    }
}

pub(super) fn ids(page: &TaskPage) -> Vec<&str> {
    page.tasks.iter().map(|task| task.id.as_str()).collect()
}

pub(super) fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort_unstable();
    ids
}

/// The place of a task in lists.
pub(super) fn place(task: &Task) -> Cursor {
    let timestamp = task.status.as_ref().unwrap().timestamp.unwrap();
    Cursor {
        timestamp,
        id: task.id.clone(),
    }
}

impl Tasks {
    /// Stores a new task.
    pub(super) async fn add(&self, owner: &Owner, task: Task) {
        let created = self.create(owner, NewTask::new(task)).await.unwrap();
        assert_eq!(created, Created::New);
    }

    /// Sends a message: the first time it makes the task `id`.
    pub(super) async fn send(&self, owner: &Owner, id: &str, key: IdempotencyKey) -> Created {
        let new = NewTask::new(task(id, 0)).with_idempotency(key);
        self.create(owner, new).await.unwrap()
    }

    /// A task that is there.
    pub(super) async fn stored(&self, scope: &Scope, id: &str) -> StoredTask {
        self.load(scope, id).await.unwrap().unwrap()
    }

    pub(super) async fn is_there(&self, id: &str) -> bool {
        self.load(&Scope::__system(), id).await.unwrap().is_some()
    }

    pub(super) async fn page(&self, scope: &Scope, query: &ListQuery) -> TaskPage {
        self.list(scope, query).await.unwrap()
    }

    /// The ids of all pages of a list, page by page; checks what holds for every page.
    pub(super) async fn pages(&self, scope: &Scope, query: &ListQuery) -> Vec<Vec<String>> {
        let mut query = query.clone();
        let mut pages = Vec::new();
        let mut total = None;
        loop {
            let page = self.page(scope, &query).await;
            assert_eq!(
                *total.get_or_insert(page.total),
                page.total,
                "the total stays the same"
            );
            assert!(
                page.tasks.len() <= query.page_size,
                "no more than the page size"
            );
            pages.push(page.tasks.iter().map(|task| task.id.clone()).collect());
            let Some(next) = page.next else { break };
            assert_eq!(
                page.tasks.len(),
                query.page_size,
                "only the last page is short"
            );
            assert!(pages.len() < page.total, "the list has an end");
            query.after = Some(next);
        }
        assert_eq!(
            total,
            Some(pages.iter().map(Vec::len).sum()),
            "the total counts all pages"
        );
        pages
    }

    /// All events of a task that is there, in the scope of the system.
    pub(super) async fn log(&self, id: &str) -> Vec<Arc<LogEntry>> {
        let events = self.events(&Scope::__system(), id, 0, usize::MAX).await;
        events.unwrap().unwrap()
    }
}

/// The only writer of a task. It knows what the task must have become.
pub(super) struct Writer {
    store: Arc<dyn TaskStore>,
    scope: Scope,
    pub(super) task: Task,
    pub(super) revision: u64,
    pub(super) sequence: u64,
}

impl Writer {
    /// Stores a new task and goes on from there.
    pub(super) async fn create(subject: &Tasks, owner: &Owner, task: Task) -> Self {
        subject.add(owner, task.clone()).await;
        let store = Arc::clone(&subject.store);
        Self {
            store,
            scope: scope(owner),
            task,
            revision: 0,
            sequence: 0,
        }
    }

    /// Appends the events together.
    pub(super) async fn write(&mut self, events: impl IntoIterator<Item = TaskEvent>) {
        let entries = self.entries(events);
        let append = Append::new(self.revision, &entries);
        let outcome = self.store.append(&self.scope, &self.task.id, append).await;
        let outcome = outcome.unwrap();
        for entry in &entries {
            reducer::apply(&mut self.task, entry.event());
            self.sequence = entry.sequence();
            self.revision += 1;
        }
        if let Some(outcome) = outcome {
            assert!(outcome.state().is_terminal());
            assert_eq!(*outcome, self.task);
        }
    }

    /// Entries for these events as the next ones of the task.
    pub(super) fn entries(
        &self,
        events: impl IntoIterator<Item = TaskEvent>,
    ) -> Vec<Arc<LogEntry>> {
        entries(&self.task, self.sequence, events)
    }

    /// Checks that the store holds what was written.
    pub(super) async fn check(&self) {
        let stored = self
            .store
            .load(&self.scope, &self.task.id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(*stored.task, self.task);
        assert_eq!(
            (stored.revision, stored.sequence),
            (self.revision, self.sequence)
        );
    }
}

/// Entries for these events of the task that follow the entry with this sequence.
pub(super) fn entries(
    task: &Task,
    mut sequence: u64,
    events: impl IntoIterator<Item = TaskEvent>,
) -> Vec<Arc<LogEntry>> {
    let entry = |mut event: TaskEvent| {
        match &mut event {
            TaskEvent::Input(message) => {
                message.task_id.clone_from(&task.id);
                message.context_id.clone_from(&task.context_id);
            }
            TaskEvent::Status(event) | TaskEvent::Transient(event) => {
                event.task_id.clone_from(&task.id);
                event.context_id.clone_from(&task.context_id);
            }
            TaskEvent::Artifact(event) => {
                event.task_id.clone_from(&task.id);
                event.context_id.clone_from(&task.context_id);
            }
        }
        sequence += u64::from(!matches!(event, TaskEvent::Input(_)));
        Arc::new(LogEntry::new(sequence, event))
    };
    events.into_iter().map(entry).collect()
}

/// One more entry by a writer who has to look first how far the task is; whether it was in time.
pub(super) async fn append_one(
    store: &dyn TaskStore,
    scope: &Scope,
    id: &str,
    event: TaskEvent,
) -> Result<(), StoreError> {
    let stored = store.load(scope, id).await?.unwrap();
    let entries = entries(&stored.task, stored.sequence, [event]);
    store
        .append(scope, id, Append::new(stored.revision, &entries))
        .await
        .map(drop)
}
