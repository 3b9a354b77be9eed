//! From answers to frames.

use std::convert::Infallible;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use a2a_server::binding::{EventStream, ResponseMessage, StreamItem};
use a2a_types::{A2aError, ErrorKind};
use bytes::{BufMut, Bytes, BytesMut};
use futures::Stream as _;
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::{Body, Frame};
use tokio::time::Sleep;
use tonic::Status;

use super::read::PREFIX;
use crate::to_status;

static GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// How many bytes are handed out at once at least, when there are more to come.
const ENOUGH: usize = 16 << 10;

/// How often others run before what has been written is handed out. An agent that says one thing
/// after another gets to say a few of them, and they travel together.
const PATIENCE: u8 = 2;

/// The body of an answer: messages, then the status as trailers.
pub struct GrpcBody(Kind);

enum Kind {
    Empty,
    /// One message, until it is handed out, and an OK.
    One(Option<Bytes>),
    Stream(Box<Events>),
}

impl GrpcBody {
    pub(super) fn empty() -> Self {
        Self(Kind::Empty)
    }

    /// # Errors
    ///
    /// When the message has more than `most` bytes.
    pub(super) fn one(answer: &dyn ResponseMessage, most: usize) -> Result<Self, A2aError> {
        let length = answer.protobuf_len();
        let mut out = BytesMut::with_capacity(PREFIX + length);
        out.put_slice(&prefix(length, most)?);
        answer.write_protobuf(&mut out);
        Ok(Self(Kind::One(Some(out.freeze()))))
    }

    /// Each event of at most `most` bytes; after the deadline nothing follows.
    pub(super) fn stream(events: EventStream, most: usize, deadline: Option<Instant>) -> Self {
        let deadline = deadline.map(|at| Box::pin(tokio::time::sleep_until(at.into())));
        Self(Kind::Stream(Box::new(Events {
            events,
            most,
            deadline,
            out: BytesMut::new(),
            patience: PATIENCE,
            end: None,
        })))
    }
}

impl Body for GrpcBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = match &mut self.0 {
            Kind::Empty => return Poll::Ready(None),
            Kind::One(message) => match message.take() {
                Some(message) => Frame::data(message),
                None => {
                    self.0 = Kind::Empty;
                    Frame::trailers(ok())
                }
            },
            Kind::Stream(events) => match std::task::ready!(events.poll(cx)) {
                Step::Data(data) => Frame::data(data),
                Step::End(trailers) => {
                    self.0 = Kind::Empty;
                    Frame::trailers(trailers)
                }
            },
        };
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Kind::Empty)
    }
}

impl std::fmt::Debug for GrpcBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GrpcBody").finish_non_exhaustive()
    }
}

/// The events of a stream, on their way out.
struct Events {
    events: EventStream,
    most: usize,
    deadline: Option<Pin<Box<Sleep>>>,
    /// What has been written and not been handed out.
    out: BytesMut,
    /// How often others may still run before it is handed out.
    patience: u8,
    /// How the stream has ended, once it has.
    end: Option<Result<(), A2aError>>,
}

enum Step {
    Data(Bytes),
    End(HeaderMap),
}

impl Events {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        while self.end.is_none() && self.out.len() < ENOUGH {
            match Pin::new(&mut self.events).poll_next(cx) {
                Poll::Ready(None) => self.end = Some(Ok(())),
                Poll::Ready(Some(batch)) => {
                    if let Err(error) = batch.and_then(|items| self.write(&items)) {
                        self.end = Some(Err(error));
                    }
                }
                Poll::Pending if self.is_late(cx) => {
                    self.end = Some(Err(A2aError::deadline_exceeded()));
                }
                Poll::Pending if self.out.is_empty() => {
                    self.patience = PATIENCE;
                    return Poll::Pending;
                }
                Poll::Pending if self.patience > 0 => {
                    self.patience -= 1;
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Poll::Pending => break,
            }
        }
        Poll::Ready(match &self.end {
            _ if !self.out.is_empty() => Step::Data(self.out.split().freeze()),
            Some(Err(error)) => {
                let mut trailers = HeaderMap::new();
                put_status(&to_status(error), &mut trailers);
                Step::End(trailers)
            }
            _ => Step::End(ok()),
        })
    }

    fn write(&mut self, items: &[StreamItem]) -> Result<(), A2aError> {
        for item in items {
            let start = self.out.len();
            self.out.put_bytes(0, PREFIX);
            item.write_protobuf(&mut self.out);
            let length = self.out.len() - start - PREFIX;
            match prefix(length, self.most) {
                Ok(prefix) => {
                    if let Some(place) = self.out.get_mut(start..start + PREFIX) {
                        place.copy_from_slice(&prefix);
                    }
                }
                Err(error) => {
                    self.out.truncate(start);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        let deadline = self.deadline.as_mut();
        deadline.is_some_and(|deadline| deadline.as_mut().poll(cx).is_ready())
    }
}

/// What stands before a message that is not compressed.
fn prefix(length: usize, most: usize) -> Result<[u8; PREFIX], A2aError> {
    let length = u32::try_from(length)
        .ok()
        .filter(|_| length <= most)
        .ok_or_else(|| {
            let text =
                format!("the answer has {length} bytes, more than the limit of {most} bytes");
            A2aError::new(ErrorKind::ResourceExhausted, text)
        })?;
    let [a, b, c, d] = length.to_be_bytes();
    Ok([0, a, b, c, d])
}

fn ok() -> HeaderMap {
    let mut trailers = HeaderMap::with_capacity(1);
    trailers.insert(&GRPC_STATUS, HeaderValue::from_static("0"));
    trailers
}

/// Writes a status into headers or trailers.
pub(super) fn put_status(status: &Status, headers: &mut HeaderMap) {
    if status.add_header(headers).is_err() {
        // A text that is no header value; it is percent-encoded, so there is none.
        headers.insert(&GRPC_STATUS, HeaderValue::from_static("13"));
    }
}
