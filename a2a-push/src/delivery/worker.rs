use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use a2a_types::Timestamp;
use a2a_types::push::{Claimed, GaveUp, Outcome, PushOutbox, WebhookKey};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::attempt::{Courier, Health, Verdict, webhook_id};
use super::clock::Clock;
use super::metrics::Counters;
use super::receivers::Held;
use super::retry::Retry;

/// How many notifications of one queue are delivered before it lets others go first.
const STREAK: u32 = 16;

/// How many of them leave as soon as they can. A task that says more in one go has more urgent uses
/// for the processors, for those that read its stream wait.
const AT_ONCE: u32 = 4;

/// How old the others are at least when they leave.
const LATER: Duration = Duration::from_millis(250);

/// How long they wait at least, if they do: many then leave in one go.
const PAUSE: Duration = Duration::from_millis(20);

/// How often the outcome of an attempt is written again when the outbox fails.
const WRITES: u32 = 5;

/// What an attempt needs.
pub(crate) struct Workshop {
    pub(crate) outbox: Arc<dyn PushOutbox>,
    pub(crate) courier: Courier,
    pub(crate) retry: Retry,
    pub(crate) clock: Clock,
    pub(crate) counters: Arc<Counters>,
    /// How long claims last.
    pub(crate) lease: Duration,
}

/// An attempt is over.
pub(super) struct Done {
    pub(super) key: WebhookKey,
    pub(super) receiver: String,
    pub(super) health: Health,
    /// The next head of the queue, still claimed.
    pub(super) next: Option<Held>,
}

impl Workshop {
    /// Tries to deliver the head, unless told to stop, and writes down what became of it.
    pub(super) async fn work(&self, held: Held, stop: Arc<Notify>) -> Done {
        let (health, outcome) = tokio::select! {
            biased;
            () = stop.notified() => (Health::Unknown, Outcome::Release),
            ended = async {
                self.keep_pace(&held).await;
                self.attempt(&held.claimed).await
            } => ended,
        };
        let claimed = held.claimed;
        let until = Instant::now() + self.lease;
        let keep_until = (held.streak < STREAK).then(|| self.clock.after(self.lease));
        let next = self.settle(&claimed, outcome, keep_until).await;
        Done {
            key: claimed.webhook.key.clone(),
            receiver: claimed.webhook.receiver(),
            health,
            next: next.map(|claimed| Held {
                claimed,
                until,
                streak: held.streak + 1,
            }),
        }
    }

    /// Lets those that read streams go first.
    async fn keep_pace(&self, held: &Held) {
        let age = self.clock.since(held.claimed.queued);
        if held.streak >= AT_ONCE && age < LATER {
            tokio::time::sleep((LATER - age).max(PAUSE)).await;
        }
    }

    async fn attempt(&self, claimed: &Claimed) -> (Health, Outcome) {
        let began = Instant::now();
        self.counters.attempts.fetch_add(1, Relaxed);
        let verdict = self.courier.deliver(claimed).await;
        let failures = claimed.attempts.saturating_add(1);
        let millis = began.elapsed().as_millis();
        let key = &claimed.webhook.key;
        let (task_id, config_id) = (&*key.task_id, &*key.id);
        let receiver = claimed.webhook.receiver();
        let id = webhook_id(key, &claimed.notification.id());
        let give_up = |why, error: String, health| {
            tracing::warn!(
                task_id,
                config_id,
                receiver,
                id,
                attempt = failures,
                error,
                millis,
                "notification given up"
            );
            self.counters.given_up.fetch_add(1, Relaxed);
            (health, Outcome::GiveUp(why, error))
        };
        match verdict {
            Verdict::Delivered(status) => {
                let status = status.as_u16();
                tracing::debug!(
                    task_id,
                    config_id,
                    receiver,
                    id,
                    attempt = failures,
                    status,
                    millis,
                    "notification delivered"
                );
                self.counters.delivered.fetch_add(1, Relaxed);
                (Health::Up, Outcome::Delivered)
            }
            Verdict::Failed {
                error,
                health,
                asked,
            } => {
                let age = self.clock.since(claimed.queued);
                let Some(pause) = self.retry.pause(failures, age, asked) else {
                    return give_up(GaveUp::Exhausted, error, health);
                };
                tracing::info!(
                    task_id,
                    config_id,
                    receiver,
                    id,
                    attempt = failures,
                    error,
                    millis,
                    pause = pause.as_millis(),
                    "notification failed, will be tried again"
                );
                self.counters.retried.fetch_add(1, Relaxed);
                (health, Outcome::Retry(self.clock.after(pause)))
            }
            Verdict::Refused { error, health } => give_up(GaveUp::Refused, error, health),
        }
    }

    /// A failing outbox is asked again for a while. When that does not help, the claim ends in time
    /// and the notification is sent once more.
    async fn settle(
        &self,
        claimed: &Claimed,
        outcome: Outcome,
        keep_until: Option<Timestamp>,
    ) -> Option<Claimed> {
        let mut pause = Duration::from_millis(100);
        for left in (0..WRITES).rev() {
            let now = self.clock.now();
            let settled = self
                .outbox
                .settle(claimed, outcome.clone(), now, keep_until);
            match settled.await {
                Ok(next) => return next,
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::error!(error, left, "the outcome of an attempt was not stored");
                }
            }
            tokio::time::sleep(pause).await;
            pause *= 4;
        }
        None
    }
}
