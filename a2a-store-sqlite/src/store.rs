use std::fmt;
use std::path::Path;
use std::sync::Arc;

use a2a_types::push::OutboxId;
use a2a_types::store::{
    Append, Created, Due, Durability, IdempotencyKey, ListQuery, LogEntry, NewTask, Owner,
    PushConfigStore, PushCursor, PushPage, Registered, Scope, StoreError, StoreProperties,
    StoredTask, TaskPage, TaskStore,
};
use a2a_types::{Task, TaskPushNotificationConfig, Timestamp};
use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::builder::SqliteStoreBuilder;
use crate::error::{OpenError, store_error};
use crate::nursery::{self, Newborn, Nursery};
use crate::pool::{Pool, Taken};
use crate::tasks::Onto;
use crate::vault::Vault;
use crate::writer::Writer;
use crate::{push, tasks, upkeep};

/// Tasks, webhook registrations and the outbox of notifications in one SQLite database.
///
/// A clone is another handle on the same store. The database is closed when the last handle is
/// gone, or by [`close`](Self::close).
///
/// What was acknowledged survives the end of the process, and with
/// [`Synchronous::Full`](crate::Synchronous::Full) the loss of power. One store at a time may have
/// a database open. Timestamps are kept in milliseconds, as they are written on the wire.
#[derive(Clone)]
pub struct SqliteStore {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) writer: Writer,
    pub(crate) readers: Arc<Pool>,
    pub(crate) vault: Vault,
    pub(crate) properties: StoreProperties,
    pub(crate) outbox: OutboxId,
    /// How long the log of an ended task is kept, in milliseconds.
    pub(crate) window: i64,
    /// Takes the ids of tasks that end with a long log.
    pub(crate) ended: mpsc::Sender<String>,
    pub(crate) nursery: Arc<Nursery>,
    /// Tells that there are tasks which may have to be written by themselves.
    pub(crate) born: mpsc::Sender<()>,
}

impl SqliteStore {
    /// Opens the database of this path with the default settings, and creates it when there is
    /// none. `:memory:` is a database that ends with the store.
    ///
    /// # Errors
    ///
    /// When another store has it open, when it is not ours or newer than this crate, and when the
    /// file system or SQLite fails.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::builder().open(path).await
    }

    /// A store with other settings.
    pub fn builder() -> SqliteStoreBuilder {
        SqliteStoreBuilder::new()
    }

    pub(crate) fn of(inner: Arc<Inner>) -> Self {
        Self { inner }
    }

    /// Writes a copy of the database, as it is at one moment, to a file that must not exist yet.
    /// Readers and writers go on meanwhile. The copy is compact, and encrypted where the original
    /// is.
    ///
    /// # Errors
    ///
    /// When the file exists, cannot be written, or when the store is closed.
    pub async fn backup(&self, to: impl AsRef<Path>) -> Result<(), StoreError> {
        let to = to.as_ref().to_str().ok_or_else(|| {
            let cause = "the path of a backup must be UTF-8";
            StoreError::with_source(a2a_types::store::StoreErrorKind::Internal, cause)
        })?;
        self.inner.settle_all().await?;
        let mut connection = self.read().await?;
        // What reads may not write, not even another file.
        sqlx::raw_sql("PRAGMA query_only = OFF")
            .execute(&mut *connection)
            .await
            .map_err(store_error)?;
        let copied = sqlx::query("VACUUM INTO $1")
            .bind(to)
            .execute(&mut *connection)
            .await;
        if self.inner.properties.durability != Durability::Volatile {
            sqlx::raw_sql("PRAGMA query_only = ON")
                .execute(&mut *connection)
                .await
                .map_err(store_error)?;
        }
        copied.map(|_| ()).map_err(store_error)
    }

    /// Tidies up now: writes down what ended tasks have come to, removes logs whose time is over,
    /// and gives free pages back to the file system. The store does it by itself from time to time.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn tidy(&self) -> Result<(), StoreError> {
        upkeep::tidy(&self.inner).await
    }

    /// Closes the database after all calls that are under way. Later calls fail as `Unavailable`.
    pub async fn close(&self) {
        if let Err(error) = self.inner.settle_all().await {
            nursery::warn(&error);
        }
        self.inner.writer.close().await;
    }

    pub(crate) async fn read(&self) -> Result<Taken, StoreError> {
        self.inner.readers.take().await.map_err(store_error)
    }
}

#[async_trait]
impl TaskStore for SqliteStore {
    fn properties(&self) -> StoreProperties {
        self.inner.properties
    }

    async fn create(&self, owner: &Owner, task: NewTask) -> Result<Created, StoreError> {
        let (due, new) = (task.due, Arc::clone(&task.task));
        let create = Arc::new(tasks::Create::new(&self.inner.vault, owner, task)?);
        if due != Due::FirstAppend || !create.can_wait() {
            self.inner.settle(&new.id).await?;
            return self.inner.writer.run(create).await;
        }
        self.inner.nursery.put(Newborn {
            owner: owner.clone(),
            task: new,
            create,
        })?;
        // When it is full somebody is about to look already.
        let _ = self.inner.born.try_send(());
        Ok(Created::New)
    }

    async fn resent(
        &self,
        owner: &Owner,
        key: &IdempotencyKey,
    ) -> Result<Option<String>, StoreError> {
        let mut connection = self.read().await?;
        let found = tasks::resent(&mut connection, owner, key).await;
        found.map_err(store_error)
    }

    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<Option<Arc<Task>>, StoreError> {
        while let Some(taken) = self.inner.nursery.take(scope, task_id).await {
            if append.after == 0 && !append.entries.is_empty() {
                self.inner.be_born(taken, scope, append).await?;
                return Ok(None);
            }
            self.inner.write_all(vec![taken]).await?;
        }
        let append = tasks::Append::new(&self.inner, scope, task_id, &append, Onto::Stored)?;
        let is_long = append.ends_long_log();
        self.inner.writer.run(append).await?;
        if is_long {
            self.inner.ended_long(task_id);
        }
        Ok(None)
    }

    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError> {
        if let Some(ended) = self.inner.nursery.ended_task(scope, task_id) {
            return Ok(Some(ended));
        }
        self.inner.settle(task_id).await?;
        let mut connection = self.read().await?;
        tasks::load(&mut connection, scope, task_id).await
    }

    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError> {
        self.inner.settle_all().await?;
        let mut connection = self.read().await?;
        tasks::list(&mut connection, scope, query).await
    }

    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        self.inner.settle(task_id).await?;
        let mut connection = self.read().await?;
        tasks::events(&mut connection, scope, task_id, after, limit).await
    }

    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError> {
        self.inner.delete(tasks::Expire { before, limit }).await
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        self.inner.settle_all().await?;
        self.inner.delete(tasks::DeleteOwner(owner.clone())).await
    }
}

#[async_trait]
impl PushConfigStore for SqliteStore {
    async fn put(
        &self,
        owner: &Owner,
        config: TaskPushNotificationConfig,
        most: usize,
    ) -> Result<Registered, StoreError> {
        let put = push::Put::new(&self.inner.vault, owner, &config, most)?;
        self.inner.writer.run(put).await
    }

    async fn get(
        &self,
        scope: &Scope,
        task_id: &str,
        id: &str,
    ) -> Result<Option<TaskPushNotificationConfig>, StoreError> {
        let mut connection = self.read().await?;
        push::registration(&mut connection, &self.inner.vault, scope, task_id, id).await
    }

    async fn list(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&PushCursor>,
        limit: usize,
    ) -> Result<PushPage, StoreError> {
        let mut connection = self.read().await?;
        let vault = &self.inner.vault;
        push::page(&mut connection, vault, scope, task_id, after, limit).await
    }

    async fn delete(&self, scope: &Scope, task_id: &str, id: &str) -> Result<(), StoreError> {
        let delete = push::Delete {
            scope: scope.clone(),
            task_id: task_id.to_owned(),
            id: Some(id.to_owned()),
        };
        self.inner.writer.run(delete).await
    }

    async fn delete_task(&self, task_id: &str) -> Result<(), StoreError> {
        let delete = push::Delete {
            scope: Scope::__system(),
            task_id: task_id.to_owned(),
            id: None,
        };
        self.inner.writer.run(delete).await
    }

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        let delete = push::DeleteOwner(owner.clone());
        self.inner.writer.run(delete).await
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("properties", &self.inner.properties)
            .finish_non_exhaustive()
    }
}
