//! Messages as query strings, for requests without a body (A2A §11.5).

use std::fmt::Write as _;

use form_urlencoded::{Serializer, parse};
use serde_json::{Map, Value};

use crate::{
    FieldViolation, Timestamp,
    operation::{Cardinality, Field, FieldKind, Wire},
};

/// Reads a message from a form-encoded query string.
///
/// Names are camelCase or snake_case; parameters that are no field of the message are ignored.
/// Values are the text of what they would be in JSON: booleans exactly `true` or `false`, enums a
/// name or a number. A list is a parameter that is repeated, or whose values have commas between.
///
/// # Errors
///
/// With every parameter that is wrong.
pub fn from_query<T: Wire>(query: &str) -> Result<T, Vec<FieldViolation>> {
    let (message, violations) = read_query(query);
    if violations.is_empty() {
        Ok(message)
    } else {
        Err(violations)
    }
}

/// The same for a reader that has more to check: the message without the parameters that are
/// wrong, and these.
#[must_use]
pub fn read_query<T: Wire>(query: &str) -> (T, Vec<FieldViolation>) {
    let mut object = Map::new();
    let mut violations = Vec::new();
    for (name, text) in parse(query.as_bytes()) {
        let Some(field) = T::FIELDS
            .iter()
            .find(|f| f.json_name == name || f.name == name)
        else {
            continue;
        };
        if let Err(description) = add(field, &text, &mut object) {
            violations.push(FieldViolation::new(field.json_name, description));
        }
    }
    match serde_path_to_error::deserialize(Value::Object(object)) {
        Ok(message) => (message, violations),
        Err(error) => {
            let path = error.path().to_string();
            violations.push(FieldViolation::new(path, error.inner().to_string()));
            (T::default(), violations)
        }
    }
}

/// Adds a parameter to the object that the message is read from.
fn add(field: &Field, text: &str, object: &mut Map<String, Value>) -> Result<(), String> {
    if field.cardinality == Cardinality::Repeated {
        let values: Vec<Value> = text
            .split(',')
            .map(|item| value(field.kind, item))
            .collect::<Result<_, _>>()?;
        let entry = object
            .entry(field.json_name)
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(items) = entry {
            items.extend(values);
        }
        return Ok(());
    }
    if field.cardinality == Cardinality::Map {
        return Err("cannot be given in a query".to_owned());
    }
    let value = value(field.kind, text)?;
    match object.insert(field.json_name.to_owned(), value) {
        Some(_) => Err("is given more than once".to_owned()),
        None => Ok(()),
    }
}

fn value(kind: FieldKind, text: &str) -> Result<Value, String> {
    match kind {
        FieldKind::String | FieldKind::Bytes => Ok(text.into()),
        FieldKind::Bool => match text {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err("must be true or false".to_owned()),
        },
        FieldKind::Int32 => match text.parse::<i32>() {
            Ok(number) => Ok(number.into()),
            Err(_) => Err("must be a whole number of 32 bits".to_owned()),
        },
        FieldKind::Timestamp => match text.parse::<Timestamp>() {
            Ok(_) => Ok(text.into()),
            Err(error) => Err(error.to_string()),
        },
        FieldKind::Enum(names) => {
            if names.iter().any(|(name, _)| *name == text) {
                return Ok(text.into());
            }
            text.parse::<i32>()
                .map(Value::from)
                .map_err(|_| one_of(names))
        }
        FieldKind::Struct | FieldKind::Value | FieldKind::Message => {
            Err("cannot be given in a query".to_owned())
        }
    }
}

fn one_of(names: &[(&str, i32)]) -> String {
    let mut text = "must be one of ".to_owned();
    // Zero is the unspecified value, which nobody should send.
    for (index, (name, _)) in names.iter().filter(|(_, number)| *number != 0).enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        _ = write!(text, "{comma}{name}");
    }
    text
}

/// Writes a message as a form-encoded query string, without the fields in `skip` (proto names) and
/// without those that have their default value.
///
/// Objects cannot be written and are left out; no request without a body has any.
#[must_use]
pub fn to_query<T: Wire>(message: &T, skip: &[&str]) -> String {
    let mut query = Serializer::new(String::new());
    let Ok(Value::Object(object)) = message.serialize(serde_json::value::Serializer) else {
        return String::new();
    };
    for field in T::FIELDS.iter().filter(|field| !skip.contains(&field.name)) {
        let Some(value) = object.get(field.json_name) else {
            continue;
        };
        let is_default = field.cardinality == Cardinality::Singular
            && matches!(value, Value::String(text) if text.is_empty());
        if is_default {
            continue;
        }
        let items = match value {
            Value::Array(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        for item in items {
            match item {
                Value::String(text) => query.append_pair(field.json_name, text),
                Value::Bool(_) | Value::Number(_) => {
                    query.append_pair(field.json_name, &item.to_string())
                }
                _ => continue,
            };
        }
    }
    query.finish()
}
