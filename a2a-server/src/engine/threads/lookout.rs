//! Agents that block a thread of the runtime that serves everything.
//!
//! What the blocked thread would have run next can be taken over by another one, but the runtime
//! tells another one of it only while no thread is looking for work already, and some of it waits
//! in places that belong to the blocked thread alone. The lookout is a thread of its own: while an
//! agent's code has been running for a moment, it wakes whoever waits in such a place, and a thread
//! that takes over the rest, the I/O of the runtime included.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;

/// How often it looks, while agents run.
const ROUND: Duration = Duration::from_millis(5);

/// After how many rounds without any agent's code it sleeps.
const IDLE_ROUNDS: u32 = 200;

/// Watches over the agents of one server.
#[derive(Default)]
pub(crate) struct Lookout(Arc<Watch>);

type Rescue = Box<dyn Fn(&Handle) + Send + Sync>;

#[derive(Default)]
struct Watch {
    /// How many agents have a thread at this moment.
    running: AtomicUsize,
    /// Whether any had since the last look.
    ran: AtomicBool,
    asleep: AtomicBool,
    over: AtomicBool,
    call: Notify,
    /// What else there is to do then.
    rescue: OnceLock<Rescue>,
    /// Who looks. Nobody where no other thread could take over from a blocked one.
    thread: OnceLock<Option<Thread>>,
}

impl Lookout {
    /// Runs the agent's code, watched over.
    pub(super) fn watched<F: Future>(&self, code: F) -> impl Future<Output = F::Output> + use<F> {
        let watch = Arc::clone(&self.0);
        watch.thread.get_or_init(|| watch.start());
        async move {
            let mut code = pin!(code);
            poll_fn(|context| {
                let _turn = watch.turn();
                code.as_mut().poll(context)
            })
            .await
        }
    }

    /// Completes when an agent may have blocked its thread.
    pub(super) async fn called(&self) {
        self.0.call.notified().await;
    }

    /// Does this, too, when an agent may have blocked its thread.
    pub(super) fn when_blocked(&self, rescue: impl Fn(&Handle) + Send + Sync + 'static) {
        let _ = self.0.rescue.set(Box::new(rescue));
    }
}

impl Drop for Lookout {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::SeqCst);
        self.0.wake();
    }
}

impl Watch {
    fn start(self: &Arc<Self>) -> Option<Thread> {
        let runtime = Handle::try_current().ok()?;
        if runtime.metrics().num_workers() < 2 {
            return None;
        }
        let watch = Arc::clone(self);
        let thread = thread::Builder::new().name("a2a-lookout".to_owned());
        thread
            .spawn(move || watch.look(&runtime))
            .inspect_err(|error| {
                tracing::warn!(%error, "nobody looks out for agents that block their thread");
            })
            .ok()
            .map(|started| started.thread().clone())
    }

    fn look(&self, runtime: &Handle) {
        let (mut idle, mut ran_before) = (0, false);
        while !self.over.load(Ordering::SeqCst) {
            thread::park_timeout(ROUND);
            let running = self.running.load(Ordering::SeqCst) > 0;
            if running && ran_before {
                self.call.notify_waiters();
                if let Some(rescue) = self.rescue.get() {
                    rescue(runtime);
                }
                // What comes from outside wakes a thread of the runtime, which then finds the rest.
                runtime.spawn(std::future::ready(()));
            }
            ran_before = running;
            let ran = self.ran.swap(false, Ordering::Relaxed);
            idle = if running || ran { 0 } else { idle + 1 };
            if idle > IDLE_ROUNDS {
                self.sleep();
                idle = 0;
            }
        }
    }

    /// Sleeps until an agent runs.
    fn sleep(&self) {
        self.asleep.store(true, Ordering::SeqCst);
        while self.asleep.load(Ordering::SeqCst)
            && self.running.load(Ordering::SeqCst) == 0
            && !self.over.load(Ordering::SeqCst)
        {
            thread::park();
        }
        self.asleep.store(false, Ordering::SeqCst);
    }

    fn wake(&self) {
        if let Some(Some(thread)) = self.thread.get() {
            thread.unpark();
        }
    }

    /// An agent has its thread until this is dropped.
    fn turn(&self) -> Turn<'_> {
        self.running.fetch_add(1, Ordering::SeqCst);
        self.ran.store(true, Ordering::Relaxed);
        if self.asleep.load(Ordering::SeqCst) && self.asleep.swap(false, Ordering::SeqCst) {
            self.wake();
        }
        Turn(self)
    }
}

struct Turn<'a>(&'a Watch);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
