//! What is wrong with a word of the agent by itself, whatever the task.

use a2a_types::part::Content;
use a2a_types::{Part, Struct, TaskArtifactUpdateEvent, TaskState, TaskStatusUpdateEvent};

use super::AgentError;

pub(super) fn status(event: &TaskStatusUpdateEvent) -> Result<(), AgentError> {
    let wrong = AgentError::invalid_response;
    let status = event.status.as_ref();
    let status = status.ok_or_else(|| wrong("a status update needs a status"))?;
    if status.state() == TaskState::Unspecified {
        return Err(wrong("a status update needs a state"));
    }
    match &status.message {
        Some(message) => {
            let metadata = [&event.metadata, &message.metadata];
            content(&message.parts, metadata, "a message")
        }
        None => depth([&event.metadata, &None]),
    }
}

pub(super) fn artifact(event: &TaskArtifactUpdateEvent) -> Result<(), AgentError> {
    match &event.artifact {
        Some(artifact) if !artifact.artifact_id.is_empty() => {
            let metadata = [&event.metadata, &artifact.metadata];
            content(&artifact.parts, metadata, "an artifact")
        }
        _ => Err(AgentError::invalid_response("an artifact needs an id")),
    }
}

pub(super) fn content(
    parts: &[Part],
    metadata: [&Option<Struct>; 2],
    what: &str,
) -> Result<(), AgentError> {
    if parts.is_empty() {
        return Err(AgentError::invalid_response(format!("{what} needs a part")));
    }
    for part in parts {
        match &part.content {
            None => return Err(AgentError::invalid_response("a part needs content")),
            Some(Content::Data(data)) if data.is_too_deep() => return Err(too_deep()),
            Some(_) => depth([&part.metadata, &None])?,
        }
    }
    depth(metadata)
}

fn depth(metadata: [&Option<Struct>; 2]) -> Result<(), AgentError> {
    match metadata.into_iter().flatten().any(Struct::is_too_deep) {
        true => Err(too_deep()),
        false => Ok(()),
    }
}

fn too_deep() -> AgentError {
    AgentError::invalid_response("data and metadata may nest 64 levels at most")
}
