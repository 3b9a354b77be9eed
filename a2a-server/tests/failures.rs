//! What callers and the log learn of the server's own failures (A2A §3.3.2, §13.4).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::auth::{Access, Authenticator, Authorizer, Credentials, Principal, Security};
use a2a_server::testkit::{FaultyStore, StoreCall};
use a2a_server::{Agent, AgentError, Answer, MemoryTaskStore, Request, TaskHandle};
use a2a_types::A2aError;
use a2a_types::store::{Scope, StoreErrorKind};
use async_trait::async_trait;
use serde_json::{Value, json};
use support::{Gate, Scripted, Wire, builder, capture, message, scripted, serve, serve_agent};

// A2A-3.3.2-14, A2A-3.3.2-16, A2A-13.4-16, R041
#[tokio::test]
async fn a_failing_store_is_logged_with_an_id_and_never_shown() {
    let logs = capture();
    let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
    let server = serve(builder(Scripted::obedient()).task_store(Arc::new(store.clone()))).await;
    for caller in server.callers() {
        let id = caller.task_in("INPUT_REQUIRED").await;
        let send = json!({"message": message("COMPLETED")});
        for (operation, params) in [
            ("SendMessage", send.clone()),
            ("SendStreamingMessage", send),
            ("GetTask", json!({"id": id})),
            ("ListTasks", json!({})),
            ("CancelTask", json!({"id": id})),
            ("SubscribeToTask", json!({"id": id})),
        ] {
            for (kind, status, name) in [
                (StoreErrorKind::Unavailable, 503, "UNAVAILABLE"),
                (StoreErrorKind::Internal, 500, "INTERNAL"),
            ] {
                store.fail_until_restored(kind);
                let answer = caller.call(operation, params.clone()).await;
                answer.expect_error(-32603, status, name, None);
                expect_clean(&answer.body);
                let (_, id) = answer.message().split_once(" (error id ").unwrap();
                let id = id.strip_suffix(')').unwrap();
                let records = logs.lines(&["ERROR", id, FaultyStore::CAUSE]);
                assert_eq!(records.len(), 1, "{operation}");
            }
            store.restore();
        }
    }
}

#[track_caller]
fn expect_clean(body: &Value) {
    let text = body.to_string();
    for secret in [
        FaultyStore::CAUSE,
        "password",
        "store.example",
        "on purpose",
    ] {
        assert!(!text.contains(secret), "{text}");
    }
}

// D9, R041: the store fails between two events of a stream.
#[tokio::test]
async fn an_error_inside_a_stream_is_its_last_event() {
    let gate = Gate::new();
    let held = gate.clone();
    let agent = scripted(move |_, task| {
        let gate = held.clone();
        async move {
            task.working().await?;
            gate.pass().await;
            task.complete().await
        }
    });
    let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
    let server = serve(builder(agent).task_store(Arc::new(store.clone()))).await;
    for (kind, code, status, name) in [
        (StoreErrorKind::Internal, -32603, 500, "INTERNAL"),
        (StoreErrorKind::Unavailable, -32603, 503, "UNAVAILABLE"),
    ] {
        for caller in server.callers() {
            let mut events = caller.stream_send("hi").await;
            assert_eq!(events.next().await.unwrap().brief(), "task SUBMITTED");
            assert_eq!(events.next().await.unwrap().brief(), "statusUpdate WORKING");
            store.fail_next(StoreCall::Append, kind);
            gate.open();
            let last = support::within(events.next()).await.unwrap();
            expect_clean(&last.raw);
            assert_eq!(last.id, None);
            match caller.wire {
                Wire::JsonRpc => {
                    assert_eq!(last.name, None);
                    assert_eq!(last.raw["error"]["code"], code);
                    assert_eq!(last.raw.as_object().unwrap().len(), 3);
                }
                Wire::Rest => {
                    assert_eq!(last.name.as_deref(), Some("error"));
                    assert_eq!(last.raw["error"]["code"], status);
                    assert_eq!(last.raw["error"]["status"], name);
                }
            }
            assert!(
                support::within(events.next()).await.is_none(),
                "nothing follows"
            );
        }
    }
}

// R041, A2A-13.4-16: what an agent's own code fails with.
#[tokio::test]
async fn the_cause_of_a_failed_agent_stays_in_the_log() {
    let agent = scripted(|_, task| async move {
        task.working().await?;
        Err(std::io::Error::other(FaultyStore::CAUSE).into())
    });
    let logs = capture();
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        assert_eq!(answer.state(), "FAILED");
        expect_clean(&answer.body);
        for event in caller.stream_send("hi").await.all().await {
            expect_clean(&event.raw);
        }
    }
    assert_eq!(logs.lines(&["ERROR", FaultyStore::CAUSE]).len(), 4);
}

/// Panics in whichever place the caller's name says.
struct Panics;

#[async_trait]
impl Authenticator for Panics {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError> {
        match credentials.headers["x-name"].to_str().unwrap() {
            "authenticator" => panic!("{}", FaultyStore::CAUSE),
            name => Ok(Principal::new(name)),
        }
    }

    fn security(&self) -> Security {
        Security::default()
    }
}

#[async_trait]
impl Authorizer for Panics {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        match access.principal.id() {
            "authorizer" => panic!("{}", FaultyStore::CAUSE),
            _ => Ok(access.own()),
        }
    }
}

impl Agent for Panics {
    async fn execute(&self, _: Request, _: TaskHandle) -> Result<(), AgentError> {
        panic!("{}", FaultyStore::CAUSE)
    }

    async fn admit(&self, request: &Request) -> Result<Answer, A2aError> {
        match request.context().caller.id() {
            "admission" => panic!("{}", FaultyStore::CAUSE),
            _ => Ok(Answer::Task),
        }
    }
}

// A2A-3.3.2-01, R041: code of the application that panics costs one call, not the connection.
#[tokio::test]
async fn a_panic_is_an_internal_error() {
    let extended = |_| async { panic!("{}", FaultyStore::CAUSE) };
    let builder = builder(Panics)
        .authenticator(Panics)
        .authorizer(Panics)
        .extended_card(extended);
    let server = serve(builder).await;
    for caller in server.callers() {
        for (name, operation) in [
            ("authenticator", "ListTasks"),
            ("authorizer", "GetTask"),
            ("admission", "SendMessage"),
            ("admission", "SendStreamingMessage"),
            ("card", "GetExtendedAgentCard"),
        ] {
            let caller = caller.clone().with("x-name", name);
            let params = json!({"id": "x", "message": message("hi")});
            let answer = caller.call(operation, params).await;
            answer.expect_error(-32603, 500, "INTERNAL", None);
            expect_clean(&answer.body);
        }
        let run = caller.with("x-name", "alice").send("hi").await;
        assert_eq!(run.state(), "FAILED");
        expect_clean(&run.body);
    }
}
