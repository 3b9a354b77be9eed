//! `SubscribeToTask` (A2A §3.1.6) and going on after a break.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::MemoryTaskStore;
use futures::future::join_all;
use serde_json::json;
use support::{
    Answer, Caller, Event, Events, Gate, Scripted, TERMINAL, briefs, builder, expect_updates, fold,
    said, scripted, serve, serve_agent, within,
};

/// Subscribes as one who has seen the event of this number.
async fn resume(caller: &Caller, id: &str, seen: &str) -> Result<Events, Answer> {
    let caller = caller.clone().with("last-event-id", seen);
    caller.subscribe(id).await
}

fn id_of(task: &Event) -> String {
    task.body["task"]["id"].as_str().unwrap().to_owned()
}

// A2A-3.1.6-04, A2A-3.1.6-05
#[tokio::test]
async fn a_subscription_begins_with_the_task_as_it_is() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.status(a2a_types::TaskState::Working)
                    .message("at it")
                    .send()
                    .await?;
                task.artifact("a").text("1").send().await?;
                go.pass().await;
                task.artifact("a").text("2").append().send().await?;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut sender = caller.stream_send("hi").await;
        let id = id_of(&within(sender.next()).await.unwrap());
        within(sender.next()).await.unwrap();
        within(sender.next()).await.unwrap();
        let mut stream = caller.subscribe(&id).await.unwrap();
        let mut events = vec![within(stream.next()).await.unwrap()];
        assert_eq!(events[0].body["task"], *caller.get_task(&id).await.task());
        assert_eq!(events[0].state(), "WORKING");
        let artifacts = &events[0].body["task"]["artifacts"];
        assert_eq!(artifacts[0]["parts"], json!([{"text": "1"}]));
        go.open();
        events.extend(within(stream.all()).await);
        let expected = ["task WORKING", "artifactUpdate", "statusUpdate COMPLETED"];
        assert_eq!(briefs(&events, 3), expected);
        let read = caller.get_task(&id).await;
        assert_eq!(fold(&events)["artifacts"], read.task()["artifacts"]);
    }
}

// A2A-3.1.6-05, A2A-3.1.6-06 B2 R083
#[tokio::test]
async fn a_subscription_to_a_waiting_task_lasts_over_its_turns() {
    for state in ["INPUT_REQUIRED", "AUTH_REQUIRED"] {
        let server = serve_agent(Scripted::obedient()).await;
        for caller in server.callers() {
            let id = caller.task_in(state).await;
            let mut stream = caller.subscribe(&id).await.unwrap();
            let mut events = vec![within(stream.next()).await.unwrap()];
            for turn in ["INPUT_REQUIRED", "AUTH_REQUIRED", "COMPLETED"] {
                caller.send_to(&id, turn).await.result();
            }
            events.extend(within(stream.all()).await);
            let expected = [
                &*format!("task {state}"),
                "statusUpdate INPUT_REQUIRED",
                "statusUpdate AUTH_REQUIRED",
                "statusUpdate COMPLETED",
            ];
            assert_eq!(briefs(&events, 2), expected);
        }
    }
}

// A2A-3.1.6-06 B2 R083
#[tokio::test]
async fn a_waiting_task_of_an_earlier_process_can_be_subscribed() {
    let store = Arc::new(MemoryTaskStore::new());
    let before = serve(builder(Scripted::obedient()).task_store(store.clone())).await;
    let mut ids = Vec::new();
    for caller in before.callers() {
        ids.push(caller.task_in("INPUT_REQUIRED").await);
    }
    drop(before);
    let server = serve(builder(Scripted::obedient()).task_store(store)).await;
    for (caller, id) in server.callers().zip(ids) {
        let mut stream = caller.subscribe(&id).await.unwrap();
        let mut events = vec![within(stream.next()).await.unwrap()];
        assert_eq!(caller.send_to(&id, "COMPLETED").await.state(), "COMPLETED");
        events.extend(within(stream.all()).await);
        assert_eq!(
            briefs(&events, 2),
            ["task INPUT_REQUIRED", "statusUpdate COMPLETED"]
        );
        let history = said(caller.get_task(&id).await.task());
        assert_eq!(
            history,
            ["USER INPUT_REQUIRED", "AGENT which one?", "USER COMPLETED"]
        );
    }
}

// A2A-3.1.6-02, A2A-3.1.6-03 R083
#[tokio::test]
async fn a_task_that_is_unknown_or_has_ended_cannot_be_subscribed() {
    let server = serve_agent(Scripted::obedient()).await;
    for caller in server.callers() {
        let refused = caller.subscribe("nope").await.err().unwrap();
        refused.expect_task_not_found();
        for state in TERMINAL {
            let id = caller.task_in(state).await;
            caller
                .subscribe(&id)
                .await
                .err()
                .unwrap()
                .expect_unsupported();
        }
    }
}

// A2A-3.1.6-07 R082
#[tokio::test]
async fn nothing_is_lost_or_doubled_between_the_task_and_its_events() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                for i in 0..1000 {
                    if i % 50 == 0 {
                        go.pass().await;
                    }
                    let piece = task.artifact("n").text(i.to_string());
                    piece.append().send().await?;
                }
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send_immediately("hi").await.task_id();
        // Each of them arrives while fifty pieces are on their way.
        let subscribers = join_all((0..20).map(|_| async {
            go.open();
            caller.subscribe(&id).await.unwrap().all().await
        }));
        let all = within(subscribers).await;
        let read = caller.get_task(&id).await;
        let parts: Vec<_> = (0..1000).map(|i| json!({"text": i.to_string()})).collect();
        let expected = json!([{"artifactId": "n", "parts": parts}]);
        assert_eq!(read.task()["artifacts"], expected);
        for events in all {
            let from = 1001 - (events.len() as u64 - 1);
            briefs(&events, from + 1);
            assert_eq!(fold(&events), *read.task());
        }
    }
}

// D35
#[tokio::test]
async fn whoever_comes_back_gets_the_events_that_were_missed() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                for i in 0..4 {
                    task.artifact("a")
                        .text(i.to_string())
                        .append()
                        .send()
                        .await?;
                }
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut stream = caller.stream_send("hi").await;
        let mut sent = Vec::new();
        for _ in 0..5 {
            sent.push(within(stream.next()).await.unwrap());
        }
        let id = id_of(&sent[0]);
        let mut resumed = Vec::new();
        for seen in 0..=4 {
            resumed.push(resume(&caller, &id, &seen.to_string()).await.unwrap().all());
        }
        // A number that nobody can have seen is as good as none.
        for odd in ["5", "99999999999999999999", "-1", "x", "1.5"] {
            let mut events = resume(&caller, &id, odd).await.unwrap();
            assert_eq!(
                within(events.next()).await.unwrap().brief(),
                "task SUBMITTED",
                "{odd}"
            );
        }
        go.open();
        sent.extend(within(stream.all()).await);
        assert_eq!(briefs(&sent, 1).len(), 6);
        for (seen, events) in within(join_all(resumed)).await.iter().enumerate() {
            expect_updates(events, &sent[0].body["task"], seen as u64 + 1);
            assert_eq!(events.len(), 5 - seen);
            for (event, first) in events.iter().zip(&sent[seen + 1..]) {
                assert_eq!(event.body, first.body);
            }
        }
    }
}

// D35
#[tokio::test]
async fn the_rest_of_a_task_that_has_ended_meanwhile_can_be_read() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let sent = within(caller.stream_send("hi").await.all()).await;
        let id = id_of(&sent[0]);
        for seen in 0..=3 {
            let events = resume(&caller, &id, &seen.to_string()).await.unwrap();
            let events = within(events.all()).await;
            let bodies: Vec<_> = events.iter().map(|event| &event.body).collect();
            let expected: Vec<_> = sent[seen + 1..].iter().map(|event| &event.body).collect();
            assert_eq!(bodies, expected);
            expect_updates(&events, &sent[0].body["task"], seen as u64 + 1);
        }
        for beyond in ["4", "x"] {
            let refused = resume(&caller, &id, beyond).await.err().unwrap();
            refused.expect_unsupported();
        }
        let unknown = resume(&caller, "nope", "1").await.err().unwrap();
        unknown.expect_task_not_found();
    }
}

// D35
#[tokio::test]
async fn a_resumed_subscription_to_a_waiting_task_goes_on_with_its_next_turn() {
    let server = serve_agent(Scripted::obedient()).await;
    for caller in server.callers() {
        let answer = caller.send("INPUT_REQUIRED").await;
        let id = answer.task_id();
        let at_end = resume(&caller, &id, "1").await.unwrap();
        let at_start = resume(&caller, &id, "0").await.unwrap();
        caller.send_to(&id, "COMPLETED").await.result();
        let (at_end, at_start) = (within(at_end.all()).await, within(at_start.all()).await);
        expect_updates(&at_end, answer.task(), 2);
        expect_updates(&at_start, answer.task(), 1);
        let briefs = |events: &[Event]| events.iter().map(Event::brief).collect::<Vec<_>>();
        assert_eq!(briefs(&at_end), ["statusUpdate COMPLETED"]);
        assert_eq!(
            briefs(&at_start),
            ["statusUpdate INPUT_REQUIRED", "statusUpdate COMPLETED"]
        );
    }
}

// D35
#[tokio::test]
async fn a_long_log_can_be_read_from_anywhere_while_it_grows_and_afterwards() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                for i in 1..=5000 {
                    let piece = task.artifact("n").text(i.to_string());
                    piece.append().send().await?;
                }
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut stream = caller.stream_send("hi").await;
        let task = within(stream.next()).await.unwrap();
        let id = id_of(&task);
        for _ in 0..5000 {
            within(stream.next()).await.unwrap();
        }
        for ended in [false, true] {
            let mut readers = Vec::new();
            for seen in [0, 1, 2999, 3975, 3976, 4999, 5000] {
                let events = resume(&caller, &id, &seen.to_string()).await.unwrap();
                readers.push((seen, events));
            }
            if !ended {
                go.open();
            }
            for (seen, events) in readers {
                let events = within(events.all()).await;
                assert_eq!(events.len(), 5001 - seen);
                expect_updates(&events, &task.body["task"], seen as u64 + 1);
                for (event, i) in events.iter().zip(seen + 1..=5000) {
                    assert_eq!(event.text(), i.to_string());
                }
                assert_eq!(events.last().unwrap().state(), "COMPLETED");
            }
        }
    }
}
