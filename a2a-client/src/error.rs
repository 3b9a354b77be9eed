//! What can go wrong with a call, and at whose end.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use a2a_types::{A2aError, ErrorKind, TaskState};

/// Which part of a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Failure {
    /// The peer answered with an error of the protocol; see [`Error::protocol`].
    Protocol,
    /// The peer could not be reached, or the connection broke, or somebody between (a proxy, a
    /// wrong address) answered instead.
    Transport,
    /// The peer's answer could not be understood, or was larger than allowed.
    Decode,
    /// The peer did not answer, or was silent, for longer than allowed.
    Timeout,
    /// A stream ended although its task had not; see [`Error::last_state`].
    Cut,
    /// The request was refused here, before anything was sent.
    Request,
    /// The agent card could not be found, read or used.
    Card,
}

/// Why a call failed.
///
/// `Display` says what happened in one line; the [source](StdError::source) chain says why. No
/// credentials are in either.
///
/// ```
/// use a2a_client::{Error, Failure};
/// use a2a_types::ErrorKind;
///
/// fn is_gone(error: &Error) -> bool {
///     error.kind() == Some(ErrorKind::TaskNotFound)
/// }
///
/// fn may_be_sent_again(error: &Error) -> bool {
///     error.failure() == Failure::Transport && error.is_unsent()
/// }
/// # let _ = (is_gone, may_be_sent_again);
/// ```
pub struct Error(Box<Inner>);

type Source = Box<dyn StdError + Send + Sync>;

struct Inner {
    failure: Failure,
    message: String,
    protocol: Option<A2aError>,
    source: Option<Source>,
    http_status: Option<u16>,
    retry_after: Option<Duration>,
    unsent: bool,
    last_state: Option<TaskState>,
}

impl Error {
    /// An error of this kind. For [transports](crate::Transport), interceptors and providers of
    /// credentials; an error of the peer's is made by [`From<A2aError>`](#impl-From<A2aError>-for-Error).
    pub fn new(failure: Failure, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            failure,
            message: message.into(),
            protocol: None,
            source: None,
            http_status: None,
            retry_after: None,
            unsent: matches!(failure, Failure::Request | Failure::Card),
            last_state: None,
        }))
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Source>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Adds the HTTP status of the answer.
    #[must_use]
    pub fn with_http_status(mut self, status: u16) -> Self {
        self.0.http_status = Some(status);
        self
    }

    /// Adds the time after which the peer wants to be asked again.
    #[must_use]
    pub fn with_retry_after(mut self, delay: Duration) -> Self {
        self.0.retry_after = Some(delay);
        self
    }

    /// Says that the request did not reach the peer, so that even a send may be repeated.
    #[must_use]
    pub fn with_unsent(mut self) -> Self {
        self.0.unsent = true;
        self
    }

    /// A request that is not sent, for a reason that the peer would give too.
    pub(crate) fn refused(error: A2aError) -> Self {
        let mut this = Self::new(Failure::Request, error.message());
        this.0.protocol = Some(error);
        this
    }

    /// A card that is shown only to those who have credentials.
    pub(crate) fn refused_card(message: String, status: http::StatusCode) -> Self {
        let mut this = Self::new(Failure::Card, message);
        this.0.protocol = Some(A2aError::from_http(status.as_u16(), b""));
        this
    }

    /// An answer that breaks the protocol: [`Failure::Decode`] and
    /// [`ErrorKind::InvalidAgentResponse`].
    pub fn invalid_answer(message: impl Into<String>) -> Self {
        let mut this = Self::new(Failure::Decode, message);
        this.0.protocol = Some(A2aError::invalid_agent_response(this.0.message.clone()));
        this
    }

    pub(crate) fn with_last_state(mut self, state: TaskState) -> Self {
        self.0.last_state = Some(state);
        self
    }

    pub(crate) fn cut(last_state: Option<TaskState>, source: Option<Self>) -> Self {
        let message = match last_state {
            Some(state) => format!("the stream ended while the task was in {state}"),
            None => "the stream ended before it said anything".to_owned(),
        };
        let mut this = Self::new(Failure::Cut, message);
        this.0.last_state = last_state;
        this.0.source = source.map(Into::into);
        this
    }

    /// Which part of the call failed.
    #[must_use]
    pub fn failure(&self) -> Failure {
        self.0.failure
    }

    /// The error of the protocol: the peer's, or the one for which a request was
    /// [refused](Failure::Request) here.
    #[must_use]
    pub fn protocol(&self) -> Option<&A2aError> {
        self.0.protocol.as_ref()
    }

    /// The kind of the protocol's error; `None` when nothing of the protocol was understood.
    #[must_use]
    pub fn kind(&self) -> Option<ErrorKind> {
        self.0.protocol.as_ref().map(A2aError::kind)
    }

    /// The HTTP status of the answer, if there was one.
    #[must_use]
    pub fn http_status(&self) -> Option<u16> {
        self.0.http_status
    }

    /// When the peer wants to be asked again, if it said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let told = self.0.protocol.as_ref().and_then(A2aError::retry_after);
        self.0.retry_after.or(told)
    }

    /// Whether the request certainly did not reach the peer, so that it had no effect.
    #[must_use]
    pub fn is_unsent(&self) -> bool {
        self.0.unsent
    }

    /// The last known state of the task whose stream was [cut](Failure::Cut).
    #[must_use]
    pub fn last_state(&self) -> Option<TaskState> {
        self.0.last_state
    }
}

impl From<A2aError> for Error {
    /// The answer of a peer.
    fn from(error: A2aError) -> Self {
        let mut this = Self::new(Failure::Protocol, error.message());
        this.0.protocol = Some(error);
        this
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match self.0.http_status {
            Some(status) if self.0.protocol.is_none() => write!(f, " (HTTP status {status})"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            failure,
            message,
            protocol,
            source,
            http_status,
            retry_after,
            unsent,
            last_state,
        } = &*self.0;
        f.debug_struct("Error")
            .field("failure", failure)
            .field("message", message)
            .field("protocol", protocol)
            .field("source", source)
            .field("http_status", http_status)
            .field("retry_after", retry_after)
            .field("unsent", unsent)
            .field("last_state", last_state)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let source = self.0.source.as_deref();
        source.map(|source| source as &(dyn StdError + 'static))
    }
}
