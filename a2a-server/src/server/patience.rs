//! The time limit for the head of a request, without a timer for every request.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The timer of one HTTP/1.1 connection. It is set once and looks, when it fires, how late it has
/// become meanwhile: to set one for every request would cost more than to route it.
#[derive(Clone)]
pub(super) struct ConnectionTimer(Arc<Mutex<Pin<Box<tokio::time::Sleep>>>>);

impl ConnectionTimer {
    /// For waits that last `first` or longer.
    pub(super) fn new(first: Duration) -> Self {
        Self(Arc::new(Mutex::new(Box::pin(tokio::time::sleep(first)))))
    }
}

impl Timer for ConnectionTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Wait {
            timer: self.clone(),
            deadline,
        })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into()
    }

    fn reset(&self, sleep: &mut Pin<Box<dyn Sleep>>, deadline: Instant) {
        *sleep = self.sleep_until(deadline);
    }
}

struct Wait {
    timer: ConnectionTimer,
    deadline: Instant,
}

impl Future for Wait {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut timer = self.timer.0.lock().unwrap_or_else(PoisonError::into_inner);
        while timer.as_mut().poll(context).is_ready() {
            if self.timer.now() >= self.deadline {
                return Poll::Ready(());
            }
            timer.as_mut().reset(self.deadline.into());
        }
        Poll::Pending
    }
}

impl Sleep for Wait {}
