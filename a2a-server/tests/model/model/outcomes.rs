//! What comes of several actions at the same time.

use std::collections::HashSet;

use super::{Client, Model, No};
use crate::schedule::{Action, Hook, Id, Store};

/// What cannot be divided.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Do(Id, Action),
    /// The agent answers whether it agrees to a cancellation.
    Answer(Id, Hook),
}

/// All that a group of actions can come to, whatever the order in which they come to pass. The
/// actions of one agent keep theirs.
pub fn outcomes(from: &HashSet<Model>, store: Store, actions: &[(Id, Action)]) -> HashSet<Model> {
    let mut threads: Vec<Vec<Atom>> = vec![Vec::new()];
    for (id, action) in actions {
        let atom = Atom::Do(*id, *action);
        match action {
            Action::Say(_) | Action::Watch | Action::Ask | Action::StopAsking | Action::End(_) => {
                threads[0].push(atom);
            }
            Action::Cancel(hook) => threads.push(vec![atom, Atom::Answer(*id, *hook)]),
            _ => threads.push(vec![atom]),
        }
    }
    let mut done = HashSet::new();
    let mut seen = HashSet::new();
    for model in from {
        let run = model.given.len();
        let mut model = model.clone();
        model.out = store == Store::Out;
        model.failed = false;
        explore(
            model,
            &threads,
            vec![0; threads.len()],
            run,
            &mut seen,
            &mut done,
        );
    }
    done
}

fn explore(
    model: Model,
    threads: &[Vec<Atom>],
    places: Vec<usize>,
    run: usize,
    seen: &mut HashSet<(Model, Vec<usize>)>,
    done: &mut HashSet<Model>,
) {
    if !seen.insert((model.clone(), places.clone())) {
        return;
    }
    // A lost task is ended at some moment.
    if model.lost && !model.closing && !model.out {
        let mut mended = model.clone();
        mended.mend();
        explore(mended, threads, places.clone(), run, seen, done);
    }
    let mut over = true;
    for (n, thread) in threads.iter().enumerate() {
        let Some(atom) = thread.get(places[n]) else {
            continue;
        };
        over = false;
        let mut places = places.clone();
        places[n] += 1;
        let next = match *atom {
            Atom::Do(id, action) => model.clone().act(id, action, run),
            Atom::Answer(id, hook) => {
                let mut model = model.clone();
                model.answer_cancel(id, hook);
                vec![model]
            }
        };
        for model in next {
            explore(model, threads, places.clone(), run, seen, done);
        }
    }
    if over {
        let mut model = model;
        if model.out {
            // Whoever is ready has to read the task.
            for client in model.clients.values_mut() {
                if let Client::Waiting { ready: true, .. } = client {
                    *client = Client::Either(No::Store);
                }
            }
        }
        model.out = false;
        model.failed = false;
        model.followed |= model.following && !model.state().is_terminal();
        model.following = false;
        // Again and again while that is what the store fails at.
        while model.lost && !model.closing {
            model.mend();
        }
        // An agent that still asks has been heard, and has taken what was handed over.
        let between = model
            .run
            .as_ref()
            .is_some_and(|run| run.asking && !run.taker);
        if !between {
            done.insert(model);
        }
    }
}
