//! A process that is killed while it writes loses nothing that it has acknowledged.
//!
//! The process is this test binary itself. It writes many tasks at once and tells of each
//! acknowledged append; it is killed with SIGKILL after a random time, and what it told is compared
//! with what the next process finds. 20 times, or as often as `A2A_KILLS` says.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use a2a_store_sqlite::SqliteStore;
use a2a_types::store::{Due, Scope, TaskStore};
use a2a_types::{Message, Part, TaskState};

use crate::support::{Database, Writer, chunk, connect, input, number, status, task};

/// Tasks that are written at the same time.
const TASKS: usize = 24;

/// Every so many chunks a message comes, and at last the end.
const MESSAGE: u64 = 7;
const END: u64 = 60;

#[tokio::test(flavor = "multi_thread")]
async fn killed_process_loses_nothing_that_it_acknowledged() {
    let kills = std::env::var("A2A_KILLS").ok();
    let kills: u64 = kills.map_or(20, |kills| kills.parse().unwrap());
    let database = Database::new();
    let mut random = std::process::id();
    let mut acknowledged = 0;
    for round in 0..kills {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let life = Duration::from_millis(u64::from(random >> 24));
        let told = write_and_kill(&database.path(), round, life);
        let store = database.open().await;
        for (id, revision) in &told {
            check(&store, id, *revision).await;
        }
        acknowledged += told.values().sum::<u64>();
        store.close().await;
    }
    assert!(
        acknowledged > kills,
        "{acknowledged} appends in {kills} lives"
    );
    let mut connection = connect(&database.path()).await;
    let ids = sqlx::query("SELECT id FROM tasks")
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let store = database.open().await;
    for row in &ids {
        check(&store, sqlx::Row::get(row, 0), 0).await;
    }
    let sound = sqlx::query("PRAGMA integrity_check")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(sqlx::Row::get::<&str, _>(&sound, 0), "ok");
    let drift = "SELECT count(*) FROM (SELECT tenant, owner, state, count(*) AS n FROM tasks \
        GROUP BY 1, 2, 3) AS t FULL JOIN (SELECT * FROM counts WHERE tasks > 0) AS c \
        USING (tenant, owner, state) WHERE t.n IS NOT c.tasks";
    assert_eq!(number(&mut connection, drift).await, 0);
}

/// The revision that each task is known to have had.
fn write_and_kill(path: &Path, round: u64, life: Duration) -> HashMap<String, u64> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::write_until_killed", "--nocapture"])
        .env("A2A_WRITE", path)
        .env("A2A_ROUND", round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // It is under load from its first word on.
    let ready = lines.by_ref().any(|line| line.unwrap().ends_with("ready"));
    assert!(ready, "the process has begun");
    std::thread::sleep(life);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut told = HashMap::new();
    for line in lines.map_while(Result::ok) {
        // The last line may be cut off.
        if let Some((id, revision)) = line.strip_suffix(';').and_then(|line| line.split_once(' ')) {
            told.insert(id.to_owned(), revision.parse().unwrap());
        }
    }
    told
}

/// The task has what was acknowledged, and is what its log says.
async fn check(store: &SqliteStore, id: &str, acknowledged: u64) {
    let stored = store.load(&Scope::__system(), id).await.unwrap();
    let stored = stored.unwrap_or_else(|| panic!("{id} is gone"));
    let revision = stored.revision;
    assert!(
        revision >= acknowledged,
        "{id}: {acknowledged} acknowledged, {revision} there"
    );
    let inputs = (1..=revision).filter(|n| *n != END && n % MESSAGE == 0);
    let chunks = (1..=revision).filter(|n| *n != END && n % MESSAGE != 0);
    let history = stored.task.history.iter().map(Message::text);
    assert!(history.eq(inputs.map(|n| n.to_string())), "{id}");
    let parts = stored
        .task
        .artifacts
        .iter()
        .flat_map(|artifact| &artifact.parts);
    let texts = parts.filter_map(Part::as_text).map(str::to_owned);
    assert!(texts.eq(chunks.clone().map(|n| n.to_string())), "{id}");
    let ended = revision >= END;
    assert_eq!(
        stored.sequence,
        chunks.count() as u64 + u64::from(ended),
        "{id}"
    );
    assert_eq!(stored.task.state().is_terminal(), ended, "{id}");
    let log = store
        .events(&Scope::__system(), id, 0, usize::MAX)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(log.len() as u64, stored.sequence, "{id}");
}

/// Does nothing but in the process that the test above starts.
#[tokio::test(flavor = "multi_thread")]
async fn write_until_killed() {
    let Some(path) = std::env::var_os("A2A_WRITE") else {
        return;
    };
    let round = std::env::var("A2A_ROUND").unwrap();
    let store = SqliteStore::open(path).await.unwrap();
    say("ready");
    let write = |n: usize| {
        let (store, round) = (store.clone(), round.clone());
        async move {
            for serial in 0.. {
                let id = format!("{round}-{n}-{serial}");
                // Every other task is known from its first entry on.
                let due = if serial % 2 == 0 {
                    Due::Now
                } else {
                    Due::FirstAppend
                };
                let mut writer = Writer::create_due(&store, task(&id, 0), due).await;
                if due == Due::Now {
                    say(&format!("{id} 0;"));
                }
                for next in 1..=END {
                    let event = match next {
                        END => status(TaskState::Completed, 1),
                        _ if next % MESSAGE == 0 => input(&next.to_string()),
                        _ => chunk(next.to_string()),
                    };
                    writer.write([event]).await.unwrap();
                    say(&format!("{id} {next};"));
                }
            }
        }
    };
    let writers: Vec<_> = (0..TASKS).map(|n| tokio::spawn(write(n))).collect();
    for writer in writers {
        writer.await.unwrap();
    }
}

/// One whole line.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody listens any more: the end is near.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
