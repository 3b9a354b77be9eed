//! What the tests share.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test file uses its own part"
)]

use std::time::Duration;

use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_client::{Client, ClientBuilder, RetryPolicy};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{ListTasksRequest, TaskPushNotificationConfig};
use serde_json::{Value, json};

pub const BINDINGS: [&str; 2] = [JSONRPC, HTTP_JSON];

/// A builder whose repetitions do not wait long.
pub fn builder() -> ClientBuilder {
    let retry = RetryPolicy::default().with_initial_delay(Duration::from_millis(1));
    Client::builder().with_retry(retry)
}

/// A client for an interface at the root of the server.
pub fn client(server: &HostileServer, binding: &str) -> Client {
    builder().from_card(server.card(binding)).unwrap()
}

/// A server that answers every request the same, and a client for it.
pub async fn answering(binding: &str, answer: Answer) -> (HostileServer, Client) {
    let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
    let client = client(&server, binding);
    (server, client)
}

/// A message as it is in an answer of the binding.
pub fn wrap(binding: &str, message: &Value) -> Value {
    match binding {
        JSONRPC => json!({ "jsonrpc": "2.0", "id": "1", "result": message }),
        _ => message.clone(),
    }
}

/// An answer of the binding with this message.
pub fn answer(binding: &str, message: &Value) -> Answer {
    Answer::json(200, &wrap(binding, message))
}

/// A stream of the binding with these events.
pub fn events(binding: &str, events: &[Value]) -> Answer {
    Answer::events(events.iter().map(|event| wrap(binding, event)))
}

/// A stream of the binding whose events have ids.
pub fn numbered(binding: &str, events: &[(usize, Value)]) -> Answer {
    let events = events.iter().map(|(id, event)| {
        let event = wrap(binding, event);
        format!("id: {id}\ndata: {event}\n\n")
    });
    Answer::stream(events.collect::<String>())
}

pub fn task(state: &str) -> Value {
    json!({ "id": "t-1", "contextId": "c-1", "status": { "state": state } })
}

pub fn task_event(state: &str) -> Value {
    json!({ "task": task(state) })
}

pub fn status(state: &str) -> Value {
    json!({ "statusUpdate": { "taskId": "t-1", "contextId": "c-1", "status": { "state": state } } })
}

pub fn chunk(text: &str, append: bool) -> Value {
    json!({ "artifactUpdate": {
        "taskId": "t-1", "contextId": "c-1", "append": append,
        "artifact": { "artifactId": "a-1", "parts": [{ "text": text }] },
    } })
}

/// Which operation a request is, over either binding.
pub fn operation(heard: &Heard) -> String {
    if let Some(method) = heard.json()["method"].as_str() {
        return method.to_owned();
    }
    let path = heard.path();
    let name = match (heard.method.as_str(), path) {
        (_, path) if path.ends_with("/message:send") => "SendMessage",
        (_, path) if path.ends_with("/message:stream") => "SendStreamingMessage",
        (_, path) if path.ends_with(":cancel") => "CancelTask",
        (_, path) if path.ends_with(":subscribe") => "SubscribeToTask",
        (_, path) if path.ends_with("/extendedAgentCard") => "GetExtendedAgentCard",
        (_, path) if path.ends_with("/tasks") => "ListTasks",
        ("POST", path) if path.ends_with("/pushNotificationConfigs") => {
            "CreateTaskPushNotificationConfig"
        }
        (_, path) if path.ends_with("/pushNotificationConfigs") => {
            "ListTaskPushNotificationConfigs"
        }
        ("DELETE", _) => "DeleteTaskPushNotificationConfig",
        (_, path) if path.contains("/pushNotificationConfigs/") => "GetTaskPushNotificationConfig",
        _ => "GetTask",
    };
    name.to_owned()
}

/// The names of the operations that a server has heard.
pub fn operations(server: &HostileServer) -> Vec<String> {
    server.heard().iter().map(operation).collect()
}

/// An answer that fits the operation.
pub fn fitting(binding: &str, heard: &Heard) -> Answer {
    match operation(heard).as_str() {
        "SendMessage" => answer(binding, &task_event("TASK_STATE_COMPLETED")),
        "SendStreamingMessage" | "SubscribeToTask" => {
            events(binding, &[task_event("TASK_STATE_COMPLETED")])
        }
        "GetTask" | "CancelTask" => answer(binding, &task("TASK_STATE_CANCELED")),
        "GetExtendedAgentCard" => answer(
            binding,
            &json!({ "name": "Extended", "supportedInterfaces": [],
                "capabilities": { "streaming": true, "pushNotifications": true,
                    "extendedAgentCard": true } }),
        ),
        _ => answer(binding, &json!({})),
    }
}

/// Makes all eleven calls.
pub async fn call_everything(client: &Client) {
    client.send_message("hi").await.unwrap();
    drop(client.stream_message("hi").await.unwrap());
    client.get_task("t-1").await.unwrap();
    client
        .list_tasks(ListTasksRequest::default())
        .await
        .unwrap();
    client.cancel_task("t-1").await.unwrap();
    drop(client.subscribe_to_task("t-1").await.unwrap());
    let config = TaskPushNotificationConfig::default()
        .with_task_id("t-1")
        .with_url("https://h");
    client.create_push_config(config).await.unwrap();
    client.get_push_config(("t-1", "p")).await.unwrap();
    client.list_push_configs("t-1").await.unwrap();
    client.delete_push_config(("t-1", "p")).await.unwrap();
    client.get_extended_card().await.unwrap();
}
