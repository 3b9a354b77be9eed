//! Connections of a server that listens by itself, and what stands on every answer.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::time::Duration;

use a2a_server::{CARD_PATH, Cors, Limits, Server};
use serde_json::json;
use support::{Gate, Scripted, TestServer, builder, card, message, scripted, serve, within};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const SHORT: Duration = Duration::from_millis(150);

async fn connect(server: &TestServer) -> TcpStream {
    TcpStream::connect(server.address).await.unwrap()
}

/// Everything until the server closes the connection.
async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A server that closes with unread input in its socket resets the connection.
    let _ = within(stream.read_to_end(&mut bytes)).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

fn health(server: &TestServer) -> String {
    format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address)
}

/// Reads one answer to [`health`].
async fn healthy(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\nok") {
        let read = within(stream.read_buf(&mut bytes)).await.unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&bytes));
    }
}

// A2A-13.4-06
#[tokio::test]
async fn a_client_that_does_not_come_to_the_point_is_cut_off() {
    let limits = Limits::default().with_head_time(SHORT);
    let server = serve(builder(Scripted::echo()).limits(limits)).await;
    for start in [
        "",
        "P",
        "POST / HTTP/1.1\r\nHost: localhost\r\nA2A-Version",
        "PRI * HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut stream = connect(&server).await;
        stream.write_all(start.as_bytes()).await.unwrap();
        let answer = rest(stream).await;
        assert!(!answer.starts_with("HTTP/1.1 2"), "{start:?}: {answer}");
    }
}

#[tokio::test]
async fn a_connection_that_is_not_used_any_more_is_closed() {
    let limits = Limits::default().with_head_time(SHORT);
    let server = serve(builder(Scripted::echo()).limits(limits)).await;
    let mut stream = connect(&server).await;
    for _ in 0..3 {
        let request = health(&server);
        stream.write_all(request.as_bytes()).await.unwrap();
        healthy(&mut stream).await;
    }
    assert_eq!(rest(stream).await, "");
}

#[tokio::test]
async fn an_answer_may_take_longer_than_a_request() {
    let gate = Gate::new();
    let opened = gate.clone();
    let agent = scripted(move |_, task| {
        let gate = opened.clone();
        async move {
            task.working().await?;
            gate.pass().await;
            task.complete().await
        }
    });
    let limits = Limits::default().with_head_time(SHORT);
    let server = serve(builder(agent).limits(limits)).await;
    for caller in server.callers() {
        let mut events = caller.stream_send("hi").await;
        while events.next().await.unwrap().state() != "WORKING" {}
        let blocked = tokio::spawn({
            let caller = caller.clone();
            async move { caller.send("hi").await }
        });
        // One that says nothing is closed, so the time is over.
        assert_eq!(rest(connect(&server).await).await, "");
        gate.open_for(2);
        assert_eq!(events.all().await.last().unwrap().state(), "COMPLETED");
        assert_eq!(within(blocked).await.unwrap().state(), "COMPLETED");
    }
}

#[tokio::test]
async fn a_connection_beyond_the_limit_waits_for_a_place() {
    let limits = Limits::default().with_connections(2);
    let server = serve(builder(Scripted::echo()).limits(limits)).await;
    let request = health(&server);
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut stream = connect(&server).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        healthy(&mut stream).await;
        streams.push(stream);
    }
    let mut third = connect(&server).await;
    third.write_all(request.as_bytes()).await.unwrap();
    // Those that have a place are served all the same.
    for stream in &mut streams {
        stream.write_all(request.as_bytes()).await.unwrap();
        healthy(stream).await;
    }
    let waiting = tokio::time::timeout(SHORT, third.readable()).await;
    assert!(waiting.is_err(), "a third connection is served");
    drop(streams.pop());
    healthy(&mut third).await;
}

fn https(agent: Scripted) -> a2a_server::ServerBuilder {
    builder(agent).public_url("https://agent.example.com")
}

// A2A-13.4-03
#[tokio::test]
async fn every_answer_tells_browsers_to_keep_to_https_when_that_is_on() {
    let year = Duration::from_secs(31_536_000);
    let strict = || https(Scripted::echo()).strict_transport_security(year);
    let told = |headers: &reqwest::header::HeaderMap| {
        let value = headers.get("strict-transport-security");
        value.map(|value| value.to_str().unwrap().to_owned())
    };
    for (builder, expected) in [
        (https(Scripted::echo()), None),
        (strict(), Some("max-age=31536000")),
        (strict().cors(Cors::any()), Some("max-age=31536000")),
    ] {
        let server = serve(builder).await;
        for path in [CARD_PATH, "/health", "/tasks/nope", "/no/route"] {
            let answer = reqwest::get(server.url(path)).await.unwrap();
            assert_eq!(told(answer.headers()).as_deref(), expected, "{path}");
        }
        for caller in server.callers() {
            let answer = caller.send("hi").await;
            assert_eq!(answer.state(), "COMPLETED");
            assert_eq!(told(&answer.headers).as_deref(), expected);
            let request = caller.request("SendStreamingMessage", json!({"message": message("hi")}));
            let stream = request.send().await.unwrap();
            assert_eq!(told(stream.headers()).as_deref(), expected);
            assert!(stream.text().await.unwrap().contains("COMPLETED"));
        }
    }
}

// A2A-13.4-03
#[test]
fn a_server_that_is_reached_without_https_cannot_demand_it() {
    let year = Duration::from_secs(31_536_000);
    let strict = || {
        let server = Server::builder(Scripted::echo()).card(card());
        server.strict_transport_security(year)
    };
    for plain in [strict(), strict().public_url("http://agent.example.com")] {
        let error = plain.build().unwrap_err().to_string();
        assert!(error.contains("strict_transport_security"), "{error}");
    }
    let proxied = strict().trusted_proxies(["10.0.0.0/8".parse().unwrap()]);
    proxied.build().unwrap();
}

#[tokio::test]
async fn pages_may_send_further_headers_when_they_are_allowed_to() {
    let plain = Cors::any();
    let wider = Cors::any().allow_headers(["x-api-key", "traceparent", "no header"]);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for (cors, expected) in [(plain, false), (wider, true)] {
        let server = serve(https(Scripted::echo()).cors(cors)).await;
        for path in ["/", "/message:send"] {
            let preflight = client
                .request(reqwest::Method::OPTIONS, server.url(path))
                .header("origin", "https://app.example")
                .header("access-control-request-method", "POST")
                .header("access-control-request-headers", "x-api-key,traceparent");
            let response = preflight.send().await.unwrap();
            let headers = response.headers()["access-control-allow-headers"].to_str();
            let names: Vec<_> = headers.unwrap().split(',').map(str::trim).collect();
            for name in ["x-api-key", "traceparent"] {
                assert_eq!(names.contains(&name), expected, "{names:?}");
            }
            assert!(names.contains(&"a2a-version"), "{names:?}");
        }
    }
}
