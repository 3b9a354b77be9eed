use a2a_types::Task;
use a2a_types::store::{Scope, StoreError, StoreErrorKind, StoredTask};
use sqlx::SqliteConnection;

use crate::draft::{Draft, Drafts, artifacts, head, log, messages};
use crate::error::{corrupt, store_error};
use crate::sql::{limits, visible};

const LOAD: &str = concat!(
    head!(),
    " WHERE ",
    visible!(),
    messages!(),
    "tasks AS t JOIN messages AS m ON m.task = t.key WHERE ",
    visible!(),
    artifacts!(),
    "tasks AS t JOIN artifacts AS a ON a.task = t.key WHERE ",
    visible!(),
    log!(),
    "tasks AS t JOIN log AS l ON l.task = t.key AND l.sequence >= t.sequence \
     AND l.revision > t.revision WHERE ",
    visible!(),
);

/// How much is put together on a thread that serves others, too.
const SMALL: usize = 256 << 10;

/// The task as it is now.
pub(crate) async fn load(
    connection: &mut SqliteConnection,
    scope: &Scope,
    id: &str,
) -> Result<Option<StoredTask>, StoreError> {
    let Some((_, draft, bytes)) = read(connection, scope, id).await? else {
        return Ok(None);
    };
    let (revision, sequence) = draft.place();
    let owner = draft.owner.clone();
    let task = put_together(bytes, move || draft.finish()).await?;
    let count = |value: i64| u64::try_from(value).map_err(|_| corrupt("a negative count"));
    Ok(Some(StoredTask::new(
        owner,
        task.into(),
        count(revision)?,
        count(sequence)?,
    )))
}

/// The rows of a task, its key, and how much they hold.
pub(crate) async fn read(
    connection: &mut SqliteConnection,
    scope: &Scope,
    id: &str,
) -> Result<Option<(i64, Draft, usize)>, StoreError> {
    let (tenant, principal) = limits(scope);
    let rows = sqlx::query(LOAD)
        .bind(id)
        .bind(tenant)
        .bind(principal)
        .fetch_all(connection)
        .await
        .map_err(store_error)?;
    let drafts = Drafts::read(&rows)?;
    let bytes = drafts.bytes;
    let draft = drafts.tasks.into_iter().next();
    Ok(draft.map(|(key, draft)| (key, draft, bytes)))
}

/// Does work that grows with the content, where it holds up nobody.
pub(crate) async fn put_together<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    if bytes <= SMALL {
        return work();
    }
    let result = tokio::task::spawn_blocking(work).await;
    result.map_err(|error| StoreError::with_source(StoreErrorKind::Internal, error))?
}

/// A task without its owner, for a list.
pub(crate) fn finish_all(drafts: Vec<Draft>) -> Result<Vec<Task>, StoreError> {
    drafts.into_iter().map(Draft::finish).collect()
}
