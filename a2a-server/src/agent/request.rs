use std::fmt;
use std::sync::{Arc, LazyLock};

use a2a_types::projection::{Artifacts, HistoryLength};
use a2a_types::store::{ListQuery, Scope, StoredTask, TaskStore};
use a2a_types::{
    A2aError, Message, Role, SendMessageConfiguration, SendMessageRequest, Struct, Task,
};

use crate::CallContext;
use crate::engine::store_error;

/// How many tasks of a conversation are handed to an agent at most.
const CONTEXT_TASKS: usize = 100;

/// One message for the agent, with everything that came along.
#[derive(Clone)]
pub struct Request {
    call: Arc<Parts>,
    peek: Peek,
    span: tracing::Span,
}

pub(crate) struct Parts {
    message: Origin,
    configuration: Option<SendMessageConfiguration>,
    metadata: Option<Struct>,
    context: Arc<CallContext>,
}

/// Where the message of a request is.
pub(crate) enum Origin {
    /// In the task that it begins, as its only one.
    Task(Arc<Task>),
    /// By itself.
    Message(Box<Message>),
}

/// Read access to what the caller may see.
#[derive(Clone)]
pub(crate) struct Peek {
    pub(crate) store: Arc<dyn TaskStore>,
    pub(crate) scope: Scope,
}

impl Request {
    /// The message comes from `origin`, with the ids of its task and context filled in; anything
    /// else from `request`.
    pub(crate) fn new(
        origin: Origin,
        request: SendMessageRequest,
        context: Arc<CallContext>,
        peek: Peek,
    ) -> Self {
        let call = Parts {
            message: origin,
            configuration: request.configuration,
            metadata: request.metadata,
            context,
        };
        Self {
            call: Arc::new(call),
            peek,
            span: tracing::Span::current(),
        }
    }

    /// The newest message of the task's user, for a run that takes the place of a lost one.
    pub(crate) fn again(stored: &StoredTask, store: Arc<dyn TaskStore>) -> Option<Self> {
        let mut said = stored.task.history.iter().rev();
        let message = said.find(|message| message.role() == Role::User)?.clone();
        let (owner, scope) = (&stored.owner, Scope::owner(stored.owner.clone()));
        let message = message
            .with_task_id(&*stored.task.id)
            .with_context_id(&*stored.task.context_id);
        let request = SendMessageRequest::default().with_tenant(owner.tenant());
        let context = Arc::new(CallContext::of_owner(owner));
        let origin = Origin::Message(Box::new(message));
        Some(Self::new(origin, request, context, Peek { store, scope }))
    }

    /// The message.
    pub fn message(&self) -> &Message {
        self.call.message()
    }

    /// The text parts of the message, joined.
    pub fn text(&self) -> String {
        self.message().text()
    }

    /// The id of the task that answers, also when none exists yet.
    pub fn task_id(&self) -> &str {
        &self.message().task_id
    }

    /// The conversation.
    pub fn context_id(&self) -> &str {
        &self.message().context_id
    }

    /// The options of the send, when the client gave any.
    pub fn configuration(&self) -> Option<&SendMessageConfiguration> {
        self.call.configuration.as_ref()
    }

    /// The media types that the client can use; empty when it did not say. The agent should shape
    /// its output to them (A2A §3.2.2).
    pub fn accepted_output_modes(&self) -> &[String] {
        self.configuration()
            .map_or(&[], |c| &c.accepted_output_modes)
    }

    /// Free-form values on the request.
    pub fn metadata(&self) -> Option<&Struct> {
        self.call.metadata.as_ref()
    }

    /// Who calls, for which tenant, with which extensions, inside which trace.
    pub fn context(&self) -> &CallContext {
        &self.call.context
    }

    /// The task as it is now; `None` when the message starts something new and no task exists yet.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn task(&self) -> Result<Option<Arc<Task>>, A2aError> {
        self.visible(self.task_id()).await
    }

    /// The newest tasks of the conversation that the caller may see, at most 100, without their
    /// artifacts, this one included once it exists (A2A §3.4.1).
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn context_tasks(&self) -> Result<Vec<Arc<Task>>, A2aError> {
        let mut query = ListQuery::new(CONTEXT_TASKS);
        query.context_id = Some(self.context_id().to_owned());
        query.history = HistoryLength::Unset;
        query.artifacts = Artifacts::Omit;
        let page = self
            .peek
            .store
            .list(&self.peek.scope, &query)
            .await
            .map_err(store_error)?;
        Ok(page.tasks)
    }

    /// The tasks that the message refers to. Those that the caller may not see are left out
    /// (A2A §3.4.3).
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn referenced_tasks(&self) -> Result<Vec<Arc<Task>>, A2aError> {
        let mut tasks = Vec::new();
        for id in &self.message().reference_task_ids {
            tasks.extend(self.visible(id).await?);
        }
        Ok(tasks)
    }

    /// What names the task, to be kept by its handle.
    pub(crate) fn parts(&self) -> Arc<Parts> {
        Arc::clone(&self.call)
    }

    /// The span of the call, which the agent's run belongs to.
    pub(crate) fn span(&self) -> tracing::Span {
        self.span.clone()
    }

    async fn visible(&self, id: &str) -> Result<Option<Arc<Task>>, A2aError> {
        let found = self
            .peek
            .store
            .load(&self.peek.scope, id)
            .await
            .map_err(store_error)?;
        Ok(found.map(|stored| stored.task))
    }
}

impl Parts {
    fn message(&self) -> &Message {
        static NONE: LazyLock<Message> = LazyLock::new(Message::default);
        match &self.message {
            Origin::Message(message) => message,
            Origin::Task(task) => task.history.first().unwrap_or(&NONE),
        }
    }

    pub(crate) fn task_id(&self) -> &str {
        &self.message().task_id
    }

    pub(crate) fn context_id(&self) -> &str {
        &self.message().context_id
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("task_id", &self.task_id())
            .field("message", self.message())
            .finish_non_exhaustive()
    }
}
