//! One connection, which all calls to an interface share.

use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use a2a_client::{Error, Failure};
use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared};
use http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::rt::{Read, Write};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::time::timeout;
use tonic::body::Body;
use tower_service::Service as _;

use super::tls::Tls;

/// How long the answer to a PING may take at most.
const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// The probes of TCP begin after so much silence, and end the connection after as much again.
const TCP_PROBES: Duration = Duration::from_secs(20);
const TCP_PROBE_INTERVAL: Duration = Duration::from_secs(5);
const TCP_PROBE_COUNT: u32 = 4;

/// The most bytes of the headers, or the trailers, of an answer. The details of an error are in
/// them.
const MAX_HEADERS: u32 = 64 * 1024;

/// How many bytes a call, and a connection, may have received that nobody has read yet. A
/// connection is ended when small frames use up half of its window, at more than 200 bytes each:
/// the events that wait for some slow readers must not come to so much.
const STREAM_WINDOW: u32 = 1024 * 1024;
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) connect_timeout: Duration,
    /// After how much silence to send a PING; `None` for never.
    pub(super) keep_alive: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            keep_alive: None,
        }
    }
}

/// Dials when there is no connection, once for all who wait. What a call takes is a handle on the
/// connection; nothing is locked while it is made.
pub(super) struct Connection {
    dialer: Arc<Dialer>,
    /// The newest connection, perhaps in the making; `None` before the first call.
    newest: RwLock<Option<Dial>>,
}

type Handle = SendRequest<Body>;
type Dial = Shared<BoxFuture<'static, Result<Handle, Arc<Unreached>>>>;

impl Connection {
    pub(super) fn new(origin: Uri, tls: Option<Tls>, settings: Settings) -> Self {
        Self {
            dialer: Arc::new(Dialer {
                origin,
                tls,
                settings,
            }),
            newest: RwLock::new(None),
        }
    }

    /// Sends a request. One that was not written because the connection had ended is sent over
    /// another one.
    pub(super) async fn send(&self, request: Request<Body>) -> Result<Response<Incoming>, Error> {
        let mut request = request;
        let mut again = false;
        loop {
            let mut handle = self.handle().await?;
            let mut failed = match handle.try_send_request(request).await {
                Ok(response) => return Ok(response),
                Err(failed) => failed,
            };
            match failed.take_message() {
                Some(unsent) if !again => {
                    request = unsent;
                    again = true;
                }
                Some(_) => return Err(broken(failed.into_error()).with_unsent()),
                None => return Err(broken(failed.into_error())),
            }
        }
    }

    async fn handle(&self) -> Result<Handle, Error> {
        let dial = self.present().unwrap_or_else(|| self.redial());
        dial.await.map_err(|unreached| {
            let error = Error::new(unreached.failure, unreached.message.clone());
            error.with_unsent().with_source(unreached)
        })
    }

    fn present(&self) -> Option<Dial> {
        let newest = self.newest.read().unwrap_or_else(PoisonError::into_inner);
        newest.as_ref().filter(|dial| is_usable(dial)).cloned()
    }

    fn redial(&self) -> Dial {
        let mut newest = self.newest.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have been faster.
        if let Some(dial) = newest.as_ref().filter(|dial| is_usable(dial)) {
            return dial.clone();
        }
        // It goes on when the call that wanted it first is given up: others wait for it.
        let dialing = tokio::spawn(Arc::clone(&self.dialer).dial());
        let dial = async move {
            let dialed = dialing.await;
            dialed.unwrap_or_else(|error| {
                let message = "the runtime that made the connection is gone".to_owned();
                Err(Arc::new(Unreached::new(message, error)))
            })
        };
        newest.insert(dial.boxed().shared()).clone()
    }
}

/// Whether the connection is open, or may yet come about.
fn is_usable(dial: &Dial) -> bool {
    match dial.peek() {
        None => true,
        Some(Ok(handle)) => !handle.is_closed(),
        Some(Err(_)) => false,
    }
}

struct Dialer {
    origin: Uri,
    tls: Option<Tls>,
    settings: Settings,
}

impl Dialer {
    async fn dial(self: Arc<Self>) -> Result<Handle, Arc<Unreached>> {
        let limit = self.settings.connect_timeout;
        let dialed = timeout(limit, self.connect()).await;
        let dialed = dialed.unwrap_or_else(|elapsed| {
            let message = format!("no connection to {} within {limit:?}", self.origin);
            Err(Unreached {
                failure: Failure::Timeout,
                ..Unreached::new(message, elapsed)
            })
        });
        dialed.map_err(Arc::new)
    }

    async fn connect(&self) -> Result<Handle, Unreached> {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_keepalive(Some(TCP_PROBES));
        connector.set_keepalive_interval(Some(TCP_PROBE_INTERVAL));
        connector.set_keepalive_retries(Some(TCP_PROBE_COUNT));
        #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
        connector.set_tcp_user_timeout(Some(TCP_PROBES * 2));
        let socket = connector.call(self.origin.clone()).await;
        let socket = socket.map_err(|error| self.unreached(error))?;
        match &self.tls {
            None => self.handshake(socket).await,
            Some(tls) => {
                let stream = tls.connect(socket.into_inner()).await;
                let stream = stream.map_err(|error| self.unreached(error))?;
                self.handshake(TokioIo::new(stream)).await
            }
        }
    }

    async fn handshake(
        &self,
        socket: impl Read + Write + Unpin + Send + 'static,
    ) -> Result<Handle, Unreached> {
        let keep_alive = self.settings.keep_alive;
        let (handle, connection) = Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(keep_alive)
            .keep_alive_timeout(keep_alive.map_or(PING_TIMEOUT, |every| every.min(PING_TIMEOUT)))
            .keep_alive_while_idle(true)
            .max_header_list_size(MAX_HEADERS)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .handshake(socket)
            .await
            .map_err(|error| self.unreached(error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a gRPC connection ended");
            }
        });
        Ok(handle)
    }

    fn unreached(&self, error: impl StdError + Send + Sync + 'static) -> Unreached {
        let message = format!("cannot connect to {}: {}", self.origin, root_cause(&error));
        Unreached::new(message, error)
    }
}

/// Why there is no connection, for all who waited for it.
#[derive(Debug)]
struct Unreached {
    failure: Failure,
    message: String,
    source: Box<dyn StdError + Send + Sync>,
}

impl Unreached {
    fn new(message: String, source: impl StdError + Send + Sync + 'static) -> Self {
        Self {
            failure: Failure::Transport,
            message,
            source: Box::new(source),
        }
    }
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Unreached {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}

/// The connection, or the call, broke.
pub(super) fn broken(error: hyper::Error) -> Error {
    let unsent = is_refused(&error);
    let message = format!("the connection broke: {}", root_cause(&error));
    let error = Error::new(Failure::Transport, message).with_source(error);
    if unsent { error.with_unsent() } else { error }
}

/// Whether the peer says that it has not looked at the request (RFC 9113 §8.7): it refused the
/// stream, or was going away in peace.
fn is_refused(error: &hyper::Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref());
    source.is_some_and(|error: &h2::Error| {
        let going = error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR);
        let refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
        error.is_remote() && (going || refused)
    })
}

fn root_cause(error: &(dyn StdError + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
