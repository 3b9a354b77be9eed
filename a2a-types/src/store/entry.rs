use std::sync::OnceLock;

use bytes::Bytes;

use crate::reducer::TaskEvent;

/// One entry of a task's log.
///
/// `sequence` counts the entries that streams show (status and artifact updates), from 1. An entry
/// that no stream shows, a message taken into the history, has the sequence of the entry before it.
pub struct LogEntry {
    sequence: u64,
    event: TaskEvent,
    json: OnceLock<Bytes>,
    protobuf: OnceLock<Bytes>,
}

impl LogEntry {
    /// The entry with this place in the stream.
    pub fn new(sequence: u64, event: TaskEvent) -> Self {
        Self {
            sequence,
            event,
            json: OnceLock::new(),
            protobuf: OnceLock::new(),
        }
    }

    /// The place of the event in the task's streams.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// What happened.
    pub fn event(&self) -> &TaskEvent {
        &self.event
    }

    /// Gives the entry another place. Whoever makes entries may do so until they are shared.
    pub fn set_sequence(&mut self, sequence: u64) {
        self.sequence = sequence;
    }

    /// What happened, to be completed or taken apart. What has been encoded before is encoded anew.
    pub fn event_mut(&mut self) -> &mut TaskEvent {
        (self.json, self.protobuf) = (OnceLock::new(), OnceLock::new());
        &mut self.event
    }

    /// Whether streams and webhooks show the entry.
    pub fn is_visible(&self) -> bool {
        !matches!(self.event, TaskEvent::Input(_))
    }

    /// The event as the ProtoJSON of a `StreamResponse`, encoded once and shared by all readers.
    ///
    /// Empty for an entry that is not visible.
    pub fn json(&self) -> &Bytes {
        self.json.get_or_init(|| self.event.stream_json().into())
    }

    /// The event as an encoded `StreamResponse`, encoded once and shared by all readers.
    ///
    /// Empty for an entry that is not visible.
    pub fn protobuf(&self) -> &Bytes {
        self.protobuf
            .get_or_init(|| self.event.stream_protobuf().into())
    }
}

impl std::fmt::Debug for LogEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogEntry")
            .field("sequence", &self.sequence)
            .field("event", &self.event)
            .finish_non_exhaustive()
    }
}
