//! What entries do to the status and the history of a task, without knowing the task.
//!
//! The same as `a2a_types::reducer::apply`, for a task whose status message is not at hand: the
//! first entry that replaces it decides what becomes of it, and what follows is known.

use std::sync::Arc;

use a2a_types::reducer::TaskEvent;
use a2a_types::store::{LogEntry, StoreError};
use a2a_types::{TaskStatus, Timestamp};

use crate::codec;

/// What becomes of the status and the history.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// The message of the status that came first. The message before it goes into the history,
    /// unless it is the same.
    pub(crate) first: Option<Arc<str>>,
    /// What goes into the history after that.
    pub(crate) history: Vec<Arc<str>>,
    /// The message of the status at the end.
    pub(crate) said: Option<Arc<str>>,
    /// The status at the end; `None` when only messages came.
    pub(crate) status: Option<Status>,
}

/// A status without its message, as the columns hold it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status {
    pub(crate) shape: i64,
    pub(crate) state: i64,
    pub(crate) time: i64,
    pub(crate) is_terminal: bool,
}

impl Status {
    pub(crate) fn of(status: Option<&TaskStatus>) -> Self {
        let timestamp = status.and_then(|status| status.timestamp);
        let state = status.map(TaskStatus::state).unwrap_or_default();
        Self {
            shape: i64::from(status.is_some()) + i64::from(timestamp.is_some()),
            state: i64::from(state as i32),
            time: timestamp.map_or(0, Timestamp::unix_millis),
            is_terminal: state.is_terminal(),
        }
    }
}

impl Change {
    /// `None` when the entries change neither status nor history.
    pub(crate) fn of(entries: &[Arc<LogEntry>]) -> Result<Option<Self>, StoreError> {
        let mut change: Option<Self> = None;
        for entry in entries {
            let status = match entry.event() {
                TaskEvent::Input(message) => {
                    let said = codec::message(message)?;
                    let change = change.get_or_insert_default();
                    change.history.extend(change.said.take());
                    change.history.push(said);
                    continue;
                }
                TaskEvent::Status(event) => event.status.as_ref().map(|status| (status, true)),
                TaskEvent::Transient(event) => event.status.as_ref().map(|status| (status, false)),
                _ => None,
            };
            let Some((status, kept)) = status else {
                continue;
            };
            let said = status.message.as_ref().filter(|_| kept);
            let said = said.map(codec::message).transpose()?;
            let columns = Some(Status::of(Some(status)));
            match &mut change {
                None => {
                    change = Some(Self {
                        first: said.clone(),
                        history: Vec::new(),
                        said,
                        status: columns,
                    });
                }
                Some(change) => {
                    let superseded = std::mem::replace(&mut change.said, said);
                    let same = superseded == change.said;
                    change.history.extend(superseded.filter(|_| !same));
                    change.status = columns;
                }
            }
        }
        Ok(change)
    }
}
