use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::store::{Claim, EventBus, Sharing, StoreError, Wakeups};
use async_trait::async_trait;
use tokio::sync::watch;

/// Joins servers in one process that keep their tasks in the same store. Clones are the same bus.
#[derive(Clone, Default)]
pub struct LocalEventBus {
    topics: Arc<Mutex<Topics>>,
}

/// The tasks that somebody has claimed or waits for.
type Topics = HashMap<String, Topic>;

#[derive(Default)]
struct Topic {
    claimed: bool,
    changes: watch::Sender<u64>,
}

impl LocalEventBus {
    /// A bus that joins nobody yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn topics(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a task that nobody has to do with any more.
    fn tidy(&self, task_id: &str, change: impl FnOnce(&mut Topic)) {
        let mut topics = self.topics();
        let Some(topic) = topics.get_mut(task_id) else {
            return;
        };
        change(topic);
        if !topic.claimed && topic.changes.receiver_count() == 0 {
            topics.remove(task_id);
        }
    }
}

#[async_trait]
impl EventBus for LocalEventBus {
    fn sharing(&self) -> Sharing {
        Sharing::Exclusive
    }

    async fn claim(&self, task_id: &str) -> Result<Option<Claim>, StoreError> {
        let mut topics = self.topics();
        let topic = topics.entry(task_id.to_owned()).or_default();
        if std::mem::replace(&mut topic.claimed, true) {
            return Ok(None);
        }
        Ok(Some(Claim::new(Claimed {
            bus: self.clone(),
            task_id: task_id.to_owned(),
        })))
    }

    fn publish(&self, task_id: &str, sequence: u64) {
        if let Some(topic) = self.topics().get(task_id) {
            topic.changes.send_replace(sequence);
        }
    }

    async fn subscribe(&self, task_id: &str) -> Result<Box<dyn Wakeups>, StoreError> {
        let mut topics = self.topics();
        let topic = topics.entry(task_id.to_owned()).or_default();
        Ok(Box::new(Subscribed {
            changes: Some(topic.changes.subscribe()),
            bus: self.clone(),
            task_id: task_id.to_owned(),
        }))
    }
}

struct Claimed {
    bus: LocalEventBus,
    task_id: String,
}

impl Drop for Claimed {
    fn drop(&mut self) {
        self.bus.tidy(&self.task_id, |topic| topic.claimed = false);
    }
}

struct Subscribed {
    /// There until it is dropped.
    changes: Option<watch::Receiver<u64>>,
    bus: LocalEventBus,
    task_id: String,
}

#[async_trait]
impl Wakeups for Subscribed {
    async fn wait(&mut self) {
        if let Some(changes) = &mut self.changes {
            // The sender stays as long as there is a receiver.
            let _ = changes.changed().await;
        }
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        self.changes = None;
        self.bus.tidy(&self.task_id, |_| {});
    }
}

impl std::fmt::Debug for LocalEventBus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalEventBus").finish_non_exhaustive()
    }
}
