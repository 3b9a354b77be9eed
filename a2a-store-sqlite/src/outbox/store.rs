//! The store as an outbox.

use std::sync::Arc;

use a2a_types::Timestamp;
use a2a_types::push::{
    Bounds, Claim, Claimed, Claims, DeadLetter, Forget, Notification, OutboxProperties,
    OutboxStatus, Outcome, PushOutbox, Webhook,
};
use a2a_types::store::{StoreError, TaskStore};
use async_trait::async_trait;

use super::claims::Head;
use super::{Change, Claiming, Enqueue, Queue, Replay, Settle, Written};
use crate::store::SqliteStore;

#[async_trait]
impl PushOutbox for SqliteStore {
    fn properties(&self) -> OutboxProperties {
        let tasks = TaskStore::properties(self);
        OutboxProperties::new(self.inner.outbox, tasks.durability, tasks.sharing)
    }

    async fn enqueue(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let enqueue = Enqueue {
            webhooks: Written::all(&self.inner.vault, webhooks)?,
            notifications: notifications.to_vec(),
            now,
        };
        self.inner.writer.run(enqueue).await
    }

    async fn claim(&self, claim: &Claim<'_>) -> Result<Claims, StoreError> {
        let (heads, next) = self.inner.writer.run(Claiming::new(claim)).await?;
        let claimed = heads.into_iter().map(|head| self.claimed(head));
        let next = next.map(Timestamp::from_unix_millis);
        Ok(Claims::new(claimed.collect::<Result<_, _>>()?, next))
    }

    async fn settle(
        &self,
        claimed: &Claimed,
        outcome: Outcome,
        now: Timestamp,
        keep_until: Option<Timestamp>,
    ) -> Result<Option<Claimed>, StoreError> {
        let settle = Settle::new(claimed, outcome, now, keep_until);
        let next = self.inner.writer.run(settle).await?;
        next.map(|head| self.claimed(head)).transpose()
    }

    async fn replace(&self, webhook: &Arc<Webhook>) -> Result<(), StoreError> {
        let webhook = Written::new(&self.inner.vault, webhook)?;
        self.change(Change::Replace(webhook)).await?;
        Ok(())
    }

    async fn forget(&self, what: Forget<'_>) -> Result<(), StoreError> {
        let queue = match what {
            Forget::Webhook(key) => Queue::Webhook(key.clone()),
            Forget::Task(id) => Queue::Task(id.to_owned()),
            Forget::Owner(owner) => Queue::Owner(owner.clone()),
            _ => return Err(crate::error::corrupt("a queue of an unknown kind")),
        };
        self.change(Change::Forget(queue)).await?;
        Ok(())
    }

    async fn trim(&self, bounds: Bounds, now: Timestamp) -> Result<u64, StoreError> {
        self.change(Change::Trim(bounds, now)).await
    }

    async fn status(&self) -> Result<OutboxStatus, StoreError> {
        let mut connection = self.read().await?;
        super::status(&mut connection).await
    }

    async fn dead_letters(&self, after: u64, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
        let mut connection = self.read().await?;
        super::dead_letters(&mut connection, &self.inner.vault, after, limit).await
    }

    async fn replay(&self, number: u64, now: Timestamp) -> Result<bool, StoreError> {
        let Ok(number) = i64::try_from(number) else {
            return Ok(false);
        };
        self.inner.writer.run(Replay { number, now }).await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.change(Change::Purge(before)).await
    }
}

impl SqliteStore {
    async fn change(&self, change: Change) -> Result<u64, StoreError> {
        self.inner.writer.run(change).await
    }

    fn claimed(&self, (head, ticket, attempts): Head) -> Result<Claimed, StoreError> {
        head.into_claimed(&self.inner.vault, ticket, attempts)
    }
}
