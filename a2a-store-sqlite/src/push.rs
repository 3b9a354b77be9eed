//! Webhook registrations.

use std::sync::Arc;

use a2a_types::TaskPushNotificationConfig;
use a2a_types::push::Webhook;
use a2a_types::store::{
    Owner, PushCursor, PushPage, Registered, Scope, StoreError, StoreErrorKind,
};
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use crate::codec::{json, parse};
use crate::draft::get;
use crate::error::store_error;
use crate::sql::limits;
use crate::vault::{Place, Vault};
use crate::writer::{Outcome, Work};

const PUT: &str = "INSERT INTO push_configs (task_id, id, tenant, principal, config) \
     SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM push_configs WHERE task_id = $1) < $6 \
     OR EXISTS (SELECT 1 FROM push_configs \
     WHERE task_id = $1 AND id = $2 AND tenant = $3 AND principal = $4) \
     ON CONFLICT DO UPDATE SET config = excluded.config RETURNING 1";

const DELETE: &str = "DELETE FROM push_configs WHERE task_id = $1 AND ($2 IS NULL OR id = $2) \
     AND ($3 IS NULL OR tenant = $3) AND ($4 IS NULL OR principal = $4)";

const DELETE_OWNER: &str =
    "DELETE FROM push_configs WHERE tenant = $1 AND principal = $2 RETURNING task_id";

/// The registrations of the task `$1` in the scope of tenant `$2` and principal `$3`.
macro_rules! registrations {
    () => {
        "SELECT id, tenant, principal, config FROM push_configs WHERE task_id = $1 \
         AND ($2 IS NULL OR tenant = $2) AND ($3 IS NULL OR principal = $3)"
    };
}

const GET: &str = concat!(registrations!(), " AND id = $4 LIMIT 1");

const FIRST_PAGE: &str = concat!(registrations!(), " ORDER BY id, tenant, principal LIMIT $4");

const PAGE: &str = concat!(
    registrations!(),
    " AND (id, tenant, principal) > ($5, $6, $7) ORDER BY id, tenant, principal LIMIT $4"
);

/// A registration to store.
pub(crate) struct Put {
    owner: Owner,
    task_id: Arc<str>,
    id: Arc<str>,
    config: Arc<[u8]>,
    most: i64,
}

impl Put {
    pub(crate) fn new(
        vault: &Vault,
        owner: &Owner,
        config: &TaskPushNotificationConfig,
        most: usize,
    ) -> Result<Self, StoreError> {
        let place = [
            config.task_id.as_str(),
            config.id.as_str(),
            owner.tenant(),
            owner.principal(),
        ];
        let closed = vault.close(Place(place), json(config)?.as_bytes())?;
        Ok(Self {
            owner: owner.clone(),
            task_id: Arc::from(config.task_id.as_str()),
            id: Arc::from(config.id.as_str()),
            config: Arc::from(closed),
            most: i64::try_from(most).unwrap_or(i64::MAX),
        })
    }
}

#[async_trait]
impl Work for Put {
    type Output = Registered;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Registered>, sqlx::Error> {
        let rows = sqlx::query(PUT)
            .bind(Arc::clone(&self.task_id))
            .bind(Arc::clone(&self.id))
            .bind(self.owner.tenant())
            .bind(self.owner.principal())
            .bind(Arc::clone(&self.config))
            .bind(self.most)
            .fetch_all(connection)
            .await?;
        Ok(Ok(if rows.is_empty() {
            Registered::Full
        } else {
            Registered::Stored
        }))
    }

    fn is_one_statement(&self) -> bool {
        true
    }
}

/// Registrations of a task to remove: the one with this id, or all.
pub(crate) struct Delete {
    pub(crate) scope: Scope,
    pub(crate) task_id: String,
    pub(crate) id: Option<String>,
}

#[async_trait]
impl Work for Delete {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Outcome<()>, sqlx::Error> {
        let (tenant, principal) = limits(&self.scope);
        sqlx::query(DELETE)
            .bind(self.task_id.as_str())
            .bind(self.id.as_deref())
            .bind(tenant)
            .bind(principal)
            .execute(connection)
            .await?;
        Ok(Ok(()))
    }

    fn is_one_statement(&self) -> bool {
        true
    }
}

/// All registrations of an owner to remove.
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
        let ids = rows.iter().map(|row| row.try_get(0));
        let mut ids = ids.collect::<Result<Vec<String>, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        Ok(Ok(ids))
    }

    fn is_one_statement(&self) -> bool {
        true
    }
}

/// One registration.
pub(crate) async fn registration(
    connection: &mut SqliteConnection,
    vault: &Vault,
    scope: &Scope,
    task_id: &str,
    id: &str,
) -> Result<Option<TaskPushNotificationConfig>, StoreError> {
    let (tenant, principal) = limits(scope);
    let row = sqlx::query(GET)
        .bind(task_id)
        .bind(tenant)
        .bind(principal)
        .bind(id)
        .fetch_optional(connection)
        .await
        .map_err(store_error)?;
    row.map(|row| read(vault, task_id, &row).map(|(_, webhook)| webhook.config))
        .transpose()
}

/// A page of the registrations of a task.
pub(crate) async fn page(
    connection: &mut SqliteConnection,
    vault: &Vault,
    scope: &Scope,
    task_id: &str,
    after: Option<&PushCursor>,
    limit: usize,
) -> Result<PushPage, StoreError> {
    let (tenant, principal) = limits(scope);
    let more = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
    let query = sqlx::query(if after.is_some() { PAGE } else { FIRST_PAGE })
        .bind(task_id)
        .bind(tenant)
        .bind(principal)
        .bind(more);
    let query = match after {
        None => query,
        Some(after) => query
            .bind(after.id.as_str())
            .bind(after.owner.tenant())
            .bind(after.owner.principal()),
    };
    let rows = query.fetch_all(connection).await.map_err(store_error)?;
    let page = rows.iter().take(limit);
    let page = page.map(|row| read(vault, task_id, row));
    let page = page.collect::<Result<Vec<_>, _>>()?;
    let next = page.last().filter(|_| rows.len() > limit);
    let next = next.map(|(place, _)| place.clone());
    let webhooks = page.into_iter().map(|(_, webhook)| webhook).collect();
    Ok(PushPage::new(webhooks, next))
}

fn read(
    vault: &Vault,
    task_id: &str,
    row: &SqliteRow,
) -> Result<(PushCursor, Webhook), StoreError> {
    let (id, tenant, principal): (&str, &str, &str) = (get(row, 0)?, get(row, 1)?, get(row, 2)?);
    let json = vault.open(Place([task_id, id, tenant, principal]), get(row, 3)?)?;
    // A parse error shows what it has read, and that would be a secret.
    let config = parse(&json).map_err(|_| StoreError::new(StoreErrorKind::Internal))?;
    let owner = Owner::new(tenant, principal);
    Ok((
        PushCursor::new(id, owner.clone()),
        Webhook::new(owner, config),
    ))
}
