//! How much a server can make the client keep. The memory of this process is counted, so that its
//! tests run one after the other, in one.
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
use a2a_client::{Error, Failure, StreamExt as _};
use a2a_types::card::JSONRPC;
use peak_alloc::PeakAlloc;
use support::{BINDINGS, builder, task_event, wrap};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::timeout;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MIB: usize = 1024 * 1024;
const LIMIT: usize = 8 * MIB;
/// What a buffer that grows may have at once, its old half and its new whole, and some change.
const MOST: usize = 3 * LIMIT + MIB;

/// The most memory that a call takes beyond what there was before.
async fn cost<T>(call: impl Future<Output = T>) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = timeout(Duration::from_secs(120), call).await.unwrap();
    (result, MEMORY.peak_usage().saturating_sub(before))
}

// R009
#[tokio::test]
async fn what_an_endless_peer_costs_is_bounded() {
    for body in [
        // A line without an end, an event without an end, and one that has no data.
        &b"a"[..],
        b"data: aaaaaaaaaaaaaaa\n",
        b"id: 1\nevent: e\n",
        b":\n",
    ] {
        let stream = Answer::stream(body.repeat(4096)).for_ever();
        let (error, most) = endless(stream, true).await;
        assert_eq!(error.failure(), Failure::Decode, "{error}");
        assert!(most < MOST, "{most} bytes for {:?}", &body[..1]);
    }
    for (status, content_type) in [(200, "application/json"), (500, "application/json")] {
        let answer = Answer::new(status, content_type, b"[".repeat(4096)).for_ever();
        let (_, most) = endless(answer, false).await;
        assert!(most < MOST, "{most} bytes for a body of status {status}");
    }
    flood().await;
}

/// The error of a call to a server that does not end, and what it cost.
async fn endless(answer: Answer, stream: bool) -> (Error, usize) {
    let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
    let client = builder().with_max_message_size(LIMIT);
    let client = client.from_card(server.card(JSONRPC)).unwrap();
    cost(async {
        match stream {
            true => {
                let mut events = client.stream_message("hi").await.unwrap();
                events.next().await.unwrap().unwrap_err()
            }
            false => client.get_task("t").await.unwrap_err(),
        }
    })
    .await
}

/// Thousands of events for a reader who sleeps: what is not read stays at the server.
async fn flood() {
    for binding in BINDINGS {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let event = format!(
            "data: {}\n\n",
            wrap(binding, &task_event("TASK_STATE_WORKING"))
        );
        let event = event.repeat(100);
        let server = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            _ = socket.read(&mut [0; 4096]).await.unwrap();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            socket.write_all(head.as_bytes()).await.unwrap();
            let mut sent = 0;
            // A second in which nothing can be written: the client takes no more.
            while let Ok(result) =
                timeout(Duration::from_secs(1), socket.write_all(event.as_bytes())).await
            {
                result.unwrap();
                sent += event.len();
            }
            (socket, sent)
        });
        let mut card = HostileServer::start(|_| Answer::silence())
            .await
            .unwrap()
            .card(binding);
        card.supported_interfaces[0].url = format!("http://{address}/");
        let client = builder().from_card(card).unwrap();
        let (sent, most) = cost(async {
            let mut events = client.stream_message("hi").await.unwrap();
            events.next().await.unwrap().unwrap();
            let (_socket, sent) = server.await.unwrap();
            events.next().await.unwrap().unwrap();
            sent
        })
        .await;
        // The server's own copies of the event are counted, too.
        assert!(most < 2 * MIB, "{most} bytes for {sent} that were sent");
    }
}
