//! The behaviours of a task store, by topic.

pub(super) mod append;
pub(super) mod concurrency;
pub(super) mod content;
pub(super) mod create;
pub(super) mod events;
pub(super) mod filters;
pub(super) mod idempotency;
pub(super) mod listing;
pub(super) mod paging;
pub(super) mod purging;
pub(super) mod scopes;
