use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;

use a2a_types::operation::Operation;
use a2a_types::{A2aError, OperationId, VERSION_HEADER};
use axum::extract::ConnectInfo;
use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use tokio::time::Instant;

use crate::auth::PeerCertificates;
use crate::context::{Binding, Names};

/// `A2A-Version` in the form in which headers are looked up fastest.
static VERSION: HeaderName = HeaderName::from_static("a2a-version");

/// A call as a codec has read it: nothing of it is checked yet.
///
/// Its `Debug` output leaves out what it says and what may be secret.
pub struct Incoming {
    pub(crate) binding: Binding,
    pub(crate) headers: HeaderMap,
    /// The query string of the URL, without the `?`.
    pub(crate) query: String,
    pub(crate) peer: Option<SocketAddr>,
    pub(crate) certificates: Option<PeerCertificates>,
    /// When the caller stops to wait.
    pub(crate) deadline: Option<Instant>,
    /// What the body asks for, or why that cannot be told. A problem waits here until the caller
    /// is authenticated.
    pub(crate) envelope: Result<Envelope, A2aError>,
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming")
            .field("operation", &self.operation())
            .field("binding", &self.binding)
            .field("headers", &Names(&self.headers))
            .field("peer", &self.peer)
            .finish_non_exhaustive()
    }
}

/// What is known about who is at the other end of a connection.
#[derive(Clone, Default)]
pub(crate) struct Peer {
    pub(crate) address: Option<SocketAddr>,
    pub(crate) certificates: Option<PeerCertificates>,
}

impl Peer {
    /// As the extensions of an HTTP request hold it.
    pub(crate) fn of(extensions: &http::Extensions) -> Self {
        Self {
            address: extensions
                .get::<ConnectInfo<SocketAddr>>()
                .map(|info| info.0),
            certificates: extensions.get::<PeerCertificates>().cloned(),
        }
    }

    pub(crate) fn put_into(self, extensions: &mut http::Extensions) {
        if let Some(address) = self.address {
            extensions.insert(ConnectInfo(address));
        }
        if let Some(certificates) = self.certificates {
            extensions.insert(certificates);
        }
    }
}

/// What is asked for.
pub(crate) struct Envelope {
    pub(crate) operation: Named,
    pub(crate) params: Params,
}

/// An operation, by the name a caller gave or as a route has found it.
#[derive(Debug)]
pub(crate) enum Named {
    Text(String),
    Id(OperationId),
}

/// The parameters as they came.
pub(crate) enum Params {
    /// JSON; `None` stands for an empty object.
    Json(Option<Bytes>),
    /// The pieces of an HTTP request: body or query, and what the path binds, by proto name.
    Http {
        body: Option<Bytes>,
        query: String,
        path: Vec<(&'static str, String)>,
    },
    /// The request message itself.
    Typed(Box<dyn Any + Send + Sync>),
    /// Something that is no request message, and why.
    Unreadable(A2aError),
}

impl Incoming {
    /// A call of an operation, as a codec outside of this crate has decoded it. What could not be
    /// decoded is refused at the place in the order of checks where parameters are.
    pub fn typed<O: Operation>(
        binding: Binding,
        headers: HeaderMap,
        request: Result<O::Request, A2aError>,
    ) -> Self {
        let params = match request {
            Ok(request) => Params::Typed(Box::new(request)),
            Err(error) => Params::Unreadable(error),
        };
        let operation = Named::Id(O::ID);
        Self::new(binding, headers, Ok(Envelope { operation, params }))
    }

    /// A call of an operation that does not exist. It is refused as such once the caller is
    /// authenticated.
    pub fn unknown(binding: Binding, headers: HeaderMap, operation: impl Into<String>) -> Self {
        let operation = Named::Text(operation.into());
        let params = Params::Json(None);
        Self::new(binding, headers, Ok(Envelope { operation, params }))
    }

    /// A call that cannot be understood. It is refused with `problem` once the caller is
    /// authenticated.
    pub fn malformed(binding: Binding, headers: HeaderMap, problem: A2aError) -> Self {
        Self::new(binding, headers, Err(problem))
    }

    pub(crate) fn new(
        binding: Binding,
        headers: HeaderMap,
        envelope: Result<Envelope, A2aError>,
    ) -> Self {
        Self {
            binding,
            headers,
            query: String::new(),
            peer: None,
            certificates: None,
            deadline: None,
            envelope,
        }
    }

    /// Adds what the server knows of the connection: the peer's address and its certificates, as
    /// the extensions of the HTTP request hold them.
    #[must_use]
    pub fn with_connection(self, extensions: &http::Extensions) -> Self {
        self.with_peer(Peer::of(extensions))
    }

    pub(crate) fn with_peer(self, peer: Peer) -> Self {
        let Peer {
            address,
            certificates,
        } = peer;
        Self {
            peer: address,
            certificates,
            ..self
        }
    }

    /// Says who it is from, unless that is known.
    pub(crate) fn or_from(self, peer: Peer) -> Self {
        match (&self.peer, &self.certificates) {
            (None, None) => self.with_peer(peer),
            _ => self,
        }
    }

    /// Says when the caller stops to wait: the call then ends with `DeadlineExceeded`. A task that
    /// it started goes on.
    #[must_use]
    pub fn with_deadline(mut self, deadline: std::time::Instant) -> Self {
        self.deadline = Some(deadline.into());
        self
    }

    pub(crate) fn with_query(mut self, query: Option<&str>) -> Self {
        query.unwrap_or_default().clone_into(&mut self.query);
        self
    }

    /// The name of the operation that the caller asks for, when it can be told. It need not exist.
    pub fn operation(&self) -> Option<&str> {
        match &self.envelope.as_ref().ok()?.operation {
            Named::Text(name) => Some(name),
            Named::Id(id) => Some(id.name()),
        }
    }

    /// The binding that the call came in by.
    pub fn binding(&self) -> Binding {
        self.binding
    }

    /// The headers (over gRPC: metadata).
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The address of the peer, when the transport knows it.
    pub fn peer(&self) -> Option<SocketAddr> {
        self.peer
    }
}

/// The `A2A-Version` of a request: the header, else the query parameter.
///
/// # Errors
///
/// When the header is given with different values.
pub(super) fn requested_version<'a>(
    headers: &'a HeaderMap,
    query: &'a str,
) -> Result<Option<Cow<'a, str>>, A2aError> {
    let mut values = headers.get_all(&VERSION).iter();
    if let Some(first) = values.next() {
        if values.any(|other| other != first) {
            let problem = format!("{VERSION_HEADER} is given twice with different values");
            return Err(A2aError::invalid_request(problem));
        }
        // What is no text is no version.
        return Ok(Some(first.to_str().unwrap_or("?").into()));
    }
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let found = pairs.find(|(name, _)| name.eq_ignore_ascii_case(VERSION_HEADER));
    Ok(found.map(|(_, value)| value))
}
