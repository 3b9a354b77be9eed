//! A server that speaks HTTP/2 and otherwise does what it is told.
#![allow(unreachable_pub, reason = "one module of a test")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_client::{Client, ClientBuilder, RetryPolicy};
use a2a_grpc::client::Options;
use a2a_types::card::GRPC;
use a2a_types::prost::Message;
use a2a_types::{
    A2aError, AgentCapabilities, AgentCard, AgentInterface, StreamResponse, Task, TaskState,
    TaskStatus, TaskStatusUpdateEvent,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::Bytes;
use h2::server::SendResponse;
use h2::{Reason, SendStream};
use http::{HeaderMap, Request, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};

/// What the server does with a call, one after the other. After the last step the stream is simply
/// left: that is a reset.
#[derive(Clone, Debug)]
pub enum Step {
    /// The head: HTTP status and headers.
    Head(u16, Vec<(&'static str, String)>),
    /// The head of a call that goes well.
    Begin,
    /// Bytes of the body, as they are.
    Bytes(Vec<u8>),
    /// The same bytes for ever.
    Flood(Vec<u8>),
    /// Trailers; the end.
    Trailers(Vec<(&'static str, String)>),
    /// The end, without trailers.
    End,
    /// The head is everything: a call without a body.
    HeadOnly(u16, Vec<(&'static str, String)>),
    Reset(Reason),
    /// Nothing, until the client gives up.
    Hang,
    /// Says that no more calls are taken over this connection, and takes them no more.
    GoAway,
    /// Breaks the connection.
    Break,
    /// Waits until what came before is on its way; a reset would overtake it.
    Flushed,
    /// Tells the test that the call has come so far.
    Signal,
    /// Waits until the test [lets go](Server::let_go).
    Wait,
}

/// A message with its prefix.
pub fn framed(message: &impl Message) -> Step {
    Step::Bytes(frame(message))
}

pub fn frame(message: &impl Message) -> Vec<u8> {
    let body = message.encode_to_vec();
    let mut frame = vec![0];
    frame.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
    frame.extend(body);
    frame
}

pub fn ok() -> Step {
    Step::Trailers(vec![("grpc-status", "0".to_owned())])
}

/// A whole answer with one message.
pub fn answer(message: &impl Message) -> Vec<Step> {
    vec![Step::Begin, framed(message), ok()]
}

/// A whole stream.
pub fn stream(events: &[StreamResponse]) -> Vec<Step> {
    let mut steps = vec![Step::Begin];
    steps.extend(events.iter().map(framed));
    steps.push(ok());
    steps
}

/// The headers or trailers that carry an error.
pub fn status(error: &A2aError) -> Vec<(&'static str, String)> {
    let error = error.to_grpc();
    let message = utf8_percent_encode(&error.message, NON_ALPHANUMERIC).to_string();
    let details = STANDARD_NO_PAD.encode(&error.details);
    vec![
        ("grpc-status", error.code.to_string()),
        ("grpc-message", message),
        ("grpc-status-details-bin", details),
    ]
}

/// A call that is refused before anything else, as tonic does it: one frame of headers.
pub fn refused(error: &A2aError) -> Vec<Step> {
    let mut headers = vec![("content-type", "application/grpc".to_owned())];
    headers.extend(status(error));
    vec![Step::HeadOnly(200, headers)]
}

pub fn task(state: TaskState) -> Task {
    Task::default()
        .with_id("t-1")
        .with_context_id("c-1")
        .with_status(TaskStatus::from(state))
}

pub fn update(state: TaskState) -> StreamResponse {
    let update = TaskStatusUpdateEvent::default()
        .with_task_id("t-1")
        .with_context_id("c-1")
        .with_status(TaskStatus::from(state));
    update.into()
}

#[derive(Clone, Debug)]
pub struct Heard {
    pub path: String,
    pub headers: HeaderMap,
    /// The message, without its prefix.
    pub message: Bytes,
    /// The number of the connection, from 1.
    pub connection: usize,
}

impl Heard {
    pub fn method(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("-")
    }

    pub fn read<T: Message + Default>(&self) -> T {
        T::decode(self.message.clone()).unwrap()
    }
}

type Script = dyn Fn(&Heard) -> Vec<Step> + Send + Sync;

pub struct Server {
    pub port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    script: Box<Script>,
    heard: Mutex<Vec<Heard>>,
    connections: AtomicUsize,
    open: watch::Sender<usize>,
    /// How many calls the client has reset, or left with their connection.
    given_up: watch::Sender<usize>,
    let_go: watch::Sender<bool>,
    signals: watch::Sender<bool>,
    /// How many calls have come.
    calls: watch::Sender<usize>,
}

impl Server {
    pub async fn start(script: impl Fn(&Heard) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::start_with(script, |socket| async { Some(socket) }).await
    }

    /// A server whose connections are dressed first, in TLS.
    pub async fn start_with<F, S>(
        script: impl Fn(&Heard) -> Vec<Step> + Send + Sync + 'static,
        dress: impl Fn(tokio::net::TcpStream) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Option<S>> + Send,
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            script: Box::new(script),
            heard: Mutex::default(),
            connections: AtomicUsize::new(0),
            open: watch::Sender::new(0),
            given_up: watch::Sender::new(0),
            let_go: watch::Sender::new(false),
            signals: watch::Sender::new(false),
            calls: watch::Sender::new(0),
        });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let number = serving.connections.fetch_add(1, Ordering::Relaxed) + 1;
                let Some(socket) = dress(socket).await else {
                    continue;
                };
                let shared = Arc::clone(&serving);
                shared.open.send_modify(|open| *open += 1);
                tokio::spawn(async move {
                    connection(socket, number, &shared).await;
                    shared.open.send_modify(|open| *open -= 1);
                });
            }
        });
        Self { port, shared }
    }

    /// A server that always does the same.
    pub async fn always(steps: Vec<Step>) -> Self {
        Self::start(move |_| steps.clone()).await
    }

    pub fn heard(&self) -> Vec<Heard> {
        self.shared.heard.lock().unwrap().clone()
    }

    pub fn methods(&self) -> Vec<String> {
        let heard = self.heard();
        heard
            .iter()
            .map(|heard| heard.method().to_owned())
            .collect()
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Relaxed)
    }

    /// Waits until no connection is open.
    pub async fn idle(&self) {
        let mut open = self.shared.open.subscribe();
        within(open.wait_for(|open| *open == 0)).await.unwrap();
    }

    /// Waits until so many calls have come.
    pub async fn called(&self, times: usize) {
        let mut calls = self.shared.calls.subscribe();
        within(calls.wait_for(|calls| *calls >= times))
            .await
            .unwrap();
    }

    /// Waits until the client has given up so many calls.
    pub async fn given_up(&self, times: usize) {
        let mut given_up = self.shared.given_up.subscribe();
        within(given_up.wait_for(|calls| *calls >= times))
            .await
            .unwrap();
    }

    /// Waits for a [signal](Step::Signal).
    pub async fn signaled(&self) {
        let mut signals = self.shared.signals.subscribe();
        within(signals.wait_for(|signaled| *signaled))
            .await
            .unwrap();
    }

    /// Lets the calls go on that [wait](Step::Wait).
    pub fn let_go(&self) {
        self.shared.let_go.send_replace(true);
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn client(&self) -> Client {
        client_of([interface(&self.address())])
    }
}

enum Order {
    GoAway,
    Flush(oneshot::Sender<()>),
    Break,
}

async fn connection<S>(socket: S, number: usize, shared: &Arc<Shared>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Ok(mut connection) = h2::server::handshake(socket).await else {
        return;
    };
    let (orders, mut told) = mpsc::unbounded_channel();
    // Not every call that waits for h2 is woken when its connection ends.
    let open = watch::Sender::new(());
    loop {
        tokio::select! {
            call = connection.accept() => {
                let Some(Ok((request, respond))) = call else { return };
                let (shared, orders) = (Arc::clone(shared), orders.clone());
                let mut open = open.subscribe();
                tokio::spawn(async move {
                    let served = tokio::select! {
                        served = serve(request, respond, number, &shared, &orders) => served,
                        _ = open.changed() => Err(Reason::CANCEL.into()),
                    };
                    // A client that goes away is what many tests are about.
                    if served.is_err() {
                        shared.given_up.send_modify(|calls| *calls += 1);
                    }
                });
            }
            order = told.recv() => match order {
                Some(Order::GoAway) => connection.graceful_shutdown(),
                Some(Order::Flush(done)) => {
                    // What was queued is written by the time at which a PING is answered.
                    let mut ping = connection.ping_pong().expect("once a connection");
                    tokio::spawn(async move {
                        _ = ping.ping(h2::Ping::opaque()).await;
                        _ = done.send(());
                    });
                }
                Some(Order::Break) | None => return,
            },
        }
    }
}

async fn serve(
    request: Request<h2::RecvStream>,
    mut respond: SendResponse<Bytes>,
    connection: usize,
    shared: &Shared,
    orders: &mpsc::UnboundedSender<Order>,
) -> Result<(), h2::Error> {
    let (parts, mut body) = request.into_parts();
    let mut bytes = Vec::new();
    while let Some(chunk) = body.data().await {
        let chunk = chunk?;
        body.flow_control().release_capacity(chunk.len())?;
        bytes.extend(chunk);
    }
    let heard = Heard {
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        message: Bytes::from(bytes.split_off(bytes.len().min(5))),
        connection,
    };
    shared.heard.lock().unwrap().push(heard.clone());
    shared.calls.send_modify(|calls| *calls += 1);
    let mut sending: Option<SendStream<Bytes>> = None;
    for step in (shared.script)(&heard) {
        match step {
            Step::Begin => {
                let headers = [("content-type", "application/grpc".to_owned())];
                sending = Some(respond.send_response(head(200, &headers), false)?);
            }
            Step::Head(status, headers) => {
                sending = Some(respond.send_response(head(status, &headers), false)?);
            }
            Step::HeadOnly(status, headers) => {
                respond.send_response(head(status, &headers), true)?;
                return Ok(());
            }
            Step::Bytes(bytes) => send(&mut sending, bytes).await?,
            Step::Flood(bytes) => loop {
                send(&mut sending, bytes.clone()).await?;
            },
            Step::Trailers(trailers) => {
                let trailers = head(200, &trailers).into_parts().0.headers;
                sending.as_mut().unwrap().send_trailers(trailers)?;
                return Ok(());
            }
            Step::End => {
                sending.as_mut().unwrap().send_data(Bytes::new(), true)?;
                return Ok(());
            }
            Step::Reset(reason) => {
                match &mut sending {
                    Some(sending) => sending.send_reset(reason),
                    None => respond.send_reset(reason),
                }
                return Ok(());
            }
            Step::Hang => {
                let reset = match &mut sending {
                    Some(sending) => std::future::poll_fn(|cx| sending.poll_reset(cx)).await,
                    None => std::future::poll_fn(|cx| respond.poll_reset(cx)).await,
                };
                return Err(reset?.into());
            }
            Step::GoAway => _ = orders.send(Order::GoAway),
            Step::Break => {
                _ = orders.send(Order::Break);
                return std::future::pending().await;
            }
            Step::Flushed => {
                let (done, flushed) = oneshot::channel();
                _ = orders.send(Order::Flush(done));
                _ = flushed.await;
            }
            Step::Signal => _ = shared.signals.send_replace(true),
            Step::Wait => {
                let mut let_go = shared.let_go.subscribe();
                _ = let_go.wait_for(|go| *go).await;
            }
        }
    }
    Ok(())
}

/// Sends as the client takes it.
async fn send(sending: &mut Option<SendStream<Bytes>>, bytes: Vec<u8>) -> Result<(), h2::Error> {
    let sending = sending.as_mut().unwrap();
    let mut bytes = Bytes::from(bytes);
    while !bytes.is_empty() {
        sending.reserve_capacity(bytes.len());
        let room = std::future::poll_fn(|cx| sending.poll_capacity(cx)).await;
        let Some(Ok(room)) = room else {
            return Err(Reason::CANCEL.into());
        };
        sending.send_data(bytes.split_to(room.min(bytes.len())), false)?;
    }
    Ok(())
}

fn head(status: u16, headers: &[(&'static str, String)]) -> Response<()> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, value);
    }
    response.body(()).unwrap()
}

pub fn interface(url: &str) -> AgentInterface {
    AgentInterface::default()
        .with_url(url)
        .with_protocol_binding(GRPC)
        .with_protocol_version("1.0")
}

pub fn card(interfaces: impl IntoIterator<Item = AgentInterface>) -> AgentCard {
    let capabilities = AgentCapabilities::default()
        .with_streaming(true)
        .with_push_notifications(true)
        .with_extended_agent_card(true);
    AgentCard::default()
        .with_name("Hostile")
        .with_capabilities(capabilities)
        .with_supported_interfaces(interfaces)
}

/// A builder that speaks gRPC, and whose repetitions do not wait long.
pub fn builder() -> ClientBuilder {
    builder_with(Options::new())
}

pub fn builder_with(options: Options) -> ClientBuilder {
    let retry = RetryPolicy::default().with_initial_delay(Duration::from_millis(1));
    Client::builder()
        .with_retry(retry)
        .with_transport(GRPC, move |interface| options.transport(interface))
}

pub fn client_of(interfaces: impl IntoIterator<Item = AgentInterface>) -> Client {
    builder().from_card(card(interfaces)).unwrap()
}

/// Nothing here takes long; what never comes is a failure and not a test that hangs.
pub async fn within<F: IntoFuture>(future: F) -> F::Output {
    let guard = tokio::time::timeout(Duration::from_secs(60), future.into_future());
    guard.await.expect("in time")
}

/// How often each value is there.
pub fn counts<T: std::hash::Hash + Eq>(values: impl IntoIterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts
}
