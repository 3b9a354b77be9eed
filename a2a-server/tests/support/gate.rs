use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use a2a_server::Incoming;
use tokio::sync::Semaphore;
use tower::util::MapRequestLayer;

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
    tokio::time::timeout(Duration::from_secs(60), future)
        .await
        .expect("nothing happened for a minute")
}

/// Opens the gate for each call that arrives of the operations whose names begin so. On a runtime
/// of one thread, whoever has passed the gate knows that the call has got as far as it can without
/// waiting.
pub fn arrivals(
    gate: &Gate,
    operation: &'static str,
) -> MapRequestLayer<impl Fn(Incoming) -> Incoming + Clone + Send + Sync + 'static> {
    let gate = gate.clone();
    MapRequestLayer::new(move |incoming: Incoming| {
        if incoming
            .operation()
            .is_some_and(|name| name.starts_with(operation))
        {
            gate.open();
        }
        incoming
    })
}
