use std::sync::Arc;

use a2a_types::push::Notification;
use a2a_types::store::{Created, LogEntry, Replay, Scope, StoreError, StoreErrorKind};
use a2a_types::{Artifact, Task, Timestamp, reducer};
use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::{Create, is_at};
use crate::change::Change;
use crate::codec::{self, LogRow};
use crate::outbox::{self, Written};
use crate::sql::limits;
use crate::store::Inner;
use crate::views::{NEW_ENTRIES, NEW_LIFE, NEW_PIECES, Row, Value, insert, refusal};
use crate::writer::{Outcome, Work};

/// Entries for the log of a task.
pub(crate) struct Append {
    scope: Scope,
    id: Arc<str>,
    after: i64,
    rows: Vec<LogRow>,
    change: Option<Change>,
    /// Until when the log of a task is kept that ends with these entries.
    log_until: Option<i64>,
    /// The whole artifact, when the entries are all there is to the task.
    life: Option<Option<Arc<str>>>,
    webhooks: Vec<Written>,
    notifications: Vec<Notification>,
}

/// What is appended to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Onto {
    Stored,
    /// A task that is made in the same transaction, with nothing but a message.
    Newborn,
}

impl Append {
    pub(crate) fn new(
        store: &Inner,
        scope: &Scope,
        id: &str,
        append: &a2a_types::store::Append<'_>,
        onto: Onto,
    ) -> Result<Self, StoreError> {
        let Ok(after) = i64::try_from(append.after) else {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        };
        let change = Change::of(&append.entries)?;
        let status = change.as_ref().and_then(|change| change.status);
        let ends = status.is_some_and(|status| status.is_terminal);
        let life = if ends && after == 0 {
            life(&append.entries)?
        } else {
            None
        };
        // Nobody can ask for a log that nobody has heard of.
        let forgotten = append.replay == Replay::Impossible && onto == Onto::Newborn;
        let rows = if forgotten && life.is_some() {
            codec::place(&append.entries)?.into_iter().collect()
        } else {
            codec::rows(after, &append.entries)?
        };
        let life = life.filter(|_| rows.len() == 1);
        Ok(Self {
            scope: scope.clone(),
            id: Arc::from(id),
            after,
            rows,
            change,
            log_until: ends.then(|| Timestamp::now().unix_millis().saturating_add(store.window)),
            life,
            notifications: if append.webhooks.is_empty() {
                Vec::new()
            } else {
                let entries = append.entries.iter();
                let visible = entries.filter_map(Notification::of_entry);
                let traced = visible.map(|note| note.with_trace(append.trace.cloned()));
                traced.collect()
            },
            webhooks: Written::all(&store.vault, append.webhooks)?,
        })
    }

    /// Whether the task ends with these entries, and its log is a long one.
    pub(crate) fn ends_long_log(&self) -> bool {
        const LONG: i64 = 256;
        let revision = self.rows.last().map_or(0, |row| row.revision);
        self.log_until.is_some() && self.life.is_none() && revision > LONG
    }

    fn first(&self, row: &LogRow) -> Row {
        let (tenant, principal) = limits(&self.scope);
        let mut values = vec![
            (&self.id).into(),
            tenant.into(),
            principal.into(),
            self.after.into(),
            row.sequence.into(),
            row.revision.into(),
            Value::Bytes(Arc::clone(&row.entries)),
        ];
        let Some(change) = &self.change else {
            return Row {
                view: NEW_PIECES,
                values,
            };
        };
        let status = change.status;
        values.extend([
            change.first.as_ref().into(),
            change.said.as_ref().into(),
            status.map(|status| status.shape).into(),
            status.map(|status| status.state).into(),
            status.map(|status| status.time).into(),
            self.log_until.into(),
            i64::from(self.life.is_some()).into(),
            self.life.iter().flatten().next().into(),
        ]);
        Row {
            view: NEW_ENTRIES,
            values,
        }
    }

    /// What is not in the first row.
    async fn write_rest(&self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        for row in self.rows.iter().skip(1) {
            sqlx::query(
                "INSERT INTO log (task, sequence, revision, entries) \
                 SELECT key, $2, $3, $4 FROM tasks WHERE id = $1",
            )
            .bind(Arc::clone(&self.id))
            .bind(row.sequence)
            .bind(row.revision)
            .bind(Arc::clone(&row.entries))
            .execute(&mut *connection)
            .await?;
        }
        for message in self.history() {
            sqlx::query(
                "INSERT INTO messages (task, position, data) SELECT t.key, \
                 (SELECT coalesce(max(m.position) + 1, 0) FROM messages AS m WHERE m.task = t.key), \
                 $2 FROM tasks AS t WHERE t.id = $1",
            )
            .bind(Arc::clone(&self.id))
            .bind(Arc::clone(message))
            .execute(&mut *connection)
            .await?;
        }
        let (webhooks, now) = (&self.webhooks, Timestamp::now());
        outbox::put(connection, webhooks, &self.notifications, now).await
    }

    fn history(&self) -> &[Arc<str>] {
        self.change.as_ref().map_or(&[], |change| &change.history)
    }
}

#[async_trait]
impl Work for Append {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        let Some(row) = self.rows.first() else {
            return is_at(connection, &self.scope, &self.id, self.after).await;
        };
        match insert(connection, vec![self.first(row)]).await {
            Ok(()) => {
                self.write_rest(connection).await?;
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(refusal(&error).ok_or(error)?)),
        }
    }

    fn row(&self) -> Option<Row> {
        match self.rows.as_slice() {
            [row] if self.history().is_empty() && self.notifications.is_empty() => {
                Some(self.first(row))
            }
            _ => None,
        }
    }

    fn accepted(&self) -> Option<()> {
        Some(())
    }

    fn bytes(&self) -> usize {
        self.rows.iter().map(|row| row.entries.len()).sum()
    }
}

/// A new task, and the entries that come first.
pub(crate) struct Birth {
    pub(crate) create: Arc<Create>,
    pub(crate) append: Append,
}

impl Birth {
    /// Whether one row says everything: the task has lived and ended.
    pub(crate) fn is_life(&self) -> bool {
        let Self { create, append } = self;
        let whole = append.life.is_some() && append.row().is_some();
        whole && create.can_wait() && create.said.is_none()
    }
}

#[async_trait]
impl Work for Birth {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        match self.create.run(connection).await? {
            Ok(Created::New) => self.append.run(connection).await,
            Ok(Created::Existing(_)) => Ok(Err(StoreErrorKind::Conflict)),
            Err(kind) => Ok(Err(kind)),
        }
    }

    fn row(&self) -> Option<Row> {
        let Self { create, append } = self;
        let (Some(row), Some(change)) = (append.rows.first(), &append.change) else {
            return None;
        };
        let status = change.status.filter(|_| self.is_life())?;
        let logged = !row.entries.is_empty();
        let entries = logged.then(|| Value::Bytes(Arc::clone(&row.entries)));
        let until = append.log_until.filter(|_| logged);
        Some(Row {
            view: NEW_LIFE,
            values: vec![
                create.owner.tenant().into(),
                create.owner.principal().into(),
                (&create.id).into(),
                (&create.context).into(),
                create.history.first().into(),
                status.shape.into(),
                status.state.into(),
                status.time.into(),
                change.said.as_ref().into(),
                row.sequence.into(),
                row.revision.into(),
                entries.unwrap_or(Value::Null),
                until.into(),
                append.life.iter().flatten().next().into(),
            ],
        })
    }

    fn accepted(&self) -> Option<()> {
        Some(())
    }

    fn bytes(&self) -> usize {
        let artifact = self.append.life.iter().flatten().next();
        let artifact = artifact.map_or(0, |json| json.len());
        self.create.bytes() + self.append.bytes() + artifact
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
