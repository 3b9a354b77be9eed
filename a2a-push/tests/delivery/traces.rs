//! The trace of a call goes along with what it led to (W3C Trace Context).

use std::sync::Arc;
use std::time::Duration;

use a2a_push::PushSenderBuilder;
use a2a_server::ServerBuilder;
use a2a_store_sqlite::SqliteStore;
use a2a_types::TraceContext;
use a2a_types::push::PushSender as _;
use http::HeaderMap;
use serde_json::json;
use tempfile::TempDir;

use crate::server::{Agents, Wire, in_short};
use crate::support::{Receiver, Request, hook, notification, sender, within};

fn parent(number: usize) -> String {
    format!("00-4bf92f3577b34da6a3ce929d0e0e473{number}-00f067aa0ba902b7-01")
}

fn headers(parent: &str, state: Option<&str>) -> HeaderMap {
    let parent = ("traceparent", Some(parent));
    let both = [parent, ("tracestate", state)].into_iter();
    both.filter_map(|(name, value)| Some((name.parse().unwrap(), value?.parse().unwrap())))
        .collect()
}

fn trace(request: &Request) -> (Option<&str>, Option<&str>) {
    (request.header("traceparent"), request.header("tracestate"))
}

async fn next(receiver: &mut Receiver) -> (String, Request) {
    let request = receiver.next().await;
    let event = in_short(&serde_json::from_slice(&request.body).unwrap());
    (event, request)
}

/// Every event has the trace of the call that it is due to.
async fn check(sender: PushSenderBuilder, store: impl FnOnce(ServerBuilder) -> ServerBuilder) {
    let mut agents = Agents::with(sender.build().unwrap(), store).await;
    let mut receiver = Receiver::start().await;
    let config = json!({"url": receiver.url("/hook")});
    agents.headers = headers(&parent(1), Some("vendor=1, other=2"));
    let answer = agents.send(Wire::Rest, "Immediately", "ask", config).await;
    for event in ["task SUBMITTED", "INPUT_REQUIRED"] {
        let (got, request) = next(&mut receiver).await;
        assert_eq!(got, event);
        let expected = (Some(&*parent(1)), Some("vendor=1, other=2"));
        assert_eq!(trace(&request), expected, "{event}");
    }
    agents.headers = headers(&parent(2), None);
    let id = answer["task"]["id"].as_str().unwrap();
    let message = json!({"messageId": "2", "role": "ROLE_USER", "taskId": id,
        "parts": [{"text": "1"}]});
    let send = json!({"message": message, "configuration": {"returnImmediately": true}});
    agents.call(Wire::JsonRpc, "SendMessage", send).await;
    let (got, request) = next(&mut receiver).await;
    assert_eq!(
        (&*got, trace(&request)),
        ("WORKING", (Some(&*parent(2)), None))
    );
    agents.headers = headers(&parent(3), Some("c=3"));
    let cancel = agents.call(Wire::JsonRpc, "CancelTask", json!({"id": id}));
    assert_eq!(cancel.await.0, 200);
    let (got, request) = next(&mut receiver).await;
    assert_eq!(
        (&*got, trace(&request)),
        ("CANCELED", (Some(&*parent(3)), Some("c=3")))
    );
}

// R144
#[tokio::test]
async fn notifications_carry_the_trace_of_the_call_that_led_to_them() {
    check(sender(), |server| server).await;
}

// R144
#[tokio::test]
async fn a_store_that_is_the_outbox_keeps_the_trace() {
    let store = Arc::new(SqliteStore::open(":memory:").await.unwrap());
    check(sender().outbox(store.clone()), |server| {
        server.task_store(store.clone()).push_config_store(store)
    })
    .await;
}

// R144
#[tokio::test]
async fn a_malformed_trace_reaches_no_receiver() {
    let mut agents = Agents::with(sender().build().unwrap(), |server| server).await;
    let long = "x".repeat(600);
    let good = parent(1);
    for (parent, state, kept) in [
        ("00-nonsense-01", Some("vendor=1"), false),
        (&*good.to_uppercase(), None, false),
        (&*format!("{good}-more"), None, false),
        (&*good, Some(&*long), true),
    ] {
        let mut receiver = Receiver::start().await;
        let config = json!({"url": receiver.url("/hook")});
        agents.headers = headers(parent, state);
        agents.send(Wire::Rest, "Immediately", "ask", config).await;
        for _ in 0..2 {
            let (_, request) = next(&mut receiver).await;
            assert_eq!(trace(&request), (kept.then_some(parent), None));
        }
    }
}

// R144
#[tokio::test]
async fn a_durable_outbox_keeps_the_trace_across_a_restart() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a2a.db");
    let (mut receiver, gate) = Receiver::gated().await;
    let open = || async { Arc::new(SqliteStore::open(&path).await.unwrap()) };
    let store = open().await;
    let first = sender().outbox(store.clone()).build().unwrap();
    let note = notification(1).with_trace(TraceContext::new(&parent(7), "a=b"));
    let (hooks, notes) = ([hook("h", &receiver.url("/hook"))], [note]);
    let taken = a2a_types::push::PushSender::notify(&first, &hooks, &notes);
    taken.await.unwrap();
    let before = receiver.next().await;
    within(first.shutdown(Duration::ZERO)).await;
    store.close().await;
    gate.add_permits(10);
    let _second = sender().outbox(open().await).build().unwrap();
    let after = receiver.next().await;
    for request in [&before, &after] {
        assert_eq!(trace(request), (Some(&*parent(7)), Some("a=b")));
    }
    assert_eq!(before.id(), after.id());
}
