//! Several servers of one agent over one store.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use a2a_server::{LocalEventBus, MemoryPushConfigStore, MemoryTaskStore};
use a2a_types::store::{Created, EventBus, NewTask, Owner, TaskStore};
use a2a_types::{Task, TaskState, TaskStatus, Timestamp};
use serde_json::json;
use support::webhooks::{HOOK, steady};
use support::{
    BINDINGS, Event, Events, Gate, Recorder, Scripted, TestServer, builder, serve, within,
};

/// Two servers that run the same agent, and the bus between them.
async fn pair(agent: &Scripted) -> (TestServer, TestServer, LocalEventBus) {
    let (one, other, bus, _) = joined(agent).await;
    (one, other, bus)
}

/// The same with their store.
async fn joined(agent: &Scripted) -> (TestServer, TestServer, LocalEventBus, Arc<MemoryTaskStore>) {
    let (tasks, webhooks) = (
        Arc::new(MemoryTaskStore::new()),
        Arc::new(MemoryPushConfigStore::new()),
    );
    let bus = LocalEventBus::new();
    let server = || {
        builder(agent.clone())
            .task_store(tasks.clone())
            .push_config_store(webhooks.clone())
            .push_sender(Arc::new(Recorder::default()))
            .event_bus(Arc::new(bus.clone()))
    };
    let (one, other) = (serve(server()).await, serve(server()).await);
    (one, other, bus, tasks)
}

async fn until(events: &mut Events, state: &str) -> String {
    loop {
        let event = within(events.next()).await.unwrap();
        if event.state() == state {
            let member = &event.body[event.kind()];
            let id = member.get("taskId").or(member.get("id")).unwrap();
            return id.as_str().unwrap().to_owned();
        }
    }
}

fn shown(events: &[Event]) -> Vec<(Option<u64>, String)> {
    let shown = events.iter().map(|e| (e.id, e.body.to_string()));
    shown.collect()
}

#[tokio::test]
async fn a_task_of_one_server_is_followed_at_the_other() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let (one, other, bus) = pair(&steady(&gate, 30)).await;
        let (here, there) = (one.caller(wire), other.caller(wire));
        let mut sent = here.stream_send("go").await;
        let task = until(&mut sent, "WORKING").await;
        let mut joined = there.subscribe(&task).await.unwrap();
        let first = within(joined.next()).await.unwrap();
        assert_eq!(first.kind(), "task");
        // Wakes up for each event, and for many at once.
        gate.open();
        let seen = [
            within(sent.next()).await.unwrap(),
            within(joined.next()).await.unwrap(),
        ];
        assert_eq!(shown(&seen[..1]), shown(&seen[1..]));
        gate.open_for(30);
        let (sent, joined) = (within(sent.all()).await, within(joined.all()).await);
        assert_eq!(sent.len(), 30);
        assert_eq!(shown(&sent), shown(&joined));
        let (a, b) = (here.get_task(&task).await, there.get_task(&task).await);
        assert_eq!((a.state(), a.task()), ("COMPLETED", b.task()));
        there
            .subscribe(&task)
            .await
            .err()
            .unwrap()
            .expect_unsupported();
        // A client that has lost the one server goes on at the other.
        let resuming = there.clone().with("last-event-id", "3");
        let rest = within(resuming.subscribe(&task).await.unwrap().all()).await;
        assert_eq!(shown(&rest), shown(&sent[1..]));
        // It belongs to nobody any more.
        assert_eq!((one.server.live_tasks(), other.server.live_tasks()), (0, 0));
        assert!(bus.claim(&task).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_task_that_waits_is_continued_at_either_server() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let (one, other, _) = pair(&steady(&gate, 1)).await;
        let (here, there) = (one.caller(wire), other.caller(wire));
        let task = here.send("park").await.task_id();
        let mut watching = here.subscribe(&task).await.unwrap();
        assert_eq!(until(&mut watching, "INPUT_REQUIRED").await, task);
        let answering = tokio::spawn({
            let (there, task) = (there.clone(), task.clone());
            async move { there.send_to(&task, "go").await }
        });
        until(&mut watching, "WORKING").await;
        // The other server has it now.
        for refused in [
            here.send_to(&task, "more").await,
            here.cancel(&task).await,
            here.call(
                "CreateTaskPushNotificationConfig",
                json!({"taskId": task, "url": HOOK}),
            )
            .await,
        ] {
            refused.expect_error(-32603, 503, "UNAVAILABLE", None);
            assert_eq!(refused.headers["retry-after"], "1");
        }
        assert_eq!(here.get_task(&task).await.state(), "WORKING");
        gate.open_for(2);
        assert_eq!(within(answering).await.unwrap().state(), "COMPLETED");
        let events = within(watching.all()).await;
        assert_eq!(events.last().unwrap().state(), "COMPLETED");
        here.cancel(&task).await.expect_not_cancelable();
    }
}

#[tokio::test]
async fn a_server_that_stops_leaves_the_tasks_of_others_alone() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let (one, other, _) = pair(&steady(&gate, 0)).await;
        let (here, there) = (one.caller(wire), other.caller(wire));
        let mut sent = here.stream_send("go").await;
        let task = until(&mut sent, "WORKING").await;
        let mut joined = there.subscribe(&task).await.unwrap();
        until(&mut joined, "WORKING").await;
        within(other.server.shutdown(Duration::from_secs(5))).await;
        assert!(within(joined.next()).await.is_none());
        gate.open();
        until(&mut sent, "COMPLETED").await;
    }
}

#[tokio::test]
async fn a_run_is_ended_by_whoever_asks_when_no_server_has_it_any_more() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let (one, other, bus, store) = joined(&steady(&gate, 0)).await;
        let there = other.caller(wire);
        let held = one.caller(wire).send_immediately("go").await.task_id();
        assert!(bus.claim(&held).await.unwrap().is_none());
        let mut events = there.subscribe(&held).await.unwrap();
        events.next().await.unwrap();
        // What a server has left behind that has gone without a word.
        let lost = Task::default()
            .with_id(format!("lost-{wire:?}"))
            .with_context_id("c")
            .with_status(TaskStatus::from(TaskState::Working).with_timestamp(Timestamp::now()));
        let created = store
            .create(&Owner::new("", ""), NewTask::new(Arc::new(lost.clone())))
            .await
            .unwrap();
        assert_eq!(created, Created::New);
        let mut left = there.subscribe(&lost.id).await.unwrap();
        assert_eq!(until(&mut left, "FAILED").await, lost.id);
        assert!(within(left.next()).await.is_none());
        // The other one goes on.
        gate.open();
        let last = within(events.all()).await.pop().unwrap();
        assert_eq!(last.state(), "COMPLETED");
    }
}
