//! gRPC for the servers of `a2a-server`: the same pipeline, the same answers.

#[cfg(any(feature = "health", feature = "reflection"))]
mod beside;
mod body;
mod grpc;
mod read;
mod service;
#[cfg(feature = "web")]
mod web;

pub use body::GrpcBody;
pub use grpc::{Grpc, ServeGrpc};
pub use service::GrpcService;
