//! What one call costs: in process, and with the JSON-RPC envelope read and written.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement"
)]

use a2a_server::{Agent, AgentError, Answer, Binding, Request, Server, TaskHandle};
use a2a_types::{A2aError, AgentCard, Message};
use axum::body::Body;
use criterion::{Criterion, criterion_group, criterion_main};
use tower::ServiceExt;

/// Answers with a message: nothing is kept, so that the thousandth call finds what the first did.
struct Echo;

impl Agent for Echo {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        task.reply(request.text()).await
    }

    async fn admit(&self, _: &Request) -> Result<Answer, A2aError> {
        Ok(Answer::Message)
    }
}

fn calls(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let card = AgentCard::builder("Echo", "Repeats").skill("echo", "Echo", "Repeats");
    let server = Server::builder(Echo).card(card);
    let server = server
        .public_url("http://localhost")
        .mount(Binding::JsonRpc, "/");
    let server = server.build().unwrap();

    let local = server.local();
    criterion.bench_function("SendMessage, in process", |bencher| {
        bencher
            .to_async(&runtime)
            .iter(|| async { local.send(Message::user("hi")).await.unwrap() });
    });

    let router = server.bindings();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":
        {"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}"#;
    criterion.bench_function("SendMessage, JSON-RPC", |bencher| {
        bencher.to_async(&runtime).iter(|| async {
            let request = http::Request::post("/")
                .header("content-type", "application/json")
                .header("a2a-version", "1.0")
                .body(Body::from(call))
                .unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert!(response.status().is_success());
            axum::body::to_bytes(response.into_body(), 1 << 20)
                .await
                .unwrap()
        });
    });
}

criterion_group!(benches, calls);
criterion_main!(benches);
