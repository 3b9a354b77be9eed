//! Agent cards: where they are, how long they are good, and what they offer.

mod cache;
mod discover;
mod read;
mod select;

pub use self::cache::CardCache;
pub(crate) use self::discover::{Discovery, Found, drop_secrets};
pub use self::select::InternalUrls;
pub(crate) use self::select::{Interface, Preferences, select};
