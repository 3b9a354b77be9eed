//! `GetTask` (A2A §3.1.3), and what reading does not do (A2A §3.3.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use serde_json::json;
use support::{Gate, Scripted, expect_timestamp, said, scripted, serve_agent, within};

// A2A-3.1.3-01, A2A-4.1-06 D11 D18
#[tokio::test]
async fn a_task_is_read_in_every_state() {
    let server = serve_agent(Scripted::obedient()).await;
    let submitted = serve_agent(scripted(|_, _| std::future::pending())).await;
    for caller in server.callers() {
        for state in [
            "WORKING",
            "COMPLETED",
            "FAILED",
            "CANCELED",
            "INPUT_REQUIRED",
            "REJECTED",
            "AUTH_REQUIRED",
            "SUBMITTED",
        ] {
            let (caller, id) = if state == "SUBMITTED" {
                let caller = submitted.caller(caller.wire);
                let id = caller.send_immediately("hi").await.task_id();
                (caller, id)
            } else {
                (caller.clone(), caller.task_in(state).await)
            };
            let answer = caller.get_task(&id).await;
            let task = answer.result();
            assert_eq!(task["id"], id);
            assert_eq!(task["status"]["state"], format!("TASK_STATE_{state}"));
            expect_timestamp(&task["status"]["timestamp"]);
            assert!(!task["contextId"].as_str().unwrap().is_empty());
        }
    }
}

// A2A-3.1.3-02
#[tokio::test]
async fn an_unknown_task_is_not_found() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        for id in [
            "nope",
            "00000000-0000-0000-0000-000000000000",
            "a/b",
            "ü ?&#%",
        ] {
            let answer = caller.get_task(id).await;
            answer.expect_task_not_found();
            let details = answer.details();
            assert_eq!(details[0]["metadata"]["taskId"], id);
        }
    }
}

// A2A-3.1.3-01, A2A-3.3.3-01, A2A-3.5.1-01
#[tokio::test]
async fn polling_sees_what_streams_show_as_it_happens() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                go.pass().await;
                task.artifact("a").text("1").send().await?;
                go.pass().await;
                task.artifact("a").text("2").append().send().await?;
                go.pass().await;
                task.input_required("enough?").await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut stream = caller.stream_send("hi").await;
        let task = within(stream.next()).await.unwrap();
        let id = task.body["task"]["id"].as_str().unwrap();
        let mut polled = Vec::new();
        for _ in 0..4 {
            // An event that has been seen has been stored.
            within(stream.next()).await.unwrap();
            let read = caller.get_task(id).await;
            let parts = read.task()["artifacts"][0]["parts"]
                .as_array()
                .map_or(0, Vec::len);
            polled.push((read.state().to_owned(), parts));
            go.open();
        }
        assert!(within(stream.next()).await.is_none());
        let expected = [
            ("WORKING", 0),
            ("WORKING", 1),
            ("WORKING", 2),
            ("INPUT_REQUIRED", 2),
        ];
        let expected = expected.map(|(state, parts)| (state.to_owned(), parts));
        assert_eq!(polled, expected);
        // One opening is left over.
        go.pass().await;
    }
}

// A2A-3.3.1-01
#[tokio::test]
async fn reading_changes_nothing() {
    let agent = Scripted::obedient();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for state in ["WORKING", "INPUT_REQUIRED", "COMPLETED"] {
            let id = caller.task_in(state).await;
            let runs = agent.runs();
            let (task, list) = (
                caller.get_task(&id).await,
                caller.call("ListTasks", json!({})).await,
            );
            for _ in 0..3 {
                let length = json!({"id": id, "historyLength": 0});
                caller.call("GetTask", length).await.result();
                assert_eq!(caller.get_task(&id).await.body, task.body);
                assert_eq!(caller.call("ListTasks", json!({})).await.body, list.body);
            }
            assert_eq!(agent.runs(), runs);
        }
    }
}

// A2A-3.4.2-02, A2A-3.2.4-01
#[tokio::test]
async fn the_first_message_is_in_the_history_from_the_start() {
    let server = serve_agent(scripted(|_, _| std::future::pending())).await;
    for caller in server.callers() {
        let id = caller.send_immediately("hi").await.task_id();
        let read = caller.get_task(&id).await;
        assert_eq!(said(read.task()), ["USER hi"]);
        assert_eq!(read.task()["history"][0]["taskId"], id);
    }
}
