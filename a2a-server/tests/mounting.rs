//! A server inside of an axum application, and set-ups that cannot work (A2A §5.2, §8.3.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::net::SocketAddr;
use std::sync::Arc;

use a2a_server::auth::StaticBearer;
use a2a_server::{Binding, CARD_PATH, Limits, LocalEventBus, Server, ServerBuilder};
use a2a_types::store::{
    Append, Claim, Created, Durability, EventBus, ListQuery, LogEntry, NewTask, Owner, Scope,
    Sharing, StoreError, StoreProperties, StoredTask, TaskPage, TaskStore, Wakeups,
};
use a2a_types::{
    AgentCard, AgentExtension, AgentInterface, HttpAuthSecurityScheme, Task, Timestamp,
};
use async_trait::async_trait;
use axum::Router;
use axum::routing::{get, post};
use serde_json::Value;
use support::{Caller, Scripted, Wire, builder, card};
use tokio::net::TcpListener;

/// Serves an application for as long as the test runs.
async fn run(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    address
}

fn caller(address: SocketAddr, wire: Wire, path: &str) -> Caller {
    Caller::new(wire, format!("http://{address}{path}"))
}

async fn text(address: SocketAddr, path: &str) -> (u16, String) {
    let response = reqwest::get(format!("http://{address}{path}"))
        .await
        .unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

async fn json(address: SocketAddr, path: &str) -> Value {
    serde_json::from_str(&text(address, path).await.1).unwrap()
}

fn built(name: &str, url: &str) -> Server {
    let card = AgentCard::builder(name, "Mounted").skill("s", "S", "Is a skill");
    Server::builder(Scripted::echo())
        .card(card)
        .public_url(url)
        .build()
        .unwrap()
}

// A2A-8.3.1-02, D33, D47
#[tokio::test]
async fn a_server_can_be_nested_below_a_path() {
    let server = built("Nested", "https://example.com/agents/one");
    let app = Router::new()
        .route("/", get(|| async { "home" }))
        .nest_service("/agents/one", server.router().unwrap())
        .fallback(|| async { "nothing here" });
    let address = run(app).await;
    for wire in support::BINDINGS {
        let caller = caller(address, wire, "/agents/one");
        assert_eq!(caller.send("hi").await.state(), "COMPLETED");
        caller.get_task("nope").await.expect_task_not_found();
        assert_eq!(caller.stream_send("hi").await.all().await.len(), 4);
    }
    let card = json(address, &format!("/agents/one{CARD_PATH}")).await;
    assert_eq!(
        card["supportedInterfaces"][0]["url"],
        "https://example.com/agents/one"
    );
    assert_eq!(text(address, "/").await.1, "home");
    for other in ["/other", "/tasks", CARD_PATH, "/agents/two/tasks"] {
        assert_eq!(text(address, other).await.1, "nothing here", "{other}");
    }
    for path in ["/agents/one", "/agents/one/"] {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"ListTasks"}"#;
        let request = client
            .post(format!("http://{address}{path}"))
            .header("a2a-version", "1.0");
        let request = request
            .header("content-type", "application/json")
            .body(call);
        assert_eq!(request.send().await.unwrap().status(), 200, "{path}");
    }
}

// A2A-8.3.1-02
#[tokio::test]
async fn at_the_root_the_routes_of_the_application_win() {
    let server = built("Root", "https://example.com");
    let app = Router::new()
        .route("/", get(|| async { "home" }))
        .route("/tasks", get(|| async { "the application's tasks" }))
        .route("/{tenant}/report", get(|| async { "a report" }))
        .route(
            "/message:send",
            get(|| async { "a form" }).post(|| async { "sent" }),
        )
        .merge(server.router().unwrap());
    let address = run(app).await;
    assert_eq!(text(address, "/").await.1, "home");
    assert_eq!(text(address, "/tasks").await.1, "the application's tasks");
    assert_eq!(text(address, "/acme/report").await.1, "a report");
    assert_eq!(text(address, "/message:send").await.1, "a form");
    assert_eq!(
        caller(address, Wire::JsonRpc, "").send("hi").await.state(),
        "COMPLETED"
    );
    let rest = caller(address, Wire::Rest, "");
    rest.get_task("nope").await.expect_task_not_found();
    assert_eq!(rest.stream_send("hi").await.all().await.len(), 4);
    let (status, body) = text(address, "/no/such/thing").await;
    assert_eq!(status, 404);
    assert!(body.contains("NOT_FOUND"), "{body}");
    assert_eq!(json(address, CARD_PATH).await["name"], "Root");
}

// A2A-8.3.1-03
#[tokio::test]
async fn http_json_below_a_path_leaves_the_fallback_to_the_application() {
    let server = builder(Scripted::echo())
        .mount(Binding::HttpJson, "/a2a")
        .mount(Binding::JsonRpc, "/a2a/rpc")
        .public_url("https://example.com");
    let server = server.build().unwrap();
    let app = Router::new()
        .route("/upload", post(|| async { "uploaded" }))
        .merge(server.router().unwrap())
        .fallback(|| async { "my own 404" });
    let address = run(app).await;
    assert_eq!(
        caller(address, Wire::Rest, "/a2a").send("hi").await.state(),
        "COMPLETED"
    );
    assert_eq!(
        caller(address, Wire::JsonRpc, "/a2a/rpc")
            .send("hi")
            .await
            .state(),
        "COMPLETED"
    );
    assert_eq!(text(address, "/tasks").await.1, "my own 404");
    assert!(text(address, "/a2a/nothing").await.1.contains("NOT_FOUND"));
}

// A2A-T-10, D47, A2A-8.2-01
#[tokio::test]
async fn each_agent_of_a_host_has_its_own_card_where_the_host_wants_it() {
    let (one, two) = (
        built("One", "https://e.com/one"),
        built("Two", "https://e.com/two"),
    );
    let app = Router::new()
        .nest_service("/one", one.bindings())
        .nest_service("/two", two.bindings())
        .merge(one.card_router().unwrap())
        .nest("/cards/two", two.card_router().unwrap());
    let address = run(app).await;
    assert_eq!(json(address, CARD_PATH).await["name"], "One");
    assert_eq!(
        json(address, &format!("/cards/two{CARD_PATH}")).await["name"],
        "Two"
    );
    assert_ne!(text(address, &format!("/one{CARD_PATH}")).await.0, 200);
    let first = caller(address, Wire::Rest, "/one");
    let id = first.send("hi").await.task_id();
    assert_eq!(first.get_task(&id).await.state(), "COMPLETED");
    caller(address, Wire::Rest, "/two")
        .get_task(&id)
        .await
        .expect_task_not_found();
    caller(address, Wire::JsonRpc, "/two")
        .get_task(&id)
        .await
        .expect_task_not_found();
    assert_eq!(
        caller(address, Wire::JsonRpc, "/one")
            .get_task(&id)
            .await
            .state(),
        "COMPLETED"
    );
}

// A2A-5.2-01
#[tokio::test]
async fn a_binding_that_is_not_mounted_is_not_there() {
    let only = builder(Scripted::echo())
        .mount(Binding::JsonRpc, "/")
        .public_url("https://e.com");
    let address = run(only.build().unwrap().router().unwrap()).await;
    assert_eq!(
        caller(address, Wire::JsonRpc, "").send("hi").await.state(),
        "COMPLETED"
    );
    assert_eq!(text(address, "/tasks").await.0, 404);
    let only = builder(Scripted::echo())
        .mount(Binding::HttpJson, "/")
        .public_url("https://e.com");
    let address = run(only.build().unwrap().router().unwrap()).await;
    assert_eq!(
        caller(address, Wire::Rest, "").send("hi").await.state(),
        "COMPLETED"
    );
    let answer = caller(address, Wire::JsonRpc, "").request("ListTasks", serde_json::json!({}));
    assert_eq!(answer.send().await.unwrap().status(), 404);
}

/// A store that several processes could use at once; nothing of it is ever called.
struct SharedStore;

#[async_trait]
impl TaskStore for SharedStore {
    fn properties(&self) -> StoreProperties {
        StoreProperties::new(Durability::Machine, Sharing::Shared)
    }

    async fn create(&self, _: &Owner, _: NewTask) -> Result<Created, StoreError> {
        unreachable!()
    }

    async fn append(
        &self,
        _: &Scope,
        _: &str,
        _: Append<'_>,
    ) -> Result<Option<Arc<Task>>, StoreError> {
        unreachable!()
    }

    async fn load(&self, _: &Scope, _: &str) -> Result<Option<StoredTask>, StoreError> {
        unreachable!()
    }

    async fn list(&self, _: &Scope, _: &ListQuery) -> Result<TaskPage, StoreError> {
        unreachable!()
    }

    async fn events(
        &self,
        _: &Scope,
        _: &str,
        _: u64,
        _: usize,
    ) -> Result<Option<Vec<Arc<LogEntry>>>, StoreError> {
        unreachable!()
    }

    async fn expire(&self, _: Timestamp, _: usize) -> Result<Vec<String>, StoreError> {
        unreachable!()
    }

    async fn delete_owner(&self, _: &Owner) -> Result<Vec<String>, StoreError> {
        unreachable!()
    }
}

/// A bus that reaches other processes; nothing of it is ever called.
struct SharedBus;

#[async_trait]
impl EventBus for SharedBus {
    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    async fn claim(&self, _: &str) -> Result<Option<Claim>, StoreError> {
        unreachable!()
    }

    fn publish(&self, _: &str, _: u64) {
        unreachable!()
    }

    async fn subscribe(&self, _: &str) -> Result<Box<dyn Wakeups>, StoreError> {
        unreachable!()
    }
}

#[test]
fn servers_over_a_shared_store_are_joined_by_a_shared_bus() {
    let server = server().task_store(Arc::new(SharedStore));
    server.event_bus(Arc::new(SharedBus)).build().unwrap();
}

fn interface(binding: &str, url: &str) -> AgentInterface {
    AgentInterface::default()
        .with_url(url)
        .with_protocol_binding(binding)
        .with_protocol_version("1.0")
}

fn server() -> ServerBuilder {
    builder(Scripted::echo())
}

// R146, A2A-5.2-01, A2A-8.3.1-02, A2A-4.4-01, A2A-4.4-02, A2A-4.4-04, D30, D47
#[test]
fn what_cannot_work_does_not_build_and_says_why() {
    let bearer = || StaticBearer::new([("t", "alice")]);
    let scheme = || HttpAuthSecurityScheme::default().with_scheme("Basic");
    for (builder, expected) in
        [
            (Server::builder(Scripted::echo()), "call `card("),
            (
                server().mount(Binding::Grpc, "/"),
                "GRPC cannot be mounted at an HTTP path",
            ),
            (
                server().mount(Binding::Local, "/"),
                "local cannot be mounted",
            ),
            (
                server()
                    .mount(Binding::JsonRpc, "/a")
                    .mount(Binding::JsonRpc, "/b"),
                "JSONRPC is mounted twice",
            ),
            (
                server()
                    .mount(Binding::JsonRpc, "/a")
                    .mount(Binding::HttpJson, "/a/"),
                "shares the path `/a`",
            ),
            (
                server().mount(Binding::JsonRpc, "rpc"),
                "write it like `/agent`",
            ),
            (
                server().mount(Binding::HttpJson, "/{tenant}"),
                "write it like `/agent`",
            ),
            (
                server().mount(Binding::HttpJson, "/a?b"),
                "write it like `/agent`",
            ),
            (server().public_url("agent.example.com"), "is no public URL"),
            (
                server().public_url("ftp://agent.example.com"),
                "is no public URL",
            ),
            (server().public_url("https://"), "is no public URL"),
            (
                server().public_url("https://e.com/?q=1"),
                "is no public URL",
            ),
            (server().public_url(""), "is no public URL"),
            (
                server().task_store(Arc::new(SharedStore)),
                "shared between processes: set an `event_bus`",
            ),
            (
                server()
                    .task_store(Arc::new(SharedStore))
                    .event_bus(Arc::new(LocalEventBus::new())),
                "the event bus does not reach other processes",
            ),
            (
                server().limits(Limits::default().with_default_page(0)),
                "between 1 and 100",
            ),
            (
                server().limits(Limits::default().with_default_page(101)),
                "between 1 and 100",
            ),
            (
                server().card(card().interface(interface("GRPC", "e.com:443"))),
                "GRPC at e.com:443 is declared but not served here",
            ),
            (
                server()
                    .mount(Binding::HttpJson, "/")
                    .card(card().interface(interface("JSONRPC", "https://e.com/rpc"))),
                "JSONRPC at https://e.com/rpc is declared but not served here",
            ),
            (
                server().card(card().interface(interface("urn:x:v1", ""))),
                "supportedInterfaces[2].url",
            ),
            (
                server().card(
                    card().interface(
                        AgentInterface::default()
                            .with_url("https://e.com")
                            .with_protocol_binding("urn:x:v1"),
                    ),
                ),
                "supportedInterfaces[2].protocolVersion",
            ),
            (
                server().card(card().interface(
                    interface("urn:x:v1", "https://e.com").with_protocol_version("1.0.0"),
                )),
                "write Major.Minor",
            ),
            (server().card(AgentCard::builder("", "No name")), "name"),
            (server().card(card().version("")), "version"),
            (
                server().card(card().skill("test", "Again", "Same id")),
                "skills[1].id: test is the id of an earlier skill",
            ),
            (
                server().card(card().skill("", "No id", "x")),
                "skills[1].id",
            ),
            (
                server().card(card().extension(AgentExtension::default())),
                "capabilities.extensions[0].uri: is required",
            ),
            (
                server()
                    .authenticator(bearer())
                    .card(card().security_scheme("own", scheme())),
                "remove security from the card",
            ),
        ]
    {
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

// R146, D47
#[test]
fn a_router_needs_to_know_its_public_url() {
    let server = server().build().unwrap();
    for error in [
        server.router().unwrap_err(),
        server.card_router().unwrap_err(),
    ] {
        assert!(error.to_string().contains("set `public_url`"), "{error}");
    }
    drop(server.bindings());
}
