//! What the agent does for the messages of the protocol's compatibility kit, which tell it by the
//! prefix of their id. The same ids come again and again with different messages.

use std::time::Duration;

use a2a_server::{AgentError, TaskHandle};
use a2a_types::Part;
use serde_json::json;
use tokio::time::sleep;

use crate::agent::complete;

const RESUBSCRIBE: &str = "test-resubscribe-message-id";

/// Whether the id decides, and not the text.
pub(crate) fn knows(id: &str) -> bool {
    id.starts_with("tck-") || id.starts_with(RESUBSCRIBE)
}

/// The text of the direct message that answers, when no task is to be made.
pub(crate) fn reply(id: &str) -> Option<&'static str> {
    id.starts_with("tck-message-response")
        .then_some("Direct message response")
}

/// The script of an id. Longer prefixes come before those that they begin with.
pub(crate) async fn run(id: &str, task: &TaskHandle) -> Result<(), AgentError> {
    let is = |prefix| id.starts_with(prefix);
    if is("tck-complete-task") {
        return complete(task, "Hello from TCK").await;
    }
    if is("tck-input-required") {
        return task.input_required("More input is needed").await;
    }
    if is("tck-reject-task") {
        return task.reject("Rejected").await;
    }
    if is("tck-stream-002") {
        return task.complete().await;
    }
    if is("tck-artifact-text") {
        artifact(task, Part::text("Generated text content")).await?;
    } else if is("tck-artifact-file-url") {
        artifact(task, file(Part::url("https://example.com/output.txt"))).await?;
    } else if is("tck-artifact-file") {
        artifact(task, file(Part::raw("Generated file content"))).await?;
    } else if is("tck-artifact-data") {
        artifact(task, Part::data(json!({"key": "value", "count": 42}))).await?;
    } else if is("tck-stream-artifact-file") {
        task.working().await?;
        artifact(task, file(Part::raw("Streamed file content"))).await?;
    } else if is("tck-stream-artifact-chunked") {
        task.working().await?;
        artifact(task, Part::text("chunk-1 ")).await?;
        task.artifact(ARTIFACT)
            .text("chunk-2")
            .append()
            .last_chunk()
            .send()
            .await?;
    } else if is("tck-stream-") {
        task.working().await?;
        artifact(task, Part::text("Streamed text content")).await?;
    } else if is(RESUBSCRIBE) {
        task.working().await?;
        sleep(Duration::from_secs(4)).await;
    }
    complete(task, "Done").await
}

const ARTIFACT: &str = "tck-artifact";

async fn artifact(task: &TaskHandle, part: Part) -> Result<(), AgentError> {
    task.artifact(ARTIFACT).part(part).send().await
}

fn file(part: Part) -> Part {
    part.with_filename("output.txt")
        .with_media_type("text/plain")
}
