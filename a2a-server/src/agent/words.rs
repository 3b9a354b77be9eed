use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use futures::task::AtomicWaker;
use tokio::sync::Notify;

use super::Said;

/// How many updates an agent may be ahead of the store.
const ROOM: usize = 128;

/// What an agent says on its way to its task's only writer. A channel of the runtime would do the
/// same, but is dear to make, and most runs are short.
pub(crate) fn words() -> (Speaker, Words) {
    let way = Arc::new(Way {
        state: Mutex::new(State {
            said: VecDeque::new(),
            speakers: 1,
            closed: false,
        }),
        writer: AtomicWaker::new(),
        room: Notify::new(),
        begun: Instant::now(),
        waited_for: AtomicU64::new(0),
    });
    (Speaker(Arc::clone(&way)), Words(way))
}

/// The agent's end. The run is over when the last clone is dropped.
pub(crate) struct Speaker(Arc<Way>);

/// The writer's end.
pub(crate) struct Words(Arc<Way>);

/// The writer takes nothing more.
pub(crate) struct Closed;

/// The writer waits for what the agent says next, until this is dropped.
pub(crate) struct Waits<'a>(&'a Way);

struct Way {
    state: Mutex<State>,
    writer: AtomicWaker,
    room: Notify,
    begun: Instant,
    /// When the writer, which waits, has to be let on: so many nanoseconds after `begun`. 0 when it
    /// does not wait.
    waited_for: AtomicU64,
}

struct State {
    said: VecDeque<Said>,
    speakers: usize,
    closed: bool,
}

impl Speaker {
    /// Waits until there is room, and lets on whoever waits for the word.
    ///
    /// # Errors
    ///
    /// When the writer takes nothing more.
    pub(crate) async fn say(&self, said: Said) -> Result<(), Closed> {
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
                    state.said.push_back(said);
                    break;
                }
            }
            room.await;
        }
        way.writer.wake();
        if way.has_to_be_let_on() {
            // The runtime keeps what this has woken for this thread alone, until the agent gives
            // way: one that went on to block the thread would stop its own task.
            tokio::task::yield_now().await;
        } else {
            // An agent whose writer keeps pace on another thread gives its own to others now and
            // then.
            tokio::task::consume_budget().await;
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
    /// Waits for words and moves up to `limit` of them to `out`. Returns how many; none when
    /// nothing more will be said. Nothing is lost when it is dropped.
    pub(crate) async fn next(&mut self, out: &mut Vec<Said>, limit: usize) -> usize {
        let way = Arc::clone(&self.0);
        let _waits = way.wait(Duration::ZERO);
        poll_fn(|context| {
            // First, so that no word from here on is missed.
            way.writer.register(context.waker());
            let count = self.ready(out, limit);
            if count > 0 || way.state().is_over() {
                return Poll::Ready(count);
            }
            Poll::Pending
        })
        .await
    }

    /// The writer waits in another way. An agent that goes on without a pause lets it on after
    /// `patience`.
    pub(crate) fn wait(&self, patience: Duration) -> Waits<'_> {
        self.0.wait(patience)
    }

    /// Moves up to `limit` of the words that are there to `out`. Returns how many.
    pub(crate) fn ready(&mut self, out: &mut Vec<Said>, limit: usize) -> usize {
        let mut state = self.0.state();
        let full = state.said.len() >= ROOM;
        let count = state.said.len().min(limit);
        out.extend(state.said.drain(..count));
        drop(state);
        if full {
            self.0.room.notify_waiters();
        }
        count
    }

    /// Takes nothing more than what has been said.
    pub(crate) fn close(&mut self) {
        self.0.state().closed = true;
        self.0.room.notify_waiters();
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        self.close();
        let unheard = std::mem::take(&mut self.0.state().said);
        drop(unheard);
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.waited_for.store(0, Ordering::Release);
    }
}

impl State {
    /// Nothing more will be said.
    fn is_over(&self) -> bool {
        self.said.is_empty() && (self.closed || self.speakers == 0)
    }
}

impl Way {
    fn wait(&self, patience: Duration) -> Waits<'_> {
        let due = self.now().saturating_add(nanoseconds(patience));
        self.waited_for.store(due.max(1), Ordering::Release);
        Waits(self)
    }

    fn has_to_be_let_on(&self) -> bool {
        match self.waited_for.load(Ordering::Acquire) {
            0 => false,
            due => self.now() >= due,
        }
    }

    fn now(&self) -> u64 {
        nanoseconds(self.begun.elapsed())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
