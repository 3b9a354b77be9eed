//! The `with_*` setters: a message is `#[non_exhaustive]`, so that callers build it with them.

use std::fmt::Write as _;

use crate::{
    Result,
    model::{Field, Message, Model, Shape, Type},
};

pub(crate) fn generate(model: &Model) -> Result<String> {
    let mut out = String::new();
    for message in &model.messages {
        writeln!(out, "impl crate::{} {{", message.rust)?;
        for field in &message.fields {
            setter(&mut out, message, field)?;
        }
        writeln!(out, "}}")?;
    }
    Ok(out)
}

fn setter(out: &mut String, message: &Message, field: &Field) -> Result<()> {
    let Field {
        name,
        ty,
        shape,
        doc,
        ..
    } = field;
    let rust = rust_type(ty);
    // Conversions are taken where they are of use: not for numbers, flags and enums.
    let (argument, value) = match ty {
        Type::Bool | Type::Int32 => (rust.clone(), "value"),
        Type::Enum(_) => (rust.clone(), "i32::from(value)"),
        _ => (format!("impl Into<{rust}>"), "value.into()"),
    };
    let (argument, assignment) = match shape {
        Shape::Singular if field.is_message() => {
            (argument, format!("self.{name} = Some({value});"))
        }
        Shape::Singular => (argument, format!("self.{name} = {value};")),
        Shape::Optional => (argument, format!("self.{name} = Some({value});")),
        Shape::Repeated => (
            format!("impl IntoIterator<Item = impl Into<{rust}>>"),
            format!("self.{name} = value.into_iter().map(Into::into).collect();"),
        ),
        Shape::Map => (
            format!("impl IntoIterator<Item = (impl Into<String>, impl Into<{rust}>)>"),
            format!(
                "self.{name} = value.into_iter().map(|(key, value)| (key.into(), value.into())).collect();"
            ),
        ),
        Shape::Member(oneof, variant) => {
            let target = message.oneofs.get(*oneof).ok_or("oneof without a name")?;
            (
                argument,
                format!(
                    "self.{} = Some({}::{variant}({value}));",
                    target.name, target.rust
                ),
            )
        }
    };
    let others = match shape {
        Shape::Member(oneof, _) if message.members(*oneof).count() > 1 => {
            " Takes the place of the other members of its oneof."
        }
        Shape::Repeated | Shape::Map => " Replaces what was there.",
        _ => "",
    };
    writeln!(
        out,
        "/// Sets `{name}`.{others}
        ///
        /// {doc}
        #[must_use]
        pub fn with_{name}(mut self, value: {argument}) -> Self {{
            {assignment}
            self
        }}"
    )?;
    Ok(())
}

fn rust_type(ty: &Type) -> String {
    match ty {
        Type::String => "String".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int32 => "i32".to_owned(),
        Type::Bytes => "bytes::Bytes".to_owned(),
        Type::Timestamp => "crate::Timestamp".to_owned(),
        Type::Struct => "crate::Struct".to_owned(),
        Type::Value => "crate::Value".to_owned(),
        Type::Enum(rust) | Type::Message(rust) => format!("crate::{rust}"),
    }
}
