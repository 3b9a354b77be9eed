//! Limits, and what the log may hold (A2A §13.4).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_server::Limits;
use a2a_server::auth::{Access, Authorizer, StaticBearer};
use a2a_types::A2aError;
use a2a_types::store::Scope;
use async_trait::async_trait;
use reqwest::Body;
use serde_json::{Value, json};
use support::{
    Answer, Caller, Gate, Raw, Recorder, Scripted, Wire, builder, capture, message, scripted,
    serve, within,
};

const LIMIT: usize = 4096;

/// A call whose body has exactly this size.
fn sized(caller: &Caller, size: usize) -> reqwest::Request {
    let request = caller.request("SendMessage", json!({"message": message("hi")}));
    let mut request = request.build().unwrap();
    let mut body = request.body().unwrap().as_bytes().unwrap().to_vec();
    body.resize(size, b' ');
    *request.body_mut() = Some(body.into());
    request
}

async fn execute(caller: &Caller, request: reqwest::Request) -> Answer {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    Answer::read(caller.wire, client.execute(request).await.unwrap()).await
}

#[track_caller]
fn expect_too_large(answer: &Answer) {
    answer.expect_error(-32600, 413, "RESOURCE_EXHAUSTED", None);
    assert!(answer.message().contains("4096"), "{}", answer.message());
    if answer.body.get("jsonrpc").is_some() {
        assert_eq!(answer.body["id"], Value::Null);
    }
}

// R051, A2A-13.4-06, D39
#[tokio::test]
async fn a_body_may_have_the_limit_and_not_one_byte_more() {
    let agent = Scripted::echo();
    let server =
        serve(builder(agent.clone()).limits(Limits::default().with_body_bytes(LIMIT))).await;
    for caller in server.callers() {
        for size in [LIMIT - 1, LIMIT] {
            execute(&caller, sized(&caller, size)).await.result();
        }
        let runs = agent.runs();
        for size in [LIMIT + 1, 100 * LIMIT] {
            expect_too_large(&execute(&caller, sized(&caller, size)).await);
        }
        assert_eq!(agent.runs(), runs);
    }
}

// R051: a body that does not say how long it is.
#[tokio::test]
async fn a_chunked_body_is_counted_as_it_comes() {
    let server =
        serve(builder(Scripted::echo()).limits(Limits::default().with_body_bytes(LIMIT))).await;
    for caller in server.callers() {
        for (size, fine) in [(LIMIT - 1, true), (LIMIT, true), (LIMIT + 1, false)] {
            let mut request = sized(&caller, size);
            let bytes = request.body().unwrap().as_bytes().unwrap().to_vec();
            let chunks: Vec<_> = bytes
                .chunks(100)
                .map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec()))
                .collect();
            *request.body_mut() = Some(Body::wrap_stream(futures::stream::iter(chunks)));
            let answer = execute(&caller, request).await;
            if fine {
                assert_eq!(answer.state(), "COMPLETED", "{size}");
            } else {
                expect_too_large(&answer);
            }
        }
    }
}

fn target(wire: Wire) -> &'static str {
    match wire {
        Wire::JsonRpc => "/",
        Wire::Rest => "/message:send",
    }
}

/// The head of a call without what tells the length of its body.
fn head(wire: Wire, more: &str) -> String {
    let target = target(wire);
    format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nConnection: close\r\n{more}\r\n"
    )
}

// R051: refused before all of it is read.
#[tokio::test]
async fn a_body_that_announces_too_much_or_never_ends_is_refused_at_once() {
    let server =
        serve(builder(Scripted::echo()).limits(Limits::default().with_body_bytes(LIMIT))).await;
    for wire in support::BINDINGS {
        let mut announced = Raw::connect(server.address).await;
        announced
            .write(head(wire, "Content-Length: 9000000000\r\n").as_bytes())
            .await;
        assert_eq!(within(announced.answer()).await.status, 413);

        let mut endless = Raw::connect(server.address).await;
        endless
            .write(head(wire, "Transfer-Encoding: chunked\r\n").as_bytes())
            .await;
        let chunk = format!("{LIMIT:x}\r\n{}\r\n1\r\n \r\n", " ".repeat(LIMIT));
        endless.write(chunk.as_bytes()).await;
        assert_eq!(within(endless.answer()).await.status, 413);
    }
}

// A2A-13.4-06: a body that comes too slowly.
#[tokio::test]
async fn a_body_that_takes_too_long_gets_a_clear_error() {
    let limits = Limits::default().with_body_time(Duration::from_millis(100));
    let server = serve(builder(Scripted::echo()).limits(limits)).await;
    for wire in support::BINDINGS {
        let mut slow = Raw::connect(server.address).await;
        slow.write(head(wire, "Content-Length: 500\r\n").as_bytes())
            .await;
        slow.write(b"{\"jsonrpc\":").await;
        let answer = within(slow.answer()).await;
        assert_eq!(answer.status, 504);
        let error = &answer.json()["error"];
        assert_eq!(error["message"], "the request took too long");
        let code = if wire == Wire::JsonRpc { -32603 } else { 504 };
        assert_eq!(error["code"], code);
    }
}

fn nested(levels: usize) -> String {
    format!("{}1{}", "[".repeat(levels), "]".repeat(levels))
}

// D44, R033, A2A-13.4-06
#[tokio::test]
async fn json_nests_64_levels_and_no_deeper() {
    let agent = Scripted::echo();
    let server = serve(builder(agent.clone())).await;
    for caller in server.callers() {
        for (member, field) in [
            (r#""metadata":{"a":DEEP}"#, "message.metadata"),
            (r#""parts":[{"data":{"a":DEEP}}]"#, "message.parts[0].data"),
        ] {
            for (levels, fine) in [(63, true), (64, false), (200, false), (100_000, false)] {
                let mut body = message("hi");
                body.as_object_mut()
                    .unwrap()
                    .remove(field.split(['.', '[']).nth(1).unwrap());
                let body = body.to_string();
                let member = member.replace("DEEP", &nested(levels));
                let body = format!(
                    "{{\"message\":{},{member}}}}}",
                    body.strip_suffix('}').unwrap()
                );
                let answer = post(&caller, "SendMessage", &body).await;
                if fine {
                    assert_eq!(answer.state(), "COMPLETED", "{levels}");
                } else {
                    answer.expect_error(-32602, 400, "INVALID_ARGUMENT", None);
                    let named = answer.violations();
                    assert!(named[0].starts_with(field), "{levels}: {named:?}");
                }
            }
        }
        let runs = agent.runs();
        // What nobody reads may be as deep as it likes, but it must not harm.
        let ignored = format!(
            r#"{{"message":{},"unknown":{}}}"#,
            message("hi"),
            nested(100_000)
        );
        assert_eq!(
            post(&caller, "SendMessage", &ignored).await.state(),
            "COMPLETED"
        );
        post(&caller, "SendMessage", &nested(100_000))
            .await
            .expect_error(-32602, 400, "INVALID_ARGUMENT", None);
        assert_eq!(agent.runs(), runs + 1);
    }
}

/// The call with these parameters, as text.
async fn post(caller: &Caller, operation: &str, params: &str) -> Answer {
    let body = match caller.wire {
        Wire::Rest => params.to_owned(),
        Wire::JsonRpc => {
            format!(r#"{{"jsonrpc":"2.0","id":"t-1","method":"{operation}","params":{params}}}"#)
        }
    };
    let request = caller.request(operation, json!({})).body(body);
    Answer::read(caller.wire, request.send().await.unwrap()).await
}

// A2A-13.4-06, A2A-3.3.2-11
#[tokio::test]
async fn a_message_has_only_so_many_parts() {
    let server = serve(builder(Scripted::echo()).limits(Limits::default().with_parts(3))).await;
    for caller in server.callers() {
        let mut long = message("hi");
        long["parts"] = json!([{"text": "a"}, {"text": "b"}, {"text": "c"}]);
        caller
            .call("SendMessage", json!({"message": long}))
            .await
            .result();
        long["parts"]
            .as_array_mut()
            .unwrap()
            .push(json!({"text": "d"}));
        let answer = caller.call("SendMessage", json!({"message": long})).await;
        answer.expect_invalid(&["message.parts"]);
        assert!(
            answer.message().contains("at most 3"),
            "{}",
            answer.message()
        );
    }
}

// A2A-13.4-06
#[tokio::test]
async fn an_agent_that_writes_more_than_the_limit_fails_its_task() {
    let agent = scripted(|_, task| async move {
        for _ in 0..10 {
            task.artifact("a")
                .text("x".repeat(1000))
                .append()
                .send()
                .await?;
        }
        task.complete().await
    });
    let server = serve(builder(agent).limits(Limits::default().with_artifact_bytes(5000))).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        assert_eq!(answer.state(), "FAILED");
        let text = &answer.task()["status"]["message"]["parts"][0]["text"];
        assert!(text.as_str().unwrap().contains("5000 bytes"), "{text}");
        assert!(answer.task()["artifacts"].to_string().len() < 5000);
    }
}

// A2A-13.4-06, A2A-13.4-18, A2A-3.3.2-15
#[tokio::test]
async fn a_server_has_only_so_many_streams() {
    let gate = Gate::new();
    let held = gate.clone();
    let agent = scripted(move |_, task| {
        let gate = held.clone();
        async move {
            gate.pass().await;
            task.complete().await
        }
    });
    let server = serve(builder(agent).limits(Limits::default().with_streams(1))).await;
    for caller in server.callers() {
        let mut first = caller.stream_send("hi").await;
        let tasks = caller.count().await;
        let id = first.next().await.unwrap().body["task"]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        for (operation, params) in [
            ("SubscribeToTask", json!({"id": id})),
            ("SendStreamingMessage", json!({"message": message("hi")})),
        ] {
            let answer = caller.call(operation, params).await;
            answer.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
            assert!(answer.headers.contains_key("retry-after"));
            assert_eq!(
                answer.details()[0]["@type"],
                "type.googleapis.com/google.rpc.RetryInfo"
            );
        }
        assert_eq!(caller.count().await, tasks);
        gate.open();
        within(first.all()).await;
        gate.open();
        within(caller.stream_send("hi").await.all()).await;
    }
}

// A2A-13.4-08, A2A-13.4-16, A2A-13.4-23
#[tokio::test]
async fn the_log_holds_no_header_no_text_and_no_secret() {
    let logs = capture();
    let bearer = StaticBearer::new([("t0ken-of-alice", "alice")]);
    let agent = scripted(|request, task| async move {
        task.artifact("a").text(request.text()).send().await?;
        task.fail("pr1vate failure").await
    });
    let builder = builder(agent)
        .authenticator(bearer)
        .push_sender(Arc::new(Recorder::default()));
    let server = serve(builder).await;
    for caller in server.callers() {
        let caller = caller.bearer("t0ken-of-alice").with("x-session", "s3ssion");
        let mut text = message("pr1vate text");
        text["metadata"] = json!({"ssn": "pr1vate number"});
        let hook = json!({
            "url": "https://example.com/h00k-path", "token": "h00k-token",
            "authentication": {"scheme": "Bearer", "credentials": "h00k-credentials"},
        });
        let params =
            json!({"message": text, "configuration": {"taskPushNotificationConfig": hook}});
        let id = caller.call("SendMessage", params.clone()).await.task_id();
        caller
            .stream("SendStreamingMessage", params)
            .await
            .unwrap()
            .all()
            .await;
        let mut config = hook.clone();
        config["taskId"] = id.clone().into();
        caller
            .call("CreateTaskPushNotificationConfig", config.clone())
            .await
            .result();
        config["url"] = "http://h00k-wrong".into();
        caller
            .call("CreateTaskPushNotificationConfig", config)
            .await
            .expect_invalid(&["url"]);
        caller
            .call(
                "SendMessage",
                json!({"message": {"parts": [{"text": "pr1vate"}]}}),
            )
            .await;
        caller.clone().bearer("t0ken-wrong").get_task(&id).await;
        caller.with("a2a-version", "0.3").get_task(&id).await;
    }
    let text = logs.text();
    assert!(text.contains("a2a.call"), "there is a log");
    for secret in ["t0ken", "s3ssion", "pr1vate", "h00k"] {
        let found: Vec<_> = text.lines().filter(|line| line.contains(secret)).collect();
        assert!(found.is_empty(), "{secret}: {found:#?}");
    }
}

/// Who did what to which task.
type Deed = (String, String, Option<String>);

/// Remembers what was done.
#[derive(Clone, Default)]
struct Audit(Arc<Mutex<Vec<Deed>>>);

#[async_trait]
impl Authorizer for Audit {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        let id = access.task_id.map(str::to_owned);
        let entry = (
            access.principal.id().to_owned(),
            access.operation.name().to_owned(),
            id,
        );
        self.0.lock().unwrap().push(entry);
        Ok(access.own())
    }
}

// A2A-13.4-15, A2A-13.4-11, A2A-T-03
#[tokio::test]
async fn the_authorizer_is_asked_about_every_operation_with_its_caller_and_task() {
    let audit = Audit::default();
    let builder = builder(Scripted::echo())
        .authenticator(StaticBearer::new([("a", "alice")]))
        .authorizer(audit.clone())
        .push_sender(Arc::new(Recorder::default()))
        .declare_extended_card();
    let server = serve(builder).await;
    for caller in server.callers() {
        let caller = caller.bearer("a");
        for operation in a2a_types::OperationId::ALL {
            let mut message = message("hi");
            message["taskId"] = "t-9".into();
            let params = json!({"id": "t-9", "taskId": "t-9", "url": "https://example.com", "message": message});
            caller.call(operation.name(), params).await;
            let seen = audit.0.lock().unwrap().pop().unwrap();
            let none = ["ListTasks", "GetExtendedAgentCard"].contains(&operation.name());
            let task = (!none).then(|| "t-9".to_owned());
            assert_eq!(
                seen,
                ("alice".to_owned(), operation.name().to_owned(), task)
            );
        }
    }
}

#[cfg(feature = "compression")]
mod compression {
    use std::io::Write;

    use a2a_server::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn compressed(caller: &Caller, size: usize) -> reqwest::Request {
        let mut request = sized(caller, size);
        let body = gzip(request.body().unwrap().as_bytes().unwrap());
        assert!(body.len() < LIMIT);
        *request.body_mut() = Some(body.into());
        let gzip = reqwest::header::HeaderValue::from_static("gzip");
        request.headers_mut().insert("content-encoding", gzip);
        request
    }

    // R051: the limit counts what comes out of a compressed body.
    #[tokio::test]
    async fn a_compressed_body_is_limited_by_what_comes_out() {
        let limits = Limits::default().with_body_bytes(LIMIT);
        let builder = builder(Scripted::echo()).limits(limits);
        let server = serve(builder.compressed_requests(Compression::Gzip)).await;
        for caller in server.callers() {
            for size in [LIMIT - 1, LIMIT] {
                execute(&caller, compressed(&caller, size)).await.result();
            }
            for size in [LIMIT + 1, 1 << 20] {
                expect_too_large(&execute(&caller, compressed(&caller, size)).await);
            }
            let mut broken = compressed(&caller, LIMIT);
            *broken.body_mut() = Some("no gzip".into());
            execute(&caller, broken)
                .await
                .expect_error(-32600, 400, "INVALID_ARGUMENT", None);
        }
    }

    #[tokio::test]
    async fn compressed_bodies_are_refused_unless_they_are_switched_on() {
        let server = serve(builder(Scripted::echo())).await;
        for caller in server.callers() {
            let answer = execute(&caller, compressed(&caller, 2000)).await;
            answer.expect_error(
                -32005,
                415,
                "INVALID_ARGUMENT",
                Some("CONTENT_TYPE_NOT_SUPPORTED"),
            );
        }
    }
}
