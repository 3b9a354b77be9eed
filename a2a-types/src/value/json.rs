//! User data as JSON.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
    ser::{SerializeMap, SerializeSeq},
};
use serde_json::{Map, Value as Json};

use super::{Struct, Value, number, whole};
use crate::json::{self, MAX_DEPTH};

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
            Json::Number(number) => {
                match number.as_f64().filter(|_| number.is_f64()).and_then(whole) {
                    Some(whole) => serializer.serialize_i64(whole),
                    None => number.serialize(serializer),
                }
            }
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

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let first = map.next_key()?;
        Levels(MAX_DEPTH).deeper()?.entries(first, map)
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

    /// The entries of an object whose first name was read already.
    fn entries<'de, A: MapAccess<'de>>(
        self,
        first: Option<String>,
        mut map: A,
    ) -> Result<Map<String, Json>, A::Error> {
        let mut entries = Map::new();
        let mut next = first;
        while let Some(key) = next {
            if entries.contains_key(&key) {
                return Err(json::twice(&key));
            }
            entries.insert(key, map.next_value_seed(self)?);
            next = map.next_key()?;
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
        number(value).ok_or_else(out_of_range)
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

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let first = map.next_key::<String>()?;
        if first.as_deref().is_some_and(json::is_number_key) {
            return parse(&map.next_value::<String>()?);
        }
        self.deeper()?.entries(first, map).map(Json::Object)
    }
}

/// A number that comes as its text, see [`json::is_number_key`].
fn parse<E: Error>(text: &str) -> Result<Json, E> {
    let whole = text
        .parse::<i64>()
        .map(Json::from)
        .or_else(|_| text.parse::<u64>().map(Json::from));
    whole.or_else(|_| text.parse().ok().and_then(number).ok_or_else(out_of_range))
}

fn out_of_range<E: Error>() -> E {
    E::custom("number out of range")
}
