//! What reading a stream costs: 100,000 small events, and one of 64 MiB (1,000 and 1 MiB with
//! `--test`), against a loop that does the least with the same libraries: `reqwest` for the bytes,
//! `serde_json` for each event.
//!
//! A thread of its own serves the same bytes to everybody. Counted is the CPU time of the thread that
//! reads alone, in nanoseconds where the system tells it (Linux), else the time that has passed.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a measurement"
)]

use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use a2a_client::{Client, StreamExt as _};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{AgentCapabilities, AgentCard, AgentInterface, StreamResponse};
use serde_json::{Value, json};

const ROUNDS: usize = 5;

fn main() {
    let quick = std::env::args().any(|arg| arg == "--test");
    let (events, size) = if quick {
        (1_000, 1 << 20)
    } else {
        (100_000, 64 << 20)
    };
    // Our client brings a provider of its own; that of the loop must be there, if nobody uses it.
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    provider.install_default().unwrap();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    println!(
        "CPU time against a bare loop of reqwest and serde_json, the median of {ROUNDS} rounds"
    );
    println!(
        "{:10} {:24} {:>14} {:>14} {:>10}",
        "binding", "stream", "into Value", "into types", "µs/event"
    );
    for binding in [JSONRPC, HTTP_JSON] {
        for (name, stream, count) in [
            (
                format!("{events} events"),
                small(binding, events),
                events + 1,
            ),
            (
                format!("one of {} MiB", size >> 20),
                large(binding, size),
                1,
            ),
        ] {
            let url = serve(stream);
            let mut rounds: Vec<_> = (0..ROUNDS)
                .map(|_| {
                    [
                        measure(|| runtime.block_on(by_client(binding, &url, count))),
                        measure(|| runtime.block_on(bare(&url, count, into_value))),
                        measure(|| runtime.block_on(bare(&url, count, into_types))),
                    ]
                })
                .collect();
            let mut median = |of: fn(&[Duration; 3]) -> f64| {
                rounds.sort_by(|a, b| of(a).total_cmp(&of(b)));
                of(&rounds[ROUNDS / 2])
            };
            println!(
                "{binding:10} {name:24} {:>13.2}x {:>13.2}x {:>10.2}",
                median(|[ours, value, _]| ours.as_secs_f64() / value.as_secs_f64()),
                median(|[ours, _, types]| ours.as_secs_f64() / types.as_secs_f64()),
                median(|[ours, ..]| ours.as_secs_f64()) * 1e6 / count as f64,
            );
        }
    }
}

/// Our client, to the end of the stream.
async fn by_client(binding: &str, url: &str, count: usize) {
    let interface = AgentInterface::default()
        .with_url(url)
        .with_protocol_binding(binding)
        .with_protocol_version("1.0");
    let card = AgentCard::default()
        .with_capabilities(AgentCapabilities::default().with_streaming(true))
        .with_supported_interfaces([interface]);
    let client = Client::from_card(card).unwrap();
    let mut events = client.stream_message("go").await.unwrap();
    let mut seen = 0;
    while let Some(event) = events.next().await {
        black_box(event.unwrap());
        seen += 1;
    }
    assert_eq!(seen, count);
}

/// The same with nothing around it: no limits, no errors, one way to end a line.
async fn bare(url: &str, count: usize, decode: fn(&[u8])) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let response = client.post(url).body("go").send().await.unwrap();
    let mut chunks = response.bytes_stream();
    let mut buffer = Vec::new();
    // So far there is no end of an event.
    let mut looked = 0;
    let mut seen = 0;
    while let Some(chunk) = chunks.next().await {
        buffer.extend_from_slice(&chunk.unwrap());
        let mut start = 0;
        while let Some(end) = find(&buffer, looked.max(start)) {
            decode(buffer[start..end].strip_prefix(b"data: ").unwrap());
            seen += 1;
            start = end + 2;
        }
        buffer.drain(..start);
        looked = buffer.len().saturating_sub(1);
    }
    assert_eq!(seen, count);
}

/// Where the next empty line is.
fn find(buffer: &[u8], from: usize) -> Option<usize> {
    let at = buffer[from..].windows(2).position(|two| two == b"\n\n")?;
    Some(from + at)
}

fn into_value(event: &[u8]) {
    black_box(serde_json::from_slice::<Value>(event).unwrap());
}

fn into_types(event: &[u8]) {
    #[derive(serde::Deserialize)]
    struct Envelope {
        result: StreamResponse,
    }
    if event.starts_with(b"{\"id\"") {
        let envelope: Envelope = serde_json::from_slice(event).unwrap();
        black_box(envelope.result);
    } else {
        black_box(serde_json::from_slice::<StreamResponse>(event).unwrap());
    }
}

/// Chunks of an artifact and the end of their task.
fn small(binding: &str, events: usize) -> Vec<u8> {
    let chunk = json!({ "artifactUpdate": { "taskId": "t-1", "contextId": "c-1", "append": true,
        "artifact": { "artifactId": "a-1", "parts": [{ "text": "twenty bytes of text" }] } } });
    let mut stream = event(binding, &chunk).repeat(events);
    stream.extend(event(
        binding,
        &json!({ "statusUpdate": { "taskId": "t-1", "contextId": "c-1",
        "status": { "state": "TASK_STATE_COMPLETED" } } }),
    ));
    stream
}

/// A finished task with a long text.
fn large(binding: &str, size: usize) -> Vec<u8> {
    let task = json!({ "task": { "id": "t-1", "contextId": "c-1",
        "status": { "state": "TASK_STATE_COMPLETED" },
        "artifacts": [{ "artifactId": "a-1", "parts": [{ "text": "x".repeat(size) }] }] } });
    event(binding, &task)
}

fn event(binding: &str, message: &Value) -> Vec<u8> {
    let data = match binding {
        JSONRPC => json!({ "jsonrpc": "2.0", "id": "1", "result": message }),
        _ => message.clone(),
    };
    format!("data: {data}\n\n").into_bytes()
}

/// Serves the stream to everybody who asks for anything; its address.
fn serve(stream: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            // The request fits into one segment.
            let read = socket.read(&mut [0; 4096]).unwrap();
            assert!(read > 0);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n",
                stream.len()
            );
            socket.write_all(head.as_bytes()).unwrap();
            // Who has seen the last event may leave before the end.
            _ = socket.write_all(&stream);
        }
    });
    format!("http://{address}/")
}

fn measure(run: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    let before = cpu_time();
    run();
    match (before, cpu_time()) {
        (Some(before), Some(after)) => after - before,
        _ => begun.elapsed(),
    }
}

/// The CPU time of this thread.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}
