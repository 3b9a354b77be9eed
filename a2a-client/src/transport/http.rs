//! What both transports over HTTP need: exchanges with bounds, and errors that say what happened.

use std::error::Error as StdError;
use std::time::{Duration, SystemTime};

use a2a_types::operation::Wire;
use a2a_types::{A2aError, ErrorKind};
use bytes::{Bytes, BytesMut};
use futures::StreamExt as _;
use http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use reqwest::{Client, Request, Response, Url};
use sse_stream::Sse;

use super::sse::SseEvents;
use super::{Answer, Context, Events, Received};
use crate::{Error, Failure};

/// No error of a peer needs more than this; what follows is not read.
const MAX_ERROR_BODY: usize = 1024 * 1024;

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Sends a request and gives the answer if it is one of success.
///
/// `refusal` reads the error out of the body of another answer, if it is an error of the binding.
pub(crate) async fn exchange(
    client: &Client,
    request: Request,
    refusal: impl FnOnce(StatusCode, &[u8]) -> Option<A2aError>,
) -> Result<Response, Error> {
    let place = place(request.url());
    let sent = client.execute(request).await;
    let response = sent.map_err(|error| unreached(&place, error))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let headers = response.headers().clone();
    let body = error_body(response).await;
    Err(unsuccessful(&place, status, &headers, &body, refusal))
}

/// Builds a request; the headers of the context lose against those that the binding needs.
pub(crate) fn request(
    method: Method,
    mut url: Url,
    context: &Context,
    own: impl IntoIterator<Item = (http::HeaderName, HeaderValue)>,
    body: Option<Vec<u8>>,
) -> Request {
    if !context.query.is_empty() {
        url.query_pairs_mut().extend_pairs(&context.query);
    }
    let mut request = Request::new(method, url);
    *request.headers_mut() = context.headers.clone();
    for (name, value) in own {
        request.headers_mut().insert(name, value);
    }
    *request.body_mut() = body.map(Into::into);
    request
}

/// The answer of an operation that has one.
pub(crate) async fn unary<T>(
    response: Response,
    context: &Context,
    decode: fn(&[u8]) -> Result<T, Error>,
) -> Result<Answer<T>, Error> {
    let headers = response.headers().clone();
    let body = body(response, context.max_message_size).await?;
    Ok(Answer::new(decode(&body)?, headers))
}

/// The answer of an operation that streams. A refusal is a plain one, since errors come before the
/// stream begins; so is that of a peer that has only one event.
pub(crate) async fn stream<T: Wire>(
    response: Response,
    context: &Context,
    decode: fn(&[u8]) -> Result<T, Error>,
    decode_event: fn(&str) -> Result<Option<T>, Error>,
) -> Result<Answer<Events<T>>, Error> {
    if is_stream(&response) {
        let headers = response.headers().clone();
        return Ok(Answer::new(
            events(response, context, decode_event),
            headers,
        ));
    }
    let Answer { content, headers } = unary(response, context, decode).await?;
    let event = futures::stream::iter([Ok(Received::new(None, content))]);
    Ok(Answer::new(event.boxed(), headers))
}

/// The whole body, if it is not too large.
pub(crate) async fn body(response: Response, max: usize) -> Result<Bytes, Error> {
    let too_large = || {
        let message = format!("the answer is larger than the limit of {max} bytes");
        Error::new(Failure::Decode, message)
    };
    let announced = response.content_length().unwrap_or(0);
    if usize::try_from(announced).is_ok_and(|announced| announced > max) {
        return Err(too_large());
    }
    let mut chunks = response.bytes_stream();
    let mut body = BytesMut::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(broken)?;
        if body.len() + chunk.len() > max {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// As much of the body as an error can need; an error there is no news.
async fn error_body(response: Response) -> Bytes {
    let mut chunks = response.bytes_stream();
    let mut body = BytesMut::new();
    while let Some(Ok(chunk)) = chunks.next().await {
        body.extend_from_slice(&chunk);
        if body.len() >= MAX_ERROR_BODY {
            break;
        }
    }
    body.freeze()
}

/// Whether the answer is a stream of events.
fn is_stream(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    content_type.is_some_and(|text| {
        let essence = text.split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case("text/event-stream")
    })
}

/// The events of an answer that [is a stream](is_stream). `decode` gives `None` for what is to be
/// passed over.
fn events<T: Wire>(
    response: Response,
    context: &Context,
    decode: fn(&str) -> Result<Option<T>, Error>,
) -> Events<T> {
    let events = SseEvents::new(response, context.max_message_size, context.idle_timeout);
    let next = move |events: Option<SseEvents>| async move {
        let mut events = events?;
        loop {
            let event = match events.next().await? {
                Ok(event) => read_event(event, decode),
                Err(error) => Err(error),
            };
            match event {
                Ok(Some(event)) => return Some((Ok(event), Some(events))),
                Ok(None) => {}
                Err(error) => return Some((Err(error), None)),
            }
        }
    };
    futures::stream::unfold(Some(events), next).boxed()
}

fn read_event<T>(
    event: Sse,
    decode: fn(&str) -> Result<Option<T>, Error>,
) -> Result<Option<Received<T>>, Error> {
    let Some(data) = event.data.filter(|data| !data.is_empty()) else {
        return Ok(None);
    };
    let name = event.event.as_deref().unwrap_or_default();
    if name == "error" {
        return Err(A2aError::from_event(&data).into());
    }
    match decode(&data) {
        Ok(message) => Ok(message.map(|message| Received::new(event.id, message))),
        // The protocol names no events. One with a name of its own that is none of ours, such as
        // a `ping`, is somebody else's.
        Err(error) if !matches!(name, "" | "message") && error.failure() == Failure::Decode => {
            tracing::debug!(name, %error, "skipped an event that is not of the protocol");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

pub(crate) fn unreached(place: &str, error: reqwest::Error) -> Error {
    let error = error.without_url();
    let cause = root_cause(&error);
    let this = if error.is_timeout() {
        Error::new(
            Failure::Timeout,
            format!("no connection to {place} in time"),
        )
    } else if error.is_connect() {
        Error::new(
            Failure::Transport,
            format!("cannot connect to {place}: {cause}"),
        )
    } else if error.is_builder() {
        Error::new(Failure::Request, format!("cannot send to {place}: {cause}"))
    } else {
        Error::new(
            Failure::Transport,
            format!("the connection to {place} broke before an answer: {cause}"),
        )
    };
    match error.is_connect() {
        true => this.with_unsent().with_source(error),
        false => this.with_source(error),
    }
}

/// An error while an answer was read.
pub(super) fn broken(error: reqwest::Error) -> Error {
    let error = error.without_url();
    let message = format!(
        "the connection broke in the middle of the answer: {}",
        root_cause(&error)
    );
    Error::new(Failure::Transport, message).with_source(error)
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// An answer that is no success.
pub(crate) fn unsuccessful(
    place: &str,
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    refusal: impl FnOnce(StatusCode, &[u8]) -> Option<A2aError>,
) -> Error {
    let error = refusal(status, body).or_else(|| plain_refusal(status, body));
    let error = match error {
        Some(error) => Error::from(error),
        None if status.is_redirection() => {
            let target = headers.get(LOCATION).and_then(|value| value.to_str().ok());
            let target = target.unwrap_or("nowhere");
            let message = format!("{place} redirects to {target}; use that address if it is right");
            Error::new(Failure::Transport, message)
        }
        None => {
            let message = format!("{place} answered with no error of the protocol");
            Error::new(Failure::Transport, message)
        }
    };
    let error = error.with_http_status(status.as_u16());
    match retry_after(headers) {
        Some(delay) => error.with_retry_after(delay),
        None => error,
    }
}

/// The error of an answer whose body is none of the binding's: a status can still say it all. A
/// page for humans is no message.
fn plain_refusal(status: StatusCode, body: &[u8]) -> Option<A2aError> {
    if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() {
        return Some(A2aError::from_http(status.as_u16(), body));
    }
    let is_page = body.trim_ascii_start().starts_with(b"<");
    let text = if is_page { &[][..] } else { body };
    let error = A2aError::from_http(status.as_u16(), text);
    (error.kind() != ErrorKind::Unknown).then_some(error)
}

/// Reads `Retry-After`: seconds, or a date (RFC 9110 §10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match text.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let date = httpdate::parse_http_date(text).ok()?;
            Some(
                date.duration_since(SystemTime::now())
                    .unwrap_or(Duration::ZERO),
            )
        }
    }
}

/// An address as it may stand in an error: without user, password and query.
pub(crate) fn place(url: &Url) -> String {
    let mut place = url.clone();
    // Neither can fail for an address that has a host.
    _ = place.set_username("");
    _ = place.set_password(None);
    place.set_query(None);
    place.set_fragment(None);
    place.to_string()
}
