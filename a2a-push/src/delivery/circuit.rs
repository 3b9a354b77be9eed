use std::time::Duration;

use tokio::time::Instant;

/// When a receiver that is down is left alone for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Circuit {
    failures: u32,
    pause: Duration,
}

impl Default for Circuit {
    fn default() -> Self {
        Self {
            failures: 5,
            pause: Duration::from_secs(30),
        }
    }
}

impl Circuit {
    /// After how many failures in a row it opens: no answers, and answers of the 5xx kind, to
    /// whichever of the receiver's webhooks. Default: 5.
    pub fn with_failures(self, failures: u32) -> Self {
        Self { failures, ..self }
    }

    /// After how long one attempt finds out whether the receiver is back. Default: 30 seconds.
    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }
}

/// The circuit of one receiver.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    /// While this is to come nothing is sent; after it one attempt at a time.
    open_until: Option<Instant>,
}

impl Breaker {
    pub(super) fn failed(&mut self, circuit: Circuit, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= circuit.failures {
            self.open_until = now.checked_add(circuit.pause);
        }
    }

    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }

    /// Whether another attempt may begin while so many are running.
    pub(super) fn permits(&self, running: usize, now: Instant) -> bool {
        self.open_until
            .is_none_or(|until| until <= now && running == 0)
    }

    pub(super) fn open_until(&self) -> Option<Instant> {
        self.open_until
    }

    /// Whether there is nothing to remember.
    pub(super) fn is_closed(&self) -> bool {
        self.failures == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // B3
    #[test]
    fn it_opens_after_failures_in_a_row_and_lets_one_attempt_find_out() {
        let circuit = Circuit::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut breaker = Breaker::default();
        for _ in 0..4 {
            breaker.failed(circuit, start);
        }
        breaker.answered();
        for _ in 0..4 {
            breaker.failed(circuit, start);
            assert!(breaker.permits(7, start));
        }
        breaker.failed(circuit, start);
        assert!(!breaker.permits(0, after(29)));
        assert!(breaker.permits(0, after(30)));
        assert!(!breaker.permits(1, after(30)));
        breaker.failed(circuit, after(31));
        assert!(!breaker.permits(0, after(60)));
        assert!(breaker.permits(0, after(61)));
        breaker.answered();
        assert!(breaker.permits(7, after(61)));
    }
}
