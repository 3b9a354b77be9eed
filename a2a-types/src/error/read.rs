//! Errors read from a peer's JSON, whatever its shape.
//!
//! The kind is decided by the reason in our domain, then by the JSON-RPC code, then by a status
//! that only one kind can have. Nothing is guessed from a shared status: such an error is
//! [`ErrorKind::Unknown`], with everything the peer said still readable.

use std::time::Duration;

use serde_json::{Map, Value};

use super::details::parse_duration;
use super::{A2aError, ERROR_DOMAIN, ErrorKind, FieldViolation};

/// Texts from a peer longer than this are cut: an HTML page is no message.
const MAX_TEXT: usize = 1024;

impl A2aError {
    /// Reads the `error` member of a JSON-RPC answer. `http_status` is that of the answer; give
    /// `None` for an event inside a stream.
    #[must_use]
    pub fn from_jsonrpc(error: &Value, http_status: Option<u16>) -> Self {
        let mut reading = Reading::of_http(http_status);
        reading.value(error);
        reading.finish()
    }

    /// Reads the answer of an HTTP request that failed, whatever its content type: the body of
    /// A2A §11.6, a bare `{code, message}`, problem details (RFC 9457), a JSON string, or text.
    #[must_use]
    pub fn from_http(status: u16, body: &[u8]) -> Self {
        let mut reading = Reading::of_http(Some(status));
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => reading.body(&value),
            Err(_) => reading.message(&String::from_utf8_lossy(body)),
        }
        reading.finish()
    }

    /// Reads the data of a stream event that is an error: any with a top-level `error` member,
    /// and any named `error` whatever its data.
    #[must_use]
    pub fn from_event(data: &str) -> Self {
        let mut reading = Reading::default();
        match serde_json::from_str::<Value>(data) {
            Ok(value) => reading.body(&value),
            Err(_) => reading.message(data),
        }
        reading.finish()
    }
}

/// What has been read so far.
#[derive(Default)]
pub(super) struct Reading {
    http_status: Option<u16>,
    grpc_code: Option<i32>,
    message: String,
    code: Option<i32>,
    status: Option<String>,
    reason: Option<String>,
    kind: Option<ErrorKind>,
    details: Vec<Value>,
    metadata: Vec<(String, String)>,
    violations: Vec<FieldViolation>,
    retry_after: Option<Duration>,
}

impl Reading {
    fn of_http(http_status: Option<u16>) -> Self {
        Self {
            http_status,
            ..Self::default()
        }
    }

    pub(super) fn of_grpc(code: i32) -> Self {
        Self {
            grpc_code: Some(code),
            ..Self::default()
        }
    }

    /// A whole body: the error may be wrapped or bare.
    fn body(&mut self, value: &Value) {
        match value.get("error") {
            // `{"error": "invalid_token"}`, as gateways write it, may have more beside it.
            Some(Value::String(text)) => {
                self.value(value);
                self.message(text);
            }
            Some(error) => self.value(error),
            None => self.value(value),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Object(object) => self.object(object),
            Value::String(text) => self.message(text),
            Value::Null => {}
            other => self.message(&other.to_string()),
        }
    }

    fn object(&mut self, object: &Map<String, Value>) {
        if let Some(code) = object.get("code").and_then(Value::as_i64) {
            match code {
                100..600 if self.http_status.is_none() => {
                    self.http_status = u16::try_from(code).ok();
                }
                ..0 => self.code = i32::try_from(code).ok(),
                _ => {}
            }
        }
        match object.get("status") {
            Some(Value::String(name)) => self.status = Some(name.clone()),
            Some(Value::Number(status)) if self.http_status.is_none() => {
                self.http_status = status.as_u64().and_then(|status| status.try_into().ok());
            }
            _ => {}
        }
        for name in ["message", "detail", "title"] {
            if let Some(text) = object.get(name).and_then(Value::as_str) {
                self.message(text);
            }
        }
        if let Some(name) = object.get("type").and_then(Value::as_str) {
            self.problem(name, object);
        }
        for name in ["data", "details"] {
            match object.get(name) {
                Some(Value::Array(details)) => details.iter().for_each(|d| self.detail(d)),
                Some(Value::Null) | None => {}
                Some(detail) => self.detail(detail),
            }
        }
    }

    /// Problem details (A2A §6.4) name the error by a URI under our domain.
    fn problem(&mut self, name: &str, problem: &Map<String, Value>) {
        if let Some((site, error)) = name.rsplit_once("/errors/")
            && site.ends_with(ERROR_DOMAIN)
        {
            self.reason(&error.replace('-', "_").to_ascii_uppercase());
        }
        self.details.push(Value::Object(problem.clone()));
    }

    fn detail(&mut self, detail: &Value) {
        let text = |name: &str| detail.get(name).and_then(Value::as_str).unwrap_or_default();
        match type_name(text("@type")) {
            "google.rpc.ErrorInfo" => {
                let metadata = detail.get("metadata").and_then(Value::as_object);
                let metadata = metadata.into_iter().flatten().map(|(key, value)| {
                    let value = value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned);
                    (key.clone(), value)
                });
                if !self.error_info(text("reason"), text("domain"), metadata) {
                    self.details.push(detail.clone());
                }
            }
            "google.rpc.BadRequest" => {
                let violations = detail.get("fieldViolations").and_then(Value::as_array);
                for violation in violations.into_iter().flatten() {
                    let text = |name| violation.get(name).and_then(Value::as_str).unwrap_or("");
                    self.violation(text("field"), text("description"));
                }
            }
            "google.rpc.RetryInfo" => self.retry_after = parse_duration(text("retryDelay")),
            _ => self.details.push(detail.clone()),
        }
    }

    /// Takes an ErrorInfo in our domain; any other is left to the caller, as a plain detail.
    pub(super) fn error_info(
        &mut self,
        reason: &str,
        domain: &str,
        metadata: impl IntoIterator<Item = (String, String)>,
    ) -> bool {
        if domain != ERROR_DOMAIN {
            return false;
        }
        self.reason(reason);
        self.metadata.extend(metadata);
        true
    }

    pub(super) fn violation(&mut self, field: &str, description: &str) {
        self.violations
            .push(FieldViolation::new(field, description));
    }

    pub(super) fn retry_after(&mut self, delay: Duration) {
        self.retry_after = Some(delay);
    }

    pub(super) fn other(&mut self, detail: Value) {
        self.details.push(detail);
    }

    fn reason(&mut self, reason: &str) {
        self.kind = self.kind.or(ErrorKind::from_reason(reason));
        self.reason = Some(reason.to_owned());
    }

    /// Offers a text for the message; the first that says something is taken.
    pub(super) fn message(&mut self, text: &str) {
        if self.message.is_empty() {
            cut(text.trim(), MAX_TEXT).clone_into(&mut self.message);
        }
    }

    pub(super) fn finish(self) -> A2aError {
        let kind = self.kind();
        let message = match (self.message.is_empty(), self.http_status) {
            (false, _) => self.message,
            (true, Some(status)) => format!("HTTP status {status} from the peer"),
            (true, None) => "error without a message from the peer".to_owned(),
        };
        let mut error = A2aError::new(kind, message);
        let inner = error.inner_mut();
        inner.metadata.extend(self.metadata);
        inner.violations = self.violations;
        inner.retry_after = self.retry_after;
        inner.details = self.details;
        inner.peer.code = self.code;
        inner.peer.http_status = self.http_status;
        inner.peer.grpc_code = self.grpc_code;
        inner.peer.reason = self.reason;
        error
    }

    fn kind(&self) -> ErrorKind {
        let by_http = self.http_status.and_then(ErrorKind::from_http_status);
        let by_code = self
            .code
            .and_then(ErrorKind::from_code)
            .map(|kind| match by_http {
                // The code of a rate limit or of a server that is down is also that of any bug, and
                // the code of a body too large that of any bad request: here the status says more.
                Some(finer) if finer.code() == kind.code() => finer,
                _ => kind,
            });
        if let Some(kind) = self.kind.or(by_code) {
            return kind;
        }
        // A code we do not know is an error of its own, whatever the status beside it.
        if self.code.is_some() {
            return ErrorKind::Unknown;
        }
        by_http
            .or_else(|| self.status.as_deref().and_then(ErrorKind::from_status))
            .or_else(|| self.grpc_code.and_then(ErrorKind::from_grpc_code))
            .or_else(|| (!self.violations.is_empty()).then_some(ErrorKind::InvalidParams))
            .unwrap_or(ErrorKind::Unknown)
    }
}

/// The message type of a detail: what follows the last slash of its type URL.
pub(super) fn type_name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

/// At most `max` bytes of `text`, cut between characters.
pub(super) fn cut(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}
