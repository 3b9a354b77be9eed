//! `CancelTask` (A2A §3.1.5).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_server::{Agent, AgentError, CancelRequest, MemoryTaskStore, Request, TaskHandle};
use a2a_types::operations::{CancelTask, SendMessage};
use a2a_types::store::{Owner, TaskStore};
use a2a_types::{
    CancelTaskRequest, ErrorKind, Message, SendMessageConfiguration, SendMessageRequest, TaskState,
    send_message_response::Payload,
};
use futures::future::join_all;
use serde_json::json;
use support::{
    Gate, Scripted, TERMINAL, arrivals, briefs, builder, said, scripted, serve, serve_agent,
    spoken, within,
};

/// Brings the task into a state and stays there, awake.
fn staying(state: TaskState, reached: &Gate) -> Scripted {
    let reached = reached.clone();
    scripted(move |_, task| {
        let reached = reached.clone();
        async move {
            if state != TaskState::Submitted {
                task.status(state).message("here").send().await?;
            }
            reached.open();
            std::future::pending().await
        }
    })
}

// A2A-3.1.5-01, A2A-3.1.5-05 R099
#[tokio::test]
async fn a_running_task_is_canceled_in_every_state() {
    for state in ["SUBMITTED", "WORKING", "INPUT_REQUIRED", "AUTH_REQUIRED"] {
        let reached = Gate::new();
        let full = TaskState::from_str_name(&format!("TASK_STATE_{state}")).unwrap();
        let agent = staying(full, &reached);
        let server = serve_agent(agent.clone()).await;
        for (round, caller) in server.callers().enumerate() {
            let id = caller.send_immediately("hi").await.task_id();
            within(reached.pass()).await;
            let stream = caller.subscribe(&id).await.unwrap();
            let answer = within(caller.cancel(&id)).await;
            assert_eq!((answer.state(), answer.task_id()), ("CANCELED", id.clone()));
            assert!(answer.result().get("task").is_none());
            let events = within(stream.all()).await;
            assert_eq!(events.last().unwrap().brief(), "statusUpdate CANCELED");
            assert_eq!(caller.get_task(&id).await.task(), answer.task());
            assert_eq!(agent.canceled.lock().unwrap().len(), round + 1);
        }
    }
}

// A2A-3.1.5-04 R099
#[tokio::test]
async fn a_task_that_waits_without_running_code_is_canceled() {
    let agent = Scripted::obedient();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for state in ["INPUT_REQUIRED", "AUTH_REQUIRED"] {
            let id = caller.task_in(state).await;
            let stream = caller.subscribe(&id).await.unwrap();
            let answer = within(caller.cancel(&id)).await;
            assert_eq!(answer.state(), "CANCELED");
            let events = within(stream.all()).await;
            let task = format!("task {state}");
            assert_eq!(briefs(&events, 2), [&task, "statusUpdate CANCELED"]);
            // What the agent said last is kept.
            assert_eq!(said(answer.task()).len(), 2);
            assert!(answer.task()["status"].get("message").is_none());
        }
    }
    assert_eq!(agent.canceled.lock().unwrap().len(), 0);
}

// A2A-3.1.5-05
#[tokio::test]
async fn those_who_wait_for_the_task_see_the_cancellation() {
    let reached = Gate::new();
    let server = serve_agent(staying(TaskState::Working, &reached)).await;
    for caller in server.callers() {
        let blocking = tokio::spawn({
            let caller = caller.clone();
            async move { caller.send("hi").await }
        });
        within(reached.pass()).await;
        let list = caller
            .call("ListTasks", json!({"status": "TASK_STATE_WORKING"}))
            .await;
        let id = list.result()["tasks"][0]["id"].as_str().unwrap().to_owned();
        let waiting = tokio::spawn({
            let (caller, id) = (caller.clone(), id.clone());
            async move { caller.send_to(&id, "more").await }
        });
        let canceled = within(caller.cancel(&id)).await;
        let answer = within(blocking).await.unwrap();
        assert_eq!(answer.state(), "CANCELED");
        assert_eq!(answer.task(), canceled.task());
        within(waiting).await.unwrap().expect_unsupported();
    }
}

// A2A-3.1.5-02, A2A-3.3.1-03 D15 R101
#[tokio::test]
async fn a_task_that_has_ended_cannot_be_canceled() {
    let server = serve_agent(Scripted::obedient()).await;
    for caller in server.callers() {
        for state in TERMINAL {
            let id = caller.task_in(state).await;
            let before = caller.get_task(&id).await;
            for _ in 0..2 {
                caller.cancel(&id).await.expect_not_cancelable();
            }
            assert_eq!(caller.get_task(&id).await.task(), before.task());
        }
        // A2A-3.1.5-03
        caller.cancel("nope").await.expect_task_not_found();
    }
}

// A2A-3.3.1-04
#[tokio::test]
async fn a_purged_task_is_not_found() {
    let store = Arc::new(MemoryTaskStore::new());
    let server = serve(builder(Scripted::obedient()).task_store(store.clone())).await;
    for caller in server.callers() {
        let id = caller.task_in("CANCELED").await;
        store.delete_owner(&Owner::new("", "")).await.unwrap();
        caller.cancel(&id).await.expect_task_not_found();
    }
}

// A2A-3.1.5-02
#[tokio::test]
async fn an_agent_may_decline_and_then_goes_on_undisturbed() {
    let (reached, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (reached.clone(), go.clone());
        move |_, task| {
            let (reached, go) = gates.clone();
            async move {
                task.working().await?;
                let token = task.cancellation_token();
                reached.open();
                go.pass().await;
                assert!(!token.is_cancelled());
                task.complete().await
            }
        }
    });
    let agent = agent.declining_cancel();
    let server = serve_agent(agent.clone()).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send_immediately("hi").await.task_id();
        within(reached.pass()).await;
        for attempt in 1..=2 {
            within(caller.cancel(&id)).await.expect_not_cancelable();
            assert_eq!(caller.get_task(&id).await.state(), "WORKING");
            assert_eq!(agent.canceled.lock().unwrap().len(), 2 * round + attempt);
        }
        let stream = caller.subscribe(&id).await.unwrap();
        go.open();
        within(stream.all()).await;
        assert_eq!(caller.get_task(&id).await.state(), "COMPLETED");
    }
}

// A2A-3.1.5-01
#[tokio::test]
async fn an_agent_that_watches_for_it_can_put_things_in_order() {
    let reached = Gate::new();
    let agent = scripted({
        let reached = reached.clone();
        move |request, task| {
            let reached = reached.clone();
            async move {
                task.working().await?;
                reached.open();
                task.cancelled().await;
                task.artifact("a").text("so far").send().await?;
                match request.text().as_str() {
                    "say so" => {
                        task.status(TaskState::Canceled)
                            .message("stopped")
                            .send()
                            .await
                    }
                    "fail" => Err(AgentError::new("on the way out")),
                    "linger" => {
                        // The last handle decides, not the agent's return.
                        tokio::spawn(async move { task.artifact("b").text("x").send().await });
                        Ok(())
                    }
                    _ => Ok(()),
                }
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        for (text, words, artifacts) in [
            ("return", None, 1),
            ("say so", Some("AGENT stopped"), 1),
            ("fail", None, 1),
            ("linger", None, 2),
        ] {
            let id = caller.send_immediately(text).await.task_id();
            within(reached.pass()).await;
            let answer = within(caller.cancel(&id)).await;
            assert_eq!(answer.state(), "CANCELED", "{text}");
            let task = answer.task();
            assert_eq!(
                task["artifacts"].as_array().unwrap().len(),
                artifacts,
                "{text}"
            );
            let said = task["status"].get("message").map(spoken);
            assert_eq!(said.as_deref(), words);
            assert_eq!(caller.get_task(&id).await.task(), task);
        }
    }
}

// A2A-3.1.5-02, A2A-4.1-10 R097
#[tokio::test]
async fn an_agent_that_finishes_after_all_has_the_last_word() {
    let reached = Gate::new();
    let agent = scripted({
        let reached = reached.clone();
        move |_, task| {
            let reached = reached.clone();
            async move {
                task.working().await?;
                reached.open();
                task.cancelled().await;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send_immediately("hi").await.task_id();
        within(reached.pass()).await;
        within(caller.cancel(&id)).await.expect_not_cancelable();
        assert_eq!(caller.get_task(&id).await.state(), "COMPLETED");
    }
}

// A2A-3.1.5-01
#[tokio::test]
async fn an_agent_that_does_not_watch_for_it_is_stopped() {
    let (reached, held) = (Gate::new(), Arc::new(()));
    let agent = scripted({
        let (reached, held) = (reached.clone(), Arc::clone(&held));
        move |_, task| {
            let (reached, held) = (reached.clone(), Arc::clone(&held));
            async move {
                task.working().await?;
                reached.open();
                std::future::pending::<()>().await;
                drop(held);
                Ok(())
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send_immediately("hi").await.task_id();
        within(reached.pass()).await;
        assert_eq!(Arc::strong_count(&held), 3);
        assert_eq!(within(caller.cancel(&id)).await.state(), "CANCELED");
        within(async {
            while Arc::strong_count(&held) > 2 {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

// A2A-3.1.5-01
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_agent_that_blocks_its_thread_is_canceled_all_the_same() {
    let reached = Gate::new();
    let (go, waits) = std::sync::mpsc::channel::<()>();
    let waits = Arc::new(Mutex::new(waits));
    let agent = scripted({
        let (reached, waits) = (reached.clone(), Arc::clone(&waits));
        move |_, task| {
            let (reached, waits) = (reached.clone(), Arc::clone(&waits));
            async move {
                task.working().await?;
                reached.open();
                let _ = waits.lock().unwrap().recv_timeout(Duration::from_secs(20));
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send_immediately("hi").await.task_id();
        within(reached.pass()).await;
        let canceled = within(caller.cancel(&id)).await;
        go.send(()).unwrap();
        assert_eq!(canceled.state(), "CANCELED");
        assert_eq!(caller.get_task(&id).await.task(), canceled.task());
    }
}

// A2A-3.1.5-01 D15 R101
#[tokio::test]
async fn a_second_cancellation_joins_the_first() {
    let (reached, told, go) = (Gate::new(), Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (reached.clone(), told.clone(), go.clone());
        move |_, task| {
            let (reached, told, go) = gates.clone();
            async move {
                task.working().await?;
                reached.open();
                task.cancelled().await;
                told.open();
                go.pass().await;
                Ok(())
            }
        }
    });
    let arrived = Gate::new();
    let server = serve(builder(agent.clone()).layer(arrivals(&arrived, "Cancel"))).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send_immediately("hi").await.task_id();
        within(reached.pass()).await;
        let cancels = join_all((0..5).map(|_| caller.cancel(&id)));
        let (answers, ()) = futures::join!(within(cancels), async {
            within(told.pass()).await;
            for _ in 0..5 {
                within(arrived.pass()).await;
            }
            go.open();
        });
        for answer in &answers {
            assert_eq!(answer.state(), "CANCELED");
            assert_eq!(answer.task(), answers[0].task());
        }
        assert_eq!(agent.canceled.lock().unwrap().len(), round + 1);
        caller.cancel(&id).await.expect_not_cancelable();
        within(arrived.pass()).await;
    }
}

// A2A-3.1.5-06
#[tokio::test]
async fn the_agent_is_told_who_cancels_and_why() {
    let reached = Gate::new();
    let agent = staying(TaskState::Working, &reached);
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let sent = caller.send_immediately("hi").await;
        within(reached.pass()).await;
        let params = json!({"id": sent.task_id(), "metadata": {"why": ["changed", null]}});
        let caller = caller.with("x-who", "me");
        caller.call("CancelTask", params).await.result();
        let request = agent.canceled.lock().unwrap().pop().unwrap();
        assert_eq!(request.task_id, sent.task_id());
        assert_eq!(request.context_id, sent.task()["contextId"]);
        let metadata = serde_json::to_value(&request.metadata).unwrap();
        assert_eq!(metadata, json!({"why": ["changed", null]}));
        assert_eq!(request.context.headers.get("x-who").unwrap(), "me");
    }
}

/// Never answers whether it agrees; its run goes on whatever it is told.
struct Deaf(Mutex<Vec<String>>);

impl Agent for Deaf {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        task.working().await?;
        if request.text() == "watch" {
            task.cancelled().await;
            self.0.lock().unwrap().push("told".into());
        }
        std::future::pending().await
    }

    async fn cancel(&self, request: CancelRequest) -> Result<(), AgentError> {
        match &request.metadata {
            Some(_) => Err(AgentError::new("the hook is broken")),
            None => std::future::pending().await,
        }
    }
}

// A2A-3.1.5-01
#[tokio::test(start_paused = true)]
async fn an_agent_that_does_not_react_is_given_a_bounded_time() {
    let agent = Deaf(Mutex::default());
    let server = builder(agent)
        .cancel_grace(Duration::from_secs(7))
        .build()
        .unwrap();
    let local = server.local();
    for (text, metadata, seconds) in [
        // The hook uses up all the time that there is.
        ("hi", None, 7),
        // A broken hook is no refusal; the run that watches may use the rest.
        ("watch", Some(a2a_types::Struct::default()), 7),
        // A run that never looked is stopped at once.
        ("hi", Some(a2a_types::Struct::default()), 0),
    ] {
        let mut send = SendMessageRequest::new(Message::user(text));
        let mut configuration = SendMessageConfiguration::default();
        configuration.return_immediately = true;
        send.configuration = Some(configuration);
        let sent = local.call::<SendMessage>(send).await.unwrap();
        let Some(Payload::Task(task)) = sent.payload else {
            panic!("{sent:?}")
        };
        // Time goes on only when all have come to rest.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let start = tokio::time::Instant::now();
        let mut cancel = CancelTaskRequest::default();
        cancel.id = task.id;
        cancel.metadata = metadata;
        let canceled = local.call::<CancelTask>(cancel.clone()).await.unwrap();
        assert_eq!(canceled.state(), TaskState::Canceled);
        assert_eq!(start.elapsed().as_secs(), seconds);
        let again = local.call::<CancelTask>(cancel).await.unwrap_err();
        assert_eq!(again.kind(), ErrorKind::TaskNotCancelable);
    }
}

// A2A-4.1-10, A2A-3.1.5-02 R097
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_cancellation_and_an_end_at_once_one_wins() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        for _ in 0..50 {
            let mut stream = caller.stream_send("hi").await;
            let mut events = vec![within(stream.next()).await.unwrap()];
            let id = events[0].body["task"]["id"].as_str().unwrap().to_owned();
            events.push(within(stream.next()).await.unwrap());
            let cancel = tokio::spawn({
                let (caller, id) = (caller.clone(), id.clone());
                async move { caller.cancel(&id).await }
            });
            // When the cancellation wins, the next run finds the gate open.
            go.open();
            let answer = within(cancel).await.unwrap();
            events.extend(within(stream.all()).await);
            let end = if answer.is_error() {
                answer.expect_not_cancelable();
                "COMPLETED"
            } else {
                "CANCELED"
            };
            let last = format!("statusUpdate {end}");
            assert_eq!(
                briefs(&events, 1),
                ["task SUBMITTED", "statusUpdate WORKING", &last]
            );
            assert_eq!(caller.get_task(&id).await.state(), end);
        }
    }
}
