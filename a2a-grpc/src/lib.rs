//! gRPC (A2A §10), the third binding of the A2A (Agent2Agent) protocol 1.0, for the servers of
//! `a2a-server` and the clients of `a2a-client`.
//!
//! An agent gets it with one call, on the port that it has already. A client finds it in the
//! agent's card.
//!
#![cfg_attr(all(feature = "client", feature = "server"), doc = "```")]
#![cfg_attr(not(all(feature = "client", feature = "server")), doc = "```ignore")]
//! use a2a_client::Client;
//! use a2a_grpc::client::GrpcTransport;
//! use a2a_grpc::{Grpc, ServeGrpc};
//! use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
//! use a2a_types::{AgentCard, card::GRPC};
//!
//! struct Echo;
//!
//! impl Agent for Echo {
//!     async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
//!         task.artifact("echo").text(request.text()).send().await?;
//!         task.complete().await
//!     }
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::builder(Echo)
//!     .card(AgentCard::builder("Echo", "Repeats").skill("echo", "Echo", "Repeats"))
//!     .grpc(Grpc::new())
//!     .build()?
//!     .bind("127.0.0.1:0")
//!     .await?;
//! let address = format!("http://{}", server.address());
//! tokio::spawn(server.run());
//!
//! // JSON-RPC, HTTP+JSON and gRPC are at one address; this client wants gRPC.
//! let client = Client::builder()
//!     .with_transport(GRPC, GrpcTransport::for_interface)
//!     .with_bindings([GRPC])
//!     .connect(&address)
//!     .await?;
//! let reply = client.send_message("hi").await?;
//! assert_eq!(reply.text(), "hi");
//! # Ok(())
//! # }
//! ```
//!
//! # Serving
//!
//! [`ServeGrpc::grpc`] adds gRPC to a server: beside the other bindings on one port, in plain text
//! or over TLS; alone, with `ServerBuilder::only_mounted`; or on a port of its own, with
//! [`Grpc::own_address`]. [`GrpcService`] is for the `tonic` server of an application.
//!
//! Everything behind the codec is that of the other bindings, so that a call means the same and
//! fails alike. Errors carry `ErrorInfo`, `BadRequest` and `RetryInfo` in their details. A deadline
//! (`grpc-timeout`) ends the call, never the agent. The first message of a stream has the number
//! that the initial metadata `first-event-id` says, each later one counts one up, and
//! `SubscribeToTask` with the metadata `last-event-id` goes on after the one that is named there.
//!
//! With [`Grpc::reflection`](Grpc#method.reflection) (feature `reflection`) a tool needs nothing but
//! the address:
//!
//! ```console
//! grpcurl -plaintext -H 'a2a-version: 1.0' \
//!     -d '{"message": {"messageId": "1", "role": "ROLE_USER", "parts": [{"text": "hi"}]}}' \
//!     127.0.0.1:8080 lf.a2a.v1.A2AService/SendMessage
//! ```
//!
//! `interop/python/reflect.py` of the repository does the same with Python alone.
//!
//! # Calling
//!
//! The module `client` (feature `client`) is a transport for `a2a_client::Client`.
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `server` | the service |
//! | `client` | the transport |
//! | `health` | the health protocol beside the service |
//! | `reflection` | server reflection beside the service |
//! | `web` | gRPC-Web, for browsers |
//!
//! TLS of servers is feature `tls` of `a2a-server`. The plain service as `tonic` knows it is in
//! `a2a_service_client` and `a2a_service_server`, over the messages of `a2a-types`, for gateways and
//! tests; building needs no `protoc`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "client")]
pub mod client;
mod generated;
#[cfg(feature = "server")]
mod server;
mod status;

#[cfg(feature = "client")]
pub use generated::a2a_service_client;
#[cfg(feature = "server")]
pub use generated::a2a_service_server;
#[cfg(feature = "server")]
pub use server::{Grpc, GrpcBody, GrpcService, ServeGrpc};
pub use status::{from_status, to_status};

/// The compiled proto of the service and of what it imports, an encoded `FileDescriptorSet`.
#[cfg(feature = "server")]
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("generated/descriptor.bin");
