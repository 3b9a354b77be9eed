//! Putting a server together, and running it.

mod app;
mod builder;
mod cors;
mod error;
mod guard;
mod mount;
mod patience;
mod serve;
#[cfg(feature = "tls")]
mod tls;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use a2a_types::store::{Owner, PushConfigStore, StoreError};
use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::any_service;
use http::HeaderValue;
use http::header::STRICT_TRANSPORT_SECURITY;
use ipnet::IpNet;
use tokio::sync::Semaphore;

pub use builder::{ExtendedCardAccess, InputModes, ServerBuilder, Streaming};
pub use cors::Cors;
pub use error::{BuildError, ServeError};
pub(crate) use mount::Mount;
pub use mount::{HttpAnswer, MountedBinding};
pub use serve::BoundServer;
#[cfg(feature = "tls")]
pub use tls::{ClientCertificates, Tls};

use self::mount::{Mounted, OwnPlace, Place};
use self::transport::Transport;
use crate::agent::Agent;
use crate::card::{CARD_PATH, CardService, CardSource};
use crate::codec::jsonrpc::JsonRpc;
use crate::codec::rest::Rest;
use crate::codec::{Entrance, Shared};
use crate::context::Binding;
use crate::engine::Engine;
use crate::local::LocalClient;

/// An agent, ready to be served.
///
/// [`serve`](Self::serve) runs it by itself; [`router`](Self::router) is for an application that
/// runs already. Clones are the same server.
#[derive(Clone)]
pub struct Server {
    engine: Arc<Engine>,
    codec: Arc<Shared>,
    card: CardSource,
    settings: Arc<Settings>,
}

/// What the parts around the bindings need.
struct Settings {
    transport: Transport,
    public_url: Option<String>,
    card_max_age: Duration,
    proxies: Vec<IpNet>,
    cors: Option<Cors>,
    /// The value of `Strict-Transport-Security`.
    hsts: Option<HeaderValue>,
    hosts: Vec<String>,
    /// Room for the connections of all listeners.
    connections: Arc<Semaphore>,
    push_configs: Arc<dyn PushConfigStore>,
    drain: Duration,
    retention: Option<Duration>,
}

impl Server {
    /// Begins a server for this agent.
    pub fn builder<A: Agent>(agent: A) -> ServerBuilder {
        ServerBuilder::new(agent)
    }

    /// The bindings and the card, to be merged into an application or nested below a path of it.
    ///
    /// HTTP+JSON at the root path is the router's fallback, so all routes of the application win.
    /// An application with a fallback of its own nests the server below a path, or mounts
    /// HTTP+JSON there with [`ServerBuilder::mount`]. Nest it with `nest_service`: with `nest` the
    /// path itself would not be answered with a slash at its end, to which some clients post.
    ///
    /// ```
    /// # use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
    /// # use a2a_types::AgentCard;
    /// # struct Echo;
    /// # impl Agent for Echo {
    /// #     async fn execute(&self, _: Request, task: TaskHandle) -> Result<(), AgentError> {
    /// #         task.complete().await
    /// #     }
    /// # }
    /// let server = Server::builder(Echo)
    ///     .card(AgentCard::builder("Echo", "Repeats").skill("echo", "Echo", "Repeats"))
    ///     .public_url("https://example.com/agents/echo")
    ///     .build()?;
    /// let app = axum::Router::<()>::new()
    ///     .route("/", axum::routing::get(|| async { "home" }))
    ///     .nest_service("/agents/echo", server.router()?);
    /// # Ok::<(), a2a_server::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Without [`ServerBuilder::public_url`]: only [`serve`](Self::serve) knows an address.
    pub fn router(&self) -> Result<Router, BuildError> {
        Ok(self.bindings().merge(self.card_router()?))
    }

    /// The card alone, at [`CARD_PATH`](crate::CARD_PATH), for an application that keeps it in
    /// another place than the bindings.
    ///
    /// # Errors
    ///
    /// As [`router`](Self::router).
    pub fn card_router(&self) -> Result<Router, BuildError> {
        let base = self
            .settings
            .public_url
            .as_deref()
            .ok_or_else(BuildError::no_public_url)?;
        self.card_at(base)
    }

    /// The bindings alone.
    pub fn bindings(&self) -> Router {
        let mut router = Router::new();
        for Mount { binding, place } in &self.card.mounts {
            let path = match place {
                Place::Path(path) => path,
                // What has a listener of its own is not here.
                Place::Own(own) if own.service.own_address().is_some() => continue,
                Place::Own(own) => {
                    router = router.merge(self.mounted(own));
                    continue;
                }
            };
            router = match binding {
                Binding::JsonRpc => {
                    let service = any_service(JsonRpc(Arc::clone(&self.codec)));
                    match path.as_str() {
                        "" => router.route("/", service),
                        path => router
                            .route(path, service.clone())
                            .route(&format!("{path}/"), service),
                    }
                }
                Binding::HttpJson => {
                    let service = Rest(Arc::clone(&self.codec));
                    match path.as_str() {
                        "" => router.fallback_service(service),
                        path => router.nest_service(path, service),
                    }
                }
                Binding::Grpc | Binding::Local => router,
            };
        }
        self.with_headers(router)
    }

    /// The way in for the codec of a binding that another crate brings.
    pub fn entrance(&self) -> Entrance {
        Entrance::new(Arc::clone(&self.codec))
    }

    /// A client inside this process: the whole way of a call but for the network.
    pub fn local(&self) -> LocalClient {
        LocalClient::new(self.codec.calls.clone())
    }

    /// How many tasks are being worked on or listened to.
    pub fn live_tasks(&self) -> usize {
        self.engine.live_tasks()
    }

    /// Ends the tasks whose run was lost with an earlier process, and begins to purge old ones.
    /// For servers that do not run by [`serve`](Self::serve), which does it itself; call it once,
    /// before the first request.
    pub async fn upkeep(&self) {
        self.engine.recover().await;
        if let Some(retention) = self.settings.retention {
            self.engine.expire_after(retention);
        }
    }

    /// Stops: new work is refused, running agents may go on for `grace` and are then failed,
    /// streams end. For servers that do not run by [`serve`](Self::serve), which does it itself.
    pub async fn shutdown(&self, grace: Duration) {
        for mount in &self.card.mounts {
            if let Place::Own(own) = &mount.place {
                own.service.stopping();
            }
        }
        self.engine.shutdown(grace).await;
        self.engine.deliver_last(grace).await;
    }

    /// The routes of a binding that another crate brings.
    fn mounted(&self, own: &OwnPlace) -> Router {
        let service = Mounted::new(own, &self.codec);
        service.paths().iter().fold(Router::new(), |router, path| {
            router.route_service(&format!("/{path}/{{*rest}}"), service.clone())
        })
    }

    /// Deletes everything that belongs to an owner (A2A §13.4): its tasks, with their history and
    /// artifacts, and its webhooks. Returns the ids of the tasks.
    ///
    /// Tasks that are not over are canceled first; one whose agent refuses that is stopped. What
    /// the owner begins meanwhile may stay: withdraw its credentials before. When it fails, it can
    /// be called again.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        self.engine.erase(owner, &*self.settings.push_configs).await
    }

    fn card_at(&self, base: &str) -> Result<Router, BuildError> {
        let Settings {
            card_max_age,
            proxies,
            ..
        } = &*self.settings;
        let service = CardService::new(self.card.clone(), base, *card_max_age, proxies.clone())?;
        Ok(self.with_headers(Router::new().route(CARD_PATH, any_service(service))))
    }

    /// Adds the headers that stand on every answer.
    fn with_headers(&self, mut router: Router) -> Router {
        if let Some(cors) = &self.settings.cors {
            router = router.layer(cors.layer());
        }
        if let Some(hsts) = &self.settings.hsts {
            let hsts = hsts.clone();
            router = router.layer(map_response(move |mut response: Response| {
                let headers = response.headers_mut();
                headers.insert(STRICT_TRANSPORT_SECURITY, hsts.clone());
                std::future::ready(response)
            }));
        }
        router
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("mounts", &self.card.mounts)
            .finish_non_exhaustive()
    }
}
