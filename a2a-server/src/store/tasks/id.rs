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

#[cfg(test)]
mod tests {
    use super::Id;

    #[test]
    fn ids_keep_their_text_and_are_ordered_as_texts() {
        let mut texts = [
            "0190a6c2-1b2c-4d3e-8f40-a1b2c3d4e5f6",
            "0190A6C2-1B2C-4D3E-8F40-A1B2C3D4E5F6",
            "0190a6c21b2c4d3e8f40a1b2c3d4e5f6",
            "{0190a6c2-1b2c-4d3e-8f40-a1b2c3d4e5f6}",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "00000000-0000-0000-0000-000000000000",
            "0190a6c2-1b2c-4d3e-8f40-a1b2c3d4e5f",
            "0190a6c2-1b2c-4d3e-8f40-a1b2c3d4e5f60",
            "task-1",
            "",
        ];
        for text in texts {
            assert_eq!(Id::of(text).to_string(), text);
        }
        let mut ids = texts.map(Id::of);
        texts.sort_unstable();
        ids.sort_unstable();
        assert_eq!(ids.map(|id| id.to_string()), texts);
    }
}
