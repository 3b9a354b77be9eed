use std::sync::Arc;

use a2a_types::store::{LogEntry, Scope, StoreError, StoreErrorKind};
use a2a_types::{Artifact, Task, Timestamp, reducer};
use async_trait::async_trait;
use sqlx::{Row as _, SqliteConnection};

use super::is_at;
use crate::change::Change;
use crate::codec::{self, Row};
use crate::sql::{Sql, current, limits, sql, visible};
use crate::writer::{Company, Outcome, Work};

/// Pieces of artifacts: the log alone is written.
const PIECES: Sql = sql!(
    "INSERT INTO log (task, sequence, revision, entries) SELECT t.key, $5, $6, $7 \
     FROM tasks AS t WHERE ",
    visible!(),
    " AND ",
    current!(),
    " = $4 RETURNING task",
);

/// The status message that is replaced moves into the history.
macro_rules! replace_said {
    ($($unless:literal)?) => {
        concat!(
            "INSERT INTO messages (task, position, data) SELECT t.key, \
             (SELECT coalesce(max(m.position) + 1, 0) FROM messages AS m WHERE m.task = t.key), \
             t.said FROM tasks AS t WHERE t.said IS NOT NULL AND t.said IS NOT $8 AND ",
            visible!(), " AND ", current!(), " = $4" $(, $unless)?, ";"
        )
    };
}

/// The rest of a text that begins with the assignments of an `UPDATE`.
macro_rules! set_status {
    ($($unless:literal)?) => {
        concat!(
            " said = $9, shape = coalesce($10, shape), state = coalesce($11, state), \
             time = coalesce($12, time), \
             log_until = CASE WHEN $11 IS NULL THEN log_until ELSE $13 END WHERE ",
            visible!(), " AND ", current!(), " = $4" $(, $unless)?,
            " RETURNING key;\
             INSERT INTO log (task, sequence, revision, entries) SELECT t.key, $5, $6, $7 \
             FROM tasks AS t WHERE changes() = 1 AND t.id = $1"
        )
    };
}

/// A new status, or messages for the history.
const STATUS: Sql = sql!(replace_said!(), "UPDATE tasks AS t SET", set_status!(),);

/// All of a task's life but its beginning: what it came to is written at once.
const LIFE: Sql = sql!(
    replace_said!(" AND NOT EXISTS (SELECT 1 FROM artifacts AS a WHERE a.task = t.key)"),
    "UPDATE tasks AS t SET sequence = $5, revision = $6,",
    set_status!(" AND NOT EXISTS (SELECT 1 FROM artifacts AS a WHERE a.task = t.key)"),
    ";INSERT INTO artifacts (task, position, data) SELECT t.key, 0, $14 \
     FROM tasks AS t WHERE changes() = 1 AND $14 IS NOT NULL AND t.id = $1",
);

/// Entries for the log of a task.
pub(crate) struct Append {
    scope: Scope,
    id: Arc<str>,
    after: i64,
    rows: Vec<Row>,
    change: Option<Change>,
    /// Until when the log of a task is kept that ends with these entries.
    log_until: Option<i64>,
    /// The whole artifact, when the entries are all there is to the task.
    life: Option<Option<Arc<str>>>,
}

impl Append {
    /// `window` is how long the logs of ended tasks are kept, in milliseconds.
    pub(crate) fn new(
        scope: &Scope,
        id: &str,
        append: a2a_types::store::Append<'_>,
        window: i64,
    ) -> Result<Self, StoreError> {
        let Ok(after) = i64::try_from(append.after) else {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        };
        let change = Change::of(append.entries)?;
        let status = change.as_ref().and_then(|change| change.status);
        let ends = status.is_some_and(|status| status.is_terminal);
        let rows = codec::rows(after, append.entries)?;
        let life = if ends && after == 0 && rows.len() == 1 {
            life(append.entries)?
        } else {
            None
        };
        Ok(Self {
            scope: scope.clone(),
            id: Arc::from(id),
            after,
            rows,
            change,
            log_until: ends.then(|| Timestamp::now().unix_millis().saturating_add(window)),
            life,
        })
    }

    /// Whether the task ends with these entries, and its log is a long one.
    pub(crate) fn ends_long_log(&self) -> bool {
        const LONG: i64 = 256;
        let revision = self.rows.last().map_or(0, |row| row.revision);
        self.log_until.is_some() && self.life.is_none() && revision > LONG
    }

    /// The key of the task if it took the first row.
    async fn first(
        &self,
        connection: &mut SqliteConnection,
        sql: &'static str,
        row: &Row,
    ) -> Result<Option<i64>, sqlx::Error> {
        let (tenant, principal) = limits(&self.scope);
        let query = sqlx::query(sql)
            .bind(Arc::clone(&self.id))
            .bind(tenant)
            .bind(principal)
            .bind(self.after)
            .bind(row.sequence)
            .bind(row.revision)
            .bind(Arc::clone(&row.entries));
        let query = match &self.change {
            None => query,
            Some(change) => query
                .bind(change.first.clone())
                .bind(change.said.clone())
                .bind(change.status.map(|status| status.shape))
                .bind(change.status.map(|status| status.state))
                .bind(change.status.map(|status| status.time))
                .bind(self.log_until)
                .bind(self.life.clone().flatten()),
        };
        let rows = query.fetch_all(connection).await?;
        rows.first().map(|row| row.try_get(0)).transpose()
    }

    async fn rest(&self, connection: &mut SqliteConnection, key: i64) -> Result<(), sqlx::Error> {
        for row in self.rows.iter().skip(1) {
            sqlx::query(
                "INSERT INTO log (task, sequence, revision, entries) VALUES ($1, $2, $3, $4)",
            )
            .bind(key)
            .bind(row.sequence)
            .bind(row.revision)
            .bind(Arc::clone(&row.entries))
            .execute(&mut *connection)
            .await?;
        }
        for message in self.change.iter().flat_map(|change| &change.history) {
            sqlx::query(
                "INSERT INTO messages (task, position, data) SELECT $1, \
                 coalesce(max(position) + 1, 0), $2 FROM messages WHERE task = $1",
            )
            .bind(key)
            .bind(Arc::clone(message))
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Work for Append {
    type Output = ();

    async fn run(
        &self,
        connection: &mut SqliteConnection,
        company: Company,
    ) -> Result<Outcome<()>, sqlx::Error> {
        let Some(row) = self.rows.first() else {
            return is_at(connection, &self.scope, &self.id, self.after).await;
        };
        let mut key = None;
        if self.life.is_some() {
            key = self.first(connection, company.sql(LIFE), row).await?;
        }
        if key.is_none() {
            let sql = if self.change.is_some() {
                STATUS
            } else {
                PIECES
            };
            key = self.first(connection, company.sql(sql), row).await?;
        }
        match key {
            Some(key) => {
                self.rest(connection, key).await?;
                Ok(Ok(()))
            }
            None => {
                let found = is_at(connection, &self.scope, &self.id, self.after).await?;
                Ok(found.and(Err(StoreErrorKind::Internal)))
            }
        }
    }

    fn fits_one_command(&self) -> bool {
        let history = self
            .change
            .as_ref()
            .map_or(0, |change| change.history.len());
        self.rows.len() <= 1 && history == 0
    }

    fn bytes(&self) -> usize {
        self.rows.iter().map(|row| row.entries.len()).sum()
    }
}

/// The only artifact that the entries make of a task without any, if there is one. The outer
/// `None` when there are more.
#[expect(clippy::option_option, reason = "told apart by the caller")]
fn life(entries: &[Arc<LogEntry>]) -> Result<Option<Option<Arc<str>>>, StoreError> {
    let mut task = Task::default();
    for entry in entries {
        if matches!(entry.event(), reducer::TaskEvent::Artifact(_)) {
            reducer::apply(&mut task, entry.event());
        }
    }
    let json = |artifact: &Artifact| codec::json(artifact).map(Arc::from);
    Ok(match task.artifacts.as_slice() {
        [] => Some(None),
        [artifact] => Some(Some(json(artifact)?)),
        _ => None,
    })
}
