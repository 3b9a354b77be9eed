use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use a2a_types::Timestamp;
use a2a_types::push::{Claim, Claimed, GaveUp, Outcome as Settled, WebhookKey};
use async_trait::async_trait;
use sqlx::{Row as _, SqliteConnection};

use super::{Waiting, waiting};
use crate::writer::{Outcome, Work};

/// The head of the queue `$1`.
const HEAD: &str = concat!(
    "SELECT ",
    waiting!(),
    ", w.attempts FROM webhooks AS w JOIN notifications AS n ON n.webhook = w.key \
     WHERE w.key = $1 ORDER BY n.number LIMIT 1"
);

/// Another ticket than all before in this process; claims of an earlier one have ended.
fn ticket() -> i64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    i64::try_from(next).unwrap_or(i64::MAX)
}

/// A head with its ticket and how often it has failed.
pub(crate) type Head = (Waiting, u64, u32);

/// Heads to claim.
pub(crate) struct Claiming {
    now: i64,
    until: i64,
    limit: i64,
    /// As a JSON array.
    except: String,
}

impl Claiming {
    pub(crate) fn new(claim: &Claim<'_>) -> Self {
        Self {
            now: claim.now.unix_millis(),
            until: claim.until.unix_millis(),
            limit: i64::try_from(claim.limit).unwrap_or(i64::MAX),
            except: serde_json::to_string(claim.except).unwrap_or_else(|_| "[]".to_owned()),
        }
    }
}

#[async_trait]
impl Work for Claiming {
    type Output = (Vec<Head>, Option<i64>);

    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Self::Output>, sqlx::Error> {
        sqlx::query(
            "UPDATE webhooks SET ticket = NULL, claimed_until = NULL \
             WHERE ticket IS NOT NULL AND claimed_until <= $1",
        )
        .bind(self.now)
        .execute(&mut *connection)
        .await?;
        let due = sqlx::query(
            "SELECT key FROM webhooks WHERE ticket IS NULL AND due IS NOT NULL AND due <= $1 \
             AND receiver NOT IN (SELECT value FROM json_each($3)) ORDER BY due, key LIMIT $2",
        )
        .bind(self.now)
        .bind(self.limit)
        .bind(self.except.as_str())
        .fetch_all(&mut *connection)
        .await?;
        let mut heads = Vec::with_capacity(due.len());
        for row in &due {
            heads.extend(lease(connection, row.try_get(0)?, self.until).await?);
        }
        let next = sqlx::query(
            "SELECT min(at) FROM (SELECT min(due) AS at FROM webhooks WHERE ticket IS NULL \
             AND due IS NOT NULL AND receiver NOT IN (SELECT value FROM json_each($1)) \
             UNION ALL SELECT min(claimed_until) FROM webhooks WHERE ticket IS NOT NULL)",
        )
        .bind(self.except.as_str())
        .fetch_all(connection)
        .await?;
        let next = next.first().map(|row| row.try_get(0)).transpose()?;
        Ok(Ok((heads, next.flatten())))
    }
}

/// Claims the head of the queue.
async fn lease(
    connection: &mut SqliteConnection,
    key: i64,
    until: i64,
) -> Result<Option<Head>, sqlx::Error> {
    let ticket = ticket();
    sqlx::query("UPDATE webhooks SET ticket = $2, claimed_until = $3 WHERE key = $1")
        .bind(key)
        .bind(ticket)
        .bind(until)
        .execute(&mut *connection)
        .await?;
    let rows = sqlx::query(HEAD).bind(key).fetch_all(connection).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let attempts = u32::try_from(row.try_get::<i64, _>(9)?).unwrap_or(u32::MAX);
    Ok(Some((Waiting::read(row)?, ticket.unsigned_abs(), attempts)))
}

/// What became of a claimed head.
pub(crate) struct Settle {
    key: WebhookKey,
    ticket: i64,
    attempts: i64,
    outcome: Settled,
    now: i64,
    keep_until: Option<i64>,
}

impl Settle {
    pub(crate) fn new(
        claimed: &Claimed,
        outcome: Settled,
        now: Timestamp,
        keep_until: Option<Timestamp>,
    ) -> Self {
        Self {
            key: claimed.webhook.key.clone(),
            ticket: i64::try_from(claimed.ticket).unwrap_or(-1),
            attempts: i64::from(claimed.attempts),
            outcome,
            now: now.unix_millis(),
            keep_until: keep_until.map(Timestamp::unix_millis),
        }
    }

    /// Ends the claim; the head stays.
    async fn put_back(
        &self,
        connection: &mut SqliteConnection,
        queue: i64,
        due: Option<i64>,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "UPDATE webhooks SET ticket = NULL, claimed_until = NULL, \
             attempts = iif($2 IS NULL, attempts, $3), due = coalesce($2, due) WHERE key = $1",
        )
        .bind(queue)
        .bind(due)
        .bind(self.attempts + 1)
        .execute(connection)
        .await?;
        Ok(())
    }

    async fn bury(
        &self,
        connection: &mut SqliteConnection,
        queue: i64,
        reason: GaveUp,
        error: &str,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO dead_letters \
             (webhook, id, body, trace, attempts, queued, given_up, reason, error) \
             SELECT webhook, id, body, trace, $2, queued, $3, $4, $5 FROM notifications \
             WHERE webhook = $1 ORDER BY number LIMIT 1",
        )
        .bind(queue)
        .bind(self.attempts + 1)
        .bind(self.now)
        .bind(reason.as_str())
        .bind(error)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Takes the head off the queue, and claims the next one if that is wanted.
    async fn advance(
        &self,
        connection: &mut SqliteConnection,
        queue: i64,
    ) -> Result<Option<Head>, sqlx::Error> {
        sqlx::query(
            "DELETE FROM notifications WHERE number = \
             (SELECT min(number) FROM notifications WHERE webhook = $1)",
        )
        .bind(queue)
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "UPDATE webhooks SET ticket = NULL, claimed_until = NULL, attempts = 0, due = \
             (SELECT queued FROM notifications WHERE webhook = $1 ORDER BY number LIMIT 1) \
             WHERE key = $1",
        )
        .bind(queue)
        .execute(&mut *connection)
        .await?;
        let gone = sqlx::query(
            "DELETE FROM webhooks WHERE key = $1 AND due IS NULL \
             AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE webhook = $1)",
        );
        let gone = gone.bind(queue).execute(&mut *connection).await?;
        match self.keep_until {
            Some(until) if gone.rows_affected() == 0 => {
                let waits =
                    sqlx::query("SELECT 1 FROM webhooks WHERE key = $1 AND due IS NOT NULL")
                        .bind(queue)
                        .fetch_all(&mut *connection)
                        .await?;
                if waits.is_empty() {
                    return Ok(None);
                }
                lease(connection, queue, until).await
            }
            _ => Ok(None),
        }
    }
}

#[async_trait]
impl Work for Settle {
    type Output = Option<Head>;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Self::Output>, sqlx::Error> {
        let queue = sqlx::query(
            "SELECT key FROM webhooks WHERE task_id = $1 AND id = $2 AND tenant = $3 \
             AND principal = $4 AND ticket = $5",
        )
        .bind(Arc::clone(&self.key.task_id))
        .bind(Arc::clone(&self.key.id))
        .bind(self.key.owner.tenant())
        .bind(self.key.owner.principal())
        .bind(self.ticket)
        .fetch_all(&mut *connection)
        .await?;
        let Some(queue) = queue.first() else {
            return Ok(Ok(None));
        };
        let queue: i64 = queue.try_get(0)?;
        let next = match &self.outcome {
            Settled::Delivered => self.advance(connection, queue).await?,
            Settled::GiveUp(reason, error) => {
                self.bury(connection, queue, *reason, error).await?;
                self.advance(connection, queue).await?
            }
            Settled::Retry(at) => {
                self.put_back(connection, queue, Some(at.unix_millis()))
                    .await?;
                None
            }
            _ => {
                self.put_back(connection, queue, None).await?;
                None
            }
        };
        Ok(Ok(next))
    }
}
