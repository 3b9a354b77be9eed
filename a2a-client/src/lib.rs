//! Calls A2A (Agent2Agent) 1.0 agents.
//!
//! A [`Client`] finds an agent by its address, chooses the interface that both speak, and has a
//! method for every operation of the protocol:
//!
//! ```no_run
//! # async fn run() -> Result<(), a2a_client::Error> {
//! use a2a_client::{Client, StreamExt};
//!
//! let client = Client::connect("https://agent.example.com").await?;
//!
//! let reply = client.send_message("What is the weather in Oslo?").await?;
//! println!("{}", reply.text());
//!
//! let mut events = client.stream_message("Write a poem about it.").await?;
//! while let Some(event) = events.next().await {
//!     println!("{:?}", event?);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What it takes care of
//!
//! - **Long tasks.** [`Client::send_and_wait`] gives the finished task, whether the agent streams
//!   or has to be asked again and again. [`Client::send_and_follow`] and [`Client::follow_task`]
//!   stream what happens, across lost connections: nothing twice, nothing missing.
//! - **Ends.** A stream that was cut yields an error; one that ends without is finished.
//! - **Bad networks.** Calls that may be repeated are (see [`RetryPolicy`]); a send that can have
//!   arrived is only where the agent promises to recognize it. When an interface cannot be reached,
//!   the next one of the card is tried.
//! - **Odd peers.** Both verbs of a subscription, all content types and all known forms of errors
//!   are understood.
//! - **Hostile peers.** Everything a peer sends is bounded in size and in time.
//! - **Secrets.** Credentials go only where they belong (see [`auth`]), and are never printed.
//!
//! # Features
//!
//! - `rustls` (on by default): TLS. Without it only `http` addresses can be called, unless the
//!   client [is given](ClientBuilder::with_http_client) an HTTP client of its own.
//! - `testkit`: a server that misbehaves as told, for tests.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod auth;
mod builder;
mod call;
mod card;
mod client;
mod connect;
mod error;
mod follow;
mod interceptor;
mod invoke;
mod origin;
mod reply;
mod request;
mod retry;
mod session;
mod stream;
#[cfg(feature = "testkit")]
pub mod testkit;
mod transport;

pub use self::builder::ClientBuilder;
pub use self::call::{Streaming, Unary};
pub use self::card::{CardCache, InternalUrls};
pub use self::client::Client;
pub use self::error::{Error, Failure};
pub use self::follow::{Follow, SendAndWait};
pub use self::interceptor::{Incoming, Interceptor, Outgoing};
pub use self::reply::Reply;
pub use self::request::IntoRequest;
pub use self::retry::RetryPolicy;
pub use self::stream::EventStream;
pub use self::transport::{
    Answer, Context, Events, Received, RequestType, SubscribeVerb, Transport,
};

/// Reading streams: `events.next().await`.
pub use futures::StreamExt;
/// The headers of [`ClientBuilder::with_header`].
pub use http::{HeaderName, HeaderValue};
