//! The public keys of senders.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::net::Guard;
use crate::sign::{KeyError, PROVIDER, name};

/// How many keys of a set are read.
const MAX_KEYS: usize = 100;

/// How long a set that is fetched may be, in bytes.
const MAX_SET: usize = 256 * 1024;

const FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a fetched set is used: a key that was withdrawn is believed no longer.
const FRESH: Duration = Duration::from_secs(300);

/// How soon a set is fetched again for a key that is not in it: strangers can make up names of keys.
const PAUSE: Duration = Duration::from_secs(30);

/// Finds the key that a token names.
#[async_trait]
pub trait KeySource: Send + Sync + 'static {
    /// The key of this id; without an id the only one there is. `None` refuses the notification for
    /// good.
    ///
    /// # Errors
    ///
    /// When it cannot be said now whether there is such a key: the sender should try again.
    async fn key(&self, id: Option<&str>) -> Result<Option<PublicKey>, KeysUnavailable>;
}

/// The keys of a sender cannot be had at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "there is nothing to say")]
pub struct KeysUnavailable;

impl fmt::Display for KeysUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the keys of the sender cannot be had at the moment")
    }
}

impl std::error::Error for KeysUnavailable {}

/// The public half of a key, and the one algorithm that it is for.
#[derive(Clone)]
pub struct PublicKey {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

impl PublicKey {
    /// ES256, RS256 and EdDSA; other keys are not for us.
    fn read(jwk: &Jwk) -> Option<Self> {
        let (algorithm, named) = match &jwk.algorithm {
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
                (Algorithm::ES256, KeyAlgorithm::ES256)
            }
            AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
                (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
            }
            AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
            _ => return None,
        };
        let common = &jwk.common;
        let ours = common.key_algorithm.is_none_or(|other| other == named)
            && matches!(common.public_key_use, None | Some(PublicKeyUse::Signature));
        ours.then_some(Self {
            id: common.key_id.clone(),
            algorithm,
            key: DecodingKey::from_jwk(jwk).ok()?,
        })
    }

    pub(super) fn algorithm(&self) -> &'static str {
        name(self.algorithm)
    }

    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let verifier = (PROVIDER.verifier_factory)(&self.algorithm, &self.key);
        verifier.is_ok_and(|verifier| verifier.verify(message, &signature.to_vec()).is_ok())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey")
            .field("id", &self.id)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

/// Keys that are at hand. Clones are the same set.
#[derive(Clone, Debug)]
pub struct KeySet(Arc<RwLock<Vec<PublicKey>>>);

impl KeySet {
    /// Reads a JSON Web Key Set (RFC 7517). Keys that are for something else are left out.
    ///
    /// # Errors
    ///
    /// When it is none, or has no key for signatures by ES256, RS256 or EdDSA.
    pub fn from_json(json: &[u8]) -> Result<Self, KeyError> {
        Ok(Self(Arc::new(RwLock::new(read(json)?))))
    }

    /// Takes other keys in the place of these.
    ///
    /// # Errors
    ///
    /// As [`from_json`](Self::from_json); the keys stay as they are then.
    pub fn replace(&self, json: &[u8]) -> Result<(), KeyError> {
        let keys = read(json)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(())
    }
}

#[async_trait]
impl KeySource for KeySet {
    async fn key(&self, id: Option<&str>) -> Result<Option<PublicKey>, KeysUnavailable> {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Ok(find(&keys, id))
    }
}

/// Keys that are fetched from where the sender publishes them: when they are needed, again after
/// 5 minutes, and, at most every 30 seconds, when a token names a key that is not there.
pub struct RemoteKeys {
    url: String,
    guard: Guard,
    fetched: RwLock<Option<Fetched>>,
    /// When fetching was last tried. Held while it is.
    tried: Mutex<Option<Instant>>,
}

struct Fetched {
    keys: Vec<PublicKey>,
    at: Instant,
}

impl RemoteKeys {
    /// Keys from `url`, which the guard must allow.
    pub fn new(url: impl Into<String>, guard: Guard) -> Self {
        Self {
            url: url.into(),
            guard,
            fetched: RwLock::default(),
            tried: Mutex::default(),
        }
    }

    fn known(&self, id: Option<&str>) -> Option<PublicKey> {
        let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner);
        let fetched = fetched.as_ref()?;
        find(&fetched.keys, id).filter(|_| fetched.at.elapsed() < FRESH)
    }

    async fn fetch(&self) -> Result<Vec<PublicKey>, KeysUnavailable> {
        let answer = self.guard.fetch(&self.url, FETCH_TIMEOUT, MAX_SET).await;
        let document = answer.map_err(|error| {
            tracing::warn!(%error, "cannot fetch the key set of a sender");
            KeysUnavailable
        })?;
        document.and_then(|json| read(&json).ok()).ok_or_else(|| {
            tracing::warn!("what should be a sender's key set is none");
            KeysUnavailable
        })
    }
}

#[async_trait]
impl KeySource for RemoteKeys {
    async fn key(&self, id: Option<&str>) -> Result<Option<PublicKey>, KeysUnavailable> {
        if let Some(key) = self.known(id) {
            return Ok(Some(key));
        }
        // Whoever needs a key that is not there waits for the same answer.
        let mut tried = self.tried.lock().await;
        if let Some(key) = self.known(id) {
            return Ok(Some(key));
        }
        if tried.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(KeysUnavailable);
        }
        let now = Instant::now();
        *tried = Some(now);
        let keys = self.fetch().await?;
        let found = find(&keys, id);
        *self.fetched.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Fetched { keys, at: now });
        Ok(found)
    }
}

impl fmt::Debug for RemoteKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteKeys").finish_non_exhaustive()
    }
}

fn find(keys: &[PublicKey], id: Option<&str>) -> Option<PublicKey> {
    match (id, keys) {
        (Some(id), keys) => keys
            .iter()
            .find(|key| key.id.as_deref() == Some(id))
            .cloned(),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    }
}

fn read(json: &[u8]) -> Result<Vec<PublicKey>, KeyError> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<serde_json::Value>,
    }
    let set: Set =
        serde_json::from_slice(json).map_err(|_| KeyError::new("it is no JSON Web Key Set"))?;
    // One that we cannot read is no reason to refuse the others.
    let keys = set.keys.into_iter().take(MAX_KEYS);
    let keys: Vec<_> = keys
        .filter_map(|key| serde_json::from_value::<Jwk>(key).ok())
        .filter_map(|key| PublicKey::read(&key))
        .collect();
    if keys.is_empty() {
        return Err(KeyError::new("there is no key for ES256, RS256 or EdDSA"));
    }
    Ok(keys)
}
