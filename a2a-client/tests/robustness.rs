//! Whatever a server sends, the client answers with a value or an error, in time.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::time::Duration;

use a2a_client::testkit::{Answer, HostileServer};
use a2a_client::{RetryPolicy, StreamExt as _};
use a2a_types::{Message, TaskState};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{BINDINGS, answering, events, status, task_event};

/// Texts that mean something to some reader.
fn words() -> impl Strategy<Value = String> {
    let known = vec![
        "jsonrpc",
        "2.0",
        "id",
        "result",
        "error",
        "code",
        "message",
        "data",
        "details",
        "@type",
        "type.googleapis.com/google.rpc.ErrorInfo",
        "type.googleapis.com/google.rpc.RetryInfo",
        "type.googleapis.com/google.rpc.BadRequest",
        "reason",
        "domain",
        "a2a-protocol.org",
        "retryDelay",
        "fieldViolations",
        "metadata",
        "task",
        "statusUpdate",
        "artifactUpdate",
        "artifact",
        "artifactId",
        "parts",
        "text",
        "raw",
        "url",
        "status",
        "state",
        "TASK_STATE_WORKING",
        "TASK_STATE_COMPLETED",
        "timestamp",
        "2025-01-01T00:00:00Z",
        "supportedInterfaces",
        "protocolBinding",
        "JSONRPC",
        "HTTP+JSON",
        "protocolVersion",
        "1.0",
        "security",
        "securityRequirements",
        "securitySchemes",
        "schemes",
        "skills",
        "title",
        "type",
        "99999999999999999999s",
        "taskId",
        "contextId",
        "append",
        "nextPageToken",
        "tasks",
    ];
    prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => ".{0,6}",
    ]
}

/// JSON made of such texts.
fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![-32001, -32603, 404, 200, 0]).prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((words(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A body: such JSON, bare or where a reader looks for it, whole or not, or any bytes.
fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let placed = (documents(), 0..6).prop_map(|(value, place)| match place {
        0 => json!({ "jsonrpc": "2.0", "id": "1", "result": value }),
        1 => json!({ "jsonrpc": "2.0", "id": "1", "error": value }),
        2 => json!({ "error": { "code": 400, "message": value, "details": [value] } }),
        3 => json!({ "supportedInterfaces": [value], "securityRequirements": value }),
        4 => json!({ "task": value }),
        _ => value,
    });
    let texts = (placed, any::<prop::sample::Index>()).prop_map(|(value, end)| {
        let text = value.to_string().into_bytes();
        let end = end.index(text.len() * 3).min(text.len());
        text[..end].to_vec()
    });
    prop_oneof![4 => texts, 1 => prop::collection::vec(any::<u8>(), 0..60)]
}

/// An event stream of such bodies, with all kinds of lines between.
fn streams() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => bodies().prop_map(|body| [b"data: ".as_slice(), &body].concat()),
        1 => Just(b"event: error".to_vec()),
        1 => Just(b"id: 1\x007\x7f".to_vec()),
        1 => Just(b": comment".to_vec()),
        2 => Just(Vec::new()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec((line, 0usize..3), 0..12).prop_map(|lines| {
        let ends: [&[u8]; 3] = [b"\n", b"\r\n", b"\n\n"];
        let lines = lines
            .into_iter()
            .map(|(line, end)| [line.as_slice(), ends[end]].concat());
        lines.collect::<Vec<_>>().concat()
    })
}

async fn drive(answer: Answer) {
    let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
    let retry = RetryPolicy::default().with_initial_delay(Duration::ZERO);
    let retry = retry.with_max_delay(Duration::from_millis(1));
    for binding in BINDINGS {
        let builder = support::builder().with_retry(retry);
        let client = builder.from_card(server.card(binding)).unwrap();
        _ = client.send_message("hi").await;
        _ = client.get_task("t").await;
        _ = client.delete_push_config(("t", "p")).await;
        if let Ok(mut events) = client.stream_message("hi").await {
            while events.next().await.is_some() {}
        }
        let mut follow = client.follow_task("t");
        let mut seen = 0;
        // A server that always has news is followed for ever.
        while let (Some(_), 0..50) = (follow.next().await, seen) {
            seen += 1;
        }
    }
    _ = support::builder()
        .with_retry(retry)
        .connect(&server.url("/x"))
        .await;
}

fn within_a_minute(answer: Answer) -> bool {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let minute = Duration::from_secs(60);
    runtime.block_on(async { tokio::time::timeout(minute, drive(answer)).await.is_ok() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_body_with_any_status_is_borne(
        body in bodies(),
        status in prop::sample::select(vec![200u16, 200, 201, 204, 302, 400, 401, 404, 415, 429, 500, 503]),
        content_type in prop::sample::select(vec!["application/json", "text/html", "\u{e9}/;;", ""]),
        cut in any::<bool>(),
    ) {
        let answer = Answer::new(status, content_type, body).with_header("Retry-After", "0");
        let answer = if cut { answer.then_close() } else { answer };
        prop_assert!(within_a_minute(answer));
    }

    #[test]
    fn any_stream_is_borne(body in streams(), piece in 1usize..50, cut in any::<bool>()) {
        let answer = Answer::stream(body).in_pieces(piece);
        let answer = if cut { answer.then_reset() } else { answer };
        prop_assert!(within_a_minute(answer));
    }

    #[test]
    fn any_bytes_in_place_of_http_are_borne(
        head in prop::sample::select(vec!["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]),
        bytes in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        prop_assert!(within_a_minute(Answer::raw([head.as_bytes(), &bytes].concat())));
    }
}

// B2: the snapshot that some peers begin with is older than the message.
#[tokio::test]
async fn a_stream_that_begins_with_the_question_goes_on_to_what_became_of_the_answer() {
    for binding in BINDINGS {
        let question = task_event("TASK_STATE_INPUT_REQUIRED");
        for (after, last) in [
            (
                &["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"][..],
                TaskState::Completed,
            ),
            (
                &["TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED"],
                TaskState::InputRequired,
            ),
            (&[], TaskState::InputRequired),
        ] {
            let updates = after.iter().map(|state| status(state));
            let told: Vec<_> = [question.clone()].into_iter().chain(updates).collect();
            let (_server, client) = answering(binding, events(binding, &told)).await;
            let message = || Message::user("42").with_task_id("t-1");
            let mut stream = client.stream_message(message()).await.unwrap();
            let mut count = 0;
            while let Some(event) = stream.next().await {
                event.unwrap();
                count += 1;
            }
            assert_eq!((count, stream.last_state()), (told.len(), Some(last)));
            let reply = client.send_and_follow(message()).finish().await.unwrap();
            assert_eq!(reply.task().unwrap().state(), last);
            // Of a new task it is the answer, whatever should follow.
            let mut stream = client.stream_message("hi").await.unwrap();
            assert!(stream.next().await.unwrap().is_ok());
            assert!(stream.next().await.is_none());
        }
    }
}
