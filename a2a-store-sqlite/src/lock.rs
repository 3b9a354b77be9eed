//! One store at a time on one database.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::OpenError;

/// How often a lock that is held is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock on a file beside the database. The system gives it back when the process ends, however
/// it ends. The file stays: removing it would let two processes lock two files of one name.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, and waits so long for whoever has it.
    pub(crate) async fn take(database: &Path, patience: Duration) -> Result<Self, OpenError> {
        let mut path = database.as_os_str().to_owned();
        path.push("-lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)?;
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if begin.elapsed() >= patience => {
                    return Err(OpenError::InUse(database.to_owned()));
                }
                Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}

/// The one name of a database that may be reached by several.
pub(crate) fn true_path(path: &Path) -> std::io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let name = path
        .file_name()
        .ok_or_else(|| std::io::Error::other("the path names no file"))?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Ok(folder.canonicalize()?.join(name))
}
