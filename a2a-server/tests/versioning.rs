//! Versions and other service parameters (A2A §3.2.6, §3.6, §14.2.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::{CARD_PATH, Unversioned};
use a2a_types::Version;
use serde_json::{Value, json};
use support::{
    Caller, RawAnswer, Recorder, Scripted, TestServer, Wire, builder, message, raw, serve,
    serve_agent,
};

/// A list of tasks, asked for with these header lines and this query.
async fn list(server: &TestServer, wire: Wire, headers: &str, query: &str) -> RawAnswer {
    let mark = if query.is_empty() { "" } else { "?" };
    match wire {
        Wire::JsonRpc => {
            let body = br#"{"jsonrpc":"2.0","id":"t-1","method":"ListTasks"}"#;
            let head = format!(
                "POST /{mark}{query} HTTP/1.1\r\nContent-Type: application/json\r\n{headers}"
            );
            raw(server.address, &head, body).await
        }
        Wire::Rest => {
            let head = format!("GET /tasks{mark}{query} HTTP/1.1\r\n{headers}");
            raw(server.address, &head, b"").await
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Outcome {
    Served,
    Refused,
    Invalid,
}

use Outcome::*;

#[track_caller]
fn expect(outcome: Outcome, wire: Wire, answer: &RawAnswer, about: &str) {
    let body = answer.json();
    let error = body.get("error");
    let shown = format!("{wire:?} {about}: {body}");
    let code = |error: &Value| error["code"].as_i64().unwrap();
    match (outcome, wire) {
        (Served, _) => assert!(error.is_none(), "{shown}"),
        (Refused, Wire::JsonRpc) => assert_eq!(code(error.expect(&shown)), -32009, "{shown}"),
        (Invalid, Wire::JsonRpc) => assert_eq!(code(error.expect(&shown)), -32600, "{shown}"),
        (Refused, Wire::Rest) => {
            assert_eq!(answer.status, 400, "{shown}");
            assert_eq!(
                error.expect(&shown)["details"][0]["reason"],
                "VERSION_NOT_SUPPORTED",
                "{shown}"
            );
        }
        (Invalid, Wire::Rest) => {
            assert_eq!(answer.status, 400, "{shown}");
            assert!(error.expect(&shown).get("details").is_none(), "{shown}");
        }
    }
}

// R136, B7, D40, A2A-3.2.6-01, A2A-3.6-02, A2A-3.6.1-02, A2A-3.6.2-02, A2A-3.6.2-03, A2A-9.2-01,
// A2A-9.2-02, A2A-11.2-01, A2A-14.2.1-01, I3, I4, I5, I6
#[tokio::test]
async fn a_version_is_a_major_and_a_minor_number_and_nothing_means_0_3() {
    let server = serve_agent(Scripted::echo()).await;
    for (headers, query, outcome) in [
        ("A2A-Version: 1.0\r\n", "", Served),
        ("a2a-version: 1.0\r\n", "", Served),
        ("A2A-VERSION: 1.0\r\n", "", Served),
        ("A2A-Version: 1.0.0\r\n", "", Served),
        ("A2A-Version: 1.0.7\r\n", "", Served),
        ("A2A-Version:  1.0 \r\n", "", Served),
        ("A2A-Version: 1\r\n", "", Served),
        ("A2A-Version: 1.0\r\nA2A-Version: 1.0\r\n", "", Served),
        ("", "A2A-Version=1.0", Served),
        ("", "a2a-version=1.0.3", Served),
        ("", "x=1&A2A-Version=%201.0", Served),
        ("A2A-Version: 1.0\r\n", "A2A-Version=0.3", Served),
        ("", "", Refused),
        ("A2A-Version:\r\n", "", Refused),
        ("A2A-Version:  \r\n", "", Refused),
        ("", "A2A-Version=", Refused),
        ("A2A-Version: 0.3\r\n", "", Refused),
        ("A2A-Version: 0.3\r\n", "A2A-Version=1.0", Refused),
        ("A2A-Version: 0.30\r\n", "", Refused),
        ("A2A-Version: 1.1\r\n", "", Refused),
        ("A2A-Version: 1.00\r\n", "", Refused),
        ("A2A-Version: 01.0\r\n", "", Refused),
        ("A2A-Version: 1.0.0.0\r\n", "", Refused),
        ("A2A-Version: 1.0-beta\r\n", "", Refused),
        ("A2A-Version: 1.\r\n", "", Refused),
        ("A2A-Version: v1\r\n", "", Refused),
        ("A2A-Version: v1.0\r\n", "", Refused),
        ("A2A-Version: 2\r\n", "", Refused),
        ("A2A-Version: 9.9\r\n", "", Refused),
        ("A2A-Version: 99999999.0\r\n", "", Refused),
        ("A2A-Version: 1.0, 0.3\r\n", "", Refused),
        ("A2A-Version: latest\r\n", "", Refused),
        ("X-A2A-Version: 1.0\r\n", "", Refused),
        ("", "version=1.0", Refused),
        ("A2A-Version: 1.0\r\nA2A-Version: 0.3\r\n", "", Invalid),
        ("A2A-Version: 0.3\r\nA2A-Version: 1.0\r\n", "", Invalid),
        ("A2A-Version: 1.0\r\nA2A-Version: 1.0.0\r\n", "", Invalid),
    ] {
        for wire in support::BINDINGS {
            let answer = list(&server, wire, headers, query).await;
            expect(outcome, wire, &answer, &format!("{headers:?} {query}"));
        }
    }
}

// R136, A2A-14.2.1-01: raw bytes in the header.
#[tokio::test]
async fn a_version_that_is_no_text_is_refused() {
    let server = serve_agent(Scripted::echo()).await;
    let mut request =
        b"GET /tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nA2A-Version: ".to_vec();
    request.extend_from_slice(b"1.0\xff\r\n\r\n");
    let mut raw = support::Raw::connect(server.address).await;
    raw.write(&request).await;
    expect(Refused, Wire::Rest, &raw.answer().await, "bytes");
}

// A2A-3.6.2-02, A2A-3.6.2-03, A2A-6-02
#[tokio::test]
async fn every_operation_checks_the_version_before_anything_of_the_call() {
    let agent = Scripted::echo();
    let builder = builder(agent.clone()).push_sender(Arc::new(Recorder::default()));
    let server = serve(builder.declare_extended_card()).await;
    for caller in server.callers() {
        for version in ["", "0.3", "9.9"] {
            let caller = caller.clone().with("a2a-version", version);
            for operation in a2a_types::OperationId::ALL {
                let params = json!({"id": "x", "taskId": "x", "message": {}});
                let answer = caller.call(operation.name(), params).await;
                answer.expect_error(
                    -32009,
                    400,
                    "FAILED_PRECONDITION",
                    Some("VERSION_NOT_SUPPORTED"),
                );
                let metadata = &answer.details()[0]["metadata"];
                assert_eq!(metadata["supportedVersions"], "1.0");
                let requested = if version.is_empty() { "0.3" } else { version };
                assert_eq!(metadata["requestedVersion"], requested);
            }
        }
    }
    assert_eq!(agent.runs(), 0);
}

// B7
#[tokio::test]
async fn a_switch_lets_a_missing_version_mean_the_newest() {
    let server = serve(builder(Scripted::echo()).unversioned(Unversioned::Newest)).await;
    for (headers, outcome) in [
        ("", Served),
        ("A2A-Version:\r\n", Served),
        ("A2A-Version: 1.0\r\n", Served),
        ("A2A-Version: 0.3\r\n", Refused),
        ("A2A-Version: x\r\n", Refused),
    ] {
        for wire in support::BINDINGS {
            expect(
                outcome,
                wire,
                &list(&server, wire, headers, "").await,
                headers,
            );
        }
    }
}

// B7, A2A-3.6-01, D10
#[tokio::test]
async fn the_card_needs_no_version_and_shows_no_patch() {
    let server = serve_agent(Scripted::echo()).await;
    for headers in [
        "",
        "A2A-Version: 0.3\r\n",
        "A2A-Version: 9.9\r\n",
        "A2A-Version: 1.0\r\n",
    ] {
        let answer = raw(
            server.address,
            &format!("GET {CARD_PATH} HTTP/1.1\r\n{headers}"),
            b"",
        )
        .await;
        assert_eq!(answer.status, 200);
        for interface in answer.json()["supportedInterfaces"].as_array().unwrap() {
            assert_eq!(interface["protocolVersion"], "1.0");
        }
    }
}

// A2A-3.2.6-02, A2A-3.2.6-04, A2A-T-11
#[tokio::test]
async fn other_headers_reach_the_agent_and_change_nothing() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let caller: Caller = caller
            .with("x-request-id", "r-1")
            .with("a2a-something", "else")
            .with("x-a2a-extensions", "urn:x:v1")
            .with("a2a-version", "1.0.2");
        caller
            .call("SendMessage", json!({"message": message("hi")}))
            .await
            .result();
        let request = agent.seen.lock().unwrap().last().unwrap().clone();
        let context = request.context();
        assert_eq!(context.headers["X-Request-Id"], "r-1");
        assert_eq!(context.headers["a2a-something"], "else");
        assert!(context.requested_extensions.is_empty());
        assert_eq!(context.version, Version::V1_0);
        assert_eq!(context.peer.unwrap().ip(), server.address.ip());
    }
}
