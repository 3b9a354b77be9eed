use std::mem;
use std::sync::Arc;

use a2a_types::prost::Message as _;
use a2a_types::reducer::TaskEvent;
use a2a_types::store::{LogEntry, Owner};
use a2a_types::{
    Message, Role, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus, TaskStatusUpdateEvent,
    Timestamp,
};

use super::head::Head;
use super::live::Live;
use super::sizes::Sizes;
use super::thoughts::Thoughts;
use super::{Calendar, Settings, StatusMessages};
use crate::agent::{AgentError, Keep};
use crate::limits::Limits;

/// What the writer of a task knows of it: enough to tell whether the next event is allowed, and
/// to complete it. It does not grow with the content of the task, only with the number of its artifacts.
pub(super) struct Ledger {
    task_id: Arc<str>,
    context_id: Arc<str>,
    state: TaskState,
    /// Entries in the log, also those that no stream shows.
    pub(super) revision: u64,
    /// Entries that streams show.
    sequence: u64,
    artifacts: Sizes,
    history: usize,
    /// What the agent thinks aloud, until it says something else.
    thoughts: Option<Box<Thoughts>>,
    /// The timestamp of the status; a later one is never before it.
    stamped: Timestamp,
    calendar: Calendar,
    status_messages: StatusMessages,
    limits: Limits,
}

impl Ledger {
    pub(super) fn of(task: &Task, revision: u64, sequence: u64, settings: &Settings) -> Self {
        let stamped = task.status.as_ref().and_then(|status| status.timestamp);
        let mut artifacts = Sizes::default();
        for artifact in &task.artifacts {
            artifacts.set(&artifact.artifact_id, artifact.encoded_len());
        }
        Self {
            task_id: Arc::from(&*task.id),
            context_id: Arc::from(&*task.context_id),
            state: task.state(),
            revision,
            sequence,
            artifacts,
            history: task.history.len(),
            thoughts: None,
            stamped: stamped.unwrap_or_default(),
            calendar: settings.calendar,
            status_messages: settings.status_messages,
            limits: settings.limits.clone(),
        }
    }

    /// What the task's readers need to know of it from the start.
    pub(super) fn announce(&self, owner: Owner) -> Arc<Live> {
        Live::new(
            Arc::clone(&self.task_id),
            Arc::clone(&self.context_id),
            owner,
            Head::of(self),
        )
    }

    pub(super) fn state(&self) -> TaskState {
        self.state
    }

    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// A message that no stream shows, for the history.
    pub(super) fn input(&mut self, message: Message) -> LogEntry {
        self.revision += 1;
        self.history += 1;
        LogEntry::new(self.sequence, TaskEvent::Input(message))
    }

    /// Whether another message fits into the history.
    pub(super) fn has_room(&self) -> bool {
        self.history < self.limits.history
    }

    /// What becomes of the message of a status. Anything else is stored.
    pub(super) fn keep(&self, event: &TaskEvent, asked: Keep) -> Keep {
        let working = event.state() == Some(TaskState::Working);
        match asked {
            // What a client is asked, or told at the end, has to stand in the status.
            Keep::Folded if !working => Keep::Stored,
            Keep::Stored if working && self.status_messages == StatusMessages::Folded => {
                Keep::Folded
            }
            asked => asked,
        }
    }

    /// What the agent has thought aloud, as one entry of the history, when a status whose message
    /// is kept so comes after it.
    pub(super) fn thoughts_before(&mut self, event: &TaskEvent, keep: Keep) -> Option<LogEntry> {
        event.state()?;
        let over = match keep {
            Keep::Stored => true,
            Keep::Folded => self.thoughts.as_ref().is_some_and(|t| t.is_full()),
            Keep::Transient => false,
        };
        if over { self.thoughts() } else { None }
    }

    /// What the agent has thought aloud, as one entry of the history.
    pub(super) fn thoughts(&mut self) -> Option<LogEntry> {
        let thoughts = self.thoughts.take()?;
        Some(self.input(thoughts.into_message()))
    }

    /// An update of the agent's: completes it, and gives it its place in the log.
    pub(super) fn update(&mut self, entry: &mut LogEntry, keep: Keep) -> Result<(), AgentError> {
        let event = entry.event_mut();
        match event {
            TaskEvent::Status(status) => {
                self.status(status, keep)?;
                if keep != Keep::Stored {
                    *event = TaskEvent::Transient(mem::take(status));
                }
            }
            TaskEvent::Artifact(artifact) => self.artifact(artifact)?,
            _ => return Err(AgentError::invalid_response("no update of an agent")),
        }
        self.count();
        entry.set_sequence(self.sequence);
        Ok(())
    }

    fn status(&mut self, event: &mut TaskStatusUpdateEvent, keep: Keep) -> Result<(), AgentError> {
        // In place: a status has room for a message.
        let status = event.status.get_or_insert_default();
        let state = status.state();
        if state == TaskState::Submitted && self.state != TaskState::Submitted {
            return Err(AgentError::invalid_response(
                "a task is submitted only once",
            ));
        }
        if let Some(message) = &mut status.message {
            if !self.has_room() {
                let limit = self.limits.history;
                return Err(AgentError::limit(format!(
                    "the task's history has reached its limit of {limit} messages"
                )));
            }
            // What belongs together can be told by that.
            if keep == Keep::Folded
                && let Some(thoughts) = &self.thoughts
            {
                message.message_id.clone_from(thoughts.id());
            }
            self.address(message);
            match keep {
                Keep::Stored => self.history += 1,
                Keep::Folded => Thoughts::add(&mut self.thoughts, message),
                Keep::Transient => {}
            }
        }
        self.stamped = self.stamped.max(self.calendar.now());
        status.timestamp = Some(self.stamped);
        self.state = state;
        Ok(())
    }

    /// A status of the engine's own.
    pub(super) fn verdict(&mut self, state: TaskState, text: &str) -> LogEntry {
        let mut status = TaskStatus::default().with_state(state);
        if !text.is_empty() {
            let mut message = Message::agent(text);
            self.address(&mut message);
            status.message = Some(message);
        }
        self.stamped = self.stamped.max(self.calendar.now());
        self.state = state;
        let mut event = TaskStatusUpdateEvent::default();
        (*self.task_id).clone_into(&mut event.task_id);
        (*self.context_id).clone_into(&mut event.context_id);
        event.status = Some(status.with_timestamp(self.stamped));
        self.count();
        LogEntry::new(self.sequence, TaskEvent::Status(event))
    }

    /// An artifact, or a piece of one.
    fn artifact(&mut self, event: &mut TaskArtifactUpdateEvent) -> Result<(), AgentError> {
        let artifact = event.artifact.get_or_insert_default();
        let known = self.artifacts.get(&artifact.artifact_id);
        // An append adds to what is there, anything else replaces it.
        let kept = known.filter(|_| event.append).unwrap_or_default();
        let bytes = kept.saturating_add(artifact.encoded_len());
        let total = self.artifacts.bytes();
        let total = total.saturating_sub(known.unwrap_or_default());
        let Limits {
            artifacts,
            artifact_bytes,
            ..
        } = self.limits;
        if known.is_none() && self.artifacts.count() >= artifacts {
            return Err(AgentError::limit(format!(
                "the task has reached its limit of {artifacts} artifacts"
            )));
        }
        if total.saturating_add(bytes) > artifact_bytes {
            return Err(AgentError::limit(format!(
                "the task's artifacts have reached their limit of {artifact_bytes} bytes"
            )));
        }
        self.artifacts.set(&artifact.artifact_id, bytes);
        if known.is_none() && event.append {
            // Strict clients drop a piece of something they have not seen.
            let (task_id, artifact_id) = (&*self.task_id, &artifact.artifact_id);
            tracing::warn!(
                task_id,
                artifact_id,
                "append to an unknown artifact: made new"
            );
            event.append = false;
        }
        Ok(())
    }

    /// One more entry that streams show.
    fn count(&mut self) {
        self.revision += 1;
        self.sequence += 1;
    }

    /// Messages of the server name their task and context and speak as the agent (A2A §4.1.4).
    fn address(&self, message: &mut Message) {
        (*self.task_id).clone_into(&mut message.task_id);
        (*self.context_id).clone_into(&mut message.context_id);
        message.set_role(Role::Agent);
        if message.message_id.is_empty() {
            message.message_id = uuid::Uuid::new_v4().to_string();
        }
    }
}
