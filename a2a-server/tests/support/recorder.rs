use std::sync::{Arc, Mutex};

use a2a_types::push::{Notification, PushSender, Webhook};
use a2a_types::store::StoreError;
use a2a_types::{A2aError, TaskPushNotificationConfig};
use async_trait::async_trait;
use serde_json::Value;

/// A push sender that sends nothing and remembers everything. It registers https addresses only.
#[derive(Clone, Default)]
pub struct Recorder {
    sent: Arc<Mutex<Vec<Sent>>>,
}

type Sent = (Arc<Webhook>, String);

impl Recorder {
    /// What was sent to the address, in short and in order: `task SUBMITTED`, `1 WORKING`,
    /// `2 artifact`.
    pub fn sent_to(&self, url: &str) -> Vec<String> {
        let sent = self.sent.lock().unwrap();
        let to = sent.iter().filter(|(webhook, _)| webhook.config.url == url);
        to.map(|(_, what)| what.clone()).collect()
    }

    /// The same, for one task alone.
    pub fn sent_about(&self, task_id: &str) -> Vec<(String, String)> {
        let sent = self.sent.lock().unwrap();
        let about = sent
            .iter()
            .filter(|(webhook, _)| &*webhook.key.task_id == task_id);
        about
            .map(|(webhook, what)| (webhook.config.url.clone(), what.clone()))
            .collect()
    }
}

#[async_trait]
impl PushSender for Recorder {
    async fn check(&self, config: &TaskPushNotificationConfig) -> Result<(), A2aError> {
        if config.url.starts_with("https://") {
            return Ok(());
        }
        Err(A2aError::invalid_param("url", "must be an https address"))
    }

    async fn notify(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
    ) -> Result<(), StoreError> {
        let mut sent = self.sent.lock().unwrap();
        for notification in notifications {
            let what = in_short(notification);
            sent.extend(webhooks.iter().map(|to| (Arc::clone(to), what.clone())));
        }
        Ok(())
    }
}

fn in_short(notification: &Notification) -> String {
    let body: Value = serde_json::from_slice(notification.body()).unwrap();
    let state_of = |status: &Value| {
        let state = status["state"].as_str().unwrap();
        state.trim_start_matches("TASK_STATE_").to_owned()
    };
    let id = &notification.id();
    if body["task"].is_object() {
        format!("task {}", state_of(&body["task"]["status"]))
    } else if body["statusUpdate"].is_object() {
        format!("{id} {}", state_of(&body["statusUpdate"]["status"]))
    } else {
        assert!(body["artifactUpdate"].is_object(), "{body}");
        format!("{id} artifact")
    }
}
