//! Several servers over one store: each task is written by one of them, and read by all.

use std::sync::Arc;
use std::time::Duration;

use a2a_types::store::{Claim, EventBus, Scope, StoredTask};
use a2a_types::{A2aError, ErrorKind};

use super::{Cursor, Engine, Found, Shared, store_error};

/// How long a command waits, step by step, for a task that another server is about to let go.
const PAUSES: [Duration; 4] = [
    Duration::from_millis(10),
    Duration::from_millis(20),
    Duration::from_millis(40),
    Duration::from_millis(80),
];

impl Engine {
    /// Whether other servers may write the tasks of the store.
    pub(crate) fn bus(&self) -> Option<&Arc<dyn EventBus>> {
        self.shared.bus.as_ref()
    }

    /// Finds the task to do something with it, which only the server can that has claimed it.
    pub(crate) async fn find(&self, scope: &Scope, id: &str) -> Result<Found, A2aError> {
        let mut pauses = PAUSES.iter();
        loop {
            let found = self.shared.look(scope, id).await;
            let elsewhere = self.shared.bus.is_some()
                && found
                    .as_ref()
                    .is_err_and(|e| e.kind() == ErrorKind::Unavailable);
            match pauses.next() {
                Some(pause) if elsewhere => tokio::time::sleep(*pause).await,
                _ => return found,
            }
        }
    }

    /// Finds the task to read its log from now on. One that ends at this moment is found when it
    /// has ended.
    pub(crate) async fn find_to_follow(&self, scope: &Scope, id: &str) -> Result<Found, A2aError> {
        loop {
            match self.find(scope, id).await? {
                Found::Live(lease) if !lease.follow().await => {}
                found => return Ok(found),
            }
        }
    }

    /// The task, and a cursor that reads on from `after` or else from the task as it is now,
    /// whoever writes it.
    pub(crate) async fn follow(
        &self,
        bus: &Arc<dyn EventBus>,
        scope: &Scope,
        id: &str,
        after: Option<u64>,
    ) -> Result<(StoredTask, Cursor), A2aError> {
        // A run that nobody has any more is ended by whoever finds it.
        match self.shared.look(scope, id).await {
            Err(error) if error.kind() != ErrorKind::Unavailable => return Err(error),
            _ => {}
        }
        let wakeups = bus.subscribe(id).await.map_err(store_error)?;
        let store = Arc::clone(&self.shared.store);
        let stored = store.load(scope, id).await.map_err(store_error)?;
        let stored = stored.ok_or_else(|| A2aError::task_not_found(id))?;
        let after = after.unwrap_or(stored.sequence);
        let ending = self.shared.ending.clone();
        let cursor = Cursor::shared(id.to_owned(), store, scope.clone(), after, wakeups, ending);
        Ok((stored, cursor))
    }
}

impl Shared {
    /// The right to write the task. `None` where there are no other servers.
    pub(super) async fn claim(&self, id: &str) -> Result<Option<Claim>, A2aError> {
        let Some(bus) = &self.bus else {
            return Ok(None);
        };
        match bus.claim(id).await.map_err(store_error)? {
            Some(claim) => Ok(Some(claim)),
            None => Err(elsewhere()),
        }
    }
}

/// Another server has the task.
fn elsewhere() -> A2aError {
    let text = "another server of this agent works on the task";
    A2aError::new(ErrorKind::Unavailable, text).with_retry_after(Duration::from_secs(1))
}
