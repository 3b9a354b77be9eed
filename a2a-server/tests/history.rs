//! The history of a task: what is kept, and how much of it is shown (A2A §3.2.4, §3.7).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::collections::HashSet;

use a2a_types::{Message, TaskState};
use serde_json::{Value, json};
use support::{
    Answer, Caller, Event, Gate, Scripted, briefs, message, said, scripted, serve_agent, spoken,
    within,
};

/// Asks for more after each message, until one says `end`.
fn asking() -> Scripted {
    scripted(|request, task| async move {
        match request.text().as_str() {
            "end" => task.complete().await,
            text => task.input_required(format!("and after {text}?")).await,
        }
    })
}

/// A task with ten messages in its history.
async fn long_task(caller: &Caller) -> String {
    let id = caller.send("1").await.task_id();
    for turn in 2..=5 {
        caller.send_to(&id, &turn.to_string()).await.result();
    }
    caller.send_to(&id, "end").await.result();
    id
}

/// The history of that task.
fn long_history() -> Vec<String> {
    let turns = (1..=5).flat_map(|i| [format!("USER {i}"), format!("AGENT and after {i}?")]);
    turns.chain(["USER end".to_owned()]).collect()
}

/// The ways to read a task with a bound on its history.
async fn reads(caller: &Caller, id: &str, length: &Value) -> Vec<Answer> {
    let mut by_id = json!({"id": id});
    let mut list = json!({"status": "TASK_STATE_COMPLETED"});
    if !length.is_null() {
        by_id["historyLength"] = length.clone();
        list["historyLength"] = length.clone();
    }
    vec![
        caller.call("GetTask", by_id).await,
        caller.call("ListTasks", list).await,
    ]
}

// A2A-3.2.4-01, A2A-3.2.4-02, A2A-3.2.4-03, A2A-3.2.4-05, A2A-3.1.3-03 B4 R030
#[tokio::test]
async fn a_task_is_read_with_as_much_history_as_is_wanted() {
    let whole = long_history();
    for wire in support::BINDINGS {
        let server = serve_agent(asking()).await;
        let caller = server.caller(wire);
        let id = long_task(&caller).await;
        for (length, shown) in [
            (json!(null), 11),
            (json!(1), 1),
            (json!(3), 3),
            (json!(11), 11),
            (json!(12), 11),
            (json!(i32::MAX), 11),
        ] {
            for answer in reads(&caller, &id, &length).await {
                let result = answer.result();
                let task = result.get("tasks").map_or(result, |tasks| &tasks[0]);
                assert_eq!(said(task), whole[11 - shown..], "{length}");
            }
        }
        for answer in reads(&caller, &id, &json!(0)).await {
            let result = answer.result();
            let task = result.get("tasks").map_or(result, |tasks| &tasks[0]);
            assert!(task.get("history").is_none());
        }
        // What was shown less of is all there.
        assert_eq!(said(caller.get_task(&id).await.task()), whole);
    }
}

/// The task in the answer to a send, by all ways to send.
async fn sends(caller: &Caller, configuration: &Value) -> Vec<Value> {
    let mut tasks = Vec::new();
    for immediately in [false, true] {
        let mut configuration = configuration.clone();
        configuration["returnImmediately"] = immediately.into();
        let id = long_running(caller).await;
        let mut message = message("6");
        message["taskId"] = id.into();
        let params = json!({"message": message, "configuration": configuration});
        tasks.push(caller.call("SendMessage", params).await.task().clone());
    }
    let id = long_running(caller).await;
    let mut message = message("6");
    message["taskId"] = id.into();
    let params = json!({"message": message, "configuration": configuration});
    let events = caller.stream("SendStreamingMessage", params).await.unwrap();
    let events = within(events.all()).await;
    assert_eq!(events.len(), 2);
    tasks.push(events[0].body["task"].clone());
    tasks
}

/// A task that has had three turns and waits for the next.
async fn long_running(caller: &Caller) -> String {
    let id = caller.send("3").await.task_id();
    caller.send_to(&id, "4").await.result();
    caller.send_to(&id, "5").await.result();
    id
}

// A2A-3.2.4-01, A2A-3.2.4-02, A2A-3.2.4-03, A2A-3.2.4-05 B4 R030
#[tokio::test]
async fn a_send_is_answered_with_as_much_history_as_is_wanted() {
    let server = serve_agent(asking()).await;
    let whole = &long_history()[4..10];
    let whole = [whole, &["USER 6".to_owned()]].concat();
    for caller in server.callers() {
        for (configuration, shown) in [
            (json!({}), 7),
            (json!({"historyLength": null}), 7),
            (json!({"historyLength": 1}), 1),
            (json!({"historyLength": 4}), 4),
            (json!({"historyLength": 100}), 7),
        ] {
            for task in sends(&caller, &configuration).await {
                assert_eq!(said(&task), whole[7 - shown..], "{configuration}");
            }
        }
        for task in sends(&caller, &json!({"historyLength": 0})).await {
            assert!(task.get("history").is_none());
        }
    }
}

// A2A-3.2.4-05
#[tokio::test]
async fn a_subscription_begins_with_the_whole_history() {
    let server = serve_agent(asking()).await;
    for caller in server.callers() {
        let id = long_running(&caller).await;
        let mut events = caller.subscribe(&id).await.unwrap();
        let task = within(events.next()).await.unwrap();
        assert_eq!(said(&task.body["task"]), long_history()[4..9]);
    }
}

// A2A-3.2.4-04 B4
#[tokio::test]
async fn a_negative_length_is_invalid_everywhere() {
    let agent = asking();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let id = caller.send("1").await.task_id();
        let runs = agent.runs();
        for length in [-1, i32::MIN] {
            for answer in reads(&caller, &id, &json!(length)).await {
                answer.expect_invalid(&["historyLength"]);
            }
            let configuration = json!({"historyLength": length});
            let params = json!({"message": message("hi"), "configuration": configuration});
            let field = ["configuration.historyLength"];
            let answer = caller.call("SendMessage", params.clone()).await;
            answer.expect_invalid(&field);
            let answer = caller.stream("SendStreamingMessage", params).await;
            answer.err().unwrap().expect_invalid(&field);
        }
        assert_eq!(agent.runs(), runs);
    }
}

// A2A-3.7-03, A2A-3.7-06 R091
#[tokio::test]
async fn every_message_is_kept_once_and_in_order() {
    let agent = scripted(|request, task| async move {
        let text = request.text();
        for state in [
            TaskState::Working,
            TaskState::Working,
            TaskState::InputRequired,
        ] {
            let words = format!("{text}: {state:?}");
            task.status(state).message(words).send().await?;
        }
        Ok(())
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send("one").await.task_id();
        caller.send_to(&id, "two").await.result();
        let answer = caller.send_to(&id, "three").await;
        let task = answer.task();
        let mut expected = Vec::new();
        for turn in ["one", "two", "three"] {
            expected.push(format!("USER {turn}"));
            for state in ["Working", "Working", "InputRequired"] {
                expected.push(format!("AGENT {turn}: {state}"));
            }
        }
        // The last one is the present status.
        let last = expected.pop().unwrap();
        assert_eq!(said(task), expected);
        assert_eq!(spoken(&task["status"]["message"]), last);
        let history = task["history"].as_array().unwrap();
        for words in history.iter().chain([&task["status"]["message"]]) {
            // A2A-4.1-08, A2A-3.4.3-04 B9
            assert_eq!(words["taskId"], id);
            assert_eq!(words["contextId"], task["contextId"]);
        }
        let from_agent = history.iter().filter(|words| words["role"] == "ROLE_AGENT");
        let ids: HashSet<&str> = from_agent
            .map(|words| words["messageId"].as_str().unwrap())
            .collect();
        assert_eq!(ids.len(), 8);
        assert_eq!(caller.get_task(&id).await.task(), task);
    }
}

// A2A-3.7-03 R091
#[tokio::test]
async fn a_status_message_that_is_said_again_is_the_same_message() {
    let agent = scripted(|_, task| async move {
        let words = Message::agent("still at it").with_message_id("w-1");
        for _ in 0..3 {
            task.status(TaskState::Working)
                .message(words.clone())
                .send()
                .await?;
        }
        task.complete().await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        assert_eq!(said(answer.task()), ["USER hi", "AGENT still at it"]);
    }
}

// A2A-3.7-03
#[tokio::test]
async fn a_transient_message_is_shown_and_not_kept() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.status(TaskState::Working)
                    .message("kept")
                    .send()
                    .await?;
                let working = task.status(TaskState::Working);
                working.message("10 %").transient().send().await?;
                let working = task.status(TaskState::Working);
                working.message("20 %").transient().send().await?;
                go.pass().await;
                task.fail("kept, too").await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut stream = caller.stream_send("hi").await;
        let mut events = Vec::new();
        for _ in 0..4 {
            events.push(within(stream.next()).await.unwrap());
        }
        let id = events[0].body["task"]["id"].as_str().unwrap().to_owned();
        let id = id.as_str();
        let read = caller.get_task(id).await;
        let status = &read.task()["status"];
        assert_eq!(status["state"], "TASK_STATE_WORKING");
        assert!(status.get("message").is_none());
        assert_eq!(said(read.task()), ["USER hi", "AGENT kept"]);
        let missed = caller
            .clone()
            .with("last-event-id", "1")
            .subscribe(id)
            .await;
        let missed = missed.unwrap();
        go.open();
        events.extend(within(stream.all()).await);
        briefs(&events, 1);
        let words = |events: &[Event]| -> Vec<String> {
            let updates = events
                .iter()
                .map(|event| &event.body["statusUpdate"]["status"]);
            updates.map(|status| spoken(&status["message"])).collect()
        };
        assert_eq!(
            words(&events[1..]),
            ["AGENT kept", "AGENT 10 %", "AGENT 20 %", "AGENT kept, too"]
        );
        // Whoever was away for a moment sees what the others saw.
        let missed = within(missed.all()).await;
        assert_eq!(
            words(&missed),
            ["AGENT 10 %", "AGENT 20 %", "AGENT kept, too"]
        );
        let read = caller.get_task(id).await;
        assert_eq!(said(read.task()), ["USER hi", "AGENT kept"]);
        assert_eq!(spoken(&read.task()["status"]["message"]), "AGENT kept, too");
    }
}
