//! The only connection that writes.
//!
//! Whoever wants to write hands in a job and waits. The writer takes all jobs that are there, runs
//! them in one transaction, and answers when it is committed: many tasks share one commit, and
//! SQLite never sees two writers. Jobs of one kind are rows of one statement. When a job refuses to be
//! done, because the task has moved on, that statement alone is undone, and its jobs are tried one by
//! one; when a job fails for any other reason the whole transaction is undone, and each of its jobs
//! tried again in one of its own.
//!
//! sqlx runs SQLite on a thread of the connection and sends what every statement answers back from
//! there. Going to that thread and back costs as much as a small statement: hence few statements.

use std::sync::Arc;

use a2a_types::store::{StoreError, StoreErrorKind};
use async_trait::async_trait;
use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};

use crate::error::store_error;
use crate::pool::Pool;
use crate::views::{Row, insert, refusal};

/// How many jobs wait at most; whoever comes later waits to be let in.
const WAITING: usize = 1024;

/// How many jobs, and about how many bytes, are committed together at most.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 8 << 20;

/// How many rows a statement has: few sizes, so that their statements stay prepared.
const SIZES: [usize; 4] = [8, 4, 2, 1];

/// What became of a job: it was done, or its own condition was against it.
pub(crate) type Outcome<T> = Result<T, StoreErrorKind>;

/// Something to write. It may be run more than once, and counts when it is committed.
#[async_trait]
pub(crate) trait Work: Send + Sync + 'static {
    type Output: Send + 'static;

    /// Does the work in a transaction that may be shared.
    async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Outcome<Self::Output>, sqlx::Error>;

    /// Whether `run` is one statement, and so a transaction by itself.
    fn is_one_statement(&self) -> bool {
        false
    }

    /// All of the work as a row for a view.
    fn row(&self) -> Option<Row> {
        None
    }

    /// What comes of the row unless it is refused.
    fn accepted(&self) -> Option<Self::Output> {
        None
    }

    /// About how many bytes it writes.
    fn bytes(&self) -> usize {
        0
    }
}

/// Hands jobs to the writer.
#[derive(Debug)]
pub(crate) struct Writer {
    messages: mpsc::Sender<Message>,
}

enum Message {
    Job(Box<dyn Job>),
    Close(oneshot::Sender<()>),
}

impl Writer {
    /// Starts the writer. `on_end` is dropped when it has ended and its connection is closed.
    pub(crate) fn start(pool: Arc<Pool>, readers: Arc<Pool>, on_end: impl Send + 'static) -> Self {
        let (messages, receiver) = mpsc::channel(WAITING);
        tokio::spawn(async move {
            let closed = serve(receiver, &pool).await;
            readers.close().await;
            pool.close().await;
            drop(on_end);
            if let Some(closed) = closed {
                let _ = closed.send(());
            }
        });
        Self { messages }
    }

    /// Has the work done, and waits until it is committed.
    pub(crate) async fn run<W: Work>(&self, work: W) -> Result<W::Output, StoreError> {
        let (reply, answer) = oneshot::channel();
        let job = Pending {
            work,
            outcome: None,
            reply,
        };
        let gone = || StoreError::with_source(StoreErrorKind::Unavailable, "the store is closed");
        let message = Message::Job(Box::new(job));
        self.messages.send(message).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Ends the writer after the jobs that are waiting, and waits for its end.
    pub(crate) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if self.messages.send(Message::Close(reply)).await.is_ok() {
            let _ = closed.await;
        }
        // Another one closes it just now.
        self.messages.closed().await;
    }
}

async fn serve(
    mut messages: mpsc::Receiver<Message>,
    pool: &Arc<Pool>,
) -> Option<oneshot::Sender<()>> {
    let mut received = Vec::new();
    let mut jobs: Vec<Box<dyn Job>> = Vec::new();
    let mut closed = None;
    while messages.recv_many(&mut received, BATCH).await > 0 {
        for message in received.drain(..) {
            match message {
                Message::Job(job) => jobs.push(job),
                Message::Close(reply) => {
                    messages.close();
                    closed.get_or_insert(reply);
                }
            }
        }
        while !jobs.is_empty() {
            let mut bytes = 0;
            let fitting = jobs.iter().take_while(|job| {
                let fits = bytes < BATCH_BYTES;
                bytes += job.bytes();
                fits
            });
            let fitting = fitting.count();
            let rest = jobs.split_off(fitting);
            commit(pool, std::mem::replace(&mut jobs, rest)).await;
        }
    }
    closed
}

/// Runs jobs in one transaction, and answers them.
async fn commit(pool: &Arc<Pool>, mut jobs: Vec<Box<dyn Job>>) {
    let mut connection = match pool.take().await {
        Ok(connection) => connection,
        Err(error) => {
            let error = store_error(error);
            return jobs.into_iter().for_each(|job| job.fail(error.clone()));
        }
    };
    match transact(&mut connection, &mut jobs).await {
        Ok(()) => jobs.into_iter().for_each(Job::finish),
        Err(error) if jobs.len() == 1 => {
            let error = store_error(error);
            jobs.into_iter().for_each(|job| job.fail(error.clone()));
        }
        Err(_) => {
            for job in jobs {
                let mut job = [job];
                let result = transact(&mut connection, &mut job).await;
                let [job] = job;
                match result {
                    Ok(()) => job.finish(),
                    Err(error) => job.fail(store_error(error)),
                }
            }
        }
    }
}

async fn transact(
    connection: &mut SqliteConnection,
    jobs: &mut [Box<dyn Job>],
) -> Result<(), sqlx::Error> {
    if let [job] = jobs {
        if let Some(row) = job.row() {
            match insert(connection, vec![row]).await {
                Ok(()) => {
                    job.accept();
                    return Ok(());
                }
                Err(error) if refusal(&error).is_some() => {}
                Err(error) => return Err(error),
            }
        } else if job.is_one_statement() {
            return job.run(connection).await;
        }
    }
    let result = run_together(connection, jobs).await;
    if result.is_err() {
        // When the failure has ended the transaction already there is none to undo.
        let _ = sqlx::raw_sql("ROLLBACK").execute(connection).await;
    }
    result
}

async fn run_together(
    connection: &mut SqliteConnection,
    jobs: &mut [Box<dyn Job>],
) -> Result<(), sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut *connection)
        .await?;
    let mut rows: Vec<(Row, &mut Box<dyn Job>)> = Vec::new();
    for job in jobs {
        match job.row() {
            Some(row) => rows.push((row, job)),
            None => job.run(connection).await?,
        }
    }
    // What is done at the same time has no order that anybody could know.
    rows.sort_by_key(|(row, _)| row.view);
    let mut rows = rows.as_mut_slice();
    while let Some((first, _)) = rows.first() {
        let view = first.view;
        let same = rows.iter().take_while(|(row, _)| row.view == view).count();
        let size = SIZES.into_iter().find(|size| *size <= same).unwrap_or(1);
        let (some, rest) = rows.split_at_mut(size);
        rows = rest;
        let values = some.iter_mut().map(|(row, _)| std::mem::take(row));
        match insert(connection, values.collect()).await {
            Ok(()) => some.iter_mut().for_each(|(_, job)| job.accept()),
            Err(error) if refusal(&error).is_some() => {
                for (_, job) in some {
                    job.run(connection).await?;
                }
            }
            Err(error) => return Err(error),
        }
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

/// A job of any kind.
#[async_trait]
trait Job: Send {
    async fn run(&mut self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error>;

    fn row(&self) -> Option<Row>;

    /// The row is written.
    fn accept(&mut self);

    /// Answers with what came of it.
    fn finish(self: Box<Self>);

    fn fail(self: Box<Self>, error: StoreError);

    fn is_one_statement(&self) -> bool;

    fn bytes(&self) -> usize;
}

struct Pending<W: Work> {
    work: W,
    outcome: Option<Outcome<W::Output>>,
    reply: oneshot::Sender<Result<W::Output, StoreError>>,
}

#[async_trait]
impl<W: Work> Job for Pending<W> {
    async fn run(&mut self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        self.outcome = Some(self.work.run(connection).await?);
        Ok(())
    }

    fn row(&self) -> Option<Row> {
        self.work.row()
    }

    fn accept(&mut self) {
        self.outcome = self.work.accepted().map(Ok);
    }

    fn finish(self: Box<Self>) {
        let outcome = self.outcome.unwrap_or(Err(StoreErrorKind::Internal));
        // A caller that has left needs no answer.
        let _ = self.reply.send(outcome.map_err(StoreError::new));
    }

    fn fail(self: Box<Self>, error: StoreError) {
        let _ = self.reply.send(Err(error));
    }

    fn is_one_statement(&self) -> bool {
        self.work.is_one_statement()
    }

    fn bytes(&self) -> usize {
        self.work.bytes()
    }
}
