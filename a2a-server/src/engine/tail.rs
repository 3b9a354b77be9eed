use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use a2a_types::store::LogEntry;

/// How many entries of a live task are kept in memory for its readers.
const CAPACITY: usize = 1024;

/// The newest visible entries of a live task.
#[derive(Default)]
pub(super) struct Tail(Mutex<VecDeque<Arc<LogEntry>>>);

impl Tail {
    /// Adds entries that have been stored.
    pub(super) fn extend(&self, entries: impl Iterator<Item = Arc<LogEntry>>) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in entries {
            if tail.len() == CAPACITY {
                tail.pop_front();
            }
            tail.push_back(entry);
        }
    }

    /// Forgets all entries: there was nobody to read them.
    pub(super) fn clear(&self) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tail.clear();
    }

    /// Copies up to `limit` entries after `after` to `out`. `false` when they do not reach back
    /// that far.
    pub(super) fn read(&self, after: u64, limit: usize, out: &mut Vec<Arc<LogEntry>>) -> bool {
        let tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(first) = tail.front().map(|entry| entry.sequence()) else {
            return false;
        };
        if after + 1 < first {
            return false;
        }
        let skip = usize::try_from(after + 1 - first).unwrap_or(usize::MAX);
        out.extend(tail.iter().skip(skip).take(limit).cloned());
        true
    }
}
