use std::pin::pin;
use std::task::Poll;

use a2a_types::{A2aError, media};
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures::poll;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::BodyExt;

use crate::limits::Limits;

/// Whether compressed request bodies are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// They are refused. The default.
    #[default]
    Refused,
    /// `gzip` is read. The limit on the body's size counts what comes out.
    #[cfg(feature = "compression")]
    Gzip,
}

/// Whether a request must say that its body is JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emptiness {
    /// There must be a body.
    Forbidden,
    /// An empty body needs no content type.
    Allowed,
}

/// The body of a request, checked for type and size before all of it is read.
pub(super) async fn read(
    headers: &HeaderMap,
    body: Body,
    emptiness: Emptiness,
    limits: &Limits,
    compression: Compression,
) -> Result<Bytes, A2aError> {
    let content_type = headers
        .get(CONTENT_TYPE)
        .map(|value| value.to_str().unwrap_or_default());
    if let Some(content_type) = content_type
        && !media::is_json(content_type)
    {
        return Err(A2aError::unsupported_media_type(content_type));
    }
    let encoding = Encoding::of(headers, compression)?;
    let limit = limits.body_bytes;
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(A2aError::payload_too_large(limit));
    }
    let mut collected = pin!(collect(body, limit));
    // Most bodies are there already: the time of one that is not begins when it is missed.
    let body = match poll!(&mut collected) {
        Poll::Ready(body) => body?,
        Poll::Pending => tokio::time::timeout(limits.body_time, collected)
            .await
            .map_err(|_| A2aError::deadline_exceeded())??,
    };
    if content_type.is_none() && (emptiness == Emptiness::Forbidden || !body.is_empty()) {
        return Err(A2aError::unsupported_media_type("(none)"));
    }
    encoding.decode(body, limit)
}

async fn collect(mut body: Body, limit: usize) -> Result<Bytes, A2aError> {
    let mut first: Option<Bytes> = None;
    let mut rest = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            A2aError::invalid_request("the body could not be read").with_source(error)
        })?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        let length = first.as_ref().map_or(0, Bytes::len).max(rest.len());
        if data.len() > limit.saturating_sub(length) {
            return Err(A2aError::payload_too_large(limit));
        }
        match (&first, rest.is_empty()) {
            (None, _) => first = Some(data),
            (Some(head), true) => {
                rest.extend_from_slice(head);
                rest.extend_from_slice(&data);
            }
            (Some(_), false) => rest.extend_from_slice(&data),
        }
    }
    // Most bodies come in one piece and are not copied.
    Ok(if rest.is_empty() {
        first.unwrap_or_default()
    } else {
        rest.freeze()
    })
}

enum Encoding {
    Identity,
    #[cfg(feature = "compression")]
    Gzip,
}

impl Encoding {
    fn of(headers: &HeaderMap, compression: Compression) -> Result<Self, A2aError> {
        let Some(value) = headers.get(CONTENT_ENCODING) else {
            return Ok(Self::Identity);
        };
        let name = value.to_str().unwrap_or_default().trim();
        match (name.to_ascii_lowercase().as_str(), compression) {
            ("identity" | "", _) => Ok(Self::Identity),
            #[cfg(feature = "compression")]
            ("gzip" | "x-gzip", Compression::Gzip) => Ok(Self::Gzip),
            _ => Err(A2aError::unsupported_media_type(format!(
                "with encoding {name}"
            ))),
        }
    }

    fn decode(self, body: Bytes, limit: usize) -> Result<Bytes, A2aError> {
        match self {
            Self::Identity => {
                let _ = limit;
                Ok(body)
            }
            #[cfg(feature = "compression")]
            Self::Gzip => {
                use std::io::Read;
                let mut out = Vec::new();
                let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
                flate2::read::MultiGzDecoder::new(&body[..])
                    .take(most)
                    .read_to_end(&mut out)
                    .map_err(|_| A2aError::invalid_request("the body is not gzip"))?;
                if out.len() > limit {
                    return Err(A2aError::payload_too_large(limit));
                }
                Ok(out.into())
            }
        }
    }
}
