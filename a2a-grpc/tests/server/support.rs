//! An agent that does what it is told, a server that is gone with the test, and plain clients.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use a2a_grpc::a2a_service_client::A2aServiceClient;
use a2a_grpc::{Grpc, ServeGrpc};
use a2a_server::{Agent, AgentError, Answer, Request, Server, ServerBuilder, TaskHandle};
use a2a_types::card::AgentCardBuilder;
use a2a_types::{
    A2aError, AgentCard, ErrorKind, Message, SendMessageRequest, Task, TaskState,
    TaskStatusUpdateEvent,
};
use bytes::Bytes;
use tokio::sync::{Notify, oneshot};
use tonic::metadata::MetadataMap;
use tonic::transport::Channel;
use tonic::{Code, Status};

pub(crate) type Client = A2aServiceClient<Channel>;

/// Fails a test that waits for what never comes.
pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future)
        .await
        .expect("nothing came in time")
}

/// What the agent and a test tell each other.
#[derive(Default)]
pub(crate) struct Signals {
    /// The agent has begun to wait.
    pub(crate) begun: Notify,
    /// It may go on.
    pub(crate) go: Notify,
    /// It has done its work.
    pub(crate) done: Notify,
}

/// The first word of the message says what it does; `raise KIND` refuses the message.
#[derive(Clone, Default)]
pub(crate) struct Obedient(pub(crate) Arc<Signals>);

impl Agent for Obedient {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let text = request.text();
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match word {
            "message" => return task.reply(rest).await,
            "ask" => return task.input_required("what?").await,
            _ => task.working().await?,
        }
        match word {
            "wait" => {
                self.0.begun.notify_one();
                tokio::select! {
                    () = self.0.go.notified() => {}
                    () = task.cancelled() => return Ok(()),
                }
            }
            "big" => {
                let text = "x".repeat(rest.parse()?);
                task.artifact("big").text(text).send().await?;
            }
            "chunks" => {
                for i in 0..rest.parse()? {
                    let chunk = task.artifact("chunks").text(format!("{i};"));
                    let chunk = if i > 0 { chunk.append() } else { chunk };
                    chunk.send().await?;
                }
            }
            "left" => {
                let left = request.context().deadline.map(|at| at - Instant::now());
                let seconds = left.map_or(0, |left| left.as_secs());
                task.artifact("left")
                    .text(seconds.to_string())
                    .send()
                    .await?;
            }
            "caller" => {
                let context = request.context();
                let extensions = context.activated_extensions.to_string();
                let told = format!("{} {extensions}", context.caller.id());
                task.artifact("caller").text(told).send().await?;
            }
            _ => task.artifact("echo").text(&*text).send().await?,
        }
        task.complete().await?;
        self.0.done.notify_one();
        Ok(())
    }

    async fn admit(&self, request: &Request) -> Result<Answer, A2aError> {
        let text = request.text();
        match text.split_once(' ') {
            Some(("message", _)) => Ok(Answer::Message),
            Some(("raise", name)) => {
                let kind = ErrorKind::ALL
                    .iter()
                    .find(|kind| format!("{kind:?}") == name);
                Err(A2aError::new(*kind.unwrap(), "as told").with_metadata("key", "value"))
            }
            _ => Ok(Answer::Task),
        }
    }
}

pub(crate) fn card() -> AgentCardBuilder {
    AgentCard::builder("Obedient", "Does as it is told").skill("obey", "Obey", "Does as told")
}

pub(crate) fn builder(agent: Obedient) -> ServerBuilder {
    Server::builder(agent).card(card())
}

/// A running server. It stops when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) signals: Arc<Signals>,
    _stop: oneshot::Sender<()>,
}

/// Serves all three bindings on one port, with what is added to the builder.
pub(crate) async fn serve(add: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Running {
    serve_grpc(Grpc::new(), add).await
}

pub(crate) async fn serve_grpc(
    grpc: Grpc,
    add: impl FnOnce(ServerBuilder) -> ServerBuilder,
) -> Running {
    let agent = Obedient::default();
    let signals = Arc::clone(&agent.0);
    let server = add(builder(agent).drain_time(Duration::ZERO).grpc(grpc));
    let server = server.build().unwrap().bind("127.0.0.1:0").await.unwrap();
    let address = server.address();
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(server.run_until(async move {
        let _ = stopped.await;
    }));
    Running {
        address,
        signals,
        _stop: stop,
    }
}

impl Running {
    pub(crate) async fn client(&self) -> Client {
        client(self.address).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) async fn card(&self) -> AgentCard {
        let request = http().build().unwrap().get(self.url(a2a_server::CARD_PATH));
        let response = within(request.send()).await.unwrap();
        serde_json::from_slice(&response.bytes().await.unwrap()).unwrap()
    }
}

pub(crate) async fn client(address: SocketAddr) -> Client {
    let channel = Channel::from_shared(format!("http://{address}")).unwrap();
    let client = A2aServiceClient::new(channel.connect().await.unwrap());
    client.max_decoding_message_size(usize::MAX)
}

/// A request of version 1.0.
pub(crate) fn v1<T>(message: T) -> tonic::Request<T> {
    with(message, &[])
}

/// A request of version 1.0 with more metadata.
pub(crate) fn with<T>(message: T, metadata: &[(&'static str, &str)]) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    request
        .metadata_mut()
        .insert("a2a-version", "1.0".parse().unwrap());
    for (name, value) in metadata {
        request.metadata_mut().append(*name, value.parse().unwrap());
    }
    request
}

pub(crate) fn say(text: &str) -> SendMessageRequest {
    SendMessageRequest::new(Message::user(text))
}

/// Sends a text and gives the task that answers.
pub(crate) async fn send(client: &mut Client, text: &str) -> Task {
    let response = within(client.send_message(v1(say(text)))).await.unwrap();
    match response.into_inner().payload.unwrap() {
        a2a_types::send_message_response::Payload::Task(task) => task,
        other => panic!("no task: {other:?}"),
    }
}

/// The `google.rpc.Status` that the details of a status are, by another implementation.
pub(crate) fn details(status: &Status) -> tonic_types::Status {
    a2a_types::prost::Message::decode(status.details()).unwrap()
}

pub(crate) fn text_of(metadata: &MetadataMap, name: &str) -> Option<String> {
    Some(metadata.get(name)?.to_str().unwrap().to_owned())
}

/// Sends bytes as the body of a gRPC request, and gives the HTTP status, the code and the text.
pub(crate) async fn raw(
    address: SocketAddr,
    method: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> (u16, Option<Code>, String) {
    let client = http().http2_prior_knowledge().build().unwrap();
    let mut request = client.post(format!("http://{address}/lf.a2a.v1.A2AService/{method}"));
    for (name, value) in [("content-type", "application/grpc"), ("te", "trailers")] {
        if headers.iter().all(|(given, _)| *given != name) {
            request = request.header(name, value);
        }
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = within(request.body(body).send()).await.unwrap();
    let header = |name| {
        let value = response.headers().get(name)?;
        Some(value.to_str().unwrap().to_owned())
    };
    let code = header("grpc-status").map(|code| Code::from_i32(code.parse().unwrap()));
    let text = header("grpc-message").unwrap_or_default();
    (response.status().as_u16(), code, text)
}

/// What came back of a call, frame by frame.
pub(crate) struct RawAnswer {
    pub(crate) messages: Vec<Vec<u8>>,
    pub(crate) code: Code,
}

/// Begins a call whose message is still to be sent.
pub(crate) async fn begin_call(
    address: SocketAddr,
    method: &str,
    timeout: &str,
) -> (h2::client::ResponseFuture, h2::SendStream<Bytes>) {
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::post(format!("http://{address}/lf.a2a.v1.A2AService/{method}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .header("a2a-version", "1.0")
        .header("grpc-timeout", timeout)
        .body(())
        .unwrap();
    client.send_request(request, false).unwrap()
}

/// Makes a call with a deadline that only the server keeps.
pub(crate) async fn raw_call(
    address: SocketAddr,
    method: &str,
    timeout: &str,
    message: &SendMessageRequest,
) -> RawAnswer {
    let (response, mut body) = begin_call(address, method, timeout).await;
    let message = a2a_types::prost::Message::encode_to_vec(message);
    body.send_data(frame(&message).into(), true).unwrap();
    let (head, mut body) = within(response).await.unwrap().into_parts();
    let mut data = Vec::new();
    while let Some(chunk) = within(body.data()).await {
        data.extend_from_slice(&chunk.unwrap());
    }
    let trailers = within(body.trailers())
        .await
        .unwrap()
        .unwrap_or(head.headers);
    let code = trailers["grpc-status"].to_str().unwrap().parse().unwrap();
    let mut messages = Vec::new();
    let mut rest = &data[..];
    while let Some((prefix, more)) = rest.split_first_chunk::<5>() {
        let length = u32::from_be_bytes(prefix[1..].try_into().unwrap());
        let (message, more) = more.split_at(usize::try_from(length).unwrap());
        messages.push(message.to_vec());
        rest = more;
    }
    RawAnswer {
        messages,
        code: Code::from_i32(code),
    }
}

/// A client for HTTP that has nothing to do with gRPC.
pub(crate) fn http() -> reqwest::ClientBuilder {
    // Fails when it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy()
}

pub(crate) fn state(update: &TaskStatusUpdateEvent) -> TaskState {
    update.status.as_ref().unwrap().state()
}

/// A message as a frame.
pub(crate) fn frame(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0][..], &length, message].concat()
}
