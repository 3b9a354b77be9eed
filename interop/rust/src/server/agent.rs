//! What the agent does, by the first word of the message's text.

use std::{sync::Arc, time::Duration};

use a2a::{
    A2AError, Artifact, Message, Part, Role, StreamResponse, Task, TaskArtifactUpdateEvent,
    TaskState, TaskStatus, TaskStatusUpdateEvent, error_code,
};
use a2a_server::{AgentExecutor, ExecutorContext};
use futures::{
    StreamExt,
    channel::mpsc::{UnboundedSender, unbounded},
    future::ready,
    stream::{self, BoxStream},
};
use serde_json::json;

use crate::auth::Callers;

pub struct Conformance {
    pub pace: Duration,
    pub extension: Option<String>,
    pub broken: bool,
    pub callers: Arc<Callers>,
}

type Events = BoxStream<'static, Result<StreamResponse, A2AError>>;

impl AgentExecutor for Conformance {
    fn execute(&self, context: ExecutorContext) -> Events {
        let declared = context.service_params.get("a2a-extensions");
        let declares = |uri: &String| declared.is_some_and(|uris| uris.contains(uri));
        if !self.extension.iter().all(declares) {
            let message = "an extension must be declared";
            return one(Err(A2AError::new(
                error_code::EXTENSION_SUPPORT_REQUIRED,
                message,
            )));
        }
        let (sender, receiver) = unbounded();
        let run = Run {
            sender,
            task_id: context.task_id.clone(),
            context_id: context.context_id.clone(),
            pace: self.pace,
        };
        if self.broken {
            // Nothing to append to.
            run.artifact("none", 2, 0, vec![Part::text("")]);
            return receiver.boxed();
        }
        let message = context.message.expect("an execution has a message");
        let stored = context.stored_task;
        let is_new = stored.is_none_or(|task| task.status.state == TaskState::Submitted);
        if is_new {
            self.callers.own(&context.task_id, &context.service_params);
        }
        // The events come out while the agent runs, in the task that asks for them.
        let run = stream::once(async move { run.obey(message, is_new).await });
        stream::select(receiver, run.filter_map(|()| ready(None))).boxed()
    }

    fn cancel(&self, context: ExecutorContext) -> Events {
        one(Ok(StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
            task_id: context.task_id,
            context_id: context.context_id,
            status: status(TaskState::Canceled, None),
            metadata: None,
        })))
    }
}

fn one(item: Result<StreamResponse, A2AError>) -> Events {
    stream::once(ready(item)).boxed()
}

/// One turn of a task.
struct Run {
    sender: UnboundedSender<Result<StreamResponse, A2AError>>,
    task_id: String,
    context_id: String,
    pace: Duration,
}

impl Run {
    async fn obey(self, message: Message, is_new: bool) {
        let texts: Vec<&str> = message.parts.iter().filter_map(Part::as_text).collect();
        let text = texts.join("\n");
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default();
        let number = words.next().and_then(|word| word.parse().ok());
        if word == "message" && is_new {
            let answer = Message::new(Role::Agent, vec![Part::text(format!("echo: {text}"))]);
            return self.send(StreamResponse::Message(answer));
        }
        if is_new {
            self.send(StreamResponse::Task(Task {
                id: self.task_id.clone(),
                context_id: self.context_id.clone(),
                status: status(TaskState::Submitted, None),
                artifacts: None,
                history: Some(vec![message.clone()]),
                metadata: None,
            }));
        }
        match (word, number) {
            ("ask", _) => self.status(TaskState::InputRequired, Some("What else should I know?")),
            ("auth", _) => self.status(TaskState::AuthRequired, Some("Who allows this?")),
            ("reject", _) => self.status(TaskState::Rejected, Some("I would rather not.")),
            ("fail", _) => {
                self.status(TaskState::Working, None);
                self.status(TaskState::Failed, Some("It did not work out."));
            }
            ("panic", _) => {
                self.status(TaskState::Working, None);
                // The crates let whoever asked an agent that panics wait for ever.
                let _ = self
                    .sender
                    .unbounded_send(Err(A2AError::internal("asked to")));
            }
            ("slow", _) => {
                self.status(TaskState::Working, None);
                self.chunks(1..=3).await;
                self.status(TaskState::Completed, Some("slow done"));
            }
            ("forever", _) => {
                self.status(TaskState::Working, None);
                self.chunks(1..=u64::MAX).await;
            }
            ("stream", Some(count)) => {
                self.status(TaskState::Working, None);
                for number in 1..=count {
                    let text = format!("chunk {number:08} abcde");
                    self.artifact("stream", number, count, vec![Part::text(text)]);
                }
                self.status(TaskState::Completed, None);
            }
            ("kinds", _) => {
                self.artifact("kinds", 1, 1, kinds());
                self.status(TaskState::Completed, None);
            }
            _ => {
                let echo = format!("echo: {text}");
                self.status(TaskState::Working, None);
                self.artifact("echo", 1, 0, vec![Part::text(&echo)]);
                self.status(TaskState::Completed, Some(&echo));
            }
        }
    }

    async fn chunks(&self, numbers: std::ops::RangeInclusive<u64>) {
        let last = *numbers.end();
        for number in numbers {
            tokio::time::sleep(self.pace).await;
            let part = Part::text(format!("chunk {number};"));
            self.artifact("slow", number, last, vec![part]);
        }
    }

    fn status(&self, state: TaskState, text: Option<&str>) {
        let message = text.map(|text| Message {
            task_id: Some(self.task_id.clone()),
            context_id: Some(self.context_id.clone()),
            ..Message::new(Role::Agent, vec![Part::text(text)])
        });
        self.send(StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
            task_id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            status: status(state, message),
            metadata: None,
        }));
    }

    /// One of a number of chunks.
    fn artifact(&self, id: &str, number: u64, count: u64, parts: Vec<Part>) {
        self.send(StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            artifact: Artifact {
                artifact_id: id.into(),
                name: None,
                description: None,
                parts,
                metadata: None,
                extensions: None,
            },
            append: Some(number > 1),
            last_chunk: Some(number == count),
            metadata: None,
        }));
    }

    /// Nobody listens any more when the task is over.
    fn send(&self, event: StreamResponse) {
        let _ = self.sender.unbounded_send(Ok(event));
    }
}

fn status(state: TaskState, message: Option<Message>) -> TaskStatus {
    // The crates date it.
    TaskStatus {
        state,
        message,
        timestamp: None,
    }
}

fn kinds() -> Vec<Part> {
    vec![
        Part::text("plain text"),
        Part::raw((0..=255).collect())
            .with_media_type("application/octet-stream")
            .with_filename("bytes.bin"),
        Part::url("https://example.com/a%20b.png").with_media_type("image/png"),
        Part::data(json!({"n": 1.5, "s": "ü", "l": [true, null]})),
    ]
}
