use async_trait::async_trait;

use super::{Owner, Scope, StoreError};
use crate::TaskPushNotificationConfig;
use crate::push::Webhook;

/// Where webhook registrations are kept (A2A §3.1.7 to §3.1.10).
///
/// A registration belongs to whoever made it: others cannot read or delete it, but what happens to
/// the task is sent to all of them.
#[async_trait]
pub trait PushConfigStore: Send + Sync + 'static {
    /// Stores `config`, replacing the one of the same owner, task and id.
    ///
    /// A new one is refused when the task has `most` registrations already, those of all owners
    /// taken together. The caller has filled in `id` and `task_id`.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn put(
        &self,
        owner: &Owner,
        config: TaskPushNotificationConfig,
        most: usize,
    ) -> Result<Registered, StoreError>;

    /// The registration `id` of the task, when the scope covers it. When several owners have one
    /// of that id it is any of theirs.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn get(
        &self,
        scope: &Scope,
        task_id: &str,
        id: &str,
    ) -> Result<Option<TaskPushNotificationConfig>, StoreError>;

    /// Up to `limit` registrations of the task that the scope covers, those whose place is after
    /// `after`, in the order of their [places](PushCursor).
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn list(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&PushCursor>,
        limit: usize,
    ) -> Result<PushPage, StoreError>;

    /// Removes the registration, of each owner that the scope covers. It is no error when there is
    /// none.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn delete(&self, scope: &Scope, task_id: &str, id: &str) -> Result<(), StoreError>;

    /// Removes all registrations of a task that was purged.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn delete_task(&self, task_id: &str) -> Result<(), StoreError>;

    /// Removes all registrations of an owner (A2A §13.4); returns the ids of their tasks, each
    /// once.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError>;
}

/// What became of [`PushConfigStore::put`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a registration is either stored or not"
)]
#[must_use]
pub enum Registered {
    /// The registration is stored.
    Stored,
    /// The task has as many registrations as it may have; nothing was stored.
    Full,
}

/// The place of a registration in the order of a task's list: id, then owner (tenant, then
/// principal), all ascending by bytes.
///
/// A cursor stays valid when its registration is deleted: it names a place, not a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "the two values are the sort key")]
pub struct PushCursor {
    /// The id of the registration.
    pub id: String,
    /// Whose it is.
    pub owner: Owner,
}

impl PushCursor {
    /// The place of the registration `id` of this owner.
    pub fn new(id: impl Into<String>, owner: Owner) -> Self {
        Self {
            id: id.into(),
            owner,
        }
    }
}

/// One page of the registrations of a task.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PushPage {
    /// The registrations and whose they are, in order.
    pub webhooks: Vec<Webhook>,
    /// The place of the last one, after which the next page begins; `None` on the last page.
    pub next: Option<PushCursor>,
}

impl PushPage {
    /// A page of these registrations.
    pub fn new(webhooks: Vec<Webhook>, next: Option<PushCursor>) -> Self {
        Self { webhooks, next }
    }

    /// The registrations alone.
    #[must_use]
    pub fn into_configs(self) -> Vec<TaskPushNotificationConfig> {
        let configs = self.webhooks.into_iter().map(|webhook| webhook.config);
        configs.collect()
    }
}
