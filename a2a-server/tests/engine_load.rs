//! The task engine with many tasks, many readers, and everything at once (A2A §3.5.2).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_server::testkit::{FaultyStore, StoreCall};
use a2a_server::{LocalClient, MemoryTaskStore, Server};
use a2a_types::operations::{CancelTask, GetTask, ListTasks, SubscribeToTask};
use a2a_types::reducer::Fold;
use a2a_types::{
    A2aError, CancelTaskRequest, ErrorKind, GetTaskRequest, ListTasksRequest, Message,
    StreamResponse, SubscribeToTaskRequest, Task, TaskState, stream_response,
};
use futures::future;
use futures::stream::{BoxStream, StreamExt};
use serde_json::json;
use support::{Scripted, builder, message, scripted, serve, serve_agent, within};
use tokio::sync::watch;

type Updates = BoxStream<'static, Result<StreamResponse, A2aError>>;

/// Says one artifact after the other, as many as the message asks for, and ends.
fn bursts() -> Scripted {
    scripted(|request, task| async move {
        let count: usize = request.text().parse()?;
        for n in 1..count {
            task.artifact("a")
                .text(n.to_string())
                .append()
                .send()
                .await?;
        }
        task.complete().await
    })
}

fn local(agent: Scripted) -> (Server, LocalClient) {
    let server = builder(agent).build().unwrap();
    let client = server.local();
    (server, client)
}

async fn read(client: &LocalClient, id: &str) -> Task {
    let request = GetTaskRequest::default().with_id(id);
    client.call::<GetTask>(request).await.unwrap()
}

async fn subscribe(client: &LocalClient, id: &str) -> Result<Updates, A2aError> {
    let request = SubscribeToTaskRequest::default().with_id(id);
    client.stream::<SubscribeToTask>(request).await
}

async fn cancel(client: &LocalClient, id: &str) -> Result<Task, A2aError> {
    let request = CancelTaskRequest::default().with_id(id);
    client.call::<CancelTask>(request).await
}

/// Sends a message and reads the first event of the answer, the task.
async fn begin(client: &LocalClient, text: &str) -> (Task, Updates) {
    let mut events = client.send_streaming(Message::user(text)).await.unwrap();
    (first(&mut events).await, events)
}

async fn first(events: &mut Updates) -> Task {
    let event = events.next().await.unwrap().unwrap();
    let Some(stream_response::Payload::Task(task)) = event.payload else {
        panic!("{event:?}")
    };
    task
}

/// What the rest of a stream makes of the task.
async fn folded(task: Task, mut rest: Updates) -> Task {
    let mut fold = Fold::from_task(task);
    while let Some(event) = rest.next().await {
        fold.push(&event.unwrap());
    }
    fold.into_parts().0.unwrap()
}

fn texts(task: &Task) -> Vec<String> {
    let parts = task.artifacts.iter().flat_map(|artifact| &artifact.parts);
    parts
        .map(|part| part.as_text().unwrap().to_owned())
        .collect()
}

fn numbers(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|n| n.to_string()).collect()
}

/// Waits until the server holds no task in memory.
async fn forgotten(server: &Server) {
    within(async {
        while server.live_tasks() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

// R016
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_event_is_lost_when_many_agents_say_everything_at_once() {
    let (server, client) = local(bursts());
    let sizes = [(1, 450), (2, 400), (10, 140), (500, 10)];
    let runs = sizes.iter().flat_map(|(size, runs)| vec![*size; *runs]);
    let runs = runs.map(|size| {
        let client = client.clone();
        tokio::spawn(async move {
            let (task, rest) = begin(&client, &size.to_string()).await;
            let task = folded(task, rest).await;
            assert_eq!(texts(&task), numbers(1..size));
            assert_eq!(task.state(), TaskState::Completed);
            assert_eq!(read(&client, &task.id).await, task);
        })
    });
    let runs: Vec<_> = runs.collect();
    for run in within(future::join_all(runs)).await {
        run.unwrap();
    }
    forgotten(&server).await;
}

// R016: a client that reads one byte at a time.
#[tokio::test]
async fn no_event_is_lost_on_a_reader_of_single_bytes() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = serve_agent(bursts()).await;
    let body = json!({"message": message("500")}).to_string();
    let head = format!(
        "POST /message:stream HTTP/1.1\r\nHost: {}\r\nA2A-Version: 1.0\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    let mut socket = tokio::net::TcpStream::connect(server.address)
        .await
        .unwrap();
    socket.write_all((head + &body).as_bytes()).await.unwrap();
    let mut text = Vec::new();
    let mut byte = [0];
    while within(socket.read(&mut byte)).await.unwrap() > 0 {
        text.push(byte[0]);
    }
    let text = String::from_utf8(text).unwrap();
    let ids = text.lines().filter_map(|line| line.strip_prefix("id: "));
    let ids = ids.filter(|id| *id != "0");
    assert_eq!(ids.collect::<Vec<_>>(), numbers(1..501));
    assert_eq!(text.matches("TASK_STATE_COMPLETED").count(), 1);
}

// R082
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_subscriber_sees_the_whole_task_whenever_it_comes() {
    const CHUNKS: usize = 100;
    const READERS: usize = 200;
    let said = Arc::new(watch::Sender::new(0));
    let joined = Arc::new(watch::Sender::new(0));
    let (heard, said_so_far) = (said.subscribe(), Arc::clone(&said));
    let joining = Arc::clone(&joined);
    let agent = scripted(move |_, task| {
        let (said, mut joined) = (Arc::clone(&said), joined.subscribe());
        async move {
            for n in 1..=CHUNKS {
                task.artifact("a")
                    .text(n.to_string())
                    .append()
                    .send()
                    .await?;
                said.send_replace(n);
                if n == CHUNKS / 2 {
                    joined.wait_for(|joined| *joined >= 50).await?;
                }
                tokio::task::yield_now().await;
            }
            task.complete().await
        }
    });
    let (server, client) = local(agent);
    // 10,000 moments in all.
    for _ in 0..50 {
        said_so_far.send_replace(0);
        joining.send_replace(0);
        let (begun, unread) = begin(&client, "go").await;
        let id = begun.id;
        let readers = (0..READERS).map(|n| {
            let (client, id, mut heard) = (client.clone(), id.clone(), heard.clone());
            let joining = Arc::clone(&joining);
            tokio::spawn(async move {
                // Spread over the life of the task; each comes at a moment of its own.
                let _ = heard.wait_for(|said| *said >= n * CHUNKS / READERS).await;
                match subscribe(&client, &id).await {
                    Ok(mut events) => {
                        let task = first(&mut events).await;
                        joining.send_modify(|joined| *joined += 1);
                        Some(folded(task, events).await)
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::UnsupportedOperation);
                        None
                    }
                }
            })
        });
        let readers: Vec<_> = readers.collect();
        let mut complete = 0;
        let seen = within(future::join_all(readers)).await;
        let task = read(&client, &id).await;
        assert_eq!(texts(&task), numbers(1..CHUNKS + 1));
        for folded in seen.into_iter().filter_map(Result::unwrap) {
            assert_eq!(folded, task);
            complete += 1;
        }
        assert!(complete >= 50);
        drop(unread);
    }
    forgotten(&server).await;
}

// R085
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_never_reads_holds_up_nobody() {
    const EVENTS: usize = 1500;
    let agent = scripted(|request, task| async move {
        task.working().await?;
        let filler = "x".repeat(if request.text() == "long" { 8 << 10 } else { 8 });
        for n in 0..EVENTS {
            task.artifact(format!("a{n}")).text(&filler).send().await?;
        }
        task.complete().await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        // More than the sockets hold, and more than the server keeps in memory for readers.
        let mut stuck = caller.stream_send("long").await;
        let first = stuck.next().await.unwrap();
        let long = first.body["task"]["id"].as_str().unwrap().to_owned();
        let sends = (0..40).map(|n| {
            let caller = caller.clone();
            async move { caller.send_immediately(&"x".repeat(n)).await.task_id() }
        });
        let tasks = within(future::join_all(sends)).await;
        let card = reqwest::get(server.url(a2a_server::CARD_PATH));
        assert_eq!(within(card).await.unwrap().status(), 200);
        for id in tasks.iter().chain([&long]) {
            within(async { while caller.get_task(id).await.state() != "COMPLETED" {} }).await;
        }
        let rest = within(stuck.all()).await;
        let ids: Vec<_> = rest.iter().map(|event| event.id.unwrap()).collect();
        assert_eq!(ids, (1..=EVENTS as u64 + 2).collect::<Vec<_>>());
        assert_eq!(rest.last().unwrap().state(), "COMPLETED");
    }
    forgotten(&server.server).await;
}

// R082: what comes between the end and its being stored comes after the end.
#[tokio::test]
async fn a_subscriber_that_comes_while_the_end_is_stored_comes_too_late() {
    let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
    let agent = scripted(|_, task| async move { task.complete().await });
    let server = builder(agent).task_store(Arc::new(store.clone())).build();
    let server = server.unwrap();
    let client = server.local();
    let mut storing = store.hold(StoreCall::Append);
    let sending = tokio::spawn({
        let client = client.clone();
        async move { client.send(Message::user("go")).await }
    });
    within(storing.arrived(1)).await;
    let list = client.call::<ListTasks>(ListTasksRequest::default()).await;
    let id = &list.unwrap().tasks[0].id;
    let mut subscribing = pin!(subscribe(&client, id));
    assert!(futures::poll!(&mut subscribing).is_pending());
    drop(storing);
    let refused = within(subscribing).await.err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::UnsupportedOperation);
    assert_eq!(read(&client, id).await.state(), TaskState::Completed);
    within(sending).await.unwrap().unwrap();
    forgotten(&server).await;
}

// R094
#[tokio::test]
async fn a_reader_that_falls_far_behind_gets_every_event() {
    let (server, client) = local(bursts());
    let (begun, slow) = begin(&client, "10000").await;
    let id = begun.id.clone();
    within(async {
        while read(&client, &id).await.state() != TaskState::Completed {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let task = within(folded(begun, slow)).await;
    assert_eq!(texts(&task), numbers(1..10_000));
    assert_eq!(task, read(&client, &id).await);
    forgotten(&server).await;
}

// R097
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_an_end_and_a_cancellation_one_wins_and_stays() {
    let (release, released) = watch::channel(-1);
    let agent = scripted(move |request, task| {
        let mut released = released.clone();
        async move {
            let round: i32 = request.text().parse()?;
            task.working().await?;
            released.wait_for(|upto| *upto >= round).await?;
            // Goes on after the end, too.
            let _ = task.artifact("a").text("result").send().await;
            let _ = task.complete().await;
            let _ = task.working().await;
            let _ = task.artifact("late").text("too late").send().await;
            Ok(())
        }
    });
    let (server, client) = local(agent);
    let mut wins = 0;
    for round in 0..1000 {
        let (begun, events) = begin(&client, &round.to_string()).await;
        let id = begun.id.clone();
        let canceling = tokio::spawn({
            let (client, id) = (client.clone(), id.clone());
            async move { cancel(&client, &id).await }
        });
        for _ in 0..round % 7 {
            tokio::task::yield_now().await;
        }
        release.send_replace(round);
        let seen = within(folded(begun, events)).await;
        let answer = within(canceling).await.unwrap();
        let task = read(&client, &id).await;
        assert_eq!(seen, task);
        match answer {
            Ok(canceled) => {
                assert_eq!(canceled, task);
                assert_eq!(task.state(), TaskState::Canceled);
                wins += 1;
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::TaskNotCancelable);
                assert_eq!(task.state(), TaskState::Completed);
                assert_eq!(texts(&task), ["result"]);
            }
        }
    }
    assert!(wins > 0);
    forgotten(&server).await;
}

// R102, D37
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn messages_that_come_together_are_answered_one_by_one() {
    let running = Arc::new(AtomicUsize::new(0));
    let agent = scripted(move |_, task| {
        let running = Arc::clone(&running);
        async move {
            assert_eq!(
                running.fetch_add(1, Ordering::SeqCst),
                0,
                "two runs at once"
            );
            task.working().await?;
            tokio::task::yield_now().await;
            assert_eq!(running.fetch_sub(1, Ordering::SeqCst), 1);
            task.input_required("more?").await
        }
    });
    let server = builder(agent.clone()).waiting_messages(100);
    let server = serve(server).await;
    for caller in server.callers() {
        let runs = agent.runs();
        let id = caller.send("first").await.task_id();
        let sends = (0..100).map(|n| {
            let (caller, id) = (caller.clone(), id.clone());
            tokio::spawn(async move {
                let message = json!({"messageId": format!("m{n}"), "taskId": id,
                    "role": "ROLE_USER", "parts": [{"text": n.to_string()}]});
                let answer = caller
                    .call("SendMessage", json!({"message": message}))
                    .await;
                assert_eq!(answer.state(), "INPUT_REQUIRED");
            })
        });
        let sends: Vec<_> = sends.collect();
        for send in within(future::join_all(sends)).await {
            send.unwrap();
        }
        assert_eq!(agent.runs(), runs + 101);
        let task = caller.get_task(&id).await;
        let said = support::said(task.task());
        let inputs: Vec<_> = said.iter().filter(|s| s.starts_with("USER")).collect();
        assert_eq!(inputs.len(), 101);
        assert_eq!(inputs.iter().collect::<BTreeSet<_>>().len(), 101);
        // The agent answered each before it saw the next.
        for pair in said.chunks(2) {
            assert!(pair[0].starts_with("USER"), "{said:?}");
            assert!(pair.get(1).is_none_or(|answer| answer == "AGENT more?"));
        }
    }
    forgotten(&server.server).await;
}

// R103
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_lost_when_everything_changes_a_task_at_once() {
    const SPEAKERS: usize = 8;
    const PIECES: usize = 100;
    let agent = scripted(|_, task| async move {
        let speakers = (0..SPEAKERS).map(|speaker| {
            let task = task.clone();
            tokio::spawn(async move {
                for piece in 0..PIECES {
                    let artifact = task.artifact(format!("a{speaker}"));
                    let text = format!("{piece}");
                    artifact.text(text).append().send().await.unwrap();
                }
            })
        });
        let speakers: Vec<_> = speakers.collect();
        for _ in 0..20 {
            task.next_message().await?;
        }
        for speaker in speakers {
            speaker.await?;
        }
        task.status(TaskState::Working)
            .message("that was it")
            .send()
            .await?;
        std::future::pending().await
    });
    let server = builder(agent).waiting_messages(20).build().unwrap();
    let client = server.local();
    for _ in 0..10 {
        let (begun, mut events) = begin(&client, "go").await;
        let id = begun.id.clone();
        let sends = (0..20).map(|n| {
            let (client, id) = (client.clone(), id.clone());
            tokio::spawn(async move {
                let message = Message::user(n.to_string()).with_task_id(id);
                client.send_streaming(message).await.map(drop)
            })
        });
        let sends: Vec<_> = sends.collect();
        for sent in within(future::join_all(sends)).await {
            sent.unwrap().unwrap();
        }
        let mut fold = Fold::from_task(begun);
        within(async {
            while fold
                .task()
                .unwrap()
                .status
                .as_ref()
                .unwrap()
                .message
                .is_none()
            {
                fold.push(&events.next().await.unwrap().unwrap());
            }
        })
        .await;
        let canceled = within(cancel(&client, &id)).await.unwrap();
        assert_eq!(canceled.state(), TaskState::Canceled);
        assert_eq!(canceled, read(&client, &id).await);
        assert_eq!(canceled.artifacts.len(), SPEAKERS);
        for artifact in &canceled.artifacts {
            let pieces = artifact.parts.iter().map(|part| part.as_text().unwrap());
            assert_eq!(pieces.collect::<Vec<_>>(), numbers(0..PIECES));
        }
        assert_eq!(canceled.artifacts, fold.task().unwrap().artifacts);
        let inputs: BTreeSet<_> = canceled.history.iter().map(Message::text).collect();
        for n in 0..20 {
            assert!(inputs.contains(&n.to_string()), "{n} is lost");
        }
    }
    forgotten(&server).await;
}
