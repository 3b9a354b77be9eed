//! What is known about a call besides its request.

use std::fmt;
use std::net::SocketAddr;

use a2a_types::store::Owner;
use a2a_types::{Extensions, OperationId, Version};
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
    /// The distributed trace that the call belongs to.
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

/// A W3C trace context, as received.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceContext {
    /// The `traceparent` value; its form has been checked.
    pub traceparent: String,
    /// The `tracestate` value; empty when there is none.
    pub tracestate: String,
}

static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

impl TraceContext {
    /// Reads the context of a request. A malformed `traceparent` counts as none.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let traceparent = headers.get(&TRACEPARENT)?.to_str().ok()?.trim();
        if !is_traceparent(traceparent) {
            return None;
        }
        let states = headers
            .get_all("tracestate")
            .iter()
            .filter_map(|value| value.to_str().ok());
        let tracestate = states.collect::<Vec<_>>().join(",");
        Some(Self {
            traceparent: traceparent.to_owned(),
            tracestate,
        })
    }
}

/// `version "-" trace-id "-" parent-id "-" flags`, all lower-case hex, no id all zero. Versions
/// above 00 may carry more fields.
fn is_traceparent(value: &str) -> bool {
    let mut fields = value.split('-');
    let mut field = |length| {
        fields.next().filter(|text| {
            let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
            text.len() == length && text.bytes().all(hex)
        })
    };
    let (Some(version), Some(trace), Some(parent), Some(_)) =
        (field(2), field(32), field(16), field(2))
    else {
        return false;
    };
    let zero = |text: &str| text.bytes().all(|b| b == b'0');
    version != "ff" && !zero(trace) && !zero(parent) && (version != "00" || fields.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    // R144
    #[test]
    fn malformed_trace_parents_are_ignored() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let good = format!("00-{trace}-00f067aa0ba902b7-01");
        assert!(is_traceparent(&good));
        assert!(is_traceparent(&format!(
            "01-{trace}-00f067aa0ba902b7-01-more"
        )));
        for bad in [
            String::new(),
            format!("{good}-more"),
            good.to_uppercase(),
            format!("ff-{trace}-00f067aa0ba902b7-01"),
            format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            format!("00-{trace}-0000000000000000-01"),
            format!("00-{trace}-00f067aa0ba902b7"),
        ] {
            assert!(!is_traceparent(&bad), "{bad}");
        }
    }
}
