use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use a2a_types::store::{StoreError, StoreErrorKind};

/// Why a database could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// Another store, in this process or in another one, has the database open.
    InUse(PathBuf),
    /// The file holds another application's database, or no database at all.
    Foreign,
    /// A later version of this crate has written the database.
    Newer {
        /// The version of the schema that was found.
        found: i64,
        /// The newest one that this crate knows.
        known: i64,
    },
    /// The database is encrypted and the key is missing or another one, or the crate was built
    /// without the feature `encryption`.
    Key,
    /// The file system has refused something.
    Io(std::io::Error),
    /// SQLite has failed.
    Database(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(
                f,
                "another store has {} open; only one process may use a database",
                path.display()
            ),
            Self::Foreign => f.write_str("the file is no database of a2a-store-sqlite"),
            Self::Newer { found, known } => write!(
                f,
                "the database has version {found}, written by a newer a2a-store-sqlite; \
                 this one knows versions up to {known}"
            ),
            Self::Key => f.write_str("the database needs an encryption key that was not given"),
            Self::Io(_) => f.write_str("the file system refused access to the database"),
            Self::Database(_) => f.write_str("SQLite could not open the database"),
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Database(error) => Some(&**error),
            _ => None,
        }
    }
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<sqlx::Error> for OpenError {
    fn from(error: sqlx::Error) -> Self {
        const NOT_A_DATABASE: i32 = 26;
        if code(&error).is_some_and(|code| code & 0xff == NOT_A_DATABASE) {
            return Self::Foreign;
        }
        Self::Database(error.into())
    }
}

/// What the caller of a store is told about a failure of SQLite.
pub(crate) fn store_error(error: sqlx::Error) -> StoreError {
    // Busy, locked, I/O error, full, cannot open: the same call may succeed later.
    const PASSING: [i32; 5] = [5, 6, 10, 13, 14];
    let passing = match &error {
        sqlx::Error::WorkerCrashed | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => true,
        error => code(error).is_some_and(|code| PASSING.contains(&(code & 0xff))),
    };
    let kind = if passing {
        StoreErrorKind::Unavailable
    } else {
        StoreErrorKind::Internal
    };
    StoreError::with_source(kind, error)
}

/// The extended result code of SQLite.
fn code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error()?.code()?.parse().ok()
}

/// Something in the database that this crate has not written.
pub(crate) fn corrupt(what: &'static str) -> StoreError {
    StoreError::with_source(StoreErrorKind::Internal, what)
}
