use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::poll;
use tokio::runtime::Handle;

use super::actor::Actor;
use super::run::Code;

/// The actors whose agents take their first step at this moment, on the thread of the actor.
///
/// Most that a quick agent does is done then, and needs no task of its own. An agent that blocks
/// the thread blocks nothing but its own step: its actor is taken from here and goes on elsewhere.
#[derive(Default)]
pub(super) struct Steps(Mutex<State>);

#[derive(Default)]
struct State {
    /// As many as there are threads at most.
    steps: Vec<Step>,
    next: u64,
}

struct Step {
    number: u64,
    /// Whether it was there at an earlier look.
    seen: bool,
    actor: Box<Actor>,
}

/// Lets the agent take its first step. Gives the actor back, unless it goes on elsewhere.
pub(super) async fn first(actor: Box<Actor>, mut code: Code) -> Option<Box<Actor>> {
    let shared = Arc::clone(&actor.shared);
    let stepping = Stepping {
        steps: &shared.steps,
        number: shared.steps.begin(actor),
    };
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
    number: u64,
}

impl Stepping<'_> {
    fn end(&self) -> Option<Box<Actor>> {
        self.steps.end(self.number)
    }
}

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        drop(self.end());
    }
}

impl Steps {
    fn begin(&self, actor: Box<Actor>) -> u64 {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.steps.push(Step {
            number,
            seen: false,
            actor,
        });
        number
    }

    fn end(&self, number: u64) -> Option<Box<Actor>> {
        let mut state = self.state();
        let at = state.steps.iter().position(|step| step.number == number)?;
        Some(state.steps.swap_remove(at).actor)
    }

    /// Gives the actors that have been here since an earlier look tasks of their own.
    pub(super) fn look(&self, runtime: &Handle) {
        let mut state = self.state();
        let seen = |step: &mut Step| std::mem::replace(&mut step.seen, true);
        let stranded: Vec<_> = state.steps.extract_if(.., seen).collect();
        drop(state);
        for Step { actor, .. } in stranded {
            let tracker = actor.shared.tracker.clone();
            tracker.spawn_on(actor.work(Vec::new()), runtime);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
