use std::borrow::Cow;
use std::collections::BTreeMap;

use a2a_types::{A2aError, ApiKeySecurityScheme, SecurityRequirement};
use async_trait::async_trait;
use http::HeaderName;
use http::header::COOKIE;

use super::secrets::Secrets;
use super::{Authenticator, Credentials, Principal, Security};

/// The name of the scheme in the agent card.
const NAME: &str = "apiKey";

const REFUSAL: &str = "a valid API key is required";

/// Fixed API keys, each standing for a principal.
///
/// Several keys may stand for one principal, so that a key can be replaced without a break. Keys
/// are compared in constant time; an empty one is none. The card declares where the key goes.
///
/// ```
/// use a2a_server::auth::ApiKeys;
/// use http::HeaderName;
///
/// let name = HeaderName::from_static("x-api-key");
/// let keys = ApiKeys::header(name, [("k-1f8a", "alice"), ("k-77c0", "alice"), ("k-9e21", "bob")]);
/// ```
///
/// A URL ends up in logs and histories more often than a header: prefer [`header`](Self::header).
/// Over gRPC there are no query strings.
#[derive(Clone)]
pub struct ApiKeys {
    place: Place,
    secrets: Secrets,
}

/// Where a request has its key.
#[derive(Clone)]
enum Place {
    Header(HeaderName),
    Query(String),
    Cookie(String),
}

impl ApiKeys {
    /// Pairs of key and principal id; the key is the value of this header.
    pub fn header<T: Into<String>, P: AsRef<str>>(
        name: HeaderName,
        keys: impl IntoIterator<Item = (T, P)>,
    ) -> Self {
        Self::at(Place::Header(name), keys)
    }

    /// Pairs of key and principal id; the key is this parameter of the query string.
    pub fn query<T: Into<String>, P: AsRef<str>>(
        name: impl Into<String>,
        keys: impl IntoIterator<Item = (T, P)>,
    ) -> Self {
        Self::at(Place::Query(name.into()), keys)
    }

    /// Pairs of key and principal id; the key is the value of this cookie.
    pub fn cookie<T: Into<String>, P: AsRef<str>>(
        name: impl Into<String>,
        keys: impl IntoIterator<Item = (T, P)>,
    ) -> Self {
        Self::at(Place::Cookie(name.into()), keys)
    }

    fn at<T: Into<String>, P: AsRef<str>>(
        place: Place,
        keys: impl IntoIterator<Item = (T, P)>,
    ) -> Self {
        Self {
            place,
            secrets: Secrets::new(keys),
        }
    }
}

#[async_trait]
impl Authenticator for ApiKeys {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError> {
        let key = self.place.key(credentials);
        let key = key.ok_or_else(|| A2aError::unauthenticated(REFUSAL))?;
        self.secrets.find(&key, REFUSAL)
    }

    fn security(&self) -> Security {
        let (location, name) = self.place.name();
        let scheme = ApiKeySecurityScheme::default()
            .with_location(location)
            .with_name(name);
        let requirement = SecurityRequirement::of(NAME, [""; 0]);
        Security::new(
            BTreeMap::from([(NAME.to_owned(), scheme.into())]),
            vec![requirement],
        )
    }

    fn challenges(&self) -> Vec<String> {
        vec!["ApiKey".to_owned()]
    }
}

impl Place {
    /// The place in the words of the agent card (A2A §4.5.2).
    fn name(&self) -> (&'static str, &str) {
        match self {
            Self::Header(name) => ("header", name.as_str()),
            Self::Query(name) => ("query", name),
            Self::Cookie(name) => ("cookie", name),
        }
    }

    /// The key of a request. Two of them leave open who calls, so they are none.
    fn key<'a>(&self, credentials: &Credentials<'a>) -> Option<Cow<'a, [u8]>> {
        match self {
            Self::Header(name) => {
                let values = credentials.headers.get_all(name).iter();
                only(values.map(|value| Cow::from(value.as_bytes())))
            }
            Self::Query(name) => {
                let pairs = form_urlencoded::parse(credentials.query.as_bytes());
                let values = pairs.filter(|(given, _)| given == name);
                only(values.map(|(_, value)| Cow::from(value.into_owned().into_bytes())))
            }
            Self::Cookie(name) => {
                let headers = credentials.headers.get_all(COOKIE).iter();
                let pairs = headers
                    .filter_map(|value| value.to_str().ok())
                    .flat_map(|value| value.split(';'))
                    .filter_map(|pair| pair.trim().split_once('='));
                let values = pairs.filter(|(given, _)| given == name);
                only(values.map(|(_, value)| Cow::from(unquoted(value).as_bytes())))
            }
        }
    }
}

fn only<T>(mut values: impl Iterator<Item = T>) -> Option<T> {
    values.next().filter(|_| values.next().is_none())
}

/// The value of a cookie, which may stand in quotes (RFC 6265 §4.1.1).
fn unquoted(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    inner.unwrap_or(value)
}

impl std::fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (location, name) = self.place.name();
        f.debug_struct("ApiKeys")
            .field("location", &location)
            .field("name", &name)
            .field("keys", &self.secrets.count())
            .finish()
    }
}
