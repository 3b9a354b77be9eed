use std::sync::Arc;

use a2a_server::ServerBuilder;
use serde_json::{Value, json};

use super::{Caller, Gate, Recorder, Scripted, builder, scripted};

pub const CREATE: &str = "CreateTaskPushNotificationConfig";
pub const GET: &str = "GetTaskPushNotificationConfig";
pub const LIST: &str = "ListTaskPushNotificationConfigs";
pub const DELETE: &str = "DeleteTaskPushNotificationConfig";

/// An address that takes webhooks.
pub const HOOK: &str = "https://hook.example.com/a";

/// A server whose webhooks are remembered.
pub fn pushing(agent: Scripted, recorder: &Recorder) -> ServerBuilder {
    builder(agent).push_sender(Arc::new(recorder.clone()))
}

pub async fn register_webhook(caller: &Caller, config: Value) -> Value {
    caller.call(CREATE, config).await.result().clone()
}

pub async fn delete_webhook(caller: &Caller, task: &str, id: &str) {
    let answer = caller.call(DELETE, json!({"taskId": task, "id": id})).await;
    assert_eq!(answer.status, 200);
    assert_eq!(*answer.result(), json!({}));
}

/// All registrations of the task.
pub async fn list_webhooks(caller: &Caller, task: &str) -> Vec<Value> {
    let answer = caller.call(LIST, json!({"taskId": task})).await;
    let list = answer.result();
    assert!(list.is_object());
    assert!(list.get("nextPageToken").is_none_or(|token| token == ""));
    let configs = list.get("configs").cloned().unwrap_or(json!([]));
    configs.as_array().unwrap().clone()
}

/// Says WORKING, one artifact and the next one each time the gate opens, until told to end.
pub fn steady(gate: &Gate, steps: usize) -> Scripted {
    let gate = gate.clone();
    scripted(move |request, task| {
        let gate = gate.clone();
        async move {
            if request.text() == "park" {
                return task.input_required("more?").await;
            }
            task.working().await?;
            for step in 0..steps {
                gate.pass().await;
                task.artifact(format!("a{step}")).text("x").send().await?;
            }
            gate.pass().await;
            task.complete().await
        }
    })
}
