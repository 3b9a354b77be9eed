//! The parts of the crate that stand alone, over sockets of this machine.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod guard;
mod jwt;
mod keys;
mod receiver;
mod support;
mod tls;
