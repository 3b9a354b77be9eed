//! The side that receives.

use std::error::Error;

use a2a_client::Client;
use a2a_push::net::{Guard, Policy};
use a2a_push::receiver::{
    Accepted, Notification, Receiver, RemoteKeys, TaskList, TokenCheck, random_token,
};
use a2a_push::sign::JWKS_PATH;
use a2a_types::stream_response::Payload;
use a2a_types::{
    Message, SendMessageConfiguration, SendMessageRequest, StreamResponse,
    TaskPushNotificationConfig, TaskState,
};
use axum::Router;
use axum::extract::{FromRef, State};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

#[derive(Clone)]
struct App {
    receiver: Receiver,
    events: mpsc::UnboundedSender<StreamResponse>,
}

impl FromRef<App> for Receiver {
    fn from_ref(app: &App) -> Self {
        app.receiver.clone()
    }
}

/// Only what has passed all checks gets here, and each notification once.
async fn hook(State(app): State<App>, notification: Notification) -> Accepted {
    // When nobody listens any more the program ends.
    let _ = app.events.send(notification.event().clone());
    notification.accept()
}

pub(crate) async fn run(agent: &str) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/hook", listener.local_addr()?);

    // The task will get its id from the agent: until then it is known by its token.
    let tasks = TaskList::default();
    let token = random_token()?;
    tasks.expect_token(&token);
    let keys = RemoteKeys::new(
        format!("{agent}{JWKS_PATH}"),
        Guard::new(Policy::loopback())?,
    );
    let receiver = Receiver::builder(tasks.clone())
        .with_jwt(TokenCheck::new(keys, &url).with_issuer(agent))
        .build();
    let (events, mut arrived) = mpsc::unbounded_channel();
    let app = Router::new()
        .route("/hook", post(hook))
        .with_state(App { receiver, events });
    tokio::spawn(async move { axum::serve(listener, app).await });
    println!("webhook: {url}");

    let client = Client::connect(agent).await?;
    let webhook = TaskPushNotificationConfig::default()
        .with_url(&url)
        .with_token(&token);
    let configuration = SendMessageConfiguration::default()
        .with_task_push_notification_config(webhook)
        .with_return_immediately(true);
    let request = SendMessageRequest::new(Message::user("good morning"));
    client
        .send_message(request.with_configuration(configuration))
        .await?;

    while let Some(event) = arrived.recv().await {
        println!("{}", serde_json::to_string(&event)?);
        if let Some((task_id, state)) = state(&event)
            && state.is_terminal()
        {
            tasks.forget(task_id);
            break;
        }
    }
    Ok(())
}

/// The state that an event tells of.
fn state(event: &StreamResponse) -> Option<(&str, TaskState)> {
    match event.payload.as_ref()? {
        Payload::Task(task) => Some((&task.id, task.status.as_ref()?.state())),
        Payload::StatusUpdate(update) => Some((&update.task_id, update.status.as_ref()?.state())),
        _ => None,
    }
}
