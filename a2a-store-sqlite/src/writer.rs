//! The only connection that writes.
//!
//! Whoever wants to write hands in a job and waits. The writer takes all jobs that are there, runs
//! them in one transaction, and answers when it is committed: many tasks share one commit, and
//! SQLite never sees two writers. A job decides itself, inside its SQL, whether it may be done; one
//! that may not changes nothing and so undoes no other. When a job fails for any other reason the
//! transaction is undone and each of its jobs tried again in one of its own.

use std::sync::Arc;

use a2a_types::store::{StoreError, StoreErrorKind};
use async_trait::async_trait;
use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};

use crate::error::store_error;
use crate::pool::Pool;
use crate::sql::Sql;

/// How many jobs wait at most; whoever comes later waits to be let in.
const WAITING: usize = 1024;

/// How many jobs, and about how many bytes, are committed together at most.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 8 << 20;

/// What became of a job: it was done, or its own condition was against it.
pub(crate) type Outcome<T> = Result<T, StoreErrorKind>;

/// Something to write. It may be run more than once, and counts when it is committed.
#[async_trait]
pub(crate) trait Work: Send + Sync + 'static {
    type Output: Send + 'static;

    async fn run(
        &self,
        connection: &mut SqliteConnection,
        company: Company,
    ) -> Result<Outcome<Self::Output>, sqlx::Error>;

    /// Whether everything is one text of SQL, so that it can be a transaction by itself.
    fn fits_one_command(&self) -> bool {
        false
    }

    /// About how many bytes it writes.
    fn bytes(&self) -> usize {
        0
    }
}

/// Whether a job is run with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    Alone,
    Others,
}

impl Company {
    pub(crate) fn sql(self, sql: Sql) -> &'static str {
        match self {
            Self::Alone => sql.alone,
            Self::Others => sql.together,
        }
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
    let result = match jobs {
        [job] if job.fits_one_command() => job.run(connection, Company::Alone).await,
        jobs => run_together(connection, jobs).await,
    };
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
    for job in jobs {
        job.run(connection, Company::Others).await?;
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

/// A job of any kind.
#[async_trait]
trait Job: Send {
    async fn run(
        &mut self,
        connection: &mut SqliteConnection,
        company: Company,
    ) -> Result<(), sqlx::Error>;

    /// Answers with what came of it.
    fn finish(self: Box<Self>);

    fn fail(self: Box<Self>, error: StoreError);

    fn fits_one_command(&self) -> bool;

    fn bytes(&self) -> usize;
}

struct Pending<W: Work> {
    work: W,
    outcome: Option<Outcome<W::Output>>,
    reply: oneshot::Sender<Result<W::Output, StoreError>>,
}

#[async_trait]
impl<W: Work> Job for Pending<W> {
    async fn run(
        &mut self,
        connection: &mut SqliteConnection,
        company: Company,
    ) -> Result<(), sqlx::Error> {
        self.outcome = Some(self.work.run(connection, company).await?);
        Ok(())
    }

    fn finish(self: Box<Self>) {
        let outcome = self.outcome.unwrap_or(Err(StoreErrorKind::Internal));
        // A caller that has left needs no answer.
        let _ = self.reply.send(outcome.map_err(StoreError::new));
    }

    fn fail(self: Box<Self>, error: StoreError) {
        let _ = self.reply.send(Err(error));
    }

    fn fits_one_command(&self) -> bool {
        self.work.fits_one_command()
    }

    fn bytes(&self) -> usize {
        self.work.bytes()
    }
}
