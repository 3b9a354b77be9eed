use a2a_server::AgentError;
use serde_json::{Value, json};

use super::{Answer, Caller, Event, Events, Scripted, Wire, message, scripted};

/// The states from which there is no way on.
pub const TERMINAL: [&str; 4] = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"];

impl Scripted {
    /// Brings the task into the state that the message names, and leaves it there. `WORKING` lasts
    /// until the task is canceled; `CANCELED` is not for agents to reach.
    pub fn obedient() -> Self {
        scripted(|request, task| async move {
            match request.text().as_str() {
                "WORKING" => {
                    task.working().await?;
                    std::future::pending().await
                }
                "INPUT_REQUIRED" => task.input_required("which one?").await,
                "AUTH_REQUIRED" => task.auth_required("calendar", "please sign in").await,
                "COMPLETED" => task.complete().await,
                "FAILED" => task.fail("no way").await,
                "REJECTED" => task.reject("not me").await,
                other => Err(AgentError::new(format!("no such state: {other}"))),
            }
        })
    }
}

impl Caller {
    /// A task of an obedient agent in this state.
    pub async fn task_in(&self, state: &str) -> String {
        let id = match state {
            "WORKING" => {
                let mut events = self.stream_send("WORKING").await;
                let task = events.next().await.unwrap();
                while events.next().await.unwrap().state() != "WORKING" {}
                task.body["task"]["id"].as_str().unwrap().to_owned()
            }
            "CANCELED" => {
                let id = self.send("INPUT_REQUIRED").await.task_id();
                self.cancel(&id).await.result();
                id
            }
            state => self.send(state).await.task_id(),
        };
        assert_eq!(self.get_task(&id).await.state(), state);
        id
    }

    pub async fn cancel(&self, id: &str) -> Answer {
        self.call("CancelTask", json!({"id": id})).await
    }

    /// `SendStreamingMessage` with one text.
    pub async fn stream_send(&self, text: &str) -> Events {
        let params = json!({"message": message(text)});
        self.stream("SendStreamingMessage", params).await.unwrap()
    }

    /// `SendStreamingMessage` to a task that exists.
    pub async fn stream_to(&self, task_id: &str, text: &str) -> Events {
        let mut message = message(text);
        message["taskId"] = task_id.into();
        let params = json!({"message": message});
        self.stream("SendStreamingMessage", params).await.unwrap()
    }

    pub async fn subscribe(&self, id: &str) -> Result<Events, Answer> {
        self.stream("SubscribeToTask", json!({"id": id})).await
    }

    /// The task without its content, found in a list.
    pub async fn get_status(&self, id: &str) -> Answer {
        let mut answer = self.call("ListTasks", json!({"historyLength": 0})).await;
        let tasks = answer.result()["tasks"].as_array().unwrap();
        let task = tasks.iter().find(|task| task["id"] == id).unwrap().clone();
        match answer.wire {
            Wire::JsonRpc => answer.body["result"] = task,
            Wire::Rest => answer.body = task,
        }
        answer
    }

    /// How many tasks there are.
    pub async fn count(&self) -> u64 {
        let list = self.call("ListTasks", json!({})).await;
        list.result()["totalSize"].as_u64().unwrap()
    }
}

/// Who said what in the history of a task: `USER hi`, oldest first.
pub fn said(task: &Value) -> Vec<String> {
    let history = task["history"].as_array().cloned().unwrap_or_default();
    history.iter().map(spoken).collect()
}

/// Who says what in a message: `AGENT which one?`.
pub fn spoken(message: &Value) -> String {
    let role = message["role"].as_str().unwrap();
    let text = message["parts"][0]["text"].as_str().unwrap();
    format!("{} {text}", role.trim_start_matches("ROLE_"))
}

/// The events in short, and what holds for every stream of a task: the task comes first and only
/// updates of it follow, numbered without a gap from `first` on.
#[track_caller]
pub fn briefs(events: &[Event], first: u64) -> Vec<String> {
    let (task, updates) = events.split_first().unwrap();
    assert_eq!(task.kind(), "task");
    // D35: a client that was cut off right here can go on.
    assert_eq!(
        task.id,
        Some(first - 1),
        "a snapshot has the place it stands at"
    );
    expect_updates(updates, &task.body["task"], first);
    events.iter().map(Event::brief).collect()
}

/// Checks updates of a task that are numbered from `first` on.
#[track_caller]
pub fn expect_updates(updates: &[Event], task: &Value, first: u64) {
    for (event, sequence) in updates.iter().zip(first..) {
        let kind = event.kind();
        assert!(["statusUpdate", "artifactUpdate"].contains(&kind), "{kind}");
        assert_eq!(event.id, Some(sequence));
        assert_eq!(event.name, None);
        let update = event.body[kind].as_object().unwrap();
        assert_eq!(update["taskId"], task["id"]);
        assert_eq!(update["contextId"], task["contextId"]);
        assert!(!update.contains_key("final"));
        if kind == "statusUpdate" {
            expect_timestamp(&update["status"]["timestamp"]);
        }
    }
}

/// Checks for a timestamp in UTC with milliseconds.
#[track_caller]
pub fn expect_timestamp(timestamp: &Value) {
    let text = timestamp.as_str().unwrap();
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z", "{text}");
}

/// What the events add up to, by the rules for clients.
pub fn fold(events: &[Event]) -> Value {
    let mut task = events[0].body["task"].clone();
    for event in &events[1..] {
        if let Some(update) = event.body.get("statusUpdate") {
            task["status"] = update["status"].clone();
        } else {
            let update = &event.body["artifactUpdate"];
            let artifact = &update["artifact"];
            if task.get("artifacts").is_none() {
                task["artifacts"] = json!([]);
            }
            let artifacts = task["artifacts"].as_array_mut().unwrap();
            let known = artifacts
                .iter_mut()
                .find(|a| a["artifactId"] == artifact["artifactId"]);
            match known {
                Some(known) if update["append"] == true => {
                    let parts = artifact["parts"].as_array().unwrap().clone();
                    known["parts"].as_array_mut().unwrap().extend(parts);
                }
                Some(known) => *known = artifact.clone(),
                None => artifacts.push(artifact.clone()),
            }
        }
    }
    task
}
