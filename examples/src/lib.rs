//! Runnable agents and clients; see the example targets.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// The programs in the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
