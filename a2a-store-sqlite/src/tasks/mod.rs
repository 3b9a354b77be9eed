//! Tasks: what [`TaskStore`](a2a_types::store::TaskStore) is made of.

mod append;
mod create;
mod events;
mod list;
mod load;
mod purge;

pub(crate) use append::{Append, Birth, Onto};
pub(crate) use create::{Create, resent};
pub(crate) use events::events;
pub(crate) use list::list;
pub(crate) use load::{load, put_together, read};
pub(crate) use purge::{DeleteOwner, Expire};

use a2a_types::store::{Scope, StoreErrorKind};
use sqlx::{Row as _, SqliteConnection};

use crate::sql::{current, limits, visible};
use crate::writer::Outcome;

/// Whether the task is at this revision: what an append that changed nothing has failed for.
async fn is_at(
    connection: &mut SqliteConnection,
    scope: &Scope,
    id: &str,
    revision: i64,
) -> Result<Outcome<()>, sqlx::Error> {
    let sql = concat!("SELECT ", current!(), " FROM tasks AS t WHERE ", visible!());
    let (tenant, principal) = limits(scope);
    let row = sqlx::query(sql)
        .bind(id)
        .bind(tenant)
        .bind(principal)
        .fetch_optional(connection)
        .await?;
    Ok(match row {
        None => Err(StoreErrorKind::NotFound),
        Some(row) if row.try_get::<i64, _>(0)? == revision => Ok(()),
        Some(_) => Err(StoreErrorKind::Conflict),
    })
}
