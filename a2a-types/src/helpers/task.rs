use std::fmt;

use crate::{Artifact, Task, TaskState, TaskStatus};

impl Task {
    /// The present state; [`TaskState::Unspecified`] when the task has no status.
    #[must_use]
    pub fn state(&self) -> TaskState {
        self.status
            .as_ref()
            .map_or(TaskState::Unspecified, TaskStatus::state)
    }

    /// The artifact with this id.
    #[must_use]
    pub fn artifact(&self, id: &str) -> Option<&Artifact> {
        self.artifacts
            .iter()
            .find(|artifact| artifact.artifact_id == id)
    }
}

impl TaskState {
    /// Whether the task has ended, for good.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Canceled | Self::Rejected
        )
    }

    /// Whether the task waits for the client: for an answer, or for an authorization.
    #[must_use]
    pub const fn is_interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

impl fmt::Display for TaskState {
    /// Writes the name on the wire, such as `TASK_STATE_WORKING`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str_name())
    }
}

impl From<TaskState> for TaskStatus {
    /// A status without a message and without a time.
    fn from(state: TaskState) -> Self {
        Self::default().with_state(state)
    }
}
