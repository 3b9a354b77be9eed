//! Agent cards: made by a builder that refuses mistakes, and checked by [`lint`].
//!
//! What an agent is comes from its author. What its server offers (interfaces, capabilities,
//! security) comes from the server itself, as [`Served`]: a builder has no way to claim it.

mod builder;
mod lint;
mod rules;

pub use self::builder::{AgentCardBuilder, CardError, Served};
pub use self::lint::{Finding, Severity, lint};

/// Where a card is found on its host (A2A §8.2, §14.3).
pub const WELL_KNOWN_PATH: &str = "/.well-known/agent-card.json";

/// The `protocolBinding` of an interface that speaks JSON-RPC.
pub const JSONRPC: &str = "JSONRPC";
/// The `protocolBinding` of an interface that speaks HTTP+JSON.
pub const HTTP_JSON: &str = "HTTP+JSON";
/// The `protocolBinding` of an interface that speaks gRPC.
pub const GRPC: &str = "GRPC";
