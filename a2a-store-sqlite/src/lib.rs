//! Tasks that survive: the SQLite store for A2A (Agent2Agent) servers.
//!
//! ```
//! use std::sync::Arc;
//!
//! use a2a_store_sqlite::SqliteStore;
//! use a2a_types::store::{NewTask, Owner, Scope, TaskStore};
//! use a2a_types::{Task, TaskState, TaskStatus, Timestamp};
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // A server takes it with `ServerBuilder::task_store(Arc::new(store.clone()))` and
//!     // `push_config_store(Arc::new(store))`. Instead of `:memory:` give it a file: `tasks.db`.
//!     let store: Arc<dyn TaskStore> = Arc::new(SqliteStore::open(":memory:").await?);
//!
//!     let status = TaskStatus::from(TaskState::Submitted).with_timestamp(Timestamp::now());
//!     let task = Task::default().with_id("1").with_status(status);
//!     let owner = Owner::new("", "alice");
//!     store.create(&owner, NewTask::new(task)).await?;
//!
//!     let stored = store.load(&Scope::owner(owner), "1").await?;
//!     assert_eq!(stored.unwrap().task.state(), TaskState::Submitted);
//!     Ok(())
//! }
//! ```
//!
//! What is promised about durability, size, backup, encryption and versions, and how the database
//! is laid out, is told in `docs/store.md` in the repository.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod builder;
mod change;
mod codec;
mod draft;
mod error;
mod lock;
mod nursery;
mod outbox;
mod pool;
mod push;
mod schema;
mod sql;
mod store;
mod tasks;
mod upkeep;
mod vault;
mod views;
mod writer;

pub use builder::{SqliteStoreBuilder, Synchronous};
pub use error::OpenError;
pub use store::SqliteStore;
#[cfg(feature = "encryption")]
pub use vault::EncryptionKey;
