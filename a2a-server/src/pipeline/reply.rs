use std::any::Any;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use a2a_types::operation::Wire;
use a2a_types::store::LogEntry;
use a2a_types::stream_response::Payload;
use a2a_types::{
    A2aError, Extensions, Message, OperationId, SendMessageResponse, StreamResponse, Task, json,
};
use bytes::Bytes;
use futures::Stream;

/// The answer to a call: one message, or a stream of events.
pub struct Reply {
    pub(crate) operation: OperationId,
    pub(crate) activated: Extensions,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    One(Box<dyn Answer>),
    Stream(EventStream),
}

impl Reply {
    /// The operation that is answered.
    pub fn operation(&self) -> OperationId {
        self.operation
    }

    /// The extensions in use for the call.
    pub fn activated_extensions(&self) -> &Extensions {
        &self.activated
    }

    /// Whether the answer is a stream of events.
    pub fn is_stream(&self) -> bool {
        matches!(self.body, Body::Stream(_))
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("operation", &self.operation)
            .finish_non_exhaustive()
    }
}

/// A response message that any codec can write.
pub(crate) trait Answer: Send {
    /// Appends the ProtoJSON form.
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError>;

    /// The message itself, for codecs that do not write JSON.
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
}

impl<M: Wire> Answer for M {
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError> {
        json::write_to(self, out).map_err(A2aError::internal)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

/// A message that others hold too: JSON is written from it without a copy.
pub(crate) struct SharedAnswer<M>(pub(crate) Arc<M>);

impl<M: Wire> Answer for SharedAnswer<M> {
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError> {
        self.0.write_json(out)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        Box::new(Arc::unwrap_or_clone(self.0))
    }
}

/// The answer to a sent message.
pub(crate) enum SentAnswer {
    /// A task that others hold too.
    Task(Arc<Task>),
    Message(Message),
}

impl Answer for SentAnswer {
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError> {
        match self {
            Self::Task(task) => write_member("task", &**task, out),
            Self::Message(message) => write_member("message", message, out),
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        Box::new(match *self {
            Self::Task(task) => SendMessageResponse::from(Arc::unwrap_or_clone(task)),
            Self::Message(message) => SendMessageResponse::from(message),
        })
    }
}

/// Events in batches, each batch in order. Dropping it ends nothing but itself.
pub(crate) struct EventStream {
    pub(crate) events: Pin<Box<dyn Stream<Item = Result<Vec<StreamItem>, A2aError>> + Send>>,
}

/// One event of a stream.
#[derive(Clone, Debug)]
pub(crate) enum StreamItem {
    /// The task as it was right after the event of this sequence.
    Task(Arc<Task>, u64),
    /// A direct reply.
    Message(Arc<Message>),
    /// An entry of the task's log.
    Event(Arc<LogEntry>),
}

impl StreamItem {
    /// The place in the task's log from which a client that has this event goes on.
    pub(crate) fn sequence(&self) -> Option<u64> {
        match self {
            Self::Event(entry) => Some(entry.sequence()),
            Self::Task(_, sequence) => Some(*sequence),
            Self::Message(_) => None,
        }
    }

    /// The ProtoJSON of the `StreamResponse`.
    pub(crate) fn json(&self) -> Result<Bytes, A2aError> {
        let mut out = Vec::new();
        match self {
            Self::Event(entry) => return Ok(entry.json().clone()),
            Self::Task(task, _) => write_member("task", &**task, &mut out)?,
            Self::Message(message) => write_member("message", &**message, &mut out)?,
        }
        Ok(out.into())
    }

    /// The message, for readers that do not want JSON.
    pub(crate) fn to_stream_response(&self) -> StreamResponse {
        let payload = match self {
            Self::Event(entry) => return entry.event().to_stream_response().unwrap_or_default(),
            Self::Task(task, _) => Payload::Task(Task::clone(task)),
            Self::Message(message) => Payload::Message(Message::clone(message)),
        };
        let mut response = StreamResponse::default();
        response.payload = Some(payload);
        response
    }
}

fn write_member<M: Wire>(name: &str, message: &M, out: &mut Vec<u8>) -> Result<(), A2aError> {
    out.extend_from_slice(b"{\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    message.write_json(out)?;
    out.push(b'}');
    Ok(())
}
