//! a2a-server
