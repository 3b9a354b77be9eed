use std::any::Any;
use std::fmt;

use async_trait::async_trait;

use super::{Sharing, StoreError};

/// Joins the servers of one agent that keep their tasks in the same store.
///
/// A task is written by one server at a time, the one that has claimed it; all others read it from
/// the store, and the bus tells them when to look. It carries no events: one that loses a wake-up
/// delays a reader, and one that grants a claim twice makes the slower server's writes fail, because
/// [`TaskStore::append`](super::TaskStore::append) takes them at the right revision alone.
#[async_trait]
pub trait EventBus: Send + Sync + 'static {
    /// Whether it reaches servers in other processes.
    fn sharing(&self) -> Sharing;

    /// Claims the task until the claim is dropped. `None` when somebody else has claimed it.
    ///
    /// A claim must not outlive the process that holds it, even if that ends without a word.
    ///
    /// # Errors
    ///
    /// When the bus fails; then nothing is claimed.
    async fn claim(&self, task_id: &str) -> Result<Option<Claim>, StoreError>;

    /// Tells all who have subscribed that the task has got events up to this sequence. Returns at
    /// once.
    fn publish(&self, task_id: &str, sequence: u64);

    /// Wakes up the caller for each change of the task from now on.
    ///
    /// # Errors
    ///
    /// When the bus fails.
    async fn subscribe(&self, task_id: &str) -> Result<Box<dyn Wakeups>, StoreError>;
}

/// What a subscriber of an [`EventBus`] waits for.
#[async_trait]
pub trait Wakeups: Send {
    /// Returns when something was published since the last return, or since the subscription;
    /// also when nothing more will come. May return without a reason.
    ///
    /// Can be dropped at any time and called again.
    async fn wait(&mut self);
}

/// The right to write a task, as long as it is held.
pub struct Claim {
    _held: Box<dyn Any + Send + Sync>,
}

impl Claim {
    /// The claim that ends when `guard` is dropped.
    pub fn new(guard: impl Any + Send + Sync) -> Self {
        Self {
            _held: Box::new(guard),
        }
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").finish_non_exhaustive()
    }
}
