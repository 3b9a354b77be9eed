//! `google.protobuf.Struct` and `Value` as the JSON they stand for.
//!
//! Over the JSON bindings a number stays what it was: every `i64` and `u64` is kept whole, and a
//! number without a fraction is written without one. Protobuf holds doubles, so over gRPC what
//! is beyond 2^53 is rounded.

use std::{
    fmt,
    ops::{Deref, DerefMut},
};

use prost::{
    DecodeError, Message,
    bytes::{Buf, BufMut},
    encoding::{
        self, DecodeContext, WireType, check_wire_type, decode_key, encode_key, encode_varint,
        encoded_len_varint, key_len, merge_loop, skip_field,
    },
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
    ser::{SerializeMap, SerializeSeq},
};
use serde_json::{Map, Number, Value as Json};

use crate::json::MAX_DEPTH;

/// A JSON object: metadata, parameters and the like.
#[derive(Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "it is a JSON object and nothing else"
)]
pub struct Struct(pub Map<String, Json>);

/// Any JSON value; the default is `null`.
#[derive(Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "it is a JSON value and nothing else"
)]
pub struct Value(pub Json);

impl Struct {
    /// An empty object.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nobody would read it, because it has more than [`MAX_DEPTH`] levels.
    #[must_use]
    pub fn is_too_deep(&self) -> bool {
        self.values().any(|value| !fits(value, MAX_DEPTH - 1))
    }
}

impl Value {
    /// Whether nobody would read it, because it has more than [`MAX_DEPTH`] levels.
    #[must_use]
    pub fn is_too_deep(&self) -> bool {
        !fits(&self.0, MAX_DEPTH)
    }
}

/// Whether a value has at most so many levels. Looks no deeper than that.
fn fits(value: &Json, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Json::Array(items), Some(below)) => items.iter().all(|item| fits(item, below)),
        (Json::Object(object), Some(below)) => object.values().all(|value| fits(value, below)),
        (Json::Array(_) | Json::Object(_), None) => false,
        _ => true,
    }
}

impl fmt::Debug for Struct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Deref for Struct {
    type Target = Map<String, Json>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Struct {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Deref for Value {
    type Target = Json;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Value {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl From<Map<String, Json>> for Struct {
    fn from(map: Map<String, Json>) -> Self {
        Self(map)
    }
}

impl From<Struct> for Map<String, Json> {
    fn from(object: Struct) -> Self {
        object.0
    }
}

impl<K: Into<String>, V: Into<Json>> FromIterator<(K, V)> for Struct {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(
            entries
                .into_iter()
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
        )
    }
}

impl<K: Into<String>, V: Into<Json>, const N: usize> From<[(K, V); N]> for Struct {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl From<Json> for Value {
    fn from(value: Json) -> Self {
        Self(value)
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        value.0
    }
}

impl From<Struct> for Value {
    fn from(object: Struct) -> Self {
        Self(Json::Object(object.0))
    }
}

// JSON

impl Serialize for Struct {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_object(&self.0, serializer)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written(&self.0).serialize(serializer)
    }
}

/// A value as we write it: whole doubles lose their `.0`, at which strict readers of integers stop.
struct Written<'a>(&'a Json);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Number(number) => match whole(number) {
                Some(whole) => serializer.serialize_i64(whole),
                None => number.serialize(serializer),
            },
            Json::Array(items) => {
                let mut out = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    out.serialize_element(&Written(item))?;
                }
                out.end()
            }
            Json::Object(object) => write_object(object, serializer),
            simple => simple.serialize(serializer),
        }
    }
}

fn write_object<S: Serializer>(object: &Map<String, Json>, out: S) -> Result<S::Ok, S::Error> {
    let mut out = out.serialize_map(Some(object.len()))?;
    for (key, value) in object {
        out.serialize_entry(key, &Written(value))?;
    }
    out.end()
}

/// The integer that a number held as a double stands for.
fn whole(number: &Number) -> Option<i64> {
    if number.is_f64() {
        whole_double(number.as_f64()?)
    } else {
        None
    }
}

/// The same for a double. From 1e16 on they are written with an exponent anyway.
fn whole_double(double: f64) -> Option<i64> {
    let is_whole = double.fract() == 0.0 && double.abs() < 1e16;
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    is_whole.then_some(double as i64)
}

/// A double as a JSON number: an integer when it is one.
fn number(double: f64) -> Option<Json> {
    match whole_double(double) {
        Some(whole) => Some(whole.into()),
        None => Number::from_f64(double).map(Json::Number),
    }
}

impl<'de> Deserialize<'de> for Struct {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor).map(Self)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Levels(MAX_DEPTH).deserialize(deserializer).map(Self)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Map<String, Json>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Levels(MAX_DEPTH).deeper()?.entries(map)
    }
}

/// Reads a value that may have this many levels.
#[derive(Clone, Copy)]
struct Levels(usize);

impl Levels {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        self.0.checked_sub(1).map(Self).ok_or_else(|| {
            E::custom(format_args!(
                "nested too deep, at most {MAX_DEPTH} levels are read"
            ))
        })
    }

    fn entries<'de, A: MapAccess<'de>>(self, mut map: A) -> Result<Map<String, Json>, A::Error> {
        let mut entries = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.contains_key(&key) {
                return Err(A::Error::custom(format_args!(
                    "`{key}` is given more than once"
                )));
            }
            entries.insert(key, map.next_value_seed(self)?);
        }
        Ok(entries)
    }
}

impl<'de> DeserializeSeed<'de> for Levels {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Levels {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        number(value).ok_or_else(|| E::custom("not a number that JSON can hold"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let deeper = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(deeper)? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Json, A::Error> {
        self.deeper()?.entries(map).map(Json::Object)
    }
}

// Protobuf. The numbers are those of google/protobuf/struct.proto.

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
