//! The stores that come with the server. They keep everything in memory.

mod bus;
mod push_configs;
mod tasks;

pub use bus::LocalEventBus;
pub use push_configs::MemoryPushConfigStore;
pub use tasks::MemoryTaskStore;
