//! The outbox in memory does what every outbox does.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

use std::sync::Arc;

use a2a_push::MemoryOutbox;
use a2a_types::push::PushOutbox;
use a2a_types::testkit::Subject;

async fn make() -> Subject<dyn PushOutbox> {
    Subject::new(Arc::new(MemoryOutbox::new()))
}

a2a_types::push_outbox_suite!(make);
