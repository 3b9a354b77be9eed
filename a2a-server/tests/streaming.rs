//! `SendStreamingMessage` (A2A §3.1.2, §7.6.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::time::Duration;

use a2a_server::{Answer, Limits, Streaming};
use a2a_types::{Message, TaskState};
use futures::StreamExt;
use serde_json::json;
use support::{
    Gate, Scripted, TERMINAL, briefs, builder, fold, message, said, scripted, serve, serve_agent,
    spoken, within,
};

// A2A-3.1.2-01, A2A-3.1.2-03, A2A-3.1.2-04, A2A-3.1.2-06, A2A-3.2.3-01, A2A-3.5.1-01, A2A-4.2-01,
// A2A-4.2-03 D31
#[tokio::test]
async fn a_stream_shows_the_task_and_then_what_happens_to_it() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        let expected = [
            "task SUBMITTED",
            "statusUpdate WORKING",
            "artifactUpdate",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(briefs(&events, 1), expected);
        let task = &events[0].body["task"];
        assert_eq!(said(task), ["USER hi"]);
        let read = caller.get_task(task["id"].as_str().unwrap()).await;
        assert_eq!(fold(&events), *read.task());
        assert_eq!(
            events[2].body["artifactUpdate"],
            json!({
                "taskId": task["id"], "contextId": task["contextId"],
                "artifact": {"artifactId": "echo", "parts": [{"text": "hi"}]},
            })
        );
    }
}

// A2A-3.1.2-04, A2A-3.1.2-05
#[tokio::test]
async fn a_stream_ends_with_the_event_that_ends_the_task() {
    let server = serve_agent(Scripted::obedient()).await;
    for caller in server.callers() {
        for state in TERMINAL {
            let mut stream = caller
                .stream_send(if state == "CANCELED" {
                    "WORKING"
                } else {
                    state
                })
                .await;
            let mut events = vec![within(stream.next()).await.unwrap()];
            let id = events[0].body["task"]["id"].as_str().unwrap().to_owned();
            if state == "CANCELED" {
                events.push(within(stream.next()).await.unwrap());
                caller.cancel(&id).await.result();
            }
            events.extend(within(stream.all()).await);
            let briefs = briefs(&events, 1);
            assert_eq!(*briefs.last().unwrap(), format!("statusUpdate {state}"));
            assert_eq!(briefs.len(), if state == "CANCELED" { 3 } else { 2 });
        }
    }
}

// A2A-3.1.2-03 B2
#[tokio::test]
async fn a_stream_ends_when_the_agent_asks_for_input_though_its_run_goes_on() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                task.input_required("which?").await?;
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        let expected = [
            "task SUBMITTED",
            "statusUpdate WORKING",
            "statusUpdate INPUT_REQUIRED",
        ];
        assert_eq!(briefs(&events, 1), expected);
        go.open();
    }
}

// A2A-3.1.2-03, A2A-3.4.3-06 B2, D2
#[tokio::test]
async fn a_stream_of_a_later_turn_begins_with_the_task_as_it_is_then() {
    let agent = scripted(|request, task| async move {
        if request.text() == "hi" {
            task.artifact("a").text("first").send().await?;
            return task.input_required("which?").await;
        }
        task.artifact("a").text("second").append().send().await?;
        task.complete().await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let first = within(caller.stream_send("hi").await.all()).await;
        let expected = [
            "task SUBMITTED",
            "artifactUpdate",
            "statusUpdate INPUT_REQUIRED",
        ];
        assert_eq!(briefs(&first, 1), expected);
        let id = first[0].body["task"]["id"].as_str().unwrap();
        let events = within(caller.stream_to(id, "that").await.all()).await;
        let expected = [
            "task INPUT_REQUIRED",
            "artifactUpdate",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(briefs(&events, 3), expected);
        let task = &events[0].body["task"];
        assert_eq!(task["artifacts"][0]["parts"], json!([{"text": "first"}]));
        assert_eq!(said(task), ["USER hi", "AGENT which?", "USER that"]);
        let read = caller.get_task(id).await;
        assert_eq!(fold(&events), *read.task());
    }
}

// A2A-3.1.2-03
#[tokio::test]
async fn the_task_comes_first_whatever_the_agent_says_first() {
    for kind in [Answer::Task, Answer::Either] {
        let agent = scripted(|_, task| async move {
            task.artifact("a").text("x").send().await?;
            task.complete().await
        });
        let server = serve_agent(agent.answering(kind)).await;
        for caller in server.callers() {
            let events = within(caller.stream_send("hi").await.all()).await;
            let expected = ["task SUBMITTED", "artifactUpdate", "statusUpdate COMPLETED"];
            assert_eq!(briefs(&events, 1), expected);
        }
    }
}

// A2A-3.1.2-02, A2A-3.1.2-10
#[tokio::test]
async fn a_reply_is_the_only_event_of_its_stream() {
    for kind in [Answer::Message, Answer::Either] {
        let agent = scripted(|_, task| async move { task.reply("hello").await });
        let server = serve_agent(agent.answering(kind)).await;
        for caller in server.callers() {
            let events = within(caller.stream_send("hi").await.all()).await;
            assert_eq!(events.len(), 1);
            assert_eq!(events[0].kind(), "message");
            assert_eq!(events[0].id, None);
            assert_eq!(spoken(&events[0].body["message"]), "AGENT hello");
        }
    }
}

// A2A-3.1.2-07
#[tokio::test]
async fn every_event_is_sent_when_it_happens() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                for i in 0..5 {
                    task.artifact("a")
                        .text(i.to_string())
                        .append()
                        .send()
                        .await?;
                    go.pass().await;
                }
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut events = caller.stream_send("hi").await;
        assert_eq!(within(events.next()).await.unwrap().kind(), "task");
        for i in 0..5 {
            // The agent says nothing more before this has been seen.
            assert_eq!(within(events.next()).await.unwrap().text(), i.to_string());
            go.open();
        }
        assert_eq!(within(events.all()).await.len(), 1);
    }
}

// A2A-3.1.2-08, A2A-3.1.6-01, A2A-3.3.4-02
#[tokio::test]
async fn a_server_that_does_not_stream_refuses_streams() {
    let agent = Scripted::obedient();
    let server = serve(builder(agent.clone()).streaming(Streaming::Off)).await;
    for caller in server.callers() {
        let id = caller.send("INPUT_REQUIRED").await.task_id();
        let runs = agent.runs();
        let params = json!({"message": message("COMPLETED")});
        let refused = caller.stream("SendStreamingMessage", params).await;
        refused.err().unwrap().expect_unsupported();
        caller
            .subscribe(&id)
            .await
            .err()
            .unwrap()
            .expect_unsupported();
        // Before anything is looked up.
        caller
            .subscribe("nope")
            .await
            .err()
            .unwrap()
            .expect_unsupported();
        assert_eq!(agent.runs(), runs);
    }
}

// A2A-3.1.2-09
#[tokio::test]
async fn a_stream_that_cannot_begin_is_refused_with_a_plain_error() {
    let server = serve_agent(Scripted::obedient()).await;
    for caller in server.callers() {
        let refused = async |task_id: &str, context_id: &str| {
            let mut message = message("COMPLETED");
            message["taskId"] = task_id.into();
            message["contextId"] = context_id.into();
            let params = json!({"message": message});
            caller
                .stream("SendStreamingMessage", params)
                .await
                .err()
                .unwrap()
        };
        refused("nope", "").await.expect_task_not_found();
        for state in TERMINAL {
            refused(&caller.task_in(state).await, "")
                .await
                .expect_unsupported();
        }
        let waiting = caller.task_in("INPUT_REQUIRED").await;
        refused(&waiting, "other")
            .await
            .expect_invalid(&["message.contextId"]);
    }
}

// A2A-3.2.2-04
#[tokio::test]
async fn returning_immediately_means_nothing_to_a_stream() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let mut seen = Vec::new();
        for immediately in [false, true] {
            let configuration = json!({"returnImmediately": immediately});
            let params = json!({"message": message("hi"), "configuration": configuration});
            let events = caller.stream("SendStreamingMessage", params).await.unwrap();
            seen.push(briefs(&within(events.all()).await, 1));
        }
        assert_eq!(seen[0], seen[1]);
        assert_eq!(seen[0].len(), 4);
    }
}

// A2A-7.6.1-01, A2A-7.6.1-02, A2A-7.6.1-03, A2A-7.6.1-05, A2A-7.6.1-06, A2A-7.6.4-01, A2A-7.6.4-02 B2
#[tokio::test]
async fn a_stream_stays_open_while_an_authorization_is_awaited() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.auth_required("mail.read", "please sign in").await?;
                go.pass().await;
                task.working().await?;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut stream = caller.stream_send("hi").await;
        let mut events = vec![within(stream.next()).await.unwrap()];
        events.push(within(stream.next()).await.unwrap());
        let update = &events[1].body["statusUpdate"];
        assert_eq!(
            update["metadata"],
            json!({"authorizationScope": "mail.read"})
        );
        assert_eq!(spoken(&update["status"]["message"]), "AGENT please sign in");
        go.open();
        events.extend(within(stream.all()).await);
        let expected = [
            "task SUBMITTED",
            "statusUpdate AUTH_REQUIRED",
            "statusUpdate WORKING",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(briefs(&events, 1), expected);
    }
}

// A2A-7.6.1-05, A2A-7.6.1-07 B2
#[tokio::test]
async fn a_stream_that_awaits_an_authorization_sees_the_next_turn() {
    let server = serve_agent(Scripted::obedient()).await;
    for caller in server.callers() {
        for (next, last) in [
            ("COMPLETED", "COMPLETED"),
            ("INPUT_REQUIRED", "INPUT_REQUIRED"),
        ] {
            let mut stream = caller.stream_send("AUTH_REQUIRED").await;
            let mut events = vec![within(stream.next()).await.unwrap()];
            events.push(within(stream.next()).await.unwrap());
            let id = events[0].body["task"]["id"].as_str().unwrap();
            assert_eq!(caller.send_to(id, next).await.state(), last);
            events.extend(within(stream.all()).await);
            let last = format!("statusUpdate {last}");
            let expected = ["task SUBMITTED", "statusUpdate AUTH_REQUIRED", &last];
            assert_eq!(briefs(&events, 1), expected);
        }
    }
}

// B2
#[tokio::test(start_paused = true)]
async fn a_stream_does_not_await_an_authorization_for_ever() {
    let limits = Limits::default().with_auth_wait(Duration::from_secs(60));
    let server = builder(Scripted::obedient())
        .limits(limits)
        .build()
        .unwrap();
    let local = server.local();
    let start = tokio::time::Instant::now();
    let stream = local.send_streaming(Message::user("AUTH_REQUIRED")).await;
    let events: Vec<_> = stream.unwrap().collect().await;
    assert_eq!(events.len(), 2);
    assert_eq!(start.elapsed().as_secs(), 60);
    let a2a_types::stream_response::Payload::Task(task) =
        events[0].as_ref().unwrap().payload.clone().unwrap()
    else {
        panic!("{events:?}")
    };
    let mut request = a2a_types::GetTaskRequest::default();
    request.id = task.id;
    let task = local
        .call::<a2a_types::operations::GetTask>(request)
        .await
        .unwrap();
    assert_eq!(task.state(), TaskState::AuthRequired);
}
