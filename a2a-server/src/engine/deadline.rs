use std::time::Duration;

use a2a_types::TaskState;
use tokio::time::Instant;

/// How long a run may go on. Time that the task waits for its client does not count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunLimits {
    /// Without a word of the agent.
    pub(crate) idle: Option<Duration>,
    /// From its start.
    pub(crate) total: Option<Duration>,
}

/// The clock of one run, where there is a limit.
pub(super) struct Deadline(Option<Clock>);

struct Clock {
    limits: RunLimits,
    /// What was used up before `since`.
    spent: Duration,
    /// Since when the clock goes; `None` while it stands still.
    since: Option<Instant>,
    heard: Instant,
}

impl Deadline {
    pub(super) fn start(limits: RunLimits) -> Self {
        let limited = limits.idle.is_some() || limits.total.is_some();
        Self(limited.then(|| {
            let now = Instant::now();
            Clock {
                limits,
                spent: Duration::ZERO,
                since: Some(now),
                heard: now,
            }
        }))
    }

    /// The agent has said something, and the task is in this state now.
    pub(super) fn heard(&mut self, state: TaskState) {
        let Self(Some(clock)) = self else { return };
        clock.heard = Instant::now();
        match (clock.since, state.is_interrupted()) {
            (Some(since), true) => {
                clock.spent += clock.heard - since;
                clock.since = None;
            }
            (None, false) => clock.since = Some(clock.heard),
            _ => {}
        }
    }

    /// Completes when the run has used up its time.
    pub(super) async fn passed(&self) {
        match self.0.as_ref().and_then(Clock::due) {
            Some(deadline) => tokio::time::sleep_until(deadline).await,
            None => std::future::pending().await,
        }
    }
}

impl Clock {
    fn due(&self) -> Option<Instant> {
        let since = self.since?;
        let RunLimits { idle, total } = self.limits;
        let idle = idle.map(|idle| self.heard + idle);
        let total = total.map(|total| since + total.saturating_sub(self.spent));
        idle.into_iter().chain(total).min()
    }
}
