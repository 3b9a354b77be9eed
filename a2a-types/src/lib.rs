//! a2a-types
