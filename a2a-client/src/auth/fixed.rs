//! Credentials that do not change.

use std::fmt;

use a2a_types::SecurityScheme;
use a2a_types::security_scheme::Scheme;
use async_trait::async_trait;
use http::HeaderName;

use super::{Credential, CredentialsProvider, Demand};
use crate::Error;

/// A bearer token: for HTTP schemes of that name, for OAuth 2.0 and for OpenID Connect.
#[derive(Clone)]
pub struct Bearer(Credential);

impl Bearer {
    /// This token.
    pub fn new(token: impl AsRef<str>) -> Self {
        Self(Credential::bearer(token))
    }
}

#[async_trait]
impl CredentialsProvider for Bearer {
    async fn credential(&self, demand: &Demand<'_>) -> Result<Option<Credential>, Error> {
        let fits = demand.scheme.is_none_or(|(_, scheme)| takes_token(scheme));
        Ok(fits.then(|| self.0.clone()))
    }
}

/// Whether a scheme is satisfied by a bearer token.
pub(super) fn takes_token(scheme: &SecurityScheme) -> bool {
    match &scheme.scheme {
        Some(Scheme::HttpAuthSecurityScheme(http)) => http.scheme.eq_ignore_ascii_case("bearer"),
        Some(Scheme::Oauth2SecurityScheme(_) | Scheme::OpenIdConnectSecurityScheme(_)) => true,
        _ => false,
    }
}

/// A name and a password.
#[derive(Clone)]
pub struct Basic(Credential);

impl Basic {
    /// This name and this password.
    pub fn new(user: impl AsRef<str>, password: impl AsRef<str>) -> Self {
        Self(Credential::basic(user, password))
    }
}

#[async_trait]
impl CredentialsProvider for Basic {
    async fn credential(&self, demand: &Demand<'_>) -> Result<Option<Credential>, Error> {
        let fits = demand
            .scheme
            .is_none_or(|(_, scheme)| match &scheme.scheme {
                Some(Scheme::HttpAuthSecurityScheme(http)) => {
                    http.scheme.eq_ignore_ascii_case("basic")
                }
                _ => false,
            });
        Ok(fits.then(|| self.0.clone()))
    }
}

/// An API key. Its place (header, query or cookie) is in the card.
#[derive(Clone)]
pub struct ApiKey {
    key: Credential,
    scheme: Option<String>,
    unasked: Option<Credential>,
}

impl ApiKey {
    /// This key, for every API key scheme.
    pub fn new(key: impl Into<String>) -> Self {
        Self {
            key: Credential::key(key),
            scheme: None,
            unasked: None,
        }
    }

    /// This key, sent in this header also to agents whose card asks for nothing, and for the card
    /// itself.
    pub fn in_header(name: HeaderName, key: impl Into<String>) -> Self {
        let key = key.into();
        Self {
            unasked: Some(Credential::header(name, key.clone())),
            ..Self::new(key)
        }
    }

    /// Only for the scheme with this name in the card.
    #[must_use]
    pub fn with_scheme(mut self, name: impl Into<String>) -> Self {
        self.scheme = Some(name.into());
        self
    }
}

#[async_trait]
impl CredentialsProvider for ApiKey {
    async fn credential(&self, demand: &Demand<'_>) -> Result<Option<Credential>, Error> {
        let Some((name, scheme)) = demand.scheme else {
            return Ok(self.unasked.clone());
        };
        let named = self.scheme.as_ref().is_none_or(|wanted| wanted == name);
        let fits = named && matches!(&scheme.scheme, Some(Scheme::ApiKeySecurityScheme(_)));
        Ok(fits.then(|| self.key.clone()))
    }
}

macro_rules! redacted {
    ($($provider:ident)*) => {$(
        impl fmt::Debug for $provider {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($provider)).finish_non_exhaustive()
            }
        }
    )*};
}

redacted! { Bearer Basic ApiKey }
