use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why an agent could not go on.
///
/// Any error converts into one with `?`. Its text stays on the server: the client is told only
/// that the agent failed. [`AgentError::new`] carries a text that is meant for the client.
#[derive(Clone)]
pub struct AgentError {
    kind: Kind,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Failed(Option<String>),
    NotCancelable,
    TaskEnded,
    InvalidResponse(String),
    Limit(String),
    Store,
}

impl AgentError {
    /// A failure whose text the client may read.
    pub fn new(message: impl Into<String>) -> Self {
        Kind::Failed(Some(message.into())).into()
    }

    /// Keeps the cause, for the log.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            source: Some(Arc::from(source.into())),
            ..self
        }
    }

    /// Declines a cancellation; see [`Agent::cancel`](super::Agent::cancel).
    pub fn not_cancelable() -> Self {
        Kind::NotCancelable.into()
    }

    /// Whether the error declines a cancellation.
    pub fn is_not_cancelable(&self) -> bool {
        self.kind == Kind::NotCancelable
    }

    /// Whether the task had already ended when the agent said something.
    pub fn is_task_ended(&self) -> bool {
        self.kind == Kind::TaskEnded
    }

    /// Whether the agent said something that the protocol does not allow.
    pub fn is_invalid_response(&self) -> bool {
        matches!(self.kind, Kind::InvalidResponse(_))
    }

    /// What the client may be told.
    pub(crate) fn public_text(&self) -> &str {
        match &self.kind {
            Kind::Failed(Some(text)) | Kind::Limit(text) => text,
            Kind::InvalidResponse(_) => "the agent gave an invalid response",
            Kind::Store => "the task could not be stored",
            Kind::Failed(None) | Kind::NotCancelable | Kind::TaskEnded => "the agent failed",
        }
    }

    pub(crate) fn task_ended() -> Self {
        Kind::TaskEnded.into()
    }

    pub(crate) fn invalid_response(what: impl Into<String>) -> Self {
        Kind::InvalidResponse(what.into()).into()
    }

    pub(crate) fn limit(what: impl Into<String>) -> Self {
        Kind::Limit(what.into()).into()
    }

    pub(crate) fn store() -> Self {
        Kind::Store.into()
    }
}

impl From<Kind> for AgentError {
    fn from(kind: Kind) -> Self {
        Self { kind, source: None }
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Failed(Some(text)) | Kind::InvalidResponse(text) | Kind::Limit(text) => {
                f.write_str(text)
            }
            Kind::Failed(None) => match &self.source {
                Some(source) => source.fmt(f),
                None => f.write_str("the agent failed"),
            },
            Kind::NotCancelable => f.write_str("the task cannot be canceled"),
            Kind::TaskEnded => f.write_str("the task has ended"),
            Kind::Store => f.write_str("the task could not be stored"),
        }
    }
}

impl fmt::Debug for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentError")
            .field("kind", &self.kind)
            .field("source", &self.source)
            .finish()
    }
}

// `AgentError` is no `std::error::Error`, so that any error can convert into it.
impl<E: Error + Send + Sync + 'static> From<E> for AgentError {
    fn from(source: E) -> Self {
        Self {
            kind: Kind::Failed(None),
            source: Some(Arc::new(source)),
        }
    }
}
