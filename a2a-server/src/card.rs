//! Serving the agent card (A2A §8.2, §8.6).

mod forwarded;

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use a2a_types::card::{AgentCardBuilder, CardError, Served};
use a2a_types::{AgentCapabilities, AgentCard, AgentInterface, Version, json, media};
use axum::body::Body;
use axum::extract::ConnectInfo;
use futures::future::{Ready, ready};
use http::header::{
    ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, LAST_MODIFIED, VARY,
};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use ipnet::IpNet;
use sha2::{Digest, Sha256};
use tower::Service;

use crate::auth::Security;
use crate::server::Mount;

/// Where an agent card is looked for (A2A §14.3).
pub const CARD_PATH: &str = "/.well-known/agent-card.json";

/// Everything that the card is made of, apart from the address.
#[derive(Clone)]
pub(crate) struct CardSource {
    pub(crate) builder: AgentCardBuilder,
    pub(crate) capabilities: AgentCapabilities,
    pub(crate) security: Security,
    /// The mounted bindings with their paths, the preferred one first.
    pub(crate) mounts: Vec<Mount>,
    pub(crate) tenant: String,
    /// Where clients reach the server: configured, or known once it is bound.
    pub(crate) base: Arc<OnceLock<String>>,
}

impl CardSource {
    /// The public card of an agent that is reached at `base`.
    pub(crate) fn card(&self, base: &str) -> Result<AgentCard, CardError> {
        self.card_of(self.builder.clone(), base)
    }

    /// Another card of the same server, at its own address.
    pub(crate) fn finish(&self, builder: AgentCardBuilder) -> Result<AgentCard, CardError> {
        // A server that only this process can call has no address.
        let base = self.base.get().map_or("http://localhost", String::as_str);
        self.card_of(builder, base)
    }

    /// Adds what the server offers.
    fn card_of(&self, builder: AgentCardBuilder, base: &str) -> Result<AgentCard, CardError> {
        let interface = |mount: &Mount| {
            AgentInterface::default()
                .with_url(mount.url(base))
                .with_protocol_binding(mount.binding.name())
                .with_protocol_version(Version::V1_0.to_string())
                .with_tenant(&*self.tenant)
        };
        let interfaces = self.mounts.iter().map(interface).collect();
        let Security {
            schemes,
            requirements,
            ..
        } = self.security.clone();
        let served = Served::new(interfaces, self.capabilities.clone());
        builder.finish(served.with_security(schemes, requirements))
    }
}

/// Answers requests for the card.
#[derive(Clone)]
pub(crate) struct CardService {
    inner: Arc<Inner>,
}

struct Inner {
    source: CardSource,
    document: Document,
    max_age: Duration,
    /// Whose word is taken for the address that the client used.
    proxies: Vec<IpNet>,
    since: SystemTime,
}

/// A card as it is sent.
struct Document {
    body: bytes::Bytes,
    etag: String,
}

impl Document {
    fn of(card: &AgentCard) -> Self {
        // A card has no timestamps, the only thing that cannot be written.
        let body = json::to_vec(card).unwrap_or_default();
        Self {
            etag: etag(&body),
            body: body.into(),
        }
    }
}

impl CardService {
    pub(crate) fn new(
        source: CardSource,
        base: &str,
        max_age: Duration,
        proxies: Vec<IpNet>,
    ) -> Result<Self, CardError> {
        let document = Document::of(&source.card(base)?);
        let since = SystemTime::now();
        Ok(Self {
            inner: Arc::new(Inner {
                source,
                document,
                max_age,
                proxies,
                since,
            }),
        })
    }

    fn answer(&self, request: &Request<Body>) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let forwarded = self.forwarded(request).map(|card| Document::of(&card));
        let document = forwarded.as_ref().unwrap_or(&self.inner.document);
        let headers = response.headers_mut();
        let max_age = self.inner.max_age.as_secs();
        for (name, value) in [
            (ETAG, document.etag.clone()),
            (CACHE_CONTROL, format!("public, max-age={max_age}")),
            (LAST_MODIFIED, httpdate::fmt_http_date(self.inner.since)),
            (VARY, self.vary().to_owned()),
        ] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        if self.is_fresh(request.headers(), &document.etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        let accept = request.headers().get_all(ACCEPT).iter();
        let accept = accept.filter_map(|value| value.to_str().ok());
        let content_type = media::negotiate(accept, None).unwrap_or(media::JSON);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(
            http::header::CONTENT_LENGTH,
            HeaderValue::from(document.body.len()),
        );
        if request.method() == Method::GET {
            *response.body_mut() = Body::from(document.body.clone());
        }
        response
    }

    /// Whether the client's copy is still good (RFC 9110 §13.1).
    fn is_fresh(&self, headers: &HeaderMap, etag: &str) -> bool {
        if headers.contains_key(IF_NONE_MATCH) {
            return names(headers.get_all(IF_NONE_MATCH), etag);
        }
        let since = headers
            .get(IF_MODIFIED_SINCE)
            .and_then(|value| value.to_str().ok());
        let since = since.and_then(|value| httpdate::parse_http_date(value).ok());
        // HTTP dates have whole seconds.
        since.is_some_and(|since| since + Duration::from_secs(1) > self.inner.since)
    }

    /// The headers that an answer depends on.
    fn vary(&self) -> &'static str {
        if self.inner.proxies.is_empty() {
            "Accept"
        } else {
            "Accept, Forwarded, X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix"
        }
    }

    /// The card for the address that a trusted proxy says the client used.
    fn forwarded(&self, request: &Request<Body>) -> Option<AgentCard> {
        let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
        let peer = peer.ip().to_canonical();
        if !self
            .inner
            .proxies
            .iter()
            .any(|network| network.contains(&peer))
        {
            return None;
        }
        let base = forwarded::base(request.headers(), &self.inner.proxies)?;
        self.inner.source.card(&base).ok()
    }
}

impl Service<Request<Body>> for CardService {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        ready(Ok(self.answer(&request)))
    }
}

/// A strong validator made of the content.
pub(crate) fn etag(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let hex: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{hex}\"")
}

/// Whether `If-None-Match` values name the validator (RFC 9110 §13.1.2).
pub(crate) fn names<'a>(values: impl IntoIterator<Item = &'a HeaderValue>, etag: &str) -> bool {
    let mut tags = values
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// The scheme and the address, as a client on this machine can use it.
pub(crate) fn base_of(scheme: &str, address: SocketAddr) -> String {
    let ip = match address.ip() {
        // "Any address" is none that can be called.
        IpAddr::V4(ip) if ip.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V6(ip) if ip.is_unspecified() => "[::1]".to_owned(),
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    format!("{scheme}://{ip}:{}", address.port())
}
