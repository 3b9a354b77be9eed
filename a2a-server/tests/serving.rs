//! What a server that runs by itself adds: health, a guard on loopback addresses, access for
//! browsers, and an orderly end.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::net::SocketAddr;
use std::time::Duration;

use a2a_server::{CARD_PATH, Cors, ServeError, Server};
use a2a_types::operations::SendMessage;
use a2a_types::{Message, SendMessageConfiguration, SendMessageRequest};
use reqwest::Response;
use serde_json::json;
use support::{
    Caller, Gate, RawAnswer, Scripted, TestServer, Wire, builder, capture, message, raw, scripted,
    serve, serve_agent, within,
};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

// A2A-8.1-01
#[tokio::test]
async fn a_load_balancer_can_ask_whether_the_server_is_there() {
    let server = serve_agent(Scripted::echo()).await;
    let answer = reqwest::get(server.url("/health")).await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), answer.text().await.unwrap()),
        (200, "ok".to_owned())
    );
}

#[tokio::test]
async fn a_bound_server_knows_its_address_and_one_that_cannot_be_bound_says_so() {
    let server = builder(Scripted::echo()).build().unwrap();
    let bound = server.bind("127.0.0.1:0").await.unwrap();
    assert_eq!(
        bound.card_url(),
        format!("http://{}{CARD_PATH}", bound.address())
    );
    let error = server.bind(bound.address()).await.unwrap_err();
    assert!(matches!(error, ServeError::Io(_)), "{error}");
    let error = Server::builder(Scripted::echo())
        .serve("127.0.0.1:0")
        .await
        .unwrap_err();
    assert!(matches!(error, ServeError::Build(_)), "{error}");
}

/// A request line to the address with exactly these headers.
async fn bare(address: SocketAddr, line: &str, headers: &str) -> RawAnswer {
    let mut raw = support::Raw::connect(address).await;
    raw.write(format!("{line}\r\n{headers}Connection: close\r\n\r\n").as_bytes())
        .await;
    raw.answer().await
}

const ROUTES: [&str; 4] = [
    "GET /tasks",
    "GET /",
    "GET /.well-known/agent-card.json",
    "GET /health",
];

// B8: DNS rebinding.
#[tokio::test]
async fn a_server_on_a_loopback_address_refuses_foreign_hosts_and_origins() {
    let logs = capture();
    let server = serve(
        builder(Scripted::echo())
            .public_url("https://public.example")
            .allowed_hosts(["dev.example"]),
    )
    .await;
    let port = server.address.port();
    for (headers, fine) in [
        (format!("Host: 127.0.0.1:{port}\r\n"), true),
        ("Host: localhost\r\n".to_owned(), true),
        ("Host: LOCALHOST.:1\r\n".to_owned(), true),
        (format!("Host: [::1]:{port}\r\n"), true),
        ("Host: 127.8.9.1\r\n".to_owned(), true),
        ("Host: public.example\r\n".to_owned(), true),
        ("Host: dev.example:99\r\n".to_owned(), true),
        (
            "Host: localhost\r\nOrigin: http://localhost:3000\r\n".to_owned(),
            true,
        ),
        (
            "Host: localhost\r\nOrigin: https://dev.example\r\n".to_owned(),
            true,
        ),
        ("Host: evil.example\r\n".to_owned(), false),
        (format!("Host: evil.example:{port}\r\n"), false),
        ("Host: localhost.evil.example\r\n".to_owned(), false),
        ("Host: dev.example.evil\r\n".to_owned(), false),
        ("Host: 192.168.1.1\r\n".to_owned(), false),
        ("Host: 0.0.0.0\r\n".to_owned(), false),
        ("Host: user@localhost\r\nOrigin: null\r\n".to_owned(), false),
        (
            "Host: localhost\r\nOrigin: https://evil.example\r\n".to_owned(),
            false,
        ),
        (
            "Host: localhost\r\nOrigin: http://localhost.evil.example\r\n".to_owned(),
            false,
        ),
        ("Host: localhost\r\nOrigin: null\r\n".to_owned(), false),
        ("Host: localhost\r\nOrigin: \r\n".to_owned(), false),
    ] {
        for route in ROUTES {
            let answer = bare(server.address, &format!("{route} HTTP/1.1"), &headers).await;
            assert_eq!(answer.status != 403, fine, "{route} {headers}");
            if !fine {
                let error = &answer.json()["error"];
                assert_eq!(
                    (&error["code"], &error["status"]),
                    (&json!(403), &json!("PERMISSION_DENIED"))
                );
                assert!(error["message"].as_str().unwrap().contains("allowed_hosts"));
            }
        }
    }
    assert_ne!(
        bare(server.address, "GET /tasks HTTP/1.0", "").await.status,
        403
    );
    assert!(!logs.lines(&["WARN", "foreign host"]).is_empty());
}

// B8: a web page cannot send JSON without asking first, and the guard stops what it can send.
#[tokio::test]
async fn a_simple_request_of_a_web_page_does_not_reach_the_agent() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for (origin, content_type, status) in [
        ("https://evil.example", "application/json", 403),
        ("https://evil.example", "text/plain", 403),
        ("http://localhost:9", "text/plain", 415),
    ] {
        for (target, body) in [
            ("/message:send", json!({"message": message("x")})),
            (
                "/",
                json!({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message("x")}}),
            ),
        ] {
            let head = format!(
                "POST {target}?A2A-Version=1.0 HTTP/1.1\r\nOrigin: {origin}\r\nContent-Type: {content_type}\r\n"
            );
            assert_eq!(
                raw(server.address, &head, body.to_string().as_bytes())
                    .await
                    .status,
                status
            );
        }
    }
    assert_eq!(agent.runs(), 0);
}

#[tokio::test]
async fn a_server_on_another_address_answers_to_any_name() {
    let server = builder(Scripted::echo()).build().unwrap();
    let bound = server.bind("0.0.0.0:0").await.unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], bound.address().port()));
    assert_eq!(bound.card_url(), format!("http://{address}{CARD_PATH}"));
    let serving = tokio::spawn(bound.run_until(std::future::pending()));
    let headers = "Host: agent.example\r\nOrigin: https://app.example\r\nA2A-Version: 1.0\r\n";
    assert_eq!(
        bare(address, "GET /tasks HTTP/1.1", headers).await.status,
        200
    );
    serving.abort();
}

async fn from_origin(
    server: &TestServer,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = client
        .request(method.parse().unwrap(), server.url(path))
        .header("a2a-version", "1.0");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

fn allowed<'a>(response: &'a Response, header: &str) -> Option<&'a str> {
    response
        .headers()
        .get(format!("access-control-{header}"))
        .map(|value| value.to_str().unwrap())
}

const ORIGIN: &str = "https://app.example";

// R079
#[tokio::test]
async fn browsers_may_call_from_the_origins_that_are_allowed() {
    for (cors, origin) in [
        (Cors::any(), "*"),
        (Cors::origins([ORIGIN, "https://two.example"]), ORIGIN),
    ] {
        let server = serve(builder(Scripted::echo()).cors(cors)).await;
        for (method, path) in [
            ("GET", CARD_PATH),
            ("POST", "/"),
            ("POST", "/message:stream"),
            ("GET", "/tasks/x"),
            ("DELETE", "/tasks/x/pushNotificationConfigs/y"),
        ] {
            let preflight = [
                ("origin", ORIGIN),
                ("access-control-request-method", method),
                (
                    "access-control-request-headers",
                    "a2a-version,a2a-extensions,authorization,content-type,last-event-id",
                ),
            ];
            let response = from_origin(&server, "OPTIONS", path, &preflight).await;
            assert_eq!(response.status(), 200, "{path}");
            assert_eq!(allowed(&response, "allow-origin"), Some(origin), "{path}");
            assert!(
                allowed(&response, "allow-methods")
                    .unwrap()
                    .contains(method),
                "{path}"
            );
            let headers = allowed(&response, "allow-headers").unwrap().to_lowercase();
            for name in [
                "a2a-version",
                "a2a-extensions",
                "authorization",
                "content-type",
                "last-event-id",
                "accept",
                "if-none-match",
            ] {
                assert!(headers.contains(name), "{headers}");
            }
        }
        for path in [CARD_PATH, "/tasks", "/tasks/nope"] {
            let response = from_origin(&server, "GET", path, &[("origin", ORIGIN)]).await;
            assert_eq!(allowed(&response, "allow-origin"), Some(origin), "{path}");
            let exposed = allowed(&response, "expose-headers").unwrap().to_lowercase();
            for name in ["etag", "a2a-extensions", "retry-after", "www-authenticate"] {
                assert!(exposed.contains(name), "{exposed}");
            }
        }
        for caller in server.callers() {
            let request = caller.request("SendStreamingMessage", json!({"message": message("hi")}));
            let response = request.header("origin", ORIGIN).send().await.unwrap();
            assert_eq!(response.headers()["content-type"], "text/event-stream");
            assert_eq!(allowed(&response, "allow-origin"), Some(origin));
        }
    }
    let server = serve(builder(Scripted::echo()).cors(Cors::origins([ORIGIN]))).await;
    let foreign = from_origin(
        &server,
        "GET",
        "/tasks",
        &[("origin", "https://evil.example")],
    )
    .await;
    assert_eq!(
        (foreign.status().as_u16(), allowed(&foreign, "allow-origin")),
        (403, None)
    );
}

// R079
#[tokio::test]
async fn nothing_is_added_for_browsers_unless_it_is_switched_on() {
    let server = serve_agent(Scripted::echo()).await;
    for (method, path) in [
        ("GET", CARD_PATH),
        ("GET", "/tasks"),
        ("OPTIONS", "/"),
        ("OPTIONS", "/message:send"),
    ] {
        let response = from_origin(
            &server,
            method,
            path,
            &[("origin", "http://localhost:3000")],
        )
        .await;
        let added = response
            .headers()
            .keys()
            .filter(|name| name.as_str().starts_with("access-control"));
        assert_eq!(added.count(), 0, "{method} {path}");
    }
}

/// A server that can be told to stop.
struct Stoppable {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), ServeError>>,
    server: Server,
}

async fn stoppable(agent: Scripted, drain: Duration) -> Stoppable {
    let server = builder(agent).drain_time(drain).build().unwrap();
    let bound = server.bind("127.0.0.1:0").await.unwrap();
    let address = bound.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(bound.run_until(async move {
        let _ = stopped.await;
    }));
    Stoppable {
        address,
        stop,
        serving,
        server,
    }
}

impl Stoppable {
    fn caller(&self, wire: Wire) -> Caller {
        Caller::new(wire, format!("http://{}", self.address))
    }
}

/// Says that it works, waits at the gate and completes.
fn gated(gate: &Gate) -> Scripted {
    let gate = gate.clone();
    scripted(move |_, task| {
        let gate = gate.clone();
        async move {
            task.working().await?;
            gate.pass().await;
            task.complete().await
        }
    })
}

// A2A-3.3.2-14
#[tokio::test]
async fn a_server_that_stops_lets_runs_finish_and_streams_end() {
    for wire in support::BINDINGS {
        let gate = Gate::new();
        let running = stoppable(gated(&gate), Duration::from_secs(60)).await;
        let caller = running.caller(wire);
        let mut events = caller.stream_send("hi").await;
        assert_eq!(events.next().await.unwrap().brief(), "task SUBMITTED");
        assert_eq!(events.next().await.unwrap().brief(), "statusUpdate WORKING");
        let blocking = tokio::spawn({
            let caller = caller.clone();
            async move { caller.send("hi").await }
        });
        // The second run is known to have begun when its task is there.
        while caller.count().await < 2 {
            tokio::task::yield_now().await;
        }
        running.stop.send(()).unwrap();
        // New work is refused while the old goes on.
        let mut request = SendMessageRequest::new(Message::user("hi"));
        request.configuration =
            Some(SendMessageConfiguration::default().with_return_immediately(true));
        let local = running.server.local();
        let refused = within(async {
            loop {
                if let Err(error) = local.call::<SendMessage>(request.clone()).await {
                    break error;
                }
            }
        });
        let refused = refused.await;
        assert_eq!(refused.kind(), a2a_types::ErrorKind::Unavailable);
        // Some may have begun before the server knew.
        gate.open_for(1000);
        assert_eq!(
            within(events.next()).await.unwrap().brief(),
            "statusUpdate COMPLETED"
        );
        assert!(within(events.next()).await.is_none());
        assert_eq!(within(blocking).await.unwrap().state(), "COMPLETED");
        within(running.serving).await.unwrap().unwrap();
        assert!(
            tokio::net::TcpStream::connect(running.address)
                .await
                .is_err()
        );
    }
}

// A2A-3.3.2-14
#[tokio::test]
async fn a_run_that_outlasts_the_time_to_stop_fails_with_a_last_event() {
    for wire in support::BINDINGS {
        let running = stoppable(gated(&Gate::new()), Duration::from_millis(50)).await;
        let caller = running.caller(wire);
        let mut events = caller.stream_send("hi").await;
        events.next().await.unwrap();
        events.next().await.unwrap();
        running.stop.send(()).unwrap();
        let last = within(events.next()).await.unwrap();
        assert_eq!(last.brief(), "statusUpdate FAILED");
        let text = &last.body["statusUpdate"]["status"]["message"]["parts"][0]["text"];
        assert_eq!(text, "the server was shut down");
        assert!(within(events.next()).await.is_none());
        within(running.serving).await.unwrap().unwrap();
    }
}

// B2: a subscription to a task that waits for its client has nothing to wait for any more.
#[tokio::test]
async fn a_server_that_stops_ends_subscriptions_of_waiting_tasks_at_once() {
    for wire in support::BINDINGS {
        let running = stoppable(Scripted::obedient(), Duration::from_secs(60)).await;
        let caller = running.caller(wire);
        let id = caller.task_in("INPUT_REQUIRED").await;
        let mut events = caller.subscribe(&id).await.unwrap();
        assert_eq!(events.next().await.unwrap().brief(), "task INPUT_REQUIRED");
        running.stop.send(()).unwrap();
        assert!(within(events.next()).await.is_none());
        within(running.serving).await.unwrap().unwrap();
    }
}

// A2A-3.3.2-14
#[tokio::test]
async fn a_server_inside_of_an_application_can_be_told_to_stop() {
    let gate = Gate::new();
    let server = builder(gated(&gate)).build().unwrap();
    let mut request = SendMessageRequest::new(Message::user("hi"));
    request.configuration = Some(SendMessageConfiguration::default().with_return_immediately(true));
    server.local().call::<SendMessage>(request).await.unwrap();
    assert_eq!(server.live_tasks(), 1);
    let stopping = tokio::spawn({
        let server = server.clone();
        async move { server.shutdown(Duration::from_secs(60)).await }
    });
    gate.open();
    within(stopping).await.unwrap();
    assert_eq!(server.live_tasks(), 0);
    let refused = server.local().ask("hi").await.unwrap_err();
    assert_eq!(refused.kind(), a2a_types::ErrorKind::Unavailable);
}

// B8: over HTTP/2 there is no `Host`, but an authority.
#[tokio::test]
async fn http_2_carries_calls_and_streams_and_is_guarded_as_well() {
    let server = serve_agent(Scripted::echo()).await;
    let client = |builder: reqwest::ClientBuilder| {
        builder.no_proxy().http2_prior_knowledge().build().unwrap()
    };
    let own = client(reqwest::Client::builder());
    for caller in server.callers() {
        for (operation, content_type) in [
            ("SendMessage", "application/"),
            ("SendStreamingMessage", "text/event-stream"),
        ] {
            let request = caller.request(operation, json!({"message": message("hi")}));
            let response = own.execute(request.build().unwrap()).await.unwrap();
            assert_eq!(response.version(), reqwest::Version::HTTP_2);
            assert!(
                response.headers()["content-type"]
                    .to_str()
                    .unwrap()
                    .starts_with(content_type)
            );
            assert!(
                response
                    .text()
                    .await
                    .unwrap()
                    .contains("TASK_STATE_COMPLETED")
            );
        }
    }
    for (name, status) in [("evil.example", 403), ("localhost", 200)] {
        let named = client(reqwest::Client::builder().resolve(name, server.address));
        let url = format!("http://{name}:{}/tasks", server.address.port());
        let response = named
            .get(url)
            .header("a2a-version", "1.0")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), status, "{name}");
    }
}
