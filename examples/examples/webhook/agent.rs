//! The side that sends.

use std::error::Error;
use std::sync::Arc;

use a2a_push::PushSender;
use a2a_push::net::Policy;
use a2a_push::sign::{Jwt, KeyRing, SigningKey};
use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_types::AgentCard;
use axum::Router;

struct Translator;

impl Agent for Translator {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        task.working().await?;
        let loud = request.text().to_uppercase();
        task.artifact("translation").text(loud).send().await?;
        task.complete().await
    }
}

/// The agent, and the keys by which its notifications are verified.
pub(crate) fn app(url: &str) -> Result<Router, Box<dyn Error>> {
    // A real one keeps its key: `SigningKey::es256(&std::fs::read("key.pem")?)`.
    let keys = KeyRing::new(SigningKey::generate()?);
    let sender = PushSender::builder()
        // Here both sides are on one machine. Without this line only public addresses are called,
        // and only by https.
        .policy(Policy::loopback())
        .signer(Jwt::new(keys.clone()).with_issuer(url))
        .build()?;
    let card = AgentCard::builder("Translator", "Says it louder");
    let server = Server::builder(Translator)
        .card(card.skill("loud", "Loud", "Translates into capitals"))
        .public_url(url)
        .push_sender(Arc::new(sender))
        .build()?;
    Ok(server.router()?.merge(keys.router()))
}
