//! Messages to a task that exists: to one that waits for its client, and to one that is being
//! worked on (A2A §3.3.3, §3.4.3, §7.6.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_server::WhileRunning;
use a2a_types::Message;
use futures::FutureExt;
use futures::future::{join_all, select_all};
use serde_json::json;
use support::{
    Answer, Caller, Gate, Scripted, arrivals, briefs, builder, message, said, scripted, serve,
    serve_agent, within,
};

/// Says WORKING, then takes messages until one says `stop`.
fn listening() -> Scripted {
    scripted(|_, task| async move {
        task.working().await?;
        loop {
            let request = task.next_message().await?;
            let text = request.text();
            task.artifact("heard").text(&*text).append().send().await?;
            if text == "stop" {
                return task.complete().await;
            }
        }
    })
}

/// Works until the gate opens; then asks for more, or does what the message says.
fn busy(started: &Gate, go: &Gate) -> Scripted {
    let gates = (started.clone(), go.clone());
    scripted(move |request, task| {
        let (started, go) = gates.clone();
        async move {
            started.open();
            go.pass().await;
            match request.text().as_str() {
                "end" => task.complete().await,
                text => task.input_required(format!("after {text}?")).await,
            }
        }
    })
}

async fn send_to_immediately(caller: &Caller, task_id: &str, text: &str) -> Answer {
    let mut message = message(text);
    message["taskId"] = task_id.into();
    let configuration = json!({"returnImmediately": true});
    let params = json!({"message": message, "configuration": configuration});
    caller.call("SendMessage", params).await
}

/// The same without waiting for the answer.
fn spawn_send_to(caller: &Caller, task_id: &str, text: &str) -> tokio::task::JoinHandle<Answer> {
    let (caller, task_id, text) = (caller.clone(), task_id.to_owned(), text.to_owned());
    tokio::spawn(async move { send_to_immediately(&caller, &task_id, &text).await })
}

// A2A-3.3.3-02, A2A-3.4.3-02 D37
#[tokio::test]
async fn a_running_agent_takes_the_messages_it_asks_for() {
    let agent = listening();
    let server = serve_agent(agent.clone()).await;
    for (round, caller) in server.callers().enumerate() {
        let mut stream = caller.stream_send("hi").await;
        let task = within(stream.next()).await.unwrap();
        let id = task.body["task"]["id"].as_str().unwrap().to_owned();
        let answer = within(send_to_immediately(&caller, &id, "a")).await;
        assert_eq!(answer.state(), "WORKING");
        assert_eq!(said(answer.task()), ["USER hi", "USER a"]);
        within(send_to_immediately(&caller, &id, "b"))
            .await
            .result();
        let answer = within(caller.send_to(&id, "stop")).await;
        assert_eq!(answer.state(), "COMPLETED");
        let parts = &answer.task()["artifacts"][0]["parts"];
        assert_eq!(
            *parts,
            json!([{"text": "a"}, {"text": "b"}, {"text": "stop"}])
        );
        assert_eq!(
            said(answer.task()),
            ["USER hi", "USER a", "USER b", "USER stop"]
        );
        let mut events = vec![task];
        events.extend(within(stream.all()).await);
        let expected = [
            "task SUBMITTED",
            "statusUpdate WORKING",
            "artifactUpdate",
            "artifactUpdate",
            "artifactUpdate",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(briefs(&events, 1), expected);
        assert_eq!(agent.runs(), round + 1);
    }
}

// A2A-3.4.3-02, A2A-3.4.3-06 R086
#[tokio::test]
async fn an_agent_may_wait_for_its_client_within_one_run() {
    let agent = scripted(|request, task| async move {
        task.input_required("a name?").await?;
        let name = task.next_message().await?;
        assert_eq!(name.task_id(), request.task_id());
        assert_eq!(name.context_id(), request.context_id());
        task.artifact("greeting")
            .text(format!("{} {}", request.text(), name.text()))
            .send()
            .await?;
        task.complete().await
    });
    let server = serve_agent(agent.clone()).await;
    for (round, caller) in server.callers().enumerate() {
        let asked = within(caller.send("hello")).await;
        assert_eq!(asked.state(), "INPUT_REQUIRED");
        let events = within(caller.stream_to(&asked.task_id(), "Ada").await.all()).await;
        let expected = [
            "task INPUT_REQUIRED",
            "artifactUpdate",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(briefs(&events, 2), expected);
        assert_eq!(events[1].text(), "hello Ada");
        assert_eq!(
            said(&events[0].body["task"]),
            ["USER hello", "AGENT a name?", "USER Ada"]
        );
        assert_eq!(agent.runs(), round + 1);
    }
}

// A2A-3.3.3-02 D37 R102
#[tokio::test]
async fn a_message_that_no_run_asks_for_starts_the_next_turn() {
    let (started, go, arrived) = (Gate::new(), Gate::new(), Gate::new());
    let agent = busy(&started, &go);
    let server = serve(builder(agent.clone()).layer(arrivals(&arrived, "Send"))).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send_immediately("one").await.task_id();
        within(started.pass()).await;
        within(arrived.pass()).await;
        let two = spawn_send_to(&caller, &id, "two");
        within(arrived.pass()).await;
        let end = tokio::spawn({
            let (caller, id) = (caller.clone(), id.clone());
            async move { caller.stream_to(&id, "end").await.all().await }
        });
        within(arrived.pass()).await;
        // They are no part of the task before their turn, and their calls are not answered.
        assert_eq!(said(caller.get_task(&id).await.task()), ["USER one"]);
        assert!(!two.is_finished() && !end.is_finished());
        go.open();
        let answer = within(two).await.unwrap();
        assert_eq!(answer.state(), "INPUT_REQUIRED");
        let so_far = ["USER one", "AGENT after one?", "USER two"];
        assert_eq!(said(answer.task()), so_far);
        within(started.pass()).await;
        assert!(!end.is_finished());
        go.open();
        within(started.pass()).await;
        go.open();
        let events = within(end).await.unwrap();
        let expected = ["task INPUT_REQUIRED", "statusUpdate COMPLETED"];
        assert_eq!(briefs(&events, 3), expected);
        let history = said(caller.get_task(&id).await.task());
        assert_eq!(history[..3], so_far);
        assert_eq!(history[3..], ["AGENT after two?", "USER end"]);
        assert_eq!(said(&events[0].body["task"]), history);
        assert_eq!(agent.runs(), 3 * (round + 1));
    }
}

// A2A-3.2.2-01 D38
#[tokio::test]
async fn a_turn_in_which_the_agent_says_nothing_is_over_when_it_ends() {
    let agent = scripted(|request, task| async move {
        match request.text().as_str() {
            "hi" => task.input_required("more?").await,
            _ => Ok(()),
        }
    });
    let server = serve_agent(agent.clone()).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send("hi").await.task_id();
        let answer = within(caller.send_to(&id, "a")).await;
        assert_eq!(answer.state(), "INPUT_REQUIRED");
        let events = within(caller.stream_to(&id, "b").await.all()).await;
        assert_eq!(briefs(&events, 2), ["task INPUT_REQUIRED"]);
        let history = said(caller.get_task(&id).await.task());
        assert_eq!(history, ["USER hi", "AGENT more?", "USER a", "USER b"]);
        assert_eq!(agent.runs(), 3 * (round + 1));
    }
}

// A2A-3.1.1-05, A2A-3.1.2-09 D37
#[tokio::test]
async fn messages_that_wait_are_refused_when_the_task_ends() {
    let (started, go, arrived) = (Gate::new(), Gate::new(), Gate::new());
    let agent = busy(&started, &go);
    let server = serve(builder(agent.clone()).layer(arrivals(&arrived, "Send"))).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send_immediately("end").await.task_id();
        within(started.pass()).await;
        let waiting = spawn_send_to(&caller, &id, "two");
        let blocking = tokio::spawn({
            let (caller, id) = (caller.clone(), id.clone());
            async move { caller.send_to(&id, "three").await }
        });
        let mut four = message("four");
        four["taskId"] = id.clone().into();
        let streamed = tokio::spawn({
            let caller = caller.clone();
            async move {
                caller
                    .stream("SendStreamingMessage", json!({"message": four}))
                    .await
                    .err()
            }
        });
        for _ in 0..4 {
            within(arrived.pass()).await;
        }
        go.open();
        within(waiting).await.unwrap().expect_unsupported();
        within(blocking).await.unwrap().expect_unsupported();
        within(streamed)
            .await
            .unwrap()
            .unwrap()
            .expect_unsupported();
        assert_eq!(said(caller.get_task(&id).await.task()), ["USER end"]);
        assert_eq!(agent.runs(), round + 1);
    }
}

// D37
#[tokio::test]
async fn too_many_waiting_messages_are_refused_with_a_time_to_come_back() {
    let (started, go) = (Gate::new(), Gate::new());
    let server = serve(builder(busy(&started, &go)).waiting_messages(2)).await;
    for caller in server.callers() {
        let id = caller.send_immediately("one").await.task_id();
        within(started.pass()).await;
        let sends = ["two", "three", "four"].map(|text| caller.send_to(&id, text).boxed());
        let (refused, _, others) = within(select_all(sends)).await;
        refused.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
        assert_eq!(refused.headers["retry-after"], "1");
        let details = refused.details();
        let retry = details
            .iter()
            .find(|d| d["@type"].as_str().unwrap().ends_with(".RetryInfo"));
        assert_eq!(retry.unwrap()["retryDelay"], "1s");
        go.open_for(3);
        for answer in within(join_all(others)).await {
            assert_eq!(answer.state(), "INPUT_REQUIRED");
        }
        within(started.pass()).await;
        within(started.pass()).await;
        assert_eq!(said(caller.get_task(&id).await.task()).len(), 5);
    }
}

// D37
#[tokio::test]
async fn senders_that_have_left_take_no_room_and_send_nothing() {
    let (started, go, arrived) = (Gate::new(), Gate::new(), Gate::new());
    let server = builder(busy(&started, &go)).waiting_messages(1);
    let server = serve(server.layer(arrivals(&arrived, "Send"))).await;
    let local = server.server.local();
    for caller in server.callers() {
        let id = caller.send_immediately("one").await.task_id();
        within(started.pass()).await;
        within(arrived.pass()).await;
        let mut two = Message::user("two");
        two.task_id = id.clone();
        let mut leaves = Box::pin(local.send(two));
        assert!(futures::poll!(&mut leaves).is_pending());
        within(arrived.pass()).await;
        let refused = within(caller.send_to(&id, "three")).await;
        refused.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
        within(arrived.pass()).await;
        drop(leaves);
        let stays = spawn_send_to(&caller, &id, "end");
        within(arrived.pass()).await;
        let refused = within(caller.send_to(&id, "four")).await;
        refused.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
        within(arrived.pass()).await;
        go.open();
        let answer = within(stays).await.unwrap();
        let expected = ["USER one", "AGENT after one?", "USER end"];
        assert_eq!(said(answer.task()), expected);
        let events = caller.subscribe(&id).await.unwrap();
        within(started.pass()).await;
        go.open();
        within(events.all()).await;
        let read = caller.get_task(&id).await;
        assert_eq!(read.state(), "COMPLETED");
        assert_eq!(said(read.task()), expected);
    }
}

// A2A-3.3.3-02 R102
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_messages_at_once_are_answered_by_one_run_at_a_time() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let agent = scripted({
        let counters = (Arc::clone(&running), Arc::clone(&most));
        move |request, task| {
            let (running, most) = counters.clone();
            async move {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                running.fetch_sub(1, Ordering::SeqCst);
                task.input_required(format!("after {}", request.text()))
                    .await
            }
        }
    });
    let server = serve(builder(agent.clone()).waiting_messages(100)).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send("first").await.task_id();
        let texts: Vec<String> = (0..100).map(|i| format!("message {i}")).collect();
        let sends = texts.iter().map(|text| caller.send_to(&id, text));
        for answer in within(join_all(sends)).await {
            answer.result();
        }
        let read = caller.get_task(&id).await;
        assert_eq!(read.state(), "INPUT_REQUIRED");
        let history = said(read.task());
        let mut heard = Vec::new();
        for turn in history.chunks(2) {
            let text = turn[0].strip_prefix("USER ").unwrap();
            heard.push(text.to_owned());
            // What the agent says stands right behind what it answers.
            if let Some(answer) = turn.get(1) {
                assert_eq!(*answer, format!("AGENT after {text}"));
            }
        }
        heard.sort();
        let mut texts = texts;
        texts.push("first".to_owned());
        texts.sort();
        assert_eq!(heard, texts);
        assert_eq!(agent.runs(), 101 * (round + 1));
    }
    assert_eq!(most.load(Ordering::SeqCst), 1);
    within(async {
        while server.server.live_tasks() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

// A2A-3.3.3-02
#[tokio::test]
async fn a_server_may_refuse_messages_while_the_agent_works() {
    let (started, go) = (Gate::new(), Gate::new());
    let refusing = builder(busy(&started, &go)).while_running(WhileRunning::Refuse);
    let refusing = serve(refusing).await;
    for caller in refusing.callers() {
        let id = caller.send_immediately("one").await.task_id();
        within(started.pass()).await;
        within(caller.send_to(&id, "two"))
            .await
            .expect_unsupported();
        go.open();
        let events = within(caller.subscribe(&id)).await.unwrap();
        drop(events);
    }
    let asking = scripted(|_, task| async move {
        task.input_required("?").await?;
        task.next_message().await?;
        task.complete().await
    });
    let asking = serve(builder(asking).while_running(WhileRunning::Refuse)).await;
    for caller in asking.callers() {
        let id = caller.send("one").await.task_id();
        assert_eq!(
            within(caller.send_to(&id, "two")).await.state(),
            "COMPLETED"
        );
    }
}

// A2A-7.6.1-07, A2A-3.4.3-02
#[tokio::test]
async fn a_task_that_waits_for_an_authorization_takes_messages() {
    let agent = scripted(|request, task| async move {
        match request.text().as_str() {
            "hi" => task.auth_required("mail", "sign in").await,
            text => {
                task.artifact("heard").text(text).send().await?;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send("hi").await.task_id();
        let answer = within(caller.send_to(&id, "done")).await;
        assert_eq!((answer.state(), answer.task_id()), ("COMPLETED", id));
        assert_eq!(
            said(answer.task()),
            ["USER hi", "AGENT sign in", "USER done"]
        );
        let artifacts = &answer.task()["artifacts"];
        assert_eq!(artifacts[0]["parts"], json!([{"text": "done"}]));
    }
}

// D37
#[tokio::test]
async fn an_agent_that_stops_asking_leaves_the_message_to_the_next_turn() {
    let (started, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (started.clone(), go.clone());
        move |request, task| {
            let (started, go) = gates.clone();
            async move {
                if request.text() == "two" {
                    return task.complete().await;
                }
                tokio::select! {
                    biased;
                    _ = task.next_message() => panic!("there is none"),
                    () = go.pass() => {}
                }
                started.open();
                go.pass().await;
                task.input_required("more?").await
            }
        }
    });
    let arrived = Gate::new();
    let server = serve(builder(agent.clone()).layer(arrivals(&arrived, "Send"))).await;
    for (round, caller) in server.callers().enumerate() {
        let id = caller.send_immediately("one").await.task_id();
        go.open();
        within(started.pass()).await;
        let waiting = spawn_send_to(&caller, &id, "two");
        within(arrived.pass()).await;
        within(arrived.pass()).await;
        assert_eq!(said(caller.get_task(&id).await.task()), ["USER one"]);
        go.open();
        within(waiting).await.unwrap().result();
        if let Ok(events) = caller.subscribe(&id).await {
            within(events.all()).await;
        }
        let read = caller.get_task(&id).await;
        assert_eq!(read.state(), "COMPLETED");
        assert_eq!(said(read.task()), ["USER one", "AGENT more?", "USER two"]);
        assert_eq!(agent.runs(), 2 * (round + 1));
    }
}
