//! A task store that fails or is slow: stored comes before seen (R106), and nobody waits for ever.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex};

use a2a_server::testkit::{FaultyStore, StoreCall};
use a2a_server::{AgentError, MemoryTaskStore, TaskHandle};
use a2a_types::store::StoreErrorKind;
use serde_json::json;
use support::{
    Answer, Caller, Gate, Recorder, Scripted, TestServer, builder, said, scripted, serve, within,
};

const HOOK: &str = "https://hook.example.com";

/// A server with a store that fails on command, and webhooks that are remembered.
async fn faulty(agent: Scripted) -> (TestServer, FaultyStore, Recorder) {
    let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
    let recorder = Recorder::default();
    let server = builder(agent)
        .task_store(Arc::new(store.clone()))
        .push_sender(Arc::new(recorder.clone()));
    (serve(server).await, store, recorder)
}

/// Says WORKING, then one artifact each time the gate opens, three in all, and ends.
fn steps(gate: &Gate) -> Scripted {
    let gate = gate.clone();
    scripted(move |request, task| {
        let gate = gate.clone();
        async move {
            if request.text() == "park" {
                return task.input_required("more?").await;
            }
            task.working().await?;
            for n in 1..=3 {
                gate.pass().await;
                task.artifact(format!("a{n}")).text("x").send().await?;
            }
            task.complete().await
        }
    })
}

fn expect_failure(answer: &Answer, kind: StoreErrorKind) {
    match kind {
        StoreErrorKind::Unavailable => answer.expect_error(-32603, 503, "UNAVAILABLE", None),
        _ => answer.expect_error(-32603, 500, "INTERNAL", None),
    }
    assert!(!answer.body.to_string().contains("password"));
}

const KINDS: [StoreErrorKind; 2] = [StoreErrorKind::Internal, StoreErrorKind::Unavailable];

async fn send_with_hook(caller: &Caller) -> Answer {
    let configuration = json!({"taskPushNotificationConfig": {"url": HOOK}});
    let params = json!({"message": support::message("go"), "configuration": configuration});
    caller.call("SendMessage", params).await
}

async fn only_task(caller: &Caller) -> String {
    let list = caller.call("ListTasks", json!({"pageSize": 1})).await;
    list.result()["tasks"][0]["id"].as_str().unwrap().to_owned()
}

async fn forgotten(server: &TestServer) {
    within(async {
        while server.server.live_tasks() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// Waits until the task has ended, by reading it again and again as a client would.
async fn ended(caller: &Caller, id: &str) -> Answer {
    within(async {
        loop {
            let answer = caller.get_task(id).await;
            if support::TERMINAL.contains(&answer.state()) {
                return answer;
            }
        }
    })
    .await
}

// R106
#[tokio::test]
async fn what_the_store_does_not_take_is_seen_by_nobody_and_ends_the_task() {
    for kind in KINDS {
        let gate = Gate::new();
        let (server, store, recorder) = faulty(steps(&gate)).await;
        for caller in server.callers() {
            let told = recorder.sent_to(HOOK).len();
            // WORKING and the first artifact are stored, the second one is not.
            store.fail_nth(StoreCall::Append, 3, kind);
            let blocking = tokio::spawn({
                let caller = caller.clone();
                async move { send_with_hook(&caller).await }
            });
            within(async {
                while recorder.sent_to(HOOK).len() < told + 2 {
                    tokio::task::yield_now().await;
                }
            })
            .await;
            let id = only_task(&caller).await;
            let mut events = caller.subscribe(&id).await.unwrap();
            assert_eq!(events.next().await.unwrap().brief(), "task WORKING");
            gate.open();
            assert_eq!(events.next().await.unwrap().kind(), "artifactUpdate");
            gate.open();
            let last = within(events.next()).await.unwrap();
            assert!(last.raw.get("error").is_some(), "{}", last.raw);
            assert!(within(events.next()).await.is_none());
            expect_failure(&within(blocking).await.unwrap(), kind);

            let task = ended(&caller, &id).await;
            assert_eq!(task.state(), "FAILED");
            let artifacts = task.task()["artifacts"].as_array().unwrap();
            assert_eq!(artifacts.len(), 1);
            assert_eq!(artifacts[0]["artifactId"], "a1");
            let sent = recorder.sent_about(&id);
            let sent: Vec<_> = sent.iter().map(|(_, what)| what.as_str()).collect();
            let all = ["task SUBMITTED", "1 WORKING", "2 artifact", "3 FAILED"];
            assert_eq!(sent, all);
            forgotten(&server).await;
            // The server goes on.
            gate.open_for(3);
            assert_eq!(within(caller.send("go")).await.state(), "COMPLETED");
        }
    }
}

// R106
#[tokio::test]
async fn the_agent_is_told_that_its_word_was_not_stored() {
    type Said = Arc<Mutex<Vec<Result<(), AgentError>>>>;
    let said: Said = Arc::default();
    let agent = scripted({
        let said = Arc::clone(&said);
        move |_, task: TaskHandle| {
            let said = Arc::clone(&said);
            async move {
                let kept = task.clone();
                let ours = Arc::clone(&said);
                // Code of the agent's own, which is not stopped with the run.
                tokio::spawn(async move {
                    loop {
                        let outcome = kept.artifact("a").text("x").append().send().await;
                        let failed = outcome.is_err();
                        ours.lock().unwrap().push(outcome);
                        if failed {
                            return;
                        }
                        tokio::task::yield_now().await;
                    }
                });
                std::future::pending().await
            }
        }
    });
    let (server, store, _) = faulty(agent).await;
    for caller in server.callers() {
        store.fail_nth(StoreCall::Append, 3, StoreErrorKind::Internal);
        let answer = within(caller.send("go")).await;
        expect_failure(&answer, StoreErrorKind::Internal);
        within(async {
            while said.lock().unwrap().last().is_none_or(Result::is_ok) {
                tokio::task::yield_now().await;
            }
        })
        .await;
        let error = said.lock().unwrap().pop().unwrap().unwrap_err();
        assert!(!error.is_task_ended() && !error.is_invalid_response());
        assert_eq!(error.to_string(), "the task could not be stored");
        ended(&caller, &only_task(&caller).await).await;
    }
}

// R106
#[tokio::test]
async fn a_task_that_cannot_be_stored_does_not_begin() {
    for kind in KINDS {
        let agent = Scripted::echo();
        let (server, store, recorder) = faulty(agent.clone()).await;
        for caller in server.callers() {
            store.fail_next(StoreCall::Create, kind);
            let runs = agent.runs();
            expect_failure(&send_with_hook(&caller).await, kind);
            assert_eq!(agent.runs(), runs);
            store.fail_next(StoreCall::Create, kind);
            let params = json!({"message": support::message("hi")});
            let Err(refused) = caller.stream("SendStreamingMessage", params).await else {
                panic!("a stream")
            };
            expect_failure(&refused, kind);
            assert_eq!(agent.runs(), runs);
            assert_eq!(server.server.live_tasks(), 0);
            assert_eq!(caller.send("hi").await.state(), "COMPLETED");
        }
        assert!(recorder.sent_to(HOOK).is_empty());
    }
}

// R106
#[tokio::test]
async fn a_message_that_cannot_be_stored_is_not_accepted() {
    for kind in KINDS {
        let gate = Gate::new();
        gate.open_for(10);
        let agent = steps(&gate);
        let (server, store, _) = faulty(agent.clone()).await;
        for caller in server.callers() {
            let id = caller.send("park").await.task_id();
            let runs = agent.runs();
            store.fail_next(StoreCall::Append, kind);
            expect_failure(&within(caller.send_to(&id, "lost")).await, kind);
            assert_eq!(agent.runs(), runs);
            let task = caller.get_task(&id).await;
            assert_eq!(task.state(), "INPUT_REQUIRED");
            assert_eq!(said(task.task()), ["USER park"]);
            assert_eq!(caller.send_to(&id, "heard").await.state(), "COMPLETED");
            let said = said(caller.get_task(&id).await.task());
            assert_eq!(said, ["USER park", "AGENT more?", "USER heard"]);
        }
    }
}

// R106
#[tokio::test]
async fn a_store_that_is_back_serves_everything_again() {
    let gate = Gate::new();
    let (server, store, _) = faulty(steps(&gate)).await;
    for kind in KINDS {
        for caller in server.callers() {
            let parked = caller.send("park").await.task_id();
            let working = caller.send_immediately("go").await.task_id();
            let mut events = caller.subscribe(&working).await.unwrap();
            while events.next().await.unwrap().state() != "WORKING" {}

            store.fail_until_restored(kind);
            expect_failure(&caller.send("go").await, kind);
            expect_failure(&caller.get_task(&parked).await, kind);
            expect_failure(&caller.call("ListTasks", json!({})).await, kind);
            expect_failure(&caller.cancel(&parked).await, kind);
            expect_failure(&caller.send_to(&parked, "go").await, kind);
            let Err(refused) = caller.subscribe(&parked).await else {
                panic!("a stream")
            };
            expect_failure(&refused, kind);
            // The run finds out with its next word.
            gate.open();
            let last = within(events.next()).await.unwrap();
            assert!(last.raw.get("error").is_some(), "{}", last.raw);

            store.restore();
            assert_eq!(caller.get_task(&parked).await.state(), "INPUT_REQUIRED");
            assert_eq!(ended(&caller, &working).await.state(), "FAILED");
            gate.open_for(3);
            let answer = within(caller.send_to(&parked, "go")).await;
            assert_eq!(answer.state(), "COMPLETED");
            forgotten(&server).await;
        }
    }
}

// R106: the cancellation of a task whose end cannot be stored.
#[tokio::test]
async fn a_cancellation_that_cannot_be_stored_is_no_cancellation() {
    let gate = Gate::new();
    let (server, store, _) = faulty(steps(&gate)).await;
    for kind in KINDS {
        for caller in server.callers() {
            let parked = caller.send("park").await.task_id();
            store.fail_next(StoreCall::Append, kind);
            expect_failure(&within(caller.cancel(&parked)).await, kind);
            let state = caller.get_task(&parked).await.state().to_owned();
            assert_eq!(state, "INPUT_REQUIRED");
            assert_eq!(within(caller.cancel(&parked)).await.state(), "CANCELED");
        }
    }
}

// R106: a slow store.
#[tokio::test]
async fn an_event_is_shown_only_once_it_is_stored() {
    let gate = Gate::new();
    let (server, store, recorder) = faulty(steps(&gate)).await;
    for caller in server.callers() {
        let told = recorder.sent_to(HOOK).len();
        let mut storing = store.hold(StoreCall::Append);
        let waiting = tokio::spawn({
            let caller = caller.clone();
            async move { send_with_hook(&caller).await }
        });
        within(storing.arrived(1)).await;
        // Everything else is answered meanwhile.
        let id = only_task(&caller).await;
        assert_eq!(caller.get_task(&id).await.state(), "SUBMITTED");
        let mut events = caller.subscribe(&id).await.unwrap();
        assert_eq!(events.next().await.unwrap().brief(), "task SUBMITTED");
        let other = within(caller.send_immediately("park")).await;
        assert_eq!(other.state(), "SUBMITTED");
        assert_eq!(recorder.sent_to(HOOK).len(), told + 1);
        drop(storing);

        // Whoever has seen an event finds it in the store.
        let mut seen = 0;
        while let Some(event) = within(events.next()).await {
            seen += 1;
            assert_eq!(event.id, Some(seen));
            let task = caller.get_task(&id).await;
            let artifacts = task.task()["artifacts"].as_array().map_or(0, Vec::len);
            if seen < 4 {
                assert_eq!(task.state(), "WORKING");
                assert_eq!(artifacts as u64, seen - 1);
                gate.open();
            } else {
                assert_eq!(artifacts, 3);
            }
        }
        assert_eq!(seen, 5);
        let answer = within(waiting).await.unwrap();
        assert_eq!(answer.state(), "COMPLETED");
        assert_eq!(caller.get_task(&id).await.task(), answer.task());
        within(caller.cancel(&other.task_id())).await.result();
        forgotten(&server).await;
    }
}

// R106, R099: cancel and messages while the store is slow.
#[tokio::test]
async fn a_slow_store_delays_a_cancellation_and_loses_nothing() {
    let gate = Gate::new();
    let (server, store, _) = faulty(steps(&gate)).await;
    for caller in server.callers() {
        let id = caller.send_immediately("go").await.task_id();
        let mut events = caller.subscribe(&id).await.unwrap();
        while events.next().await.unwrap().state() != "WORKING" {}
        let mut storing = store.hold(StoreCall::Append);
        gate.open();
        within(storing.arrived(1)).await;
        let canceling = tokio::spawn({
            let (caller, id) = (caller.clone(), id.clone());
            async move { caller.cancel(&id).await }
        });
        assert_eq!(caller.get_task(&id).await.state(), "WORKING");
        drop(storing);
        let canceled = within(canceling).await.unwrap();
        assert_eq!(canceled.state(), "CANCELED");
        assert_eq!(canceled.task()["artifacts"][0]["artifactId"], "a1");
        let rest = within(events.all()).await;
        let rest: Vec<_> = rest.iter().map(support::Event::brief).collect();
        assert_eq!(rest, ["artifactUpdate", "statusUpdate CANCELED"]);
        forgotten(&server).await;
    }
}
