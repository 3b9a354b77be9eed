//! The traits that join a server to whatever sends its webhooks, and that to where notifications
//! wait.
//!
//! A [`PushSender`] takes notifications and delivers them in its own time. What it has taken and
//! not yet delivered waits in a [`PushOutbox`]. A task store that is also the outbox (both have one
//! [`OutboxId`]) stores an event and the notifications about it in one transaction.

mod outbox;
mod sender;
mod webhook;

pub use outbox::{
    Bounds, Claim, Claimed, Claims, DeadLetter, GaveUp, OutboxId, OutboxProperties, OutboxStatus,
    Outcome, PushOutbox, UnknownReason,
};
pub use sender::{Forget, PushSender};
pub use webhook::{Notification, Webhook, WebhookKey};
