//! Finding, reading and keeping agent cards.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use a2a_client::auth::Bearer;
use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_client::{CardCache, Client, Failure, InternalUrls};
use a2a_types::ErrorKind;
use a2a_types::card::{HTTP_JSON, JSONRPC};
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use support::{answer, builder, task};

const WELL_KNOWN: &str = "/.well-known/agent-card.json";

fn card(url: &str) -> Value {
    json!({ "name": "Found", "future": {}, "supportedInterfaces": [
        { "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "new": 1 } ] })
}

/// A server with a card at one place, which answers calls too.
async fn at(place: &'static str, answer: Answer) -> HostileServer {
    let answers = move |heard: &Heard| match (heard.method.as_str(), heard.target.as_str()) {
        ("GET", target) if target == place => answer.clone(),
        ("POST", _) => support::answer(JSONRPC, &task("TASK_STATE_WORKING")),
        _ => Answer::new(404, "text/html", "<p>Not found</p>"),
    };
    HostileServer::start(answers).await.unwrap()
}

fn targets(server: &HostileServer) -> Vec<String> {
    server
        .heard()
        .into_iter()
        .map(|heard| heard.target)
        .collect()
}

// R070
#[tokio::test]
async fn a_card_is_found_wherever_it_may_be() {
    let table = [
        (WELL_KNOWN, "", 1),
        (WELL_KNOWN, "/", 1),
        (WELL_KNOWN, WELL_KNOWN, 1),
        ("/agents/x/.well-known/agent-card.json", "/agents/x", 1),
        ("/agents/x/.well-known/agent-card.json", "/agents/x/", 1),
        ("/agents/x/card", "/agents/x/card", 2),
        (WELL_KNOWN, "/agents/x", 3),
        ("/x/card.json", "/x/card.json", 1),
        ("/card?agent=x", "/card?agent=x", 1),
    ];
    for (place, path, requests) in table {
        let server = at(place, Answer::json(200, &card("/rpc"))).await;
        let client = builder().connect(&server.url(path)).await.unwrap();
        assert_eq!(client.card().name, "Found", "{place} {path}");
        assert_eq!(server.heard().len(), requests, "{place} {path}");
        assert_eq!(client.interface().url, server.url("/rpc"));
        assert_eq!(server.heard()[0].header("a2a-version"), "1.0");
        client.get_task("t-1").await.unwrap();
        assert_eq!(server.heard().pop().unwrap().target, "/rpc");
    }
}

// R070
#[tokio::test]
async fn every_address_that_was_tried_is_told() {
    let server = at("/nowhere", Answer::empty(200)).await;
    let error = builder()
        .connect(&server.url("/agents/x"))
        .await
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Card);
    for path in [
        "/agents/x/.well-known/agent-card.json",
        "/agents/x",
        WELL_KNOWN,
    ] {
        assert!(error.to_string().contains(&server.url(path)), "{error}");
    }
    let before = server.heard().len();
    let alone = builder().without_card_of_host();
    alone.connect(&server.url("/agents/x")).await.unwrap_err();
    assert_eq!(server.heard().len() - before, 2);
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    for address in ["", "h", "ftp://h", "http://", "/x", "mailto:x@y"] {
        let error = Client::connect(address).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Request, "{address}");
    }
}

// R078
#[tokio::test]
async fn what_is_no_usable_card_says_why() {
    let old = json!({ "name": "x", "url": "http://h", "protocolVersion": "0.3.0", "skills": [] });
    let none = json!({ "name": "x", "supportedInterfaces": [] });
    let grpc = json!({ "supportedInterfaces": [
        { "url": "h:1", "protocolBinding": "GRPC", "protocolVersion": "1.0" } ] });
    let wrong = json!({ "supportedInterfaces": [{ "url": 5 }] });
    let table = [
        (Answer::json(200, &old), "0.3.0"),
        (Answer::json(200, &none), "no interfaces"),
        (Answer::json(200, &grpc), "GRPC"),
        (Answer::json(200, &wrong), "supportedInterfaces[0].url"),
        (Answer::json(200, &json!([])), "no JSON object"),
        (Answer::json(200, &json!({ "hello": 1 })), "no agent card"),
        (Answer::new(200, "text/html", "<p>"), "not JSON"),
        (Answer::new(200, "application/json", ""), "not JSON"),
        (
            Answer::new(200, "application/json", vec![b' '; 4096]).for_ever(),
            "larger",
        ),
        (Answer::empty(500), "no card"),
    ];
    for (answer, text) in table {
        let server = at(WELL_KNOWN, answer).await;
        let error = builder().connect(&server.url("")).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Card, "{text}");
        assert!(error.to_string().contains(text), "{error}");
    }
    let server = at(WELL_KNOWN, Answer::silence()).await;
    let hasty = builder().with_timeout(Duration::from_millis(50));
    let error = hasty.connect(&server.url("")).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Timeout);
}

// R066
#[tokio::test]
async fn a_card_behind_credentials_is_got_with_them() {
    let answers = |heard: &Heard| match heard.header("authorization") {
        "Bearer token" => Answer::json(200, &card("/rpc")),
        _ => Answer::empty(401),
    };
    let server = HostileServer::start(answers).await.unwrap();
    let with = builder().with_credentials(Bearer::new("token"));
    with.connect(&server.url("/x")).await.unwrap();
    let error = builder().connect(&server.url("/x")).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Card);
    assert_eq!(error.kind(), Some(ErrorKind::Unauthenticated));
    assert_eq!(
        server.heard().len(),
        2,
        "looking elsewhere would hide the cause"
    );
}

#[tokio::test]
async fn redirects_of_a_card_are_followed_without_secrets_to_others() {
    let other = at("/c", Answer::json(200, &card("/rpc"))).await;
    let target = other.url("/c");
    let answers = move |heard: &Heard| match heard.target.as_str() {
        WELL_KNOWN => Answer::empty(302).with_header("Location", "/moved"),
        _ => Answer::empty(307).with_header("Location", &target),
    };
    let server = HostileServer::start(answers).await.unwrap();
    let mut key = HeaderValue::from_static("secret");
    key.set_sensitive(true);
    let client = builder()
        .with_credentials(Bearer::new("token"))
        .with_header(HeaderName::from_static("x-key"), key)
        .with_header(
            HeaderName::from_static("x-plain"),
            HeaderValue::from_static("yes"),
        )
        .connect(&server.url(""))
        .await
        .unwrap();
    assert_eq!(server.heard()[1].header("authorization"), "Bearer token");
    let heard = other.heard().pop().unwrap();
    assert_eq!(heard.header("authorization"), "");
    assert_eq!(heard.header("x-key"), "");
    assert_eq!(heard.header("x-plain"), "yes");
    // What is relative is so to where the card was in the end; that is not where secrets go.
    assert_eq!(client.interface().url, other.url("/rpc"));
    client.get_task("t-1").await.unwrap();
    let heard = other.heard().pop().unwrap();
    assert_eq!(heard.header("authorization"), "");
    assert_eq!(heard.header("x-key"), "");
    assert_eq!(heard.header("x-plain"), "yes");
}

#[tokio::test]
async fn a_card_that_redirects_for_ever_is_none() {
    let answers = |_: &Heard| Answer::empty(302).with_header("Location", "/again");
    let server = HostileServer::start(answers).await.unwrap();
    let error = builder().connect(&server.url("")).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Card);
    assert!(server.heard().len() < 10);
}

#[tokio::test]
async fn internal_addresses_of_a_local_card_are_fine() {
    let server = at(WELL_KNOWN, Answer::json(200, &card("http://10.0.0.1/rpc"))).await;
    let client = builder().connect(&server.url("")).await.unwrap();
    assert_eq!(client.interface().url, "http://10.0.0.1/rpc");
    let rebased = builder().with_internal_urls(InternalUrls::Rebase);
    let client = rebased.connect(&server.url("")).await.unwrap();
    assert_eq!(client.interface().url, "http://10.0.0.1/rpc");
}

// A2A-8.6.2-01
#[tokio::test]
async fn a_fresh_card_is_not_asked_for_again() {
    let fresh = Answer::json(200, &card("/rpc")).with_header("Cache-Control", "max-age=60");
    let server = at(WELL_KNOWN, fresh).await;
    let cache = CardCache::new();
    for _ in 0..2 {
        let with_cache = builder().with_card_cache(cache.clone());
        let client = with_cache.connect(&server.url("")).await.unwrap();
        client.refresh_card().await.unwrap();
    }
    assert_eq!(targets(&server), [WELL_KNOWN]);
    // Who shows other credentials may see another card.
    let other = builder()
        .with_card_cache(cache)
        .with_credentials(Bearer::new("x"));
    other.connect(&server.url("")).await.unwrap();
    assert_eq!(server.heard().len(), 2);
}

// A2A-8.6.2-01
#[tokio::test]
async fn a_card_that_must_not_be_kept_is_not() {
    let secret = Answer::json(200, &card("/rpc")).with_header("Cache-Control", "no-store");
    let server = at(WELL_KNOWN, secret.with_header("ETag", "\"1\"")).await;
    let client = builder().connect(&server.url("")).await.unwrap();
    client.refresh_card().await.unwrap();
    let heard = server.heard();
    assert_eq!(heard.len(), 2);
    assert_eq!(heard[1].header("if-none-match"), "");
}

// A2A-8.6.2-02
#[tokio::test]
async fn an_old_card_is_asked_for_only_if_it_has_changed() {
    let answers = |heard: &Heard| match heard.header("if-none-match") {
        "\"1\"" => Answer::empty(304).with_header("Cache-Control", "max-age=60"),
        _ => Answer::json(200, &card("/rpc"))
            .with_header("ETag", "\"1\"")
            .with_header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
    };
    let server = HostileServer::start(answers).await.unwrap();
    let client = builder().connect(&server.url("")).await.unwrap();
    for _ in 0..2 {
        assert_eq!(client.refresh_card().await.unwrap().name, "Found");
    }
    let heard = server.heard();
    assert_eq!(heard.len(), 2, "the 304 has made it fresh");
    assert_eq!(
        heard[1].header("if-modified-since"),
        "Sun, 06 Nov 1994 08:49:37 GMT"
    );
}

#[tokio::test]
async fn a_stale_card_stands_in_for_a_server_that_is_down_if_allowed() {
    for (cache, header, stands_in) in [
        (CardCache::new(), "max-age=0", false),
        (CardCache::new(), "max-age=0, stale-if-error=60", true),
        (
            CardCache::with_lifetimes(Duration::ZERO, Duration::from_secs(60)),
            "max-age=0",
            true,
        ),
    ] {
        let status = Arc::new(AtomicU16::new(200));
        let told = Arc::clone(&status);
        let answers = move |_: &Heard| match told.load(Ordering::SeqCst) {
            200 => Answer::json(200, &card("/rpc")).with_header("Cache-Control", header),
            0 => Answer::raw("").then_reset(),
            status => Answer::empty(status),
        };
        let server = HostileServer::start(answers).await.unwrap();
        let client = builder()
            .with_card_cache(cache)
            .connect(&server.url(""))
            .await
            .unwrap();
        for down in [503, 0] {
            status.store(down, Ordering::SeqCst);
            assert_eq!(
                client.refresh_card().await.is_ok(),
                stands_in,
                "{header} {down}"
            );
        }
        status.store(403, Ordering::SeqCst);
        assert!(client.refresh_card().await.is_err());
        assert_eq!(
            client.card().name,
            "Found",
            "the client goes on with what it has"
        );
    }
}

// A2A-8.6.2-03
#[tokio::test]
async fn a_card_without_a_lifetime_has_that_of_the_cache() {
    let server = at(WELL_KNOWN, Answer::json(200, &card("/rpc"))).await;
    let cache = CardCache::with_lifetimes(Duration::from_secs(60), Duration::ZERO);
    let client = builder()
        .with_card_cache(cache)
        .connect(&server.url(""))
        .await
        .unwrap();
    client.refresh_card().await.unwrap();
    assert_eq!(server.heard().len(), 1);
}

// I10: whichever of the two comes first.
#[tokio::test]
async fn of_two_versions_of_one_binding_the_one_that_we_speak_is_called() {
    for order in [["0.3", "1.0"], ["1.0", "0.3"]] {
        let answers = move |heard: &Heard| match heard.target.as_str() {
            WELL_KNOWN => {
                let entries = order.map(|version| {
                    let url = format!("/rpc-{version}");
                    json!({"url": url, "protocolBinding": JSONRPC, "protocolVersion": version})
                });
                Answer::json(
                    200,
                    &json!({"name": "Both", "supportedInterfaces": entries}),
                )
            }
            _ => answer(JSONRPC, &task("TASK_STATE_WORKING")),
        };
        let server = HostileServer::start(answers).await.unwrap();
        let client = builder().connect(&server.url("")).await.unwrap();
        client.get_task("t-1").await.unwrap();
        let call = server.heard().pop().unwrap();
        assert_eq!(call.target, "/rpc-1.0", "{order:?}");
        assert_eq!(call.header("a2a-version"), "1.0");
    }
}

// A2A-8.3.2-03
#[tokio::test]
async fn a_refreshed_card_leads_to_its_own_interface() {
    let binding = Arc::new(AtomicU16::new(0));
    let told = Arc::clone(&binding);
    let answers = move |heard: &Heard| match heard.target.as_str() {
        WELL_KNOWN => {
            let mut card = card("/one");
            if told.load(Ordering::SeqCst) == 1 {
                card["supportedInterfaces"][0]["url"] = json!("/two");
                card["supportedInterfaces"][0]["protocolBinding"] = json!(HTTP_JSON);
            }
            Answer::json(200, &card)
        }
        _ => answer(HTTP_JSON, &task("TASK_STATE_WORKING")),
    };
    let server = HostileServer::start(answers).await.unwrap();
    let client = builder().connect(&server.url("")).await.unwrap();
    assert_eq!(client.interface().url, server.url("/one"));
    binding.store(1, Ordering::SeqCst);
    client.refresh_card().await.unwrap();
    client.get_task("t-1").await.unwrap();
    assert_eq!(server.heard().pop().unwrap().target, "/two/tasks/t-1");
}
