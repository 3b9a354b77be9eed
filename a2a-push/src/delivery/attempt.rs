use std::error::Error;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use a2a_types::VERSION_HEADER;
use a2a_types::push::{Claimed, WebhookKey};
use aws_lc_rs::digest;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::net::{Failure, Guard, InvalidHeader, credentials};
use crate::sign::{SignError, Signer, seconds};

/// How much of an answer is read, in bytes.
const ANSWER_CAP: usize = 16 * 1024;

pub(crate) const ID_HEADER: HeaderName = HeaderName::from_static("webhook-id");
pub(crate) const TIMESTAMP_HEADER: HeaderName = HeaderName::from_static("webhook-timestamp");

/// Sends one notification once.
pub(crate) struct Courier {
    pub(crate) guard: Guard,
    pub(crate) signers: Vec<Arc<dyn Signer>>,
    pub(crate) timeout: Duration,
}

/// How an attempt ended.
#[derive(Debug)]
pub(super) enum Verdict {
    Delivered(StatusCode),
    /// It may be tried again.
    Failed {
        error: String,
        health: Health,
        /// For how long the receiver wants to be left alone.
        asked: Option<Duration>,
    },
    /// Trying again would not help.
    Refused {
        error: String,
        health: Health,
    },
}

/// What an attempt tells about the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// It answers.
    Up,
    /// It does not, or only that it is broken.
    Down,
    Unknown,
}

impl Courier {
    pub(super) async fn deliver(&self, claimed: &Claimed) -> Verdict {
        let headers = match self.headers(claimed) {
            Ok(headers) => headers,
            Err(Unsendable::Header(error)) => {
                return Verdict::Refused {
                    error: format!("{} {error}", error.field()),
                    health: Health::Unknown,
                };
            }
            Err(Unsendable::Signature(error)) => {
                return Verdict::Failed {
                    error: with_causes(&error),
                    health: Health::Unknown,
                    asked: None,
                };
            }
        };
        let (url, body) = (&claimed.webhook.config.url, claimed.notification.body());
        let answer = self
            .guard
            .post(url, headers, body.clone(), self.timeout, ANSWER_CAP)
            .await;
        match answer {
            Ok(answer) => judge(answer.status, &answer.headers),
            Err(error @ Failure::Refused(_)) => Verdict::Refused {
                error: error.to_string(),
                health: Health::Unknown,
            },
            Err(error) => Verdict::Failed {
                error: with_causes(&error),
                health: Health::Down,
                asked: None,
            },
        }
    }

    fn headers(&self, claimed: &Claimed) -> Result<HeaderMap, Unsendable> {
        let config = &claimed.webhook.config;
        let mut headers = credentials(config).map_err(Unsendable::Header)?;
        let id = webhook_id(&claimed.webhook.key, &claimed.notification.id());
        let now = SystemTime::now();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/a2a+json"),
        );
        headers.insert(VERSION_HEADER, HeaderValue::from_static("1.0"));
        headers.insert(TIMESTAMP_HEADER, seconds(now).into());
        if let Some(trace) = &claimed.notification.trace {
            let (parent, state) = (trace.traceparent(), trace.tracestate());
            for (name, value) in [("traceparent", parent), ("tracestate", state)] {
                // A trace that fits into no header is no reason to keep back the notification.
                if let Some(value) = HeaderValue::from_str(value).ok().filter(|v| !v.is_empty()) {
                    headers.insert(name, value);
                }
            }
        }
        for signer in &self.signers {
            let body = claimed.notification.body();
            // Somebody else's code: its panic would take the slot of the attempt along.
            let signed = AssertUnwindSafe(|| signer.headers(&id, now, config, body));
            let signed = catch_unwind(signed)
                .unwrap_or_else(|_| Err(SignError::new("the signer has panicked")));
            for (name, value) in signed.map_err(Unsendable::Signature)? {
                // No more than one value has a name, and none of ours is replaced.
                if let Some(name) = name
                    && !headers.contains_key(&name)
                {
                    headers.insert(name, value);
                }
            }
        }
        let id = HeaderValue::from_str(&id)
            .map_err(|error| Unsendable::Signature(SignError::new(error)))?;
        headers.insert(ID_HEADER, id);
        Ok(headers)
    }
}

enum Unsendable {
    Header(InvalidHeader),
    Signature(SignError),
}

/// By the status alone: A2A §4.3.3 and decision B3.
fn judge(status: StatusCode, headers: &HeaderMap) -> Verdict {
    if status.is_success() {
        return Verdict::Delivered(status);
    }
    let error = format!("the receiver answered {}", status.as_u16());
    let health = if status.is_server_error() {
        Health::Down
    } else {
        Health::Up
    };
    match status {
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS => {
            Verdict::Failed {
                error,
                health: Health::Unknown,
                asked: retry_after(headers),
            }
        }
        status if status.is_server_error() => Verdict::Failed {
            error,
            health,
            asked: retry_after(headers),
        },
        _ => Verdict::Refused { error, health },
    }
}

/// RFC 9110 §10.2.3: seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

/// The same in every attempt, and after a restart.
pub(crate) fn webhook_id(key: &WebhookKey, notification: &str) -> String {
    let mut hash = digest::Context::new(&digest::SHA256);
    for part in [
        &*key.task_id,
        key.owner.tenant(),
        key.owner.principal(),
        &*key.id,
        notification,
    ] {
        hash.update(&(part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let hash = hash.finish();
    let short = hash.as_ref().get(..18).unwrap_or_default();
    format!("msg_{}", URL_SAFE_NO_PAD.encode(short))
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use a2a_types::store::Owner;

    use super::*;

    // B3: two of anything must never run together.
    #[test]
    fn every_notification_has_an_id_of_its_own_that_stays() {
        let of = |task: &str, tenant: &str, principal: &str, id: &str, note: &str| {
            let key = WebhookKey::new(task, Owner::new(tenant, principal), id);
            webhook_id(&key, note)
        };
        let all = [
            of("t", "a", "b", "c", "1"),
            of("t", "a", "b", "c", "2"),
            of("t", "a", "b", "d", "1"),
            of("t", "ab", "", "c", "1"),
            of("t", "", "ab", "c", "1"),
            of("u", "a", "b", "c", "1"),
            of("t", "a", "b", "c1", ""),
        ];
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(of("t", "a", "b", "c", "1"), all[0]);
        assert_eq!(all[0], "msg_JkDhVpuzTcSTm0wwPREZGErm");
        for id in all {
            assert!(
                id.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
            );
        }
    }

    // R121, B3
    #[test]
    fn the_status_decides_whether_to_try_again() {
        let headers = HeaderMap::new();
        for code in 100..=599 {
            let verdict = judge(StatusCode::from_u16(code).unwrap(), &headers);
            match code {
                200..=299 => assert!(matches!(verdict, Verdict::Delivered(_)), "{code}"),
                408 | 425 | 429 | 500..=599 => {
                    assert!(matches!(verdict, Verdict::Failed { .. }), "{code}");
                }
                _ => assert!(matches!(verdict, Verdict::Refused { .. }), "{code}"),
            }
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let read = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(read("120"), Some(Duration::from_secs(120)));
        assert_eq!(read("Thu, 01 Jan 1970 00:00:00 GMT"), Some(Duration::ZERO));
        let future = SystemTime::now() + Duration::from_secs(1000);
        let asked = read(&httpdate::fmt_http_date(future)).unwrap();
        assert!(asked > Duration::from_secs(900) && asked <= Duration::from_secs(1000));
        for bad in ["-1", "soon", "", "1.5"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
