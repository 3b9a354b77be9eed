//! The task engine against a simple model of it, in thousands of schedules made up at random.
//!
//! A schedule is a list of steps, each of which lets several things happen at the same time:
//! events, messages, cancellations, subscriptions and their ends, faults of the store, the end of
//! the server. After each step what can be seen must be one of the outcomes that the model allows.
//! Time stands still but for what the schedule lets pass, and one thread does everything, so that
//! a schedule is the same whenever it is run.
//!
//! - `A2A_MODEL_SCHEDULES` says how many schedules are run (default: 3,000, for at most a minute).
//! - `A2A_MODEL_SEED` runs the one of this seed, which a failure tells, and prints its steps.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod check;
mod model;
mod schedule;
mod view;
mod world;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use model::Model;
use schedule::{Id, Random, Setting, Step};
use world::World;

const SCHEDULES: u64 = 3000;
const MOST_TIME: Duration = Duration::from_secs(60);

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

#[test]
fn the_engine_does_what_the_model_allows() {
    if let Some(seed) = number("A2A_MODEL_SEED") {
        let steps = run(seed).unwrap_or_else(|failure| panic!("{failure}"));
        steps.iter().for_each(|step| eprintln!("{step}"));
        return;
    }
    let schedules = number("A2A_MODEL_SCHEDULES").unwrap_or(SCHEDULES);
    let begin = Instant::now();
    for seed in 0..schedules {
        if let Err(failure) = run(seed) {
            panic!("{failure}\nto see it again: A2A_MODEL_SEED={seed}");
        }
        if begin.elapsed() > MOST_TIME {
            eprintln!("{seed} schedules; no more for lack of time");
            return;
        }
    }
}

/// Runs the schedule of a seed; a failure tells its steps.
fn run(seed: u64) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(play(seed, &mut steps))
    }));
    let failure = match outcome {
        Ok(Ok(())) => return Ok(steps),
        Ok(Err(failure)) => failure,
        Err(panic) => match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(_) => "a panic, see above".to_owned(),
        },
    };
    let steps: Vec<String> = steps.iter().map(|step| format!("\n  {step}")).collect();
    Err(format!("schedule {seed}:{}\n{failure}", steps.concat()))
}

async fn play(seed: u64, steps: &mut Vec<Step>) -> Result<(), String> {
    let mut random = Random::new(seed);
    let setting = Setting::new(&mut random);
    let mut world = World::new(setting.first);
    let mut models = HashSet::from([Model::default()]);
    let mut next: Id = 0;
    for _ in 0..setting.steps {
        let step = schedule::step(&mut random, setting, first(&models), &mut next);
        steps.push(step.clone());
        let possible = match &step {
            Step::Pass(pass) => models.into_iter().map(|model| model.pass(*pass)).collect(),
            Step::Group(store, actions) => {
                let actions: Vec<_> = actions.iter().map(|(_, id, a)| (*id, *a)).collect();
                model::outcomes(&models, *store, &actions)
            }
        };
        world.step(&step).await;
        let seen = world.look().await;
        models = check::possible(possible, &seen)?;
        if random.once_in(2) && first(&models).state().is_terminal() {
            break;
        }
    }
    world.finish().await
}

/// The same one of several, whenever it is asked for.
fn first(models: &HashSet<Model>) -> &Model {
    let first = models.iter().min_by_key(|model| format!("{model:?}"));
    first.unwrap()
}
