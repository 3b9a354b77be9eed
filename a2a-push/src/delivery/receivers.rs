use std::collections::{BTreeSet, HashMap, VecDeque};

use a2a_types::push::{Claimed, Forget};
use tokio::time::Instant;

use super::attempt::Health;
use super::circuit::{Breaker, Circuit};

/// How many receivers are remembered that nothing is done with at the moment.
const MEMORY: usize = 10_000;

/// How many attempts there may be at once.
#[derive(Clone, Copy)]
pub(crate) struct Slots {
    pub(crate) all: usize,
    pub(crate) each: usize,
}

impl Slots {
    /// How many receivers may have together that did not answer at last: the rest is kept for those
    /// that do.
    fn unproven(self) -> usize {
        self.all - self.all / 4
    }
}

/// A head that this process has claimed, and until when.
pub(super) struct Held {
    pub(super) claimed: Claimed,
    pub(super) until: Instant,
    /// How many of the queue went before, in one go.
    pub(super) streak: u32,
}

/// Who is being called, and who is left alone.
pub(super) struct Receivers {
    slots: Slots,
    circuit: Circuit,
    receivers: HashMap<String, Receiver>,
    running: usize,
    unproven: usize,
    /// How many claimed heads wait for a slot at their receivers, and which those are.
    parked: usize,
    parking: BTreeSet<String>,
    /// When circuits let an attempt through again.
    reopening: BTreeSet<(Instant, String)>,
    /// Those for which nothing more is claimed.
    blocked: Blocked,
}

#[derive(Default)]
struct Receiver {
    running: usize,
    /// How many of those were started while it was unproven.
    unproven: usize,
    parked: VecDeque<Held>,
    breaker: Breaker,
    /// Whether it has answered at last.
    proven: bool,
}

#[derive(Default)]
struct Blocked {
    names: BTreeSet<String>,
    list: Vec<String>,
    stale: bool,
}

impl Receivers {
    pub(super) fn new(slots: Slots, circuit: Circuit) -> Self {
        Self {
            slots,
            circuit,
            receivers: HashMap::new(),
            running: 0,
            unproven: 0,
            parked: 0,
            parking: BTreeSet::new(),
            reopening: BTreeSet::new(),
            blocked: Blocked::default(),
        }
    }

    /// How many more heads it makes sense to claim.
    pub(super) fn wanted(&self) -> usize {
        let room = (self.slots.all * 16).saturating_sub(self.parked);
        (self.slots.all - self.running.min(self.slots.all)).min(room)
    }

    pub(super) fn running(&self) -> usize {
        self.running
    }

    pub(super) fn open_circuits(&self) -> usize {
        self.reopening.len()
    }

    /// Those whose queues are not to be claimed now.
    pub(super) fn blocked(&mut self) -> &[String] {
        if std::mem::take(&mut self.blocked.stale) {
            self.blocked.list = self.blocked.names.iter().cloned().collect();
        }
        &self.blocked.list
    }

    /// Takes a slot for the head, or keeps it until there is one.
    pub(super) fn admit(&mut self, held: Held, now: Instant) -> Option<Held> {
        let name = held.claimed.webhook.receiver();
        let waits = self
            .receivers
            .get(&name)
            .is_some_and(|r| !r.parked.is_empty());
        if !waits && self.take_slot(&name, now) {
            return Some(held);
        }
        self.receivers
            .entry(name.clone())
            .or_default()
            .parked
            .push_back(held);
        self.parked += 1;
        self.parking.insert(name.clone());
        self.update(&name, now);
        None
    }

    /// Kept heads for which there are slots now.
    pub(super) fn resume(&mut self, now: Instant) -> Vec<Held> {
        let mut ready = Vec::new();
        if self.running >= self.slots.all {
            return ready;
        }
        let names: Vec<String> = self.parking.iter().cloned().collect();
        for name in names {
            while self.take_slot(&name, now) {
                let receiver = self.receivers.get_mut(&name);
                let Some(held) = receiver.and_then(|r| r.parked.pop_front()) else {
                    self.leave_slot(&name);
                    break;
                };
                self.parked -= 1;
                ready.push(held);
            }
            self.update(&name, now);
        }
        ready
    }

    /// An attempt has ended.
    pub(super) fn finished(&mut self, name: &str, health: Health, now: Instant) {
        self.leave_slot(name);
        let circuit = self.circuit;
        if let Some(receiver) = self.receivers.get_mut(name) {
            if let Some(until) = receiver.breaker.open_until() {
                self.reopening.remove(&(until, name.to_owned()));
            }
            match health {
                Health::Up => {
                    receiver.breaker.answered();
                    receiver.proven = true;
                }
                Health::Down => {
                    receiver.breaker.failed(circuit, now);
                    receiver.proven = false;
                }
                Health::Unknown => {}
            }
            if let Some(until) = receiver.breaker.open_until() {
                self.reopening.insert((until, name.to_owned()));
            }
        }
        self.update(name, now);
        if self.receivers.len() > MEMORY * 2 {
            self.receivers.retain(|_, receiver| !receiver.is_idle(now));
        }
    }

    /// Lets those be claimed for again whose pauses are over; says when the next one is.
    pub(super) fn reopen(&mut self, now: Instant) -> Option<Instant> {
        while let Some((until, _)) = self.reopening.first()
            && *until <= now
            && let Some((_, name)) = self.reopening.pop_first()
        {
            self.update(&name, now);
        }
        self.reopening.first().map(|(until, _)| *until)
    }

    /// Gives back what is kept and covered.
    pub(super) fn remove(&mut self, what: Option<Forget<'_>>, now: Instant) -> Vec<Held> {
        let mut removed = Vec::new();
        let names: Vec<String> = self.parking.iter().cloned().collect();
        for name in names {
            if let Some(receiver) = self.receivers.get_mut(&name) {
                for held in std::mem::take(&mut receiver.parked) {
                    if what.is_none_or(|what| what.covers(&held.claimed.webhook.key)) {
                        removed.push(held);
                    } else {
                        receiver.parked.push_back(held);
                    }
                }
            }
            self.update(&name, now);
        }
        self.parked -= removed.len();
        removed
    }

    fn take_slot(&mut self, name: &str, now: Instant) -> bool {
        let slots = self.slots;
        if self.running >= slots.all {
            return false;
        }
        let receiver = self.receivers.entry(name.to_owned()).or_default();
        if receiver.running >= slots.each || !receiver.breaker.permits(receiver.running, now) {
            return false;
        }
        if !receiver.proven {
            if self.unproven >= slots.unproven() {
                return false;
            }
            self.unproven += 1;
            receiver.unproven += 1;
        }
        receiver.running += 1;
        self.running += 1;
        self.update(name, now);
        true
    }

    fn leave_slot(&mut self, name: &str) {
        if let Some(receiver) = self.receivers.get_mut(name) {
            receiver.running -= 1;
            self.running -= 1;
            if receiver.unproven > 0 {
                receiver.unproven -= 1;
                self.unproven -= 1;
            }
        }
    }

    fn update(&mut self, name: &str, now: Instant) {
        let Some(receiver) = self.receivers.get(name) else {
            return;
        };
        if receiver.parked.is_empty() {
            self.parking.remove(name);
        }
        let blocked = !receiver.parked.is_empty()
            || receiver.running >= self.slots.each
            || !receiver.breaker.permits(receiver.running, now);
        let changed = if blocked {
            self.blocked.names.insert(name.to_owned())
        } else {
            self.blocked.names.remove(name)
        };
        self.blocked.stale |= changed;
        if receiver.is_idle(now) && receiver.breaker.is_closed() && !receiver.proven {
            self.receivers.remove(name);
        }
    }
}

impl Receiver {
    /// Whether nothing is done with it, and nothing keeps it from being used.
    fn is_idle(&self, now: Instant) -> bool {
        self.running == 0 && self.parked.is_empty() && self.breaker.permits(0, now)
    }
}
