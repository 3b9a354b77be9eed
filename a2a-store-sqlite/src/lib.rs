//! Tasks of A2A (Agent2Agent) agents in an SQLite database.
//!
//! This crate is empty as yet: it will hold stores for tasks and for webhook registrations, which
//! survive a restart, behind the traits of `a2a_types::store`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
