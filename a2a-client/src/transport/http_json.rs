//! The HTTP+JSON binding (A2A §11), once for all operations.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use a2a_types::operation::{Body, HttpMethod, HttpRule, Operation, Request, Segment, Spec, Wire};
use a2a_types::{A2aError, ErrorKind, OperationId, json};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Response, Url};
use serde_json::Value;

use super::{Answer, Context, Events, Transport, http as web};
use crate::{Error, Failure, card};

const A2A_JSON: HeaderValue = HeaderValue::from_static("application/a2a+json");
const ACCEPT_JSON: HeaderValue =
    HeaderValue::from_static("application/a2a+json, application/json;q=0.9");
const ACCEPT_STREAM: HeaderValue =
    HeaderValue::from_static("text/event-stream, application/a2a+json, application/json;q=0.9");

/// One segment of a path may hold only these as they are (RFC 3986 §2.3).
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The verb with which a subscription over HTTP+JSON is tried first. The specification has both;
/// the other one is tried when a peer does not know the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubscribeVerb {
    /// As the text of the specification has it. Every known server takes it.
    #[default]
    Post,
    /// As the proto has it.
    Get,
}

/// The content type with which requests over HTTP+JSON are tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestType {
    /// `application/a2a+json`; with a peer that refuses it, `application/json`.
    #[default]
    A2aJson,
    /// `application/json`.
    Json,
}

/// Calls an interface over HTTP+JSON.
pub(crate) struct HttpJson {
    client: Client,
    base: Url,
    first_verb: SubscribeVerb,
    /// The verb that is known to work here; [`UNKNOWN`] until one did.
    verb: AtomicU8,
    /// Whether the peer refused our content type.
    plain_json: AtomicBool,
}

const UNKNOWN: u8 = 0;
const POST: u8 = 1;
const GET: u8 = 2;

impl HttpJson {
    pub(crate) fn new(
        client: Client,
        base: Url,
        first_verb: SubscribeVerb,
        first_type: RequestType,
    ) -> Self {
        Self {
            client,
            base,
            first_verb,
            verb: AtomicU8::new(UNKNOWN),
            plain_json: AtomicBool::new(first_type == RequestType::Json),
        }
    }

    /// Subscribes with the verb that the peer understands.
    async fn subscribe<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Response, Error> {
        let known = self.verb.load(Ordering::Relaxed);
        let first = match (known, self.first_verb) {
            (POST, _) | (UNKNOWN, SubscribeVerb::Post) => POST,
            _ => GET,
        };
        let result = self.send::<O>(request, context, ACCEPT_STREAM, first).await;
        if known != UNKNOWN {
            return result;
        }
        let routes = |result: &Result<Response, Error>| match result {
            Ok(_) => true,
            Err(error) => !is_unrouted(error) && error.http_status().is_some(),
        };
        // Some servers take `GET /tasks/x:subscribe` for a task with the id `x:subscribe`.
        let mistaken = first == GET
            && matches!(&result, Err(error) if error.kind() == Some(ErrorKind::TaskNotFound));
        if routes(&result) && !mistaken {
            self.verb.store(first, Ordering::Relaxed);
            return result;
        }
        let unrouted = matches!(&result, Err(error) if is_unrouted(error));
        if !unrouted && !mistaken {
            return result;
        }
        let other = if first == POST { GET } else { POST };
        let retried = self.send::<O>(request, context, ACCEPT_STREAM, other).await;
        if routes(&retried) {
            self.verb.store(other, Ordering::Relaxed);
        }
        retried
    }

    /// Sends with the content type that the peer understands.
    async fn send<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
        accept: HeaderValue,
        verb: u8,
    ) -> Result<Response, Error> {
        let plain = self.plain_json.load(Ordering::Relaxed);
        let content_type = if plain { web::JSON } else { A2A_JSON };
        let result = self
            .attempt::<O>(request, context, accept.clone(), verb, content_type)
            .await;
        // Refused before it was processed, so that even a send may be repeated.
        if plain || !matches!(&result, Err(error) if refuses_type(error)) {
            return result;
        }
        let retried = self
            .attempt::<O>(request, context, accept, verb, web::JSON)
            .await;
        if !matches!(&retried, Err(error) if refuses_type(error)) {
            self.plain_json.store(true, Ordering::Relaxed);
        }
        retried
    }

    async fn attempt<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
        accept: HeaderValue,
        verb: u8,
        content_type: HeaderValue,
    ) -> Result<Response, Error> {
        let rule = rule(O::ID.spec(), !request.tenant().is_empty())?;
        let mut url = self.base.clone();
        let bound = bind(rule, request, &mut url)?;
        let mut method = match rule.method {
            HttpMethod::Post => Method::POST,
            HttpMethod::Delete => Method::DELETE,
            _ => Method::GET,
        };
        let mut body = match rule.body {
            Body::Whole => Some(whole(request, &bound)?),
            Body::None => {
                add_query(&mut url, &json::to_query(request, &bound));
                None
            }
        };
        if method == Method::GET && verb == POST {
            method = Method::POST;
            body = Some(b"{}".to_vec());
        }
        let own = [(ACCEPT, accept)].into_iter();
        let own = own.chain(body.is_some().then_some((CONTENT_TYPE, content_type)));
        let request = web::request(method, url, context, own, body);
        web::exchange(&self.client, request, refusal).await
    }
}

impl Transport for HttpJson {
    async fn unary<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<O::Response>, Error> {
        let response = self
            .send::<O>(request, context, ACCEPT_JSON, UNKNOWN)
            .await?;
        web::unary(response, context, answer).await
    }

    async fn stream<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<Events<O::Response>>, Error> {
        let response = match O::ID {
            OperationId::SubscribeToTask => self.subscribe::<O>(request, context).await?,
            _ => {
                self.send::<O>(request, context, ACCEPT_STREAM, UNKNOWN)
                    .await?
            }
        };
        web::stream(response, context, answer, event).await
    }
}

/// The form of the operation: the one with the tenant in the path, if there is a tenant.
fn rule(spec: &'static Spec, tenant: bool) -> Result<&'static HttpRule, Error> {
    let has_tenant = |rule: &HttpRule| rule.segments.contains(&Segment::Field("tenant"));
    let rule = spec.http.iter().find(|rule| has_tenant(rule) == tenant);
    rule.ok_or_else(|| {
        let message = format!("{} has no form over HTTP+JSON", spec.name);
        Error::new(Failure::Request, message)
    })
}

/// Appends the path of the rule to that of the interface; gives the fields that are in it.
fn bind<R: Request>(
    rule: &HttpRule,
    request: &R,
    url: &mut Url,
) -> Result<Vec<&'static str>, Error> {
    let mut path = url.path().trim_end_matches('/').to_owned();
    let mut bound = Vec::new();
    for segment in rule.segments {
        path.push('/');
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Field(name) => {
                let value = request.path_value(name).unwrap_or_default();
                path.extend(utf8_percent_encode(value, SEGMENT));
                bound.push(*name);
                // Every URL parser takes these for a step up, however they are encoded.
                if matches!(value, "." | "..") && !is_suffixed(rule, segment) {
                    let message = format!("{name} {value:?} cannot be in the path of a URL");
                    return Err(Error::new(Failure::Request, message));
                }
            }
        }
    }
    if let Some(verb) = rule.verb {
        path.push(':');
        path.push_str(verb);
    }
    url.set_path(&path);
    Ok(bound)
}

/// Whether a verb follows the segment, so that it is more than its value.
fn is_suffixed(rule: &HttpRule, segment: &Segment) -> bool {
    rule.verb.is_some() && rule.segments.last() == Some(segment)
}

/// The body: everything that is not in the path (A2A §11.3).
fn whole<R: Request>(request: &R, bound: &[&str]) -> Result<Vec<u8>, Error> {
    let unwritable = |error: Box<dyn std::error::Error + Send + Sync>| {
        Error::new(Failure::Request, "the request cannot be written as JSON").with_source(error)
    };
    if bound.is_empty() {
        return json::to_vec(request).map_err(|error| unwritable(error.into()));
    }
    let mut value = serde_json::to_value(request).map_err(|error| unwritable(error.into()))?;
    if let Value::Object(object) = &mut value {
        for field in R::FIELDS.iter().filter(|field| bound.contains(&field.name)) {
            object.remove(field.json_name);
        }
    }
    serde_json::to_vec(&value).map_err(|error| unwritable(error.into()))
}

/// Adds to the query that the interface's address may already have.
fn add_query(url: &mut Url, query: &str) {
    let query = match url.query() {
        _ if query.is_empty() => return,
        Some(own) if !own.is_empty() => format!("{own}&{query}"),
        _ => query.to_owned(),
    };
    url.set_query(Some(&query));
}

pub(crate) fn refusal(status: StatusCode, body: &[u8]) -> Option<A2aError> {
    let value: Value = serde_json::from_slice(body).ok()?;
    value
        .is_object()
        .then(|| A2aError::from_http(status.as_u16(), body))
}

/// Whether the peer has no such route: an answer of the protocol would give a reason.
fn is_unrouted(error: &Error) -> bool {
    matches!(error.http_status(), Some(404 | 405 | 501))
        && error.kind().and_then(ErrorKind::reason).is_none()
}

fn refuses_type(error: &Error) -> bool {
    let kind = error.kind();
    let refused = matches!(
        kind,
        Some(ErrorKind::ContentTypeNotSupported | ErrorKind::UnsupportedMediaType)
    );
    match error.http_status() {
        Some(415) => true,
        Some(400) => refused,
        _ => false,
    }
}

pub(crate) fn answer<T: Wire>(body: &[u8]) -> Result<T, Error> {
    if T::FIELDS.is_empty() && body.trim_ascii().is_empty() {
        return Ok(T::default());
    }
    let message = json::from_slice(body).or_else(|error| card::repaired(body, "").ok_or(error));
    let nothing = message
        .as_ref()
        .map_or(true, |message| *message == T::default());
    if nothing && let Some(error) = stranger(body) {
        return Err(error);
    }
    message.map_err(|error| {
        Error::invalid_answer(format!("cannot read the HTTP+JSON answer: {error}"))
            .with_source(error)
    })
}

pub(crate) fn event<T: Wire>(data: &str) -> Result<Option<T>, Error> {
    let message: T = answer(data.as_bytes())?;
    // An event of a later version of the protocol (A2A §5.7).
    Ok((message != T::default()).then_some(message))
}

/// What an answer is that says nothing a message can say.
#[cold]
fn stranger(body: &[u8]) -> Option<Error> {
    let value: Value = serde_json::from_slice(body).ok()?;
    if value.get("jsonrpc").is_some() {
        let message = "the HTTP+JSON answer is in an envelope, as the JSON-RPC binding sends it";
        return Some(Error::invalid_answer(message));
    }
    let is = |name: &str, holds: fn(&Value) -> bool| value.get(name).is_some_and(holds);
    let Some(error) = value.get("error").filter(|error| !error.is_null()) else {
        // In a stream the Rust crates of the project write what would be an error in JSON-RPC.
        let bare = is("code", Value::is_i64) && is("message", Value::is_string);
        return bare.then(|| A2aError::from_jsonrpc(&value, None).into());
    };
    let status = error.get("code").and_then(Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    Some(A2aError::from_http(status.unwrap_or(500), body).into())
}
