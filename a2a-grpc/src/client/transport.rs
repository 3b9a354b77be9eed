//! The gRPC binding (A2A §10), once for all operations.

use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use a2a_client::{Answer, Context, Error, Events, Failure, Received, StreamExt as _, Transport};
use a2a_types::AgentInterface;
use a2a_types::operation::{Operation, Wire};
use a2a_types::operations::SERVICE;
use http::header::{
    ACCEPT, CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri};
use tonic::Streaming;
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::metadata::MetadataMap;
use tonic_prost::ProstCodec;

use super::Options;
use super::answer::{Checked, FOREVER, Failed, check, error_of};
use super::connection::Connection;

/// The sequence of the first message of a stream; each later one counts one up (D35).
const FIRST_EVENT_ID: &str = "first-event-id";

const AGENT: HeaderValue = HeaderValue::from_static(concat!(
    env!("CARGO_PKG_NAME"),
    "/",
    env!("CARGO_PKG_VERSION")
));

/// Calls an interface over gRPC.
///
/// All calls share one connection, which is made for the first of them and again when it was lost.
/// See the [module](super) for what can be configured.
pub struct GrpcTransport {
    origin: Uri,
    connection: Arc<Connection>,
}

impl GrpcTransport {
    /// The transport for an interface with all [options](Options) at their defaults. It connects
    /// with its first call.
    ///
    /// # Errors
    ///
    /// As [`Options::transport`].
    pub fn for_interface(interface: &AgentInterface) -> Result<Self, Error> {
        Options::new().transport(interface)
    }

    pub(super) fn new(origin: Uri, connection: Arc<Connection>) -> Self {
        Self { origin, connection }
    }

    /// The client of tonic for one call. `idle` is how long the answer may be silent.
    fn client(&self, context: &Context, idle: Option<Duration>) -> Grpc<Channel> {
        let channel = Channel {
            connection: Arc::clone(&self.connection),
            place: self.origin.to_string(),
            idle,
        };
        Grpc::with_origin(channel, self.origin.clone())
            .max_decoding_message_size(context.max_message_size)
    }
}

impl Transport for GrpcTransport {
    async fn unary<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<O::Response>, Error> {
        let mut request = outgoing(request, context)?;
        if let Some(timeout) = context.timeout {
            request.set_timeout(timeout.min(FOREVER));
        }
        let codec = ProstCodec::<O::Request, O::Response>::default();
        let mut client = self.client(context, None);
        let answer = client.unary(request, path::<O>()?, codec).await;
        let answer = answer.map_err(|status| error_of(&status, context.max_message_size))?;
        let (metadata, message, _) = answer.into_parts();
        Ok(Answer::new(message, metadata.into_headers()))
    }

    async fn stream<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<Events<O::Response>>, Error> {
        let request = outgoing(request, context)?;
        let codec = ProstCodec::<O::Request, O::Response>::default();
        let mut client = self.client(context, Some(context.idle_timeout));
        let answer = client.server_streaming(request, path::<O>()?, codec).await;
        let answer = answer.map_err(|status| error_of(&status, context.max_message_size))?;
        let (metadata, messages, _) = answer.into_parts();
        let headers = metadata.into_headers();
        let events = events(messages, first_id(&headers), context.max_message_size);
        Ok(Answer::new(events, headers))
    }

    fn address(&self) -> Option<String> {
        Some(self.origin.to_string())
    }
}

impl fmt::Debug for GrpcTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GrpcTransport")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

fn path<O: Operation>() -> Result<PathAndQuery, Error> {
    let path = format!("/{SERVICE}/{}", O::ID.name());
    PathAndQuery::try_from(path)
        .map_err(|error| Error::new(Failure::Request, "that is no method").with_source(error))
}

/// The request with its metadata.
fn outgoing<R: Wire>(request: &R, context: &Context) -> Result<tonic::Request<R>, Error> {
    let mut headers = context.headers.clone();
    // These speak of a body in HTTP/1.1, or of one in JSON.
    for name in [
        ACCEPT,
        CONNECTION,
        CONTENT_LENGTH,
        HOST,
        TRANSFER_ENCODING,
        UPGRADE,
    ] {
        headers.remove(name);
    }
    // There is no query. A key that belongs there goes where all others are.
    for (name, value) in &context.query {
        let name = HeaderName::try_from(name.as_str());
        let value = HeaderValue::try_from(value.as_str());
        let (Ok(name), Ok(mut value)) = (name, value) else {
            let message = "a credential of the query cannot travel as metadata";
            return Err(Error::new(Failure::Request, message));
        };
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers.entry(USER_AGENT).or_insert(AGENT);
    let mut outgoing = tonic::Request::new(request.clone());
    *outgoing.metadata_mut() = MetadataMap::from_headers(headers);
    Ok(outgoing)
}

fn first_id(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(FIRST_EVENT_ID)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// The messages of a stream with their ids, up to the first error.
fn events<T: Wire>(messages: Streaming<T>, first_id: Option<u64>, max: usize) -> Events<T> {
    let next = move |state: Option<(Streaming<T>, Option<u64>)>| async move {
        let (mut messages, id) = state?;
        match messages.message().await {
            Ok(Some(message)) => {
                let event = Received::new(id.map(|id| id.to_string()), message);
                let next_id = id.and_then(|id| id.checked_add(1));
                Some((Ok(event), Some((messages, next_id))))
            }
            Ok(None) => None,
            Err(status) => Some((Err(error_of(&status, max)), None)),
        }
    };
    let events = futures::stream::unfold(Some((messages, first_id)), next);
    // An event of a later version of the protocol (A2A §5.7).
    let known = |event: &Result<Received<T>, Error>| {
        let empty = matches!(event, Ok(event) if event.message == T::default());
        ready(!empty)
    };
    events.filter(known).boxed()
}

/// The connection as tonic wants to see it.
#[derive(Clone)]
struct Channel {
    connection: Arc<Connection>,
    place: String,
    idle: Option<Duration>,
}

impl tower_service::Service<Request<Body>> for Channel {
    type Response = Response<Checked>;
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Failed>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut TaskContext<'_>) -> Poll<Result<(), Failed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Self {
            connection,
            place,
            idle,
        } = self.clone();
        Box::pin(async move {
            let response = connection.send(request).await?;
            Ok(check(response, &place, idle)?)
        })
    }
}
