//! Webhooks (push notifications) of the A2A (Agent2Agent) protocol 1.0.
//!
//! This crate is empty as yet: it will hold a sender of webhooks, an `a2a_types::push::PushSender`,
//! and the checks for those who receive them.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
