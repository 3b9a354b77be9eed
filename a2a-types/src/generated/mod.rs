//! Made from `proto/a2a.proto` by `cargo run -p a2a-codegen`; this file alone is written by hand.
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "generated code, which is formatted and checked by its generator"
)]

#[rustfmt::skip]
mod check;
#[rustfmt::skip]
#[allow(deprecated, reason = "old members are still read and written")]
mod json;
#[rustfmt::skip]
mod messages;
/// The operations of the protocol, each as a type of its own.
#[rustfmt::skip]
pub mod operations;
#[rustfmt::skip]
#[allow(deprecated, reason = "old members are still read and written")]
mod setters;

pub use messages::*;
