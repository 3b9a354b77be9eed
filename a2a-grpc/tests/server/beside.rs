//! The services beside that of the agent: health, reflection, and gRPC-Web.

use a2a_grpc::Grpc;
use a2a_types::prost::Message as _;
use a2a_types::{SendMessageResponse, TaskState, send_message_response::Payload};
use tonic::transport::Channel;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use tonic_reflection::pb::v1::{ServerReflectionRequest, ServerReflectionResponse};

use crate::support::{Running, frame, http, raw, say, serve, serve_grpc, within};

async fn channel(server: &Running) -> Channel {
    let endpoint = Channel::from_shared(server.url("")).unwrap();
    endpoint.connect().await.unwrap()
}

#[tokio::test]
async fn health_tells_that_the_agent_is_served() {
    let server = serve_grpc(Grpc::new().health(), |server| server).await;
    let mut health = HealthClient::new(channel(&server).await);
    for service in ["", "lf.a2a.v1.A2AService"] {
        let service = service.to_owned();
        let check = within(health.check(HealthCheckRequest { service })).await;
        let status = check.unwrap().into_inner().status();
        assert_eq!(status, ServingStatus::Serving);
    }
    let service = "other".to_owned();
    let check = within(health.check(HealthCheckRequest { service })).await;
    assert_eq!(check.unwrap_err().code(), tonic::Code::NotFound);
}

#[tokio::test]
async fn those_who_watch_the_health_hear_of_the_shutdown() {
    let agent = crate::support::Obedient::default();
    let server = a2a_grpc::ServeGrpc::grpc(crate::support::builder(agent), Grpc::new().health());
    let server = server.build().unwrap().bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", server.address());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run_until(async move {
        let _ = stopped.await;
    }));
    let channel = Channel::from_shared(endpoint)
        .unwrap()
        .connect()
        .await
        .unwrap();
    let mut health = HealthClient::new(channel);
    let service = String::new();
    let watch = within(health.watch(HealthCheckRequest { service })).await;
    let mut watch = watch.unwrap().into_inner();
    let first = within(watch.message()).await.unwrap().unwrap();
    assert_eq!(first.status(), ServingStatus::Serving);
    stop.send(()).unwrap();
    let second = within(watch.message()).await.unwrap().unwrap();
    assert_eq!(second.status(), ServingStatus::NotServing);
    drop((watch, health));
    within(running).await.unwrap().unwrap();
}

async fn reflect(
    client: &mut ServerReflectionClient<Channel>,
    request: MessageRequest,
) -> ServerReflectionResponse {
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(request),
    };
    let answers = client.server_reflection_info(tokio_stream::iter([request]));
    let answers = within(answers).await.unwrap();
    within(answers.into_inner().message())
        .await
        .unwrap()
        .unwrap()
}

// A2A-10.1-02, A2A-10.1-03
#[tokio::test]
async fn reflection_shows_the_service_with_its_eleven_methods() {
    let server = serve_grpc(Grpc::new().reflection().health(), |server| server).await;
    let mut client = ServerReflectionClient::new(channel(&server).await);
    let list = reflect(&mut client, MessageRequest::ListServices(String::new())).await;
    let Some(MessageResponse::ListServicesResponse(list)) = list.message_response else {
        panic!("no list");
    };
    let names: Vec<_> = list.service.iter().map(|service| &*service.name).collect();
    for name in [
        "lf.a2a.v1.A2AService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let symbol = MessageRequest::FileContainingSymbol("lf.a2a.v1.A2AService".to_owned());
    let file = reflect(&mut client, symbol).await;
    let Some(MessageResponse::FileDescriptorResponse(file)) = file.message_response else {
        panic!("no file");
    };
    let files = file.file_descriptor_proto.iter();
    let files: Vec<_> = files
        .map(|file| prost_types::FileDescriptorProto::decode(&**file).unwrap())
        .collect();
    let file = files.iter().find(|file| file.package() == "lf.a2a.v1");
    let methods: Vec<_> = file.unwrap().service[0].method.iter().collect();
    let names: Vec<_> = methods.iter().map(|method| method.name()).collect();
    let known: Vec<_> = a2a_types::OperationId::ALL
        .iter()
        .map(|op| op.name())
        .collect();
    assert_eq!(names, known);
}

#[tokio::test]
async fn what_was_not_asked_for_is_not_served() {
    let server = serve(|server| server).await;
    let mut health = HealthClient::new(channel(&server).await);
    let check = within(health.check(HealthCheckRequest::default())).await;
    assert_eq!(check.unwrap_err().code(), tonic::Code::Unimplemented);
    let headers = [
        ("a2a-version", "1.0"),
        ("content-type", "application/grpc-web"),
    ];
    let body = frame(&say("hi").encode_to_vec());
    let (status, ..) = raw(server.address, "SendMessage", &headers, body).await;
    assert_eq!(status, 415);
}

#[tokio::test]
async fn a_browser_calls_over_grpc_web_and_http_1() {
    let origin = "https://app.example";
    let server = serve_grpc(Grpc::new().web(), |server| {
        server.cors(a2a_server::Cors::origins([origin]))
    })
    .await;
    let url = server.url("/lf.a2a.v1.A2AService/SendMessage");
    let client = http().build().unwrap();
    let preflight = client
        .request(reqwest::Method::OPTIONS, &url)
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "content-type,x-grpc-web,a2a-version",
        );
    let preflight = within(preflight.send()).await.unwrap();
    assert_eq!(preflight.headers()["access-control-allow-origin"], origin);
    let allowed = preflight.headers()["access-control-allow-headers"].to_str();
    assert!(allowed.unwrap().contains("x-grpc-web"));

    let call = |body: Vec<u8>| {
        client
            .post(&url)
            .header("origin", origin)
            .header("content-type", "application/grpc-web+proto")
            .header("x-grpc-web", "1")
            // Any case will do.
            .header("A2A-Version", "1.0")
            .body(body)
    };
    let answer = within(call(frame(&say("hi").encode_to_vec())).send()).await;
    let answer = answer.unwrap();
    assert_eq!(answer.headers()["access-control-allow-origin"], origin);
    let exposed = answer.headers()["access-control-expose-headers"].to_str();
    assert!(exposed.unwrap().contains("grpc-status"));
    let body = within(answer.bytes()).await.unwrap();
    let length = usize::try_from(u32::from_be_bytes(body[1..5].try_into().unwrap())).unwrap();
    let response = SendMessageResponse::decode(&body[5..5 + length]).unwrap();
    assert!(matches!(
        response.payload,
        Some(Payload::Task(task)) if task.state() == TaskState::Completed
    ));
    // The trailers are a last frame.
    let trailers = &body[5 + length..];
    assert_eq!(trailers[0], 0x80);
    assert!(String::from_utf8_lossy(&trailers[5..]).contains("grpc-status:0"));

    let failed = within(call(frame(b"")).send()).await.unwrap();
    let status = failed.headers().get("grpc-status").cloned();
    let body = within(failed.bytes()).await.unwrap();
    let in_body = String::from_utf8_lossy(&body).contains("grpc-status:3");
    assert!(in_body || status.is_some_and(|status| status == "3"));
}
