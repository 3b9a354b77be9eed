use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_push::net::Policy;
use a2a_push::{Circuit, PushSender, PushSenderBuilder, Retry};
use a2a_types::TaskStatusUpdateEvent;
use a2a_types::push::{Notification, PushSender as _, Webhook};
use a2a_types::store::Owner;
use a2a_types::{StreamResponse, TaskPushNotificationConfig, TaskState, TaskStatus};
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// Longer than anything here takes.
const GUARD: Duration = Duration::from_secs(60);

pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(GUARD, future).await.expect("in time")
}

/// A sender that may call this machine, tries again soon, and leaves nobody alone.
pub(crate) fn sender() -> PushSenderBuilder {
    PushSender::builder()
        .policy(local())
        .retry(quickly())
        .circuit(Circuit::default().with_failures(u32::MAX))
}

/// All of 127.0.0.0/8, so that there can be many receivers.
pub(crate) fn local() -> Policy {
    Policy::default()
        .with_plain_http()
        .with_any_port()
        .with_network("127.0.0.0/8".parse().unwrap())
}

pub(crate) fn quickly() -> Retry {
    let millis = Duration::from_millis;
    Retry::volatile()
        .with_first(millis(5))
        .with_longest(millis(20))
}

/// A receiver that answers as it is told, and tells what it got.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    got: mpsc::UnboundedReceiver<Request>,
    state: Shared,
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().map(|value| value.to_str().unwrap());
        assert!(values.next().is_none(), "{name} is there twice");
        value
    }

    pub(crate) fn id(&self) -> &str {
        self.header("webhook-id").unwrap()
    }

    /// The number that [`event`] was made with.
    pub(crate) fn number(&self) -> usize {
        let body: StreamResponse = a2a_types::json::from_slice(&self.body).unwrap();
        let Some(a2a_types::stream_response::Payload::StatusUpdate(update)) = body.payload else {
            panic!("{:?}", self.body)
        };
        update.context_id.parse().unwrap()
    }
}

#[derive(Clone)]
struct Shared {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    told: mpsc::UnboundedSender<Request>,
    gate: Option<Arc<tokio::sync::Semaphore>>,
    open: Arc<AtomicUsize>,
    most_open: Arc<AtomicUsize>,
}

/// How a receiver answers.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
}

pub(crate) fn answer(status: u16) -> Answer {
    let headers = Vec::new();
    Answer { status, headers }
}

impl Answer {
    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        Self::on("127.0.0.1:0".parse().unwrap()).await
    }

    pub(crate) async fn on(address: SocketAddr) -> Self {
        Self::serve(TcpListener::bind(address).await.unwrap(), None)
    }

    /// One whose answers wait until the gate has a permit for each.
    pub(crate) async fn gated() -> (Self, Arc<tokio::sync::Semaphore>) {
        let gate = Arc::new(tokio::sync::Semaphore::new(0));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        (Self::serve(listener, Some(Arc::clone(&gate))), gate)
    }

    fn serve(listener: TcpListener, gate: Option<Arc<tokio::sync::Semaphore>>) -> Self {
        let (told, got) = mpsc::unbounded_channel();
        let state = Shared {
            answers: Arc::default(),
            told,
            gate,
            open: Arc::default(),
            most_open: Arc::default(),
        };
        let address = listener.local_addr().unwrap();
        let app = Router::new().fallback(handle).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self {
            address,
            got,
            state,
        }
    }

    /// The answers to the next requests; 204 after those.
    pub(crate) fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.state.answers.lock().unwrap().extend(answers);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A webhook here, of task `t`.
    pub(crate) fn hook(&self, id: &str) -> Arc<Webhook> {
        hook(id, &self.url(&format!("/{id}")))
    }

    pub(crate) async fn next(&mut self) -> Request {
        within(self.got.recv()).await.unwrap()
    }

    /// The numbers of the next so many requests.
    pub(crate) async fn numbers(&mut self, count: usize) -> Vec<usize> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            numbers.push(self.next().await.number());
        }
        numbers
    }

    /// A request that has come and was not looked at.
    pub(crate) fn waiting(&mut self) -> Option<Request> {
        self.got.try_recv().ok()
    }

    /// That no request has come which was not looked at.
    pub(crate) fn expect_nothing(&mut self) {
        if let Some(request) = self.waiting() {
            panic!("{request:?}");
        }
    }

    /// How many requests it had at once at most.
    pub(crate) fn most_open(&self) -> usize {
        self.state.most_open.load(Ordering::SeqCst)
    }
}

async fn handle(
    State(state): State<Shared>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let open = state.open.fetch_add(1, Ordering::SeqCst) + 1;
    state.most_open.fetch_max(open, Ordering::SeqCst);
    let path = uri.path().to_owned();
    let request = Request {
        method,
        path,
        headers,
        body,
    };
    let answer = state.answers.lock().unwrap().pop_front();
    let _ = state.told.send(request);
    if let Some(gate) = &state.gate {
        gate.acquire().await.unwrap().forget();
    }
    state.open.fetch_sub(1, Ordering::SeqCst);
    let answer = answer.unwrap_or(self::answer(204));
    let mut response = StatusCode::from_u16(answer.status).unwrap().into_response();
    for (name, value) in answer.headers {
        let value = value.parse().unwrap();
        response.headers_mut().insert(name, value);
    }
    response
}

pub(crate) fn hook(id: &str, url: &str) -> Arc<Webhook> {
    let config = config(url).with_task_id("t").with_id(id);
    Arc::new(Webhook::new(Owner::new("", "alice"), config))
}

pub(crate) fn config(url: &str) -> TaskPushNotificationConfig {
    TaskPushNotificationConfig::default().with_url(url)
}

/// An event that can be told from others.
pub(crate) fn event(number: usize) -> StreamResponse {
    TaskStatusUpdateEvent::default()
        .with_task_id("t")
        .with_context_id(number.to_string())
        .with_status(TaskStatus::from(TaskState::Working))
        .into()
}

pub(crate) fn notification(number: usize) -> Notification {
    let body = a2a_types::json::to_vec(&event(number)).unwrap();
    Notification::new(number.to_string(), body)
}

/// Hands over events `from` to `to`, one after the other, for all of the webhooks.
pub(crate) async fn send(
    sender: &PushSender,
    hooks: &[Arc<Webhook>],
    numbers: impl IntoIterator<Item = usize>,
) {
    for number in numbers {
        let sender: &dyn a2a_types::push::PushSender = sender;
        sender.notify(hooks, &[notification(number)]).await.unwrap();
    }
}

pub(crate) async fn forget(sender: &PushSender, hook: &Webhook) {
    let forgotten = sender.forget(a2a_types::push::Forget::Webhook(&hook.key));
    within(forgotten).await.unwrap();
}
