//! The operation table: the only place where the operations are listed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::{
    Result,
    model::{Method, Model, Rule},
};

pub(crate) fn generate(model: &Model) -> Result<String> {
    let mut out = String::from(
        "use crate::operation::{Body, HttpMethod, HttpRule, Kind, Operation, Request, Segment, Spec, Visitor};\n",
    );
    writeln!(
        out,
        "/// Full name of the gRPC service: a method's path is `/<service>/<operation>`.
        pub const SERVICE: &str = {:?};",
        model.service
    )?;
    identifiers(&mut out, model)?;
    for method in &model.methods {
        operation(&mut out, method)?;
    }
    requests(&mut out, model)?;
    Ok(out)
}

fn identifiers(out: &mut String, model: &Model) -> Result<()> {
    writeln!(
        out,
        "/// Names an operation of the protocol.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum OperationId {{"
    )?;
    for Method { name, doc, .. } in &model.methods {
        writeln!(out, "/// {doc}\n{name},")?;
    }
    writeln!(out, "}}\nimpl OperationId {{")?;
    let names = || model.methods.iter().map(|method| method.name.as_str());
    writeln!(out, "/// Every operation, in the order of the proto.")?;
    writeln!(out, "pub const ALL: [Self; {}] = [", model.methods.len())?;
    names().try_for_each(|name| writeln!(out, "Self::{name},"))?;
    writeln!(out, "];\n/// What is fixed about the operation.")?;
    writeln!(
        out,
        "#[must_use]\npub fn spec(self) -> &'static Spec {{\nmatch self {{"
    )?;
    names().try_for_each(|name| writeln!(out, "Self::{name} => &{},", constant(name)))?;
    writeln!(
        out,
        "}}\n}}\n/// The operation with this name, which is case-sensitive."
    )?;
    writeln!(
        out,
        "#[must_use]\npub fn from_name(name: &str) -> Option<Self> {{"
    )?;
    writeln!(out, "Some(match name {{")?;
    names().try_for_each(|name| writeln!(out, "{name:?} => Self::{name},"))?;
    writeln!(out, "_ => return None,\n}})\n}}")?;
    writeln!(out, "/// Calls the visitor with the type of the operation.")?;
    writeln!(
        out,
        "pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {{\nmatch self {{"
    )?;
    names().try_for_each(|name| writeln!(out, "Self::{name} => visitor.visit::<{name}>(),"))?;
    writeln!(out, "}}\n}}\n}}")?;
    Ok(())
}

fn operation(out: &mut String, method: &Method) -> Result<()> {
    let Method {
        name,
        doc,
        request,
        response,
        streams,
        rules,
    } = method;
    writeln!(
        out,
        "/// {doc}
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct {name};
        impl Operation for {name} {{
            type Request = crate::{request};
            type Response = crate::{response};
            const ID: OperationId = OperationId::{name};
        }}"
    )?;
    let kind = if *streams { "ServerStreaming" } else { "Unary" };
    writeln!(out, "static {}: Spec = Spec {{", constant(name))?;
    writeln!(
        out,
        "id: OperationId::{name}, name: {name:?}, kind: Kind::{kind}, http: &["
    )?;
    for rule in rules {
        let Rule {
            verb,
            template,
            has_body,
        } = rule;
        let (segments, custom) = split(template)?;
        let body = if *has_body { "Whole" } else { "None" };
        writeln!(
            out,
            "HttpRule {{ method: HttpMethod::{verb}, segments: &[{segments}], verb: {custom:?}, \
             body: Body::{body} }},"
        )?;
    }
    writeln!(out, "],\n}};")?;
    Ok(())
}

/// `/tasks/{id=*}:cancel` as segments and custom verb.
fn split(template: &str) -> Result<(String, Option<&str>)> {
    let (path, custom) = match template.rsplit_once(':') {
        Some((path, custom)) => (path, Some(custom)),
        None => (template, None),
    };
    let path = path
        .strip_prefix('/')
        .ok_or("a path template starts with a slash")?;
    let mut segments = String::new();
    for segment in path.split('/') {
        match field_of(segment) {
            Some(field) => write!(segments, "Segment::Field({field:?}),")?,
            None if segment.contains(['{', '}', '*']) => {
                return Err(format!("{template}: no code for the segment `{segment}`").into());
            }
            None => write!(segments, "Segment::Literal({segment:?}),")?,
        }
    }
    Ok((segments, custom))
}

/// The field of a segment that matches one path segment: `{id}` or `{id=*}`.
fn field_of(segment: &str) -> Option<&str> {
    let inner = segment.strip_prefix('{')?.strip_suffix('}')?;
    let field = inner.strip_suffix("=*").unwrap_or(inner);
    (!field.contains(['=', '*', '.'])).then_some(field)
}

/// The request types with the fields that a path can bind.
fn requests(out: &mut String, model: &Model) -> Result<()> {
    let mut bound: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Method { request, rules, .. } in &model.methods {
        let fields = bound.entry(request).or_default();
        for rule in rules {
            let path = rule
                .template
                .rsplit_once(':')
                .map_or(rule.template.as_str(), |(p, _)| p);
            fields.extend(path.split('/').filter_map(field_of));
        }
    }
    for (request, fields) in bound {
        let message = model
            .message(request)
            .ok_or("a request is not a message of the proto")?;
        if !message.fields.iter().any(|field| field.name == "tenant") {
            return Err(format!("{request}: a request without a tenant").into());
        }
        writeln!(out, "impl Request for crate::{request} {{")?;
        writeln!(
            out,
            "fn path_value(&self, name: &str) -> Option<&str> {{\nmatch name {{"
        )?;
        fields
            .iter()
            .try_for_each(|f| writeln!(out, "{f:?} => Some(&self.{f}),"))?;
        writeln!(out, "_ => None,\n}}\n}}")?;
        writeln!(
            out,
            "fn path_field(&mut self, name: &str) -> Option<&mut String> {{"
        )?;
        writeln!(out, "match name {{")?;
        fields
            .iter()
            .try_for_each(|f| writeln!(out, "{f:?} => Some(&mut self.{f}),"))?;
        writeln!(out, "_ => None,\n}}\n}}")?;
        writeln!(out, "fn tenant(&self) -> &str {{ &self.tenant }}\n}}")?;
    }
    Ok(())
}

/// Name of the static that holds the spec of an operation.
fn constant(name: &str) -> String {
    heck::ToShoutySnakeCase::to_shouty_snake_case(name)
}
