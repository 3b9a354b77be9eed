//! The connection: made late, shared, and made again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use a2a_client::{Failure, RetryPolicy, StreamExt as _};
use a2a_grpc::client::Options;
use a2a_types::card::JSONRPC;
use a2a_types::{AgentInterface, TaskState};
use futures::future::join_all;
use h2::Reason;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{
    Server, Step, answer, builder, builder_with, card, client_of, counts, framed, interface, ok,
    task, update, within,
};

#[tokio::test]
async fn calls_share_one_connection_and_wait_for_none() {
    // R057: all fifty are on their way before the first one is answered.
    let server = Server::start(|heard| match heard.method() {
        "SubscribeToTask" => vec![Step::Begin, framed(&update(TaskState::Working)), Step::Hang],
        _ => {
            let mut steps = answer(&task(TaskState::Completed));
            steps.insert(0, Step::Wait);
            steps
        }
    })
    .await;
    let client = server.client();
    assert_eq!(server.connections(), 0, "made with the first call");
    let mut events = client.subscribe_to_task("t-1").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    let calls = (0..50).map(|_| tokio::spawn(client.get_task("t-1").into_future()));
    let calls: Vec<_> = calls.collect();
    server.called(51).await;
    server.let_go();
    for call in calls {
        within(call).await.unwrap().unwrap();
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn the_first_calls_dial_once() {
    let server = Server::start(|_| answer(&task(TaskState::Completed))).await;
    let client = server.client();
    let calls = (0..50).map(|_| client.get_task("t-1").into_future());
    for result in within(join_all(calls)).await {
        result.unwrap();
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_connection_that_was_lost_is_made_again() {
    let server = Server::start(|heard| match heard.connection {
        1 => vec![Step::Break],
        _ => answer(&task(TaskState::Completed)),
    })
    .await;
    let client = server.client();
    // It may have arrived, and a read may be repeated.
    within(client.get_task("t-1")).await.unwrap();
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_server_that_goes_away_loses_no_call() {
    // GOAWAY: what is under way is finished, what comes later goes elsewhere, even a send.
    let server = Server::start(|heard| match (heard.connection, heard.method()) {
        (1, "SubscribeToTask") => vec![
            Step::Begin,
            framed(&update(TaskState::Working)),
            Step::GoAway,
            Step::Wait,
            framed(&update(TaskState::Completed)),
            Step::Trailers(vec![("grpc-status", "0".to_owned())]),
        ],
        _ => answer(&a2a_types::SendMessageResponse::from(task(
            TaskState::Completed,
        ))),
    })
    .await;
    let client = server.client();
    let mut events = client.subscribe_to_task("t-1").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    for _ in 0..5 {
        within(client.send_message("hi")).await.unwrap();
    }
    server.let_go();
    assert_eq!(
        events.next().await.unwrap().unwrap(),
        update(TaskState::Completed)
    );
    assert!(events.next().await.is_none());
    assert_eq!(counts(server.methods())["SendMessage"], 5);
}

#[tokio::test]
async fn a_call_that_was_refused_unseen_is_made_again() {
    // RFC 9113 §8.7
    let times = AtomicUsize::new(0);
    let server = Server::start(move |_| match times.fetch_add(1, Ordering::Relaxed) {
        0 => vec![Step::Reset(Reason::REFUSED_STREAM)],
        _ => answer(&a2a_types::SendMessageResponse::from(task(
            TaskState::Completed,
        ))),
    })
    .await;
    within(server.client().send_message("hi")).await.unwrap();
    assert_eq!(server.methods(), ["SendMessage", "SendMessage"]);
}

#[tokio::test]
async fn an_interface_that_cannot_be_reached_is_passed_over_for_the_next() {
    // A2A-8.3.2-01
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = listener.local_addr().unwrap().to_string();
    drop(listener);
    let server = Server::start(|_| {
        answer(&a2a_types::SendMessageResponse::from(task(
            TaskState::Completed,
        )))
    })
    .await;
    let interfaces = [
        interface("ftp://x"),
        interface(&nobody),
        interface(&server.address()),
    ];
    let client = client_of(interfaces);
    within(client.send_message("hi")).await.unwrap();
    assert_eq!(client.interface().url, server.address());
    assert_eq!(server.methods().len(), 1);
}

#[tokio::test]
async fn the_order_of_the_card_decides_between_bindings() {
    // A2A-8.3.2-01, A2A-8.3.2-02
    let json = AgentInterface::default()
        .with_url("http://127.0.0.1:9/")
        .with_protocol_binding(JSONRPC)
        .with_protocol_version("1.0");
    let grpc = interface("127.0.0.1:9");
    for (interfaces, first) in [
        ([json.clone(), grpc.clone()], "JSONRPC"),
        ([grpc, json], "GRPC"),
    ] {
        let client = builder().from_card(card(interfaces.clone())).unwrap();
        assert_eq!(client.interface().protocol_binding, first);
        let client = builder()
            .with_bindings(["GRPC"])
            .from_card(card(interfaces))
            .unwrap();
        assert_eq!(client.interface().protocol_binding, "GRPC");
    }
}

#[tokio::test]
async fn all_who_wait_for_a_connection_learn_at_once_that_there_is_none() {
    // A server that takes connections and never speaks TLS.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let options = Options::new().with_connect_timeout(Duration::from_millis(300));
    let client = builder_with(options)
        .with_retry(RetryPolicy::never())
        .from_card(card([interface(&format!("https://127.0.0.1:{port}"))]))
        .unwrap();
    let calls = (0..20).map(|_| client.send_message("hi").into_future());
    for result in within(join_all(calls)).await {
        let error = result.unwrap_err();
        assert_eq!(error.failure(), Failure::Timeout, "{error:?}");
        assert!(error.is_unsent());
    }
    assert!(listener.accept().await.is_ok());
    let second = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
    assert!(second.is_err(), "one attempt for all");
}

#[tokio::test]
async fn pings_find_a_dead_peer_and_keep_a_silent_one() {
    let ping = Duration::from_millis(100);
    // A server that says hello, takes everything and never answers, not even a PING.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let dead = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        socket
            .write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0])
            .await
            .unwrap();
        let mut rest = [0; 1024];
        while matches!(socket.read(&mut rest).await, Ok(read) if read > 0) {}
    });
    let client = |address: &str| {
        builder_with(Options::new().with_keep_alive(ping))
            .with_retry(RetryPolicy::never())
            .from_card(card([interface(address)]))
            .unwrap()
    };
    let error = within(client(&dead).get_task("t-1")).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Transport, "{error:?}");
    let server = Server::always(vec![
        Step::Begin,
        framed(&update(TaskState::Working)),
        Step::Wait,
        framed(&update(TaskState::Completed)),
        ok(),
    ])
    .await;
    let mut events = client(&server.address())
        .subscribe_to_task("t-1")
        .await
        .unwrap();
    assert!(within(events.next()).await.unwrap().is_ok());
    let silence = tokio::time::timeout(ping * 10, events.next());
    assert!(silence.await.is_err(), "nothing is said");
    server.let_go();
    assert!(within(events.next()).await.unwrap().is_ok());
}

#[test]
fn a_client_outlives_the_runtime_that_connected_it() {
    let runtime = || {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap()
    };
    let serving = runtime();
    let server = serving.block_on(Server::start(|_| answer(&task(TaskState::Completed))));
    // Made outside of any runtime.
    let client = server.client();
    for _ in 0..2 {
        let runtime = runtime();
        runtime
            .block_on(async { within(client.get_task("t-1")).await })
            .unwrap();
    }
    assert_eq!(server.connections(), 2);
}
