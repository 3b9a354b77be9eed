use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::ops::Deref;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

/// A piece of work that owns all it needs.
pub type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How many turns a job waits, for the idle threads of a runtime to take some of the jobs:
/// else one thread has done all the work before another wakes up.
const TURNS: usize = 2000;

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

    /// Runs the jobs at the same time: none begins before all can.
    pub(super) async fn together<T, F>(&self, jobs: impl IntoIterator<Item = F>) -> Vec<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let jobs: Vec<F> = jobs.into_iter().collect();
        let absent = Arc::new(AtomicUsize::new(jobs.len()));
        let results = Arc::new(Mutex::new(Vec::new()));
        let start = |job: F| {
            let (absent, results) = (Arc::clone(&absent), Arc::clone(&results));
            (self.spawn)(Box::pin(async move {
                absent.fetch_sub(1, Ordering::SeqCst);
                for _ in 0..TURNS {
                    turn().await;
                }
                while absent.load(Ordering::SeqCst) > 0 {
                    turn().await;
                }
                let result = job.await;
                results.lock().unwrap().push(result);
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
        std::mem::take(&mut *results.lock().unwrap())
    }
}

/// Gives all others a turn.
pub(super) async fn turn() {
    let mut had = false;
    poll_fn(|context| {
        if had {
            return Poll::Ready(());
        }
        had = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
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
