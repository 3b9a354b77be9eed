//! What proves to a receiver who sent a notification.
//!
//! Beside what the registration asks for (A2A §4.3.3), which is sent anyway: [`Hmac`] with a shared
//! secret, and `Jwt` (feature `jwt`) with a key that is published. Both cover the body.

mod hmac;
#[cfg(feature = "jwt")]
mod jwt;
#[cfg(feature = "jwt")]
mod keys;

use std::error::Error;
use std::fmt;
use std::time::SystemTime;

use a2a_types::TaskPushNotificationConfig;
use http::HeaderMap;

pub use self::hmac::{Hmac, KeyError, Secret};
#[cfg(feature = "jwt")]
pub use self::jwt::Jwt;
#[cfg(feature = "jwt")]
pub use self::keys::{JWKS_PATH, KeyRing, SigningKey};
#[cfg(feature = "receiver")]
pub(crate) use self::{
    hmac::SIGNATURE_HEADER,
    jwt::TOKEN_HEADER,
    keys::{PROVIDER, name},
};

/// Adds headers to a notification that prove where it comes from.
///
/// It is asked once for each attempt, after the headers of the registration itself are known, and
/// may not replace one of them.
pub trait Signer: Send + Sync + 'static {
    /// The headers to add to this attempt.
    ///
    /// `id` and `timestamp` are what the attempt carries as `webhook-id` and `webhook-timestamp`:
    /// the first is the same for all attempts, the second is the present. `body` is what is sent.
    ///
    /// # Errors
    ///
    /// When the notification cannot be signed. It is tried again later, like a network error.
    fn headers(
        &self,
        id: &str,
        timestamp: SystemTime,
        config: &TaskPushNotificationConfig,
        body: &[u8],
    ) -> Result<HeaderMap, SignError>;
}

/// A notification could not be signed.
#[derive(Debug)]
pub struct SignError(Box<dyn Error + Send + Sync>);

impl SignError {
    /// A failure with its cause.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

impl fmt::Display for SignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the notification cannot be signed")
    }
}

impl Error for SignError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Whole seconds since 1970.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// The SHA-256 of a body, in hex.
#[cfg(feature = "jwt")]
pub(crate) fn body_hash(body: &[u8]) -> String {
    use std::fmt::Write as _;

    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, body);
    hash.as_ref().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
