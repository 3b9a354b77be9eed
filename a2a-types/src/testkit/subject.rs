use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

/// A piece of work that owns all it needs.
pub type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An empty store to check, and what is special about it.
pub struct Subject<S: ?Sized> {
    pub(super) store: Arc<S>,
    spawn: fn(Job) -> Job,
    _kept: Option<Box<dyn Any + Send + Sync>>,
}

impl<S: ?Sized> Subject<S> {
    /// Checks this store. It must be empty.
    pub fn new(store: Arc<S>) -> Self {
        Self {
            store,
            spawn: |job| job,
            _kept: None,
        }
    }

    /// Keeps `thing` as long as the store: the folder that it is in, for example.
    #[must_use]
    pub fn keeping(self, thing: impl Any + Send + Sync) -> Self {
        Self {
            _kept: Some(Box::new(thing)),
            ..self
        }
    }

    /// How work that happens at the same time is run: `spawn` starts a job and returns what waits
    /// for its end. The default takes turns on one thread.
    #[must_use]
    pub fn with_spawn(self, spawn: fn(Job) -> Job) -> Self {
        Self { spawn, ..self }
    }

    /// Runs the jobs at the same time.
    pub(super) async fn together<T, F>(&self, jobs: impl IntoIterator<Item = F>) -> Vec<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let results = Arc::new(Mutex::new(Vec::new()));
        let start = |job: F| {
            let results = Arc::clone(&results);
            (self.spawn)(Box::pin(async move {
                let result = job.await;
                results
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(result);
            }))
        };
        let mut running: Vec<Job> = jobs.into_iter().map(start).collect();
        poll_fn(|context| {
            running.retain_mut(|job| job.as_mut().poll(context).is_pending());
            if running.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        std::mem::take(&mut *results.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: ?Sized> Deref for Subject<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.store
    }
}

impl<S: ?Sized> fmt::Debug for Subject<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").finish_non_exhaustive()
    }
}
