//! From the frames of a request to its one message.

use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use a2a_types::A2aError;
use bytes::{Buf, Bytes, BytesMut};
use futures::poll;
use http::HeaderMap;
use http_body_util::BodyExt;
use tonic::Status;

/// Before each message: whether it is compressed, and its length.
pub(super) const PREFIX: usize = 5;

/// Why there is no message.
pub(super) enum Refusal {
    /// What the protocol has an error for.
    Error(A2aError),
    /// What is no request in the terms of gRPC itself.
    Status(Status),
}

impl From<A2aError> for Refusal {
    fn from(error: A2aError) -> Self {
        Self::Error(error)
    }
}

/// The moment at which the caller stops to wait.
///
/// # Errors
///
/// When `grpc-timeout` is none.
pub(super) fn deadline(headers: &HeaderMap) -> Result<Option<Instant>, A2aError> {
    let Some(value) = headers.get("grpc-timeout") else {
        return Ok(None);
    };
    let timeout = value.to_str().ok().and_then(timeout);
    let timeout = timeout.ok_or_else(|| {
        A2aError::invalid_request("grpc-timeout is not a number of up to 8 digits and a unit")
    })?;
    // A moment that cannot be told is never.
    Ok(Instant::now().checked_add(timeout))
}

fn timeout(text: &str) -> Option<Duration> {
    let digits = text.get(..text.len().checked_sub(1)?)?;
    if !(1..=8).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match text.bytes().last()? {
        b'H' => Duration::from_secs(count * 3600),
        b'M' => Duration::from_secs(count * 60),
        b'S' => Duration::from_secs(count),
        b'm' => Duration::from_millis(count),
        b'u' => Duration::from_micros(count),
        b'n' => Duration::from_nanos(count),
        _ => return None,
    })
}

/// The message of a request. One that is too large is refused as soon as it says so.
pub(super) async fn message<B>(
    body: B,
    most: usize,
    time: Duration,
    deadline: Option<Instant>,
) -> Result<Bytes, Refusal>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut reading = pin!(collect(body, most));
    // Most are there already: the time of one that is not begins when it is missed.
    if let Poll::Ready(message) = poll!(&mut reading) {
        return message;
    }
    let until = Instant::now().checked_add(time);
    let until = match (until, deadline) {
        (Some(until), Some(deadline)) => Some(until.min(deadline)),
        (until, deadline) => until.or(deadline),
    };
    match until {
        Some(until) => tokio::time::timeout_at(until.into(), reading)
            .await
            .unwrap_or_else(|_| Err(A2aError::deadline_exceeded().into())),
        None => reading.await,
    }
}

async fn collect<B>(body: B, most: usize) -> Result<Bytes, Refusal>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut body = pin!(body);
    // Most messages come in one piece, which is not copied.
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            A2aError::invalid_request("the request could not be read").with_source(error)
        })?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if first.is_empty() && rest.is_empty() {
            first = data;
        } else {
            if rest.is_empty() {
                rest.extend_from_slice(&first);
            }
            rest.extend_from_slice(&data);
        }
        let so_far = if rest.is_empty() {
            &first[..]
        } else {
            &rest[..]
        };
        if let Some(length) = length(so_far)? {
            if length > most {
                return Err(A2aError::payload_too_large(most).into());
            }
            if so_far.len() > PREFIX + length {
                return Err(broken("the request holds more than one message"));
            }
        }
    }
    let mut message = if rest.is_empty() {
        first
    } else {
        rest.freeze()
    };
    match length(&message)? {
        Some(length) if message.len() == PREFIX + length => {
            message.advance(PREFIX);
            Ok(message)
        }
        _ => Err(broken("the request ends before its message does")),
    }
}

/// The length of the message, once its prefix is there.
fn length(data: &[u8]) -> Result<Option<usize>, Refusal> {
    let Some(([compressed, length @ ..], _)) = data.split_first_chunk::<PREFIX>() else {
        return Ok(None);
    };
    if *compressed != 0 {
        let text = "compressed messages are not supported";
        return Err(Refusal::Status(Status::unimplemented(text)));
    }
    Ok(Some(
        usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX),
    ))
}

fn broken(text: &str) -> Refusal {
    Refusal::Status(Status::internal(text))
}
