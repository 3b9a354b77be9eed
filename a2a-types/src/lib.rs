//! a2a-types

mod error;

pub use self::error::{A2aError, ERROR_DOMAIN, ErrorKind, FieldViolation, GrpcError, HttpError, JsonRpcError};
