//! An agent whose tasks survive: kill it while it streams, start it again, and ask for the task.
//!
//! It writes a word a second. Tasks and webhooks are kept in `DATABASE` (`durable.db`), it listens
//! on `PORT` (8080).
#![allow(clippy::print_stdout)] // It tells where it is.

use std::sync::Arc;
use std::time::Duration;

use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_store_sqlite::SqliteStore;
use a2a_types::AgentCard;

struct Slow;

impl Agent for Slow {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        task.working().await?;
        for (index, word) in request.text().split_whitespace().enumerate() {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let chunk = task.artifact("words").text(format!("{word} "));
            let chunk = if index > 0 { chunk.append() } else { chunk };
            chunk.send().await?;
        }
        task.complete().await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::var("PORT").unwrap_or_else(|_| "8080".into());
    let path = std::env::var("DATABASE").unwrap_or_else(|_| "durable.db".into());
    let store = Arc::new(SqliteStore::open(&path).await?);
    let card = AgentCard::builder("Slow", "Repeats what it hears, a word a second");
    let card = card.skill("slow", "Slow", "Repeats the message slowly");
    let server = Server::builder(Slow)
        .card(card)
        .task_store(store.clone())
        .push_config_store(store)
        .build()?;
    let server = server.bind(format!("127.0.0.1:{port}")).await?;
    println!("{} keeps its tasks in {path}", server.card_url());
    Ok(server.run().await?)
}
