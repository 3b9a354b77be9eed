mod lookout;

use std::future::Future;
use std::io;
use std::num::NonZeroUsize;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

use super::run::Code;
use lookout::Lookout;

/// Where the agent's code runs.
pub(crate) enum Threads {
    /// Among everything else, watched over.
    Shared(Lookout),
    /// On threads of its own: code that blocks them stops only other runs of the agent.
    Own(OwnThreads),
}

/// A runtime that can be dropped anywhere.
pub(crate) struct OwnThreads {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Threads {
    /// So many threads for the agent alone.
    pub(crate) fn own(count: NonZeroUsize) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(count.get())
            .thread_name("a2a-agent")
            .enable_all()
            .build()?;
        Ok(Self::Own(OwnThreads {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        }))
    }

    /// The threads that everything runs on.
    pub(crate) fn shared() -> Self {
        Self::Shared(Lookout::default())
    }

    /// Makes code of the agent ready to run; shutdown waits for it.
    pub(super) fn prepare<F>(&self, tracker: &TaskTracker, code: F) -> Code
    where
        F: Future<Output = ()> + Send + 'static,
    {
        match self {
            Self::Shared(lookout) => Box::pin(tracker.track_future(lookout.watched(code))),
            Self::Own(_) => Box::pin(tracker.track_future(code)),
        }
    }

    /// Runs code of the agent, or the rest of it, in a task of its own.
    pub(super) fn go_on(&self, code: Code) {
        match self {
            Self::Shared(_) => drop(tokio::spawn(code)),
            Self::Own(threads) => drop(threads.handle.spawn(code)),
        }
    }

    /// Whether the agent's code may run on any thread.
    pub(super) fn are_shared(&self) -> bool {
        matches!(self, Self::Shared(_))
    }

    /// Runs code of the agent that somebody waits for.
    pub(super) fn spawn<F>(&self, code: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        match self {
            Self::Shared(lookout) => tokio::spawn(lookout.watched(code)),
            Self::Own(threads) => threads.handle.spawn(code),
        }
    }

    /// Completes when an agent may have blocked a thread that others need.
    pub(super) async fn blocked(&self) {
        match self {
            Self::Shared(lookout) => lookout.called().await,
            Self::Own(_) => std::future::pending().await,
        }
    }

    /// Does this when an agent may have blocked a thread that others need.
    pub(super) fn when_blocked(&self, rescue: impl Fn(&Handle) + Send + Sync + 'static) {
        if let Self::Shared(lookout) = self {
            lookout.when_blocked(rescue);
        }
    }
}

impl Drop for OwnThreads {
    fn drop(&mut self) {
        // Waits for nobody: a thread that is blocked ends when its code does.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
