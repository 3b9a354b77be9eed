use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why a store could not do what it was asked.
///
/// A task that is unknown, or outside the scope, is not an error where a method returns an
/// `Option`; where a method must have one, it is [`StoreErrorKind::NotFound`].
#[derive(Clone, Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// What kind of failure a [`StoreError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// There is no such task in the scope.
    NotFound,
    /// The task has moved on since the caller looked, or exists already.
    Conflict,
    /// The store cannot be reached at the moment; trying again may help.
    Unavailable,
    /// Anything else. The cause is in the error's source.
    Internal,
}

impl StoreError {
    /// A failure of this kind.
    pub fn new(kind: StoreErrorKind) -> Self {
        Self { kind, source: None }
    }

    /// A failure of this kind with what caused it.
    pub fn with_source(
        kind: StoreErrorKind,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self {
            kind,
            source: Some(Arc::from(source.into())),
        }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            StoreErrorKind::NotFound => "no such task in the store",
            StoreErrorKind::Conflict => "the task has changed in the store meanwhile",
            StoreErrorKind::Unavailable => "the store cannot be reached",
            StoreErrorKind::Internal => "the store failed",
        })
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
