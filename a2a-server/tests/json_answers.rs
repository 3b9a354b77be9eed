//! The JSON of answers (A2A §4.1, §5.5, §5.7): what is always there, and the same on every binding.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::ExtendedCardAccess;
use a2a_types::{AgentCard, TaskState};
use serde_json::{Value, json};
use support::{Answer, Recorder, Scripted, builder, scripted, serve, serve_agent};

/// Puts the parts of the message into an artifact, and says something.
fn mirror() -> Scripted {
    scripted(|request, task| async move {
        let parts = request.message().parts.iter().cloned();
        let artifact = parts.fold(task.artifact("mirror"), |artifact, part| {
            artifact.part(part)
        });
        artifact.send().await?;
        task.status(TaskState::Completed)
            .message("done")
            .send()
            .await
    })
}

// A2A-5.7-04, A2A-5.7-05, R029, R030
#[tokio::test]
async fn required_members_are_written_also_when_they_are_empty() {
    let server = serve(builder(mirror()).push_sender(Arc::new(Recorder::default()))).await;
    for caller in server.callers() {
        let list = caller.call("ListTasks", json!({"contextId": "none"})).await;
        let empty = json!({"tasks": [], "nextPageToken": "", "pageSize": 50, "totalSize": 0});
        assert_eq!(list.result(), &empty);
        let id = caller.send("hi").await.task_id();
        let configs = caller
            .call("ListTaskPushNotificationConfigs", json!({"taskId": id}))
            .await;
        assert_eq!(configs.result().get("nextPageToken"), None);
        let none = caller
            .call("GetTask", json!({"id": id, "historyLength": 0}))
            .await;
        assert!(none.task().get("history").is_none());
        let all = caller.call("GetTask", json!({"id": id})).await;
        assert_eq!(all.task()["history"].as_array().unwrap().len(), 1);
    }
}

/// The names of all members, but for those of user data.
fn names(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                found.push(name.clone());
                if !["metadata", "data"].contains(&name.as_str()) {
                    names(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

// A2A-5.1-01, A2A-5.1-02, A2A-5.5-01, A2A-9.4-01, A2A-11.4-01, A2A-4.1-01, A2A-4.1-07, A2A-4.1-08,
// A2A-5.6.1-01
#[tokio::test]
async fn every_operation_answers_with_its_message_and_both_bindings_with_the_same() {
    let mut seen = Vec::new();
    for wire in support::BINDINGS {
        let extended = |_| async { Ok(AgentCard::builder("Extended", "For tests")) };
        let builder = builder(mirror())
            .push_sender(Arc::new(Recorder::default()))
            .extended_card(extended)
            .public_url("https://agent.example.com");
        let server = serve(builder.extended_card_access(ExtendedCardAccess::Everybody)).await;
        let caller = server.caller(wire);
        let send = caller.send("hi").await;
        let id = send.task_id();
        let config = json!({"taskId": id, "id": "p", "url": "https://example.com/hook"});
        let named = json!({"taskId": id, "id": "p"});
        let answers = [
            send,
            caller.get_task(&id).await,
            caller
                .call("ListTasks", json!({"includeArtifacts": true}))
                .await,
            caller
                .call("CreateTaskPushNotificationConfig", config)
                .await,
            caller
                .call("GetTaskPushNotificationConfig", named.clone())
                .await,
            caller
                .call("ListTaskPushNotificationConfigs", json!({"taskId": id}))
                .await,
            caller.call("DeleteTaskPushNotificationConfig", named).await,
            caller.call("GetExtendedAgentCard", json!({})).await,
        ];
        let mut results: Vec<Value> = answers.iter().map(Answer::result).cloned().collect();
        let streamed = caller.stream_send("hi").await.all().await;
        results.extend(streamed.into_iter().map(|event| event.body));
        let status = &results[1]["status"];
        support::expect_timestamp(&status["timestamp"]);
        let said = &status["message"];
        assert_eq!(
            (&said["taskId"], &said["contextId"]),
            (&results[1]["id"], &results[1]["contextId"])
        );
        assert_eq!(said["role"], "ROLE_AGENT");
        assert!(!said["messageId"].as_str().unwrap().is_empty());
        let mut found = Vec::new();
        results.iter().for_each(|result| names(result, &mut found));
        let snake: Vec<_> = found.iter().filter(|name| name.contains('_')).collect();
        assert!(snake.is_empty(), "{snake:?}");
        for result in &mut results {
            blur(result);
        }
        seen.push(results);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(
        seen[0][6],
        json!({}),
        "deleting answers with an empty message"
    );
}

/// Takes out what differs from run to run.
fn blur(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let random = ["id", "taskId", "contextId", "messageId", "timestamp"];
                if random.contains(&name.as_str()) {
                    *value = "*".into();
                } else {
                    blur(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(blur),
        _ => {}
    }
}

// A2A-4.1-06
#[tokio::test]
async fn an_agent_cannot_send_an_unspecified_state_or_an_empty_artifact() {
    let agent = scripted(|_, task| async move {
        let state = task
            .status(TaskState::Unspecified)
            .send()
            .await
            .unwrap_err();
        let artifact = task.artifact("empty").send().await.unwrap_err();
        let unnamed = task.artifact("").text("a").send().await.unwrap_err();
        for error in [state, artifact, unnamed] {
            assert!(error.is_invalid_response(), "{error}");
        }
        task.complete().await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        assert_eq!(caller.send("hi").await.state(), "COMPLETED");
    }
}
