//! The stores that come with the server. They keep everything in memory.

mod push_configs;
mod tasks;

pub use push_configs::MemoryPushConfigStore;
pub use tasks::MemoryTaskStore;
