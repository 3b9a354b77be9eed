use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use http::HeaderMap;

use crate::net::TOKEN_HEADERS;

/// Knows which tasks notifications are expected of (A2A §13.2).
#[async_trait]
pub trait Tasks: Send + Sync + 'static {
    /// Whether a notification of the task is expected that presents `token`. It is asked after
    /// everything else has been checked. A refusal is final: senders do not try again, so that a task
    /// must be expected before its registration is sent.
    async fn expected(&self, task_id: &str, token: &PresentedToken) -> Expected;
}

/// See [`Tasks::expected`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no other answer")]
pub enum Expected {
    /// Yes, and the task has no token of its own: something else must prove where the notification
    /// comes from.
    Yes,
    /// Yes, and it presents the token that was registered for the task.
    YesByToken,
    /// The task has another token.
    WrongToken,
    /// Nothing is expected of the task.
    No,
}

type Digest = [u8; 32];

/// The token that a notification presents. It can be compared, and not read.
pub struct PresentedToken(Vec<Digest>);

impl PresentedToken {
    /// Senders disagree about the header's name; some send both.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let values = TOKEN_HEADERS
            .into_iter()
            .filter_map(|name| headers.get(name));
        Self(values.map(|value| hash(value.as_bytes())).collect())
    }

    /// Whether it is this one. Takes the same time for any two.
    #[must_use]
    pub fn is(&self, token: &str) -> bool {
        self.has(&hash(token.as_bytes()))
    }

    fn has(&self, token: &Digest) -> bool {
        let same = |presented: &Digest| verify_slices_are_equal(presented, token).is_ok();
        !self.0.is_empty() && self.0.iter().fold(false, |found, one| found | same(one))
    }
}

impl fmt::Debug for PresentedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresentedToken([redacted])")
    }
}

fn hash(token: &[u8]) -> Digest {
    let hash = digest(&SHA256, token);
    hash.as_ref().try_into().unwrap_or_default()
}

/// The expected tasks, in memory. Clones are the same list. It keeps hashes of the tokens.
///
/// It grows with each task that is expected until it is [forgotten](Self::forget).
#[derive(Clone, Default)]
pub struct TaskList(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The task, and its token if it has one.
    tasks: HashMap<String, Option<Digest>>,
    /// Tokens of tasks whose ids are not known yet.
    waiting: HashSet<Digest>,
}

impl TaskList {
    /// Expects notifications of a task that has no token.
    pub fn expect(&self, task_id: impl Into<String>) {
        self.lock().tasks.insert(task_id.into(), None);
    }

    /// Expects notifications of a task, with the token that was registered for it.
    pub fn expect_with_token(&self, task_id: impl Into<String>, token: &str) {
        let token = hash(token.as_bytes());
        self.lock().tasks.insert(task_id.into(), Some(token));
    }

    /// Expects notifications of a task whose id only the agent knows: a registration that is sent
    /// with the first message. The first task that presents the token is the one.
    pub fn expect_token(&self, token: &str) {
        self.lock().waiting.insert(hash(token.as_bytes()));
    }

    /// Expects nothing more of a task.
    pub fn forget(&self, task_id: &str) {
        self.lock().tasks.remove(task_id);
    }

    /// Expects nothing more of a registration whose task has not been heard of yet.
    pub fn forget_token(&self, token: &str) {
        self.lock().waiting.remove(&hash(token.as_bytes()));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Tasks for TaskList {
    async fn expected(&self, task_id: &str, token: &PresentedToken) -> Expected {
        let mut state = self.lock();
        match state.tasks.get(task_id) {
            Some(None) => Expected::Yes,
            Some(Some(own)) if token.has(own) => Expected::YesByToken,
            Some(Some(_)) => Expected::WrongToken,
            None => {
                // Looking up the hash of a secret tells nothing about the secret.
                let found = token.0.iter().find(|hash| state.waiting.contains(*hash));
                let Some(found) = found.copied() else {
                    return Expected::No;
                };
                state.waiting.remove(&found);
                state.tasks.insert(task_id.to_owned(), Some(found));
                Expected::YesByToken
            }
        }
    }
}

impl fmt::Debug for TaskList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("TaskList")
            .field("tasks", &state.tasks.keys())
            .field("waiting", &state.waiting.len())
            .finish()
    }
}
