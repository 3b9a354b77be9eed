//! A task store that is also the outbox: the engine leaves the notifications to it.

use std::sync::Arc;

use a2a_push::MemoryOutbox;
use a2a_server::MemoryTaskStore;
use a2a_types::push::{Notification, PushOutbox, PushSender as _};
use a2a_types::store::{
    Append, Created, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner, Scope, StoreError,
    StoreProperties, StoredTask, TaskPage, TaskStore,
};
use a2a_types::testkit::{JoinedStore, Subject};
use a2a_types::{Task, Timestamp};
use async_trait::async_trait;
use serde_json::json;

use crate::server::{Agents, Wire, got};
use crate::support::{Receiver, sender};

/// Both in memory, so that nothing comes between an event and its notifications.
struct Joined {
    tasks: MemoryTaskStore,
    outbox: Arc<MemoryOutbox>,
}

impl Joined {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            tasks: MemoryTaskStore::new(),
            outbox: Arc::new(MemoryOutbox::new()),
        })
    }
}

#[async_trait]
impl TaskStore for Joined {
    fn properties(&self) -> StoreProperties {
        let outbox = self.outbox.properties().id;
        self.tasks.properties().with_outbox(outbox)
    }

    async fn create(&self, owner: &Owner, new: NewTask) -> Result<Created, StoreError> {
        let webhooks = new.webhooks.clone();
        let note = Notification::of_task(&new.task).with_trace(new.trace.clone());
        let created = self.tasks.create(owner, new).await?;
        if created == Created::New {
            let now = Timestamp::now();
            self.outbox.enqueue(&webhooks, &[note], now).await?;
        }
        Ok(created)
    }

    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<Option<Arc<Task>>, StoreError> {
        let ended = self.tasks.append(scope, task_id, append.clone()).await?;
        let entries = append.entries.iter();
        let notes = entries.filter_map(Notification::of_entry);
        let notes: Vec<_> = notes
            .map(|note| note.with_trace(append.trace.cloned()))
            .collect();
        let now = Timestamp::now();
        self.outbox.enqueue(append.webhooks, &notes, now).await?;
        Ok(ended)
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        self.tasks.load(scope, task_id).await
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        self.tasks.list(scope, query).await
    }

    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        self.tasks.events(scope, task_id, after, limit).await
    }

    async fn resent(
        &self,
        owner: &Owner,
        key: &IdempotencyKey,
    ) -> Result<Option<String>, StoreError> {
        self.tasks.resent(owner, key).await
    }

    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
        self.tasks.expire(before, limit).await
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        self.tasks.delete_owner(owner).await
    }
}

async fn make() -> Subject<JoinedStore> {
    let tasks = Joined::new();
    let outbox = Arc::clone(&tasks.outbox);
    Subject::new(Arc::new(JoinedStore { tasks, outbox }))
}

a2a_types::joined_outbox_suite!(make);

// B3: once each, whoever puts them into the outbox.
#[tokio::test]
async fn a_store_that_is_the_outbox_queues_what_the_engine_stores() {
    let store = Joined::new();
    let outbox = Arc::clone(&store.outbox);
    let sender = sender().outbox(outbox).build().unwrap();
    let agents = Agents::with(sender.clone(), |server| server.task_store(store)).await;
    let mut receiver = Receiver::start().await;
    let config = json!({"url": receiver.url("/hook")});
    let answer = agents.send(Wire::Rest, "Immediately", "2", config).await;
    let task = answer["task"]["id"].as_str().unwrap();
    assert_eq!(got(&mut receiver, 2).await, ["task SUBMITTED", "WORKING"]);
    let mut second = Receiver::start().await;
    let config = json!({"taskId": task, "url": second.url("/hook")});
    let create = agents.call(Wire::Rest, "CreateTaskPushNotificationConfig", config);
    assert_eq!(create.await.0, 200);
    agents.steps.add_permits(2);
    let rest = ["a0", "a1", "COMPLETED"];
    assert_eq!(got(&mut receiver, 3).await, rest);
    assert_eq!(got(&mut second, 3).await, rest);
    // None of them went the other way, too.
    assert_eq!(sender.metrics().taken, 0);
    receiver.expect_nothing();
    second.expect_nothing();
}

// A sender on another outbox is given everything, although the store has one.
#[tokio::test]
async fn a_sender_of_another_outbox_is_given_what_the_engine_stores() {
    let store = Joined::new();
    let sender = sender().build().unwrap();
    assert_ne!(sender.outbox(), store.properties().outbox);
    let agents = Agents::with(sender, |server| server.task_store(store.clone())).await;
    agents.steps.add_permits(1);
    let mut receiver = Receiver::start().await;
    let config = json!({"url": receiver.url("/hook")});
    agents.send(Wire::JsonRpc, "SendMessage", "1", config).await;
    let all = ["task SUBMITTED", "WORKING", "a0", "COMPLETED"];
    assert_eq!(got(&mut receiver, 4).await, all);
    assert_eq!(store.outbox.status().await.unwrap().waiting, 0);
}
