use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Once};
use std::task::Poll;
use std::time::Duration;

use a2a_types::A2aError;
use futures::poll;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Into how many ticks the time of a call is divided.
const TICKS: u32 = 32;

/// Ends calls that take too long. One timer serves all of them: a timer for each call would cost
/// more than many calls do. A call may take one tick longer than it should.
pub(crate) struct Clock {
    limit: Duration,
    tick: Notify,
    running: Once,
}

impl Clock {
    pub(crate) fn new(limit: Duration) -> Arc<Self> {
        Arc::new(Self {
            limit,
            tick: Notify::new(),
            running: Once::new(),
        })
    }

    /// What the call comes to.
    ///
    /// # Errors
    ///
    /// That of the call, or `DeadlineExceeded`.
    pub(crate) async fn limit<T>(
        self: &Arc<Self>,
        mut call: Pin<&mut impl Future<Output = Result<T, A2aError>>>,
    ) -> Result<T, A2aError> {
        // Many calls wait for nothing.
        if let Poll::Ready(answer) = poll!(&mut call) {
            return answer;
        }
        self.run();
        let deadline = Instant::now() + self.limit;
        loop {
            tokio::select! {
                biased;
                answer = &mut call => return answer,
                () = self.tick.notified() => {
                    if Instant::now() >= deadline {
                        return Err(A2aError::deadline_exceeded());
                    }
                }
            }
        }
    }

    /// Starts to tick, until nobody has the clock any more.
    fn run(self: &Arc<Self>) {
        self.running.call_once(|| {
            let clock = Arc::downgrade(self);
            let period =
                (self.limit / TICKS).clamp(Duration::from_millis(1), Duration::from_secs(60));
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(period).await;
                    let Some(clock) = clock.upgrade() else { return };
                    clock.tick.notify_waiters();
                }
            });
        });
    }
}
