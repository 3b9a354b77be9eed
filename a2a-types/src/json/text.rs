//! JSON text. Numbers are `serde_json`'s; strings, which most messages are made of, are searched
//! eight bytes at a time for what has to be escaped, and containers are written without a detour.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

/// How `serde_json` names the struct of a `RawValue`, which only its own writer can write.
const RAW: &str = "$serde_json::private::RawValue";

/// Writes compact JSON at the end of a buffer.
pub(super) struct Writer<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out }
    }

    /// Leaves it to `serde_json`.
    fn plain<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        serde_json::to_writer(self.out, value)
    }

    fn open(self, bracket: u8, close: &'static [u8]) -> Container<'a> {
        self.out.push(bracket);
        Container {
            out: self.out,
            first: true,
            close,
        }
    }

    /// An object with one member, whose value is opened with `bracket`.
    fn variant(self, name: &str, bracket: u8, close: &'static [u8]) -> Container<'a> {
        self.out.push(b'{');
        string(self.out, name);
        self.out.push(b':');
        self.open(bracket, close)
    }
}

/// An object or an array that is being written.
pub(super) struct Container<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
    close: &'static [u8],
}

impl Container<'_> {
    fn next(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(b',');
        }
    }

    fn key(&mut self, key: &str) {
        self.next();
        string(self.out, key);
        self.out.push(b':');
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Writer::new(self.out))
    }

    fn close(self) -> Result<(), Error> {
        self.out.extend_from_slice(self.close);
        Ok(())
    }
}

/// Writes a string with its quotes.
fn string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    if is_clean(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
    } else {
        escape(out, text);
    }
    out.push(b'"');
}

/// Whether nothing in the text needs an escape: no quote, no backslash, no control character.
fn is_clean(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    match text.last_chunk::<8>() {
        // The last word covers the rest, and some of what was looked at already.
        Some(last) => words.iter().chain([last]).all(|word| is_clean_word(*word)),
        None => rest
            .iter()
            .all(|byte| !matches!(byte, 0..0x20 | b'"' | b'\\')),
    }
}

/// The same for eight bytes at once: the high bit of a byte in `found` is set when that byte, or
/// one before it, has to be escaped.
fn is_clean_word(word: [u8; 8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(word);
    let is_zero = |x: u64| x.wrapping_sub(ONES) & !x;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = is_zero(word ^ (ONES * u64::from(b'"')));
    let backslash = is_zero(word ^ (ONES * u64::from(b'\\')));
    (control | quote | backslash) & HIGH == 0
}

#[cold]
fn escape(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    while let Some(at) = rest
        .iter()
        .position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'))
    {
        let (clean, from) = rest.split_at(at);
        out.extend_from_slice(clean);
        let Some((&byte, after)) = from.split_first() else {
            return;
        };
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            _ => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
        rest = after;
    }
    out.extend_from_slice(rest);
}

macro_rules! plain {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, value: $type) -> Result<(), Error> {
            self.plain(&value)
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Container<'a>;
    type SerializeTuple = Container<'a>;
    type SerializeTupleStruct = Container<'a>;
    type SerializeTupleVariant = Container<'a>;
    type SerializeMap = Container<'a>;
    type SerializeStruct = Container<'a>;
    type SerializeStructVariant = Container<'a>;

    plain! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_f32(f32) serialize_f64(f64) serialize_char(char)
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.out.extend_from_slice(text);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        string(self.out, value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.plain(value)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = self.open(b'{', b"}");
        object.key(variant);
        object.value(value)?;
        object.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Container<'a>, Error> {
        Ok(self.open(b'[', b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Container<'a>, Error> {
        Ok(self.open(b'[', b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Container<'a>, Error> {
        Ok(self.open(b'[', b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Container<'a>, Error> {
        Ok(self.variant(variant, b'[', b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Container<'a>, Error> {
        Ok(self.open(b'{', b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Container<'a>, Error> {
        match name {
            RAW => Err(Error::custom("a raw value cannot be written here")),
            _ => Ok(self.open(b'{', b"}")),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Container<'a>, Error> {
        Ok(self.variant(variant, b'{', b"}}"))
    }
}

macro_rules! elements {
    ($($trait:ident::$method:ident)*) => {
        $(impl $trait for Container<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.next();
                self.value(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        })*
    };
}

elements! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

impl SerializeMap for Container<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.next();
        let at = self.out.len();
        self.value(key)?;
        match self.out.get(at) {
            Some(b'"') => {}
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.out.insert(at, b'"');
                self.out.push(b'"');
            }
            _ => return Err(Error::custom("a key must be a string")),
        }
        self.out.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

macro_rules! members {
    ($($trait:ident)*) => {
        $(impl $trait for Container<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.key(key);
                self.value(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close()
            }
        })*
    };
}

members! { SerializeStruct SerializeStructVariant }

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

    fn written(value: &impl Serialize) -> String {
        let mut out = Vec::new();
        value.serialize(Writer::new(&mut out)).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Every kind of container that serde knows and messages do not use.
    struct Shape<'a>(usize, &'a str);

    impl Serialize for Shape<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Self(kind, text) = self;
            match kind {
                0 => {
                    let mut out = serializer.serialize_tuple_variant("Shape", 0, "Tuple", 2)?;
                    SerializeTupleVariant::serialize_field(&mut out, text)?;
                    SerializeTupleVariant::serialize_field(&mut out, &())?;
                    SerializeTupleVariant::end(out)
                }
                1 => {
                    let mut out = serializer.serialize_struct_variant("Shape", 1, "Struct", 2)?;
                    SerializeStructVariant::serialize_field(&mut out, "a", text)?;
                    SerializeStructVariant::serialize_field(&mut out, "b", &None::<u8>)?;
                    SerializeStructVariant::end(out)
                }
                2 => {
                    let mut out = serializer.serialize_struct("Shape", 1)?;
                    SerializeStruct::serialize_field(&mut out, "a", &text.chars().next())?;
                    SerializeStruct::end(out)
                }
                3 => {
                    let mut out = serializer.serialize_tuple_struct("Shape", 1)?;
                    SerializeTupleStruct::serialize_field(&mut out, text)?;
                    SerializeTupleStruct::end(out)
                }
                _ => serializer.serialize_unit_variant("Shape", 4, "Unit"),
            }
        }
    }

    proptest! {
        #[test]
        fn the_text_is_that_of_serde_json(
            text in "[\\x00-\\x7f\u{80}\u{2028}\u{1F600}]{0,40}",
            number: i64,
            float: f64,
            key: i32,
        ) {
            let shapes: Vec<_> = (0..5).map(|kind| Shape(kind, &text)).collect();
            let keys = BTreeMap::from([(key, true), (0, false)]);
            let variants = [Ok(number), Err(float)];
            let all = (shapes, keys, variants, (number.unsigned_abs(), Some(&text)));
            prop_assert_eq!(written(&all), serde_json::to_string(&all).unwrap());
        }
    }

    #[test]
    fn each_character_is_escaped_at_each_place_of_a_word() {
        for code in 0..=0x100_u32 {
            let character = char::from_u32(code).unwrap();
            for before in 0..17 {
                for after in 0..9 {
                    let text = format!("{}{character}{}", "a".repeat(before), "b".repeat(after));
                    assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
                }
            }
        }
    }
}
