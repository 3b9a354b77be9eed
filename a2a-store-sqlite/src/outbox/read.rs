use a2a_types::Timestamp;
use a2a_types::push::{DeadLetter, GaveUp, OutboxStatus};
use a2a_types::store::StoreError;
use sqlx::SqliteConnection;

use super::{Waiting, waiting};
use crate::draft::get;
use crate::error::{corrupt, store_error};
use crate::vault::Vault;

const DEAD_LETTERS: &str = concat!(
    "SELECT ",
    waiting!(),
    ", n.attempts, n.number, n.given_up, n.reason, n.error FROM dead_letters AS n \
     JOIN webhooks AS w ON w.key = n.webhook WHERE n.number > $1 ORDER BY n.number LIMIT $2"
);

const STATUS: &str = "SELECT (SELECT count(*) FROM notifications), \
    (SELECT min(queued) FROM notifications), (SELECT count(*) FROM dead_letters)";

/// How much waits.
pub(crate) async fn status(connection: &mut SqliteConnection) -> Result<OutboxStatus, StoreError> {
    let row = sqlx::query(STATUS).fetch_one(connection).await;
    let row = row.map_err(store_error)?;
    let count = |index| u64::try_from(get::<i64>(&row, index)?).map_err(|_| corrupt("a count"));
    Ok(OutboxStatus {
        waiting: count(0)?,
        oldest: get::<Option<i64>>(&row, 1)?.map(Timestamp::from_unix_millis),
        dead_letters: count(2)?,
    })
}

/// A page of what was given up.
pub(crate) async fn dead_letters(
    connection: &mut SqliteConnection,
    vault: &Vault,
    after: u64,
    limit: usize,
) -> Result<Vec<DeadLetter>, StoreError> {
    let rows = sqlx::query(DEAD_LETTERS)
        .bind(i64::try_from(after).unwrap_or(i64::MAX))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(connection)
        .await
        .map_err(store_error)?;
    let letters = rows.iter().map(|row| {
        let attempts = u32::try_from(get::<i64>(row, 9)?).unwrap_or(u32::MAX);
        let number = u64::try_from(get::<i64>(row, 10)?).map_err(|_| corrupt("a number"))?;
        let waiting = Waiting::read(row).map_err(store_error)?;
        let reason: GaveUp = get::<&str>(row, 12)?
            .parse()
            .map_err(|_| corrupt("a dead letter has an unknown reason"))?;
        let given_up = Timestamp::from_unix_millis(get(row, 11)?);
        let claimed = waiting.into_claimed(vault, 0, attempts)?;
        let error: &str = get(row, 13)?;
        Ok(DeadLetter::new(number, claimed, given_up, reason, error))
    });
    letters.collect()
}
