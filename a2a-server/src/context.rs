//! What is known about a call besides its request.

use std::fmt;
use std::net::SocketAddr;

use a2a_types::store::Owner;
use a2a_types::{Extensions, OperationId, TraceContext, Version};
use http::{HeaderMap, HeaderName};

use crate::auth::Principal;

/// Everything around one call: who makes it, for which tenant, in which version.
///
/// Its `Debug` output names the headers without their values, which may be secret.
#[derive(Clone)]
#[non_exhaustive]
pub struct CallContext {
    /// What is called.
    pub operation: OperationId,
    /// The binding that the call came in by.
    pub binding: Binding,
    /// Who calls.
    pub caller: Principal,
    /// The routing value of the request; empty when there is none.
    pub tenant: String,
    /// The protocol version of the call.
    pub version: Version,
    /// The extensions that the client asked for.
    pub requested_extensions: Extensions,
    /// Those of them that this agent supports: the ones in use for this call.
    pub activated_extensions: Extensions,
    /// The distributed trace that the call belongs to. It goes along with what its webhooks are told.
    pub trace: Option<TraceContext>,
    /// All headers (over gRPC: metadata) as they came.
    pub headers: HeaderMap,
    /// The address of the peer, when the transport knows it.
    pub peer: Option<SocketAddr>,
    /// When the caller stops to wait for the answer, if it has said so. Its task goes on.
    pub deadline: Option<std::time::Instant>,
}

impl CallContext {
    /// A call that the server makes on behalf of the owner of a task.
    pub(crate) fn of_owner(owner: &Owner) -> Self {
        Self {
            operation: OperationId::SendMessage,
            binding: Binding::Local,
            caller: Principal::new(owner.principal()),
            tenant: owner.tenant().to_owned(),
            version: Version::V1_0,
            requested_extensions: Extensions::default(),
            activated_extensions: Extensions::default(),
            trace: None,
            headers: HeaderMap::new(),
            peer: None,
            deadline: None,
        }
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext")
            .field("operation", &self.operation)
            .field("binding", &self.binding)
            .field("caller", &self.caller)
            .field("tenant", &self.tenant)
            .field("version", &self.version)
            .field("requested_extensions", &self.requested_extensions)
            .field("activated_extensions", &self.activated_extensions)
            .field("trace", &self.trace)
            .field("headers", &Names(&self.headers))
            .field("peer", &self.peer)
            .field("deadline", &self.deadline)
            .finish()
    }
}

/// Shows the names of headers alone: any value may be a credential.
pub(crate) struct Names<'a>(pub(crate) &'a HeaderMap);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The way a call came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Binding {
    /// JSON-RPC 2.0 (A2A §9).
    JsonRpc,
    /// gRPC (A2A §10).
    Grpc,
    /// HTTP+JSON (A2A §11).
    HttpJson,
    /// A call from inside the process.
    Local,
}

impl Binding {
    /// The name of the binding in agent cards.
    pub const fn name(self) -> &'static str {
        match self {
            Self::JsonRpc => "JSONRPC",
            Self::Grpc => "GRPC",
            Self::HttpJson => "HTTP+JSON",
            Self::Local => "local",
        }
    }
}

static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The trace that the headers of a call put it into.
pub(crate) fn trace_of(headers: &HeaderMap) -> Option<TraceContext> {
    let traceparent = headers.get(&TRACEPARENT)?.to_str().ok()?;
    let states = headers
        .get_all("tracestate")
        .iter()
        .filter_map(|value| value.to_str().ok());
    TraceContext::new(traceparent, &states.collect::<Vec<_>>().join(","))
}
