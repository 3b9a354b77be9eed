//! What is around the calls of all bindings: tower layers, traces, spans, and calls from inside
//! the process.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use a2a_server::auth::StaticBearer;
use a2a_server::{Answer, Binding, Incoming, Reply};
use a2a_types::operations::{GetTask, SendMessage, SendStreamingMessage, SubscribeToTask};
use a2a_types::{
    A2aError, ErrorKind, GetTaskRequest, Message, SendMessageRequest, StreamResponse, TaskState,
};
use futures::TryStreamExt;
use futures::future::BoxFuture;
use http::{HeaderName, HeaderValue};
use serde_json::json;
use support::{Gate, Scripted, builder, capture, message, scripted, serve, serve_agent, within};
use tower::{Layer, Service};

type Seen = Arc<Mutex<Vec<String>>>;

/// Remembers every call and every answer.
#[derive(Clone)]
struct Spy {
    name: &'static str,
    seen: Seen,
}

#[derive(Clone)]
struct Spying<S> {
    spy: Spy,
    inner: S,
}

impl<S> Layer<S> for Spy {
    type Service = Spying<S>;

    fn layer(&self, inner: S) -> Spying<S> {
        Spying {
            spy: self.clone(),
            inner,
        }
    }
}

impl<S> Service<Incoming> for Spying<S>
where
    S: Service<Incoming, Response = Reply, Error = A2aError>,
    S::Future: Send + 'static,
{
    type Response = Reply;
    type Error = A2aError;
    type Future = BoxFuture<'static, Result<Reply, A2aError>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), A2aError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, incoming: Incoming) -> Self::Future {
        let Spy { name, seen } = self.spy.clone();
        let asked = incoming.operation().unwrap_or("?").to_owned();
        let binding = incoming.binding().name();
        assert!(incoming.binding() == Binding::Local || incoming.peer().is_some());
        let call = self.inner.call(incoming);
        Box::pin(async move {
            let answer = call.await;
            let outcome = match &answer {
                Ok(reply) if reply.is_stream() => "a stream".to_owned(),
                Ok(reply) => format!("an answer to {}", reply.operation().name()),
                Err(error) => format!("{:?}", error.kind()),
            };
            seen.lock()
                .unwrap()
                .push(format!("{name}: {binding} {asked}: {outcome}"));
            answer
        })
    }
}

// A2A-13.4-14, A2A-13.4-17
#[tokio::test]
async fn a_layer_sees_the_calls_of_every_binding_and_their_outcome() {
    let seen = Seen::default();
    let spy = |name| Spy {
        name,
        seen: Arc::clone(&seen),
    };
    let builder = builder(Scripted::echo())
        .authenticator(StaticBearer::new([("a", "alice")]))
        .layer(spy("inner"))
        .layer(spy("outer"));
    let server = serve(builder).await;
    let take = || std::mem::take(&mut *seen.lock().unwrap());
    for caller in server.callers() {
        let alice = caller.clone().bearer("a");
        let binding = match caller.wire {
            support::Wire::JsonRpc => "JSONRPC",
            support::Wire::Rest => "HTTP+JSON",
        };
        let both = |what: &str| {
            vec![
                format!("inner: {binding} {what}"),
                format!("outer: {binding} {what}"),
            ]
        };
        alice.send("hi").await.result();
        assert_eq!(take(), both("SendMessage: an answer to SendMessage"));
        alice.stream_send("hi").await.all().await;
        assert_eq!(take(), both("SendStreamingMessage: a stream"));
        alice.get_task("nope").await.expect_task_not_found();
        assert_eq!(take(), both("GetTask: TaskNotFound"));
        // It sees calls of strangers, too: it can limit how often they guess.
        caller.get_task("nope").await;
        assert_eq!(take(), both("GetTask: Unauthenticated"));
        let broken = alice
            .request("SendMessage", json!({}))
            .body("{")
            .send()
            .await
            .unwrap();
        assert!([200, 400].contains(&broken.status().as_u16()));
        assert_eq!(take(), both("?: ParseError"));
    }
    server.server.local().ask("hi").await.unwrap_err();
    assert_eq!(
        take(),
        [
            "inner: local SendMessage: Unauthenticated",
            "outer: local SendMessage: Unauthenticated"
        ]
    );
}

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

// A2A-T-12, R144
#[tokio::test]
async fn the_trace_of_the_client_reaches_the_agent() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let trace = || {
        agent
            .seen
            .lock()
            .unwrap()
            .last()
            .unwrap()
            .context()
            .trace
            .clone()
    };
    for caller in server.callers() {
        let traced = caller
            .clone()
            .with("traceparent", TRACE)
            .with("tracestate", "vendor=1,other=2");
        traced.send("hi").await.result();
        let found = trace().unwrap();
        assert_eq!(
            (found.traceparent(), found.tracestate()),
            (TRACE, "vendor=1,other=2")
        );
        traced.stream_send("hi").await.all().await;
        assert_eq!(trace(), Some(found));
        let malformed = caller
            .clone()
            .with("traceparent", "00-xyz-1-01")
            .with("tracestate", "vendor=1");
        malformed.send("hi").await.result();
        assert_eq!(trace(), None);
        caller.send("hi").await.result();
        assert_eq!(trace(), None);
    }
}

// A2A-T-12, R144
#[tokio::test]
async fn every_call_has_one_span_and_the_agent_runs_inside_of_it() {
    let logs = capture();
    let agent = scripted(|request, task| async move {
        tracing::info!("the agent is at work");
        match request.text().as_str() {
            "more" => task.input_required("what?").await,
            _ => task.complete().await,
        }
    });
    let server = serve_agent(agent).await;
    for (caller, binding) in server.callers().zip(["JSONRPC", "HTTP+JSON"]) {
        let id = caller.send("more").await.task_id();
        caller.stream_to(&id, "done").await.all().await;
        caller.get_task(&id).await.result();
        caller.get_task("nope").await.expect_task_not_found();
        for (operation, calls, runs) in [
            ("SendMessage", 1, 1),
            ("SendStreamingMessage", 1, 1),
            ("GetTask", 2, 0),
        ] {
            let span = format!("a2a.call{{operation=\"{operation}\" binding=\"{binding}\"");
            assert_eq!(
                logs.lines(&[&span, "}: a2a_server", "new"]).len(),
                calls,
                "{operation}\n{}",
                logs.text()
            );
            assert_eq!(
                logs.lines(&[&span, "the agent is at work"]).len(),
                runs,
                "{operation}"
            );
        }
    }
}

// A2A-11.7-05, A2A-11.1-03
#[tokio::test]
async fn a_quiet_stream_shows_that_it_is_alive() {
    let gate = Gate::new();
    let held = gate.clone();
    let agent = scripted(move |_, task| {
        let gate = held.clone();
        async move {
            gate.pass().await;
            task.complete().await
        }
    });
    let server = serve(builder(agent).keep_alive(Duration::from_millis(5))).await;
    for caller in server.callers() {
        let request = caller.request("SendStreamingMessage", json!({"message": message("hi")}));
        let mut response = request.send().await.unwrap();
        let mut text = String::new();
        while text.matches("\n\n:\n\n").count() < 2 && text.matches("\n\n:\n\n:\n\n").count() < 1 {
            let chunk = within(response.chunk()).await.unwrap().unwrap();
            text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        gate.open();
        let rest = within(response.text()).await.unwrap();
        assert!(rest.contains("TASK_STATE_COMPLETED"), "{rest}");
    }
}

// A2A-5.1-01, A2A-5.1-02
#[tokio::test]
async fn a_client_inside_the_process_passes_the_same_checks() {
    let agent = Scripted::echo();
    let bearer = StaticBearer::new([("a", "alice")]);
    let server = builder(agent.clone())
        .authenticator(bearer)
        .build()
        .unwrap();
    let stranger = server.local();
    assert_eq!(
        stranger.ask("hi").await.unwrap_err().kind(),
        ErrorKind::Unauthenticated
    );
    let name = HeaderName::from_static("authorization");
    let alice = stranger.with_header(name, HeaderValue::from_static("Bearer a"));

    let task = alice.ask("hi").await.unwrap();
    assert_eq!(
        (task.state(), task.artifacts[0].text()),
        (TaskState::Completed, "hi".to_owned())
    );
    let read = alice
        .call::<GetTask>(GetTaskRequest::default().with_id(&*task.id))
        .await
        .unwrap();
    assert_eq!(read, task);
    let missing = alice
        .call::<GetTask>(GetTaskRequest::default().with_id("nope"))
        .await
        .unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::TaskNotFound);
    let unnamed = alice
        .call::<GetTask>(GetTaskRequest::default())
        .await
        .unwrap_err();
    assert_eq!(unnamed.violations()[0].field, "id");

    let events: Vec<StreamResponse> = alice
        .send_streaming(Message::user("hi"))
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    assert_eq!(events.len(), 4);
    let runs = agent.runs();
    let send = SendMessageRequest::new(Message::user("hi"));
    let wrong = alice
        .call::<SendStreamingMessage>(send.clone())
        .await
        .unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::InvalidRequest);
    let wrong = alice.stream::<SendMessage>(send).await.err().unwrap();
    assert_eq!(wrong.kind(), ErrorKind::InvalidRequest);
    assert_eq!(agent.runs(), runs, "nothing was sent");
    let ended = a2a_types::SubscribeToTaskRequest::default().with_id(&*task.id);
    let ended = alice.stream::<SubscribeToTask>(ended).await.err().unwrap();
    assert_eq!(ended.kind(), ErrorKind::UnsupportedOperation);
    assert_eq!(
        agent.seen.lock().unwrap()[0].context().binding,
        Binding::Local
    );
}

// A2A-3.1.1-01
#[tokio::test]
async fn asking_an_agent_that_answers_with_a_message_says_so() {
    let agent =
        scripted(|_, task| async move { task.reply("hello").await }).answering(Answer::Message);
    let local = builder(agent).build().unwrap().local();
    assert_eq!(
        local.ask("hi").await.unwrap_err().kind(),
        ErrorKind::InvalidAgentResponse
    );
    let answer = local.send(Message::user("hi")).await.unwrap();
    let Some(a2a_types::send_message_response::Payload::Message(message)) = answer.payload else {
        panic!("{answer:?}");
    };
    assert_eq!(message.text(), "hello");
}
