use serde_json::Value;
use uuid::Uuid;

use super::artifact::extend;
use crate::send_message_response::Payload as SendPayload;
use crate::stream_response::Payload;
use crate::{
    Message, Part, Role, SendMessageRequest, SendMessageResponse, StreamResponse, Task,
    TaskArtifactUpdateEvent, TaskStatusUpdateEvent,
};

/// Messages to send and to read.
///
/// ```
/// use a2a_types::{Message, Part};
///
/// let message = Message::user("What is this?");
/// assert_eq!(message.text(), "What is this?");
///
/// let message = Message::user(Part::url("https://example.com/cat.png"));
/// assert_eq!(message.text(), "");
/// ```
impl Message {
    /// A message with a new random id.
    pub fn new(role: Role, parts: impl IntoIterator<Item = impl Into<Part>>) -> Self {
        Self {
            message_id: Uuid::new_v4().to_string(),
            role: role.into(),
            parts: parts.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// A message from the user to the agent, of text or any other part.
    pub fn user(content: impl Into<Part>) -> Self {
        Self::new(Role::User, [content])
    }

    /// A message from the agent to the user, of text or any other part.
    pub fn agent(content: impl Into<Part>) -> Self {
        Self::new(Role::Agent, [content])
    }

    /// The text parts, one a line; empty when there are none.
    #[must_use]
    pub fn text(&self) -> String {
        let mut texts = self.parts.iter().filter_map(Part::as_text);
        let mut text = texts.next().unwrap_or_default().to_owned();
        for more in texts {
            text.push('\n');
            text.push_str(more);
        }
        text
    }

    /// Adds the data of an extension: its value in the metadata under the URI, and the URI in the
    /// list of extensions (A2A §4.6.2).
    #[must_use]
    pub fn with_extension_data(mut self, uri: impl Into<String>, data: impl Into<Value>) -> Self {
        extend(
            &mut self.extensions,
            &mut self.metadata,
            uri.into(),
            data.into(),
        );
        self
    }

    /// The data of an extension, if the message has any.
    #[must_use]
    pub fn extension_data(&self, uri: &str) -> Option<&Value> {
        self.metadata.as_ref()?.0.get(uri)
    }
}

impl SendMessageRequest {
    /// A request to send this message.
    pub fn new(message: impl Into<Message>) -> Self {
        Self::default().with_message(message)
    }
}

impl From<Message> for SendMessageRequest {
    fn from(message: Message) -> Self {
        Self::new(message)
    }
}

macro_rules! payload {
    ($($response:ident: $payload:ident::$variant:ident($content:ident);)*) => {$(
        impl From<$content> for $response {
            fn from(content: $content) -> Self {
                Self { payload: Some($payload::$variant(content)) }
            }
        }
    )*};
}

payload! {
    SendMessageResponse: SendPayload::Task(Task);
    SendMessageResponse: SendPayload::Message(Message);
    StreamResponse: Payload::Task(Task);
    StreamResponse: Payload::Message(Message);
    StreamResponse: Payload::StatusUpdate(TaskStatusUpdateEvent);
    StreamResponse: Payload::ArtifactUpdate(TaskArtifactUpdateEvent);
}
