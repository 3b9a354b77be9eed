//! The gRPC service as a client that knows nothing but the proto sees it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod beside;
mod calls;
mod errors;
mod frames;
mod metadata;
mod places;
mod sizes;
mod support;
mod tls;
