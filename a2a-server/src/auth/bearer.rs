use std::collections::BTreeMap;

use a2a_types::{A2aError, HttpAuthSecurityScheme, SecurityRequirement};
use async_trait::async_trait;
use http::header::AUTHORIZATION;

use super::{Authenticator, Credentials, Principal, Security};

/// The name of the scheme in the agent card.
const NAME: &str = "bearer";

/// Fixed bearer tokens, each standing for a principal.
///
/// Several tokens may stand for one principal, so that a token can be replaced without a break.
/// Tokens are compared in constant time.
#[derive(Clone)]
pub struct StaticBearer {
    tokens: Vec<(Vec<u8>, Principal)>,
}

impl StaticBearer {
    /// Pairs of token and principal id.
    pub fn new<T: Into<String>, P: AsRef<str>>(tokens: impl IntoIterator<Item = (T, P)>) -> Self {
        let pair = |(token, id): (T, P)| (token.into().into_bytes(), Principal::new(id.as_ref()));
        Self {
            tokens: tokens.into_iter().map(pair).collect(),
        }
    }
}

#[async_trait]
impl Authenticator for StaticBearer {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError> {
        let refused = || A2aError::unauthenticated("a valid bearer token is required");
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
        let token = token.trim_start().as_bytes();
        // No early exit: the time taken tells nothing about the tokens.
        let mut found = None;
        for (known, principal) in &self.tokens {
            if same(known, token) {
                found = Some(principal);
            }
        }
        found.cloned().ok_or_else(refused)
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
            .field("tokens", &self.tokens.len())
            .finish()
    }
}

/// Compares in a time that depends on the lengths alone.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |diff, (x, y)| diff | (x ^ y)) == 0
}
