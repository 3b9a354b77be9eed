use std::fmt;
use std::sync::Arc;

use a2a_types::reducer::TaskEvent;
use a2a_types::store::LogEntry;
use a2a_types::stream_response::Payload;
use a2a_types::{Message, StreamResponse, Struct, TaskState};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::request::Parts;
use super::status::Keep;
use super::words::Closed;
use super::{AgentError, AgentMessage, ArtifactUpdate, Request, Speaker, StatusUpdate, check};

/// The agent's side of a task: what it says goes through here.
///
/// Clones speak for the same run; the run ends when the last one is dropped.
#[derive(Clone)]
pub struct TaskHandle {
    /// The message that the run began with, which names the task.
    call: Arc<Parts>,
    speaker: Speaker,
}

/// What an agent says, on its way to the task's only writer.
pub(crate) enum Emission {
    /// An update of the task, made where it will stay: it only lacks what the writer knows.
    Update(Arc<LogEntry>, Keep),
    Reply(Box<Message>),
    /// The agent asks for the next message of the task.
    Next(oneshot::Sender<()>),
    /// The agent's code has returned, or panicked.
    Done(Result<(), AgentError>),
}

impl TaskHandle {
    pub(crate) fn new(call: Arc<Parts>, speaker: Speaker) -> Self {
        Self { call, speaker }
    }

    /// The id of the task.
    pub fn id(&self) -> &str {
        self.call.task_id()
    }

    /// The conversation that the task belongs to.
    pub fn context_id(&self) -> &str {
        self.call.context_id()
    }

    /// Says that work is in progress.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`]; so do all shortcuts below.
    pub async fn working(&self) -> Result<(), AgentError> {
        self.status(TaskState::Working).send().await
    }

    /// Ends the task: it is done.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`].
    pub async fn complete(&self) -> Result<(), AgentError> {
        self.status(TaskState::Completed).send().await
    }

    /// Ends the task: it could not be done.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`].
    pub async fn fail(&self, message: impl Into<AgentMessage>) -> Result<(), AgentError> {
        self.status(TaskState::Failed).message(message).send().await
    }

    /// Ends the task: the agent declines to do it.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`].
    pub async fn reject(&self, message: impl Into<AgentMessage>) -> Result<(), AgentError> {
        self.status(TaskState::Rejected)
            .message(message)
            .send()
            .await
    }

    /// Asks the client for more. The next message of the task answers.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`].
    pub async fn input_required(&self, message: impl Into<AgentMessage>) -> Result<(), AgentError> {
        self.status(TaskState::InputRequired)
            .message(message)
            .send()
            .await
    }

    /// Asks for an authorization (A2A §7.6).
    ///
    /// `message` explains what is needed. `scope` names what exactly the authorization is for and
    /// travels as `authorizationScope` in the event's metadata; what a later decision or
    /// credential covers is for the agent to define and to check. That the task passes this state
    /// authorizes nothing.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`].
    pub async fn auth_required(
        &self,
        scope: impl Into<String>,
        message: impl Into<AgentMessage>,
    ) -> Result<(), AgentError> {
        let scope = serde_json::Value::String(scope.into());
        let metadata = serde_json::Map::from_iter([("authorizationScope".to_owned(), scope)]);
        self.status(TaskState::AuthRequired)
            .message(message)
            .metadata(Struct(metadata))
            .send()
            .await
    }

    /// Begins a status update.
    pub fn status(&self, state: TaskState) -> StatusUpdate<'_> {
        StatusUpdate::new(self, state)
    }

    /// Begins an update of the artifact `id`, which is unique within the task.
    pub fn artifact(&self, id: impl Into<String>) -> ArtifactUpdate<'_> {
        ArtifactUpdate::new(self, id.into())
    }

    /// Sends an update made elsewhere, for example one received from another agent.
    ///
    /// Empty ids are filled in; the timestamp is always the server's.
    ///
    /// # Errors
    ///
    /// As [`StatusUpdate::send`]; also when the update names another task or context, or is a
    /// whole task. A message is taken as by [`reply`](Self::reply).
    pub async fn forward(&self, update: StreamResponse) -> Result<(), AgentError> {
        let said = match update.payload {
            Some(Payload::StatusUpdate(event)) => {
                self.update(TaskEvent::Status(event), Keep::Stored)
            }
            Some(Payload::ArtifactUpdate(event)) => {
                self.update(TaskEvent::Artifact(event), Keep::Stored)
            }
            Some(Payload::Message(message)) => answer(message),
            Some(_) | None => Err(AgentError::invalid_response(
                "an update of a task is a status or an artifact",
            )),
        };
        self.emit(said).await
    }

    /// Answers with one message and without a task; see [`Answer`](super::Answer).
    ///
    /// # Errors
    ///
    /// When the task exists: once there is a task, the agent answers with it (A2A §3.1.1).
    pub async fn reply(&self, message: impl Into<AgentMessage>) -> Result<(), AgentError> {
        self.emit(answer(message.into().into_message())).await
    }

    /// Waits for the next message of the task, which this run then answers.
    ///
    /// A message that no run asks for starts a run of its own when this one has ended. Can be
    /// given up at any moment: no message is lost by that.
    ///
    /// # Errors
    ///
    /// When the task ends first.
    pub async fn next_message(&self) -> Result<Request, AgentError> {
        let take = || self.speaker.control().inbox().pop_front();
        // Left by a call that was given up just when its message came.
        if let Some(request) = take() {
            return Ok(request);
        }
        let (sender, receiver) = oneshot::channel();
        self.emit(Ok(Emission::Next(sender))).await?;
        receiver.await.map_err(|_| AgentError::task_ended())?;
        take().ok_or_else(AgentError::task_ended)
    }

    /// Completes when the task is to be canceled.
    ///
    /// The agent then has a bounded time to put things in order and return; the server ends the
    /// task as CANCELED if the agent does not end it itself.
    pub async fn cancelled(&self) {
        self.cancellation_token().cancelled().await;
    }

    /// The same as a token, to hand to the agent's own tasks.
    pub fn cancellation_token(&self) -> CancellationToken {
        self.speaker.control().cancellation().clone()
    }

    pub(super) async fn emit(&self, said: Result<Emission, AgentError>) -> Result<(), AgentError> {
        let said = said?;
        let fault = || self.speaker.control().fault().cloned();
        let refused = match fault() {
            Some(error) => error,
            None => match self.speaker.say(said).await {
                Ok(()) => return Ok(()),
                Err(Closed) => fault().unwrap_or_else(AgentError::task_ended),
            },
        };
        let task_id = self.id();
        tracing::warn!(task_id, error = %refused, "a word of the agent after the end of its run was refused");
        Err(refused)
    }

    /// An update of this task; refuses what can be refused without asking anyone.
    pub(super) fn update(&self, mut event: TaskEvent, keep: Keep) -> Result<Emission, AgentError> {
        let (task_id, context_id) = match &mut event {
            TaskEvent::Status(event) => {
                check::status(event)?;
                (&mut event.task_id, &mut event.context_id)
            }
            TaskEvent::Artifact(event) => {
                check::artifact(event)?;
                (&mut event.task_id, &mut event.context_id)
            }
            _ => return Err(AgentError::invalid_response("no update of an agent")),
        };
        fill(task_id, self.id(), "task")?;
        fill(context_id, self.context_id(), "context")?;
        Ok(Emission::Update(Arc::new(LogEntry::new(0, event)), keep))
    }
}

fn answer(message: Message) -> Result<Emission, AgentError> {
    check::content(&message.parts, [&message.metadata, &None], "a message")?;
    Ok(Emission::Reply(Box::new(message)))
}

fn fill(id: &mut String, own: &str, what: &str) -> Result<(), AgentError> {
    if id.is_empty() {
        *id = own.to_owned();
    } else if id != own {
        return Err(AgentError::invalid_response(format!(
            "the update names another {what}"
        )));
    }
    Ok(())
}

impl fmt::Debug for TaskHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskHandle")
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}
