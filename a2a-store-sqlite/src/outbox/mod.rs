//! The outbox: notifications that wait for their webhooks.

mod claims;
mod queues;
mod read;
mod store;

pub(crate) use claims::{Claiming, Settle};
pub(crate) use queues::{Change, Enqueue, Queue, Replay, put};
pub(crate) use read::{dead_letters, status};

use std::sync::Arc;

use a2a_types::push::{Claimed, Notification, Webhook, WebhookKey};
use a2a_types::store::{Owner, StoreError, StoreErrorKind};
use a2a_types::{TaskPushNotificationConfig, Timestamp, TraceContext};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::codec::{json, parse};
use crate::vault::{Place, Vault};

/// A webhook as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) key: WebhookKey,
    receiver: String,
    config: Arc<[u8]>,
}

impl Written {
    pub(crate) fn new(vault: &Vault, webhook: &Webhook) -> Result<Self, StoreError> {
        let place = place(&webhook.key);
        let closed = vault.close(place, json(&webhook.config)?.as_bytes())?;
        Ok(Self {
            key: webhook.key.clone(),
            receiver: webhook.receiver(),
            config: Arc::from(closed),
        })
    }

    pub(crate) fn all(vault: &Vault, webhooks: &[Arc<Webhook>]) -> Result<Vec<Self>, StoreError> {
        let webhooks = webhooks.iter();
        webhooks.map(|webhook| Self::new(vault, webhook)).collect()
    }
}

fn place(key: &WebhookKey) -> Place<'_> {
    Place([
        &key.task_id,
        &key.id,
        key.owner.tenant(),
        key.owner.principal(),
    ])
}

/// The columns of the webhook `w` and of what waits in `n`, as [`Waiting`] reads them.
macro_rules! waiting {
    () => {
        "w.task_id, w.id, w.tenant, w.principal, w.config, n.id, n.body, n.queued, n.trace"
    };
}
pub(crate) use waiting;

/// A notification and where it goes, as it was read.
#[derive(Debug)]
pub(crate) struct Waiting {
    key: WebhookKey,
    config: Vec<u8>,
    notification: Notification,
    queued: Timestamp,
}

impl Waiting {
    pub(crate) fn read(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let owner = Owner::new(row.try_get::<&str, _>(2)?, row.try_get::<&str, _>(3)?);
        let body: Vec<u8> = row.try_get(6)?;
        let trace = row.try_get::<Option<&str>, _>(8)?.and_then(read_trace);
        Ok(Self {
            key: WebhookKey::new(
                row.try_get::<&str, _>(0)?,
                owner,
                row.try_get::<&str, _>(1)?,
            ),
            config: row.try_get(4)?,
            notification: Notification::new(row.try_get::<&str, _>(5)?, body).with_trace(trace),
            queued: Timestamp::from_unix_millis(row.try_get(7)?),
        })
    }

    pub(crate) fn into_claimed(
        self,
        vault: &Vault,
        ticket: u64,
        attempts: u32,
    ) -> Result<Claimed, StoreError> {
        let json = vault.open(place(&self.key), &self.config)?;
        // A parse error shows what it has read, and that would be a secret.
        let config: TaskPushNotificationConfig =
            parse(&json).map_err(|_| StoreError::new(StoreErrorKind::Internal))?;
        let mut webhook = Webhook::new(self.key.owner.clone(), config);
        webhook.key = self.key;
        let claimed = Claimed::new(ticket, Arc::new(webhook), self.notification, self.queued);
        Ok(claimed.with_attempts(attempts))
    }
}

/// `traceparent tracestate`, as one column has it. There is no space in the first.
fn write_trace(trace: &TraceContext) -> String {
    format!("{} {}", trace.traceparent(), trace.tracestate())
}

fn read_trace(text: &str) -> Option<TraceContext> {
    let (parent, state) = text.split_once(' ').unwrap_or((text, ""));
    TraceContext::new(parent, state)
}

/// Ends the claims of the process that had the database before.
pub(crate) async fn end_claims(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let claimed =
        "UPDATE webhooks SET ticket = NULL, claimed_until = NULL WHERE ticket IS NOT NULL";
    sqlx::query(claimed).execute(connection).await?;
    Ok(())
}
