//! What a chunk of a long stream costs, by its place in the stream.
//!
//! A task streams 100,000 chunks of one artifact (2,000 with `--test`) over a loopback socket.
//! After each 1,000 the agent waits until every reading subscriber has them, so that a window has
//! all the work of its own chunks and of no others. The readers run in the same process, and what
//! they use is counted as well.

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

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_types::AgentCard;
use futures::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot};

const WINDOW: usize = 1000;

/// Subscribers that read, subscribers that open the stream and never do, and how many tasks are
/// summed up window by window: systems count CPU time in ticks that are longer than a cheap window.
const CASES: [(usize, usize, u32); 4] = [(0, 0, 100), (1, 0, 30), (1, 1, 30), (99, 1, 2)];

#[tokio::main]
async fn main() {
    let quick = std::env::args().any(|arg| arg == "--test");
    let chunks = if quick { 2 * WINDOW } else { 100 * WINDOW };
    println!("{chunks} chunks; microseconds of CPU time per chunk, readers included");
    println!("reading  silent   first  median    last  last/first  resident MiB before, after");
    for (reading, silent, tasks) in CASES {
        let tasks = if quick { 1 } else { tasks };
        let before = resident();
        let mut windows = vec![Duration::ZERO; chunks / WINDOW];
        for _ in 0..tasks {
            let task = measure(chunks, reading, silent).await;
            assert_eq!(task.len(), windows.len());
            windows
                .iter_mut()
                .zip(task)
                .for_each(|(sum, one)| *sum += one);
        }
        let mut sorted = windows.clone();
        sorted.sort_unstable();
        let cost = |window: Duration| (window / tasks).as_secs_f64() * 1e6 / WINDOW as f64;
        let (first, last) = (cost(windows[0]), cost(windows[windows.len() - 1]));
        println!(
            "{reading:>7} {silent:>7} {first:>7.2} {:>7.2} {last:>7.2} {:>11.2}  {before}, {}",
            cost(sorted[sorted.len() / 2]),
            last / first,
            resident(),
        );
    }
}

/// The CPU time of each window.
async fn measure(chunks: usize, reading: usize, silent: usize) -> Vec<Duration> {
    let progress = Arc::new(Progress {
        expected: reading,
        ..Progress::default()
    });
    let agent = Chunks {
        chunks,
        progress: Arc::clone(&progress),
    };
    let card = AgentCard::builder("Chunks", "Streams").skill("chunks", "Chunks", "Streams");
    let server = Server::builder(agent).card(card).build().unwrap();
    let bound = server.bind("127.0.0.1:0").await.unwrap();
    let address = bound.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(bound.run_until(async move {
        let _ = stopped.await;
    }));

    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let id = start(&http, address).await;
    let mut silents = Vec::new();
    for _ in 0..silent {
        silents.push(open_and_leave(address, &id).await);
    }
    let mut readers = Vec::new();
    for _ in 0..reading {
        let url = format!("http://{address}/tasks/{id}:subscribe");
        let response = http.get(url).header("a2a-version", "1.0").send().await;
        let response = response.unwrap().error_for_status().unwrap();
        readers.push(tokio::spawn(read(response, chunks, Arc::clone(&progress))));
    }
    progress.begin.notify_one();
    for reader in readers {
        reader.await.unwrap();
    }
    progress.done.notified().await;
    drop(silents);
    let _ = stop.send(());
    serving.await.unwrap().unwrap();
    std::mem::take(&mut progress.windows.lock().unwrap())
}

/// How far everybody is.
#[derive(Default)]
struct Progress {
    expected: usize,
    /// Chunks that have reached a reader, of all readers together.
    read: AtomicUsize,
    moved: Notify,
    begin: Notify,
    done: Notify,
    windows: Mutex<Vec<Duration>>,
}

struct Chunks {
    chunks: usize,
    progress: Arc<Progress>,
}

impl Agent for Chunks {
    async fn execute(&self, _: Request, task: TaskHandle) -> Result<(), AgentError> {
        let progress = &self.progress;
        progress.begin.notified().await;
        let mut start = cpu_time();
        for index in 0..self.chunks {
            let update = task.artifact("chunks").text(format!("chunk {index}"));
            let update = if index > 0 { update.append() } else { update };
            update.send().await?;
            if (index + 1) % WINDOW == 0 {
                while progress.read.load(Ordering::Acquire) < progress.expected * (index + 1) {
                    progress.moved.notified().await;
                }
                let now = cpu_time();
                let mut windows = progress.windows.lock().unwrap();
                windows.push(now.saturating_sub(start));
                start = now;
            }
        }
        task.complete().await?;
        progress.done.notify_one();
        Ok(())
    }
}

/// Begins the task and returns its id.
async fn start(http: &reqwest::Client, address: SocketAddr) -> String {
    let body = r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"go"}]},
        "configuration":{"returnImmediately":true}}"#;
    let request = http.post(format!("http://{address}/message:send"));
    let request = request.header("a2a-version", "1.0");
    let request = request.header("content-type", "application/a2a+json");
    let answer = request.body(body).send().await.unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    answer["task"]["id"].as_str().unwrap().to_owned()
}

/// Subscribes, sees that the stream has begun, and never reads again.
async fn open_and_leave(address: SocketAddr, id: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET /tasks/{id}:subscribe HTTP/1.1\r\nhost: {address}\r\na2a-version: 1.0\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
    stream
}

/// Reads a stream to its end: every chunk, in order, and the end of the task.
async fn read(response: reqwest::Response, chunks: usize, progress: Arc<Progress>) {
    let mut body = response.bytes_stream();
    let mut pending = Vec::new();
    let (mut next, mut completed) = (0, false);
    while let Some(bytes) = body.next().await {
        pending.extend_from_slice(&bytes.unwrap());
        let whole = pending.iter().rposition(|byte| *byte == b'\n');
        let rest = pending.split_off(whole.map_or(0, |end| end + 1));
        let lines = std::mem::replace(&mut pending, rest);
        let before = next;
        for line in std::str::from_utf8(&lines).unwrap().lines() {
            if let Some((_, text)) = line.split_once("\"chunk ") {
                let (index, _) = text.split_once('"').unwrap();
                assert_eq!(index.parse(), Ok(next), "out of order");
                next += 1;
            }
            completed |= line.contains("TASK_STATE_COMPLETED");
        }
        progress.read.fetch_add(next - before, Ordering::AcqRel);
        progress.moved.notify_one();
    }
    assert_eq!(next, chunks, "chunks are missing");
    assert!(completed, "the end of the task is missing");
}

/// The CPU time of all threads of this process; where the system does not tell, the time passed.
fn cpu_time() -> Duration {
    static BEGIN: Mutex<Option<Instant>> = Mutex::new(None);
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return BEGIN
            .lock()
            .unwrap()
            .get_or_insert_with(Instant::now)
            .elapsed();
    };
    let nanos = threads.flatten().filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

/// The memory of this process in MiB; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}
