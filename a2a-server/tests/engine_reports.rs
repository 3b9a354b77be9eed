//! Faults that users of other servers have reported, and that must not be here.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use a2a_server::auth::StaticBearer;
use a2a_server::testkit::{self, FaultyStore, StoreCall};
use a2a_server::{AgentError, MemoryTaskStore};
use a2a_types::Timestamp;
use a2a_types::store::{Scope, StoreErrorKind, TaskStore};
use serde_json::{Value, json};
use support::{
    Caller, Events, Gate, Scripted, TestServer, Wire, briefs, builder, message, scripted, serve,
    serve_agent, within,
};

fn first_id(events: &[support::Event]) -> String {
    events[0].body["task"]["id"].as_str().unwrap().to_owned()
}

// R012
#[tokio::test]
async fn an_agent_that_fails_in_a_stream_fails_the_task_before_the_stream_ends() {
    let agent = scripted(|request, task| async move {
        task.working().await?;
        task.artifact("a").text("half").send().await?;
        match request.text().as_str() {
            // A message where there is a task already (A2A §3.1.1).
            "reply" => task.reply("hello").await,
            "error" => Err(AgentError::new("no more")),
            _ => panic!("no more"),
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        for text in ["reply", "error", "panic"] {
            let events = within(caller.stream_send(text).await.all()).await;
            let expected = [
                "task SUBMITTED",
                "statusUpdate WORKING",
                "artifactUpdate",
                "statusUpdate FAILED",
            ];
            assert_eq!(briefs(&events, 1), expected, "{text}");
            let read = caller.get_task(&first_id(&events)).await;
            assert_eq!(read.state(), "FAILED");
            assert_eq!(read.task()["artifacts"][0]["parts"][0]["text"], "half");
        }
    }
}

// R013
#[tokio::test]
async fn each_binding_wraps_the_events_of_a_stream_in_its_own_way() {
    let agent = scripted(|_, task| async move { task.reply("hello").await });
    let agent = agent.answering(a2a_server::Answer::Message);
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let request = caller.request("SendStreamingMessage", json!({"message": message("hi")}));
        let answer = request.send().await.unwrap();
        let text = within(answer.text()).await.unwrap();
        let data: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .collect();
        assert_eq!(data.len(), 1, "{text}");
        let item: Value = serde_json::from_str(data[0]).unwrap();
        let members: Vec<&String> = item.as_object().unwrap().keys().collect();
        match caller.wire {
            Wire::JsonRpc => {
                assert_eq!(members, ["id", "jsonrpc", "result"]);
                assert_eq!(item["result"]["message"]["parts"][0]["text"], "hello");
            }
            Wire::Rest => {
                assert_eq!(members, ["message"]);
                assert_eq!(item["message"]["parts"][0]["text"], "hello");
            }
        }
    }
}

// R083
#[tokio::test]
async fn a_subscription_has_one_answer_for_each_kind_of_task() {
    let agent = Scripted::obedient();
    let known = StaticBearer::new([("a", "alice"), ("b", "bob")]);
    let server = builder(agent).authenticator(known);
    let server = serve(server.resend_window(Duration::ZERO)).await;
    for caller in server.callers() {
        let (alice, bob) = (caller.clone().bearer("a"), caller.bearer("b"));
        let ended = alice.task_in("COMPLETED").await;
        let refused = alice.subscribe(&ended).await.err().unwrap();
        refused.expect_unsupported();
        let dormant = alice.task_in("INPUT_REQUIRED").await;
        for id in ["unknown", &dormant, &ended] {
            let refused = bob.subscribe(id).await.err().unwrap();
            refused.expect_task_not_found();
        }
        let mut events = alice.subscribe(&dormant).await.unwrap();
        let mut seen = vec![within(events.next()).await.unwrap()];
        assert_eq!(
            alice.send_to(&dormant, "COMPLETED").await.state(),
            "COMPLETED"
        );
        seen.extend(within(events.all()).await);
        let expected = ["task INPUT_REQUIRED", "statusUpdate COMPLETED"];
        assert_eq!(briefs(&seen, 2), expected);
    }
}

// R105
#[tokio::test]
async fn what_is_read_is_a_copy() {
    let agent = scripted(|_, task| async move { task.input_required("more?").await });
    let store = Arc::new(MemoryTaskStore::new());
    let server = serve(builder(agent).task_store(store.clone())).await;
    for caller in server.callers() {
        let id = caller.send("one").await.task_id();
        caller.send_to(&id, "two").await.result();
        let scope = Scope::__system();
        let before = store.load(&scope, &id).await.unwrap().unwrap().task;
        for length in [0, 1, 100] {
            let params = json!({"id": id, "historyLength": length});
            caller.call("GetTask", params.clone()).await.result();
            let list = json!({"historyLength": length, "includeArtifacts": false});
            caller.call("ListTasks", list).await.result();
            let mut more = message("three");
            more["taskId"] = id.clone().into();
            more["contextId"] = "another".into();
            let refused = json!({"message": more, "configuration": {"historyLength": length}});
            assert!(caller.call("SendMessage", refused).await.is_error());
        }
        let after = store.load(&scope, &id).await.unwrap().unwrap().task;
        assert_eq!(after, before);
        // Not even the one value that everybody shares was touched.
        assert!(Arc::ptr_eq(&after, &before));
    }
}

/// Opens a stream and reads nothing of it but the beginning of its answer.
async fn asleep(server: &TestServer, wire: Wire, text: &str) -> tokio::net::TcpStream {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let message = message(text);
    let (path, body) = match wire {
        Wire::Rest => ("/message:stream", json!({"message": message})),
        Wire::JsonRpc => (
            "/",
            json!({"jsonrpc": "2.0", "id": "t-1", "method": "SendStreamingMessage",
                   "params": {"message": message}}),
        ),
    };
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nA2A-Version: 1.0\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    let mut socket = tokio::net::TcpStream::connect(server.address)
        .await
        .unwrap();
    socket.write_all((head + &body).as_bytes()).await.unwrap();
    let mut status = [0; 12];
    within(socket.read_exact(&mut status)).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
    socket
}

// R085, R094: longer asleep than the logs of ended tasks are kept.
#[tokio::test]
async fn a_reader_that_slept_while_hundreds_of_tasks_ended_gets_what_its_task_came_to() {
    use tokio::io::AsyncReadExt;
    const EVENTS: usize = 3000;
    let agent = scripted(|request, task| async move {
        if request.text() == "long" {
            let filler = "x".repeat(8 << 10);
            for n in 0..EVENTS {
                task.artifact(format!("a{}", n % 10))
                    .text(&filler)
                    .send()
                    .await?;
            }
        }
        task.complete().await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut socket = asleep(&server, caller.wire, "long").await;
        let long = within(async {
            loop {
                let list = caller.call("ListTasks", json!({"pageSize": 1})).await;
                let task = &list.result()["tasks"][0];
                if task["status"]["state"] == "TASK_STATE_COMPLETED" {
                    return task["id"].as_str().unwrap().to_owned();
                }
            }
        })
        .await;
        for _ in 0..300 {
            // Somebody follows it: its log is kept for a while, too.
            within(caller.stream_send("short").await.all()).await;
        }
        let mut text = Vec::new();
        within(socket.read_to_end(&mut text)).await.unwrap();
        let text = String::from_utf8_lossy(&text);
        let last = text
            .lines()
            .rfind(|line| line.starts_with("data: "))
            .unwrap();
        let last: Value = serde_json::from_str(last.strip_prefix("data: ").unwrap()).unwrap();
        let task = match caller.wire {
            Wire::JsonRpc => &last["result"]["task"],
            Wire::Rest => &last["task"],
        };
        let read = caller.get_task(&long).await;
        assert!(task == read.task(), "not what the task came to");
        // It was far behind, so that this shows something.
        assert!(text.matches("artifactUpdate").count() < EVENTS);
    }
}

// R106
#[tokio::test]
async fn every_event_that_a_client_sees_can_be_read_from_the_store() {
    let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
    store.delay(StoreCall::Append, Duration::from_millis(2));
    let agent = scripted(|_, task| async move {
        for n in 0..20 {
            task.artifact("a")
                .text(n.to_string())
                .append()
                .send()
                .await?;
        }
        task.complete().await
    });
    let server = serve(builder(agent).task_store(Arc::new(store.clone()))).await;
    for caller in server.callers() {
        let mut events = caller.stream_send("hi").await;
        let id = within(events.next()).await.unwrap().body["task"]["id"].clone();
        let mut shown = 0;
        while let Some(event) = within(events.next()).await {
            let read = caller.get_task(id.as_str().unwrap()).await;
            let parts = &read.task()["artifacts"][0]["parts"];
            if event.kind() == "artifactUpdate" {
                shown += 1;
                assert!(parts.as_array().unwrap().len() >= shown);
            } else {
                assert_eq!(read.state(), event.state());
            }
        }
        assert_eq!(shown, 20);
    }
    // Another server has written to the task, which must never happen.
    store.fail_next(StoreCall::Append, StoreErrorKind::Conflict);
    let caller = server.caller(Wire::Rest);
    let answer = within(caller.send("hi")).await;
    answer.expect_error(-32603, 500, "INTERNAL", None);
}

// Terminal tasks are purged when their time is over, however many there are; others stay.
#[tokio::test]
async fn old_tasks_are_not_found_any_more() {
    tokio::time::pause();
    let hour = Duration::from_secs(3600);
    let builder = testkit::server(Scripted::obedient())
        .retention(hour)
        .timestamps_from(Timestamp::from_unix_millis(0));
    let server = serve(builder).await;
    for caller in server.callers() {
        let waiting = caller.send("INPUT_REQUIRED").await.task_id();
        let mut old = Vec::new();
        for _ in 0..130 {
            old.push(caller.send("COMPLETED").await.task_id());
        }
        tokio::time::sleep(hour / 2).await;
        let young = caller.send("FAILED").await.task_id();
        tokio::time::sleep(hour / 2 + hour / 5).await;
        for id in &old {
            not_found(&caller, id).await;
        }
        assert_eq!(caller.get_task(&young).await.state(), "FAILED");
        assert_eq!(caller.get_task(&waiting).await.state(), "INPUT_REQUIRED");
        assert_eq!(
            caller.send_to(&waiting, "COMPLETED").await.state(),
            "COMPLETED"
        );
        tokio::time::sleep(hour * 2).await;
        not_found(&caller, &young).await;
        not_found(&caller, &waiting).await;
        assert_eq!(caller.count().await, 0);
    }
}

async fn not_found(caller: &Caller, id: &str) {
    for answer in [
        caller.get_task(id).await,
        caller.cancel(id).await,
        caller.send_to(id, "hi").await,
        caller.subscribe(id).await.err().unwrap(),
    ] {
        answer.expect_task_not_found();
    }
}

// Streams on which nothing happens show that they are alive.
#[tokio::test]
async fn an_idle_stream_sends_keep_alives() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                go.pass().await;
                task.complete().await
            }
        }
    });
    let server = serve(builder(agent).keep_alive(Duration::from_millis(20))).await;
    for caller in server.callers() {
        let mut sent = caller.stream_send("hi").await;
        let id = first_id(&[within(sent.next()).await.unwrap()]);
        let mut subscribed = caller.subscribe(&id).await.unwrap();
        within(subscribed.next()).await.unwrap();
        within(sent.next()).await.unwrap();
        let alive = |mut events: Events| async move {
            within(events.quiet(3)).await;
            events
        };
        let (sent, subscribed) = (alive(sent).await, alive(subscribed).await);
        go.open();
        for events in [sent, subscribed] {
            let rest = within(events.all()).await;
            assert_eq!(rest.last().unwrap().state(), "COMPLETED");
        }
    }
}

// R142: what is stored of a chunk is the chunk, and its JSON is made once for all who read it.
#[tokio::test]
async fn a_late_chunk_is_stored_as_small_as_an_early_one() {
    const CHUNKS: usize = 2000;
    let agent = scripted(|_, task| async move {
        for _ in 0..CHUNKS {
            let chunk = task.artifact("a").text("x".repeat(100));
            chunk.append().send().await?;
        }
        task.complete().await
    });
    let store = Arc::new(MemoryTaskStore::new());
    let server = serve(builder(agent).task_store(store.clone())).await;
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        assert_eq!(events.len(), CHUNKS + 2);
        let read = || async {
            let (scope, id) = (Scope::__system(), first_id(&events));
            let log = store.events(&scope, &id, 0, usize::MAX).await;
            log.unwrap().unwrap()
        };
        let (one, other) = (read().await, read().await);
        assert_eq!(one[1].json().len(), one[CHUNKS - 1].json().len());
        for (one, other) in one.iter().zip(&other) {
            assert!(Arc::ptr_eq(one, other));
            assert_eq!(one.json().as_ptr(), other.json().as_ptr());
        }
    }
}
