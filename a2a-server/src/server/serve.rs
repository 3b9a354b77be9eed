use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::net::{TcpListener, ToSocketAddrs};

use super::app::App;
use super::mount::Place;
use super::transport::{Connections, Listening};
use super::{ServeError, Server};
use crate::card::{CARD_PATH, base_of};

/// Where a load balancer may ask whether the server is there.
pub(super) const HEALTH_PATH: &str = "/health";

/// How long connections may take to close once nothing is being worked on.
const CLOSING: Duration = Duration::from_secs(5);

/// A server that has its address but does not answer yet.
pub struct BoundServer {
    server: Server,
    address: SocketAddr,
    listening: Vec<Listening>,
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
        let mut listening = Vec::new();
        for mount in &self.card.mounts {
            let Place::Own(own) = &mount.place else {
                continue;
            };
            let Some(address) = own.service.own_address() else {
                continue;
            };
            let listener = TcpListener::bind(address).await?;
            let address = listener.local_addr()?;
            own.base.get_or_init(|| self.base_of(address));
            let app = App::of_binding(self, own, address);
            listening.push(self.listening(listener, app));
        }
        // Last, when all addresses that the card names are known.
        let app = App::new(self, address)?;
        listening.push(self.listening(listener, app));
        self.upkeep().await;
        Ok(BoundServer {
            server: self.clone(),
            address,
            listening,
        })
    }

    fn listening(&self, listener: TcpListener, app: App) -> Listening {
        Listening {
            listener,
            app,
            transport: self.settings.transport.clone(),
            keep_alive: self.codec.pace.keep_alive,
            head_time: self.codec.limits.head_time,
            places: Arc::clone(&self.settings.connections),
        }
    }

    /// The URL of a listener of this server.
    pub(super) fn base_of(&self, address: SocketAddr) -> String {
        base_of(self.settings.transport.scheme(), address)
    }
}

impl BoundServer {
    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the agent card on this address.
    pub fn card_url(&self) -> String {
        format!("{}{}", self.server.base_of(self.address), CARD_PATH)
    }

    /// Serves until the process is told to stop.
    ///
    /// # Errors
    ///
    /// None at present: a listener that fails is tried again.
    pub async fn run(self) -> Result<(), ServeError> {
        self.run_until(stop_signal()).await
    }

    /// Serves until `stop` completes, then shuts down in order.
    ///
    /// # Errors
    ///
    /// None at present: a listener that fails is tried again.
    pub async fn run_until(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Self {
            server, listening, ..
        } = self;
        let connections = Connections::default();
        let accepting = listening
            .into_iter()
            .map(|listening| listening.run(connections.clone()));
        tokio::select! {
            _ = join_all(accepting) => {}
            () = stop => {}
        }
        connections.stopping.cancel();
        connections.tasks.close();
        let drained = async {
            server.shutdown(server.settings.drain).await;
            tokio::time::sleep(CLOSING).await;
        };
        tokio::select! {
            () = connections.tasks.wait() => {}
            () = drained => {}
        }
        connections.closing.cancel();
        Ok(())
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
