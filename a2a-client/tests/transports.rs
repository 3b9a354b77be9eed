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
use a2a_client::{
    Answer, Client, Context, Error, Events, Failure, Received, StreamExt as _, Transport,
};
use a2a_types::operation::{Operation, Wire};
use a2a_types::{
    AgentCapabilities, AgentCard, AgentInterface, StreamResponse, Task, TaskState, TaskStatus,
};
use http::HeaderMap;

/// Writes down the calls, and answers each with the task that it is always about.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>, Option<&'static str>);

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

    fn address(&self) -> Option<String> {
        self.1.map(str::to_owned)
    }
}

fn interface(url: &str) -> AgentInterface {
    AgentInterface::default()
        .with_url(url)
        .with_protocol_binding("urn:notes")
        .with_protocol_version("1.0")
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

#[tokio::test]
async fn credentials_go_where_the_transport_really_goes() {
    // The address in the card looks like TLS; what the transport dials does not.
    for (address, credentials) in [
        (None, "Bearer tok"),
        (Some("https://agent.example.com/"), "Bearer tok"),
        (Some("http://agent.example.com/"), "-"),
        (Some("http://127.0.0.1:9/"), "Bearer tok"),
    ] {
        let notes = Notes(Arc::default(), address);
        let made = notes.clone();
        let card =
            AgentCard::default().with_supported_interfaces([interface("agent.example.com:443")]);
        let client = Client::builder()
            .with_credentials(Bearer::new("tok"))
            .with_transport("urn:notes", move |_| Ok(made.clone()))
            .from_card(card)
            .unwrap();
        client.get_task("t").await.unwrap();
        let line = notes.0.lock().unwrap()[0].clone();
        let wanted = format!(r#"GetTask {{"id":"t"}} 1.0 {credentials} -"#);
        assert_eq!(line, wanted, "{address:?}");
    }
}

#[tokio::test]
async fn an_interface_that_its_transport_cannot_use_is_passed_over() {
    let connect = |urls: &[&str], failure: Failure| {
        let interfaces = urls.iter().map(|url| interface(url));
        let card = AgentCard::default().with_supported_interfaces(interfaces);
        Client::builder()
            .with_transport("urn:notes", move |interface| {
                match interface.url.starts_with("bad") {
                    true => Err(Error::new(failure, "cannot go there")),
                    false => Ok(Notes::default()),
                }
            })
            .from_card(card)
    };
    let client = connect(&["bad:1", "good:2"], Failure::Card).unwrap();
    assert_eq!(client.interface().url, "good:2");
    let error = connect(&["bad:1", "bad:2"], Failure::Card).unwrap_err();
    assert_eq!(error.to_string(), "cannot go there");
    // What the caller has set up wrongly is not hidden by another interface.
    let error = connect(&["bad:1", "good:2"], Failure::Request).unwrap_err();
    assert_eq!(error.failure(), Failure::Request);
}
