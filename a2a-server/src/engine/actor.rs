mod ends;
mod messages;
mod wake;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use a2a_types::store::{Append, Claim, LogEntry, Replay, Scope, StoreError, StoredTask};
use a2a_types::{A2aError, Task, TaskState};
use tokio::sync::oneshot;
use tracing::Instrument;

use super::birth::Announcement;
use super::cancel::Canceling;
use super::deadline::Deadline;
use super::live::{Command, Lease, Live, Waiting};
use super::rules::Ledger;
use super::run::Run;
use super::webhooks::Listeners;
use super::{LostRuns, Shared, is_settled};
use crate::agent::{AgentError, Emission, Request};
use wake::Wake;

/// The only writer of one task.
pub(super) struct Actor {
    pub(super) shared: Arc<Shared>,
    pub(super) live: Arc<Live>,
    ledger: Ledger,
    scope: Scope,
    pub(super) run: Option<Run>,
    /// Whether the agent's code has returned; the run goes on while handles are left.
    returned: bool,
    /// Messages that wait for the run, oldest first.
    waiting: VecDeque<Waiting>,
    /// Messages that are part of the task, and that no run has taken.
    undelivered: VecDeque<Request>,
    /// The agent waits for a message.
    taker: Option<oneshot::Sender<()>>,
    pub(super) canceling: Option<Canceling>,
    pub(super) listeners: Listeners,
    draining: bool,
    /// The task was found at work without a run, and only waits to be ended.
    lost: bool,
    /// Whoever began the task and waits for its answer.
    announcement: Option<Announcement>,
    deadline: Deadline,
    /// The right to write the task, where there are other servers.
    claim: Option<Claim>,
}

/// Whether the actor goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    End,
}

/// Gives a task from the store an actor. What was running when the process ended is lost, and
/// `lost` says what to do about it.
pub(super) fn open(
    shared: &Arc<Shared>,
    stored: StoredTask,
    lost: LostRuns,
    claim: Option<Claim>,
) -> Lease {
    let ledger = Ledger::of(
        &stored.task,
        stored.revision,
        stored.sequence,
        &shared.settings,
    );
    let again = match lost {
        LostRuns::RunAgain if !is_settled(ledger.state()) => {
            Request::again(&stored, Arc::clone(&shared.store))
        }
        _ => None,
    };
    let (mut actor, lease) = Actor::new(shared, stored.owner, ledger, claim);
    // By whom it was followed before is not known.
    actor.live.follow();
    actor.lost = !is_settled(actor.ledger.state()) && again.is_none();
    let body = async move {
        actor.refresh_listeners().await;
        if actor.lost {
            actor
                .conclude(TaskState::Failed, "the run of this task was lost")
                .await;
        } else {
            if let Some(request) = again {
                actor.start(Run::spawn(&actor.shared, request));
            }
            actor.work(Vec::new()).await;
        }
    };
    shared.tracker.spawn(body.in_current_span());
    lease
}

impl Actor {
    /// Makes the actor and puts its task on the map of live tasks.
    pub(super) fn new(
        shared: &Arc<Shared>,
        owner: a2a_types::store::Owner,
        ledger: Ledger,
        claim: Option<Claim>,
    ) -> (Box<Self>, Lease) {
        let scope = Scope::owner(owner.clone());
        let live = ledger.announce(owner);
        if claim.is_some() {
            // Other servers of the store may have readers.
            live.follow();
        }
        let lease = shared.live.insert(&live);
        let actor = Self {
            shared: Arc::clone(shared),
            live,
            ledger,
            scope,
            run: None,
            returned: false,
            waiting: VecDeque::new(),
            undelivered: VecDeque::new(),
            taker: None,
            canceling: None,
            listeners: Listeners::default(),
            draining: false,
            lost: false,
            announcement: None,
            claim,
            deadline: Deadline::start(shared.settings.run_limits),
        };
        (Box::new(actor), lease)
    }

    /// Whether other servers may look for the task.
    pub(super) fn is_shared(&self) -> bool {
        self.claim.is_some()
    }

    /// Lives through the task, from updates that have come in already.
    pub(super) async fn work(mut self: Box<Self>, mut emissions: Vec<Emission>) {
        // The agent runs at once; most of what a quick one says is there when it has run.
        self.gather(&mut emissions).await;
        let mut flow = self.take(&mut emissions).await;
        while flow == Flow::Continue {
            flow = match self.wait(&mut emissions).await {
                Wake::Command(Some(command)) => Box::pin(self.obey(command)).await,
                Wake::Command(None) => self.retire(),
                Wake::Emissions(0) => Box::pin(self.finish(self.leftover())).await,
                Wake::Emissions(_) => {
                    self.gather(&mut emissions).await;
                    self.take(&mut emissions).await
                }
                Wake::Cancel => Box::pin(self.advance_cancel()).await,
                Wake::Late => Box::pin(self.give_out()).await,
            };
        }
    }

    async fn obey(&mut self, command: Command) -> Flow {
        match command {
            Command::Message(message) => self.receive(message).await,
            Command::Cancel { request, reply } => self.begin_cancel(request, reply).await,
            Command::Webhooks(done) => {
                self.refresh_listeners().await;
                let _ = done.send(());
                Flow::Continue
            }
            Command::Drain => {
                self.draining = true;
                if self.run.is_none() {
                    self.close()
                } else {
                    Flow::Continue
                }
            }
            // A task that waits for its client is not lost: a later server goes on with it.
            Command::Stop if is_settled(self.state()) => {
                self.abort();
                self.close()
            }
            Command::Stop => {
                self.abort();
                self.conclude(TaskState::Failed, "the server was shut down")
                    .await
            }
        }
    }

    /// Whoever began the task hears of it when it is settled, not before.
    pub(super) fn announce_later(&mut self, announcement: Announcement) {
        self.announcement = Some(announcement);
    }

    fn announce(&mut self, outcome: Result<Option<Arc<Task>>, A2aError>) {
        if let Some(announcement) = self.announcement.take() {
            announcement.send(outcome);
        }
    }

    pub(super) fn start(&mut self, run: Run) {
        self.run = Some(run);
        self.returned = false;
        self.deadline = Deadline::start(self.shared.settings.run_limits);
    }

    /// Takes what the agent has said.
    async fn take(&mut self, emissions: &mut Vec<Emission>) -> Flow {
        let mut entries = Vec::with_capacity(emissions.len());
        let mut emissions = emissions.drain(..);
        while let Some(emission) = emissions.next() {
            let entry = match emission {
                Emission::Update(mut update, keep) => {
                    let keep = self.ledger.keep(update.event(), keep);
                    let thoughts = self.ledger.thoughts_before(update.event(), keep);
                    entries.extend(thoughts.map(Arc::new));
                    // In place: nobody else has it yet.
                    match Arc::get_mut(&mut update) {
                        Some(entry) => self.ledger.update(entry, keep).map(|()| update),
                        None => Err(AgentError::new("an update is there twice")),
                    }
                }
                Emission::Reply(_) => Err(AgentError::invalid_response(
                    "a message instead of the task's events",
                )),
                Emission::Next(taker) => {
                    self.taker = Some(taker);
                    if self.publish(mem::take(&mut entries)).await == Flow::End
                        || Box::pin(self.offer()).await == Flow::End
                    {
                        return Flow::End;
                    }
                    continue;
                }
                Emission::Done(Ok(())) => {
                    self.returned = true;
                    continue;
                }
                Emission::Done(Err(error)) => {
                    if self.publish(entries).await == Flow::End {
                        return Flow::End;
                    }
                    return Box::pin(self.finish(Err(error))).await;
                }
            };
            match entry {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    if self.publish(entries).await == Flow::End {
                        return Flow::End;
                    }
                    self.fault(error.clone());
                    return Box::pin(self.finish(Err(error))).await;
                }
            }
            if self.ledger.state().is_terminal() {
                let late = emissions
                    .filter(|e| !matches!(e, Emission::Done(_)))
                    .count();
                if late > 0 {
                    let task_id = &*self.live.id;
                    tracing::warn!(
                        task_id,
                        late,
                        "updates after the end of the task were refused"
                    );
                }
                break;
            }
        }
        self.publish(entries).await
    }

    /// Stores the entries, then shows them. Ends the actor when the task has ended or the store
    /// has failed.
    async fn publish(&mut self, mut entries: Vec<Arc<LogEntry>>) -> Flow {
        if entries.is_empty() {
            return Flow::Continue;
        }
        let settled = entries
            .iter()
            .rev()
            .find(|entry| settles(entry))
            .map(|e| e.sequence());
        let replay = match self.ledger.state().is_terminal() {
            true => self.live.replay(),
            false => Replay::Possible,
        };
        // The store's own when nobody is ever shown them.
        let unseen = replay == Replay::Impossible && self.listeners.is_empty();
        let unseen = unseen.then(|| mem::take(&mut entries));
        let stored = unseen.map_or(Cow::Borrowed(&*entries), Cow::Owned);
        let outcome = match self.store(stored, replay).await {
            Ok(outcome) => outcome,
            Err(error) => return self.give_up(error),
        };
        let webhooks = self.shared.webhooks.as_ref();
        self.listeners.events(webhooks, &entries).await;
        self.live.show(&entries);
        if let Some(bus) = &self.shared.bus {
            bus.publish(&self.live.id, self.ledger.sequence());
        }
        let (state, sequence) = (self.ledger.state(), self.ledger.sequence());
        self.deadline.heard(state);
        self.live.head.change(|head| {
            head.sequence = sequence;
            head.state = state;
            head.settled = settled.unwrap_or(head.settled);
            head.closed = state.is_terminal();
        });
        if settled.is_some() {
            self.announce(Ok(outcome));
        }
        if state.is_terminal() {
            self.end()
        } else {
            Flow::Continue
        }
    }

    /// Returns the task if these have ended it and the store has it at hand.
    async fn store(
        &self,
        entries: Cow<'_, [Arc<LogEntry>]>,
        replay: Replay,
    ) -> Result<Option<Arc<Task>>, StoreError> {
        let after = self.ledger.revision.saturating_sub(entries.len() as u64);
        let webhooks = self.listeners.of_store(self.shared.webhooks.as_ref());
        let append = Append::new(after, entries)
            .with_webhooks(webhooks)
            .with_trace(self.listeners.trace())
            .with_replay(replay);
        let store = &self.shared.store;
        store.append(&self.scope, &self.live.id, append).await
    }

    /// What a run amounts to whose last handle is gone.
    fn leftover(&self) -> Result<(), AgentError> {
        if self.returned {
            Ok(())
        } else {
            Err(AgentError::new("the agent was stopped"))
        }
    }

    /// The run is over.
    async fn finish(&mut self, result: Result<(), AgentError>) -> Flow {
        if let Some(run) = &mut self.run.take() {
            run.refuse(AgentError::task_ended());
            self.undelivered.append(&mut run.words.control().inbox());
        }
        self.taker = None;
        if self.canceling.is_some() {
            return self.conclude(TaskState::Canceled, "").await;
        }
        let task_id = &*self.live.id;
        match result {
            Err(error) => {
                tracing::error!(task_id, %error, ?error, "the agent failed");
                return self.conclude(TaskState::Failed, error.public_text()).await;
            }
            Ok(()) if !is_settled(self.ledger.state()) => {
                tracing::error!(task_id, "the agent ended without finishing the task");
                let text = "the agent ended without finishing the task";
                return self.conclude(TaskState::Failed, text).await;
            }
            Ok(()) => {}
        }
        self.live.head.change(|head| head.turns += 1);
        self.announce(Ok(None));
        if self.begin_turn().await == Flow::End {
            return Flow::End;
        }
        match self.run {
            Some(_) => Flow::Continue,
            None if self.draining => self.close(),
            None => self.retire(),
        }
    }

    /// The run has taken too long.
    async fn give_out(&mut self) -> Flow {
        let task_id = &*self.live.id;
        tracing::error!(task_id, "the agent took too long");
        self.abort();
        self.conclude(TaskState::Failed, "the agent took too long")
            .await
    }

    /// Ends the task with a word of the engine's own.
    pub(super) async fn conclude(&mut self, state: TaskState, text: &str) -> Flow {
        let thoughts = self.ledger.thoughts();
        let verdict = self.ledger.verdict(state, text);
        let entries = thoughts.into_iter().chain([verdict]);
        self.publish(entries.map(Arc::new).collect()).await
    }

    /// Tells the run why nothing more is taken from it.
    fn fault(&mut self, error: AgentError) {
        if let Some(run) = &mut self.run {
            run.refuse(error);
        }
    }

    /// Ends the agent's code at its next await.
    pub(super) fn abort(&mut self) {
        if let Some(mut run) = self.run.take() {
            run.refuse(AgentError::task_ended());
            run.abort();
        }
    }

    pub(super) async fn refresh_listeners(&mut self) {
        self.listeners
            .refresh(self.shared.webhooks.as_ref(), &self.live.id)
            .await;
    }

    pub(super) async fn notify_snapshot(&self, task: &a2a_types::Task) {
        let webhooks = self.shared.webhooks.as_ref();
        self.listeners.snapshot(webhooks, task).await;
    }

    pub(super) fn state(&self) -> TaskState {
        self.ledger.state()
    }
}

/// Whether a blocking send answers with this event.
fn settles(entry: &LogEntry) -> bool {
    entry.event().state().is_some_and(is_settled)
}
