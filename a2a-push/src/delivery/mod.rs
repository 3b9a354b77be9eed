//! Takes notifications out of the outbox and brings them to their receivers.
//!
//! One task, the [`Dispatcher`], claims the heads of queues that are due and starts an attempt for
//! each, as many as there are slots for. What waits costs no task and no memory here: it is in the
//! outbox. A receiver that is slow or down keeps its own slots busy and nobody else's.

mod attempt;
mod circuit;
mod clock;
mod metrics;
mod receivers;
mod retry;
mod worker;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use a2a_types::push::{Bounds, Claim, Forget, Outcome, WebhookKey};
use a2a_types::store::{Owner, Sharing};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

pub(crate) use self::attempt::Courier;
pub use self::circuit::Circuit;
pub(crate) use self::clock::Clock;
pub(crate) use self::metrics::Counters;
pub use self::metrics::{Health, Metrics};
pub(crate) use self::receivers::Slots;
use self::receivers::{Held, Receivers};
pub use self::retry::Retry;
use self::worker::Done;
pub(crate) use self::worker::Workshop;

/// How soon after something new the outbox is held to its bounds, and how soon it is asked again
/// after it has failed.
const UPKEEP: Duration = Duration::from_secs(1);

/// How long new notifications are left alone after a look that found none to deliver: a task that
/// says one thing after another then does not wake the dispatcher each time.
const REST: Duration = Duration::from_millis(5);

/// How often an outbox is asked that others put something into, too.
const POLL: Duration = Duration::from_secs(1);

/// What the dispatcher is told.
pub(crate) enum Command {
    /// Ends attempts at these webhooks, which the outbox has dropped or changed already.
    Stop(Gone, oneshot::Sender<()>),
    /// Says when there is nothing that could be delivered now.
    Flush(oneshot::Sender<()>),
    /// Ends.
    End(oneshot::Sender<()>),
}

/// [`Forget`], owned.
pub(crate) enum Gone {
    Webhook(WebhookKey),
    Task(String),
    Owner(Owner),
}

impl Gone {
    pub(crate) fn of(what: Forget<'_>) -> Option<Self> {
        Some(match what {
            Forget::Webhook(key) => Self::Webhook(key.clone()),
            Forget::Task(id) => Self::Task(id.to_owned()),
            Forget::Owner(owner) => Self::Owner(owner.clone()),
            _ => return None,
        })
    }

    fn borrow(&self) -> Forget<'_> {
        match self {
            Self::Webhook(key) => Forget::Webhook(key),
            Self::Task(id) => Forget::Task(id),
            Self::Owner(owner) => Forget::Owner(owner),
        }
    }
}

pub(crate) struct Dispatcher {
    workshop: Arc<Workshop>,
    bounds: Bounds,
    wake: Arc<Notify>,
    receivers: Receivers,
    workers: JoinSet<Done>,
    /// Attempts under way, and how to stop them.
    running: HashMap<WebhookKey, Arc<Notify>>,
    /// Who waits for the end of attempts.
    stopping: Vec<(Gone, oneshot::Sender<()>)>,
    flushing: Vec<oneshot::Sender<()>>,
    /// Whether there may be more to claim than was found at last.
    look: bool,
    /// When there will be.
    due: Option<Instant>,
    /// Until when new notifications are left alone.
    rest: Instant,
    /// When the outbox is held to its bounds, if something new came since it was.
    upkeep: Option<Instant>,
}

impl Dispatcher {
    pub(crate) fn new(
        workshop: Workshop,
        bounds: Bounds,
        wake: Arc<Notify>,
        slots: Slots,
        circuit: Circuit,
    ) -> Self {
        Self {
            workshop: Arc::new(workshop),
            bounds,
            wake,
            receivers: Receivers::new(slots, circuit),
            workers: JoinSet::new(),
            running: HashMap::new(),
            stopping: Vec::new(),
            flushing: Vec::new(),
            look: true,
            due: None,
            rest: Instant::now(),
            upkeep: Some(Instant::now()),
        }
    }

    /// Runs until it is told to end, or nobody can tell it anything any more.
    pub(crate) async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        let ended = loop {
            let reopening = self.reopen();
            for held in self.receivers.resume(Instant::now()) {
                self.start(held);
            }
            if self.look && self.receivers.wanted() > 0 {
                self.claim().await;
            }
            self.keep_up().await;
            self.report();
            let timer = [self.due, reopening, self.upkeep];
            let timer = timer.into_iter().flatten().min();
            let more = self.look && self.receivers.wanted() > 0;
            tokio::select! {
                biased;
                command = commands.recv() => match command {
                    Some(Command::Stop(gone, reply)) => self.stop(gone, reply).await,
                    Some(Command::Flush(reply)) => {
                        self.look = true;
                        self.flushing.push(reply);
                    }
                    Some(Command::End(reply)) => break Some(reply),
                    None => break None,
                },
                Some(done) = self.workers.join_next() => match done {
                    Ok(done) => self.finished(done),
                    Err(error) => tracing::error!(%error, "an attempt was cut off"),
                },
                () = std::future::ready(()), if more => {}
                () = notified(&self.wake, self.rest) => {
                    self.look = true;
                    self.upkeep.get_or_insert(Instant::now() + UPKEEP);
                }
                () = at(timer) => self.look |= self.is_due(),
            }
        };
        self.end().await;
        if let Some(reply) = ended {
            let _ = reply.send(());
        }
    }

    /// Looks again when a receiver is no longer left alone; says when the next one will be.
    fn reopen(&mut self) -> Option<Instant> {
        let paused = self.receivers.open_circuits();
        let next = self.receivers.reopen(Instant::now());
        self.look |= self.receivers.open_circuits() < paused;
        next
    }

    async fn claim(&mut self) {
        let limit = self.receivers.wanted();
        let workshop = Arc::clone(&self.workshop);
        let clock = workshop.clock;
        let began = Instant::now();
        let claim = Claim::new(clock.now(), clock.after(workshop.lease), limit);
        let claim = claim.except(self.receivers.blocked());
        match workshop.outbox.claim(&claim).await {
            Ok(claims) => {
                self.look = claims.claimed.len() >= limit;
                let next = claims.next.map(|next| clock.until(next));
                let next = match workshop.outbox.properties().sharing {
                    Sharing::Exclusive => next,
                    _ => Some(next.unwrap_or(POLL).min(POLL)),
                };
                self.due = next.and_then(|pause| Instant::now().checked_add(pause));
                if claims.claimed.is_empty() {
                    self.rest = began + REST;
                }
                for claimed in claims.claimed {
                    let held = Held {
                        claimed,
                        until: began + workshop.lease,
                        streak: 0,
                    };
                    if let Some(held) = self.receivers.admit(held, Instant::now()) {
                        self.start(held);
                    }
                }
            }
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(error, "notifications cannot be read from the outbox");
                self.look = false;
                self.due = Some(Instant::now() + UPKEEP);
            }
        }
    }

    fn is_due(&self) -> bool {
        self.due.is_some_and(|due| due <= Instant::now())
    }

    /// Starts an attempt. The slot is taken.
    fn start(&mut self, held: Held) {
        let stop = Arc::new(Notify::new());
        let key = held.claimed.webhook.key.clone();
        if held.until < Instant::now() + self.workshop.courier.timeout {
            // It waited for so long that another process may have it soon.
            stop.notify_one();
        }
        self.running.insert(key, Arc::clone(&stop));
        let workshop = Arc::clone(&self.workshop);
        self.workers
            .spawn(async move { workshop.work(held, stop).await });
    }

    fn finished(&mut self, done: Done) {
        let now = Instant::now();
        self.running.remove(&done.key);
        self.receivers.finished(&done.receiver, done.health, now);
        let held = done.next.and_then(|next| self.receivers.admit(next, now));
        match held {
            Some(held) => self.start(held),
            // A slot is free, and its receiver may not be passed over any more.
            None => self.look = true,
        }
        self.answer_stops();
    }

    async fn stop(&mut self, gone: Gone, reply: oneshot::Sender<()>) {
        for (key, stop) in &self.running {
            if gone.borrow().covers(key) {
                stop.notify_one();
            }
        }
        let parked = self.receivers.remove(Some(gone.borrow()), Instant::now());
        self.release(parked).await;
        self.stopping.push((gone, reply));
        self.answer_stops();
    }

    fn answer_stops(&mut self) {
        let running = &self.running;
        let waits = |gone: &Gone| running.keys().any(|key| gone.borrow().covers(key));
        let (waiting, over) = std::mem::take(&mut self.stopping)
            .into_iter()
            .partition(|(gone, _)| waits(gone));
        self.stopping = waiting;
        for (_, reply) in over {
            let _ = reply.send(());
        }
    }

    async fn keep_up(&mut self) {
        // What is parked while nothing runs waits for its receiver to come back.
        if self.receivers.running() == 0 && !self.look {
            for reply in self.flushing.drain(..) {
                let _ = reply.send(());
            }
        }
        if self.upkeep.is_none_or(|upkeep| upkeep > Instant::now()) {
            return;
        }
        self.upkeep = None;
        let now = self.workshop.clock.now();
        match self.workshop.outbox.trim(self.bounds, now).await {
            Ok(0) => {}
            Ok(count) => {
                tracing::warn!(count, "notifications given up: too many wait for a webhook");
                let counters = &self.workshop.counters;
                counters.given_up.fetch_add(count, Relaxed);
            }
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(error, "the outbox cannot be kept within its bounds");
            }
        }
    }

    fn report(&self) {
        let counters = &self.workshop.counters;
        counters.in_flight.store(self.receivers.running(), Relaxed);
        counters
            .open_circuits
            .store(self.receivers.open_circuits(), Relaxed);
    }

    /// Gives back everything that is claimed, so that whoever comes next finds it.
    async fn end(&mut self) {
        for stop in self.running.values() {
            stop.notify_one();
        }
        let parked = self.receivers.remove(None, Instant::now());
        self.release(parked).await;
        while let Some(done) = self.workers.join_next().await {
            if let Ok(Done {
                next: Some(next), ..
            }) = done
            {
                self.release(vec![next]).await;
            }
        }
    }

    async fn release(&self, held: Vec<Held>) {
        for held in held {
            let now = self.workshop.clock.now();
            let outbox = &self.workshop.outbox;
            let released = outbox.settle(&held.claimed, Outcome::Release, now, None);
            if let Err(error) = released.await {
                let error: &dyn std::error::Error = &error;
                tracing::error!(error, "a claim was not given back; it ends in time");
            }
        }
    }
}

/// A wake-up, but not before `rest` is over. Nothing is lost when this is given up in between.
async fn notified(wake: &Notify, rest: Instant) {
    tokio::time::sleep_until(rest).await;
    wake.notified().await;
}

/// That instant; never, if there is none.
async fn at(timer: Option<Instant>) {
    match timer {
        Some(timer) => tokio::time::sleep_until(timer).await,
        None => std::future::pending().await,
    }
}
