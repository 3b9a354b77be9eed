//! The call.

use std::future::IntoFuture;
use std::time::Duration;

use a2a_client::auth::Bearer;
use a2a_client::{Client, Error, Failure, Follow, Reply, StreamExt as _};
use a2a_types::card::GRPC;
use a2a_types::operation::Wire;
use a2a_types::reducer::Fold;
use a2a_types::{
    AgentCard, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, Empty,
    GetExtendedAgentCardRequest, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTasksRequest, OperationId, SendMessageRequest,
    SendMessageResponse, SubscribeToTaskRequest, Task, TaskPushNotificationConfig, json,
};
use serde_json::json;
use tokio::time::timeout;

use crate::options::{Operation, Options};
use crate::output::line;

pub(crate) async fn run(options: &Options) -> Result<(), Error> {
    let client = within(options.timeout, connect(options)).await?;
    line(&json!({ "card": *client.card(), "interface": client.interface() }));
    match options.operation {
        Operation::Card => Ok(()),
        Operation::SendAndWait => {
            let call = client.send_and_wait(request::<SendMessageRequest>(options)?);
            show_reply(within(options.timeout, call).await?);
            Ok(())
        }
        Operation::Call(id) => call(options, &client, id).await,
    }
}

async fn connect(options: &Options) -> Result<Client, Error> {
    let grpc = a2a_grpc::client::Options::new().with_connect_timeout(options.timeout);
    let mut builder = Client::builder()
        .with_transport(GRPC, move |interface| grpc.transport(interface))
        .with_connect_timeout(options.timeout)
        .with_timeout(options.timeout)
        .with_idle_timeout(options.timeout);
    if let Some(binding) = &options.binding {
        builder = builder.with_bindings([binding]);
    }
    if let Some(token) = &options.bearer {
        builder = builder.with_credentials(Bearer::new(token));
    }
    for origin in &options.trusted {
        builder = builder.with_trusted_origin(origin);
    }
    for (name, value) in &options.headers {
        builder = builder.with_header(name.clone(), value.clone());
    }
    for uri in &options.extensions {
        builder = builder.with_extension(uri);
    }
    let Some(file) = options.url.strip_prefix("card:") else {
        return builder.connect(&options.url).await;
    };
    let card = std::fs::read(file).map_err(|error| {
        let message = format!("cannot read the card in {file}");
        Error::new(Failure::Card, message).with_source(error)
    })?;
    let card: AgentCard = json::from_slice(&card).map_err(|error| {
        let message = format!("cannot read the card in {file}");
        Error::new(Failure::Card, message).with_source(error)
    })?;
    builder.from_card(card)
}

async fn call(options: &Options, client: &Client, id: OperationId) -> Result<(), Error> {
    let limit = options.timeout;
    match id {
        OperationId::SendMessage => {
            let request: SendMessageRequest = request(options)?;
            let reply = within(limit, client.send_message(request)).await?;
            let task = reply.task().map(|task| (task.id.clone(), task.state()));
            show_reply(reply);
            match task.filter(|(_, state)| options.follow && !state.is_terminal()) {
                Some((id, _)) => follow(client.follow_task(id)).await,
                None => Ok(()),
            }
        }
        OperationId::SendStreamingMessage => {
            let request: SendMessageRequest = request(options)?;
            match options.follow {
                true => follow(client.send_and_follow(request)).await,
                false => stream(client.stream_message(request).await?).await,
            }
        }
        OperationId::SubscribeToTask => {
            let request: SubscribeToTaskRequest = request(options)?;
            match options.follow {
                true => follow(client.follow_task(request.id)).await,
                false => stream(client.subscribe_to_task(request).await?).await,
            }
        }
        OperationId::GetTask => {
            let request: GetTaskRequest = request(options)?;
            show(within(limit, client.get_task(request)).await?)
        }
        OperationId::ListTasks => {
            let request: ListTasksRequest = request(options)?;
            show(within(limit, client.list_tasks(request)).await?)
        }
        OperationId::CancelTask => {
            let request: CancelTaskRequest = request(options)?;
            show(within(limit, client.cancel_task(request)).await?)
        }
        OperationId::CreateTaskPushNotificationConfig => {
            let request: TaskPushNotificationConfig = request(options)?;
            show(within(limit, client.create_push_config(request)).await?)
        }
        OperationId::GetTaskPushNotificationConfig => {
            let request: GetTaskPushNotificationConfigRequest = request(options)?;
            show(within(limit, client.get_push_config(request)).await?)
        }
        OperationId::ListTaskPushNotificationConfigs => {
            let request: ListTaskPushNotificationConfigsRequest = request(options)?;
            show(within(limit, client.list_push_configs(request)).await?)
        }
        OperationId::DeleteTaskPushNotificationConfig => {
            let request: DeleteTaskPushNotificationConfigRequest = request(options)?;
            within(limit, client.delete_push_config(request)).await?;
            show(Empty::default())
        }
        OperationId::GetExtendedAgentCard => {
            let _: GetExtendedAgentCardRequest = request(options)?;
            show(within(limit, client.get_extended_card()).await?)
        }
        _ => {
            let message = format!("{} is not known here", id.name());
            Err(Error::new(Failure::Request, message))
        }
    }
}

fn request<T: Wire>(options: &Options) -> Result<T, Error> {
    json::from_slice(&options.request)
        .map_err(|error| Error::new(Failure::Request, "cannot read the request").with_source(error))
}

/// The whole call in its time.
async fn within<T>(
    limit: Duration,
    call: impl IntoFuture<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let result = timeout(limit, call).await;
    result.unwrap_or_else(|_| {
        let message = format!("no answer within {limit:?}");
        Err(Error::new(Failure::Timeout, message))
    })
}

async fn stream(mut events: a2a_client::EventStream) -> Result<(), Error> {
    let mut fold = Fold::default();
    let mut failure = None;
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => {
                line(&json!({ "event": event }));
                fold.push(&event);
            }
            Err(error) => failure = Some(error),
        }
    }
    end(fold.task(), failure)
}

async fn follow(mut events: Follow) -> Result<(), Error> {
    let mut failure = None;
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => line(&json!({ "event": event })),
            Err(error) => failure = Some(error),
        }
    }
    end(events.task(), failure)
}

fn end(task: Option<&Task>, failure: Option<Error>) -> Result<(), Error> {
    if let Some(task) = task {
        line(&json!({ "task": task }));
    }
    match failure {
        Some(error) => Err(error),
        None => {
            line(&json!({ "end": "finished" }));
            Ok(())
        }
    }
}

fn show(result: impl Wire) -> Result<(), Error> {
    line(&json!({ "result": result }));
    Ok(())
}

fn show_reply(reply: Reply) {
    let response: SendMessageResponse = match reply {
        Reply::Task(task) => task.into(),
        Reply::Message(message) => message.into(),
    };
    line(&json!({ "result": response }));
}
