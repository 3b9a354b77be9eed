//! The JSON-RPC binding (A2A §9), once for all operations.

use std::sync::atomic::{AtomicU64, Ordering};

use a2a_types::operation::{Operation, Wire};
use a2a_types::{A2aError, json};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use reqwest::{Client, Response, Url};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answer, Context, Events, Transport, http as web};
use crate::{Error, Failure, card};

const ACCEPT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream, application/json");

/// Calls an interface over JSON-RPC.
pub(crate) struct JsonRpc {
    client: Client,
    url: Url,
    next_id: AtomicU64,
}

impl JsonRpc {
    pub(crate) fn new(client: Client, url: Url) -> Self {
        Self {
            client,
            url,
            next_id: AtomicU64::new(1),
        }
    }

    async fn post<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
        accept: HeaderValue,
    ) -> Result<Response, Error> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed).to_string();
        let call = Call {
            jsonrpc: "2.0",
            id: &id,
            method: O::ID.name(),
            params: request,
        };
        let body = json::to_vec(&call).map_err(|error| {
            Error::new(Failure::Request, "the request cannot be written as JSON").with_source(error)
        })?;
        let own = [(CONTENT_TYPE, web::JSON), (ACCEPT, accept)];
        let request = web::request(Method::POST, self.url.clone(), context, own, Some(body));
        web::exchange(&self.client, request, refusal).await
    }
}

impl Transport for JsonRpc {
    async fn unary<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<O::Response>, Error> {
        let response = self.post::<O>(request, context, web::JSON).await?;
        web::unary(response, context, answer).await
    }

    async fn stream<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<Events<O::Response>>, Error> {
        let response = self.post::<O>(request, context, ACCEPT_STREAM).await?;
        web::stream(response, context, answer, event).await
    }
}

#[derive(Serialize)]
struct Call<'a, T> {
    jsonrpc: &'a str,
    id: &'a str,
    method: &'a str,
    params: &'a T,
}

/// The id is not looked at: over HTTP an answer belongs to its request, and some peers change the
/// id.
#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Envelope<T> {
    result: Option<T>,
    error: Option<Value>,
}

/// The error in an answer with a status that is no success.
pub(crate) fn refusal(status: StatusCode, body: &[u8]) -> Option<A2aError> {
    let answer: Envelope<IgnoredAny> = serde_json::from_slice(body).ok()?;
    let error = answer.error.filter(Value::is_object)?;
    Some(A2aError::from_jsonrpc(&error, Some(status.as_u16())))
}

pub(crate) fn answer<T: Wire>(body: &[u8]) -> Result<T, Error> {
    let answer: Envelope<T> = match json::from_slice(body) {
        Ok(answer) => answer,
        Err(error) => {
            return card::repaired(body, "/result").ok_or_else(|| {
                Error::invalid_answer(format!("cannot read the JSON-RPC answer: {error}"))
                    .with_source(error)
            });
        }
    };
    match answer {
        Envelope {
            error: Some(error), ..
        } => Err(A2aError::from_jsonrpc(&error, None).into()),
        Envelope {
            result: Some(message),
            ..
        } => Ok(message),
        // `null` and nothing at all are as good as an empty object.
        _ if T::FIELDS.is_empty() => Ok(T::default()),
        _ => Err(neither::<T>(body)),
    }
}

pub(crate) fn event<T: Wire>(data: &str) -> Result<Option<T>, Error> {
    let message: T = answer(data.as_bytes())?;
    // An event of a later version of the protocol (A2A §5.7).
    Ok((message != T::default()).then_some(message))
}

#[cold]
fn neither<T: Wire>(body: &[u8]) -> Error {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let bare = T::FIELDS
        .iter()
        .any(|field| value.get(field.json_name).is_some());
    Error::invalid_answer(match bare {
        true => "the JSON-RPC answer is a bare message, as the HTTP+JSON binding sends it",
        false => "the JSON-RPC answer has neither a result nor an error",
    })
}
