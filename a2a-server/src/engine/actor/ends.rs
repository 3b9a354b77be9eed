//! The ends of an actor: nobody is left waiting, whatever it ends with.

use std::sync::Arc;

use a2a_types::A2aError;
use a2a_types::store::StoreError;

use super::{Actor, Flow};
use crate::agent::AgentError;
use crate::engine::live::Command;
use crate::engine::{ended, store_error, upkeep};

impl Actor {
    /// The task is terminal: everybody who waits gets an answer.
    pub(super) fn end(&mut self) -> Flow {
        self.fault(AgentError::task_ended());
        self.shared.live.remove(&self.live);
        self.answer_cancel();
        let live = Arc::clone(&self.live);
        self.refuse_waiting(|| ended(&live.id));
        Flow::End
    }

    /// The store has failed: what it did not take has not happened.
    pub(super) fn give_up(&mut self, error: StoreError) -> Flow {
        let task_id = &*self.live.id;
        let cause: &dyn std::error::Error = &error;
        tracing::error!(
            task_id,
            error = cause,
            "the store failed; the run is stopped"
        );
        if let Some(mut run) = self.run.take() {
            run.refuse(AgentError::store());
            run.abort();
        }
        self.shared.live.remove(&self.live);
        if !self.lost {
            upkeep::end_when_possible(&self.shared, Arc::clone(&self.live.id));
        }
        let error = store_error(error);
        self.announce(Err(error.clone()));
        self.refuse_waiting(|| error.clone());
        self.fail_cancel(&error);
        self.live.head.change(|head| {
            head.closed = true;
            head.failure = Some(error);
        });
        Flow::End
    }

    /// Ends the actor, but not the task.
    pub(super) fn close(&mut self) -> Flow {
        self.shared.live.remove(&self.live);
        self.fail_cancel(&A2aError::unavailable(None));
        self.refuse_waiting(|| A2aError::unavailable(None));
        self.live.head.change(|head| head.closed = true);
        Flow::End
    }

    /// Ends the actor when nothing runs and nobody listens.
    pub(super) fn retire(&mut self) -> Flow {
        let unused = self.run.is_none() && self.shared.live.remove_unused(&self.live);
        if unused { Flow::End } else { Flow::Continue }
    }

    fn refuse_waiting(&mut self, error: impl Fn() -> A2aError) {
        for command in self.live.mailbox.close() {
            match command {
                Command::Message(message) => {
                    let _ = message.reply.send(Err(error()));
                }
                Command::Cancel { reply, .. } => {
                    // What the ledger has may not be stored.
                    let ended = self.live.head.read(|head| head.state.is_terminal());
                    let _ = reply.send(if ended { self.verdict() } else { Err(error()) });
                }
                Command::Webhooks(_) | Command::Drain | Command::Stop => {}
            }
        }
        for message in self.waiting.drain(..) {
            let _ = message.reply.send(Err(error()));
        }
    }
}

/// An actor that ends in any other way than above leaves nobody waiting.
impl Drop for Actor {
    fn drop(&mut self) {
        self.shared.live.remove(&self.live);
        // Commands that come in too late are handed back to their senders.
        drop(self.live.mailbox.close());
        if !self.live.head.read(|head| head.closed) {
            self.live.head.change(|head| head.closed = true);
        }
    }
}
