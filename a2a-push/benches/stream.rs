//! What webhooks cost the stream of the task that they are about.
//!
//! The same stream is read without a webhook, with one that answers, and with one whose receiver
//! never does. `in a row` is the time for chunks that the agent sends as fast as they are taken, where
//! the deliveries compete for the processor (the receiver runs in this process, too). `at leisure` is
//! how long a chunk is under way when the agent sends one each millisecond. The cases take turns. The
//! times are the medians of all rounds, and the ratios those of the ratios within each round.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a measurement"
)]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use a2a_push::PushSender;
use a2a_push::net::Policy;
use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_types::AgentCard;
use a2a_types::push::{Forget, PushSender as _};
use a2a_types::store::Owner;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[derive(Clone, Copy, PartialEq)]
enum Case {
    None,
    Answering,
    Silent,
}

const CASES: [(Case, &str); 3] = [
    (Case::None, "none"),
    (Case::Answering, "answering"),
    (Case::Silent, "silent"),
];

/// Sends as many chunks as it is told, and when it is told to, one each millisecond.
struct Chunks(Arc<Mutex<Vec<Instant>>>);

impl Agent for Chunks {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let text = request.text();
        let (kind, count) = text.split_once(' ').unwrap();
        let mut tick = tokio::time::interval(Duration::from_millis(1));
        for number in 0..count.parse().unwrap() {
            if kind == "leisure" {
                tick.tick().await;
            }
            self.0.lock().unwrap().push(Instant::now());
            let mut chunk = task.artifact("a").text("chunk of twenty char");
            if number > 0 {
                chunk = chunk.append();
            }
            chunk.send().await?;
        }
        task.complete().await
    }
}

#[tokio::main]
async fn main() {
    let quick = std::env::args().any(|arg| arg == "--test");
    let (rounds, row, leisure) = if quick {
        (1, 200, 20)
    } else {
        (21, 20_000, 1_000)
    };
    // For the reader's HTTP client, which uses none.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let sent = Arc::new(Mutex::new(Vec::new()));
    let sender = PushSender::builder()
        .policy(Policy::loopback())
        .timeout(Duration::from_secs(3600))
        .queue_length(usize::MAX)
        .build()
        .unwrap();
    let card = AgentCard::builder("Chunks", "Streams").skill("chunks", "Chunks", "Streams");
    let server = Server::builder(Chunks(Arc::clone(&sent)))
        .card(card)
        .push_sender(Arc::new(sender.clone()))
        .build()
        .unwrap();
    let bound = server.bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", bound.address());
    tokio::spawn(bound.run());
    let hooks = Hooks {
        answering: answering().await,
        silent: silent().await,
    };
    let mut times = [[Duration::ZERO; 2]; 3].map(|kinds| kinds.map(|_| Vec::new()));
    for _ in 0..rounds {
        for (n, (case, _)) in CASES.into_iter().enumerate() {
            for (m, (kind, count)) in [("row", row), ("leisure", leisure)].into_iter().enumerate() {
                times[n][m].push(read(&url, &hooks, case, kind, count, &sent).await);
                // What is left over must not be paid by the next case.
                let owner = Owner::new("", "");
                sender.forget(Forget::Owner(&owner)).await.unwrap();
            }
        }
    }
    println!("webhooks     in a row        at leisure");
    println!("             ms     ratio    us     ratio");
    for (n, (_, name)) in CASES.into_iter().enumerate() {
        let [row, leisure] = [0, 1].map(|kind| {
            let of_case = times[n][kind].iter().map(Duration::as_secs_f64);
            let base = times[0][kind].iter().map(Duration::as_secs_f64);
            let ratios = of_case.clone().zip(base).map(|(time, base)| time / base);
            (median(of_case), median(ratios))
        });
        println!(
            "{name:<10} {:>6.1} {:>7.2} {:>7.1} {:>7.2}",
            row.0 * 1e3,
            row.1,
            leisure.0 * 1e6,
            leisure.1,
        );
    }
    let delivered = sender.metrics().delivered;
    println!("{delivered} notifications delivered meanwhile");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

struct Hooks {
    answering: String,
    silent: String,
}

/// Reads a stream: the time from the first to the last chunk, or the mean time of a chunk on its
/// way.
async fn read(
    url: &str,
    hooks: &Hooks,
    case: Case,
    kind: &str,
    count: usize,
    sent: &Mutex<Vec<Instant>>,
) -> Duration {
    sent.lock().unwrap().clear();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let message = json!({"messageId": "m", "role": "ROLE_USER",
        "parts": [{"text": format!("{kind} {count}")}]});
    let mut configuration = json!({});
    let base = match case {
        Case::None => None,
        Case::Answering => Some(&hooks.answering),
        Case::Silent => Some(&hooks.silent),
    };
    if let Some(base) = base {
        configuration["taskPushNotificationConfig"] = json!({"id": "0", "url": base});
    }
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage",
        "params": {"message": message, "configuration": configuration}});
    let request = http.post(url).header("a2a-version", "1.0");
    let request = request.header("content-type", "application/json");
    let mut response = request.body(call.to_string()).send().await.unwrap();
    let mut arrived = Vec::with_capacity(count);
    let mut line = Vec::new();
    while let Some(bytes) = response.chunk().await.unwrap() {
        let now = Instant::now();
        for byte in bytes {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            if find(&line, b"\"artifactUpdate\"") {
                arrived.push(now);
            }
            line.clear();
        }
    }
    assert_eq!(arrived.len(), count, "every chunk arrives");
    if kind == "row" {
        return arrived[count - 1] - sent.lock().unwrap()[0];
    }
    let sent = sent.lock().unwrap();
    let under_way = arrived.iter().zip(sent.iter());
    let sum: Duration = under_way.map(|(arrived, sent)| *arrived - *sent).sum();
    sum / u32::try_from(count).unwrap()
}

fn find(line: &[u8], wanted: &[u8]) -> bool {
    line.windows(wanted.len()).any(|window| window == wanted)
}

async fn answering() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let app = axum::Router::new().fallback(async || http::StatusCode::NO_CONTENT);
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

async fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while stream.read(&mut buffer).await.is_ok_and(|count| count > 0) {}
            });
        }
    });
    url
}
