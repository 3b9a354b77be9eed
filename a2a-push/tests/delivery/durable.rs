//! With an outbox on disk: what was taken arrives, whatever happens to the process.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use a2a_store_sqlite::SqliteStore;
use a2a_types::push::PushOutbox;
use a2a_types::store::{Scope, TaskStore};
use serde_json::json;
use tempfile::TempDir;

use crate::server::{Agents, Wire};
use crate::support::{Receiver, Request, answer, hook, quickly, send, sender, within};

const KILLS: usize = 5;

/// How many notifications a process has taken when it is killed, at least.
const LIFE: usize = 40;

/// What the process in between is told.
const DATABASE: &str = "A2A_PUSH_DATABASE";
const URL: &str = "A2A_PUSH_URL";
const FIRST: &str = "A2A_PUSH_FIRST";

async fn open(path: &Path) -> Arc<dyn PushOutbox> {
    Arc::new(SqliteStore::open(path).await.unwrap())
}

// A2A-4.3.3-08, R121: at least once and in order, also across the kills.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_processes_lose_nothing_that_they_have_taken() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a2a.db");
    let mut receiver = Receiver::start().await;
    receiver.answer(vec![answer(503); 10]);
    let mut taken = Vec::new();
    for round in 0..KILLS {
        let (path, url) = (path.clone(), receiver.url("/hook"));
        let life = tokio::task::spawn_blocking(move || live_and_die(&path, &url, round * 100_000));
        taken.extend(within(life).await.unwrap());
    }
    assert!(taken.len() >= KILLS * LIFE);
    let sender = sender()
        .retry(quickly().with_attempts(1000))
        .outbox(open(&path).await)
        .build()
        .unwrap();
    // The last one, which proves that all before it have arrived.
    send(&sender, &[hook("a", &receiver.url("/hook"))], [usize::MAX]).await;
    let mut arrived = Vec::new();
    while arrived.last() != Some(&usize::MAX) {
        let number = receiver.next().await.number();
        // A repetition comes before anything newer does.
        if arrived.last() != Some(&number) {
            arrived.push(number);
        }
    }
    assert!(arrived.is_sorted(), "{arrived:?}");
    for number in taken {
        assert!(arrived.binary_search(&number).is_ok(), "{number} is lost");
    }
    assert_eq!(sender.health().await.unwrap().dead_letters, 0);
}

/// Runs a test of this file in a process of its own.
fn run(test: &str, path: &Path, url: &str, first: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(DATABASE, path)
        .env(URL, url)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the test below, kills its process, and returns what it has taken.
fn live_and_die(path: &Path, url: &str, first: usize) -> Vec<usize> {
    let mut child = run("durable::sends_until_it_is_killed", path, url, first);
    let mut taken = Vec::new();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in lines.map_while(Result::ok) {
        if let Some(number) = line.strip_prefix("taken ") {
            taken.push(number.parse().unwrap());
        }
        if taken.len() == LIFE {
            // SIGKILL, in the middle of whatever it does. What it has said till then counts, too.
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    taken
}

/// Does nothing but in the process that is to be killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_until_it_is_killed() {
    let Ok(path) = std::env::var(DATABASE) else {
        return;
    };
    let first: usize = std::env::var(FIRST).unwrap().parse().unwrap();
    let sender = sender()
        .retry(quickly().with_attempts(1000))
        .outbox(open(Path::new(&path)).await)
        .build()
        .unwrap();
    let hook = hook("a", &std::env::var(URL).unwrap());
    for number in first.. {
        send(&sender, std::slice::from_ref(&hook), [number]).await;
        println!("taken {number}");
    }
}

// A2A-4.3.3-08, B3: an event and what is told of it are stored together, or neither is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_servers_tell_all_that_they_have_stored_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a2a.db");
    let mut receiver = Receiver::start().await;
    let mut told: BTreeMap<String, Vec<Request>> = BTreeMap::new();
    for round in 0..KILLS {
        let url = receiver.url("/hook");
        let mut child = run("durable::serves_until_it_is_killed", &path, &url, round);
        for _ in 0..LIFE {
            keep(&mut told, receiver.next().await);
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let store = Arc::new(SqliteStore::open(&path).await.unwrap());
    let sender = sender().outbox(store.clone()).build().unwrap();
    within(sender.flush()).await;
    while store.status().await.unwrap().waiting > 0 {
        keep(&mut told, receiver.next().await);
    }
    while let Some(request) = receiver.waiting() {
        keep(&mut told, request);
    }
    assert_eq!(told.len(), KILLS);
    for (task, requests) in told {
        let all = Scope::__system();
        let log = store.events(&all, &task, 0, usize::MAX).await;
        let log = log.unwrap().unwrap();
        let stored = log.iter().filter(|entry| entry.is_visible());
        let stored = stored.map(|entry| entry.json().clone());
        let told: Vec<_> = requests.into_iter().map(|request| request.body).collect();
        assert!(told[0].starts_with(b"{\"task\":"), "{task}");
        assert!(stored.eq(told.into_iter().skip(1)), "{task}");
    }
}

/// Sorts a notification to its task, unless it is the same as the one before.
fn keep(told: &mut BTreeMap<String, Vec<Request>>, request: Request) {
    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
    let inner = body.as_object().unwrap().values().next().unwrap();
    let task = inner.get("taskId").or(inner.get("id")).unwrap();
    let of_task = told.entry(task.as_str().unwrap().to_owned()).or_default();
    if of_task.last().is_none_or(|last| last.id() != request.id()) {
        of_task.push(request);
    }
}

/// Does nothing but in the process that is to be killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serves_until_it_is_killed() {
    let Ok(path) = std::env::var(DATABASE) else {
        return;
    };
    let store = Arc::new(SqliteStore::open(path).await.unwrap());
    let sender = sender().outbox(store.clone()).build().unwrap();
    let agents = Agents::with(sender, |server| {
        server.task_store(store.clone()).push_config_store(store)
    })
    .await;
    let config = json!({"url": std::env::var(URL).unwrap(),
        "id": std::env::var(FIRST).unwrap()});
    agents
        .send(Wire::Rest, "Immediately", "1000000", config)
        .await;
    loop {
        agents.steps.add_permits(1);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
