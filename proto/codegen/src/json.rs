//! ProtoJSON: `Serialize`, `Deserialize` and the field table of every message.
//!
//! The rules themselves live in `a2a_types::json`; what is generated only says which field is
//! written and read by which of them.

use std::fmt::Write as _;

use crate::{
    Result,
    model::{Enum, Field, Message, Model, Shape, Type},
};

pub(crate) fn generate(model: &Model) -> Result<String> {
    let mut out = String::from(
        "use serde::{de::{Deserialize, Deserializer, MapAccess}, \
         ser::{Serialize, SerializeStruct, Serializer}};\n\
         use crate::{json, operation::{Cardinality, Field, FieldKind, Wire}};\n",
    );
    for item in &model.enums {
        enumeration(&mut out, item)?;
    }
    for message in &model.messages {
        if message.fields.len() > 64 {
            // The reader notes in 64 bits which fields it has seen.
            return Err(format!("{}: no code for more than 64 fields", message.name).into());
        }
        table(&mut out, message)?;
        reader(&mut out, message)?;
        writer(&mut out, message)?;
    }
    Ok(out)
}

fn enumeration(out: &mut String, item: &Enum) -> Result<()> {
    let Enum { rust, values } = item;
    writeln!(out, "impl json::Names for crate::{rust} {{")?;
    writeln!(
        out,
        "const NAMES: &'static [(&'static str, i32)] = &{values:?};\n}}"
    )?;
    Ok(())
}

fn table(out: &mut String, message: &Message) -> Result<()> {
    let Message {
        name, rust, fields, ..
    } = message;
    writeln!(out, "impl Wire for crate::{rust} {{")?;
    writeln!(out, "const NAME: &'static str = {name:?};")?;
    writeln!(out, "const FIELDS: &'static [Field] = &[")?;
    for Field {
        name,
        json,
        ty,
        shape,
        required,
        ..
    } in fields
    {
        let kind = match ty {
            Type::String => "String".to_owned(),
            Type::Bool => "Bool".to_owned(),
            Type::Int32 => "Int32".to_owned(),
            Type::Bytes => "Bytes".to_owned(),
            Type::Timestamp => "Timestamp".to_owned(),
            Type::Struct => "Struct".to_owned(),
            Type::Value => "Value".to_owned(),
            Type::Enum(rust) => format!("Enum(<crate::{rust} as json::Names>::NAMES)"),
            Type::Message(_) => "Message".to_owned(),
        };
        let cardinality = match shape {
            Shape::Singular => "Singular",
            Shape::Optional => "Optional",
            Shape::Repeated => "Repeated",
            Shape::Map => "Map",
            Shape::Member(..) => "Oneof",
        };
        writeln!(
            out,
            "Field {{ name: {name:?}, json_name: {json:?}, kind: FieldKind::{kind}, \
             cardinality: Cardinality::{cardinality}, required: {required} }},"
        )?;
    }
    writeln!(out, "];\n}}")?;
    Ok(())
}

fn reader(out: &mut String, message: &Message) -> Result<()> {
    let rust = &message.rust;
    writeln!(out, "impl json::Read for crate::{rust} {{")?;
    writeln!(
        out,
        "fn key(name: &str) -> Option<usize> {{\nSome(match name {{"
    )?;
    for (index, field) in message.fields.iter().enumerate() {
        let Field { name, json, .. } = field;
        if name == json {
            writeln!(out, "{json:?} => {index},")?;
        } else {
            writeln!(out, "{json:?} | {name:?} => {index},")?;
        }
    }
    writeln!(out, "_ => return None,\n}})\n}}")?;
    writeln!(
        out,
        "fn read<'de, A: MapAccess<'de>>(&mut self, key: usize, map: &mut A) \
         -> Result<(), A::Error> {{\nmatch key {{"
    )?;
    for (index, field) in message.fields.iter().enumerate() {
        let codec = codec(&field.ty);
        let name = &field.name;
        let function = match &field.shape {
            // A message has presence whatever its label.
            Shape::Singular if field.is_message() => "optional",
            Shape::Singular => "singular",
            Shape::Optional => "optional",
            Shape::Repeated => "repeated",
            Shape::Map => "map",
            Shape::Member(oneof, variant) => {
                let target = message.oneofs.get(*oneof).ok_or("oneof without a name")?;
                let names = members(message, *oneof);
                writeln!(
                    out,
                    "{index} => json::member::<{codec}, _, A>(map, &mut self.{}, {}::{variant}, {names:?})?,",
                    target.name, target.rust
                )?;
                continue;
            }
        };
        writeln!(
            out,
            "{index} => self.{name} = json::{function}::<{codec}, A>(map)?,"
        )?;
    }
    writeln!(out, "_ => {{}}\n}}\nOk(())\n}}\n}}")?;
    writeln!(
        out,
        "impl<'de> Deserialize<'de> for crate::{rust} {{
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {{
                json::message(deserializer)
            }}
        }}"
    )?;
    Ok(())
}

/// The names of the members of a oneof, for error messages.
pub(crate) fn members(message: &Message, oneof: usize) -> String {
    message
        .members(oneof)
        .map(|(field, _)| field.json.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

fn writer(out: &mut String, message: &Message) -> Result<()> {
    let rust = &message.rust;
    writeln!(
        out,
        "impl Serialize for crate::{rust} {{
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {{
                let mut out = serializer.serialize_struct({:?}, {})?;",
        rust,
        message.fields.len()
    )?;
    let mut written_oneofs = Vec::new();
    for field in &message.fields {
        if let Shape::Member(oneof, _) = field.shape {
            if !written_oneofs.contains(&oneof) {
                written_oneofs.push(oneof);
                write_oneof(out, message, oneof)?;
            }
            continue;
        }
        let Field {
            name,
            json,
            ty,
            shape,
            required,
            ..
        } = field;
        let (condition, value) = match (shape, ty) {
            (Shape::Singular, _) if field.is_message() => (
                format!("if let Some(value) = &self.{name}"),
                "value".to_owned(),
            ),
            (Shape::Optional, Type::String | Type::Bool | Type::Int32) => (
                format!("if let Some(value) = &self.{name}"),
                "value".to_owned(),
            ),
            (Shape::Repeated | Shape::Map, Type::String | Type::Message(_))
            | (Shape::Singular, Type::String) => (
                format!("if !self.{name}.is_empty()"),
                format!("&self.{name}"),
            ),
            (Shape::Singular, Type::Bool) => (format!("if self.{name}"), format!("&self.{name}")),
            (Shape::Singular, Type::Int32) => {
                (format!("if self.{name} != 0"), format!("&self.{name}"))
            }
            (Shape::Singular, Type::Enum(rust)) => (
                format!("if self.{name} != 0"),
                format!("&json::EnumName::<crate::{rust}>::new(self.{name})"),
            ),
            _ => return Err(format!("{}.{name}: no code to write this", message.name).into()),
        };
        let entry = format!("out.serialize_field({json:?}, {value})?;");
        // A required field is always written, but for a message that is not there.
        if *required && !(*shape == Shape::Singular && field.is_message()) {
            writeln!(out, "{entry}")?;
        } else {
            writeln!(out, "{condition} {{ {entry} }}")?;
        }
    }
    writeln!(out, "out.end()\n}}\n}}")?;
    Ok(())
}

fn write_oneof(out: &mut String, message: &Message, oneof: usize) -> Result<()> {
    let target = message.oneofs.get(oneof).ok_or("oneof without a name")?;
    writeln!(out, "match &self.{} {{", target.name)?;
    for (field, variant) in message.members(oneof) {
        let value = match field.ty {
            Type::Bytes => "&json::Base64(value)",
            Type::Enum(_) => return Err("no code for an enum in a oneof".into()),
            _ => "value",
        };
        writeln!(
            out,
            "Some({}::{variant}(value)) => out.serialize_field({:?}, {value})?,",
            target.rust, field.json
        )?;
    }
    writeln!(out, "None => {{}}\n}}")?;
    Ok(())
}

/// The type of `a2a_types::json` that reads a value of this type.
fn codec(ty: &Type) -> String {
    match ty {
        Type::String => "json::Text".to_owned(),
        Type::Bool => "json::Bool".to_owned(),
        Type::Int32 => "json::Int32".to_owned(),
        Type::Bytes => "json::Bytes".to_owned(),
        Type::Value => "json::AnyValue".to_owned(),
        Type::Timestamp => "json::Message<crate::Timestamp>".to_owned(),
        Type::Struct => "json::Message<crate::Struct>".to_owned(),
        Type::Enum(rust) => format!("json::Enum<crate::{rust}>"),
        Type::Message(rust) => format!("json::Message<crate::{rust}>"),
    }
}
