//! The A2A (Agent2Agent) protocol 1.0 as Rust types, without a runtime, an HTTP stack or a
//! database.
//!
//! It is for everything that has to do with the protocol and is not itself a server or a client:
//! a gateway, a store, a test, a tool that checks agent cards. `a2a-server` and `a2a-client` are
//! built on it, and meet nowhere else.
//!
//! ```
//! use a2a_types::operation::{Check, Operation};
//! use a2a_types::{A2aError, Message, SendMessageRequest, json, operations};
//!
//! // Messages are plain structs, with constructors for what is common and setters for the rest.
//! let message = Message::user("What is the weather in Oslo?").with_context_id("trip-1");
//! let request = SendMessageRequest::new(message);
//! let text = json::to_vec(&request)?;
//!
//! // Reading tells where an error is ...
//! let read: SendMessageRequest = json::from_slice(&text)?;
//! assert_eq!(read, request);
//! let wrong = json::from_slice::<SendMessageRequest>(br#"{"message": {"parts": "hi"}}"#);
//! assert_eq!(wrong.unwrap_err().path(), "message.parts");
//!
//! // ... and checking finds everything that is missing, at once.
//! assert!(request.violations().is_empty());
//! let empty: SendMessageRequest = json::from_slice(br#"{"message": {"role": "ROLE_USER"}}"#)?;
//! let missing = operations::SendMessage::check(&empty);
//! let fields: Vec<_> = missing.iter().map(|missing| missing.field.as_str()).collect();
//! assert_eq!(fields, ["message.messageId", "message.parts"]);
//!
//! // An error knows its form on every binding.
//! let error = A2aError::invalid_params(missing);
//! assert_eq!((error.code(), error.http_status(), error.grpc_code()), (-32602, 400, 3));
//! # Ok::<(), json::JsonError>(())
//! ```
//!
//! # What is where
//!
//! | | |
//! | --- | --- |
//! | this page | the messages and enums, each with [ProtoJSON](json), required fields, `with_*` setters and, where it helps, constructors; [`A2aError`] |
//! | [`json`] | reading and writing ProtoJSON and query strings |
//! | [`operations`], [`operation`] | the eleven operations, a type each, and the traits to write code that is generic over them |
//! | [`card`] | making agent cards, and checking those of others |
//! | [`reducer`] | how events change a task |
//! | [`projection`] | how much of a task an answer shows |
//! | [`store`], [`push`] | the traits behind which a server keeps tasks and sends webhooks |
//! | [`extensions`] | lists of extensions, and the one that these crates define |
//! | [`media`] | media types |
//! | `testkit` | what every store must do, as tests (feature `testkit`) |
//!
//! Messages can also be encoded as protobuf, by [`prost::Message`]. Everything of the protocol
//! itself is generated from one `proto` file; building needs no `protoc` and runs no build script.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod card;
mod error;
pub mod extensions;
mod headers;
mod helpers;
pub mod media;
pub mod projection;
pub mod push;
pub mod reducer;
pub mod store;
#[cfg(feature = "testkit")]
pub mod testkit;
mod trace;
mod version;

pub use self::error::{
    A2aError, ERROR_DOMAIN, ErrorKind, FieldViolation, GrpcError, HttpError, JsonRpcError,
};
#[doc(no_inline)]
pub use self::extensions::Extensions;
pub use self::headers::{EXTENSIONS_HEADER, LAST_EVENT_ID_HEADER, VERSION_HEADER};
pub use self::trace::TraceContext;
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
