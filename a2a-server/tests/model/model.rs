//! What the engine is for, in short: one task, one thing after the other.
//!
//! What happens at the same time may happen in any order. So a model is not one state but all
//! states that are possible: [`outcomes`] gives those after a group of actions, and what is
//! observed afterwards decides which of them are left.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::schedule::{Action, End, Hook, Id, Mode, Pass, State, Store, Word};

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

/// What cannot be divided.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Do(Id, Action),
    /// The agent answers whether it agrees to a cancellation.
    Answer(Id, Hook),
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

    fn act(self, id: Id, action: Action, run: usize) -> Vec<Self> {
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
    fn answer_cancel(&mut self, id: Id, hook: Hook) {
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
    fn mend(&mut self) {
        if self.lost && !self.closing && !self.out {
            self.lost = false;
            self.conclude(State::Failed, "the run of this task was lost");
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

/// All that a group of actions can come to, whatever the order in which they come to pass. The
/// actions of one agent keep theirs.
pub fn outcomes(from: &HashSet<Model>, store: Store, actions: &[(Id, Action)]) -> HashSet<Model> {
    let mut threads: Vec<Vec<Atom>> = vec![Vec::new()];
    for (id, action) in actions {
        let atom = Atom::Do(*id, *action);
        match action {
            Action::Say(_) | Action::Watch | Action::Ask | Action::StopAsking | Action::End(_) => {
                threads[0].push(atom);
            }
            Action::Cancel(hook) => threads.push(vec![atom, Atom::Answer(*id, *hook)]),
            _ => threads.push(vec![atom]),
        }
    }
    let mut done = HashSet::new();
    let mut seen = HashSet::new();
    for model in from {
        let run = model.given.len();
        let mut model = model.clone();
        model.out = store == Store::Out;
        model.failed = false;
        explore(
            model,
            &threads,
            vec![0; threads.len()],
            run,
            &mut seen,
            &mut done,
        );
    }
    done
}

fn explore(
    model: Model,
    threads: &[Vec<Atom>],
    places: Vec<usize>,
    run: usize,
    seen: &mut HashSet<(Model, Vec<usize>)>,
    done: &mut HashSet<Model>,
) {
    if !seen.insert((model.clone(), places.clone())) {
        return;
    }
    // A lost task is ended at some moment.
    if model.lost && !model.closing && !model.out {
        let mut mended = model.clone();
        mended.mend();
        explore(mended, threads, places.clone(), run, seen, done);
    }
    let mut over = true;
    for (n, thread) in threads.iter().enumerate() {
        let Some(atom) = thread.get(places[n]) else {
            continue;
        };
        over = false;
        let mut places = places.clone();
        places[n] += 1;
        let next = match *atom {
            Atom::Do(id, action) => model.clone().act(id, action, run),
            Atom::Answer(id, hook) => {
                let mut model = model.clone();
                model.answer_cancel(id, hook);
                vec![model]
            }
        };
        for model in next {
            explore(model, threads, places.clone(), run, seen, done);
        }
    }
    if over {
        let mut model = model;
        if model.out {
            // Whoever is ready has to read the task.
            for client in model.clients.values_mut() {
                if let Client::Waiting { ready: true, .. } = client {
                    *client = Client::Either(No::Store);
                }
            }
        }
        model.out = false;
        model.failed = false;
        model.followed |= model.following && !model.state().is_terminal();
        model.following = false;
        // Again and again while that is what the store fails at.
        while model.lost && !model.closing {
            model.mend();
        }
        // An agent that still asks has been heard, and has taken what was handed over.
        let between = model
            .run
            .as_ref()
            .is_some_and(|run| run.asking && !run.taker);
        if !between {
            done.insert(model);
        }
    }
}
