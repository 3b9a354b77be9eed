//! How fields are written: what the generated `Serialize` code calls.

use std::marker::PhantomData;

use base64::{display::Base64Display, prelude::BASE64_STANDARD};
use serde::{Serialize, Serializer};

use super::Names;

/// An enum by its name; by its number when it has none.
pub(crate) struct EnumName<T>(i32, PhantomData<T>);

impl<T> EnumName<T> {
    pub(crate) fn new(number: i32) -> Self {
        Self(number, PhantomData)
    }
}

impl<T: Names> Serialize for EnumName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match T::NAMES.iter().find(|(_, number)| *number == self.0) {
            Some((name, _)) => serializer.serialize_str(name),
            None => serializer.serialize_i32(self.0),
        }
    }
}

/// Bytes as standard base64 with padding.
pub(crate) struct Base64<'a>(pub(crate) &'a [u8]);

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(self.0, &BASE64_STANDARD))
    }
}
