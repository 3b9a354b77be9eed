use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use a2a_types::{A2aError, json, media};
use axum::body::Body;
use bytes::{BufMut, Bytes, BytesMut};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use http::{HeaderValue, Response};
use http_body::Frame;
use tokio::time::{Instant, Sleep};

use crate::pipeline::{EventStream, StreamItem};

/// How many bytes are handed out at once at least, when there are more to come.
const ENOUGH: usize = 16 << 10;

/// How often others run before what has been written is handed out. An agent that says one thing
/// after another gets to say a few of them, and they travel together.
const PATIENCE: u8 = 2;

/// How an idle stream shows that it is alive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// After how long without an event a comment is sent.
    pub(crate) keep_alive: Duration,
}

/// How events are written in a binding.
pub(super) enum Framing {
    /// Each event is the result of a JSON-RPC response with this id (A2A §9.4.2).
    JsonRpc(String),
    /// Each event stands by itself (A2A §11.7).
    Bare,
}

/// An event stream as an HTTP answer.
pub(super) fn response(events: EventStream, framing: Framing, pace: Pace) -> Response<Body> {
    let sleep = Box::pin(tokio::time::sleep(pace.keep_alive));
    let body = SseBody {
        events,
        framing,
        pace,
        sleep,
        quiet_since: Instant::now(),
        out: BytesMut::new(),
        patience: PATIENCE,
        done: false,
    };
    let mut response = Response::new(Body::new(body));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media::EVENT_STREAM));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Some proxies hold a stream back unless told not to.
    headers.insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    response
}

struct SseBody {
    events: EventStream,
    framing: Framing,
    pace: Pace,
    /// Runs at least until the next keep-alive is due; not reset for each event.
    sleep: Pin<Box<Sleep>>,
    quiet_since: Instant,
    /// What has been written and not been handed out.
    out: BytesMut,
    /// How often others may still run before it is handed out.
    patience: u8,
    done: bool,
}

impl http_body::Body for SseBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = &mut *self;
        while !this.done && this.out.len() < ENOUGH {
            match this.events.events.as_mut().poll_next(cx) {
                Poll::Ready(None) => this.done = true,
                Poll::Ready(Some(batch)) => this.write(batch),
                Poll::Pending if this.out.is_empty() => {
                    this.patience = PATIENCE;
                    if !this.is_quiet(cx) {
                        return Poll::Pending;
                    }
                    this.out.put_slice(b":\n\n");
                    break;
                }
                Poll::Pending if this.patience > 0 => {
                    this.patience -= 1;
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Poll::Pending => break,
            }
        }
        if this.out.is_empty() {
            return Poll::Ready(None);
        }
        this.quiet_since = Instant::now();
        Poll::Ready(Some(Ok(Frame::data(this.out.split().freeze()))))
    }
}

impl SseBody {
    fn write(&mut self, batch: Result<Vec<StreamItem>, A2aError>) {
        let written = batch.and_then(|items| {
            items
                .iter()
                .try_for_each(|item| self.framing.event(item, &mut self.out))
        });
        if let Err(error) = written {
            self.done = true;
            self.framing.error(&error, &mut self.out);
        }
    }

    /// Whether it is time for a sign of life. Sets the timer otherwise.
    fn is_quiet(&mut self, cx: &mut Context<'_>) -> bool {
        let due = self.quiet_since + self.pace.keep_alive;
        while self.sleep.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            if now >= due {
                self.sleep.as_mut().reset(now + self.pace.keep_alive);
                return true;
            }
            self.sleep.as_mut().reset(due);
        }
        false
    }
}

impl Framing {
    fn event(&self, item: &StreamItem, out: &mut BytesMut) -> Result<(), A2aError> {
        let json = item.json()?;
        out.reserve(json.len() + 96);
        if let Some(sequence) = item.sequence() {
            out.put_slice(b"id: ");
            out.put_slice(sequence.to_string().as_bytes());
            out.put_u8(b'\n');
        }
        out.put_slice(b"data: ");
        match self {
            Self::JsonRpc(id) => {
                put_envelope(id, b"result", out);
                out.put_slice(&json);
                out.put_u8(b'}');
            }
            Self::Bare => out.put_slice(&json),
        }
        out.put_slice(b"\n\n");
        Ok(())
    }

    /// The last event of a stream that did not end well.
    fn error(&self, error: &A2aError, out: &mut BytesMut) {
        match self {
            Self::JsonRpc(id) => {
                out.put_slice(b"data: ");
                put_envelope(id, b"error", out);
                out.put_slice(&json::to_vec(&error.to_jsonrpc()).unwrap_or_default());
                out.put_u8(b'}');
            }
            Self::Bare => {
                out.put_slice(b"event: error\ndata: ");
                out.put_slice(&json::to_vec(&error.to_http()).unwrap_or_default());
            }
        }
        out.put_slice(b"\n\n");
    }
}

fn put_envelope(id: &str, member: &[u8], out: &mut BytesMut) {
    out.put_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    out.put_slice(id.as_bytes());
    out.put_slice(b",\"");
    out.put_slice(member);
    out.put_slice(b"\":");
}
