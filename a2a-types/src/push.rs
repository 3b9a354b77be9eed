//! The trait that joins a server to whatever sends its webhooks.

use std::sync::Arc;

use async_trait::async_trait;

use crate::store::LogEntry;
use crate::{A2aError, Task, TaskPushNotificationConfig};

/// Sends webhook notifications (A2A §4.3.3, §13.2).
///
/// The server asks [`check`](Self::check) when a webhook is registered and calls
/// [`notify`](Self::notify) for each event of a task that has one. Delivery must happen elsewhere:
/// `notify` is called on the path of the task's events.
#[async_trait]
pub trait PushSender: Send + Sync + 'static {
    /// Whether a webhook may be registered: its address and credentials.
    ///
    /// # Errors
    ///
    /// `InvalidParams` with a violation that says what is wrong with the registration.
    async fn check(&self, config: &TaskPushNotificationConfig) -> Result<(), A2aError>;

    /// Takes a notification for delivery and returns without waiting for it.
    fn notify(&self, config: &Arc<TaskPushNotificationConfig>, notification: Notification);
}

/// What a webhook is told.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Notification {
    /// The task as it is at the time of the registration.
    Task(Arc<Task>),
    /// An event of the task.
    Event(Arc<LogEntry>),
}
