use std::sync::Arc;

use a2a_types::push::{Notification, PushSender};
use a2a_types::store::{LogEntry, PushConfigStore, Scope};
use a2a_types::{Task, TaskPushNotificationConfig};

/// How many registrations are read from the store at once.
const PAGE: usize = 100;

/// Where webhooks are registered and who calls them.
#[derive(Clone)]
pub(crate) struct Webhooks {
    pub(crate) configs: Arc<dyn PushConfigStore>,
    pub(crate) sender: Arc<dyn PushSender>,
}

/// The webhooks of one live task, of all who registered any (A2A §3.1.7).
#[derive(Default)]
pub(super) struct Listeners {
    configs: Vec<Arc<TaskPushNotificationConfig>>,
}

impl Listeners {
    /// Reads the registrations of the task. Those known before stay when the store fails.
    pub(super) async fn refresh(&mut self, webhooks: Option<&Webhooks>, task_id: &str) {
        let Some(webhooks) = webhooks else { return };
        let scope = Scope::__system();
        let mut configs: Vec<Arc<_>> = Vec::new();
        loop {
            let after = configs
                .last()
                .map(|c: &Arc<TaskPushNotificationConfig>| c.id.clone());
            let page = webhooks
                .configs
                .list(&scope, task_id, after.as_deref(), PAGE)
                .await;
            match page {
                Ok(page) => {
                    let more = page.len() == PAGE;
                    configs.extend(page.into_iter().map(Arc::new));
                    if !more {
                        break;
                    }
                }
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::error!(task_id, error, "the webhooks of a task could not be read");
                    return;
                }
            }
        }
        self.configs = configs;
    }

    pub(super) fn snapshot(&self, webhooks: Option<&Webhooks>, task: &Arc<Task>) {
        self.each(webhooks, || Notification::Task(Arc::clone(task)));
    }

    pub(super) fn events(&self, webhooks: Option<&Webhooks>, entries: &[Arc<LogEntry>]) {
        for entry in entries.iter().filter(|entry| entry.is_visible()) {
            self.each(webhooks, || Notification::Event(Arc::clone(entry)));
        }
    }

    fn each(&self, webhooks: Option<&Webhooks>, notification: impl Fn() -> Notification) {
        let Some(webhooks) = webhooks else { return };
        for config in &self.configs {
            webhooks.sender.notify(config, notification());
        }
    }
}
