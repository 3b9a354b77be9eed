//! Made from `proto/a2a.proto` by `cargo run -p a2a-codegen`; this file alone is written by hand.
#![allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    reason = "generated code, which is formatted and checked by its generator"
)]

#[rustfmt::skip]
mod service;

#[cfg(feature = "client")]
pub use service::a2a_service_client;
#[cfg(feature = "server")]
pub use service::a2a_service_server;
