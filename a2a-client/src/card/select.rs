//! Choosing among the interfaces of a card (A2A §8.3.2, §5.8).

use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{AgentCard, AgentInterface, Version};
use reqwest::Url;

use crate::origin::{is_internal, is_loopback};
use crate::{Error, Failure};

/// What becomes of an interface whose address has a meaning only inside of the agent's own machine
/// or network, such as `http://localhost:8080`, in a card that came from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InternalUrls {
    /// It is passed over: whoever wrote the card could make this machine call its neighbours.
    #[default]
    Refuse,
    /// It is called as it stands.
    Allow,
    /// Its scheme, host and port are taken from the address of the card.
    Rebase,
}

/// What the caller wants of an interface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preferences {
    /// The only bindings to use, best first; empty: all, in the order of the card.
    pub(crate) bindings: Vec<String>,
    pub(crate) internal_urls: InternalUrls,
}

/// An interface that can be called.
#[derive(Clone, Debug)]
pub(crate) struct Interface {
    /// With its address made absolute.
    pub(crate) entry: AgentInterface,
    /// The address as a URL, whatever the binding writes.
    pub(crate) url: Url,
    pub(crate) version: Version,
}

/// The usable interfaces, best first; at least one.
pub(crate) fn select(
    card: &AgentCard,
    card_url: Option<&Url>,
    preferences: &Preferences,
    speaks: impl Fn(&str) -> bool,
) -> Result<Vec<Interface>, Error> {
    let mut usable = Vec::new();
    let mut passed_over = Vec::new();
    for entry in &card.supported_interfaces {
        match check(entry, card_url, preferences, &speaks) {
            Ok(interface) => usable.push(interface),
            Err(why) => {
                let AgentInterface {
                    url,
                    protocol_binding,
                    protocol_version,
                    ..
                } = entry;
                passed_over.push(format!(
                    "{protocol_binding} {protocol_version} at {url}: {why}"
                ));
            }
        }
    }
    if usable.is_empty() {
        let message = match passed_over.is_empty() {
            true => "the card names no interfaces".to_owned(),
            false => format!(
                "no interface of the card can be used: {}",
                passed_over.join("; ")
            ),
        };
        return Err(Error::new(Failure::Card, message));
    }
    let rank = |interface: &Interface| {
        let binding = &interface.entry.protocol_binding;
        preferences.bindings.iter().position(|b| b == binding)
    };
    usable.sort_by_key(rank);
    Ok(usable)
}

fn check(
    entry: &AgentInterface,
    card_url: Option<&Url>,
    preferences: &Preferences,
    speaks: &impl Fn(&str) -> bool,
) -> Result<Interface, &'static str> {
    let binding = &entry.protocol_binding;
    if !speaks(binding) {
        return Err("there is no transport for this binding");
    }
    if !preferences.bindings.is_empty() && !preferences.bindings.contains(binding) {
        return Err("the caller wants another binding");
    }
    let version = match entry.protocol_version.trim() {
        // Only cards of version 1.0 have this list.
        "" => Version::V1_0,
        text => text.parse().map_err(|_| "that is no version")?,
    };
    if version != Version::V1_0 {
        return Err("this client speaks 1.0");
    }
    let mut url = address(entry, card_url).ok_or("that is no address")?;
    let mut entry = entry.clone();
    if matches!(binding.as_str(), JSONRPC | HTTP_JSON) {
        if !matches!(url.scheme(), "http" | "https") {
            return Err("that is no address of http or https");
        }
        entry.url = url.to_string();
    }
    if let Some(card_url) = card_url
        && leads_inside(&url, card_url)
    {
        match preferences.internal_urls {
            InternalUrls::Allow => {}
            InternalUrls::Rebase => {
                rebase(&mut url, card_url).ok_or("the address cannot be moved to the card's")?;
                entry.url = url.to_string();
            }
            InternalUrls::Refuse => {
                return Err("the address is internal, but the card came from elsewhere");
            }
        }
    }
    Ok(Interface {
        entry,
        url,
        version,
    })
}

/// The address of an interface; one that is relative is so to its card.
fn address(entry: &AgentInterface, card_url: Option<&Url>) -> Option<Url> {
    let text = entry.url.trim();
    let name = ["dns:///", "dns:"]
        .iter()
        .find_map(|dns| text.strip_prefix(dns));
    let text = name.unwrap_or(text);
    if text.is_empty() {
        return None;
    }
    if let Ok(url) = Url::parse(text)
        && url.has_host()
    {
        return Some(url);
    }
    match entry.protocol_binding.as_str() {
        JSONRPC | HTTP_JSON => card_url?.join(text).ok().filter(Url::has_host),
        // `host:port`, as gRPC writes it
        _ => Url::parse(&format!("https://{text}")).ok(),
    }
}

/// Whether following the card would lead further inside than the card itself was.
fn leads_inside(url: &Url, card_url: &Url) -> bool {
    if url.host_str() == card_url.host_str() || is_loopback(card_url) {
        return false;
    }
    is_loopback(url) || (is_internal(url) && !is_internal(card_url))
}

fn rebase(url: &mut Url, onto: &Url) -> Option<()> {
    url.set_scheme(onto.scheme()).ok()?;
    url.set_host(onto.host_str()).ok()?;
    url.set_port(onto.port()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(binding: &str, version: &str, url: &str) -> AgentInterface {
        AgentInterface::default()
            .with_protocol_binding(binding)
            .with_protocol_version(version)
            .with_url(url)
    }

    fn chosen(
        entries: impl IntoIterator<Item = AgentInterface>,
        card_url: Option<&str>,
        preferences: &Preferences,
    ) -> Result<Vec<String>, String> {
        let card = AgentCard::default().with_supported_interfaces(entries);
        let card_url = card_url.map(|url| url.parse().unwrap());
        let speaks = |binding: &str| binding == JSONRPC || binding == HTTP_JSON;
        let chosen = select(&card, card_url.as_ref(), preferences, speaks);
        let chosen = chosen.map_err(|error| error.to_string())?;
        Ok(chosen.into_iter().map(|i| i.entry.url).collect())
    }

    #[test]
    fn the_first_entry_that_we_speak_is_best() {
        // A2A-8.3.2-01, A2A-8.3.2-02, A2A-8.3.2-05, A2A-5.8-03
        let entries = [
            entry("GRPC", "1.0", "h:1"),
            entry("urn:x", "1.0", "http://x/"),
            entry("JSONRPC", "0.3", "http://old/"),
            entry("JSONRPC", "0.30", "http://odd/"),
            entry("JSONRPC", "1.0", "http://new/"),
            entry("HTTP+JSON", "1.0.2", "http://rest/"),
        ];
        let preferences = Preferences::default();
        assert_eq!(
            chosen(entries.clone(), None, &preferences).unwrap(),
            ["http://new/", "http://rest/"]
        );
        let preferences = Preferences {
            bindings: vec!["HTTP+JSON".to_owned()],
            ..preferences
        };
        assert_eq!(
            chosen(entries.clone(), None, &preferences).unwrap(),
            ["http://rest/"]
        );
        let preferences = Preferences {
            bindings: vec!["HTTP+JSON".to_owned(), "JSONRPC".to_owned()],
            ..preferences
        };
        assert_eq!(
            chosen(entries, None, &preferences).unwrap(),
            ["http://rest/", "http://new/"]
        );
    }

    #[test]
    fn the_error_says_why_every_entry_was_passed_over() {
        let entries = [
            entry("GRPC", "1.0", "h:1"),
            entry("JSONRPC", "0.3", "http://old/"),
            entry("JSONRPC", "1.0", "ftp://h/"),
        ];
        let text = chosen(entries, None, &Preferences::default()).unwrap_err();
        for part in [
            "GRPC 1.0 at h:1: there is no transport",
            "speaks 1.0",
            "ftp",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let text = chosen([], None, &Preferences::default()).unwrap_err();
        assert!(text.contains("no interfaces"), "{text}");
    }

    #[test]
    fn relative_addresses_are_relative_to_the_card() {
        let card_url = Some("https://h/x/.well-known/agent-card.json");
        let at = |url: &str| {
            let entries = [entry("JSONRPC", "1.0", url)];
            chosen(entries, card_url, &Preferences::default()).map(|urls| urls[0].clone())
        };
        assert_eq!(at("/rpc").unwrap(), "https://h/rpc");
        assert_eq!(at("../rpc").unwrap(), "https://h/x/rpc");
        assert_eq!(at("//other/rpc").unwrap(), "https://other/rpc");
        assert!(at("").is_err());
    }

    #[test]
    fn internal_addresses_are_treated_as_configured() {
        let with = |internal_urls, card_url| {
            let preferences = Preferences {
                internal_urls,
                ..Preferences::default()
            };
            let entries = [entry("JSONRPC", "1.0", "http://127.0.0.1:8080/rpc")];
            chosen(entries, Some(card_url), &preferences).map(|urls| urls[0].clone())
        };
        let public = "https://example.com/.well-known/agent-card.json";
        let local = "http://localhost:9/.well-known/agent-card.json";
        assert!(with(InternalUrls::Refuse, public).is_err());
        assert_eq!(
            with(InternalUrls::Allow, public).unwrap(),
            "http://127.0.0.1:8080/rpc"
        );
        assert_eq!(
            with(InternalUrls::Rebase, public).unwrap(),
            "https://example.com/rpc"
        );
        assert_eq!(
            with(InternalUrls::Refuse, local).unwrap(),
            "http://127.0.0.1:8080/rpc"
        );
    }
}
