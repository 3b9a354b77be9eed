use std::net::SocketAddr;

use a2a_grpc::Grpc;
use a2a_types::{GetTaskRequest, Message, SendMessageRequest, TaskState};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::Code;

use crate::support::{Running, frame, http, raw, say, send, serve, serve_grpc, v1, within};

const MIB: usize = 1 << 20;

/// Sends a text of so many bytes over HTTP+JSON and gives the status.
async fn over_json(server: &Running, size: usize) -> (u16, String) {
    let request = SendMessageRequest::new(Message::user("x".repeat(size)));
    let response = http()
        .build()
        .unwrap()
        .post(server.url("/message:send"))
        .header("a2a-version", "1.0")
        .header("content-type", "application/json")
        .body(serde_json::to_vec(&request).unwrap());
    let response = within(response.send()).await.unwrap();
    (
        response.status().as_u16(),
        within(response.text()).await.unwrap(),
    )
}

// R055
#[tokio::test]
async fn large_messages_pass_as_over_the_other_bindings() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    for size in [3 * MIB, 5 * MIB, 12 * MIB] {
        let task = send(&mut client, &"x".repeat(size)).await;
        assert_eq!(task.state(), TaskState::Completed);
        assert_eq!(task.artifacts[0].text().len(), size);
        let read = within(client.get_task(v1(GetTaskRequest::default().with_id(&*task.id))));
        assert_eq!(read.await.unwrap().into_inner(), task);
        let (status, body) = over_json(&server, size).await;
        assert_eq!(status, 200);
        assert!(body.len() > size);
    }
    // An item of a stream may be as large.
    let stream = client.send_streaming_message(v1(say(&format!("big {}", 6 * MIB))));
    let mut stream = within(stream).await.unwrap().into_inner();
    let mut largest = 0;
    while let Some(event) = within(stream.message()).await.unwrap() {
        largest = largest.max(a2a_types::prost::Message::encoded_len(&event));
    }
    assert!(largest > 6 * MIB);
}

// R055, R051, A2A-13.4-06, A2A-13.4-18
#[tokio::test]
async fn what_is_larger_is_refused_with_the_limit() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let refused = within(client.send_message(v1(say(&"x".repeat(16 * MIB)))));
    let refused = refused.await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.message().contains("16777216"), "{refused}");
    assert_eq!(over_json(&server, 16 * MIB).await.0, 413);
    send(&mut client, "still there").await;

    let small = Grpc::new().max_request_bytes(1000).max_response_bytes(4000);
    let server = serve_grpc(small, |server| server).await;
    let mut client = server.client().await;
    let refused = within(client.send_message(v1(say(&"x".repeat(1000)))));
    assert_eq!(refused.await.unwrap_err().code(), Code::ResourceExhausted);
    // A message of exactly the limit passes, one byte more does not.
    let length = |text: &str| a2a_types::prost::Message::encoded_len(&say(text));
    let fits = |size: &usize| length(&"x".repeat(*size)) <= 1000;
    let fitting = (0..1000).rev().find(fits).unwrap();
    for (size, passes) in [(fitting, true), (fitting + 1, false)] {
        let request = say(&"x".repeat(size));
        let outcome = within(client.send_message(v1(request))).await;
        assert_eq!(outcome.is_ok(), passes, "{outcome:?}");
    }
    for streaming in [false, true] {
        let big = v1(say("big 5000"));
        let refused = if streaming {
            let stream = within(client.send_streaming_message(big)).await.unwrap();
            let mut stream = stream.into_inner();
            loop {
                match within(stream.message()).await {
                    Ok(event) => assert!(event.is_some(), "an end without a status"),
                    Err(status) => break status,
                }
            }
        } else {
            within(client.send_message(big)).await.unwrap_err()
        };
        assert_eq!(refused.code(), Code::ResourceExhausted);
        assert!(refused.message().contains("4000"), "{refused}");
    }
}

// R051: a length that is only announced costs nothing.
#[tokio::test]
async fn a_message_is_refused_as_soon_as_it_says_how_large_it_is() {
    let server = serve(|server| server).await;
    let mut body = frame(b"");
    body[1..5].copy_from_slice(&u32::MAX.to_be_bytes());
    let headers = [("a2a-version", "1.0")];
    let (_, code, _) = raw(server.address, "SendMessage", &headers, body).await;
    assert_eq!(code, Some(Code::ResourceExhausted));
}

// A connection that says nothing, or nonsense, is nobody else's trouble.
#[tokio::test]
async fn nonsense_on_the_port_harms_nobody() {
    let server = serve(|server| server).await;
    let mut silent = connect(server.address).await;
    silent.write_all(b"PRI * HTTP/2.0\r\n").await.unwrap();
    let mut nonsense = connect(server.address).await;
    let text = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    nonsense.write_all(text).await.unwrap();
    let mut answer = Vec::new();
    let _ = within(nonsense.read_to_end(&mut answer)).await;
    send(&mut server.client().await, "still there").await;
}

async fn connect(address: SocketAddr) -> tokio::net::TcpStream {
    tokio::net::TcpStream::connect(address).await.unwrap()
}
