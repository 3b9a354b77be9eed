//! Event streams of servers that do them in every possible way.
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
use a2a_client::{Error, EventStream, Failure, StreamExt as _};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::reducer::Fold;
use a2a_types::{ErrorKind, StreamResponse, TaskState};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{BINDINGS, answering, chunk, client, events, status, task_event, wrap};

/// Everything that a stream yields.
async fn all(mut stream: EventStream) -> (Vec<StreamResponse>, Option<Error>) {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "an error is the last item");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

/// What a stream with this body yields over a binding.
async fn read(binding: &str, answer: Answer) -> (Vec<StreamResponse>, Option<Error>) {
    let (_server, client) = answering(binding, answer).await;
    all(client.stream_message("hi").await.unwrap()).await
}

fn story() -> Vec<Value> {
    vec![
        task_event("TASK_STATE_WORKING"),
        chunk("Grüße, 世界 🌍", false),
        chunk("\u{feff}\\u003c <b> & \"\n", true),
        status("TASK_STATE_COMPLETED"),
    ]
}

fn typed(events: &[Value]) -> Vec<StreamResponse> {
    let events = events.iter();
    events
        .map(|event| serde_json::from_value(event.clone()).unwrap())
        .collect()
}

fn lines(binding: &str, events: &[Value], end: &str) -> String {
    let events = events.iter();
    events
        .map(|event| format!("data: {}{end}{end}", wrap(binding, event)))
        .collect()
}

// R001, R003, R006
#[tokio::test(flavor = "multi_thread")]
async fn line_ends_and_chunk_borders_change_nothing() {
    for binding in BINDINGS {
        for end in ["\n", "\r\n", "\r"] {
            let body = lines(binding, &story(), end);
            for piece in [1, 2, 3, 5, 7, usize::MAX] {
                let answer = Answer::stream(body.clone()).in_pieces(piece);
                let (events, error) = read(binding, answer).await;
                assert!(error.is_none(), "{binding} {end:?} {piece}: {error:?}");
                assert_eq!(events, typed(&story()), "{binding} {end:?} {piece}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    // R001, R003
    #[test]
    fn any_mix_of_line_ends_and_any_split_give_the_same_events(
        ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", "\r"]), 8),
        piece in 1usize..200,
        space in any::<bool>(),
        binding in prop::sample::select(BINDINGS.to_vec()),
    ) {
        let space = if space { " " } else { "" };
        let mut ends = ends.into_iter().cycle();
        let mut body = String::new();
        for event in story() {
            let data = wrap(binding, &event);
            let (line, blank) = (ends.next().unwrap(), ends.next().unwrap());
            // A lone CR and the LF after it would be one end.
            let blank = if line == "\r" && blank == "\n" { "\r" } else { blank };
            body.push_str(&format!("data:{space}{data}{line}{blank}"));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let answer = Answer::stream(body).in_pieces(piece);
        let (events, error) = runtime.block_on(read(binding, answer));
        prop_assert!(error.is_none(), "{error:?}");
        prop_assert_eq!(events, typed(&story()));
    }
}

// R003
#[tokio::test]
async fn bytes_that_are_no_utf8_are_an_error_and_not_replaced() {
    let mut body = b"data: {\"message\":{\"parts\":[{\"text\":\"".to_vec();
    body.extend_from_slice(b"\xff\"}]}}\n\n");
    let (events, error) = read(HTTP_JSON, Answer::stream(body)).await;
    assert!(events.is_empty());
    assert_eq!(error.unwrap().failure(), Failure::Decode);
}

// R004
#[tokio::test]
async fn a_burst_is_delivered_whole_before_the_end_or_the_error() {
    for binding in BINDINGS {
        let story: Vec<_> = (0..5).map(|n| chunk(&n.to_string(), n > 0)).collect();
        let whole = lines(binding, &story, "\n");
        for answer in [
            Answer::stream(whole.clone()).then_close(),
            Answer::stream(whole.clone()).then_reset(),
            Answer::stream(whole.clone()).until_close(),
        ] {
            let (events, error) = read(binding, answer).await;
            assert_eq!(events, typed(&story), "{binding}");
            assert_eq!(error.unwrap().failure(), Failure::Cut, "{binding}");
        }
    }
}

// R006, R007
#[tokio::test]
async fn marks_comments_and_unknown_fields_are_passed_over() {
    for binding in BINDINGS {
        let task = wrap(binding, &task_event("TASK_STATE_WORKING")).to_string();
        let (head, tail) = task.split_once(',').unwrap();
        let done = wrap(binding, &status("TASK_STATE_COMPLETED"));
        let body = format!(
            "\u{feff}: comment\n\nevent: message\nid: 7\nretry: 3000\nx: y\nnothing\n\
             data:{head},\ndata: {tail}\n\n:\n\ndata\n\nevent: ping\ndata: now\n\n\
             event: ping\n\nid: 8\n\ndata: {done}\n\n"
        );
        for piece in [1, usize::MAX] {
            let answer = Answer::stream(body.clone()).in_pieces(piece);
            let (events, error) = read(binding, answer).await;
            assert!(error.is_none(), "{binding}: {error:?}");
            let wanted = [
                task_event("TASK_STATE_WORKING"),
                status("TASK_STATE_COMPLETED"),
            ];
            assert_eq!(events, typed(&wanted), "{binding}");
        }
    }
}

// R007
#[tokio::test]
async fn the_id_of_the_last_event_is_that_of_an_event_that_was_read() {
    let task = task_event("TASK_STATE_WORKING");
    let body = format!("id: 7\ndata: {task}\n\nid: 8\ndata: {{\"task\":5}}\n\n");
    let (_server, client) = answering(HTTP_JSON, Answer::stream(body)).await;
    let mut stream = client.stream_message("hi").await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    assert!(stream.next().await.unwrap().is_err());
    assert_eq!(stream.last_event_id(), Some("7"));
    assert_eq!(stream.task_id(), Some("t-1"));
}

// R009
#[tokio::test]
async fn endless_lines_and_events_end_at_the_limit() {
    let pieces: [&[u8]; 3] = [b"a", b"data: aaaaaaaaaaaaaaa\n", b"id: 1\nevent: e\n"];
    for piece in pieces {
        let answer = Answer::stream(piece.repeat(4096)).for_ever();
        let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
        let limited = support::builder().with_max_message_size(1024 * 1024);
        let client = limited.from_card(server.card(JSONRPC)).unwrap();
        let (events, error) = all(client.stream_message("hi").await.unwrap()).await;
        assert!(events.is_empty());
        let error = error.unwrap();
        assert_eq!(error.failure(), Failure::Decode);
        assert!(error.to_string().contains("1048576"), "{error}");
        server.idle().await;
    }
}

// R009
#[tokio::test]
async fn the_limit_is_for_one_event_and_not_for_the_stream() {
    for binding in BINDINGS {
        let mut story: Vec<_> = (0..200).map(|n| chunk(&"x".repeat(500), n > 0)).collect();
        story.push(status("TASK_STATE_COMPLETED"));
        let answer = events(binding, &story);
        let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
        let limited = support::builder().with_max_message_size(1024);
        let client = limited.from_card(server.card(binding)).unwrap();
        let (events, error) = all(client.stream_message("hi").await.unwrap()).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events.len(), 201);
    }
}

#[tokio::test]
async fn a_large_event_is_read_whole() {
    let text = "x".repeat(64 * 1024 * 1024);
    let mut task = task_event("TASK_STATE_COMPLETED");
    task["task"]["artifacts"] = json!([{ "artifactId": "a", "parts": [{ "text": text }] }]);
    let (seen, error) = read(JSONRPC, events(JSONRPC, &[task])).await;
    assert!(error.is_none(), "{error:?}");
    let mut fold = Fold::default();
    fold.push(&seen[0]);
    assert_eq!(fold.task().unwrap().artifacts[0].text().len(), text.len());
}

// R010
#[tokio::test]
async fn a_cut_stream_is_no_finished_one() {
    for binding in BINDINGS {
        let story = [task_event("TASK_STATE_WORKING"), chunk("half", false)];
        let whole = lines(binding, &story, "\n");
        let done = wrap(binding, &status("TASK_STATE_COMPLETED"));
        let half = format!("{whole}data: {done}\n");
        for answer in [
            Answer::stream(half.clone()).then_reset(),
            Answer::stream(half.clone()).then_close(),
            Answer::stream(half.clone()).until_close(),
            Answer::stream(half),
            Answer::stream(whole),
        ] {
            let (events, error) = read(binding, answer.clone()).await;
            assert_eq!(events, typed(&story), "{binding} {answer:?}");
            let error = error.unwrap();
            assert_eq!(error.failure(), Failure::Cut, "{binding} {answer:?}");
            assert_eq!(error.last_state(), Some(TaskState::Working));
        }
    }
}

// R010
#[tokio::test]
async fn a_stream_without_any_event_is_cut() {
    for binding in BINDINGS {
        let (events, error) = read(binding, Answer::stream("")).await;
        assert!(events.is_empty());
        assert_eq!(error.unwrap().failure(), Failure::Cut);
    }
}

// Decision B2
#[tokio::test]
async fn a_send_is_over_after_what_ends_it_though_the_server_goes_on() {
    let message = json!({ "message": { "messageId": "m", "role": "ROLE_AGENT", "parts": [] } });
    let ends = [
        (vec![message], None),
        (
            vec![task_event("TASK_STATE_FAILED")],
            Some(TaskState::Failed),
        ),
        (
            vec![status("TASK_STATE_REJECTED")],
            Some(TaskState::Rejected),
        ),
        (
            vec![
                task_event("TASK_STATE_AUTH_REQUIRED"),
                status("TASK_STATE_CANCELED"),
            ],
            Some(TaskState::Canceled),
        ),
        (
            vec![status("TASK_STATE_INPUT_REQUIRED")],
            Some(TaskState::InputRequired),
        ),
    ];
    for binding in BINDINGS {
        for (story, state) in &ends {
            let answer = events(binding, story).then_hold();
            let (server, client) = answering(binding, answer).await;
            let mut stream = client.stream_message("hi").await.unwrap();
            for _ in story {
                assert!(stream.next().await.unwrap().is_ok());
            }
            assert!(stream.next().await.is_none(), "{binding} {story:?}");
            assert_eq!(stream.last_state(), *state);
            server.idle().await;
        }
    }
}

// Decision B2
#[tokio::test]
async fn a_peer_may_close_a_stream_while_the_task_waits() {
    for binding in BINDINGS {
        let story = [task_event("TASK_STATE_AUTH_REQUIRED")];
        let (_server, client) = answering(binding, events(binding, &story)).await;
        let (seen, error) = all(client.stream_message("hi").await.unwrap()).await;
        assert_eq!((seen.len(), error.is_none()), (1, true));

        let story = [task_event("TASK_STATE_INPUT_REQUIRED")];
        let (_server, client) = answering(binding, events(binding, &story)).await;
        let (seen, error) = all(client.subscribe_to_task("t-1").await.unwrap()).await;
        assert_eq!((seen.len(), error.is_none()), (1, true));
    }
}

// Decision B2
#[tokio::test]
async fn a_subscription_outlives_an_interruption() {
    for binding in BINDINGS {
        let story = [
            task_event("TASK_STATE_INPUT_REQUIRED"),
            status("TASK_STATE_WORKING"),
            status("TASK_STATE_COMPLETED"),
        ];
        let (_server, client) = answering(binding, events(binding, &story)).await;
        let (seen, error) = all(client.subscribe_to_task("t-1").await.unwrap()).await;
        assert!(error.is_none());
        assert_eq!(seen, typed(&story));
    }
}

// R012
#[tokio::test]
async fn an_error_inside_a_stream_keeps_its_kind() {
    let rpc = json!({ "code": -32006, "message": "bad", "data": [{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "INVALID_AGENT_RESPONSE",
        "domain": "a2a-protocol.org" }] });
    let http =
        json!({ "code": 500, "status": "INTERNAL", "message": "bad", "details": rpc["data"] });
    let enveloped = json!({ "jsonrpc": "2.0", "id": "1", "error": rpc });
    let wrapped = json!({ "error": http });
    let forms = [
        (JSONRPC, format!("data: {enveloped}\n\n")),
        (JSONRPC, format!("event: error\ndata: {enveloped}\n\n")),
        (HTTP_JSON, format!("data: {wrapped}\n\n")),
        (HTTP_JSON, format!("event: error\ndata: {wrapped}\n\n")),
        (HTTP_JSON, format!("event: error\ndata: {http}\n\n")),
    ];
    for (binding, frame) in forms {
        let body = lines(binding, &[task_event("TASK_STATE_WORKING")], "\n") + &frame;
        let (events, error) = read(binding, Answer::stream(body)).await;
        assert_eq!(events.len(), 1, "{frame}");
        let error = error.unwrap();
        assert_eq!(error.failure(), Failure::Protocol, "{frame}");
        assert_eq!(
            error.kind(),
            Some(ErrorKind::InvalidAgentResponse),
            "{frame}"
        );
        assert_eq!(error.protocol().unwrap().message(), "bad", "{frame}");
        assert_eq!(error.last_state(), Some(TaskState::Working), "{frame}");
    }
}

// R012
#[tokio::test]
async fn an_error_that_is_only_text_keeps_its_text() {
    let body = "event: error\ndata: out of cheese\n\n";
    for binding in BINDINGS {
        let (_, error) = read(binding, Answer::stream(body)).await;
        let error = error.unwrap();
        assert_eq!(error.failure(), Failure::Protocol);
        assert_eq!(error.protocol().unwrap().message(), "out of cheese");
    }
}

// R013
#[tokio::test]
async fn events_of_the_other_binding_are_refused_by_name() {
    for (ours, theirs) in [(JSONRPC, HTTP_JSON), (HTTP_JSON, JSONRPC)] {
        let answer = events(theirs, &[task_event("TASK_STATE_COMPLETED")]);
        let (events, error) = read(ours, answer).await;
        assert!(events.is_empty());
        let error = error.unwrap();
        assert_eq!(error.failure(), Failure::Decode);
        let name = if ours == JSONRPC {
            "HTTP+JSON"
        } else {
            "JSON-RPC"
        };
        assert!(error.to_string().contains(name), "{error}");
    }
}

// A2A-3.1.2-11
#[tokio::test]
async fn events_of_a_later_version_are_passed_over() {
    for binding in BINDINGS {
        let story = [
            json!({ "fooUpdate": {} }),
            task_event("TASK_STATE_COMPLETED"),
        ];
        let (events_seen, error) = read(binding, events(binding, &story)).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events_seen, typed(&story[1..]));
    }
}

// Decision D29
#[tokio::test]
async fn a_message_after_a_task_is_kept_and_then_an_error() {
    let message = json!({ "message": { "messageId": "m", "role": "ROLE_AGENT", "parts": [] } });
    for binding in BINDINGS {
        let story = [task_event("TASK_STATE_WORKING"), message.clone()];
        let (events_seen, error) = read(binding, events(binding, &story)).await;
        assert_eq!(events_seen, typed(&story));
        assert_eq!(error.unwrap().kind(), Some(ErrorKind::InvalidAgentResponse));
    }
}

// R015
#[tokio::test]
async fn a_dropped_stream_closes_its_connection() {
    for binding in BINDINGS {
        let answer = events(binding, &[task_event("TASK_STATE_WORKING")]).then_hold();
        let (server, client) = answering(binding, answer).await;
        let mut streams = Vec::new();
        for _ in 0..20 {
            let mut stream = client.stream_message("hi").await.unwrap();
            assert!(stream.next().await.unwrap().is_ok());
            streams.push(stream);
        }
        assert_eq!(server.connections(), 20);
        drop(streams);
        server.idle().await;
    }
}

// R018
#[tokio::test]
async fn a_stream_is_asked_for_by_name() {
    for binding in BINDINGS {
        let answer = events(binding, &[task_event("TASK_STATE_COMPLETED")]);
        let (server, client) = answering(binding, answer).await;
        drop(client.stream_message("hi").await.unwrap());
        drop(client.subscribe_to_task("t-1").await.unwrap());
        for heard in server.heard() {
            let accept = heard.header("accept").to_owned();
            assert!(accept.contains("text/event-stream"), "{accept}");
            assert!(accept.contains("json"), "{accept}");
        }
    }
}

// errors.md 5.4
#[tokio::test]
async fn a_plain_error_in_place_of_a_stream_is_that_error() {
    let error =
        json!({ "jsonrpc": "2.0", "id": "1", "error": { "code": -32004, "message": "no" } });
    let (_server, rpc) = answering(JSONRPC, Answer::json(200, &error)).await;
    let info = json!({ "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "UNSUPPORTED_OPERATION", "domain": "a2a-protocol.org" });
    let error = json!({ "error": { "code": 400, "message": "no", "details": [info] } });
    let (_server2, rest) = answering(HTTP_JSON, Answer::json(400, &error)).await;
    for client in [rpc, rest] {
        let error = client.stream_message("hi").await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation));
    }
}

#[tokio::test]
async fn a_plain_message_in_place_of_a_stream_is_its_one_event() {
    for binding in BINDINGS {
        let answer = support::answer(binding, &task_event("TASK_STATE_COMPLETED"));
        let (events, error) = read(binding, answer).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events.len(), 1);
    }
}

#[tokio::test]
async fn a_silent_stream_ends_in_time() {
    for binding in BINDINGS {
        let answer = events(binding, &[task_event("TASK_STATE_WORKING")]).then_hold();
        let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
        let client = client(&server, binding);
        let stream = client
            .stream_message("hi")
            .with_idle_timeout(Duration::from_millis(50));
        let (events, error) = all(stream.await.unwrap()).await;
        assert_eq!(events.len(), 1);
        let error = error.unwrap();
        assert_eq!(error.failure(), Failure::Timeout);
        assert_eq!(error.last_state(), Some(TaskState::Working));
        server.idle().await;
    }
}
