//! With an outbox on disk: what was taken arrives, whatever happens to the process.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use a2a_store_sqlite::SqliteStore;
use a2a_types::push::PushOutbox;
use tempfile::TempDir;

use crate::support::{Receiver, answer, hook, quickly, send, sender, within};

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

/// Runs the test below in a process of its own, kills that, and returns what it has taken.
fn live_and_die(path: &Path, url: &str, first: usize) -> Vec<usize> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "durable::sends_until_it_is_killed",
            "--nocapture",
        ])
        .env(DATABASE, path)
        .env(URL, url)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
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
