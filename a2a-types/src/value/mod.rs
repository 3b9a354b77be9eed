//! `google.protobuf.Struct` and `Value` as the JSON they stand for.
//!
//! Over the JSON bindings a number stays what it was: every `i64` and `u64` is kept whole, and a
//! number without a fraction is written without one. Protobuf holds doubles, so over gRPC what
//! is beyond 2^53 is rounded.

mod json;
mod protobuf;

use std::{
    fmt,
    ops::{Deref, DerefMut},
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

/// The integer that a double stands for. From 1e16 on they are written with an exponent anyway.
fn whole(double: f64) -> Option<i64> {
    let is_whole = double.fract() == 0.0 && double.abs() < 1e16;
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    is_whole.then_some(double as i64)
}

/// A double as a JSON number: an integer when it is one.
fn number(double: f64) -> Option<Json> {
    match whole(double) {
        Some(whole) => Some(whole.into()),
        None => Number::from_f64(double).map(Json::Number),
    }
}
