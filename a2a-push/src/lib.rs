//! Webhooks (push notifications) of the A2A (Agent2Agent) protocol 1.0.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod net;
mod outbox;
#[cfg(feature = "receiver")]
pub mod receiver;
pub mod sign;

pub use self::outbox::MemoryOutbox;
