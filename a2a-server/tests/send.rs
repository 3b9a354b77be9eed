//! `SendMessage` (A2A §3.1.1, §3.2.2): who answers, when, and with what.

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

use a2a_server::Answer;
use a2a_types::{Message, Part, Role, TaskState};
use serde_json::{Value, json};
use support::{
    Gate, Scripted, TERMINAL, expect_timestamp, message, said, scripted, serve_agent, spoken,
    within,
};

// A2A-3.1.1-01, A2A-3.1.1-07, A2A-3.2.2-02, A2A-3.4.2-02, A2A-3.7-02
#[tokio::test]
async fn a_blocking_send_answers_with_the_finished_task() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        assert_eq!(answer.state(), "COMPLETED");
        assert_eq!(
            answer.task()["artifacts"],
            json!([{"artifactId": "echo", "parts": [{"text": "hi"}]}])
        );
        assert_eq!(answer.result().as_object().unwrap().len(), 1);
        let read = caller.get_task(&answer.task_id()).await;
        assert_eq!(read.task(), answer.task());
    }
}

#[tokio::test]
async fn an_agent_has_what_was_sent_also_when_its_task_has_changed() {
    let agent = scripted(|request, task| async move {
        task.working().await?;
        // Until the task has changed.
        while request.task().await?.unwrap().state() != TaskState::Working {
            tokio::task::yield_now().await;
        }
        let artifact = task.artifact("sent");
        let parts = request.message().parts.iter().cloned();
        parts
            .fold(artifact, |artifact, part| artifact.part(part))
            .send()
            .await?;
        task.complete().await
    });
    let server = serve_agent(agent).await;
    let text = json!({"text": "x".repeat(1000)});
    for parts in [
        json!([text]),
        json!([{"text": "x".repeat(100_000)}]),
        json!([{"data": {"x": [1, null, 2.5]}}, text]),
        json!([{"raw": "eHh4", "metadata": {"x": {"y": true}}}]),
        Value::Array(vec![text.clone(); 100]),
    ] {
        for caller in server.callers() {
            let message = json!({"messageId": "m", "role": "ROLE_USER", "parts": parts});
            let sent = caller.call("SendMessage", json!({"message": message}));
            let answer = within(sent).await;
            let task = answer.task();
            assert_eq!(task["history"][0]["parts"], parts);
            assert_eq!(task["artifacts"][0]["parts"], parts);
        }
    }
}

// A2A-4.1-01, A2A-4.1-08, A2A-3.4.1-01, A2A-3.4.1-02 D11 D18 D31
#[tokio::test]
async fn a_task_has_what_every_task_has() {
    let agent = scripted(|_, task| async move { task.fail("no way").await });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        let task = answer.task().as_object().unwrap();
        let members: HashSet<&str> = task.keys().map(String::as_str).collect();
        assert_eq!(
            members,
            HashSet::from(["id", "contextId", "status", "history"])
        );
        assert!(!task["contextId"].as_str().unwrap().is_empty());
        let status = &task["status"];
        assert_eq!(status["state"], "TASK_STATE_FAILED");
        expect_timestamp(&status["timestamp"]);
        let words = &status["message"];
        assert_eq!(spoken(words), "AGENT no way");
        assert_eq!(words["taskId"], task["id"]);
        assert_eq!(words["contextId"], task["contextId"]);
        assert!(!words["messageId"].as_str().unwrap().is_empty());
    }
}

// A2A-3.2.2-01, A2A-3.1.1-02 D1 R086
#[tokio::test]
async fn a_send_waits_for_a_terminal_or_interrupted_state() {
    let server = serve_agent(Scripted::obedient()).await;
    let states = [
        "COMPLETED",
        "FAILED",
        "REJECTED",
        "INPUT_REQUIRED",
        "AUTH_REQUIRED",
    ];
    for caller in server.callers() {
        for state in states {
            for configuration in [json!(null), json!({}), json!({"returnImmediately": false})] {
                let params = json!({"message": message(state), "configuration": configuration});
                let answer = within(caller.call("SendMessage", params)).await;
                assert_eq!(answer.state(), state);
            }
        }
    }
}

// A2A-3.1.1-02, A2A-3.1.1-03 R086
#[tokio::test]
async fn a_send_is_answered_at_an_interrupted_state_though_the_agent_goes_on() {
    for state in ["INPUT_REQUIRED", "AUTH_REQUIRED"] {
        let go = Gate::new();
        let agent = scripted({
            let go = go.clone();
            move |request, task| {
                let go = go.clone();
                async move {
                    match request.text().as_str() {
                        "AUTH_REQUIRED" => task.auth_required("mail", "sign in").await?,
                        _ => task.input_required("which?").await?,
                    }
                    go.pass().await;
                    task.complete().await
                }
            }
        });
        let server = serve_agent(agent).await;
        for caller in server.callers() {
            let answer = within(caller.send(state)).await;
            assert_eq!(answer.state(), state);
            let mut events = caller.subscribe(&answer.task_id()).await.unwrap();
            assert_eq!(
                events.next().await.unwrap().brief(),
                format!("task {state}")
            );
            go.open();
            let last = within(events.all()).await;
            assert_eq!(last.last().unwrap().state(), "COMPLETED");
        }
    }
}

// A2A-3.2.2-03, A2A-3.1.1-03, A2A-3.3.3-01 D36 R087
#[tokio::test]
async fn returning_immediately_answers_before_the_agent_has_said_anything() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |request, task| {
            let go = go.clone();
            async move {
                go.pass().await;
                task.artifact("a").text(request.text()).send().await?;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let answer = within(caller.send_immediately("hi")).await;
        assert_eq!(answer.state(), "SUBMITTED");
        assert_eq!(said(answer.task()), ["USER hi"]);
        let read = caller.get_task(&answer.task_id()).await;
        assert_eq!(read.task(), answer.task());
        let events = caller.subscribe(&answer.task_id()).await.unwrap();
        go.open();
        assert_eq!(within(events.all()).await.len(), 3);
        let read = caller.get_task(&answer.task_id()).await;
        assert_eq!(read.state(), "COMPLETED");
        assert_eq!(
            read.task()["artifacts"][0]["parts"],
            json!([{"text": "hi"}])
        );
    }
}

// A2A-3.1.1-01, A2A-3.2.2-04, A2A-3.4.1-02, A2A-4.1-07, A2A-4.1-08 D36
#[tokio::test]
async fn an_agent_may_answer_with_one_message() {
    for kind in [Answer::Message, Answer::Either] {
        let agent = scripted(|request, task| async move {
            tokio::task::yield_now().await;
            task.reply(format!("you said {}", request.text())).await
        });
        let server = serve_agent(agent.answering(kind)).await;
        for caller in server.callers() {
            for answer in [caller.send("hi").await, caller.send_immediately("hi").await] {
                let result = answer.result().as_object().unwrap();
                assert_eq!(result.len(), 1);
                let reply = &result["message"];
                assert_eq!(spoken(reply), "AGENT you said hi");
                assert!(!reply["messageId"].as_str().unwrap().is_empty());
                assert!(!reply["contextId"].as_str().unwrap().is_empty());
                assert!(reply.get("taskId").is_none());
            }
            assert_eq!(caller.count().await, 0);
        }
    }
}

// A2A-4.1-07, A2A-3.4.1-05
#[tokio::test]
async fn a_reply_speaks_as_the_agent_and_in_the_context_of_the_request() {
    let agent = scripted(|_, task| async move {
        let mut reply = Message::new(Role::User, ["hi"]).with_message_id("my-id");
        reply.context_id = "elsewhere".into();
        reply.task_id = "another".into();
        task.reply(reply).await
    });
    let server = serve_agent(agent.answering(Answer::Message)).await;
    for caller in server.callers() {
        let mut question = message("hi");
        question["contextId"] = "c-1".into();
        let answer = caller
            .call("SendMessage", json!({"message": question}))
            .await;
        assert_eq!(
            answer.result()["message"],
            json!({"messageId": "my-id", "contextId": "c-1", "role": "ROLE_AGENT",
                   "parts": [{"text": "hi"}]})
        );
    }
}

// A2A-3.1.1-01 D36
#[tokio::test]
async fn the_first_word_decides_when_either_answer_is_possible() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (started.clone(), go.clone());
        move |_, task| {
            let (started, go) = gates.clone();
            async move {
                started.open();
                go.pass().await;
                task.working().await?;
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent.answering(Answer::Either)).await;
    for caller in server.callers() {
        let before = caller.count().await;
        let asking = tokio::spawn({
            let caller = caller.clone();
            async move { caller.send_immediately("hi").await }
        });
        // Nothing exists before the first word, and whoever asked waits for it.
        within(started.pass()).await;
        assert_eq!(caller.count().await, before);
        assert!(!asking.is_finished());
        go.open();
        let answer = within(asking).await.unwrap();
        assert_eq!(answer.state(), "SUBMITTED");
        assert_eq!(caller.count().await, before + 1);
        let events = caller.subscribe(&answer.task_id()).await.unwrap();
        go.open();
        assert_eq!(
            within(events.all()).await.last().unwrap().state(),
            "COMPLETED"
        );
        go.open_for(2);
        assert_eq!(within(caller.send("hi")).await.state(), "COMPLETED");
        within(started.pass()).await;
    }
}

// A2A-3.1.1-01 D29 D36
#[tokio::test]
async fn an_agent_that_announces_a_message_must_send_one() {
    let silent = scripted(|_, _| async { Ok(()) });
    let task = scripted(|_, task| async move { task.complete().await });
    let empty = scripted(|_, task| async move { task.reply(Vec::<Part>::new()).await });
    for (agent, kind, reason) in [
        (
            silent.clone(),
            Answer::Message,
            Some("INVALID_AGENT_RESPONSE"),
        ),
        (silent, Answer::Either, Some("INVALID_AGENT_RESPONSE")),
        (task, Answer::Message, Some("INVALID_AGENT_RESPONSE")),
        (empty, Answer::Message, None),
    ] {
        let server = serve_agent(agent.answering(kind)).await;
        for caller in server.callers() {
            let code = if reason.is_some() { -32006 } else { -32603 };
            let answer = within(caller.send("hi")).await;
            answer.expect_error(code, 500, "INTERNAL", reason);
            assert_eq!(caller.count().await, 0);
        }
    }
}

// A2A-T-07 D29
#[tokio::test]
async fn a_task_is_not_answered_with_a_message() {
    let agent = scripted(|request, task| async move {
        if request.text() == "go on" {
            return task.reply("a message after all").await;
        }
        task.input_required("more?").await
    });
    // Announcing messages changes nothing once there is a task.
    let server = serve_agent(agent.answering(Answer::Either)).await;
    for caller in server.callers() {
        let id = caller.send("hi").await.task_id();
        let answer = caller.send_to(&id, "go on").await;
        assert_eq!(answer.task_id(), id);
        assert_eq!(answer.state(), "FAILED");
        let words = spoken(&answer.task()["status"]["message"]);
        assert_eq!(words, "AGENT the agent gave an invalid response");
    }
}

// A2A-3.1.1-05, A2A-T-08 B6
#[tokio::test]
async fn a_message_to_a_finished_task_is_refused() {
    let agent = Scripted::obedient();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for state in TERMINAL {
            let id = caller.task_in(state).await;
            let (before, runs) = (caller.get_task(&id).await, agent.runs());
            caller.send_to(&id, "COMPLETED").await.expect_unsupported();
            assert_eq!(caller.get_task(&id).await.task(), before.task());
            assert_eq!(agent.runs(), runs);
        }
    }
}

// A2A-3.1.1-06, A2A-3.4.2-04
#[tokio::test]
async fn a_message_to_an_unknown_task_is_refused_and_makes_none() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        caller.send_to("nope", "hi").await.expect_task_not_found();
        caller.get_task("nope").await.expect_task_not_found();
        assert_eq!(caller.count().await, 0);
    }
    assert_eq!(agent.runs(), 0);
}

// A2A-3.4.2-01
#[tokio::test]
async fn every_task_gets_an_id_of_its_own() {
    let server = serve_agent(Scripted::echo()).await;
    let mut ids = HashSet::new();
    for caller in server.callers() {
        for _ in 0..10 {
            let sends = (0..50).map(|_| caller.send("the same"));
            let answers = futures::future::join_all(sends).await;
            ids.extend(answers.iter().map(|answer| answer.task_id()));
        }
    }
    assert_eq!(ids.len(), 1000);
}

// A2A-3.2.2-07, A2A-3.3.4-01
#[tokio::test]
async fn a_webhook_that_comes_along_is_refused_without_the_capability() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let configuration = json!({"taskPushNotificationConfig": {"url": "https://example.com/"}});
    let params = json!({"message": message("hi"), "configuration": configuration});
    for caller in server.callers() {
        let answer = caller.call("SendMessage", params.clone()).await;
        answer.expect_push_not_supported();
        let answer = caller.stream("SendStreamingMessage", params.clone()).await;
        answer.err().unwrap().expect_push_not_supported();
        assert_eq!(caller.count().await, 0);
    }
    assert_eq!(agent.runs(), 0);
}

// A2A-3.5.2-07 R080
#[tokio::test]
async fn a_client_that_leaves_a_blocking_send_does_not_stop_the_agent() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (started.clone(), go.clone());
        move |_, task| {
            let (started, go) = gates.clone();
            async move {
                task.working().await?;
                started.open();
                go.pass().await;
                task.artifact("a").text("done").send().await?;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let asking = tokio::spawn({
            let caller = caller.clone();
            async move { caller.send("hi").await }
        });
        within(started.pass()).await;
        asking.abort();
        assert!(asking.await.unwrap_err().is_cancelled());
        let list = caller
            .call("ListTasks", json!({"status": "TASK_STATE_WORKING"}))
            .await;
        let id = list.result()["tasks"][0]["id"].as_str().unwrap().to_owned();
        let events = caller.subscribe(&id).await.unwrap();
        go.open();
        within(events.all()).await;
        let read = caller.get_task(&id).await;
        assert_eq!(read.state(), "COMPLETED");
        assert_eq!(
            read.task()["artifacts"][0]["parts"],
            json!([{"text": "done"}])
        );
    }
}
