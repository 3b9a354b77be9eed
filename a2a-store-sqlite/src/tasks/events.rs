use std::sync::Arc;

use a2a_types::store::{LogEntry, Scope, StoreError};
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::codec::Entries;
use crate::draft::get;
use crate::error::{corrupt, store_error};
use crate::sql::{limits, visible};

/// First how far the log goes; then the rows with entries after `$4`, up to the one that has entry
/// `$5`.
const EVENTS: &str = concat!(
    "SELECT 0, coalesce((SELECT l.sequence FROM log AS l WHERE l.task = t.key \
     ORDER BY l.sequence DESC LIMIT 1), t.sequence), 0, NULL FROM tasks AS t WHERE ",
    visible!(),
    " UNION ALL SELECT 1, l.sequence, l.revision, l.entries \
     FROM tasks AS t JOIN log AS l ON l.task = t.key WHERE ",
    visible!(),
    " AND l.sequence > $4 AND l.sequence <= coalesce((SELECT min(m.sequence) FROM log AS m \
     WHERE m.task = t.key AND m.sequence >= $5), $5)",
);

/// Up to `limit` visible entries after the sequence `after`.
pub(crate) async fn events(
    connection: &mut SqliteConnection,
    scope: &Scope,
    id: &str,
    after: u64,
    limit: usize,
) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
    let Ok(from) = i64::try_from(after) else {
        return Ok(None);
    };
    let upto = from.saturating_add(i64::try_from(limit).unwrap_or(i64::MAX));
    let (tenant, principal) = limits(scope);
    let rows = sqlx::query(EVENTS)
        .bind(id)
        .bind(tenant)
        .bind(principal)
        .bind(from)
        .bind(upto)
        .fetch_all(connection)
        .await
        .map_err(store_error)?;
    let mut end = None;
    let mut log = Vec::new();
    for row in &rows {
        match get::<i64>(row, 0)? {
            0 => end = Some(get::<i64>(row, 1)?),
            _ => log.push(((get::<i64>(row, 1)?, get::<i64>(row, 2)?), row)),
        }
    }
    if end.is_none_or(|end| from > end) {
        return Ok(None);
    }
    if end == Some(from) || limit == 0 {
        return Ok(Some(Vec::new()));
    }
    log.sort_unstable_by_key(|(place, _)| *place);
    let entries = decode(log, after, limit)?;
    // The log may not reach back so far any more.
    let whole = entries.first().map(|entry| entry.sequence()) == after.checked_add(1);
    Ok(whole.then_some(entries))
}

fn decode(
    log: Vec<((i64, i64), &SqliteRow)>,
    after: u64,
    limit: usize,
) -> Result<Vec<Arc<LogEntry>>, StoreError> {
    let mut read = Vec::new();
    for ((sequence, _), row) in log {
        let raw = Entries(get(row, 3)?).collect::<Result<Vec<_>, _>>()?;
        let last = u64::try_from(sequence).map_err(|_| corrupt("a negative sequence"))?;
        let mut sequence = last.saturating_sub(raw.len() as u64);
        for entry in raw {
            sequence += 1;
            if sequence > after && read.len() < limit {
                read.push(Arc::new(LogEntry::new(sequence, entry.event()?)));
            }
        }
    }
    Ok(read)
}
