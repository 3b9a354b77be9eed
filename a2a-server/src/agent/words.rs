use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use futures::task::AtomicWaker;
use tokio::sync::Notify;

use super::control::RunControl;
use super::{AgentError, Emission};

/// How many updates an agent may be ahead of the store.
const ROOM: usize = 128;

/// What an agent says on its way to its task's only writer. A channel of the runtime would do the
/// same, but is dear to make, and most runs are short.
pub(crate) fn words() -> (Speaker, Words) {
    let way = Arc::new(Way::default());
    way.state().speakers = 1;
    (Speaker(Arc::clone(&way)), Words(way))
}

/// The agent's end. The run is over when the last clone is dropped.
pub(crate) struct Speaker(Arc<Way>);

/// The writer's end.
pub(crate) struct Words(Arc<Way>);

/// The writer takes nothing more.
pub(crate) struct Closed;

#[derive(Default)]
struct Way {
    state: Mutex<State>,
    writer: AtomicWaker,
    room: Notify,
    control: RunControl,
}

#[derive(Default)]
struct State {
    /// Oldest first.
    said: Vec<Emission>,
    speakers: usize,
    closed: bool,
}

impl Speaker {
    pub(super) fn control(&self) -> &RunControl {
        &self.0.control
    }

    /// Waits until there is room.
    ///
    /// # Errors
    ///
    /// When the writer takes nothing more.
    pub(crate) async fn say(&self, said: Emission) -> Result<(), Closed> {
        let Self(way) = self;
        loop {
            // From here on no change of the room is missed.
            let room = way.room.notified();
            {
                let mut state = way.state();
                if state.closed {
                    return Err(Closed);
                }
                if state.said.len() < ROOM {
                    state.said.push(said);
                    break;
                }
            }
            room.await;
        }
        way.writer.wake();
        // An agent whose writer keeps pace on another thread gives its own to others now and then.
        tokio::task::consume_budget().await;
        if way.control.has_to_give_way() {
            // The runtime keeps what this has woken for this thread alone, until the agent gives
            // way: one that went on to block the thread would stop its own task.
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}

impl Clone for Speaker {
    fn clone(&self) -> Self {
        self.0.state().speakers += 1;
        Self(Arc::clone(&self.0))
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        let speakers = {
            let mut state = self.0.state();
            state.speakers -= 1;
            state.speakers
        };
        if speakers == 0 {
            self.0.writer.wake();
        }
    }
}

impl Words {
    pub(crate) fn control(&self) -> &RunControl {
        &self.0.control
    }

    /// While this is there the writer waits, and an agent that goes on without a pause lets it on
    /// after that time.
    pub(crate) fn wait_for(&self, patience: Duration) -> Waiting<'_> {
        self.0.control.wait_for(patience);
        Waiting(&self.0.control)
    }

    /// Waits for words and moves up to `limit` of them to `out`. Returns how many; none when
    /// nothing more will be said. Nothing is lost when it is dropped.
    pub(crate) async fn next(&mut self, out: &mut Vec<Emission>, limit: usize) -> usize {
        let _waiting = self.wait_for(Duration::ZERO);
        poll_fn(|context| {
            let count = self.ready(out, limit);
            if count > 0 {
                return Poll::Ready(count);
            }
            self.0.writer.register(context.waker());
            // What was said meanwhile has woken nobody.
            let count = self.ready(out, limit);
            let state = self.0.state();
            let over = state.said.is_empty() && (state.closed || state.speakers == 0);
            if count > 0 || over {
                return Poll::Ready(count);
            }
            Poll::Pending
        })
        .await
    }

    /// Moves up to `limit` of the words that are there to `out`. Returns how many.
    pub(crate) fn ready(&self, out: &mut Vec<Emission>, limit: usize) -> usize {
        let mut state = self.0.state();
        let full = state.said.len() >= ROOM;
        let count = state.said.len().min(limit);
        if out.is_empty() && count == state.said.len() {
            // The room is used again.
            mem::swap(out, &mut state.said);
        } else {
            out.extend(state.said.drain(..count));
        }
        drop(state);
        if full {
            self.0.room.notify_waiters();
        }
        count
    }

    /// Takes nothing more than what has been said, and tells the agent why when it goes on.
    pub(crate) fn refuse(&mut self, why: AgentError) {
        self.0.control.refuse(why);
        self.close();
    }

    fn close(&mut self) {
        self.0.state().closed = true;
        self.0.room.notify_waiters();
    }
}

/// The writer waits for what the agent says next.
pub(crate) struct Waiting<'a>(&'a RunControl);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.go_on();
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        self.close();
        let unheard = mem::take(&mut self.0.state().said);
        drop(unheard);
    }
}

impl Way {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
