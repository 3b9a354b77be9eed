//! What ends when somebody's credentials end (A2A §13.4), and when somebody's data is deleted.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use a2a_server::auth::{Authenticator, Credentials, Principal, Security};
use a2a_types::A2aError;
use a2a_types::store::Owner;
use async_trait::async_trait;
use serde_json::json;
use support::webhooks::{HOOK, list_webhooks, pushing, register_webhook, steady};
use support::{
    BINDINGS, Event, Events, Gate, Recorder, Scripted, Wire, bearers, builder, ids, serve, within,
};
use tokio::sync::mpsc;

/// Lets in whoever it is told, and tells when it is asked.
#[derive(Clone)]
struct Doorman {
    guest: Arc<Mutex<Option<Principal>>>,
    asked: mpsc::UnboundedSender<()>,
}

impl Doorman {
    fn new(guest: Principal) -> (Self, mpsc::UnboundedReceiver<()>) {
        let (asked, asks) = mpsc::unbounded_channel();
        let guest = Arc::new(Mutex::new(Some(guest)));
        (Self { guest, asked }, asks)
    }

    fn expect(&self, guest: Option<Principal>) {
        *self.guest.lock().unwrap() = guest;
    }
}

#[async_trait]
impl Authenticator for Doorman {
    async fn authenticate(&self, _: &Credentials<'_>) -> Result<Principal, A2aError> {
        let _ = self.asked.send(());
        let guest = self.guest.lock().unwrap().clone();
        guest.ok_or_else(|| A2aError::unauthenticated("not on the list"))
    }

    fn security(&self) -> Security {
        Security::default()
    }
}

const SHORT: Duration = Duration::from_millis(50);

fn soon() -> SystemTime {
    SystemTime::now() + Duration::from_millis(200)
}

/// The next event is the error of a stream whose reader is not known any more, and the last one.
async fn expect_refusal(wire: Wire, events: &mut Events) {
    let Event { body, name, .. } = within(events.next()).await.unwrap();
    match wire {
        Wire::JsonRpc => assert_eq!((&body["code"], name.as_deref()), (&json!(-31401), None)),
        Wire::Rest => {
            assert_eq!(
                (&body["code"], name.as_deref()),
                (&json!(401), Some("error"))
            );
            assert_eq!(body["status"], "UNAUTHENTICATED");
        }
    }
    assert!(within(events.next()).await.is_none());
}

async fn until_working(events: &mut Events) -> String {
    let first = events.next().await.unwrap();
    let id = first.body["task"]["id"].as_str().unwrap().to_owned();
    if first.state() != "WORKING" {
        while events.next().await.unwrap().state() != "WORKING" {}
    }
    id
}

// A2A-13.4-11
#[tokio::test]
async fn streams_end_when_their_credentials_are_revoked() {
    for wire in BINDINGS {
        let alice = Principal::new("alice");
        let (doorman, mut asks) = Doorman::new(alice.clone());
        let server = builder(Scripted::obedient())
            .authenticator(doorman.clone())
            .recheck_streams(SHORT);
        let server = serve(server).await;
        let caller = server.caller(wire);
        let mut sent = caller.stream_send("WORKING").await;
        let task = until_working(&mut sent).await;
        let mut subscribed = caller.subscribe(&task).await.unwrap();
        until_working(&mut subscribed).await;
        // Two calls, and then some looks at the open streams, which stay open.
        for _ in 0..6 {
            within(asks.recv()).await.unwrap();
        }
        doorman.expect(None);
        expect_refusal(wire, &mut sent).await;
        expect_refusal(wire, &mut subscribed).await;
        // The task is not the stream.
        doorman.expect(Some(alice));
        assert_eq!(caller.get_task(&task).await.state(), "WORKING");
        assert_eq!(caller.cancel(&task).await.state(), "CANCELED");
    }
}

// A2A-13.4-11
#[tokio::test]
async fn a_stream_ends_when_its_credentials_become_those_of_somebody_else() {
    for wire in BINDINGS {
        let (doorman, _asks) = Doorman::new(Principal::new("alice"));
        let server = builder(Scripted::obedient())
            .authenticator(doorman.clone())
            .recheck_streams(SHORT);
        let server = serve(server).await;
        let mut events = server.caller(wire).stream_send("WORKING").await;
        until_working(&mut events).await;
        doorman.expect(Some(Principal::new("bob")));
        expect_refusal(wire, &mut events).await;
    }
}

// A2A-13.4-11
#[tokio::test]
async fn a_stream_ends_when_its_credentials_expire() {
    for wire in BINDINGS {
        let (doorman, _asks) = Doorman::new(Principal::new("alice").with_expiry(soon()));
        let server = serve(builder(Scripted::obedient()).authenticator(doorman)).await;
        let mut events = server.caller(wire).stream_send("WORKING").await;
        until_working(&mut events).await;
        expect_refusal(wire, &mut events).await;
    }
}

// A2A-13.4-11
#[tokio::test]
async fn a_stream_goes_on_when_its_credentials_are_prolonged() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let alice = Principal::new("alice");
        let (doorman, mut asks) = Doorman::new(alice.clone().with_expiry(soon()));
        let server = builder(steady(&gate, 0)).authenticator(doorman.clone());
        let server = serve(server).await;
        let mut events = server.caller(wire).stream_send("hi").await;
        until_working(&mut events).await;
        let later = SystemTime::now() + Duration::from_secs(3600);
        doorman.expect(Some(alice.with_expiry(later)));
        for _ in 0..2 {
            within(asks.recv()).await.unwrap();
        }
        gate.open();
        assert_eq!(
            within(events.all()).await.last().unwrap().state(),
            "COMPLETED"
        );
        assert!(asks.try_recv().is_err(), "asked more than once");
    }
}

// A2A-13.4-21
#[tokio::test]
async fn all_data_of_an_owner_can_be_deleted() {
    let owner = Owner::new("", "alice");
    for wire in BINDINGS {
        let recorder = Recorder::default();
        let server = pushing(Scripted::obedient(), &recorder).authenticator(bearers());
        let server = serve(server).await;
        let alice = server.caller(wire).bearer("alice-token-1");
        let bob = server.caller(wire).bearer("bob-token");
        let mut tasks = Vec::new();
        for state in ["WORKING", "INPUT_REQUIRED", "COMPLETED"] {
            let task = alice.task_in(state).await;
            let url = format!("https://alice.example.com/{wire:?}");
            register_webhook(&alice, json!({"taskId": task, "url": url})).await;
            tasks.push(task);
        }
        let others = bob.task_in("INPUT_REQUIRED").await;
        register_webhook(&bob, json!({"taskId": others, "url": HOOK})).await;
        let mut events = alice.subscribe(&tasks[0]).await.unwrap();
        events.next().await.unwrap();
        let mut parked = alice.subscribe(&tasks[1]).await.unwrap();
        parked.next().await.unwrap();

        let mut deleted = within(server.server.delete_owner(&owner)).await.unwrap();
        deleted.sort_unstable();
        let mut expected = tasks.clone();
        expected.sort_unstable();
        assert_eq!(deleted, expected);
        for events in [events, parked] {
            let last = within(events.all()).await.pop().unwrap();
            assert_eq!(last.state(), "CANCELED");
        }
        for task in &tasks {
            alice.get_task(task).await.expect_task_not_found();
        }
        assert!(ids(&alice, json!({})).await.is_empty());
        let url = format!("https://alice.example.com/{wire:?}");
        assert!(recorder.sent_to(&url).is_empty());
        assert_eq!(bob.get_task(&others).await.state(), "INPUT_REQUIRED");
        assert_eq!(list_webhooks(&bob, &others).await.len(), 1);
        let again = server.server.delete_owner(&owner).await.unwrap();
        assert!(again.is_empty());
        bob.cancel(&others).await.result();
        assert_eq!(server.server.live_tasks(), 0);
    }
}

// A2A-13.4-21
#[tokio::test]
async fn an_agent_that_does_not_cancel_does_not_keep_the_data_of_an_owner() {
    let agent = Scripted::obedient().declining_cancel();
    let server = serve(builder(agent).authenticator(bearers())).await;
    for wire in BINDINGS {
        let alice = server.caller(wire).bearer("alice-token-1");
        let task = alice.task_in("WORKING").await;
        let mut events = alice.subscribe(&task).await.unwrap();
        events.next().await.unwrap();
        let owner = Owner::new("", "alice");
        let deleted = within(server.server.delete_owner(&owner)).await.unwrap();
        assert_eq!(deleted, [task.as_str()]);
        assert_eq!(within(events.all()).await.pop().unwrap().state(), "FAILED");
        alice.get_task(&task).await.expect_task_not_found();
    }
}
