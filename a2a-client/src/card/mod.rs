//! Agent cards: where they are, how long they are good, and what they offer.

mod cache;
mod discover;
mod read;
mod select;

pub use self::cache::CardCache;
pub(crate) use self::discover::{Discovery, Found, drop_secrets};
pub(crate) use self::read::repaired;
pub use self::select::InternalUrls;
pub(crate) use self::select::{Interface, Preferences, select};

/// Reads a card, as one that was found.
#[cfg(feature = "testkit")]
pub(crate) fn read_card(body: &[u8]) -> Result<a2a_types::AgentCard, crate::Error> {
    read::read(body).map_err(|miss| match miss {
        discover::Miss::Elsewhere(error) | discover::Miss::Final(error) => error,
    })
}
