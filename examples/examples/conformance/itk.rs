//! What the agent does for the messages of the interop kit: a part of such a message holds an
//! instruction, which may send the agent on to other agents, over a binding of the kit's choice.

mod call;
mod instruction;

use std::time::Duration;

use a2a_server::{AgentError, TaskHandle};
use a2a_types::{Message, Part, TaskState};
use tokio::time::sleep;

pub(crate) use self::instruction::MEDIA_TYPE;
use self::instruction::{Instruction, Step};
use crate::agent::complete;

/// How the agent says that a task which it holds has its result.
const FINISHED: &str = "task-finished";

/// How often a held task says that it is still there, and how long after the last time.
const TICKS: u32 = 5;
const TICK: Duration = Duration::from_secs(2);

/// The part that tells what to do, if there is one.
pub(crate) fn instruction(message: &Message) -> Option<&Part> {
    message.parts.iter().find(|part| instruction::is_in(part))
}

/// Does it step by step; the results become the status message, one a line.
pub(crate) async fn run(part: &Part, task: &TaskHandle) -> Result<(), AgentError> {
    task.working().await?;
    let instruction = match instruction::read(part) {
        Ok(instruction) => instruction,
        Err(error) => return task.fail(error.to_string()).await,
    };
    match follow(&instruction).await {
        Ok(results) if instruction.holds() => hold(task, results.join("\n")).await,
        Ok(results) => complete(task, results.join("\n")).await,
        Err(error) => task.fail(error.to_string()).await,
    }
}

/// The results of an instruction.
async fn follow(instruction: &Instruction) -> Result<Vec<String>, StepError> {
    match &instruction.step {
        Some(Step::CallAgent(call)) => call::run(call).await,
        Some(Step::ReturnResponse(response)) => Ok(vec![response.response.clone()]),
        Some(Step::Steps(steps)) => {
            let mut results = Vec::new();
            for step in &steps.instructions {
                results.extend(Box::pin(follow(step)).await?);
            }
            Ok(results)
        }
        None => Err("an instruction says nothing".into()),
    }
}

/// Says the results, stays around for those who subscribe, and completes with them. A cancellation
/// ends the run at its next step.
async fn hold(task: &TaskHandle, results: String) -> Result<(), AgentError> {
    let text = format!("{results}\n{FINISHED}");
    task.status(TaskState::Working)
        .message(text.as_str())
        .send()
        .await?;
    for _ in 0..TICKS {
        sleep(TICK).await;
        task.working().await?;
    }
    complete(task, text).await
}

/// Why a step cannot be done.
type StepError = Box<dyn std::error::Error + Send + Sync>;
