use std::fmt;
use std::time::Duration;

use a2a_types::StreamResponse;
use axum::extract::{FromRef, FromRequest, Request};
use axum::response::{IntoResponse, Response};
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};

use super::seen::{Claim, Known};
use super::{KeysUnavailable, Receiver, body};

/// A notification that was let in.
///
/// As an argument of an axum handler it refuses all others, with the status that tells a sender
/// whether to try again. When it has been dealt with, return [`accept`](Self::accept): from then on
/// the same notification is answered without the handler. If the handler fails or is dropped
/// instead, the notification is new again when the sender repeats it.
#[derive(Debug)]
#[must_use = "it comes again unless it is accepted"]
pub struct Notification {
    event: StreamResponse,
    task_id: String,
    id: Option<String>,
    claim: Option<Claim>,
}

impl Notification {
    pub(super) fn new(
        event: StreamResponse,
        task_id: String,
        id: Option<String>,
        claim: Option<Claim>,
    ) -> Self {
        Self {
            event,
            task_id,
            id,
            claim,
        }
    }

    /// What happened.
    #[must_use]
    pub fn event(&self) -> &StreamResponse {
        &self.event
    }

    /// The task that it happened to.
    #[must_use]
    pub fn task_id(&self) -> &str {
        &self.task_id
    }

    /// The id of the notification (`webhook-id`, or that of its JWT). A sender that gives none may
    /// repeat itself unnoticed.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Tells the sender that the notification has arrived, and remembers it. The handler must return
    /// the result.
    pub fn accept(self) -> Accepted {
        if let Some(claim) = self.claim {
            claim.keep();
        }
        Accepted(())
    }
}

impl<S> FromRequest<S> for Notification
where
    Receiver: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Rejection;

    async fn from_request(request: Request, state: &S) -> Result<Self, Rejection> {
        let receiver = Receiver::from_ref(state);
        let (parts, body) = request.into_parts();
        let proof = receiver.check_headers(&parts.headers).await?;
        let inner = &*receiver.0;
        let body = tokio::time::timeout(inner.body_timeout, body::read(body, inner.max_body))
            .await
            .map_err(|_| Rejection::too_slow())??;
        receiver.check_body(&parts.headers, proof, &body).await
    }
}

/// The answer to a notification that has been dealt with: 204 (A2A §4.3.3).
#[derive(Debug)]
#[must_use = "the sender waits for it"]
pub struct Accepted(());

impl IntoResponse for Accepted {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

/// A notification that was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    status: StatusCode,
    reason: &'static str,
    retry_after: Option<u64>,
}

impl Rejection {
    /// What to answer: 204 for a notification that has been accepted before, 503 while the same one
    /// is being dealt with or the sender's keys cannot be had, 429 when there are too many, 401 when
    /// it does not prove where it comes from, 404 when its task is not expected, 400, 408 or 413
    /// when its body cannot be read.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether the notification has been accepted before.
    #[must_use]
    pub fn is_duplicate(&self) -> bool {
        self.status == StatusCode::NO_CONTENT
    }

    /// For how many seconds the sender should keep away before it tries again.
    #[must_use]
    pub fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }

    pub(super) fn too_many(pause: Duration) -> Self {
        let too_many = Self::new(StatusCode::TOO_MANY_REQUESTS, "too many notifications");
        let seconds = pause.as_millis().div_ceil(1000).try_into();
        Self {
            retry_after: Some(seconds.unwrap_or(u64::MAX)),
            ..too_many
        }
    }

    pub(super) fn unauthenticated(reason: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, reason)
    }

    pub(super) fn unknown_task() -> Self {
        Self::new(StatusCode::NOT_FOUND, "the task is not expected")
    }

    pub(super) fn malformed(reason: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, reason)
    }

    pub(super) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large")
    }

    pub(super) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "the body took too long")
    }

    fn new(status: StatusCode, reason: &'static str) -> Self {
        tracing::debug!(%status, reason, "a notification is not let in");
        let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(1);
        Self {
            status,
            reason,
            retry_after,
        }
    }
}

/// Why a notification does not prove where it comes from.
impl From<&'static str> for Rejection {
    fn from(reason: &'static str) -> Self {
        Self::unauthenticated(reason)
    }
}

impl From<KeysUnavailable> for Rejection {
    fn from(_: KeysUnavailable) -> Self {
        let reason = "the keys of the sender cannot be had";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }
}

impl From<Known> for Rejection {
    fn from(known: Known) -> Self {
        match known {
            Known::Accepted => Self::new(StatusCode::NO_CONTENT, "accepted before"),
            Known::InProgress => {
                let reason = "the same notification is being dealt with";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, reason)
            }
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }
}

impl std::error::Error for Rejection {}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        if self.is_duplicate() {
            return self.status.into_response();
        }
        // Why a stranger is not believed is for the log.
        let unauthenticated = self.status == StatusCode::UNAUTHORIZED;
        let reason = if unauthenticated {
            "not authenticated"
        } else {
            self.reason
        };
        let mut response = (self.status, reason).into_response();
        let headers = response.headers_mut();
        if unauthenticated {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
