mod lookout;

use std::future::Future;
use std::io;
use std::num::NonZeroUsize;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{AbortHandle, JoinHandle};
use tokio_util::task::TaskTracker;

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

    /// Runs code of the agent that shutdown waits for.
    pub(super) fn track<F>(&self, tracker: &TaskTracker, code: F) -> AbortHandle
    where
        F: Future<Output = ()> + Send + 'static,
    {
        match self {
            Self::Shared(lookout) => tracker.spawn(lookout.watched(code)).abort_handle(),
            Self::Own(threads) => tracker.spawn_on(code, &threads.handle).abort_handle(),
        }
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
}

impl Drop for OwnThreads {
    fn drop(&mut self) {
        // Waits for nobody: a thread that is blocked ends when its code does.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
