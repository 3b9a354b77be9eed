//! The agent that `peerbench` measures: it answers on `PORT` (gRPC: on `GRPC_PORT`), keeps its tasks
//! in memory or in the SQLite database `SQLITE`, and the first word of the message says what it does
//! (`echo`, `stream K`, `streamy K`, `hold MS`).

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use a2a_grpc::{Grpc, ServeGrpc};
use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
use a2a_store_sqlite::SqliteStore;
use a2a_types::AgentCard;

struct Bench;

impl Agent for Bench {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let text = request.text();
        let (word, number) = text.split_once(' ').unwrap_or((&text, ""));
        let number = number.parse().unwrap_or(1);
        task.working().await?;
        match word {
            "stream" | "streamy" => chunks(&task, number, word == "streamy").await?,
            "hold" => tokio::time::sleep(Duration::from_millis(number)).await,
            _ => task.artifact("echo").text(text).send().await?,
        }
        task.complete().await
    }
}

async fn chunks(task: &TaskHandle, count: u64, yields: bool) -> Result<(), AgentError> {
    for i in 0..count {
        if yields {
            tokio::task::yield_now().await;
        }
        let mut chunk = task.artifact("out").text(format!("chunk {i:08} abcde"));
        if i > 0 {
            chunk = chunk.append();
        }
        if i + 1 == count {
            chunk = chunk.last_chunk();
        }
        chunk.send().await?;
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::var("PORT")?;
    let card = AgentCard::builder("Bench", "Does what the first word says")
        .skill("bench", "Bench", "Runs");
    let mut server = Server::builder(Bench).card(card);
    if let Some(path) = std::env::var_os("SQLITE") {
        server = server.task_store(Arc::new(SqliteStore::open(path).await?));
    }
    if let Ok(port) = std::env::var("GRPC_PORT") {
        let address = (Ipv4Addr::LOCALHOST, port.parse()?);
        server = server.grpc(Grpc::new().own_address(address));
    }
    server.serve(format!("127.0.0.1:{port}")).await?;
    Ok(())
}
