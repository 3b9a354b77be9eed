//! The same agent behind all three bindings of one port gives the same answers (A2A §5.1).
//!
//! A scenario is written once against [`driver::Driver`], runs over each binding, and writes down
//! everything that the caller can see; the three records must be equal. What cannot be equal by
//! nature (ids, times, opaque tokens) is replaced by its place in the record.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod agent;
mod callers;
mod driver;
mod interop;
mod normal;
mod scenarios;
mod sizes;
mod webhooks;
