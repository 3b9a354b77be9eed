use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use futures::future::{FutureExt, ready};
use tower::Service;

use super::guard::{Guard, refusal};
use super::mount::{HttpAnswer, Mounted, OwnPlace, Place};
use super::serve::HEALTH_PATH;
use super::{BuildError, Server};
use crate::card::CARD_PATH;
use crate::codec::jsonrpc::JsonRpc;
use crate::codec::rest::Rest;
use crate::context::Binding;
use crate::pipeline::Peer;

/// Everything that a listener of a server answers. Calls take a short way past the router.
#[derive(Clone)]
pub(super) struct App {
    routes: Arc<Routes>,
    router: Router,
}

#[derive(Default)]
struct Routes {
    guard: Option<Guard>,
    /// The bindings of other crates.
    mounted: Vec<Mounted>,
    /// The endpoint and its path, without a slash at its end.
    jsonrpc: Option<(String, JsonRpc)>,
    /// HTTP+JSON, when it has all paths that nothing else has.
    rest: Option<Rest>,
}

impl App {
    pub(super) fn new(server: &Server, address: SocketAddr) -> Result<Self, BuildError> {
        let base = match &server.settings.public_url {
            Some(url) => url.clone(),
            None => server
                .card
                .base
                .get_or_init(|| server.base_of(address))
                .clone(),
        };
        let router = server.bindings().merge(server.card_at(&base)?);
        let health = Router::new().route(HEALTH_PATH, axum::routing::get(|| async { "ok" }));
        let router = router.merge(server.with_headers(health));
        let mut routes = Routes {
            guard: Guard::of(address, &server.settings),
            ..Routes::default()
        };
        if is_short(server) {
            for mount in &server.card.mounts {
                let codec = Arc::clone(&server.codec);
                match (&mount.place, mount.binding) {
                    (Place::Own(own), _) if own.service.own_address().is_none() => {
                        routes.mounted.push(Mounted::new(own, &codec));
                    }
                    (Place::Path(path), Binding::JsonRpc) => {
                        routes.jsonrpc = Some((path.clone(), JsonRpc(codec)));
                    }
                    (Place::Path(path), Binding::HttpJson) if path.is_empty() => {
                        routes.rest = Some(Rest(codec));
                    }
                    _ => {}
                }
            }
        }
        Ok(Self {
            routes: Arc::new(routes),
            router,
        })
    }

    /// A listener for one binding.
    pub(super) fn of_binding(server: &Server, own: &OwnPlace, address: SocketAddr) -> Self {
        let mut routes = Routes {
            guard: Guard::of(address, &server.settings),
            ..Routes::default()
        };
        if is_short(server) {
            routes.mounted.push(Mounted::new(own, &server.codec));
        }
        Self {
            routes: Arc::new(routes),
            router: server.with_headers(server.mounted(own)),
        }
    }

    pub(super) fn answer(&self, peer: Peer, mut request: Request) -> HttpAnswer {
        let Routes {
            guard,
            mounted,
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
            return jsonrpc.answer(request, peer);
        }
        let mounted = mounted.iter().find(|mounted| mounted.owns(&request));
        match (mounted, rest) {
            (None, Some(rest)) if ![CARD_PATH, HEALTH_PATH].contains(&path) => {
                rest.answer(request, peer)
            }
            (Some(mounted), _) => mounted.answer(request, peer),
            (None, _) => {
                peer.put_into(request.extensions_mut());
                self.router.clone().call(request).boxed()
            }
        }
    }
}

/// Whether calls may pass by the router, which adds the headers that stand on every answer.
fn is_short(server: &Server) -> bool {
    server.settings.cors.is_none() && server.settings.hsts.is_none()
}
