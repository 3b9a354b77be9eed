use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use a2a_server::ServerBuilder;
use a2a_server::auth::{Authenticator, Credentials, Principal, Security, StaticBearer};
use a2a_types::{A2aError, AgentCard};
use async_trait::async_trait;
use serde_json::{Value, json};

use super::{Caller, Recorder, Scripted, builder, message};

/// Credentials whose text says nothing about the principal, and the grants that go with them.
#[derive(Clone, Default)]
pub struct Badges {
    pub known: Arc<Mutex<BTreeMap<String, Principal>>>,
    /// How often somebody was asked for.
    pub asked: Arc<Mutex<usize>>,
}

impl Badges {
    pub fn new<const N: usize>(badges: [(&str, Principal); N]) -> Self {
        let known = badges.map(|(badge, principal)| (badge.to_owned(), principal));
        Self {
            known: Arc::new(Mutex::new(known.into())),
            asked: Arc::default(),
        }
    }
}

#[async_trait]
impl Authenticator for Badges {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError> {
        *self.asked.lock().unwrap() += 1;
        let badge = credentials.headers.get("x-badge");
        let badge = badge.and_then(|value| value.to_str().ok()).unwrap_or("");
        let found = self.known.lock().unwrap().get(badge).cloned();
        found.ok_or_else(|| A2aError::unauthenticated("a badge is required"))
    }

    fn security(&self) -> Security {
        Security::default()
    }
}

/// Tokens of alice, who has two, and of bob.
pub fn bearers() -> StaticBearer {
    StaticBearer::new([
        ("alice-token-1", "alice"),
        ("alice-token-2", "alice"),
        ("bob-token", "bob"),
    ])
}

/// A server with every operation, for alice and bob.
pub fn complete(agent: Scripted, recorder: &Recorder) -> ServerBuilder {
    builder(agent)
        .authenticator(bearers())
        .push_sender(Arc::new(recorder.clone()))
        .extended_card(|context| async move {
            let card = AgentCard::builder(context.caller.id(), "Extended");
            Ok(card.skill("more", "More", "Knows more"))
        })
}

/// A call of each operation. Those that name a task name this one, those that name a webhook this
/// one.
pub fn calls(task: &str, webhook: &str) -> Vec<(&'static str, Value)> {
    let mut follow_up = message("and now?");
    follow_up["taskId"] = task.into();
    let webhooks = json!({"taskId": task});
    let one = json!({"taskId": task, "id": webhook});
    let new = json!({"taskId": task, "id": webhook, "url": "https://evil.example.com"});
    let inline = json!({"taskPushNotificationConfig": {"url": "https://evil.example.com"}});
    let mut in_context = follow_up.clone();
    in_context["contextId"] = "ctx".into();
    vec![
        ("GetTask", json!({"id": task})),
        ("GetTask", json!({"id": task, "historyLength": 0})),
        ("CancelTask", json!({"id": task})),
        ("SubscribeToTask", json!({"id": task})),
        ("SendMessage", json!({"message": follow_up})),
        ("SendMessage", json!({"message": in_context})),
        (
            "SendMessage",
            json!({"message": follow_up, "configuration": inline}),
        ),
        ("SendStreamingMessage", json!({"message": follow_up})),
        ("CreateTaskPushNotificationConfig", new),
        ("GetTaskPushNotificationConfig", one.clone()),
        ("ListTaskPushNotificationConfigs", webhooks),
        ("DeleteTaskPushNotificationConfig", one),
        ("ListTasks", json!({})),
        ("GetExtendedAgentCard", json!({})),
    ]
}

/// The ids of all tasks in a list.
pub async fn ids(caller: &Caller, params: Value) -> BTreeSet<String> {
    let list = caller.call("ListTasks", params).await;
    let tasks = list.result()["tasks"].as_array().unwrap();
    assert_eq!(list.result()["totalSize"], tasks.len());
    let ids = tasks.iter().map(|t| t["id"].as_str().unwrap().to_owned());
    ids.collect()
}
