//! Protection of agents on a developer's own machine: a web page can make its name resolve to a
//! loopback address and then call what listens there. Such calls carry a foreign `Host` or
//! `Origin`.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use a2a_types::{A2aError, json, media};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use http::header::{CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use http::uri::Authority;
use http::{Response, StatusCode, Uri};

use super::Settings;

/// Guards what listens on a loopback address; anything else is reached by its own name anyway.
pub(super) fn protect(app: Router, address: SocketAddr, settings: &Settings) -> Router {
    if !address.ip().is_loopback() {
        return app;
    }
    let guard = Arc::new(Guard {
        hosts: settings.hosts.clone(),
        public: settings
            .public_url
            .as_deref()
            .and_then(|url| host_of(url.parse().ok()?)),
        cors: settings.cors.clone(),
    });
    app.layer(from_fn(move |request: Request, next: Next| {
        let guard = Arc::clone(&guard);
        async move {
            match guard.check(&request) {
                Ok(()) => next.run(request).await,
                Err(what) => refusal(what),
            }
        }
    }))
}

struct Guard {
    hosts: Vec<String>,
    public: Option<String>,
    cors: Option<super::Cors>,
}

impl Guard {
    fn check(&self, request: &Request) -> Result<(), &'static str> {
        let host = request
            .headers()
            .get(HOST)
            .map(|value| value.to_str().unwrap_or("?"));
        let host = match (host, request.uri().authority()) {
            (Some(host), _) => host.parse::<Authority>().ok().map(|a| a.host().to_owned()),
            (None, Some(authority)) => Some(authority.host().to_owned()),
            // HTTP/1.0 names no host, and no browser speaks it.
            (None, None) => return Ok(()),
        };
        if !host.is_some_and(|host| self.is_ours(&host)) {
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
        let local = bare.eq_ignore_ascii_case("localhost")
            || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        let named = |known: &String| known.eq_ignore_ascii_case(bare);
        local || self.public.as_ref().is_some_and(named) || self.hosts.iter().any(named)
    }
}

fn host_of(uri: Uri) -> Option<String> {
    uri.host().map(str::to_owned)
}

fn refusal(what: &str) -> Response<Body> {
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
