//! The error table and its three carriers, in both directions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod reading;
mod writing;

use a2a_types::A2aError;
use a2a_types::ErrorKind::{self, *};
use serde_json::{Value, json};

/// Kind, reason, JSON-RPC code, HTTP status, status name, gRPC code: the published table.
#[rustfmt::skip]
const A2A: [(ErrorKind, &str, i32, u16, &str, i32); 9] = [
    (TaskNotFound, "TASK_NOT_FOUND", -32001, 404, "NOT_FOUND", 5),
    (TaskNotCancelable, "TASK_NOT_CANCELABLE", -32002, 400, "FAILED_PRECONDITION", 9),
    (PushNotificationNotSupported, "PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400, "FAILED_PRECONDITION", 9),
    (UnsupportedOperation, "UNSUPPORTED_OPERATION", -32004, 400, "FAILED_PRECONDITION", 9),
    (ContentTypeNotSupported, "CONTENT_TYPE_NOT_SUPPORTED", -32005, 400, "INVALID_ARGUMENT", 3),
    (InvalidAgentResponse, "INVALID_AGENT_RESPONSE", -32006, 500, "INTERNAL", 13),
    (ExtendedAgentCardNotConfigured, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, 400, "FAILED_PRECONDITION", 9),
    (ExtensionSupportRequired, "EXTENSION_SUPPORT_REQUIRED", -32008, 400, "FAILED_PRECONDITION", 9),
    (VersionNotSupported, "VERSION_NOT_SUPPORTED", -32009, 400, "FAILED_PRECONDITION", 9),
];

fn jsonrpc(error: &A2aError) -> Value {
    serde_json::to_value(error.to_jsonrpc()).unwrap()
}

fn http(error: &A2aError) -> Value {
    serde_json::to_value(error.to_http()).unwrap()
}

fn from_http(status: u16, body: &Value) -> A2aError {
    A2aError::from_http(status, body.to_string().as_bytes())
}

fn info(reason: &str) -> Value {
    json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    })
}
