//! What every [`PushOutbox`](crate::push::PushOutbox) does.

pub(super) mod claims;
pub(super) mod dead;
pub(super) mod joined;
pub(super) mod queues;
mod support;

pub use support::JoinedStore;
