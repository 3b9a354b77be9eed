//! ProtoJSON, the JSON form of the messages (A2A §5.5 to §5.7).
//!
//! Every message implements `Serialize` and `Deserialize`, so that it can be part of any JSON.
//! The functions here add what serde cannot: errors that say where in the document they are and
//! whether it was JSON at all, and query strings.
//!
//! Reading is liberal: unknown members are ignored, names are camelCase or snake_case, enum values
//! names or numbers, integers numbers or strings, bytes any kind of base64, and `null` is absent,
//! but for a [`Value`](crate::Value), where it is the value null. It is strict where two readers
//! could differ: a member given twice and two members of one oneof are errors.
//!
//! Writing is strict: camelCase, enum names, defaults left out unless required.
//!
//! ```
//! use a2a_types::{Part, json};
//!
//! let part: Part = json::from_slice(br#"{"media_type": "text/plain", "text": "hi"}"#)?;
//! assert_eq!(part, Part::default().with_text("hi").with_media_type("text/plain"));
//! assert_eq!(json::to_vec(&part)?, br#"{"text":"hi","mediaType":"text/plain"}"#);
//!
//! let error = json::from_slice::<Part>(br#"{"text": 1}"#).unwrap_err();
//! assert_eq!(error.path(), "text");
//! # Ok::<(), json::JsonError>(())
//! ```
//!
//! User data ([`Struct`](crate::Struct) and [`Value`](crate::Value)) nests at most [`MAX_DEPTH`]
//! levels deep, in JSON as in protobuf.

mod error;
mod query;
mod read;
mod text;
mod write;

use serde::{Serialize, de::DeserializeOwned};

pub use error::JsonError;
pub use query::{from_query, read_query, to_query};
pub(crate) use read::{
    AnyValue, Bool, Bytes, Enum, Int32, Message, Names, Read, Text, is_number_key, map, member,
    message, optional, repeated, singular, twice,
};
pub(crate) use write::{Base64, EnumName};

/// How many objects and lists of user data may be inside each other.
pub const MAX_DEPTH: usize = 64;

/// Reads a message, or anything that is made of messages.
///
/// # Errors
///
/// When the text is not JSON ([`JsonError::is_syntax`]), or when it does not have the shape of `T`;
/// then the error says where.
pub fn from_slice<T: DeserializeOwned>(json: &[u8]) -> Result<T, JsonError> {
    // Text that is known to be UTF-8 is not looked at again string by string.
    let read = match std::str::from_utf8(json) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(json),
    };
    read.map_err(|error| explain::<T>(json, &error))
}

/// Reads again with an eye on the path: only what fails pays for it.
#[cold]
fn explain<T: DeserializeOwned>(json: &[u8], error: &serde_json::Error) -> JsonError {
    let deserializer = &mut serde_json::Deserializer::from_slice(json);
    match serde_path_to_error::deserialize::<_, T>(deserializer) {
        Err(found) => JsonError::new(found.path(), found.inner()),
        // The message is whole; what follows it is not.
        Ok(_) => JsonError::without_path(error),
    }
}

/// Writes a message, or anything that is made of messages.
///
/// # Errors
///
/// When a [`Timestamp`](crate::Timestamp) is outside of the years 1 to 9999.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, JsonError> {
    let mut out = Vec::with_capacity(256);
    write_to(value, &mut out)?;
    Ok(out)
}

/// Writes a message at the end of a buffer.
///
/// # Errors
///
/// As [`to_vec`]; part of the message may be in the buffer by then.
pub fn write_to<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), JsonError> {
    value
        .serialize(text::Writer::new(out))
        .map_err(|error| JsonError::without_path(&error))
}
