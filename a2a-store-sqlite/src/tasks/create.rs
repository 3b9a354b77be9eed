use std::sync::Arc;

use a2a_types::store::{Created, IdempotencyKey, NewTask, Owner, StoreError, StoreErrorKind};
use async_trait::async_trait;
use sqlx::{Row as _, SqliteConnection};

use crate::change::Status;
use crate::codec;
use crate::sql::{Sql, sql};
use crate::writer::{Company, Outcome, Work};

const CREATE: Sql = sql!(
    "INSERT INTO owners (tenant, principal) VALUES ($1, $2) ON CONFLICT DO NOTHING;",
    "INSERT INTO tasks \
     (id, owner, tenant, context, shape, state, time, said, message_id, digest, expires) \
     SELECT $3, o.key, $1, $4, $5, $6, $7, $8, $9, $10, $12 FROM owners AS o \
     WHERE o.tenant = $1 AND o.principal = $2 AND NOT EXISTS (SELECT 1 FROM tasks AS s \
     WHERE s.owner = o.key AND s.message_id = $9 AND s.digest = $10 AND s.expires > $11) \
     ON CONFLICT DO NOTHING RETURNING key;",
    "INSERT INTO messages (task, position, data) SELECT t.key, 0, $13 FROM tasks AS t \
     WHERE changes() = 1 AND $13 IS NOT NULL AND t.id = $3",
);

const RESENT: &str = "SELECT t.id FROM tasks AS t WHERE t.owner = \
    (SELECT key FROM owners WHERE tenant = $1 AND principal = $2) \
    AND t.message_id = $3 AND t.digest = $4 AND t.expires > $5 ORDER BY t.key LIMIT 1";

/// An owner that has no task after all.
const FORGET: &str = "DELETE FROM owners WHERE tenant = $1 AND principal = $2 AND NOT EXISTS \
    (SELECT 1 FROM tasks WHERE owner = owners.key)";

/// A new task.
pub(crate) struct Create {
    owner: Owner,
    id: Arc<str>,
    context: Arc<str>,
    status: Status,
    said: Option<Arc<str>>,
    idempotency: Option<IdempotencyKey>,
    history: Vec<Arc<str>>,
    artifacts: Vec<Arc<str>>,
    metadata: Option<Arc<str>>,
}

impl Create {
    pub(crate) fn new(owner: &Owner, new: NewTask) -> Result<Self, StoreError> {
        let NewTask {
            task, idempotency, ..
        } = new;
        let status = task.status.as_ref();
        let said = status.and_then(|status| status.message.as_ref());
        let history = task.history.iter().map(codec::message);
        let artifacts = task.artifacts.iter().map(codec::json);
        let metadata = task.metadata.as_ref().map(codec::json).transpose()?;
        Ok(Self {
            owner: owner.clone(),
            id: Arc::from(task.id.as_str()),
            context: Arc::from(task.context_id.as_str()),
            status: Status::of(status),
            said: said.map(codec::message).transpose()?,
            idempotency,
            history: history.collect::<Result<_, _>>()?,
            artifacts: artifacts
                .map(|json| json.map(Arc::from))
                .collect::<Result<_, _>>()?,
            metadata: metadata.map(Arc::from),
        })
    }

    /// What the first command has not written.
    async fn write_rest(
        &self,
        connection: &mut SqliteConnection,
        key: i64,
    ) -> Result<(), sqlx::Error> {
        let messages = "INSERT INTO messages (task, position, data) VALUES ($1, $2, $3)";
        let artifacts = "INSERT INTO artifacts (task, position, data) VALUES ($1, $2, $3)";
        let messages = (0_i64..)
            .zip(&self.history)
            .skip(1)
            .map(|row| (messages, row));
        let artifacts = (0_i64..).zip(&self.artifacts).map(|row| (artifacts, row));
        for (sql, (position, data)) in messages.chain(artifacts) {
            let query = sqlx::query(sql).bind(key).bind(position);
            query
                .bind(Arc::clone(data))
                .execute(&mut *connection)
                .await?;
        }
        if let Some(metadata) = &self.metadata {
            sqlx::query("INSERT INTO metadata (task, data) VALUES ($1, $2)")
                .bind(key)
                .bind(Arc::clone(metadata))
                .execute(connection)
                .await?;
        }
        Ok(())
    }

    /// Why nothing was stored.
    async fn refusal(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Created>, sqlx::Error> {
        if let Some(key) = &self.idempotency
            && let Some(id) = resent(connection, &self.owner, key).await?
        {
            return Ok(Ok(Created::Existing(id)));
        }
        sqlx::query(FORGET)
            .bind(self.owner.tenant())
            .bind(self.owner.principal())
            .execute(connection)
            .await?;
        Ok(Err(StoreErrorKind::Conflict))
    }
}

#[async_trait]
impl Work for Create {
    type Output = Created;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
        company: Company,
    ) -> Result<Outcome<Created>, sqlx::Error> {
        let key = self.idempotency.as_ref();
        let Status {
            shape, state, time, ..
        } = self.status;
        let rows = sqlx::query(company.sql(CREATE))
            .bind(self.owner.tenant())
            .bind(self.owner.principal())
            .bind(Arc::clone(&self.id))
            .bind(Arc::clone(&self.context))
            .bind(shape)
            .bind(state)
            .bind(time)
            .bind(self.said.clone())
            .bind(key.map(|key| key.message_id.as_str()))
            .bind(key.map(|key| key.digest.as_slice()))
            .bind(key.map(|key| key.now.unix_millis()))
            .bind(key.map(|key| key.expires.unix_millis()))
            .bind(self.history.first().cloned())
            .fetch_all(&mut *connection)
            .await?;
        match rows.first() {
            None => self.refusal(connection).await,
            Some(row) => {
                self.write_rest(connection, row.try_get(0)?).await?;
                Ok(Ok(Created::New))
            }
        }
    }

    fn fits_one_command(&self) -> bool {
        self.history.len() <= 1 && self.artifacts.is_empty() && self.metadata.is_none()
    }

    fn bytes(&self) -> usize {
        let texts = self.history.iter().chain(&self.artifacts);
        texts.map(|text| text.len()).sum()
    }
}

/// The task that an earlier send of the same message made.
pub(crate) async fn resent(
    connection: &mut SqliteConnection,
    owner: &Owner,
    key: &IdempotencyKey,
) -> Result<Option<String>, sqlx::Error> {
    let row = sqlx::query(RESENT)
        .bind(owner.tenant())
        .bind(owner.principal())
        .bind(key.message_id.as_str())
        .bind(key.digest.as_slice())
        .bind(key.now.unix_millis())
        .fetch_optional(connection)
        .await?;
    row.map(|row| row.try_get(0)).transpose()
}
