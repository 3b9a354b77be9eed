//! The answers of the engine in the words of the model.

use a2a_types::{
    A2aError, ErrorKind, Message, Role, StreamResponse, Task, TaskState, stream_response,
};

use crate::model::{Entry, No};
use crate::schedule::State;

/// A task in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub state: State,
    pub message: Option<String>,
    pub history: Vec<String>,
    pub artifact: Vec<String>,
}

pub fn task_id(event: &StreamResponse) -> String {
    match &event.payload {
        Some(stream_response::Payload::StatusUpdate(update)) => update.task_id.clone(),
        Some(stream_response::Payload::ArtifactUpdate(update)) => update.task_id.clone(),
        other => panic!("{other:?}"),
    }
}

pub fn no(error: &A2aError) -> No {
    match error.kind() {
        ErrorKind::TaskNotFound => No::NotFound,
        ErrorKind::UnsupportedOperation => No::Unsupported,
        ErrorKind::TaskNotCancelable => No::NotCancelable,
        ErrorKind::ResourceExhausted => No::Exhausted,
        ErrorKind::Unavailable => No::Unavailable,
        ErrorKind::Internal => No::Store,
        other => panic!("{other:?}: {error}"),
    }
}

pub fn to_entry(event: StreamResponse) -> Option<Entry> {
    match event.payload? {
        stream_response::Payload::StatusUpdate(update) => {
            let status = update.status?;
            status.timestamp?;
            let text = status.message.as_ref().map(Message::text);
            Some(Entry::Status(
                state(status.state()),
                text.unwrap_or_default(),
            ))
        }
        stream_response::Payload::ArtifactUpdate(update) => {
            Some(Entry::Artifact(update.artifact?.text()))
        }
        _ => None,
    }
}

pub fn summary(task: &Task) -> Summary {
    let status = task.status.as_ref().unwrap();
    let said = |message: &Message| match message.role() {
        Role::User => format!("user: {}", message.text()),
        _ => format!("agent: {}", message.text()),
    };
    let parts = task.artifacts.iter().flat_map(|artifact| &artifact.parts);
    Summary {
        state: state(status.state()),
        message: status.message.as_ref().map(Message::text),
        history: task.history.iter().map(said).collect(),
        artifact: parts
            .map(|part| part.as_text().unwrap().to_owned())
            .collect(),
    }
}

pub fn state(state: TaskState) -> State {
    match state {
        TaskState::Submitted => State::Submitted,
        TaskState::Working => State::Working,
        TaskState::InputRequired => State::InputRequired,
        TaskState::AuthRequired => State::AuthRequired,
        TaskState::Completed => State::Completed,
        TaskState::Failed => State::Failed,
        TaskState::Canceled => State::Canceled,
        TaskState::Rejected => State::Rejected,
        other => panic!("{other:?}"),
    }
}

pub fn to_task_state(wanted: State) -> TaskState {
    let all = [
        TaskState::Submitted,
        TaskState::Working,
        TaskState::InputRequired,
        TaskState::AuthRequired,
        TaskState::Completed,
        TaskState::Failed,
        TaskState::Canceled,
        TaskState::Rejected,
    ];
    all.into_iter().find(|s| state(*s) == wanted).unwrap()
}
