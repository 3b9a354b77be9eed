//! Keeping cards for as long as their servers allow (A2A §8.6.2, RFC 9111).

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{AGE, CACHE_CONTROL, DATE, EXPIRES};
use reqwest::Url;
use tokio::time::Instant;

use super::discover::Found;
use crate::{Error, Failure};

/// A year; whatever lives longer lives long enough, and can be added to a time.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Cards by address. Clones share their content, so that one cache can serve many clients.
///
/// What a card's server says about its lifetime is followed: `max-age`, `no-store`, `no-cache`,
/// `Expires`, `ETag` and `Last-Modified`. A card that was fetched with other headers (credentials,
/// say) is another card.
#[derive(Clone, Default)]
pub struct CardCache(Arc<Shared>);

#[derive(Default)]
struct Shared {
    default_lifetime: Duration,
    stale_if_error: Duration,
    cards: Mutex<HashMap<Url, Cached>>,
}

impl CardCache {
    /// An empty cache. Cards of servers that say nothing are asked for again each time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty cache that keeps cards of servers that say nothing for `default_lifetime`, and that
    /// uses a card for `stale_if_error` after its end while its server cannot be reached or answers
    /// with 5xx.
    #[must_use]
    pub fn with_lifetimes(default_lifetime: Duration, stale_if_error: Duration) -> Self {
        Self(Arc::new(Shared {
            default_lifetime: default_lifetime.min(LONGEST),
            stale_if_error: stale_if_error.min(LONGEST),
            cards: Mutex::default(),
        }))
    }

    pub(super) fn default_lifetime(&self) -> Duration {
        self.0.default_lifetime
    }

    pub(super) fn get(&self, url: &Url, headers: &HeaderMap) -> Option<Cached> {
        let cards = self.0.cards.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = cards.get(url).filter(|cached| cached.headers == *headers);
        cached.cloned()
    }

    pub(super) fn put(
        &self,
        url: &Url,
        headers: &HeaderMap,
        found: Found,
        validators: HeaderMap,
        lifetime: Lifetime,
    ) {
        let mut cards = self.0.cards.lock().unwrap_or_else(PoisonError::into_inner);
        let Lifetime::Keep {
            fresh,
            stale_if_error,
        } = lifetime
        else {
            cards.remove(url);
            return;
        };
        let end = Instant::now() + fresh;
        let cached = Cached {
            headers: headers.clone(),
            found,
            validators,
            end,
            stale_end: end + stale_if_error.unwrap_or(self.0.stale_if_error),
        };
        cards.insert(url.clone(), cached);
    }

    /// Keeps a card for another lifetime.
    pub(super) fn renew(
        &self,
        url: &Url,
        headers: &HeaderMap,
        cached: &Cached,
        lifetime: Lifetime,
    ) -> Found {
        let validators = cached.validators.clone();
        self.put(url, headers, cached.found.clone(), validators, lifetime);
        cached.found.clone()
    }
}

impl fmt::Debug for CardCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CardCache")
            .field("default_lifetime", &self.0.default_lifetime)
            .field("stale_if_error", &self.0.stale_if_error)
            .finish_non_exhaustive()
    }
}

#[derive(Clone)]
pub(super) struct Cached {
    headers: HeaderMap,
    found: Found,
    validators: HeaderMap,
    end: Instant,
    stale_end: Instant,
}

impl Cached {
    pub(super) fn found(&self) -> Found {
        self.found.clone()
    }

    pub(super) fn is_fresh(&self) -> bool {
        Instant::now() < self.end
    }

    /// Whether the card may be used although its server failed like this.
    pub(super) fn may_be_stale(&self, error: &Error) -> bool {
        let down = match error.failure() {
            Failure::Transport | Failure::Timeout => true,
            _ => error.http_status().is_some_and(|status| status >= 500),
        };
        down && Instant::now() < self.stale_end
    }

    /// Asks only for what has changed.
    pub(super) fn condition(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.validators {
            headers.insert(name, value.clone());
        }
    }
}

/// How long an answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// Not at all.
    Forget,
    Keep {
        fresh: Duration,
        stale_if_error: Option<Duration>,
    },
}

impl Lifetime {
    /// What the headers of an answer say (RFC 9111 §4.2, RFC 5861 §4).
    pub(super) fn of(headers: &HeaderMap, default: Duration) -> Self {
        let mut max_age = None;
        let mut stale_if_error = None;
        let mut no_cache = false;
        let mut strict = false;
        let values = headers.get_all(CACHE_CONTROL).into_iter();
        let directives = values.filter_map(|value| value.to_str().ok());
        for directive in directives.flat_map(|value| value.split(',')) {
            let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "no-store" => return Self::Forget,
                "no-cache" => no_cache = true,
                "must-revalidate" => strict = true,
                // What cannot be read is stale (RFC 9111 §4.2.1).
                "max-age" => max_age = Some(seconds(value).unwrap_or(Duration::ZERO)),
                "stale-if-error" => stale_if_error = seconds(value),
                _ => {}
            }
        }
        let fresh = match (no_cache, max_age) {
            (true, _) => Duration::ZERO,
            (false, Some(max_age)) => max_age.saturating_sub(age(headers)),
            (false, None) => expires(headers).unwrap_or(default),
        };
        Self::Keep {
            fresh: fresh.min(LONGEST),
            stale_if_error: match strict {
                true => Some(Duration::ZERO),
                false => stale_if_error.map(|stale| stale.min(LONGEST)),
            },
        }
    }
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_secs)
}

fn age(headers: &HeaderMap) -> Duration {
    let age = headers.get(AGE).and_then(|age| age.to_str().ok());
    age.and_then(|age| seconds(age.trim()))
        .unwrap_or(Duration::ZERO)
}

/// `Expires` counts from the server's own clock, if it shows one.
fn expires(headers: &HeaderMap) -> Option<Duration> {
    let expires = headers.get(EXPIRES)?;
    // A date that cannot be read, such as `0`, is in the past (RFC 9111 §5.3).
    let Some(end) = date(expires.to_str().ok()) else {
        return Some(Duration::ZERO);
    };
    let now = headers.get(DATE).and_then(|now| now.to_str().ok());
    let now = date(now).unwrap_or_else(SystemTime::now);
    Some(end.duration_since(now).unwrap_or(Duration::ZERO))
}

fn date(text: Option<&str>) -> Option<SystemTime> {
    httpdate::parse_http_date(text?.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifetime(headers: &[(&'static str, &'static str)]) -> Lifetime {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        Lifetime::of(&headers.collect(), Duration::from_secs(7))
    }

    fn keep(fresh: u64) -> Lifetime {
        Lifetime::Keep {
            fresh: Duration::from_secs(fresh),
            stale_if_error: None,
        }
    }

    #[test]
    fn lifetimes_follow_the_rules_of_http_caching() {
        // A2A-8.6.2-01
        assert_eq!(lifetime(&[]), keep(7));
        assert_eq!(
            lifetime(&[("cache-control", "public, max-age=60")]),
            keep(60)
        );
        assert_eq!(lifetime(&[("cache-control", "Max-Age=\"60\"")]), keep(60));
        assert_eq!(
            lifetime(&[("cache-control", "max-age=60"), ("age", "20")]),
            keep(40)
        );
        assert_eq!(
            lifetime(&[("cache-control", "max-age=60"), ("age", "90")]),
            keep(0)
        );
        assert_eq!(lifetime(&[("cache-control", "max-age=x")]), keep(0));
        assert_eq!(
            lifetime(&[("cache-control", "no-cache, max-age=60")]),
            keep(0)
        );
        assert_eq!(
            lifetime(&[("cache-control", "max-age=60, no-store")]),
            Lifetime::Forget
        );
        assert_eq!(lifetime(&[("expires", "0")]), keep(0));
        assert_eq!(
            lifetime(&[
                ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("expires", "Sun, 06 Nov 1994 08:50:37 GMT"),
            ]),
            keep(60)
        );
        assert_eq!(
            lifetime(&[("cache-control", "max-age=99999999999999999999")]),
            keep(0)
        );
        assert_eq!(
            lifetime(&[("cache-control", "max-age=1, stale-if-error=30")]),
            Lifetime::Keep {
                fresh: Duration::from_secs(1),
                stale_if_error: Some(Duration::from_secs(30)),
            }
        );
        assert_eq!(
            lifetime(&[(
                "cache-control",
                "stale-if-error=30, must-revalidate, max-age=1"
            )]),
            Lifetime::Keep {
                fresh: Duration::from_secs(1),
                stale_if_error: Some(Duration::ZERO),
            }
        );
    }
}
