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

/// The clock of one run.
pub(super) struct Deadline {
    limits: RunLimits,
    /// What was used up before `since`.
    spent: Duration,
    /// Since when the clock goes; `None` while it stands still.
    since: Option<Instant>,
    heard: Instant,
}

impl Deadline {
    pub(super) fn start(limits: RunLimits) -> Self {
        let now = Instant::now();
        Self {
            limits,
            spent: Duration::ZERO,
            since: Some(now),
            heard: now,
        }
    }

    /// The agent has said something, and the task is in this state now.
    pub(super) fn heard(&mut self, state: TaskState) {
        if self.limits.idle.is_none() && self.limits.total.is_none() {
            return;
        }
        self.heard = Instant::now();
        match (self.since, state.is_interrupted()) {
            (Some(since), true) => {
                self.spent += self.heard - since;
                self.since = None;
            }
            (None, false) => self.since = Some(self.heard),
            _ => {}
        }
    }

    /// Completes when the run has used up its time.
    pub(super) async fn passed(&self) {
        let Some(since) = self.since else {
            return std::future::pending().await;
        };
        let idle = self.limits.idle.map(|idle| self.heard + idle);
        let total = self
            .limits
            .total
            .map(|total| since + total.saturating_sub(self.spent));
        match idle.into_iter().chain(total).min() {
            Some(deadline) => tokio::time::sleep_until(deadline).await,
            None => std::future::pending().await,
        }
    }
}
