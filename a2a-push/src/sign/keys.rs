//! The keys that sign tokens, and how their public halves are published.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use aws_lc_rs::digest;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::crypto::{CryptoProvider, aws_lc};
use jsonwebtoken::errors::Error;
use jsonwebtoken::jwk::EllipticCurve;
use jsonwebtoken::{Algorithm, EncodingKey};

use super::KeyError;

/// The one place where the cryptography of tokens is chosen. jsonwebtoken has none of its own and
/// panics at the first signature when a process has chosen none or two: its choice is not used.
pub(crate) const PROVIDER: &CryptoProvider = &aws_lc::DEFAULT_PROVIDER;

/// Where [`KeyRing::router`] publishes the keys.
pub const JWKS_PATH: &str = "/.well-known/jwks.json";

/// A private key, and the id by which receivers find its public half.
#[derive(Clone)]
pub struct SigningKey {
    id: String,
    algorithm: Algorithm,
    key: EncodingKey,
    public: Public,
}

impl SigningKey {
    /// A key for ES256: an ECDSA key on P-256, in PEM (PKCS #8).
    ///
    /// # Errors
    ///
    /// When there is no such key in the PEM.
    pub fn es256(pem: &[u8]) -> Result<Self, KeyError> {
        Self::of(Algorithm::ES256, EncodingKey::from_ec_pem(pem))
    }

    /// A key for RS256: an RSA key of 2048 bits or more, in PEM (PKCS #1 or PKCS #8).
    ///
    /// # Errors
    ///
    /// When there is no such key in the PEM.
    pub fn rs256(pem: &[u8]) -> Result<Self, KeyError> {
        Self::of(Algorithm::RS256, EncodingKey::from_rsa_pem(pem))
    }

    /// A key for EdDSA: an Ed25519 key in PEM (PKCS #8).
    ///
    /// # Errors
    ///
    /// When there is no such key in the PEM.
    pub fn ed25519(pem: &[u8]) -> Result<Self, KeyError> {
        Self::of(Algorithm::EdDSA, EncodingKey::from_ed_pem(pem))
    }

    /// A new key for ES256. It is lost with the process, so that receivers have to learn the next
    /// one after each start.
    ///
    /// # Errors
    ///
    /// When the operating system gives no random numbers.
    pub fn generate() -> Result<Self, KeyError> {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(|_| KeyError::new("cannot generate a key"))?;
        Self::of(Algorithm::ES256, Ok(EncodingKey::from_ec_der(key.as_ref())))
    }

    /// Replaces the id, which is the key's thumbprint (RFC 7638) by default.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The key's id (`kid`).
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn of(algorithm: Algorithm, key: Result<EncodingKey, Error>) -> Result<Self, KeyError> {
        let unusable = |_| KeyError::new("there is no usable key of this kind");
        let key = key.map_err(unusable)?;
        let public = Public::of(algorithm, &key).map_err(unusable)?;
        let key = Self {
            id: public.thumbprint(),
            algorithm,
            key,
            public,
        };
        // What does not work is found out now, not with the first notification.
        key.sign(b"").map_err(unusable)?;
        Ok(key)
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signer = (PROVIDER.signer_factory)(&self.algorithm, &self.key)?;
        Ok(signer.try_sign(message)?)
    }

    fn jwk(&self) -> serde_json::Value {
        let mut jwk = self.public.members();
        jwk.push(("use", "sig".to_owned()));
        jwk.push(("alg", name(self.algorithm).to_owned()));
        jwk.push(("kid", self.id.clone()));
        jwk.into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("id", &self.id)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

/// The name of an algorithm in headers and key sets.
pub(crate) fn name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::ES256 => "ES256",
        Algorithm::RS256 => "RS256",
        Algorithm::EdDSA => "EdDSA",
        _ => "none of ours",
    }
}

/// The public half, its numbers in base64.
#[derive(Clone)]
enum Public {
    Ec { x: String, y: String },
    Rsa { n: String, e: String },
    Ed { x: String },
}

impl Public {
    fn of(algorithm: Algorithm, key: &EncodingKey) -> Result<Self, Error> {
        let utils = &PROVIDER.key_utils;
        let bytes = key.as_bytes();
        Ok(match algorithm {
            Algorithm::RS256 => {
                let (n, e) = (utils.rsa_pub_components_from_private_key)(bytes)?;
                let (n, e) = (URL_SAFE_NO_PAD.encode(n), URL_SAFE_NO_PAD.encode(e));
                Self::Rsa { n, e }
            }
            Algorithm::EdDSA => {
                let curve = EllipticCurve::Ed25519;
                let x = (utils.ed_pub_components_from_private_key)(bytes, &curve)?;
                let x = URL_SAFE_NO_PAD.encode(x);
                Self::Ed { x }
            }
            other => {
                let (_, x, y) = (utils.ec_pub_components_from_private_key)(bytes, other)?;
                let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
                Self::Ec { x, y }
            }
        })
    }

    /// The members that make the key, sorted by name.
    fn members(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Ec { x, y } => vec![
                ("crv", "P-256".to_owned()),
                ("kty", "EC".to_owned()),
                ("x", x.clone()),
                ("y", y.clone()),
            ],
            Self::Rsa { n, e } => vec![
                ("e", e.clone()),
                ("kty", "RSA".to_owned()),
                ("n", n.clone()),
            ],
            Self::Ed { x } => vec![
                ("crv", "Ed25519".to_owned()),
                ("kty", "OKP".to_owned()),
                ("x", x.clone()),
            ],
        }
    }

    /// RFC 7638: the hash of the members in this order and without spaces. None needs an escape.
    fn thumbprint(&self) -> String {
        let members = self.members();
        let members: Vec<_> = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":\"{value}\""))
            .collect();
        let text = format!("{{{}}}", members.join(","));
        URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, text.as_bytes()))
    }
}

/// The keys of a sender: the one that signs, those that will sign, and those that did.
///
/// To replace a key without a notification that nobody can verify: [`add`](Self::add) the new one;
/// when receivers have had the time to see it (they keep the set for five minutes), let it
/// [`sign`](Self::sign_with); when the last token of the old one has expired,
/// [`remove`](Self::remove) it.
///
/// Clones are the same ring.
#[derive(Clone, Debug)]
pub struct KeyRing(Arc<RwLock<Keys>>);

#[derive(Debug)]
struct Keys {
    signing: Arc<SigningKey>,
    others: Vec<Arc<SigningKey>>,
}

impl KeyRing {
    /// A ring whose one key signs.
    #[must_use]
    pub fn new(key: SigningKey) -> Self {
        Self(Arc::new(RwLock::new(Keys {
            signing: Arc::new(key),
            others: Vec::new(),
        })))
    }

    /// Publishes one more key, which does not sign yet.
    ///
    /// # Errors
    ///
    /// When there is a key of this id already.
    pub fn add(&self, key: SigningKey) -> Result<(), KeyError> {
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if keys.all().any(|other| other.id == key.id) {
            return Err(KeyError::new("there is a key of this id already"));
        }
        keys.others.push(Arc::new(key));
        Ok(())
    }

    /// Lets the key with this id sign from now on. The one before stays published.
    ///
    /// # Errors
    ///
    /// When there is no such key.
    pub fn sign_with(&self, id: &str) -> Result<(), KeyError> {
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let Keys { signing, others } = &mut *keys;
        if signing.id == id {
            return Ok(());
        }
        let next = others.iter_mut().find(|key| key.id == id);
        let next = next.ok_or_else(|| KeyError::new("there is no key of this id"))?;
        std::mem::swap(signing, next);
        Ok(())
    }

    /// Publishes the key no longer. It is no error when there is none of this id.
    ///
    /// # Errors
    ///
    /// When it is the one that signs.
    pub fn remove(&self, id: &str) -> Result<(), KeyError> {
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if keys.signing.id == id {
            return Err(KeyError::new("the key is the one that signs"));
        }
        keys.others.retain(|key| key.id != id);
        Ok(())
    }

    /// The public halves as a JSON Web Key Set (RFC 7517).
    #[must_use]
    pub fn jwks(&self) -> String {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let keys: Vec<_> = keys.all().map(|key| key.jwk()).collect();
        serde_json::json!({ "keys": keys }).to_string()
    }

    /// Answers `GET` [`/.well-known/jwks.json`](JWKS_PATH) with the key set, for anybody. Merge it
    /// into the application that the agent is served by.
    pub fn router(&self) -> Router {
        let ring = self.clone();
        let answer = move || async move {
            let headers = [
                (CONTENT_TYPE, "application/jwk-set+json"),
                (CACHE_CONTROL, "public, max-age=300"),
            ];
            (headers, ring.jwks())
        };
        Router::new().route(JWKS_PATH, get(answer))
    }

    pub(crate) fn signing(&self) -> Arc<SigningKey> {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&keys.signing)
    }
}

impl Keys {
    fn all(&self) -> impl Iterator<Item = &Arc<SigningKey>> {
        std::iter::once(&self.signing).chain(&self.others)
    }
}
