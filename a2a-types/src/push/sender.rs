use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{Notification, OutboxId, Webhook, WebhookKey};
use crate::store::{Owner, StoreError};
use crate::{A2aError, TaskPushNotificationConfig};

/// Sends webhook notifications (A2A §4.3.3, §13.2).
///
/// The server asks [`check`](Self::check) when a webhook is registered and hands over every event
/// of a task that has one. Delivery happens elsewhere: all these methods are called on the path of
/// a task or of a call, and none may wait for a receiver.
#[async_trait]
pub trait PushSender: Send + Sync + 'static {
    /// Whether a webhook may be registered: its address and credentials.
    ///
    /// # Errors
    ///
    /// `InvalidParams` with a violation that says what is wrong with the registration.
    async fn check(&self, config: &TaskPushNotificationConfig) -> Result<(), A2aError>;

    /// Takes notifications, each of them for every one of the webhooks, and keeps their order.
    ///
    /// # Errors
    ///
    /// When the outbox fails. Nothing was taken then.
    async fn notify(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
    ) -> Result<(), StoreError>;

    /// The outbox from which it sends, if a task store may write into that itself. Default: `None`.
    fn outbox(&self) -> Option<OutboxId> {
        None
    }

    /// The task store has put notifications into the [outbox](Self::outbox).
    fn wake(&self) {}

    /// The registration has changed: what waits for it goes to where it points now, with the
    /// credentials that it has now. Once this returns nothing more is sent by the old ones.
    ///
    /// The default does nothing, which is right for a sender that keeps nothing back.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn replace(&self, webhook: &Arc<Webhook>) -> Result<(), StoreError> {
        let _ = webhook;
        Ok(())
    }

    /// Drops what waits for the webhooks, and what was given up. Once this returns nothing more is
    /// sent to them (A2A §3.1.10).
    ///
    /// The default does nothing, which is right for a sender that keeps nothing back.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn forget(&self, what: Forget<'_>) -> Result<(), StoreError> {
        let _ = what;
        Ok(())
    }

    /// Delivers what can be delivered now, for as long as `grace`, and then sends nothing more.
    /// The default does nothing.
    async fn shutdown(&self, grace: Duration) {
        let _ = grace;
    }
}

/// Which webhooks are gone.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Forget<'a> {
    /// This one: its registration was deleted.
    Webhook(&'a WebhookKey),
    /// All of this task, which was purged.
    Task(&'a str),
    /// All that this owner has registered (A2A §13.4).
    Owner(&'a Owner),
}

impl Forget<'_> {
    /// Whether the webhook is one of them.
    #[must_use]
    pub fn covers(&self, key: &WebhookKey) -> bool {
        match self {
            Self::Webhook(gone) => **gone == *key,
            Self::Task(id) => **id == *key.task_id,
            Self::Owner(owner) => **owner == key.owner,
        }
    }
}
