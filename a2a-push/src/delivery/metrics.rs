use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// What a sender has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// Notifications that it was given; those that a task store put into the outbox are not counted.
    pub taken: u64,
    /// Attempts to deliver one, whatever became of them.
    pub attempts: u64,
    /// Notifications that arrived.
    pub delivered: u64,
    /// Attempts that failed and are made again.
    pub retried: u64,
    /// Notifications that were given up.
    pub given_up: u64,
}

/// How a sender is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Notifications that are not delivered yet.
    pub waiting: u64,
    /// How long the oldest of them waits already; zero when there is none.
    pub oldest: Duration,
    /// Notifications that were given up and can be read and sent again.
    pub dead_letters: u64,
    /// Attempts under way.
    pub in_flight: usize,
    /// Receivers that are left alone because they do not answer.
    pub open_circuits: usize,
}

#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) taken: AtomicU64,
    pub(crate) attempts: AtomicU64,
    pub(crate) delivered: AtomicU64,
    pub(crate) retried: AtomicU64,
    pub(crate) given_up: AtomicU64,
    pub(crate) in_flight: AtomicUsize,
    pub(crate) open_circuits: AtomicUsize,
}

impl Counters {
    pub(crate) fn read(&self) -> Metrics {
        Metrics {
            taken: self.taken.load(Relaxed),
            attempts: self.attempts.load(Relaxed),
            delivered: self.delivered.load(Relaxed),
            retried: self.retried.load(Relaxed),
            given_up: self.given_up.load(Relaxed),
        }
    }
}
