//! Webhooks (push notifications) of the A2A (Agent2Agent) protocol 1.0: a sender that brings each
//! event to its receiver at least once and in order, and can be made to call nothing that it should
//! not; and the checks for those who receive them.
//!
//! It needs no other crate of this family but `a2a-types`, and works in any service:
//!
//! ```no_run
//! use a2a_push::PushSender;
//! use a2a_types::{TaskPushNotificationConfig, TaskState, TaskStatus, TaskStatusUpdateEvent};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let sender = PushSender::builder().build()?;
//!
//! // What a client has registered.
//! let config = TaskPushNotificationConfig::default()
//!     .with_task_id("task-1")
//!     .with_url("https://client.example.com/hook")
//!     .with_token("a-secret-of-theirs");
//!
//! // What has happened. This returns at once; the sender tries until it has arrived.
//! let event = TaskStatusUpdateEvent::default()
//!     .with_task_id("task-1")
//!     .with_status(TaskStatus::from(TaskState::Working));
//! sender.notify(&config, &event.into()).await?;
//! # Ok(()) }
//! ```
//!
//! A server takes it with `Server::builder(agent).push_sender(Arc::new(sender))`.
//!
//! # Delivery
//!
//! - **At least once.** What was taken waits in an outbox, in memory by default; one on a database
//!   outlives the process. Network errors and the statuses 408, 425, 429 and 5xx are tried again
//!   ([`Retry`]); any other refusal gives up that one notification. What is given up becomes a
//!   [dead letter](PushSender::dead_letters), which can be read and [replayed](PushSender::replay).
//! - **In order.** To one webhook there is one notification under way at a time. Each carries a
//!   `webhook-id` that is the same in every attempt, so that a receiver can drop repetitions.
//! - **With the trace.** What a traced call led to carries its `traceparent` and `tracestate`, also
//!   after a restart ([`Notification::with_trace`](a2a_types::push::Notification::with_trace)).
//! - **Nobody waits for anybody.** A receiver that does not answer uses the slots of its own and is
//!   left alone after a while ([`Circuit`]).
//! - **To where it may go.** See [`net`]. Redirects are not followed.
//!
//! | what is bounded | default |
//! | --- | --- |
//! | attempts, age | 10 in an hour; in a durable outbox 20 in a day |
//! | one attempt | 10 seconds, 16 KiB of the answer |
//! | attempts at once | 256, and 8 for one receiver |
//! | waiting for one webhook | 10,000 notifications |
//! | dead letters | 10,000 |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod delivery;
pub mod net;
mod outbox;
#[cfg(feature = "receiver")]
pub mod receiver;
mod sender;
pub mod sign;

pub use self::delivery::{Circuit, Health, Metrics, Retry};
pub use self::outbox::MemoryOutbox;
pub use self::sender::{BuildError, PushSender, PushSenderBuilder};
