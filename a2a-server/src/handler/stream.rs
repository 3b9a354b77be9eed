use std::sync::Arc;
use std::time::Duration;

use a2a_types::store::{LogEntry, StoredTask};
use a2a_types::{A2aError, ErrorKind, LAST_EVENT_ID_HEADER, SubscribeToTaskRequest, TaskState};
use futures::stream::{self, StreamExt};
use tokio::sync::OwnedSemaphorePermit;

use super::Handler;
use crate::engine::{Batch, Cursor, Found, store_error};
use crate::pipeline::{Call, EventStream, StreamItem};

/// The events of a task from a cursor on, until the rule of the operation ends them.
pub(super) struct Tracked {
    cursor: Cursor,
    ends: Ends,
    /// Counts the open streams of the server.
    _permit: OwnedSemaphorePermit,
}

/// When a stream ends besides after a terminal event.
#[derive(Clone, Copy)]
enum Ends {
    /// Never.
    Subscription,
    /// After INPUT_REQUIRED, and when AUTH_REQUIRED lasts longer than this.
    Answer(Duration),
}

impl Handler {
    /// A2A §3.1.6
    pub(crate) async fn subscribe_to_task(
        &self,
        call: Call<SubscribeToTaskRequest>,
    ) -> Result<EventStream, A2aError> {
        let permit = self.permit()?;
        let Call {
            request,
            context,
            scope,
        } = call;
        if let Some(bus) = self.engine.bus() {
            let after = last_event_id(&context.headers);
            let follow = self.engine.follow(bus, &scope, &request.id, after).await?;
            return shared(follow, after, permit);
        }
        let found = self.engine.find_to_follow(&scope, &request.id).await?;
        let store = Arc::clone(self.engine.store());
        let resumed = match last_event_id(&context.headers) {
            // A log that reaches back so far gives an answer, even if an empty one.
            Some(n) => store
                .events(&scope, &request.id, n, 1)
                .await
                .map_err(store_error)?
                .map(|_| n),
            None => None,
        };
        match (found, resumed) {
            (Found::Live(lease), Some(n)) => Ok(Tracked::subscription(
                Cursor::live(lease, store, scope, n),
                permit,
            )
            .stream(None)),
            (Found::Settled(_), Some(n)) => {
                let cursor = Cursor::settled(request.id, store, scope, n);
                Ok(Tracked::subscription(cursor, permit).stream(None))
            }
            (Found::Settled(stored), None) => Err(ended(&request.id, stored.task.state())),
            (Found::Live(lease), None) => {
                let stored = store.load(&scope, &request.id).await.map_err(store_error)?;
                let stored = stored.ok_or_else(|| A2aError::task_not_found(&request.id))?;
                if stored.task.state().is_terminal() {
                    return Err(ended(&request.id, stored.task.state()));
                }
                let cursor = Cursor::live(lease, store, scope, stored.sequence);
                let first = StreamItem::Task(stored.task, stored.sequence);
                Ok(Tracked::subscription(cursor, permit).stream(Some(first)))
            }
        }
    }

    /// Room for one more stream.
    pub(super) fn permit(&self) -> Result<OwnedSemaphorePermit, A2aError> {
        Arc::clone(&self.streams).try_acquire_owned().map_err(|_| {
            let text = format!(
                "the server has reached its limit of {} streams",
                self.limits.streams
            );
            A2aError::new(ErrorKind::ResourceExhausted, text)
                .with_retry_after(Duration::from_secs(5))
        })
    }
}

/// A subscription to a task that any server may write. A log that does not reach back to the event
/// that the client has is followed from the task as it is now.
fn shared(
    (stored, cursor): (StoredTask, Cursor),
    after: Option<u64>,
    permit: OwnedSemaphorePermit,
) -> Result<EventStream, A2aError> {
    let state = stored.task.state();
    let first = match after {
        Some(_) => None,
        None if state.is_terminal() => return Err(ended(&stored.task.id, state)),
        None => Some(StreamItem::Task(stored.task, stored.sequence)),
    };
    Ok(Tracked::subscription(cursor, permit).stream(first))
}

/// A stream of one event.
pub(super) fn one(item: StreamItem) -> EventStream {
    EventStream {
        first: item.sequence(),
        events: stream::once(async move { Ok(vec![item]) }).boxed(),
    }
}

impl Tracked {
    /// Ends as the answer to a message does.
    pub(super) fn answer(
        cursor: Cursor,
        auth_wait: Duration,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            cursor,
            ends: Ends::Answer(auth_wait),
            _permit: permit,
        }
    }

    fn subscription(cursor: Cursor, permit: OwnedSemaphorePermit) -> Self {
        Self {
            cursor,
            ends: Ends::Subscription,
            _permit: permit,
        }
    }

    /// The stream, with something to say first.
    pub(super) fn stream(self, first: Option<StreamItem>) -> EventStream {
        let next = self.cursor.after() + 1;
        let sequence = first.as_ref().map_or(Some(next), StreamItem::sequence);
        let first = stream::iter(first.map(|item| Ok(vec![item])));
        let rest = stream::unfold(Some(self), |tracked| async { tracked?.step().await });
        EventStream {
            first: sequence,
            events: first.chain(rest).boxed(),
        }
    }

    /// One batch, and what is left of the stream after it.
    async fn step(mut self) -> Option<(Result<Vec<StreamItem>, A2aError>, Option<Self>)> {
        let mut entries = Vec::new();
        let next = match (self.ends, self.cursor.state()) {
            (Ends::Answer(wait), Some(TaskState::AuthRequired)) => {
                let next = self.cursor.next(&mut entries);
                tokio::time::timeout(wait, next)
                    .await
                    .unwrap_or(Ok(Batch::End))
            }
            _ => self.cursor.next(&mut entries).await,
        };
        match next {
            Err(error) => Some((Err(error), None)),
            Ok(Batch::End) => None,
            // A reader that has slept through the time of the log loses nothing of the task.
            Ok(Batch::Outcome(stored)) => {
                let task = StreamItem::Task(stored.task, stored.sequence);
                Some((Ok(vec![task]), None))
            }
            Ok(Batch::Entries) => {
                let last = entries.iter().position(|entry| self.is_last(entry));
                if let Some(last) = last {
                    entries.truncate(last + 1);
                }
                let items = entries.into_iter().map(StreamItem::Event).collect();
                Some((Ok(items), last.is_none().then_some(self)))
            }
        }
    }

    fn is_last(&self, entry: &LogEntry) -> bool {
        entry.event().state().is_some_and(|state| match self.ends {
            Ends::Subscription => state.is_terminal(),
            Ends::Answer(_) => state.is_terminal() || state == TaskState::InputRequired,
        })
    }
}

/// The event after which a client wants to go on. Anything but a number is as good as none.
fn last_event_id(headers: &http::HeaderMap) -> Option<u64> {
    headers
        .get(LAST_EVENT_ID_HEADER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()
}

fn ended(id: &str, state: TaskState) -> A2aError {
    let state = state.as_str_name();
    A2aError::unsupported_operation(format!(
        "task {id} has ended in state {state}; read it instead"
    ))
    .with_metadata("taskId", id)
    .with_metadata("state", state)
}
