//! A task store that is also the outbox stores events and notifications together.

use std::sync::Arc;

use super::support::{JoinedStore, LONG, hook, hook_of, trace};
use crate::push::{Claim, Claimed, Outcome};
use crate::store::{Append, Created, LogEntry, NewTask, Scope, StoreErrorKind};
use crate::testkit::Subject;
use crate::testkit::support::{chunk, input, key, owner, status, task, transient};
use crate::{StreamResponse, TaskState, Timestamp, stream_response::Payload};

type Joined = Subject<JoinedStore>;

fn system() -> Scope {
    Scope::__system()
}

impl Joined {
    /// What waits, in order; it is delivered by this.
    async fn queued(&self) -> Vec<Claimed> {
        let mut all = Vec::new();
        loop {
            // The store says itself when something was queued.
            let now = Timestamp::from_unix_millis(Timestamp::now().unix_millis() + 60_000);
            let until = Timestamp::from_unix_millis(now.unix_millis() + LONG);
            let claims = self.outbox.claim(&Claim::new(now, until, 100)).await;
            let claimed = claims.unwrap().claimed;
            if claimed.is_empty() {
                return all;
            }
            for claimed in claimed {
                let settled = self.outbox.settle(&claimed, Outcome::Delivered, now, None);
                assert!(settled.await.unwrap().is_none());
                all.push(claimed);
            }
        }
    }

    async fn queued_ids(&self) -> Vec<String> {
        let queued = self.queued().await;
        let mut ids: Vec<_> = queued
            .iter()
            .map(|claimed| format!("{}/{}", claimed.webhook.key.id, claimed.notification.id()))
            .collect();
        ids.sort_unstable();
        ids
    }

    async fn create_task(&self) {
        let new = NewTask::new(task("t", 0));
        let created = self.tasks.create(&owner("alice"), new).await.unwrap();
        assert_eq!(created, Created::New);
    }
}

pub(crate) async fn store_and_outbox_know_that_they_are_one(store: Joined) {
    let outbox = store.outbox.properties();
    let tasks = store.tasks.properties();
    assert_eq!(tasks.outbox, Some(outbox.id));
    assert_eq!(tasks.durability, outbox.durability);
    assert_eq!(tasks.sharing, outbox.sharing);
}

pub(crate) async fn visible_entries_are_queued_in_order(store: Joined) {
    store.create_task().await;
    assert!(store.queued().await.is_empty());
    let entries = [
        LogEntry::new(0, input("hi")),
        LogEntry::new(1, status(TaskState::Working, 1)),
        LogEntry::new(2, chunk("x")),
        LogEntry::new(2, input("more")),
        LogEntry::new(3, transient("hm")),
    ]
    .map(Arc::new);
    let bob = hook_of(owner("bob"), "t", "b");
    let hooks = [hook("a"), Arc::clone(&bob)];
    let append = Append::new(0, &entries).with_webhooks(&hooks);
    store.tasks.append(&system(), "t", append).await.unwrap();
    let queued = store.queued().await;
    for hook in &hooks {
        let of_hook = queued.iter().filter(|claimed| claimed.webhook == *hook);
        let of_hook: Vec<_> = of_hook.map(|claimed| &claimed.notification).collect();
        let visible = entries.iter().filter(|entry| entry.is_visible());
        assert_eq!(of_hook.len(), 3);
        for (notification, entry) in of_hook.iter().zip(visible) {
            assert_eq!(notification.id(), entry.sequence().to_string());
            let body: StreamResponse = crate::json::from_slice(notification.body()).unwrap();
            assert_eq!(Some(body), entry.event().to_stream_response());
        }
    }
    assert_eq!(queued.len(), 6);
    assert!(queued.iter().all(|claimed| claimed.attempts == 0));
}

pub(crate) async fn append_without_webhooks_queues_nothing(store: Joined) {
    store.create_task().await;
    let entries = [Arc::new(LogEntry::new(1, chunk("x")))];
    let append = Append::new(0, &entries);
    store.tasks.append(&system(), "t", append).await.unwrap();
    assert!(store.queued().await.is_empty());
    let entries = [Arc::new(LogEntry::new(1, input("x")))];
    let hooks = [hook("a")];
    let append = Append::new(1, &entries).with_webhooks(&hooks);
    store.tasks.append(&system(), "t", append).await.unwrap();
    assert!(store.queued().await.is_empty());
}

pub(crate) async fn refused_append_queues_nothing(store: Joined) {
    store.create_task().await;
    let entries = [Arc::new(LogEntry::new(1, chunk("x")))];
    let hooks = [hook("a")];
    for (scope, id, after, kind) in [
        (system(), "t", 1, StoreErrorKind::Conflict),
        (system(), "nope", 0, StoreErrorKind::NotFound),
        (Scope::owner(owner("bob")), "t", 0, StoreErrorKind::NotFound),
    ] {
        let append = Append::new(after, &entries).with_webhooks(&hooks);
        let refused = store.tasks.append(&scope, id, append).await.unwrap_err();
        assert_eq!(refused.kind(), kind);
        assert!(store.queued().await.is_empty());
    }
}

pub(crate) async fn new_task_is_queued_as_it_is(store: Joined) {
    let new = NewTask::new(task("t", 0)).with_webhooks(vec![hook("a"), hook("b")]);
    let created = store.tasks.create(&owner("alice"), new).await.unwrap();
    assert_eq!(created, Created::New);
    let entries = [Arc::new(LogEntry::new(1, chunk("x")))];
    let hooks = [hook("a")];
    let append = Append::new(0, &entries).with_webhooks(&hooks);
    store.tasks.append(&system(), "t", append).await.unwrap();
    let queued = store.queued().await;
    let first = queued.iter().find(|claimed| claimed.webhook == hook("b"));
    let body = crate::json::from_slice::<StreamResponse>(first.unwrap().notification.body());
    assert_eq!(body.unwrap().payload, Some(Payload::Task(task("t", 0))));
    let of_a = queued.iter().filter(|claimed| claimed.webhook == hook("a"));
    let of_a: Vec<_> = of_a.map(|claimed| claimed.notification.id()).collect();
    assert_eq!(of_a, ["0", "1"]);
}

// R144
pub(crate) async fn trace_of_the_call_is_queued_along(store: Joined) {
    let (alice, born) = (owner("alice"), trace("call=1"));
    let new = NewTask::new(task("t", 0)).with_webhooks(vec![hook("a")]);
    let created = store
        .tasks
        .create(&alice, new.with_trace(born.clone()))
        .await;
    assert_eq!(created.unwrap(), Created::New);
    let entries = [1, 2].map(|sequence| Arc::new(LogEntry::new(sequence, chunk("x"))));
    let (hooks, later) = ([hook("a"), hook("b")], trace(""));
    let [first, second] = &entries;
    for (after, entry, trace) in [(0, first, &later), (1, second, &None)] {
        let append = Append::new(after, std::slice::from_ref(entry))
            .with_webhooks(&hooks)
            .with_trace(trace.as_ref());
        store.tasks.append(&system(), "t", append).await.unwrap();
    }
    let queued = store.queued().await;
    assert_eq!(queued.len(), 5);
    for claimed in &queued {
        let expected = match &*claimed.notification.id() {
            "0" => &born,
            "1" => &later,
            _ => &None,
        };
        assert_eq!(claimed.notification.trace, *expected);
    }
}

pub(crate) async fn create_that_makes_nothing_queues_nothing(store: Joined) {
    let new = || NewTask::new(task("t", 0)).with_webhooks(vec![hook("a")]);
    let alice = owner("alice");
    let first = new().with_idempotency(key("m", 1, 0, 9));
    store.tasks.create(&alice, first).await.unwrap();
    assert_eq!(store.queued_ids().await, ["a/0"]);
    let refused = store.tasks.create(&alice, new()).await.unwrap_err();
    assert_eq!(refused.kind(), StoreErrorKind::Conflict);
    let again = NewTask::new(task("u", 0))
        .with_idempotency(key("m", 1, 0, 9))
        .with_webhooks(vec![hook("a")]);
    let existing = store.tasks.create(&alice, again).await.unwrap();
    assert_eq!(existing, Created::Existing("t".to_owned()));
    assert!(store.queued().await.is_empty());
}
