use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use a2a_push::net::{Answer, Failure, Guard, Policy, Resolver};
use a2a_push::receiver::{Accepted, Notification, Receiver};
use a2a_push::sign::Signer;
use a2a_types::TaskPushNotificationConfig;
use async_trait::async_trait;
use axum::Router;
use axum::extract::{FromRef, State};
use axum::routing::post;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

pub(crate) const GUARD_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn guard() -> Guard {
    Guard::new(Policy::loopback()).unwrap()
}

pub(crate) async fn send(
    guard: &Guard,
    url: &str,
    headers: HeaderMap,
    body: &[u8],
) -> Result<Answer, Failure> {
    let body = Bytes::copy_from_slice(body);
    guard.post(url, headers, body, GUARD_TIMEOUT, 1024).await
}

pub(crate) async fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

pub(crate) async fn serve(router: Router) -> SocketAddr {
    let (listener, address) = listener().await;
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

/// Answers every name with the same addresses.
pub(crate) struct Always(pub(crate) Vec<std::net::IpAddr>);

#[async_trait]
impl Resolver for Always {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
        Ok(self.0.clone())
    }
}

/// A webhook that tells what it lets in.
pub(crate) struct Hook {
    pub(crate) url: String,
    pub(crate) heard: mpsc::UnboundedReceiver<String>,
    guard: Guard,
}

#[derive(Clone)]
struct App {
    receiver: Receiver,
    heard: mpsc::UnboundedSender<String>,
}

impl FromRef<App> for Receiver {
    fn from_ref(app: &App) -> Self {
        app.receiver.clone()
    }
}

impl Hook {
    pub(crate) async fn serve(receiver: Receiver) -> Self {
        Self::bind(|_| receiver).await
    }

    /// For a receiver that has to know its own address.
    pub(crate) async fn bind(receiver: impl FnOnce(&str) -> Receiver) -> Self {
        async fn hook(State(app): State<App>, notification: Notification) -> Accepted {
            app.heard.send(notification.task_id().to_owned()).unwrap();
            notification.accept()
        }
        let (listener, address) = listener().await;
        let url = format!("http://{address}/hook");
        let (sender, heard) = mpsc::unbounded_channel();
        let app = App {
            receiver: receiver(&url),
            heard: sender,
        };
        let router = Router::new().route("/hook", post(hook)).with_state(app);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            url,
            heard,
            guard: guard(),
        }
    }

    pub(crate) async fn post(&self, headers: HeaderMap, body: &[u8]) -> StatusCode {
        let answer = send(&self.guard, &self.url, headers, body).await;
        answer.unwrap().status
    }

    /// How many notifications the handler has got since the last time.
    pub(crate) fn heard(&mut self) -> usize {
        std::iter::from_fn(|| self.heard.try_recv().ok()).count()
    }
}

pub(crate) fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    pairs
        .iter()
        .map(|(name, value)| {
            let name: HeaderName = name.parse().unwrap();
            (name, HeaderValue::from_str(value).unwrap())
        })
        .collect()
}

/// A status update of the task.
pub(crate) fn event(task_id: &str) -> Vec<u8> {
    serde_json::to_vec(&serde_json::json!({
        "statusUpdate": {
            "taskId": task_id,
            "contextId": "c",
            "status": { "state": "TASK_STATE_WORKING" },
        }
    }))
    .unwrap()
}

/// What a sender adds for this body, at this time.
pub(crate) fn signed(
    signer: &dyn Signer,
    id: &str,
    at: SystemTime,
    config: &TaskPushNotificationConfig,
    body: &[u8],
) -> HeaderMap {
    let mut headers = signer.headers(id, at, config, body).unwrap();
    let seconds = at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    headers.insert("webhook-id", id.parse().unwrap());
    headers.insert("webhook-timestamp", seconds.into());
    headers
}
