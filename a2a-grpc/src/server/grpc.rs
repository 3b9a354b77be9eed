use std::fmt;
use std::net::SocketAddr;

use a2a_server::binding::{Entrance, HttpAnswer, MountedBinding};
use a2a_server::{Binding, BuildError, ServerBuilder};
use a2a_types::operations::SERVICE;
use axum::body::Body;
use axum::extract::Request;
use http::{StatusCode, Uri, Version};

use super::service::{GrpcService, Sizes, http_status, is_grpc, unknown_service};

/// gRPC as a server serves it; see [`ServeGrpc::grpc`].
///
/// The card names the host and the port alone (`agent.example.com:443`), the form that every
/// known client reads. Where that would not say that TLS is meant, on a loopback address, and
/// where [`advertise_as_url`](Self::advertise_as_url) asks for it, the card has a URL instead.
#[derive(Clone, Default)]
#[must_use = "it does nothing before it is given to `ServerBuilder::grpc`"]
pub struct Grpc {
    address: Option<SocketAddr>,
    url: Option<String>,
    form: Form,
    sizes: Sizes,
    #[cfg(any(feature = "health", feature = "reflection"))]
    beside: super::beside::Beside,
    #[cfg(feature = "web")]
    web: bool,
}

/// How the card writes the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    #[default]
    HostPort,
    Url,
}

/// Adds gRPC to a server.
pub trait ServeGrpc: Sized {
    /// Serves gRPC besides the other bindings, on the same listener.
    #[must_use]
    fn grpc(self, grpc: Grpc) -> Self;
}

impl ServeGrpc for ServerBuilder {
    fn grpc(self, grpc: Grpc) -> Self {
        self.mount_binding(grpc)
    }
}

impl Grpc {
    /// With all settings at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Listens on an address of its own. By default gRPC shares the listener of the server, which
    /// tells HTTP/2 from HTTP/1.1 by itself.
    pub fn own_address(self, address: impl Into<SocketAddr>) -> Self {
        Self {
            address: Some(address.into()),
            ..self
        }
    }

    /// What the card names as the address, such as `grpc.example.com:443` or a URL: where a proxy
    /// stands before the server. By default it is made of the server's own address.
    pub fn advertise(self, url: impl Into<String>) -> Self {
        Self {
            url: Some(url.into()),
            ..self
        }
    }

    /// Writes a URL, such as `https://agent.example.com`, into the card.
    pub fn advertise_as_url(self) -> Self {
        Self {
            form: Form::Url,
            ..self
        }
    }

    /// How large a request message may be, in bytes. Default: `Limits::body_bytes` of the server,
    /// as over the other bindings. A larger one is refused with `RESOURCE_EXHAUSTED`.
    pub fn max_request_bytes(mut self, bytes: usize) -> Self {
        self.sizes.request = Some(bytes);
        self
    }

    /// How large a response message, or an event of a stream, may be, in bytes. Default: of any
    /// size. Instead of a larger one the caller gets `RESOURCE_EXHAUSTED`.
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.sizes.response = Some(bytes);
        self
    }

    /// Serves the health protocol (`grpc.health.v1.Health`) besides.
    #[cfg(feature = "health")]
    pub fn health(mut self) -> Self {
        self.beside.add_health();
        self
    }

    /// Serves reflection (`grpc.reflection.v1` and `v1alpha`) besides: tools such as grpcurl then
    /// need no copy of the proto.
    #[cfg(feature = "reflection")]
    pub fn reflection(mut self) -> Self {
        self.beside.add_reflection();
        self
    }

    /// Also answers gRPC-Web, the form of gRPC that browsers can speak. Pages of other origins
    /// need `ServerBuilder::cors` besides.
    #[cfg(feature = "web")]
    pub fn web(mut self) -> Self {
        self.web = true;
        self
    }
}

impl MountedBinding for Grpc {
    fn binding(&self) -> Binding {
        Binding::Grpc
    }

    fn check(&self, public_url: Option<&str>) -> Result<(), BuildError> {
        let (None, Some(public)) = (&self.url, public_url) else {
            return Ok(());
        };
        if self.address.is_some() {
            return Err(BuildError::new(
                "the public address of gRPC on a listener of its own is not known: set \
                 `Grpc::advertise`",
            ));
        }
        match public.parse::<Uri>() {
            Ok(uri) if !matches!(uri.path(), "" | "/") => Err(BuildError::new(format!(
                "gRPC has no paths, but the public URL is {public}: set `Grpc::advertise` to the \
                 address at whose root it is reached"
            ))),
            _ => Ok(()),
        }
    }

    fn url(&self, base: &str) -> String {
        if let Some(url) = &self.url {
            return url.clone();
        }
        let Ok(uri) = base.parse::<Uri>() else {
            return base.to_owned();
        };
        let scheme = uri.scheme_str().unwrap_or("http");
        let tls = scheme == "https";
        let host = uri.host().unwrap_or_default();
        let port = uri.port_u16().unwrap_or(if tls { 443 } else { 80 });
        match self.form {
            Form::HostPort if !(tls && is_loopback(host)) => format!("{host}:{port}"),
            _ => format!("{scheme}://{host}:{port}"),
        }
    }

    fn own_address(&self) -> Option<SocketAddr> {
        self.address
    }

    fn paths(&self) -> Vec<String> {
        let paths = vec![SERVICE.to_owned()];
        #[cfg(any(feature = "health", feature = "reflection"))]
        let paths = [paths, self.beside.names().to_vec()].concat();
        paths
    }

    fn speaks(&self, request: &Request) -> bool {
        is_grpc(request)
    }

    fn stopping(&self) {
        #[cfg(feature = "health")]
        self.beside.stopping();
    }

    fn answer(&self, entrance: &Entrance, request: Request) -> HttpAnswer {
        #[cfg(any(feature = "health", feature = "reflection"))]
        if self.beside.owns(&request) {
            return self.beside.answer(request);
        }
        if !belongs_to(SERVICE, &request) {
            return Box::pin(std::future::ready(Ok(
                unknown_service(&request).map(Body::new)
            )));
        }
        let service = GrpcService::with_sizes(entrance.clone(), self.sizes);
        #[cfg(feature = "web")]
        if self.web && super::web::is_web(&request) {
            return super::web::answer(service, request);
        }
        // HTTP/1.1 could not bring back the status.
        if request.version() < Version::HTTP_2 {
            let status = StatusCode::HTTP_VERSION_NOT_SUPPORTED;
            return Box::pin(std::future::ready(Ok(http_status(status).map(Body::new))));
        }
        Box::pin(async move { Ok(service.answer(request).await.map(Body::new)) })
    }
}

impl fmt::Debug for Grpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grpc")
            .field("address", &self.address)
            .field("url", &self.url)
            .field("form", &self.form)
            .field("sizes", &self.sizes)
            .finish_non_exhaustive()
    }
}

/// Whether the path is that of a method of the service.
pub(super) fn belongs_to(service: &str, request: &Request) -> bool {
    let path = request.uri().path().strip_prefix('/');
    let rest = path.and_then(|path| path.strip_prefix(service));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Whether clients take a bare host and port to be without TLS there.
fn is_loopback(host: &str) -> bool {
    let ip = host.trim_start_matches('[').trim_end_matches(']');
    let ip = ip.parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}
