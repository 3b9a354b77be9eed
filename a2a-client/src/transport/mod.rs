//! How requests travel: the [`Transport`] trait and the two transports over HTTP.

mod erased;
pub(crate) mod http;
pub(crate) mod http_json;
pub(crate) mod jsonrpc;
mod sse;

use std::future::Future;
use std::time::Duration;

use ::http::{HeaderMap, HeaderValue};
use a2a_types::operation::Operation;
use futures::stream::BoxStream;

pub(crate) use self::erased::AnyTransport;
pub use self::http_json::{RequestType, SubscribeVerb};
use crate::Error;

/// Carries requests to one interface of an agent and brings the answers back.
///
/// A transport encodes and decodes and knows its binding's fallbacks; everything that is the same
/// for all bindings (retries, credentials, tenant, version, when a stream is over) is done by the
/// [`Client`](crate::Client). Give one to
/// [`ClientBuilder::with_transport`](crate::ClientBuilder::with_transport).
pub trait Transport: Send + Sync + 'static {
    /// Makes a call with one answer.
    ///
    /// Dropping the future ends the call.
    ///
    /// # Errors
    ///
    /// When there is no answer, or it is an error. [`Error::with_unsent`] must be set only when
    /// the request cannot have had any effect.
    fn unary<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> impl Future<Output = Result<Answer<O::Response>, Error>> + Send;

    /// Opens a stream. Dropping it closes the connection, or at least the call.
    ///
    /// # Errors
    ///
    /// When the peer refuses it; the stream itself yields one error at most and then ends.
    fn stream<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> impl Future<Output = Result<Answer<Events<O::Response>>, Error>> + Send;

    /// Where requests really go, as an address of `http` or `https`, if the address of the
    /// interface does not say it. Whether credentials may be sent is decided by it.
    fn address(&self) -> Option<String> {
        None
    }
}

/// What came back: a message, or a stream of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The message, or the stream.
    pub content: T,
    /// The headers of the answer, or its initial metadata; among them the extensions that the agent
    /// has activated.
    pub headers: HeaderMap,
}

impl<T> Answer<T> {
    /// An answer with headers.
    pub fn new(content: T, headers: HeaderMap) -> Self {
        Self { content, headers }
    }
}

/// The events of a stream, as a transport delivers them.
pub type Events<T> = BoxStream<'static, Result<Received<T>, Error>>;

/// One event of a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Received<T> {
    /// Its place in the stream, if the peer gives one: a later subscription can go on behind it.
    pub id: Option<String>,
    /// What it says.
    pub message: T,
}

impl<T> Received<T> {
    /// An event with its id.
    pub fn new(id: Option<String>, message: T) -> Self {
        Self { id, message }
    }
}

/// Base64 makes four bytes of three.
pub(crate) const DEFAULT_MAX_MESSAGE_SIZE: usize = 96 * 1024 * 1024;

/// What travels with a request.
#[derive(Clone)]
#[non_exhaustive]
pub struct Context {
    /// Headers, or metadata: version, extensions, credentials and what the caller added.
    pub headers: HeaderMap,
    /// Parameters of the query, for credentials that must be there.
    pub query: Vec<(String, String)>,
    /// How long the peer has for its answer, or to begin a stream; `None` for any time. The client
    /// ends the call then; a transport can tell the peer.
    pub timeout: Option<Duration>,
    /// How long a stream may be without any byte before it counts as dead.
    pub idle_timeout: Duration,
    /// The largest answer, and the largest event of a stream, in bytes.
    pub max_message_size: usize,
}

impl Context {
    /// Whether the request shows who makes it.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.query.is_empty() || self.headers.values().any(HeaderValue::is_sensitive)
    }
}

impl Default for Context {
    /// Nothing travels, and the limits are those of a client by default.
    fn default() -> Self {
        Self {
            headers: HeaderMap::new(),
            query: Vec::new(),
            timeout: None,
            idle_timeout: Duration::from_secs(300),
            max_message_size: DEFAULT_MAX_MESSAGE_SIZE,
        }
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let query: Vec<_> = self.query.iter().map(|(name, _)| name).collect();
        f.debug_struct("Context")
            .field("headers", &self.headers)
            .field("query", &query)
            .field("timeout", &self.timeout)
            .field("idle_timeout", &self.idle_timeout)
            .field("max_message_size", &self.max_message_size)
            .finish()
    }
}
