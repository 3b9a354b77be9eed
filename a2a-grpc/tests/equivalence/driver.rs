//! One scenario, three bindings.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_client::{
    Client, ClientBuilder, Error, EventStream, Incoming, Interceptor, Reply, StreamExt as _,
};
use a2a_types::{Message, SendMessageRequest, SendMessageResponse, Task};
use async_trait::async_trait;
use serde::Serialize;
use serde_json::{Value, json};

use crate::agent::{BINDINGS, Running, client};
use crate::normal::Normal;

/// A client for one binding, and the record of what it got.
pub(crate) struct Driver {
    pub(crate) client: Client,
    pub(crate) binding: &'static str,
    record: Vec<Value>,
    headers: Headers,
}

/// Runs the scenario over every binding of the server; the records must be the same, and are given.
pub(crate) async fn everywhere<F>(
    server: &Running,
    configure: impl Fn(ClientBuilder) -> ClientBuilder,
    scenario: impl Fn(Driver) -> F,
) -> Vec<Value>
where
    F: Future<Output = Driver>,
{
    let mut first: Option<Vec<Value>> = None;
    for binding in BINDINGS {
        let headers = Headers::default();
        let builder = configure(
            client()
                .with_bindings([binding])
                .with_interceptor(headers.clone()),
        );
        let client = builder.connect(&server.base).await.unwrap();
        assert_eq!(client.interface().protocol_binding, binding);
        let driver = Driver {
            client,
            binding,
            record: Vec::new(),
            headers,
        };
        let driver = tokio::time::timeout(Duration::from_secs(60), scenario(driver)).await;
        let driver = driver.expect("the scenario ends");
        let mut normal = Normal::default();
        let record: Vec<_> = driver
            .record
            .into_iter()
            .map(|line| normal.value(line))
            .collect();
        assert!(!record.is_empty());
        match &first {
            None => first = Some(record),
            Some(first) => {
                for (index, (ours, theirs)) in record.iter().zip(first).enumerate() {
                    assert_eq!(ours, theirs, "{binding} and {}, step {index}", BINDINGS[0]);
                }
                assert_eq!(record.len(), first.len(), "{binding}");
            }
        }
    }
    first.unwrap()
}

impl Driver {
    pub(crate) fn note(&mut self, what: impl Serialize) {
        self.record.push(serde_json::to_value(what).unwrap());
    }

    /// Writes down what a call gave, its activated extensions included.
    pub(crate) fn got<T: Serialize>(&mut self, result: Result<T, Error>) -> Option<T> {
        let activated = self.headers.take();
        match result {
            Ok(answer) => {
                self.note(json!({ "answer": answer, "activated": activated }));
                Some(answer)
            }
            Err(error) => {
                self.note(told(&error));
                None
            }
        }
    }

    /// Writes down a reply; gives its task.
    pub(crate) fn replied(&mut self, result: Result<Reply, Error>) -> Task {
        let response = result.map(|reply| match reply {
            Reply::Task(task) => SendMessageResponse::from(task),
            Reply::Message(message) => SendMessageResponse::from(message),
        });
        let response = self.got(response);
        match response.and_then(|response| response.payload) {
            Some(a2a_types::send_message_response::Payload::Task(task)) => task,
            _ => Task::default(),
        }
    }

    /// Sends a text.
    pub(crate) async fn say(&mut self, text: &str) -> Task {
        let reply = self.client.send_message(said(text)).await;
        self.replied(reply)
    }

    /// Sends a text and does not wait.
    pub(crate) async fn begin(&mut self, text: &str) -> Task {
        let mut request = said(text);
        request
            .configuration
            .get_or_insert_default()
            .return_immediately = true;
        let reply = self.client.send_message(request).await;
        match reply.unwrap() {
            Reply::Task(task) => task,
            Reply::Message(message) => panic!("{message:?}"),
        }
    }

    /// Writes down a whole stream: the events with their ids, and the end.
    pub(crate) async fn streamed(&mut self, result: Result<EventStream, Error>) {
        let Some(mut events) = self.opened(result) else {
            return;
        };
        while self.next(&mut events).await {}
    }

    pub(crate) fn opened(&mut self, result: Result<EventStream, Error>) -> Option<EventStream> {
        match result {
            Ok(events) => Some(events),
            Err(error) => {
                self.note(told(&error));
                None
            }
        }
    }

    /// Writes down the next event of a stream, or its end; whether there was one.
    pub(crate) async fn next(&mut self, events: &mut EventStream) -> bool {
        let event = events.next().await;
        let activated = self.headers.take();
        let going_on = event.is_some();
        let event = match event {
            Some(Ok(event)) => json!({
                "event": event, "eventId": events.last_event_id(), "activated": activated,
            }),
            Some(Err(error)) => told(&error),
            None => json!({ "end": events.last_state().map(|state| state.to_string()) }),
        };
        self.note(event);
        going_on
    }
}

/// A message whose id is told by its text.
pub(crate) fn said(text: &str) -> SendMessageRequest {
    let id = format!("m-{}", text.replace(' ', "-"));
    SendMessageRequest::new(Message::user(text).with_message_id(id))
}

/// Everything that an error says and that is not of its binding.
pub(crate) fn told(error: &Error) -> Value {
    let protocol = error.protocol().map(|error| {
        let violations = error.violations().iter();
        let violations =
            violations.map(|violation| json!([violation.field, violation.description]));
        json!({
            "kind": format!("{:?}", error.kind()),
            "reason": error.reason(),
            "message": error.message(),
            "metadata": error.metadata(),
            "violations": violations.collect::<Vec<_>>(),
            "details": error.details(),
        })
    });
    json!({ "error": {
        "failure": format!("{:?}", error.failure()),
        "text": error.to_string(),
        "protocol": protocol,
        "retryAfter": error.retry_after().map(|delay| delay.as_secs_f64()),
        "unsent": error.is_unsent(),
        "state": error.last_state().map(|state| state.to_string()),
    }})
}

/// The extensions that the last answer has activated.
#[derive(Clone, Default)]
struct Headers(Arc<Mutex<Option<String>>>);

impl Headers {
    fn take(&self) -> Option<String> {
        self.0.lock().unwrap().take()
    }
}

#[async_trait]
impl Interceptor for Headers {
    async fn answer(&self, answer: &mut Incoming<'_>) -> Result<(), Error> {
        let activated = answer.headers.get("a2a-extensions");
        *self.0.lock().unwrap() = activated.map(|value| value.to_str().unwrap().to_owned());
        Ok(())
    }
}
