//! What the agent does, by the first word of the message's text.

use std::time::Duration;

use a2a_server::{Agent, AgentError, Answer, Request, TaskHandle};
use a2a_types::{A2aError, Part, TaskState};
use serde_json::json;
use tokio::time::sleep;

use crate::{itk, tck};

/// The conformance agent.
pub(crate) struct Conformance {
    /// The time between two chunks of a slow task.
    pub(crate) pace: Duration,
    /// Whether it announces a direct message and then gives none.
    pub(crate) broken: bool,
}

impl Agent for Conformance {
    async fn admit(&self, request: &Request) -> Result<Answer, A2aError> {
        Ok(if self.broken || reply_to(request).is_some() {
            Answer::Message
        } else {
            Answer::Task
        })
    }

    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        if self.broken {
            return Ok(());
        }
        if let Some(text) = reply_to(&request) {
            // A task is answered with that task, also where its next message asks for a reply.
            return match request.task().await? {
                None => task.reply(text).await,
                Some(_) => complete(&task, text).await,
            };
        }
        let id = &request.message().message_id;
        if tck::knows(id) {
            return tck::run(id, &task).await;
        }
        if let Some(part) = itk::instruction(request.message()) {
            return itk::run(part, &task).await;
        }
        let text = request.text();
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default();
        let number = words.next().and_then(|word| word.parse().ok());
        match (word, number) {
            ("ask", _) => task.input_required("What else should I know?").await,
            ("auth", _) => task.auth_required("conformance", "Who allows this?").await,
            ("reject", _) => task.reject("I would rather not.").await,
            ("fail", _) => {
                task.working().await?;
                task.fail("It did not work out.").await
            }
            ("panic", _) => {
                task.working().await?;
                explode()
            }
            ("slow", _) => {
                task.working().await?;
                chunks(&task, 1..=3, self.pace).await?;
                complete(&task, "slow done").await
            }
            ("forever", _) => {
                task.working().await?;
                chunks(&task, 1..=u64::MAX, self.pace).await
            }
            ("stream", Some(count)) => {
                task.working().await?;
                stream(&task, count).await?;
                task.complete().await
            }
            ("kinds", _) => {
                kinds(&task).await?;
                task.complete().await
            }
            _ => {
                let text = format!("echo: {text}");
                task.working().await?;
                task.artifact("echo").text(text.as_str()).send().await?;
                complete(&task, text).await
            }
        }
    }
}

/// The text of the direct message that answers, when no task is to be made.
fn reply_to(request: &Request) -> Option<String> {
    let id = &request.message().message_id;
    if tck::knows(id) {
        return tck::reply(id).map(str::to_owned);
    }
    if itk::instruction(request.message()).is_some() {
        return None;
    }
    let text = request.text();
    (text.split_whitespace().next() == Some("message")).then(|| format!("echo: {text}"))
}

pub(crate) async fn complete(task: &TaskHandle, text: impl Into<String>) -> Result<(), AgentError> {
    task.status(TaskState::Completed)
        .message(text.into())
        .send()
        .await
}

/// A chunk after each pace. A cancellation ends the run at its next step.
async fn chunks(
    task: &TaskHandle,
    numbers: std::ops::RangeInclusive<u64>,
    pace: Duration,
) -> Result<(), AgentError> {
    let last = *numbers.end();
    for number in numbers {
        sleep(pace).await;
        let mut chunk = task.artifact("slow").text(format!("chunk {number};"));
        if number > 1 {
            chunk = chunk.append();
        }
        if number == last {
            chunk = chunk.last_chunk();
        }
        chunk.send().await?;
    }
    Ok(())
}

/// Chunks of 20 bytes, back to back.
async fn stream(task: &TaskHandle, count: u64) -> Result<(), AgentError> {
    for number in 1..=count {
        let mut chunk = task
            .artifact("stream")
            .text(format!("chunk {number:08} abcde"));
        if number > 1 {
            chunk = chunk.append();
        }
        if number == count {
            chunk = chunk.last_chunk();
        }
        chunk.send().await?;
    }
    Ok(())
}

/// One part of every kind.
async fn kinds(task: &TaskHandle) -> Result<(), AgentError> {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    task.artifact("kinds")
        .part(Part::text("plain text"))
        .part(
            Part::raw(bytes)
                .with_media_type("application/octet-stream")
                .with_filename("bytes.bin"),
        )
        .part(Part::url("https://example.com/a%20b.png").with_media_type("image/png"))
        .part(Part::data(json!({"n": 1.5, "s": "ü", "l": [true, null]})))
        .send()
        .await
}

#[expect(clippy::panic, reason = "it is what the message asks for")]
fn explode() -> ! {
    panic!("asked to")
}
