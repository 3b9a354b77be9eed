//! Errors as gRPC statuses (A2A §10.6): code, message and the bytes of a `google.rpc.Status`.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use prost::Message;
use serde_json::json;

use super::details::{BAD_REQUEST, ERROR_INFO, RETRY_INFO, violations};
use super::read::{Reading, cut, type_name};
use super::{A2aError, ERROR_DOMAIN};

/// The status travels in trailers, which HTTP/2 peers commonly limit to 8 or 16 KiB, and there
/// the text comes twice, once percent-encoded, and the details in base64.
const MAX_MESSAGE: usize = 1024;
const MAX_DETAILS: usize = 3072;

/// The three pieces of a gRPC error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GrpcError {
    /// `grpc-status`.
    pub code: i32,
    /// `grpc-message`, not yet percent-encoded.
    pub message: String,
    /// `grpc-status-details-bin`, not yet in base64: an encoded `google.rpc.Status`.
    pub details: Vec<u8>,
}

impl A2aError {
    /// The error as a gRPC status. To fit into trailers a text is cut at 1 KiB, and violations
    /// that do not fit into 3 KiB are left out.
    #[must_use]
    pub fn to_grpc(&self) -> GrpcError {
        let (code, message) = (self.kind().grpc_code(), cut(self.message(), MAX_MESSAGE));
        let status = Status {
            code,
            message: message.to_owned(),
            details: details(self),
        };
        GrpcError {
            code,
            message: status.message.clone(),
            details: status.encode_to_vec(),
        }
    }

    /// Reads a gRPC status. `details` are the decoded bytes of `grpc-status-details-bin`; empty
    /// or unreadable ones leave the code alone to decide.
    #[must_use]
    pub fn from_grpc(code: i32, message: &str, details: &[u8]) -> Self {
        let mut reading = Reading::of_grpc(code);
        let status = Status::decode(details).unwrap_or_default();
        for text in [
            message,
            &status.message,
            &format!("gRPC status {code} from the peer"),
        ] {
            reading.message(text);
        }
        for detail in &status.details {
            if !read(&mut reading, detail) {
                let value = STANDARD.encode(&detail.value);
                reading.other(json!({ "@type": detail.type_url, "value": value }));
            }
        }
        reading.finish()
    }
}

fn details(error: &A2aError) -> Vec<Any> {
    let mut details = Vec::new();
    if let Some(reason) = error.kind().reason() {
        let metadata = error.metadata().iter();
        let metadata = metadata
            .map(|(k, v)| (k.clone(), cut(v, MAX_MESSAGE).to_owned()))
            .collect();
        let (reason, domain) = (reason.to_owned(), ERROR_DOMAIN.to_owned());
        details.push(Any::pack(
            ERROR_INFO,
            &ErrorInfo {
                reason,
                domain,
                metadata,
            },
        ));
    }
    let mut room = MAX_DETAILS;
    let violations = violations(error).into_iter().map(|violation| Violation {
        field: violation.field,
        description: cut(&violation.description, MAX_MESSAGE).to_owned(),
    });
    let fitting = violations.map_while(|violation| {
        room = room.checked_sub(violation.encoded_len())?;
        Some(violation)
    });
    let request = BadRequest {
        field_violations: fitting.collect(),
    };
    if !request.field_violations.is_empty() {
        details.push(Any::pack(BAD_REQUEST, &request));
    }
    if let Some(delay) = error.retry_after() {
        let retry_delay = Some(ProtoDuration {
            seconds: i64::try_from(delay.as_secs()).unwrap_or(i64::MAX),
            nanos: i32::try_from(delay.subsec_nanos()).unwrap_or_default(),
        });
        details.push(Any::pack(RETRY_INFO, &RetryInfo { retry_delay }));
    }
    details
}

/// Takes a detail of a known type; `false` for any other.
fn read(reading: &mut Reading, detail: &Any) -> bool {
    let value = detail.value.as_slice();
    match type_name(&detail.type_url) {
        "google.rpc.ErrorInfo" => ErrorInfo::decode(value)
            .is_ok_and(|info| reading.error_info(&info.reason, &info.domain, info.metadata)),
        "google.rpc.BadRequest" => {
            let Ok(request) = BadRequest::decode(value) else {
                return false;
            };
            for Violation { field, description } in &request.field_violations {
                reading.violation(field, description);
            }
            true
        }
        "google.rpc.RetryInfo" => {
            let Ok(RetryInfo {
                retry_delay: Some(delay),
            }) = RetryInfo::decode(value)
            else {
                return false;
            };
            let (seconds, nanos) = (u64::try_from(delay.seconds), u32::try_from(delay.nanos));
            if let (Ok(seconds), Ok(nanos @ 0..1_000_000_000)) = (seconds, nanos) {
                reading.retry_after(Duration::new(seconds, nanos));
            }
            true
        }
        _ => false,
    }
}

#[derive(Clone, PartialEq, Message)]
struct Status {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

impl Any {
    fn pack(type_url: &str, message: &impl Message) -> Self {
        Self {
            type_url: type_url.to_owned(),
            value: message.encode_to_vec(),
        }
    }
}

#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
struct BadRequest {
    #[prost(message, repeated, tag = "1")]
    field_violations: Vec<Violation>,
}

#[derive(Clone, PartialEq, Message)]
struct Violation {
    #[prost(string, tag = "1")]
    field: String,
    #[prost(string, tag = "2")]
    description: String,
}

#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<ProtoDuration>,
}

#[derive(Clone, Copy, PartialEq, Message)]
struct ProtoDuration {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}
