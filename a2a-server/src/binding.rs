//! For crates that bring a binding of their own, as `a2a-grpc` does.
//!
//! Its codec makes an [`Incoming`](crate::Incoming) of what it has read, calls the server through
//! an [`Entrance`], and writes the [`Reply`](crate::Reply). Every rule of the protocol is behind
//! the entrance. A [`MountedBinding`] is served on the listener of the server itself.

pub use crate::codec::Entrance;
pub use crate::pipeline::{EventStream, ReplyBody, ResponseMessage, StreamItem};
pub use crate::server::{HttpAnswer, MountedBinding};
