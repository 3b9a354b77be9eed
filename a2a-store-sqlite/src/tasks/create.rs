use std::sync::Arc;

use a2a_types::Timestamp;
use a2a_types::push::Notification;
use a2a_types::store::{Created, IdempotencyKey, NewTask, Owner, StoreError};
use async_trait::async_trait;
use sqlx::{Row as _, SqliteConnection};

use crate::change::Status;
use crate::codec;
use crate::outbox::{self, Written};
use crate::vault::Vault;
use crate::views::{NEW_TASK, Row, Value, insert, refusal};
use crate::writer::{Outcome, Work};

const RESENT: &str = "SELECT t.id FROM tasks AS t WHERE t.owner = \
    (SELECT key FROM owners WHERE tenant = $1 AND principal = $2) \
    AND t.message_id = $3 AND t.digest = $4 AND t.expires > $5 ORDER BY t.key LIMIT 1";

/// A new task.
pub(crate) struct Create {
    pub(super) owner: Owner,
    pub(super) id: Arc<str>,
    pub(super) context: Arc<str>,
    status: Status,
    pub(super) said: Option<Arc<str>>,
    idempotency: Option<IdempotencyKey>,
    pub(super) history: Vec<Arc<str>>,
    artifacts: Vec<Arc<str>>,
    metadata: Option<Arc<str>>,
    webhooks: Vec<Written>,
    notification: Option<Notification>,
}

impl Create {
    pub(crate) fn new(vault: &Vault, owner: &Owner, new: NewTask) -> Result<Self, StoreError> {
        let NewTask {
            task,
            idempotency,
            webhooks,
            trace,
            ..
        } = new;
        let notification =
            (!webhooks.is_empty()).then(|| Notification::of_task(&task).with_trace(trace));
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
            webhooks: Written::all(vault, &webhooks)?,
            notification,
        })
    }

    /// Whether the row says everything.
    fn is_all(&self) -> bool {
        self.history.len() <= 1
            && self.artifacts.is_empty()
            && self.metadata.is_none()
            && self.notification.is_none()
    }

    /// Whether it can be written later, together with something else.
    pub(crate) fn can_wait(&self) -> bool {
        self.is_all() && self.idempotency.is_none() && !self.status.is_terminal
    }

    fn head(&self) -> Row {
        let key = self.idempotency.as_ref();
        let Status {
            shape, state, time, ..
        } = self.status;
        let digest = key.map(|key| Value::Bytes(Arc::from(key.digest)));
        Row {
            view: NEW_TASK,
            values: vec![
                self.owner.tenant().into(),
                self.owner.principal().into(),
                (&self.id).into(),
                (&self.context).into(),
                shape.into(),
                state.into(),
                time.into(),
                self.said.as_ref().into(),
                key.map(|key| key.message_id.as_str()).into(),
                digest.unwrap_or(Value::Null),
                key.map(|key| key.now.unix_millis()).into(),
                key.map(|key| key.expires.unix_millis()).into(),
                self.history.first().into(),
            ],
        }
    }

    /// What is not in the head.
    async fn write_rest(&self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let messages = "INSERT INTO messages (task, position, data) \
            SELECT key, $2, $3 FROM tasks WHERE id = $1";
        let artifacts = "INSERT INTO artifacts (task, position, data) \
            SELECT key, $2, $3 FROM tasks WHERE id = $1";
        let messages = (0_i64..)
            .zip(&self.history)
            .skip(1)
            .map(|row| (messages, row));
        let artifacts = (0_i64..).zip(&self.artifacts).map(|row| (artifacts, row));
        for (sql, (position, data)) in messages.chain(artifacts) {
            let query = sqlx::query(sql).bind(Arc::clone(&self.id)).bind(position);
            query
                .bind(Arc::clone(data))
                .execute(&mut *connection)
                .await?;
        }
        if let Some(metadata) = &self.metadata {
            sqlx::query(
                "INSERT INTO metadata (task, data) SELECT key, $2 FROM tasks WHERE id = $1",
            )
            .bind(Arc::clone(&self.id))
            .bind(Arc::clone(metadata))
            .execute(&mut *connection)
            .await?;
        }
        let notification = self.notification.as_slice();
        outbox::put(connection, &self.webhooks, notification, Timestamp::now()).await
    }
}

#[async_trait]
impl Work for Arc<Create> {
    type Output = Created;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Created>, sqlx::Error> {
        let kind = match insert(connection, vec![self.head()]).await {
            Ok(()) => {
                self.write_rest(connection).await?;
                return Ok(Ok(Created::New));
            }
            Err(error) => refusal(&error).ok_or(error)?,
        };
        if let Some(key) = &self.idempotency
            && let Some(id) = resent(connection, &self.owner, key).await?
        {
            return Ok(Ok(Created::Existing(id)));
        }
        Ok(Err(kind))
    }

    fn row(&self) -> Option<Row> {
        self.is_all().then(|| self.head())
    }

    fn accepted(&self) -> Option<Created> {
        Some(Created::New)
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
