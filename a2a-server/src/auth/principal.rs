use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

/// The id of the anonymous principal and the tenant of those who have none.
static NONE: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(""));

/// `text`, shared when it is empty: it mostly is.
pub(super) fn shared(text: &str) -> Arc<str> {
    if text.is_empty() {
        Arc::clone(&NONE)
    } else {
        Arc::from(text)
    }
}

/// Who makes a call.
///
/// The id is what ownership goes by. It must name the person or service, not the credential: a
/// new token of the same subject is the same principal, and the same subject of another issuer is
/// another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal {
    id: Arc<str>,
    scopes: BTreeSet<String>,
    expiry: Option<SystemTime>,
}

impl Principal {
    /// The principal of this id, which must not be empty.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self {
            id: id.into(),
            scopes: BTreeSet::new(),
            expiry: None,
        }
    }

    /// The principal of everybody who gave no credentials. Its id is empty.
    pub fn anonymous() -> Self {
        Self::new(shared(""))
    }

    /// Adds scopes that the credentials grant.
    #[must_use]
    pub fn with_scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Says until when the credentials hold. A stream that is still open then ends, unless the
    /// [`Authenticator`](super::Authenticator) is asked again and accepts them (A2A §13.4).
    #[must_use]
    pub fn with_expiry(mut self, expiry: SystemTime) -> Self {
        self.expiry = Some(expiry);
        self
    }

    /// The stable identity; empty for the anonymous principal.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the credentials grant.
    pub fn scopes(&self) -> &BTreeSet<String> {
        &self.scopes
    }

    /// Until when the credentials hold, if that is known.
    pub fn expiry(&self) -> Option<SystemTime> {
        self.expiry
    }

    /// Whether nobody in particular is calling.
    pub fn is_anonymous(&self) -> bool {
        self.id.is_empty()
    }

    pub(crate) fn shared_id(&self) -> Arc<str> {
        Arc::clone(&self.id)
    }
}
