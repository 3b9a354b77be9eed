//! Every error of the protocol, reached over every binding: codes, statuses, reasons and shapes
//! (A2A §3.3.2, §5.4, §9.5, §11.6).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::future::{Ready, ready};
use std::task::{Context, Poll};
use std::time::Duration;

use a2a_server::auth::{Access, Authorizer, StaticBearer};
use a2a_server::{
    Answer as Answers, ExtendedCardAccess, Incoming, InputModes, Limits, Reply, Streaming,
};
use a2a_types::store::Scope;
use a2a_types::{A2aError, AgentExtension};
use async_trait::async_trait;
use serde_json::{Value, json};
use support::{
    Answer, Gate, Scripted, Wire, builder, capture, message, scripted, serve, serve_agent,
};
use tower::{Layer, Service};

/// An answer, and what it should be: code, status, reason, text and metadata.
type Row<'a> = (Answer, i64, (u16, &'a str), &'a str, &'a str, Value);

/// The whole body of an error that A2A defines, as the binding has it.
fn golden(
    wire: Wire,
    code: i64,
    status: (u16, &str),
    reason: &str,
    text: &str,
    metadata: &Value,
) -> Value {
    let mut info = json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    });
    if metadata.as_object().is_some_and(|m| !m.is_empty()) {
        info["metadata"] = metadata.clone();
    }
    match wire {
        Wire::JsonRpc => json!({
            "jsonrpc": "2.0",
            "id": "t-1",
            "error": {"code": code, "message": text, "data": [info]},
        }),
        Wire::Rest => json!({
            "error": {"code": status.0, "status": status.1, "message": text, "details": [info]},
        }),
    }
}

// A2A-5.4-01, A2A-5.1-03, A2A-3.3.2-01, A2A-3.3.2-17..20, A2A-9.5-01..03, A2A-11.6-01, A2A-11.6-02,
// A2A-11.6-04, A2A-3.3.4-01..04, R040, R048, D3, D4, D16, D28
#[tokio::test]
async fn the_nine_errors_of_the_protocol_have_their_exact_form() {
    let card = support::card().extension(
        AgentExtension::default()
            .with_uri("urn:x:v1")
            .with_required(true),
    );
    let builder = builder(Scripted::echo())
        .card(card)
        .streaming(Streaming::Off)
        .declare_extended_card()
        .extended_card_access(ExtendedCardAccess::Everybody)
        .input_modes(InputModes::Checked);
    let server = serve(builder).await;
    let talker =
        scripted(|_, task| async move { task.working().await }).answering(Answers::Message);
    let talker = serve_agent(talker).await;
    let failed = (400, "FAILED_PRECONDITION");
    for bare in server.callers() {
        let wire = bare.wire;
        let caller = bare.clone().with("a2a-extensions", "urn:x:v1");
        let sent = json!({"message": message("hi")});
        let done = caller.send("hi").await.task_id();
        let picture = json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"raw": "AAA=", "mediaType": "image/png"}]});
        let new_caller = caller.clone().with("a2a-version", "9.9");
        let rows: [Row<'_>; 9] = [
            (
                caller.get_task("t-42").await,
                -32001,
                (404, "NOT_FOUND"),
                "TASK_NOT_FOUND",
                "task t-42 not found",
                json!({"taskId": "t-42"}),
            ),
            (
                caller.cancel(&done).await,
                -32002,
                failed,
                "TASK_NOT_CANCELABLE",
                &format!("task {done} cannot be canceled in state TASK_STATE_COMPLETED"),
                json!({"taskId": done, "state": "TASK_STATE_COMPLETED"}),
            ),
            (
                caller
                    .call("ListTaskPushNotificationConfigs", json!({"taskId": done}))
                    .await,
                -32003,
                failed,
                "PUSH_NOTIFICATION_NOT_SUPPORTED",
                "push notifications are not supported by this agent",
                json!({}),
            ),
            (
                caller.call("SendStreamingMessage", sent.clone()).await,
                -32004,
                failed,
                "UNSUPPORTED_OPERATION",
                "streaming is not supported by this agent",
                json!({"operation": "SendStreamingMessage"}),
            ),
            (
                caller
                    .call("SendMessage", json!({"message": picture}))
                    .await,
                -32005,
                (400, "INVALID_ARGUMENT"),
                "CONTENT_TYPE_NOT_SUPPORTED",
                "media type image/png is not supported by this agent",
                json!({"mediaType": "image/png"}),
            ),
            (
                talker.caller(wire).send("hi").await,
                -32006,
                (500, "INTERNAL"),
                "INVALID_AGENT_RESPONSE",
                "the agent began a task instead of a message",
                json!({}),
            ),
            (
                caller.call("GetExtendedAgentCard", json!({})).await,
                -32007,
                failed,
                "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
                "this agent has no extended card configured",
                json!({}),
            ),
            (
                bare.call("SendMessage", sent).await,
                -32008,
                failed,
                "EXTENSION_SUPPORT_REQUIRED",
                "this agent requires the extension urn:x:v1; name it in A2A-Extensions",
                json!({"extensionUri": "urn:x:v1"}),
            ),
            (
                new_caller.get_task("x").await,
                -32009,
                failed,
                "VERSION_NOT_SUPPORTED",
                "A2A version 9.9 is not supported; supported: 1.0",
                json!({"requestedVersion": "9.9", "supportedVersions": "1.0"}),
            ),
        ];
        for (answer, code, status, reason, text, metadata) in rows {
            let mut body = answer.body.clone();
            // What is the server's fault ends with the number of its log record.
            let shown = answer.message().split(" (error id ").next().unwrap();
            assert_eq!(shown != answer.message(), status.0 == 500, "{body}");
            body["error"]["message"] = shown.into();
            assert_eq!(body, golden(wire, code, status, reason, text, &metadata));
            let http = if wire == Wire::JsonRpc { 200 } else { status.0 };
            assert_eq!(answer.status, http, "{reason}");
            assert_eq!(
                answer.headers["content-type"],
                content_type(wire, &answer),
                "{reason}"
            );
        }
    }
}

/// The test caller posts `application/a2a+json`, which answers mirror; a GET without a wish gets
/// plain JSON for an error.
fn content_type(wire: Wire, answer: &Answer) -> &'static str {
    let posted = [
        "canceled",
        "streaming",
        "media type",
        "requires the",
        "began a task",
    ];
    let posted = posted.iter().any(|word| answer.message().contains(word));
    if wire == Wire::Rest && posted {
        "application/a2a+json"
    } else {
        "application/json"
    }
}

// A2A-3.3.4-01, A2A-3.3.4-02, A2A-3.3.4-03
#[tokio::test]
async fn what_the_card_does_not_declare_is_refused_before_anything_is_looked_up() {
    let server = serve(builder(Scripted::echo()).streaming(Streaming::Off)).await;
    for caller in server.callers() {
        for operation in [
            "CreateTaskPushNotificationConfig",
            "GetTaskPushNotificationConfig",
            "ListTaskPushNotificationConfigs",
            "DeleteTaskPushNotificationConfig",
        ] {
            let params = json!({"taskId": "unknown", "id": "p"});
            caller
                .call(operation, params)
                .await
                .expect_push_not_supported();
        }
        let hook = json!({"taskPushNotificationConfig": {"url": "https://example.com"}});
        let inline = json!({"message": message("hi"), "configuration": hook});
        caller
            .call("SendMessage", inline)
            .await
            .expect_push_not_supported();
        caller
            .call("SendStreamingMessage", json!({"message": message("hi")}))
            .await
            .expect_unsupported();
        caller
            .call("SubscribeToTask", json!({"id": "unknown"}))
            .await
            .expect_unsupported();
        caller
            .call("GetExtendedAgentCard", json!({}))
            .await
            .expect_unsupported();
        assert_eq!(caller.count().await, 0);
    }
}

// A2A-3.3.2-01, A2A-9.5-05, A2A-11.6-01, R048
#[tokio::test]
async fn errors_of_the_transport_have_no_reason_of_ours() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let request = caller.request("SendMessage", json!({"message": message("hi")}));
        let answer = Answer::read(caller.wire, request.body("{\"a\":").send().await.unwrap()).await;
        answer.expect_error(-32700, 400, "INVALID_ARGUMENT", None);
        assert_eq!(answer.details(), Vec::<Value>::new());

        let twice = caller
            .request("GetTask", json!({"id": "x"}))
            .header("a2a-version", "9.9");
        let answer = Answer::read(caller.wire, twice.send().await.unwrap()).await;
        answer.expect_error(-32600, 400, "INVALID_ARGUMENT", None);
    }
}

// A2A-3.3.2-03, A2A-3.3.2-04, A2A-3.3.2-05, A2A-5.1-04, A2A-13.4-12, D22
#[tokio::test]
async fn missing_and_bad_credentials_are_challenged_and_logged() {
    let logs = capture();
    let bearer = StaticBearer::new([("good-token", "alice")]);
    let server = serve(builder(Scripted::echo()).authenticator(bearer)).await;
    for caller in server.callers() {
        for authorization in [
            "",
            "Bearer bad-token",
            "Basic Z29vZA==",
            "Bearer",
            "good-token",
            "Bearer good-token2",
        ] {
            let caller = caller.clone().with("authorization", authorization);
            for (operation, params) in [
                ("SendMessage", json!({"message": message("hi")})),
                ("GetTask", json!({"id": "x"})),
            ] {
                let answer = caller.call(operation, params).await;
                answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
                assert_eq!(answer.headers["www-authenticate"], "Bearer");
                assert_eq!(answer.message(), "a valid bearer token is required");
                if caller.wire == Wire::JsonRpc {
                    assert_eq!(answer.body["id"], "t-1");
                }
            }
        }
        for good in [
            "Bearer good-token",
            "bearer good-token",
            "BEARER  good-token",
        ] {
            let caller = caller.clone().with("authorization", good);
            assert_eq!(caller.send("hi").await.state(), "COMPLETED");
        }
    }
    assert_eq!(
        logs.lines(&["WARN", "authentication failed"]).len(),
        2 * 6 * 2
    );
    for secret in ["good-token", "bad-token", "Z29vZA"] {
        assert!(!logs.text().contains(secret), "{secret}");
    }
}

/// Lets nobody read lists.
struct NoLists;

#[async_trait]
impl Authorizer for NoLists {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        if access.operation == a2a_types::OperationId::ListTasks {
            return Err(A2aError::permission_denied("scope tasks.list is missing"));
        }
        Ok(access.own())
    }
}

// A2A-3.3.2-06, A2A-3.3.2-07, A2A-13.4-13, D22
#[tokio::test]
async fn a_denied_operation_names_the_missing_scope_and_is_logged() {
    let logs = capture();
    let server = serve(builder(Scripted::echo()).authorizer(NoLists)).await;
    for caller in server.callers() {
        let answer = caller.call("ListTasks", json!({})).await;
        answer.expect_error(-31403, 403, "PERMISSION_DENIED", None);
        assert_eq!(answer.message(), "scope tasks.list is missing");
        assert!(!answer.headers.contains_key("www-authenticate"));
        caller.send("hi").await.result();
    }
    assert_eq!(
        logs.lines(&["WARN", "permission denied", "ListTasks"])
            .len(),
        2
    );
}

// A2A-3.3.2-08, A2A-3.3.2-12, A2A-3.3.2-13
#[tokio::test]
async fn somebody_elses_task_looks_like_no_task() {
    let bearer = StaticBearer::new([("a", "alice"), ("b", "bob")]);
    let server = serve(builder(Scripted::echo()).authenticator(bearer)).await;
    for caller in server.callers() {
        let id = caller.clone().bearer("a").send("hi").await.task_id();
        let bob = caller.clone().bearer("b");
        let unknown = id.chars().rev().collect::<String>();
        for (operation, member) in [
            ("GetTask", "id"),
            ("CancelTask", "id"),
            ("SubscribeToTask", "id"),
        ] {
            let foreign = bob.call(operation, json!({member: id})).await;
            foreign.expect_task_not_found();
            let missing = bob.call(operation, json!({member: unknown})).await;
            let renamed = missing.body.to_string().replace(&unknown, &id);
            assert_eq!(foreign.body.to_string(), renamed);
            let named = |answer: &Answer| {
                let mut names: Vec<_> = answer.headers.keys().cloned().collect();
                names.sort_by_key(ToString::to_string);
                names
            };
            assert_eq!(named(&foreign), named(&missing));
        }
        bob.send_to(&id, "hi").await.expect_task_not_found();
    }
}

/// Answers every call with an error.
#[derive(Clone)]
struct Refuse(A2aError);

impl<S> Layer<S> for Refuse {
    type Service = Self;

    fn layer(&self, _: S) -> Self {
        self.clone()
    }
}

impl Service<Incoming> for Refuse {
    type Response = Reply;
    type Error = A2aError;
    type Future = Ready<Result<Reply, A2aError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), A2aError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Incoming) -> Self::Future {
        ready(Err(self.0.clone()))
    }
}

// A2A-3.3.2-15, A2A-13.4-17, A2A-13.4-18, A2A-13.4-19, R048
#[tokio::test]
async fn a_layer_that_limits_the_rate_speaks_for_every_binding() {
    let soon = Duration::from_millis(1500);
    for (error, status, name) in [
        (
            A2aError::resource_exhausted(soon),
            429,
            "RESOURCE_EXHAUSTED",
        ),
        (A2aError::unavailable(soon), 503, "UNAVAILABLE"),
    ] {
        let server = serve(builder(Scripted::echo()).layer(Refuse(error))).await;
        for caller in server.callers() {
            let answer = caller.send("hi").await;
            answer.expect_error(-32603, status, name, None);
            assert_eq!(
                answer.headers["retry-after"], "2",
                "whole seconds, never too early"
            );
            let retry = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.500s"});
            assert_eq!(answer.details(), [retry]);
        }
    }
}

// A2A-3.3.2-01, D39
#[tokio::test]
async fn a_call_that_takes_too_long_gets_a_deadline_error_and_its_task_goes_on() {
    let gate = Gate::new();
    let held = gate.clone();
    let agent = scripted(move |_, task| {
        let gate = held.clone();
        async move {
            gate.pass().await;
            task.complete().await
        }
    });
    let limits = Limits::default().with_request_time(Duration::from_millis(500));
    let server = serve(builder(agent.clone()).limits(limits)).await;
    for caller in server.callers() {
        caller
            .send("hi")
            .await
            .expect_error(-32603, 504, "DEADLINE_EXCEEDED", None);
        let id = agent
            .seen
            .lock()
            .unwrap()
            .last()
            .unwrap()
            .task_id()
            .to_owned();
        let mut events = caller.subscribe(&id).await.unwrap();
        events.next().await.unwrap();
        gate.open();
        assert_eq!(
            support::within(events.next()).await.unwrap().brief(),
            "statusUpdate COMPLETED"
        );
    }
}

// D34, A2A-5.4-01
#[tokio::test]
async fn a_refused_stream_is_a_plain_answer() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let done = caller.send("hi").await.task_id();
        for (operation, params) in [
            ("SubscribeToTask", json!({"id": "nope"})),
            ("SubscribeToTask", json!({"id": done})),
            (
                "SendStreamingMessage",
                json!({"message": {"messageId": "m"}}),
            ),
        ] {
            let answer = caller
                .request(operation, params)
                .header("accept", "text/event-stream");
            let answer = answer.send().await.unwrap();
            assert_eq!(
                answer.headers()["content-type"]
                    .to_str()
                    .unwrap()
                    .split('/')
                    .next(),
                Some("application")
            );
            assert!(Answer::read(caller.wire, answer).await.is_error());
        }
    }
}
