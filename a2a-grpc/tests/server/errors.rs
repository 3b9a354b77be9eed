use a2a_grpc::{from_status, to_status};
use a2a_types::{
    A2aError, CancelTaskRequest, ErrorKind, GetExtendedAgentCardRequest, GetTaskRequest, Message,
    SendMessageRequest, SubscribeToTaskRequest, TaskPushNotificationConfig,
};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::support::{Client, details, say, send, serve, v1, within};

/// A2A §5.4 and §10.6, by hand.
const TABLE: [(ErrorKind, Code, &str); 9] = [
    (ErrorKind::TaskNotFound, Code::NotFound, "TASK_NOT_FOUND"),
    (
        ErrorKind::TaskNotCancelable,
        Code::FailedPrecondition,
        "TASK_NOT_CANCELABLE",
    ),
    (
        ErrorKind::PushNotificationNotSupported,
        Code::FailedPrecondition,
        "PUSH_NOTIFICATION_NOT_SUPPORTED",
    ),
    (
        ErrorKind::UnsupportedOperation,
        Code::FailedPrecondition,
        "UNSUPPORTED_OPERATION",
    ),
    (
        ErrorKind::ContentTypeNotSupported,
        Code::InvalidArgument,
        "CONTENT_TYPE_NOT_SUPPORTED",
    ),
    (
        ErrorKind::InvalidAgentResponse,
        Code::Internal,
        "INVALID_AGENT_RESPONSE",
    ),
    (
        ErrorKind::ExtendedAgentCardNotConfigured,
        Code::FailedPrecondition,
        "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    ),
    (
        ErrorKind::ExtensionSupportRequired,
        Code::FailedPrecondition,
        "EXTENSION_SUPPORT_REQUIRED",
    ),
    (
        ErrorKind::VersionNotSupported,
        Code::FailedPrecondition,
        "VERSION_NOT_SUPPORTED",
    ),
];

// R054, A2A-5.4-01, A2A-10.6-01, A2A-10.6-02
#[tokio::test]
async fn every_a2a_error_has_its_code_and_says_its_reason_in_calls_and_streams() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    for (kind, code, reason) in TABLE {
        let text = format!("raise {kind:?}");
        let unary = within(client.send_message(v1(say(&text)))).await;
        let stream = within(client.send_streaming_message(v1(say(&text)))).await;
        for status in [unary.unwrap_err(), stream.unwrap_err()] {
            assert_eq!(status.code(), code, "{kind:?}");
            let info = status.get_details_error_info().unwrap();
            assert_eq!((&*info.reason, &*info.domain), (reason, "a2a-protocol.org"));
            assert_eq!(info.metadata["key"], "value");
            let repeated = details(&status);
            assert_eq!(repeated.code, i32::from(code));
            assert_eq!(repeated.message, status.message());
            let any = &repeated.details[0];
            assert_eq!(any.type_url, "type.googleapis.com/google.rpc.ErrorInfo");
            assert_eq!(from_status(&status).kind(), kind);
        }
    }
}

// R054: the other kinds carry no reason of ours, and are told apart by their codes.
#[tokio::test]
async fn the_other_errors_have_codes_of_their_own() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    for (kind, code) in [
        (ErrorKind::Unauthenticated, Code::Unauthenticated),
        (ErrorKind::PermissionDenied, Code::PermissionDenied),
        (ErrorKind::ResourceExhausted, Code::ResourceExhausted),
        (ErrorKind::Unavailable, Code::Unavailable),
        (ErrorKind::DeadlineExceeded, Code::DeadlineExceeded),
        (ErrorKind::InvalidParams, Code::InvalidArgument),
        (ErrorKind::Internal, Code::Internal),
    ] {
        let text = format!("raise {kind:?}");
        let status = within(client.send_message(v1(say(&text)))).await;
        let status = status.unwrap_err();
        assert_eq!(status.code(), code, "{kind:?}");
        assert!(status.get_details_error_info().is_none());
        assert_eq!(from_status(&status).kind(), kind);
    }
}

async fn reasons(client: &mut Client) -> Vec<Status> {
    let ended = send(client, "hi").await.id;
    let unknown = GetTaskRequest::default().with_id("none");
    let cancel = CancelTaskRequest::default().with_id(&*ended);
    let push = TaskPushNotificationConfig::default()
        .with_task_id(&*ended)
        .with_url("https://receiver.example/");
    let again = SendMessageRequest::new(Message::user("more").with_task_id(&*ended));
    let subscribe = SubscribeToTaskRequest::default().with_id(&*ended);
    vec![
        within(client.get_task(v1(unknown))).await.unwrap_err(),
        within(client.cancel_task(v1(cancel))).await.unwrap_err(),
        within(client.create_task_push_notification_config(v1(push)))
            .await
            .unwrap_err(),
        within(client.send_message(v1(again.clone())))
            .await
            .unwrap_err(),
        within(client.send_streaming_message(v1(again)))
            .await
            .unwrap_err(),
        within(client.subscribe_to_task(v1(subscribe)))
            .await
            .unwrap_err(),
        within(client.get_extended_agent_card(v1(GetExtendedAgentCardRequest::default())))
            .await
            .unwrap_err(),
    ]
}

// R054
#[tokio::test]
async fn what_the_server_itself_refuses_says_why() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let reasons: Vec<_> = reasons(&mut client)
        .await
        .iter()
        .map(|status| status.get_details_error_info().unwrap().reason)
        .collect();
    assert_eq!(
        reasons,
        [
            "TASK_NOT_FOUND",
            "TASK_NOT_CANCELABLE",
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
            "UNSUPPORTED_OPERATION",
            "UNSUPPORTED_OPERATION",
            "UNSUPPORTED_OPERATION",
            "UNSUPPORTED_OPERATION",
        ]
    );
}

// A2A-5.7-01, A2A-5.7-02, A2A-5.7-03
#[tokio::test]
async fn everything_that_is_missing_is_told_at_once() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let empty = SendMessageRequest::new(Message::default());
    let status = within(client.send_message(v1(empty))).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let request = status.get_details_bad_request().unwrap();
    let mut fields: Vec<_> = request.field_violations.iter().map(|v| &*v.field).collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        ["message.messageId", "message.parts", "message.role"]
    );
    let nobody = within(client.get_task(v1(GetTaskRequest::default())));
    let status = nobody.await.unwrap_err();
    let request = status.get_details_bad_request().unwrap();
    assert_eq!(request.field_violations[0].field, "id");
}

// A full server says when to come back.
#[tokio::test]
async fn a_full_server_says_when_a_retry_makes_sense() {
    let limits = a2a_server::Limits::default().with_streams(0);
    let server = serve(|server| server.limits(limits)).await;
    let mut client = server.client().await;
    let status = within(client.send_streaming_message(v1(say("hi")))).await;
    let status = status.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted);
    let retry = status.get_details_retry_info().unwrap();
    assert!(retry.retry_delay.is_some());
}

// A2A-10.6-03
#[test]
fn errors_of_others_are_read_by_reason_and_else_by_code() {
    let mut given = ErrorDetails::new();
    given.set_error_info(
        "TASK_NOT_FOUND",
        "a2a-protocol.org",
        [("taskId".to_owned(), "t".to_owned())],
    );
    // An older table had another code for it; the reason decides.
    let status = Status::with_error_details(Code::Unimplemented, "gone", given);
    let error = from_status(&status);
    assert_eq!(error.kind(), ErrorKind::TaskNotFound);
    assert_eq!(error.metadata()["taskId"], "t");
    assert_eq!(error.message(), "gone");
    for (code, kind) in [
        (Code::Unavailable, ErrorKind::Unavailable),
        (Code::DeadlineExceeded, ErrorKind::DeadlineExceeded),
        (Code::Unauthenticated, ErrorKind::Unauthenticated),
    ] {
        assert_eq!(from_status(&Status::new(code, "x")).kind(), kind);
    }
    // Six errors share this code: which one it is cannot be told.
    let unclear = from_status(&Status::failed_precondition("x"));
    assert!(TABLE.iter().all(|(kind, ..)| *kind != unclear.kind()));
}

#[test]
fn an_error_survives_the_way_there_and_back() {
    for (kind, ..) in TABLE {
        let error = A2aError::new(kind, "ü and\nmore").with_metadata("k", "v");
        let back = from_status(&to_status(&error));
        assert_eq!((back.kind(), back.message()), (kind, "ü and\nmore"));
        assert_eq!(back.metadata(), error.metadata());
    }
}
