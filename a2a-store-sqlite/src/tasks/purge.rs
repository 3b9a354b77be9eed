use a2a_types::Timestamp;
use a2a_types::store::Owner;
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::writer::{Outcome, Work};

/// Ended tasks, the oldest of each tenant first. What belongs to a task goes with it.
const EXPIRE: &str = "DELETE FROM tasks WHERE key IN (SELECT t.key FROM (SELECT DISTINCT tenant FROM owners) AS o \
     CROSS JOIN tasks AS t INDEXED BY tasks_by_tenant ON t.tenant = o.tenant \
     WHERE t.time < $1 AND t.state IN (3, 4, 5, 7) LIMIT $2) RETURNING id";

const DELETE_OWNER: &str = "DELETE FROM tasks WHERE owner = \
     (SELECT key FROM owners WHERE tenant = $1 AND principal = $2) RETURNING id";

/// Purges ended tasks.
pub(crate) struct Expire {
    pub(crate) before: Timestamp,
    pub(crate) limit: usize,
}

#[async_trait]
impl Work for Expire {
    type Output = Vec<String>;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Vec<String>>, sqlx::Error> {
        let rows = sqlx::query(EXPIRE)
            .bind(ceil(self.before))
            .bind(i64::try_from(self.limit).unwrap_or(i64::MAX))
            .fetch_all(connection)
            .await?;
        rows.iter().map(id).collect::<Result<_, _>>().map(Ok)
    }

    fn is_one_statement(&self) -> bool {
        true
    }
}

/// Purges the tasks of an owner.
pub(crate) struct DeleteOwner(pub(crate) Owner);

#[async_trait]
impl Work for DeleteOwner {
    type Output = Vec<String>;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Vec<String>>, sqlx::Error> {
        let rows = sqlx::query(DELETE_OWNER)
            .bind(self.0.tenant())
            .bind(self.0.principal())
            .fetch_all(connection)
            .await?;
        rows.iter().map(id).collect::<Result<_, _>>().map(Ok)
    }

    fn is_one_statement(&self) -> bool {
        true
    }
}

fn id(row: &SqliteRow) -> Result<String, sqlx::Error> {
    row.try_get(0)
}

/// The first millisecond that is not before the instant.
pub(crate) fn ceil(instant: Timestamp) -> i64 {
    let finer = instant.nanos % 1_000_000 != 0;
    instant.unix_millis().saturating_add(i64::from(finer))
}
