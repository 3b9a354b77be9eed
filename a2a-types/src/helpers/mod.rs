//! Constructors and accessors beside the generated types, which stay as the proto has them.

mod artifact;
mod message;
mod part;
mod security;
mod task;
