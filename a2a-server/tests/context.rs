//! Contexts and tasks of a conversation (A2A §3.4).

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

use a2a_server::{Agent, AgentError, Answer as Kind, Request, TaskHandle};
use a2a_types::A2aError;
use serde_json::{Value, json};
use support::{Answer, Caller, Scripted, TERMINAL, briefs, message, said, serve_agent, within};

async fn send(caller: &Caller, text: &str, task_id: &str, context_id: &str) -> Answer {
    let params = json!({"message": addressed(text, task_id, context_id)});
    caller.call("SendMessage", params).await
}

fn addressed(text: &str, task_id: &str, context_id: &str) -> Value {
    let mut message = message(text);
    for (member, id) in [("taskId", task_id), ("contextId", context_id)] {
        if !id.is_empty() {
            message[member] = id.into();
        }
    }
    message
}

// A2A-3.4.1-01, A2A-3.4.1-02 D18
#[tokio::test]
async fn a_message_without_a_context_begins_one() {
    let server = serve_agent(Scripted::obedient()).await;
    let mut contexts = HashSet::new();
    for caller in server.callers() {
        for empty in [json!("COMPLETED"), json!("INPUT_REQUIRED")] {
            let answer = caller.send(empty.as_str().unwrap()).await;
            let context = answer.task()["contextId"].as_str().unwrap().to_owned();
            assert!(!context.is_empty());
            contexts.insert(context);
        }
        // An empty id is no id.
        let mut unnamed = message("COMPLETED");
        unnamed["contextId"] = "".into();
        unnamed["taskId"] = "".into();
        let answer = caller
            .call("SendMessage", json!({"message": unnamed}))
            .await;
        contexts.insert(answer.task()["contextId"].as_str().unwrap().to_owned());
    }
    assert_eq!(contexts.len(), 6);
}

// A2A-3.4.1-03, A2A-3.4.1-05, A2A-3.4.3-01, A2A-3.4.3-03, A2A-T-08 B10
#[tokio::test]
async fn a_context_of_the_client_is_kept_and_each_message_in_it_begins_a_task() {
    let agent = Scripted::obedient();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for context in ["c-1", "ünïcode / %2F \"quoted\" ?", "0", " "] {
            let mut ids = HashSet::new();
            for state in ["COMPLETED", "INPUT_REQUIRED"] {
                let answer = send(&caller, state, "", context).await;
                assert_eq!(answer.task()["contextId"], context);
                assert_eq!(answer.task()["history"][0]["contextId"], context);
                let seen = agent.seen.lock().unwrap().last().unwrap().clone();
                assert_eq!(seen.context_id(), context);
                ids.insert(answer.task_id());
                let params = json!({"message": addressed(state, "", context)});
                let events = caller.stream("SendStreamingMessage", params).await.unwrap();
                let events = within(events.all()).await;
                briefs(&events, 1);
                let task = &events[0].body["task"];
                assert_eq!(task["contextId"], context);
                ids.insert(task["id"].as_str().unwrap().to_owned());
            }
            assert_eq!(ids.len(), 4);
            let params = json!({"contextId": context, "historyLength": 0});
            let list = caller.call("ListTasks", params).await;
            let tasks = list.result()["tasks"].as_array().unwrap();
            let here = tasks
                .iter()
                .filter(|task| ids.contains(task["id"].as_str().unwrap()));
            assert_eq!(here.count(), 4);
        }
    }
}

// A2A-3.4.1-04
#[tokio::test]
async fn an_agent_may_refuse_a_context() {
    let unknown = A2aError::invalid_param("message.contextId", "is unknown here");
    let agent = Scripted::echo().refusing(unknown);
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let answer = send(&caller, "hi", "", "c-1").await;
        answer.expect_invalid(&["message.contextId"]);
        let params = json!({"message": addressed("hi", "", "c-1")});
        let answer = caller.stream("SendStreamingMessage", params).await;
        answer.err().unwrap().expect_invalid(&["message.contextId"]);
        assert_eq!(caller.count().await, 0);
    }
    assert_eq!(agent.runs(), 0);
}

/// Takes no message that says `no`.
struct Picky(Scripted);

impl Agent for Picky {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        self.0.execute(request, task).await
    }

    async fn admit(&self, request: &Request) -> Result<Kind, A2aError> {
        if request.text() == "no" {
            let text = "is not to be refused";
            return Err(A2aError::invalid_param("message.parts", text));
        }
        Ok(Kind::Task)
    }
}

// A2A-3.4.1-04, A2A-3.2.2-05
#[tokio::test]
async fn an_agent_may_refuse_any_message_of_a_task() {
    let agent = Scripted::obedient();
    let server = serve_agent(Picky(agent.clone())).await;
    for caller in server.callers() {
        let first = caller.send("INPUT_REQUIRED").await;
        let (id, runs) = (first.task_id(), agent.runs());
        let answer = caller.send_to(&id, "no").await;
        answer.expect_invalid(&["message.parts"]);
        assert_eq!(caller.get_task(&id).await.task(), first.task());
        caller.send("no").await.expect_invalid(&["message.parts"]);
        assert_eq!(agent.runs(), runs);
        assert_eq!(caller.send_to(&id, "COMPLETED").await.state(), "COMPLETED");
        // A task that has ended is not for the agent to judge.
        caller.send_to(&id, "no").await.expect_unsupported();
    }
}

// A2A-3.4.3-02, A2A-3.4.3-04, A2A-3.4.3-06 B9 R089
#[tokio::test]
async fn a_task_id_alone_continues_the_task_in_its_context() {
    let agent = Scripted::obedient();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for given in ["", "c-1"] {
            let first = send(&caller, "INPUT_REQUIRED", "", given).await;
            let (id, context) = (first.task_id(), &first.task()["contextId"]);
            let context = context.as_str().unwrap();
            let answer = send(&caller, "AUTH_REQUIRED", &id, "").await;
            assert_eq!(answer.task()["contextId"], context);
            let seen = agent.seen.lock().unwrap().last().unwrap().clone();
            assert_eq!((seen.task_id(), seen.context_id()), (&*id, context));
            assert_eq!(seen.message().context_id, context);
            assert_eq!(seen.message().task_id, id);
            // The context may be named as well.
            let answer = send(&caller, "COMPLETED", &id, context).await;
            assert_eq!(
                (answer.state(), answer.task_id()),
                ("COMPLETED", id.clone())
            );
            let expected = [
                "USER INPUT_REQUIRED",
                "AGENT which one?",
                "USER AUTH_REQUIRED",
                "AGENT please sign in",
                "USER COMPLETED",
            ];
            assert_eq!(said(answer.task()), expected);
            for kept in answer.task()["history"].as_array().unwrap() {
                assert_eq!(kept["contextId"], context);
                assert_eq!(kept["taskId"], id);
            }
        }
    }
}

// A2A-3.4.3-05, A2A-3.4.1-05 B10 R089
#[tokio::test]
async fn a_context_that_is_not_the_task_s_is_refused_before_anything_else() {
    let agent = Scripted::obedient();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let elsewhere = send(&caller, "INPUT_REQUIRED", "", "c-2").await;
        let states = TERMINAL
            .into_iter()
            .chain(["INPUT_REQUIRED", "AUTH_REQUIRED", "WORKING"]);
        for state in states {
            let id = caller.task_in(state).await;
            let (before, runs) = (caller.get_task(&id).await, agent.runs());
            for context in ["c-2", "unknown"] {
                let answer = send(&caller, "COMPLETED", &id, context).await;
                answer.expect_invalid(&["message.contextId"]);
                let params = json!({"message": addressed("COMPLETED", &id, context)});
                let answer = caller.stream("SendStreamingMessage", params).await;
                answer.err().unwrap().expect_invalid(&["message.contextId"]);
            }
            assert_eq!(caller.get_task(&id).await.task(), before.task());
            assert_eq!(agent.runs(), runs);
        }
        let other = caller.get_task(&elsewhere.task_id()).await;
        assert_eq!(other.task(), elsewhere.task());
        // An unknown task comes before its context.
        send(&caller, "COMPLETED", "nope", "c-2")
            .await
            .expect_task_not_found();
    }
}
