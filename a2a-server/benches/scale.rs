//! What readers, idle tasks, idle streams and tasks at work cost, by how many there are.
//!
//! Everything is in one process and without sockets, so that 10,000 readers fit into it. `--test`
//! runs small numbers of everything.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a measurement"
)]

use std::sync::Arc;
use std::time::Duration;

use a2a_server::{Agent, AgentError, Limits, LocalClient, Request, Server, TaskHandle};
use a2a_types::operations::{SendMessage, SubscribeToTask};
use a2a_types::send_message_response::Payload;
use a2a_types::{
    A2aError, AgentCard, Message, SendMessageConfiguration, SendMessageRequest, StreamResponse,
    SubscribeToTaskRequest,
};
use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::sync::Semaphore;

type Events = BoxStream<'static, Result<StreamResponse, A2aError>>;

/// Asks for input, or says as many chunks as the message wants once it may.
struct Chunks {
    go: Arc<Semaphore>,
}

impl Agent for Chunks {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let Ok(count) = request.text().parse::<usize>() else {
            return task.input_required("more?").await;
        };
        task.working().await?;
        self.go.acquire().await?.forget();
        for index in 0..count {
            let chunk = task.artifact("chunks").text(format!("chunk {index}"));
            chunk.append().send().await?;
        }
        task.complete().await
    }
}

fn server() -> (Server, LocalClient, Arc<Semaphore>) {
    let go = Arc::new(Semaphore::new(0));
    let agent = Chunks {
        go: Arc::clone(&go),
    };
    let card = AgentCard::builder("Chunks", "Streams").skill("chunks", "Chunks", "Streams");
    let limits = Limits::default().with_streams(100_000);
    let server = Server::builder(agent).card(card).limits(limits);
    let server = server.build().unwrap();
    let client = server.local();
    (server, client, go)
}

#[tokio::main]
async fn main() {
    let quick = std::env::args().any(|arg| arg == "--test");
    let scale = if quick { 100 } else { 1 };
    // First, while no memory has been used and given back.
    idle(10_000 / scale).await;
    readers(scale).await;
    working(scale).await;
}

/// One task and its readers: CPU time for each event and reader.
async fn readers(scale: usize) {
    println!("readers  events  microseconds of CPU time per event and reader");
    for (readers, events) in [(1, 100_000), (100, 10_000), (10_000, 200)] {
        let (readers, events) = ((readers / scale).max(1), (events / scale).max(2));
        let (_server, client, go) = server();
        let id = begin(&client, &events.to_string()).await;
        let mut reading = Vec::new();
        for _ in 0..readers {
            let stream = subscribe(&client, &id).await;
            reading.push(tokio::spawn(drain(stream)));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        let start = cpu_time();
        go.add_permits(1);
        for reader in reading {
            // A snapshot, perhaps the status before it, the chunks, the end.
            assert!(reader.await.unwrap() >= events + 2, "events are missing");
        }
        let spent = cpu_time().saturating_sub(start).as_secs_f64() * 1e6;
        println!(
            "{readers:>7}  {events:>6}  {:.3}",
            spent / (events * readers) as f64
        );
    }
}

/// Tasks that wait for their client, and streams of them: memory for each.
async fn idle(count: usize) {
    let (server, client, _go) = server();
    let mut ids = Vec::with_capacity(count);
    begin(&client, "wait").await;
    let before = resident();
    for _ in 0..count {
        ids.push(begin(&client, "wait").await);
    }
    while server.live_tasks() > 0 {
        tokio::task::yield_now().await;
    }
    let tasks = resident();
    let mut streams = Vec::with_capacity(count);
    for id in &ids {
        let mut stream = subscribe(&client, id).await;
        stream.next().await.unwrap().unwrap();
        streams.push(stream);
    }
    let open = resident();
    let each = |from: u64, to: u64| to.saturating_sub(from) * 1024 / count as u64;
    println!("{count} idle tasks: {} bytes each", each(before, tasks));
    println!("{count} idle streams: {} bytes each", each(tasks, open));
}

/// Tasks at work at the same time, each with a reader: CPU time for each task.
async fn working(scale: usize) {
    println!("tasks at once  microseconds of CPU time per task of 10 events, with its stream");
    for count in [100, 1_000, 10_000] {
        let count = (count / scale).max(1);
        let (server, client, go) = server();
        let mut reading = Vec::with_capacity(count);
        let start = cpu_time();
        for _ in 0..count {
            let stream = client.send_streaming(Message::user("10")).await.unwrap();
            reading.push(tokio::spawn(drain(stream)));
        }
        assert_eq!(server.live_tasks(), count);
        go.add_permits(count);
        for reader in reading {
            assert_eq!(reader.await.unwrap(), 13);
        }
        let spent = cpu_time().saturating_sub(start).as_secs_f64() * 1e6;
        println!("{count:>13}  {:.1}", spent / count as f64);
    }
}

/// Begins a task without waiting for it; returns its id.
async fn begin(client: &LocalClient, text: &str) -> String {
    let configuration = SendMessageConfiguration::default().with_return_immediately(true);
    let request = SendMessageRequest::new(Message::user(text)).with_configuration(configuration);
    let answer = client.call::<SendMessage>(request).await.unwrap();
    let Some(Payload::Task(task)) = answer.payload else {
        panic!("no task")
    };
    task.id
}

async fn subscribe(client: &LocalClient, id: &str) -> Events {
    let request = SubscribeToTaskRequest::default().with_id(id);
    client.stream::<SubscribeToTask>(request).await.unwrap()
}

async fn drain(mut stream: Events) -> usize {
    let mut count = 0;
    while let Some(event) = stream.next().await {
        event.unwrap();
        count += 1;
    }
    count
}

/// The CPU time of this process; the time passed where the system does not tell.
fn cpu_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return BEGIN.get_or_init(Instant::now).elapsed();
    };
    let nanos = threads.flatten().filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

/// The memory of this process in KiB; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default()
}
