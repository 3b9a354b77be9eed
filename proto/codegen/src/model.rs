//! What the generators need to know of the proto, with the names that prost gives to things.

use heck::{ToSnakeCase, ToUpperCamelCase};
use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor,
    MethodDescriptor, Value,
};

use crate::Result;

const PACKAGE: &str = "lf.a2a.v1";
const SERVICE: &str = "lf.a2a.v1.A2AService";

pub(crate) struct Model {
    pub(crate) service: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) enums: Vec<Enum>,
    pub(crate) methods: Vec<Method>,
}

pub(crate) struct Message {
    /// Name in the proto.
    pub(crate) name: String,
    /// Name in Rust, which differs in acronyms.
    pub(crate) rust: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) oneofs: Vec<Oneof>,
}

pub(crate) struct Oneof {
    pub(crate) name: String,
    /// Path of the Rust enum, `crate::part::Content`.
    pub(crate) rust: String,
}

pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) json: String,
    pub(crate) ty: Type,
    pub(crate) shape: Shape,
    pub(crate) required: bool,
    /// First lines of its comment in the proto.
    pub(crate) doc: String,
}

pub(crate) enum Type {
    String,
    Bool,
    Int32,
    Bytes,
    Timestamp,
    Struct,
    Value,
    /// Rust name of the enum.
    Enum(String),
    /// Rust name of the message.
    Message(String),
}

#[derive(PartialEq)]
pub(crate) enum Shape {
    /// A scalar without presence, or a message.
    Singular,
    /// A scalar with presence.
    Optional,
    Repeated,
    /// A map with string keys.
    Map,
    /// Member of the oneof with this index; the variant in Rust.
    Member(usize, String),
}

pub(crate) struct Enum {
    pub(crate) rust: String,
    /// Name in the proto and number.
    pub(crate) values: Vec<(String, i32)>,
}

pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) request: String,
    pub(crate) response: String,
    pub(crate) streams: bool,
    pub(crate) rules: Vec<Rule>,
}

pub(crate) struct Rule {
    pub(crate) verb: String,
    pub(crate) template: String,
    pub(crate) has_body: bool,
}

impl Model {
    pub(crate) fn read(pool: &DescriptorPool) -> Result<Self> {
        let service = pool
            .get_service_by_name(SERVICE)
            .ok_or("the proto has no A2AService")?;
        Ok(Self {
            service: SERVICE.to_owned(),
            messages: pool
                .all_messages()
                .filter(|message| message.package_name() == PACKAGE && !message.is_map_entry())
                .map(|message| read_message(&message))
                .collect::<Result<_>>()?,
            enums: pool
                .all_enums()
                .filter(|item| item.package_name() == PACKAGE)
                .map(|item| Enum {
                    rust: item.name().to_upper_camel_case(),
                    values: item
                        .values()
                        .map(|v| (v.name().to_owned(), v.number()))
                        .collect(),
                })
                .collect(),
            methods: service
                .methods()
                .map(|method| read_method(&method))
                .collect::<Result<_>>()?,
        })
    }

    pub(crate) fn message(&self, rust: &str) -> Option<&Message> {
        self.messages.iter().find(|message| message.rust == rust)
    }
}

impl Message {
    /// The fields of a oneof.
    pub(crate) fn members(&self, oneof: usize) -> impl Iterator<Item = (&Field, &str)> {
        self.fields
            .iter()
            .filter_map(move |field| match &field.shape {
                Shape::Member(index, variant) if *index == oneof => Some((field, variant.as_str())),
                _ => None,
            })
    }
}

impl Field {
    pub(crate) fn is_message(&self) -> bool {
        matches!(
            self.ty,
            Type::Message(_) | Type::Timestamp | Type::Struct | Type::Value
        )
    }
}

fn read_message(message: &MessageDescriptor) -> Result<Message> {
    let rust = message.name().to_upper_camel_case();
    let oneofs = message
        .oneofs()
        .filter(|oneof| !oneof.is_synthetic())
        .map(|oneof| Oneof {
            name: oneof.name().to_owned(),
            rust: format!(
                "crate::{}::{}",
                message.name().to_snake_case(),
                oneof.name().to_upper_camel_case()
            ),
        })
        .collect::<Vec<_>>();
    // The official file declares one field out of the order of its number; declaration order is
    // the order of the JSON.
    let mut fields: Vec<FieldDescriptor> = message.fields().collect();
    fields.sort_by_key(|field| field.path().last().copied());
    let fields = fields
        .iter()
        .map(|f| read_field(f, &oneofs))
        .collect::<Result<_>>()?;
    Ok(Message {
        name: message.name().to_owned(),
        rust,
        fields,
        oneofs,
    })
}

fn read_field(field: &FieldDescriptor, oneofs: &[Oneof]) -> Result<Field> {
    let unsupported = || {
        format!(
            "{}: no code is generated for this kind of field",
            field.full_name()
        )
    };
    let oneof = field
        .containing_oneof()
        .filter(|oneof| !oneof.is_synthetic());
    let shape = if let Some(oneof) = oneof {
        let index = oneofs
            .iter()
            .position(|o| o.name == oneof.name())
            .ok_or_else(unsupported)?;
        Shape::Member(index, field.name().to_upper_camel_case())
    } else if field.is_map() {
        Shape::Map
    } else if field.cardinality() == Cardinality::Repeated {
        Shape::Repeated
    } else if field.supports_presence() && !matches!(field.kind(), Kind::Message(_)) {
        Shape::Optional
    } else {
        Shape::Singular
    };
    let kind = match field.kind() {
        Kind::Message(entry) if field.is_map() => {
            if entry.map_entry_key_field().kind() != Kind::String {
                return Err(unsupported().into());
            }
            entry.map_entry_value_field().kind()
        }
        kind => kind,
    };
    let ty = match kind {
        Kind::String => Type::String,
        Kind::Bool => Type::Bool,
        Kind::Int32 => Type::Int32,
        Kind::Bytes => Type::Bytes,
        Kind::Enum(item) => Type::Enum(item.name().to_upper_camel_case()),
        Kind::Message(message) => match message.full_name() {
            "google.protobuf.Timestamp" => Type::Timestamp,
            "google.protobuf.Struct" => Type::Struct,
            "google.protobuf.Value" => Type::Value,
            _ if message.package_name() == PACKAGE => {
                Type::Message(message.name().to_upper_camel_case())
            }
            _ => return Err(unsupported().into()),
        },
        _ => return Err(unsupported().into()),
    };
    Ok(Field {
        name: field.name().to_owned(),
        json: field.json_name().to_owned(),
        ty,
        shape,
        required: is_required(field),
        doc: comment(field.parent_file().file_descriptor_proto(), field.path()),
    })
}

/// Whether `google.api.field_behavior` says REQUIRED.
fn is_required(field: &FieldDescriptor) -> bool {
    let Some(extension) = field
        .parent_pool()
        .get_extension_by_name("google.api.field_behavior")
    else {
        return false;
    };
    let options = field.options();
    let behaviors = options.get_extension(&extension);
    behaviors
        .as_list()
        .is_some_and(|list| list.contains(&Value::EnumNumber(2)))
}

fn read_method(method: &MethodDescriptor) -> Result<Method> {
    if method.is_client_streaming() {
        return Err(format!("{}: no code for client streaming", method.full_name()).into());
    }
    let extension = method
        .parent_pool()
        .get_extension_by_name("google.api.http")
        .ok_or("google.api.http is not imported")?;
    let options = method.options();
    let http = options.get_extension(&extension);
    let http = http
        .as_message()
        .ok_or("google.api.http is not a message")?;
    let mut rules = vec![read_rule(http)?];
    if let Some(list) = http.get_field_by_name("additional_bindings") {
        for rule in list.as_list().unwrap_or_default() {
            rules.push(read_rule(
                rule.as_message().ok_or("a binding is not a message")?,
            )?);
        }
    }
    Ok(Method {
        name: method.name().to_owned(),
        doc: comment(method.parent_file().file_descriptor_proto(), method.path()),
        request: method.input().name().to_upper_camel_case(),
        response: method.output().name().to_upper_camel_case(),
        streams: method.is_server_streaming(),
        rules,
    })
}

fn read_rule(rule: &DynamicMessage) -> Result<Rule> {
    let text = |name: &str| {
        let value = rule.get_field_by_name(name)?;
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let (verb, template) = ["get", "post", "delete"]
        .into_iter()
        .find_map(|verb| Some((verb, text(verb)?)))
        .ok_or("an HTTP rule has a verb that is not GET, POST or DELETE")?;
    let has_body = match text("body").as_deref() {
        None => false,
        Some("*") => true,
        Some(other) => return Err(format!("{template}: no code for the body `{other}`").into()),
    };
    Ok(Rule {
        verb: verb.to_upper_camel_case(),
        template,
        has_body,
    })
}

/// The comment above the declaration at `path`, as one line.
fn comment(file: &prost_types::FileDescriptorProto, path: &[i32]) -> String {
    file.source_code_info
        .iter()
        .flat_map(|info| &info.location)
        .find(|location| location.path == path)
        .and_then(|location| location.leading_comments.as_deref())
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}
