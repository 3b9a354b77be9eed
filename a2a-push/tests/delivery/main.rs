//! What receivers get, whatever they do (A2A §4.3.3, §13.2). Everything here is on this machine.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests"
)]

mod changes;
mod durable;
mod hostile;
mod joined;
mod load;
mod logs;
mod requests;
mod retries;
mod server;
mod shutdown;
mod support;
mod traces;
