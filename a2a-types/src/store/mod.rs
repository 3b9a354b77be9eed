//! The traits behind which tasks and webhook registrations are kept.
//!
//! A store keeps, for each task, an append-only log of [`LogEntry`] values and whatever it needs to
//! answer [`TaskStore::load`] and [`TaskStore::list`] without reading that log again. Writing one
//! more event costs the same for the hundred-thousandth as for the first.
//!
//! Every call says on whose behalf it is made: a [`Scope`]. What lies outside the scope does not
//! exist for that call, so a store can never answer "forbidden" where it should answer "unknown"
//! (A2A §3.3.2, §13.1).

mod bus;
mod entry;
mod error;
mod page;
mod push;
mod scope;
mod task;

pub use bus::{Claim, EventBus, Wakeups};
pub use entry::LogEntry;
pub use error::{StoreError, StoreErrorKind};
pub use page::{Cursor, ListQuery, TaskPage};
pub use push::{PushConfigStore, PushCursor, PushPage, Registered};
pub use scope::{Owner, Scope, ScopeKind};
pub use task::{
    Append, Created, Due, Durability, IdempotencyKey, NewTask, Replay, Sharing, StoreProperties,
    StoredTask, TaskStore,
};
