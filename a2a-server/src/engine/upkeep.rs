//! What the engine does without being asked: old tasks are purged, and tasks whose run was lost,
//! with an earlier process or to a store that failed, are ended.

use std::sync::{Arc, Weak};
use std::time::Duration;

use a2a_types::store::{Durability, ListQuery, Scope, StoreError};
use a2a_types::{ErrorKind, TaskState, Timestamp};

use super::{Engine, Found, LostRuns, Shared, is_settled};

/// How many tasks are looked at in one step; other work comes in between.
const STEP: usize = 100;

/// After how long a store that failed is first tried again, and how long it is left alone at most.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

impl Engine {
    /// Ends the tasks that an earlier process left SUBMITTED or WORKING, or hands them to the agent
    /// again. Those that wait for their client stay as they are.
    pub(crate) async fn recover(&self) {
        if self.shared.store.properties().durability == Durability::Volatile {
            return;
        }
        for state in [TaskState::Submitted, TaskState::Working] {
            if let Err(error) = self.recover_in(state).await {
                let error: &dyn std::error::Error = &error;
                tracing::error!(error, "lost runs could not be looked for");
            }
        }
    }

    async fn recover_in(&self, state: TaskState) -> Result<(), StoreError> {
        let scope = Scope::__system();
        let mut query = ListQuery::new(STEP);
        query.status = Some(state);
        loop {
            let page = self.shared.store.list(&scope, &query).await?;
            for task in &page.tasks {
                // Opening such a task is what ends it, or lets it go on.
                let lost = self.shared.settings.lost_runs;
                if let Ok(Found::Live(lease)) = self.shared.find(&scope, &task.id, lost).await
                    && !is_settled(lease.state())
                {
                    tracing::info!(task_id = task.id, "the run of a task was lost");
                }
            }
            match page.next {
                Some(next) => query.after = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// Purges terminal tasks from time to time once they are older than `retention`.
    pub(crate) fn expire_after(&self, retention: Duration) {
        let shared = Arc::downgrade(&self.shared);
        let pause = (retention / 10).clamp(Duration::from_secs(1), Duration::from_secs(600));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                if !sweep(&shared, retention).await {
                    return;
                }
            }
        });
    }
}

/// Ends a task whose run was cut off by its store, as soon as the store is back. Whoever only
/// reads the task would see it at work for ever.
pub(super) fn end_when_possible(shared: &Arc<Shared>, id: Arc<str>) {
    let shared = Arc::downgrade(shared);
    tokio::spawn(async move {
        let mut pause = FIRST_PAUSE;
        while !try_to_end(&shared, &id).await {
            tokio::time::sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    });
}

/// Whether there is nothing left to do.
async fn try_to_end(shared: &Weak<Shared>, id: &str) -> bool {
    let Some(shared) = shared.upgrade().filter(|s| !s.tracker.is_closed()) else {
        return true;
    };
    match shared.find(&Scope::__system(), id, LostRuns::Fail).await {
        // Opening such a task is what ends it.
        Ok(Found::Live(lease)) => {
            let (after, turn) = lease.awaited();
            drop(shared);
            lease.settled(after, turn).await.is_ok()
        }
        Ok(Found::Settled(_)) => true,
        Err(error) => error.kind() == ErrorKind::TaskNotFound,
    }
}

/// `false` when the engine is gone.
async fn sweep(shared: &Weak<Shared>, retention: Duration) -> bool {
    let Some(now) = shared.upgrade().map(|s| s.settings.calendar.now()) else {
        return false;
    };
    let millis = i64::try_from(retention.as_millis()).unwrap_or(i64::MAX);
    let before = Timestamp::from_unix_millis(now.unix_millis().saturating_sub(millis));
    loop {
        let Some(shared) = shared.upgrade() else {
            return false;
        };
        let purged = match shared.store.expire(before, STEP).await {
            Ok(purged) => purged,
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::error!(error, "old tasks could not be purged");
                return true;
            }
        };
        if let Some(webhooks) = &shared.webhooks {
            for id in &purged {
                if let Err(error) = webhooks.forget_task(id).await {
                    let error: &dyn std::error::Error = &error;
                    tracing::error!(task_id = id, error, "webhooks of a purged task remain");
                }
            }
        }
        if purged.len() < STEP {
            return true;
        }
        tokio::task::yield_now().await;
    }
}
