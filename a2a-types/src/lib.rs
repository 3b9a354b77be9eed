//! a2a-types

pub mod card;
mod error;
mod extensions;
mod headers;
mod helpers;
pub mod media;
pub mod projection;
pub mod push;
pub mod reducer;
pub mod store;
#[cfg(feature = "testkit")]
pub mod testkit;
mod version;

pub use self::error::{
    A2aError, ERROR_DOMAIN, ErrorKind, FieldViolation, GrpcError, HttpError, JsonRpcError,
};
pub use self::extensions::Extensions;
pub use self::headers::{EXTENSIONS_HEADER, LAST_EVENT_ID_HEADER, VERSION_HEADER};
pub use self::version::{InvalidVersion, Version};

mod generated;
pub mod json;
pub mod operation;
mod redacted;
mod timestamp;
mod value;

pub use self::generated::{operations::OperationId, *};
pub use self::operation::Empty;
pub use self::timestamp::{InvalidTimestamp, Timestamp};
pub use self::value::{Struct, Value};

/// The protobuf runtime of the messages, in the version that they need.
pub use prost;
