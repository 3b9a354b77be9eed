use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Instant;

use a2a_server::binding::{Entrance, ReplyBody};
use a2a_server::{Binding, Incoming, Server};
use a2a_types::operation::{Operation, Visitor};
use a2a_types::prost::Message as _;
use a2a_types::{A2aError, ErrorKind, OperationId};
use bytes::Bytes;
use futures::future::BoxFuture;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use tonic::Status;
use tonic::server::NamedService;
use tower_service::Service;

use super::body::GrpcBody;
use super::read::{self, Refusal};
use crate::to_status;

const GRPC: HeaderValue = HeaderValue::from_static("application/grpc");
static FIRST_EVENT_ID: HeaderName = HeaderName::from_static("first-event-id");

/// The gRPC service `lf.a2a.v1.A2AService` over a server, for somebody else's `tonic` server.
///
/// A server of its own, or one that shares the port with the other bindings, is made with
/// [`ServeGrpc`](super::ServeGrpc). An application that runs this service also serves the agent
/// card (`Server::card_router`), calls `Server::upkeep` before the first request and
/// `Server::shutdown` after the last.
///
/// ```
/// # use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
/// # use a2a_types::AgentCard;
/// # struct Echo;
/// # impl Agent for Echo {
/// #     async fn execute(&self, _: Request, task: TaskHandle) -> Result<(), AgentError> {
/// #         task.complete().await
/// #     }
/// # }
/// let server = Server::builder(Echo)
///     .card(AgentCard::builder("Echo", "Repeats").skill("echo", "Echo", "Repeats"))
///     .public_url("https://echo.example.com")
///     .build()?;
/// let service = a2a_grpc::GrpcService::new(&server).with_max_request_bytes(64 << 20);
/// // tonic::transport::Server::builder().add_service(service)
/// # let _ = service;
/// # Ok::<(), a2a_server::BuildError>(())
/// ```
#[derive(Clone)]
pub struct GrpcService {
    entrance: Entrance,
    sizes: Sizes,
}

/// How large messages may be, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    /// `None`: as large as the body of any other request.
    pub(super) request: Option<usize>,
    /// `None`: of any size.
    pub(super) response: Option<usize>,
}

impl GrpcService {
    /// The service over this server.
    #[must_use]
    pub fn new(server: &Server) -> Self {
        Self::with_sizes(server.entrance(), Sizes::default())
    }

    pub(super) fn with_sizes(entrance: Entrance, sizes: Sizes) -> Self {
        Self { entrance, sizes }
    }

    /// How large a request message may be, in bytes. Default: `Limits::body_bytes` of the server,
    /// as over the other bindings. A larger one is refused with `RESOURCE_EXHAUSTED`.
    #[must_use]
    pub fn with_max_request_bytes(mut self, bytes: usize) -> Self {
        self.sizes.request = Some(bytes);
        self
    }

    /// How large a response message, or an event of a stream, may be, in bytes. Default: of any
    /// size. Instead of a larger one the caller gets `RESOURCE_EXHAUSTED`.
    #[must_use]
    pub fn with_max_response_bytes(mut self, bytes: usize) -> Self {
        self.sizes.response = Some(bytes);
        self
    }

    pub(super) async fn answer<B>(&self, request: Request<B>) -> Response<GrpcBody>
    where
        B: http_body::Body<Data = Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if !is_grpc(&request) {
            return http_status(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        if request.method() != Method::POST {
            return http_status(StatusCode::METHOD_NOT_ALLOWED);
        }
        let (parts, body) = request.into_parts();
        let deadline = match read::deadline(&parts.headers) {
            Ok(deadline) => deadline,
            Err(error) => {
                let incoming = Incoming::malformed(Binding::Grpc, parts.headers, error);
                return self.call(incoming, &parts.extensions, None).await;
            }
        };
        let name = parts.uri.path().rsplit('/').next().unwrap_or_default();
        let incoming = match OperationId::from_name(name) {
            None => Incoming::unknown(Binding::Grpc, parts.headers, name),
            Some(operation) => {
                let limits = self.entrance.limits();
                let most = self.sizes.request.unwrap_or(limits.body_bytes);
                match read::message(body, most, limits.body_time, deadline).await {
                    Ok(message) => operation.visit(Decode {
                        headers: parts.headers,
                        message,
                    }),
                    Err(Refusal::Error(error)) => return self.failure(&error),
                    Err(Refusal::Status(status)) => return trailers_only(&status),
                }
            }
        };
        self.call(incoming, &parts.extensions, deadline).await
    }

    async fn call(
        &self,
        incoming: Incoming,
        connection: &http::Extensions,
        deadline: Option<Instant>,
    ) -> Response<GrpcBody> {
        let mut incoming = incoming.with_connection(connection);
        if let Some(deadline) = deadline {
            incoming = incoming.with_deadline(deadline);
        }
        let reply = match self.entrance.call(incoming).await {
            Ok(reply) => reply,
            Err(error) => return self.failure(&error),
        };
        let mut headers = HeaderMap::with_capacity(3);
        headers.insert(CONTENT_TYPE, GRPC);
        self.entrance.reply_headers(&reply, &mut headers);
        let most = self.sizes.response.unwrap_or(usize::MAX);
        let body = match reply.into_body() {
            ReplyBody::One(answer) => match GrpcBody::one(&*answer, most) {
                Ok(body) => body,
                Err(error) => return self.failure(&error),
            },
            ReplyBody::Stream(events) => {
                if let Some(first) = events.first_sequence() {
                    headers.insert(&FIRST_EVENT_ID, HeaderValue::from(first));
                }
                GrpcBody::stream(events, most, deadline)
            }
        };
        let mut response = Response::new(body);
        *response.headers_mut() = headers;
        response
    }

    fn failure(&self, error: &A2aError) -> Response<GrpcBody> {
        let mut response = trailers_only(&to_status(error));
        self.entrance.error_headers(error, response.headers_mut());
        response
    }
}

impl<B> Service<Request<B>> for GrpcService
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<GrpcBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<GrpcBody>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

impl NamedService for GrpcService {
    const NAME: &'static str = a2a_types::operations::SERVICE;
}

impl std::fmt::Debug for GrpcService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GrpcService")
            .field("sizes", &self.sizes)
            .finish_non_exhaustive()
    }
}

/// Makes a call of the operation that is visited.
struct Decode {
    headers: HeaderMap,
    message: Bytes,
}

impl Visitor for Decode {
    type Output = Incoming;

    fn visit<O: Operation>(self) -> Incoming {
        let request = O::Request::decode(self.message).map_err(|error| {
            A2aError::new(
                ErrorKind::InvalidParams,
                format!("the request of {} cannot be read: {error}", O::ID.name()),
            )
        });
        Incoming::typed::<O>(Binding::Grpc, self.headers, request)
    }
}

/// Whether a request is one of gRPC at all, by its content type.
pub(super) fn is_grpc<B>(request: &Request<B>) -> bool {
    let content_type = request.headers().get(CONTENT_TYPE);
    let rest = content_type.and_then(|value| value.as_bytes().strip_prefix(GRPC.as_bytes()));
    matches!(rest, Some(b"" | [b'+' | b';', ..]))
}

/// The answer to a call of a service that is not here.
pub(super) fn unknown_service<B>(request: &Request<B>) -> Response<GrpcBody> {
    let path = request.uri().path();
    trailers_only(&Status::unimplemented(format!("there is no {path} here")))
}

/// An answer without a status of gRPC, for what is no call.
pub(super) fn http_status(status: StatusCode) -> Response<GrpcBody> {
    let mut response = Response::new(GrpcBody::empty());
    *response.status_mut() = status;
    response
}

/// An answer that is nothing but its status.
fn trailers_only(status: &Status) -> Response<GrpcBody> {
    let mut response = Response::new(GrpcBody::empty());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, GRPC);
    super::body::put_status(status, headers);
    response
}
