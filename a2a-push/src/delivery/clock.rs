use std::time::Duration;

use a2a_types::Timestamp;
use tokio::time::Instant;

/// The wall clock when it was made, and from then on Tokio's clock: so it never jumps, and tests
/// can stop it.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
    millis: i64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            start: Instant::now(),
            millis: Timestamp::now().unix_millis(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.after(Duration::ZERO)
    }

    /// The time in `pause` from now.
    pub(crate) fn after(&self, pause: Duration) -> Timestamp {
        let since = self.start.elapsed().saturating_add(pause);
        let millis = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_unix_millis(self.millis.saturating_add(millis))
    }

    /// How long it is until then; zero when it is past.
    pub(crate) fn until(&self, time: Timestamp) -> Duration {
        between(self.now(), time)
    }

    /// How long ago it was; zero when it is to come.
    pub(crate) fn since(&self, time: Timestamp) -> Duration {
        between(time, self.now())
    }
}

fn between(from: Timestamp, to: Timestamp) -> Duration {
    let millis = to.unix_millis().saturating_sub(from.unix_millis());
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}
