//! Whether what was seen is what a model says.

use std::collections::HashSet;

use crate::model::{Client, Entry, Model};
use crate::schedule::State;
use crate::view::Summary;
use crate::world::{Got, Seen};

/// The models that what was seen leaves possible, none of which is a failure.
pub fn possible(models: HashSet<Model>, seen: &Seen) -> Result<HashSet<Model>, String> {
    let mut left = HashSet::new();
    let mut reasons = Vec::new();
    for model in models {
        match fits(model.clone(), seen) {
            Ok(model) => {
                left.insert(model);
            }
            Err(reason) => reasons.push(format!("- {reason}\n    {model:?}")),
        }
    }
    if left.is_empty() {
        let count = reasons.len();
        reasons.sort_by_key(String::len);
        reasons.truncate(6);
        let reasons = reasons.join("\n");
        return Err(format!(
            "none of {count} outcomes fits, such as\n{reasons}\nseen:\n{seen:?}"
        ));
    }
    Ok(left)
}

fn fits(mut model: Model, seen: &Seen) -> Result<Model, String> {
    let folds = folds(&model.entries);
    let same = |what: &str, same: bool| {
        if same {
            Ok(())
        } else {
            Err(format!("{what} differ"))
        }
    };
    same("the task", seen.task.as_ref() == folds.last())?;
    let visible: Vec<&Entry> = model.entries.iter().filter(|e| e.is_visible()).collect();
    if let Some(events) = &seen.events {
        same("the events", events.iter().eq(visible))?;
    }
    same("what runs were given", seen.given == model.given)?;
    // An agent may tidy up after its last word; any other end takes its code with it.
    let last_word = matches!(model.entries.last(),
        Some(Entry::Status(state, text)) if state.is_terminal() && text.starts_with('s'));
    same("runs", seen.running == model.is_running() || last_word)?;
    if let (Some(told), true) = (seen.told, model.is_running()) {
        same("what the agent was told", told == model.is_told())?;
    }
    let known: Vec<_> = model.clients.keys().copied().collect();
    same("clients", seen.clients.keys().copied().eq(known))?;
    for (id, got) in &seen.clients {
        let client = model.clients.get_mut(id).unwrap();
        let settled = model_settled(&folds);
        settle(client, got, settled).map_err(|reason| format!("client #{id}: {reason}"))?;
        content(client, got, &model.entries, &folds)
            .map_err(|reason| format!("client #{id}: {reason}"))?;
    }
    same("live tasks", seen.live == usize::from(model.is_live()))?;
    Ok(model)
}

fn model_settled(folds: &[Summary]) -> bool {
    folds.last().is_some_and(|task| task.state.is_settled())
}

/// Whether a client stands where the model says, and where that leaves it.
fn settle(client: &mut Client, got: &Got, settled: bool) -> Result<(), String> {
    let done = got.outcome.as_ref();
    let right = match client {
        Client::Queued(_) | Client::Canceling => done.is_none() && !got.open,
        Client::Open(_) => done.is_none() && got.open,
        Client::Done(answer) => done == Some(answer),
        Client::Either(no) => done == Some(&Ok(())) || done == Some(&Err(*no)),
        Client::Waiting { ready, .. } => match done {
            None => !*ready || !settled,
            Some(Ok(())) => *ready,
            Some(Err(_)) => false,
        },
    };
    if !right {
        return Err(format!("{client:?} got {got:?}"));
    }
    if let (Client::Waiting { .. } | Client::Either(_), Some(answer)) = (&client, done) {
        *client = Client::Done(*answer);
    }
    Ok(())
}

/// Whether what a client has got is what there was: a task that once was, and after it every event
/// in its order.
fn content(client: &Client, got: &Got, entries: &[Entry], folds: &[Summary]) -> Result<(), String> {
    // Where the first event of a stream stands.
    let place = match (&got.task, got.from) {
        (Some(task), _) => match folds.iter().position(|fold| fold == task) {
            Some(place) => place + 1,
            None => return Err(format!("a task that never was: {task:?}")),
        },
        (None, Some(from)) => {
            let mut visible = 0;
            let before = |entry: &&Entry| {
                visible += u64::from(entry.is_visible());
                visible <= from
            };
            entries.iter().take_while(before).count()
        }
        (None, None) => return Ok(()),
    };
    if !got.open {
        return Ok(());
    }
    let after = entries[place..].iter().enumerate();
    let after: Vec<_> = after.filter(|(_, entry)| entry.is_visible()).collect();
    let shown = got.events.len();
    let right = |shown: usize| got.events.iter().eq(after[..shown].iter().map(|(_, e)| *e));
    if shown > after.len() || !right(shown) {
        return Err(format!("other events than {after:?}"));
    }
    // A stream of a store that fails ends with what was stored then; an answer ends where
    // something is asked.
    let last = shown
        .checked_sub(1)
        .map_or(place, |last| place + after[last].0 + 1);
    let asked = got.answer && folds[last - 1].state == State::InputRequired;
    let may_miss = match client {
        Client::Open(_) => false,
        Client::Done(Ok(())) => asked,
        _ => true,
    };
    if shown < after.len() && !may_miss {
        return Err(format!("{} events are missing", after.len() - shown));
    }
    Ok(())
}

/// The task after each entry.
fn folds(entries: &[Entry]) -> Vec<Summary> {
    let mut task = Summary {
        state: State::Submitted,
        message: None,
        history: Vec::new(),
        artifact: Vec::new(),
    };
    let mut folds = Vec::new();
    for entry in entries {
        match entry {
            Entry::Input(text) => {
                let said = task.message.take().map(|said| format!("agent: {said}"));
                task.history.extend(said);
                task.history.push(format!("user: {text}"));
            }
            Entry::Status(state, text) => {
                let said = task.message.take().map(|said| format!("agent: {said}"));
                task.history.extend(said);
                task.state = *state;
                task.message = Some(text.clone()).filter(|text| !text.is_empty());
            }
            Entry::Artifact(text) => task.artifact.push(text.clone()),
        }
        folds.push(task.clone());
    }
    folds
}
