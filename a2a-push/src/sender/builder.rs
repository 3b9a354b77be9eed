use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use a2a_types::push::{Bounds, PushOutbox};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};

use super::{Inner, PushSender};
use crate::delivery::{Circuit, Clock, Counters, Courier, Dispatcher, Retry, Slots, Workshop};
use crate::net::{Guard, Policy, SetupError};
use crate::outbox::MemoryOutbox;
use crate::sign::Signer;

/// How long a claimed notification is ours.
const LEASE: Duration = Duration::from_secs(300);

/// See [`PushSender::builder`].
#[must_use]
pub struct PushSenderBuilder {
    outbox: Arc<dyn PushOutbox>,
    route: Route,
    signers: Vec<Arc<dyn Signer>>,
    retry: Option<Retry>,
    circuit: Circuit,
    timeout: Duration,
    slots: Slots,
    bounds: Bounds,
}

/// The way out.
enum Route {
    By(Policy),
    Over(Guard),
}

impl PushSenderBuilder {
    pub(super) fn new() -> Self {
        Self {
            outbox: Arc::new(MemoryOutbox::new()),
            route: Route::By(Policy::default()),
            signers: Vec::new(),
            retry: None,
            circuit: Circuit::default(),
            timeout: Duration::from_secs(10),
            slots: Slots { all: 256, each: 8 },
            bounds: Bounds {
                queue: 10_000,
                dead_letters: 10_000,
            },
        }
    }

    /// Where notifications wait. Default: in memory.
    ///
    /// When it is also the server's task store, an event and the notifications of it are stored
    /// together. Otherwise they are stored one after the other, and a process that ends in between
    /// loses the notifications.
    pub fn outbox(self, outbox: Arc<dyn PushOutbox>) -> Self {
        Self { outbox, ..self }
    }

    /// Which addresses may be called. Default: public ones over https, at ports 443 and 8443.
    pub fn policy(self, policy: Policy) -> Self {
        let route = Route::By(policy);
        Self { route, ..self }
    }

    /// Which addresses may be called, and how; in place of a [`policy`](Self::policy).
    pub fn guard(self, guard: Guard) -> Self {
        let route = Route::Over(guard);
        Self { route, ..self }
    }

    /// Signs every notification. May be called more than once.
    pub fn signer(mut self, signer: impl Signer) -> Self {
        self.signers.push(Arc::new(signer));
        self
    }

    /// How often and for how long delivery is tried. Default: [`Retry::volatile`] when the outbox
    /// ends with the process, else [`Retry::durable`].
    pub fn retry(self, retry: Retry) -> Self {
        let retry = Some(retry);
        Self { retry, ..self }
    }

    /// When a receiver that is down is left alone. Default: for 30 seconds after 5 failures.
    pub fn circuit(self, circuit: Circuit) -> Self {
        Self { circuit, ..self }
    }

    /// How long one attempt may take. Default: 10 seconds (A2A §4.3.3: 10 to 30).
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How many attempts may run at once. Default: 256. A quarter of them is kept for receivers that
    /// answered at last.
    pub fn concurrency(mut self, attempts: usize) -> Self {
        self.slots.all = attempts.max(1);
        self
    }

    /// How many of them may go to one receiver, that is one scheme, host and port. Default: 8.
    pub fn receiver_concurrency(mut self, attempts: usize) -> Self {
        self.slots.each = attempts.max(1);
        self
    }

    /// How many notifications may wait for one webhook. Default: 10,000. Of more, the oldest are
    /// given up.
    pub fn queue_length(mut self, notifications: usize) -> Self {
        self.bounds.queue = notifications.max(1);
        self
    }

    /// How many notifications that were given up are kept. Default: 10,000. Of more, the oldest are
    /// dropped.
    pub fn dead_letters(mut self, notifications: usize) -> Self {
        self.bounds.dead_letters = notifications;
        self
    }

    /// Makes the sender, and starts to deliver what waits in the outbox.
    ///
    /// # Errors
    ///
    /// When the HTTP client cannot be set up, or outside of a Tokio runtime.
    pub fn build(self) -> Result<PushSender, BuildError> {
        let runtime = Handle::try_current().map_err(|_| BuildError::NoRuntime)?;
        let guard = match self.route {
            Route::By(policy) => Guard::new(policy).map_err(BuildError::Client)?,
            Route::Over(guard) => guard,
        };
        let clock = Clock::start();
        let counters = Arc::new(Counters::default());
        let wake = Arc::new(Notify::new());
        let durability = self.outbox.properties().durability;
        let workshop = Workshop {
            outbox: Arc::clone(&self.outbox),
            courier: Courier {
                guard: guard.clone(),
                signers: self.signers,
                timeout: self.timeout,
            },
            retry: self.retry.unwrap_or(Retry::of(durability)),
            clock,
            counters: Arc::clone(&counters),
            lease: LEASE.max(self.timeout.saturating_mul(10)),
        };
        let dispatcher = Dispatcher::new(
            workshop,
            self.bounds,
            Arc::clone(&wake),
            self.slots,
            self.circuit,
        );
        let (commands, received) = mpsc::unbounded_channel();
        runtime.spawn(dispatcher.run(received));
        Ok(PushSender {
            inner: Arc::new(Inner {
                guard,
                outbox: self.outbox,
                clock,
                counters,
                wake,
                commands,
            }),
        })
    }
}

impl fmt::Debug for PushSenderBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushSenderBuilder").finish_non_exhaustive()
    }
}

/// A sender cannot be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The HTTP client cannot be set up.
    Client(SetupError),
    /// It was not called within a Tokio runtime.
    NoRuntime,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client(_) => "the sender of webhooks cannot be set up",
            Self::NoRuntime => "a sender of webhooks needs a Tokio runtime",
        })
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::NoRuntime => None,
        }
    }
}
