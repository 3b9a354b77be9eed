//! A server on the store: what it finds when it starts, and what its callers see.

use std::sync::Arc;
use std::time::Duration;

use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_store_sqlite::SqliteStore;
use a2a_types::operations::{GetTask, ListTasks};
use a2a_types::store::{NewTask, Owner, Scope, TaskStore};
use a2a_types::{AgentCard, GetTaskRequest, ListTasksRequest, Message, Task, TaskState};
use tokio::sync::Notify;

use crate::support::{Database, list, query, task};

/// Says one thing and then nothing more, until it is told.
struct Stuck(Arc<Notify>);

impl Agent for Stuck {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        task.working().await?;
        task.artifact("words").text(request.text()).send().await?;
        if request.text() == "ask" {
            return task.input_required("what?").await;
        }
        self.0.notified().await;
        task.complete().await
    }
}

fn server(store: SqliteStore, go_on: &Arc<Notify>) -> Server {
    let store = Arc::new(store);
    Server::builder(Stuck(Arc::clone(go_on)))
        .card(AgentCard::builder("Stuck", "Waits").skill("wait", "Wait", "Waits"))
        .task_store(store.clone())
        .push_config_store(store)
        .build()
        .unwrap()
}

/// Waits until the store has the task in this state.
async fn until(store: &SqliteStore, state: TaskState) -> Task {
    let found = async {
        loop {
            let query = query(1, |query| query.status = Some(state));
            let page = list(store, &Scope::__system(), &query).await;
            if let Some(task) = page.tasks.first() {
                let stored = store
                    .load(&Scope::__system(), &task.id)
                    .await
                    .unwrap()
                    .unwrap();
                if !stored.task.artifacts.is_empty() {
                    return Task::clone(&stored.task);
                }
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), found)
        .await
        .unwrap()
}

// What the engine promises for a restart: a run that was lost fails, what waits for the client waits.
#[tokio::test(flavor = "multi_thread")]
async fn tasks_survive_a_server_that_dies_at_work() {
    let database = Database::new();
    let store = database.open().await;
    let copy = Database::new();
    let go_on = Arc::new(Notify::new());
    let (working, waiting) = {
        let server = server(store.clone(), &go_on);
        let stream = server
            .local()
            .send_streaming(Message::user("work"))
            .await
            .unwrap();
        let asked = server.local().ask("ask").await.unwrap();
        assert_eq!(asked.state(), TaskState::InputRequired);
        let working = until(&store, TaskState::Working).await;
        // The file as a process that dies now leaves it behind.
        store.backup(copy.path()).await.unwrap();
        drop(stream);
        (working, asked)
    };
    let store = copy.open().await;
    let next = server(store.clone(), &go_on);
    next.upkeep().await;
    let lost = until(&store, TaskState::Failed).await;
    assert_eq!(lost.id, working.id);
    assert_eq!(lost.artifacts[0].text(), "work");
    let get = GetTaskRequest::default().with_id(waiting.id.as_str());
    let found = next.local().call::<GetTask>(get).await.unwrap();
    assert_eq!(found.state(), TaskState::InputRequired);
    // And it goes on where it was.
    let more = Message::user("ask").with_task_id(waiting.id.as_str());
    next.local().send(more).await.unwrap();
    let list = ListTasksRequest::default();
    let list = next.local().call::<ListTasks>(list).await.unwrap();
    assert_eq!((list.total_size, list.tasks.len()), (2, 2));
}

// Tasks whose store was closed under them, by whatever state they were left in.
#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_recovered_as_it_should_be() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    let states = [
        (TaskState::Submitted, TaskState::Failed),
        (TaskState::Working, TaskState::Failed),
        (TaskState::InputRequired, TaskState::InputRequired),
        (TaskState::AuthRequired, TaskState::AuthRequired),
        (TaskState::Completed, TaskState::Completed),
    ];
    for (state, _) in states {
        let mut left = task(state.as_str_name(), 0);
        left.status.as_mut().unwrap().set_state(state);
        store
            .create(&Owner::new("", ""), NewTask::new(left))
            .await
            .unwrap();
    }
    // A store in memory has nothing to recover; as a file it would.
    let copy = Database::new();
    store.backup(copy.path()).await.unwrap();
    let store = copy.open().await;
    let server = server(store.clone(), &Arc::default());
    server.upkeep().await;
    let settled = async {
        loop {
            let mut right = 0;
            for (state, expected) in states {
                let id = state.as_str_name();
                let stored = store.load(&Scope::__system(), id).await.unwrap().unwrap();
                right += usize::from(stored.task.state() == expected);
            }
            if right == states.len() {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), settled)
        .await
        .unwrap();
}
