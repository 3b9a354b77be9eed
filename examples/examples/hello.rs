//! The smallest agent: it repeats what it hears.
#![allow(clippy::print_stdout)] // It tells where it is.

use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_types::AgentCard;

struct Echo;

impl Agent for Echo {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        task.working().await?;
        task.artifact("echo").text(request.text()).send().await?;
        task.complete().await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::var("PORT").unwrap_or_else(|_| "8080".into());
    let card = AgentCard::builder("Echo", "Repeats what it hears");
    let card = card.skill("echo", "Echo", "Repeats the message");
    let server = Server::builder(Echo).card(card).build()?;
    let server = server.bind(format!("127.0.0.1:{port}")).await?;
    let curl = include_str!("hello.curl").replace("PORT", &port);
    println!("{}\n{curl}", server.card_url());
    Ok(server.run().await?)
}
