use std::sync::Arc;
use std::time::Duration;

use a2a_types::push::{Forget, Notification, PushSender, Webhook, WebhookKey};
use a2a_types::store::{
    LogEntry, Owner, PushConfigStore, Registered, Scope, StoreError, TaskStore,
};
use a2a_types::{A2aError, ErrorKind, Task, TaskPushNotificationConfig, TraceContext};

use super::{Engine, store_error};
use crate::agent::Request;
use crate::context::CallContext;

/// How many webhooks of one task are read at a time.
const PAGE: usize = 1000;

/// Where webhooks are registered and who calls them.
#[derive(Clone)]
pub(crate) struct Webhooks {
    pub(crate) configs: Arc<dyn PushConfigStore>,
    pub(crate) sender: Arc<dyn PushSender>,
    /// How many webhooks one task may have.
    most: usize,
    handover: Handover,
}

/// How notifications come to the sender.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handover {
    /// It is given them after their events are stored.
    Direct,
    /// The store writes them into the sender's outbox, along with their events.
    ByStore,
}

/// A webhook that is to be registered, and whose it is.
pub(crate) type Registration = (Owner, TaskPushNotificationConfig);

impl Webhooks {
    pub(crate) fn new(
        configs: Arc<dyn PushConfigStore>,
        sender: Arc<dyn PushSender>,
        store: &dyn TaskStore,
        most: usize,
    ) -> Self {
        let outbox = store.properties().outbox;
        let handover = if outbox.is_some() && outbox == sender.outbox() {
            Handover::ByStore
        } else {
            Handover::Direct
        };
        Self {
            configs,
            sender,
            most,
            handover,
        }
    }

    /// Registers the webhook, unless the task has as many as it may have. When it may replace
    /// another, [`replaced`](Self::replaced) follows as soon as events go by the new one.
    pub(crate) async fn register(
        &self,
        (owner, config): Registration,
    ) -> Result<Arc<Webhook>, A2aError> {
        let most = self.most;
        match self.configs.put(&owner, config.clone(), most).await {
            Ok(Registered::Stored) => Ok(Arc::new(Webhook::new(owner, config))),
            Ok(Registered::Full) => Err(A2aError::new(
                ErrorKind::ResourceExhausted,
                format!("the task has reached its limit of {most} webhooks"),
            )),
            Err(error) => Err(store_error(error)),
        }
    }

    /// Lets what waits for an earlier registration of the same name go to this one.
    pub(crate) async fn replaced(&self, webhook: &Arc<Webhook>) -> Result<(), A2aError> {
        self.sender.replace(webhook).await.map_err(store_error)
    }

    /// Sends nothing more to a webhook whose registration was deleted.
    pub(crate) async fn forget(&self, key: &WebhookKey) -> Result<(), A2aError> {
        let forgotten = self.sender.forget(Forget::Webhook(key)).await;
        forgotten.map_err(store_error)
    }

    /// Drops all that has to do with a task that was purged.
    pub(super) async fn forget_task(&self, id: &str) -> Result<(), StoreError> {
        self.configs.delete_task(id).await?;
        self.sender.forget(Forget::Task(id)).await
    }

    /// All registrations of the task, whoever made them.
    async fn of_task(&self, id: &str) -> Result<Vec<Arc<Webhook>>, StoreError> {
        let scope = Scope::__system();
        let mut all = Vec::new();
        let mut after = None;
        loop {
            let page = self.configs.list(&scope, id, after.as_ref(), PAGE).await?;
            all.extend(page.webhooks.into_iter().map(Arc::new));
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(all),
            }
        }
    }

    /// Whom the store notifies of a new task.
    pub(super) fn born(&self, webhook: &Arc<Webhook>) -> Vec<Arc<Webhook>> {
        match self.handover {
            Handover::Direct => Vec::new(),
            Handover::ByStore => vec![Arc::clone(webhook)],
        }
    }
}

impl Engine {
    /// Gives the sender of webhooks `grace` to bring out what it was given, and ends it.
    pub(crate) async fn deliver_last(&self, grace: Duration) {
        if let Some(webhooks) = &self.shared.webhooks {
            webhooks.sender.shutdown(grace).await;
        }
    }
}

/// The webhooks of one live task, of all who registered any (A2A §3.1.7).
#[derive(Default)]
pub(super) struct Listeners {
    webhooks: Vec<Arc<Webhook>>,
    /// The trace of the message that the agent works on.
    message: Option<TraceContext>,
    /// That of the call that cancels the task.
    cancel: Option<TraceContext>,
}

impl Listeners {
    /// What comes next is due to this message.
    pub(super) fn answer_to(&mut self, message: &Request) {
        self.message.clone_from(&message.context().trace);
    }

    /// What comes next is due to this cancellation, if there is one.
    pub(super) fn cancel_by(&mut self, call: Option<&CallContext>) {
        self.cancel = call.and_then(|call| call.trace.clone());
    }

    /// The trace that goes along with what is stored now.
    pub(super) fn trace(&self) -> Option<&TraceContext> {
        self.cancel.as_ref().or(self.message.as_ref())
    }

    /// Reads the registrations of the task. Those known before stay when the store fails.
    pub(super) async fn refresh(&mut self, webhooks: Option<&Webhooks>, task_id: &str) {
        let Some(webhooks) = webhooks else { return };
        match webhooks.of_task(task_id).await {
            Ok(all) => self.webhooks = all,
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(task_id, error, "the webhooks of a task could not be read");
            }
        }
    }

    /// Whom the store notifies of what it stores.
    pub(super) fn of_store(&self, webhooks: Option<&Webhooks>) -> &[Arc<Webhook>] {
        match webhooks.map(|webhooks| webhooks.handover) {
            Some(Handover::ByStore) => &self.webhooks,
            _ => &[],
        }
    }

    /// Whether nobody is told of anything.
    pub(super) fn is_empty(&self) -> bool {
        self.webhooks.is_empty()
    }

    /// The task is stored.
    pub(super) async fn snapshot(&self, webhooks: Option<&Webhooks>, task: &Task) {
        self.stored(webhooks, || vec![Notification::of_task(task)])
            .await;
    }

    /// The entries are stored.
    pub(super) async fn events(&self, webhooks: Option<&Webhooks>, entries: &[Arc<LogEntry>]) {
        let visible = || {
            let visible = entries.iter().filter_map(Notification::of_entry);
            visible.collect()
        };
        self.stored(webhooks, visible).await;
    }

    async fn stored(
        &self,
        webhooks: Option<&Webhooks>,
        notifications: impl FnOnce() -> Vec<Notification>,
    ) {
        let Some(Webhooks {
            sender, handover, ..
        }) = webhooks.filter(|_| !self.webhooks.is_empty())
        else {
            return;
        };
        match handover {
            Handover::ByStore => sender.wake(),
            Handover::Direct => {
                let trace = self.trace();
                let notifications = notifications().into_iter();
                let notifications = notifications.map(|note| note.with_trace(trace.cloned()));
                let notifications: Vec<_> = notifications.collect();
                if let Err(error) = sender.notify(&self.webhooks, &notifications).await {
                    let error: &dyn std::error::Error = &error;
                    tracing::error!(error, "notifications were lost: the outbox failed");
                }
            }
        }
    }
}
