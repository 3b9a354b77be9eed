use std::sync::Arc;

use crate::push::{
    Bounds, Claim, Claimed, DeadLetter, Forget, Notification, Outcome, PushOutbox, Webhook,
    WebhookKey,
};
use crate::store::{Owner, TaskStore};
use crate::testkit::Subject;
use crate::testkit::support::{at, owner};
use crate::{TaskPushNotificationConfig, Timestamp, TraceContext};

pub(crate) type Outbox = Subject<dyn PushOutbox>;

/// A task store and an outbox that are one: what the [suite](crate::joined_outbox_suite) checks.
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "the two sides of one thing")]
pub struct JoinedStore {
    /// The task store.
    pub tasks: Arc<dyn TaskStore>,
    /// The outbox, with the id that the task store's properties name.
    pub outbox: Arc<dyn PushOutbox>,
}

impl std::fmt::Debug for JoinedStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JoinedStore").finish_non_exhaustive()
    }
}

/// How long claims last that no test outlives.
pub(super) const LONG: i64 = 1_000_000;

/// A webhook of alice's for task `t`, at a receiver of its own.
pub(super) fn hook(id: &str) -> Arc<Webhook> {
    hook_of(owner("alice"), "t", id)
}

pub(super) fn hook_of(owner: Owner, task_id: &str, id: &str) -> Arc<Webhook> {
    let config = TaskPushNotificationConfig::default()
        .with_task_id(task_id)
        .with_id(id)
        .with_url(format!("https://{id}.example.com/hook"));
    Arc::new(Webhook::new(owner, config))
}

pub(super) fn at_url(id: &str, url: &str) -> Arc<Webhook> {
    let config = hook(id).config.clone().with_url(url);
    Arc::new(Webhook::new(owner("alice"), config))
}

pub(super) fn note(id: &str) -> Notification {
    let trace = trace(&format!("note={id}"));
    Notification::new(id, format!("{{\"task\":{{\"id\":\"{id}\"}}}}")).with_trace(trace)
}

pub(super) fn trace(state: &str) -> Option<TraceContext> {
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let trace = TraceContext::new(parent, state);
    assert!(trace.is_some());
    trace
}

pub(super) fn notes<const N: usize>(ids: [&str; N]) -> [Notification; N] {
    ids.map(note)
}

/// `webhook/notification` of each.
pub(super) fn names(claimed: &[Claimed]) -> Vec<String> {
    claimed.iter().map(name).collect()
}

pub(super) fn name(claimed: &Claimed) -> String {
    assert_eq!(claimed.notification, note(&claimed.notification.id()));
    format!("{}/{}", claimed.webhook.key.id, claimed.notification.id())
}

pub(super) fn sorted_names(claimed: &[Claimed]) -> Vec<String> {
    let mut names = names(claimed);
    names.sort_unstable();
    names
}

pub(super) fn bounds(queue: usize, dead_letters: usize) -> Bounds {
    Bounds {
        queue,
        dead_letters,
    }
}

impl Subject<dyn PushOutbox> {
    /// Puts notifications in, in second 0.
    pub(super) async fn put(&self, to: &Arc<Webhook>, ids: &[&str]) {
        let notes: Vec<_> = ids.iter().copied().map(note).collect();
        let to = std::slice::from_ref(to);
        self.enqueue(to, &notes, at(0)).await.unwrap();
    }

    /// Claims what is due in this second, for longer than any test takes.
    pub(super) async fn take(&self, second: i64) -> Vec<Claimed> {
        self.take_until(at(second), at(LONG)).await
    }

    pub(super) async fn take_until(&self, now: Timestamp, until: Timestamp) -> Vec<Claimed> {
        self.claim(&Claim::new(now, until, 1000))
            .await
            .unwrap()
            .claimed
    }

    /// The one head that is due.
    pub(super) async fn take_one(&self, second: i64) -> Claimed {
        let mut claimed = self.take(second).await;
        assert_eq!(claimed.len(), 1, "{claimed:?}");
        claimed.remove(0)
    }

    /// When something is due next.
    pub(super) async fn next(&self, second: i64) -> Option<Timestamp> {
        let claim = Claim::new(at(second), at(LONG), 0);
        self.claim(&claim).await.unwrap().next
    }

    /// Settles in this second and keeps nothing.
    pub(super) async fn end(&self, claimed: &Claimed, outcome: Outcome, second: i64) {
        let kept = self.settle(claimed, outcome, at(second), None).await;
        assert!(kept.unwrap().is_none());
    }

    pub(super) async fn deliver(&self, claimed: &Claimed) {
        self.end(claimed, Outcome::Delivered, 0).await;
    }

    pub(super) async fn letters(&self) -> Vec<DeadLetter> {
        self.dead_letters(0, 1000).await.unwrap()
    }

    pub(super) async fn forget_one(&self, key: &WebhookKey) {
        self.forget(Forget::Webhook(key)).await.unwrap();
    }

    /// Delivers everything that is due; returns what, in order.
    pub(super) async fn drain(&self, second: i64) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let claimed = self.take(second).await;
            if claimed.is_empty() {
                return seen;
            }
            for claimed in &claimed {
                seen.push(name(claimed));
                self.deliver(claimed).await;
            }
        }
    }
}
