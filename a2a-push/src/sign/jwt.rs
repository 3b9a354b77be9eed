//! A JSON Web Token for each notification.

use std::time::{Duration, SystemTime};

use a2a_types::TaskPushNotificationConfig;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use super::keys::{KeyRing, name};
use super::{SignError, Signer, body_hash, seconds};

/// Where the token is when the registration has put credentials of its own into `Authorization`.
pub(crate) const TOKEN_HEADER: HeaderName = HeaderName::from_static("a2a-notification-jwt");

/// How long a token is good for, by default.
const LIFETIME: Duration = Duration::from_secs(300);

/// Signs with a key whose public half everybody may have: a JSON Web Token that says for which
/// webhook (`aud`, its URL as registered), task (`taskId`) and body (`request_body_sha256`, in hex)
/// it is, since when (`iat`), until when (`exp`), and which notification it is (`jti`, the
/// `webhook-id`).
///
/// It is sent as `Authorization: Bearer`, or, when the registration has credentials of its own,
/// in the header `A2A-Notification-JWT`.
///
/// ```
/// use a2a_push::sign::{Jwt, KeyRing, SigningKey};
///
/// let keys = KeyRing::new(SigningKey::generate()?);
/// let signer = Jwt::new(keys.clone()).with_issuer("https://agent.example.com");
/// let router = keys.router(); // serves /.well-known/jwks.json
/// # let _ = router;
/// # Ok::<(), a2a_push::sign::KeyError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Jwt {
    keys: KeyRing,
    issuer: Option<String>,
    lifetime: Duration,
}

impl Jwt {
    /// Tokens by the keys of a ring.
    pub fn new(keys: KeyRing) -> Self {
        Self {
            keys,
            issuer: None,
            lifetime: LIFETIME,
        }
    }

    /// Says who sends (`iss`): the agent's address, usually.
    pub fn with_issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// How long a token is good for. 5 minutes by default; each attempt has a token of its own.
    pub fn with_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }
}

impl Signer for Jwt {
    fn headers(
        &self,
        id: &str,
        timestamp: SystemTime,
        config: &TaskPushNotificationConfig,
        body: &[u8],
    ) -> Result<HeaderMap, SignError> {
        let key = self.keys.signing();
        let issued = seconds(timestamp);
        let head = Head {
            alg: name(key.algorithm()),
            kid: key.id(),
            typ: "JWT",
        };
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: config.url.clone(),
            iat: issued,
            exp: issued.saturating_add(self.lifetime.as_secs()),
            jti: id.to_owned(),
            task_id: config.task_id.clone(),
            request_body_sha256: body_hash(body),
        };
        let message = format!("{}.{}", encode(&head)?, encode(&claims)?);
        let signature = key.sign(message.as_bytes()).map_err(SignError::new)?;
        let token = format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature));
        let (name, value) = if config.authentication.is_none() {
            (AUTHORIZATION, format!("Bearer {token}"))
        } else {
            (TOKEN_HEADER, token)
        };
        let mut value = HeaderValue::from_str(&value).map_err(SignError::new)?;
        value.set_sensitive(true);
        Ok(HeaderMap::from_iter([(name, value)]))
    }
}

#[derive(Serialize)]
struct Head<'a> {
    alg: &'static str,
    kid: &'a str,
    typ: &'static str,
}

#[derive(Serialize)]
struct Claims {
    #[serde(skip_serializing_if = "Option::is_none")]
    iss: Option<String>,
    aud: String,
    iat: u64,
    exp: u64,
    jti: String,
    #[serde(rename = "taskId")]
    task_id: String,
    request_body_sha256: String,
}

fn encode(part: &impl Serialize) -> Result<String, SignError> {
    let json = serde_json::to_vec(part).map_err(SignError::new)?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}
