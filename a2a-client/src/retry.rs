//! When a call is made again, and after how long.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use a2a_types::operation::{HttpMethod, Operation};
use a2a_types::{ErrorKind, OperationId};

use crate::{Error, Failure};

/// How often a call that may be repeated is repeated.
///
/// Repeated are operations that only read or whose repetition changes nothing: those that are GET
/// or DELETE over HTTP+JSON, and CancelTask. A send can start a task each time it arrives (A2A
/// §3.3.1): it is repeated only when it certainly did not reach the agent, or when the agent's card
/// promises [safe resends](a2a_types::extensions::SafeResends) to this caller and the message begins
/// a task.
///
/// The delay before the n-th repetition is random, between zero and `initial_delay · 2ⁿ⁻¹`, at most
/// `max_delay`. When the agent says how long to wait, that is the delay; when it wants more than
/// `max_delay`, the call is not repeated and the error tells the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// How many times a call is made at most, the first one included. Default 3.
    pub max_attempts: u32,
    /// The bound of the first delay. Default 200 ms.
    pub initial_delay: Duration,
    /// The bound of every delay. Default 20 s.
    pub max_delay: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_attempts: 3,
            initial_delay: Duration::from_millis(200),
            max_delay: Duration::from_secs(20),
        }
    }
}

impl RetryPolicy {
    /// Every call is made once.
    #[must_use]
    pub fn never() -> Self {
        Self::default().with_max_attempts(1)
    }

    /// Sets how many times a call is made at most.
    #[must_use]
    pub fn with_max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts;
        self
    }

    /// Sets the bound of the first delay.
    #[must_use]
    pub fn with_initial_delay(mut self, delay: Duration) -> Self {
        self.initial_delay = delay;
        self
    }

    /// Sets the bound of every delay.
    #[must_use]
    pub fn with_max_delay(mut self, delay: Duration) -> Self {
        self.max_delay = delay;
        self
    }
}

/// The delays of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backoff {
    policy: RetryPolicy,
    attempts: u32,
}

impl Backoff {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            attempts: 1,
        }
    }

    /// Whether a repetition has been allowed before.
    pub(crate) fn is_repetition(&self) -> bool {
        self.attempts > 1
    }

    /// Starts again from the shortest delay.
    pub(crate) fn reset(&mut self) {
        self.attempts = 1;
    }

    /// How long to wait before the next attempt; `None` when there is to be none.
    pub(crate) fn next(&mut self, wanted: Option<Duration>) -> Option<Duration> {
        if self.attempts >= self.policy.max_attempts {
            return None;
        }
        let delay = match wanted {
            Some(wanted) if wanted > self.policy.max_delay => return None,
            Some(wanted) => wanted,
            None => random_below(self.bound()),
        };
        self.attempts += 1;
        Some(delay)
    }

    fn bound(&self) -> Duration {
        let doubled = 2u32.saturating_pow(self.attempts - 1);
        let bound = self.policy.initial_delay.saturating_mul(doubled);
        bound.min(self.policy.max_delay)
    }
}

/// Whether the operation may be made again after this error; `recognized`: the agent would know a
/// send again.
pub(crate) fn is_retryable<O: Operation>(error: &Error, recognized: bool) -> bool {
    let safe = recognized || is_safe::<O>();
    match error.failure() {
        Failure::Transport => error.is_unsent() || (safe && is_passing(error)),
        Failure::Timeout => error.is_unsent(),
        Failure::Protocol => {
            let passing = error.kind().is_some_and(ErrorKind::is_retryable);
            safe && (passing || error.retry_after().is_some())
        }
        _ => false,
    }
}

/// An answer of somebody between us and the agent may be gone the next time; a wrong address stays
/// wrong.
pub(crate) fn is_passing(error: &Error) -> bool {
    matches!(
        error.http_status(),
        None | Some(408 | 425 | 429 | 500 | 502 | 503 | 504)
    )
}

fn is_safe<O: Operation>() -> bool {
    let rule = O::ID.spec().http.first();
    let safe = rule.is_some_and(|rule| rule.method != HttpMethod::Post);
    safe || O::ID == OperationId::CancelTask
}

/// A random duration below this one.
fn random_below(bound: Duration) -> Duration {
    // Every `RandomState` has keys of its own.
    let random = RandomState::new().build_hasher().finish();
    let nanos = u64::try_from(bound.as_nanos()).unwrap_or(u64::MAX);
    match nanos {
        0 => Duration::ZERO,
        nanos => Duration::from_nanos(random % nanos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_bounded_however_many_attempts_there_were() {
        // R062: a backoff that overflows panics.
        let policy = RetryPolicy::default().with_max_attempts(u32::MAX);
        let mut backoff = Backoff::new(policy);
        for _ in 0..200 {
            let bound = backoff.bound();
            assert!(bound <= policy.max_delay);
            assert!(backoff.next(None).unwrap() <= bound);
        }
        assert_eq!(backoff.bound(), policy.max_delay);
    }

    #[test]
    fn a_peer_that_wants_too_long_a_pause_is_not_asked_again() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        assert_eq!(backoff.next(Some(Duration::from_secs(3600))), None);
        let pause = Duration::from_secs(2);
        assert_eq!(backoff.next(Some(pause)), Some(pause));
    }

    #[test]
    fn the_number_of_attempts_is_bounded() {
        let mut backoff = Backoff::new(RetryPolicy::default().with_max_attempts(2));
        assert!(backoff.next(None).is_some());
        assert_eq!(backoff.next(None), None);
        assert_eq!(Backoff::new(RetryPolicy::never()).next(None), None);
    }
}
