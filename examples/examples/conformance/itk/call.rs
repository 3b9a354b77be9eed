//! A call to another agent.

use std::time::Duration;

use a2a_client::{Client, Reply, StreamExt as _};
use a2a_types::card::{GRPC, HTTP_JSON, JSONRPC};
use a2a_types::stream_response::Payload;
use a2a_types::{
    Message, Part, Role, SendMessageConfiguration, SendMessageRequest, StreamResponse, Task,
    TaskPushNotificationConfig, TaskStatus,
};

use super::instruction::{Behavior, CallAgent, part};
use super::{FINISHED, StepError};

/// How long another agent may say nothing; a chain of agents takes its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// Calls the agent as the instruction says and gives the texts of its messages.
pub(super) async fn run(call: &CallAgent) -> Result<Vec<String>, StepError> {
    let client = connect(call).await?;
    let instruction = call.instruction.as_ref().ok_or("a call says nothing")?;
    let mut request = SendMessageRequest::new(Message::user(part(instruction)));
    match &call.behavior {
        Some(Behavior::Resubscribe(_)) => return resubscribe(&client, request).await,
        Some(Behavior::PushNotification(push)) => {
            let webhook = TaskPushNotificationConfig::default()
                .with_url(format!("{}/notifications", push.url.trim_end_matches('/')))
                .with_token("itk-token");
            let configuration =
                SendMessageConfiguration::default().with_task_push_notification_config(webhook);
            request = request.with_configuration(configuration);
        }
        Some(Behavior::SendMessage(_)) | None => {}
    }
    if call.streaming {
        let mut events = client.stream_message(request).await?;
        let mut texts = Vec::new();
        while let Some(event) = events.next().await {
            texts.extend(said(&event?));
        }
        return Ok(texts);
    }
    Ok(match client.send_message(request).await? {
        Reply::Message(message) => texts(&message),
        Reply::Task(task) => of_status(task.status.as_ref()),
    })
}

/// A client for the agent over the named binding and no other.
async fn connect(call: &CallAgent) -> Result<Client, StepError> {
    let binding = match call.transport.as_str() {
        "jsonrpc" => JSONRPC,
        "http_json" => HTTP_JSON,
        "grpc" => GRPC,
        other => return Err(format!("there is no transport {other:?}").into()),
    };
    let grpc = a2a_grpc::client::Options::new();
    let client = Client::builder()
        .with_transport(GRPC, move |interface| grpc.transport(interface))
        .with_bindings([binding])
        // Agents of the kit take webhooks without saying so in their cards.
        .without_capability_checks()
        .with_timeout(PATIENCE)
        .with_idle_timeout(PATIENCE)
        .connect(&call.agent_card_uri)
        .await?;
    Ok(client)
}

/// Streams, leaves as soon as there is a task, comes back to it until it says that it is finished,
/// and cancels it.
async fn resubscribe(
    client: &Client,
    request: SendMessageRequest,
) -> Result<Vec<String>, StepError> {
    let mut events = client.stream_message(request).await?;
    let first = events.next().await.ok_or("a stream without an event")??;
    let task = task_of(&first).ok_or("a message instead of a task")?;
    drop(events);
    let mut events = client.subscribe_to_task(task.as_str()).await?;
    let mut results = Vec::new();
    loop {
        let event = events.next().await.ok_or("the task did not finish")??;
        let texts = remembered(&event);
        results.extend(texts.iter().map(|text| text.replace(FINISHED, "")));
        if texts.iter().any(|text| text.contains(FINISHED)) {
            break;
        }
    }
    client.cancel_task(task).await?;
    Ok(results)
}

fn task_of(event: &StreamResponse) -> Option<String> {
    match event.payload.as_ref()? {
        Payload::Task(task) => Some(task.id.clone()),
        Payload::StatusUpdate(update) => Some(update.task_id.clone()),
        Payload::ArtifactUpdate(update) => Some(update.task_id.clone()),
        _ => None,
    }
}

/// The texts that an event brings, of a task that was left for a moment also those that it has said
/// meanwhile.
fn remembered(event: &StreamResponse) -> Vec<String> {
    let history = match &event.payload {
        Some(Payload::Task(task)) => task.history.as_slice(),
        _ => &[],
    };
    let agents = history.iter().filter(|said| said.role() == Role::Agent);
    agents.flat_map(texts).chain(said(event)).collect()
}

/// The texts that an event brings.
fn said(event: &StreamResponse) -> Vec<String> {
    match &event.payload {
        Some(Payload::Message(message)) => texts(message),
        Some(Payload::Task(Task { status, .. })) => of_status(status.as_ref()),
        Some(Payload::StatusUpdate(update)) => of_status(update.status.as_ref()),
        _ => Vec::new(),
    }
}

fn of_status(status: Option<&TaskStatus>) -> Vec<String> {
    let message = status.and_then(|status| status.message.as_ref());
    message.map(texts).unwrap_or_default()
}

fn texts(message: &Message) -> Vec<String> {
    let texts = message.parts.iter().filter_map(Part::as_text);
    texts.map(str::to_owned).collect()
}
