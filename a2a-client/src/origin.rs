//! Where an address leads: to whom, over what, and how far inside.

use std::net::IpAddr;

use reqwest::Url;

/// Whether secrets may go there: over TLS, or to this machine.
pub(crate) fn is_secure(url: &Url) -> bool {
    url.scheme() == "https" || is_loopback(url)
}

/// Whether the address is this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match host(url) {
        Some(Host::Name(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Address(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether the address has a meaning only inside of somebody's machine or network.
pub(crate) fn is_internal(url: &Url) -> bool {
    let address = match host(url) {
        Some(Host::Address(address)) => address,
        Some(Host::Name(name)) => {
            return is_loopback(url) || !name.contains('.') || name.ends_with(".local");
        }
        None => return true,
    };
    match address {
        IpAddr::V4(v4) => {
            let [first, second, ..] = v4.octets();
            v4.is_loopback()
                || v4.is_private()
                || v4.is_link_local()
                || v4.is_unspecified()
                // Carrier-grade NAT (RFC 6598)
                || (first == 100 && (64..128).contains(&second))
        }
        IpAddr::V6(v6) => {
            v6.is_loopback()
                || v6.is_unspecified()
                || v6.is_unique_local()
                || v6.is_unicast_link_local()
        }
    }
}

enum Host {
    Name(String),
    Address(IpAddr),
}

fn host(url: &Url) -> Option<Host> {
    let host = url.host_str()?.trim_end_matches('.');
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    Some(match bare.parse::<IpAddr>() {
        Ok(IpAddr::V6(v6)) => Host::Address(v6.to_ipv4_mapped().map_or(IpAddr::V6(v6), IpAddr::V4)),
        Ok(address) => Host::Address(address),
        Err(_) => Host::Name(host.to_ascii_lowercase()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_of_this_machine_are_known_in_every_spelling() {
        for text in [
            "http://localhost:1",
            "http://LOCALHOST./",
            "http://a.localhost",
            "http://127.8.0.1",
            "http://[::1]:80",
            "http://[::ffff:127.0.0.1]",
            "http://2130706433/",
        ] {
            assert!(is_loopback(&url(text)), "{text}");
            assert!(is_secure(&url(text)), "{text}");
        }
        for text in [
            "http://localhost.example.com",
            "http://example.com",
            "http://10.0.0.1",
        ] {
            assert!(!is_loopback(&url(text)), "{text}");
            assert!(!is_secure(&url(text)), "{text}");
        }
        assert!(is_secure(&url("https://example.com")));
    }

    #[test]
    fn internal_addresses_are_told_from_public_ones() {
        for text in [
            "http://10.1.2.3",
            "http://172.16.0.1",
            "http://192.168.0.1",
            "http://169.254.169.254",
            "http://0.0.0.0:8080",
            "http://100.64.0.1",
            "http://[fd00::1]",
            "http://[fe80::1]",
            "http://agent:8080",
            "http://agent.local",
            "http://localhost",
        ] {
            assert!(is_internal(&url(text)), "{text}");
        }
        for text in [
            "http://8.8.8.8",
            "https://example.com",
            "http://[2001:4860::8888]",
        ] {
            assert!(!is_internal(&url(text)), "{text}");
        }
    }
}
