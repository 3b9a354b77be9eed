//! a2a-grpc
