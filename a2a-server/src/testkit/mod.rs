//! Helpers for tests of servers and stores (feature `testkit`). Outside the semantic versioning
//! promise.

mod faulty;

pub use faulty::{FaultyStore, Gate, StoreCall};
