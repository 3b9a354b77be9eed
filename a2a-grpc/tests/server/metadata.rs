use a2a_server::auth::StaticBearer;
use a2a_types::{AgentExtension, GetTaskRequest, ListTasksRequest};
use tonic::Code;
use tonic_types::StatusExt;

use crate::support::{card, frame, raw, say, serve, text_of, v1, with, within};

const KNOWN: &str = "https://example.com/ext/known";
const OTHER: &str = "https://example.com/ext/other";

fn reason(status: &tonic::Status) -> String {
    status.get_details_error_info().unwrap().reason
}

// A2A-10.2-01, A2A-10.2-04
#[tokio::test]
async fn the_version_is_read_from_metadata() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    for version in [None, Some("9.9"), Some("")] {
        let mut request = tonic::Request::new(ListTasksRequest::default());
        if let Some(version) = version {
            let value = version.parse().unwrap();
            request.metadata_mut().insert("a2a-version", value);
        }
        let refused = within(client.list_tasks(request)).await.unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition, "{version:?}");
        assert_eq!(reason(&refused), "VERSION_NOT_SUPPORTED");
        let info = refused.get_details_error_info().unwrap();
        assert_eq!(info.metadata["supportedVersions"], "1.0");
    }
    for version in ["1.0", "1", "1.0.3"] {
        let mut request = tonic::Request::new(ListTasksRequest::default());
        let value = version.parse().unwrap();
        request.metadata_mut().insert("a2a-version", value);
        within(client.list_tasks(request)).await.unwrap();
    }
    // D40
    let twice = with(ListTasksRequest::default(), &[("a2a-version", "9.9")]);
    let refused = within(client.list_tasks(twice)).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
}

// A2A-10.2-02, A2A-10.2-03, D21
#[tokio::test]
async fn repeated_keys_are_joined_and_activated_extensions_named_at_once() {
    let extension = |uri: &str| AgentExtension::default().with_uri(uri);
    let card = card()
        .extension(extension(KNOWN))
        .extension(extension(OTHER));
    let server = serve(|server| server.card(card)).await;
    let mut client = server.client().await;
    let list = format!("https://example.com/ext/unknown, {OTHER}");
    let metadata = [("a2a-extensions", KNOWN), ("a2a-extensions", &list)];
    let both = format!("{KNOWN}, {OTHER}");

    let answer = within(client.send_message(with(say("caller"), &metadata)));
    let answer = answer.await.unwrap();
    let named = text_of(answer.metadata(), "a2a-extensions").unwrap();
    assert_eq!(named.replace(' ', ""), both.replace(' ', ""));
    let told = format!("{:?}", answer.into_inner());
    assert!(told.contains(KNOWN) && told.contains(OTHER), "{told}");

    let stream = within(client.send_streaming_message(with(say("caller"), &metadata)));
    let stream = stream.await.unwrap();
    let named = text_of(stream.metadata(), "a2a-extensions").unwrap();
    assert_eq!(named.replace(' ', ""), both.replace(' ', ""));
}

#[tokio::test]
async fn a_required_extension_is_asked_for() {
    let required = AgentExtension::default()
        .with_uri(KNOWN)
        .with_required(true);
    let server = serve(|server| server.card(card().extension(required))).await;
    let mut client = server.client().await;
    let refused = within(client.send_message(v1(say("hi"))))
        .await
        .unwrap_err();
    assert_eq!(reason(&refused), "EXTENSION_SUPPORT_REQUIRED");
    let metadata = [("a2a-extensions", KNOWN)];
    within(client.send_message(with(say("hi"), &metadata)))
        .await
        .unwrap();
}

// A2A-5.1-04, A2A-7.4-01, A2A-7.4-02, A2A-7.4-03
#[tokio::test]
async fn callers_are_known_by_their_credentials() {
    let server =
        serve(|server| server.authenticator(StaticBearer::new([("secret", "alice")]))).await;
    let mut client = server.client().await;
    let metadata = [("authorization", "Bearer secret")];
    let answer = within(client.send_message(with(say("caller"), &metadata)));
    assert!(format!("{:?}", answer.await.unwrap()).contains("alice"));
    let refused = within(client.send_message(v1(say("hi"))))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    let challenge = text_of(refused.metadata(), "www-authenticate").unwrap();
    assert!(challenge.starts_with("Bearer"), "{challenge}");
}

// The order is that of the other bindings: nothing is told to strangers.
#[tokio::test]
async fn strangers_learn_nothing_but_that_they_are() {
    let server =
        serve(|server| server.authenticator(StaticBearer::new([("secret", "alice")]))).await;
    let request = frame(b"\xff\xff\xff");
    for (method, headers) in [
        ("SendMessage", vec![("a2a-version", "1.0")]),
        ("SendMessage", vec![]),
        ("SendMessage", vec![("grpc-timeout", "soon")]),
        ("NoSuchMethod", vec![("a2a-version", "1.0")]),
    ] {
        let (_, code, _) = raw(server.address, method, &headers, request.clone()).await;
        assert_eq!(code, Some(Code::Unauthenticated), "{method} {headers:?}");
    }
    let known = ("authorization", "Bearer secret");
    let v1 = ("a2a-version", "1.0");
    for (method, headers, expected) in [
        // The version comes before the operation, the operation before the parameters.
        ("NoSuchMethod", vec![known], Code::FailedPrecondition),
        ("NoSuchMethod", vec![known, v1], Code::Unimplemented),
        (
            "CreateTaskPushNotificationConfig",
            vec![known, v1],
            Code::FailedPrecondition,
        ),
        ("SendMessage", vec![known, v1], Code::InvalidArgument),
        (
            "SendMessage",
            vec![known, v1, ("grpc-timeout", "soon")],
            Code::InvalidArgument,
        ),
    ] {
        let (_, code, text) = raw(server.address, method, &headers, request.clone()).await;
        assert_eq!(code, Some(expected), "{method} {headers:?}: {text}");
    }
}

#[tokio::test]
async fn binary_metadata_does_no_harm() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let mut request = v1(GetTaskRequest::default().with_id("none"));
    let value = tonic::metadata::MetadataValue::from_bytes(&[0, 255, 13, 10]);
    request.metadata_mut().insert_bin("grpc-trace-bin", value);
    let missing = within(client.get_task(request)).await.unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
}
