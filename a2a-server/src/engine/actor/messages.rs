//! Later messages of a task: accepted one after the other, never by two runs.

use std::sync::Arc;
use std::time::Duration;

use a2a_types::store::Replay;
use a2a_types::{A2aError, ErrorKind, Task};
use tokio::sync::oneshot;

use super::{Actor, Flow};
use crate::agent::Request;
use crate::engine::live::Waiting;
use crate::engine::run::Run;
use crate::engine::{Accepted, Snapshot, WhileRunning, store_error};

impl Actor {
    /// A later message: it continues a task that waits, is taken by a run that asks for it, or
    /// waits for its turn.
    pub(super) async fn receive(&mut self, message: Waiting) -> Flow {
        // Those whose senders have left take no room.
        self.waiting.retain(|message| !message.reply.is_closed());
        let refusal = if self.draining {
            Some(A2aError::unavailable(None))
        } else if !self.ledger.has_room() {
            let limit = self.shared.settings.limits.history;
            Some(A2aError::new(
                ErrorKind::ResourceExhausted,
                format!("the task's history has reached its limit of {limit} messages"),
            ))
        } else if self.refuses_messages() {
            let text = "the task is being worked on and takes no messages meanwhile";
            Some(A2aError::unsupported_operation(text).with_metadata("taskId", &*self.live.id))
        } else if self.waiting.len() >= self.shared.settings.waiting_messages {
            let text = "too many messages wait for this task";
            let retry = Duration::from_secs(1);
            Some(A2aError::new(ErrorKind::ResourceExhausted, text).with_retry_after(retry))
        } else {
            None
        };
        if let Some(error) = refusal {
            let _ = message.reply.send(Err(error));
            return Flow::Continue;
        }
        self.waiting.push_back(message);
        if self.run.is_none() {
            self.begin_turn().await
        } else {
            self.offer().await
        }
    }

    fn refuses_messages(&self) -> bool {
        let asked_for = self.taker.as_ref().is_some_and(|taker| !taker.is_closed());
        self.run.is_some()
            && !asked_for
            && self.shared.settings.while_running == WhileRunning::Refuse
    }

    /// Starts a run with the message that waits longest.
    pub(super) async fn begin_turn(&mut self) -> Flow {
        if let Some(request) = self.undelivered.pop_front() {
            self.listeners.answer_to(&request);
            self.start(Run::spawn(&self.shared, request));
            return Flow::Continue;
        }
        while let Some(message) = self.waiting.pop_front() {
            // A sender that left before its message was accepted has sent nothing.
            if message.reply.is_closed() {
                continue;
            }
            match self.accept(message).await {
                Ok(accepted) => {
                    let request = accepted.tell(self.next_turn());
                    self.listeners.answer_to(&request);
                    self.start(Run::spawn(&self.shared, request));
                    break;
                }
                Err(Flow::Continue) => {}
                Err(Flow::End) => return Flow::End,
            }
        }
        Flow::Continue
    }

    /// Hands the message that waits longest to a run that asks for one.
    pub(super) async fn offer(&mut self) -> Flow {
        while self.taker.as_ref().is_some_and(|t| !t.is_closed()) {
            let Some(message) = self.waiting.pop_front() else {
                break;
            };
            if message.reply.is_closed() {
                continue;
            }
            let accepted = match self.accept(message).await {
                Ok(accepted) => accepted,
                Err(Flow::Continue) => continue,
                Err(Flow::End) => return Flow::End,
            };
            let request = accepted.tell(self.next_turn());
            self.deliver(request);
        }
        Flow::Continue
    }

    /// Gives an accepted message to the run that asks. It is the next run's when this one does not
    /// take it after all.
    fn deliver(&mut self, request: Request) {
        if let (Some(run), Some(taker)) = (&self.run, self.taker.take()) {
            self.listeners.answer_to(&request);
            run.words.control().inbox().push_back(request);
            // An agent that stopped asking just now finds it when it asks again.
            let _ = taker.send(());
        }
    }

    fn next_turn(&self) -> u64 {
        self.live.head.read(|head| head.turns) + 1
    }

    /// Makes the message part of the task, and its webhook one of the task's.
    async fn accept(&mut self, message: Waiting) -> Result<Stored, Flow> {
        if let (Some(webhooks), Some(webhook)) = (&self.shared.webhooks, message.webhook) {
            let webhooks = webhooks.clone();
            let registered = match webhooks.register(*webhook).await {
                Ok(webhook) => {
                    self.refresh_listeners().await;
                    webhooks.replaced(&webhook).await
                }
                Err(error) => Err(error),
            };
            if let Err(error) = registered {
                let _ = message.reply.send(Err(error));
                return Err(Flow::Continue);
            }
        }
        if message.snapshot == Snapshot::Wanted {
            // To read on from there.
            self.live.follow();
        }
        let thoughts = self.ledger.thoughts();
        let input = self.ledger.input(message.request.message().clone());
        let entries = thoughts.into_iter().chain([input]);
        let entries: Vec<_> = entries.map(Arc::new).collect();
        if let Err(error) = self.store(entries.into(), Replay::Possible).await {
            let _ = message.reply.send(Err(store_error(error.clone())));
            return Err(self.give_up(error));
        }
        let snapshot = match message.snapshot {
            Snapshot::Unwanted => None,
            Snapshot::Wanted => {
                let stored = self.shared.store.load(&self.scope, &self.live.id).await;
                Some(stored.map_err(store_error).and_then(|stored| {
                    let stored = stored.ok_or_else(|| A2aError::task_not_found(&*self.live.id))?;
                    Ok(stored.task)
                }))
            }
        };
        Ok(Stored {
            request: message.request,
            reply: message.reply,
            snapshot,
            after: self.ledger.sequence(),
        })
    }
}

/// A message that is part of the task, whose sender does not know it yet.
struct Stored {
    request: Request,
    reply: oneshot::Sender<Result<Accepted, A2aError>>,
    snapshot: Option<Result<Arc<Task>, A2aError>>,
    after: u64,
}

impl Stored {
    /// Tells the sender which turn answers the message.
    fn tell(self, turn: u64) -> Request {
        let after = self.after;
        let accepted = self.snapshot.transpose().map(|snapshot| Accepted {
            after,
            turn,
            snapshot,
        });
        let _ = self.reply.send(accepted);
        self.request
    }
}
