//! The one error type of the protocol and its three carriers.
//!
//! [`A2aError`] is what a server answers and what a client reads. It is written as a JSON-RPC
//! error object ([`A2aError::to_jsonrpc`]), as the body of an HTTP+JSON answer
//! ([`A2aError::to_http`]) or as a gRPC status ([`A2aError::to_grpc`]), and read back from each.
//! Which numbers stand for which [`ErrorKind`] is written down once, in the table of `kind.rs`.

mod construct;
mod details;
mod grpc;
mod kind;
mod read;
mod write;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use self::details::FieldViolation;
pub use self::grpc::GrpcError;
pub use self::kind::ErrorKind;
pub use self::write::{HttpError, JsonRpcError};

/// The `ErrorInfo.domain` of every A2A error (A2A §9.5, §10.6, §11.6).
pub const ERROR_DOMAIN: &str = "a2a-protocol.org";

/// An error of the protocol, independent of the binding that carries it.
///
/// Cheap to clone. The [source](Error::source) is for the log alone: no carrier ever holds it.
///
/// ```
/// use a2a_types::{A2aError, ErrorKind};
///
/// let error = A2aError::task_not_found("t-42");
/// assert_eq!(error.kind(), ErrorKind::TaskNotFound);
/// assert_eq!(error.to_string(), "task t-42 not found");
/// assert_eq!(
///     serde_json::to_string(&error.to_jsonrpc()).unwrap(),
///     r#"{"code":-32001,"message":"task t-42 not found","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org","metadata":{"taskId":"t-42"}}]}"#,
/// );
/// ```
#[derive(Clone)]
pub struct A2aError(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    metadata: BTreeMap<String, String>,
    violations: Vec<FieldViolation>,
    retry_after: Option<Duration>,
    details: Vec<Value>,
    source: Option<Arc<dyn Error + Send + Sync>>,
    peer: Peer,
}

/// What a peer really sent, where it differs from the table or says more.
#[derive(Clone, Debug, Default)]
struct Peer {
    code: Option<i32>,
    http_status: Option<u16>,
    grpc_code: Option<i32>,
    reason: Option<String>,
}

impl A2aError {
    /// An error with a message for the other side: what is wrong and how to mend it, never
    /// anything internal.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            kind,
            message: message.into(),
            metadata: BTreeMap::new(),
            violations: Vec::new(),
            retry_after: None,
            details: Vec::new(),
            source: None,
            peer: Peer::default(),
        }))
    }

    /// Adds the cause, which is logged and never sent.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.inner_mut().source = Some(Arc::from(source.into()));
        self
    }

    /// Adds a value to the metadata of the `ErrorInfo`. Only A2A errors have one, so that for
    /// other kinds it stays in this process.
    #[must_use]
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.inner_mut().metadata.insert(key.into(), value.into());
        self
    }

    /// Adds fields that are wrong and why; they are sent as a `BadRequest` detail.
    #[must_use]
    pub fn with_violations(mut self, violations: impl IntoIterator<Item = FieldViolation>) -> Self {
        self.inner_mut().violations.extend(violations);
        self
    }

    /// Says when a retry makes sense; sent as a `RetryInfo` detail.
    #[must_use]
    pub fn with_retry_after(mut self, delay: Duration) -> Self {
        self.inner_mut().retry_after = Some(delay);
        self
    }

    /// Adds a detail of another type (A2A §9.5): a JSON object with an `@type`. Anything else is
    /// not sent. gRPC, which needs the schema of a detail, leaves it out.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Value>) -> Self {
        self.inner_mut().details.push(detail.into());
        self
    }

    fn inner_mut(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.0)
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The text for the other side.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The metadata of the `ErrorInfo`, such as `taskId`.
    #[must_use]
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.0.metadata
    }

    /// The fields that are wrong.
    #[must_use]
    pub fn violations(&self) -> &[FieldViolation] {
        &self.0.violations
    }

    /// When a retry makes sense, if the error says so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Further details, as JSON: what [`with_detail`](Self::with_detail) added or a peer sent.
    #[must_use]
    pub fn details(&self) -> &[Value] {
        &self.0.details
    }

    /// The `ErrorInfo.reason`: as the peer sent it, else that of the kind.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.peer.reason.as_deref().or(self.kind().reason())
    }

    /// The JSON-RPC code: as the peer sent it, else that of the kind.
    #[must_use]
    pub fn code(&self) -> i32 {
        self.0.peer.code.unwrap_or(self.kind().code())
    }

    /// The HTTP status: as the peer sent it, else that of the kind.
    #[must_use]
    pub fn http_status(&self) -> u16 {
        self.0.peer.http_status.unwrap_or(self.kind().http_status())
    }

    /// The gRPC code: as the peer sent it, else that of the kind.
    #[must_use]
    pub fn grpc_code(&self) -> i32 {
        self.0.peer.grpc_code.unwrap_or(self.kind().grpc_code())
    }
}

impl fmt::Display for A2aError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for A2aError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            kind,
            message,
            metadata,
            violations,
            retry_after,
            details,
            source,
            peer,
        } = &*self.0;
        f.debug_struct("A2aError")
            .field("kind", kind)
            .field("message", message)
            .field("metadata", metadata)
            .field("violations", violations)
            .field("retry_after", retry_after)
            .field("details", details)
            .field("source", source)
            .field("peer", peer)
            .finish()
    }
}

impl Error for A2aError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0
            .source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
