//! What the store does without being asked: what ended tasks have come to is written down once,
//! their logs go when nobody can resume from them any more, and free pages go back to the file
//! system.

use std::sync::{Arc, Weak};
use std::time::Duration;

use a2a_types::Timestamp;
use a2a_types::store::{Scope, StoreError};
use async_trait::async_trait;
use sqlx::{Row as _, SqliteConnection};
use tokio::sync::mpsc;

use crate::codec;
use crate::error::store_error;
use crate::schema::number;
use crate::sql::current;
use crate::store::Inner;
use crate::tasks::{put_together, read};
use crate::writer::{Outcome, Work};

/// How many tasks, rows and pages are dealt with in one job; others come in between.
const TASKS: i64 = 64;
const ROWS: i64 = 1000;
const PAGES: i64 = 512;

/// How many free pages are left for what comes next; and of how many one may be free.
const SPARE: i64 = 2048;
const SHARE: i64 = 8;

/// SQLite takes no value above 1,000,000,000 bytes. The log of a task with a longer artifact is
/// kept as long as the task: its rows are pieces of it.
const LONGEST: usize = 900_000_000;

/// Ended tasks whose time is up but whose log says more than is written down.
const DUE: &str = concat!(
    "SELECT t.id FROM tasks AS t WHERE t.log_until <= $1 AND t.revision < ",
    current!(),
    " ORDER BY t.log_until LIMIT $2"
);

const REMOVE_ROWS: &str = concat!(
    "DELETE FROM log WHERE (task, sequence, revision) IN (SELECT l.task, l.sequence, l.revision \
     FROM tasks AS t JOIN log AS l ON l.task = t.key WHERE t.log_until <= $1 AND t.revision >= ",
    current!(),
    " LIMIT $2)"
);

const FORGET: &str = "UPDATE tasks SET log_until = NULL WHERE log_until <= $1 \
    AND NOT EXISTS (SELECT 1 FROM log WHERE task = tasks.key)";

/// Goes on until the store is gone. `ended` brings the ids of tasks that ended with a long log.
pub(crate) async fn run(store: Weak<Inner>, mut ended: mpsc::Receiver<String>, pause: Duration) {
    loop {
        let next = tokio::time::timeout(pause, ended.recv()).await;
        let Some(store) = store.upgrade() else { return };
        let result = match next {
            Ok(None) => return,
            Ok(Some(id)) => compact(&store, &id).await,
            Err(_) => tidy(&store).await,
        };
        if let Err(error) = result {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "the database could not be tidied up");
        }
    }
}

impl Inner {
    /// A task has ended with a long log: what it came to is written down soon. When too many wait it
    /// is done later, when the log has had its time.
    pub(crate) fn ended_long(&self, id: &str) {
        let _ = self.ended.try_send(id.to_owned());
    }
}

/// Does everything that is due now.
pub(crate) async fn tidy(store: &Arc<Inner>) -> Result<(), StoreError> {
    let now = Timestamp::now().unix_millis();
    loop {
        let due = due(store, now).await?;
        for id in &due {
            compact(store, id).await?;
        }
        if due.len() < usize::try_from(TASKS).unwrap_or(usize::MAX) {
            break;
        }
    }
    while store.writer.run(RemoveLogs { now }).await? > 0 {}
    while store.writer.run(Vacuum).await? {}
    Ok(())
}

async fn due(store: &Arc<Inner>, now: i64) -> Result<Vec<String>, StoreError> {
    let mut connection = store.readers.take().await.map_err(store_error)?;
    let rows = sqlx::query(DUE)
        .bind(now)
        .bind(TASKS)
        .fetch_all(&mut *connection)
        .await
        .map_err(store_error)?;
    let ids = rows.iter().map(|row| row.try_get(0));
    ids.collect::<Result<_, _>>().map_err(store_error)
}

/// Writes down what the log of an ended task adds up to.
async fn compact(store: &Arc<Inner>, id: &str) -> Result<(), StoreError> {
    let read = {
        let mut connection = store.readers.take().await.map_err(store_error)?;
        read(&mut connection, &Scope::__system(), id).await?
    };
    let Some((key, draft, bytes)) = read else {
        return Ok(());
    };
    if !draft.task.state().is_terminal() {
        return Ok(());
    }
    let (folded, place) = (draft.folded, draft.place());
    if folded == place {
        return Ok(());
    }
    let artifacts = put_together(bytes, move || {
        let artifacts = draft.without_history().finish()?.artifacts;
        let json = artifacts.iter().map(codec::json);
        json.map(|json| json.map(Arc::from)).collect()
    });
    let artifacts: Vec<Arc<str>> = artifacts.await?;
    let compact = Compact {
        key,
        id: id.to_owned(),
        folded: folded.0,
        place,
        artifacts,
    };
    if compact.artifacts.iter().any(|json| json.len() > LONGEST) {
        return store.writer.run(KeepLog(compact)).await;
    }
    store.writer.run(compact).await
}

/// What a task has come to.
struct Compact {
    key: i64,
    id: String,
    /// Up to where the artifacts that are replaced went.
    folded: i64,
    place: (i64, i64),
    artifacts: Vec<Arc<str>>,
}

#[async_trait]
impl Work for Compact {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        let rows = sqlx::query(
            "UPDATE tasks SET revision = $4, sequence = $5 \
             WHERE key = $1 AND id = $2 AND revision = $3 RETURNING key",
        )
        .bind(self.key)
        .bind(self.id.as_str())
        .bind(self.folded)
        .bind(self.place.0)
        .bind(self.place.1)
        .fetch_all(&mut *connection)
        .await?;
        if rows.is_empty() {
            // It is gone, or somebody else was faster.
            return Ok(Ok(()));
        }
        sqlx::query("DELETE FROM artifacts WHERE task = $1")
            .bind(self.key)
            .execute(&mut *connection)
            .await?;
        for (position, data) in (0_i64..).zip(&self.artifacts) {
            sqlx::query("INSERT INTO artifacts (task, position, data) VALUES ($1, $2, $3)")
                .bind(self.key)
                .bind(position)
                .bind(Arc::clone(data))
                .execute(&mut *connection)
                .await?;
        }
        Ok(Ok(()))
    }

    fn bytes(&self) -> usize {
        self.artifacts.iter().map(|json| json.len()).sum()
    }
}

/// Keeps the log as long as the task.
struct KeepLog(Compact);

#[async_trait]
impl Work for KeepLog {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        sqlx::query("UPDATE tasks SET log_until = NULL WHERE key = $1 AND id = $2")
            .bind(self.0.key)
            .bind(self.0.id.as_str())
            .execute(connection)
            .await?;
        Ok(Ok(()))
    }
}

/// Removes rows of logs that nobody needs any more, the oldest first: what is left of a log has no
/// hole. Returns how many.
struct RemoveLogs {
    now: i64,
}

#[async_trait]
impl Work for RemoveLogs {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<u64>, sqlx::Error> {
        let removed = sqlx::query(REMOVE_ROWS)
            .bind(self.now)
            .bind(ROWS)
            .execute(&mut *connection)
            .await?
            .rows_affected();
        sqlx::query(FORGET)
            .bind(self.now)
            .execute(connection)
            .await?;
        Ok(Ok(removed))
    }
}

/// Gives some free pages back to the file system. Returns whether there are more.
struct Vacuum;

#[async_trait]
impl Work for Vacuum {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<bool>, sqlx::Error> {
        let free = number(connection, "PRAGMA freelist_count").await?;
        let all = number(connection, "PRAGMA page_count").await?;
        let surplus = free - SPARE.max(all / SHARE);
        if surplus <= 0 {
            return Ok(Ok(false));
        }
        let sql = format!("PRAGMA incremental_vacuum({})", surplus.min(PAGES));
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
            .fetch_all(connection)
            .await?;
        Ok(Ok(surplus > PAGES))
    }
}
