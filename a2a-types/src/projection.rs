//! How much of a task an answer shows (A2A §3.2.4, §3.1.4).

use std::sync::Arc;

use crate::{FieldViolation, Message, Task};

/// How much history the caller wants; it means the same in every operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryLength {
    /// The caller sets no bound: all of it.
    #[default]
    Unset,
    /// The newest messages, at most this many, oldest first; 0 for none.
    AtMost(usize),
}

impl HistoryLength {
    /// The value of a request; `field` is its JSON path.
    ///
    /// # Errors
    ///
    /// When the value is negative.
    pub fn new(value: Option<i32>, field: &str) -> Result<Self, FieldViolation> {
        let Some(value) = value else {
            return Ok(Self::Unset);
        };
        match usize::try_from(value) {
            Ok(value) => Ok(Self::AtMost(value)),
            Err(_) => {
                let description = format!("must not be negative, got {value}");
                Err(FieldViolation::new(field, description))
            }
        }
    }

    /// How many messages are left out of a history of this length.
    fn surplus(self, length: usize) -> usize {
        match self {
            Self::Unset => 0,
            Self::AtMost(wanted) => length.saturating_sub(wanted),
        }
    }
}

/// Whether the caller wants the artifacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Artifacts {
    /// As they are.
    Include,
    /// Not at all: the member is absent.
    Omit,
}

impl From<Option<bool>> for Artifacts {
    /// The `includeArtifacts` of a request, which is false by default.
    fn from(include: Option<bool>) -> Self {
        match include {
            Some(true) => Self::Include,
            Some(false) | None => Self::Omit,
        }
    }
}

/// Cuts a task down to what is wanted.
#[must_use]
pub fn project(mut task: Task, history: HistoryLength, artifacts: Artifacts) -> Task {
    task.history.drain(..history.surplus(task.history.len()));
    if artifacts == Artifacts::Omit {
        task.artifacts.clear();
    }
    task
}

/// The same for a task that others hold too: shares it when nothing is cut, else copies no more
/// than what is wanted.
#[must_use]
pub fn project_shared(task: &Arc<Task>, history: HistoryLength, artifacts: Artifacts) -> Arc<Task> {
    let surplus = history.surplus(task.history.len());
    let omitted = artifacts == Artifacts::Omit && !task.artifacts.is_empty();
    if surplus == 0 && !omitted {
        return Arc::clone(task);
    }
    Arc::new(Task {
        id: task.id.clone(),
        context_id: task.context_id.clone(),
        status: task.status.clone(),
        artifacts: if omitted {
            Vec::new()
        } else {
            task.artifacts.clone()
        },
        history: newest(&task.history, surplus).to_vec(),
        metadata: task.metadata.clone(),
    })
}

fn newest(history: &[Message], surplus: usize) -> &[Message] {
    history.get(surplus..).unwrap_or_default()
}
