//! Errors of every kind.

use a2a::{
    A2AError, AgentCapabilities, ListTasksRequest, Part, TaskPushNotificationConfig, TaskState,
    error_code, errordetails,
};

use crate::peer::{Peer, all, failure, kind_of, listed, of_parts, refused, says, says_to};

pub async fn errors(peer: Peer) {
    let unknown = says_to("nope", "x");
    for result in [
        peer.get("nope", None).await.map(drop),
        peer.cancel("nope").await.map(drop),
        Err(failure(peer.subscribe("nope").await).await),
        peer.send(&unknown).await.map(drop),
        Err(failure(peer.stream(&unknown).await).await),
    ] {
        let error = refused(result, error_code::TASK_NOT_FOUND);
        // Over gRPC the client keeps no details.
        if peer.binding != "GRPC" {
            assert_eq!(
                metadata(&error, "taskId"),
                Some("nope"),
                "metadata of {error:?}"
            );
        }
    }
    let id = peer.task(says("hello")).await.id;
    let more = says_to(&id, "x");
    for result in [
        peer.send(&more).await.map(drop),
        Err(failure(peer.stream(&more).await).await),
        Err(failure(peer.subscribe(&id).await).await),
    ] {
        refused(result, error_code::UNSUPPORTED_OPERATION);
    }
    refused(peer.cancel(&id).await, error_code::TASK_NOT_CANCELABLE);
}

/// A value of the ErrorInfo.
fn metadata<'a>(error: &'a A2AError, name: &str) -> Option<&'a str> {
    let details = error.details.as_ref()?.iter();
    let mut infos = details.filter(|detail| detail.type_url == errordetails::ERROR_INFO_TYPE);
    infos.next()?.value.get("metadata")?.get(name)?.as_str()
}

pub async fn content_type(peer: Peer) {
    let odd = Part::raw(vec![0, 1]).with_media_type("application/x-unsupported");
    let request = of_parts(vec![Part::text("hello"), odd]);
    refused(
        peer.send(&request).await,
        error_code::CONTENT_TYPE_NOT_SUPPORTED,
    );
    let error = failure(peer.stream(&request).await).await;
    refused::<()>(Err(error), error_code::CONTENT_TYPE_NOT_SUPPORTED);
}

pub async fn invalid(peer: Peer) {
    let asked = peer.task(says("ask")).await;
    let mut elsewhere = says_to(&asked.id, "x");
    elsewhere.message.context_id = Some("another".into());
    let mut nameless = says("x");
    nameless.message.message_id.clear();
    let long = ListTasksRequest {
        page_size: Some(500),
        ..listed(&asked.context_id)
    };
    for (field, result) in [
        ("message.contextId", peer.send(&elsewhere).await.map(drop)),
        ("message.messageId", peer.send(&nameless).await.map(drop)),
        ("pageSize", peer.list(&long).await.map(drop)),
    ] {
        let error = refused(result, error_code::INVALID_PARAMS);
        assert!(
            error.message.contains(field),
            "what is invalid: {field}, got {error:?}"
        );
    }
}

pub async fn version(peer: Peer) {
    let other = peer.with_header(a2a::SVC_PARAM_VERSION, "9.9");
    refused(
        other.send(&says("hello")).await,
        error_code::VERSION_NOT_SUPPORTED,
    );
    let error = failure(other.stream(&says("hello")).await).await;
    refused::<()>(Err(error), error_code::VERSION_NOT_SUPPORTED);
    refused(
        other.get("x", None).await,
        error_code::VERSION_NOT_SUPPORTED,
    );
}

pub async fn capabilities(peer: Peer) {
    let claiming = peer.clone().claiming(|card| {
        card.capabilities = AgentCapabilities {
            streaming: Some(true),
            push_notifications: Some(true),
            extensions: None,
            extended_agent_card: Some(true),
        };
    });
    let error = failure(claiming.stream(&says("hello")).await).await;
    refused::<()>(Err(error), error_code::UNSUPPORTED_OPERATION);
    refused(
        claiming.extended_card().await,
        error_code::UNSUPPORTED_OPERATION,
    );
    let config = TaskPushNotificationConfig {
        url: "https://example.com/hook".into(),
        id: Some("hook".into()),
        task_id: "x".into(),
        token: None,
        authentication: None,
        tenant: None,
    };
    let made = claiming.client().await.create_push_config(&config).await;
    refused(made, error_code::PUSH_NOTIFICATION_NOT_SUPPORTED);
}

pub async fn credentials(peer: Peer) {
    for token in [None, Some("wrong")] {
        let stranger = peer.clone().with_token(token);
        for error in [
            stranger.send(&says("x")).await.unwrap_err(),
            failure(stranger.stream(&says("x")).await).await,
            stranger.get("x", None).await.unwrap_err(),
        ] {
            assert!(
                error.message.contains("bearer token"),
                "who is refused is told so: {error:?}"
            );
        }
    }
    let task = peer.task(says("ask")).await;
    let bob = peer.clone().with_token(Some("token-of-bob"));
    refused(bob.get(&task.id, None).await, error_code::TASK_NOT_FOUND);
    refused(bob.cancel(&task.id).await, error_code::TASK_NOT_FOUND);
    refused(
        bob.send(&says_to(&task.id, "x")).await,
        error_code::TASK_NOT_FOUND,
    );
    let done = peer.task(says_to(&task.id, "hello")).await;
    assert_eq!(done.status.state, TaskState::Completed, "state");
}

pub async fn extension(peer: Peer) {
    refused(
        peer.send(&says("hello")).await,
        error_code::EXTENSION_SUPPORT_REQUIRED,
    );
    let error = failure(peer.stream(&says("hello")).await).await;
    refused::<()>(Err(error), error_code::EXTENSION_SUPPORT_REQUIRED);
    let knowing = peer.with_header(a2a::SVC_PARAM_EXTENSIONS, "urn:example:Required/v1");
    let task = knowing.task(says("hello")).await;
    assert_eq!(task.status.state, TaskState::Completed, "state");
    let events = all(knowing.stream(&says("hello")).await).await;
    assert_eq!(
        kind_of(events.last().unwrap()),
        "status Completed",
        "the last event"
    );
}

pub async fn card_not_configured(peer: Peer) {
    refused(
        peer.extended_card().await,
        error_code::EXTENDED_CARD_NOT_CONFIGURED,
    );
}

pub async fn invalid_agent_response(peer: Peer) {
    refused(
        peer.send(&says("hello")).await,
        error_code::INVALID_AGENT_RESPONSE,
    );
    let error = failure(peer.stream(&says("hello")).await).await;
    refused::<()>(Err(error), error_code::INVALID_AGENT_RESPONSE);
}
