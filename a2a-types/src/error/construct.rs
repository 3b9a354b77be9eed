//! One constructor a kind, with the texts that callers read.

use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use super::{A2aError, ErrorKind, FieldViolation};

/// The A2A errors.
impl A2aError {
    /// The task is unknown, purged, or somebody else's. All three look the same, so that nobody
    /// can learn which tasks exist (A2A §3.3.2).
    pub fn task_not_found(id: impl Display) -> Self {
        Self::new(ErrorKind::TaskNotFound, format!("task {id} not found"))
            .with_metadata("taskId", id.to_string())
    }

    /// The task cannot be canceled in its present state.
    pub fn task_not_cancelable(id: impl Display, state: impl Display) -> Self {
        Self::new(
            ErrorKind::TaskNotCancelable,
            format!("task {id} cannot be canceled in state {state}"),
        )
        .with_metadata("taskId", id.to_string())
        .with_metadata("state", state.to_string())
    }

    /// The agent sends no push notifications.
    #[must_use]
    pub fn push_not_supported() -> Self {
        Self::new(
            ErrorKind::PushNotificationNotSupported,
            "push notifications are not supported by this agent",
        )
    }

    /// The operation, or what it asks for, is not supported; the message says which and why.
    pub fn unsupported_operation(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::UnsupportedOperation, message)
    }

    /// The media type of a part, or one wanted for the output, is not supported.
    pub fn content_type_not_supported(media_type: impl Display) -> Self {
        Self::new(
            ErrorKind::ContentTypeNotSupported,
            format!("media type {media_type} is not supported by this agent"),
        )
        .with_metadata("mediaType", media_type.to_string())
    }

    /// The agent, or the peer that was asked, broke the protocol.
    pub fn invalid_agent_response(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidAgentResponse, message)
    }

    /// The extended card is declared but not set up.
    #[must_use]
    pub fn extended_card_not_configured() -> Self {
        Self::new(
            ErrorKind::ExtendedAgentCardNotConfigured,
            "this agent has no extended card configured",
        )
    }

    /// The request does not declare an extension that the agent requires.
    pub fn extension_required(uri: impl Display) -> Self {
        Self::new(
            ErrorKind::ExtensionSupportRequired,
            format!("this agent requires the extension {uri}; name it in A2A-Extensions"),
        )
        .with_metadata("extensionUri", uri.to_string())
    }

    /// The requested protocol version is not served; `supported` lists those that are.
    pub fn version_not_supported<V: Display>(
        requested: impl Display,
        supported: impl IntoIterator<Item = V>,
    ) -> Self {
        let supported: Vec<String> = supported.into_iter().map(|v| v.to_string()).collect();
        let supported = supported.join(",");
        Self::new(
            ErrorKind::VersionNotSupported,
            format!("A2A version {requested} is not supported; supported: {supported}"),
        )
        .with_metadata("requestedVersion", requested.to_string())
        .with_metadata("supportedVersions", supported)
    }
}

/// The errors of requests.
impl A2aError {
    /// The body is not JSON; `problem` says where it stops to be.
    pub fn parse_error(problem: impl Display) -> Self {
        Self::new(
            ErrorKind::ParseError,
            format!("invalid JSON payload: {problem}"),
        )
    }

    /// The body is no request of its binding.
    pub fn invalid_request(problem: impl Display) -> Self {
        Self::new(
            ErrorKind::InvalidRequest,
            format!("invalid request: {problem}"),
        )
    }

    /// No such method, or no such route.
    pub fn method_not_found(method: impl Display) -> Self {
        Self::new(
            ErrorKind::MethodNotFound,
            format!("method {method} not found"),
        )
    }

    /// The route exists, but not with this verb; `allowed` is the value of the `Allow` header.
    pub fn method_not_allowed(method: impl Display, allowed: impl Display) -> Self {
        Self::new(
            ErrorKind::MethodNotAllowed,
            format!("{method} is not allowed here; allowed: {allowed}"),
        )
    }

    /// Parameters are missing or wrong. The text names the first three.
    pub fn invalid_params(violations: impl IntoIterator<Item = FieldViolation>) -> Self {
        let violations: Vec<_> = violations.into_iter().collect();
        let named: Vec<_> = violations.iter().take(3).map(ToString::to_string).collect();
        let more = match violations.len().saturating_sub(named.len()) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let message = match named.is_empty() {
            true => "invalid parameters".to_owned(),
            false => format!("invalid parameters: {}{more}", named.join("; ")),
        };
        Self::new(ErrorKind::InvalidParams, message).with_violations(violations)
    }

    /// One parameter is missing or wrong. `field` is its JSON path.
    pub fn invalid_param(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self::invalid_params([FieldViolation::new(field, description)])
    }

    /// The `Content-Type` of the request is not JSON.
    pub fn unsupported_media_type(content_type: impl Display) -> Self {
        Self::new(
            ErrorKind::UnsupportedMediaType,
            format!("content type {content_type} is not supported; send application/json"),
        )
        .with_metadata("mediaType", content_type.to_string())
    }

    /// The body is larger than `limit` bytes.
    pub fn payload_too_large(limit: impl Display) -> Self {
        Self::new(
            ErrorKind::PayloadTooLarge,
            format!("the request is larger than the limit of {limit} bytes"),
        )
    }
}

/// The errors of access and of the server's own troubles.
impl A2aError {
    /// No credentials, or bad ones. The text must not say which part was wrong.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unauthenticated, message)
    }

    /// The caller may not use the operation. The text should name the missing scope and nothing
    /// about the resource.
    pub fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::PermissionDenied, message)
    }

    /// Anything unexpected. The text is fixed, and the cause is for the log alone (A2A §13.4).
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(ErrorKind::Internal, "internal error").with_source(source)
    }

    /// Too many requests, or a full queue.
    pub fn resource_exhausted(retry_after: impl Into<Option<Duration>>) -> Self {
        let error = Self::new(
            ErrorKind::ResourceExhausted,
            "too many requests; try again later",
        );
        error.with_retry_hint(retry_after.into())
    }

    /// The server, or something it needs, is down for a while.
    pub fn unavailable(retry_after: impl Into<Option<Duration>>) -> Self {
        let error = Self::new(
            ErrorKind::Unavailable,
            "temporarily unavailable; try again later",
        );
        error.with_retry_hint(retry_after.into())
    }

    /// The request took longer than allowed.
    #[must_use]
    pub fn deadline_exceeded() -> Self {
        Self::new(ErrorKind::DeadlineExceeded, "the request took too long")
    }

    /// The caller went away.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the request was cancelled")
    }

    fn with_retry_hint(self, delay: Option<Duration>) -> Self {
        match delay {
            Some(delay) => self.with_retry_after(delay),
            None => self,
        }
    }
}
