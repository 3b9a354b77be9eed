use std::sync::Arc;

use a2a_types::push::{Notification, PushSender};
use a2a_types::store::{LogEntry, Owner, PushConfigStore, Registered, Scope, StoreError};
use a2a_types::{A2aError, ErrorKind, Task, TaskPushNotificationConfig};

use super::store_error;

/// How many webhooks of one task are read at a time.
const PAGE: usize = 1000;

/// Where webhooks are registered and who calls them.
#[derive(Clone)]
pub(crate) struct Webhooks {
    pub(crate) configs: Arc<dyn PushConfigStore>,
    pub(crate) sender: Arc<dyn PushSender>,
    /// How many webhooks one task may have.
    pub(crate) most: usize,
}

/// A webhook that is to be registered, and whose it is.
pub(crate) type Registration = (Owner, TaskPushNotificationConfig);

impl Webhooks {
    /// Registers the webhook, unless the task has as many as it may have.
    pub(crate) async fn register(&self, (owner, config): Registration) -> Result<(), A2aError> {
        let most = self.most;
        match self.configs.put(&owner, config, most).await {
            Ok(Registered::Stored) => Ok(()),
            Ok(Registered::Full) => Err(A2aError::new(
                ErrorKind::ResourceExhausted,
                format!("the task has reached its limit of {most} webhooks"),
            )),
            Err(error) => Err(store_error(error)),
        }
    }

    /// All registrations of the task, whoever made them.
    async fn of_task(&self, id: &str) -> Result<Vec<Arc<TaskPushNotificationConfig>>, StoreError> {
        let scope = Scope::__system();
        let mut all = Vec::new();
        let mut after = None;
        loop {
            let page = self.configs.list(&scope, id, after.as_ref(), PAGE).await?;
            all.extend(page.configs.into_iter().map(Arc::new));
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(all),
            }
        }
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
        match webhooks.of_task(task_id).await {
            Ok(configs) => self.configs = configs,
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
