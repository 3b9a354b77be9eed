//! Sends that a client repeats (A2A §3.3.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use a2a_server::auth::StaticBearer;
use a2a_server::{Agent, AnonymousResends, Answer, ServerBuilder};
use a2a_types::AgentCard;
use a2a_types::extensions::{ResendCallers, SafeResends};
use futures::future::join_all;
use serde_json::{Value, json};
use support::{
    Caller, Gate, LateStore, Scripted, TestServer, briefs, builder, message, said, scripted, serve,
    within,
};

/// A server that knows Alice and Bob.
fn known<A: Agent>(agent: A) -> ServerBuilder {
    builder(agent).authenticator(StaticBearer::new([("a", "alice"), ("b", "bob")]))
}

fn alices(server: &TestServer) -> impl Iterator<Item = Caller> + '_ {
    server.callers().map(|caller| caller.bearer("a"))
}

/// A message that only this call site sends.
#[track_caller]
fn own_message(caller: &Caller, text: &str) -> Value {
    let mut message = message(text);
    let place = std::panic::Location::caller().line();
    message["messageId"] = format!("{:?}-{place}", caller.wire).into();
    message
}

/// Works until the gate is opened, once for each run.
fn gated(started: &Gate, go: &Gate) -> Scripted {
    let gates = (started.clone(), go.clone());
    scripted(move |request, task| {
        let (started, go) = gates.clone();
        async move {
            task.working().await?;
            started.open();
            go.pass().await;
            task.artifact("a").text(request.text()).send().await?;
            task.complete().await
        }
    })
}

// A2A-3.3.1-02 B14 R062
#[tokio::test]
async fn a_repeated_send_of_an_authenticated_caller_returns_the_first_task() {
    let agent = Scripted::echo();
    let server = serve(known(agent.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let params = json!({"message": own_message(&caller, "hi")});
        let first = caller.call("SendMessage", params.clone()).await;
        let again = caller.call("SendMessage", params.clone()).await;
        assert_eq!(again.task(), first.task());
        let events = caller.stream("SendStreamingMessage", params).await.unwrap();
        let events = within(events.all()).await;
        assert_eq!(briefs(&events, 4), ["task COMPLETED"]);
        assert_eq!(events[0].body["task"], *first.task());
        assert_eq!(agent.runs(), runs + 1);
        assert_eq!(said(first.task()), ["USER hi"]);
    }
}

// A2A-3.3.1-02 B14
#[tokio::test]
async fn another_send_under_the_same_id_is_another_send() {
    let server = serve(known(Scripted::echo())).await;
    let tokens = ["a", "b"];
    for caller in server.callers() {
        let whole = own_message(&caller, "hi");
        let mut ids = HashSet::new();
        for token in tokens {
            let caller = caller.clone().bearer(token);
            let mut metadata = whole.clone();
            metadata["metadata"] = json!({"k": 1});
            let mut context = whole.clone();
            context["contextId"] = "c-1".into();
            let mut text = whole.clone();
            text["parts"][0]["text"] = "ho".into();
            let mut id = whole.clone();
            id["messageId"] = format!("{}-2", whole["messageId"]).into();
            let modes = json!({"acceptedOutputModes": ["text/plain"]});
            for params in [
                json!({"message": whole}),
                json!({"message": metadata}),
                json!({"message": context}),
                json!({"message": text}),
                json!({"message": id}),
                json!({"message": whole, "configuration": modes}),
            ] {
                ids.insert(caller.call("SendMessage", params).await.task_id());
            }
        }
        assert_eq!(ids.len(), 12);
    }
}

// A2A-3.3.1-02 B14
#[tokio::test]
async fn strangers_are_kept_apart_unless_the_server_is_told_otherwise() {
    let apart = serve(builder(Scripted::echo())).await;
    let together = builder(Scripted::echo()).anonymous_resends(AnonymousResends::Recognized);
    let together = serve(together).await;
    let off = serve(known(Scripted::echo()).resend_window(Duration::ZERO)).await;
    for (server, tasks) in [(apart, 2), (together, 1), (off, 2)] {
        for caller in alices(&server) {
            let before = caller.count().await;
            let params = json!({"message": own_message(&caller, "hi")});
            caller.call("SendMessage", params.clone()).await.result();
            caller.call("SendMessage", params).await.result();
            assert_eq!(caller.count().await, before + tasks);
        }
    }
}

// A2A-3.3.1-02 A2A-4.6.1-01 B14
#[tokio::test]
async fn the_card_promises_safe_resends_to_those_for_whom_they_are() {
    let day = Duration::from_secs(24 * 60 * 60);
    let recognized = builder(Scripted::echo()).anonymous_resends(AnonymousResends::Recognized);
    for (server, promised) in [
        (builder(Scripted::echo()), None),
        (
            known(Scripted::echo()),
            Some((day, ResendCallers::Authenticated)),
        ),
        (recognized, Some((day, ResendCallers::Everybody))),
        (
            known(Scripted::echo()).resend_window(Duration::from_millis(90_500)),
            Some((Duration::from_secs(90), ResendCallers::Authenticated)),
        ),
        (known(Scripted::echo()).resend_window(Duration::ZERO), None),
        (
            known(Scripted::echo()).resend_window(Duration::from_millis(500)),
            None,
        ),
    ] {
        let server = serve(server).await;
        let card = reqwest::get(server.url(a2a_server::CARD_PATH));
        let card = card.await.unwrap().bytes().await.unwrap();
        let card: AgentCard = a2a_types::json::from_slice(&card).unwrap();
        let promise = SafeResends::of(&card).map(|promise| (promise.window, promise.callers));
        assert_eq!(promise, promised);
        let required = card.capabilities.unwrap().extensions;
        assert!(required.iter().all(|extension| !extension.required));
    }
}

// A2A-3.3.1-02 B14
#[tokio::test]
async fn a_repeated_send_joins_the_task_that_is_at_work() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = gated(&started, &go);
    let server = serve(known(agent.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let whole = own_message(&caller, "hi");
        let params = json!({"message": whole});
        let send = || {
            let (caller, params) = (caller.clone(), params.clone());
            tokio::spawn(async move { caller.call("SendMessage", params).await })
        };
        let first = send();
        within(started.pass()).await;
        let again = send();
        let events = caller.stream("SendStreamingMessage", params.clone()).await;
        let mut events = events.unwrap();
        let joined = within(events.next()).await.unwrap();
        assert_eq!(joined.brief(), "task WORKING");
        assert!(!first.is_finished() && !again.is_finished());
        go.open();
        let (first, again) = (first.await.unwrap(), again.await.unwrap());
        assert_eq!(first.state(), "COMPLETED");
        assert_eq!(again.task(), first.task());
        let mut all = vec![joined];
        all.extend(within(events.all()).await);
        let expected = ["task WORKING", "artifactUpdate", "statusUpdate COMPLETED"];
        assert_eq!(briefs(&all, 2), expected);
        assert_eq!(agent.runs(), runs + 1);
    }
}

// A2A-3.3.1-02 B14
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_identical_sends_at_once_run_the_agent_once() {
    let agent = scripted(|request, task| async move {
        task.working().await?;
        tokio::task::yield_now().await;
        task.artifact("a").text(request.text()).send().await?;
        task.complete().await
    });
    let server = serve(known(agent.clone())).await;
    for (round, caller) in alices(&server).enumerate() {
        let params = json!({"message": own_message(&caller, "hi")});
        let sends = (0..100).map(|i| {
            let (caller, params) = (caller.clone(), params.clone());
            tokio::spawn(async move {
                if i % 3 > 0 {
                    let answer = caller.call("SendMessage", params).await;
                    assert_eq!(answer.state(), "COMPLETED");
                    return answer.task_id();
                }
                let events = caller.stream("SendStreamingMessage", params).await;
                let events = events.unwrap().all().await;
                assert_eq!(events.last().unwrap().state(), "COMPLETED");
                events[0].body["task"]["id"].as_str().unwrap().to_owned()
            })
        });
        let ids: HashSet<String> = within(join_all(sends))
            .await
            .into_iter()
            .map(Result::unwrap)
            .collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(agent.runs(), round + 1);
        assert_eq!(caller.count().await, round as u64 + 1);
    }
}

// A2A-3.3.1-02 B14
#[tokio::test]
async fn a_send_that_is_repeated_while_the_task_is_being_made_joins_it() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = gated(&started, &go);
    let store = Arc::new(LateStore::default());
    let server = serve(known(agent.clone()).task_store(store.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let (stored, created) = (Gate::new(), Gate::new());
        store.hold_created(stored.clone(), created.clone());
        let params = json!({"message": own_message(&caller, "hi")});
        let first = tokio::spawn({
            let (caller, params) = (caller.clone(), params.clone());
            async move { caller.call("SendMessage", params).await }
        });
        within(stored.pass()).await;
        // The task is stored, and nobody but its maker's call knows of a run.
        let events = caller.stream("SendStreamingMessage", params).await;
        let mut events = events.unwrap();
        let task = within(events.next()).await.unwrap();
        assert_eq!(task.brief(), "task SUBMITTED");
        let id = task.body["task"]["id"].as_str().unwrap();
        assert_eq!(caller.get_task(id).await.state(), "SUBMITTED");
        let subscription = caller.subscribe(id).await.unwrap();
        created.open();
        within(started.pass()).await;
        go.open();
        let mut all = vec![task.clone()];
        all.extend(within(events.all()).await);
        let expected = ["task SUBMITTED", "statusUpdate WORKING", "artifactUpdate"];
        assert_eq!(briefs(&all, 1)[..3], expected);
        assert_eq!(all.last().unwrap().state(), "COMPLETED");
        let watched = within(subscription.all()).await;
        assert_eq!(briefs(&watched, 1), briefs(&all, 1));
        assert_eq!(within(first).await.unwrap().task_id(), id);
        assert_eq!(agent.runs(), runs + 1);
    }
}

// A2A-3.3.1-02, A2A-3.2.2-01 B14
#[tokio::test]
async fn a_repeated_send_stands_where_the_task_stands_now() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (started.clone(), go.clone());
        move |request, task| {
            let (started, go) = gates.clone();
            async move {
                if request.text() == "hi" {
                    return task.input_required("which?").await;
                }
                task.working().await?;
                started.open();
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve(known(agent.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let params = json!({"message": own_message(&caller, "hi")});
        let id = caller.call("SendMessage", params.clone()).await.task_id();
        // The task waits for its client: so it did when the first send was answered.
        let again = within(caller.call("SendMessage", params.clone())).await;
        assert_eq!(
            (again.state(), again.task_id()),
            ("INPUT_REQUIRED", id.clone())
        );
        let events = caller.stream("SendStreamingMessage", params.clone()).await;
        let events = within(events.unwrap().all()).await;
        assert_eq!(briefs(&events, 2), ["task INPUT_REQUIRED"]);
        // The second turn is at work: its end is the answer now.
        let second = tokio::spawn({
            let (caller, id) = (caller.clone(), id.clone());
            async move { caller.send_to(&id, "this one").await }
        });
        within(started.pass()).await;
        let again = tokio::spawn({
            let (caller, params) = (caller.clone(), params.clone());
            async move { caller.call("SendMessage", params).await }
        });
        let events = caller.stream("SendStreamingMessage", params).await;
        let mut events = events.unwrap();
        assert_eq!(within(events.next()).await.unwrap().brief(), "task WORKING");
        assert!(!again.is_finished());
        go.open();
        assert_eq!(within(again).await.unwrap().state(), "COMPLETED");
        assert_eq!(within(second).await.unwrap().state(), "COMPLETED");
        assert_eq!(within(events.all()).await.len(), 1);
        assert_eq!(agent.runs(), runs + 2);
    }
}

// B14
#[tokio::test]
async fn replies_are_given_anew() {
    let agent = scripted(|_, task| async move { task.reply("hello").await });
    let agent = agent.answering(Answer::Message);
    let server = serve(known(agent.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let params = json!({"message": own_message(&caller, "hi")});
        let first = caller.call("SendMessage", params.clone()).await;
        let again = caller.call("SendMessage", params).await;
        assert_ne!(
            first.result()["message"]["messageId"],
            again.result()["message"]["messageId"]
        );
        assert_eq!(agent.runs(), runs + 2);
    }
}

// B14 D36: an agent that makes a task only once it runs.
#[tokio::test]
async fn a_repeated_send_does_not_run_an_agent_again_whose_first_word_made_a_task() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = gated(&started, &go).answering(Answer::Either);
    let server = serve(known(agent.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let params = json!({"message": own_message(&caller, "hi")});
        let sends = (0..20).map(|_| {
            let (caller, params) = (caller.clone(), params.clone());
            tokio::spawn(async move { caller.call("SendMessage", params).await })
        });
        let sends: Vec<_> = sends.collect();
        within(started.pass()).await;
        go.open();
        let answers = within(join_all(sends)).await;
        let ids: HashSet<String> = answers.into_iter().map(|a| a.unwrap().task_id()).collect();
        assert_eq!(ids.len(), 1);
        let again = caller.call("SendMessage", params).await;
        assert!(ids.contains(&again.task_id()));
        assert_eq!(agent.runs(), runs + 1);
    }
}

// B14 D36
#[tokio::test]
async fn a_repeated_send_waits_for_the_first_word_and_is_then_answered_anew() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (started.clone(), go.clone());
        move |_, task| {
            let (started, go) = gates.clone();
            async move {
                started.open();
                go.pass().await;
                task.reply("hello").await
            }
        }
    });
    let agent = agent.answering(Answer::Either);
    let server = serve(known(agent.clone())).await;
    for caller in alices(&server) {
        let runs = agent.runs();
        let params = json!({"message": own_message(&caller, "hi")});
        let sends = (0..3).map(|_| {
            let (caller, params) = (caller.clone(), params.clone());
            tokio::spawn(async move { caller.call("SendMessage", params).await })
        });
        let sends: Vec<_> = sends.collect();
        for n in 1..=3 {
            within(started.pass()).await;
            assert_eq!(agent.runs(), runs + n, "one at a time");
            go.open();
        }
        for answer in within(join_all(sends)).await {
            assert!(answer.unwrap().result().get("message").is_some());
        }
    }
}
