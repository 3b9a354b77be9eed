//! A few connections that are used in turn.
//!
//! sqlx's own pool asks a connection whether it is alive whenever it takes it back, which costs a
//! trip to the connection's thread; a connection to a file does not die.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) struct Pool {
    options: SqliteConnectOptions,
    idle: Mutex<Vec<SqliteConnection>>,
    permits: Arc<Semaphore>,
    size: u32,
}

impl Pool {
    /// Up to `size` connections, opened when they are needed.
    pub(crate) fn new(options: SqliteConnectOptions, size: u32) -> Arc<Self> {
        Arc::new(Self {
            options,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(size as usize)),
            size,
        })
    }

    /// The only connection there will ever be.
    pub(crate) fn of(connection: SqliteConnection, options: SqliteConnectOptions) -> Arc<Self> {
        let pool = Self::new(options, 1);
        pool.idle().push(connection);
        pool
    }

    /// A connection that nobody else has. It comes back by being dropped.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<Taken, sqlx::Error> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        Ok(Taken {
            connection: Some(connection),
            pool: Arc::clone(self),
            _permit: permit,
        })
    }

    /// Closes all connections, those that are in use when they come back.
    pub(crate) async fn close(&self) {
        if let Ok(all) = self.permits.acquire_many(self.size).await {
            all.forget();
        }
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        for connection in idle {
            if let Err(error) = connection.close().await {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, "a connection to the database did not close well");
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

/// A connection out of the pool.
pub(crate) struct Taken {
    connection: Option<SqliteConnection>,
    pool: Arc<Pool>,
    /// Dropped last: who waits for it finds the connection.
    _permit: OwnedSemaphorePermit,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.pool.idle().extend(self.connection.take());
    }
}

// The connection is there until the drop.
#[expect(clippy::expect_used, reason = "only `drop` takes the connection out")]
impl Deref for Taken {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.connection.as_ref().expect("not dropped")
    }
}

#[expect(clippy::expect_used, reason = "only `drop` takes the connection out")]
impl DerefMut for Taken {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.connection.as_mut().expect("not dropped")
    }
}
