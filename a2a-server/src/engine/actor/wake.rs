//! What an actor waits for, and how long it lets an agent go on speaking.

use std::time::Duration;

use super::Actor;
use crate::agent::Emission;
use crate::engine::live::Command;
use crate::give_way::give_way;

/// How many updates of an agent are stored together at most.
const BATCH: usize = 128;

/// How often others run before a few updates are stored.
const PATIENCE: u8 = 3;

/// How long an agent may go on without a pause while its readers wait.
const MOMENT: Duration = Duration::from_micros(250);

/// How many updates are not waited with.
const FEW: usize = 8;

/// What woke the actor.
pub(super) enum Wake {
    /// A command, or only a lease that has ended.
    Command(Option<Command>),
    /// So many emissions are in the buffer; none when the run is over.
    Emissions(usize),
    Cancel,
    /// The run has used up its time.
    Late,
}

impl Actor {
    pub(super) async fn wait(&mut self, emissions: &mut Vec<Emission>) -> Wake {
        let Self {
            run,
            canceling,
            live,
            deadline,
            ..
        } = self;
        let idle = run.is_none();
        let spoken = async {
            match run {
                Some(run) => run.words.next(emissions, BATCH).await,
                None => std::future::pending().await,
            }
        };
        let cancel = async {
            match canceling {
                Some(canceling) => canceling.step().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            command = live.mailbox.next() => Wake::Command(command),
            count = spoken => Wake::Emissions(count),
            () = cancel => Wake::Cancel,
            () = deadline.passed(), if !idle => Wake::Late,
        }
    }

    /// Lets an agent that says one thing after another say a few of them: they are stored and shown
    /// together.
    pub(super) async fn gather(&mut self, emissions: &mut Vec<Emission>) {
        for round in 0..=PATIENCE {
            let Some(run) = &mut self.run else { return };
            run.words
                .ready(emissions, BATCH.saturating_sub(emissions.len()));
            let over = emissions
                .last()
                .is_some_and(|said| matches!(said, Emission::Done(_)));
            if over || emissions.len() >= FEW || round == PATIENCE {
                return;
            }
            if self.live.is_read() {
                // Also agents that give way themselves say more meanwhile: what goes out to readers
                // in one piece saves them and us more than a look for I/O costs. No other thread
                // can run what waits in this way: an agent that goes on gives way, too, after a
                // moment, and when it blocks the thread all the same we are called.
                let _waiting = run.words.wait_for(MOMENT);
                tokio::select! {
                    biased;
                    () = self.shared.threads.blocked() => {}
                    () = tokio::task::yield_now() => {}
                }
            } else {
                give_way().await;
            }
        }
    }
}
