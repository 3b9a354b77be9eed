//! Which notifications have been accepted.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_lc_rs::digest::{Context, SHA256};

/// As long whatever a sender calls its notifications.
type Key = [u8; 32];

/// The notifications that were accepted last, and those that are being dealt with.
#[derive(Debug)]
pub(super) struct Seen {
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    in_progress: HashSet<Key>,
    accepted: HashSet<Key>,
    /// The same as `accepted`, the oldest one first.
    order: VecDeque<Key>,
}

/// A notification that is not new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Accepted,
    InProgress,
}

impl Seen {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            state: Mutex::default(),
        }
    }

    /// Takes the notification on, so that nobody else does before the claim is dropped. An id is
    /// remembered with its task: the sender of one cannot use up the ids of another.
    pub(super) fn claim(this: &Arc<Self>, task_id: &str, id: &str) -> Result<Claim, Known> {
        let key = key(task_id, id);
        let mut state = this.lock();
        if state.accepted.contains(&key) {
            return Err(Known::Accepted);
        }
        if !state.in_progress.insert(key) {
            return Err(Known::InProgress);
        }
        Ok(Claim {
            key,
            seen: Arc::clone(this),
        })
    }

    fn accept(&self, key: Key) {
        let mut state = self.lock();
        if state.accepted.insert(key) {
            state.order.push_back(key);
        }
        while state.order.len() > self.most {
            if let Some(oldest) = state.order.pop_front() {
                state.accepted.remove(&oldest);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(task_id: &str, id: &str) -> Key {
    let mut context = Context::new(&SHA256);
    // The length keeps ("a", "bc") and ("ab", "c") apart.
    context.update(&task_id.len().to_le_bytes());
    context.update(task_id.as_bytes());
    context.update(id.as_bytes());
    context.finish().as_ref().try_into().unwrap_or_default()
}

/// A notification that is being dealt with.
#[derive(Debug)]
pub(super) struct Claim {
    key: Key,
    seen: Arc<Seen>,
}

impl Claim {
    /// The notification has arrived.
    pub(super) fn keep(self) {
        self.seen.accept(self.key);
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.seen.lock().in_progress.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_is_dealt_with_once_at_a_time_and_accepted_once() {
        let seen = Arc::new(Seen::new(2));
        let claim = Seen::claim(&seen, "t", "1").unwrap();
        assert_eq!(Seen::claim(&seen, "t", "1").unwrap_err(), Known::InProgress);
        assert!(Seen::claim(&seen, "other", "1").is_ok());
        drop(claim); // The handler failed.
        Seen::claim(&seen, "t", "1").unwrap().keep();
        assert_eq!(Seen::claim(&seen, "t", "1").unwrap_err(), Known::Accepted);
        assert!(Seen::claim(&seen, "t1", "").is_ok());
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_is_forgotten_first() {
        let seen = Arc::new(Seen::new(2));
        for id in ["1", "2", "3"] {
            Seen::claim(&seen, "t", id).unwrap().keep();
        }
        assert!(Seen::claim(&seen, "t", "1").is_ok());
        assert_eq!(Seen::claim(&seen, "t", "2").unwrap_err(), Known::Accepted);
        let state = seen.lock();
        assert_eq!((state.accepted.len(), state.order.len()), (2, 2));
        assert!(state.in_progress.is_empty());
    }
}
