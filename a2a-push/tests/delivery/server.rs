//! A server that sends by this sender, from the client's call to the receiver.

use std::sync::Arc;
use std::time::Duration;

use a2a_push::PushSender;
use a2a_server::{Agent, AgentError, Binding, Request, Server, ServerBuilder, TaskHandle};
use a2a_types::AgentCard;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::support::{Receiver, answer, sender, within};

/// Says WORKING, as many chunks as it is told, and COMPLETED; waits before each chunk for a permit.
/// Told to ask, it does.
struct Chunks(Arc<Semaphore>);

impl Agent for Chunks {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        if request.text() == "ask" {
            return task.input_required("How many?").await;
        }
        task.working().await?;
        for number in 0..request.text().parse().unwrap_or(1) {
            self.0.acquire().await.unwrap().forget();
            task.artifact(format!("a{number}")).text("x").send().await?;
        }
        task.complete().await
    }
}

/// A running server and how to call it.
pub(crate) struct Agents {
    server: Server,
    url: String,
    http: reqwest::Client,
    pub(crate) steps: Arc<Semaphore>,
    /// What every call carries besides.
    pub(crate) headers: http::HeaderMap,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Wire {
    JsonRpc,
    Rest,
}

const WIRES: [Wire; 2] = [Wire::JsonRpc, Wire::Rest];

impl Agents {
    /// An agent that need not wait.
    async fn start(sender: PushSender) -> Self {
        let agents = Self::with(sender, |server| server).await;
        agents.steps.add_permits(1_000_000);
        agents
    }

    pub(crate) async fn with(
        sender: PushSender,
        configure: impl FnOnce(ServerBuilder) -> ServerBuilder,
    ) -> Self {
        let steps = Arc::new(Semaphore::new(0));
        let card = AgentCard::builder("Chunks", "Sends chunks").skill("c", "C", "Chunks");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = Server::builder(Chunks(Arc::clone(&steps)))
            .card(card)
            .public_url(url.clone())
            .mount(Binding::JsonRpc, "/rpc")
            .mount(Binding::HttpJson, "/rest")
            .push_sender(Arc::new(sender));
        let server = configure(server).build().unwrap();
        let router = server.router().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            server,
            url,
            http: client(),
            steps,
            headers: http::HeaderMap::new(),
        }
    }

    /// Status and body of an answer.
    pub(crate) async fn call(&self, wire: Wire, operation: &str, params: Value) -> (u16, Value) {
        let task = params["taskId"].as_str().unwrap_or_default().to_owned();
        let id = params["id"].as_str().unwrap_or_default().to_owned();
        let configs = format!("/tasks/{task}/pushNotificationConfigs");
        let (method, path) = match (wire, operation) {
            (Wire::JsonRpc, _) => ("POST", String::new()),
            (Wire::Rest, "SendMessage") => ("POST", "/message:send".to_owned()),
            (Wire::Rest, "SendStreamingMessage") => ("POST", "/message:stream".to_owned()),
            (Wire::Rest, "CreateTaskPushNotificationConfig") => ("POST", configs),
            (Wire::Rest, "DeleteTaskPushNotificationConfig") => {
                ("DELETE", format!("{configs}/{id}"))
            }
            (Wire::Rest, "GetTask") => ("GET", format!("/tasks/{id}")),
            other => panic!("{other:?}"),
        };
        let base = match wire {
            Wire::JsonRpc => "/rpc",
            Wire::Rest => "/rest",
        };
        let body = match wire {
            Wire::JsonRpc => {
                json!({"jsonrpc": "2.0", "id": 1, "method": operation, "params": params})
            }
            Wire::Rest => params,
        };
        let url = format!("{}{base}{path}", self.url);
        let request = self.http.request(method.parse().unwrap(), url);
        let request = request.headers(self.headers.clone());
        let mut request = request.header("a2a-version", "1.0");
        if method == "POST" {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        let response = within(request.send()).await.unwrap();
        let status = response.status().as_u16();
        let text = within(response.text()).await.unwrap();
        if operation == "SendStreamingMessage" && status == 200 {
            let events = text.lines().filter_map(|line| line.strip_prefix("data:"));
            return (status, events.map(|e| unwrapped(wire, e)).collect());
        }
        (status, unwrapped(wire, &text))
    }

    /// Sends a message with a webhook; returns the answer.
    pub(crate) async fn send(
        &self,
        wire: Wire,
        operation: &str,
        text: &str,
        config: Value,
    ) -> Value {
        let message = json!({"messageId": format!("{wire:?} {operation} {config}"),
            "role": "ROLE_USER", "parts": [{"text": text}]});
        let configuration = json!({"taskPushNotificationConfig": config,
            "returnImmediately": operation == "Immediately"});
        let params = json!({"message": message, "configuration": configuration});
        let operation = match operation {
            "Immediately" => "SendMessage",
            other => other,
        };
        self.call(wire, operation, params).await.1
    }
}

fn unwrapped(wire: Wire, text: &str) -> Value {
    let body: Value = serde_json::from_str(text).unwrap();
    match wire {
        Wire::JsonRpc if body["error"].is_object() => body["error"].clone(),
        Wire::JsonRpc => body["result"].clone(),
        Wire::Rest => body,
    }
}

/// Without TLS, whose provider must be named all the same.
fn client() -> reqwest::Client {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// What the events say, in short.
pub(crate) fn in_short(event: &Value) -> String {
    let state = |status: &Value| {
        let state = status["state"].as_str().unwrap();
        state.trim_start_matches("TASK_STATE_").to_owned()
    };
    assert_eq!(event.as_object().unwrap().len(), 1, "{event}");
    if event["task"].is_object() {
        format!("task {}", state(&event["task"]["status"]))
    } else if event["statusUpdate"].is_object() {
        state(&event["statusUpdate"]["status"])
    } else {
        let artifact = &event["artifactUpdate"]["artifact"]["artifactId"];
        artifact.as_str().unwrap().to_owned()
    }
}

pub(crate) async fn got(receiver: &mut Receiver, count: usize) -> Vec<String> {
    let mut events = Vec::new();
    for _ in 0..count {
        let request = receiver.next().await;
        events.push(in_short(&serde_json::from_slice(&request.body).unwrap()));
    }
    events
}

// A2A-3.1.7-01, A2A-3.2.2-06, A2A-4.3.3-01, B3
#[tokio::test]
async fn a_webhook_that_comes_with_a_message_gets_the_task_and_every_event() {
    let agents = Agents::start(sender().build().unwrap()).await;
    for wire in WIRES {
        for operation in ["SendMessage", "Immediately", "SendStreamingMessage"] {
            let mut receiver = Receiver::start().await;
            receiver.answer([answer(500), answer(429)]);
            let config = json!({"url": receiver.url("/hook"), "token": "t0k"});
            let answer = agents.send(wire, operation, "3", config).await;
            let expected = ["task SUBMITTED", "WORKING", "a0", "a1", "a2", "COMPLETED"];
            if operation == "SendStreamingMessage" {
                let events: Vec<_> = answer.as_array().unwrap().iter().map(in_short).collect();
                assert_eq!(events, expected);
            }
            let first = got(&mut receiver, 3).await;
            assert_eq!(first, ["task SUBMITTED"; 3]);
            assert_eq!(got(&mut receiver, 5).await, expected[1..]);
            receiver.expect_nothing();
        }
    }
}

// Off the task's path: neither the call, nor the stream, nor the other receivers notice.
#[tokio::test]
async fn receivers_that_do_not_answer_change_nothing_for_the_task() {
    let (mut hanging, _gate) = Receiver::gated().await;
    let refusing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = format!("http://{}/", refusing.local_addr().unwrap());
    drop(refusing);
    let sender = sender().timeout(Duration::from_secs(3600)).build().unwrap();
    let agents = Agents::with(sender.clone(), |server| server).await;
    for wire in WIRES {
        let mut healthy = Receiver::start().await;
        let config = json!({"url": hanging.url("/hook")});
        let answer = agents.send(wire, "Immediately", "20", config).await;
        let task = answer["task"]["id"].as_str().unwrap().to_owned();
        hanging.next().await;
        for url in [refused.clone(), healthy.url("/hook")] {
            let config = json!({"taskId": task, "url": url});
            let create = agents.call(wire, "CreateTaskPushNotificationConfig", config);
            assert_eq!(create.await.0, 200);
        }
        agents.steps.add_permits(20);
        let events = got(&mut healthy, 21).await;
        assert_eq!(events[0], "a0");
        assert_eq!(events[20], "COMPLETED");
        let read = agents.call(wire, "GetTask", json!({"id": task})).await;
        assert_eq!(read.1["status"]["state"], "TASK_STATE_COMPLETED");
        // A stream of another task, which calls the same receivers.
        agents.steps.add_permits(20);
        let config = json!({"url": hanging.url("/other")});
        let events = agents
            .send(wire, "SendStreamingMessage", "20", config)
            .await;
        assert_eq!(events.as_array().unwrap().len(), 23);
    }
}

// A2A-3.1.10-01, R126
#[tokio::test]
async fn nothing_is_sent_once_a_deletion_is_answered() {
    let agents = Agents::with(sender().build().unwrap(), |server| server).await;
    for wire in WIRES {
        let (mut receiver, gate) = Receiver::gated().await;
        let mut other = Receiver::start().await;
        let config = json!({"id": "a", "url": receiver.url("/hook")});
        let answer = agents.send(wire, "Immediately", "3", config).await;
        let task = answer["task"]["id"].as_str().unwrap();
        let config = json!({"id": "b", "taskId": task, "url": other.url("/hook")});
        let create = agents.call(wire, "CreateTaskPushNotificationConfig", config);
        assert_eq!(create.await.0, 200);
        receiver.next().await;
        let ids = json!({"taskId": task, "id": "a"});
        let delete = agents.call(wire, "DeleteTaskPushNotificationConfig", ids);
        assert_eq!(delete.await.0, 200);
        gate.add_permits(100);
        agents.steps.add_permits(3);
        let mut last = String::new();
        while last != "COMPLETED" {
            last = got(&mut other, 1).await.remove(0);
        }
        receiver.expect_nothing();
    }
}

// A2A-3.1.7-02: what waits follows the registration.
#[tokio::test]
async fn a_replaced_registration_takes_over_what_waits() {
    let agents = Agents::start(sender().build().unwrap()).await;
    for wire in WIRES {
        let (mut old, _gate) = Receiver::gated().await;
        let mut new = Receiver::start().await;
        let config = json!({"id": "a", "url": old.url("/hook")});
        let answer = agents.send(wire, "SendMessage", "1", config).await;
        let task = answer["task"]["id"].as_str().unwrap();
        old.next().await;
        let config = json!({"id": "a", "taskId": task, "url": new.url("/hook"), "token": "new"});
        let create = agents.call(wire, "CreateTaskPushNotificationConfig", config);
        assert_eq!(create.await.0, 200);
        let first = new.next().await;
        assert_eq!(first.header("a2a-notification-token"), Some("new"));
        assert_eq!(got(&mut new, 3).await, ["WORKING", "a0", "COMPLETED"]);
        old.expect_nothing();
    }
}

#[tokio::test]
async fn a_server_that_stops_brings_out_what_it_has() {
    let agents = Agents::start(sender().build().unwrap()).await;
    let mut receiver = Receiver::start().await;
    let config = json!({"url": receiver.url("/hook")});
    agents.send(Wire::Rest, "SendMessage", "50", config).await;
    within(agents.server.shutdown(Duration::from_secs(3600))).await;
    let events = got(&mut receiver, 53).await;
    assert_eq!(events[52], "COMPLETED");
}

/// Addresses that must not be called, one a line: A2A §13.2.
const FORBIDDEN: &str = include_str!("forbidden.txt");

// R116, A2A-13.2-05, A2A-13.2-12, A2A-T-13: on both paths.
#[tokio::test]
async fn an_address_that_must_not_be_called_is_not_registered() {
    let sender = PushSender::builder().build().unwrap();
    let agents = Agents::start(sender).await;
    for wire in WIRES {
        let text = json!({"parts": [{"text": "1"}], "messageId": format!("{wire:?}"),
            "role": "ROLE_USER"});
        let made = agents
            .call(wire, "SendMessage", json!({"message": text}))
            .await;
        let task = made.1["task"]["id"].as_str().unwrap();
        for url in FORBIDDEN.lines() {
            let config = json!({"taskId": task, "url": url});
            let (status, refused) = agents
                .call(wire, "CreateTaskPushNotificationConfig", config)
                .await;
            expect_field(wire, status, &refused, "url", url);
            let config = json!({"taskPushNotificationConfig": {"url": url}});
            let params = json!({"message": text, "configuration": config});
            for operation in ["SendMessage", "SendStreamingMessage"] {
                let (status, refused) = refused_send(&agents, wire, operation, &params).await;
                let field = "configuration.taskPushNotificationConfig.url";
                expect_field(wire, status, &refused, field, url);
            }
        }
    }
}

/// A send that gets a plain answer, also where a stream was asked for.
async fn refused_send(
    agents: &Agents,
    wire: Wire,
    operation: &str,
    params: &Value,
) -> (u16, Value) {
    match (wire, operation) {
        // Over JSON-RPC a refused stream is answered with status 200, too.
        (Wire::JsonRpc, "SendStreamingMessage") => {
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": operation, "params": params});
            let request = agents.http.post(format!("{}/rpc", agents.url));
            let request = request
                .header("a2a-version", "1.0")
                .header("content-type", "application/json");
            let response = within(request.body(call.to_string()).send()).await.unwrap();
            let text = within(response.text()).await.unwrap();
            (200, unwrapped(wire, &text))
        }
        _ => agents.call(wire, operation, params.clone()).await,
    }
}

fn expect_field(wire: Wire, status: u16, refused: &Value, field: &str, url: &str) {
    let details = match wire {
        Wire::JsonRpc => {
            assert_eq!(refused["code"], -32602, "{url} {refused}");
            &refused["data"]
        }
        Wire::Rest => {
            assert_eq!(status, 400, "{url} {refused}");
            &refused["error"]["details"]
        }
    };
    let details = details.to_string();
    assert!(details.contains(&format!("\"{field}\"")), "{url} {details}");
    // What a name resolves to here is nobody's business.
    assert!(!details.contains("127.0.0.1"), "{url} {details}");
}
