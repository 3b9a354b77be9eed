//! How events change a task: a pure fold, without a clock and without I/O.
//!
//! Servers and their stores use [`apply`], clients use [`Fold`]; both give the same task for the
//! same events. Applying an event costs what the event costs, however large the task is.

use std::borrow::Cow;

use prost::encoding::message;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::json;
use crate::stream_response::Payload;
use crate::{
    Artifact, Message, StreamResponse, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent,
};

/// One thing that happened to a task.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TaskEvent {
    /// A message of the user was accepted into the history. Streams do not show it.
    Input(Message),
    /// The status changed.
    Status(TaskStatusUpdateEvent),
    /// The status changed, with a message for those who listen now: streams show it, the task
    /// does not keep it (A2A §3.7).
    Transient(TaskStatusUpdateEvent),
    /// An artifact, or a chunk of one, came.
    Artifact(TaskArtifactUpdateEvent),
}

impl TaskEvent {
    /// The state that the event brings, if it is about the status.
    #[must_use]
    pub fn state(&self) -> Option<TaskState> {
        match self {
            Self::Status(event) | Self::Transient(event) => {
                event.status.as_ref().map(TaskStatus::state)
            }
            Self::Input(_) | Self::Artifact(_) => None,
        }
    }

    /// The event as the ProtoJSON of a `StreamResponse`; empty for what streams do not show.
    #[must_use]
    pub fn stream_json(&self) -> Vec<u8> {
        let json = match self {
            Self::Input(_) => return Vec::new(),
            Self::Status(event) | Self::Transient(event) => {
                json::to_vec(&Member("statusUpdate", event))
            }
            Self::Artifact(event) => json::to_vec(&Member("artifactUpdate", event)),
        };
        // Messages have nothing that JSON cannot hold.
        json.unwrap_or_default()
    }

    /// The event as an encoded `StreamResponse`; empty for what streams do not show.
    #[must_use]
    pub fn stream_protobuf(&self) -> Vec<u8> {
        // The members of the oneof, written without a copy of what they hold.
        const STATUS_UPDATE: u32 = 3;
        const ARTIFACT_UPDATE: u32 = 4;
        let mut out = Vec::new();
        match self {
            Self::Input(_) => {}
            Self::Status(event) | Self::Transient(event) => {
                message::encode(STATUS_UPDATE, event, &mut out);
            }
            Self::Artifact(event) => message::encode(ARTIFACT_UPDATE, event, &mut out),
        }
        out
    }

    /// The event as streams and webhooks show it; `None` for what they do not show.
    #[must_use]
    pub fn to_stream_response(&self) -> Option<StreamResponse> {
        match self {
            Self::Input(_) => None,
            Self::Status(event) | Self::Transient(event) => Some(event.clone().into()),
            Self::Artifact(event) => Some(event.clone().into()),
        }
    }
}

/// An object with one member.
struct Member<'a, T>(&'static str, &'a T);

impl<T: Serialize> Serialize for Member<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, self.1)?;
        map.end()
    }
}

/// Applies an event to its task.
///
/// - A new status replaces the old one, whose message moves into the history (A2A §3.7): each
///   message is in the task once, and the history stays in the order in which things were said.
///   For the same reason an input takes the status message into the history before itself.
/// - An artifact is new or replaces the one with its id, which keeps its place. With `append` its
///   parts are added to the known artifact; name, description, metadata and extensions are merged,
///   where the newer values win; of an unknown id it is a new artifact (A2A §4.2.2).
/// - The metadata of an event belongs to the event alone.
///
/// Whether the life cycle allows the event is for the caller to decide.
pub fn apply(task: &mut Task, event: &TaskEvent) {
    match event {
        TaskEvent::Input(message) => apply_input(task, message.clone()),
        TaskEvent::Status(event) => apply_status_event(task, event),
        TaskEvent::Transient(event) => apply_status(task, event.status.as_ref(), None),
        TaskEvent::Artifact(event) => apply_artifact_event(task, event),
    }
}

/// As [`apply`], with what the event holds instead of a copy of it: little is left of the event.
pub fn apply_taking(task: &mut Task, event: &mut TaskEvent) {
    match event {
        TaskEvent::Input(message) => apply_input(task, std::mem::take(message)),
        TaskEvent::Status(event) => {
            let said = event.status.as_mut().and_then(|s| s.message.take());
            apply_status(task, event.status.as_ref(), said.map(Cow::Owned));
        }
        TaskEvent::Transient(event) => apply_status(task, event.status.as_ref(), None),
        TaskEvent::Artifact(event) => {
            apply_artifact(task, event.artifact.take().map(Cow::Owned), event.append);
        }
    }
}

fn apply_status_event(task: &mut Task, event: &TaskStatusUpdateEvent) {
    let status = event.status.as_ref();
    let said = status.and_then(|status| status.message.as_ref());
    apply_status(task, status, said.map(Cow::Borrowed));
}

fn apply_artifact_event(task: &mut Task, event: &TaskArtifactUpdateEvent) {
    let artifact = event.artifact.as_ref().map(Cow::Borrowed);
    apply_artifact(task, artifact, event.append);
}

fn apply_input(task: &mut Task, message: Message) {
    let status = task.status.as_mut();
    let said = status.and_then(|status| status.message.take());
    task.history.extend(said);
    task.history.push(message);
}

/// The status becomes this one, with this message in place of its own.
fn apply_status(task: &mut Task, status: Option<&TaskStatus>, message: Option<Cow<'_, Message>>) {
    let Some(status) = status else { return };
    // In place: a status has room for a message.
    let current = task.status.get_or_insert_default();
    (current.state, current.timestamp) = (status.state, status.timestamp);
    // The same message again is still the current one.
    if current.message.as_ref() != message.as_deref() {
        let superseded = std::mem::replace(&mut current.message, message.map(Cow::into_owned));
        task.history.extend(superseded);
    }
}

fn apply_artifact(task: &mut Task, artifact: Option<Cow<'_, Artifact>>, adds: bool) {
    let Some(artifact) = artifact else { return };
    // Chunks mostly belong to a recent artifact.
    let known = task
        .artifacts
        .iter_mut()
        .rfind(|known| known.artifact_id == artifact.artifact_id);
    match known {
        Some(known) if adds => append(known, &artifact),
        Some(known) => *known = artifact.into_owned(),
        None => {
            if task.artifacts.is_empty() {
                // Most tasks have one; room for more would stay with the task for good.
                task.artifacts.reserve_exact(1);
            }
            task.artifacts.push(artifact.into_owned());
        }
    }
}

fn append(known: &mut Artifact, chunk: &Artifact) {
    known.parts.extend_from_slice(&chunk.parts);
    for (text, newer) in [
        (&mut known.name, &chunk.name),
        (&mut known.description, &chunk.description),
    ] {
        if !newer.is_empty() {
            text.clone_from(newer);
        }
    }
    if let Some(newer) = &chunk.metadata {
        let metadata = known.metadata.get_or_insert_default();
        metadata.0.extend(
            newer
                .0
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
    }
    for uri in &chunk.extensions {
        if !known.extensions.contains(uri) {
            known.extensions.push(uri.clone());
        }
    }
}

/// What a client has learned from the events of a stream.
///
/// A task snapshot replaces what was known, whether it comes first, after a resubscription, or at
/// the end to repeat everything; updates change the task.
///
/// ```
/// use a2a_types::reducer::Fold;
/// use a2a_types::{Artifact, StreamResponse, TaskArtifactUpdateEvent};
///
/// let chunk = |text: &str| {
///     TaskArtifactUpdateEvent::default().with_artifact(Artifact::new("a", [text]))
/// };
/// let mut fold = Fold::default();
/// fold.push(&chunk("Hello, ").into());
/// fold.push(&chunk("world!").with_append(true).into());
/// assert_eq!(fold.task().unwrap().artifacts[0].text(), "Hello, world!");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fold {
    task: Option<Task>,
    message: Option<Message>,
}

impl Fold {
    /// Continues from a task that is already known.
    #[must_use]
    pub fn from_task(task: Task) -> Self {
        Self {
            task: Some(task),
            message: None,
        }
    }

    /// Takes the next event of the stream.
    pub fn push(&mut self, event: &StreamResponse) {
        match &event.payload {
            Some(Payload::Task(task)) => self.task = Some(task.clone()),
            Some(Payload::Message(message)) => self.message = Some(message.clone()),
            Some(Payload::StatusUpdate(event)) => {
                let task = self.task_of(&event.task_id, &event.context_id);
                apply_status_event(task, event);
            }
            Some(Payload::ArtifactUpdate(event)) => {
                let task = self.task_of(&event.task_id, &event.context_id);
                apply_artifact_event(task, event);
            }
            None => {}
        }
    }

    /// The task as far as it is known; `None` before anything was said about one.
    #[must_use]
    pub fn task(&self) -> Option<&Task> {
        self.task.as_ref()
    }

    /// The message that was sent instead of a task, or wrongly beside one.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// The task and the message.
    #[must_use]
    pub fn into_parts(self) -> (Option<Task>, Option<Message>) {
        (self.task, self.message)
    }

    /// Some peers send updates without a task before them.
    fn task_of(&mut self, id: &str, context_id: &str) -> &mut Task {
        self.task
            .get_or_insert_with(|| Task::default().with_id(id).with_context_id(context_id))
    }
}
