//! Looks at an answer before tonic does: tonic takes a body without a status for a finished one,
//! and panics when the details of a status are no base64.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future as _;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use a2a_client::{Error, Failure};
use a2a_types::{A2aError, ErrorKind};
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use percent_encoding::percent_decode;
use tokio::task::coop::poll_proceed;
use tokio::time::{Instant, Sleep, sleep};
use tonic::Status;

use super::connection::broken;

const STATUS: &str = "grpc-status";
const MESSAGE: &str = "grpc-message";
const DETAILS: &str = "grpc-status-details-bin";

/// What a status is when the peer's cannot be read.
const UNKNOWN: i32 = 2;

/// Peers write base64 with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Longer than any call takes, and short enough to be added to a time and to be told to a peer.
pub(super) const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The answer, if it is one of gRPC and no error.
pub(super) fn check(
    response: Response<Incoming>,
    place: &str,
    idle: Option<Duration>,
) -> Result<Response<Checked>, Error> {
    let (mut parts, body) = response.into_parts();
    let finished = parts.headers.contains_key(STATUS);
    if finished {
        take_status(&mut parts.headers)?;
    } else if parts.status != StatusCode::OK {
        return Err(unsuccessful(place, parts.status, &parts.headers));
    } else if !is_grpc(&parts.headers) {
        let given = parts.headers.get(CONTENT_TYPE);
        let given = given.map_or("nothing", |value| value.to_str().unwrap_or("?"));
        let message = format!("{place} answered with {given}, which is no gRPC");
        let error = Error::new(Failure::Transport, message);
        return Err(error.with_http_status(parts.status.as_u16()));
    }
    // Nothing that tonic could make of another status is of interest.
    parts.status = StatusCode::OK;
    let body = Checked {
        body,
        finished,
        idle: idle.map(|idle| {
            let idle = idle.min(FOREVER);
            (idle, Box::pin(sleep(idle)))
        }),
    };
    Ok(Response::from_parts(parts, body))
}

fn is_grpc(headers: &HeaderMap) -> bool {
    let given = headers.get(CONTENT_TYPE);
    let given = given.and_then(|value| value.to_str().ok());
    let essence = given.unwrap_or_default().split(';').next();
    let essence = essence.unwrap_or_default().trim().to_ascii_lowercase();
    matches!(
        essence.as_str(),
        "application/grpc" | "application/grpc+proto"
    )
}

/// An answer of somebody between us and the agent. A status that can mean one thing only is taken
/// at its word.
fn unsuccessful(place: &str, status: StatusCode, headers: &HeaderMap) -> Error {
    let error = A2aError::from_http(status.as_u16(), b"");
    let error = if error.kind() == ErrorKind::Unknown {
        let message = format!("{place} answered with no gRPC");
        Error::new(Failure::Transport, message)
    } else {
        Error::from(error)
    };
    let error = error.with_http_status(status.as_u16());
    let seconds = headers
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok());
    match seconds.and_then(|text| text.trim().parse().ok()) {
        Some(seconds) => error.with_retry_after(Duration::from_secs(seconds)),
        None => error,
    }
}

/// Takes the status out of headers or trailers, but for the one word that tonic needs.
fn take_status(headers: &mut HeaderMap) -> Result<(), Error> {
    let message = headers.remove(MESSAGE);
    let details = headers.remove(DETAILS);
    let code = headers.get(STATUS).map(|value| value.as_bytes());
    let code = code.and_then(|code| std::str::from_utf8(code).ok());
    let code = code.and_then(|code| code.trim().parse().ok());
    let code = code.unwrap_or(UNKNOWN);
    if code == 0 {
        headers.insert(STATUS, http::HeaderValue::from_static("0"));
        return Ok(());
    }
    let message = message.as_ref().map_or(&[][..], |value| value.as_bytes());
    let message = percent_decode(message).decode_utf8_lossy();
    // Details that cannot be read leave the code alone to decide.
    let details = details.and_then(|value| BASE64.decode(value.as_bytes()).ok());
    let details = details.unwrap_or_default();
    Err(A2aError::from_grpc(code, &message, &details).into())
}

/// A body that is not over before there is a status, and not silent for too long.
pub(super) struct Checked {
    body: Incoming,
    finished: bool,
    idle: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl Checked {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Frame<Bytes>>, Error>> {
        // A peer that sends as fast as it is read must not keep timers from being looked at.
        let budget = ready!(poll_proceed(cx));
        let frame = match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Ready(frame) => {
                budget.made_progress();
                frame
            }
            Poll::Pending => {
                let Some((idle, silence)) = &mut self.idle else {
                    return Poll::Pending;
                };
                ready!(silence.as_mut().poll(cx));
                let message = format!("the stream was silent for {idle:?}");
                return Poll::Ready(Err(Error::new(Failure::Timeout, message)));
            }
        };
        if let Some((idle, silence)) = &mut self.idle {
            silence.as_mut().reset(Instant::now() + *idle);
        }
        Poll::Ready(match frame {
            None if self.finished => Ok(None),
            None => Err(cut()),
            Some(Err(error)) => Err(broken(error)),
            Some(Ok(frame)) => match frame.into_trailers() {
                Ok(mut trailers) if trailers.contains_key(STATUS) => {
                    self.finished = true;
                    take_status(&mut trailers).map(|()| Some(Frame::trailers(trailers)))
                }
                Ok(_) => Err(cut()),
                Err(data) => Ok(Some(data)),
            },
        })
    }
}

fn cut() -> Error {
    let message = "the answer ended before it was finished: there is no status";
    Error::new(Failure::Transport, message)
}

impl Body for Checked {
    type Data = Bytes;
    type Error = Failed;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Failed>>> {
        let frame = ready!(self.get_mut().poll(cx));
        Poll::Ready(frame.map_err(Failed::from).transpose())
    }

    fn is_end_stream(&self) -> bool {
        self.finished && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// Our error on its way through tonic, which hands on no errors but by reference.
#[derive(Debug)]
pub(super) struct Failed(Mutex<Option<Error>>);

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self(Mutex::new(Some(error)))
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call failed")
    }
}

impl StdError for Failed {}

/// What went wrong, of what tonic says that went wrong: either our error comes back, or the
/// messages in the answer are none.
pub(super) fn error_of(status: &Status, max_message_size: usize) -> Error {
    let failed = status.source().and_then(|source| source.downcast_ref());
    let ours = failed.and_then(|Failed(error)| {
        let mut error = error.lock().unwrap_or_else(PoisonError::into_inner);
        error.take()
    });
    ours.unwrap_or_else(|| match status.code() {
        tonic::Code::OutOfRange => {
            let message = format!("an answer is larger than the limit of {max_message_size} bytes");
            Error::new(Failure::Decode, message)
        }
        _ => Error::invalid_answer(format!("cannot read the gRPC answer: {}", status.message())),
    })
}
