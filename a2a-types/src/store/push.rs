use async_trait::async_trait;

use super::{Owner, Scope, StoreError};
use crate::TaskPushNotificationConfig;

/// Where webhook registrations are kept (A2A §3.1.7 to §3.1.10).
///
/// A registration belongs to whoever made it: others cannot read or delete it, but what happens to
/// the task is sent to all of them.
#[async_trait]
pub trait PushConfigStore: Send + Sync + 'static {
    /// Stores `config`, replacing the one of the same owner, task and id.
    ///
    /// The caller has filled in `id` and `task_id`.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn put(
        &self,
        owner: &Owner,
        config: TaskPushNotificationConfig,
    ) -> Result<(), StoreError>;

    /// The registration `id` of the task, when the scope covers it.
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

    /// Up to `limit` registrations of the task that the scope covers, ordered by id, those whose
    /// id is greater than `after`.
    ///
    /// # Errors
    ///
    /// When the store fails.
    async fn list(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<TaskPushNotificationConfig>, StoreError>;

    /// Removes the registration. It is no error when there is none.
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
}
