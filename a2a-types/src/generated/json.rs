// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.

use serde::{
    de::{Deserialize, Deserializer, MapAccess},
    ser::{Serialize, SerializeStruct, Serializer},
};
use crate::{json, operation::{Cardinality, Field, FieldKind, Wire}};
impl json::Names for crate::TaskState {
    const NAMES: &'static [(&'static str, i32)] = &[
        ("TASK_STATE_UNSPECIFIED", 0),
        ("TASK_STATE_SUBMITTED", 1),
        ("TASK_STATE_WORKING", 2),
        ("TASK_STATE_COMPLETED", 3),
        ("TASK_STATE_FAILED", 4),
        ("TASK_STATE_CANCELED", 5),
        ("TASK_STATE_INPUT_REQUIRED", 6),
        ("TASK_STATE_REJECTED", 7),
        ("TASK_STATE_AUTH_REQUIRED", 8),
    ];
}
impl json::Names for crate::Role {
    const NAMES: &'static [(&'static str, i32)] = &[
        ("ROLE_UNSPECIFIED", 0),
        ("ROLE_USER", 1),
        ("ROLE_AGENT", 2),
    ];
}
impl Wire for crate::SendMessageConfiguration {
    const NAME: &'static str = "SendMessageConfiguration";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "accepted_output_modes",
            json_name: "acceptedOutputModes",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "task_push_notification_config",
            json_name: "taskPushNotificationConfig",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "history_length",
            json_name: "historyLength",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Optional,
            required: false,
        },
        Field {
            name: "return_immediately",
            json_name: "returnImmediately",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::SendMessageConfiguration {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "acceptedOutputModes" | "accepted_output_modes" => 0,
                "taskPushNotificationConfig" | "task_push_notification_config" => 1,
                "historyLength" | "history_length" => 2,
                "returnImmediately" | "return_immediately" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.accepted_output_modes = json::repeated::<json::Text, A>(map)?,
            1 => {
                self.task_push_notification_config = json::optional::<
                    json::Message<crate::TaskPushNotificationConfig>,
                    A,
                >(map)?;
            }
            2 => self.history_length = json::optional::<json::Int32, A>(map)?,
            3 => self.return_immediately = json::singular::<json::Bool, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::SendMessageConfiguration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::SendMessageConfiguration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SendMessageConfiguration", 4)?;
        if !self.accepted_output_modes.is_empty() {
            out.serialize_field("acceptedOutputModes", &self.accepted_output_modes)?;
        }
        if let Some(value) = &self.task_push_notification_config {
            out.serialize_field("taskPushNotificationConfig", value)?;
        }
        if let Some(value) = &self.history_length {
            out.serialize_field("historyLength", value)?;
        }
        if self.return_immediately {
            out.serialize_field("returnImmediately", &self.return_immediately)?;
        }
        out.end()
    }
}
impl Wire for crate::Task {
    const NAME: &'static str = "Task";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "context_id",
            json_name: "contextId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "status",
            json_name: "status",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "artifacts",
            json_name: "artifacts",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "history",
            json_name: "history",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::Task {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "id" => 0,
                "contextId" | "context_id" => 1,
                "status" => 2,
                "artifacts" => 3,
                "history" => 4,
                "metadata" => 5,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.id = json::singular::<json::Text, A>(map)?,
            1 => self.context_id = json::singular::<json::Text, A>(map)?,
            2 => {
                self.status = json::optional::<json::Message<crate::TaskStatus>, A>(map)?;
            }
            3 => {
                self.artifacts = json::repeated::<
                    json::Message<crate::Artifact>,
                    A,
                >(map)?;
            }
            4 => self.history = json::repeated::<json::Message<crate::Message>, A>(map)?,
            5 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::Task {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::Task {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Task", 6)?;
        out.serialize_field("id", &self.id)?;
        if !self.context_id.is_empty() {
            out.serialize_field("contextId", &self.context_id)?;
        }
        if let Some(value) = &self.status {
            out.serialize_field("status", value)?;
        }
        if !self.artifacts.is_empty() {
            out.serialize_field("artifacts", &self.artifacts)?;
        }
        if !self.history.is_empty() {
            out.serialize_field("history", &self.history)?;
        }
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        out.end()
    }
}
impl Wire for crate::TaskStatus {
    const NAME: &'static str = "TaskStatus";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "state",
            json_name: "state",
            kind: FieldKind::Enum(<crate::TaskState as json::Names>::NAMES),
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "message",
            json_name: "message",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "timestamp",
            json_name: "timestamp",
            kind: FieldKind::Timestamp,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::TaskStatus {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "state" => 0,
                "message" => 1,
                "timestamp" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.state = json::singular::<json::Enum<crate::TaskState>, A>(map)?,
            1 => self.message = json::optional::<json::Message<crate::Message>, A>(map)?,
            2 => {
                self.timestamp = json::optional::<
                    json::Message<crate::Timestamp>,
                    A,
                >(map)?;
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::TaskStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::TaskStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("TaskStatus", 3)?;
        out.serialize_field(
            "state",
            &json::EnumName::<crate::TaskState>::new(self.state),
        )?;
        if let Some(value) = &self.message {
            out.serialize_field("message", value)?;
        }
        if let Some(value) = &self.timestamp {
            out.serialize_field("timestamp", value)?;
        }
        out.end()
    }
}
impl Wire for crate::Part {
    const NAME: &'static str = "Part";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "text",
            json_name: "text",
            kind: FieldKind::String,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "raw",
            json_name: "raw",
            kind: FieldKind::Bytes,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "url",
            json_name: "url",
            kind: FieldKind::String,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "data",
            json_name: "data",
            kind: FieldKind::Value,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "filename",
            json_name: "filename",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "media_type",
            json_name: "mediaType",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::Part {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "text" => 0,
                "raw" => 1,
                "url" => 2,
                "data" => 3,
                "metadata" => 4,
                "filename" => 5,
                "mediaType" | "media_type" => 6,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => {
                json::member::<
                    json::Text,
                    _,
                    A,
                >(
                    map,
                    &mut self.content,
                    crate::part::Content::Text,
                    "text, raw, url, data",
                )?
            }
            1 => {
                json::member::<
                    json::Bytes,
                    _,
                    A,
                >(
                    map,
                    &mut self.content,
                    crate::part::Content::Raw,
                    "text, raw, url, data",
                )?
            }
            2 => {
                json::member::<
                    json::Text,
                    _,
                    A,
                >(
                    map,
                    &mut self.content,
                    crate::part::Content::Url,
                    "text, raw, url, data",
                )?
            }
            3 => {
                json::member::<
                    json::AnyValue,
                    _,
                    A,
                >(
                    map,
                    &mut self.content,
                    crate::part::Content::Data,
                    "text, raw, url, data",
                )?
            }
            4 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            5 => self.filename = json::singular::<json::Text, A>(map)?,
            6 => self.media_type = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Part", 7)?;
        match &self.content {
            Some(crate::part::Content::Text(value)) => {
                out.serialize_field("text", value)?
            }
            Some(crate::part::Content::Raw(value)) => {
                out.serialize_field("raw", &json::Base64(value))?
            }
            Some(crate::part::Content::Url(value)) => out.serialize_field("url", value)?,
            Some(crate::part::Content::Data(value)) => {
                out.serialize_field("data", value)?
            }
            None => {}
        }
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        if !self.filename.is_empty() {
            out.serialize_field("filename", &self.filename)?;
        }
        if !self.media_type.is_empty() {
            out.serialize_field("mediaType", &self.media_type)?;
        }
        out.end()
    }
}
impl Wire for crate::Message {
    const NAME: &'static str = "Message";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "message_id",
            json_name: "messageId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "context_id",
            json_name: "contextId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "role",
            json_name: "role",
            kind: FieldKind::Enum(<crate::Role as json::Names>::NAMES),
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "parts",
            json_name: "parts",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "extensions",
            json_name: "extensions",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "reference_task_ids",
            json_name: "referenceTaskIds",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
    ];
}
impl json::Read for crate::Message {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "messageId" | "message_id" => 0,
                "contextId" | "context_id" => 1,
                "taskId" | "task_id" => 2,
                "role" => 3,
                "parts" => 4,
                "metadata" => 5,
                "extensions" => 6,
                "referenceTaskIds" | "reference_task_ids" => 7,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.message_id = json::singular::<json::Text, A>(map)?,
            1 => self.context_id = json::singular::<json::Text, A>(map)?,
            2 => self.task_id = json::singular::<json::Text, A>(map)?,
            3 => self.role = json::singular::<json::Enum<crate::Role>, A>(map)?,
            4 => self.parts = json::repeated::<json::Message<crate::Part>, A>(map)?,
            5 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            6 => self.extensions = json::repeated::<json::Text, A>(map)?,
            7 => self.reference_task_ids = json::repeated::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Message", 8)?;
        out.serialize_field("messageId", &self.message_id)?;
        if !self.context_id.is_empty() {
            out.serialize_field("contextId", &self.context_id)?;
        }
        if !self.task_id.is_empty() {
            out.serialize_field("taskId", &self.task_id)?;
        }
        out.serialize_field("role", &json::EnumName::<crate::Role>::new(self.role))?;
        out.serialize_field("parts", &self.parts)?;
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        if !self.extensions.is_empty() {
            out.serialize_field("extensions", &self.extensions)?;
        }
        if !self.reference_task_ids.is_empty() {
            out.serialize_field("referenceTaskIds", &self.reference_task_ids)?;
        }
        out.end()
    }
}
impl Wire for crate::Artifact {
    const NAME: &'static str = "Artifact";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "artifact_id",
            json_name: "artifactId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "name",
            json_name: "name",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "parts",
            json_name: "parts",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "extensions",
            json_name: "extensions",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
    ];
}
impl json::Read for crate::Artifact {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "artifactId" | "artifact_id" => 0,
                "name" => 1,
                "description" => 2,
                "parts" => 3,
                "metadata" => 4,
                "extensions" => 5,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.artifact_id = json::singular::<json::Text, A>(map)?,
            1 => self.name = json::singular::<json::Text, A>(map)?,
            2 => self.description = json::singular::<json::Text, A>(map)?,
            3 => self.parts = json::repeated::<json::Message<crate::Part>, A>(map)?,
            4 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            5 => self.extensions = json::repeated::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::Artifact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::Artifact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Artifact", 6)?;
        out.serialize_field("artifactId", &self.artifact_id)?;
        if !self.name.is_empty() {
            out.serialize_field("name", &self.name)?;
        }
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        out.serialize_field("parts", &self.parts)?;
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        if !self.extensions.is_empty() {
            out.serialize_field("extensions", &self.extensions)?;
        }
        out.end()
    }
}
impl Wire for crate::TaskStatusUpdateEvent {
    const NAME: &'static str = "TaskStatusUpdateEvent";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "context_id",
            json_name: "contextId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "status",
            json_name: "status",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::TaskStatusUpdateEvent {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "taskId" | "task_id" => 0,
                "contextId" | "context_id" => 1,
                "status" => 2,
                "metadata" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.task_id = json::singular::<json::Text, A>(map)?,
            1 => self.context_id = json::singular::<json::Text, A>(map)?,
            2 => {
                self.status = json::optional::<json::Message<crate::TaskStatus>, A>(map)?;
            }
            3 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::TaskStatusUpdateEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::TaskStatusUpdateEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("TaskStatusUpdateEvent", 4)?;
        out.serialize_field("taskId", &self.task_id)?;
        out.serialize_field("contextId", &self.context_id)?;
        if let Some(value) = &self.status {
            out.serialize_field("status", value)?;
        }
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        out.end()
    }
}
impl Wire for crate::TaskArtifactUpdateEvent {
    const NAME: &'static str = "TaskArtifactUpdateEvent";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "context_id",
            json_name: "contextId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "artifact",
            json_name: "artifact",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "append",
            json_name: "append",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "last_chunk",
            json_name: "lastChunk",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::TaskArtifactUpdateEvent {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "taskId" | "task_id" => 0,
                "contextId" | "context_id" => 1,
                "artifact" => 2,
                "append" => 3,
                "lastChunk" | "last_chunk" => 4,
                "metadata" => 5,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.task_id = json::singular::<json::Text, A>(map)?,
            1 => self.context_id = json::singular::<json::Text, A>(map)?,
            2 => {
                self.artifact = json::optional::<json::Message<crate::Artifact>, A>(map)?;
            }
            3 => self.append = json::singular::<json::Bool, A>(map)?,
            4 => self.last_chunk = json::singular::<json::Bool, A>(map)?,
            5 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::TaskArtifactUpdateEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::TaskArtifactUpdateEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("TaskArtifactUpdateEvent", 6)?;
        out.serialize_field("taskId", &self.task_id)?;
        out.serialize_field("contextId", &self.context_id)?;
        if let Some(value) = &self.artifact {
            out.serialize_field("artifact", value)?;
        }
        if self.append {
            out.serialize_field("append", &self.append)?;
        }
        if self.last_chunk {
            out.serialize_field("lastChunk", &self.last_chunk)?;
        }
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        out.end()
    }
}
impl Wire for crate::AuthenticationInfo {
    const NAME: &'static str = "AuthenticationInfo";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "scheme",
            json_name: "scheme",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "credentials",
            json_name: "credentials",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::AuthenticationInfo {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "scheme" => 0,
                "credentials" => 1,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.scheme = json::singular::<json::Text, A>(map)?,
            1 => self.credentials = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AuthenticationInfo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AuthenticationInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AuthenticationInfo", 2)?;
        out.serialize_field("scheme", &self.scheme)?;
        if !self.credentials.is_empty() {
            out.serialize_field("credentials", &self.credentials)?;
        }
        out.end()
    }
}
impl Wire for crate::AgentInterface {
    const NAME: &'static str = "AgentInterface";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "url",
            json_name: "url",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "protocol_binding",
            json_name: "protocolBinding",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "protocol_version",
            json_name: "protocolVersion",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::AgentInterface {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "url" => 0,
                "protocolBinding" | "protocol_binding" => 1,
                "tenant" => 2,
                "protocolVersion" | "protocol_version" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.url = json::singular::<json::Text, A>(map)?,
            1 => self.protocol_binding = json::singular::<json::Text, A>(map)?,
            2 => self.tenant = json::singular::<json::Text, A>(map)?,
            3 => self.protocol_version = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentInterface {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentInterface {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentInterface", 4)?;
        out.serialize_field("url", &self.url)?;
        out.serialize_field("protocolBinding", &self.protocol_binding)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("protocolVersion", &self.protocol_version)?;
        out.end()
    }
}
impl Wire for crate::AgentCard {
    const NAME: &'static str = "AgentCard";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "name",
            json_name: "name",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "supported_interfaces",
            json_name: "supportedInterfaces",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "provider",
            json_name: "provider",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "version",
            json_name: "version",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "documentation_url",
            json_name: "documentationUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Optional,
            required: false,
        },
        Field {
            name: "capabilities",
            json_name: "capabilities",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "security_schemes",
            json_name: "securitySchemes",
            kind: FieldKind::Message,
            cardinality: Cardinality::Map,
            required: false,
        },
        Field {
            name: "security_requirements",
            json_name: "securityRequirements",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "default_input_modes",
            json_name: "defaultInputModes",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "default_output_modes",
            json_name: "defaultOutputModes",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "skills",
            json_name: "skills",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "signatures",
            json_name: "signatures",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "icon_url",
            json_name: "iconUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Optional,
            required: false,
        },
    ];
}
impl json::Read for crate::AgentCard {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "name" => 0,
                "description" => 1,
                "supportedInterfaces" | "supported_interfaces" => 2,
                "provider" => 3,
                "version" => 4,
                "documentationUrl" | "documentation_url" => 5,
                "capabilities" => 6,
                "securitySchemes" | "security_schemes" => 7,
                "securityRequirements" | "security_requirements" => 8,
                "defaultInputModes" | "default_input_modes" => 9,
                "defaultOutputModes" | "default_output_modes" => 10,
                "skills" => 11,
                "signatures" => 12,
                "iconUrl" | "icon_url" => 13,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.name = json::singular::<json::Text, A>(map)?,
            1 => self.description = json::singular::<json::Text, A>(map)?,
            2 => {
                self.supported_interfaces = json::repeated::<
                    json::Message<crate::AgentInterface>,
                    A,
                >(map)?;
            }
            3 => {
                self.provider = json::optional::<
                    json::Message<crate::AgentProvider>,
                    A,
                >(map)?;
            }
            4 => self.version = json::singular::<json::Text, A>(map)?,
            5 => self.documentation_url = json::optional::<json::Text, A>(map)?,
            6 => {
                self.capabilities = json::optional::<
                    json::Message<crate::AgentCapabilities>,
                    A,
                >(map)?;
            }
            7 => {
                self.security_schemes = json::map::<
                    json::Message<crate::SecurityScheme>,
                    A,
                >(map)?;
            }
            8 => {
                self.security_requirements = json::repeated::<
                    json::Message<crate::SecurityRequirement>,
                    A,
                >(map)?;
            }
            9 => self.default_input_modes = json::repeated::<json::Text, A>(map)?,
            10 => self.default_output_modes = json::repeated::<json::Text, A>(map)?,
            11 => {
                self.skills = json::repeated::<json::Message<crate::AgentSkill>, A>(map)?;
            }
            12 => {
                self.signatures = json::repeated::<
                    json::Message<crate::AgentCardSignature>,
                    A,
                >(map)?;
            }
            13 => self.icon_url = json::optional::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentCard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentCard", 14)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("description", &self.description)?;
        out.serialize_field("supportedInterfaces", &self.supported_interfaces)?;
        if let Some(value) = &self.provider {
            out.serialize_field("provider", value)?;
        }
        out.serialize_field("version", &self.version)?;
        if let Some(value) = &self.documentation_url {
            out.serialize_field("documentationUrl", value)?;
        }
        if let Some(value) = &self.capabilities {
            out.serialize_field("capabilities", value)?;
        }
        if !self.security_schemes.is_empty() {
            out.serialize_field("securitySchemes", &self.security_schemes)?;
        }
        if !self.security_requirements.is_empty() {
            out.serialize_field("securityRequirements", &self.security_requirements)?;
        }
        out.serialize_field("defaultInputModes", &self.default_input_modes)?;
        out.serialize_field("defaultOutputModes", &self.default_output_modes)?;
        out.serialize_field("skills", &self.skills)?;
        if !self.signatures.is_empty() {
            out.serialize_field("signatures", &self.signatures)?;
        }
        if let Some(value) = &self.icon_url {
            out.serialize_field("iconUrl", value)?;
        }
        out.end()
    }
}
impl Wire for crate::AgentProvider {
    const NAME: &'static str = "AgentProvider";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "url",
            json_name: "url",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "organization",
            json_name: "organization",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::AgentProvider {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "url" => 0,
                "organization" => 1,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.url = json::singular::<json::Text, A>(map)?,
            1 => self.organization = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentProvider {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentProvider {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentProvider", 2)?;
        out.serialize_field("url", &self.url)?;
        out.serialize_field("organization", &self.organization)?;
        out.end()
    }
}
impl Wire for crate::AgentCapabilities {
    const NAME: &'static str = "AgentCapabilities";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "streaming",
            json_name: "streaming",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Optional,
            required: false,
        },
        Field {
            name: "push_notifications",
            json_name: "pushNotifications",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Optional,
            required: false,
        },
        Field {
            name: "extensions",
            json_name: "extensions",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "extended_agent_card",
            json_name: "extendedAgentCard",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Optional,
            required: false,
        },
    ];
}
impl json::Read for crate::AgentCapabilities {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "streaming" => 0,
                "pushNotifications" | "push_notifications" => 1,
                "extensions" => 2,
                "extendedAgentCard" | "extended_agent_card" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.streaming = json::optional::<json::Bool, A>(map)?,
            1 => self.push_notifications = json::optional::<json::Bool, A>(map)?,
            2 => {
                self.extensions = json::repeated::<
                    json::Message<crate::AgentExtension>,
                    A,
                >(map)?;
            }
            3 => self.extended_agent_card = json::optional::<json::Bool, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentCapabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentCapabilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentCapabilities", 4)?;
        if let Some(value) = &self.streaming {
            out.serialize_field("streaming", value)?;
        }
        if let Some(value) = &self.push_notifications {
            out.serialize_field("pushNotifications", value)?;
        }
        if !self.extensions.is_empty() {
            out.serialize_field("extensions", &self.extensions)?;
        }
        if let Some(value) = &self.extended_agent_card {
            out.serialize_field("extendedAgentCard", value)?;
        }
        out.end()
    }
}
impl Wire for crate::AgentExtension {
    const NAME: &'static str = "AgentExtension";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "uri",
            json_name: "uri",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "required",
            json_name: "required",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "params",
            json_name: "params",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::AgentExtension {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "uri" => 0,
                "description" => 1,
                "required" => 2,
                "params" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.uri = json::singular::<json::Text, A>(map)?,
            1 => self.description = json::singular::<json::Text, A>(map)?,
            2 => self.required = json::singular::<json::Bool, A>(map)?,
            3 => self.params = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentExtension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentExtension {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentExtension", 4)?;
        if !self.uri.is_empty() {
            out.serialize_field("uri", &self.uri)?;
        }
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        if self.required {
            out.serialize_field("required", &self.required)?;
        }
        if let Some(value) = &self.params {
            out.serialize_field("params", value)?;
        }
        out.end()
    }
}
impl Wire for crate::AgentSkill {
    const NAME: &'static str = "AgentSkill";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "name",
            json_name: "name",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "tags",
            json_name: "tags",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "examples",
            json_name: "examples",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "input_modes",
            json_name: "inputModes",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "output_modes",
            json_name: "outputModes",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "security_requirements",
            json_name: "securityRequirements",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
    ];
}
impl json::Read for crate::AgentSkill {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "id" => 0,
                "name" => 1,
                "description" => 2,
                "tags" => 3,
                "examples" => 4,
                "inputModes" | "input_modes" => 5,
                "outputModes" | "output_modes" => 6,
                "securityRequirements" | "security_requirements" => 7,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.id = json::singular::<json::Text, A>(map)?,
            1 => self.name = json::singular::<json::Text, A>(map)?,
            2 => self.description = json::singular::<json::Text, A>(map)?,
            3 => self.tags = json::repeated::<json::Text, A>(map)?,
            4 => self.examples = json::repeated::<json::Text, A>(map)?,
            5 => self.input_modes = json::repeated::<json::Text, A>(map)?,
            6 => self.output_modes = json::repeated::<json::Text, A>(map)?,
            7 => {
                self.security_requirements = json::repeated::<
                    json::Message<crate::SecurityRequirement>,
                    A,
                >(map)?;
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentSkill {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentSkill {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentSkill", 8)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("description", &self.description)?;
        out.serialize_field("tags", &self.tags)?;
        if !self.examples.is_empty() {
            out.serialize_field("examples", &self.examples)?;
        }
        if !self.input_modes.is_empty() {
            out.serialize_field("inputModes", &self.input_modes)?;
        }
        if !self.output_modes.is_empty() {
            out.serialize_field("outputModes", &self.output_modes)?;
        }
        if !self.security_requirements.is_empty() {
            out.serialize_field("securityRequirements", &self.security_requirements)?;
        }
        out.end()
    }
}
impl Wire for crate::AgentCardSignature {
    const NAME: &'static str = "AgentCardSignature";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "protected",
            json_name: "protected",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "signature",
            json_name: "signature",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "header",
            json_name: "header",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::AgentCardSignature {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "protected" => 0,
                "signature" => 1,
                "header" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.protected = json::singular::<json::Text, A>(map)?,
            1 => self.signature = json::singular::<json::Text, A>(map)?,
            2 => self.header = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AgentCardSignature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AgentCardSignature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AgentCardSignature", 3)?;
        out.serialize_field("protected", &self.protected)?;
        out.serialize_field("signature", &self.signature)?;
        if let Some(value) = &self.header {
            out.serialize_field("header", value)?;
        }
        out.end()
    }
}
impl Wire for crate::TaskPushNotificationConfig {
    const NAME: &'static str = "TaskPushNotificationConfig";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "url",
            json_name: "url",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "token",
            json_name: "token",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "authentication",
            json_name: "authentication",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::TaskPushNotificationConfig {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "id" => 1,
                "taskId" | "task_id" => 2,
                "url" => 3,
                "token" => 4,
                "authentication" => 5,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.id = json::singular::<json::Text, A>(map)?,
            2 => self.task_id = json::singular::<json::Text, A>(map)?,
            3 => self.url = json::singular::<json::Text, A>(map)?,
            4 => self.token = json::singular::<json::Text, A>(map)?,
            5 => {
                self.authentication = json::optional::<
                    json::Message<crate::AuthenticationInfo>,
                    A,
                >(map)?;
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::TaskPushNotificationConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::TaskPushNotificationConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("TaskPushNotificationConfig", 6)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        if !self.id.is_empty() {
            out.serialize_field("id", &self.id)?;
        }
        if !self.task_id.is_empty() {
            out.serialize_field("taskId", &self.task_id)?;
        }
        out.serialize_field("url", &self.url)?;
        if !self.token.is_empty() {
            out.serialize_field("token", &self.token)?;
        }
        if let Some(value) = &self.authentication {
            out.serialize_field("authentication", value)?;
        }
        out.end()
    }
}
impl Wire for crate::StringList {
    const NAME: &'static str = "StringList";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "list",
            json_name: "list",
            kind: FieldKind::String,
            cardinality: Cardinality::Repeated,
            required: false,
        },
    ];
}
impl json::Read for crate::StringList {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "list" => 0,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.list = json::repeated::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::StringList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::StringList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("StringList", 1)?;
        if !self.list.is_empty() {
            out.serialize_field("list", &self.list)?;
        }
        out.end()
    }
}
impl Wire for crate::SecurityRequirement {
    const NAME: &'static str = "SecurityRequirement";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "schemes",
            json_name: "schemes",
            kind: FieldKind::Message,
            cardinality: Cardinality::Map,
            required: false,
        },
    ];
}
impl json::Read for crate::SecurityRequirement {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "schemes" => 0,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.schemes = json::map::<json::Message<crate::StringList>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::SecurityRequirement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::SecurityRequirement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SecurityRequirement", 1)?;
        if !self.schemes.is_empty() {
            out.serialize_field("schemes", &self.schemes)?;
        }
        out.end()
    }
}
impl Wire for crate::SecurityScheme {
    const NAME: &'static str = "SecurityScheme";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "api_key_security_scheme",
            json_name: "apiKeySecurityScheme",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "http_auth_security_scheme",
            json_name: "httpAuthSecurityScheme",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "oauth2_security_scheme",
            json_name: "oauth2SecurityScheme",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "open_id_connect_security_scheme",
            json_name: "openIdConnectSecurityScheme",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "mtls_security_scheme",
            json_name: "mtlsSecurityScheme",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
    ];
}
impl json::Read for crate::SecurityScheme {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "apiKeySecurityScheme" | "api_key_security_scheme" => 0,
                "httpAuthSecurityScheme" | "http_auth_security_scheme" => 1,
                "oauth2SecurityScheme" | "oauth2_security_scheme" => 2,
                "openIdConnectSecurityScheme" | "open_id_connect_security_scheme" => 3,
                "mtlsSecurityScheme" | "mtls_security_scheme" => 4,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => {
                json::member::<
                    json::Message<crate::ApiKeySecurityScheme>,
                    _,
                    A,
                >(
                    map,
                    &mut self.scheme,
                    crate::security_scheme::Scheme::ApiKeySecurityScheme,
                    "apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
                )?
            }
            1 => {
                json::member::<
                    json::Message<crate::HttpAuthSecurityScheme>,
                    _,
                    A,
                >(
                    map,
                    &mut self.scheme,
                    crate::security_scheme::Scheme::HttpAuthSecurityScheme,
                    "apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
                )?
            }
            2 => {
                json::member::<
                    json::Message<crate::OAuth2SecurityScheme>,
                    _,
                    A,
                >(
                    map,
                    &mut self.scheme,
                    crate::security_scheme::Scheme::Oauth2SecurityScheme,
                    "apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
                )?
            }
            3 => {
                json::member::<
                    json::Message<crate::OpenIdConnectSecurityScheme>,
                    _,
                    A,
                >(
                    map,
                    &mut self.scheme,
                    crate::security_scheme::Scheme::OpenIdConnectSecurityScheme,
                    "apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
                )?
            }
            4 => {
                json::member::<
                    json::Message<crate::MutualTlsSecurityScheme>,
                    _,
                    A,
                >(
                    map,
                    &mut self.scheme,
                    crate::security_scheme::Scheme::MtlsSecurityScheme,
                    "apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, openIdConnectSecurityScheme, mtlsSecurityScheme",
                )?
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::SecurityScheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::SecurityScheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SecurityScheme", 5)?;
        match &self.scheme {
            Some(crate::security_scheme::Scheme::ApiKeySecurityScheme(value)) => {
                out.serialize_field("apiKeySecurityScheme", value)?
            }
            Some(crate::security_scheme::Scheme::HttpAuthSecurityScheme(value)) => {
                out.serialize_field("httpAuthSecurityScheme", value)?
            }
            Some(crate::security_scheme::Scheme::Oauth2SecurityScheme(value)) => {
                out.serialize_field("oauth2SecurityScheme", value)?
            }
            Some(crate::security_scheme::Scheme::OpenIdConnectSecurityScheme(value)) => {
                out.serialize_field("openIdConnectSecurityScheme", value)?
            }
            Some(crate::security_scheme::Scheme::MtlsSecurityScheme(value)) => {
                out.serialize_field("mtlsSecurityScheme", value)?
            }
            None => {}
        }
        out.end()
    }
}
impl Wire for crate::ApiKeySecurityScheme {
    const NAME: &'static str = "APIKeySecurityScheme";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "location",
            json_name: "location",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "name",
            json_name: "name",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::ApiKeySecurityScheme {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "description" => 0,
                "location" => 1,
                "name" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.description = json::singular::<json::Text, A>(map)?,
            1 => self.location = json::singular::<json::Text, A>(map)?,
            2 => self.name = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ApiKeySecurityScheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ApiKeySecurityScheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ApiKeySecurityScheme", 3)?;
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        out.serialize_field("location", &self.location)?;
        out.serialize_field("name", &self.name)?;
        out.end()
    }
}
impl Wire for crate::HttpAuthSecurityScheme {
    const NAME: &'static str = "HTTPAuthSecurityScheme";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "scheme",
            json_name: "scheme",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "bearer_format",
            json_name: "bearerFormat",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::HttpAuthSecurityScheme {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "description" => 0,
                "scheme" => 1,
                "bearerFormat" | "bearer_format" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.description = json::singular::<json::Text, A>(map)?,
            1 => self.scheme = json::singular::<json::Text, A>(map)?,
            2 => self.bearer_format = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::HttpAuthSecurityScheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::HttpAuthSecurityScheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("HttpAuthSecurityScheme", 3)?;
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        out.serialize_field("scheme", &self.scheme)?;
        if !self.bearer_format.is_empty() {
            out.serialize_field("bearerFormat", &self.bearer_format)?;
        }
        out.end()
    }
}
impl Wire for crate::OAuth2SecurityScheme {
    const NAME: &'static str = "OAuth2SecurityScheme";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "flows",
            json_name: "flows",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "oauth2_metadata_url",
            json_name: "oauth2MetadataUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::OAuth2SecurityScheme {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "description" => 0,
                "flows" => 1,
                "oauth2MetadataUrl" | "oauth2_metadata_url" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.description = json::singular::<json::Text, A>(map)?,
            1 => self.flows = json::optional::<json::Message<crate::OAuthFlows>, A>(map)?,
            2 => self.oauth2_metadata_url = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::OAuth2SecurityScheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::OAuth2SecurityScheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("OAuth2SecurityScheme", 3)?;
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        if let Some(value) = &self.flows {
            out.serialize_field("flows", value)?;
        }
        if !self.oauth2_metadata_url.is_empty() {
            out.serialize_field("oauth2MetadataUrl", &self.oauth2_metadata_url)?;
        }
        out.end()
    }
}
impl Wire for crate::OpenIdConnectSecurityScheme {
    const NAME: &'static str = "OpenIdConnectSecurityScheme";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "open_id_connect_url",
            json_name: "openIdConnectUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::OpenIdConnectSecurityScheme {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "description" => 0,
                "openIdConnectUrl" | "open_id_connect_url" => 1,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.description = json::singular::<json::Text, A>(map)?,
            1 => self.open_id_connect_url = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::OpenIdConnectSecurityScheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::OpenIdConnectSecurityScheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("OpenIdConnectSecurityScheme", 2)?;
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        out.serialize_field("openIdConnectUrl", &self.open_id_connect_url)?;
        out.end()
    }
}
impl Wire for crate::MutualTlsSecurityScheme {
    const NAME: &'static str = "MutualTlsSecurityScheme";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "description",
            json_name: "description",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::MutualTlsSecurityScheme {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "description" => 0,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.description = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::MutualTlsSecurityScheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::MutualTlsSecurityScheme {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("MutualTlsSecurityScheme", 1)?;
        if !self.description.is_empty() {
            out.serialize_field("description", &self.description)?;
        }
        out.end()
    }
}
impl Wire for crate::OAuthFlows {
    const NAME: &'static str = "OAuthFlows";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "authorization_code",
            json_name: "authorizationCode",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "client_credentials",
            json_name: "clientCredentials",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "implicit",
            json_name: "implicit",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "password",
            json_name: "password",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "device_code",
            json_name: "deviceCode",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
    ];
}
impl json::Read for crate::OAuthFlows {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "authorizationCode" | "authorization_code" => 0,
                "clientCredentials" | "client_credentials" => 1,
                "implicit" => 2,
                "password" => 3,
                "deviceCode" | "device_code" => 4,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => {
                json::member::<
                    json::Message<crate::AuthorizationCodeOAuthFlow>,
                    _,
                    A,
                >(
                    map,
                    &mut self.flow,
                    crate::o_auth_flows::Flow::AuthorizationCode,
                    "authorizationCode, clientCredentials, implicit, password, deviceCode",
                )?
            }
            1 => {
                json::member::<
                    json::Message<crate::ClientCredentialsOAuthFlow>,
                    _,
                    A,
                >(
                    map,
                    &mut self.flow,
                    crate::o_auth_flows::Flow::ClientCredentials,
                    "authorizationCode, clientCredentials, implicit, password, deviceCode",
                )?
            }
            2 => {
                json::member::<
                    json::Message<crate::ImplicitOAuthFlow>,
                    _,
                    A,
                >(
                    map,
                    &mut self.flow,
                    crate::o_auth_flows::Flow::Implicit,
                    "authorizationCode, clientCredentials, implicit, password, deviceCode",
                )?
            }
            3 => {
                json::member::<
                    json::Message<crate::PasswordOAuthFlow>,
                    _,
                    A,
                >(
                    map,
                    &mut self.flow,
                    crate::o_auth_flows::Flow::Password,
                    "authorizationCode, clientCredentials, implicit, password, deviceCode",
                )?
            }
            4 => {
                json::member::<
                    json::Message<crate::DeviceCodeOAuthFlow>,
                    _,
                    A,
                >(
                    map,
                    &mut self.flow,
                    crate::o_auth_flows::Flow::DeviceCode,
                    "authorizationCode, clientCredentials, implicit, password, deviceCode",
                )?
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::OAuthFlows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::OAuthFlows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("OAuthFlows", 5)?;
        match &self.flow {
            Some(crate::o_auth_flows::Flow::AuthorizationCode(value)) => {
                out.serialize_field("authorizationCode", value)?
            }
            Some(crate::o_auth_flows::Flow::ClientCredentials(value)) => {
                out.serialize_field("clientCredentials", value)?
            }
            Some(crate::o_auth_flows::Flow::Implicit(value)) => {
                out.serialize_field("implicit", value)?
            }
            Some(crate::o_auth_flows::Flow::Password(value)) => {
                out.serialize_field("password", value)?
            }
            Some(crate::o_auth_flows::Flow::DeviceCode(value)) => {
                out.serialize_field("deviceCode", value)?
            }
            None => {}
        }
        out.end()
    }
}
impl Wire for crate::AuthorizationCodeOAuthFlow {
    const NAME: &'static str = "AuthorizationCodeOAuthFlow";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "authorization_url",
            json_name: "authorizationUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "token_url",
            json_name: "tokenUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "refresh_url",
            json_name: "refreshUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "scopes",
            json_name: "scopes",
            kind: FieldKind::String,
            cardinality: Cardinality::Map,
            required: true,
        },
        Field {
            name: "pkce_required",
            json_name: "pkceRequired",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::AuthorizationCodeOAuthFlow {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "authorizationUrl" | "authorization_url" => 0,
                "tokenUrl" | "token_url" => 1,
                "refreshUrl" | "refresh_url" => 2,
                "scopes" => 3,
                "pkceRequired" | "pkce_required" => 4,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.authorization_url = json::singular::<json::Text, A>(map)?,
            1 => self.token_url = json::singular::<json::Text, A>(map)?,
            2 => self.refresh_url = json::singular::<json::Text, A>(map)?,
            3 => self.scopes = json::map::<json::Text, A>(map)?,
            4 => self.pkce_required = json::singular::<json::Bool, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::AuthorizationCodeOAuthFlow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::AuthorizationCodeOAuthFlow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AuthorizationCodeOAuthFlow", 5)?;
        out.serialize_field("authorizationUrl", &self.authorization_url)?;
        out.serialize_field("tokenUrl", &self.token_url)?;
        if !self.refresh_url.is_empty() {
            out.serialize_field("refreshUrl", &self.refresh_url)?;
        }
        out.serialize_field("scopes", &self.scopes)?;
        if self.pkce_required {
            out.serialize_field("pkceRequired", &self.pkce_required)?;
        }
        out.end()
    }
}
impl Wire for crate::ClientCredentialsOAuthFlow {
    const NAME: &'static str = "ClientCredentialsOAuthFlow";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "token_url",
            json_name: "tokenUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "refresh_url",
            json_name: "refreshUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "scopes",
            json_name: "scopes",
            kind: FieldKind::String,
            cardinality: Cardinality::Map,
            required: true,
        },
    ];
}
impl json::Read for crate::ClientCredentialsOAuthFlow {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tokenUrl" | "token_url" => 0,
                "refreshUrl" | "refresh_url" => 1,
                "scopes" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.token_url = json::singular::<json::Text, A>(map)?,
            1 => self.refresh_url = json::singular::<json::Text, A>(map)?,
            2 => self.scopes = json::map::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ClientCredentialsOAuthFlow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ClientCredentialsOAuthFlow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ClientCredentialsOAuthFlow", 3)?;
        out.serialize_field("tokenUrl", &self.token_url)?;
        if !self.refresh_url.is_empty() {
            out.serialize_field("refreshUrl", &self.refresh_url)?;
        }
        out.serialize_field("scopes", &self.scopes)?;
        out.end()
    }
}
impl Wire for crate::ImplicitOAuthFlow {
    const NAME: &'static str = "ImplicitOAuthFlow";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "authorization_url",
            json_name: "authorizationUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "refresh_url",
            json_name: "refreshUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "scopes",
            json_name: "scopes",
            kind: FieldKind::String,
            cardinality: Cardinality::Map,
            required: false,
        },
    ];
}
impl json::Read for crate::ImplicitOAuthFlow {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "authorizationUrl" | "authorization_url" => 0,
                "refreshUrl" | "refresh_url" => 1,
                "scopes" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.authorization_url = json::singular::<json::Text, A>(map)?,
            1 => self.refresh_url = json::singular::<json::Text, A>(map)?,
            2 => self.scopes = json::map::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ImplicitOAuthFlow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ImplicitOAuthFlow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ImplicitOAuthFlow", 3)?;
        if !self.authorization_url.is_empty() {
            out.serialize_field("authorizationUrl", &self.authorization_url)?;
        }
        if !self.refresh_url.is_empty() {
            out.serialize_field("refreshUrl", &self.refresh_url)?;
        }
        if !self.scopes.is_empty() {
            out.serialize_field("scopes", &self.scopes)?;
        }
        out.end()
    }
}
impl Wire for crate::PasswordOAuthFlow {
    const NAME: &'static str = "PasswordOAuthFlow";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "token_url",
            json_name: "tokenUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "refresh_url",
            json_name: "refreshUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "scopes",
            json_name: "scopes",
            kind: FieldKind::String,
            cardinality: Cardinality::Map,
            required: false,
        },
    ];
}
impl json::Read for crate::PasswordOAuthFlow {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tokenUrl" | "token_url" => 0,
                "refreshUrl" | "refresh_url" => 1,
                "scopes" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.token_url = json::singular::<json::Text, A>(map)?,
            1 => self.refresh_url = json::singular::<json::Text, A>(map)?,
            2 => self.scopes = json::map::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::PasswordOAuthFlow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::PasswordOAuthFlow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("PasswordOAuthFlow", 3)?;
        if !self.token_url.is_empty() {
            out.serialize_field("tokenUrl", &self.token_url)?;
        }
        if !self.refresh_url.is_empty() {
            out.serialize_field("refreshUrl", &self.refresh_url)?;
        }
        if !self.scopes.is_empty() {
            out.serialize_field("scopes", &self.scopes)?;
        }
        out.end()
    }
}
impl Wire for crate::DeviceCodeOAuthFlow {
    const NAME: &'static str = "DeviceCodeOAuthFlow";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "device_authorization_url",
            json_name: "deviceAuthorizationUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "token_url",
            json_name: "tokenUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "refresh_url",
            json_name: "refreshUrl",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "scopes",
            json_name: "scopes",
            kind: FieldKind::String,
            cardinality: Cardinality::Map,
            required: true,
        },
    ];
}
impl json::Read for crate::DeviceCodeOAuthFlow {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "deviceAuthorizationUrl" | "device_authorization_url" => 0,
                "tokenUrl" | "token_url" => 1,
                "refreshUrl" | "refresh_url" => 2,
                "scopes" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.device_authorization_url = json::singular::<json::Text, A>(map)?,
            1 => self.token_url = json::singular::<json::Text, A>(map)?,
            2 => self.refresh_url = json::singular::<json::Text, A>(map)?,
            3 => self.scopes = json::map::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::DeviceCodeOAuthFlow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::DeviceCodeOAuthFlow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("DeviceCodeOAuthFlow", 4)?;
        out.serialize_field("deviceAuthorizationUrl", &self.device_authorization_url)?;
        out.serialize_field("tokenUrl", &self.token_url)?;
        if !self.refresh_url.is_empty() {
            out.serialize_field("refreshUrl", &self.refresh_url)?;
        }
        out.serialize_field("scopes", &self.scopes)?;
        out.end()
    }
}
impl Wire for crate::SendMessageRequest {
    const NAME: &'static str = "SendMessageRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "message",
            json_name: "message",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "configuration",
            json_name: "configuration",
            kind: FieldKind::Message,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::SendMessageRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "message" => 1,
                "configuration" => 2,
                "metadata" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.message = json::optional::<json::Message<crate::Message>, A>(map)?,
            2 => {
                self.configuration = json::optional::<
                    json::Message<crate::SendMessageConfiguration>,
                    A,
                >(map)?;
            }
            3 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::SendMessageRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::SendMessageRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SendMessageRequest", 4)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        if let Some(value) = &self.message {
            out.serialize_field("message", value)?;
        }
        if let Some(value) = &self.configuration {
            out.serialize_field("configuration", value)?;
        }
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        out.end()
    }
}
impl Wire for crate::GetTaskRequest {
    const NAME: &'static str = "GetTaskRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "history_length",
            json_name: "historyLength",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Optional,
            required: false,
        },
    ];
}
impl json::Read for crate::GetTaskRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "id" => 1,
                "historyLength" | "history_length" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.id = json::singular::<json::Text, A>(map)?,
            2 => self.history_length = json::optional::<json::Int32, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::GetTaskRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::GetTaskRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("GetTaskRequest", 3)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("id", &self.id)?;
        if let Some(value) = &self.history_length {
            out.serialize_field("historyLength", value)?;
        }
        out.end()
    }
}
impl Wire for crate::ListTasksRequest {
    const NAME: &'static str = "ListTasksRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "context_id",
            json_name: "contextId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "status",
            json_name: "status",
            kind: FieldKind::Enum(<crate::TaskState as json::Names>::NAMES),
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "page_size",
            json_name: "pageSize",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Optional,
            required: false,
        },
        Field {
            name: "page_token",
            json_name: "pageToken",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "history_length",
            json_name: "historyLength",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Optional,
            required: false,
        },
        Field {
            name: "status_timestamp_after",
            json_name: "statusTimestampAfter",
            kind: FieldKind::Timestamp,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "include_artifacts",
            json_name: "includeArtifacts",
            kind: FieldKind::Bool,
            cardinality: Cardinality::Optional,
            required: false,
        },
    ];
}
impl json::Read for crate::ListTasksRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "contextId" | "context_id" => 1,
                "status" => 2,
                "pageSize" | "page_size" => 3,
                "pageToken" | "page_token" => 4,
                "historyLength" | "history_length" => 5,
                "statusTimestampAfter" | "status_timestamp_after" => 6,
                "includeArtifacts" | "include_artifacts" => 7,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.context_id = json::singular::<json::Text, A>(map)?,
            2 => self.status = json::singular::<json::Enum<crate::TaskState>, A>(map)?,
            3 => self.page_size = json::optional::<json::Int32, A>(map)?,
            4 => self.page_token = json::singular::<json::Text, A>(map)?,
            5 => self.history_length = json::optional::<json::Int32, A>(map)?,
            6 => {
                self.status_timestamp_after = json::optional::<
                    json::Message<crate::Timestamp>,
                    A,
                >(map)?;
            }
            7 => self.include_artifacts = json::optional::<json::Bool, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ListTasksRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ListTasksRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ListTasksRequest", 8)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        if !self.context_id.is_empty() {
            out.serialize_field("contextId", &self.context_id)?;
        }
        if self.status != 0 {
            out.serialize_field(
                "status",
                &json::EnumName::<crate::TaskState>::new(self.status),
            )?;
        }
        if let Some(value) = &self.page_size {
            out.serialize_field("pageSize", value)?;
        }
        if !self.page_token.is_empty() {
            out.serialize_field("pageToken", &self.page_token)?;
        }
        if let Some(value) = &self.history_length {
            out.serialize_field("historyLength", value)?;
        }
        if let Some(value) = &self.status_timestamp_after {
            out.serialize_field("statusTimestampAfter", value)?;
        }
        if let Some(value) = &self.include_artifacts {
            out.serialize_field("includeArtifacts", value)?;
        }
        out.end()
    }
}
impl Wire for crate::ListTasksResponse {
    const NAME: &'static str = "ListTasksResponse";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tasks",
            json_name: "tasks",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: true,
        },
        Field {
            name: "next_page_token",
            json_name: "nextPageToken",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "page_size",
            json_name: "pageSize",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "total_size",
            json_name: "totalSize",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::ListTasksResponse {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tasks" => 0,
                "nextPageToken" | "next_page_token" => 1,
                "pageSize" | "page_size" => 2,
                "totalSize" | "total_size" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tasks = json::repeated::<json::Message<crate::Task>, A>(map)?,
            1 => self.next_page_token = json::singular::<json::Text, A>(map)?,
            2 => self.page_size = json::singular::<json::Int32, A>(map)?,
            3 => self.total_size = json::singular::<json::Int32, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ListTasksResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ListTasksResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ListTasksResponse", 4)?;
        out.serialize_field("tasks", &self.tasks)?;
        out.serialize_field("nextPageToken", &self.next_page_token)?;
        out.serialize_field("pageSize", &self.page_size)?;
        out.serialize_field("totalSize", &self.total_size)?;
        out.end()
    }
}
impl Wire for crate::CancelTaskRequest {
    const NAME: &'static str = "CancelTaskRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "metadata",
            json_name: "metadata",
            kind: FieldKind::Struct,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::CancelTaskRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "id" => 1,
                "metadata" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.id = json::singular::<json::Text, A>(map)?,
            2 => self.metadata = json::optional::<json::Message<crate::Struct>, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::CancelTaskRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::CancelTaskRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("CancelTaskRequest", 3)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("id", &self.id)?;
        if let Some(value) = &self.metadata {
            out.serialize_field("metadata", value)?;
        }
        out.end()
    }
}
impl Wire for crate::GetTaskPushNotificationConfigRequest {
    const NAME: &'static str = "GetTaskPushNotificationConfigRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::GetTaskPushNotificationConfigRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "taskId" | "task_id" => 1,
                "id" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.task_id = json::singular::<json::Text, A>(map)?,
            2 => self.id = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::GetTaskPushNotificationConfigRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::GetTaskPushNotificationConfigRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer
            .serialize_struct("GetTaskPushNotificationConfigRequest", 3)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("taskId", &self.task_id)?;
        out.serialize_field("id", &self.id)?;
        out.end()
    }
}
impl Wire for crate::DeleteTaskPushNotificationConfigRequest {
    const NAME: &'static str = "DeleteTaskPushNotificationConfigRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::DeleteTaskPushNotificationConfigRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "taskId" | "task_id" => 1,
                "id" => 2,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.task_id = json::singular::<json::Text, A>(map)?,
            2 => self.id = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::DeleteTaskPushNotificationConfigRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::DeleteTaskPushNotificationConfigRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer
            .serialize_struct("DeleteTaskPushNotificationConfigRequest", 3)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("taskId", &self.task_id)?;
        out.serialize_field("id", &self.id)?;
        out.end()
    }
}
impl Wire for crate::SubscribeToTaskRequest {
    const NAME: &'static str = "SubscribeToTaskRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "id",
            json_name: "id",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
    ];
}
impl json::Read for crate::SubscribeToTaskRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "id" => 1,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.id = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::SubscribeToTaskRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::SubscribeToTaskRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SubscribeToTaskRequest", 2)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("id", &self.id)?;
        out.end()
    }
}
impl Wire for crate::ListTaskPushNotificationConfigsRequest {
    const NAME: &'static str = "ListTaskPushNotificationConfigsRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "task_id",
            json_name: "taskId",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: true,
        },
        Field {
            name: "page_size",
            json_name: "pageSize",
            kind: FieldKind::Int32,
            cardinality: Cardinality::Singular,
            required: false,
        },
        Field {
            name: "page_token",
            json_name: "pageToken",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::ListTaskPushNotificationConfigsRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                "taskId" | "task_id" => 1,
                "pageSize" | "page_size" => 2,
                "pageToken" | "page_token" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            1 => self.task_id = json::singular::<json::Text, A>(map)?,
            2 => self.page_size = json::singular::<json::Int32, A>(map)?,
            3 => self.page_token = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ListTaskPushNotificationConfigsRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ListTaskPushNotificationConfigsRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer
            .serialize_struct("ListTaskPushNotificationConfigsRequest", 4)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.serialize_field("taskId", &self.task_id)?;
        if self.page_size != 0 {
            out.serialize_field("pageSize", &self.page_size)?;
        }
        if !self.page_token.is_empty() {
            out.serialize_field("pageToken", &self.page_token)?;
        }
        out.end()
    }
}
impl Wire for crate::GetExtendedAgentCardRequest {
    const NAME: &'static str = "GetExtendedAgentCardRequest";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "tenant",
            json_name: "tenant",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::GetExtendedAgentCardRequest {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "tenant" => 0,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.tenant = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::GetExtendedAgentCardRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::GetExtendedAgentCardRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("GetExtendedAgentCardRequest", 1)?;
        if !self.tenant.is_empty() {
            out.serialize_field("tenant", &self.tenant)?;
        }
        out.end()
    }
}
impl Wire for crate::SendMessageResponse {
    const NAME: &'static str = "SendMessageResponse";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "task",
            json_name: "task",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "message",
            json_name: "message",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
    ];
}
impl json::Read for crate::SendMessageResponse {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "task" => 0,
                "message" => 1,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => {
                json::member::<
                    json::Message<crate::Task>,
                    _,
                    A,
                >(
                    map,
                    &mut self.payload,
                    crate::send_message_response::Payload::Task,
                    "task, message",
                )?
            }
            1 => {
                json::member::<
                    json::Message<crate::Message>,
                    _,
                    A,
                >(
                    map,
                    &mut self.payload,
                    crate::send_message_response::Payload::Message,
                    "task, message",
                )?
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::SendMessageResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::SendMessageResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SendMessageResponse", 2)?;
        match &self.payload {
            Some(crate::send_message_response::Payload::Task(value)) => {
                out.serialize_field("task", value)?
            }
            Some(crate::send_message_response::Payload::Message(value)) => {
                out.serialize_field("message", value)?
            }
            None => {}
        }
        out.end()
    }
}
impl Wire for crate::StreamResponse {
    const NAME: &'static str = "StreamResponse";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "task",
            json_name: "task",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "message",
            json_name: "message",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "status_update",
            json_name: "statusUpdate",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
        Field {
            name: "artifact_update",
            json_name: "artifactUpdate",
            kind: FieldKind::Message,
            cardinality: Cardinality::Oneof,
            required: false,
        },
    ];
}
impl json::Read for crate::StreamResponse {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "task" => 0,
                "message" => 1,
                "statusUpdate" | "status_update" => 2,
                "artifactUpdate" | "artifact_update" => 3,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => {
                json::member::<
                    json::Message<crate::Task>,
                    _,
                    A,
                >(
                    map,
                    &mut self.payload,
                    crate::stream_response::Payload::Task,
                    "task, message, statusUpdate, artifactUpdate",
                )?
            }
            1 => {
                json::member::<
                    json::Message<crate::Message>,
                    _,
                    A,
                >(
                    map,
                    &mut self.payload,
                    crate::stream_response::Payload::Message,
                    "task, message, statusUpdate, artifactUpdate",
                )?
            }
            2 => {
                json::member::<
                    json::Message<crate::TaskStatusUpdateEvent>,
                    _,
                    A,
                >(
                    map,
                    &mut self.payload,
                    crate::stream_response::Payload::StatusUpdate,
                    "task, message, statusUpdate, artifactUpdate",
                )?
            }
            3 => {
                json::member::<
                    json::Message<crate::TaskArtifactUpdateEvent>,
                    _,
                    A,
                >(
                    map,
                    &mut self.payload,
                    crate::stream_response::Payload::ArtifactUpdate,
                    "task, message, statusUpdate, artifactUpdate",
                )?
            }
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::StreamResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::StreamResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("StreamResponse", 4)?;
        match &self.payload {
            Some(crate::stream_response::Payload::Task(value)) => {
                out.serialize_field("task", value)?
            }
            Some(crate::stream_response::Payload::Message(value)) => {
                out.serialize_field("message", value)?
            }
            Some(crate::stream_response::Payload::StatusUpdate(value)) => {
                out.serialize_field("statusUpdate", value)?
            }
            Some(crate::stream_response::Payload::ArtifactUpdate(value)) => {
                out.serialize_field("artifactUpdate", value)?
            }
            None => {}
        }
        out.end()
    }
}
impl Wire for crate::ListTaskPushNotificationConfigsResponse {
    const NAME: &'static str = "ListTaskPushNotificationConfigsResponse";
    const FIELDS: &'static [Field] = &[
        Field {
            name: "configs",
            json_name: "configs",
            kind: FieldKind::Message,
            cardinality: Cardinality::Repeated,
            required: false,
        },
        Field {
            name: "next_page_token",
            json_name: "nextPageToken",
            kind: FieldKind::String,
            cardinality: Cardinality::Singular,
            required: false,
        },
    ];
}
impl json::Read for crate::ListTaskPushNotificationConfigsResponse {
    fn key(name: &str) -> Option<usize> {
        Some(
            match name {
                "configs" => 0,
                "nextPageToken" | "next_page_token" => 1,
                _ => return None,
            },
        )
    }
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            0 => {
                self.configs = json::repeated::<
                    json::Message<crate::TaskPushNotificationConfig>,
                    A,
                >(map)?;
            }
            1 => self.next_page_token = json::singular::<json::Text, A>(map)?,
            _ => {}
        }
        Ok(())
    }
}
impl<'de> Deserialize<'de> for crate::ListTaskPushNotificationConfigsResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::message(deserializer)
    }
}
impl Serialize for crate::ListTaskPushNotificationConfigsResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer
            .serialize_struct("ListTaskPushNotificationConfigsResponse", 2)?;
        if !self.configs.is_empty() {
            out.serialize_field("configs", &self.configs)?;
        }
        if !self.next_page_token.is_empty() {
            out.serialize_field("nextPageToken", &self.next_page_token)?;
        }
        out.end()
    }
}
