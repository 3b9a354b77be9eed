//! Streams: their events, their ids and their ends.

use a2a_client::{Failure, StreamExt as _};
use a2a_types::{SendMessageResponse, StreamResponse, TaskState};
use h2::Reason;

use crate::support::{Server, Step, answer, framed, ok, stream, task, update, within};

/// The head of a stream that numbers its messages from here on (D35).
fn numbered(first: &str) -> Step {
    Step::Head(
        200,
        vec![
            ("content-type", "application/grpc".to_owned()),
            ("first-event-id", first.to_owned()),
        ],
    )
}

#[tokio::test]
async fn events_are_numbered_from_the_first_id_on() {
    // D35
    let server = Server::always(vec![
        numbered("41"),
        framed(&update(TaskState::Working)),
        // An event of a later version says nothing here, and has its number all the same.
        framed(&StreamResponse::default()),
        framed(&update(TaskState::AuthRequired)),
        ok(),
    ])
    .await;
    let mut events = server.client().subscribe_to_task("t-1").await.unwrap();
    let mut ids = Vec::new();
    while let Some(event) = events.next().await {
        event.unwrap();
        ids.push(events.last_event_id().unwrap().to_owned());
    }
    assert_eq!(ids, ["41", "43"]);
}

#[tokio::test]
async fn an_id_that_is_no_number_is_none() {
    for first in ["", "x", "-1", "99999999999999999999"] {
        let server = Server::always(vec![
            numbered(first),
            framed(&update(TaskState::Completed)),
            ok(),
        ])
        .await;
        let mut events = server.client().subscribe_to_task("t-1").await.unwrap();
        assert!(events.next().await.unwrap().is_ok());
        assert_eq!(events.last_event_id(), None);
    }
    let last = u64::MAX.to_string();
    let server = Server::always(vec![
        numbered(&last),
        framed(&update(TaskState::Working)),
        framed(&update(TaskState::Completed)),
        ok(),
    ])
    .await;
    let mut events = server.client().subscribe_to_task("t-1").await.unwrap();
    while let Some(event) = events.next().await {
        event.unwrap();
    }
    assert_eq!(events.last_event_id(), Some(&*last));
}

#[tokio::test]
async fn a_stream_that_was_cut_is_told_from_one_that_is_finished() {
    // Also where the state of the task would allow the end: a peer may close a stream that waits
    // for an authorization, but a lost connection is no such end (B2).
    for state in [TaskState::Working, TaskState::AuthRequired] {
        for end in [
            Step::End,
            Step::Reset(Reason::CANCEL),
            Step::Reset(Reason::NO_ERROR),
            Step::Break,
            Step::Trailers(vec![("x-other", "1".to_owned())]),
        ] {
            let steps = vec![Step::Begin, framed(&update(state)), Step::Wait, end.clone()];
            let server = Server::always(steps).await;
            let mut events = server.client().stream_message("hi").await.unwrap();
            assert!(within(events.next()).await.unwrap().is_ok());
            server.let_go();
            let error = within(events.next()).await.unwrap().unwrap_err();
            assert_eq!(error.failure(), Failure::Cut, "{state} {end:?}: {error:?}");
            assert_eq!(error.last_state(), Some(state));
            assert!(events.next().await.is_none());
        }
    }
    let server = Server::always(stream(&[update(TaskState::AuthRequired)])).await;
    let mut events = server.client().stream_message("hi").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    assert!(events.next().await.is_none());
    // The server says that all is well, and it is not.
    let server = Server::always(stream(&[update(TaskState::Working)])).await;
    let mut events = server.client().stream_message("hi").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    assert_eq!(
        events.next().await.unwrap().unwrap_err().failure(),
        Failure::Cut
    );
}

#[tokio::test]
async fn a_call_that_was_cut_has_no_answer() {
    for end in [
        Step::End,
        Step::Trailers(vec![]),
        Step::Break,
        Step::Reset(Reason::CANCEL),
    ] {
        let answer = framed(&SendMessageResponse::from(task(TaskState::Working)));
        let steps = vec![Step::Begin, answer, Step::Flushed, end.clone()];
        let server = Server::always(steps).await;
        let error = within(server.client().send_message("hi"))
            .await
            .unwrap_err();
        assert_eq!(error.failure(), Failure::Transport, "{end:?}: {error:?}");
        assert!(!error.is_unsent(), "{end:?}");
        assert_eq!(server.methods(), ["SendMessage"], "a send is not repeated");
    }
}

#[tokio::test]
async fn following_goes_on_behind_the_last_event() {
    // D35: nothing twice, nothing missing.
    let server = Server::start(|heard| match heard.header("last-event-id") {
        "-" => vec![
            numbered("1"),
            framed(&StreamResponse::from(task(TaskState::Submitted))),
            framed(&update(TaskState::Working)),
            Step::Flushed,
            Step::Break,
        ],
        "2" => vec![numbered("3"), framed(&update(TaskState::Completed)), ok()],
        other => panic!("{other}"),
    })
    .await;
    let mut follow = server.client().send_and_follow("hi");
    let mut states = Vec::new();
    while let Some(event) = within(follow.next()).await {
        event.unwrap();
        states.push(follow.task().unwrap().state());
    }
    assert_eq!(
        states,
        [
            TaskState::Submitted,
            TaskState::Working,
            TaskState::Completed
        ]
    );
    assert_eq!(
        server.methods(),
        ["SendStreamingMessage", "SubscribeToTask"]
    );
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_stream_that_is_left_is_closed() {
    // A2A-10.7-01
    let server = Server::always(vec![
        Step::Begin,
        framed(&update(TaskState::Working)),
        Step::Hang,
    ])
    .await;
    let client = server.client();
    let mut events = client.subscribe_to_task("t-1").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    drop(events);
    server.given_up(1).await;
    // A call that is given up is, too; the connection stays.
    let call = tokio::spawn(client.get_task("t-1").into_future());
    server.called(2).await;
    call.abort();
    server.given_up(2).await;
    assert_eq!(server.connections(), 1);
    // With the last client the connection goes.
    drop(client);
    server.idle().await;
}

#[tokio::test]
async fn many_small_events_may_wait_for_a_slow_reader() {
    // R057: they must not end the connection, on which others depend.
    const EVENTS: usize = 20_000;
    let event = update(TaskState::Working);
    let mut steps = vec![Step::Begin];
    steps.extend((1..EVENTS).map(|_| framed(&event)));
    steps.extend([
        framed(&update(TaskState::Completed)),
        Step::Flushed,
        Step::Signal,
        ok(),
    ]);
    let server = Server::start(move |heard| match heard.method() {
        "SubscribeToTask" => steps.clone(),
        _ => answer(&task(TaskState::Completed)),
    })
    .await;
    let client = server.client();
    let mut events = client.subscribe_to_task("t-1").await.unwrap();
    server.signaled().await;
    within(client.get_task("t-1")).await.unwrap();
    let mut count = 0;
    while let Some(event) = within(events.next()).await {
        event.unwrap();
        count += 1;
    }
    assert_eq!((count, server.connections()), (EVENTS, 1));
}
