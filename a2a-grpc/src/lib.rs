//! The gRPC binding of the A2A (Agent2Agent) protocol 1.0.
//!
//! This crate is empty as yet: it will hold a gRPC service over the agents of `a2a-server` and a
//! gRPC transport for `a2a-client`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
