//! Finding a card (A2A §8.2).

use std::sync::Arc;
use std::time::Duration;

use a2a_types::AgentCard;
use a2a_types::card::WELL_KNOWN_PATH;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, COOKIE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::header::{LAST_MODIFIED, LOCATION};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use reqwest::{Client, Request, Response, Url};
use tokio::time::timeout;

use super::cache::{Cached, CardCache, Lifetime};
use super::read::read;
use crate::transport::http as web;
use crate::{Error, Failure};

/// A larger card is none, in bytes.
const MAX_CARD: usize = 4 * 1024 * 1024;
/// No card needs more.
const MAX_REDIRECTS: usize = 5;

/// How cards are fetched.
pub(crate) struct Discovery<'a> {
    pub(crate) client: &'a Client,
    pub(crate) cache: &'a CardCache,
    pub(crate) headers: HeaderMap,
    pub(crate) timeout: Duration,
    /// Whether the card of the whole host may stand in for one that is not under the given path.
    pub(crate) at_origin: bool,
}

/// A card and where it was.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) card: Arc<AgentCard>,
    pub(crate) url: Url,
}

impl Discovery<'_> {
    /// The card of the agent at `address`: a base address, or that of the card itself.
    pub(crate) async fn find(&self, address: &Url) -> Result<Found, Error> {
        let candidates = candidates(address, self.at_origin);
        let mut tried: Vec<String> = Vec::new();
        let mut last = None;
        for url in candidates {
            match self.get(&url).await {
                Ok(found) => return Ok(found),
                Err(Miss::Elsewhere(error)) => {
                    tried.push(format!("{}: {error}", web::place(&url)));
                    last = Some(error);
                }
                Err(Miss::Final(error)) => return Err(error),
            }
        }
        let message = format!("no agent card found; tried {}", tried.join("; "));
        let error = Error::new(Failure::Card, message);
        Err(match last {
            Some(last) => error.with_source(last),
            None => error,
        })
    }

    async fn get(&self, url: &Url) -> Result<Found, Miss> {
        let cached = self.cache.get(url, &self.headers);
        if let Some(cached) = cached.as_ref().filter(|cached| cached.is_fresh()) {
            return Ok(cached.found());
        }
        let fetched = timeout(self.timeout, self.fetch(url, cached.as_ref())).await;
        let fetched = fetched.unwrap_or_else(|_| {
            let message = format!("no card from {} in time", web::place(url));
            Err(Miss::Final(Error::new(Failure::Timeout, message)))
        });
        match (fetched, cached) {
            (Err(Miss::Final(error)), Some(cached)) if cached.may_be_stale(&error) => {
                tracing::warn!(%error, "using a stale agent card");
                Ok(cached.found())
            }
            (fetched, _) => fetched,
        }
    }

    async fn fetch(&self, url: &Url, cached: Option<&Cached>) -> Result<Found, Miss> {
        let mut at = url.clone();
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, web::JSON);
        if let Some(cached) = cached {
            cached.condition(&mut headers);
        }
        let mut response = self.send(&at, &headers).await?;
        for _ in 0..MAX_REDIRECTS {
            let Some(target) = redirect(&at, &response)? else {
                break;
            };
            if target.origin() != at.origin() {
                drop_secrets(&mut headers);
            }
            at = target;
            response = self.send(&at, &headers).await?;
        }
        let status = response.status();
        if let (StatusCode::NOT_MODIFIED, Some(cached)) = (status, cached) {
            let lifetime = Lifetime::of(response.headers(), self.cache.default_lifetime());
            return Ok(self.cache.renew(url, &self.headers, cached, lifetime));
        }
        if !status.is_success() {
            return Err(miss(status, &at));
        }
        let lifetime = Lifetime::of(response.headers(), self.cache.default_lifetime());
        let validators = [(ETAG, IF_NONE_MATCH), (LAST_MODIFIED, IF_MODIFIED_SINCE)];
        let validators = validators.into_iter().filter_map(|(theirs, ours)| {
            let value = response.headers().get(theirs)?;
            Some((ours, value.clone()))
        });
        let validators: HeaderMap = validators.collect();
        let body = web::body(response, MAX_CARD).await;
        let body: Bytes = body.map_err(|error| match error.failure() {
            Failure::Decode => Miss::Elsewhere(error),
            _ => Miss::Final(error),
        })?;
        let card = read(&body)?;
        let found = Found {
            card: Arc::new(card),
            url: at,
        };
        self.cache
            .put(url, &self.headers, found.clone(), validators, lifetime);
        Ok(found)
    }

    async fn send(&self, url: &Url, headers: &HeaderMap) -> Result<Response, Miss> {
        let mut request = Request::new(Method::GET, url.clone());
        *request.headers_mut() = headers.clone();
        let place = web::place(request.url());
        let sent = self.client.execute(request).await;
        sent.map_err(|error| Miss::Final(web::unreached(&place, error)))
    }
}

/// Why a card was not at an address.
pub(super) enum Miss {
    /// It may be at the next address.
    Elsewhere(Error),
    /// Looking elsewhere makes no sense, or would hide what is wrong.
    Final(Error),
}

/// The addresses to try, in order.
fn candidates(address: &Url, at_origin: bool) -> Vec<Url> {
    let mut address = address.clone();
    address.set_fragment(None);
    let path = address.path().trim_end_matches('/').to_owned();
    let is_card = path.ends_with(".json") || address.query().is_some();
    let under = |path: &str| {
        let mut url = address.clone();
        url.set_query(None);
        url.set_path(&format!("{path}{WELL_KNOWN_PATH}"));
        url
    };
    let mut candidates = Vec::new();
    if is_card {
        candidates.push(address.clone());
    }
    if !path.ends_with(".json") {
        candidates.push(under(&path));
        if !path.is_empty() {
            if !is_card {
                candidates.push(address.clone());
            }
            if at_origin {
                candidates.push(under(""));
            }
        }
    }
    candidates
}

/// Where a redirect leads; only over `http` and `https`, and never out of TLS.
fn redirect(from: &Url, response: &Response) -> Result<Option<Url>, Miss> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let target = response.headers().get(LOCATION);
    let target = target.and_then(|target| target.to_str().ok());
    let target = target.and_then(|target| from.join(target).ok());
    let allowed = target.filter(|target| match target.scheme() {
        "https" => true,
        "http" => from.scheme() == "http",
        _ => false,
    });
    match allowed {
        Some(target) => Ok(Some(target)),
        None => {
            let message = format!("{} redirects to where no card may be", web::place(from));
            Err(Miss::Final(Error::new(Failure::Card, message)))
        }
    }
}

pub(crate) fn drop_secrets(headers: &mut HeaderMap) {
    let secret = |(name, value): (&http::HeaderName, &HeaderValue)| {
        let known = [AUTHORIZATION, COOKIE].contains(name);
        (known || value.is_sensitive()).then(|| name.clone())
    };
    let names: Vec<_> = headers.iter().filter_map(secret).collect();
    for name in names {
        headers.remove(name);
    }
}

fn miss(status: StatusCode, at: &Url) -> Miss {
    let place = web::place(at);
    let error = match status.as_u16() {
        401 | 403 => Error::refused_card(format!("{place} wants credentials for the card"), status),
        _ => Error::new(Failure::Card, format!("no card at {place}")),
    };
    let error = error.with_http_status(status.as_u16());
    match status.as_u16() {
        404..=406 | 410 | 501 | 400 | 300..=399 => Miss::Elsewhere(error),
        _ => Miss::Final(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_address_leads_to_the_places_where_its_card_can_be() {
        // R070
        let at = |address: &str| -> Vec<String> {
            let candidates = candidates(&address.parse().unwrap(), true);
            candidates.iter().map(ToString::to_string).collect()
        };
        const HOST: &str = "https://h/.well-known/agent-card.json";
        const AGENT: &str = "https://h/agents/x/.well-known/agent-card.json";
        assert_eq!(at("https://h"), [HOST]);
        assert_eq!(at("https://h/"), [HOST]);
        assert_eq!(
            at("https://h/agents/x"),
            [AGENT, "https://h/agents/x", HOST]
        );
        assert_eq!(
            at("https://h/agents/x/"),
            [AGENT, "https://h/agents/x/", HOST]
        );
        assert_eq!(at(AGENT), [AGENT]);
        assert_eq!(at("https://h/cards/x.json#y"), ["https://h/cards/x.json"]);
        assert_eq!(
            at("https://h/card?agent=x"),
            [
                "https://h/card?agent=x",
                "https://h/card/.well-known/agent-card.json",
                HOST
            ]
        );
    }
}
