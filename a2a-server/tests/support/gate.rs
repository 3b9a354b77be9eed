use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

/// A place where one side waits for the other: an agent for its test, or the test for its agent.
/// Each opening lets one through, whoever comes first.
#[derive(Clone)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    pub fn open(&self) {
        self.open_for(1);
    }

    pub fn open_for(&self, count: usize) {
        self.0.add_permits(count);
    }

    pub async fn pass(&self) {
        self.0.acquire().await.unwrap().forget();
    }
}

/// Waits, but not for ever: a test that would hang fails.
pub async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), future)
        .await
        .expect("nothing happened for 10 seconds")
}
