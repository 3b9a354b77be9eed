use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// The id of a task or a conversation. What servers make are UUIDs, which need no text.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Id {
    /// One that is written in the usual way, so that its text can be made anew.
    Uuid([u8; 16]),
    Text(Arc<str>),
}

impl Id {
    pub(super) fn of(text: &str) -> Self {
        let usual =
            text.len() == Hyphenated::LENGTH && !text.bytes().any(|byte| byte.is_ascii_uppercase());
        match Uuid::try_parse(text) {
            Ok(uuid) if usual => Self::Uuid(uuid.into_bytes()),
            _ => Self::Text(Arc::from(text)),
        }
    }
}

/// As the texts are ordered.
impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Uuid(one), Self::Uuid(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Uuid(one), Self::Text(other)) => {
                let mut text = [0; Hyphenated::LENGTH];
                (*hyphenated(one).encode_lower(&mut text)).cmp(other)
            }
            (Self::Text(_), Self::Uuid(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Uuid(bytes) => state.write_u128(u128::from_ne_bytes(*bytes)),
            Self::Text(text) => text.hash(state),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uuid(bytes) => hyphenated(bytes).fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

fn hyphenated(bytes: &[u8; 16]) -> Hyphenated {
    Uuid::from_bytes(*bytes).hyphenated()
}
