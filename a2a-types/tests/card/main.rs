//! The card builder refuses mistakes and lies; the lint finds what is allowed but hardly meant.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod builder;
mod lint;

use a2a_types::card::{AgentCardBuilder, lint};
use a2a_types::{AgentCard, AgentInterface, HttpAuthSecurityScheme, SecurityScheme};

fn interface(binding: &str, url: &str) -> AgentInterface {
    AgentInterface::default()
        .with_protocol_binding(binding)
        .with_url(url)
        .with_protocol_version("1.0")
}

fn hello() -> AgentCardBuilder {
    AgentCard::builder("Echo", "Repeats what it hears").skill("echo", "Echo", "Repeats")
}

fn jsonrpc() -> AgentInterface {
    interface("JSONRPC", "https://example.com/a2a")
}

fn good() -> AgentCard {
    hello().interface(jsonrpc()).build().unwrap()
}

fn bearer() -> SecurityScheme {
    HttpAuthSecurityScheme::default()
        .with_scheme("Bearer")
        .into()
}

/// The findings as `severity field`.
fn found(card: &AgentCard) -> Vec<String> {
    lint(card)
        .iter()
        .map(|f| format!("{:?} {}", f.severity, f.field))
        .collect()
}
