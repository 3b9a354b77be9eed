//! Credentials: who has them, which ones an agent wants, and where they may go.

mod choose;
mod fixed;
mod oauth;

use std::fmt;

use a2a_types::SecurityScheme;
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue};

pub(crate) use self::choose::{Chosen, choose};
pub use self::fixed::{ApiKey, Basic, Bearer};
pub use self::oauth::{ClientAuthentication, ClientCredentials};
use crate::{Error, Failure};

/// Has credentials, or gets them.
///
/// The card says what an agent wants: alternatives, each of one or more schemes. The first
/// alternative is used for whose every scheme some provider has a credential. When there is none,
/// or the card is not known yet, providers are asked without a scheme, and the first credential is
/// sent.
///
/// Credentials go only to the origin of the address with which the client was made, or to one that
/// was [allowed](crate::ClientBuilder::with_trusted_origin), and not over plain `http` except to
/// this machine.
#[async_trait]
pub trait CredentialsProvider: Send + Sync + 'static {
    /// The credential for a scheme; `None` when this provider has none for it.
    ///
    /// # Errors
    ///
    /// When there should be one and it cannot be got. The call ends with the error; nothing is
    /// sent.
    async fn credential(&self, demand: &Demand<'_>) -> Result<Option<Credential>, Error>;

    /// Told when the agent has answered 401 to this credential. `true` means that asking again
    /// gives another one, with which the call is then made once more.
    async fn refused(&self, credential: &Credential) -> bool {
        _ = credential;
        false
    }
}

/// What a credential is wanted for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Demand<'a> {
    /// The scheme and its name in the card; `None` when the agent has not said what it wants.
    pub scheme: Option<(&'a str, &'a SecurityScheme)>,
    /// The scopes that are needed.
    pub scopes: &'a [String],
}

/// A secret, and how it is shown. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(Kind);

#[derive(Clone, PartialEq, Eq)]
enum Kind {
    Authorization(String),
    Key(String),
    Header(HeaderName, String),
}

impl Credential {
    /// A token for `Authorization: Bearer`.
    pub fn bearer(token: impl AsRef<str>) -> Self {
        Self(Kind::Authorization(format!("Bearer {}", token.as_ref())))
    }

    /// A name and a password for `Authorization: Basic` (RFC 7617).
    pub fn basic(user: impl AsRef<str>, password: impl AsRef<str>) -> Self {
        let pair = format!("{}:{}", user.as_ref(), password.as_ref());
        Self(Kind::Authorization(format!(
            "Basic {}",
            STANDARD.encode(pair)
        )))
    }

    /// A key for the header, query parameter or cookie that an API key scheme names.
    pub fn key(key: impl Into<String>) -> Self {
        Self(Kind::Key(key.into()))
    }

    /// The value of a header, whatever the scheme says.
    pub fn header(name: HeaderName, value: impl Into<String>) -> Self {
        Self(Kind::Header(name, value.into()))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential([redacted])")
    }
}

/// Where a credential is put in a request.
#[derive(Clone)]
pub(crate) enum Placement {
    Header(HeaderName, HeaderValue),
    Query(String, String),
    /// One `name=value` of the `Cookie` header.
    Cookie(String),
}

impl Credential {
    /// `None` when the scheme has no place for this kind of credential.
    fn place(&self, scheme: Option<&SecurityScheme>) -> Result<Option<Placement>, Error> {
        use a2a_types::security_scheme::Scheme;

        let key = match &self.0 {
            Kind::Authorization(value) => {
                return Ok(Some(Placement::Header(AUTHORIZATION, secret(value)?)));
            }
            Kind::Header(name, value) => {
                return Ok(Some(Placement::Header(name.clone(), secret(value)?)));
            }
            Kind::Key(key) => key,
        };
        let Some(Scheme::ApiKeySecurityScheme(scheme)) =
            scheme.and_then(|scheme| scheme.scheme.as_ref())
        else {
            return Ok(None);
        };
        match scheme.location.to_ascii_lowercase().as_str() {
            "header" => {
                let name = HeaderName::try_from(scheme.name.as_str()).map_err(|error| {
                    let message = format!("the card names {:?} as a header", scheme.name);
                    Error::new(Failure::Card, message).with_source(error)
                })?;
                Ok(Some(Placement::Header(name, secret(key)?)))
            }
            "query" => Ok(Some(Placement::Query(scheme.name.clone(), key.clone()))),
            "cookie" => Ok(Some(Placement::Cookie(format!("{}={key}", scheme.name)))),
            _ => Ok(None),
        }
    }
}

/// The value of a header that nothing prints.
pub(crate) fn secret(value: &str) -> Result<HeaderValue, Error> {
    let value = HeaderValue::try_from(value);
    let mut value = value.map_err(|_| {
        // The error of the conversion could quote the secret.
        Error::new(
            Failure::Request,
            "a credential has characters that a header cannot have",
        )
    })?;
    value.set_sensitive(true);
    Ok(value)
}
