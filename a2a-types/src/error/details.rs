//! The typed details of an error, as JSON (`google.rpc` messages, A2A §9.5, §11.6).

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use super::{A2aError, ERROR_DOMAIN, ErrorKind};

pub(super) const ERROR_INFO: &str = "type.googleapis.com/google.rpc.ErrorInfo";
pub(super) const BAD_REQUEST: &str = "type.googleapis.com/google.rpc.BadRequest";
pub(super) const RETRY_INFO: &str = "type.googleapis.com/google.rpc.RetryInfo";

/// A field that is missing or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldViolation {
    /// The JSON path of the field, such as `message.parts[0].url`. Empty: the request as a whole.
    pub field: String,
    /// What is wrong and which values are right.
    pub description: String,
}

impl FieldViolation {
    /// A violation of `field`, a JSON path such as `message.parts[0].url`.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
        }
    }
}

impl fmt::Display for FieldViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.is_empty() {
            true => f.write_str(&self.description),
            false => write!(f, "{}: {}", self.field, self.description),
        }
    }
}

impl Serialize for FieldViolation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("field", &self.field)?;
        map.serialize_entry("description", &self.description)?;
        map.end()
    }
}

/// The violations to send. Every answer about wrong parameters names one, if only the request.
pub(super) fn violations(error: &A2aError) -> Vec<FieldViolation> {
    match error.violations() {
        [] if error.kind() == ErrorKind::InvalidParams => {
            vec![FieldViolation::new("", error.message())]
        }
        violations => violations.to_vec(),
    }
}

/// The array of details: ErrorInfo, BadRequest, RetryInfo, then whatever was added.
pub(super) struct Details<'a>(pub(super) &'a A2aError);

impl Details<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.kind().reason().is_none()
            && self.0.retry_after().is_none()
            && violations(self.0).is_empty()
            && self.others().next().is_none()
    }

    /// Details without an `@type`, which some peers send, are not passed on (A2A §9.5).
    fn others(&self) -> impl Iterator<Item = &Value> {
        self.0
            .details()
            .iter()
            .filter(|detail| detail.get("@type").is_some_and(Value::is_string))
    }
}

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        if let Some(reason) = self.0.kind().reason() {
            seq.serialize_element(&ErrorInfo {
                reason,
                metadata: self.0.metadata(),
            })?;
        }
        let violations = violations(self.0);
        if !violations.is_empty() {
            seq.serialize_element(&BadRequest(&violations))?;
        }
        if let Some(delay) = self.0.retry_after() {
            seq.serialize_element(&RetryInfo(delay))?;
        }
        for detail in self.others() {
            seq.serialize_element(detail)?;
        }
        seq.end()
    }
}

struct ErrorInfo<'a> {
    reason: &'a str,
    metadata: &'a BTreeMap<String, String>,
}

impl Serialize for ErrorInfo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("@type", ERROR_INFO)?;
        map.serialize_entry("reason", self.reason)?;
        map.serialize_entry("domain", ERROR_DOMAIN)?;
        if !self.metadata.is_empty() {
            map.serialize_entry("metadata", self.metadata)?;
        }
        map.end()
    }
}

struct BadRequest<'a>(&'a [FieldViolation]);

impl Serialize for BadRequest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("@type", BAD_REQUEST)?;
        map.serialize_entry("fieldViolations", self.0)?;
        map.end()
    }
}

struct RetryInfo(Duration);

impl Serialize for RetryInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("@type", RETRY_INFO)?;
        map.serialize_entry("retryDelay", &duration_text(self.0))?;
        map.end()
    }
}

/// The ProtoJSON form of a duration: seconds with 0, 3, 6 or 9 fraction digits and an `s`.
fn duration_text(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    match nanos {
        0 => format!("{seconds}s"),
        _ if nanos % 1_000_000 == 0 => format!("{seconds}.{:03}s", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => format!("{seconds}.{:06}s", nanos / 1_000),
        _ => format!("{seconds}.{nanos:09}s"),
    }
}

/// Reads the ProtoJSON form of a duration; `None` for anything else and for negative ones.
pub(super) fn parse_duration(text: &str) -> Option<Duration> {
    let (seconds, fraction) = match text.strip_suffix('s')?.split_once('.') {
        Some((seconds, fraction)) => (seconds, fraction),
        None => (text.strip_suffix('s')?, ""),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(seconds) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let nanos = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration::new(seconds.parse().ok()?, nanos))
}
