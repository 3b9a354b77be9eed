use std::time::Duration;

/// What one call, one task and one server may use up.
///
/// ```
/// let limits = a2a_server::Limits::default().with_body_bytes(1 << 20);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The size of a request body in bytes, after decompression. Default: 16 MiB.
    pub body_bytes: usize,
    /// How long a connection may take to the end of the head of its next request, time that it is
    /// idle included; then it is closed. An HTTP/2 connection has to begin in that time, and to
    /// answer pings afterwards. Holds where the server itself listens. Default: 60 seconds.
    pub head_time: Duration,
    /// How long the whole body of a request may take to arrive. Default: 30 seconds.
    pub body_time: Duration,
    /// How long a call may take to its answer, or to the first event of a stream; a task that it
    /// started goes on. Default: 1 hour.
    pub request_time: Duration,
    /// Parts in one message. Default: 1000.
    pub parts: usize,
    /// Messages in the history of one task. Default: 10,000.
    pub history: usize,
    /// Artifacts of one task. Default: 10,000.
    pub artifacts: usize,
    /// The encoded size of all artifacts of one task in bytes. Default: 256 MiB.
    pub artifact_bytes: usize,
    /// Webhooks registered for one task, those of all callers together. Default: 100.
    pub webhooks: usize,
    /// Tasks on one page of a list when the client does not say, 1 to 100. Default: 50.
    pub default_page: usize,
    /// Connections at the same time; more have to wait. Holds where the server itself listens.
    /// Default: 30,000.
    pub connections: usize,
    /// Open event streams of the whole server. Default: 20,000.
    pub streams: usize,
    /// How long a stream may stay in AUTH_REQUIRED before the server closes it. Default: 1 hour.
    pub auth_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 16 << 20,
            head_time: Duration::from_secs(60),
            body_time: Duration::from_secs(30),
            request_time: Duration::from_secs(3600),
            parts: 1000,
            history: 10_000,
            artifacts: 10_000,
            artifact_bytes: 256 << 20,
            webhooks: 100,
            default_page: 50,
            connections: 30_000,
            streams: 20_000,
            auth_wait: Duration::from_secs(3600),
        }
    }
}

macro_rules! setters {
    ($($name:ident, $field:ident: $type:ty;)*) => {
        impl Limits {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $name(self, $field: $type) -> Self {
                    Self { $field, ..self }
                }
            )*
        }
    };
}

setters! {
    with_body_bytes, body_bytes: usize;
    with_head_time, head_time: Duration;
    with_body_time, body_time: Duration;
    with_request_time, request_time: Duration;
    with_parts, parts: usize;
    with_history, history: usize;
    with_artifacts, artifacts: usize;
    with_artifact_bytes, artifact_bytes: usize;
    with_webhooks, webhooks: usize;
    with_default_page, default_page: usize;
    with_connections, connections: usize;
    with_streams, streams: usize;
    with_auth_wait, auth_wait: Duration;
}
