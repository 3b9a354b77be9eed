use std::sync::Arc;

use a2a_types::push::{Notification, PushSender};
use a2a_types::store::{LogEntry, Owner, PushConfigStore, Scope, StoreError};
use a2a_types::{Task, TaskPushNotificationConfig};

/// How many webhooks of one task are called at most.
const MOST: usize = 100_000;

/// Where webhooks are registered and who calls them.
#[derive(Clone)]
pub(crate) struct Webhooks {
    pub(crate) configs: Arc<dyn PushConfigStore>,
    pub(crate) sender: Arc<dyn PushSender>,
}

/// A webhook that is to be registered, and whose it is.
pub(crate) type Registration = (Owner, TaskPushNotificationConfig);

impl Webhooks {
    pub(super) async fn register(&self, (owner, config): Registration) -> Result<(), StoreError> {
        self.configs.put(&owner, config).await
    }
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
        // In one piece: pages go by id, and two owners may have chosen the same one.
        match webhooks.configs.list(&scope, task_id, None, MOST).await {
            Ok(configs) => self.configs = configs.into_iter().map(Arc::new).collect(),
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(task_id, error, "the webhooks of a task could not be read");
            }
        }
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
