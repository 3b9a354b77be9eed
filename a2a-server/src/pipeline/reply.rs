use std::any::Any;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use a2a_types::operation::Wire;
use a2a_types::prost::encoding::message;
use a2a_types::store::LogEntry;
use a2a_types::stream_response::Payload;
use a2a_types::{
    A2aError, Extensions, Message, OperationId, SendMessageResponse, StreamResponse, Task, json,
};
use bytes::{Bytes, BytesMut};
use futures::Stream;

// The members that `SendMessageResponse` and `StreamResponse` share, written without a copy of
// what they hold.
const TASK: u32 = 1;
const MESSAGE: u32 = 2;

/// The answer to a call: one message, or a stream of events.
pub struct Reply {
    pub(crate) operation: OperationId,
    pub(crate) activated: Extensions,
    pub(crate) body: ReplyBody,
}

/// What a [`Reply`] holds.
#[expect(
    clippy::exhaustive_enums,
    reason = "the protocol has no other kind of answer"
)]
pub enum ReplyBody {
    /// One message.
    One(Box<dyn ResponseMessage>),
    /// Events, the first of which is there or on its way.
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
        matches!(self.body, ReplyBody::Stream(_))
    }

    /// The answer itself, for a codec.
    pub fn into_body(self) -> ReplyBody {
        self.body
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("operation", &self.operation)
            .finish_non_exhaustive()
    }
}

/// A response message that any codec can write. It may be shared with others, and is not copied
/// to be written.
pub trait ResponseMessage: Send {
    /// Appends the ProtoJSON form.
    ///
    /// # Errors
    ///
    /// When it holds what JSON cannot.
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError>;

    /// The length of the protobuf form in bytes.
    fn protobuf_len(&self) -> usize;

    /// Appends the protobuf form.
    fn write_protobuf(&self, out: &mut BytesMut);

    /// The message itself, for codecs that do not write JSON.
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
}

impl<M: Wire> ResponseMessage for M {
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError> {
        json::write_to(self, out).map_err(A2aError::internal)
    }

    fn protobuf_len(&self) -> usize {
        self.encoded_len()
    }

    fn write_protobuf(&self, out: &mut BytesMut) {
        self.encode_raw(out);
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

/// A message that others hold too: JSON is written from it without a copy.
pub(crate) struct SharedAnswer<M>(pub(crate) Arc<M>);

impl<M: Wire> ResponseMessage for SharedAnswer<M> {
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError> {
        self.0.write_json(out)
    }

    fn protobuf_len(&self) -> usize {
        self.0.encoded_len()
    }

    fn write_protobuf(&self, out: &mut BytesMut) {
        self.0.encode_raw(out);
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

impl ResponseMessage for SentAnswer {
    fn write_json(&self, out: &mut Vec<u8>) -> Result<(), A2aError> {
        match self {
            Self::Task(task) => write_member("task", &**task, out),
            Self::Message(message) => write_member("message", message, out),
        }
    }

    fn protobuf_len(&self) -> usize {
        match self {
            Self::Task(task) => message::encoded_len(TASK, &**task),
            Self::Message(message) => message::encoded_len(MESSAGE, message),
        }
    }

    fn write_protobuf(&self, out: &mut BytesMut) {
        match self {
            Self::Task(task) => message::encode(TASK, &**task, out),
            Self::Message(message) => message::encode(MESSAGE, message, out),
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        Box::new(match *self {
            Self::Task(task) => SendMessageResponse::from(Arc::unwrap_or_clone(task)),
            Self::Message(message) => SendMessageResponse::from(message),
        })
    }
}

/// Events in batches, each batch in order; after an error nothing follows. Dropping it ends
/// nothing but itself.
pub struct EventStream {
    /// The sequence of the first event, if it will have one; each event after it counts one up.
    pub(crate) first: Option<u64>,
    pub(crate) events: Pin<Box<dyn Stream<Item = Result<Vec<StreamItem>, A2aError>> + Send>>,
}

impl EventStream {
    /// The sequence that the first event will have; each later one counts one up (see
    /// [`StreamItem::sequence`]). `None` for the stream of a direct reply.
    pub fn first_sequence(&self) -> Option<u64> {
        self.first
    }
}

impl Stream for EventStream {
    type Item = Result<Vec<StreamItem>, A2aError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream").finish_non_exhaustive()
    }
}

/// One event of a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StreamItem {
    /// The task as it was right after the event of this sequence.
    Task(Arc<Task>, u64),
    /// A direct reply.
    Message(Arc<Message>),
    /// An entry of the task's log.
    Event(Arc<LogEntry>),
}

impl StreamItem {
    /// The place in the task's log from which a client that has this event goes on.
    pub fn sequence(&self) -> Option<u64> {
        match self {
            Self::Event(entry) => Some(entry.sequence()),
            Self::Task(_, sequence) => Some(*sequence),
            Self::Message(_) => None,
        }
    }

    /// The ProtoJSON of the `StreamResponse`.
    ///
    /// # Errors
    ///
    /// When it holds what JSON cannot.
    pub fn json(&self) -> Result<Bytes, A2aError> {
        let mut out = Vec::new();
        match self {
            Self::Event(entry) => return Ok(entry.json().clone()),
            Self::Task(task, _) => write_member("task", &**task, &mut out)?,
            Self::Message(message) => write_member("message", &**message, &mut out)?,
        }
        Ok(out.into())
    }

    /// Appends the protobuf of the `StreamResponse`.
    pub fn write_protobuf(&self, out: &mut BytesMut) {
        match self {
            Self::Event(entry) => out.extend_from_slice(entry.protobuf()),
            Self::Task(task, _) => message::encode(TASK, &**task, out),
            Self::Message(message) => message::encode(MESSAGE, &**message, out),
        }
    }

    /// The message, for readers that do not want JSON.
    pub fn to_stream_response(&self) -> StreamResponse {
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
