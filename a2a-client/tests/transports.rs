//! A binding that the client does not have itself.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use std::sync::{Arc, Mutex};

use a2a_client::auth::Bearer;
use a2a_client::{Answer, Client, Context, Error, Events, Received, StreamExt as _, Transport};
use a2a_types::operation::{Operation, Wire};
use a2a_types::{
    AgentCapabilities, AgentCard, AgentInterface, StreamResponse, Task, TaskState, TaskStatus,
};
use http::HeaderMap;

/// Writes down the calls, and answers each with the task that it is always about.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn note<O: Operation>(&self, request: &O::Request, context: &Context) {
        let json = serde_json::to_string(request).unwrap();
        let headers = ["a2a-version", "authorization", "last-event-id"];
        let headers = headers.map(|name| {
            let value = context.headers.get(name);
            value.and_then(|value| value.to_str().ok()).unwrap_or("-")
        });
        let line = format!("{} {json} {}", O::ID.name(), headers.join(" "));
        self.0.lock().unwrap().push(line);
    }
}

fn task(state: TaskState) -> Task {
    Task::default()
        .with_id("t")
        .with_status(TaskStatus::from(state))
}

/// A message as another of the same shape.
fn into<T: Wire>(message: &impl Wire) -> T {
    serde_json::from_value(serde_json::to_value(message).unwrap()).unwrap()
}

impl Transport for Notes {
    async fn unary<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<O::Response>, Error> {
        self.note::<O>(request, context);
        let headers = [("x-notes".parse().unwrap(), "yes".parse().unwrap())];
        let headers = headers.into_iter().collect();
        Ok(Answer::new(into(&task(TaskState::Working)), headers))
    }

    async fn stream<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<Events<O::Response>>, Error> {
        self.note::<O>(request, context);
        let first = context.headers.get("last-event-id").is_none();
        let state = if first {
            TaskState::Working
        } else {
            TaskState::Completed
        };
        let event = into(&StreamResponse::from(task(state)));
        let id = if first { "1" } else { "2" };
        let event = Received::new(Some(id.to_owned()), event);
        let events = futures::stream::iter([Ok(event)]).boxed();
        Ok(Answer::new(events, HeaderMap::new()))
    }
}

#[tokio::test]
async fn a_transport_of_the_users_own_gets_everything_that_ours_get() {
    let notes = Notes::default();
    let made = notes.clone();
    let interface = AgentInterface::default()
        .with_url("agent.example.com:443")
        .with_protocol_binding("urn:notes")
        .with_protocol_version("1.0")
        .with_tenant("acme");
    let card = AgentCard::default()
        .with_capabilities(AgentCapabilities::default().with_streaming(true))
        .with_supported_interfaces([interface.clone()]);
    let client = Client::builder()
        .with_credentials(Bearer::new("tok"))
        .with_transport("urn:notes", move |given| {
            assert_eq!(*given, interface);
            Ok(made.clone())
        })
        .from_card(card)
        .unwrap();
    assert_eq!(
        client.get_task("t").await.unwrap().state(),
        TaskState::Working
    );
    // The first stream breaks off, and the second goes on.
    let mut follow = client.follow_task("t").with_extension("urn:x");
    let mut events = 0;
    while let Some(event) = follow.next().await {
        event.unwrap();
        events += 1;
    }
    assert_eq!(events, 2);
    assert_eq!(follow.task().unwrap().state(), TaskState::Completed);
    assert_eq!(
        *notes.0.lock().unwrap(),
        [
            r#"GetTask {"tenant":"acme","id":"t"} 1.0 Bearer tok -"#,
            r#"SubscribeToTask {"tenant":"acme","id":"t"} 1.0 Bearer tok -"#,
            r#"SubscribeToTask {"tenant":"acme","id":"t"} 1.0 Bearer tok 1"#,
        ]
    );
}
