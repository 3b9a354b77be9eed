use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use a2a_types::push::OutboxId;
use a2a_types::store::{Durability, Sharing, StoreProperties};
use sqlx::sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::mpsc;

use crate::error::OpenError;
use crate::lock::{Lock, true_path};
use crate::nursery;
use crate::pool::Pool;
use crate::store::{Inner, SqliteStore};
use crate::vault::Vault;
use crate::writer::Writer;
use crate::{outbox, schema, upkeep, views};

/// How many long logs wait to be written down; more wait for their log's time to be over.
const ENDED: usize = 1024;

/// When a commit counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Synchronous {
    /// When the operating system has it: it survives the end of the process, however it ends. The
    /// default.
    #[default]
    Normal,
    /// When the disk has it: it survives the loss of power, too. Each commit waits for the disk;
    /// all that wait at the same time share one.
    Full,
}

/// Settings of a [`SqliteStore`].
///
/// ```
/// use std::time::Duration;
/// use a2a_store_sqlite::{SqliteStore, Synchronous};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), a2a_store_sqlite::OpenError> {
/// let store = SqliteStore::builder()
///     .synchronous(Synchronous::Full)
///     .resume_window(Duration::from_secs(3600))
///     .open(":memory:")
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SqliteStoreBuilder {
    synchronous: Synchronous,
    resume_window: Duration,
    readers: u32,
    busy_timeout: Duration,
    lock_timeout: Duration,
    vault: Vault,
}

impl SqliteStoreBuilder {
    pub(crate) fn new() -> Self {
        Self {
            synchronous: Synchronous::default(),
            resume_window: Duration::from_secs(900),
            readers: 4,
            busy_timeout: Duration::from_secs(10),
            lock_timeout: Duration::from_secs(5),
            vault: Vault::default(),
        }
    }

    /// When a commit counts. Default: [`Synchronous::Normal`].
    pub fn synchronous(self, synchronous: Synchronous) -> Self {
        Self {
            synchronous,
            ..self
        }
    }

    /// How long the events of an ended task are kept for streams that are resumed; after that a
    /// task is only what it came to. Default: 15 minutes.
    pub fn resume_window(self, resume_window: Duration) -> Self {
        Self {
            resume_window,
            ..self
        }
    }

    /// How many connections read at the same time, each with a thread of its own; at least 1.
    /// Default: 4.
    pub fn readers(self, readers: u32) -> Self {
        Self {
            readers: readers.max(1),
            ..self
        }
    }

    /// How long a call waits for another program that has locked the database, such as `sqlite3`
    /// in a write transaction, before it fails as `Unavailable`. Default: 10 seconds.
    pub fn busy_timeout(self, busy_timeout: Duration) -> Self {
        Self {
            busy_timeout,
            ..self
        }
    }

    /// How long [`open`](Self::open) waits for another store to close the database, so that the
    /// next process can be started before the last one has ended. Default: 5 seconds.
    pub fn lock_timeout(self, lock_timeout: Duration) -> Self {
        Self {
            lock_timeout,
            ..self
        }
    }

    /// Keeps webhook registrations encrypted with this key (XChaCha20-Poly1305). Feature
    /// `encryption`. What is in the open, or under one of the
    /// [earlier keys](Self::earlier_encryption_key), is encrypted with it when the database is
    /// opened.
    ///
    /// Tasks, notifications and the hosts of receivers are not encrypted: that is for the file
    /// system to do.
    #[cfg(feature = "encryption")]
    pub fn encryption_key(mut self, key: crate::EncryptionKey) -> Self {
        self.vault.keys.insert(0, key);
        self
    }

    /// A key that the database may still be encrypted with: name it once when the
    /// [key](Self::encryption_key) changes. Feature `encryption`.
    #[cfg(feature = "encryption")]
    pub fn earlier_encryption_key(mut self, key: crate::EncryptionKey) -> Self {
        self.vault.keys.push(key);
        self
    }

    /// Opens the database of this path, and creates it when there is none. `:memory:` is a database
    /// that ends with the store.
    ///
    /// The store lives on the Tokio runtime on which it is opened.
    ///
    /// # Errors
    ///
    /// When another store has it open, when it is not ours or newer than this crate, when the
    /// encryption key is not the right one, and when the file system or SQLite fails.
    pub async fn open(self, path: impl AsRef<Path>) -> Result<SqliteStore, OpenError> {
        let path = path.as_ref();
        if path == Path::new(":memory:") {
            let options = self.connection();
            let mut connection = self.writing(&options).connect().await?;
            schema::migrate(&mut connection).await?;
            self.vault.prepare(&mut connection).await?;
            views::create(&mut connection).await?;
            let pool = Pool::of(connection, options);
            return Ok(self.start(Arc::clone(&pool), pool, Durability::Volatile, ()));
        }
        let path = true_path(path)?;
        let lock = Lock::take(&path, self.lock_timeout).await?;
        let options = self.connection().filename(&path);
        // Nothing is changed in a database that is not ours.
        let mut look = options.clone().create_if_missing(true).connect().await?;
        let ours = schema::inspect(&mut look).await;
        look.close().await?;
        ours?;
        let mut connection = self.writing(&options).connect().await?;
        schema::migrate(&mut connection).await?;
        outbox::end_claims(&mut connection).await?;
        self.vault.prepare(&mut connection).await?;
        views::create(&mut connection).await?;
        let writing = self.writing(&options);
        let reading = options.pragma("query_only", "ON");
        let durability = match self.synchronous {
            Synchronous::Normal => Durability::Process,
            Synchronous::Full => Durability::Machine,
        };
        let readers = Pool::new(reading, self.readers);
        Ok(self.start(Pool::of(connection, writing), readers, durability, lock))
    }

    fn start(
        self,
        pool: Arc<Pool>,
        readers: Arc<Pool>,
        durability: Durability,
        lock: impl Send + 'static,
    ) -> SqliteStore {
        let (ended, receiver) = mpsc::channel(ENDED);
        let (born, newborns) = mpsc::channel(1);
        let id = OutboxId::new();
        let window = i64::try_from(self.resume_window.as_millis()).unwrap_or(i64::MAX);
        let inner = Arc::new(Inner {
            writer: Writer::start(pool, Arc::clone(&readers), lock),
            readers,
            vault: self.vault,
            properties: StoreProperties::new(durability, Sharing::Exclusive).with_outbox(id),
            outbox: id,
            window,
            ended,
            nursery: Arc::default(),
            born,
        });
        tokio::spawn(nursery::run(Arc::downgrade(&inner), newborns));
        let pause = (self.resume_window / 4).clamp(Duration::from_secs(1), Duration::from_secs(30));
        tokio::spawn(upkeep::run(Arc::downgrade(&inner), receiver, pause));
        SqliteStore::of(inner)
    }

    /// What all connections have in common.
    fn connection(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .busy_timeout(self.busy_timeout)
            .foreign_keys(true)
            .row_buffer_size(512)
            .pragma("temp_store", "MEMORY")
            .disable_statement_logging()
    }

    fn writing(&self, options: &SqliteConnectOptions) -> SqliteConnectOptions {
        let synchronous = match self.synchronous {
            Synchronous::Normal => SqliteSynchronous::Normal,
            Synchronous::Full => SqliteSynchronous::Full,
        };
        options
            .clone()
            .create_if_missing(true)
            // A commit writes whole pages, and most commits change little on many.
            .page_size(2048)
            .auto_vacuum(SqliteAutoVacuum::Incremental)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            // 4 MiB of pages in memory: SQLite looks through all of them at every commit. A
            // checkpoint every 16 MiB of log, which is cut after it when a large transaction has
            // made it larger than 64 MiB.
            .pragma("cache_size", "-4096")
            .pragma("wal_autocheckpoint", "8192")
            .pragma("journal_size_limit", "67108864")
    }
}
