//! The JSON-RPC binding (A2A §9): envelopes, ids, what is no call, and the endpoint itself.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use a2a_server::Binding;
use a2a_server::auth::StaticBearer;
use reqwest::header::{ALLOW, CONTENT_TYPE};
use serde_json::{Value, json};
use support::{Scripted, TestServer, Wire, builder, raw, serve, serve_agent};

struct Posted {
    status: u16,
    content_type: String,
    text: String,
}

impl Posted {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{}", self.text))
    }
}

/// Posts a body as it is.
async fn post(server: &TestServer, body: impl Into<Vec<u8>>) -> Posted {
    post_to(&server.url("/"), body).await
}

async fn post_to(url: &str, body: impl Into<Vec<u8>>) -> Posted {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.post(url).header("A2A-Version", "1.0");
    let request = request.header(CONTENT_TYPE, "application/json");
    let response = request.body(body.into()).send().await.unwrap();
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.map_or("", |value| value.to_str().unwrap());
    Posted {
        status: response.status().as_u16(),
        content_type: content_type.to_owned(),
        text: response.text().await.unwrap(),
    }
}

fn call(id: &str, method: &str, params: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn message() -> Value {
    json!({"message": support::message("hi")})
}

/// Checks that the answer is this error, with this id as it is written.
#[track_caller]
fn expect(answer: &Posted, code: i64, id: &str, about: &str) {
    assert_eq!(answer.status, 200, "{about}: {}", answer.text);
    assert_eq!(answer.content_type, "application/json", "{about}");
    let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":""#);
    assert!(answer.text.starts_with(&start), "{about}: {}", answer.text);
    let members = answer.json();
    assert_eq!(members.as_object().unwrap().len(), 3, "{about}");
}

const GOOD_IDS: [&str; 11] = [
    "1",
    "\"1\"",
    "\"\"",
    "0",
    "-5",
    "9223372036854775807",
    "18446744073709551616",
    "123456789012345678901234567890",
    "\"a\\\"b\\\\\"",
    "\"é 水\"",
    "null",
];

// R035, A2A-9.3-01, A2A-9.4-02
#[tokio::test]
async fn ids_come_back_as_they_were_sent() {
    let server = serve_agent(Scripted::echo()).await;
    for id in GOOD_IDS {
        let result = post(&server, call(id, "SendMessage", &message())).await;
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"task":"#);
        assert!(result.text.starts_with(&start), "{}", result.text);

        let error = post(&server, call(id, "GetTask", &json!({"id": "x"}))).await;
        expect(&error, -32001, id, id);

        let stream = post(&server, call(id, "SendStreamingMessage", &message())).await;
        assert_eq!(stream.content_type, "text/event-stream");
        let start = format!(r#"data: {{"jsonrpc":"2.0","id":{id},"result":{{"#);
        let data = stream.text.lines().filter(|line| line.starts_with("data:"));
        let data: Vec<_> = data.collect();
        assert_eq!(data.len(), 4, "{}", stream.text);
        for line in data {
            assert!(line.starts_with(&start), "{line}");
        }
    }
}

// R035, A2A-9.3-01
#[tokio::test]
async fn ids_that_are_no_text_and_no_whole_number_are_refused() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for id in ["1.5", "1.0", "1e3", "true", "false", "[]", "[1]", "{}"] {
        let answer = post(&server, call(id, "SendMessage", &message())).await;
        expect(&answer, -32600, "null", id);
    }
    assert_eq!(agent.runs(), 0);
}

// R037, A2A-9.3-02, D23
#[tokio::test]
async fn batches_and_odd_documents_get_one_error() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let one = call("1", "SendMessage", &message());
    let stream = call("2", "SendStreamingMessage", &message());
    let many = format!("[{}]", vec![one.as_str(); 10_000].join(","));
    for body in [
        "[]",
        "[1]",
        "[null,null]",
        "5",
        "\"x\"",
        "null",
        "true",
        &format!("[{one},{one}]"),
        &format!(" [{one},{stream}]"),
        &many,
    ] {
        let about = body.get(..20).unwrap_or(body);
        expect(&post(&server, body).await, -32600, "null", about);
    }
    assert_eq!(agent.runs(), 0);
}

// R038, A2A-9.3-01, A2A-9.3-02, A2A-9.5-05, A2A-14.1.1-02
#[tokio::test]
async fn what_is_no_json_is_a_parse_error_without_an_id() {
    let server = serve_agent(Scripted::echo()).await;
    let good = call("1", "SendMessage", &message());
    let mut not_utf8 = good.clone().into_bytes();
    let at = good.find("hi").unwrap();
    not_utf8[at] = 0xff;
    let bodies: [(&str, Vec<u8>); 9] = [
        ("nothing", Vec::new()),
        ("blanks", b" \n ".to_vec()),
        ("half of it", good.as_bytes()[..good.len() / 2].to_vec()),
        ("more behind it", format!("{good}x").into()),
        ("a call and a half", format!("{good}{{").into()),
        ("a word", b"hello".to_vec()),
        ("single quotes", good.replace('"', "'").into()),
        ("half a batch", format!("[{good},").into()),
        ("no UTF-8", not_utf8),
    ];
    for (about, body) in bodies {
        expect(&post(&server, body).await, -32700, "null", about);
    }
}

// R038, A2A-9.3-01, A2A-9.5-05
#[tokio::test]
async fn json_that_is_no_call_is_an_invalid_request_with_the_id_that_can_be_read() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let params = message().to_string();
    for (body, id) in [
        (
            r#"{"jsonrpc":"1.0","id":7,"method":"GetTask","params":{"id":"x"}}"#,
            "7",
        ),
        (
            r#"{"jsonrpc":2.0,"id":7,"method":"GetTask","params":{"id":"x"}}"#,
            "7",
        ),
        (r#"{"jsonrpc":null,"id":7,"method":"GetTask"}"#, "7"),
        (
            r#"{"id":"a","method":"GetTask","params":{"id":"x"}}"#,
            "\"a\"",
        ),
        (r#"{"jsonrpc":"2.0","id":7}"#, "7"),
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, "7"),
        (r#"{"jsonrpc":"2.0","id":7,"method":null}"#, "7"),
        (r#"{"jsonrpc":"2.0","id":7,"method":["GetTask"]}"#, "7"),
        (r#"{"jsonrpc":"2.0","id":{},"method":"GetTask"}"#, "null"),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ListTasks"}"#,
            "null",
        ),
        (
            &format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"SendMessage","method":"ListTasks","params":{params}}}"#
            ),
            "null",
        ),
        ("{}", "null"),
    ] {
        expect(&post(&server, body).await, -32600, id, body);
    }
    assert_eq!(agent.runs(), 0);
}

// R038, A2A-9.1-03, A2A-5.3-01
#[tokio::test]
async fn unknown_methods_are_not_found_also_those_of_version_0_3() {
    let server = serve_agent(Scripted::echo()).await;
    for method in [
        "message/send",
        "message/stream",
        "tasks/get",
        "tasks/resubscribe",
        "sendMessage",
        "SENDMESSAGE",
        "SendMessage ",
        "lf.a2a.v1.A2AService/SendMessage",
        "rpc.discover",
        "",
    ] {
        let answer = post(&server, call("3", method, &message())).await;
        expect(&answer, -32601, "3", method);
        assert!(
            answer.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains(method)
        );
    }
}

// R038, A2A-9.3-01, A2A-9.4-03
#[tokio::test]
async fn params_are_an_object_or_left_out() {
    let server = serve_agent(Scripted::echo()).await;
    for params in ["[]", "[{\"id\":\"x\"}]", "5", "\"x\"", "true"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{params}}}"#);
        expect(&post(&server, body).await, -32602, "1", params);
    }
    for rest in [
        "",
        r#","params":null"#,
        r#","params":{}"#,
        r#","params":{"unknown":1},"more":[]"#,
    ] {
        let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ListTasks"{rest}}}"#);
        let answer = post(&server, list).await;
        assert_eq!(answer.json()["result"]["totalSize"], 0, "{}", answer.text);
        let get = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"GetTask"{rest}}}"#);
        let answer = post(&server, get).await;
        expect(&answer, -32602, "1", rest);
        let field = &answer.json()["error"]["data"][0]["fieldViolations"][0]["field"];
        assert_eq!(field, "id");
    }
}

// A2A-9.4-03
#[tokio::test]
async fn the_extended_card_needs_no_params() {
    let extended = |_| async { Ok(support::card()) };
    let everybody = a2a_server::ExtendedCardAccess::Everybody;
    let builder = builder(Scripted::echo()).extended_card(extended);
    let server = serve(builder.extended_card_access(everybody)).await;
    let answer = post(
        &server,
        r#"{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}"#,
    )
    .await;
    assert_eq!(answer.json()["result"]["name"], "Test", "{}", answer.text);
}

// D39
#[tokio::test]
async fn a_call_without_an_id_is_not_carried_out() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let params = message();
    for method in ["SendMessage", "SendStreamingMessage", "NoSuchMethod"] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
        let answer = post(&server, body).await;
        assert_eq!((answer.status, &*answer.text), (204, ""));
    }
    assert_eq!(agent.runs(), 0);
}

// D39, A2A-3.3.2-03
#[tokio::test]
async fn a_call_without_an_id_still_needs_credentials() {
    let bearer = StaticBearer::new([("secret", "alice")]);
    let server = serve(builder(Scripted::echo()).authenticator(bearer)).await;
    let answer = post(&server, r#"{"jsonrpc":"2.0","method":"ListTasks"}"#).await;
    assert_eq!(answer.status, 401);
}

// A2A-9.1-01
#[tokio::test]
async fn the_endpoint_takes_post_alone() {
    let server = serve(builder(Scripted::echo()).mount(Binding::JsonRpc, "/rpc")).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"] {
        let request = http.request(method.parse().unwrap(), server.url("/rpc"));
        let response = request.header("A2A-Version", "1.0").send().await.unwrap();
        assert_eq!(response.status(), 405, "{method}");
        assert_eq!(response.headers()[ALLOW], "POST", "{method}");
        let body = response.text().await.unwrap();
        if method != "HEAD" {
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(
                (&body["id"], &body["error"]["code"]),
                (&Value::Null, &json!(-32601))
            );
        }
    }
}

// A2A-9.1-02, D24
#[tokio::test]
async fn bodies_are_json_by_name() {
    let server = serve_agent(Scripted::echo()).await;
    let body = call("1", "GetTask", &json!({"id": "x"}));
    for (content_type, status) in [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("application/a2a+json", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data", 415),
        ("text/json", 415),
        ("", 415),
    ] {
        let line = match content_type {
            "" => String::new(),
            given => format!("Content-Type: {given}\r\n"),
        };
        let head = format!("POST / HTTP/1.1\r\nA2A-Version: 1.0\r\n{line}");
        let answer = raw(server.address, &head, body.as_bytes()).await;
        assert_eq!(answer.status, status, "{content_type}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let answer = answer.json();
        if status == 415 {
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&Value::Null, &json!(-32005))
            );
            let info = &answer["error"]["data"][0];
            assert_eq!(info["reason"], "CONTENT_TYPE_NOT_SUPPORTED");
        } else {
            assert_eq!(answer["error"]["code"], -32001);
        }
    }
}

// D33, R049
#[tokio::test]
async fn the_endpoint_answers_with_and_without_a_slash() {
    let server = serve(builder(Scripted::echo()).mount(Binding::JsonRpc, "/x/rpc/")).await;
    let body = call("1", "SendMessage", &message());
    for path in ["/x/rpc", "/x/rpc/", "/x/rpc?k=v", "/x/rpc/?k=v"] {
        let answer = post_to(&server.url(path), body.clone()).await;
        let state = &answer.json()["result"]["task"]["status"]["state"];
        assert_eq!(state, "TASK_STATE_COMPLETED", "{path}");
    }
    assert_eq!(post_to(&server.url("/"), body).await.status, 404);
}

// A2A-9.1-04, A2A-9.4-02, A2A-11.7-01, I11: the reader of the test checks every frame.
#[tokio::test]
async fn streams_are_events_with_one_whole_response_each() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let events = caller
            .stream("SendStreamingMessage", message())
            .await
            .unwrap();
        let events = events.all().await;
        let brief: Vec<_> = events.iter().map(support::Event::brief).collect();
        let expected = [
            "task SUBMITTED",
            "statusUpdate WORKING",
            "artifactUpdate",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(brief, expected);
        let members = |raw: &Value| raw.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for event in &events {
            assert_eq!(event.name, None);
            match caller.wire {
                Wire::JsonRpc => assert_eq!(members(&event.raw), ["id", "jsonrpc", "result"]),
                // The event itself, without an envelope.
                Wire::Rest => {
                    let brief = event.brief();
                    assert_eq!(members(&event.raw), [brief.split(' ').next().unwrap()]);
                }
            }
        }
    }
}
