//! What is printed: one JSON object a line.

use std::error::Error as _;
use std::io::{self, Write as _};

use a2a_client::{Error, Failure};
use a2a_types::ErrorKind;
use serde_json::{Map, Value, json};

/// Prints a line. Whoever reads may have seen enough; that is no error.
pub(crate) fn line(object: &Value) {
    _ = writeln!(io::stdout(), "{object}");
}

/// Prints an error.
pub(crate) fn error(error: &Error) {
    let mut object = Map::new();
    if let Some(protocol) = error.protocol() {
        if let Some((kind, code)) = error.kind().and_then(name) {
            object.insert("kind".to_owned(), kind.into());
            object.insert("code".to_owned(), code.into());
        }
        let sent = serde_json::to_value(protocol.to_jsonrpc()).unwrap_or_default();
        if let Some(details) = sent.get("data") {
            object.insert("details".to_owned(), details.clone());
        }
    }
    object.insert("message".to_owned(), message(error).into());
    object.insert("source".to_owned(), source(error.failure()).into());
    line(&json!({ "error": object }));
}

/// The message and its causes, each once.
fn message(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

fn source(failure: Failure) -> &'static str {
    match failure {
        Failure::Protocol => "protocol",
        Failure::Transport => "transport",
        Failure::Decode => "decode",
        Failure::Timeout => "timeout",
        Failure::Cut => "cut",
        Failure::Card => "card",
        _ => "request",
    }
}

/// The name of a kind and its number, the same on every binding.
fn name(kind: ErrorKind) -> Option<(&'static str, i32)> {
    let name = match kind {
        ErrorKind::ParseError => "PARSE_ERROR",
        ErrorKind::InvalidRequest => "INVALID_REQUEST",
        ErrorKind::MethodNotFound | ErrorKind::MethodNotAllowed => "METHOD_NOT_FOUND",
        ErrorKind::InvalidParams => "INVALID_PARAMS",
        ErrorKind::Internal => "INTERNAL",
        ErrorKind::Unauthenticated => "UNAUTHENTICATED",
        ErrorKind::PermissionDenied => "PERMISSION_DENIED",
        ErrorKind::ResourceExhausted => "RESOURCE_EXHAUSTED",
        ErrorKind::PayloadTooLarge => {
            return Some(("RESOURCE_EXHAUSTED", ErrorKind::ResourceExhausted.code()));
        }
        ErrorKind::Unavailable => "UNAVAILABLE",
        ErrorKind::DeadlineExceeded => "DEADLINE_EXCEEDED",
        _ => kind.reason()?,
    };
    Some((name, kind.code()))
}
