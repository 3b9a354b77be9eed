use a2a_types::A2aError;
use sha2::{Digest, Sha256};

use super::Principal;

/// Fixed secrets, each standing for a principal. Their digests alone are kept.
#[derive(Clone)]
pub(super) struct Secrets(Vec<([u8; 32], Principal)>);

impl Secrets {
    pub(super) fn new<T: Into<String>, P: AsRef<str>>(
        secrets: impl IntoIterator<Item = (T, P)>,
    ) -> Self {
        let pair = |(secret, id): (T, P)| {
            let secret: String = secret.into();
            // Nothing at all is no secret.
            (!secret.is_empty()).then(|| (digest(secret.as_bytes()), Principal::new(id.as_ref())))
        };
        Self(secrets.into_iter().filter_map(pair).collect())
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Whose secret it is. The time that this takes tells nothing about the secrets: digests are
    /// compared, in constant time, and all of them.
    pub(super) fn find(&self, given: &[u8], refusal: &str) -> Result<Principal, A2aError> {
        let given = digest(given);
        let mut found = None;
        for (known, principal) in &self.0 {
            let difference = known
                .iter()
                .zip(&given)
                .fold(0, |difference, (a, b)| difference | (a ^ b));
            if difference == 0 {
                found = Some(principal);
            }
        }
        found
            .cloned()
            .ok_or_else(|| A2aError::unauthenticated(refusal))
    }
}

fn digest(secret: &[u8]) -> [u8; 32] {
    Sha256::digest(secret).into()
}
