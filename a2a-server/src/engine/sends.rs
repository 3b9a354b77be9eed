use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::store::{IdempotencyKey, Owner};
use tokio::sync::OwnedMutexGuard;

/// What makes two sends the same one.
type Key = (Owner, String, [u8; 32]);

/// The sends whose agent has to speak before it is known whether they make a task. Of those that
/// are the same one runs at a time: the next finds what it has come to.
#[derive(Default)]
pub(super) struct Sends {
    open: Mutex<HashMap<Key, Arc<tokio::sync::Mutex<()>>>>,
}

/// The turn of one send; ends when it is dropped.
pub(super) struct Turn {
    sends: Arc<Sends>,
    key: Key,
    held: Option<OwnedMutexGuard<()>>,
}

impl Sends {
    /// Waits until no other send of this key is open.
    pub(super) async fn turn(self: &Arc<Self>, owner: &Owner, key: &IdempotencyKey) -> Turn {
        let key = (owner.clone(), key.message_id.clone(), key.digest);
        let queue = Arc::clone(self.open().entry(key.clone()).or_default());
        // Made first: whoever stops waiting tidies up as well.
        let mut turn = Turn {
            sends: Arc::clone(self),
            key,
            held: None,
        };
        turn.held = Some(queue.lock_owned().await);
        turn
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Key, Arc<tokio::sync::Mutex<()>>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut open = self.sends.open();
        self.held = None;
        // Those who wait hold it, too.
        if open
            .get(&self.key)
            .is_some_and(|queue| Arc::strong_count(queue) == 1)
        {
            open.remove(&self.key);
        }
    }
}
