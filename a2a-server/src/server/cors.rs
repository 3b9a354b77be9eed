use http::Method;
use http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Which web pages may call the server from a browser. Without it none but the server's own.
///
/// Pages may send `Authorization` and the headers that the protocol knows; those of
/// [`allow_headers`](Self::allow_headers) besides.
#[derive(Clone, Debug)]
pub struct Cors {
    origins: Option<Vec<HeaderValue>>,
    headers: Vec<HeaderName>,
}

impl Cors {
    /// Pages of every origin.
    pub fn any() -> Self {
        Self {
            origins: None,
            headers: Vec::new(),
        }
    }

    /// Pages of these origins, such as `https://app.example.com`. What is no header value is no
    /// origin, and left out.
    pub fn origins(origins: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let origins = origins.into_iter();
        let origins = origins.filter_map(|origin| HeaderValue::from_str(origin.as_ref()).ok());
        Self {
            origins: Some(origins.collect()),
            headers: Vec::new(),
        }
    }

    /// Lets pages send these headers, too: that of an API key, for example. What is no header name
    /// is left out.
    #[must_use]
    pub fn allow_headers(mut self, headers: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let headers = headers.into_iter();
        let headers = headers.filter_map(|name| HeaderName::try_from(name.as_ref()).ok());
        self.headers.extend(headers);
        self
    }

    pub(super) fn allows(&self, origin: &HeaderValue) -> bool {
        self.origins
            .as_ref()
            .is_none_or(|origins| origins.contains(origin))
    }

    pub(super) fn layer(&self) -> CorsLayer {
        let origins = match &self.origins {
            Some(origins) => AllowOrigin::list(origins.iter().cloned()),
            None => AllowOrigin::any(),
        };
        let version = HeaderName::from_static("a2a-version");
        let extensions = HeaderName::from_static("a2a-extensions");
        let resume = HeaderName::from_static("last-event-id");
        // Those of gRPC-Web.
        let [timeout, web, agent] =
            ["grpc-timeout", "x-grpc-web", "x-user-agent"].map(HeaderName::from_static);
        let [status, message, details, first] = [
            "grpc-status",
            "grpc-message",
            "grpc-status-details-bin",
            "first-event-id",
        ]
        .map(HeaderName::from_static);
        let allowed = [
            ACCEPT,
            AUTHORIZATION,
            CONTENT_TYPE,
            IF_NONE_MATCH,
            version,
            extensions.clone(),
            resume,
            timeout,
            web,
            agent,
        ];
        let allowed = allowed.into_iter();
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers(
                allowed
                    .chain(self.headers.iter().cloned())
                    .collect::<Vec<_>>(),
            )
            .expose_headers([
                ETAG,
                RETRY_AFTER,
                WWW_AUTHENTICATE,
                extensions,
                status,
                message,
                details,
                first,
            ])
    }
}
