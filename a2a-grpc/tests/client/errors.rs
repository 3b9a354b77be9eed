//! What a status says (A2A §10.6).

use std::time::Duration;

use a2a_client::{Client, Error, Failure, RetryPolicy, StreamExt as _};
use a2a_grpc::client::Options;
use a2a_types::card::GRPC;
use a2a_types::{A2aError, ErrorKind, FieldViolation, TaskState};

use crate::support::{
    Server, Step, answer, card, client_of, framed, interface, ok, refused, status, task, update,
    within,
};

/// An error of every kind that has a reason, and of some that have none.
fn every_error() -> Vec<A2aError> {
    let mut errors: Vec<_> = [
        ErrorKind::TaskNotFound,
        ErrorKind::TaskNotCancelable,
        ErrorKind::PushNotificationNotSupported,
        ErrorKind::UnsupportedOperation,
        ErrorKind::ContentTypeNotSupported,
        ErrorKind::InvalidAgentResponse,
        ErrorKind::ExtendedAgentCardNotConfigured,
        ErrorKind::ExtensionSupportRequired,
        ErrorKind::VersionNotSupported,
        ErrorKind::Unauthenticated,
        ErrorKind::PermissionDenied,
        ErrorKind::DeadlineExceeded,
        ErrorKind::Unavailable,
    ]
    .into_iter()
    .map(|kind| A2aError::new(kind, format!("because of ü {kind:?}")))
    .collect();
    errors.push(A2aError::invalid_params([FieldViolation::new(
        "message.parts",
        "is required",
    )]));
    errors
}

/// A client that asks once.
fn once(server: &Server) -> Client {
    let options = Options::new();
    Client::builder()
        .with_retry(RetryPolicy::never())
        .with_transport(GRPC, move |interface| options.transport(interface))
        .from_card(card([interface(&server.address())]))
        .unwrap()
}

fn same(error: &Error, sent: &A2aError) {
    let read = error.protocol().unwrap();
    assert_eq!(error.failure(), Failure::Protocol, "{sent:?}");
    assert_eq!(read.kind(), sent.kind());
    assert_eq!(read.message(), sent.message());
    assert_eq!(read.violations(), sent.violations());
    assert_eq!(read.metadata(), sent.metadata());
}

#[tokio::test]
async fn every_kind_of_error_is_told_from_every_other_one() {
    // R054, A2A-10.6-03
    for sent in every_error() {
        let steps = refused(&sent);
        let server = Server::always(steps).await;
        let client = once(&server);
        same(&client.get_task("t-1").await.unwrap_err(), &sent);
        same(&client.stream_message("hi").await.unwrap_err(), &sent);
    }
}

#[tokio::test]
async fn an_error_in_trailers_is_the_same_error() {
    // R054: some servers send headers first, even when they refuse.
    for sent in every_error() {
        let server = Server::always(vec![Step::Begin, Step::Trailers(status(&sent))]).await;
        let client = once(&server);
        same(&client.get_task("t-1").await.unwrap_err(), &sent);
        let mut events = client.stream_message("hi").await.unwrap();
        same(&events.next().await.unwrap().unwrap_err(), &sent);
        assert!(events.next().await.is_none());
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_ends_it() {
    let sent = A2aError::invalid_agent_response("lost the thread");
    let server = Server::always(vec![
        Step::Begin,
        framed(&update(TaskState::Working)),
        Step::Trailers(status(&sent)),
    ])
    .await;
    let mut events = server.client().stream_message("hi").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    let error = events.next().await.unwrap().unwrap_err();
    same(&error, &sent);
    assert_eq!(error.last_state(), Some(TaskState::Working));
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn no_kind_is_guessed_from_a_status_that_many_share() {
    // A2A-10.6-03: six errors are FAILED_PRECONDITION, and a proxy says NOT_FOUND, too.
    for code in [2, 5, 6, 9, 10, 11, 13, 15] {
        let trailers = vec![
            ("grpc-status", code.to_string()),
            ("grpc-message", "nothing%20more".to_owned()),
        ];
        let server = Server::always(vec![Step::Begin, Step::Trailers(trailers)]).await;
        let error = once(&server).get_task("t-1").await.unwrap_err();
        assert_eq!(error.failure(), Failure::Protocol);
        let protocol = error.protocol().unwrap();
        assert!(protocol.kind().reason().is_none(), "{code}: {error:?}");
        assert_eq!(protocol.message(), "nothing more");
    }
}

#[tokio::test]
async fn the_reason_wins_over_the_status() {
    // R054: the older table has UNIMPLEMENTED for some errors.
    let sent = A2aError::push_not_supported();
    let mut trailers = status(&sent);
    trailers[0].1 = "12".to_owned();
    let server = Server::always(vec![Step::Begin, Step::Trailers(trailers)]).await;
    let error = once(&server).get_task("t-1").await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::PushNotificationNotSupported));
}

#[tokio::test]
async fn details_that_are_rubbish_leave_the_code() {
    // R054: with tonic alone these panic.
    for details in ["%%%", "AAAA", "=", "!", "_-_-", "/////w", "CAU=CAU="] {
        let trailers = vec![
            ("grpc-status", "16".to_owned()),
            ("grpc-message", "who%ff%2".to_owned()),
            ("grpc-status-details-bin", details.to_owned()),
        ];
        let server = Server::always(vec![Step::Begin, Step::Trailers(trailers.clone())]).await;
        let error = once(&server).get_task("t-1").await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::Unauthenticated), "{details}");
        // In an answer that is none of an error, too.
        let mut fine = trailers;
        fine[0].1 = "0".to_owned();
        let steps = vec![
            Step::Begin,
            framed(&task(TaskState::Working)),
            Step::Trailers(fine),
        ];
        let server = Server::always(steps).await;
        let task = once(&server).get_task("t-1").await.unwrap();
        assert_eq!(task.state(), TaskState::Working);
    }
}

#[tokio::test]
async fn a_status_that_nobody_knows_is_an_error_of_an_unknown_kind() {
    for code in ["17", "999", "-1", "99999999999999", "banana", ""] {
        let trailers = vec![("grpc-status", code.to_owned())];
        let server = Server::always(vec![Step::Begin, Step::Trailers(trailers)]).await;
        let error = once(&server).get_task("t-1").await.unwrap_err();
        assert_eq!(error.failure(), Failure::Protocol, "{code}");
        assert_eq!(error.kind(), Some(ErrorKind::Unknown), "{code}");
    }
}

#[tokio::test]
async fn a_server_that_is_down_for_a_while_is_asked_again() {
    // R054: UNAVAILABLE is retryable.
    let down = A2aError::new(ErrorKind::Unavailable, "back soon");
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |heard| {
        let first = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0;
        match first || heard.method() == "SendMessage" {
            true => refused(&down),
            false => answer(&task(TaskState::Completed)),
        }
    })
    .await;
    let client = server.client();
    assert!(client.get_task("t-1").await.is_ok());
    assert_eq!(server.methods(), ["GetTask", "GetTask"]);
    // A send is not repeated: the agent may have begun.
    let error = client.send_message("hi").await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Unavailable));
    assert_eq!(server.methods().len(), 3);
}

#[tokio::test]
async fn the_pause_that_a_server_wants_is_known() {
    let busy = A2aError::new(ErrorKind::ResourceExhausted, "later")
        .with_retry_after(Duration::from_secs(3600));
    let server = Server::always(refused(&busy)).await;
    let error = server.client().get_task("t-1").await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(server.methods().len(), 1);
}

#[tokio::test]
async fn somebody_between_who_speaks_no_grpc_is_told_from_the_agent() {
    let html = |status: u16, extra: Option<(&'static str, &str)>| {
        let mut headers = vec![("content-type", "text/html".to_owned())];
        headers.extend(extra.map(|(name, value)| (name, value.to_owned())));
        vec![
            Step::Head(status, headers),
            Step::Bytes(b"<html>no</html>".to_vec()),
            Step::End,
        ]
    };
    for (steps, failure, kind) in [
        (html(200, None), Failure::Transport, None),
        (html(404, None), Failure::Transport, None),
        (html(302, None), Failure::Transport, None),
        (
            html(401, None),
            Failure::Protocol,
            Some(ErrorKind::Unauthenticated),
        ),
        (
            html(403, None),
            Failure::Protocol,
            Some(ErrorKind::PermissionDenied),
        ),
        (
            html(503, Some(("retry-after", "7"))),
            Failure::Protocol,
            Some(ErrorKind::Unavailable),
        ),
        // Some gateways give a status beside their page.
        (
            html(502, Some(("grpc-status", "14"))),
            Failure::Protocol,
            Some(ErrorKind::Unavailable),
        ),
        (
            vec![
                Step::Head(200, vec![]),
                framed(&task(TaskState::Working)),
                ok(),
            ],
            Failure::Transport,
            None,
        ),
        (
            vec![
                Step::Head(
                    200,
                    vec![("content-type", "application/grpc-web".to_owned())],
                ),
                ok(),
            ],
            Failure::Transport,
            None,
        ),
    ] {
        let server = Server::always(steps.clone()).await;
        let client = once(&server);
        for error in [
            client.get_task("t-1").await.unwrap_err(),
            client.subscribe_to_task("t-1").await.unwrap_err(),
        ] {
            assert_eq!(error.failure(), failure, "{steps:?}: {error:?}");
            assert_eq!(error.kind(), kind, "{steps:?}");
        }
    }
    let server = Server::always(html(503, Some(("retry-after", "3600")))).await;
    let error = server.client().get_task("t-1").await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(error.http_status(), Some(503));
}

#[tokio::test]
async fn every_known_content_type_is_grpc() {
    for content_type in [
        "application/grpc",
        "application/grpc+proto",
        "Application/GRPC; charset=utf-8",
    ] {
        let server = Server::always(vec![
            Step::Head(200, vec![("content-type", content_type.to_owned())]),
            framed(&task(TaskState::Working)),
            ok(),
        ])
        .await;
        assert!(
            once(&server).get_task("t-1").await.is_ok(),
            "{content_type}"
        );
    }
}

#[tokio::test]
async fn nothing_secret_is_in_an_error() {
    let server = Server::always(vec![Step::Head(500, vec![]), Step::End]).await;
    let options = Options::new();
    let client = Client::builder()
        .with_credentials(a2a_client::auth::Bearer::new("s3cret"))
        .with_transport(GRPC, move |interface| options.transport(interface))
        .from_card(card([interface(&server.address())]))
        .unwrap();
    let error = within(client.get_task("t-1")).await.unwrap_err();
    assert_eq!(server.heard()[0].header("authorization"), "Bearer s3cret");
    assert!(!format!("{error} {error:?} {client:?}").contains("s3cret"));
}

#[tokio::test]
async fn an_agent_that_nobody_serves_is_unreachable() {
    let nobody = Server::always(vec![]).await.port;
    // The port is free again once its listener is gone.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    assert_ne!(port, nobody);
    let client = client_of([interface(&format!("127.0.0.1:{port}"))]);
    let error = within(client.send_message("hi")).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    assert!(error.is_unsent());
    let text = error.to_string();
    assert!(
        text.contains(&format!("cannot connect to http://127.0.0.1:{port}/")),
        "{text}"
    );
}
