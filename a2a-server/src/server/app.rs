use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use futures::future::{BoxFuture, FutureExt, ready};
use tower::Service;

use super::guard::{Guard, refusal};
use super::serve::HEALTH_PATH;
use super::{BuildError, Server};
use crate::card::{CARD_PATH, base_of};
use crate::codec::jsonrpc::JsonRpc;
use crate::codec::rest::Rest;
use crate::context::Binding;

/// Everything that a server answers which has its address to itself. Calls take a short way past
/// the router.
#[derive(Clone)]
pub(super) struct App {
    routes: Arc<Routes>,
    router: Router,
}

struct Routes {
    guard: Option<Guard>,
    /// The endpoint and its path, without a slash at its end.
    jsonrpc: Option<(String, JsonRpc)>,
    /// HTTP+JSON, when it has all paths that nothing else has.
    rest: Option<Rest>,
}

impl App {
    pub(super) fn new(server: &Server, address: SocketAddr) -> Result<Self, BuildError> {
        let base = match &server.settings.public_url {
            Some(url) => url.clone(),
            None => server.card.base.get_or_init(|| base_of(address)).clone(),
        };
        let router = server.bindings().merge(server.card_at(&base)?);
        let router = router.route(HEALTH_PATH, axum::routing::get(|| async { "ok" }));
        let mut routes = Routes {
            guard: Guard::of(address, &server.settings),
            jsonrpc: None,
            rest: None,
        };
        // The headers for other origins are added in the router.
        if server.settings.cors.is_none() {
            for (binding, path) in &server.card.mounts {
                let codec = Arc::clone(&server.codec);
                match binding {
                    Binding::JsonRpc => routes.jsonrpc = Some((path.clone(), JsonRpc(codec))),
                    Binding::HttpJson if path.is_empty() => routes.rest = Some(Rest(codec)),
                    _ => {}
                }
            }
        }
        Ok(Self {
            routes: Arc::new(routes),
            router,
        })
    }
}

impl Service<Request> for App {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Routes {
            guard,
            jsonrpc,
            rest,
        } = &*self.routes;
        if let Some(Err(what)) = guard.as_ref().map(|guard| guard.check(&request)) {
            return ready(Ok(refusal(what))).boxed();
        }
        let path = request.uri().path();
        if let Some((at, jsonrpc)) = jsonrpc
            && path.strip_suffix('/').unwrap_or(path) == at
        {
            return jsonrpc.answer(request);
        }
        match rest {
            Some(rest) if ![CARD_PATH, HEALTH_PATH].contains(&path) => rest.answer(request),
            _ => self.router.call(request).boxed(),
        }
    }
}
