mod builder;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use a2a_types::push::{
    DeadLetter, Forget, Notification, OutboxId, PushOutbox, PushSender as Sender, Webhook,
};
use a2a_types::store::{Owner, StoreError};
use a2a_types::{A2aError, StreamResponse, TaskPushNotificationConfig, Timestamp};
use async_trait::async_trait;
use tokio::sync::{Notify, mpsc, oneshot};

pub use self::builder::{BuildError, PushSenderBuilder};
use crate::delivery::{Clock, Command, Counters, Gone, Health, Metrics};
use crate::net::{Guard, credentials};

/// Sends notifications to webhooks: each at least once, those to one webhook in order.
///
/// Clones are the same sender. It works in a task of its own, which ends with
/// [`shutdown`](Sender::shutdown) or when the last clone is gone.
///
/// Of many notifications that wait for one webhook, a few leave at once and the others when they are
/// a quarter of a second old: whoever reads the stream of the same task goes first.
///
/// It implements [`a2a_types::push::PushSender`], by which a server drives it. Without a server,
/// [`notify`](Self::notify) is enough.
#[derive(Clone)]
pub struct PushSender {
    inner: Arc<Inner>,
}

struct Inner {
    guard: Guard,
    outbox: Arc<dyn PushOutbox>,
    clock: Clock,
    counters: Arc<Counters>,
    wake: Arc<Notify>,
    commands: mpsc::UnboundedSender<Command>,
}

impl PushSender {
    /// A sender that calls public addresses over https, and keeps what waits in memory.
    pub fn builder() -> PushSenderBuilder {
        PushSenderBuilder::new()
    }

    /// Takes an event for delivery, and returns when it is in the outbox. The address is not checked
    /// here but when it is called; ask [`check`](Sender::check) when a client registers it.
    ///
    /// Each call makes a new notification. Configs are told apart by tenant, task and id (or, without
    /// an id, by address): a config that is like an earlier one in these replaces it.
    ///
    /// # Errors
    ///
    /// When the outbox fails. Nothing was taken then.
    pub async fn notify(
        &self,
        config: &TaskPushNotificationConfig,
        event: &StreamResponse,
    ) -> Result<(), StoreError> {
        let mut config = config.clone();
        if config.id.is_empty() {
            config.id.clone_from(&config.url);
        }
        let owner = Owner::new(&*config.tenant, "");
        let webhook = Arc::new(Webhook::new(owner, config));
        self.take(&[webhook], &[Notification::of_stream(event)])
            .await
    }

    /// How much waits, and since when.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    pub async fn health(&self) -> Result<Health, StoreError> {
        let status = self.inner.outbox.status().await?;
        let oldest = status.oldest.map(|oldest| self.inner.clock.since(oldest));
        let counters = &self.inner.counters;
        Ok(Health {
            waiting: status.waiting,
            oldest: oldest.unwrap_or_default(),
            dead_letters: status.dead_letters,
            in_flight: counters.in_flight.load(Relaxed),
            open_circuits: counters.open_circuits.load(Relaxed),
        })
    }

    /// What it has done since it was made.
    pub fn metrics(&self) -> Metrics {
        self.inner.counters.read()
    }

    /// Up to `limit` of the notifications that were given up, whose numbers are above `after`, the
    /// oldest first.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    pub async fn dead_letters(
        &self,
        after: u64,
        limit: usize,
    ) -> Result<Vec<DeadLetter>, StoreError> {
        self.inner.outbox.dead_letters(after, limit).await
    }

    /// Sends a notification once more that was given up, after what waits for its webhook already.
    /// It keeps its `webhook-id`. `false` when there is no such dead letter.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    pub async fn replay(&self, number: u64) -> Result<bool, StoreError> {
        let now = self.inner.clock.now();
        let found = self.inner.outbox.replay(number, now).await?;
        self.inner.wake.notify_one();
        Ok(found)
    }

    /// Drops the dead letters that were given up before `before`; returns how many.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    pub async fn purge_dead_letters(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.inner.outbox.purge(before).await
    }

    /// Waits until there is nothing that could be delivered now: what is left waits for its next
    /// attempt, or for a receiver to come back.
    pub async fn flush(&self) {
        let (reply, flushed) = oneshot::channel();
        if self.inner.commands.send(Command::Flush(reply)).is_ok() {
            let _ = flushed.await;
        }
    }

    async fn take(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
    ) -> Result<(), StoreError> {
        let now = self.inner.clock.now();
        let outbox = &self.inner.outbox;
        outbox.enqueue(webhooks, notifications, now).await?;
        let count = webhooks.len().saturating_mul(notifications.len()) as u64;
        self.inner.counters.taken.fetch_add(count, Relaxed);
        self.inner.wake.notify_one();
        Ok(())
    }

    /// Waits for the end of attempts under way.
    async fn stop(&self, what: Forget<'_>) {
        let Some(gone) = Gone::of(what) else { return };
        let (reply, stopped) = oneshot::channel();
        if self.inner.commands.send(Command::Stop(gone, reply)).is_ok() {
            let _ = stopped.await;
        }
    }
}

#[async_trait]
impl Sender for PushSender {
    async fn check(&self, config: &TaskPushNotificationConfig) -> Result<(), A2aError> {
        credentials(config)
            .map_err(|error| A2aError::invalid_param(error.field(), error.to_string()))?;
        let checked = self.inner.guard.check(&config.url).await;
        checked.map_err(|refusal| A2aError::invalid_param("url", refusal.to_string()))
    }

    async fn notify(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
    ) -> Result<(), StoreError> {
        self.take(webhooks, notifications).await
    }

    fn outbox(&self) -> Option<OutboxId> {
        Some(self.inner.outbox.properties().id)
    }

    fn wake(&self) {
        self.inner.wake.notify_one();
    }

    async fn replace(&self, webhook: &Arc<Webhook>) -> Result<(), StoreError> {
        self.inner.outbox.replace(webhook).await?;
        self.stop(Forget::Webhook(&webhook.key)).await;
        Ok(())
    }

    async fn forget(&self, what: Forget<'_>) -> Result<(), StoreError> {
        self.inner.outbox.forget(what).await?;
        self.stop(what).await;
        Ok(())
    }

    async fn shutdown(&self, grace: Duration) {
        let _ = tokio::time::timeout(grace, self.flush()).await;
        let (reply, ended) = oneshot::channel();
        if self.inner.commands.send(Command::End(reply)).is_ok() {
            let _ = ended.await;
        }
    }
}

impl fmt::Debug for PushSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushSender").finish_non_exhaustive()
    }
}
