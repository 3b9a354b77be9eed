//! The gRPC transport against servers that do exactly what a test tells them, however wrong.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod addresses;
mod calls;
mod connections;
mod errors;
mod hostile;
mod streams;
mod support;
