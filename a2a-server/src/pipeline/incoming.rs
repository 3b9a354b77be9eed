use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;

use a2a_types::{A2aError, OperationId, VERSION_HEADER};
use bytes::Bytes;
use http::{HeaderMap, HeaderName};

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
}

impl Incoming {
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
