//! JSON-RPC 2.0 over HTTP (A2A §9).

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use a2a_types::{A2aError, OperationId, json, media};
use axum::body::Body as HttpBody;
use bytes::Bytes;
use http::header::{ALLOW, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use tower::Service;

use super::body::{self, Emptiness};
use super::sse::{self, Framing};
use super::{HttpFuture, Shared, activated, error_headers, into_parts};
use crate::context::Binding;
use crate::pipeline::{Envelope, Incoming, Named, Params, Peer, ReplyBody};

/// The endpoint.
#[derive(Clone)]
pub(crate) struct JsonRpc(pub(crate) Arc<Shared>);

impl JsonRpc {
    pub(crate) fn answer(&self, request: Request<HttpBody>, peer: Peer) -> HttpFuture {
        let shared = Arc::clone(&self.0);
        // Boxed: a future has room for each place that what it is given is moved to.
        let request = Box::new((request, peer));
        Box::pin(async move { Ok(answer(&shared, request).await) })
    }
}

impl Service<Request<HttpBody>> for JsonRpc {
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
    if parts.method != Method::POST {
        let error = A2aError::method_not_allowed(&parts.method, "POST");
        let mut response = failure(&error, "null", shared);
        *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        response
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    let Shared {
        limits,
        compression,
        ..
    } = shared;
    let body = match body::read(
        &parts.headers,
        body,
        Emptiness::Forbidden,
        limits,
        *compression,
    )
    .await
    {
        Ok(body) => body,
        Err(error) => return failure(&error, "null", shared),
    };
    let Read { id, envelope } = read(&body);
    // The connection reads on into the same buffer once nobody has a part of it.
    drop(body);
    let notification = id.is_none() && envelope.is_ok();
    let envelope = match envelope {
        // Every method has an answer, so a call that wants none is not carried out; its caller
        // still has to be known.
        Ok(_) if notification => Err(A2aError::invalid_request("a notification")),
        envelope => envelope,
    };
    let incoming = Incoming::new(Binding::JsonRpc, parts.headers, envelope)
        .with_query(parts.uri.query())
        .with_peer(peer);
    let id = id.unwrap_or_else(|| "null".to_owned());
    let reply = match shared.calls.call(incoming).await {
        Ok(reply) => reply,
        Err(error) if notification && error.kind() == a2a_types::ErrorKind::InvalidRequest => {
            let mut response = Response::new(HttpBody::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            return response;
        }
        Err(error) => return failure(&error, &id, shared),
    };
    let mut response = match reply.body {
        ReplyBody::Stream(events) => sse::response(events, Framing::JsonRpc(id), shared.pace),
        ReplyBody::One(answer) => {
            let mut out = envelope_start(&id, "result");
            if let Err(error) = answer.write_json(&mut out) {
                return failure(&error, &id, shared);
            }
            out.push(b'}');
            super::json(200, media::JSON, out)
        }
    };
    activated(&reply.activated, response.headers_mut());
    response
}

fn failure(error: &A2aError, id: &str, shared: &Shared) -> Response<HttpBody> {
    let object = error.to_jsonrpc();
    let mut out = envelope_start(id, "error");
    // An error that cannot be written would only be an empty text here.
    let _ = json::write_to(&object, &mut out);
    out.push(b'}');
    let mut response = super::json(object.http_status(), media::JSON, out);
    error_headers(error, &shared.challenges, response.headers_mut());
    response
}

fn envelope_start(id: &str, member: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    for piece in ["{\"jsonrpc\":\"2.0\",\"id\":", id, ",\"", member, "\":"] {
        out.extend_from_slice(piece.as_bytes());
    }
    out
}

/// What a body says.
struct Read {
    /// The id as it was written: numbers of any size come back unchanged. `None` when absent, and
    /// `null` when it cannot be told.
    id: Option<String>,
    envelope: Result<Envelope, A2aError>,
}

/// The members of a call, unread. Unknown ones are ignored.
#[derive(Deserialize)]
struct Raw<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
}

/// Keeps `null` apart from absent.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn read(body: &Bytes) -> Read {
    let refuse = |error| Read {
        id: Some("null".to_owned()),
        envelope: Err(error),
    };
    // Only text that is JSON to its end can be a wrong request.
    let wrong = |problem: &str| match serde_json::from_slice::<&RawValue>(body) {
        Ok(_) => refuse(A2aError::invalid_request(problem)),
        Err(error) => refuse(A2aError::parse_error(error)),
    };
    match first_byte(body) {
        Some(b'{') => {}
        Some(b'[') => return wrong("batches are not supported; send one call"),
        _ => return wrong("a call is an object"),
    }
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => return refuse(A2aError::parse_error(error)),
    };
    let raw: Raw<'_> = match serde_json::from_str(text) {
        Ok(raw) => raw,
        Err(error) if error.is_data() => return wrong("a member is given twice"),
        Err(error) => return refuse(A2aError::parse_error(error)),
    };
    let id = match raw.id.map(RawValue::get) {
        None => None,
        Some(id) if is_id(id) => Some(id.to_owned()),
        Some(_) => {
            let problem = "id must be a string, a whole number or null";
            return refuse(A2aError::invalid_request(problem));
        }
    };
    let envelope = envelope(&raw, body);
    // What is no call at all still gets an answer.
    let id = if envelope.is_err() {
        id.or_else(|| Some("null".to_owned()))
    } else {
        id
    };
    Read { id, envelope }
}

fn envelope(raw: &Raw<'_>, body: &Bytes) -> Result<Envelope, A2aError> {
    if text(raw.jsonrpc).as_deref() != Some("2.0") {
        return Err(A2aError::invalid_request("jsonrpc must be \"2.0\""));
    }
    let Some(method) = text(raw.method) else {
        return Err(A2aError::invalid_request("method must be a string"));
    };
    let params = raw
        .params
        .map(RawValue::get)
        .filter(|params| *params != "null");
    let params = params.map(|params| body.slice_ref(params.as_bytes()));
    Ok(Envelope {
        operation: match OperationId::from_name(&method) {
            Some(id) => Named::Id(id),
            None => Named::Text(method.into_owned()),
        },
        params: Params::Json(params),
    })
}

/// The value as text, if it is a string.
fn text(value: Option<&RawValue>) -> Option<Cow<'_, str>> {
    let json = value?.get();
    match json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(plain) if !plain.contains('\\') => Some(plain.into()),
        _ => serde_json::from_str::<String>(json).ok().map(Cow::from),
    }
}

fn first_byte(body: &[u8]) -> Option<u8> {
    body.trim_ascii_start().first().copied()
}

/// A string, an integer of any size, or `null`.
fn is_id(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    raw == "null" || raw.starts_with('"') || digits.bytes().all(|b| b.is_ascii_digit())
}
