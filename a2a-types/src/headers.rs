//! The names of headers (over gRPC: of metadata keys). They are compared without case.

/// The protocol version of a request; over HTTP it may be a query parameter instead
/// (A2A §3.6.1).
pub const VERSION_HEADER: &str = "A2A-Version";

/// A list of extensions: those that a request asks for, and in the answer those that were
/// activated (A2A §3.2.6).
pub const EXTENSIONS_HEADER: &str = "A2A-Extensions";

/// The last event that a client has seen of a stream which it resumes.
pub const LAST_EVENT_ID_HEADER: &str = "Last-Event-ID";
