//! Requests that no decent client sends: the server answers what it can, and goes on.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use a2a_server::Limits;
use a2a_server::auth::StaticBearer;
use serde_json::{Value, json};
use support::{
    Raw, RawAnswer, Scripted, TestServer, builder, message, raw, serve, serve_agent, within,
};

async fn get(server: &TestServer, target: &str) -> RawAnswer {
    let head = format!("GET {target} HTTP/1.1\r\nA2A-Version: 1.0\r\n");
    raw(server.address, &head, b"").await
}

#[track_caller]
fn expect(answer: &RawAnswer, status: u16, name: &str) -> Value {
    let body = answer.json();
    assert_eq!(answer.status, status, "{body}");
    assert_eq!(body["error"]["code"], status, "{body}");
    assert_eq!(body["error"]["status"], name, "{body}");
    body
}

/// Sends bytes as they are and reads until the server closes.
async fn send(server: &TestServer, bytes: &[u8]) -> RawAnswer {
    let mut raw = Raw::connect(server.address).await;
    raw.write(bytes).await;
    within(raw.answer()).await
}

// R045, A2A-13.4-05
#[tokio::test]
async fn absurd_paths_get_an_error_and_harm_nothing() {
    let server = serve_agent(Scripted::echo()).await;
    let undecodable = get(&server, "/tasks/%FF%FE").await;
    let body = expect(&undecodable, 400, "INVALID_ARGUMENT");
    assert_eq!(
        body["error"]["details"][0]["fieldViolations"][0]["field"],
        "id"
    );
    let long = "x".repeat(10_000);
    let body = expect(
        &get(&server, &format!("/tasks/{long}")).await,
        404,
        "NOT_FOUND",
    );
    assert_eq!(body["error"]["details"][0]["reason"], "TASK_NOT_FOUND");
    for target in [
        "/tasks/%00",
        "/tasks/%0d%0aX-Evil:%201",
        "/tasks/%",
        "/tasks/%zz",
    ] {
        let answer = get(&server, target).await;
        assert_eq!(answer.status, 404, "{target}");
        assert!(!answer.head.contains("x-evil"), "{}", answer.head);
        assert_eq!(answer.json()["error"]["code"], 404, "{target}");
    }
    assert_eq!(get(&server, "/tasks").await.status, 200);
}

// A2A-13.4-05
#[tokio::test]
async fn what_is_no_http_is_refused() {
    let server = serve_agent(Scripted::echo()).await;
    let long = format!(
        "GET /tasks HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let many = format!(
        "GET /tasks HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "X: y\r\n".repeat(1000)
    );
    for (bytes, status) in [
        ("hello\r\n\r\n", 400),
        ("GET /tasks HTTP/9.9\r\n\r\n", 400),
        (
            "GET /tasks<script> HTTP/1.1\r\nHost: localhost\r\n\r\n",
            400,
        ),
        (
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
            400,
        ),
        (
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            400,
        ),
        (
            "POST / HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n",
            400,
        ),
        (&many, 431),
        (&long, 431),
    ] {
        let about: String = bytes.chars().take(60).collect();
        assert_eq!(
            send(&server, bytes.as_bytes()).await.status,
            status,
            "{about}"
        );
    }
    assert_eq!(get(&server, "/tasks").await.status, 200);
}

// A2A-3.3.2-03
#[tokio::test]
async fn two_sets_of_credentials_are_none() {
    let bearer = StaticBearer::new([("a", "alice"), ("b", "bob")]);
    let server = serve(builder(Scripted::echo()).authenticator(bearer)).await;
    for (second, status) in [
        ("", 200),
        ("Authorization: Bearer b\r\n", 401),
        ("Authorization: Bearer a\r\n", 401),
    ] {
        let head = format!(
            "GET /tasks HTTP/1.1\r\nA2A-Version: 1.0\r\nAuthorization: Bearer a\r\n{second}"
        );
        assert_eq!(
            raw(server.address, &head, b"").await.status,
            status,
            "{second}"
        );
    }
}

// A2A-14.1.1-02, A2A-3.2.6-03, R144
#[tokio::test]
async fn header_values_that_are_no_text_count_as_none() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let body = json!({"message": message("hi")}).to_string();
    let mut request = format!(
        "POST /message:send HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nA2A-Version: 1.0\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    )
    .into_bytes();
    for name in [
        "A2A-Extensions",
        "traceparent",
        "Accept",
        "X-Other",
        "Last-Event-ID",
    ] {
        request.extend_from_slice(name.as_bytes());
        request.extend_from_slice(b": \xff\xfe\r\n");
    }
    request.extend_from_slice(b"\r\n");
    request.extend_from_slice(body.as_bytes());
    assert_eq!(send(&server, &request).await.status, 200);
    let request = agent.seen.lock().unwrap().last().unwrap().clone();
    assert!(request.context().requested_extensions.is_empty());
    assert_eq!(request.context().trace, None);
}

// R051: what is left of a refused body is not taken for the next request.
#[tokio::test]
async fn the_rest_of_a_refused_body_is_no_request() {
    let agent = Scripted::echo();
    let server = serve(builder(agent.clone()).limits(Limits::default().with_body_bytes(100))).await;
    let hidden = json!({"message": message("hi")}).to_string();
    let hidden = format!(
        "POST /message:send HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{hidden}",
        hidden.len()
    );
    for head in [
        "Content-Type: application/json\r\n",
        "Content-Type: text/plain\r\n",
    ] {
        let request = format!(
            "POST /message:send HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n{head}Content-Length: 100000\r\n\r\n{}",
            hidden.repeat(10)
        );
        let answer = send(&server, request.as_bytes()).await;
        assert!([413, 415].contains(&answer.status));
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!text.contains("HTTP/1.1"), "{text}");
    }
    assert_eq!(agent.runs(), 0);
}

#[tokio::test]
async fn a_client_that_leaves_inside_of_its_request_has_asked_for_nothing() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for target in ["/", "/message:send"] {
        let mut raw = Raw::connect(server.address).await;
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n\
             Content-Length: 200\r\n\r\n{{\"jsonrpc\":"
        );
        raw.write(head.as_bytes()).await;
        drop(raw);
    }
    assert_eq!(get(&server, "/tasks").await.json()["totalSize"], 0);
    assert_eq!(agent.runs(), 0);
}

// A2A-11.1-02
#[tokio::test]
async fn one_connection_carries_many_calls_of_both_bindings() {
    let server = serve_agent(Scripted::echo()).await;
    let rpc = r#"{"jsonrpc":"2.0","id":"first","method":"ListTasks"}"#;
    let rpc = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{rpc}",
        rpc.len()
    );
    let last = "GET /tasks/second HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nConnection: close\r\n\r\n";
    let answer = send(&server, format!("{rpc}{rpc}{last}").as_bytes()).await;
    let text = String::from_utf8(answer.body).unwrap();
    assert_eq!(text.matches("\"id\":\"first\"").count(), 2, "{text}");
    assert!(
        text.ends_with('}') && text.contains("task second not found"),
        "{text}"
    );
}
