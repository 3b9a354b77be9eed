//! The gRPC binding of the A2A (Agent2Agent) protocol 1.0.
//!
//! [`a2a_service_client`] and [`a2a_service_server`] (features `client` and `server`) are the plain
//! service as `tonic` knows it, over the messages of `a2a-types`: for gateways and for tests.
//! [`to_status`] and [`from_status`] translate errors.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "client")]
pub mod client;
mod generated;
#[cfg(feature = "server")]
mod server;
mod status;

#[cfg(feature = "client")]
pub use generated::a2a_service_client;
#[cfg(feature = "server")]
pub use generated::a2a_service_server;
#[cfg(feature = "server")]
pub use server::{Grpc, GrpcBody, GrpcService, ServeGrpc};
pub use status::{from_status, to_status};

/// The compiled proto of the service and of what it imports, an encoded `FileDescriptorSet`.
#[cfg(feature = "server")]
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("generated/descriptor.bin");
