//! Agent cards: made by a builder that refuses mistakes, and checked by [`lint`].
//!
//! What an agent is comes from its author. What its server offers (interfaces, capabilities,
//! security) comes from the server itself, as [`Served`]: a builder has no way to claim it.

mod builder;
mod lint;
mod rules;

pub use self::builder::{AgentCardBuilder, CardError, Served};
pub use self::lint::{Finding, Severity, lint};
