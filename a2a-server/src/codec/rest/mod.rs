//! HTTP+JSON (A2A §11).

mod matcher;

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use a2a_types::{A2aError, OperationId, json, media};
use axum::body::Body as HttpBody;
use http::header::{
    ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, VARY,
};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use serde_json::value::RawValue;
use tower::Service;

use self::matcher::Matched;
use super::body::{self, Emptiness};
use super::sse::{self, Framing};
use super::{HttpFuture, Shared, activated, error_headers, into_parts};
use crate::card;
use crate::context::Binding;
use crate::pipeline::{Envelope, Incoming, Named, Params, Peer, ReplyBody};

/// All routes of the binding. A request for any other path gets a 404 with an A2A body.
#[derive(Clone)]
pub(crate) struct Rest(pub(crate) Arc<Shared>);

impl Rest {
    pub(crate) fn answer(&self, request: Request<HttpBody>, peer: Peer) -> HttpFuture {
        let shared = Arc::clone(&self.0);
        // Boxed: a future has room for each place that what it is given is moved to.
        let request = Box::new((request, peer));
        Box::pin(async move { Ok(answer(&shared, request).await) })
    }
}

impl Service<Request<HttpBody>> for Rest {
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = HttpFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<HttpBody>) -> HttpFuture {
        let peer = Peer::of(request.extensions());
        self.answer(request, peer)
    }
}

async fn answer(shared: &Shared, request: Box<(Request<HttpBody>, Peer)>) -> Response<HttpBody> {
    let (parts, body, peer) = into_parts(*request);
    let types = Types::of(&parts.headers);
    let (operation, path) = match matcher::find(&parts.method, parts.uri.path()) {
        Matched::Operation(operation, path) => (operation, path),
        Matched::Undecodable(name) => {
            let error = A2aError::invalid_param(name, "the path does not hold UTF-8");
            return failure(&error, &types, shared);
        }
        Matched::WrongVerb(allowed) => {
            let allowed = allowed.join(", ");
            let error = A2aError::method_not_allowed(&parts.method, &allowed);
            let mut response = failure(&error, &types, shared);
            if let Ok(allowed) = HeaderValue::from_str(&allowed) {
                response.headers_mut().insert(ALLOW, allowed);
            }
            return response;
        }
        Matched::Nothing => {
            let route = format!("{} {}", parts.method, parts.uri.path());
            return failure(&A2aError::method_not_found(route), &types, shared);
        }
    };
    let body = match parts.method {
        Method::POST => {
            let Shared {
                limits,
                compression,
                ..
            } = shared;
            let emptiness = Emptiness::Allowed;
            match body::read(&parts.headers, body, emptiness, limits, *compression).await {
                Ok(body) => Some(body),
                Err(error) => return failure(&error, &types, shared),
            }
        }
        _ => None,
    };
    // Whether it is JSON at all is told before anything else, as over JSON-RPC.
    let syntax = match body.as_deref().map(<[u8]>::trim_ascii) {
        None | Some(b"") => Ok(()),
        Some(text) => serde_json::from_slice::<&RawValue>(text).map(|_| ()),
    };
    // The versions of the answer that the client has.
    let held: Vec<_> = parts
        .headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .cloned()
        .collect();
    let params = Params::Http {
        body,
        query: parts.uri.query().unwrap_or_default().to_owned(),
        path,
    };
    let envelope = syntax.map_err(A2aError::parse_error).map(|()| Envelope {
        operation: Named::Id(operation),
        params,
    });
    let incoming = Incoming::new(Binding::HttpJson, parts.headers, envelope)
        .with_query(parts.uri.query())
        .with_peer(peer);
    let reply = match shared.calls.call(incoming).await {
        Ok(reply) => reply,
        Err(error) => return failure(&error, &types, shared),
    };
    let mut response = match reply.body {
        ReplyBody::Stream(events) => sse::response(events, Framing::Bare, shared.pace),
        ReplyBody::One(answer) => {
            let mut out = Vec::with_capacity(1024);
            if let Err(error) = answer.write_json(&mut out) {
                return failure(&error, &types, shared);
            }
            if operation == OperationId::GetExtendedAgentCard {
                private_card(out, types.success, &held)
            } else {
                super::json(200, types.success, out)
            }
        }
    };
    activated(&reply.activated, response.headers_mut());
    response
}

/// The extended card belongs to its reader alone (A2A §13.3).
fn private_card(
    card: Vec<u8>,
    content_type: &'static str,
    held: &[HeaderValue],
) -> Response<HttpBody> {
    let etag = card::etag(&card);
    let mut response = if card::names(held, &etag) {
        let mut response = Response::new(HttpBody::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        super::json(200, content_type, card)
    };
    let headers = response.headers_mut();
    headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("private, max-age=60"),
    );
    headers.insert(VARY, HeaderValue::from_static("Authorization"));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(ETAG, etag);
    }
    response
}

fn failure(error: &A2aError, types: &Types, shared: &Shared) -> Response<HttpBody> {
    let object = error.to_http();
    let body = json::to_vec(&object).unwrap_or_default();
    let mut response = super::json(object.status(), types.error, body);
    error_headers(error, &shared.challenges, response.headers_mut());
    response
}

/// The content types of the answer, as the request wants them.
struct Types {
    success: &'static str,
    error: &'static str,
}

impl Types {
    fn of(headers: &HeaderMap) -> Self {
        fn text(value: &HeaderValue) -> Option<&str> {
            value.to_str().ok()
        }
        let accept = headers.get_all(ACCEPT).iter().filter_map(text);
        let content_type = headers.get(CONTENT_TYPE).and_then(text);
        let named = media::negotiate(accept, content_type);
        Self {
            success: named.unwrap_or(media::A2A_JSON),
            error: named.unwrap_or(media::JSON),
        }
    }
}
