//! Our agent over one binding.

use std::{sync::Arc, time::Duration};

use a2a::{
    A2AError, AgentCard, Artifact, CancelTaskRequest, GetExtendedAgentCardRequest, GetTaskRequest,
    ListTasksRequest, ListTasksResponse, Message, Part, Role, SendMessageConfiguration,
    SendMessageRequest, SendMessageResponse, StreamResponse, SubscribeToTaskRequest, Task,
    TaskState,
};
use a2a_client::{
    A2AClient, A2AClientFactory, BoxStream, ServiceParams, Transport, TransportFactory,
    agent_card::AgentCardResolver, jsonrpc::JsonRpcTransportFactory, middleware::CallInterceptor,
    rest::RestTransportFactory,
};
use a2a_grpc::GrpcTransportFactory;
use futures::StreamExt;
use serde::Serialize;
use serde_json::{Value, json};

pub const SLOW: &str = "chunk 1;chunk 2;chunk 3;";

pub type Client = A2AClient<Box<dyn Transport>>;
pub type Events = Result<BoxStream<'static, Result<StreamResponse, A2AError>>, A2AError>;

#[derive(Clone)]
pub struct Peer {
    pub base: String,
    pub binding: &'static str,
    headers: Headers,
    /// Changes the card before the client sees it.
    claims: fn(&mut AgentCard),
}

/// What every call carries, in place of what the client says itself.
#[derive(Clone, Default)]
struct Headers(Vec<(&'static str, String)>);

#[async_trait::async_trait]
impl CallInterceptor for Headers {
    async fn before(&self, _method: &str, params: &mut ServiceParams) -> Result<(), A2AError> {
        for (name, value) in &self.0 {
            params.insert((*name).to_owned(), vec![value.clone()]);
        }
        Ok(())
    }
}

impl Peer {
    pub fn new(base: &str, binding: &'static str, token: Option<&str>) -> Self {
        let peer = Self {
            base: base.to_owned(),
            binding,
            headers: Headers::default(),
            claims: |_| {},
        };
        peer.with_token(token)
    }

    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.0.push((name, value.to_owned()));
        self
    }

    /// The same agent as somebody else; `None`: as nobody.
    pub fn with_token(mut self, token: Option<&str>) -> Self {
        self.headers.0.retain(|(name, _)| *name != "authorization");
        match token {
            Some(token) => self.with_header("authorization", &format!("Bearer {token}")),
            None => self,
        }
    }

    pub fn claiming(mut self, claims: fn(&mut AgentCard)) -> Self {
        self.claims = claims;
        self
    }

    pub async fn card(&self) -> AgentCard {
        AgentCardResolver::new(None)
            .resolve(&self.base)
            .await
            .unwrap()
    }

    pub async fn client(&self) -> Client {
        let transport: Arc<dyn TransportFactory> = match self.binding {
            "JSONRPC" => Arc::new(JsonRpcTransportFactory::new(None)),
            "HTTP+JSON" => Arc::new(RestTransportFactory::new(None)),
            _ => Arc::new(GrpcTransportFactory::new()),
        };
        let factory = A2AClientFactory::builder()
            .no_defaults()
            .register(transport)
            .with_interceptor(Arc::new(self.headers.clone()))
            .build();
        let mut card = self.card().await;
        (self.claims)(&mut card);
        factory.create_from_card(&card).await.unwrap()
    }

    pub async fn send(
        &self,
        request: &SendMessageRequest,
    ) -> Result<SendMessageResponse, A2AError> {
        self.client().await.send_message(request).await
    }

    /// The answer to a message that makes or continues a task.
    pub async fn task(&self, request: SendMessageRequest) -> Task {
        match self.send(&request).await.unwrap() {
            SendMessageResponse::Task(task) => task,
            SendMessageResponse::Message(message) => panic!("a task, got {message:?}"),
        }
    }

    pub async fn stream(&self, request: &SendMessageRequest) -> Events {
        self.client().await.send_streaming_message(request).await
    }

    pub async fn subscribe(&self, id: &str) -> Events {
        let request = SubscribeToTaskRequest {
            id: id.into(),
            tenant: None,
        };
        self.client().await.subscribe_to_task(&request).await
    }

    pub async fn get(&self, id: &str, history_length: Option<i32>) -> Result<Task, A2AError> {
        let request = GetTaskRequest {
            id: id.into(),
            history_length,
            tenant: None,
        };
        self.client().await.get_task(&request).await
    }

    pub async fn list(&self, request: &ListTasksRequest) -> Result<ListTasksResponse, A2AError> {
        self.client().await.list_tasks(request).await
    }

    pub async fn cancel(&self, id: &str) -> Result<Task, A2AError> {
        let request = CancelTaskRequest {
            id: id.into(),
            metadata: None,
            tenant: None,
        };
        self.client().await.cancel_task(&request).await
    }

    pub async fn extended_card(&self) -> Result<AgentCard, A2AError> {
        let request = GetExtendedAgentCardRequest { tenant: None };
        self.client().await.get_extended_agent_card(&request).await
    }

    pub async fn until(&self, id: &str, wanted: TaskState) -> Task {
        loop {
            let task = self.get(id, None).await.unwrap();
            if task.status.state == wanted {
                return task;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A message of these parts.
pub fn of_parts(parts: Vec<Part>) -> SendMessageRequest {
    SendMessageRequest {
        message: Message::new(Role::User, parts),
        configuration: None,
        metadata: None,
        tenant: None,
    }
}

/// A message of this text.
pub fn says(text: &str) -> SendMessageRequest {
    of_parts(vec![Part::text(text)])
}

/// A message of this text for a task.
pub fn says_to(task: &str, text: &str) -> SendMessageRequest {
    let mut request = says(text);
    request.message.task_id = Some(task.to_owned());
    request
}

pub fn configured() -> SendMessageConfiguration {
    SendMessageConfiguration {
        accepted_output_modes: None,
        task_push_notification_config: None,
        history_length: None,
        return_immediately: None,
    }
}

pub fn immediately(text: &str) -> SendMessageRequest {
    let mut request = says(text);
    let configuration = SendMessageConfiguration {
        return_immediately: Some(true),
        ..configured()
    };
    request.configuration = Some(configuration);
    request
}

/// A list of the tasks of a context.
pub fn listed(context: &str) -> ListTasksRequest {
    ListTasksRequest {
        context_id: Some(context.to_owned()),
        status: None,
        page_size: None,
        page_token: None,
        history_length: None,
        status_timestamp_after: None,
        include_artifacts: None,
        tenant: None,
    }
}

/// The events of a stream that ends as it should.
pub async fn all(events: Events) -> Vec<StreamResponse> {
    let mut events = events.unwrap();
    let mut found = vec![];
    while let Some(event) = events.next().await {
        found.push(event.unwrap());
    }
    found
}

/// What a stream fails with, before or in place of its first event.
pub async fn failure(events: Events) -> A2AError {
    match events {
        Err(error) => error,
        Ok(mut events) => match events.next().await {
            Some(Err(error)) => error,
            other => panic!("an error, got {other:?}"),
        },
    }
}

/// Holds when a call failed with an error of this code.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(result: Result<T, A2AError>, code: i32) -> A2AError {
    let error = result.unwrap_err();
    assert_eq!(error.code, code, "code of {error:?}");
    assert!(!error.message.is_empty(), "the error has a message");
    error
}

/// What an event is, in short.
pub fn kind_of(event: &StreamResponse) -> String {
    match event {
        StreamResponse::Task(task) => format!("task {:?}", task.status.state),
        StreamResponse::StatusUpdate(update) => format!("status {:?}", update.status.state),
        StreamResponse::ArtifactUpdate(update) if update.append == Some(true) => "append".into(),
        StreamResponse::ArtifactUpdate(_) => "artifact".into(),
        StreamResponse::Message(_) => "message".into(),
    }
}

/// The kinds of the events of one task, which comes first.
pub fn steady(events: &[StreamResponse]) -> Vec<String> {
    let Some(StreamResponse::Task(task)) = events.first() else {
        panic!("the task comes first: {events:?}");
    };
    for event in events {
        let ids = match event {
            StreamResponse::Task(task) => (&task.id, &task.context_id),
            StreamResponse::StatusUpdate(update) => (&update.task_id, &update.context_id),
            StreamResponse::ArtifactUpdate(update) => (&update.task_id, &update.context_id),
            StreamResponse::Message(message) => panic!("no message: {message:?}"),
        };
        assert_eq!(ids, (&task.id, &task.context_id), "ids of an event");
    }
    events.iter().map(kind_of).collect()
}

pub fn text_of(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| part.as_text().expect("only text parts"))
        .collect()
}

/// The parts of the only artifact.
pub fn artifact<'a>(task: &'a Task, id: &str) -> &'a [Part] {
    match task.artifacts.as_deref() {
        Some(
            [
                Artifact {
                    artifact_id, parts, ..
                },
            ],
        ) if artifact_id == id => parts,
        other => panic!("the artifact {id}, got {other:?}"),
    }
}

/// The parts of all artifact updates.
pub fn chunks(events: &[StreamResponse]) -> Vec<Part> {
    let parts = events.iter().map(|event| match event {
        StreamResponse::ArtifactUpdate(update) => update.artifact.parts.clone(),
        _ => vec![],
    });
    parts.flatten().collect()
}

/// A value as JSON, in which a number is the same however it is written.
pub fn plain(value: impl Serialize) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Number(number) => *value = json!(number.as_f64()),
            Value::Array(items) => items.iter_mut().for_each(walk),
            Value::Object(members) => members.values_mut().for_each(walk),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(value).unwrap();
    walk(&mut value);
    value
}
