//! User data as protobuf, without the message types in between.

use prost::{
    DecodeError, Message,
    bytes::{Buf, BufMut},
    encoding::{
        self, DecodeContext, WireType, check_wire_type, decode_key, encode_key, encode_varint,
        encoded_len_varint, key_len, merge_loop, skip_field,
    },
};
use serde_json::{Map, Number, Value as Json};

use super::{Struct, Value, number};
use crate::json::MAX_DEPTH;

// The numbers of google/protobuf/struct.proto.

const FIELDS: u32 = 1;
const NULL: u32 = 1;
const NUMBER: u32 = 2;
const STRING: u32 = 3;
const BOOL: u32 = 4;
const STRUCT: u32 = 5;
const LIST: u32 = 6;
const VALUES: u32 = 1;
const KEY: u32 = 1;
const VALUE: u32 = 2;

impl Message for Struct {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        encode_object(&self.0, buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        merge_object(&mut self.0, tag, wire_type, buf, ctx, MAX_DEPTH - 1)
    }

    fn encoded_len(&self) -> usize {
        object_len(&self.0)
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl Message for Value {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        encode_value(&self.0, buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        merge_value(&mut self.0, tag, wire_type, buf, ctx, MAX_DEPTH)
    }

    fn encoded_len(&self) -> usize {
        value_len(&self.0)
    }

    fn clear(&mut self) {
        self.0 = Json::Null;
    }
}

fn encode_value<B: BufMut>(value: &Json, buf: &mut B) {
    match value {
        Json::Null => encoding::int32::encode(NULL, &0, buf),
        Json::Number(number) => encoding::double::encode(NUMBER, &double(number), buf),
        Json::String(text) => encoding::string::encode(STRING, text, buf),
        Json::Bool(flag) => encoding::bool::encode(BOOL, flag, buf),
        Json::Object(object) => {
            encode_header(STRUCT, object_len(object), buf);
            encode_object(object, buf);
        }
        Json::Array(items) => {
            encode_header(LIST, items_len(items), buf);
            for item in items {
                encode_header(VALUES, value_len(item), buf);
                encode_value(item, buf);
            }
        }
    }
}

fn encode_object<B: BufMut>(object: &Map<String, Json>, buf: &mut B) {
    for (key, value) in object {
        encode_header(FIELDS, entry_len(key, value), buf);
        encoding::string::encode(KEY, key, buf);
        encode_header(VALUE, value_len(value), buf);
        encode_value(value, buf);
    }
}

fn encode_header<B: BufMut>(tag: u32, len: usize, buf: &mut B) {
    encode_key(tag, WireType::LengthDelimited, buf);
    encode_varint(len as u64, buf);
}

fn value_len(value: &Json) -> usize {
    match value {
        Json::Null => encoding::int32::encoded_len(NULL, &0),
        Json::Number(number) => encoding::double::encoded_len(NUMBER, &double(number)),
        Json::String(text) => encoding::string::encoded_len(STRING, text),
        Json::Bool(flag) => encoding::bool::encoded_len(BOOL, flag),
        Json::Object(object) => delimited(STRUCT, object_len(object)),
        Json::Array(items) => delimited(LIST, items_len(items)),
    }
}

fn object_len(object: &Map<String, Json>) -> usize {
    object
        .iter()
        .map(|(key, value)| delimited(FIELDS, entry_len(key, value)))
        .sum()
}

fn entry_len(key: &String, value: &Json) -> usize {
    encoding::string::encoded_len(KEY, key) + delimited(VALUE, value_len(value))
}

fn items_len(items: &[Json]) -> usize {
    items
        .iter()
        .map(|item| delimited(VALUES, value_len(item)))
        .sum()
}

fn delimited(tag: u32, len: usize) -> usize {
    key_len(tag) + encoded_len_varint(len as u64) + len
}

/// JSON numbers that are not doubles are rounded to one.
fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

/// `levels` says how many more levels may follow.
fn merge_value<B: Buf>(
    value: &mut Json,
    tag: u32,
    wire_type: WireType,
    buf: &mut B,
    ctx: DecodeContext,
    levels: usize,
) -> Result<(), DecodeError> {
    match tag {
        NULL => {
            encoding::int32::merge(wire_type, &mut 0, buf, ctx)?;
            *value = Json::Null;
        }
        NUMBER => {
            let mut double = 0.0;
            encoding::double::merge(wire_type, &mut double, buf, ctx)?;
            *value = number(double).ok_or_else(|| error("a Value holds NaN or an infinity"))?;
        }
        STRING => {
            let mut text = String::new();
            encoding::string::merge(wire_type, &mut text, buf, ctx)?;
            *value = Json::String(text);
        }
        BOOL => {
            let mut flag = false;
            encoding::bool::merge(wire_type, &mut flag, buf, ctx)?;
            *value = Json::Bool(flag);
        }
        STRUCT => {
            let levels = deeper(levels)?;
            check_wire_type(WireType::LengthDelimited, wire_type)?;
            // A member that comes in two pieces is one member.
            let mut object = match value.take() {
                Json::Object(object) => object,
                _ => Map::new(),
            };
            merge_loop(&mut object, buf, ctx, |object, buf, ctx| {
                let (tag, wire_type) = decode_key(buf)?;
                merge_object(object, tag, wire_type, buf, ctx, levels)
            })?;
            *value = Json::Object(object);
        }
        LIST => {
            let levels = deeper(levels)?;
            check_wire_type(WireType::LengthDelimited, wire_type)?;
            let mut items = match value.take() {
                Json::Array(items) => items,
                _ => Vec::new(),
            };
            merge_loop(&mut items, buf, ctx, |items, buf, ctx| {
                let (tag, wire_type) = decode_key(buf)?;
                if tag != VALUES {
                    return skip_field(wire_type, tag, buf, ctx);
                }
                items.push(merge_nested(wire_type, buf, ctx, levels)?);
                Ok(())
            })?;
            *value = Json::Array(items);
        }
        _ => skip_field(wire_type, tag, buf, ctx)?,
    }
    Ok(())
}

fn merge_object<B: Buf>(
    object: &mut Map<String, Json>,
    tag: u32,
    wire_type: WireType,
    buf: &mut B,
    ctx: DecodeContext,
    levels: usize,
) -> Result<(), DecodeError> {
    if tag != FIELDS {
        return skip_field(wire_type, tag, buf, ctx);
    }
    check_wire_type(WireType::LengthDelimited, wire_type)?;
    let mut entry = (String::new(), Json::Null);
    merge_loop(&mut entry, buf, ctx, |(key, value), buf, ctx| {
        let (tag, wire_type) = decode_key(buf)?;
        match tag {
            KEY => encoding::string::merge(wire_type, key, buf, ctx),
            VALUE => {
                *value = merge_nested(wire_type, buf, ctx, levels)?;
                Ok(())
            }
            _ => skip_field(wire_type, tag, buf, ctx),
        }
    })?;
    object.insert(entry.0, entry.1);
    Ok(())
}

fn merge_nested<B: Buf>(
    wire_type: WireType,
    buf: &mut B,
    ctx: DecodeContext,
    levels: usize,
) -> Result<Json, DecodeError> {
    check_wire_type(WireType::LengthDelimited, wire_type)?;
    let mut value = Json::Null;
    merge_loop(&mut value, buf, ctx, |value, buf, ctx| {
        let (tag, wire_type) = decode_key(buf)?;
        merge_value(value, tag, wire_type, buf, ctx, levels)
    })?;
    Ok(value)
}

fn deeper(levels: usize) -> Result<usize, DecodeError> {
    levels
        .checked_sub(1)
        .ok_or_else(|| error("a Value is nested too deep"))
}

fn error(description: &'static str) -> DecodeError {
    #[expect(
        deprecated,
        reason = "prost has no other way to refuse what a message holds"
    )]
    DecodeError::new(description)
}
