//! Media types of requests, answers and parts (A2A §9.1, §11.1, §14.1.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use a2a_server::InputModes;
use a2a_types::A2aError;
use serde_json::{Value, json};
use support::{
    Answer, RawAnswer, Scripted, TestServer, Wire, builder, message, raw, serve, serve_agent,
};

const A2A: &str = "application/a2a+json";
const JSON: &str = "application/json";

/// `POST /message:send`, or its JSON-RPC form, with these header lines.
async fn send(server: &TestServer, wire: Wire, headers: &str, params: &Value) -> RawAnswer {
    let (target, body) = match wire {
        Wire::JsonRpc => (
            "/",
            json!({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params}),
        ),
        Wire::Rest => ("/message:send", params.clone()),
    };
    let head = format!("POST {target} HTTP/1.1\r\nA2A-Version: 1.0\r\n{headers}");
    raw(server.address, &head, body.to_string().as_bytes()).await
}

async fn get(server: &TestServer, target: &str, headers: &str) -> RawAnswer {
    raw(
        server.address,
        &format!("GET {target} HTTP/1.1\r\nA2A-Version: 1.0\r\n{headers}"),
        b"",
    )
    .await
}

// B8, A2A-11.1-01, A2A-14.1.1-01
#[tokio::test]
async fn answers_of_http_json_have_the_type_that_the_request_wants() {
    let server = serve_agent(Scripted::echo()).await;
    let good = json!({"message": message("hi")});
    for (accept, content_type, success, error) in [
        // An explicit wish decides.
        (&["application/json"][..], A2A, JSON, JSON),
        (&["application/json"], "", JSON, JSON),
        (&["application/a2a+json"], JSON, A2A, A2A),
        (&["application/a2a+json"], "", A2A, A2A),
        (&["APPLICATION/JSON; charset=utf-8"], A2A, JSON, JSON),
        (
            &["application/a2a+json, application/json;q=0.9"],
            JSON,
            A2A,
            A2A,
        ),
        (
            &["application/json;q=0.9, application/a2a+json;q=0.8"],
            A2A,
            JSON,
            JSON,
        ),
        (&["application/json, application/a2a+json"], JSON, A2A, A2A),
        (
            &["application/json;q=0.5", "application/a2a+json;q=0.4"],
            A2A,
            JSON,
            JSON,
        ),
        (
            &["text/html, application/json;q=0.1, */*;q=0.9"],
            A2A,
            JSON,
            JSON,
        ),
        // A range is no wish: the answer mirrors the request.
        (&[], JSON, JSON, JSON),
        (&[], A2A, A2A, A2A),
        (&["*/*"], JSON, JSON, JSON),
        (&["*/*"], A2A, A2A, A2A),
        (&["application/*"], JSON, JSON, JSON),
        (&["text/event-stream"], A2A, A2A, A2A),
        (&["application/json;q=0"], A2A, A2A, A2A),
        (&[], "Application/JSON; charset=utf-8", JSON, JSON),
        // Neither says anything.
        (&[], "", A2A, JSON),
        (&["*/*"], "", A2A, JSON),
        (&["text/html"], "", A2A, JSON),
        (&["application/problem+json"], "", A2A, JSON),
        (&[], "application/vnd.example+json", A2A, JSON),
    ] {
        let mut headers: String = accept
            .iter()
            .map(|value| format!("Accept: {value}\r\n"))
            .collect();
        let about = format!("{accept:?} {content_type}");
        let (fine, wrong) = if content_type.is_empty() {
            (
                get(&server, "/tasks", &headers).await,
                get(&server, "/tasks/nope", &headers).await,
            )
        } else {
            headers += &format!("Content-Type: {content_type}\r\n");
            (
                send(&server, Wire::Rest, &headers, &good).await,
                send(&server, Wire::Rest, &headers, &json!({})).await,
            )
        };
        assert_eq!(
            (fine.status, fine.header("content-type")),
            (200, Some(success)),
            "{about}"
        );
        assert!(wrong.status >= 400, "{about}");
        assert_eq!(wrong.header("content-type"), Some(error), "{about}");
    }
}

// B8, A2A-9.1-02
#[tokio::test]
async fn answers_of_json_rpc_are_always_plain_json() {
    let server = serve_agent(Scripted::echo()).await;
    for accept in [
        "application/a2a+json",
        "application/json",
        "*/*",
        "text/html",
        "text/event-stream",
    ] {
        for content_type in [JSON, A2A] {
            let headers = format!("Accept: {accept}\r\nContent-Type: {content_type}\r\n");
            for params in [json!({"message": message("hi")}), json!({})] {
                let answer = send(&server, Wire::JsonRpc, &headers, &params).await;
                assert_eq!(
                    (answer.status, answer.header("content-type")),
                    (200, Some(JSON))
                );
            }
        }
    }
}

// B8, D24, A2A-3.3.2-01, A2A-13.4-07
#[tokio::test]
async fn a_body_that_is_not_json_by_name_is_refused() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let good = json!({"message": message("hi")});
    for wire in support::BINDINGS {
        for content_type in [
            JSON,
            A2A,
            "application/json;charset=utf-8",
            "application/problem+json",
            "application/JSON",
        ] {
            let answer = send(
                &server,
                wire,
                &format!("Content-Type: {content_type}\r\n"),
                &good,
            )
            .await;
            assert_eq!(answer.status, 200, "{content_type}");
        }
        let runs = agent.runs();
        for headers in [
            "",
            "Content-Type:\r\n",
            "Content-Type: text/plain\r\n",
            "Content-Type: text/plain;charset=application/json\r\n",
            "Content-Type: text/json\r\n",
            "Content-Type: application/xml\r\n",
            "Content-Type: application/x-www-form-urlencoded\r\n",
            "Content-Type: multipart/form-data; boundary=x\r\n",
            "Content-Type: application/+json\r\n",
            "Content-Type: json\r\n",
        ] {
            let answer = send(&server, wire, headers, &good).await;
            let body = answer.json();
            assert_eq!(answer.status, 415, "{headers}: {body}");
            let (code, details) = match wire {
                Wire::JsonRpc => (-32005, &body["error"]["data"]),
                Wire::Rest => (415, &body["error"]["details"]),
            };
            assert_eq!(body["error"]["code"], code, "{headers}");
            assert_eq!(
                details[0]["reason"], "CONTENT_TYPE_NOT_SUPPORTED",
                "{headers}"
            );
            assert_eq!(answer.header("content-type"), Some(JSON), "{headers}");
        }
        assert_eq!(agent.runs(), runs);
    }
}

// A2A-11.1-03, A2A-9.1-04, A2A-11.7-05
#[tokio::test]
async fn streams_are_server_sent_events_that_nobody_keeps() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        for accept in ["text/event-stream", "application/json", "*/*"] {
            let request = caller.request("SendStreamingMessage", json!({"message": message("hi")}));
            let response = request.header("accept", accept).send().await.unwrap();
            assert_eq!(response.headers()["content-type"], "text/event-stream");
            assert_eq!(response.headers()["cache-control"], "no-cache");
            let bytes = response.bytes().await.unwrap();
            let text = std::str::from_utf8(&bytes).unwrap();
            assert!(text.ends_with("\n\n") && !text.contains('\r'), "{text}");
            for block in text.trim_end().split("\n\n") {
                let data = block.lines().filter(|line| line.starts_with("data: "));
                assert_eq!(data.count(), 1, "{block}");
            }
        }
    }
}

// A2A-14.1.1-04, A2A-14.1.1-02
#[tokio::test]
async fn user_data_cannot_forge_events_or_headers() {
    let server = serve_agent(Scripted::echo()).await;
    let evil = "x\n\nevent: error\ndata: {\"error\":{}}\r\n\r\nid: 9\u{2028}\0";
    for caller in server.callers() {
        let events = caller.stream_send(evil).await.all().await;
        assert_eq!(events.len(), 4);
        assert!(events.iter().all(|event| event.name.is_none()));
        assert_eq!(events[2].text(), evil);
        assert_eq!(
            caller.send(evil).await.task()["artifacts"][0]["parts"][0]["text"],
            evil
        );
    }
    // White space of the call is not part of the id that every event repeats.
    let call = "{\"jsonrpc\":\"2.0\",\"id\":\n \"a\\n\\nb\"\r\n ,\"method\":\"SendStreamingMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"\"}]}}}";
    let request = server
        .caller(Wire::JsonRpc)
        .request("SendStreamingMessage", json!({}))
        .body(call);
    let text = request.send().await.unwrap().text().await.unwrap();
    let blocks: Vec<_> = text.trim_end().split("\n\n").collect();
    assert_eq!(blocks.len(), 4, "{text}");
    for block in blocks {
        assert!(
            block.contains("data: {\"jsonrpc\":\"2.0\",\"id\":\"a\\n\\nb\",\"result\":"),
            "{block}"
        );
    }
}

// A2A-14.1.1-02
#[tokio::test]
async fn a_body_that_is_not_utf_8_is_no_json() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        for bytes in [
            &b"\xff"[..],
            b"\xc3\x28",
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
        ] {
            let request = caller.request("SendMessage", json!({"message": message("HERE")}));
            let mut request = request.build().unwrap();
            let body = request.body().unwrap().as_bytes().unwrap().to_vec();
            let at = body
                .windows(4)
                .position(|window| window == b"HERE")
                .unwrap();
            let body = [&body[..at], bytes, &body[at + 4..]].concat();
            *request.body_mut() = Some(body.into());
            let client = reqwest::Client::builder().no_proxy().build().unwrap();
            let answer = Answer::read(caller.wire, client.execute(request).await.unwrap()).await;
            answer.expect_error(-32700, 400, "INVALID_ARGUMENT", None);
        }
    }
}

// A2A-14.1.1-02, A2A-5.1-03: JSON that stands for no text, and numbers that nobody can hold.
#[tokio::test]
async fn what_json_can_write_and_nobody_can_mean_is_refused_with_its_path() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        for (part, field) in [
            (r#"{"text":"\ud800"}"#, "message.parts[0].text"),
            (r#"{"text":"\udc00\ud800"}"#, "message.parts[0].text"),
            (r#"{"data":1e400}"#, "message.parts[0].data"),
            (r#"{"data":{"a":[-1e999]}}"#, "message.parts[0].data.a[0]"),
            (r#"{"text":"a","text":"b"}"#, "message.parts[0]"),
            (r#"{"data":{"a":1,"a":2}}"#, "message.parts[0].data"),
        ] {
            let params =
                json!({"message": {"messageId": "m", "role": "ROLE_USER", "parts": ["PART"]}});
            let request = caller.request("SendMessage", params);
            let mut request = request.build().unwrap();
            let body = request.body().unwrap().as_bytes().unwrap().to_vec();
            let body = String::from_utf8(body).unwrap().replace("\"PART\"", part);
            *request.body_mut() = Some(body.into());
            let client = reqwest::Client::builder().no_proxy().build().unwrap();
            let answer = Answer::read(caller.wire, client.execute(request).await.unwrap()).await;
            answer.expect_error(-32602, 400, "INVALID_ARGUMENT", None);
            assert_eq!(answer.violations(), [field], "{part}");
        }
    }
}

fn part(part: &Value) -> Value {
    json!({"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "look"}, part]}})
}

// D25, A2A-3.1.1-04, A2A-13.4-07
#[tokio::test]
async fn parts_of_types_that_the_card_does_not_name_are_refused_when_that_is_on() {
    let agent = Scripted::echo();
    let card = support::card().default_input_modes(["text/plain", "image/*", "application/pdf"]);
    let open = serve(builder(agent.clone()).card(card.clone())).await;
    let server = serve(
        builder(agent.clone())
            .card(card)
            .input_modes(InputModes::Checked),
    )
    .await;
    for caller in server.callers() {
        for (parts, fine) in [
            (json!({"text": "a"}), true),
            (
                json!({"text": "a", "mediaType": "text/plain; charset=utf-8"}),
                true,
            ),
            (json!({"text": "a", "mediaType": "TEXT/Plain"}), true),
            (json!({"raw": "AAAA", "mediaType": "image/png"}), true),
            (
                json!({"url": "https://e.com/a.pdf", "mediaType": "application/pdf"}),
                true,
            ),
            (json!({"raw": "AAAA"}), true),
            (json!({"text": "a", "mediaType": "text/html"}), false),
            (
                json!({"raw": "AAAA", "mediaType": "application/x-foo"}),
                false,
            ),
            (
                json!({"url": "https://e.com/a", "mediaType": "imagery/png"}),
                false,
            ),
            (json!({"data": {"a": 1}}), false),
            (json!({"data": 1, "mediaType": "application/pdf"}), true),
            (json!({"text": "a", "mediaType": "nonsense"}), false),
        ] {
            let runs = agent.runs();
            let answer = caller.call("SendMessage", part(&parts)).await;
            if fine {
                assert_eq!(answer.state(), "COMPLETED", "{parts}");
            } else {
                answer.expect_error(
                    -32005,
                    400,
                    "INVALID_ARGUMENT",
                    Some("CONTENT_TYPE_NOT_SUPPORTED"),
                );
                assert_eq!(agent.runs(), runs, "{parts}");
            }
            let unchecked = open
                .caller(caller.wire)
                .call("SendMessage", part(&parts))
                .await;
            assert_eq!(unchecked.state(), "COMPLETED", "{parts}");
        }
    }
}

// D25, A2A-3.1.1-04
#[tokio::test]
async fn an_agent_can_refuse_a_type_itself() {
    let agent = Scripted::echo().refusing(A2aError::content_type_not_supported("image/gif"));
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        answer.expect_error(
            -32005,
            400,
            "INVALID_ARGUMENT",
            Some("CONTENT_TYPE_NOT_SUPPORTED"),
        );
        assert_eq!(answer.details()[0]["metadata"]["mediaType"], "image/gif");
        assert_eq!(caller.count().await, 0);
    }
    assert_eq!(agent.runs(), 0);
}
