use std::future::Future;
use std::io;
use std::num::NonZeroUsize;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{AbortHandle, JoinHandle};
use tokio_util::task::TaskTracker;

/// Where the agent's code runs.
pub(crate) enum Threads {
    /// Among everything else.
    Shared,
    /// On threads of its own: code that blocks them stops only other runs of the agent.
    Own(OwnThreads),
}

/// A runtime that can be dropped anywhere.
pub(crate) struct OwnThreads(Option<Runtime>);

impl Threads {
    /// So many threads for the agent alone.
    pub(crate) fn own(count: NonZeroUsize) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(count.get())
            .thread_name("a2a-agent")
            .enable_all()
            .build()?;
        Ok(Self::Own(OwnThreads(Some(runtime))))
    }

    /// Runs code of the agent that shutdown waits for.
    pub(super) fn track<F>(&self, tracker: &TaskTracker, code: F) -> AbortHandle
    where
        F: Future<Output = ()> + Send + 'static,
    {
        match self.handle() {
            None => tracker.spawn(code).abort_handle(),
            Some(handle) => tracker.spawn_on(code, handle).abort_handle(),
        }
    }

    /// Runs code of the agent that somebody waits for.
    pub(super) fn spawn<F>(&self, code: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        match self.handle() {
            None => tokio::spawn(code),
            Some(handle) => handle.spawn(code),
        }
    }

    fn handle(&self) -> Option<&Handle> {
        match self {
            Self::Shared => None,
            Self::Own(OwnThreads(runtime)) => runtime.as_ref().map(Runtime::handle),
        }
    }
}

impl Drop for OwnThreads {
    fn drop(&mut self) {
        // Waits for nobody: a thread that is blocked ends when its code does.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
