//! The JSON of requests and answers (A2A §4.1, §5.5 to §5.7): what is read, and what is refused with
//! which path.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::MemoryTaskStore;
use a2a_types::store::{NewTask, Owner, TaskStore};
use a2a_types::{Task, TaskState, TaskStatus};
use serde_json::{Value, json};
use support::{Recorder, Scripted, Wire, builder, message, scripted, serve, serve_agent};

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

fn with_parts(parts: &Value) -> Value {
    json!({"message": {"messageId": "m-1", "role": "ROLE_USER", "parts": parts}})
}

// A2A-4.1-04, A2A-4.1-05, A2A-5.5-01, R019, R021, R022, R027, R034
#[tokio::test]
async fn parts_come_back_as_they_were_meant() {
    let server = serve_agent(mirror()).await;
    let rows = [
        (r#"{"text":""}"#, r#"{"text":""}"#),
        (r#"{"text":"if a<b && c>d"}"#, r#"{"text":"if a<b && c>d"}"#),
        (r#"{"text":"\u003c\u6c34"}"#, r#"{"text":"<水"}"#),
        (r#"{"text":"\\u003c"}"#, r#"{"text":"\\u003c"}"#),
        (
            r#"{"text":"\u0000\n\u2028é😀"}"#,
            "{\"text\":\"\\u0000\\n\u{2028}é😀\"}",
        ),
        (r#"{"raw":"_-8"}"#, r#"{"raw":"/+8="}"#),
        (r#"{"raw":"_-8="}"#, r#"{"raw":"/+8="}"#),
        (r#"{"raw":"/+8"}"#, r#"{"raw":"/+8="}"#),
        (r#"{"raw":"/+8="}"#, r#"{"raw":"/+8="}"#),
        (r#"{"raw":""}"#, r#"{"raw":""}"#),
        (r#"{"raw":"AA"}"#, r#"{"raw":"AA=="}"#),
        (r#"{"raw":"AAAA"}"#, r#"{"raw":"AAAA"}"#),
        (
            r#"{"url":"https://e.com/a?b=c&d"}"#,
            r#"{"url":"https://e.com/a?b=c&d"}"#,
        ),
        (r#"{"data":null}"#, r#"{"data":null}"#),
        (r#"{"text":null,"data":null}"#, r#"{"data":null}"#),
        (
            r#"{"data":{"z":"","a_b":1,"a":[1,{"b":null}]}}"#,
            r#"{"data":{"a":[1,{"b":null}],"a_b":1,"z":""}}"#,
        ),
        (
            r#"{"data":[true,false,"x",[]]}"#,
            r#"{"data":[true,false,"x",[]]}"#,
        ),
        (r#"{"data":"text"}"#, r#"{"data":"text"}"#),
        (r#"{"data":0}"#, r#"{"data":0}"#),
        (r#"{"data":false}"#, r#"{"data":false}"#),
        (
            r#"{"data":[1,-1,9007199254740991,9007199254740993]}"#,
            r#"{"data":[1,-1,9007199254740991,9007199254740993]}"#,
        ),
        (
            r#"{"data":[18446744073709551615,-9223372036854775808]}"#,
            r#"{"data":[18446744073709551615,-9223372036854775808]}"#,
        ),
        (r#"{"data":[0.1,1.5e-7]}"#, r#"{"data":[0.1,1.5e-7]}"#),
        (r#"{"data":[1.0,1e2]}"#, r#"{"data":[1,100]}"#),
        (
            r#"{"text":"a","filename":"a.md","mediaType":"text/markdown","metadata":{"k":1}}"#,
            r#"{"text":"a","metadata":{"k":1},"filename":"a.md","mediaType":"text/markdown"}"#,
        ),
        (
            r#"{"url":"u","media_type":"image/png"}"#,
            r#"{"url":"u","mediaType":"image/png"}"#,
        ),
        (
            r#"{"text":"a","metadata":{},"filename":""}"#,
            r#"{"text":"a","metadata":{}}"#,
        ),
    ];
    for caller in server.callers() {
        for (sent, expected) in rows {
            let body = with_parts(&json!(["PART"]))
                .to_string()
                .replace("\"PART\"", sent);
            let body = match caller.wire {
                Wire::Rest => body,
                Wire::JsonRpc => format!(
                    r#"{{"jsonrpc":"2.0","id":"t-1","method":"SendMessage","params":{body}}}"#
                ),
            };
            let response = caller
                .request("SendMessage", with_parts(&json!([])))
                .body(body)
                .send()
                .await
                .unwrap();
            let text = response.text().await.unwrap();
            // The text itself: a JSON reader would hide how a number is written.
            let written = format!(r#""parts":[{expected}]"#);
            assert_eq!(text.matches(&written).count(), 2, "{sent}: {text}");
        }
    }
}

// A2A-4.1-02, A2A-4.1-03, A2A-5.7-03, R019, R024, R033
#[tokio::test]
async fn parts_without_one_content_are_refused_with_their_path() {
    let agent = mirror();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for (parts, field) in [
            (json!([]), "message.parts"),
            (json!([{}]), "message.parts[0]"),
            (
                json!([{"text": "a"}, {"mediaType": "application/json"}]),
                "message.parts[1]",
            ),
            (json!([{"text": null}]), "message.parts[0]"),
            (
                json!([{"text": "a"}, {"text": "a", "url": "b"}]),
                "message.parts[1]",
            ),
            (json!([{"text": "a", "data": null}]), "message.parts[0]"),
            (json!([{"text": 1}]), "message.parts[0].text"),
            (json!([{"raw": "@@"}]), "message.parts[0].raw"),
            (json!([{"raw": "/+ 8="}]), "message.parts[0].raw"),
            (json!([{"raw": "/"}]), "message.parts[0].raw"),
            (
                json!([{"text": "a", "metadata": []}]),
                "message.parts[0].metadata",
            ),
            (json!([null]), "message.parts[0]"),
            (json!("text"), "message.parts"),
        ] {
            caller
                .call("SendMessage", with_parts(&parts))
                .await
                .expect_invalid(&[field]);
        }
        assert_eq!(caller.count().await, 0);
    }
    assert_eq!(agent.runs(), 0);
}

// A2A-4.1-01, A2A-4.1-07, A2A-5.7-01, A2A-5.7-02, A2A-3.3.2-09, A2A-3.3.2-10, A2A-13.4-05,
// A2A-14.1.1-03, D43
#[tokio::test]
async fn every_required_member_that_is_missing_or_empty_is_named() {
    let agent = mirror();
    let server = serve(builder(agent.clone()).push_sender(Arc::new(Recorder::default()))).await;
    for caller in server.callers() {
        let id = caller.send("hi").await.task_id();
        let runs = agent.runs();
        let sends = [
            (json!({}), &["message"][..]),
            (json!({"message": null}), &["message"]),
            (
                json!({"message": {}}),
                &["message.messageId", "message.parts", "message.role"],
            ),
            (
                json!({"message": {"messageId": "", "role": "ROLE_USER", "parts": [{"text": ""}]}}),
                &["message.messageId"],
            ),
            (
                json!({"message": {"messageId": "m", "role": "ROLE_UNSPECIFIED", "parts": [{"text": ""}]}}),
                &["message.role"],
            ),
            (
                json!({"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": ""}]}}),
                &["message.role"],
            ),
            (
                json!({"message": {"messageId": "m", "role": 7, "parts": [{"text": ""}]}}),
                &["message.role"],
            ),
            (
                json!({"message": message("a"), "configuration": {"taskPushNotificationConfig": {}}}),
                &["configuration.taskPushNotificationConfig.url"],
            ),
            (
                json!({"message": message("a"), "configuration": {"taskPushNotificationConfig":
                    {"url": "https://a", "authentication": {}}}}),
                &["configuration.taskPushNotificationConfig.authentication.scheme"],
            ),
        ];
        for operation in ["SendMessage", "SendStreamingMessage"] {
            for (params, fields) in &sends {
                caller
                    .call(operation, params.clone())
                    .await
                    .expect_invalid(fields);
            }
        }
        caller
            .call("CreateTaskPushNotificationConfig", json!({"taskId": id}))
            .await
            .expect_invalid(&["url"]);
        caller
            .call(
                "CreateTaskPushNotificationConfig",
                json!({"taskId": id, "url": "https://a", "authentication": {"scheme": ""}}),
            )
            .await
            .expect_invalid(&["authentication.scheme"]);
        if caller.wire == Wire::JsonRpc {
            for operation in ["GetTask", "CancelTask", "SubscribeToTask"] {
                caller
                    .call(operation, json!({"id": ""}))
                    .await
                    .expect_invalid(&["id"]);
            }
            for operation in [
                "GetTaskPushNotificationConfig",
                "DeleteTaskPushNotificationConfig",
            ] {
                caller
                    .call(operation, json!({}))
                    .await
                    .expect_invalid(&["id", "taskId"]);
            }
            caller
                .call("ListTaskPushNotificationConfigs", json!({}))
                .await
                .expect_invalid(&["taskId"]);
            caller
                .call("CreateTaskPushNotificationConfig", json!({}))
                .await
                .expect_invalid(&["taskId", "url"]);
        }
        assert_eq!(agent.runs(), runs);
    }
    assert_eq!(server.caller(Wire::Rest).count().await, 2);
}

// A2A-5.5-02, A2A-3.3.2-11
#[tokio::test]
async fn enums_are_read_by_name_and_number_and_a_wrong_name_shows_the_right_ones() {
    let server = serve_agent(mirror()).await;
    for caller in server.callers() {
        for role in [json!("ROLE_USER"), json!(1)] {
            let mut message = message("hi");
            message["role"] = role;
            let answer = caller
                .call("SendMessage", json!({"message": message}))
                .await;
            assert_eq!(answer.task()["history"][0]["role"], "ROLE_USER");
        }
        for role in [
            json!("user"),
            json!("ROLE_BOGUS"),
            json!(1.5),
            json!(true),
            json!([]),
        ] {
            let mut message = message("hi");
            message["role"] = role;
            let answer = caller
                .call("SendMessage", json!({"message": message}))
                .await;
            answer.expect_invalid(&["message.role"]);
        }
        let mut bogus = message("hi");
        bogus["role"] = "ROLE_BOGUS".into();
        let answer = caller.call("SendMessage", json!({"message": bogus})).await;
        assert!(
            answer.message().contains("ROLE_USER"),
            "{}",
            answer.message()
        );
    }
}

// A2A-5.7-06, R025, D31, I13
#[tokio::test]
async fn unknown_members_change_nothing() {
    let server = serve_agent(mirror()).await;
    for caller in server.callers() {
        let params = json!({
            "message": {
                "kind": "message", "messageId": "m", "role": "ROLE_USER", "final": true,
                "parts": [{"kind": "text", "text": "hi", "x": {"y": [1]}}],
                "newField": {}, "other_field": null,
            },
            "configuration": {"blocking": true, "acceptedOutputModes": ["text/plain"], "x": 1},
            "unknown": [{"deep": {"er": 1}}],
        });
        let answer = caller.call("SendMessage", params).await;
        assert_eq!(
            answer.task()["artifacts"][0]["parts"],
            json!([{"text": "hi"}])
        );
        assert_eq!(
            answer.task()["history"][0].as_object().unwrap().len(),
            5,
            "{}",
            answer.task()
        );
    }
}

// R033, A2A-3.3.2-10
#[tokio::test]
async fn a_value_of_the_wrong_type_is_reported_with_its_path() {
    let server = serve_agent(mirror()).await;
    for caller in server.callers() {
        for (configuration, field) in [
            (json!({"historyLength": "x"}), "configuration.historyLength"),
            (json!({"historyLength": 1.5}), "configuration.historyLength"),
            (
                json!({"historyLength": 3_000_000_000_u64}),
                "configuration.historyLength",
            ),
            (json!({"historyLength": -1}), "configuration.historyLength"),
            (
                json!({"returnImmediately": "true"}),
                "configuration.returnImmediately",
            ),
            (
                json!({"returnImmediately": 1}),
                "configuration.returnImmediately",
            ),
            (
                json!({"acceptedOutputModes": "text/plain"}),
                "configuration.acceptedOutputModes",
            ),
            (
                json!({"acceptedOutputModes": ["a", 1]}),
                "configuration.acceptedOutputModes[1]",
            ),
            (json!([]), "configuration"),
        ] {
            let params = json!({"message": message("a"), "configuration": configuration});
            caller
                .call("SendMessage", params)
                .await
                .expect_invalid(&[field]);
        }
        let good = json!({"history_length": "1", "returnImmediately": null});
        let params = json!({"message": message("a"), "configuration": good});
        assert_eq!(
            caller.call("SendMessage", params).await.task()["history"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }
}

/// A store with a task whose status has this instant.
async fn stamped(instant: &str) -> Arc<MemoryTaskStore> {
    let store = Arc::new(MemoryTaskStore::new());
    let status = TaskStatus::default()
        .with_state(TaskState::Completed)
        .with_timestamp(instant.parse::<a2a_types::Timestamp>().unwrap());
    let task = Task::default()
        .with_id("t")
        .with_context_id("c")
        .with_status(status);
    store
        .create(&Owner::new("", ""), NewTask::new(task))
        .await
        .unwrap();
    store
}

// A2A-5.6.1-01..05, R032, D11, D41
#[tokio::test]
async fn timestamps_are_read_in_any_form_and_written_in_one() {
    let store = stamped("2025-04-16T11:38:21.503444Z").await;
    let server = serve(builder(mirror()).task_store(store)).await;
    for caller in server.callers() {
        let shown = caller.get_task("t").await;
        assert_eq!(
            shown.task()["status"]["timestamp"],
            "2025-04-16T11:38:21.503Z"
        );
        for (since, found) in [
            ("2025-04-16T11:38:21.503444Z", 1),
            ("2025-04-16T11:38:21.503445Z", 0),
            ("2025-04-16T11:38:21.503444001Z", 0),
            ("2025-04-16T11:38:21Z", 1),
            ("2025-04-16T11:38:22Z", 0),
            ("2025-04-16T11:38:21.5Z", 1),
            ("2025-04-16T13:38:21.503444+02:00", 1),
            ("2025-04-16T13:38:21.503445+02:00", 0),
            ("2025-04-16T07:08:21.503444-04:30", 1),
            ("2025-04-16T11:38:21.503444", 1),
            ("2025-04-16t11:38:21.503444z", 1),
            ("0001-01-01T00:00:00Z", 1),
            ("9999-12-31T23:59:59.999999999Z", 0),
            ("2024-02-29T00:00:00Z", 1),
        ] {
            let list = caller
                .call("ListTasks", json!({"statusTimestampAfter": since}))
                .await;
            assert_eq!(list.result()["totalSize"], found, "{since}");
        }
        for wrong in [
            "2025-04-16T11:38:60Z",
            "2025-02-29T00:00:00Z",
            "2025-04-16",
            "2025-04-16T11:38:21.0123456789Z",
            "2025-04-16T24:00:00Z",
            "0000-01-01T00:00:00Z",
            "10000-01-01T00:00:00Z",
            "1744803501",
            "now",
        ] {
            let list = caller
                .call("ListTasks", json!({"statusTimestampAfter": wrong}))
                .await;
            list.expect_invalid(&["statusTimestampAfter"]);
        }
    }
    let number = server
        .caller(Wire::JsonRpc)
        .call("ListTasks", json!({"statusTimestampAfter": 1744803501}))
        .await;
    number.expect_invalid(&["statusTimestampAfter"]);
}
