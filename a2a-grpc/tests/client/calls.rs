//! What travels with a call, and what comes back.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_client::auth::{ApiKey, Bearer};
use a2a_client::{Error, HeaderName, HeaderValue, Incoming, Interceptor, Outgoing, StreamExt as _};
use a2a_types::operations::GetTask;
use a2a_types::{
    AgentCard, ApiKeySecurityScheme, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest,
    Empty, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTaskPushNotificationConfigsResponse,
    ListTasksRequest, ListTasksResponse, SecurityRequirement, SendMessageRequest,
    SendMessageResponse, StringList, TaskPushNotificationConfig, TaskState, Version,
};

use crate::support::{
    Heard, Server, Step, answer, builder, card, client_of, framed, interface, ok, stream, task,
    update, within,
};

/// An answer that fits the operation.
fn fitting(heard: &Heard) -> Vec<Step> {
    let config = TaskPushNotificationConfig::default().with_id("p-1");
    match heard.method() {
        "SendMessage" => answer(&SendMessageResponse::from(task(TaskState::Completed))),
        "SendStreamingMessage" | "SubscribeToTask" => stream(&[update(TaskState::Completed)]),
        "GetTask" | "CancelTask" => answer(&task(TaskState::Canceled)),
        "ListTasks" => answer(&ListTasksResponse::default().with_tasks([task(TaskState::Working)])),
        "GetExtendedAgentCard" => answer(&AgentCard::default().with_name("Extended")),
        "ListTaskPushNotificationConfigs" => {
            answer(&ListTaskPushNotificationConfigsResponse::default().with_configs([config]))
        }
        "DeleteTaskPushNotificationConfig" => answer(&Empty::default()),
        _ => answer(&config),
    }
}

#[tokio::test]
async fn every_operation_is_called_and_answered() {
    // A2A-10.1-03, A2A-10.3-01
    let server = Server::start(fitting).await;
    let tenanted = interface(&server.address()).with_tenant("acme");
    let client = client_of([tenanted]);
    let reply = client.send_message("hi").await.unwrap();
    assert_eq!(reply.task().unwrap().state(), TaskState::Completed);
    let mut events = client.stream_message("hi").await.unwrap();
    assert_eq!(
        events.next().await.unwrap().unwrap(),
        update(TaskState::Completed)
    );
    assert!(events.next().await.is_none());
    assert_eq!(
        client.get_task("t-1").await.unwrap(),
        task(TaskState::Canceled)
    );
    let page = client
        .list_tasks(ListTasksRequest::default())
        .await
        .unwrap();
    assert_eq!(page.tasks, [task(TaskState::Working)]);
    assert_eq!(
        client.cancel_task("t-1").await.unwrap(),
        task(TaskState::Canceled)
    );
    let mut events = client.subscribe_to_task("t-1").await.unwrap();
    assert!(events.next().await.unwrap().is_ok());
    let config = TaskPushNotificationConfig::default()
        .with_task_id("t-1")
        .with_url("https://example.com/hook");
    assert_eq!(client.create_push_config(config).await.unwrap().id, "p-1");
    let config = GetTaskPushNotificationConfigRequest::default()
        .with_task_id("t-1")
        .with_id("p-1");
    assert_eq!(client.get_push_config(config).await.unwrap().id, "p-1");
    let configs = ListTaskPushNotificationConfigsRequest::default().with_task_id("t-1");
    assert_eq!(
        client
            .list_push_configs(configs)
            .await
            .unwrap()
            .configs
            .len(),
        1
    );
    let config = DeleteTaskPushNotificationConfigRequest::default()
        .with_task_id("t-1")
        .with_id("p-1");
    client.delete_push_config(config).await.unwrap();
    assert_eq!(client.get_extended_card().await.unwrap().name, "Extended");

    let heard = server.heard();
    assert_eq!(heard.len(), 11);
    for heard in &heard {
        assert!(
            heard.path.starts_with("/lf.a2a.v1.A2AService/"),
            "{}",
            heard.path
        );
        assert_eq!(heard.header("content-type"), "application/grpc");
        assert_eq!(heard.header("te"), "trailers");
    }
    // The tenant of the interface is in every request.
    assert_eq!(heard[0].read::<SendMessageRequest>().tenant, "acme");
    assert_eq!(heard[2].read::<GetTaskRequest>().tenant, "acme");
    assert_eq!(heard[4].read::<CancelTaskRequest>().tenant, "acme");
}

#[tokio::test]
async fn what_travels_as_headers_elsewhere_travels_as_metadata() {
    // A2A-10.2-01, A2A-10.2-02
    let server = Server::start(fitting).await;
    let client = builder()
        .with_credentials(Bearer::new("tok"))
        .with_extension("urn:x")
        .with_header(name("x-caller"), value("me"))
        // These would speak of a body that is not there.
        .with_header(name("content-type"), value("application/json"))
        .with_header(name("content-length"), value("7"))
        .with_header(name("connection"), value("close"))
        .with_header(name("grpc-status"), value("7"))
        .from_card(card([interface(&server.address())]))
        .unwrap();
    client
        .get_task("t-1")
        .with_extension("urn:y")
        .with_header(name("x-once"), value("yes"))
        .await
        .unwrap();
    let call = client.subscribe_to_task("t-1").with_last_event_id("7");
    _ = call.with_version(Version::new(9, 9)).await.unwrap();
    let heard = server.heard();
    let of = |name: &str| {
        heard
            .iter()
            .map(|h| h.header(name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("authorization"), ["Bearer tok", "Bearer tok"]);
    assert_eq!(of("a2a-version"), ["1.0", "9.9"]);
    assert_eq!(of("a2a-extensions"), ["urn:x, urn:y", "urn:x"]);
    assert_eq!(of("x-caller"), ["me", "me"]);
    assert_eq!(of("x-once"), ["yes", "-"]);
    assert_eq!(of("last-event-id"), ["-", "7"]);
    assert_eq!(of("content-type"), ["application/grpc"; 2]);
    for name in ["content-length", "connection", "grpc-status", "accept"] {
        assert_eq!(of(name), ["-", "-"], "{name}");
    }
    assert!(of("user-agent")[0].starts_with("a2a-grpc/"));
}

#[tokio::test]
async fn a_key_that_belongs_into_a_query_travels_as_metadata() {
    // There is no query over gRPC.
    for (location, name) in [("query", "Key"), ("header", "x-key")] {
        let server = Server::start(fitting).await;
        let scheme = ApiKeySecurityScheme::default()
            .with_location(location)
            .with_name(name);
        let required = SecurityRequirement::default().with_schemes([("k", StringList::default())]);
        let mut card = card([interface(&server.address())]).with_security_requirements([required]);
        card.security_schemes.insert("k".to_owned(), scheme.into());
        let client = builder()
            .with_credentials(ApiKey::new("s3cret"))
            .from_card(card);
        client.unwrap().get_task("t-1").await.unwrap();
        let name = name.to_ascii_lowercase();
        assert_eq!(server.heard()[0].header(&name), "s3cret", "{location}");
    }
}

fn name(text: &'static str) -> HeaderName {
    HeaderName::from_static(text)
}

fn value(text: &'static str) -> HeaderValue {
    HeaderValue::from_static(text)
}

#[tokio::test]
async fn a_call_tells_its_deadline_and_a_stream_has_none() {
    let server = Server::start(fitting).await;
    let client = builder()
        .with_timeout(Duration::from_secs(30))
        .with_idle_timeout(Duration::from_secs(200))
        .from_card(card([interface(&server.address())]))
        .unwrap();
    client.get_task("t-1").await.unwrap();
    client
        .get_task("t-1")
        .with_timeout(Duration::from_secs(7))
        .await
        .unwrap();
    client.send_message("hi").await.unwrap();
    _ = client.stream_message("hi").await.unwrap();
    _ = client.subscribe_to_task("t-1").await.unwrap();
    let heard = server.heard();
    let told: Vec<_> = heard
        .iter()
        .map(|heard| seconds(heard.header("grpc-timeout")))
        .collect();
    for (told, wanted) in told.iter().zip([30.0, 7.0, 200.0]) {
        let told = told.unwrap();
        assert!(told <= wanted && told > wanted - 5.0, "{told} of {wanted}");
    }
    assert_eq!(told[3..], [None, None]);
}

/// Reads `grpc-timeout`: at most eight digits and a unit.
fn seconds(text: &str) -> Option<f64> {
    if text == "-" {
        return None;
    }
    let (digits, unit) = text.split_at(text.len() - 1);
    assert!(digits.len() <= 8, "{text}");
    let unit = match unit {
        "S" => 1.0,
        "m" => 1e-3,
        "u" => 1e-6,
        "n" => 1e-9,
        other => panic!("{other}"),
    };
    Some(digits.parse::<f64>().unwrap() * unit)
}

#[tokio::test]
async fn a_deadline_that_is_too_far_away_is_no_trouble() {
    let server = Server::start(fitting).await;
    let client = server.client();
    for timeout in [Duration::MAX, Duration::from_secs(1 << 40)] {
        let call = client.get_task("t-1").with_timeout(timeout);
        within(call).await.unwrap();
    }
    assert_eq!(server.heard().len(), 2);
}

/// Writes down what it sees.
#[derive(Clone, Default)]
struct Witness(Arc<Mutex<Vec<String>>>);

#[async_trait::async_trait]
impl Interceptor for Witness {
    async fn request(&self, call: &mut Outgoing<'_>) -> Result<(), Error> {
        call.headers
            .insert("x-witness", HeaderValue::from_static("here"));
        if let Some(request) = call.message::<GetTask>() {
            request.history_length = Some(3);
        }
        Ok(())
    }

    async fn answer(&self, answer: &mut Incoming<'_>) -> Result<(), Error> {
        let activated = answer.headers.get("a2a-extensions");
        let activated = activated.map(|value| value.to_str().unwrap().to_owned());
        self.0
            .lock()
            .unwrap()
            .push(format!("{} {activated:?}", answer.operation.name()));
        Ok(())
    }
}

#[tokio::test]
async fn interceptors_see_metadata_both_ways() {
    // D21: the extensions that were activated are in the initial metadata.
    let server = Server::start(|heard| {
        let mut steps = fitting(heard);
        steps[0] = Step::Head(
            200,
            vec![
                ("content-type", "application/grpc".to_owned()),
                ("a2a-extensions", "urn:x".to_owned()),
            ],
        );
        steps
    })
    .await;
    let witness = Witness::default();
    let client = builder()
        .with_interceptor(witness.clone())
        .from_card(card([interface(&server.address())]))
        .unwrap();
    client.get_task("t-1").await.unwrap();
    let mut events = client.subscribe_to_task("t-1").await.unwrap();
    while let Some(event) = events.next().await {
        event.unwrap();
    }
    let saw = witness.0.lock().unwrap().clone();
    assert_eq!(
        saw,
        ["GetTask Some(\"urn:x\")", "SubscribeToTask Some(\"urn:x\")"]
    );
    let heard = server.heard();
    assert_eq!(heard[0].header("x-witness"), "here");
    assert_eq!(heard[0].read::<GetTaskRequest>().history_length, Some(3));
}

#[tokio::test]
async fn the_second_answer_of_a_call_with_one_is_ignored() {
    let first = framed(&task(TaskState::Working));
    let second = framed(&task(TaskState::Completed));
    let server = Server::always(vec![Step::Begin, first, second, ok()]).await;
    let task = within(server.client().get_task("t-1")).await.unwrap();
    assert_eq!(task.state(), TaskState::Working);
}
