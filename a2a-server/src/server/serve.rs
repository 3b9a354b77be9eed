use std::net::SocketAddr;
use std::time::Duration;

use axum::ServiceExt;
use axum::extract::Request;
use axum::serve::ListenerExt;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::{ServeError, Server};

/// Where a load balancer may ask whether the server is there.
pub(super) const HEALTH_PATH: &str = "/health";

/// How long connections may take to close once nothing is being worked on.
const CLOSING: Duration = Duration::from_secs(5);

/// A server that has its address but does not answer yet.
pub struct BoundServer {
    server: Server,
    listener: TcpListener,
    address: SocketAddr,
    app: App,
}

impl Server {
    /// Serves until the process is told to stop (SIGTERM or Ctrl-C), then shuts down in order:
    /// running agents may finish for a while (see [`ServerBuilder::drain_time`]), streams get
    /// their last event.
    ///
    /// Besides the bindings and the card it answers `GET /health`. On a loopback address it
    /// refuses requests whose `Host` or `Origin` is a foreign one.
    ///
    /// [`ServerBuilder::drain_time`]: super::ServerBuilder::drain_time
    ///
    /// # Errors
    ///
    /// When the address cannot be bound.
    pub async fn serve(&self, address: impl ToSocketAddrs) -> Result<(), ServeError> {
        self.bind(address).await?.run_until(stop_signal()).await
    }

    /// Takes the address, so that it is known before the server runs.
    ///
    /// # Errors
    ///
    /// When the address cannot be bound.
    pub async fn bind(&self, address: impl ToSocketAddrs) -> Result<BoundServer, ServeError> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let app = App::new(self, address)?;
        self.upkeep().await;
        Ok(BoundServer {
            server: self.clone(),
            listener,
            address,
            app,
        })
    }
}

impl BoundServer {
    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the agent card on this address.
    pub fn card_url(&self) -> String {
        format!("{}{}", crate::card::base_of(self.address), crate::CARD_PATH)
    }

    /// Serves until the process is told to stop.
    ///
    /// # Errors
    ///
    /// When the listener fails.
    pub async fn run(self) -> Result<(), ServeError> {
        self.run_until(stop_signal()).await
    }

    /// Serves until `stop` completes, then shuts down in order.
    ///
    /// # Errors
    ///
    /// When the listener fails.
    pub async fn run_until(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Self {
            server,
            listener,
            app,
            ..
        } = self;
        // Small writes must not wait for the peer's acknowledgement.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "a connection without TCP_NODELAY");
            }
        });
        let stopping = CancellationToken::new();
        let stopped = stopping.clone();
        let service = ServiceExt::<Request>::into_make_service_with_connect_info::<SocketAddr>(app);
        let serving = axum::serve(listener, service)
            .with_graceful_shutdown(async move { stopped.cancelled().await });
        let serving = async { serving.await };
        tokio::pin!(serving);
        tokio::select! {
            outcome = &mut serving => return outcome.map_err(ServeError::from),
            () = stop => {}
        }
        stopping.cancel();
        let drained = async {
            server.shutdown(server.settings.drain).await;
            tokio::time::sleep(CLOSING).await;
        };
        tokio::select! {
            outcome = &mut serving => outcome.map_err(ServeError::from),
            () = drained => Ok(()),
        }
    }
}

impl std::fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundServer")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Completes when the process is told to stop.
async fn stop_signal() {
    let interrupt = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "Ctrl-C cannot be listened for");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(error) => {
                tracing::error!(%error, "SIGTERM cannot be listened for");
                std::future::pending::<()>().await;
            }
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
