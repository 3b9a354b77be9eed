//! Calling agents over gRPC: a transport for [`a2a_client`].
//!
//! A client that is given [`GrpcTransport::for_interface`] speaks gRPC beside its own bindings, and
//! the order of the agent's card decides which one is used:
//!
//! ```no_run
//! # async fn run() -> Result<(), a2a_client::Error> {
//! use a2a_client::{Client, StreamExt};
//! use a2a_grpc::client::GrpcTransport;
//! use a2a_types::card::GRPC;
//!
//! let client = Client::builder()
//!     .with_transport(GRPC, GrpcTransport::for_interface)
//!     .connect("https://agent.example.com")
//!     .await?;
//!
//! let mut events = client.stream_message("Write a poem about the sea.").await?;
//! while let Some(event) = events.next().await {
//!     println!("{:?}", event?);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Options`] has what can be different: certificates for TLS and mutual TLS, PINGs, how addresses
//! without a scheme are called. Everything else is set on the client, as for the other bindings:
//! credentials, headers, extensions and versions travel as metadata, and limits, deadlines and
//! interceptors are the same.
//!
//! # What is different over gRPC
//!
//! - An agent that is not reached by its address makes the client try the next interface of the
//!   card; what a proxy answers, and an answer without a status, is no answer of the agent's.
//! - A call with one answer tells the agent its deadline (`grpc-timeout`); a stream has none.
//! - Between the events of a stream nothing travels that would show that it lives. The idle timeout
//!   of the client is therefore the time between two events;
//!   [`follow_task`](a2a_client::Client::follow_task) goes on after it.
//! - gRPC on a port of its own is another origin than the card's. Credentials go there only after
//!   [`with_trusted_origin`](a2a_client::ClientBuilder::with_trusted_origin), with `http` or `https`
//!   as the scheme.
//! - Proxies of the environment (`HTTPS_PROXY`) are not used.

mod address;
mod answer;
mod connection;
mod options;
mod tls;
mod transport;

pub use self::address::BareAddresses;
pub use self::options::Options;
pub use self::transport::GrpcTransport;
