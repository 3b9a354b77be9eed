//! The stream that a caller reads, which knows when it is over.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use a2a_types::stream_response::Payload;
use a2a_types::{StreamResponse, TaskState};
use futures::{FutureExt as _, Stream, StreamExt as _};

use crate::transport::Events;
use crate::{Error, Failure};

/// What happens to a task, as it happens. Dropping the stream closes its connection; the task goes
/// on.
///
/// The stream ends with `None` when it is finished as the protocol says: after the agent's direct
/// message, when the task has ended, when the agent waits for input, or when the peer has closed it
/// while the task waits for an authorization. Then [`last_state`](Self::last_state) tells which. A
/// stream that ends earlier, by whatever cause, yields an error of [`Failure::Cut`] first:
/// [`Client::follow_task`](crate::Client::follow_task) goes on from there.
#[must_use = "a stream does nothing until it is polled"]
pub struct EventStream {
    /// `None` once the stream is over.
    events: Option<Events<StreamResponse>>,
    kind: StreamKind,
    finished: bool,
    /// The error that follows the event before it.
    queued: Option<Error>,
    task_id: Option<String>,
    last_state: Option<TaskState>,
    last_event_id: Option<String>,
}

/// How a stream came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamKind {
    /// By a message that begins something. The stream is over when the agent waits for input.
    Send,
    /// By a message that continues a task. Some peers begin the stream with the task as it was
    /// before the message: when it then waits for input, that is no answer.
    Continuation,
    /// By a subscription, which outlives an interruption of its task.
    Subscription,
}

impl EventStream {
    pub(crate) fn new(events: Events<StreamResponse>, kind: StreamKind) -> Self {
        Self {
            events: Some(events),
            kind,
            finished: false,
            queued: None,
            task_id: None,
            last_state: None,
            last_event_id: None,
        }
    }

    /// The id of the task, once an event has told it.
    #[must_use]
    pub fn task_id(&self) -> Option<&str> {
        self.task_id.as_deref()
    }

    /// The last state of the task that an event has told.
    #[must_use]
    pub fn last_state(&self) -> Option<TaskState> {
        self.last_state
    }

    /// The id of the last event, if the peer gives its events ids: a later subscription can go on
    /// behind it.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    fn learn(&mut self, event: &StreamResponse) {
        let (id, state) = match &event.payload {
            Some(Payload::Message(_)) => {
                self.finished = true;
                // The message is kept, and then it is wrong (a stream is one or the other).
                if self.task_id.is_some() {
                    let message = "the agent sent a message into the stream of a task";
                    let mut error = Error::invalid_answer(message);
                    if let Some(state) = self.last_state {
                        error = error.with_last_state(state);
                    }
                    self.queued = Some(error);
                }
                return;
            }
            Some(Payload::Task(task)) => (&task.id, Some(task.state())),
            Some(Payload::StatusUpdate(event)) => {
                (&event.task_id, event.status.as_ref().map(|s| s.state()))
            }
            Some(Payload::ArtifactUpdate(event)) => (&event.task_id, None),
            _ => return,
        };
        let begins = self.task_id.is_none() && matches!(event.payload, Some(Payload::Task(_)));
        if self.task_id.is_none() {
            self.task_id = Some(id.clone());
        }
        let Some(state) = state else { return };
        self.last_state = Some(state);
        self.finished = state.is_terminal()
            || (state == TaskState::InputRequired
                && match self.kind {
                    StreamKind::Send => true,
                    StreamKind::Continuation => !begins,
                    StreamKind::Subscription => false,
                });
    }

    /// Whether the agent waits for another message.
    pub(crate) fn awaits_input(&self) -> bool {
        let waits = self.last_state == Some(TaskState::InputRequired);
        waits && (self.finished || self.kind == StreamKind::Subscription)
    }

    /// What a stream that the peer has closed yields last.
    fn closed(&self) -> Option<Error> {
        let waits = self.last_state.is_some_and(TaskState::is_interrupted);
        (!waits).then(|| Error::cut(self.last_state, None))
    }

    fn broken(&self, error: Error) -> Error {
        match error.failure() {
            Failure::Transport => Error::cut(self.last_state, Some(error)),
            _ => match self.last_state {
                Some(state) => error.with_last_state(state),
                None => error,
            },
        }
    }
}

impl Stream for EventStream {
    type Item = Result<StreamResponse, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(error) = this.queued.take() {
            this.events = None;
            return Poll::Ready(Some(Err(error)));
        }
        let Some(events) = &mut this.events else {
            return Poll::Ready(None);
        };
        if this.finished {
            // A body that is read to its end gives its connection back; nobody waits for that.
            _ = events.next().poll_unpin(cx);
            this.events = None;
            return Poll::Ready(None);
        }
        let last = match ready!(events.poll_next_unpin(cx)) {
            Some(Ok(event)) => {
                this.last_event_id = event.id.or(this.last_event_id.take());
                this.learn(&event.message);
                return Poll::Ready(Some(Ok(event.message)));
            }
            Some(Err(error)) => Some(this.broken(error)),
            None => this.closed(),
        };
        this.events = None;
        Poll::Ready(last.map(Err))
    }
}

impl std::fmt::Debug for EventStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventStream")
            .field("task_id", &self.task_id)
            .field("last_state", &self.last_state)
            .field("last_event_id", &self.last_event_id)
            .finish_non_exhaustive()
    }
}
