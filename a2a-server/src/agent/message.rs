use a2a_types::{Message, Part, Role};

/// What an agent says in a message: text, parts, or a message made by hand.
#[derive(Clone, Debug)]
pub struct AgentMessage(Message);

impl AgentMessage {
    /// The message, spoken by the agent.
    pub(crate) fn into_message(self) -> Message {
        self.0.with_role(Role::Agent)
    }
}

impl From<Message> for AgentMessage {
    fn from(message: Message) -> Self {
        Self(message)
    }
}

impl From<&str> for AgentMessage {
    fn from(text: &str) -> Self {
        Self(Message::agent(text))
    }
}

impl From<String> for AgentMessage {
    fn from(text: String) -> Self {
        Self(Message::agent(text))
    }
}

impl From<Part> for AgentMessage {
    fn from(part: Part) -> Self {
        vec![part].into()
    }
}

impl From<Vec<Part>> for AgentMessage {
    fn from(parts: Vec<Part>) -> Self {
        let mut message = Message::agent("");
        message.parts = parts;
        Self(message)
    }
}
