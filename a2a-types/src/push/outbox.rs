use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;

use super::{Forget, Notification, Webhook};
use crate::Timestamp;
use crate::store::{Durability, Sharing, StoreError};

/// Where notifications wait until they are delivered or given up.
///
/// There is a queue for each [`WebhookKey`](super::WebhookKey). Its oldest notification is its head, and only the head
/// can be claimed: so what one webhook gets is in order, and one attempt at it runs at a time. A
/// queue keeps the newest registration it was told of.
///
/// Implementations are checked by the suite in `a2a_types::testkit`. All methods are atomic: a call
/// that returns an error has changed nothing. The caller says what time it is.
#[async_trait]
pub trait PushOutbox: Send + Sync + 'static {
    /// What the outbox promises about its data.
    fn properties(&self) -> OutboxProperties;

    /// Appends the notifications, in their order, to the queue of each of the webhooks.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn enqueue(
        &self,
        webhooks: &[Arc<Webhook>],
        notifications: &[Notification],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Claims heads that are due, the one first that has been due for longest: those never tried,
    /// at once, and those that failed, when the time for the next attempt has come.
    ///
    /// A claim ends when it is settled, when its time is over, and, in an outbox that one process
    /// alone can use, when that is opened again.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn claim(&self, claim: &Claim<'_>) -> Result<Claims, StoreError>;

    /// Says what became of a claimed head.
    ///
    /// With `keep_until`, an outcome that takes the head off the queue claims the next one in the
    /// same step, until then, and returns it. Nothing happens when the claim has ended otherwise.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn settle(
        &self,
        claimed: &Claimed,
        outcome: Outcome,
        now: Timestamp,
        keep_until: Option<Timestamp>,
    ) -> Result<Option<Claimed>, StoreError>;

    /// Replaces the registration of a queue, and that of the webhook's dead letters. It is no error
    /// when there are none.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn replace(&self, webhook: &Arc<Webhook>) -> Result<(), StoreError>;

    /// Removes queues, claimed or not, and the dead letters of their webhooks.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn forget(&self, what: Forget<'_>) -> Result<(), StoreError>;

    /// Keeps the outbox within bounds: of a queue that is too long the oldest notifications become
    /// dead letters, but not a claimed head; of too many dead letters the oldest are removed.
    /// Returns how many notifications were given up.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn trim(&self, bounds: Bounds, now: Timestamp) -> Result<u64, StoreError>;

    /// How much waits.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn status(&self) -> Result<OutboxStatus, StoreError>;

    /// Up to `limit` dead letters whose number is above `after`, in the order in which they were
    /// given up.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn dead_letters(&self, after: u64, limit: usize) -> Result<Vec<DeadLetter>, StoreError>;

    /// Puts a dead letter at the end of its queue, as if it were new, to the registration as it is
    /// now. `false` when there is no such dead letter.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn replay(&self, number: u64, now: Timestamp) -> Result<bool, StoreError>;

    /// Removes the dead letters that were given up before `before`; returns how many.
    ///
    /// # Errors
    ///
    /// When the outbox fails.
    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError>;
}

/// Names an outbox while the process lives, so that a store and a sender can find out that they
/// have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutboxId(u64);

impl OutboxId {
    /// Another id than all before.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "no two are equal")]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What an outbox promises about its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutboxProperties {
    /// Which outbox it is.
    pub id: OutboxId,
    /// What the data survives.
    pub durability: Durability,
    /// Who may use the data at the same time.
    pub sharing: Sharing,
}

impl OutboxProperties {
    /// An outbox with these promises.
    pub const fn new(id: OutboxId, durability: Durability, sharing: Sharing) -> Self {
        Self {
            id,
            durability,
            sharing,
        }
    }
}

/// A request for heads to deliver.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Claim<'a> {
    /// The present.
    pub now: Timestamp,
    /// When the claims end that are not settled by then.
    pub until: Timestamp,
    /// How many are wanted.
    pub limit: usize,
    /// Queues of these [receivers](Webhook::receiver) are passed over.
    pub except: &'a [String],
}

impl<'a> Claim<'a> {
    /// Up to `limit` heads, claimed from `now` until `until`.
    pub const fn new(now: Timestamp, until: Timestamp, limit: usize) -> Self {
        Self {
            now,
            until,
            limit,
            except: &[],
        }
    }

    /// Passes over the queues of these receivers.
    #[must_use]
    pub const fn except(self, receivers: &'a [String]) -> Self {
        Self {
            except: receivers,
            ..self
        }
    }
}

/// What [`PushOutbox::claim`] has found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Claims {
    /// The heads that were claimed.
    pub claimed: Vec<Claimed>,
    /// When the next head becomes due, or its claim by somebody else ends, of the receivers that
    /// were not passed over. `None` when there is none to wait for.
    pub next: Option<Timestamp>,
}

impl Claims {
    /// These heads, and when to ask again.
    pub fn new(claimed: Vec<Claimed>, next: Option<Timestamp>) -> Self {
        Self { claimed, next }
    }
}

/// The head of a queue, claimed for an attempt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Claimed {
    /// Names the claim. No two claims of an outbox have the same.
    pub ticket: u64,
    /// Where it goes: the registration as the queue knows it now.
    pub webhook: Arc<Webhook>,
    /// What is sent.
    pub notification: Notification,
    /// How many attempts have failed.
    pub attempts: u32,
    /// When it was put into the queue.
    pub queued: Timestamp,
}

impl Claimed {
    /// A claimed head that was not tried yet.
    pub fn new(
        ticket: u64,
        webhook: Arc<Webhook>,
        notification: Notification,
        queued: Timestamp,
    ) -> Self {
        Self {
            ticket,
            webhook,
            notification,
            attempts: 0,
            queued,
        }
    }

    /// One that failed so often.
    #[must_use]
    pub fn with_attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }
}

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It arrived: off the queue.
    Delivered,
    /// It failed and is due again at this time. Counts as an attempt.
    Retry(Timestamp),
    /// It is given up: off the queue and among the dead letters. Counts as an attempt.
    GiveUp(GaveUp, String),
    /// Nothing was tried: the head stays as it was.
    Release,
}

/// Why a notification was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GaveUp {
    /// The receiver or the policy refused it, so that trying again would not help.
    Refused,
    /// It was tried as often, or for as long, as it may be.
    Exhausted,
    /// Its queue was full.
    Overflow,
}

impl GaveUp {
    /// The reason in one word: `refused`, `exhausted` or `overflow`. [`FromStr`] reads it back.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Exhausted => "exhausted",
            Self::Overflow => "overflow",
        }
    }
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for GaveUp {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<Self, UnknownReason> {
        let all = [Self::Refused, Self::Exhausted, Self::Overflow];
        all.into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or(UnknownReason)
    }
}

/// A text is no [`GaveUp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownReason;

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a reason for which notifications are given up")
    }
}

impl std::error::Error for UnknownReason {}

/// How much may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the two bounds that trim enforces"
)]
pub struct Bounds {
    /// Notifications in one queue.
    pub queue: usize,
    /// Dead letters in all.
    pub dead_letters: usize,
}

/// How much waits in an outbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "every outbox fills in all of it")]
pub struct OutboxStatus {
    /// Notifications that are not delivered yet.
    pub waiting: u64,
    /// When the oldest of them was put into its queue.
    pub oldest: Option<Timestamp>,
    /// Dead letters.
    pub dead_letters: u64,
}

/// A notification that was given up.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeadLetter {
    /// Names it; those given up later have greater numbers.
    pub number: u64,
    /// Where it was to go: the registration as it is now.
    pub webhook: Arc<Webhook>,
    /// What was to be sent.
    pub notification: Notification,
    /// How many attempts have failed.
    pub attempts: u32,
    /// When it was put into the queue.
    pub queued: Timestamp,
    /// When it was given up.
    pub given_up: Timestamp,
    /// Why.
    pub reason: GaveUp,
    /// What went wrong at last, in words. No secrets.
    pub error: String,
}

impl DeadLetter {
    /// A head that was given up.
    pub fn new(
        number: u64,
        claimed: Claimed,
        given_up: Timestamp,
        reason: GaveUp,
        error: impl Into<String>,
    ) -> Self {
        let Claimed {
            webhook,
            notification,
            attempts,
            queued,
            ..
        } = claimed;
        Self {
            number,
            webhook,
            notification,
            attempts,
            queued,
            given_up,
            reason,
            error: error.into(),
        }
    }
}
