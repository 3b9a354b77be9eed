//! What the rows of a log hold.
//!
//! An entry is the JSON that streams send: it is made once for both, and keeps numbers that
//! protobuf's `Value` would round. A row is a sequence of entries: a byte for the kind, four for
//! the length (little endian), the JSON. Messages taken into the history lie in `messages` alone.

use std::sync::Arc;

use a2a_types::reducer::TaskEvent;
use a2a_types::store::{LogEntry, StoreError, StoreErrorKind};
use a2a_types::stream_response::Payload;
use a2a_types::{Message, StreamResponse};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::corrupt;

/// About how long a row is at most: SQLite reads whole rows.
const ROW: usize = 1 << 20;

const STATUS: u8 = 1;
const TRANSIENT: u8 = 2;
const ARTIFACT: u8 = 3;

/// A row to append: entries that were written together, and where the log is after them.
#[derive(Debug)]
pub(crate) struct LogRow {
    pub(crate) sequence: i64,
    pub(crate) revision: i64,
    pub(crate) entries: Arc<[u8]>,
}

/// The rows for entries that follow revision `after`; one, unless they are large.
pub(crate) fn rows(after: i64, entries: &[Arc<LogEntry>]) -> Result<Vec<LogRow>, StoreError> {
    let mut rows = Vec::with_capacity(1);
    let mut bytes = Vec::new();
    let end = after.saturating_add(i64::try_from(entries.len()).unwrap_or(i64::MAX));
    for (revision, entry) in (after + 1..).zip(entries) {
        if entry.is_visible() {
            push(&mut bytes, entry)?;
        }
        if bytes.len() >= ROW || revision == end {
            rows.push(LogRow {
                sequence: int(entry.sequence())?,
                revision,
                entries: Arc::from(std::mem::take(&mut bytes)),
            });
        }
    }
    Ok(rows)
}

/// The place after the first entries of a task, whose log is not written.
pub(crate) fn place(entries: &[Arc<LogEntry>]) -> Result<Option<LogRow>, StoreError> {
    let revision = i64::try_from(entries.len()).unwrap_or(i64::MAX);
    let last = entries.last().map(|entry| int(entry.sequence()));
    Ok(last.transpose()?.map(|sequence| LogRow {
        sequence,
        revision,
        entries: Arc::default(),
    }))
}

fn push(bytes: &mut Vec<u8>, entry: &LogEntry) -> Result<(), StoreError> {
    let kind = match entry.event() {
        TaskEvent::Status(_) => STATUS,
        TaskEvent::Transient(_) => TRANSIENT,
        TaskEvent::Artifact(_) => ARTIFACT,
        _ => return Err(corrupt("an entry of a kind that this store does not know")),
    };
    let json = entry.json();
    let length = u32::try_from(json.len()).map_err(|_| corrupt("an entry is too long"))?;
    if length == 0 {
        return Err(corrupt("an entry cannot be written as JSON"));
    }
    bytes.reserve(5 + json.len());
    bytes.push(kind);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(json);
    Ok(())
}

/// The entries of a row: their kinds and their JSON.
pub(crate) struct Entries<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Raw<'a>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let Some((&[kind, a, b, c, d], rest)) = self.0.split_first_chunk() else {
            self.0 = &[];
            return Some(Err(corrupt("a row of the log is cut off")));
        };
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        let Some((json, rest)) = rest.split_at_checked(length) else {
            self.0 = &[];
            return Some(Err(corrupt("a row of the log is cut off")));
        };
        self.0 = rest;
        Some(Ok(Raw { kind, json }))
    }
}

/// An entry that is not read yet.
pub(crate) struct Raw<'a> {
    kind: u8,
    json: &'a [u8],
}

impl Raw<'_> {
    pub(crate) fn is_artifact(&self) -> bool {
        self.kind == ARTIFACT
    }

    pub(crate) fn event(&self) -> Result<TaskEvent, StoreError> {
        let response: StreamResponse = parse(self.json)?;
        match (self.kind, response.payload) {
            (STATUS, Some(Payload::StatusUpdate(event))) => Ok(TaskEvent::Status(event)),
            (TRANSIENT, Some(Payload::StatusUpdate(event))) => Ok(TaskEvent::Transient(event)),
            (ARTIFACT, Some(Payload::ArtifactUpdate(event))) => Ok(TaskEvent::Artifact(event)),
            _ => Err(corrupt("an entry of the log is of an unknown kind")),
        }
    }
}

pub(crate) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::with_source(StoreErrorKind::Internal, error))
}

pub(crate) fn message(message: &Message) -> Result<Arc<str>, StoreError> {
    json(message).map(Arc::from)
}

pub(crate) fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(json)
        .map_err(|error| StoreError::with_source(StoreErrorKind::Internal, error))
}

/// SQLite has signed integers alone.
pub(crate) fn int(value: u64) -> Result<i64, StoreError> {
    i64::try_from(value).map_err(|_| corrupt("a number is too large"))
}
