//! The SQLite store: what every store does, what only this one does, and what has gone wrong in
//! others.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod bugs;
mod conformance;
mod files;
#[cfg(feature = "encryption")]
mod keys;
mod kill;
mod server;
mod support;
mod upkeep;
