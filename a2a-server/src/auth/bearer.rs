use std::collections::BTreeMap;

use a2a_types::{A2aError, HttpAuthSecurityScheme, SecurityRequirement};
use async_trait::async_trait;
use http::header::AUTHORIZATION;

use super::secrets::Secrets;
use super::{Authenticator, Credentials, Principal, Security};

/// The name of the scheme in the agent card.
const NAME: &str = "bearer";

const REFUSAL: &str = "a valid bearer token is required";

/// Fixed bearer tokens, each standing for a principal.
///
/// Several tokens may stand for one principal, so that a token can be replaced without a break.
/// Tokens are compared in constant time; an empty one is none.
#[derive(Clone)]
pub struct StaticBearer {
    tokens: Secrets,
}

impl StaticBearer {
    /// Pairs of token and principal id.
    pub fn new<T: Into<String>, P: AsRef<str>>(tokens: impl IntoIterator<Item = (T, P)>) -> Self {
        Self {
            tokens: Secrets::new(tokens),
        }
    }
}

#[async_trait]
impl Authenticator for StaticBearer {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError> {
        let refused = || A2aError::unauthenticated(REFUSAL);
        let mut values = credentials.headers.get_all(AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return Err(refused());
        };
        let (scheme, token) = value
            .to_str()
            .ok()
            .and_then(|value| value.trim().split_once(' '))
            .ok_or_else(refused)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(refused());
        }
        self.tokens.find(token.trim_start().as_bytes(), REFUSAL)
    }

    fn security(&self) -> Security {
        let scheme = HttpAuthSecurityScheme::default().with_scheme("Bearer");
        let requirement = SecurityRequirement::of(NAME, [""; 0]);
        Security::new(
            BTreeMap::from([(NAME.to_owned(), scheme.into())]),
            vec![requirement],
        )
    }

    fn challenges(&self) -> Vec<String> {
        vec!["Bearer".to_owned()]
    }
}

impl std::fmt::Debug for StaticBearer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StaticBearer")
            .field("tokens", &self.tokens.count())
            .finish()
    }
}
