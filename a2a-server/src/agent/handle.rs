use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use a2a_types::part::Content;
use a2a_types::stream_response::Payload;
use a2a_types::{
    Artifact, Message, Part, StreamResponse, Struct, TaskArtifactUpdateEvent, TaskState,
    TaskStatusUpdateEvent,
};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::request::Parts;
use super::status::Keep;
use super::{AgentError, AgentMessage, ArtifactUpdate, Request, Speaker, StatusUpdate};

/// The agent's side of a task: what it says goes through here.
///
/// Clones speak for the same run; the run ends when the last one is dropped.
#[derive(Clone)]
pub struct TaskHandle {
    inner: Arc<Inner>,
}

struct Inner {
    /// The message that the run began with, which names the task.
    call: Arc<Parts>,
    speaker: Speaker,
    control: Arc<RunControl>,
}

/// What an agent says, on its way to the task's only writer.
pub(crate) enum Emission {
    Status(TaskStatusUpdateEvent, Keep),
    Artifact(TaskArtifactUpdateEvent),
    Reply(Message),
    /// The agent asks for the next message of the task.
    Next(oneshot::Sender<()>),
    /// The agent's code has returned, or panicked.
    Done(Result<(), AgentError>),
}

/// An emission on its way. Boxed: it is handed on several times.
pub(crate) type Said = Box<Emission>;

/// What a run and its task's writer share.
pub(crate) struct RunControl {
    /// Made by whoever looks first: most runs are never canceled and most agents never look.
    cancel: OnceLock<CancellationToken>,
    /// Messages for the run that it has not taken yet. What is left goes to the next run.
    pub(crate) inbox: Mutex<VecDeque<Request>>,
    /// Why the writer takes nothing more from this run.
    pub(crate) fault: OnceLock<AgentError>,
    /// When the writer has waited for the first time.
    begun: OnceLock<Instant>,
    /// When the writer, which waits for what the agent says next, has to be let on: so many
    /// nanoseconds after it has waited for the first time. 0 when it does not wait.
    waited_for: AtomicU64,
}

impl RunControl {
    pub(crate) fn new() -> Self {
        Self {
            cancel: OnceLock::new(),
            inbox: Mutex::default(),
            fault: OnceLock::new(),
            begun: OnceLock::new(),
            waited_for: AtomicU64::new(0),
        }
    }

    /// The writer waits. An agent that goes on without a pause has to let it on after that time.
    pub(crate) fn wait_for(&self, patience: Duration) {
        let due = nanoseconds(self.time() + patience);
        self.waited_for.store(due.max(1), Ordering::Release);
    }

    /// The writer does not wait any more.
    pub(crate) fn go_on(&self) {
        self.waited_for.store(0, Ordering::Release);
    }

    fn has_to_give_way(&self) -> bool {
        match self.waited_for.load(Ordering::Acquire) {
            0 => false,
            due => nanoseconds(self.time()) >= due,
        }
    }

    fn time(&self) -> Duration {
        self.begun.get_or_init(Instant::now).elapsed()
    }

    pub(crate) fn inbox(&self) -> MutexGuard<'_, VecDeque<Request>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the agent to stop. `false` when it has never looked for that, so that there is no use
    /// in waiting for it.
    pub(crate) fn cancel(&self) -> bool {
        let observed = self.cancel.get().is_some();
        self.cancel.get_or_init(CancellationToken::new).cancel();
        observed
    }
}

impl TaskHandle {
    pub(crate) fn new(call: Arc<Parts>, speaker: Speaker, control: Arc<RunControl>) -> Self {
        Self {
            inner: Arc::new(Inner {
                call,
                speaker,
                control,
            }),
        }
    }

    /// The id of the task.
    pub fn id(&self) -> &str {
        self.inner.call.task_id()
    }

    /// The conversation that the task belongs to.
    pub fn context_id(&self) -> &str {
        self.inner.call.context_id()
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
            Some(Payload::StatusUpdate(event)) => Emission::Status(event, Keep::Stored),
            Some(Payload::ArtifactUpdate(event)) => Emission::Artifact(event),
            Some(Payload::Message(message)) => Emission::Reply(message),
            Some(_) | None => {
                return Err(AgentError::invalid_response(
                    "an update of a task is a status or an artifact",
                ));
            }
        };
        self.emit(Box::new(said)).await
    }

    /// Answers with one message and without a task; see [`Answer`](super::Answer).
    ///
    /// # Errors
    ///
    /// When the task exists: once there is a task, the agent answers with it (A2A §3.1.1).
    pub async fn reply(&self, message: impl Into<AgentMessage>) -> Result<(), AgentError> {
        self.emit(Box::new(Emission::Reply(message.into().into_message())))
            .await
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
        let take = || self.inner.control.inbox().pop_front();
        // Left by a call that was given up just when its message came.
        if let Some(request) = take() {
            return Ok(request);
        }
        let (sender, receiver) = oneshot::channel();
        self.emit(Box::new(Emission::Next(sender))).await?;
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
        let token = self
            .inner
            .control
            .cancel
            .get_or_init(CancellationToken::new);
        token.clone()
    }

    pub(super) async fn emit(&self, mut said: Said) -> Result<(), AgentError> {
        self.address(&mut said)?;
        let Inner {
            speaker, control, ..
        } = &*self.inner;
        if control.fault.get().is_none() && speaker.say(said).await.is_ok() {
            if control.has_to_give_way() {
                // The runtime keeps what this has woken for this thread alone, until the agent
                // gives way: one that went on to block the thread would stop its own task.
                tokio::task::yield_now().await;
            }
            return Ok(());
        }
        let error = control.fault.get().cloned();
        let error = error.unwrap_or_else(AgentError::task_ended);
        let task_id = self.id();
        tracing::warn!(task_id, %error, "a word of the agent after the end of its run was refused");
        Err(error)
    }

    /// Fills in the ids of the task, and refuses what can be refused without asking anyone.
    fn address(&self, emission: &mut Emission) -> Result<(), AgentError> {
        emission.check().map_err(AgentError::invalid_response)?;
        let (task_id, context_id) = match emission {
            Emission::Status(event, _) => (&mut event.task_id, &mut event.context_id),
            Emission::Artifact(event) => (&mut event.task_id, &mut event.context_id),
            Emission::Reply(_) | Emission::Next(_) | Emission::Done(_) => return Ok(()),
        };
        fill(task_id, self.id(), "task")?;
        fill(context_id, self.context_id(), "context")
    }
}

impl Emission {
    /// What is wrong with it by itself, whatever the task.
    fn check(&self) -> Result<(), &'static str> {
        let (parts, metadata) = match self {
            Self::Status(event, _) => {
                let Some(status) = &event.status else {
                    return Err("a status update needs a status");
                };
                if status.state() == TaskState::Unspecified {
                    return Err("a status update needs a state");
                }
                match &status.message {
                    Some(message) if message.parts.is_empty() => {
                        return Err("a message needs a part");
                    }
                    Some(message) => (&*message.parts, [&event.metadata, &message.metadata]),
                    None => (Default::default(), [&event.metadata, &None]),
                }
            }
            Self::Artifact(event) => {
                let artifact = event.artifact.as_ref();
                let complete = |a: &&Artifact| !a.parts.is_empty() && !a.artifact_id.is_empty();
                let Some(artifact) = artifact.filter(complete) else {
                    return Err("an artifact needs an id and a part");
                };
                (&*artifact.parts, [&event.metadata, &artifact.metadata])
            }
            Self::Reply(message) if message.parts.is_empty() => {
                return Err("a message needs a part");
            }
            Self::Reply(message) => (&*message.parts, [&message.metadata, &None]),
            Self::Next(_) | Self::Done(_) => return Ok(()),
        };
        let deep = |data: &Option<Struct>| data.as_ref().is_some_and(Struct::is_too_deep);
        let empty = |part: &Part| part.content.is_none();
        let deep_part = |part: &Part| match &part.content {
            Some(Content::Data(data)) => data.is_too_deep(),
            _ => false,
        };
        if parts.iter().any(empty) {
            return Err("a part needs content");
        }
        if metadata.into_iter().any(deep) || parts.iter().any(|p| deep(&p.metadata) || deep_part(p))
        {
            return Err("data and metadata may nest 64 levels at most");
        }
        Ok(())
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
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
