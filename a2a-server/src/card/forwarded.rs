//! The address that a client used, as the proxies in front of the server tell it.
//!
//! A client can send these headers itself. Each proxy adds to what it was given, at the end: only
//! what stands last is from the peer, and what stands before it is worth something alone if the
//! peer says that it got it from another trusted proxy.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;
use http::uri::Authority;
use ipnet::IpNet;

/// The base URL, when trusted proxies tell one. The peer is a trusted proxy.
///
/// `Forwarded` (RFC 7239) and the `X-Forwarded-*` headers both count. A proxy that knows the one
/// kind passes on the other as the client has sent it, so nothing is believed when they disagree.
pub(super) fn base(headers: &HeaderMap, proxies: &[IpNet]) -> Option<String> {
    let prefix = prefix(headers)?;
    match (standard(headers, proxies), customary(headers)) {
        (Some(origin), None) => Some(origin.to_string()),
        (None, Some(origin)) => Some(format!("{origin}{prefix}")),
        (Some(one), Some(other)) if one == other => Some(format!("{other}{prefix}")),
        _ => None,
    }
}

#[derive(PartialEq)]
struct Origin {
    scheme: &'static str,
    authority: Authority,
}

impl Origin {
    /// Without a scheme it is `https`.
    fn new(scheme: Option<&str>, host: &str) -> Option<Self> {
        let scheme = match scheme {
            Some(scheme) if scheme.eq_ignore_ascii_case("http") => "http",
            Some(scheme) if !scheme.eq_ignore_ascii_case("https") => return None,
            _ => "https",
        };
        let authority: Authority = host.parse().ok()?;
        let plain = !authority.as_str().contains('@') && !authority.host().is_empty();
        plain.then_some(Self { scheme, authority })
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

/// From `Forwarded`: its elements from the last one on, as long as they come from trusted proxies.
fn standard(headers: &HeaderMap, proxies: &[IpNet]) -> Option<Origin> {
    let mut found = None;
    for element in values(headers, "forwarded") {
        let parameter = |wanted: &str| {
            let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
            let mut values = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
            values
                .next()
                .map(|(_, value)| value.trim().trim_matches('"'))
        };
        if let Some(host) = parameter("host") {
            found = Some((parameter("proto"), host));
        }
        let sender = parameter("for").and_then(node);
        if !sender.is_some_and(|ip| proxies.iter().any(|network| network.contains(&ip))) {
            break;
        }
    }
    let (scheme, host) = found?;
    Origin::new(scheme, host)
}

/// From `X-Forwarded-Host` and `X-Forwarded-Proto`. Their values do not say whom they are from, so
/// the last one is the only one that counts.
fn customary(headers: &HeaderMap) -> Option<Origin> {
    let scheme = values(headers, "x-forwarded-proto").next();
    Origin::new(scheme, values(headers, "x-forwarded-host").next()?)
}

/// The path below which the proxy shows the server; `None` when it is no path.
fn prefix(headers: &HeaderMap) -> Option<&str> {
    let prefix = values(headers, "x-forwarded-prefix").next();
    let prefix = prefix.unwrap_or_default().trim_end_matches('/');
    let plain = prefix.is_empty() || prefix.starts_with('/') && !prefix.contains(['?', '#', '"']);
    plain.then_some(prefix)
}

/// The values of a list header, the last one first.
///
/// Quotes do not protect a comma: a client could open one that swallows what a proxy adds.
fn values<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let lines: Vec<_> = headers.get_all(name).iter().collect();
    lines
        .into_iter()
        .rev()
        .map(|line| line.to_str().unwrap_or_default())
        .flat_map(|line| line.rsplit(','))
        .map(str::trim)
}

/// The address in a node name: with a port or without, IPv6 in brackets.
fn node(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let ip = bare.unwrap_or(text).parse().ok();
    let ip: IpAddr = ip.or_else(|| text.parse().ok().map(|at: SocketAddr| at.ip()))?;
    Some(ip.to_canonical())
}
