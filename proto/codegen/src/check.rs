//! The checks of required fields, from `google.api.field_behavior`.

use std::{collections::BTreeSet, fmt::Write as _};

use crate::{
    Result, json,
    model::{Enum, Field, Message, Model, Shape, Type},
};

/// Required lists that must not be empty (A2A §5.7 as far as cards and answers in the wild and in
/// the specification's own examples allow it).
const NON_EMPTY: [(&str, &str); 3] = [
    ("Message", "parts"),
    ("Artifact", "parts"),
    ("AgentCard", "supported_interfaces"),
];

/// Required strings that may be empty: the last page has no next one, and a card may say nothing.
const MAY_BE_EMPTY: [&str; 2] = ["description", "next_page_token"];

/// Messages whose oneof must be set. In a card it need not be: a member of a newer protocol looks
/// like none at all.
const ONEOF_REQUIRED: [&str; 3] = ["Part", "SendMessageResponse", "StreamResponse"];

pub(crate) fn generate(model: &Model) -> Result<String> {
    let mut out = String::from("use crate::{FieldViolation, operation::{Check, Path}};\n");
    let checked = checked(model);
    for message in &model.messages {
        let rust = &message.rust;
        let mut body = String::new();
        for field in &message.fields {
            check_field(&mut body, model, message, field, &checked)?;
        }
        for (index, oneof) in message.oneofs.iter().enumerate() {
            check_oneof(
                &mut body,
                message,
                index,
                &oneof.name,
                &oneof.rust,
                &checked,
            )?;
        }
        let (path, violations) = if body.is_empty() {
            ("_path", "_violations")
        } else {
            ("path", "violations")
        };
        writeln!(
            out,
            "impl Check for crate::{rust} {{
                fn check(&self, {path}: &Path<'_>, {violations}: &mut Vec<FieldViolation>) {{
                    {body}
                }}
            }}"
        )?;
    }
    Ok(out)
}

/// The messages that have something to check, in themselves or below.
fn checked(model: &Model) -> BTreeSet<&str> {
    let mut checked = BTreeSet::new();
    loop {
        let before = checked.len();
        for message in &model.messages {
            let below = |field: &Field| match &field.ty {
                Type::Message(rust) => checked.contains(rust.as_str()),
                Type::Timestamp => true,
                _ => false,
            };
            if must_be_set(message) || message.fields.iter().any(|f| f.required || below(f)) {
                checked.insert(message.rust.as_str());
            }
        }
        if checked.len() == before {
            return checked;
        }
    }
}

fn must_be_set(message: &Message) -> bool {
    ONEOF_REQUIRED.contains(&message.name.as_str())
}

fn goes_deeper(ty: &Type, checked: &BTreeSet<&str>) -> bool {
    match ty {
        Type::Message(rust) => checked.contains(rust.as_str()),
        Type::Timestamp => true,
        _ => false,
    }
}

fn check_field(
    out: &mut String,
    model: &Model,
    message: &Message,
    field: &Field,
    checked: &BTreeSet<&str>,
) -> Result<()> {
    let Field {
        name,
        json,
        ty,
        shape,
        required,
        ..
    } = field;
    let deeper = goes_deeper(ty, checked);
    match (shape, ty) {
        (Shape::Singular, _) if field.is_message() => {
            if deeper {
                writeln!(
                    out,
                    "if let Some(value) = &self.{name} {{ value.check(&path.field({json:?}), violations); }}"
                )?;
            }
            if *required {
                let condition = if deeper {
                    "else".to_owned()
                } else {
                    format!("if self.{name}.is_none()")
                };
                writeln!(
                    out,
                    "{condition} {{ path.field({json:?}).report(\"is required\", violations); }}"
                )?;
            }
        }
        (Shape::Singular, Type::String) if *required && !MAY_BE_EMPTY.contains(&name.as_str()) => {
            writeln!(
                out,
                "if self.{name}.is_empty() {{ path.field({json:?}).report(\"is required\", violations); }}"
            )?;
        }
        (Shape::Singular, Type::Enum(rust)) if *required => {
            let names = enum_names(model, rust)?;
            writeln!(
                out,
                "if self.{name} == 0 {{ path.field({json:?}).report(\"is required; must be one of {names}\", violations); }}"
            )?;
        }
        (Shape::Repeated, _) => {
            if NON_EMPTY.contains(&(message.name.as_str(), name.as_str())) {
                writeln!(
                    out,
                    "if self.{name}.is_empty() {{ path.field({json:?}).report(\"must have at least one element\", violations); }}"
                )?;
            }
            if deeper {
                writeln!(
                    out,
                    "for (index, value) in self.{name}.iter().enumerate() {{
                        value.check(&path.field({json:?}).index(index), violations);
                    }}"
                )?;
            }
        }
        (Shape::Map, _) if deeper => writeln!(
            out,
            "for (key, value) in &self.{name} {{
                value.check(&path.field({json:?}).key(key), violations);
            }}"
        )?,
        _ => {}
    }
    Ok(())
}

fn enum_names(model: &Model, rust: &str) -> Result<String> {
    let Enum { values, .. } = model
        .enums
        .iter()
        .find(|item| item.rust == rust)
        .ok_or("an enum without a definition")?;
    // Zero is the unspecified value, which nobody may send.
    let names: Vec<&str> = values
        .iter()
        .filter(|(_, number)| *number != 0)
        .map(|(name, _)| name.as_str())
        .collect();
    Ok(names.join(", "))
}

fn check_oneof(
    out: &mut String,
    message: &Message,
    index: usize,
    name: &str,
    rust: &str,
    checked: &BTreeSet<&str>,
) -> Result<()> {
    let deeper: Vec<_> = message
        .members(index)
        .filter(|(field, _)| goes_deeper(&field.ty, checked))
        .collect();
    if deeper.is_empty() && !must_be_set(message) {
        return Ok(());
    }
    let total = message.members(index).count();
    writeln!(out, "match &self.{name} {{")?;
    for (field, variant) in &deeper {
        writeln!(
            out,
            "Some({rust}::{variant}(value)) => value.check(&path.field({:?}), violations),",
            field.json
        )?;
    }
    if must_be_set(message) {
        let names = json::members(message, index);
        writeln!(
            out,
            "None => path.report(\"must have exactly one of {names}\", violations),"
        )?;
        if deeper.len() < total {
            writeln!(out, "Some(_) => {{}}")?;
        }
    } else {
        writeln!(out, "_ => {{}}")?;
    }
    writeln!(out, "}}")?;
    Ok(())
}
