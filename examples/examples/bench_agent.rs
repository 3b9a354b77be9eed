//! The agent that `peerbench` measures: it answers on `PORT`, and the first word of the message
//! says what it does (`echo`, `stream K`, `streamy K`, `hold MS`).

use std::time::Duration;

use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
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
    Server::builder(Bench)
        .card(card)
        .serve(format!("127.0.0.1:{port}"))
        .await?;
    Ok(())
}
