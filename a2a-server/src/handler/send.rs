use std::mem;
use std::sync::Arc;

use a2a_types::projection::{Artifacts, HistoryLength, project_shared};
use a2a_types::prost::Message as _;
use a2a_types::store::{IdempotencyKey, Scope};
use a2a_types::{
    A2aError, FieldViolation, Message, Part, SendMessageRequest, Task, TaskPushNotificationConfig,
    TaskState, TaskStatus, Timestamp, media, part,
};
use sha2::{Digest, Sha256};

use super::stream::{Tracked, one};
use super::{AnonymousResends, Handler, history};
use crate::agent::{Origin, Peek, Request};
use crate::engine::{Cursor, Found, Lease, Snapshot, Start, Started, is_settled};
use crate::pipeline::{Call, EventStream, SentAnswer, StreamItem};

/// A message with fewer bytes in few parts is short.
const SHORT: usize = 16 * 1024;

/// What a send has come to so far.
enum Sent {
    /// The agent has answered.
    Message(Box<Message>),
    /// A task is at work, or was and has ended.
    Task(Joined),
}

/// A task, and the place from which its answer to a message follows.
struct Joined {
    /// `None` for a task that has ended.
    lease: Option<Lease>,
    /// The task as it was at that place, when it was asked for, or else what it has come to, when
    /// that is at hand.
    snapshot: Option<Arc<Task>>,
    after: u64,
    turn: u64,
}

impl Handler {
    /// A2A §3.1.1
    pub(crate) async fn send_message(
        &self,
        call: Call<SendMessageRequest>,
    ) -> Result<SentAnswer, A2aError> {
        let (history, wanted) = options(&call.request)?;
        let scope = call.scope.clone();
        let joined = match self.send(call, wanted).await? {
            Sent::Message(message) => return Ok(SentAnswer::Message(*message)),
            Sent::Task(joined) => joined,
        };
        let task = match (joined.snapshot, joined.lease) {
            (Some(task), _) => task,
            (None, Some(lease)) => {
                lease.settled(joined.after, joined.turn).await?;
                self.settled(&scope, &lease).await?
            }
            (None, None) => return Err(A2aError::internal("a task without its state")),
        };
        Ok(SentAnswer::Task(project_shared(
            &task,
            history,
            Artifacts::Include,
        )))
    }

    /// The task, which has been answered for. When the next message is being worked on already,
    /// the task as that leaves it: a call that waits is never told of work in progress
    /// (A2A §3.2.2).
    async fn settled(&self, scope: &Scope, lease: &Lease) -> Result<Arc<Task>, A2aError> {
        loop {
            let closed = lease.is_closed();
            let stored = self.engine.store().load(scope, lease.id()).await;
            let stored = stored.map_err(crate::engine::store_error)?;
            let stored = stored.ok_or_else(|| A2aError::task_not_found(lease.id()))?;
            if closed || is_settled(stored.task.state()) {
                return Ok(stored.task);
            }
            lease.settled(stored.sequence, u64::MAX).await?;
        }
    }

    /// A2A §3.1.2
    pub(crate) async fn send_streaming_message(
        &self,
        call: Call<SendMessageRequest>,
    ) -> Result<EventStream, A2aError> {
        let permit = self.permit()?;
        let (history, _) = options(&call.request)?;
        let scope = call.scope.clone();
        let joined = match self.send(call, Snapshot::Wanted).await? {
            Sent::Message(message) => return Ok(one(StreamItem::Message(Arc::from(message)))),
            Sent::Task(joined) => joined,
        };
        let task = joined
            .snapshot
            .ok_or_else(|| A2aError::internal("a stream without its task"))?;
        let first = StreamItem::Task(
            project_shared(&task, history, Artifacts::Include),
            joined.after,
        );
        let Some(lease) = joined.lease else {
            return Ok(one(first));
        };
        let store = Arc::clone(self.engine.store());
        let cursor = Cursor::live(lease, store, scope, joined.after);
        let wait = self.limits.auth_wait;
        Ok(Tracked::answer(cursor.until_turn(joined.turn), wait, permit).stream(Some(first)))
    }

    async fn send(
        &self,
        mut call: Call<SendMessageRequest>,
        snapshot: Snapshot,
    ) -> Result<Sent, A2aError> {
        let webhook = self.webhook(&mut call.request).await?;
        let task_id = call
            .request
            .message
            .as_ref()
            .map(|message| message.task_id.clone());
        match task_id {
            // Boxed: every first message would carry the room for it along.
            Some(id) if !id.is_empty() => Box::pin(self.go_on(call, &id, webhook, snapshot)).await,
            _ => self.begin(call, webhook, snapshot).await,
        }
    }

    /// A message that continues a task.
    async fn go_on(
        &self,
        mut call: Call<SendMessageRequest>,
        id: &str,
        webhook: Option<Box<TaskPushNotificationConfig>>,
        snapshot: Snapshot,
    ) -> Result<Sent, A2aError> {
        // A resend of the message finds the task by its key; one with a task id finds it by that.
        let found = self.engine.find(&call.scope, id).await?;
        let (context_id, state) = match &found {
            Found::Live(lease) => (lease.context_id(), lease.state()),
            Found::Settled(stored) => (stored.task.context_id.as_str(), stored.task.state()),
        };
        let message = call.request.message.get_or_insert_default();
        if message.context_id.is_empty() {
            context_id.clone_into(&mut message.context_id);
        }
        if message.context_id != context_id {
            let text = "is not the context of the task; leave it out or send the task's own";
            return Err(A2aError::invalid_param("message.contextId", text));
        }
        let Found::Live(lease) = found else {
            let text = format!(
                "task {id} has ended in state {} and takes no more messages",
                state.as_str_name()
            );
            return Err(A2aError::unsupported_operation(text)
                .with_metadata("taskId", id)
                .with_metadata("state", state.as_str_name()));
        };
        self.check_media(&message.parts)?;
        let message = Origin::Message(Box::new(mem::take(message)));
        let webhook = webhook.map(|mut config| {
            id.clone_into(&mut config.task_id);
            Box::new((call.owner(), *config))
        });
        let request = self.request(message, call);
        // How it answers is settled, but it may refuse this message as it may refuse the first.
        self.engine.admit(&request).await?;
        let accepted = self
            .engine
            .message(&lease, request, webhook, snapshot)
            .await?;
        let joined = Joined {
            lease: Some(lease),
            snapshot: accepted.snapshot,
            after: accepted.after,
            turn: accepted.turn,
        };
        Ok(Sent::Task(joined))
    }

    /// A message that starts something new.
    async fn begin(
        &self,
        mut call: Call<SendMessageRequest>,
        mut webhook: Option<Box<TaskPushNotificationConfig>>,
        snapshot: Snapshot,
    ) -> Result<Sent, A2aError> {
        let (owner, scope) = (call.owner(), call.scope.clone());
        let idempotency = self.idempotency(&call);
        let message = call.request.message.get_or_insert_default();
        self.check_media(&message.parts)?;
        message.task_id = uuid::Uuid::new_v4().to_string();
        if message.context_id.is_empty() {
            message.context_id = uuid::Uuid::new_v4().to_string();
        }
        if let Some(config) = &mut webhook {
            message.task_id.clone_into(&mut config.task_id);
        }
        let task = submitted(mem::take(message), self.engine.calendar().now());
        let task = Arc::new(task);
        let request = self.request(origin(&task), call);
        let answer = self.engine.admit(&request).await?;
        let start = Box::new(Start {
            owner,
            task,
            request,
            idempotency,
            webhook,
            snapshot,
        });
        match self.engine.start(answer, start).await? {
            Started::Message(message) => Ok(Sent::Message(message)),
            Started::Task { lease, task } => Ok(Sent::Task(Joined {
                lease: Some(lease),
                snapshot: task,
                after: 0,
                turn: 1,
            })),
            Started::Existing(id) => Box::pin(self.join(&scope, &id, snapshot)).await,
        }
    }

    /// A repeated send joins the task that the first one made (A2A §3.3.1).
    async fn join(&self, scope: &Scope, id: &str, snapshot: Snapshot) -> Result<Sent, A2aError> {
        let found = match snapshot {
            Snapshot::Wanted => self.engine.find_to_follow(scope, id).await?,
            Snapshot::Unwanted => self.engine.find(scope, id).await?,
        };
        let lease = match found {
            Found::Live(lease) => lease,
            Found::Settled(stored) => {
                let joined = Joined {
                    lease: None,
                    snapshot: Some(stored.task),
                    after: stored.sequence,
                    turn: 1,
                };
                return Ok(Sent::Task(joined));
            }
        };
        let (after, turn) = lease.awaited();
        if snapshot == Snapshot::Unwanted {
            let lease = Some(lease);
            return Ok(Sent::Task(Joined {
                lease,
                snapshot: None,
                after,
                turn,
            }));
        }
        let stored = self.engine.store().load(scope, id).await;
        let stored = stored.map_err(crate::engine::store_error)?;
        let stored = stored.ok_or_else(|| A2aError::task_not_found(id))?;
        Ok(Sent::Task(Joined {
            lease: Some(lease),
            snapshot: Some(stored.task),
            after: stored.sequence,
            turn,
        }))
    }

    fn request(&self, message: Origin, call: Call<SendMessageRequest>) -> Request {
        let peek = Peek {
            store: Arc::clone(self.engine.store()),
            scope: call.scope,
        };
        Request::new(message, *call.request, call.context, peek)
    }

    /// The webhook that came with the message, checked; its task is filled in later.
    async fn webhook(
        &self,
        request: &mut SendMessageRequest,
    ) -> Result<Option<Box<TaskPushNotificationConfig>>, A2aError> {
        let configuration = request.configuration.as_mut();
        let Some(mut config) = configuration.and_then(|c| c.task_push_notification_config.take())
        else {
            return Ok(None);
        };
        let Some(webhooks) = &self.webhooks else {
            return Err(A2aError::push_not_supported());
        };
        let checked = webhooks.sender.check(&config).await;
        checked.map_err(|error| within("configuration.taskPushNotificationConfig", error))?;
        if config.id.is_empty() {
            config.id = uuid::Uuid::new_v4().to_string();
        }
        Ok(Some(Box::new(config)))
    }

    /// A2A §3.1.1: refuses parts whose media type the card does not name, when that is switched
    /// on. A part that does not say what it is passes.
    fn check_media(&self, parts: &[Part]) -> Result<(), A2aError> {
        let Some(modes) = &self.input_modes else {
            return Ok(());
        };
        let unknown = parts.iter().map(media_type).find(|media_type| {
            !media_type.is_empty() && !modes.iter().any(|mode| media::matches(mode, media_type))
        });
        unknown.map_or(Ok(()), |media_type| {
            Err(A2aError::content_type_not_supported(media_type))
        })
    }

    /// What makes a later send the same as this one.
    fn idempotency(&self, call: &Call<SendMessageRequest>) -> Option<IdempotencyKey> {
        let anonymous = call.context.caller.is_anonymous();
        if anonymous && self.resends.anonymous == AnonymousResends::Separate {
            return None;
        }
        let window = i64::try_from(self.resends.window?.as_millis()).ok()?;
        let message = call.request.message.as_ref()?;
        let mut digest = Sha256::new();
        for bytes in [
            Some(message.encode_length_delimited_to_vec()),
            call.request
                .configuration
                .as_ref()
                .map(|c| c.encode_length_delimited_to_vec()),
        ] {
            digest.update(bytes.unwrap_or_default());
        }
        let now = self.engine.calendar().now();
        let expires = Timestamp::from_unix_millis(now.unix_millis().saturating_add(window));
        Some(IdempotencyKey::new(
            &*message.message_id,
            digest.finalize().into(),
            now,
            expires,
        ))
    }
}

/// How the client wants its answer.
fn options(request: &SendMessageRequest) -> Result<(HistoryLength, Snapshot), A2aError> {
    let configuration = request.configuration.as_ref();
    let length = configuration.and_then(|c| c.history_length);
    let immediately = configuration.is_some_and(|c| c.return_immediately);
    let snapshot = if immediately {
        Snapshot::Wanted
    } else {
        Snapshot::Unwanted
    };
    Ok((history(length, "configuration.historyLength")?, snapshot))
}

/// A new task that holds the message.
fn submitted(message: Message, now: Timestamp) -> Task {
    let status = TaskStatus::default()
        .with_state(TaskState::Submitted)
        .with_timestamp(now);
    let mut task = Task::default();
    task.id.clone_from(&message.task_id);
    task.context_id.clone_from(&message.context_id);
    task.status = Some(status);
    task.history = vec![message];
    task
}

/// Where the agent reads the message that begins the task: where the task has it, so that there is
/// only one of it as long as nothing happens to the task. The store makes a copy when something
/// does, and others wait meanwhile: what is long, or may be, is copied here.
fn origin(task: &Arc<Task>) -> Origin {
    match task.history.first() {
        Some(message) if !is_short(message) => Origin::Message(Box::new(message.clone())),
        _ => Origin::Task(Arc::clone(task)),
    }
}

fn is_short(message: &Message) -> bool {
    let bytes = |part: &Part| match (&part.content, &part.metadata) {
        (Some(part::Content::Text(text) | part::Content::Url(text)), None) => text.len(),
        (Some(part::Content::Raw(bytes)), None) => bytes.len(),
        _ => SHORT,
    };
    message.metadata.is_none()
        && message.parts.len() <= 64
        && message.parts.iter().map(bytes).sum::<usize>() < SHORT
}

/// The media type of a part; text is `text/plain` unless it says otherwise.
fn media_type(part: &Part) -> &str {
    match (&*part.media_type, &part.content) {
        ("", Some(part::Content::Text(_))) => "text/plain",
        ("", Some(part::Content::Data(_))) => "application/json",
        (media_type, _) => media_type,
    }
}

/// The error with its fields inside of `field`.
fn within(field: &str, error: A2aError) -> A2aError {
    if error.violations().is_empty() {
        return error;
    }
    A2aError::invalid_params(error.violations().iter().map(|violation| {
        FieldViolation::new(
            format!("{field}.{}", violation.field),
            &*violation.description,
        )
    }))
}
