use std::time::Duration;

use a2a_types::store::Durability;

/// The longest time for which a receiver may put us off.
const LONGEST_REQUEST: Duration = Duration::from_secs(3600);

/// How often, when, and for how long delivery is tried again (A2A §4.3.3).
///
/// Between two attempts lies a random time, between nothing and a bound that begins at
/// [`first`](Self::with_first) and doubles with each failure up to [`longest`](Self::with_longest).
/// When the receiver says `Retry-After` it is that time instead, but an hour at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Retry {
    first: Duration,
    longest: Duration,
    attempts: u32,
    age: Duration,
}

impl Retry {
    /// For an outbox that ends with the process: 10 attempts in an hour at most.
    pub fn volatile() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(300),
            attempts: 10,
            age: Duration::from_secs(3600),
        }
    }

    /// For an outbox that outlives the process: 20 attempts in a day at most.
    pub fn durable() -> Self {
        Self {
            attempts: 20,
            age: Duration::from_secs(24 * 3600),
            ..Self::volatile()
        }
    }

    pub(crate) fn of(durability: Durability) -> Self {
        match durability {
            Durability::Volatile => Self::volatile(),
            _ => Self::durable(),
        }
    }

    /// The bound of the time before the second attempt. Default: 1 second.
    pub fn with_first(self, first: Duration) -> Self {
        Self { first, ..self }
    }

    /// The longest time between two attempts. Default: 5 minutes.
    pub fn with_longest(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }

    /// How many attempts there are at most, 1 at least.
    pub fn with_attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// How old a notification becomes at most; whatever its age, it is tried once.
    pub fn with_age(self, age: Duration) -> Self {
        Self { age, ..self }
    }

    /// How long to wait after this many failures; `None` when it is given up.
    pub(crate) fn pause(
        &self,
        failures: u32,
        age: Duration,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let pause = match asked {
            Some(asked) => asked.min(LONGEST_REQUEST),
            None => self.bound(failures).mul_f64(random()),
        };
        // Another attempt must come before it is too old.
        (age.saturating_add(pause) < self.age).then_some(pause)
    }

    fn bound(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(31);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }
}

/// A random number from 0 to 1.
fn random() -> f64 {
    let bits = u32::try_from(uuid::Uuid::new_v4().as_u128() >> 96).unwrap_or_default();
    f64::from(bits) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const YOUNG: Duration = Duration::ZERO;

    // A2A-4.3.3-09, B3
    #[test]
    fn pauses_are_random_below_a_bound_that_doubles() {
        let retry = Retry::durable();
        for (failures, bound) in [
            (1, 1),
            (2, 2),
            (3, 4),
            (8, 128),
            (9, 256),
            (10, 300),
            (19, 300),
        ] {
            let bound = Duration::from_secs(bound);
            let pauses: Vec<_> = (0..400)
                .map(|_| retry.pause(failures, YOUNG, None).unwrap())
                .collect();
            assert!(pauses.iter().all(|pause| *pause <= bound), "{failures}");
            // One time in 10^50 all of them lie in the same three quarters.
            assert!(pauses.iter().any(|pause| *pause > bound * 3 / 4));
            assert!(pauses.iter().any(|pause| *pause < bound / 4));
        }
        let tiny = Retry::durable().with_attempts(u32::MAX);
        assert!(tiny.pause(u32::MAX - 1, YOUNG, None).unwrap() <= Duration::from_secs(300));
    }

    // B3
    #[test]
    fn attempts_and_age_are_bounded() {
        let hour = Duration::from_secs(3600);
        for (retry, attempts, age) in [
            (Retry::volatile(), 10, hour),
            (Retry::durable(), 20, hour * 24),
        ] {
            assert!(retry.pause(attempts - 1, YOUNG, None).is_some());
            assert_eq!(retry.pause(attempts, YOUNG, None), None);
            let zero = Some(Duration::ZERO);
            assert!(retry.pause(1, age - Duration::from_secs(1), zero).is_some());
            assert_eq!(retry.pause(1, age, zero), None);
        }
    }

    // R121
    #[test]
    fn a_receiver_may_ask_for_a_pause_but_not_for_ever() {
        let retry = Retry::durable();
        let asked = |seconds| retry.pause(1, YOUNG, Some(Duration::from_secs(seconds)));
        assert_eq!(asked(0), Some(Duration::ZERO));
        assert_eq!(asked(120), Some(Duration::from_secs(120)));
        assert_eq!(asked(u64::MAX), Some(Duration::from_secs(3600)));
        // Or it would come too late.
        let retry = Retry::volatile();
        assert_eq!(retry.pause(1, YOUNG, Some(Duration::from_secs(3600))), None);
    }
}
