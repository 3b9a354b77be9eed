//! What the store costs: a chunk early and late in a task, a page early and late in a list, and the
//! same in memory.
//!
//! Absolute times say more about the machine than about the code: compare the lines of one run.

#![allow(missing_docs, clippy::unwrap_used, reason = "a measurement")]

use std::sync::Arc;

use a2a_server::MemoryTaskStore;
use a2a_store_sqlite::SqliteStore;
use a2a_types::reducer::TaskEvent;
use a2a_types::store::{Append, Cursor, ListQuery, LogEntry, NewTask, Owner, Scope, TaskStore};
use a2a_types::{
    Artifact, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus, TaskStatusUpdateEvent,
    Timestamp,
};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// How many tasks the lists have, and how many a page.
const TASKS: u64 = 50_000;
const PAGE: usize = 50;

criterion_group!(store, chunks, pages, lives);
criterion_main!(store);

fn owner() -> Owner {
    Owner::new("", "alice")
}

fn scope() -> Scope {
    Scope::owner(owner())
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_unix_millis(1_750_000_000_000 + i64::try_from(millis).unwrap())
}

fn task(id: &str, millis: u64) -> Task {
    let status = TaskStatus::from(TaskState::Submitted).with_timestamp(at(millis));
    Task::default()
        .with_id(id)
        .with_context_id(id)
        .with_status(status)
}

fn chunk(sequence: u64) -> Arc<LogEntry> {
    let text = format!("chunk {sequence:08} abcde");
    let event = TaskArtifactUpdateEvent::default()
        .with_task_id("task")
        .with_context_id("context")
        .with_artifact(Artifact::new("out", [text]))
        .with_append(true);
    Arc::new(LogEntry::new(sequence, TaskEvent::Artifact(event)))
}

fn stores(runtime: &Runtime, folder: &TempDir) -> [(&'static str, Arc<dyn TaskStore>); 2] {
    let file = folder.path().join("bench.db");
    let sqlite = runtime.block_on(SqliteStore::open(file)).unwrap();
    [
        ("memory", Arc::new(MemoryTaskStore::new())),
        ("sqlite", Arc::new(sqlite)),
    ]
}

/// Batches of 128 chunks, and single ones, at the begin and after 100,000 chunks.
fn chunks(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("append");
    group.sample_size(20);
    for (after, size) in [(0, 1), (100_000, 1), (0, 128), (100_000, 128)] {
        let folder = TempDir::new().unwrap();
        for (name, store) in stores(&runtime, &folder) {
            let mut revision = 0;
            let mut write = |size: u64| {
                let entries: Vec<_> = (revision + 1..=revision + size).map(chunk).collect();
                let append = Append::new(revision, &entries);
                runtime
                    .block_on(store.append(&scope(), "t", append))
                    .unwrap();
                revision += size;
            };
            runtime
                .block_on(store.create(&owner(), NewTask::new(task("t", 0))))
                .unwrap();
            for _ in 0..after / 1000 {
                write(1000);
            }
            let id = BenchmarkId::new(format!("{name}, {size} at once"), after);
            group.bench_function(id, |bencher| bencher.iter(|| write(size)));
        }
    }
    group.finish();
}

/// Pages at the begin of a long list and far into it.
fn pages(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let folder = TempDir::new().unwrap();
    let mut group = criterion.benchmark_group("page");
    for (name, store) in stores(&runtime, &folder) {
        runtime.block_on(async {
            let mut jobs = Vec::new();
            for n in 0..TASKS {
                let store = Arc::clone(&store);
                jobs.push(tokio::spawn(async move {
                    let new = NewTask::new(task(&format!("{n:08}"), n));
                    store.create(&owner(), new).await.unwrap();
                }));
            }
            for job in jobs {
                job.await.unwrap();
            }
        });
        for page in [1, 900] {
            let skipped = (page - 1) * PAGE as u64;
            let mut query = ListQuery::new(PAGE);
            query.after = (skipped > 0).then(|| Cursor {
                timestamp: at(TASKS - skipped),
                id: format!("{:08}", TASKS - skipped),
            });
            group.bench_function(BenchmarkId::new(name, page), |bencher| {
                bencher.iter(|| runtime.block_on(store.list(&scope(), &query)).unwrap());
            });
        }
    }
    group.finish();
}

/// A task from its creation to its end, read once: what a message to a quick agent costs the store.
fn lives(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let folder = TempDir::new().unwrap();
    let mut group = criterion.benchmark_group("life");
    let mut n = 0;
    for (name, store) in stores(&runtime, &folder) {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                n += 1;
                let id = format!("{n:08}");
                let status = |state| {
                    let status = TaskStatus::from(state).with_timestamp(at(n));
                    TaskEvent::Status(TaskStatusUpdateEvent::default().with_status(status))
                };
                let entries = [
                    Arc::new(LogEntry::new(1, status(TaskState::Working))),
                    chunk(2),
                    Arc::new(LogEntry::new(3, status(TaskState::Completed))),
                ];
                runtime.block_on(async {
                    store
                        .create(&owner(), NewTask::new(task(&id, n)))
                        .await
                        .unwrap();
                    let append = Append::new(0, &entries);
                    store.append(&scope(), &id, append).await.unwrap();
                    store.load(&scope(), &id).await.unwrap()
                })
            });
        });
    }
    group.finish();
}
