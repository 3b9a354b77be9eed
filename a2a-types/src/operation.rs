//! What an operation is: the types over which dispatch, routing and transports are generic.
//!
//! The eleven operations themselves are in [`operations`](crate::operations), generated from the
//! proto.

use std::fmt::{self, Debug, Write as _};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, ser::SerializeMap,
};

use crate::{FieldViolation, json, operations::OperationId};

/// A remote operation as a type: `operations::SendMessage` and the like.
pub trait Operation: Copy + Default + Debug + Send + Sync + 'static {
    /// What the caller sends.
    type Request: Request;
    /// What it gets: one of these, or a stream of them.
    type Response: Wire;
    /// The operation as a value.
    const ID: OperationId;

    /// Everything that is missing in a request of this operation: what [`Check`] finds, and the
    /// fields that its path binds, which must be given whatever the way a request came.
    #[must_use]
    fn check(request: &Self::Request) -> Vec<FieldViolation> {
        let mut violations = request.violations();
        let Some(rule) = Self::ID.spec().http.first() else {
            return violations;
        };
        for segment in rule.segments {
            let Segment::Field(name) = segment else {
                continue;
            };
            if request
                .path_value(name)
                .is_none_or(|value| !value.is_empty())
            {
                continue;
            }
            let field = Self::Request::FIELDS
                .iter()
                .find(|field| field.name == *name);
            let field = field.map_or(*name, |field| field.json_name);
            if violations.iter().all(|violation| violation.field != field) {
                Path::root()
                    .field(field)
                    .report("is required", &mut violations);
            }
        }
        violations
    }
}

impl OperationId {
    /// Name of the operation: the JSON-RPC method and the gRPC method.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spec().name
    }
}

/// Code that is generic over the operation; see [`OperationId::visit`].
pub trait Visitor {
    /// What a visit gives.
    type Output;

    /// Runs with the operation's type.
    fn visit<O: Operation>(self) -> Self::Output;
}

/// What is fixed about an operation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Spec {
    /// The operation.
    pub id: OperationId,
    /// Its name.
    pub name: &'static str,
    /// How many answers it gives.
    pub kind: Kind,
    /// Its HTTP forms: first the plain one, then the one that starts with the tenant.
    pub http: &'static [HttpRule],
}

/// How many answers an operation gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has no other kind")]
pub enum Kind {
    /// One.
    Unary,
    /// A stream of them.
    ServerStreaming,
}

/// One HTTP form of an operation.
#[derive(Debug)]
#[non_exhaustive]
pub struct HttpRule {
    /// The verb.
    pub method: HttpMethod,
    /// The path, segment by segment.
    pub segments: &'static [Segment],
    /// What follows the last colon of the last segment: `cancel` in `/tasks/{id}:cancel`.
    pub verb: Option<&'static str>,
    /// What travels in the body.
    pub body: Body,
}

/// HTTP verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpMethod {
    /// `GET`
    Get,
    /// `POST`
    Post,
    /// `DELETE`
    Delete,
}

impl HttpMethod {
    /// The verb as it stands in a request.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }
}

/// One segment of a path template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a router must know every kind")]
pub enum Segment {
    /// This text.
    Literal(&'static str),
    /// The value of the request's field with this proto name.
    Field(&'static str),
}

/// What travels in the body of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a codec must know every kind")]
pub enum Body {
    /// Nothing: what the path does not bind is in the query.
    None,
    /// Every field that the path does not bind.
    Whole,
}

/// A message of the protocol.
pub trait Wire:
    prost::Message
    + Default
    + Clone
    + PartialEq
    + Debug
    + Serialize
    + DeserializeOwned
    + Check
    + Send
    + Sync
    + 'static
{
    /// Name in the proto.
    const NAME: &'static str;
    /// Its fields, in the order of the proto.
    const FIELDS: &'static [Field];
}

/// A request of an operation.
pub trait Request: Wire {
    /// The field with this proto name, if a path can bind it.
    fn path_value(&self, proto_name: &str) -> Option<&str>;

    /// The same field, to be set from a path.
    fn path_field(&mut self, proto_name: &str) -> Option<&mut String>;

    /// The routing value; empty when there is none.
    fn tenant(&self) -> &str;
}

/// A field of a message.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field {
    /// Name in the proto.
    pub name: &'static str,
    /// Name in JSON and in query strings.
    pub json_name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// How many of it.
    pub cardinality: Cardinality,
    /// Whether the proto marks it as required.
    pub required: bool,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKind {
    /// Text.
    String,
    /// True or false.
    Bool,
    /// A whole number of 32 bits.
    Int32,
    /// Bytes, base64 in JSON.
    Bytes,
    /// A point in time, RFC 3339 in JSON.
    Timestamp,
    /// A JSON object.
    Struct,
    /// Any JSON value.
    Value,
    /// One of these names, each with its number.
    Enum(&'static [(&'static str, i32)]),
    /// Another message.
    Message,
}

/// How many values a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cardinality {
    /// One; its default value means absent, unless it is a message.
    Singular,
    /// One or none.
    Optional,
    /// Any number.
    Repeated,
    /// Any number, by name.
    Map,
    /// One or none, and then no other member of its oneof.
    Oneof,
}

/// The required fields of a message, and of all messages in it (A2A §5.7).
pub trait Check {
    /// Adds everything that is missing or cannot be to `violations`.
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>);

    /// All of it, with paths that start at this message.
    #[must_use]
    fn violations(&self) -> Vec<FieldViolation> {
        let mut violations = Vec::new();
        self.check(&Path::root(), &mut violations);
        violations
    }
}

/// Where a check is inside a message. Costs nothing until something is reported.
#[derive(Debug, Clone, Copy)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Name(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The message itself.
    #[must_use]
    pub fn root() -> Self {
        Self {
            parent: None,
            step: Step::Root,
        }
    }

    /// A field of it, by its JSON name.
    #[must_use]
    pub fn field(&'a self, name: &'a str) -> Self {
        Self {
            parent: Some(self),
            step: Step::Name(name),
        }
    }

    /// An element of a list.
    #[must_use]
    pub fn index(&'a self, index: usize) -> Self {
        Self {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    /// An entry of a map.
    #[must_use]
    pub fn key(&'a self, key: &'a str) -> Self {
        self.field(key)
    }

    /// Adds a violation for what is here.
    pub fn report(&self, description: impl Into<String>, violations: &mut Vec<FieldViolation>) {
        violations.push(FieldViolation::new(self.to_string(), description));
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            fmt::Display::fmt(parent, f)?;
            if parent.parent.is_some() && matches!(self.step, Step::Name(_)) {
                f.write_char('.')?;
            }
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Name(name) => f.write_str(name),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// The answer of an operation that has nothing to say (`google.protobuf.Empty`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
#[non_exhaustive]
pub struct Empty {}

impl Wire for Empty {
    const NAME: &'static str = "Empty";
    const FIELDS: &'static [Field] = &[];
}

impl Check for Empty {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}

impl Serialize for Empty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

impl<'de> Deserialize<'de> for Empty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}

impl json::Read for Empty {
    fn key(_name: &str) -> Option<usize> {
        None
    }

    fn read<'de, A: serde::de::MapAccess<'de>>(
        &mut self,
        _key: usize,
        _map: &mut A,
    ) -> Result<(), A::Error> {
        Ok(())
    }
}
