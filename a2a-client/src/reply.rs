//! What an agent answers to a message.

use a2a_types::send_message_response::Payload;
use a2a_types::{Artifact, Message, SendMessageResponse, Task};

use crate::Error;

/// What an agent answers to a message: a task that it has begun or continued, or a direct message
/// (A2A §3.1.1).
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has no other answer")]
pub enum Reply {
    /// A task.
    Task(Task),
    /// A direct message; there is no task.
    Message(Message),
}

impl Reply {
    /// The task, if there is one.
    #[must_use]
    pub fn task(&self) -> Option<&Task> {
        match self {
            Self::Task(task) => Some(task),
            Self::Message(_) => None,
        }
    }

    /// The direct message, if it is one.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Task(_) => None,
            Self::Message(message) => Some(message),
        }
    }

    /// What was said: the text of the message; of a task that of its artifacts, one after the
    /// other, or without any that of its status.
    #[must_use]
    pub fn text(&self) -> String {
        let task = match self {
            Self::Message(message) => return message.text(),
            Self::Task(task) => task,
        };
        let texts: Vec<_> = task.artifacts.iter().map(Artifact::text).collect();
        let text = texts.join("\n");
        if !text.is_empty() {
            return text;
        }
        let message = task
            .status
            .as_ref()
            .and_then(|status| status.message.as_ref());
        message.map(Message::text).unwrap_or_default()
    }

    pub(crate) fn new(response: SendMessageResponse) -> Result<Self, Error> {
        match response.payload {
            Some(Payload::Task(task)) => Ok(Self::Task(task)),
            Some(Payload::Message(message)) => Ok(Self::Message(message)),
            _ => Err(Error::invalid_answer(
                "the answer to a message is neither a task nor a message",
            )),
        }
    }
}
