//! a2a-push
