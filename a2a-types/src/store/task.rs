use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;

use super::{ListQuery, LogEntry, Owner, Scope, StoreError, TaskPage};
use crate::push::{OutboxId, Webhook};
use crate::{Task, Timestamp, TraceContext};

/// Where tasks are kept.
///
/// Implementations are checked by the suite in `a2a_types::testkit`. All methods are atomic: a
/// call that returns an error has changed nothing.
#[async_trait]
pub trait TaskStore: Send + Sync + 'static {
    /// What the store promises about its data.
    fn properties(&self) -> StoreProperties;

    /// Stores a new task, at revision 0, unless its idempotency key names one that exists.
    ///
    /// # Errors
    ///
    /// `Conflict` when a task of that id exists; otherwise when the store fails.
    async fn create(&self, owner: &Owner, task: NewTask) -> Result<Created, StoreError>;

    /// The task that an earlier send made which the key says is the same one.
    ///
    /// The engine asks this before it runs an agent that may answer without a task. A store that
    /// keeps the default, which knows none, lets such an agent run again when its send is
    /// repeated; [`create`](Self::create) still finds the first task then.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn resent(
        &self,
        owner: &Owner,
        key: &IdempotencyKey,
    ) -> Result<Option<String>, StoreError> {
        let _ = (owner, key);
        Ok(None)
    }

    /// Appends entries to the log and applies them to the task, all or none.
    ///
    /// Returns when the entries are as durable as the store promises. The revision grows by the
    /// number of entries.
    ///
    /// A store that has the whole task at hand when the entries have ended it hands it out: whoever
    /// waits for the end need not [load](Self::load) it. `None` is always right.
    ///
    /// # Errors
    ///
    /// `NotFound` when the scope holds no such task, `Conflict` when its revision is not
    /// [`Append::after`], otherwise when the store fails.
    async fn append(
        &self,
        scope: &Scope,
        task_id: &str,
        append: Append<'_>,
    ) -> Result<Option<Arc<Task>>, StoreError>;

    /// The task as it is now.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn load(&self, scope: &Scope, task_id: &str) -> Result<Option<StoredTask>, StoreError>;

    /// One page of the tasks that the scope covers.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn list(&self, scope: &Scope, query: &ListQuery) -> Result<TaskPage, StoreError>;

    /// Up to `limit` visible entries of the task's log with a sequence above `after`, in order.
    ///
    /// `None` when the log does not reach back that far (it was compacted), when `after` lies
    /// beyond its end, or when the scope holds no such task.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn events(
        &self,
        scope: &Scope,
        task_id: &str,
        after: u64,
        limit: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError>;

    /// Purges up to `limit` terminal tasks whose status timestamp is before `before`; returns
    /// their ids.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn expire(&self, before: Timestamp, limit: usize) -> Result<Vec<String>, StoreError>;

    /// Purges every task of an owner (A2A §13.4); returns their ids.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError>;
}

/// What a store promises about its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreProperties {
    /// What the data survives.
    pub durability: Durability,
    /// Who may use the data at the same time.
    pub sharing: Sharing,
    /// The outbox that the store writes notifications into, in the transaction that stores what
    /// they are about: those of [`NewTask::webhooks`] and [`Append::webhooks`].
    pub outbox: Option<OutboxId>,
}

impl StoreProperties {
    /// A store with these promises.
    pub const fn new(durability: Durability, sharing: Sharing) -> Self {
        Self {
            durability,
            sharing,
            outbox: None,
        }
    }

    /// The store is also this outbox.
    #[must_use]
    pub const fn with_outbox(self, outbox: OutboxId) -> Self {
        Self {
            outbox: Some(outbox),
            ..self
        }
    }
}

/// What stored data survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Durability {
    /// Nothing: it ends with the process.
    Volatile,
    /// The end of the process.
    Process,
    /// The loss of power.
    Machine,
}

/// Who may use a store's data at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sharing {
    /// One server process.
    Exclusive,
    /// Several server processes.
    Shared,
}

/// A task to create.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewTask {
    /// The task, with its status timestamp set.
    pub task: Arc<Task>,
    /// When given, a resend of the same message finds the task that the first one made.
    pub idempotency: Option<IdempotencyKey>,
    /// Who is notified of the task as it is now, by a store that is also the
    /// [outbox](StoreProperties::outbox); empty for any other.
    pub webhooks: Vec<Arc<Webhook>>,
    /// The trace that goes along with their notifications.
    pub trace: Option<TraceContext>,
    /// When the task has to be stored.
    pub due: Due,
}

/// When a new task has to be stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Due {
    /// Before [`TaskStore::create`] returns. The default.
    #[default]
    Now,
    /// The id is new, so that the store need not look for it, and nobody is told of the task before
    /// something has been appended to it: the store may write both together. Every other call on
    /// the store sees the task all the same, and what nothing is appended to for a moment is stored
    /// as well; but a process that dies before has never had the task.
    FirstAppend,
}

impl NewTask {
    /// A task that no resend can find again.
    pub fn new(task: impl Into<Arc<Task>>) -> Self {
        Self {
            task: task.into(),
            idempotency: None,
            webhooks: Vec::new(),
            trace: None,
            due: Due::Now,
        }
    }

    /// Says when the task has to be stored.
    #[must_use]
    pub fn with_due(self, due: Due) -> Self {
        Self { due, ..self }
    }

    /// Notifies these webhooks of the new task.
    #[must_use]
    pub fn with_webhooks(self, webhooks: Vec<Arc<Webhook>>) -> Self {
        Self { webhooks, ..self }
    }

    /// Sends the trace along with the notifications.
    #[must_use]
    pub fn with_trace(self, trace: Option<TraceContext>) -> Self {
        Self { trace, ..self }
    }

    /// Lets a resend of the same message find this task.
    #[must_use]
    pub fn with_idempotency(self, key: IdempotencyKey) -> Self {
        Self {
            idempotency: Some(key),
            ..self
        }
    }
}

/// What makes two sends of one owner the same send.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdempotencyKey {
    /// The message id that the client chose.
    pub message_id: String,
    /// A digest of the message and its configuration; the same id with other content is another
    /// send.
    pub digest: [u8; 32],
    /// The present instant: a key that expired before it does not match.
    pub now: Timestamp,
    /// Until when a resend finds the task.
    pub expires: Timestamp,
}

impl IdempotencyKey {
    /// A key that matches from `now` until `expires`.
    pub fn new(
        message_id: impl Into<String>,
        digest: [u8; 32],
        now: Timestamp,
        expires: Timestamp,
    ) -> Self {
        Self {
            message_id: message_id.into(),
            digest,
            now,
            expires,
        }
    }
}

/// What became of [`TaskStore::create`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a create either makes the task or finds one"
)]
pub enum Created {
    /// The task is stored.
    New,
    /// The idempotency key names this earlier task; nothing was stored.
    Existing(String),
}

/// Entries to add to a task's log.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Append<'a> {
    /// The revision that the task must have: the number of entries already in its log.
    pub after: u64,
    /// The entries, in order. Owned when whoever appends them has no more use for them.
    pub entries: Cow<'a, [Arc<LogEntry>]>,
    /// Who is notified of the visible ones among the entries, by a store that is also the
    /// [outbox](StoreProperties::outbox); empty for any other.
    pub webhooks: &'a [Arc<Webhook>],
    /// The trace that goes along with their notifications.
    pub trace: Option<&'a TraceContext>,
    /// Whether the log may still be read when these entries have ended the task.
    pub replay: Replay,
}

/// Whether somebody may ask for the log of a task that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Replay {
    /// A client follows the task, or has: the store keeps the log as long as it does so for any
    /// task. The default.
    #[default]
    Possible,
    /// Nobody has ever followed the task, so nobody knows a place in its log: the store may forget
    /// it and keep the task alone.
    Impossible,
}

impl<'a> Append<'a> {
    /// These entries after revision `after`.
    pub fn new(after: u64, entries: impl Into<Cow<'a, [Arc<LogEntry>]>>) -> Self {
        Self {
            after,
            entries: entries.into(),
            webhooks: &[],
            trace: None,
            replay: Replay::Possible,
        }
    }

    /// Notifies these webhooks of the entries.
    #[must_use]
    pub fn with_webhooks(self, webhooks: &'a [Arc<Webhook>]) -> Self {
        Self { webhooks, ..self }
    }

    /// Sends the trace along with the notifications.
    #[must_use]
    pub fn with_trace(self, trace: Option<&'a TraceContext>) -> Self {
        Self { trace, ..self }
    }

    /// Says whether the log may still be read when the entries have ended the task.
    #[must_use]
    pub fn with_replay(self, replay: Replay) -> Self {
        Self { replay, ..self }
    }
}

/// A task as a store holds it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredTask {
    /// Whose task it is.
    pub owner: Owner,
    /// The task: what all its log entries add up to.
    pub task: Arc<Task>,
    /// How many entries its log has had.
    pub revision: u64,
    /// The sequence of the newest visible entry; 0 when there is none.
    pub sequence: u64,
}

impl StoredTask {
    /// A task with its place in the log.
    pub fn new(owner: Owner, task: Arc<Task>, revision: u64, sequence: u64) -> Self {
        Self {
            owner,
            task,
            revision,
            sequence,
        }
    }
}
