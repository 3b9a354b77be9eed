//! What the address of a gRPC interface can look like.

use std::net::IpAddr;

use a2a_client::{Error, Failure};
use http::Uri;
use http::uri::{PathAndQuery, Scheme};

/// How an address without a scheme, such as `agent.example.com:443`, is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BareAddresses {
    /// In plain text on this machine (but for port 443), over TLS elsewhere.
    #[default]
    TlsUnlessLoopback,
    /// Over TLS.
    Tls,
    /// In plain text: anybody between can read along. Credentials go there only with
    /// [`with_credentials_over_plain_http`](a2a_client::ClientBuilder::with_credentials_over_plain_http).
    PlainText,
}

const HTTPS_PORT: u16 = 443;

/// The address of an interface: scheme `http` or `https`, host, port, and a path that goes before
/// that of every method.
///
/// Cards have all of `https://host`, `http://host:port`, `host:port` and `dns:///host:port`
/// (D27): the specification changed its mind, and peers differ.
pub(super) fn parse(text: &str, bare: BareAddresses) -> Result<Uri, Error> {
    let text = text.trim();
    read(text, bare).ok_or_else(|| {
        let message = format!("{text:?} is no address for gRPC; write host:port or https://host");
        Error::new(Failure::Card, message)
    })
}

fn read(text: &str, bare: BareAddresses) -> Option<Uri> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => match scheme.to_ascii_lowercase().as_str() {
            "https" | "grpcs" => (Some(Scheme::HTTPS), rest),
            "http" | "grpc" => (Some(Scheme::HTTP), rest),
            // What follows the slashes is the name server to ask, which nobody needs.
            "dns" => (None, rest.strip_prefix('/')?),
            _ => return None,
        },
        None => (None, text.strip_prefix("dns:").unwrap_or(text)),
    };
    let uri: Uri = format!("http://{rest}").parse().ok()?;
    let authority = uri.authority()?.clone();
    let has_port = authority.as_str().len() > authority.host().len();
    if authority.host().is_empty()
        || authority.as_str().contains('@')
        || uri.query().is_some()
        || rest.contains('#')
        || (has_port && authority.port_u16().is_none_or(|port| port == 0))
    {
        return None;
    }
    let scheme = scheme.unwrap_or_else(|| match bare {
        BareAddresses::Tls => Scheme::HTTPS,
        BareAddresses::PlainText => Scheme::HTTP,
        BareAddresses::TlsUnlessLoopback => {
            let secure = !is_loopback(authority.host()) || authority.port_u16() == Some(HTTPS_PORT);
            if secure { Scheme::HTTPS } else { Scheme::HTTP }
        }
    });
    let path = PathAndQuery::try_from(match uri.path().trim_end_matches('/') {
        "" => "/",
        path => path,
    });
    Uri::builder()
        .scheme(scheme)
        .authority(authority)
        .path_and_query(path.ok()?)
        .build()
        .ok()
}

/// The host without the brackets of an IPv6 address.
pub(super) fn host(uri: &Uri) -> &str {
    let host = uri.host().unwrap_or_default();
    host.trim_start_matches('[').trim_end_matches(']')
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse() {
        Ok(IpAddr::V6(v6)) => {
            v6.is_loopback() || v6.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
        Ok(IpAddr::V4(v4)) => v4.is_loopback(),
        Err(_) => {
            let host = host.to_ascii_lowercase();
            host == "localhost" || host.ends_with(".localhost")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_address_is_read() {
        // R052, D27, T08
        for (text, wanted) in [
            ("h.example:50051", "https://h.example:50051/"),
            ("h.example", "https://h.example/"),
            ("h.example:443", "https://h.example:443/"),
            ("http://h.example:50051", "http://h.example:50051/"),
            ("HTTPS://h.example", "https://h.example/"),
            ("https://h.example/a2a/v1/", "https://h.example/a2a/v1"),
            ("h.example:443/a2a", "https://h.example:443/a2a"),
            ("dns:///h.example:443", "https://h.example:443/"),
            ("dns:h.example:443", "https://h.example:443/"),
            ("grpc://h.example:1", "http://h.example:1/"),
            ("grpcs://h.example:1", "https://h.example:1/"),
            ("localhost:50051", "http://localhost:50051/"),
            ("LOCALHOST.:50051", "http://LOCALHOST.:50051/"),
            ("dns:///localhost:50051", "http://localhost:50051/"),
            ("127.0.0.1:50051", "http://127.0.0.1:50051/"),
            ("127.0.0.1:443", "https://127.0.0.1:443/"),
            ("[::1]:50051", "http://[::1]:50051/"),
            ("[::ffff:127.0.0.1]:1", "http://[::ffff:127.0.0.1]:1/"),
            ("10.0.0.1:50051", "https://10.0.0.1:50051/"),
            ("[2001:db8::1]:50051", "https://[2001:db8::1]:50051/"),
            ("https://127.0.0.1:50051", "https://127.0.0.1:50051/"),
            (" h.example:1\n", "https://h.example:1/"),
        ] {
            let uri = parse(text, BareAddresses::default()).unwrap();
            assert_eq!(uri.to_string(), wanted, "{text}");
        }
    }

    #[test]
    fn how_bare_addresses_are_called_can_be_configured() {
        // D27
        for (text, bare, wanted) in [
            ("10.0.0.1:1", BareAddresses::PlainText, "http://10.0.0.1:1/"),
            ("127.0.0.1:1", BareAddresses::Tls, "https://127.0.0.1:1/"),
            (
                "https://10.0.0.1:1",
                BareAddresses::PlainText,
                "https://10.0.0.1:1/",
            ),
            (
                "http://10.0.0.1:1",
                BareAddresses::Tls,
                "http://10.0.0.1:1/",
            ),
        ] {
            assert_eq!(parse(text, bare).unwrap().to_string(), wanted);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_by_name() {
        // R052: nothing of an address is dropped in silence.
        for text in [
            "",
            ":50051",
            "h:port",
            "h:70000",
            "h:0",
            "h:",
            "ftp://h",
            "unix:///run/agent",
            "https://h/?tenant=a",
            "https://h/#a",
            "https://user:secret@h",
            "dns://8.8.8.8/h:443",
            "ipv4:1.2.3.4:50051",
            "h h:1",
            "::1:50051",
        ] {
            let error = parse(text, BareAddresses::default());
            let error = error.map(|uri| uri.to_string()).unwrap_err();
            assert_eq!(error.failure(), Failure::Card, "{text}");
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
