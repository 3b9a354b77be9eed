//! What the engine is for, in short: one task, one thing after the other.
//!
//! What happens at the same time may happen in any order. So a model is not one state but all
//! states that are possible: [`outcomes`] gives those after a group of actions, and what is
//! observed afterwards decides which of them are left.

mod acts;
mod outcomes;

use std::collections::{BTreeMap, VecDeque};

use crate::schedule::{End, Id, Mode, State};

pub use outcomes::outcomes;

/// How many messages may wait for a run.
pub const QUEUE: usize = 2;

/// What is in the log of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Not shown by streams.
    Input(String),
    Status(State, String),
    Artifact(String),
}

impl Entry {
    pub fn is_visible(&self) -> bool {
        !matches!(self, Self::Input(_))
    }
}

/// Why a client got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum No {
    /// There is no such task.
    NotFound,
    /// The task has ended.
    Unsupported,
    NotCancelable,
    /// Too many messages wait.
    Exhausted,
    /// The server stops.
    Unavailable,
    /// The store has failed.
    Store,
}

/// What a client has, or still waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Its message waits for a run.
    Queued(Mode),
    /// It waits for an event after `after`, or for the end of the turn. `ready` when that is there;
    /// it is answered then as soon as the task is settled.
    Waiting {
        after: u64,
        turn: u64,
        ready: bool,
    },
    /// Its cancellation is under way.
    Canceling,
    /// It has a stream: the answer to a turn, or a subscription.
    Open(Option<u64>),
    Done(Result<(), No>),
    /// It was ready when the server failed it: it may have been in time.
    Either(No),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Run {
    /// The engine knows that the agent waits for a message.
    taker: bool,
    /// The agent waits for a message.
    asking: bool,
    /// Handed over, not taken.
    inbox: VecDeque<String>,
    watching: bool,
    /// Whether the time of the run passes.
    counting: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Canceling {
    clients: Vec<Id>,
    /// The agent has been told, and is waited for.
    told: bool,
}

/// One possible state of everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Model {
    pub entries: Vec<Entry>,
    state: Option<State>,
    run: Option<Run>,
    /// What each run was given, oldest first.
    pub given: Vec<Vec<String>>,
    queue: VecDeque<(Id, Mode)>,
    undelivered: VecDeque<String>,
    canceling: Option<Canceling>,
    pub clients: BTreeMap<Id, Client>,
    turns: u64,
    settled: u64,
    closing: bool,
    draining: bool,
    /// How many of the next events the store will not take.
    failing: usize,
    out: bool,
    /// The store has failed just now: it fails whoever has come to the task meanwhile, too.
    failed: bool,
    /// Somebody may know a place in the log.
    followed: bool,
    /// As much, unless the task ended at the same moment.
    following: bool,
    /// The run was cut off by the store, and the task says that it is at work.
    lost: bool,
}

impl Model {
    pub fn exists(&self) -> bool {
        self.state.is_some()
    }

    pub fn is_closing(&self) -> bool {
        self.closing
    }

    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    pub fn is_asking(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.asking)
    }

    /// Whether the agent has been told of a cancellation.
    pub fn is_told(&self) -> bool {
        self.canceling.as_ref().is_some_and(|c| c.told)
    }

    pub fn state(&self) -> State {
        self.state.unwrap_or(State::Submitted)
    }

    /// How many visible events there are.
    pub fn length(&self) -> u64 {
        self.entries.iter().filter(|e| e.is_visible()).count() as u64
    }

    /// Clients that have not got all they want.
    pub fn waiting_clients(&self) -> Vec<Id> {
        let waiting = |client: &Client| !matches!(client, Client::Done(_) | Client::Either(_));
        let clients = self.clients.iter().filter(|(_, client)| waiting(client));
        clients.map(|(id, _)| *id).collect()
    }

    /// Whether the task has an actor when nothing is left to do.
    pub fn is_live(&self) -> bool {
        let held = |client: &Client| !matches!(client, Client::Done(_) | Client::Either(_));
        // A server that stops lets go of what does not run.
        self.run.is_some() || !self.closing && self.clients.values().any(held)
    }

    fn answer(&mut self, id: Id, answer: Result<(), No>) {
        // A client that has left is not there any more.
        if let Some(client) = self.clients.get_mut(&id) {
            *client = Client::Done(answer);
        }
    }

    fn begin_run(&mut self, message: String) {
        self.given.push(vec![message]);
        self.run = Some(Run {
            taker: false,
            asking: false,
            inbox: VecDeque::new(),
            watching: false,
            counting: true,
        });
    }

    /// `false` when the store did not take it.
    fn append(&mut self, entry: Entry) -> bool {
        if self.out || self.failing > 0 {
            self.failing -= usize::from(!self.out);
            self.give_up();
            return false;
        }
        let settles = match &entry {
            Entry::Status(state, _) => {
                self.state = Some(*state);
                state.is_settled()
            }
            _ => false,
        };
        let visible = entry.is_visible();
        self.entries.push(entry);
        if visible {
            let counting = !self.state().is_interrupted();
            if let Some(run) = &mut self.run {
                run.counting = counting;
            }
        }
        if settles {
            self.settled = self.length();
        }
        self.look();
        if self.state().is_terminal() {
            self.end();
        }
        true
    }

    /// Clients see what has happened.
    fn look(&mut self) {
        let (settled, turns, state) = (self.settled, self.turns, self.state());
        let asked = self.entries.last().is_some_and(asks);
        for client in self.clients.values_mut() {
            match client {
                Client::Waiting { after, turn, ready } => {
                    *ready |= settled > *after || turns >= *turn;
                }
                // Something is asked, or was asked before the turn ended.
                Client::Open(Some(turn))
                    if state == State::InputRequired && (asked || turns >= *turn) =>
                {
                    *client = Client::Done(Ok(()));
                }
                _ => {}
            }
        }
    }

    /// The task is terminal.
    fn end(&mut self) {
        self.run = None;
        self.undelivered.clear();
        let canceled = self.state() == State::Canceled;
        for id in self.canceling.take().into_iter().flat_map(|c| c.clients) {
            self.answer(
                id,
                if canceled {
                    Ok(())
                } else {
                    Err(No::NotCancelable)
                },
            );
        }
        for (id, _) in std::mem::take(&mut self.queue) {
            self.answer(id, Err(No::Unsupported));
        }
        for client in self.clients.values_mut() {
            match client {
                Client::Waiting { ready, .. } => *ready = true,
                Client::Open(_) => *client = Client::Done(Ok(())),
                _ => {}
            }
        }
    }

    /// The store has failed.
    fn give_up(&mut self) {
        self.run = None;
        self.undelivered.clear();
        let refused: Vec<Id> = self
            .canceling
            .take()
            .into_iter()
            .flat_map(|c| c.clients)
            .collect();
        let queued = std::mem::take(&mut self.queue)
            .into_iter()
            .map(|(id, _)| id);
        for id in queued.chain(refused) {
            self.answer(id, Err(No::Store));
        }
        for client in self.clients.values_mut() {
            match client {
                Client::Waiting { ready: true, .. } => *client = Client::Either(No::Store),
                Client::Waiting { .. } | Client::Open(_) => *client = Client::Done(Err(No::Store)),
                _ => {}
            }
        }
        self.lost = !self.state().is_settled();
        self.failed = true;
    }

    /// The server lets go of a task that does not run.
    fn close(&mut self) {
        self.run = None;
        for client in self.clients.values_mut() {
            match client {
                Client::Waiting { ready, .. } => *ready = true,
                Client::Open(_) => *client = Client::Done(Ok(())),
                _ => {}
            }
        }
        let refused: Vec<Id> = self
            .canceling
            .take()
            .into_iter()
            .flat_map(|c| c.clients)
            .collect();
        let queued = std::mem::take(&mut self.queue)
            .into_iter()
            .map(|(id, _)| id);
        for id in queued.chain(refused) {
            self.answer(id, Err(No::Unavailable));
        }
    }

    fn conclude(&mut self, state: State, text: &str) {
        self.append(Entry::Status(state, text.to_owned()));
    }

    /// A run has ended by itself.
    fn finish(&mut self, end: End) {
        let Some(run) = self.run.take() else { return };
        self.undelivered.extend(run.inbox);
        if self.canceling.is_some() {
            return self.conclude(State::Canceled, "");
        }
        match end {
            End::Error => return self.conclude(State::Failed, "as told"),
            End::Panic => return self.conclude(State::Failed, "the agent failed unexpectedly"),
            End::Ok if !self.state().is_settled() => {
                let text = "the agent ended without finishing the task";
                return self.conclude(State::Failed, text);
            }
            End::Ok => {}
        }
        self.turns += 1;
        self.look();
        self.begin_turn();
        if self.run.is_none() && self.draining {
            self.close();
        }
    }

    fn begin_turn(&mut self) {
        if let Some(message) = self.undelivered.pop_front() {
            return self.begin_run(message);
        }
        if let Some((id, mode)) = self.queue.pop_front()
            && self.accept(id, mode)
        {
            self.begin_run(text(id));
        }
    }

    /// The message becomes part of the task. `false` when it does not.
    fn accept(&mut self, id: Id, mode: Mode) -> bool {
        if !self.append(Entry::Input(text(id))) {
            self.answer(id, Err(No::Store));
            return false;
        }
        let client = self.waiting(mode, self.length(), self.turns + 1);
        if let Some(known) = self.clients.get_mut(&id) {
            *known = client;
        }
        true
    }

    /// A client whose message was accepted.
    fn waiting(&mut self, mode: Mode, after: u64, turn: u64) -> Client {
        self.following |= mode != Mode::Blocking && !self.state().is_terminal();
        let ready = self.settled > after || self.turns >= turn;
        match mode {
            Mode::Blocking => Client::Waiting { after, turn, ready },
            Mode::Immediate => Client::Done(Ok(())),
            Mode::Stream if ready && self.state() == State::InputRequired => Client::Done(Ok(())),
            Mode::Stream => Client::Open(Some(turn)),
        }
    }
}

/// The text of the message that this client sends.
pub fn text(id: Id) -> String {
    format!("m{id}")
}

fn asks(entry: &Entry) -> bool {
    matches!(entry, Entry::Status(State::InputRequired, _))
}
