//! The other side: checks for those who receive notifications (A2A §4.3.3, §13.2).
//!
//! A [`Receiver`] lets a notification pass when it proves where it comes from and is about a task
//! that is [expected](Tasks). In an axum application [`Notification`] is an extractor:
//!
//! ```
//! use a2a_push::receiver::{Accepted, Notification, Receiver, TaskList};
//! use axum::Router;
//! use axum::routing::post;
//!
//! async fn hook(notification: Notification) -> Accepted {
//!     println!("{:?}", notification.event());
//!     notification.accept()
//! }
//!
//! let tasks = TaskList::default();
//! // One token for each registration, before the request that carries it is sent.
//! let token = a2a_push::receiver::random_token()?;
//! tasks.expect_token(&token);
//! let receiver = Receiver::builder(tasks.clone()).build();
//! let app: Router = Router::new().route("/hook", post(hook)).with_state(receiver);
//! # Ok::<(), a2a_push::sign::KeyError>(())
//! ```
//!
//! How often it may be called is for a hook to say ([`ReceiverBuilder::with_limit`]), or for a layer
//! in front of it. Where strangers can reach it, it should have one, and TLS (A2A §13.2).

mod body;
mod extract;
mod jwt;
mod keys;
mod seen;
mod tasks;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use a2a_types::StreamResponse;
use a2a_types::stream_response::Payload;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use http::HeaderMap;
use http::header::AUTHORIZATION;

pub use self::extract::{Accepted, Notification, Rejection};
pub use self::jwt::TokenCheck;
pub use self::keys::{KeySet, KeySource, KeysUnavailable, PublicKey, RemoteKeys};
use self::seen::Seen;
pub use self::tasks::{Expected, PresentedToken, TaskList, Tasks};
use crate::sign::{KeyError, SIGNATURE_HEADER, Secret, seconds};

/// The id that is the same in every attempt to deliver a notification.
const ID_HEADER: &str = "webhook-id";
const TIMESTAMP_HEADER: &str = "webhook-timestamp";

/// How long a body may be, in bytes, by default.
const MAX_BODY: usize = 4 * 1024 * 1024;

/// How long a body is waited for, by default.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// How old or early a signature may be, by default.
const TOLERANCE: Duration = Duration::from_secs(300);

/// How many notifications are remembered, by default.
const REMEMBERED: usize = 10_000;

/// Decides which notifications are let in. Cheap to clone; clones remember together.
#[derive(Clone)]
pub struct Receiver(Arc<Inner>);

/// For how long a sender is to keep away, by the headers of its request.
type Limit = Box<dyn Fn(&HeaderMap) -> Option<Duration> + Send + Sync>;

struct Inner {
    tasks: Box<dyn Tasks>,
    limit: Option<Limit>,
    token: Option<String>,
    credentials: Option<(String, String)>,
    secrets: Vec<Secret>,
    jwt: Option<TokenCheck>,
    tolerance: Duration,
    max_body: usize,
    body_timeout: Duration,
    seen: Arc<Seen>,
}

impl Receiver {
    /// A receiver that lets in what is about one of `tasks`. What is configured beside that is
    /// required of every notification; with nothing else, each task must have its token.
    pub fn builder(tasks: impl Tasks) -> ReceiverBuilder {
        ReceiverBuilder {
            inner: Inner {
                tasks: Box::new(tasks),
                limit: None,
                token: None,
                credentials: None,
                secrets: Vec::new(),
                jwt: None,
                tolerance: TOLERANCE,
                max_body: MAX_BODY,
                body_timeout: BODY_TIMEOUT,
                seen: Arc::new(Seen::new(REMEMBERED)),
            },
        }
    }

    /// Checks a notification that was received by other means than axum. The headers are those of
    /// the request, `body` is all of its body.
    ///
    /// # Errors
    ///
    /// When it is not let in; [`Rejection::status`] is what to answer.
    pub async fn check(&self, headers: &HeaderMap, body: &[u8]) -> Result<Notification, Rejection> {
        let proof = self.check_headers(headers).await?;
        self.check_body(headers, proof, body).await
    }

    /// What can be said before anything of the body is read.
    async fn check_headers(&self, headers: &HeaderMap) -> Result<Proof, Rejection> {
        let inner = &*self.0;
        if let Some(pause) = inner.limit.as_ref().and_then(|limit| limit(headers)) {
            return Err(Rejection::too_many(pause));
        }
        let mut proof = Proof::default();
        if let Some(token) = &inner.token {
            if !PresentedToken::of(headers).is(token) {
                return Err(Rejection::unauthenticated("the token is missing or wrong"));
            }
            proof.given = true;
        }
        if let Some((scheme, credentials)) = &inner.credentials {
            if !has_credentials(headers, scheme, credentials) {
                let reason = "the credentials are missing or wrong";
                return Err(Rejection::unauthenticated(reason));
            }
            proof.given = true;
        }
        if let Some(check) = &inner.jwt {
            proof.claims = Some(check.verify(headers, SystemTime::now()).await?);
        }
        if !inner.secrets.is_empty() && !headers.contains_key(SIGNATURE_HEADER) {
            return Err(Rejection::unauthenticated("the signature is missing"));
        }
        Ok(proof)
    }

    async fn check_body(
        &self,
        headers: &HeaderMap,
        mut proof: Proof,
        body: &[u8],
    ) -> Result<Notification, Rejection> {
        let inner = &*self.0;
        let mut id = text(headers, ID_HEADER).filter(|id| !id.is_empty());
        if let Some(claims) = &proof.claims {
            if claims.request_body_sha256 != crate::sign::body_hash(body) {
                return Err(Rejection::unauthenticated("the JWT is for another body"));
            }
            // An id that is not the signed one would let an old notification pass as a new one.
            if id.is_some_and(|id| id != claims.jti) {
                return Err(Rejection::unauthenticated("the JWT is for another id"));
            }
            id = Some(&claims.jti);
            proof.given = true;
        }
        if !inner.secrets.is_empty() {
            inner.check_signature(headers, body)?;
            proof.given = true;
        }
        let event: StreamResponse = serde_json::from_slice(body)
            .map_err(|_| Rejection::malformed("the body is no event of a task"))?;
        let task_id = task_id(&event).filter(|id| !id.is_empty());
        let task_id = task_id.ok_or_else(|| Rejection::malformed("the event has no task id"))?;
        if let Some(claims) = &proof.claims
            && claims.task_id.as_ref().is_some_and(|id| id != task_id)
        {
            return Err(Rejection::unauthenticated("the JWT is for another task"));
        }
        // Last, because a token may be bound to the task now.
        let token = PresentedToken::of(headers);
        match inner.tasks.expected(task_id, &token).await {
            Expected::Yes if proof.given => {}
            Expected::YesByToken => {}
            // Nobody learns which tasks there are who has not proved anything.
            Expected::No if proof.given => return Err(Rejection::unknown_task()),
            Expected::Yes | Expected::No | Expected::WrongToken => {
                return Err(Rejection::unauthenticated("the task has another token"));
            }
        }
        let claim = match id {
            Some(id) => Some(Seen::claim(&inner.seen, task_id, id)?),
            None => None,
        };
        let (task_id, id) = (task_id.to_owned(), id.map(str::to_owned));
        Ok(Notification::new(event, task_id, id, claim))
    }
}

impl Inner {
    fn check_signature(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), Rejection> {
        let wrong = || Rejection::unauthenticated("the signature is wrong");
        let (Some(id), Some(timestamp), Some(signatures)) = (
            text(headers, ID_HEADER),
            text(headers, TIMESTAMP_HEADER),
            text(headers, SIGNATURE_HEADER.as_str()),
        ) else {
            return Err(wrong());
        };
        let timestamp: u64 = timestamp.parse().map_err(|_| wrong())?;
        let verifies = |secret: &Secret| secret.verifies(signatures, id, timestamp, body);
        if !self.secrets.iter().any(verifies) {
            return Err(wrong());
        }
        let now = seconds(SystemTime::now());
        if now.abs_diff(timestamp) > self.tolerance.as_secs() {
            return Err(Rejection::unauthenticated("the signature is too old"));
        }
        Ok(())
    }
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver")
            .field("token", &self.0.token.is_some())
            .field("credentials", &self.0.credentials.is_some())
            .field("secrets", &self.0.secrets.len())
            .field("jwt", &self.0.jwt)
            .finish_non_exhaustive()
    }
}

/// What a notification has proved so far.
#[derive(Default)]
struct Proof {
    given: bool,
    claims: Option<jwt::Claims>,
}

/// See [`Receiver::builder`].
#[must_use]
pub struct ReceiverBuilder {
    inner: Inner,
}

impl ReceiverBuilder {
    /// Requires this token, the same for all tasks, in either of its headers.
    pub fn with_token(mut self, token: impl Into<String>) -> Self {
        self.inner.token = Some(token.into());
        self
    }

    /// Requires these credentials in `Authorization`: what was registered as `authentication`.
    pub fn with_credentials(
        mut self,
        scheme: impl Into<String>,
        credentials: impl Into<String>,
    ) -> Self {
        self.inner.credentials = Some((scheme.into(), credentials.into()));
        self
    }

    /// Requires a `webhook-signature` by this secret, or by one of the others that were given.
    pub fn with_secret(mut self, secret: Secret) -> Self {
        self.inner.secrets.push(secret);
        self
    }

    /// Requires a JSON Web Token.
    pub fn with_jwt(mut self, check: TokenCheck) -> Self {
        self.inner.jwt = Some(check);
        self
    }

    /// Limits how often the receiver is called: `limit` is asked about each notification before
    /// anything else, and what it returns is for how long the sender is to keep away. That one is
    /// answered with 429 and `Retry-After`, in whole seconds, and comes again.
    pub fn with_limit(
        mut self,
        limit: impl Fn(&HeaderMap) -> Option<Duration> + Send + Sync + 'static,
    ) -> Self {
        self.inner.limit = Some(Box::new(limit));
        self
    }

    /// How far the time of a `webhook-signature` may be from ours, so that nobody repeats an old
    /// notification. 5 minutes by default.
    pub fn with_tolerance(mut self, tolerance: Duration) -> Self {
        self.inner.tolerance = tolerance;
        self
    }

    /// The longest body, in bytes. 4 MiB by default.
    pub fn with_max_body(mut self, bytes: usize) -> Self {
        self.inner.max_body = bytes;
        self
    }

    /// How long a body is waited for. 10 seconds by default.
    pub fn with_body_timeout(mut self, timeout: Duration) -> Self {
        self.inner.body_timeout = timeout;
        self
    }

    /// How many accepted notifications are remembered, to recognize one that comes again. 10,000 by
    /// default, of some 100 bytes each.
    pub fn with_remembered(mut self, notifications: usize) -> Self {
        self.inner.seen = Arc::new(Seen::new(notifications));
        self
    }

    /// Makes the receiver.
    #[must_use]
    pub fn build(self) -> Receiver {
        Receiver(Arc::new(self.inner))
    }
}

/// A token that nobody guesses, for `TaskPushNotificationConfig::token`: 32 random bytes in base64.
/// Each registration should have its own (A2A §13.2).
///
/// # Errors
///
/// When the operating system gives no random numbers.
pub fn random_token() -> Result<String, KeyError> {
    use base64::Engine as _;

    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| KeyError::new("there are no random numbers"))?;
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

fn has_credentials(headers: &HeaderMap, scheme: &str, credentials: &str) -> bool {
    let presented = text(headers, AUTHORIZATION.as_str()).unwrap_or_default();
    let (name, rest) = presented.split_once(' ').unwrap_or((presented, ""));
    let (presented, expected) = (rest.trim_matches(' ').as_bytes(), credentials.as_bytes());
    name.eq_ignore_ascii_case(scheme) & verify_slices_are_equal(presented, expected).is_ok()
}

/// The header's value, if there is exactly one and it is text.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn task_id(event: &StreamResponse) -> Option<&str> {
    match event.payload.as_ref()? {
        Payload::Task(task) => Some(&task.id),
        Payload::Message(message) => Some(&message.task_id),
        Payload::StatusUpdate(update) => Some(&update.task_id),
        Payload::ArtifactUpdate(update) => Some(&update.task_id),
        _ => None,
    }
}
