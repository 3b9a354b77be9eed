use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures::future::BoxFuture;
use tower::Service;

use super::BuildError;
use crate::codec::{Entrance, Shared};
use crate::context::Binding;
use crate::pipeline::Peer;

/// A binding that another crate brings and that speaks HTTP, such as the gRPC of `a2a-grpc`; see
/// [`ServerBuilder::mount_binding`](super::ServerBuilder::mount_binding).
pub trait MountedBinding: Send + Sync + 'static {
    /// Which one it is.
    fn binding(&self) -> Binding;

    /// Whether it can be reached.
    ///
    /// # Errors
    ///
    /// When it cannot, with `public_url` being the one of the server. The text says what to change.
    fn check(&self, public_url: Option<&str>) -> Result<(), BuildError> {
        let _ = public_url;
        Ok(())
    }

    /// The address that the agent card names, for a server that clients reach at `base`.
    fn url(&self, base: &str) -> String;

    /// The address of a listener of its own. By default it shares that of the server.
    fn own_address(&self) -> Option<SocketAddr> {
        None
    }

    /// The first segments of the paths that belong to it.
    fn paths(&self) -> Vec<String>;

    /// Whether a request is written in this binding, so that it answers even where the path belongs
    /// to nobody.
    fn speaks(&self, request: &Request) -> bool {
        let _ = request;
        false
    }

    /// Is told that the server begins to shut down.
    fn stopping(&self) {}

    /// Answers a request whose path belongs to it, or that it [speaks](Self::speaks).
    fn answer(&self, entrance: &Entrance, request: Request) -> HttpAnswer;
}

/// The answer to an HTTP request, on its way.
pub type HttpAnswer = BoxFuture<'static, Result<Response, Infallible>>;

/// A binding, and where it is served.
#[derive(Clone)]
pub(crate) struct Mount {
    pub(crate) binding: Binding,
    pub(crate) place: Place,
}

#[derive(Clone)]
pub(crate) enum Place {
    /// Below a path: empty for the root, else `/path`.
    Path(String),
    /// On paths of its own.
    Own(OwnPlace),
}

/// A binding of another crate.
#[derive(Clone)]
pub(crate) struct OwnPlace {
    pub(crate) service: Arc<dyn MountedBinding>,
    /// Where clients reach its own listener, once that is bound.
    pub(crate) base: Arc<OnceLock<String>>,
}

impl Mount {
    pub(crate) fn at(binding: Binding, path: impl Into<String>) -> Self {
        Self {
            binding,
            place: Place::Path(path.into()),
        }
    }

    pub(crate) fn own(service: impl MountedBinding) -> Self {
        Self {
            binding: service.binding(),
            place: Place::Own(OwnPlace {
                service: Arc::new(service),
                base: Arc::default(),
            }),
        }
    }

    /// Its address in the card of a server that clients reach at `base`.
    pub(crate) fn url(&self, base: &str) -> String {
        match &self.place {
            Place::Path(path) => format!("{}{path}", base.trim_end_matches('/')),
            Place::Own(own) => own.service.url(own.base.get().map_or(base, String::as_str)),
        }
    }
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(self.binding.name());
        match &self.place {
            Place::Path(path) => tuple.field(path),
            Place::Own(_) => &mut tuple,
        }
        .finish()
    }
}

/// The requests of a binding of another crate.
#[derive(Clone)]
pub(super) struct Mounted {
    service: Arc<dyn MountedBinding>,
    entrance: Entrance,
    paths: Arc<[String]>,
}

impl Mounted {
    pub(super) fn new(own: &OwnPlace, codec: &Arc<Shared>) -> Self {
        Self {
            service: Arc::clone(&own.service),
            entrance: Entrance::new(Arc::clone(codec)),
            paths: own.service.paths().into(),
        }
    }

    pub(super) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Whether the first segment of the path is one of its own, or the request can be of no other
    /// binding.
    pub(super) fn owns(&self, request: &Request) -> bool {
        let path = request.uri().path().strip_prefix('/');
        let first = path.and_then(|path| path.split_once('/'));
        first.is_some_and(|(first, _)| self.paths.iter().any(|own| own == first))
            || self.service.speaks(request)
    }

    /// Answers a request of this peer.
    pub(super) fn answer(&self, request: Request, peer: Peer) -> HttpAnswer {
        self.service.answer(&self.entrance.of_peer(peer), request)
    }
}

impl Service<Request> for Mounted {
    type Response = Response;
    type Error = Infallible;
    type Future = HttpAnswer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        self.service.answer(&self.entrance, request)
    }
}
