use std::sync::Arc;

use crate::projection::{Artifacts, HistoryLength};
use crate::{Task, TaskState, Timestamp};

/// Which tasks to list, and how much of each (A2A §3.1.4). All filters apply together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ListQuery {
    /// Only tasks of this conversation.
    pub context_id: Option<String>,
    /// Only tasks in this state.
    pub status: Option<TaskState>,
    /// Only tasks whose status timestamp is at or after this instant.
    pub updated_since: Option<Timestamp>,
    /// How many tasks at most; at least 1.
    pub page_size: usize,
    /// Where the page before ended; `None` for the first page.
    pub after: Option<Cursor>,
    /// How much of each task's history.
    pub history: HistoryLength,
    /// Whether the tasks carry their artifacts.
    pub artifacts: Artifacts,
}

impl ListQuery {
    /// The first `page_size` tasks, without artifacts and with the whole history.
    pub fn new(page_size: usize) -> Self {
        Self {
            context_id: None,
            status: None,
            updated_since: None,
            page_size,
            after: None,
            history: HistoryLength::Unset,
            artifacts: Artifacts::Omit,
        }
    }
}

/// The place of a task in the order of a list: status timestamp, then id, both descending.
///
/// A cursor stays valid when its task changes or is deleted: it names a place, not a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "the two values are the sort key")]
pub struct Cursor {
    /// The status timestamp.
    pub timestamp: Timestamp,
    /// The task id.
    pub id: String,
}

/// One page of a list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TaskPage {
    /// The tasks, newest status first, already projected as the query asks.
    pub tasks: Vec<Arc<Task>>,
    /// Where the next page begins; `None` on the last page.
    pub next: Option<Cursor>,
    /// How many tasks match before paging.
    pub total: usize,
}

impl TaskPage {
    /// A page of these tasks.
    pub fn new(tasks: Vec<Arc<Task>>, next: Option<Cursor>, total: usize) -> Self {
        Self { tasks, next, total }
    }
}
