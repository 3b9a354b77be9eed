//! Bytes in, bytes out: one codec a binding. A codec decodes and encodes; every rule lives behind
//! it, in the pipeline.

mod body;
mod entrance;
pub(crate) mod jsonrpc;
pub(crate) mod rest;
mod sse;

use std::convert::Infallible;
use std::sync::Arc;

use a2a_types::{A2aError, ErrorKind, Extensions};
use axum::body::Body;
use futures::future::BoxFuture;
use http::header::{CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt};

pub(crate) use sse::Pace;

use crate::limits::Limits;
use crate::pipeline::{Core, Incoming, Peer, Reply};

/// The pipeline, with the user's layers around it if there are any.
#[derive(Clone)]
pub(crate) enum Calls {
    Plain(Core),
    Layered(Layered),
}

/// A pipeline with layers around it.
pub(crate) type Layered = BoxCloneSyncService<Incoming, Reply, A2aError>;

impl Calls {
    pub(crate) fn call(&self, incoming: Incoming) -> BoxFuture<'static, Result<Reply, A2aError>> {
        match self {
            Self::Plain(core) => core.clone().call(incoming),
            Self::Layered(service) => Box::pin(service.clone().oneshot(incoming)),
        }
    }
}

/// What every codec needs.
pub(crate) struct Shared {
    pub(crate) calls: Calls,
    pub(crate) limits: Limits,
    pub(crate) compression: Compression,
    pub(crate) pace: Pace,
    /// The `WWW-Authenticate` values of a 401.
    pub(crate) challenges: Arc<[HeaderValue]>,
}

pub use body::Compression;
pub use entrance::Entrance;

type HttpFuture = BoxFuture<'static, Result<Response<Body>, Infallible>>;

/// The pieces of a request, and who it is from.
fn into_parts((request, peer): (Request<Body>, Peer)) -> (Parts, Body, Peer) {
    let (parts, body) = request.into_parts();
    (parts, body, peer)
}

/// An answer with a JSON body.
fn json(status: u16, content_type: &'static str, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// The headers that go with an error, whatever the binding.
fn error_headers(error: &A2aError, challenges: &[HeaderValue], headers: &mut HeaderMap) {
    if let Some(delay) = error.retry_after() {
        let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    }
    if error.kind() == ErrorKind::Unauthenticated {
        for challenge in challenges {
            headers.append(WWW_AUTHENTICATE, challenge.clone());
        }
    }
}

/// Names the extensions in use for the call.
fn activated(extensions: &Extensions, headers: &mut HeaderMap) {
    if extensions.is_empty() {
        return;
    }
    if let Ok(value) = HeaderValue::from_str(&extensions.to_string()) {
        headers.insert(HeaderName::from_static("a2a-extensions"), value);
    }
}
