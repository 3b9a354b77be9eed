//! Server-sent events, with a bound on their size and on silence.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::Stream;
use futures::stream::BoxStream;
use sse_stream::{Sse, SseByteStream};
use tokio::time::{Instant, Sleep, sleep};

use super::http;
use crate::{Error, Failure};

/// The most bytes that are parsed at once; by so much an event may be larger than allowed.
const SLICE: usize = 64 * 1024;

/// Longer than any stream lives, and short enough to be added to a time.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The events of a response body. Ends after the first error; what follows the last complete
/// event is dropped.
pub(super) struct SseEvents {
    events: SseByteStream<Guarded>,
    /// Bytes that were read since the last event.
    pending: Arc<AtomicUsize>,
}

impl SseEvents {
    pub(super) fn new(response: reqwest::Response, max: usize, idle: Duration) -> Self {
        let idle = idle.min(FOREVER);
        let pending = Arc::new(AtomicUsize::new(0));
        let body = Guarded {
            body: Box::pin(response.bytes_stream()),
            slice: Bytes::new(),
            pending: Arc::clone(&pending),
            max,
            idle,
            silence: Box::pin(sleep(idle)),
        };
        Self {
            events: SseByteStream::new(body),
            pending,
        }
    }
}

impl Stream for SseEvents {
    type Item = Result<Sse, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let event = ready!(Pin::new(&mut this.events).poll_next(cx));
        this.pending.store(0, Ordering::Relaxed);
        Poll::Ready(event.map(|event| event.map_err(sse_error)))
    }
}

fn sse_error(error: sse_stream::Error) -> Error {
    match error {
        sse_stream::Error::Body(source) => match source.downcast() {
            Ok(ours) => *ours,
            Err(other) => Error::new(Failure::Transport, "the stream broke").with_source(other),
        },
        other => Error::new(Failure::Decode, "the stream is not UTF-8").with_source(other),
    }
}

/// The bytes of a body, in slices that never let an event grow beyond the limit.
struct Guarded {
    body: BoxStream<'static, reqwest::Result<Bytes>>,
    slice: Bytes,
    pending: Arc<AtomicUsize>,
    max: usize,
    idle: Duration,
    silence: Pin<Box<Sleep>>,
}

impl Stream for Guarded {
    type Item = Result<Bytes, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        while this.slice.is_empty() {
            match this.body.as_mut().poll_next(cx) {
                Poll::Ready(Some(Ok(bytes))) => {
                    this.slice = bytes;
                    this.silence.as_mut().reset(Instant::now() + this.idle);
                }
                Poll::Ready(Some(Err(error))) => {
                    return Poll::Ready(Some(Err(http::broken(error))));
                }
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => {
                    ready!(this.silence.as_mut().poll(cx));
                    let message = format!("the stream was silent for {:?}", this.idle);
                    return Poll::Ready(Some(Err(Error::new(Failure::Timeout, message))));
                }
            }
        }
        let pending = this.pending.load(Ordering::Relaxed);
        if pending >= this.max {
            let message = format!("an event is larger than the limit of {} bytes", this.max);
            return Poll::Ready(Some(Err(Error::new(Failure::Decode, message))));
        }
        let room = (this.max - pending).min(SLICE).min(this.slice.len());
        this.pending.store(pending + room, Ordering::Relaxed);
        Poll::Ready(Some(Ok(this.slice.split_to(room))))
    }
}
