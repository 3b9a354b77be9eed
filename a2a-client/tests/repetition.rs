//! Calls that are made again, and those that are not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use a2a_client::RetryPolicy;
use a2a_client::auth::Bearer;
use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::extensions::{ResendCallers, SafeResends};
use a2a_types::{AgentInterface, TaskState};
use serde_json::json;
use support::{BINDINGS, answering, builder, client, fitting, operations};

/// Answers the first requests with something, the others with what fits.
fn after(binding: &'static str, times: usize, first: Answer) -> impl Fn(&Heard) -> Answer {
    let count = AtomicUsize::new(0);
    move |heard| match count.fetch_add(1, Ordering::SeqCst) {
        n if n < times => first.clone(),
        _ => fitting(binding, heard),
    }
}

// R062
#[tokio::test]
async fn a_send_whose_answer_is_lost_is_not_repeated() {
    for binding in BINDINGS {
        for lost in [
            Answer::raw("").then_reset(),
            Answer::raw(""),
            Answer::empty(503),
            Answer::new(502, "text/html", "<p>"),
        ] {
            let server = HostileServer::start(after(binding, 1, lost)).await.unwrap();
            let client = client(&server, binding);
            let error = client.send_message("hi").await.unwrap_err();
            assert!(!error.is_unsent());
            assert_eq!(server.heard().len(), 1);
        }
        let lost = Answer::raw("").then_reset();
        let server = HostileServer::start(after(binding, 1, lost)).await.unwrap();
        let client = client(&server, binding);
        client.stream_message("hi").await.unwrap_err();
        assert_eq!(server.heard().len(), 1);
    }
}

// R062, B14
#[tokio::test]
async fn a_send_is_repeated_only_for_those_to_whom_the_card_promises_it() {
    use ResendCallers::{Authenticated, Everybody};
    let day = Duration::from_secs(24 * 60 * 60);
    for binding in BINDINGS {
        for (offer, bearer, sends) in [
            (Some(SafeResends::new(day, Authenticated)), true, 2),
            (Some(SafeResends::new(day, Authenticated)), false, 1),
            (Some(SafeResends::new(day, Everybody)), false, 2),
            (Some(SafeResends::new(Duration::ZERO, Everybody)), true, 1),
            (None, true, 1),
        ] {
            let lost = Answer::raw("").then_reset();
            let server = HostileServer::start(after(binding, 1, lost)).await.unwrap();
            let mut card = server.card(binding);
            let capabilities = card.capabilities.get_or_insert_default();
            capabilities.extensions = offer.into_iter().map(Into::into).collect();
            let client = match bearer {
                true => builder().with_credentials(Bearer::new("secret")),
                false => builder(),
            };
            let client = client.from_card(card).unwrap();
            let result = client.send_message("hi").await;
            assert_eq!(result.is_ok(), sends == 2);
            let heard = server.heard();
            assert_eq!(heard.len(), sends, "{offer:?} {bearer}");
            let message = |n: usize| match binding {
                JSONRPC => heard[n].json()["params"].clone(),
                _ => heard[n].json(),
            };
            assert_eq!(message(0), message(sends - 1));
        }
    }
}

// R062, B14
#[tokio::test]
async fn a_send_is_repeated_to_nobody_else() {
    let server = HostileServer::start(|_| Answer::raw("").then_reset())
        .await
        .unwrap();
    let other = HostileServer::start(|heard| fitting(JSONRPC, heard))
        .await
        .unwrap();
    let offer = SafeResends::new(Duration::from_secs(60), ResendCallers::Everybody);
    let mut card = server.card(JSONRPC);
    card.supported_interfaces
        .extend(other.card(JSONRPC).supported_interfaces);
    card.capabilities.get_or_insert_default().extensions = vec![offer.into()];
    let client = builder().from_card(card).unwrap();
    client.send_message("hi").await.unwrap_err();
    assert_eq!(operations(&server), ["SendMessage"; 3]);
    assert!(other.heard().is_empty());
}

// R062
#[tokio::test]
async fn calls_that_change_nothing_are_repeated() {
    for binding in BINDINGS {
        for lost in [
            Answer::raw("").then_reset(),
            Answer::empty(503),
            Answer::empty(429),
            Answer::new(502, "text/html", "<p>"),
        ] {
            let server = HostileServer::start(after(binding, 2, lost)).await.unwrap();
            let client = client(&server, binding);
            client.get_task("t-1").await.unwrap();
            assert_eq!(operations(&server), ["GetTask"; 3]);
        }
        let lost = Answer::raw("").then_reset();
        let server = HostileServer::start(after(binding, 1, lost)).await.unwrap();
        let client = client(&server, binding);
        client.delete_push_config(("t-1", "p")).await.unwrap();
        drop(client.subscribe_to_task("t-1").await.unwrap());
    }
}

// R062
#[tokio::test]
async fn repetitions_end_and_wrong_requests_are_not_repeated() {
    for (answer, times) in [
        (Answer::empty(503), 3),
        (Answer::new(404, "text/html", "<p>"), 1),
        (
            Answer::json(400, &json!({ "error": { "code": 400, "message": "no" } })),
            1,
        ),
        (Answer::empty(503).with_header("Retry-After", "3600"), 1),
    ] {
        let (server, client) = answering(HTTP_JSON, answer).await;
        client.get_task("t-1").await.unwrap_err();
        assert_eq!(server.heard().len(), times);
    }
    let server = HostileServer::start(|_| Answer::empty(503)).await.unwrap();
    let never = builder().with_retry(RetryPolicy::never());
    let client = never.from_card(server.card(HTTP_JSON)).unwrap();
    client.get_task("t-1").await.unwrap_err();
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn the_pause_that_the_peer_wants_is_kept() {
    let busy = Answer::empty(503).with_header("Retry-After", "1");
    let server = HostileServer::start(after(HTTP_JSON, 1, busy))
        .await
        .unwrap();
    let client = client(&server, HTTP_JSON);
    let begin = Instant::now();
    client.get_task("t-1").await.unwrap();
    assert!(begin.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.heard().len(), 2);
}

// Decision D46
#[tokio::test]
async fn a_cancel_whose_first_answer_was_lost_gives_the_canceled_task() {
    for binding in BINDINGS {
        let count = AtomicUsize::new(0);
        let answers = move |heard: &Heard| match count.fetch_add(1, Ordering::SeqCst) {
            0 => Answer::raw("").then_reset(),
            1 => match binding {
                JSONRPC => Answer::json(
                    200,
                    &json!({ "jsonrpc": "2.0", "id": "1",
                    "error": { "code": -32002, "message": "over" } }),
                ),
                _ => Answer::json(
                    400,
                    &json!({ "error": { "code": 400, "details": [{
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": "TASK_NOT_CANCELABLE", "domain": "a2a-protocol.org" }] } }),
                ),
            },
            _ => fitting(binding, heard),
        };
        let server = HostileServer::start(answers).await.unwrap();
        let task = client(&server, binding).cancel_task("t-1").await.unwrap();
        assert_eq!(task.state(), TaskState::Canceled);
        assert_eq!(operations(&server), ["CancelTask", "CancelTask", "GetTask"]);
    }
}

// A2A-5.2-03
#[tokio::test]
async fn an_interface_that_cannot_be_reached_gives_way_to_the_next() {
    let server = HostileServer::start(|heard| fitting(HTTP_JSON, heard))
        .await
        .unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let dead = AgentInterface::default()
        .with_url(format!("http://{free}/"))
        .with_protocol_binding(JSONRPC)
        .with_protocol_version("1.0")
        .with_tenant("dead");
    let mut card = server.card(HTTP_JSON);
    card.supported_interfaces.insert(0, dead);
    let both = builder().from_card(card.clone()).unwrap();
    assert_eq!(both.interface().protocol_binding, JSONRPC);
    both.send_message("hi").await.unwrap();
    assert_eq!(both.interface().protocol_binding, HTTP_JSON);
    assert_eq!(operations(&server), ["SendMessage"]);
    assert!(!server.heard()[0].target.contains("dead"));

    let pinned = builder().with_bindings([JSONRPC]).from_card(card).unwrap();
    let error = pinned.send_message("hi").await.unwrap_err();
    assert!(error.is_unsent());
    assert_eq!(server.heard().len(), 1);
}

// A2A-5.2-03
#[tokio::test]
async fn an_interface_that_has_the_request_does_not_give_way() {
    let server = HostileServer::start(|_| Answer::raw("").then_reset())
        .await
        .unwrap();
    let mut card = server.card(JSONRPC);
    card.supported_interfaces
        .extend(server.card(HTTP_JSON).supported_interfaces);
    let client = builder().from_card(card).unwrap();
    client.send_message("hi").await.unwrap_err();
    assert_eq!(operations(&server), ["SendMessage"]);
}
