//! What texts in a card look like.

use serde_json::Value;

use super::{GRPC, HTTP_JSON, JSONRPC};
use crate::AgentCard;

pub(super) fn is_standard_binding(binding: &str) -> bool {
    [JSONRPC, HTTP_JSON, GRPC].contains(&binding)
}

/// Whether the text begins with a scheme (RFC 3986 §3.1).
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut characters = scheme.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        && !rest.is_empty()
        && !text.contains(char::is_whitespace)
}

/// Whether a URI names a version: a piece such as `v1`, `1.2` or `2024`, not counting its host.
pub(super) fn has_version(uri: &str) -> bool {
    let path = match uri.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => uri,
    };
    path.split(['/', ':', '#', '?', '=', '-', '_', '@', ';'])
        .any(|piece| {
            let piece = piece.strip_prefix(['v', 'V']).unwrap_or(piece);
            piece
                .split('.')
                .all(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
        })
}

/// Whether the interface can be reached at this address, as far as its form tells.
pub(super) fn interface_url(binding: &str, url: &str) -> Result<(), String> {
    let right = match binding {
        JSONRPC | HTTP_JSON => authority(url, &["http", "https"]).is_some(),
        GRPC if url.contains("://") => {
            authority(url, &["http", "https", "grpc", "grpcs"]).is_some()
                || url.strip_prefix("dns:///").is_some_and(is_host_and_port)
        }
        GRPC => is_host_and_port(url.strip_prefix("dns:").unwrap_or(url)),
        _ => true,
    };
    match (right, binding) {
        (true, _) => Ok(()),
        (false, GRPC) => Err(format!("{url} is no gRPC address; write host:port")),
        (false, _) => Err(format!("{url} is no absolute URL; write https://host/path")),
    }
}

/// Whether the URL is plain HTTP to another machine.
pub(super) fn is_plaintext(url: &str) -> bool {
    let Some(authority) = authority(url, &["http"]) else {
        return false;
    };
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let loopback = host
        .parse::<std::net::IpAddr>()
        .is_ok_and(|address| address.is_loopback());
    !loopback && !host.eq_ignore_ascii_case("localhost")
}

/// The authority of a URL with one of these schemes; `None` when it has none.
fn authority<'a>(url: &'a str, schemes: &[&str]) -> Option<&'a str> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let known = schemes
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme));
    (known && !authority.is_empty() && !url.contains(char::is_whitespace)).then_some(authority)
}

fn is_host_and_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    let host_fits = match host.strip_prefix('[') {
        Some(v6) => v6.ends_with(']'),
        None => !host.is_empty() && !host.contains([':', '/', ' ']),
    };
    host_fits && port.parse::<u16>().is_ok()
}

/// The texts of a card that look like secrets: path and what it looks like.
pub(super) fn secrets(card: &AgentCard) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    // Signatures look like tokens and are none.
    let unsigned = AgentCard {
        signatures: Vec::new(),
        ..card.clone()
    };
    if let Ok(value) = serde_json::to_value(&unsigned) {
        search(&value, "", &mut found);
    }
    found
}

fn search(value: &Value, path: &str, found: &mut Vec<(String, &'static str)>) {
    match value {
        Value::String(text) => found.extend(secret(text).map(|what| (path.to_owned(), what))),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                search(value, &format!("{path}[{index}]"), found);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                let dot = if path.is_empty() { "" } else { "." };
                let member = format!("{path}{dot}{name}");
                let filled = value.as_str().is_some_and(|text| !text.is_empty());
                // Only extensions have parameters of any name.
                if filled && path.contains(".params") && is_secret_name(name) {
                    found.push((member, "a secret by its name"));
                } else {
                    search(value, &member, found);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', '_'], "");
    ["password", "secret", "apikey", "token", "credentials"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn secret(text: &str) -> Option<&'static str> {
    if text.contains("PRIVATE KEY-----") {
        return Some("a private key");
    }
    if text.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split('/').next().unwrap_or_default();
        authority
            .split_once('@')
            .is_some_and(|(user, _)| user.contains(':'))
    }) {
        return Some("a URL with a password");
    }
    let token = |word: &str, prefix: &str, length: usize| {
        word.strip_prefix(prefix).is_some_and(|rest| {
            let run = rest
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c));
            run.count() >= length && rest.contains(|c: char| c.is_ascii_digit())
        })
    };
    let is_token = |word: &str| {
        (word.starts_with("eyJ") && word.matches('.').count() == 2 && token(word, "eyJ", 30))
            || [
                ("sk-", 20),
                ("ghp_", 30),
                ("github_pat_", 30),
                ("xoxb-", 20),
                ("AKIA", 16),
            ]
            .iter()
            .any(|(prefix, length)| token(word, prefix, *length))
    };
    let mut words = text.split(|c: char| c.is_whitespace() || "\"'=,;()<>?&".contains(c));
    words.any(is_token).then_some("a token")
}
