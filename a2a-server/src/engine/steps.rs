use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::poll;
use tokio::runtime::Handle;

use super::actor::Actor;
use super::live::Live;
use super::run::Code;

/// The actors whose agents take their first step at this moment, on the thread of the actor.
///
/// Most that a quick agent does is done then, and needs no task of its own. An agent that blocks
/// the thread blocks nothing but its own step: its actor is taken from here and goes on elsewhere.
#[derive(Default)]
pub(super) struct Steps(Mutex<Vec<Step>>);

struct Step {
    /// Whether it was there at an earlier look.
    seen: bool,
    actor: Box<Actor>,
}

/// Lets the agent take its first step. Gives the actor back, unless it goes on elsewhere.
pub(super) async fn first(actor: Box<Actor>, mut code: Code) -> Option<Box<Actor>> {
    let shared = Arc::clone(&actor.shared);
    let stepping = Stepping {
        steps: &shared.steps,
        live: Arc::clone(&actor.live),
    };
    shared.steps.begin(actor);
    let step = poll!(&mut code);
    let actor = stepping.end();
    if step.is_pending() {
        shared.threads.go_on(code);
    }
    actor
}

/// A step that is being taken; it ends with this at the latest.
struct Stepping<'a> {
    steps: &'a Steps,
    live: Arc<Live>,
}

impl Stepping<'_> {
    fn end(&self) -> Option<Box<Actor>> {
        self.steps.end(&self.live)
    }
}

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        drop(self.end());
    }
}

impl Steps {
    fn begin(&self, actor: Box<Actor>) {
        self.steps().push(Step { seen: false, actor });
    }

    fn end(&self, live: &Arc<Live>) -> Option<Box<Actor>> {
        // There are as many as there are threads at most.
        let mut steps = self.steps();
        let its = |step: &Step| Arc::ptr_eq(&step.actor.live, live);
        let at = steps.iter().position(its)?;
        Some(steps.swap_remove(at).actor)
    }

    /// Gives the actors that have been here since an earlier look tasks of their own.
    pub(super) fn look(&self, runtime: &Handle) {
        let mut steps = self.steps();
        let seen = |step: &mut Step| std::mem::replace(&mut step.seen, true);
        let stranded: Vec<_> = steps.extract_if(.., seen).collect();
        drop(steps);
        for Step { actor, .. } in stranded {
            let tracker = actor.shared.tracker.clone();
            tracker.spawn_on(actor.work(Vec::new()), runtime);
        }
    }

    fn steps(&self) -> MutexGuard<'_, Vec<Step>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
