//! Protection of agents on a developer's own machine: a web page can make its name resolve to a
//! loopback address and then call what listens there. Such calls carry a foreign `Host` or
//! `Origin`.

use std::net::{IpAddr, SocketAddr};

use a2a_types::{A2aError, json, media};
use axum::body::Body;
use axum::extract::Request;
use http::header::{CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use http::{Response, StatusCode, Uri};

use super::Settings;

/// Knows the names of a server that listens on a loopback address. Anything else is reached by its
/// own name anyway.
pub(super) struct Guard {
    /// The address that most calls name.
    own: String,
    hosts: Vec<String>,
    public: Option<String>,
    cors: Option<super::Cors>,
}

impl Guard {
    /// `None` where there is nothing to guard.
    pub(super) fn of(address: SocketAddr, settings: &Settings) -> Option<Self> {
        let public = settings.public_url.as_deref();
        address.ip().is_loopback().then(|| Self {
            own: address.ip().to_string(),
            hosts: settings.hosts.clone(),
            public: public.and_then(|url| host_of(url.parse().ok()?)),
            cors: settings.cors.clone(),
        })
    }

    /// # Errors
    ///
    /// With the name of the header that names a foreign host.
    pub(super) fn check(&self, request: &Request) -> Result<(), &'static str> {
        let host = request.headers().get(HOST).map(|value| value.to_str());
        let host = match (host, request.uri().authority()) {
            (Some(host), _) => host.unwrap_or("?"),
            (None, Some(authority)) => authority.as_str(),
            // HTTP/1.0 names no host, and no browser speaks it.
            (None, None) => return Ok(()),
        };
        if !self.is_ours(without_port(host)) {
            return Err("Host");
        }
        let Some(origin) = request.headers().get(ORIGIN) else {
            return Ok(());
        };
        let host = origin
            .to_str()
            .ok()
            .and_then(|origin| host_of(origin.parse().ok()?));
        let ours = host.is_some_and(|host| self.is_ours(&host));
        let allowed = self.cors.as_ref().is_some_and(|cors| cors.allows(origin));
        if ours || allowed {
            Ok(())
        } else {
            Err("Origin")
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        let bare = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .trim_end_matches('.');
        let local = bare == self.own
            || bare.eq_ignore_ascii_case("localhost")
            || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        let named = |known: &String| known.eq_ignore_ascii_case(bare);
        local || self.public.as_ref().is_some_and(named) || self.hosts.iter().any(named)
    }
}

/// `host` of `host:port`. What else an authority can hold makes a name that nobody has.
fn without_port(authority: &str) -> &str {
    match authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some((address, _)) => address,
        None => authority
            .split_once(':')
            .map_or(authority, |(host, _)| host),
    }
}

fn host_of(uri: Uri) -> Option<String> {
    uri.host().map(str::to_owned)
}

pub(super) fn refusal(what: &str) -> Response<Body> {
    tracing::warn!(header = what, "a request for a foreign host was refused");
    let text = format!("the {what} header names another host; allow it with `allowed_hosts`");
    let error = A2aError::permission_denied(text);
    let mut response = Response::new(json::to_vec(&error.to_http()).unwrap_or_default().into());
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(media::JSON));
    response
}
