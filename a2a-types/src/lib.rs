//! a2a-types

mod error;
mod extensions;
pub mod media;
mod version;

pub use self::error::{
    A2aError, ERROR_DOMAIN, ErrorKind, FieldViolation, GrpcError, HttpError, JsonRpcError,
};
pub use self::extensions::{EXTENSIONS_HEADER, Extensions};
pub use self::version::{InvalidVersion, VERSION_HEADER, Version};
