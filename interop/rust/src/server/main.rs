//! An agent on the official Rust crates, which does what the first word of a message's text says.
//!
//! ```text
//! server [--port N] [--grpc-port N] [--pace SECONDS] [--bare] [--require-extension URI]
//!        [--auth none|bearer:TOKEN=NAME,...] [--broken]
//! ```
//!
//! It follows the commands and options of our `conformance` example as far as the crates let it. Prints
//! `READY http://127.0.0.1:PORT` when it serves; a port of 0 is any free one. With `--grpc-port` it
//! serves gRPC as well, on a port of its own. With `--broken` it declares an extended card that it has
//! not, and answers nothing as it should.

mod agent;
mod auth;
mod options;

use std::{net::SocketAddr, sync::Arc};

use a2a::{
    AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill,
    HttpAuthSecurityScheme, SecurityScheme,
};
use a2a_grpc::GrpcHandler;
use a2a_pb::proto::a2a_service_server::A2aServiceServer;
use a2a_server::{
    DefaultRequestHandler, HttpPushSender, HttpPushSenderConfig, InMemoryPushConfigStore,
    InMemoryTaskStore, StaticAgentCard, agent_card::agent_card_router, jsonrpc::jsonrpc_router,
    rest::rest_router,
};
use axum::Router;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tokio_stream::wrappers::TcpListenerStream;

use crate::{agent::Conformance, auth::Callers, options::Options};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let options = Options::of(std::env::args().skip(1));
    let listener = listen(options.port).await;
    let base = format!("http://{}", listener.local_addr().unwrap());
    let grpc = match options.grpc_port {
        Some(port) => Some(listen(port).await),
        None => None,
    };
    let callers = Callers::new(&options);
    let card = card(&options, &base, grpc.as_ref());
    let handler = Arc::new(handler(&options, &card, &callers));

    if let Some(listener) = grpc {
        let callers = Arc::clone(&callers);
        let service = A2aServiceServer::with_interceptor(
            GrpcHandler::new(Arc::clone(&handler)),
            move |request| callers.admit(request),
        );
        let server = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    }
    let routes = Router::new()
        .nest("/jsonrpc", jsonrpc_router(Arc::clone(&handler)))
        .nest("/rest", rest_router(handler))
        .layer(axum::middleware::from_fn(move |request, next| {
            auth::guard(Arc::clone(&callers), request, next)
        }))
        .merge(agent_card_router(Arc::new(StaticAgentCard::new(card))));
    println!("READY {base}");
    let mut ended = signal(SignalKind::terminate()).unwrap();
    tokio::select! {
        served = async { axum::serve(listener, routes).await } => served.unwrap(),
        _ = ended.recv() => {}
    }
}

async fn listen(port: u16) -> TcpListener {
    TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)))
        .await
        .unwrap()
}

fn card(options: &Options, base: &str, grpc: Option<&TcpListener>) -> AgentCard {
    let mut interfaces = vec![
        AgentInterface::new(format!("{base}/jsonrpc"), a2a::TRANSPORT_PROTOCOL_JSONRPC),
        AgentInterface::new(format!("{base}/rest"), a2a::TRANSPORT_PROTOCOL_HTTP_JSON),
    ];
    if let Some(listener) = grpc {
        let address = listener.local_addr().unwrap().to_string();
        interfaces.push(AgentInterface::new(address, a2a::TRANSPORT_PROTOCOL_GRPC));
    }
    let extensions = options.extension.as_ref().map(|uri| {
        vec![AgentExtension {
            uri: uri.clone(),
            description: None,
            required: Some(true),
            params: None,
        }]
    });
    let secured = options.tokens.is_some();
    let bearer = SecurityScheme::HttpAuth(HttpAuthSecurityScheme {
        scheme: "Bearer".into(),
        description: None,
        bearer_format: None,
    });
    // The crates refuse every part of another type that says which it is.
    let modes = [
        "text/plain",
        "application/json",
        "application/octet-stream",
        "image/png",
    ];
    AgentCard {
        name: "Conformance (Rust)".into(),
        description: "Does what the message asks it to".into(),
        version: "1.0.0".into(),
        supported_interfaces: interfaces,
        capabilities: AgentCapabilities {
            streaming: Some(!options.bare),
            push_notifications: Some(!options.bare),
            extensions,
            extended_agent_card: Some((secured || options.broken) && !options.bare),
        },
        default_input_modes: modes.map(str::to_owned).into(),
        default_output_modes: modes.map(str::to_owned).into(),
        skills: vec![skill("echo", "Echo")],
        provider: None,
        documentation_url: None,
        icon_url: None,
        security_schemes: secured.then(|| [("bearer".into(), bearer)].into()),
        security_requirements: secured.then(|| vec![[("bearer".into(), vec![])].into()]),
        signatures: None,
    }
}

fn skill(id: &str, name: &str) -> AgentSkill {
    AgentSkill {
        id: id.into(),
        name: name.into(),
        description: "Repeats what it hears".into(),
        tags: vec![id.into()],
        examples: None,
        input_modes: None,
        output_modes: None,
        security_requirements: None,
    }
}

fn handler(options: &Options, card: &AgentCard, callers: &Arc<Callers>) -> DefaultRequestHandler {
    let agent = Conformance {
        pace: options.pace,
        extension: options.extension.clone(),
        broken: options.broken,
        callers: Arc::clone(callers),
    };
    let guard = Arc::clone(callers);
    let mut handler = DefaultRequestHandler::new(agent, InMemoryTaskStore::new())
        .with_capabilities(card.capabilities.clone())
        .with_default_input_modes(card.default_input_modes.clone())
        .with_authorizer(move |params: &_, task: Option<&str>| guard.authorize(params, task));
    if !options.bare {
        let sender = HttpPushSender::new(Some(HttpPushSenderConfig {
            validate_urls: false,
            ..Default::default()
        }));
        handler = handler.with_push_notifications(InMemoryPushConfigStore::new(), sender);
    }
    if options.tokens.is_some() {
        let mut extended = card.clone();
        extended.skills.push(skill("hidden", "Hidden"));
        handler = handler.with_extended_agent_card(extended);
    }
    handler
}
