//! The client and the server of this workspace, over real sockets and both bindings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_client::auth::Bearer;
use a2a_client::{Client, Failure, Reply, StreamExt as _};
use a2a_server::auth::StaticBearer;
use a2a_server::{Agent, AgentError, Answer, Request, Server, TaskHandle};
use a2a_types::{
    A2aError, AgentCard, ErrorKind, ListTasksRequest, Message, Part, Role, SendMessageRequest,
    TaskState,
};
use serde_json::json;
use support::{BINDINGS, builder};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Does what the message asks it to.
struct Obedient;

impl Agent for Obedient {
    async fn admit(&self, request: &Request) -> Result<Answer, A2aError> {
        let text = request.text();
        if let Some(name) = text.strip_prefix("error ") {
            let kind = ErrorKind::ALL
                .iter()
                .find(|kind| format!("{kind:?}") == name);
            let error = A2aError::new(*kind.unwrap(), "as told").with_metadata("taskId", "t");
            return Err(error);
        }
        match text.as_str() {
            "message" => Ok(Answer::Message),
            _ => Ok(Answer::Task),
        }
    }

    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let text = request.text();
        if text == "message" {
            return task.reply(Message::agent("hello")).await;
        }
        if text == "ask" {
            return task.input_required("what?").await;
        }
        task.working().await?;
        if text == "wait" {
            task.cancelled().await;
            return Ok(());
        }
        if let Some(count) = text.strip_prefix("chunks ") {
            for n in 0..count.parse().unwrap() {
                let chunk = task.artifact("a").text(format!("{n},"));
                if n > 0 {
                    chunk.append().send().await?
                } else {
                    chunk.send().await?
                }
            }
            return task.complete().await;
        }
        let mut artifact = task.artifact("a");
        for part in &request.message().parts {
            artifact = artifact.part(part.clone());
        }
        artifact.send().await?;
        task.complete().await
    }
}

async fn serve() -> SocketAddr {
    let card = AgentCard::builder("Obedient", "Obeys").skill("obey", "Obey", "Does as told");
    let server = Server::builder(Obedient).card(card).build().unwrap();
    let server = server.bind("127.0.0.1:0").await.unwrap();
    let address = server.address();
    tokio::spawn(server.run());
    address
}

async fn client(address: SocketAddr, binding: &str) -> Client {
    let builder = builder().with_bindings([binding]);
    builder.connect(&format!("http://{address}")).await.unwrap()
}

#[tokio::test]
async fn a_message_is_answered_waited_for_and_streamed() {
    let address = serve().await;
    for binding in BINDINGS {
        let client = client(address, binding).await;
        assert_eq!(client.interface().protocol_binding, binding);
        let parts = [
            Part::text("Grüße 🌍"),
            Part::raw(&b"\xff\xef\x00"[..]).with_filename("x"),
            Part::url("https://h/a%20b"),
            Part::data(json!({ "n": 1, "big": u64::MAX, "f": 1.5, "null": null })),
            Part::data(json!(null)),
        ];
        let message = Message::new(Role::User, parts.clone());
        let reply = client.send_message(message).await.unwrap();
        let task = reply.task().unwrap();
        assert_eq!(task.state(), TaskState::Completed);
        assert_eq!(task.artifacts[0].parts, parts);
        assert_eq!(client.get_task(task).await.unwrap(), *task);

        let reply = client.send_message("message").await.unwrap();
        assert!(matches!(reply, Reply::Message(_)));
        assert_eq!(reply.text(), "hello");
        assert_eq!(client.send_and_wait("hi").await.unwrap().text(), "hi");

        let mut stream = client.stream_message("chunks 3").await.unwrap();
        let mut events = 0;
        while let Some(event) = stream.next().await {
            event.unwrap();
            events += 1;
        }
        assert_eq!(events, 6);
        assert_eq!(stream.last_state(), Some(TaskState::Completed));
    }
}

#[tokio::test]
async fn a_conversation_goes_on_and_a_task_is_canceled() {
    let address = serve().await;
    for binding in BINDINGS {
        let client = client(address, binding).await;
        let reply = client.send_message("ask").await.unwrap();
        let task = reply.task().unwrap();
        assert_eq!(task.state(), TaskState::InputRequired);
        let answer = Message::user("that").with_task_id(&task.id);
        let reply = client.send_message(answer).await.unwrap();
        assert_eq!(reply.task().unwrap().id, task.id);
        assert_eq!(reply.text(), "that");

        let mut stream = client.stream_message("wait").await.unwrap();
        while stream.last_state() != Some(TaskState::Working) {
            stream.next().await.unwrap().unwrap();
        }
        let id = stream.task_id().unwrap().to_owned();
        let mut other = client.subscribe_to_task(&id).await.unwrap();
        assert!(other.next().await.unwrap().is_ok());
        let canceled = client.cancel_task(&id).await.unwrap();
        assert_eq!(canceled.state(), TaskState::Canceled);
        for stream in [&mut stream, &mut other] {
            while let Some(event) = stream.next().await {
                event.unwrap();
            }
            assert_eq!(stream.last_state(), Some(TaskState::Canceled));
        }
        let error = client.cancel_task(&id).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::TaskNotCancelable));

        let request = ListTasksRequest::default().with_page_size(1);
        let tasks: Vec<_> = client.all_tasks(request).collect().await;
        assert!(tasks.len() >= 2);
        assert!(tasks.iter().all(Result::is_ok));
        assert!(client.get_task("a/b:c ..").await.is_err());
    }
}

// A2A-3.3.2-20
#[tokio::test]
async fn every_error_of_the_server_is_the_same_one_at_the_client() {
    let address = serve().await;
    let kinds = ErrorKind::ALL.iter().copied();
    for kind in kinds.filter(|kind| (-32009..=-32001).contains(&kind.code())) {
        for binding in BINDINGS {
            let client = client(address, binding).await;
            let text = format!("error {kind:?}");
            let unary = client.send_message(text.as_str()).await.unwrap_err();
            let stream = client.stream_message(text).await.unwrap_err();
            for error in [unary, stream] {
                let protocol = error.protocol().unwrap();
                assert_eq!(protocol.code(), kind.code(), "{binding}");
                assert_eq!(protocol.reason(), kind.reason(), "{binding}");
                assert!(protocol.message().starts_with("as told"));
                assert_eq!(protocol.metadata()["taskId"], "t");
            }
        }
    }
    for binding in BINDINGS {
        let client = client(address, binding).await;
        let message = Message::default()
            .with_message_id("m")
            .with_role(Role::User);
        let error = client.send_message(message.with_parts(["x"]).with_task_id("nope"));
        let error = error.await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
        let error = client.list_tasks(ListTasksRequest::default().with_page_size(500));
        let error = error.await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
        assert_eq!(error.protocol().unwrap().violations()[0].field, "pageSize");
    }
}

/// Passes bytes on to a server, and breaks each of the first connections after so many of an
/// answer.
async fn breaking(server: SocketAddr, breaks: Vec<usize>) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let budget = breaks.get(count.fetch_add(1, Ordering::SeqCst)).copied();
            tokio::spawn(pass(client, server, budget));
        }
    });
    (address, connections)
}

async fn pass(client: TcpStream, server: SocketAddr, mut budget: Option<usize>) {
    let server = TcpStream::connect(server).await.unwrap();
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = tokio::spawn(async move {
        tokio::io::copy(&mut from_client, &mut to_server).await.ok();
    });
    let mut buffer = [0; 256];
    while let Ok(read @ 1..) = from_server.read(&mut buffer).await {
        let passed = budget.map_or(read, |left| left.min(read));
        if to_client.write_all(&buffer[..passed]).await.is_err() {
            break;
        }
        if let Some(left) = &mut budget {
            *left -= passed;
            if *left == 0 {
                break;
            }
        }
    }
    up.abort();
}

// R010, R060, decision D35
#[tokio::test]
async fn a_task_is_followed_whole_wherever_the_connection_breaks() {
    let server = serve().await;
    let wanted: String = (0..40).map(|n| format!("{n},")).collect();
    for binding in BINDINGS {
        for step in [700, 1300, 2900] {
            let breaks = (1..8).map(|n| n * step).collect();
            let (proxy, connections) = breaking(server, breaks).await;
            let direct = client(server, binding).await;
            let mut card = (*direct.card()).clone();
            for interface in &mut card.supported_interfaces {
                interface.url = interface
                    .url
                    .replace(&server.to_string(), &proxy.to_string());
            }
            let client = builder().with_bindings([binding]).from_card(card).unwrap();
            let mut follow = client.send_and_follow("chunks 40");
            let mut chunks = 0;
            while let Some(event) = follow.next().await {
                let event = event.unwrap();
                chunks += usize::from(matches!(
                    event.payload,
                    Some(a2a_types::stream_response::Payload::ArtifactUpdate(_))
                ));
            }
            let task = follow.task().unwrap();
            assert_eq!(task.state(), TaskState::Completed, "{binding} {step}");
            assert_eq!(task.artifacts[0].text(), wanted, "{binding} {step}");
            assert_eq!(chunks, 40, "our server resumes, so each chunk came once");
            assert!(connections.load(Ordering::SeqCst) > 2, "{binding} {step}");
            let stored = direct.get_task(task).await.unwrap();
            assert_eq!(stored.artifacts, task.artifacts);
        }
    }
}

/// Echoes, and counts how often.
struct Counting(Arc<AtomicUsize>);

impl Agent for Counting {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        if request.text() == "ask" {
            return task.input_required("what?").await;
        }
        task.artifact("a").text(request.text()).send().await?;
        task.complete().await
    }
}

/// An agent that knows Alice, and how often it ran.
async fn counting() -> (SocketAddr, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let card = AgentCard::builder("Counting", "Counts").skill("count", "Count", "Counts");
    let server = Server::builder(Counting(Arc::clone(&runs)))
        .card(card)
        .authenticator(StaticBearer::new([("secret", "alice")]));
    let server = server.build().unwrap().bind("127.0.0.1:0").await.unwrap();
    let address = server.address();
    tokio::spawn(server.run());
    (address, runs)
}

/// Alice's client for the agent, which goes by way of a proxy that lets so many bytes of the first
/// answer through.
async fn cut_after(address: SocketAddr, binding: &str, passed: usize) -> Client {
    let (proxy, _) = breaking(address, vec![passed]).await;
    let mut card = (*client(address, binding).await.card()).clone();
    for interface in &mut card.supported_interfaces {
        let proxy = proxy.to_string();
        interface.url = interface.url.replace(&address.to_string(), &proxy);
    }
    let builder = builder().with_bindings([binding]);
    let builder = builder.with_credentials(Bearer::new("secret"));
    builder.from_card(card).unwrap()
}

// R062, B14, A2A-3.3.1-02
#[tokio::test]
async fn a_send_that_is_cut_off_is_repeated_and_the_agent_runs_once() {
    let (address, runs) = counting().await;
    for binding in BINDINGS {
        for passed in [0, 1, 60] {
            let client = cut_after(address, binding, passed).await;
            let before = runs.load(Ordering::SeqCst);
            let reply = client.send_message("hi").await.unwrap();
            assert_eq!(reply.text(), "hi", "{binding} {passed}");
            assert_eq!(
                runs.load(Ordering::SeqCst),
                before + 1,
                "{binding} {passed}"
            );
        }
        let client = cut_after(address, binding, 0).await;
        let before = runs.load(Ordering::SeqCst);
        let reply = client.send_and_wait("ho").await.unwrap();
        assert_eq!(reply.text(), "ho", "{binding}");
        assert_eq!(runs.load(Ordering::SeqCst), before + 1, "{binding}");
    }
}

// B14, A2A-3.3.1-02
#[tokio::test]
async fn a_message_that_continues_a_task_is_not_repeated() {
    let (address, runs) = counting().await;
    for binding in BINDINGS {
        let before = runs.load(Ordering::SeqCst);
        let client = cut_after(address, binding, usize::MAX).await;
        let reply = client.send_message("ask").await.unwrap();
        let client = cut_after(address, binding, 0).await;
        let answer = Message::user("that").with_task_id(&reply.task().unwrap().id);
        let error = client.send_message(answer).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Transport);
        assert!(!error.is_unsent());
        assert_eq!(runs.load(Ordering::SeqCst), before + 2);
    }
}

#[tokio::test]
async fn a_request_with_options_arrives_with_them() {
    let address = serve().await;
    for binding in BINDINGS {
        let client = client(address, binding).await;
        let request = SendMessageRequest::new(Message::user("wait")).with_configuration(
            a2a_types::SendMessageConfiguration::default()
                .with_return_immediately(true)
                .with_history_length(0),
        );
        let reply = client.send_message(request).await.unwrap();
        let task = reply.task().unwrap();
        assert!(!task.state().is_terminal());
        assert!(task.history.is_empty());
        client.cancel_task(task).await.unwrap();
    }
}
