//! What happens in a schedule, and how one is made up from a seed.

use std::fmt;

use crate::model::Model;

/// A generator of numbers that are the same for the same seed (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap()
    }

    /// Whether something happens that happens once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// Names a client, a word of the agent or a message: the number of the action that began it.
pub type Id = usize;

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    Blocking,
    Immediate,
    Stream,
}

/// What an agent can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    Status(State),
    Artifact,
}

/// The states of a task (A2A §4.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    Submitted,
    Working,
    InputRequired,
    AuthRequired,
    Completed,
    Failed,
    Canceled,
    Rejected,
}

impl State {
    pub fn is_terminal(self) -> bool {
        use State::{Canceled, Completed, Failed, Rejected};
        matches!(self, Completed | Failed | Canceled | Rejected)
    }

    /// Whether a blocking call answers.
    pub fn is_settled(self) -> bool {
        self.is_terminal() || self.is_interrupted()
    }

    pub fn is_interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    Ok,
    Error,
    Panic,
}

/// What the agent answers to a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hook {
    Agree,
    Decline,
    Panic,
    Hang,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The message that begins the task, which is the same each time.
    Send(Mode),
    /// A later message.
    Message(Mode),
    /// A client does not wait any longer, or leaves its stream.
    Leave(Id),
    /// From the beginning, or from after this event.
    Subscribe(Option<u64>),
    Cancel(Hook),
    Say(Word),
    /// The agent looks for cancellation.
    Watch,
    /// The agent waits for the next message.
    Ask,
    /// It waits no longer.
    StopAsking,
    End(End),
    /// The store will not take the next event.
    FailAppend,
    Shutdown,
}

/// How the store behaves while a group of things happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    Works,
    /// It takes no event before all has been begun.
    Slow,
    /// Everything fails.
    Out,
}

/// A time to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Longer than a cancellation is waited for.
    Grace,
    /// Longer than a run may take.
    Limit,
}

/// Things that happen at the same time, or time that passes.
#[derive(Clone, Debug)]
pub enum Step {
    /// Each action, with how often others may run before it.
    Group(Store, Vec<(usize, Id, Action)>),
    Pass(Pass),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass(pass) => write!(f, "time passes: {pass:?}"),
            Self::Group(store, actions) => {
                write!(f, "store {store:?}:")?;
                for (yields, id, action) in actions {
                    write!(f, "  [{yields}] #{id} {action:?}")?;
                }
                Ok(())
            }
        }
    }
}

/// What a whole schedule has in common.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How the first message is sent when it is not streamed: a repeated send is the same send.
    pub first: Mode,
    pub steps: usize,
}

impl Setting {
    pub fn new(random: &mut Random) -> Self {
        Self {
            first: random.of(&[Mode::Blocking, Mode::Immediate]),
            steps: 4 + random.below(12),
        }
    }
}

/// What happens next, given where things stand.
pub fn step(random: &mut Random, setting: Setting, model: &Model, next: &mut Id) -> Step {
    if model.exists() && random.once_in(12) {
        // Once the server stops, its own patience is the shortest.
        let grace = !model.is_closing() && random.once_in(2);
        return Step::Pass(if grace { Pass::Grace } else { Pass::Limit });
    }
    let store = match random.below(10) {
        0 | 1 => Store::Slow,
        2 => Store::Out,
        _ => Store::Works,
    };
    let size = 1 + random.below(4);
    let mut actions: Vec<(usize, Id, Action)> = Vec::new();
    let mut asking = model.is_asking();
    let mut over = false;
    while actions.len() < size {
        let Some(action) = action(random, setting, model) else {
            continue;
        };
        let twice = |wanted: fn(&Action) -> bool| actions.iter().any(|(_, _, a)| wanted(a));
        let skip = match action {
            Action::Leave(id) => actions.iter().any(|(_, _, a)| *a == Action::Leave(id)),
            Action::FailAppend => store == Store::Out || twice(|a| matches!(a, Action::FailAppend)),
            Action::Shutdown => twice(|a| matches!(a, Action::Shutdown)),
            // The agent's answer is one for all who ask at the same time.
            Action::Cancel(_) => twice(|a| matches!(a, Action::Cancel(_))) && !random.once_in(2),
            Action::Ask => asking || over,
            Action::StopAsking => !asking || over,
            Action::End(_) | Action::Say(_) | Action::Watch => over,
            _ => false,
        };
        if skip {
            // Instead of looking for something else that fits, which may not be there.
            if random.once_in(4) {
                break;
            }
            continue;
        }
        match action {
            Action::Ask => asking = true,
            Action::StopAsking => asking = false,
            Action::End(_) => over = true,
            _ => {}
        }
        let action = match (action, actions.iter().find_map(|(_, _, a)| hook(*a))) {
            (Action::Cancel(_), Some(hook)) => Action::Cancel(hook),
            _ => action,
        };
        actions.push((random.below(7), *next, action));
        *next += 1;
    }
    Step::Group(store, actions)
}

fn hook(action: Action) -> Option<Hook> {
    match action {
        Action::Cancel(hook) => Some(hook),
        _ => None,
    }
}

fn action(random: &mut Random, setting: Setting, model: &Model) -> Option<Action> {
    let modes = [Mode::Blocking, Mode::Immediate, Mode::Stream];
    if !model.exists() {
        let mode = random.of(&[setting.first, Mode::Stream]);
        return Some(match random.below(20) {
            0 => Action::Shutdown,
            _ => Action::Send(mode),
        });
    }
    let running = model.is_running();
    Some(match random.below(40) {
        0 => Action::Send(random.of(&[setting.first, Mode::Stream])),
        1..=6 => Action::Message(random.of(&modes)),
        7..=9 => Action::Subscribe(None),
        10 | 11 => {
            let length = usize::try_from(model.length()).unwrap();
            let from = random.below(length + 2);
            Action::Subscribe(Some(from as u64))
        }
        12..=14 => Action::Leave(*pick(random, &model.waiting_clients())?),
        15..=17 => Action::Cancel(random.of(&[
            Hook::Agree,
            Hook::Agree,
            Hook::Decline,
            Hook::Panic,
            Hook::Hang,
        ])),
        18 | 19 => Action::FailAppend,
        20 => {
            if model.is_closing() || !random.once_in(3) {
                return None;
            }
            Action::Shutdown
        }
        _ if !running => return None,
        21..=28 => Action::Say(match random.below(20) {
            0..=5 => Word::Artifact,
            6..=9 => Word::Status(State::Working),
            10..=13 => Word::Status(State::InputRequired),
            14 | 15 => Word::Status(State::AuthRequired),
            16 | 17 => Word::Status(State::Completed),
            18 => Word::Status(State::Failed),
            _ => Word::Status(State::Rejected),
        }),
        29..=32 => Action::Ask,
        33 => Action::StopAsking,
        34 | 35 => Action::Watch,
        36..=38 => Action::End(End::Ok),
        _ => Action::End(random.of(&[End::Error, End::Panic])),
    })
}

fn pick<'a, T>(random: &mut Random, of: &'a [T]) -> Option<&'a T> {
    if of.is_empty() {
        return None;
    }
    of.get(random.below(of.len()))
}
