//! Following tasks across lost connections, and waiting for them.
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
use std::time::Duration;

use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_client::{Client, Error, Failure, Follow, RetryPolicy, StreamExt as _};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::reducer::Fold;
use a2a_types::{ErrorKind, StreamResponse, Task, TaskState};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{
    BINDINGS, answer, builder, chunk, client, events, numbered, operations, status, task,
    task_event,
};

/// A server that gives these answers, one a request, the last one again and again.
async fn script(answers: Vec<Answer>) -> HostileServer {
    let count = AtomicUsize::new(0);
    let answers = move |_: &Heard| {
        let index = count.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        answers[index].clone()
    };
    HostileServer::start(answers).await.unwrap()
}

/// Reads to the end; what came, what it adds up to, and the error that ended it.
async fn read(mut follow: Follow) -> (Vec<StreamResponse>, Option<Task>, Option<Error>) {
    let mut events = Vec::new();
    while let Some(event) = follow.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => return (events, follow.task().cloned(), Some(error)),
        }
    }
    let task = follow.task().cloned();
    (events, task, None)
}

fn whole(state: &str, text: &str) -> Value {
    let mut task = task(state);
    task["artifacts"] = json!([{ "artifactId": "a-1", "parts": [{ "text": text }] }]);
    task
}

fn text(task: Option<&Task>) -> String {
    task.map(|task| task.artifacts[0].text())
        .unwrap_or_default()
}

fn unsupported(binding: &str) -> Answer {
    match binding {
        JSONRPC => Answer::json(
            200,
            &json!({ "jsonrpc": "2.0", "id": "1",
            "error": { "code": -32004, "message": "no" } }),
        ),
        _ => Answer::json(
            400,
            &json!({ "error": { "code": 400, "message": "no", "details": [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "UNSUPPORTED_OPERATION", "domain": "a2a-protocol.org" }] } }),
        ),
    }
}

// R010, R060, decision D35
#[tokio::test]
async fn a_peer_that_can_resume_sends_nothing_twice() {
    for binding in BINDINGS {
        for cut in [Answer::then_reset, Answer::then_close] {
            let first = numbered(
                binding,
                &[
                    (1, task_event("TASK_STATE_WORKING")),
                    (2, chunk("Hello, ", false)),
                ],
            );
            let second = numbered(binding, &[(3, chunk("big ", true))]);
            let last = numbered(
                binding,
                &[
                    (4, chunk("world!", true)),
                    (5, status("TASK_STATE_COMPLETED")),
                ],
            );
            let server = script(vec![cut(first), cut(second), last]).await;
            let (events, task, error) = read(client(&server, binding).send_and_follow("hi")).await;
            assert!(error.is_none(), "{error:?}");
            assert_eq!(events.len(), 5);
            assert_eq!(text(task.as_ref()), "Hello, big world!");
            assert_eq!(task.unwrap().state(), TaskState::Completed);
            assert_eq!(
                operations(&server),
                ["SendStreamingMessage", "SubscribeToTask", "SubscribeToTask"]
            );
            let heard = server.heard();
            let ids: Vec<_> = heard
                .iter()
                .map(|heard| heard.header("last-event-id"))
                .collect();
            assert_eq!(ids, ["", "2", "3"]);
        }
    }
}

// R060
#[tokio::test]
async fn a_peer_that_cannot_resume_begins_with_the_task_and_nothing_is_doubled() {
    for binding in BINDINGS {
        let first = events(
            binding,
            &[task_event("TASK_STATE_WORKING"), chunk("Hello, ", false)],
        );
        let second = events(
            binding,
            &[
                json!({ "task": whole("TASK_STATE_WORKING", "Hello, big ") }),
                chunk("world!", true),
                status("TASK_STATE_COMPLETED"),
            ],
        );
        let server = script(vec![first.then_reset(), second]).await;
        let (events, task, error) = read(client(&server, binding).send_and_follow("hi")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events.len(), 5);
        assert_eq!(text(task.as_ref()), "Hello, big world!");
    }
}

// R010
#[tokio::test]
async fn a_task_that_has_ended_meanwhile_is_read() {
    for binding in BINDINGS {
        let first = events(
            binding,
            &[task_event("TASK_STATE_WORKING"), chunk("half", false)],
        );
        let done = whole("TASK_STATE_COMPLETED", "whole");
        let server = script(vec![
            first.then_reset(),
            unsupported(binding),
            answer(binding, &done),
        ])
        .await;
        let (_, task, error) = read(client(&server, binding).send_and_follow("hi")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(text(task.as_ref()), "whole");
        assert_eq!(
            operations(&server),
            ["SendStreamingMessage", "SubscribeToTask", "GetTask"]
        );
    }
}

#[tokio::test]
async fn an_event_that_a_resumed_stream_repeats_counts_once() {
    for binding in BINDINGS {
        let first = numbered(
            binding,
            &[
                (1, task_event("TASK_STATE_WORKING")),
                (2, chunk("a", false)),
            ],
        );
        let second = numbered(
            binding,
            &[
                (2, chunk("a", true)),
                (3, chunk("b", true)),
                (4, status("TASK_STATE_COMPLETED")),
            ],
        );
        let server = script(vec![first.then_reset(), second]).await;
        let (_, task, _) = read(client(&server, binding).send_and_follow("hi")).await;
        assert_eq!(text(task.as_ref()), "ab");
    }
}

#[tokio::test]
async fn a_subscription_that_does_not_begin_with_the_task_is_completed_at_its_end() {
    for binding in BINDINGS {
        let first = events(
            binding,
            &[task_event("TASK_STATE_WORKING"), chunk("a", false)],
        );
        let second = events(binding, &[chunk("c", true), status("TASK_STATE_COMPLETED")]);
        let done = answer(binding, &whole("TASK_STATE_COMPLETED", "abc"));
        let server = script(vec![first.then_reset(), second, done]).await;
        let (_, task, error) = read(client(&server, binding).send_and_follow("hi")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(text(task.as_ref()), "abc");
    }
}

// Decision B14
#[tokio::test]
async fn a_send_that_is_lost_before_the_task_is_known_is_not_repeated() {
    for binding in BINDINGS {
        let server = script(vec![Answer::stream("").then_reset()]).await;
        let (events, _, error) = read(client(&server, binding).send_and_follow("hi")).await;
        assert!(events.is_empty());
        assert_eq!(error.unwrap().failure(), Failure::Cut);
        assert_eq!(operations(&server), ["SendStreamingMessage"]);
    }
}

#[tokio::test]
async fn following_ends_when_the_peer_is_gone_for_good() {
    let first = events(JSONRPC, &[task_event("TASK_STATE_WORKING")]);
    let server = script(vec![first.then_reset(), Answer::raw("").then_reset()]).await;
    let (events, _, error) = read(client(&server, JSONRPC).send_and_follow("hi")).await;
    assert_eq!(events.len(), 1);
    assert_eq!(error.unwrap().failure(), Failure::Transport);
    let names = operations(&server);
    assert!(
        names[1..].iter().all(|name| name == "SubscribeToTask"),
        "{names:?}"
    );
    assert!((3..100).contains(&names.len()), "{names:?}");
}

// However short the pauses between the attempts are.
#[tokio::test]
async fn a_peer_that_hangs_up_after_a_moment_is_given_up_after_ten_attempts() {
    for binding in BINDINGS {
        let murmur = Answer::stream(": x\n".repeat(2_000)).in_pieces(1);
        let server = script(vec![murmur.then_reset()]).await;
        let retry = RetryPolicy::default().with_max_delay(Duration::from_millis(1));
        let client = builder().with_retry(retry);
        let client = client.from_card(server.card(binding)).unwrap();
        let (events, _, error) = read(client.follow_task("t")).await;
        assert!(events.is_empty());
        assert!(error.is_some());
        assert_eq!(server.heard().len(), 10);
    }
}

#[tokio::test]
async fn a_peer_that_falls_silent_is_given_up_in_time() {
    for binding in BINDINGS {
        let first = events(binding, &[task_event("TASK_STATE_WORKING")]);
        let server = script(vec![first.then_hold(), Answer::silence()]).await;
        let follow = client(&server, binding).send_and_follow("hi");
        let follow = follow.with_idle_timeout(Duration::from_millis(100));
        let (events, _, error) = read(follow).await;
        assert_eq!(events.len(), 1);
        assert_eq!(error.unwrap().failure(), Failure::Timeout);
        let names = operations(&server);
        assert_eq!(names, ["SendStreamingMessage", "SubscribeToTask"]);
    }
}

// A2A-7.6.2-02
#[tokio::test]
async fn a_stream_that_is_closed_while_the_task_waits_for_an_authorization_is_opened_again() {
    for binding in BINDINGS {
        let first = events(binding, &[task_event("TASK_STATE_AUTH_REQUIRED")]);
        let second = events(
            binding,
            &[
                task_event("TASK_STATE_AUTH_REQUIRED"),
                status("TASK_STATE_COMPLETED"),
            ],
        );
        let server = script(vec![first, second]).await;
        let (_, task, error) = read(client(&server, binding).send_and_follow("hi")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(task.unwrap().state(), TaskState::Completed);
    }
}

#[tokio::test]
async fn a_send_is_followed_until_the_agent_waits_for_input() {
    for binding in BINDINGS {
        let first = events(binding, &[task_event("TASK_STATE_WORKING")]);
        // The subscription stays open.
        let second = events(binding, &[task_event("TASK_STATE_INPUT_REQUIRED")]);
        let server = script(vec![first.then_reset(), second.then_hold()]).await;
        let (events, task, error) = read(client(&server, binding).send_and_follow("hi")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events.len(), 2);
        assert_eq!(task.unwrap().state(), TaskState::InputRequired);
    }
}

#[tokio::test]
async fn a_task_is_followed_by_its_id_and_one_that_is_gone_is_an_error() {
    for binding in BINDINGS {
        let story = [
            task_event("TASK_STATE_WORKING"),
            status("TASK_STATE_FAILED"),
        ];
        let server = script(vec![events(binding, &story)]).await;
        let (events, task, error) = read(client(&server, binding).follow_task("t-1")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(
            (events.len(), task.unwrap().state()),
            (2, TaskState::Failed)
        );

        let server = script(vec![
            unsupported(binding),
            answer(binding, &support::task("TASK_STATE_COMPLETED")),
        ])
        .await;
        let (events, task, error) = read(client(&server, binding).follow_task("t-1")).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(
            (events.len(), task.unwrap().state()),
            (1, TaskState::Completed)
        );
    }
    let gone = Answer::json(
        200,
        &json!({ "jsonrpc": "2.0", "id": "1",
        "error": { "code": -32001, "message": "gone" } }),
    );
    let server = script(vec![gone]).await;
    let (_, _, error) = read(client(&server, JSONRPC).follow_task("t-1")).await;
    assert_eq!(error.unwrap().kind(), Some(ErrorKind::TaskNotFound));
}

// R012
#[tokio::test]
async fn an_error_of_the_agent_ends_following() {
    let task = json!({ "jsonrpc": "2.0", "id": "1", "result": task_event("TASK_STATE_WORKING") });
    let error = json!({ "jsonrpc": "2.0", "id": "1",
        "error": { "code": -32603, "message": "bug" } });
    let server = script(vec![Answer::events([task, error])]).await;
    let (_, _, error) = read(client(&server, JSONRPC).send_and_follow("hi")).await;
    assert_eq!(error.unwrap().kind(), Some(ErrorKind::Internal));
    assert_eq!(server.heard().len(), 1);
}

/// A client whose card says that the agent does not stream.
fn without_streams(server: &HostileServer, binding: &str) -> Client {
    let mut card = server.card(binding);
    card.capabilities = None;
    builder().from_card(card).unwrap()
}

// R063
#[tokio::test]
async fn waiting_goes_on_until_the_task_is_settled() {
    for binding in BINDINGS {
        let message = json!({ "message": { "messageId": "m", "role": "ROLE_AGENT",
            "parts": [{ "text": "yes" }] } });
        let done = answer(binding, &whole("TASK_STATE_COMPLETED", "done"));
        let submitted = answer(binding, &task_event("TASK_STATE_SUBMITTED"));
        let completed = answer(
            binding,
            &json!({ "task": whole("TASK_STATE_COMPLETED", "done") }),
        );

        // Blocking, message only, and immediate without streams.
        let server = script(vec![completed]).await;
        let reply = without_streams(&server, binding)
            .send_and_wait("hi")
            .await
            .unwrap();
        assert_eq!(reply.text(), "done");
        assert_eq!(server.heard().len(), 1);
        let server = script(vec![answer(binding, &message)]).await;
        let reply = without_streams(&server, binding)
            .send_and_wait("hi")
            .await
            .unwrap();
        assert_eq!(reply.text(), "yes");
        let working = answer(binding, &task("TASK_STATE_WORKING"));
        let server = script(vec![submitted.clone(), working, done.clone()]).await;
        let reply = without_streams(&server, binding)
            .send_and_wait("hi")
            .await
            .unwrap();
        assert_eq!(reply.text(), "done");
        assert_eq!(operations(&server), ["SendMessage", "GetTask", "GetTask"]);

        // Streams that are promised and refused, and streams that work.
        let server = script(vec![
            unsupported(binding),
            submitted,
            unsupported(binding),
            done,
        ])
        .await;
        let reply = client(&server, binding).send_and_wait("hi").await.unwrap();
        assert_eq!(reply.text(), "done");
        let story = [task_event("TASK_STATE_WORKING"), chunk("done", false)];
        let server = script(vec![
            events(binding, &story).then_reset(),
            unsupported(binding),
            answer(binding, &whole("TASK_STATE_COMPLETED", "done")),
        ])
        .await;
        let reply = client(&server, binding).send_and_wait("hi").await.unwrap();
        assert_eq!(reply.text(), "done");
        let server = script(vec![events(binding, &[message])]).await;
        let reply = client(&server, binding).send_and_wait("hi").await.unwrap();
        assert_eq!(reply.text(), "yes");
    }
}

// R063
#[tokio::test]
async fn an_interrupted_task_is_not_waited_for() {
    for binding in BINDINGS {
        for state in ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] {
            let server = script(vec![events(binding, &[task_event(state)]).then_hold()]).await;
            let reply = client(&server, binding).send_and_wait("hi").await.unwrap();
            assert_eq!(reply.task().unwrap().state().as_str_name(), state);
            let server = script(vec![answer(binding, &task_event(state))]).await;
            let reply = without_streams(&server, binding)
                .send_and_wait("hi")
                .await
                .unwrap();
            assert_eq!(reply.task().unwrap().state().as_str_name(), state);
        }
    }
}

/// A server with a log of events, which loses its connections at these places.
async fn lossy(log: Vec<Value>, cuts: Vec<usize>, resumes: bool) -> HostileServer {
    let count = AtomicUsize::new(0);
    let answers = move |heard: &Heard| {
        let cut = cuts
            .get(count.fetch_add(1, Ordering::SeqCst))
            .copied()
            .unwrap_or(log.len());
        let seen: usize = heard.header("last-event-id").parse().unwrap_or(0);
        if seen > 0 && resumes {
            let end = cut.clamp(seen, log.len());
            return piece(&log, seen..end, end < log.len());
        }
        let mut fold = Fold::default();
        let known = if seen > 0 { cut.clamp(1, log.len()) } else { 1 };
        for event in &log[..known] {
            fold.push(&serde_json::from_value(event.clone()).unwrap());
        }
        let snapshot = json!({ "task": fold.task().unwrap() });
        let mut log = log.clone();
        log[known - 1] = snapshot;
        let end = cut.clamp(known, log.len());
        piece(&log, known - 1..end, end < log.len())
    };
    HostileServer::start(answers).await.unwrap()
}

fn piece(log: &[Value], range: std::ops::Range<usize>, cut: bool) -> Answer {
    let events: Vec<_> = range.map(|index| (index + 1, log[index].clone())).collect();
    let answer = numbered(HTTP_JSON, &events);
    if cut { answer.then_close() } else { answer }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    // R060
    #[test]
    fn what_was_followed_is_what_was_said_wherever_the_connection_broke(
        texts in prop::collection::vec("[a-z]{1,3}", 1..8),
        cuts in prop::collection::vec(1usize..10, 0..6),
        resumes in any::<bool>(),
    ) {
        let mut log = vec![task_event("TASK_STATE_WORKING")];
        log.extend(texts.iter().enumerate().map(|(n, text)| chunk(text, n > 0)));
        log.push(status("TASK_STATE_COMPLETED"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (task, error) = runtime.block_on(async {
            let server = lossy(log, cuts, resumes).await;
            let (_, task, error) = read(client(&server, HTTP_JSON).send_and_follow("hi")).await;
            (task, error)
        });
        prop_assert!(error.is_none(), "{error:?}");
        prop_assert_eq!(text(task.as_ref()), texts.concat());
        prop_assert_eq!(task.unwrap().state(), TaskState::Completed);
    }
}
