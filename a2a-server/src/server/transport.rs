//! From a listener to requests: connections, in plain text or over TLS, in HTTP/1.1 or HTTP/2 as the
//! client chooses.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{FuturesUnordered, StreamExt};
use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::app::App;
use super::patience::ConnectionTimer;
use crate::give_way::give_way;
use crate::pipeline::Peer;

/// How long accepting rests after it has failed for want of resources.
const REST: Duration = Duration::from_secs(1);

/// How long a client may take to agree on a key.
#[cfg(feature = "tls")]
const HANDSHAKE: Duration = Duration::from_secs(10);

/// What connections are made of.
#[derive(Clone)]
pub(super) enum Transport {
    Plain,
    #[cfg(feature = "tls")]
    Tls(tokio_rustls::TlsAcceptor),
}

impl Transport {
    #[cfg(feature = "tls")]
    pub(super) fn new(tls: Option<&super::Tls>) -> Result<Self, super::BuildError> {
        Ok(match tls {
            Some(tls) => Self::Tls(tls.config()?.into()),
            None => Self::Plain,
        })
    }

    pub(super) fn scheme(&self) -> &'static str {
        match self {
            Self::Plain => "http",
            #[cfg(feature = "tls")]
            Self::Tls(_) => "https",
        }
    }
}

/// A listener and what it serves.
pub(super) struct Listening {
    pub(super) listener: TcpListener,
    pub(super) app: App,
    pub(super) transport: Transport,
    /// After how long without a sign of life an HTTP/2 client is asked for one.
    pub(super) keep_alive: Duration,
    /// How long a client may take to say what it wants.
    pub(super) head_time: Duration,
    /// How many more connections there may be.
    pub(super) places: Arc<Semaphore>,
}

/// How patient a connection is.
#[derive(Clone, Copy)]
struct Patience {
    keep_alive: Duration,
    head_time: Duration,
}

/// How the connections of a server end.
#[derive(Clone, Default)]
pub(super) struct Connections {
    /// No new requests are taken.
    pub(super) stopping: CancellationToken,
    /// What still goes on is given up.
    pub(super) closing: CancellationToken,
    pub(super) tasks: TaskTracker,
}

impl Listening {
    /// Takes connections until the server stops.
    pub(super) async fn run(self, connections: Connections) {
        let Self {
            listener,
            app,
            transport,
            keep_alive,
            head_time,
            places,
        } = self;
        let patience = Patience {
            keep_alive,
            head_time,
        };
        loop {
            let accepted = async {
                // Who finds no place waits in the backlog of the listener.
                let place = Arc::clone(&places).acquire_owned().await;
                (listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                accepted = accepted => accepted,
                () = connections.stopping.cancelled() => return,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) if is_of_peer(&error) => continue,
                Err(error) => {
                    tracing::error!(%error, "no connection can be accepted");
                    sleep(REST).await;
                    continue;
                }
            };
            let (app, transport) = (app.clone(), transport.clone());
            let speaking = connect(stream, peer, transport, app, patience, connections.clone());
            connections.tasks.spawn(async move {
                speaking.await;
                drop(place);
            });
        }
    }
}

async fn connect(
    stream: TcpStream,
    peer: std::net::SocketAddr,
    transport: Transport,
    app: App,
    patience: Patience,
    connections: Connections,
) {
    // Small writes must not wait for the peer's acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection without TCP_NODELAY");
    }
    match transport {
        Transport::Plain => {
            let peer = Peer {
                address: Some(peer),
                certificates: None,
            };
            speak(stream, peer, app, patience, connections).await;
        }
        #[cfg(feature = "tls")]
        Transport::Tls(acceptor) => {
            let handshake = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream));
            let stream = match connections.closing.run_until_cancelled(handshake).await {
                Some(Ok(Ok(stream))) => stream,
                Some(Ok(Err(error))) => {
                    return tracing::debug!(%peer, %error, "no TLS connection");
                }
                Some(Err(_)) => return tracing::debug!(%peer, "a TLS handshake took too long"),
                None => return,
            };
            let (_, session) = stream.get_ref();
            let certificates = session.peer_certificates().map(|chain| {
                crate::auth::PeerCertificates::new(chain.iter().map(|der| der.as_ref()))
            });
            let peer = Peer {
                address: Some(peer),
                certificates,
            };
            speak(stream, peer, app, patience, connections).await;
        }
    }
}

/// What has come for a connection to end.
enum End {
    /// Its peer may have asked for nothing in time.
    Silence,
    /// It takes no new requests.
    Stopping,
    /// It is given up.
    Closing,
}

/// All that ends a connection, other than its peer. The connection is woken many times, they seldom:
/// the set does not look at what has not been woken.
fn ends(
    connections: Connections,
    head_time: Duration,
) -> FuturesUnordered<BoxFuture<'static, End>> {
    let Connections {
        stopping, closing, ..
    } = connections;
    FuturesUnordered::from_iter([
        sleep(head_time).map(|()| End::Silence).boxed(),
        stopping.cancelled_owned().map(|()| End::Stopping).boxed(),
        closing.cancelled_owned().map(|()| End::Closing).boxed(),
    ])
}

/// Answers the requests of one connection.
async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: Peer,
    app: App,
    patience: Patience,
    connections: Connections,
) {
    // Until it is known which HTTP is spoken, no time limit of either holds.
    let heard = Arc::new(AtomicBool::new(false));
    let hearing = Arc::clone(&heard);
    let service = service_fn(move |request: Request<Incoming>| {
        hearing.store(true, Ordering::Relaxed);
        let answer = app.answer(peer.clone(), request.map(Body::new));
        async move {
            let answer = answer.await;
            // Under load answers go out together: to wake a client for each is dearer than to
            // write it.
            give_way().await;
            answer
        }
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(ConnectionTimer::new(patience.head_time))
        .header_read_timeout(patience.head_time);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(patience.keep_alive)
        .keep_alive_timeout(patience.keep_alive);
    let mut speaking = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut ends = ends(connections, patience.head_time);
    let outcome = loop {
        let end = tokio::select! {
            biased;
            outcome = &mut speaking => break outcome,
            Some(end) = ends.next() => end,
        };
        match end {
            End::Silence if heard.load(Ordering::Relaxed) => {}
            End::Silence => return tracing::debug!("a connection asked for nothing in time"),
            End::Stopping => speaking.as_mut().graceful_shutdown(),
            End::Closing => return,
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(error, "a connection ended early");
    }
}

/// Whether the peer has gone before it was accepted, which is no trouble of the listener.
fn is_of_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
