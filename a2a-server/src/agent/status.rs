use a2a_types::reducer::TaskEvent;
use a2a_types::{Message, Struct, TaskState, TaskStatus, TaskStatusUpdateEvent};

use super::{AgentError, AgentMessage, TaskHandle};

/// A status update in the making; see [`TaskHandle::status`].
#[must_use = "nothing is said before `send`"]
#[derive(Debug)]
pub struct StatusUpdate<'a> {
    task: &'a TaskHandle,
    state: TaskState,
    message: Option<Message>,
    metadata: Option<Struct>,
    keep: Keep,
}

/// Whether the status message becomes part of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Stored,
    /// Together with its neighbours.
    Folded,
    Transient,
}

impl<'a> StatusUpdate<'a> {
    pub(super) fn new(task: &'a TaskHandle, state: TaskState) -> Self {
        Self {
            task,
            state,
            message: None,
            metadata: None,
            keep: Keep::Stored,
        }
    }

    /// Says something with the new state. Text converts into a message.
    pub fn message(self, message: impl Into<AgentMessage>) -> Self {
        Self {
            message: Some(message.into().into_message()),
            ..self
        }
    }

    /// Free-form values on the event.
    pub fn metadata(self, metadata: impl Into<Struct>) -> Self {
        Self {
            metadata: Some(metadata.into()),
            ..self
        }
    }

    /// Keeps the message as a piece of a longer one: streams show each piece as it comes, and the
    /// history gets one message for all pieces in a row (A2A §3.7). For an agent that thinks
    /// aloud.
    ///
    /// Text goes on where the last piece ended; other parts follow each other. All
    /// pieces, and the whole, have the message id of the first one. The whole is in the history once the agent says something else in a status, a message of the client is
    /// accepted, or the task ends; until then `GetTask` shows the status without a message. More
    /// than 1 MiB becomes several entries. Only WORKING can be folded: the message of any other
    /// state is kept as it is.
    ///
    /// ```
    /// # use a2a_server::{AgentError, TaskHandle};
    /// # use a2a_types::TaskState;
    /// # async fn think(task: TaskHandle) -> Result<(), AgentError> {
    /// for word in ["Oslo ", "is ", "in Norway."] {
    ///     task.status(TaskState::Working).message(word).folded().send().await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn folded(self) -> Self {
        Self {
            keep: Keep::Folded,
            ..self
        }
    }

    /// Shows the message to those who listen now and leaves it out of the task and its history
    /// (A2A §3.7).
    pub fn transient(self) -> Self {
        Self {
            keep: Keep::Transient,
            ..self
        }
    }

    /// Says it. Returns when the update is accepted, which may be before it is stored.
    ///
    /// # Errors
    ///
    /// When the task has ended, when an earlier update could not be stored, or when the update
    /// breaks a rule of the protocol or a limit of the server.
    pub fn send(self) -> impl Future<Output = Result<(), AgentError>> + Send + use<'a> {
        let mut status = TaskStatus::default().with_state(self.state);
        status.message = self.message;
        let mut event = TaskStatusUpdateEvent::default();
        event.status = Some(status);
        event.metadata = self.metadata;
        let update = self.task.update(TaskEvent::Status(event), self.keep);
        self.task.emit(update)
    }
}
