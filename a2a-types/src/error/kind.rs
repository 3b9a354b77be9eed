//! The one table of errors: a row a kind, a column a carrier.

/// What went wrong, the same on every binding.
///
/// The first nine are the errors of A2A itself (A2A §3.3.2, §5.4); the others are those of
/// JSON-RPC and of the transports.
///
/// ```
/// use a2a_types::ErrorKind;
///
/// let kind = ErrorKind::TaskNotFound;
/// assert_eq!(kind.code(), -32001);
/// assert_eq!(kind.http_status(), 404);
/// assert_eq!(kind.reason(), Some("TASK_NOT_FOUND"));
/// ```
pub use table::ErrorKind;

impl ErrorKind {
    /// The `ErrorInfo.reason` of an A2A error; `None` for every other kind, which carries no
    /// `ErrorInfo` of ours.
    #[must_use]
    pub const fn reason(self) -> Option<&'static str> {
        self.row().reason
    }

    /// The JSON-RPC error code.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.row().code
    }

    /// The HTTP status over HTTP+JSON.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        self.row().http
    }

    /// The HTTP status of an answer that carries this error as a JSON-RPC error object: 200,
    /// but for the errors that HTTP itself must show (401, 403, 413, 415, 429, 503, 504).
    #[must_use]
    pub const fn jsonrpc_http_status(self) -> u16 {
        self.row().jsonrpc_http
    }

    /// The canonical status name in an HTTP+JSON error body, such as `FAILED_PRECONDITION`.
    #[must_use]
    pub const fn status(self) -> &'static str {
        self.row().status
    }

    /// The gRPC status code.
    #[must_use]
    pub const fn grpc_code(self) -> i32 {
        self.row().grpc
    }

    /// Whether the same request may succeed later without any change (A2A §3.3.2).
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::Unavailable | Self::ResourceExhausted)
    }

    /// The kind of an A2A reason; also the reasons that some peers give to JSON-RPC errors.
    pub(super) fn from_reason(reason: &str) -> Option<Self> {
        match reason {
            "INVALID_PARAMS" => Some(Self::InvalidParams),
            "INVALID_REQUEST" => Some(Self::InvalidRequest),
            "METHOD_NOT_FOUND" => Some(Self::MethodNotFound),
            "INTERNAL_ERROR" => Some(Self::Internal),
            "UNAUTHENTICATED" => Some(Self::Unauthenticated),
            _ => Self::find(|row| row.reason == Some(reason)),
        }
    }

    /// The kind of a JSON-RPC code. Codes shared by several kinds give the most general one.
    pub(super) fn from_code(code: i32) -> Option<Self> {
        Self::find(|row| row.code == code)
    }

    /// The kind of an HTTP status that only one kind can have.
    pub(super) fn from_http_status(status: u16) -> Option<Self> {
        match status {
            // Sent for invalid parameters by Java servers; nothing else uses it.
            422 => Some(Self::InvalidParams),
            _ => Self::find(|row| row.alone.over_http() && row.http == status),
        }
    }

    /// The kind of a gRPC code that only one kind can have.
    pub(super) fn from_grpc_code(code: i32) -> Option<Self> {
        Self::find(|row| row.alone.over_grpc() && row.grpc == code)
    }

    /// The kind of a canonical status name that only one kind can have.
    pub(super) fn from_status(status: &str) -> Option<Self> {
        let code = CANONICAL
            .iter()
            .zip(0..)
            .find(|(name, _)| **name == status)?
            .1;
        Self::from_grpc_code(code)
    }

    fn find(wanted: impl Fn(&Row) -> bool) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| wanted(&kind.row()))
    }
}

/// The canonical status names; the index is the gRPC code.
const CANONICAL: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

struct Row {
    reason: Option<&'static str>,
    code: i32,
    http: u16,
    jsonrpc_http: u16,
    status: &'static str,
    grpc: i32,
    alone: Alone,
}

/// Over which transports the bare status, without a reason or a JSON-RPC code, tells the kind.
///
/// Six A2A errors share `FAILED_PRECONDITION` and seven share 400; 404 may come from any proxy.
/// For those a status proves nothing, and a reader must not guess.
#[derive(Clone, Copy)]
enum Alone {
    Never,
    Http,
    Grpc,
    Both,
}

impl Alone {
    const fn over_http(self) -> bool {
        matches!(self, Self::Http | Self::Both)
    }

    const fn over_grpc(self) -> bool {
        matches!(self, Self::Grpc | Self::Both)
    }
}

mod table {
    use super::{Alone, Alone::*, Row};

    macro_rules! kinds {
        ($($(#[$doc:meta])* $kind:ident: $reason:expr, $code:literal, $http:literal, $rpc:literal, $status:literal, $grpc:literal, $alone:expr;)*) => {
            #[allow(missing_docs, reason = "documented at the re-export")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[non_exhaustive]
            pub enum ErrorKind { $($(#[$doc])* $kind,)* }

            impl ErrorKind {
                /// Every kind, in the order of the table.
                pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

                pub(super) const fn row(self) -> Row {
                    let (reason, code, http, jsonrpc_http, status, grpc, alone): (
                        Option<&str>, i32, u16, u16, &str, i32, Alone,
                    ) = match self {
                        $(Self::$kind => ($reason, $code, $http, $rpc, $status, $grpc, $alone),)*
                    };
                    Row { reason, code, http, jsonrpc_http, status, grpc, alone }
                }
            }
        };
    }

    // Where two kinds share a code, a status or a reason, the first row is the general one.
    kinds! {
        // kind: reason, JSON-RPC code, HTTP status, HTTP status over JSON-RPC, status name,
        //       gRPC code, where the bare status tells the kind

        /// The task is unknown, purged, or not visible to the caller.
        TaskNotFound: Some("TASK_NOT_FOUND"), -32001, 404, 200, "NOT_FOUND", 5, Never;
        /// The task has ended, or the agent cannot cancel it in its present state.
        TaskNotCancelable: Some("TASK_NOT_CANCELABLE"), -32002, 400, 200, "FAILED_PRECONDITION", 9, Never;
        /// The agent does not send push notifications.
        PushNotificationNotSupported: Some("PUSH_NOTIFICATION_NOT_SUPPORTED"), -32003, 400, 200, "FAILED_PRECONDITION", 9, Never;
        /// The operation, or a feature it asks for, is not supported here.
        UnsupportedOperation: Some("UNSUPPORTED_OPERATION"), -32004, 400, 200, "FAILED_PRECONDITION", 9, Never;
        /// The media type of a part is not supported by the agent.
        ContentTypeNotSupported: Some("CONTENT_TYPE_NOT_SUPPORTED"), -32005, 400, 200, "INVALID_ARGUMENT", 3, Never;
        /// The agent produced something that breaks the protocol.
        InvalidAgentResponse: Some("INVALID_AGENT_RESPONSE"), -32006, 500, 200, "INTERNAL", 13, Never;
        /// The agent declares an extended card but has none set up.
        ExtendedAgentCardNotConfigured: Some("EXTENDED_AGENT_CARD_NOT_CONFIGURED"), -32007, 400, 200, "FAILED_PRECONDITION", 9, Never;
        /// The agent requires an extension that the request does not declare.
        ExtensionSupportRequired: Some("EXTENSION_SUPPORT_REQUIRED"), -32008, 400, 200, "FAILED_PRECONDITION", 9, Never;
        /// The requested protocol version is not served here.
        VersionNotSupported: Some("VERSION_NOT_SUPPORTED"), -32009, 400, 200, "FAILED_PRECONDITION", 9, Never;

        /// The body is not JSON.
        ParseError: None, -32700, 400, 200, "INVALID_ARGUMENT", 3, Never;
        /// The body is JSON but no request of its binding.
        InvalidRequest: None, -32600, 400, 200, "INVALID_ARGUMENT", 3, Never;
        /// Unknown method, or unknown route.
        MethodNotFound: None, -32601, 404, 200, "NOT_FOUND", 12, Grpc;
        /// Known route, wrong HTTP verb.
        MethodNotAllowed: None, -32601, 405, 200, "UNIMPLEMENTED", 12, Http;
        /// A parameter is missing or wrong; see [`A2aError::violations`](super::super::A2aError::violations).
        InvalidParams: None, -32602, 400, 200, "INVALID_ARGUMENT", 3, Grpc;
        /// Anything unexpected on the server.
        Internal: None, -32603, 500, 200, "INTERNAL", 13, Both;

        /// No credentials, or bad ones.
        Unauthenticated: None, -31401, 401, 401, "UNAUTHENTICATED", 16, Both;
        /// The caller is known but may not use the operation.
        PermissionDenied: None, -31403, 403, 403, "PERMISSION_DENIED", 7, Both;
        /// The `Content-Type` of the request is not JSON. On the wire it has the reason of
        /// [`ContentTypeNotSupported`](Self::ContentTypeNotSupported), as which it is read back.
        UnsupportedMediaType: Some("CONTENT_TYPE_NOT_SUPPORTED"), -32005, 415, 415, "INVALID_ARGUMENT", 3, Http;
        /// Too many requests, or a full queue.
        ResourceExhausted: None, -32603, 429, 429, "RESOURCE_EXHAUSTED", 8, Both;
        /// The body is larger than the server allows.
        PayloadTooLarge: None, -32600, 413, 413, "RESOURCE_EXHAUSTED", 8, Http;
        /// The server, or something it needs, is down for a while.
        Unavailable: None, -32603, 503, 503, "UNAVAILABLE", 14, Both;
        /// The request took longer than allowed.
        DeadlineExceeded: None, -32603, 504, 504, "DEADLINE_EXCEEDED", 4, Both;
        /// The caller went away.
        Cancelled: None, -32603, 499, 200, "CANCELLED", 1, Both;
        /// An error read from a peer that fits no other kind; see
        /// [`A2aError::code`](super::super::A2aError::code) and
        /// [`A2aError::http_status`](super::super::A2aError::http_status).
        Unknown: None, -32603, 500, 200, "UNKNOWN", 2, Never;
    }
}
