//! Where notifications wait in memory.

mod queues;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::Timestamp;
use a2a_types::push::{
    Bounds, Claim, Claimed, Claims, DeadLetter, Forget, GaveUp, Notification, OutboxId,
    OutboxProperties, OutboxStatus, Outcome, PushOutbox, Webhook,
};
use a2a_types::store::{Durability, Sharing, StoreError};
use async_trait::async_trait;

use self::queues::Queues;

/// An outbox in memory: what was not delivered ends with the process.
///
/// All queues that a notification waits in share its body.
pub struct MemoryOutbox {
    id: OutboxId,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    queues: Queues,
    dead: BTreeMap<u64, DeadLetter>,
    /// How many dead letters there have been.
    died: u64,
}

impl MemoryOutbox {
    /// An empty outbox.
    #[must_use]
    pub fn new() -> Self {
        Self {
            id: OutboxId::new(),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryOutbox {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl PushOutbox for MemoryOutbox {
    fn properties(&self) -> OutboxProperties {
        OutboxProperties::new(self.id, Durability::Volatile, Sharing::Exclusive)
    }

    async fn enqueue(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        for webhook in webhooks {
            state.queues.append(webhook, notifications, now);
        }
        Ok(())
    }

    async fn claim(&self, claim: &Claim<'_>) -> Result<Claims, StoreError> {
        Ok(self.state().queues.claim(claim))
    }

    async fn settle(
        &self,
        claimed: &Claimed,
        outcome: Outcome,
        now: Timestamp,
        keep_until: Option<Timestamp>,
    ) -> Result<Option<Claimed>, StoreError> {
        let state = &mut *self.state();
        let queues = &mut state.queues;
        Ok(match outcome {
            Outcome::Retry(at) => {
                queues.retry(claimed, at);
                None
            }
            Outcome::GiveUp(reason, error) => {
                let (lost, next) = queues.advance(claimed, keep_until);
                if let Some(lost) = lost {
                    let lost = lost.with_attempts(claimed.attempts.saturating_add(1));
                    state.bury(lost, now, reason, error);
                }
                next
            }
            Outcome::Delivered => queues.advance(claimed, keep_until).1,
            _ => {
                queues.release(claimed);
                None
            }
        })
    }

    async fn replace(&self, webhook: &Arc<Webhook>) -> Result<(), StoreError> {
        let mut state = self.state();
        state.queues.replace(webhook);
        for letter in state.dead.values_mut() {
            if letter.webhook.key == webhook.key {
                letter.webhook = Arc::clone(webhook);
            }
        }
        Ok(())
    }

    async fn forget(&self, what: Forget<'_>) -> Result<(), StoreError> {
        let mut state = self.state();
        state.queues.forget(what);
        state
            .dead
            .retain(|_, letter| !what.covers(&letter.webhook.key));
        Ok(())
    }

    async fn trim(&self, bounds: Bounds, now: Timestamp) -> Result<u64, StoreError> {
        let state = &mut *self.state();
        let surplus = state.queues.shorten(bounds.queue);
        let count = surplus.len() as u64;
        for lost in surplus {
            let error = "too many notifications wait for this webhook".to_owned();
            state.bury(lost, now, GaveUp::Overflow, error);
        }
        while state.dead.len() > bounds.dead_letters {
            state.dead.pop_first();
        }
        Ok(count)
    }

    async fn status(&self) -> Result<OutboxStatus, StoreError> {
        let state = self.state();
        let (waiting, oldest) = state.queues.waiting();
        Ok(OutboxStatus {
            waiting,
            oldest,
            dead_letters: state.dead.len() as u64,
        })
    }

    async fn dead_letters(&self, after: u64, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
        let state = self.state();
        let later = state.dead.range(after.saturating_add(1)..);
        Ok(later
            .take(limit)
            .map(|(_, letter)| letter.clone())
            .collect())
    }

    async fn replay(&self, number: u64, now: Timestamp) -> Result<bool, StoreError> {
        let mut state = self.state();
        let Some(letter) = state.dead.remove(&number) else {
            return Ok(false);
        };
        let DeadLetter {
            webhook,
            notification,
            ..
        } = letter;
        state.queues.append(&webhook, &[notification], now);
        Ok(true)
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.state();
        let count = state.dead.len();
        state.dead.retain(|_, letter| letter.given_up >= before);
        Ok((count - state.dead.len()) as u64)
    }
}

impl State {
    fn bury(&mut self, lost: Claimed, now: Timestamp, reason: GaveUp, error: String) {
        self.died += 1;
        let letter = DeadLetter::new(self.died, lost, now, reason, error);
        self.dead.insert(self.died, letter);
    }
}

impl fmt::Debug for MemoryOutbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryOutbox").finish_non_exhaustive()
    }
}
