//! a2a-store-sqlite
