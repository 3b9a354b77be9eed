use a2a_types::A2aError;
use async_trait::async_trait;

use super::{Authenticator, Credentials, Principal, Security};

/// Lets everybody in, as the one anonymous principal. The default.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Anonymous;

#[async_trait]
impl Authenticator for Anonymous {
    async fn authenticate(&self, _: &Credentials<'_>) -> Result<Principal, A2aError> {
        Ok(Principal::anonymous())
    }

    fn security(&self) -> Security {
        Security::default()
    }
}
