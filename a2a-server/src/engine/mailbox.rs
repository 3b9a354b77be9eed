use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::live::Command;

/// The commands for an actor, and what wakes it. A channel of its own for every task would cost
/// more than most tasks do.
pub(super) struct Mailbox {
    state: Mutex<State>,
    wake: Notify,
}

/// The actor takes no more commands.
pub(super) struct Closed;

struct State {
    commands: VecDeque<Command>,
    open: bool,
}

impl Mailbox {
    pub(super) fn new() -> Self {
        let state = State {
            commands: VecDeque::new(),
            open: true,
        };
        Self {
            state: Mutex::new(state),
            wake: Notify::new(),
        }
    }

    /// # Errors
    ///
    /// When the actor takes no more; the command, and whoever waits for its answer, is dropped.
    pub(super) fn send(&self, command: Command) -> Result<(), Closed> {
        {
            let mut state = self.state();
            if !state.open {
                return Err(Closed);
            }
            state.commands.push_back(command);
        }
        self.wake.notify_one();
        Ok(())
    }

    /// Wakes the actor without a command.
    pub(super) fn nudge(&self) {
        self.wake.notify_one();
    }

    /// Waits for a command; `None` after a nudge. Nothing is lost when it is dropped.
    pub(super) async fn next(&self) -> Option<Command> {
        let waiting = self.state().commands.pop_front();
        if waiting.is_some() {
            return waiting;
        }
        self.wake.notified().await;
        self.state().commands.pop_front()
    }

    /// Takes no more; returns what has come in.
    pub(super) fn close(&self) -> VecDeque<Command> {
        let mut state = self.state();
        state.open = false;
        std::mem::take(&mut state.commands)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
