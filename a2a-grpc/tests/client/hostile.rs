//! Nothing that a server sends can make the client panic, wait for ever or run out of memory.

use std::time::Duration;

use a2a_client::{Client, Error, Failure, RetryPolicy, StreamExt as _};
use a2a_grpc::client::Options;
use a2a_types::card::GRPC;
use a2a_types::{Artifact, ErrorKind, Part, SendMessageResponse, Task, TaskState};
use h2::Reason;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{
    Server, Step, answer, card, frame, framed, interface, ok, task, update, within,
};

fn once(server: &Server) -> Client {
    with_limit(server, 96 * 1024 * 1024)
}

fn with_limit(server: &Server, bytes: usize) -> Client {
    let options = Options::new();
    Client::builder()
        .with_retry(RetryPolicy::never())
        .with_timeout(Duration::from_secs(10))
        .with_max_message_size(bytes)
        .with_transport(GRPC, move |interface| options.transport(interface))
        .from_card(card([interface(&server.address())]))
        .unwrap()
}

/// The errors of a call with one answer and of a stream.
async fn both(client: &Client) -> [Error; 2] {
    let one = within(client.get_task("t-1")).await.unwrap_err();
    let stream = async {
        let mut events = client.subscribe_to_task("t-1").await?;
        while let Some(event) = events.next().await {
            event?;
        }
        Ok(())
    };
    [one, within(Box::pin(stream)).await.unwrap_err()]
}

#[tokio::test]
async fn bytes_that_are_no_message_are_no_answer() {
    let garbage: [&[u8]; 5] = [
        // a field of no known wire type
        &[0, 0, 0, 0, 2, 0xff, 0xff],
        // a string that is no UTF-8
        &[0, 0, 0, 0, 4, 0x0a, 2, 0xff, 0xfe],
        // a field that is longer than its message
        &[0, 0, 0, 0, 2, 0x0a, 0x7f],
        // no known compression
        &[7, 0, 0, 0, 0],
        // compression that was not agreed on
        &[1, 0, 0, 0, 2, 1, 2],
    ];
    for bytes in garbage {
        let server = Server::always(vec![Step::Begin, Step::Bytes(bytes.to_vec()), ok()]).await;
        for error in both(&once(&server)).await {
            assert_eq!(error.failure(), Failure::Decode, "{bytes:?}: {error:?}");
            assert_eq!(error.kind(), Some(ErrorKind::InvalidAgentResponse));
        }
    }
}

#[tokio::test]
async fn half_a_message_is_none() {
    for bytes in [vec![0, 0, 0], vec![0, 0, 0, 0, 9, 1, 2]] {
        for (end, one) in [(ok(), Failure::Decode), (Step::End, Failure::Transport)] {
            let server = Server::always(vec![Step::Begin, Step::Bytes(bytes.clone()), end]).await;
            let failures = both(&once(&server)).await.map(|error| error.failure());
            assert_eq!(failures, [one, Failure::Cut], "{bytes:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_without_a_message_is_none() {
    let headers = vec![
        ("content-type", "application/grpc".to_owned()),
        ("grpc-status", "0".to_owned()),
    ];
    for steps in [vec![Step::Begin, ok()], vec![Step::HeadOnly(200, headers)]] {
        let server = Server::always(steps).await;
        let error = within(once(&server).get_task("t-1")).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Decode, "{error:?}");
    }
}

#[tokio::test]
async fn compression_that_was_not_agreed_on_is_no_answer() {
    let headers = vec![
        ("content-type", "application/grpc".to_owned()),
        ("grpc-encoding", "gzip".to_owned()),
    ];
    let server = Server::always(vec![
        Step::Head(200, headers),
        Step::Bytes(vec![1, 0, 0, 0, 2, 1, 2]),
        ok(),
    ])
    .await;
    for error in both(&once(&server)).await {
        assert_eq!(error.failure(), Failure::Decode, "{error:?}");
    }
}

#[tokio::test]
async fn user_data_of_any_depth_is_read_or_refused() {
    // D44: what is all depth must not use up the stack.
    let mut value = Vec::new();
    for _ in 0..5000 {
        // google.protobuf.Value { list_value { values { … } } }
        value = field(6, &field(1, &value));
    }
    // Task { metadata { fields { key, value } } }
    let entry = [field(1, b"deep"), field(2, &value)].concat();
    let task = field(6, &field(1, &entry));
    let mut bytes = vec![0];
    bytes.extend(u32::try_from(task.len()).unwrap().to_be_bytes());
    bytes.extend(task);
    let server = Server::always(vec![Step::Begin, Step::Bytes(bytes), ok()]).await;
    let error = within(once(&server).get_task("t-1")).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Decode);
}

/// A field that holds bytes.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    bytes.extend(varint(content.len()));
    bytes.extend(content);
    bytes
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}

fn large(bytes: usize) -> Task {
    task(TaskState::Completed).with_artifacts([Artifact::new("a-1", [Part::raw(vec![7; bytes])])])
}

#[tokio::test]
async fn messages_of_any_usual_size_are_read() {
    // R055: 4 MiB is no limit here.
    for size in [3 << 20, 5 << 20, 12 << 20] {
        let sent = large(size);
        let server = Server::always(answer(&sent)).await;
        let client = once(&server);
        assert!(within(client.get_task("t-1")).await.unwrap() == sent);
    }
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_refused_before_it_is_read() {
    // R055
    let mut steps = vec![Step::Begin, framed(&large(4096)), ok()];
    let server = Server::always(steps.clone()).await;
    for error in both(&with_limit(&server, 1000)).await {
        assert_eq!(error.failure(), Failure::Decode);
        let text = error.to_string();
        assert!(
            text.contains("larger than the limit of 1000 bytes"),
            "{text}"
        );
    }
    // Four gigabytes are announced, and never come.
    steps = vec![
        Step::Begin,
        Step::Bytes(vec![0, 0xff, 0xff, 0xff, 0xff]),
        Step::Hang,
    ];
    let server = Server::always(steps).await;
    for error in both(&once(&server)).await {
        assert_eq!(error.failure(), Failure::Decode);
    }
    server.given_up(2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_with_more_than_one_message_ends_in_its_time() {
    let flood = Step::Flood(frame(&task(TaskState::Working)));
    let server = Server::always(vec![Step::Begin, flood]).await;
    let call = once(&server).get_task("t-1");
    let error = within(call.with_timeout(Duration::from_millis(300)))
        .await
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Timeout);
    server.given_up(1).await;
}

#[tokio::test]
async fn a_stream_without_end_costs_only_what_is_read_of_it() {
    let flood = Step::Flood(frame(&update(TaskState::Working)));
    let server = Server::always(vec![Step::Begin, flood]).await;
    let client = once(&server);
    let mut events = within(client.subscribe_to_task("t-1")).await.unwrap();
    for _ in 0..1000 {
        assert!(within(events.next()).await.unwrap().is_ok());
    }
    drop(events);
    server.given_up(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_say_nothing_cannot_keep_the_client_from_its_end() {
    let flood = Step::Flood(vec![0, 0, 0, 0, 0]);
    let server = Server::always(vec![Step::Begin, flood]).await;
    let client = once(&server);
    let mut events = within(client.subscribe_to_task("t-1")).await.unwrap();
    let next = tokio::time::timeout(Duration::from_millis(300), events.next());
    // Either the caller's own limit holds, or the load is found excessive.
    if let Ok(next) = next.await {
        assert_eq!(next.unwrap().unwrap_err().failure(), Failure::Cut);
    }
    drop(events);
    server.given_up(1).await;
}

#[tokio::test]
async fn silence_has_an_end() {
    for steps in [
        vec![Step::Hang],
        vec![Step::Begin, Step::Hang],
        vec![Step::Begin, Step::Bytes(vec![0, 0]), Step::Hang],
    ] {
        let server = Server::always(steps.clone()).await;
        let client = once(&server);
        let call = client
            .get_task("t-1")
            .with_timeout(Duration::from_millis(200));
        let error = within(call).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Timeout, "{steps:?}");
        assert!(!error.is_unsent());
        server.given_up(1).await;

        let call = client
            .subscribe_to_task("t-1")
            .with_idle_timeout(Duration::from_millis(200));
        let error = async {
            let mut events = call.await?;
            events.next().await.unwrap().map(|_| ())
        };
        let error = within(Box::pin(error)).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Timeout, "{steps:?}");
        server.given_up(2).await;
    }
}

#[tokio::test]
async fn a_stream_that_goes_on_slowly_is_not_silent() {
    let mut steps = vec![Step::Begin];
    for _ in 0..3 {
        steps.extend([framed(&update(TaskState::Working)), Step::Wait]);
    }
    steps.extend([framed(&update(TaskState::Completed)), ok()]);
    let server = Server::always(steps).await;
    let call = server.client().subscribe_to_task("t-1");
    let mut events = within(call).await.unwrap();
    let mut count = 0;
    while let Some(event) = within(events.next()).await {
        event.unwrap();
        count += 1;
        server.let_go();
    }
    assert_eq!(count, 4);
}

#[tokio::test]
async fn a_reset_breaks_one_call_only() {
    for reason in [
        Reason::NO_ERROR,
        Reason::CANCEL,
        Reason::INTERNAL_ERROR,
        Reason::PROTOCOL_ERROR,
        Reason::ENHANCE_YOUR_CALM,
    ] {
        for steps in [
            vec![Step::Reset(reason)],
            vec![Step::Begin, Step::Flushed, Step::Reset(reason)],
            vec![
                Step::Begin,
                framed(&SendMessageResponse::from(task(TaskState::Working))),
                Step::Flushed,
                Step::Reset(reason),
            ],
        ] {
            let server = Server::start(move |heard| match heard.method() {
                "ListTasks" => answer(&a2a_types::ListTasksResponse::default()),
                _ => steps.clone(),
            })
            .await;
            let client = once(&server);
            let error = within(client.send_message("hi")).await.unwrap_err();
            assert_eq!(error.failure(), Failure::Transport, "{reason:?}: {error:?}");
            assert!(!error.is_unsent(), "{reason:?}");
            let all = a2a_types::ListTasksRequest::default();
            within(client.list_tasks(all)).await.unwrap();
            assert_eq!(server.connections(), 1);
        }
    }
}

#[tokio::test]
async fn headers_and_trailers_without_bounds_are_refused() {
    let huge = "x".repeat(200_000);
    for steps in [
        vec![Step::Head(
            200,
            vec![
                ("content-type", "application/grpc".to_owned()),
                ("x-huge", huge.clone()),
            ],
        )],
        vec![
            Step::Begin,
            framed(&task(TaskState::Working)),
            Step::Trailers(vec![
                ("grpc-status", "0".to_owned()),
                ("x-huge", huge.clone()),
            ]),
        ],
    ] {
        let server = Server::always(steps).await;
        let error = within(once(&server).get_task("t-1")).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Transport, "{error:?}");
    }
}

#[tokio::test]
async fn whoever_speaks_no_http2_is_no_agent() {
    for said in [
        &b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"[..],
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\0\0\0\0\0\0\0\0\0\0\0\0",
        b"",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                _ = socket.write_all(said).await;
                _ = socket.shutdown().await;
                let mut rest = [0; 1024];
                while matches!(socket.read(&mut rest).await, Ok(read) if read > 0) {}
            }
        });
        let options = Options::new();
        let client = Client::builder()
            .with_retry(RetryPolicy::never())
            .with_transport(GRPC, move |interface| options.transport(interface))
            .from_card(card([interface(&address)]))
            .unwrap();
        let error = within(client.get_task("t-1")).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Transport, "{error:?}");
    }
}
