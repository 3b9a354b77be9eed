//! The smallest agent: it repeats what it hears.

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
    let card = AgentCard::builder("Echo", "Repeats what it hears").skill(
        "echo",
        "Echo",
        "Repeats the message",
    );
    let server = Server::builder(Echo).card(card).build()?;
    let server = server.bind(format!("127.0.0.1:{port}")).await?;
    println!(
        "{}\n{}",
        server.card_url(),
        include_str!("hello.curl").replace("PORT", &port)
    );
    Ok(server.run().await?)
}
