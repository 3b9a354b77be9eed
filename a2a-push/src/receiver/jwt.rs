use std::fmt;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::keys::KeySource;
use super::{Rejection, text};
use crate::sign::{TOKEN_HEADER, seconds};

/// The longest token, in bytes.
const MAX_TOKEN: usize = 16 * 1024;

/// How far the sender's clock may be from ours, by default.
const LEEWAY: Duration = Duration::from_secs(60);

/// What a JSON Web Token must say.
///
/// The algorithm is the one of the key that the token names: ES256, RS256 or EdDSA, never what the
/// token would like.
pub struct TokenCheck {
    keys: Box<dyn KeySource>,
    audience: String,
    issuer: Option<String>,
    leeway: Duration,
}

impl TokenCheck {
    /// Tokens by one of `keys`, for this webhook: `audience` is its URL, as it was registered.
    pub fn new(keys: impl KeySource, audience: impl Into<String>) -> Self {
        Self {
            keys: Box::new(keys),
            audience: audience.into(),
            issuer: None,
            leeway: LEEWAY,
        }
    }

    /// Only by this sender (`iss`).
    #[must_use]
    pub fn with_issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// How far the sender's clock may be from ours. A minute by default.
    #[must_use]
    pub fn with_leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// What the token says, except that the body is not known here.
    pub(super) async fn verify(
        &self,
        headers: &HeaderMap,
        now: SystemTime,
    ) -> Result<Claims, Rejection> {
        let token = presented(headers).ok_or("the JWT is missing")?;
        if token.len() > MAX_TOKEN {
            return Err("the JWT is too long".into());
        }
        let malformed = "the JWT is malformed";
        let (message, signature) = token.rsplit_once('.').ok_or(malformed)?;
        let (head, claims) = message.split_once('.').ok_or(malformed)?;
        let head: Head = decode(head).ok_or(malformed)?;
        if head.crit.is_some() {
            return Err("the JWT has a header that is not understood".into());
        }
        let key = self.keys.key(head.kid.as_deref()).await?;
        let key = key.ok_or("the key of the JWT is not known")?;
        if head.alg != key.algorithm() {
            return Err("the JWT has another algorithm than its key".into());
        }
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| malformed)?;
        if !key.verifies(message.as_bytes(), &signature) {
            return Err("the signature of the JWT is wrong".into());
        }
        let claims: Claims = decode(claims).ok_or("a claim of the JWT is missing or malformed")?;
        self.judge(&claims, seconds(now))?;
        Ok(claims)
    }

    fn judge(&self, claims: &Claims, now: u64) -> Result<(), &'static str> {
        let leeway = self.leeway.as_secs();
        if claims.exp.saturating_add(leeway) <= now {
            return Err("the JWT has expired");
        }
        if claims.iat > now.saturating_add(leeway) {
            return Err("the JWT is not from now");
        }
        if !claims.aud.has(&self.audience) {
            return Err("the JWT is for another audience");
        }
        if self.issuer.is_some() && self.issuer != claims.iss {
            return Err("the JWT is by another issuer");
        }
        Ok(())
    }
}

impl fmt::Debug for TokenCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenCheck")
            .field("audience", &self.audience)
            .field("issuer", &self.issuer)
            .field("leeway", &self.leeway)
            .finish_non_exhaustive()
    }
}

/// From a header of its own, where `Authorization` has the registered credentials.
fn presented(headers: &HeaderMap) -> Option<&str> {
    if headers.contains_key(&TOKEN_HEADER) {
        return text(headers, TOKEN_HEADER.as_str());
    }
    let (scheme, token) = text(headers, AUTHORIZATION.as_str())?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_matches(' '))
}

fn decode<T: DeserializeOwned>(part: &str) -> Option<T> {
    let json = URL_SAFE_NO_PAD.decode(part).ok()?;
    serde_json::from_slice(&json).ok()
}

#[derive(Deserialize)]
struct Head {
    alg: String,
    kid: Option<String>,
    /// Headers that must be understood (RFC 7515 §4.1.11): none is.
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
pub(super) struct Claims {
    iss: Option<String>,
    aud: Audience,
    iat: u64,
    exp: u64,
    pub(super) jti: String,
    #[serde(rename = "taskId")]
    pub(super) task_id: Option<String>,
    pub(super) request_body_sha256: String,
}

/// RFC 7519 §4.1.3: one, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn has(&self, audience: &str) -> bool {
        match self {
            Self::One(one) => one == audience,
            Self::Several(several) => several.iter().any(|one| one == audience),
        }
    }
}
