use std::sync::Arc;

use a2a_types::Timestamp;
use a2a_types::push::{Bounds, GaveUp, Notification, WebhookKey};
use a2a_types::store::Owner;
use async_trait::async_trait;
use sqlx::{Row as _, SqliteConnection};

use super::{Written, write_trace};
use crate::writer::{Outcome, Work};

/// Notifications for webhooks.
pub(crate) struct Enqueue {
    pub(crate) webhooks: Vec<Written>,
    pub(crate) notifications: Vec<Notification>,
    pub(crate) now: Timestamp,
}

#[async_trait]
impl Work for Enqueue {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        put(connection, &self.webhooks, &self.notifications, self.now).await?;
        Ok(Ok(()))
    }

    fn bytes(&self) -> usize {
        let bodies = self.notifications.iter().map(|note| note.body().len());
        bodies.sum::<usize>() * self.webhooks.len()
    }
}

/// Appends the notifications to the queue of each of the webhooks.
pub(crate) async fn put(
    connection: &mut SqliteConnection,
    webhooks: &[Written],
    notifications: &[Notification],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if notifications.is_empty() {
        return Ok(());
    }
    for webhook in webhooks {
        let key = sqlx::query(
            "INSERT INTO webhooks (task_id, id, tenant, principal, receiver, config, due) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (task_id, id, tenant, principal) \
             DO UPDATE SET receiver = excluded.receiver, config = excluded.config, \
             due = coalesce(due, excluded.due) RETURNING key",
        )
        .bind(Arc::clone(&webhook.key.task_id))
        .bind(Arc::clone(&webhook.key.id))
        .bind(webhook.key.owner.tenant())
        .bind(webhook.key.owner.principal())
        .bind(webhook.receiver.as_str())
        .bind(Arc::clone(&webhook.config))
        .bind(now.unix_millis())
        .fetch_all(&mut *connection)
        .await?;
        let Some(key) = key.first() else { continue };
        let key: i64 = key.try_get(0)?;
        for notification in notifications {
            sqlx::query(
                "INSERT INTO notifications (webhook, id, body, queued, trace) \
                 VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(key)
            .bind(notification.id())
            .bind(&notification.body()[..])
            .bind(now.unix_millis())
            .bind(notification.trace.as_ref().map(write_trace))
            .execute(&mut *connection)
            .await?;
        }
    }
    Ok(())
}

/// Which queues are changed.
pub(crate) enum Queue {
    Webhook(WebhookKey),
    Task(String),
    Owner(Owner),
}

/// What happens to queues and dead letters.
pub(crate) enum Change {
    /// Replaces the registration.
    Replace(Written),
    Forget(Queue),
    Trim(Bounds, Timestamp),
    /// Removes dead letters from before.
    Purge(Timestamp),
}

/// Webhooks that nothing refers to any more.
const SWEEP: &str = "DELETE FROM webhooks WHERE due IS NULL \
    AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE webhook = webhooks.key)";

#[async_trait]
impl Work for Change {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<u64>, sqlx::Error> {
        let count = match self {
            Self::Replace(webhook) => {
                let query = sqlx::query(
                    "UPDATE webhooks SET receiver = $5, config = $6 \
                     WHERE task_id = $1 AND id = $2 AND tenant = $3 AND principal = $4",
                );
                query
                    .bind(Arc::clone(&webhook.key.task_id))
                    .bind(Arc::clone(&webhook.key.id))
                    .bind(webhook.key.owner.tenant())
                    .bind(webhook.key.owner.principal())
                    .bind(webhook.receiver.as_str())
                    .bind(Arc::clone(&webhook.config))
                    .execute(connection)
                    .await?;
                0
            }
            Self::Forget(what) => {
                forget(connection, what).await?;
                0
            }
            Self::Trim(bounds, now) => trim(connection, *bounds, *now).await?,
            Self::Purge(before) => {
                let purged = sqlx::query("DELETE FROM dead_letters WHERE given_up < $1")
                    .bind(before.unix_millis())
                    .execute(&mut *connection)
                    .await?
                    .rows_affected();
                sqlx::query(SWEEP).execute(connection).await?;
                purged
            }
        };
        Ok(Ok(count))
    }
}

async fn forget(connection: &mut SqliteConnection, what: &Queue) -> Result<(), sqlx::Error> {
    let query = match what {
        Queue::Webhook(key) => sqlx::query(
            "DELETE FROM webhooks \
             WHERE task_id = $1 AND id = $2 AND tenant = $3 AND principal = $4",
        )
        .bind(Arc::clone(&key.task_id))
        .bind(Arc::clone(&key.id))
        .bind(key.owner.tenant())
        .bind(key.owner.principal()),
        Queue::Task(id) => sqlx::query("DELETE FROM webhooks WHERE task_id = $1").bind(id.as_str()),
        Queue::Owner(owner) => {
            sqlx::query("DELETE FROM webhooks WHERE tenant = $1 AND principal = $2")
                .bind(owner.tenant())
                .bind(owner.principal())
        }
    };
    query.execute(connection).await?;
    Ok(())
}

async fn trim(
    connection: &mut SqliteConnection,
    bounds: Bounds,
    now: Timestamp,
) -> Result<u64, sqlx::Error> {
    let most = i64::try_from(bounds.queue.max(1)).unwrap_or(i64::MAX);
    let long = sqlx::query(
        "SELECT w.key, n.waiting - $1, w.ticket IS NOT NULL FROM (SELECT webhook, \
         count(*) AS waiting FROM notifications GROUP BY webhook) AS n \
         JOIN webhooks AS w ON w.key = n.webhook WHERE n.waiting > $1",
    )
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    let mut lost = 0;
    for row in &long {
        let (key, surplus, claimed): (i64, i64, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let moved = sqlx::query(
            "INSERT INTO dead_letters \
             (webhook, id, body, trace, attempts, queued, given_up, reason, error) \
             SELECT n.webhook, n.id, n.body, n.trace, iif(n.number = (SELECT min(number) \
             FROM notifications WHERE webhook = $1), w.attempts, 0), n.queued, $4, $5, \
             'too many notifications wait for this webhook' \
             FROM notifications AS n JOIN webhooks AS w ON w.key = n.webhook \
             WHERE n.webhook = $1 ORDER BY n.number LIMIT $2 OFFSET $3",
        )
        .bind(key)
        .bind(surplus)
        .bind(claimed)
        .bind(now.unix_millis())
        .bind(GaveUp::Overflow.as_str())
        .execute(&mut *connection)
        .await?;
        lost += moved.rows_affected();
        sqlx::query(
            "DELETE FROM notifications WHERE number IN (SELECT number FROM notifications \
             WHERE webhook = $1 ORDER BY number LIMIT $2 OFFSET $3)",
        )
        .bind(key)
        .bind(surplus)
        .bind(claimed)
        .execute(&mut *connection)
        .await?;
        if claimed == 0 {
            sqlx::query("UPDATE webhooks SET attempts = 0 WHERE key = $1")
                .bind(key)
                .execute(&mut *connection)
                .await?;
        }
    }
    sqlx::query(
        "DELETE FROM dead_letters WHERE number <= (SELECT number FROM dead_letters \
         ORDER BY number DESC LIMIT 1 OFFSET $1)",
    )
    .bind(i64::try_from(bounds.dead_letters).unwrap_or(i64::MAX))
    .execute(&mut *connection)
    .await?;
    sqlx::query(SWEEP).execute(connection).await?;
    Ok(lost)
}

/// A dead letter to put back into its queue.
pub(crate) struct Replay {
    pub(crate) number: i64,
    pub(crate) now: Timestamp,
}

#[async_trait]
impl Work for Replay {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<bool>, sqlx::Error> {
        let moved = sqlx::query(
            "INSERT INTO notifications (webhook, id, body, trace, queued) \
             SELECT webhook, id, body, trace, $2 FROM dead_letters WHERE number = $1 RETURNING webhook",
        )
        .bind(self.number)
        .bind(self.now.unix_millis())
        .fetch_all(&mut *connection)
        .await?;
        let Some(row) = moved.first() else {
            return Ok(Ok(false));
        };
        sqlx::query("UPDATE webhooks SET due = coalesce(due, $2) WHERE key = $1")
            .bind(row.try_get::<i64, _>(0)?)
            .bind(self.now.unix_millis())
            .execute(&mut *connection)
            .await?;
        sqlx::query("DELETE FROM dead_letters WHERE number = $1")
            .bind(self.number)
            .execute(connection)
            .await?;
        Ok(Ok(true))
    }
}
