//! `webhook-signature`, as Standard Webhooks has it.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use a2a_types::TaskPushNotificationConfig;
use aws_lc_rs::{hmac, rand};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{SignError, Signer, seconds};

pub(crate) const SIGNATURE_HEADER: HeaderName = HeaderName::from_static("webhook-signature");

/// Signs with a secret that the receiver has, too (HMAC-SHA256).
///
/// ```
/// use a2a_push::sign::{Hmac, Secret};
///
/// let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?;
/// let signer = Hmac::new(secret);
/// # Ok::<(), a2a_push::sign::KeyError>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Hmac(Arc<Find>);

type Find = dyn Fn(&TaskPushNotificationConfig) -> Vec<Secret> + Send + Sync;

impl Hmac {
    /// One secret for all receivers. Each of them could then sign what another one accepts: it
    /// suits receivers that belong together.
    pub fn new(secret: Secret) -> Self {
        Self::of_each(move |_| vec![secret.clone()])
    }

    /// The secrets of each receiver. While a secret is being replaced there are two of them; with
    /// none the notification is not signed.
    pub fn of_each(
        find: impl Fn(&TaskPushNotificationConfig) -> Vec<Secret> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(find))
    }
}

impl Signer for Hmac {
    fn headers(
        &self,
        id: &str,
        timestamp: SystemTime,
        config: &TaskPushNotificationConfig,
        body: &[u8],
    ) -> Result<HeaderMap, SignError> {
        let mut headers = HeaderMap::new();
        let timestamp = seconds(timestamp);
        let signatures: Vec<String> = (self.0)(config)
            .iter()
            .map(|secret| secret.sign(id, timestamp, body))
            .collect();
        if !signatures.is_empty() {
            let value = HeaderValue::from_str(&signatures.join(" ")).map_err(SignError::new)?;
            headers.insert(SIGNATURE_HEADER, value);
        }
        Ok(headers)
    }
}

impl fmt::Debug for Hmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hmac").finish_non_exhaustive()
    }
}

/// What sender and receiver of a webhook share: 24 to 64 bytes.
#[derive(Clone)]
pub struct Secret {
    bytes: Arc<[u8]>,
    key: hmac::Key,
}

impl Secret {
    /// Reads the usual form, `whsec_` and base64; the prefix may be left out.
    ///
    /// # Errors
    ///
    /// When it is no base64 or has another length.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let text = text.strip_prefix(PREFIX).unwrap_or(text);
        let bytes = STANDARD
            .decode(text)
            .map_err(|_| KeyError::new("the secret is no base64"))?;
        if !(24..=64).contains(&bytes.len()) {
            return Err(KeyError::new("the secret must have 24 to 64 bytes"));
        }
        Ok(Self::of(&bytes))
    }

    /// A new secret of 32 bytes.
    ///
    /// # Errors
    ///
    /// When the operating system gives no random numbers.
    pub fn random() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        rand::fill(&mut bytes).map_err(|_| KeyError::new("there are no random numbers"))?;
        Ok(Self::of(&bytes))
    }

    fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.into(),
            key: hmac::Key::new(hmac::HMAC_SHA256, bytes),
        }
    }

    /// The usual form, to be handed to the other side.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.bytes))
    }

    fn sign(&self, id: &str, timestamp: u64, body: &[u8]) -> String {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(head(id, timestamp).as_bytes());
        context.update(body);
        format!("v1,{}", STANDARD.encode(context.sign()))
    }

    /// Whether one of the signatures in `header` is by this secret. Takes the same time for all
    /// that have the right length.
    #[cfg(feature = "receiver")]
    pub(crate) fn verifies(&self, header: &str, id: &str, timestamp: u64, body: &[u8]) -> bool {
        let expected = self.sign(id, timestamp, body);
        let is_expected = |signature: &str| {
            let (signature, expected) = (signature.as_bytes(), expected.as_bytes());
            aws_lc_rs::constant_time::verify_slices_are_equal(signature, expected).is_ok()
        };
        header.split(' ').any(is_expected)
    }
}

const PREFIX: &str = "whsec_";

fn head(id: &str, timestamp: u64) -> String {
    format!("{id}.{timestamp}.")
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

/// A key or a secret that cannot be used. It does not show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError(&'static str);

impl KeyError {
    pub(crate) fn new(problem: &'static str) -> Self {
        Self(problem)
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for KeyError {}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn signature(hmac: &Hmac, body: &[u8]) -> Option<String> {
        let timestamp = SystemTime::UNIX_EPOCH + Duration::from_secs(1_614_265_330);
        let config = TaskPushNotificationConfig::default();
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let headers = hmac.headers(id, timestamp, &config, body).unwrap();
        headers
            .get(SIGNATURE_HEADER)
            .map(|value| value.to_str().unwrap().to_owned())
    }

    // The example of the Standard Webhooks libraries.
    #[test]
    fn the_signature_is_the_one_of_standard_webhooks() {
        let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(
            signature(&Hmac::new(secret), body).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn a_receiver_may_have_two_secrets_or_none() {
        let old = Secret::random().unwrap();
        let new = Secret::random().unwrap();
        let both = Hmac::of_each({
            let (old, new) = (old.clone(), new.clone());
            move |_| vec![old.clone(), new.clone()]
        });
        let (one, two) = (Hmac::new(old), Hmac::new(new));
        let expected = format!(
            "{} {}",
            signature(&one, b"x").unwrap(),
            signature(&two, b"x").unwrap()
        );
        assert_eq!(signature(&both, b"x"), Some(expected));
        assert_eq!(signature(&Hmac::of_each(|_| Vec::new()), b"x"), None);
    }

    #[test]
    fn a_secret_is_read_as_it_is_written_and_never_shown() {
        let secret = Secret::random().unwrap();
        let text = secret.reveal();
        assert_eq!(Secret::parse(&text).unwrap().reveal(), text);
        let shown = format!("{secret:?} {:?}", Hmac::new(secret.clone()));
        assert!(!shown.contains(&text[6..]), "{shown}");
        for bad in [
            "",
            "whsec_",
            "whsec_!",
            "c2hvcnQ=",
            &STANDARD.encode([0; 65]),
        ] {
            assert!(Secret::parse(bad).is_err(), "{bad}");
        }
    }
}
