use a2a_types::Timestamp;
use tokio::time::Instant;

/// What the engine takes timestamps from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Calendar {
    /// The clock of the system.
    #[default]
    System,
    /// The time that has passed on the runtime's clock since a given instant: where a test stops
    /// or moves that clock, timestamps follow.
    #[cfg_attr(
        not(feature = "testkit"),
        expect(dead_code, reason = "only tests use it")
    )]
    Runtime { start: Timestamp, since: Instant },
}

impl Calendar {
    pub(crate) fn now(self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Runtime { start, since } => {
                let passed = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
                Timestamp::from_unix_millis(start.unix_millis().saturating_add(passed))
            }
        }
    }
}
