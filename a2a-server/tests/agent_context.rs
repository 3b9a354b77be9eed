//! What an agent learns about a call (A2A §3.2.5, §3.2.6, §3.4, §4.6).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_server::auth::{Access, Authorizer, StaticBearer};
use a2a_server::{Binding, LocalClient, Request};
use a2a_types::store::Scope;
use a2a_types::{A2aError, AgentExtension, OperationId, Version};
use async_trait::async_trait;
use serde_json::{Value, json};
use support::{
    BINDINGS, Caller, Scripted, Wire, builder, card, message, scripted, serve, serve_agent,
};

fn last(agent: &Scripted) -> Request {
    agent.seen.lock().unwrap().last().unwrap().clone()
}

fn bearers() -> StaticBearer {
    StaticBearer::new([("alice-token", "alice"), ("bob-token", "bob")])
}

// A2A-7.5-01, A2A-13.1-01, R069
#[tokio::test]
async fn the_agent_knows_who_calls_for_which_tenant_and_how() {
    let agent = Scripted::echo();
    let server = builder(agent.clone())
        .authenticator(bearers())
        .resend_window(Duration::ZERO);
    let server = serve(server).await;
    for caller in server.callers() {
        let binding = match caller.wire {
            Wire::JsonRpc => Binding::JsonRpc,
            Wire::Rest => Binding::HttpJson,
        };
        let caller = caller.in_tenant("acme").with("x-custom", "seen");
        for who in ["alice", "bob"] {
            let caller = caller.clone().bearer(&format!("{who}-token"));
            caller.send(who).await.result();
            let request = last(&agent);
            let context = request.context();
            assert_eq!(context.caller.id(), who);
            assert!(!context.caller.is_anonymous());
            assert_eq!(context.tenant, "acme");
            assert_eq!(context.binding, binding);
            assert_eq!(context.operation, OperationId::SendMessage);
            assert_eq!(context.version, Version::V1_0);
            assert_eq!(context.headers["x-custom"], "seen");
            assert!(context.peer.unwrap().ip().is_loopback());
        }
        let caller = caller.bearer("bob-token");
        caller.stream_send("stream").await.all().await;
        let operation = last(&agent).context().operation;
        assert_eq!(operation, OperationId::SendStreamingMessage);
    }
}

#[tokio::test]
async fn an_anonymous_caller_is_nobody() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        // Without an authenticator nobody has looked at this.
        caller.bearer("alice-token").send("hi").await.result();
        let request = last(&agent);
        assert!(request.context().caller.is_anonymous());
        assert_eq!(request.context().caller.id(), "");
        assert_eq!(request.context().tenant, "");
    }
    let local: LocalClient = server.server.local();
    local.ask("hi").await.unwrap();
    assert_eq!(last(&agent).context().binding, Binding::Local);
}

// A2A-T-01, A2A-T-02, A2A-T-04, R069
#[tokio::test]
async fn the_agent_sees_the_extensions_of_the_call() {
    let agent = Scripted::echo();
    let extension = |uri: &str| AgentExtension::default().with_uri(uri);
    let card = card()
        .extension(extension("https://example.com/a/v1"))
        .extension(extension("https://example.com/b/v1"));
    let server = serve(builder(agent.clone()).card(card)).await;
    for caller in server.callers() {
        let wanted = "https://example.com/b/v1, https://example.com/other/v1";
        let answer = caller
            .clone()
            .with("a2a-extensions", wanted)
            .send("hi")
            .await;
        let request = last(&agent);
        let context = request.context();
        let requested: Vec<_> = context.requested_extensions.iter().collect();
        assert_eq!(
            requested,
            ["https://example.com/b/v1", "https://example.com/other/v1"]
        );
        let activated: Vec<_> = context.activated_extensions.iter().collect();
        assert_eq!(activated, ["https://example.com/b/v1"]);
        assert_eq!(answer.headers["a2a-extensions"], "https://example.com/b/v1");

        let answer = caller.send("hi").await;
        assert!(last(&agent).context().activated_extensions.is_empty());
        assert!(!answer.headers.contains_key("a2a-extensions"));
    }
}

// A2A-T-12, R069, R144
#[tokio::test]
async fn the_agent_can_go_on_with_the_trace_of_the_call() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for caller in server.callers() {
        let traced = caller
            .clone()
            .with("traceparent", parent)
            .with("tracestate", "vendor=1,other=2");
        traced.send("hi").await.result();
        let trace = last(&agent).context().trace.clone().unwrap();
        assert_eq!(trace.traceparent(), parent);
        assert_eq!(trace.tracestate(), "vendor=1,other=2");
        caller.send("hi").await.result();
        assert_eq!(last(&agent).context().trace, None);
        let broken = caller.with("traceparent", "00-nonsense-01");
        broken.send("hi").await.result();
        assert_eq!(last(&agent).context().trace, None);
    }
}

// A2A-3.2.2-05, A2A-3.2.5-01
#[tokio::test]
async fn the_agent_sees_options_and_metadata_as_they_were_sent() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let mut message = message("hi");
        message["metadata"] = json!({"big": 9_007_199_254_740_993_u64});
        let params = json!({
            "message": message,
            "metadata": {"a": [1, null]},
            "configuration": {"acceptedOutputModes": ["image/png"], "historyLength": 3},
        });
        caller.call("SendMessage", params.clone()).await.result();
        let request = last(&agent);
        assert_eq!(request.accepted_output_modes(), ["image/png"]);
        assert_eq!(request.configuration().unwrap().history_length, Some(3));
        let metadata = serde_json::to_value(request.metadata().unwrap()).unwrap();
        assert_eq!(metadata, params["metadata"]);
        let metadata = request.message().metadata.as_ref().unwrap();
        let metadata = serde_json::to_value(metadata).unwrap();
        assert_eq!(metadata, params["message"]["metadata"]);
        assert_eq!(request.text(), "hi");
    }
}

/// An agent that remembers which tasks it could see: its own, those of the conversation, those
/// that the message refers to.
fn looking() -> (Scripted, Arc<Mutex<Vec<Seen>>>) {
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let agent = scripted({
        let seen = Arc::clone(&seen);
        move |request, task| {
            let seen = Arc::clone(&seen);
            async move {
                let ids = |tasks: Vec<Arc<a2a_types::Task>>| -> Vec<String> {
                    tasks.iter().map(|task| task.id.clone()).collect()
                };
                let own = request.task().await?.unwrap();
                assert_eq!((&*own.id, &*own.context_id), (task.id(), task.context_id()));
                let in_context = request.context_tasks().await?;
                assert!(in_context.iter().all(|t| t.context_id == task.context_id()));
                assert!(in_context.iter().all(|t| t.artifacts.is_empty()));
                let referenced = request.referenced_tasks().await?;
                // They are whole.
                assert!(referenced.iter().all(|t| t.artifacts.len() == 1));
                let found = (ids(in_context), ids(referenced));
                seen.lock().unwrap().push(found);
                task.artifact("a").text("result").send().await?;
                if request.text() == "ask" {
                    return task.input_required("more?").await;
                }
                task.complete().await
            }
        }
    });
    (agent, seen)
}

type Seen = (Vec<String>, Vec<String>);

async fn say(caller: &Caller, context: &Value, references: &[&str]) -> Value {
    let id = format!("m-{}", uuid::Uuid::new_v4());
    let message = json!({"messageId": id, "role": "ROLE_USER", "parts": [{"text": "hi"}],
        "contextId": context, "referenceTaskIds": references});
    let answer = caller
        .call("SendMessage", json!({"message": message}))
        .await;
    answer.task().clone()
}

// A2A-3.4.1-03, A2A-3.4.1-08, A2A-3.4.3-03, A2A-3.4.3-09
#[tokio::test]
async fn the_agent_sees_the_other_tasks_of_the_conversation() {
    for wire in BINDINGS {
        let (agent, seen) = looking();
        let server = serve_agent(agent).await;
        let caller = server.caller(wire);
        let first = say(&caller, &Value::Null, &[]).await;
        let context = &first["contextId"];
        say(&caller, &json!("another"), &[]).await;
        let second = say(&caller, context, &[]).await;
        assert_eq!(second["contextId"], *context);
        let third = say(&caller, context, &[]).await;
        let mut in_context = seen.lock().unwrap().last().unwrap().0.clone();
        let mut expected = [&first, &second, &third].map(|t| t["id"].as_str().unwrap());
        in_context.sort_unstable();
        expected.sort_unstable();
        assert_eq!(in_context, expected);
    }
}

// R129, B12, A2A-3.4.3-07, A2A-3.4.3-08
#[tokio::test]
async fn the_agent_gets_referenced_tasks_only_when_the_caller_may_see_them() {
    for wire in BINDINGS {
        let (agent, seen) = looking();
        let server = serve(builder(agent).authenticator(bearers())).await;
        let person =
            |token: &str, tenant: &str| server.caller(wire).bearer(token).in_tenant(tenant);
        let alice = person("alice-token", "acme");
        let task = say(&alice, &Value::Null, &[]).await;
        let (id, context) = (task["id"].as_str().unwrap(), &task["contextId"]);
        let other = say(&alice, context, &[]).await;
        let other = other["id"].as_str().unwrap();

        say(&alice, context, &[other, "unknown", id]).await;
        let (in_context, referenced) = seen.lock().unwrap().last().unwrap().clone();
        assert_eq!(referenced, [other, id]);
        assert_eq!(in_context.len(), 3);

        for (token, tenant) in [("bob-token", "acme"), ("alice-token", "globex")] {
            let stranger = person(token, tenant);
            let own = say(&stranger, context, &[id, other]).await;
            let (in_context, referenced) = seen.lock().unwrap().last().unwrap().clone();
            assert_eq!(referenced, [""; 0]);
            assert_eq!(in_context, [own["id"].as_str().unwrap()]);
        }
    }
}

struct WholeTenant;

#[async_trait]
impl Authorizer for WholeTenant {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        Ok(Scope::tenant(access.tenant))
    }
}

// B12: what an authorizer opens to the caller is open to the agent that works for it.
#[tokio::test]
async fn the_agent_sees_as_much_as_an_authorizer_lets_its_caller_see() {
    for wire in BINDINGS {
        let (agent, seen) = looking();
        let server = builder(agent)
            .authenticator(bearers())
            .authorizer(WholeTenant);
        let server = serve(server).await;
        let person =
            |token: &str, tenant: &str| server.caller(wire).bearer(token).in_tenant(tenant);
        let task = say(&person("alice-token", "acme"), &Value::Null, &[]).await;
        let (id, context) = (task["id"].as_str().unwrap(), &task["contextId"]);
        for (tenant, visible) in [("acme", 1), ("globex", 0)] {
            say(&person("bob-token", tenant), context, &[id]).await;
            let (in_context, referenced) = seen.lock().unwrap().last().unwrap().clone();
            assert_eq!((in_context.len(), referenced.len()), (visible + 1, visible));
        }
    }
}

// B9, A2A-3.4.3-04: a later message brings its own caller, context and references.
#[tokio::test]
async fn a_later_message_comes_with_its_own_context() {
    for wire in BINDINGS {
        let (agent, seen) = looking();
        let server = serve(
            builder(agent.clone())
                .authenticator(bearers())
                .authorizer(WholeTenant),
        );
        let server = server.await;
        let person = |token: &str| server.caller(wire).bearer(token).in_tenant("acme");
        let (alice, bob) = (person("alice-token"), person("bob-token"));
        let first = alice.send("ask").await;
        let earlier = alice.send("hi").await.task_id();
        let mut message = message("go on");
        message["taskId"] = first.task_id().into();
        message["referenceTaskIds"] = json!([earlier]);
        let params = json!({"message": message});
        let bob = bob.with("x-custom", "bob's");
        let answer = bob.call("SendMessage", params).await;
        assert_eq!(answer.state(), "COMPLETED");
        let request = last(&agent);
        assert_eq!(request.context().caller.id(), "bob");
        assert_eq!(request.context().headers["x-custom"], "bob's");
        assert_eq!(request.task_id(), first.task_id());
        assert_eq!(first.task()["contextId"], request.context_id());
        assert_eq!(request.message().context_id, request.context_id());
        assert_eq!(seen.lock().unwrap().last().unwrap().1, [earlier]);
    }
}
