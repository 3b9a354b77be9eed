use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use futures::poll;
use tokio::runtime::Handle;

use super::actor::Actor;
use super::run::Code;

/// The actors whose agents take their first step at this moment, on the thread of the actor.
///
/// Most that a quick agent does is done then, and needs no task of its own. An agent that blocks
/// the thread blocks nothing but its own step: its actor is taken from here and goes on elsewhere.
/// A caller that has taken the step itself, because all before were quick, is blocked with it.
#[derive(Default)]
pub(super) struct Steps {
    /// As many as there are threads at most.
    steps: Mutex<Vec<Step>>,
    /// How many have been taken since one blocked its thread.
    quick: AtomicU32,
}

/// After so many quick steps in a row the next one is believed to be quick, too.
const TRUST: u32 = 64;

struct Step {
    /// Only one is taken on a thread at a time.
    thread: ThreadId,
    /// Whether it was there at an earlier look.
    seen: bool,
    actor: Box<Actor>,
}

/// Lets the agent take its first step. Gives the actor back, unless it goes on elsewhere.
pub(super) async fn first(actor: Box<Actor>, mut code: Code) -> Option<Box<Actor>> {
    let shared = Arc::clone(&actor.shared);
    let stepping = shared.steps.begin(actor);
    let step = poll!(&mut code);
    let actor = stepping.end();
    if step.is_pending() {
        shared.threads.go_on(code);
    }
    actor
}

/// A step that is being taken; it ends with this at the latest.
struct Stepping<'a>(Option<&'a Steps>);

impl Stepping<'_> {
    fn end(mut self) -> Option<Box<Actor>> {
        self.0.take()?.end()
    }
}

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        drop(self.0.take().and_then(Steps::end));
    }
}

impl Steps {
    fn begin(&self, actor: Box<Actor>) -> Stepping<'_> {
        self.steps().push(Step {
            thread: thread::current().id(),
            seen: false,
            actor,
        });
        Stepping(Some(self))
    }

    fn end(&self) -> Option<Box<Actor>> {
        let here = thread::current().id();
        let mut steps = self.steps();
        let at = steps.iter().position(|step| step.thread == here)?;
        self.quick.fetch_add(1, Ordering::Relaxed);
        Some(steps.swap_remove(at).actor)
    }

    /// Whether a caller that waits for its task may take the step itself: hardly any is long, and
    /// this is no call of an agent to its own server, which could go on without end.
    pub(super) fn are_for_callers(&self) -> bool {
        let here = thread::current().id();
        self.quick.load(Ordering::Relaxed) >= TRUST
            && self.steps().iter().all(|step| step.thread != here)
    }

    /// Gives the actors that have been here since an earlier look tasks of their own.
    pub(super) fn look(&self, runtime: &Handle) {
        let seen = |step: &mut Step| std::mem::replace(&mut step.seen, true);
        let stranded: Vec<_> = self.steps().extract_if(.., seen).collect();
        if !stranded.is_empty() {
            self.quick.store(0, Ordering::Relaxed);
        }
        for Step { actor, .. } in stranded {
            let tracker = actor.shared.tracker.clone();
            tracker.spawn_on(actor.work(Vec::new()), runtime);
        }
    }

    fn steps(&self) -> MutexGuard<'_, Vec<Step>> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
