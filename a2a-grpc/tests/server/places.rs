//! Where gRPC is served, and what the card says about it.

use std::net::{Ipv4Addr, SocketAddr};

use a2a_grpc::{Grpc, GrpcService, ServeGrpc};
use a2a_server::{Binding, Server};
use a2a_types::{AgentCard, TaskState};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;

use crate::support::{Obedient, builder, client, http, send, serve, serve_grpc, within};

const LOCAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

fn interfaces(card: &AgentCard) -> Vec<(&str, &str)> {
    let interfaces = card.supported_interfaces.iter();
    interfaces
        .map(|interface| (&*interface.protocol_binding, &*interface.url))
        .collect()
}

/// What a server would say of itself.
fn declared(server: &Server) -> Vec<(String, String)> {
    let rt = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let response = rt.unwrap().block_on(async {
        let router = server.card_router().unwrap();
        let request = axum::extract::Request::get(a2a_server::CARD_PATH);
        let request = request.body(axum::body::Body::empty()).unwrap();
        let response = tower_service::Service::call(&mut router.clone(), request).await;
        axum::body::to_bytes(response.unwrap().into_body(), usize::MAX).await
    });
    let card: AgentCard = serde_json::from_slice(&response.unwrap()).unwrap();
    let interfaces = interfaces(&card).into_iter();
    interfaces
        .map(|(b, u)| (b.to_owned(), u.to_owned()))
        .collect()
}

// A2A-5.2-01, A2A-10.1-01, D27, D45
#[tokio::test]
async fn one_port_speaks_all_three_bindings_and_the_card_says_where() {
    let server = serve(|server| server).await;
    let card = server.card().await;
    let (url, authority) = (server.url(""), server.address.to_string());
    assert_eq!(
        interfaces(&card),
        [
            ("JSONRPC", &*url),
            ("HTTP+JSON", &url),
            ("GRPC", &authority)
        ]
    );
    let task = send(&mut server.client().await, "hi").await;
    // The same task over the other two, in HTTP/1.1 and in HTTP/2 on the same port.
    for prior_knowledge in [false, true] {
        let client = http();
        let client = match prior_knowledge {
            true => client.http2_prior_knowledge(),
            false => client,
        };
        let client = client.build().unwrap();
        let read = client.get(server.url(&format!("/tasks/{}", task.id)));
        let read = within(read.header("a2a-version", "1.0").send()).await;
        assert_eq!(read.unwrap().status(), 200);
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{{"id":"{}"}}}}"#,
            task.id
        );
        let call = client
            .post(server.url("/"))
            .header("a2a-version", "1.0")
            .header("content-type", "application/json")
            .body(call);
        let answer = within(call.send()).await.unwrap().text();
        assert!(within(answer).await.unwrap().contains("COMPLETED"));
    }
}

#[tokio::test]
async fn the_order_of_the_mounts_is_that_of_the_card() {
    let server = Server::builder(Obedient::default())
        .card(crate::support::card())
        .grpc(Grpc::new())
        .mount(Binding::HttpJson, "/rest")
        .mount(Binding::JsonRpc, "/rpc")
        .build()
        .unwrap()
        .bind(LOCAL)
        .await
        .unwrap();
    let address = server.address();
    let running = tokio::spawn(server.run_until(std::future::pending()));
    let url = format!("http://{address}{}", a2a_server::CARD_PATH);
    let card: AgentCard = {
        let body = within(http().build().unwrap().get(url).send())
            .await
            .unwrap()
            .bytes()
            .await;
        serde_json::from_slice(&body.unwrap()).unwrap()
    };
    let names: Vec<_> = interfaces(&card).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["GRPC", "HTTP+JSON", "JSONRPC"]);
    send(&mut client(address).await, "hi").await;
    running.abort();
}

// R058
#[tokio::test]
async fn a_server_that_speaks_grpc_alone_can_be_discovered() {
    let grpc = Grpc::new().advertise("agent.example.com:443");
    let server = serve_grpc(grpc, |server| {
        server
            .only_mounted()
            .public_url("https://agent.example.com")
    })
    .await;
    let card = server.card().await;
    assert_eq!(interfaces(&card), [("GRPC", "agent.example.com:443")]);
    let task = send(&mut server.client().await, "hi").await;
    assert_eq!(task.state(), TaskState::Completed);
    let json = within(http().build().unwrap().get(server.url("/tasks")).send())
        .await
        .unwrap();
    assert_eq!(json.status(), 404);
}

#[tokio::test]
async fn grpc_may_have_a_port_of_its_own() {
    let server = serve_grpc(Grpc::new().own_address(LOCAL), |server| server).await;
    let card = server.card().await;
    let (name, address) = interfaces(&card)[2];
    assert_eq!(name, "GRPC");
    let own: SocketAddr = address.parse().unwrap();
    assert_ne!(own, server.address);
    let task = send(&mut client(own).await, "hi").await;
    let read = server.url(&format!("/tasks/{}", task.id));
    let read = http()
        .build()
        .unwrap()
        .get(read)
        .header("a2a-version", "1.0");
    assert_eq!(within(read.send()).await.unwrap().status(), 200);
    // Nothing else is there, and gRPC is nowhere else.
    let elsewhere = format!("http://{own}{}", a2a_server::CARD_PATH);
    assert_eq!(
        within(http().build().unwrap().get(elsewhere).send())
            .await
            .unwrap()
            .status(),
        404
    );
    let mut elsewhere = server.client().await;
    let wrong =
        within(elsewhere.list_tasks(crate::support::v1(a2a_types::ListTasksRequest::default())));
    assert!(wrong.await.is_err());
}

#[tokio::test]
async fn it_runs_inside_a_tonic_server_of_somebody_else() {
    let server = builder(Obedient::default());
    let server = server
        .public_url("https://agent.example.com")
        .build()
        .unwrap();
    let listener = TcpListener::bind(LOCAL).await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = GrpcService::new(&server).with_max_request_bytes(1000);
    let running = tonic::transport::Server::builder()
        .add_service(service)
        .serve_with_incoming(TcpListenerStream::new(listener));
    let running = tokio::spawn(running);
    let mut client = client(address).await;
    assert_eq!(send(&mut client, "hi").await.state(), TaskState::Completed);
    let large = crate::support::v1(crate::support::say(&"x".repeat(1000)));
    assert!(within(client.send_message(large)).await.is_err());
    running.abort();
}

#[tokio::test]
async fn it_is_part_of_the_router_for_an_axum_application() {
    let server = builder(Obedient::default())
        .public_url("http://127.0.0.1")
        .grpc(Grpc::new())
        .build()
        .unwrap();
    let listener = TcpListener::bind(LOCAL).await.unwrap();
    let address = listener.local_addr().unwrap();
    let home = axum::routing::get(|| async { "home" });
    let app = axum::Router::new()
        .route("/", home)
        .merge(server.bindings().reset_fallback());
    let running = tokio::spawn(async move { axum::serve(listener, app).await });
    assert_eq!(
        send(&mut client(address).await, "hi").await.state(),
        TaskState::Completed
    );
    running.abort();
}

// D27
#[test]
fn the_card_has_a_host_and_a_port_or_the_url_that_was_asked_for() {
    for (public_url, grpc, expected) in [
        (
            "https://agent.example.com",
            Grpc::new(),
            "agent.example.com:443",
        ),
        (
            "http://agent.example.com/",
            Grpc::new(),
            "agent.example.com:80",
        ),
        (
            "http://agent.example.com:8080",
            Grpc::new(),
            "agent.example.com:8080",
        ),
        ("http://[::1]:50051", Grpc::new(), "[::1]:50051"),
        (
            "https://agent.example.com",
            Grpc::new().advertise_as_url(),
            "https://agent.example.com:443",
        ),
        // A bare address on a loopback would be taken to be without TLS.
        (
            "https://localhost:8443",
            Grpc::new(),
            "https://localhost:8443",
        ),
        (
            "https://agent.example.com/agents/one",
            Grpc::new().advertise("grpc.example.com:443"),
            "grpc.example.com:443",
        ),
        (
            "https://agent.example.com",
            Grpc::new()
                .own_address(LOCAL)
                .advertise("https://grpc.example.com"),
            "https://grpc.example.com",
        ),
    ] {
        let server = builder(Obedient::default()).public_url(public_url);
        let server = server.grpc(grpc).build().unwrap();
        let declared = declared(&server);
        assert_eq!(declared[2].1, expected, "{public_url}");
    }
}

#[test]
fn what_cannot_be_reached_does_not_build_and_says_why() {
    let public = || builder(Obedient::default()).public_url("https://agent.example.com/one");
    let own = Grpc::new().own_address(LOCAL);
    for (server, expected) in [
        (public().grpc(Grpc::new()), "has no paths"),
        (public().grpc(own), "set `Grpc::advertise`"),
        (
            builder(Obedient::default())
                .grpc(Grpc::new())
                .grpc(Grpc::new()),
            "mounted twice",
        ),
        (
            builder(Obedient::default()).only_mounted(),
            "nothing is mounted",
        ),
        (
            builder(Obedient::default()).mount(Binding::Grpc, "/grpc"),
            "cannot be mounted at an HTTP path",
        ),
    ] {
        let error = server.build().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
