//! What comes of one action.

use super::{Canceling, Client, Entry, Model, No, QUEUE, text};
use crate::schedule::{Action, Hook, Id, Mode, Pass, State, Word};

impl Model {
    pub(super) fn act(self, id: Id, action: Action, run: usize) -> Vec<Self> {
        let mut outcomes = Vec::new();
        if self.failed && matches!(action, Action::Message(_) | Action::Cancel(_)) {
            let mut refused = self.clone();
            refused.clients.insert(id, Client::Done(Err(No::Store)));
            outcomes.push(refused);
        }
        outcomes.extend(self.done(id, action, run));
        outcomes
    }

    fn done(mut self, id: Id, action: Action, run: usize) -> Vec<Self> {
        // The agent of a run that is over speaks to nobody.
        let current = self.run.is_some() && self.given.len() == run;
        match action {
            Action::Send(mode) => {
                let answer = self.send(id, mode);
                self.clients.insert(id, answer);
            }
            Action::Message(mode) => return self.message(id, mode),
            Action::Subscribe(from) => {
                // A log that nobody has ever read may be forgotten when the task ends.
                let unread = !self.followed && from.is_some_and(|from| from < self.length());
                let answer = self.subscribe(from);
                if self.state().is_terminal() && unread && answer == Client::Done(Ok(())) {
                    let mut forgotten = self.clone();
                    let no = Client::Done(Err(No::Unsupported));
                    forgotten.clients.insert(id, no);
                    self.clients.insert(id, answer);
                    return vec![self, forgotten];
                }
                self.clients.insert(id, answer);
            }
            Action::Leave(id) => {
                self.clients.remove(&id);
                self.queue.retain(|(queued, _)| *queued != id);
            }
            Action::Cancel(_) => {
                let held = self.is_held();
                self.clients.insert(id, Client::Canceling);
                self.cancel(id, held);
            }
            Action::FailAppend => self.failing += 1,
            Action::Shutdown => {
                self.closing = true;
                self.draining = true;
                if self.exists() && self.run.is_none() {
                    self.close();
                }
            }
            _ if !current => {}
            Action::Say(word) => {
                let text = format!("s{id}");
                self.append(match word {
                    Word::Status(state) => Entry::Status(state, text),
                    Word::Artifact => Entry::Artifact(text),
                });
            }
            Action::End(end) => self.finish(end),
            Action::Watch | Action::Ask | Action::StopAsking => return self.listen(action),
        }
        vec![self]
    }

    fn listen(mut self, action: Action) -> Vec<Self> {
        let Some(run) = &mut self.run else {
            return vec![self];
        };
        match action {
            Action::Watch => run.watching = true,
            Action::StopAsking => {
                run.asking = false;
                run.taker = false;
            }
            _ => {
                if let Some(message) = run.inbox.pop_front() {
                    self.given.last_mut().unwrap().push(message);
                    return vec![self];
                }
                run.asking = true;
                // It may stop before it is heard.
                let unheard = self.clone();
                self.run.as_mut().unwrap().taker = true;
                let mut heard = match self.queue.pop_front() {
                    Some((id, mode)) => self.hand_over(id, mode),
                    None => vec![self],
                };
                heard.push(unheard);
                return heard;
            }
        }
        vec![self]
    }

    /// Gives a message to the run that asks: it takes it, or gives up asking just then.
    fn hand_over(mut self, id: Id, mode: Mode) -> Vec<Self> {
        if !self.accept(id, mode) {
            return vec![self];
        }
        let Some(run) = &mut self.run else {
            return vec![self];
        };
        run.taker = false;
        let mut left = self.clone();
        left.run.as_mut().unwrap().inbox.push_back(text(id));
        self.run.as_mut().unwrap().asking = false;
        self.given.last_mut().unwrap().push(text(id));
        vec![self, left]
    }

    fn send(&mut self, id: Id, mode: Mode) -> Client {
        if self.closing {
            return Client::Done(Err(No::Unavailable));
        }
        if self.out {
            return Client::Done(Err(No::Store));
        }
        if !self.exists() {
            self.state = Some(State::Submitted);
            self.entries.push(Entry::Input("first".to_owned()));
            self.begin_run("first".to_owned());
            return self.waiting(mode, 0, 1);
        }
        let _ = id;
        if self.state().is_terminal() {
            return Client::Done(Ok(()));
        }
        // It stands where the task stands now.
        let (after, turn) = if self.state().is_settled() {
            (0, 0)
        } else {
            (self.length(), self.turns + 1)
        };
        self.waiting(mode, after, turn)
    }

    fn message(mut self, id: Id, mode: Mode) -> Vec<Self> {
        let refusal = if !self.exists() {
            Some(No::NotFound)
        } else if self.out && !self.is_held() {
            Some(No::Store)
        } else if self.state().is_terminal() {
            Some(No::Unsupported)
        } else if self.closing {
            Some(No::Unavailable)
        } else if self.lost {
            Some(No::Unsupported)
        } else if self.queue.len() >= QUEUE {
            Some(No::Exhausted)
        } else {
            None
        };
        if let Some(no) = refusal {
            self.clients.insert(id, Client::Done(Err(no)));
            return vec![self];
        }
        self.clients.insert(id, Client::Queued(mode));
        match &self.run {
            Some(run) if run.taker => return self.hand_over(id, mode),
            _ => self.queue.push_back((id, mode)),
        }
        if self.run.is_none() {
            self.begin_turn();
        }
        vec![self]
    }

    /// Whether the task has an actor.
    fn is_held(&self) -> bool {
        self.is_live() && !self.lost && !self.state().is_terminal()
    }

    fn subscribe(&mut self, from: Option<u64>) -> Client {
        if self.out {
            return Client::Done(Err(No::Store));
        }
        if !self.exists() {
            return Client::Done(Err(No::NotFound));
        }
        let resumed = from.is_some_and(|from| from <= self.length());
        if self.state().is_terminal() {
            return Client::Done(if resumed {
                Ok(())
            } else {
                Err(No::Unsupported)
            });
        }
        if self.closing && !self.is_held() {
            return Client::Done(Err(No::Unavailable));
        }
        self.following = true;
        Client::Open(None)
    }

    fn cancel(&mut self, id: Id, held: bool) {
        let refusal = if !self.exists() {
            Some(No::NotFound)
        } else if self.out && !held {
            Some(No::Store)
        } else if self.state().is_terminal() {
            Some(No::NotCancelable)
        } else if self.closing && !held {
            Some(No::Unavailable)
        } else if self.lost {
            Some(No::NotCancelable)
        } else {
            None
        };
        if let Some(no) = refusal {
            return self.answer(id, Err(no));
        }
        if let Some(canceling) = &mut self.canceling {
            return canceling.clients.push(id);
        }
        self.canceling = Some(Canceling {
            clients: vec![id],
            told: false,
        });
        if self.run.is_none() {
            self.conclude(State::Canceled, "");
        }
    }

    /// The agent has answered to the cancellation that this client began.
    pub(super) fn answer_cancel(&mut self, id: Id, hook: Hook) {
        let Some(canceling) = &mut self.canceling else {
            return;
        };
        if canceling.clients.first() != Some(&id) || canceling.told {
            return;
        }
        match hook {
            Hook::Hang => {}
            Hook::Decline => {
                for id in self.canceling.take().into_iter().flat_map(|c| c.clients) {
                    self.answer(id, Err(No::NotCancelable));
                }
            }
            Hook::Agree | Hook::Panic => {
                canceling.told = true;
                if !self.run.as_ref().is_some_and(|run| run.watching) {
                    self.stop_run();
                    self.conclude(State::Canceled, "");
                }
            }
        }
    }

    fn stop_run(&mut self) {
        self.run = None;
    }

    /// Time passes.
    pub fn pass(mut self, pass: Pass) -> Self {
        if self.canceling.is_some() {
            self.stop_run();
            self.conclude(State::Canceled, "");
        }
        if pass == Pass::Limit && self.run.is_some() {
            if self.closing {
                self.stop_run();
                if self.state().is_settled() {
                    self.close();
                } else {
                    self.conclude(State::Failed, "the server was shut down");
                }
            } else if self.run.as_ref().is_some_and(|run| run.counting) {
                self.stop_run();
                self.conclude(State::Failed, "the agent took too long");
            }
        }
        while self.lost && !self.closing {
            self.mend();
        }
        self
    }

    /// A task without a run is ended as soon as the store can take that.
    pub(super) fn mend(&mut self) {
        if self.lost && !self.closing && !self.out {
            self.lost = false;
            self.conclude(State::Failed, "the run of this task was lost");
        }
    }
}
