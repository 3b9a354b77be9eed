use a2a_types::reducer::TaskEvent;
use a2a_types::{Artifact, Part, Struct, TaskArtifactUpdateEvent};

use super::status::Keep;
use super::{AgentError, TaskHandle};

/// An artifact, or a piece of one, in the making; see [`TaskHandle::artifact`].
///
/// Without [`append`](Self::append) the artifact is new, or replaces the one of the same id
/// (A2A §4.2.2).
#[must_use = "nothing is said before `send`"]
#[derive(Debug)]
pub struct ArtifactUpdate<'a> {
    task: &'a TaskHandle,
    event: TaskArtifactUpdateEvent,
    artifact: Artifact,
}

impl<'a> ArtifactUpdate<'a> {
    pub(super) fn new(task: &'a TaskHandle, id: String) -> Self {
        let artifact = Artifact::default().with_artifact_id(id);
        Self {
            task,
            event: TaskArtifactUpdateEvent::default(),
            artifact,
        }
    }

    /// A name for people.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.artifact.name = name.into();
        self
    }

    /// A description for people.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.artifact.description = description.into();
        self
    }

    /// Adds a part with this text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.part(Part::text(text))
    }

    /// Adds a part with this JSON value.
    pub fn data(self, data: impl Into<a2a_types::Value>) -> Self {
        self.part(Part::data(data))
    }

    /// Adds a part.
    pub fn part(mut self, part: impl Into<Part>) -> Self {
        // Most updates have one part; room for more would stay with the task for good.
        match self.artifact.parts.as_mut_slice() {
            [] => self.artifact.parts = vec![part.into()],
            _ => self.artifact.parts.push(part.into()),
        }
        self
    }

    /// Free-form values on the artifact.
    pub fn metadata(mut self, metadata: impl Into<Struct>) -> Self {
        self.artifact.metadata = Some(metadata.into());
        self
    }

    /// Names an extension that contributed to the artifact.
    pub fn extension(mut self, uri: impl Into<String>) -> Self {
        self.artifact.extensions.push(uri.into());
        self
    }

    /// Adds the parts to the artifact already sent under this id.
    pub fn append(mut self) -> Self {
        self.event.append = true;
        self
    }

    /// Marks the last piece of the artifact.
    pub fn last_chunk(mut self) -> Self {
        self.event.last_chunk = true;
        self
    }

    /// Says it. Returns when the update is accepted, which may be before it is stored.
    ///
    /// # Errors
    ///
    /// When the task has ended, when an earlier update could not be stored, or when the update
    /// breaks a rule of the protocol (an artifact needs a part) or a limit of the server.
    pub fn send(mut self) -> impl Future<Output = Result<(), AgentError>> + Send + use<'a> {
        self.event.artifact = Some(self.artifact);
        let event = TaskEvent::Artifact(self.event);
        self.task.emit(self.task.update(event, Keep::Stored))
    }
}
