//! Constructors and accessors beside the generated types.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use a2a_types::operation::Check;
use a2a_types::{
    Artifact, HttpAuthSecurityScheme, Message, Part, Role, SecurityRequirement, SecurityScheme,
    SendMessageRequest, SendMessageResponse, StreamResponse, Task, TaskArtifactUpdateEvent,
    TaskState, TaskStatusUpdateEvent, security_scheme, send_message_response, stream_response,
};
use serde_json::json;

// A2A-4.1-03, A2A-4.1-04, A2A-4.1-05
#[test]
fn a_part_is_read_as_what_it_was_made_of_and_as_nothing_else() {
    let read = |part: &Part| {
        (
            part.as_text().map(str::to_owned),
            part.as_raw().cloned(),
            part.as_url().map(str::to_owned),
            part.as_data().cloned(),
        )
    };
    let text = Part::text("a");
    assert_eq!(read(&text), (Some("a".to_owned()), None, None, None));
    let raw = Part::raw(vec![0, 255]);
    assert_eq!(read(&raw), (None, Some(vec![0, 255].into()), None, None));
    let url = Part::url("https://example.com/x");
    assert_eq!(
        read(&url),
        (None, None, Some("https://example.com/x".to_owned()), None)
    );
    for data in [
        json!({ "a": [1] }),
        json!([1]),
        json!("x"),
        json!(1),
        json!(true),
        json!(null),
    ] {
        let part = Part::data(data.clone());
        assert_eq!(read(&part), (None, None, None, Some(data)));
        let json = serde_json::to_string(&part).unwrap();
        assert_eq!(serde_json::from_str::<Part>(&json).unwrap(), part);
    }
    assert_eq!(read(&Part::default()), (None, None, None, None));

    let file = Part::text("a")
        .with_filename("a.txt")
        .with_media_type("text/plain");
    assert_eq!(file.as_text(), Some("a"));
    assert_eq!(
        (file.filename.as_str(), file.media_type.as_str()),
        ("a.txt", "text/plain")
    );
}

#[test]
fn parts_convert_from_text_and_json() {
    assert_eq!(Part::from("a"), Part::text("a"));
    assert_eq!(Part::from("a".to_owned()), Part::text("a"));
    assert_eq!(Part::from(json!([1])), Part::data(json!([1])));
}

// A2A-4.1-01, A2A-4.1-07
#[test]
fn made_messages_are_complete_and_have_ids_of_their_own() {
    let (user, agent) = (Message::user("hi"), Message::agent(json!({ "n": 1 })));
    assert_eq!((user.role(), agent.role()), (Role::User, Role::Agent));
    assert_ne!(user.message_id, agent.message_id);
    assert_eq!(user.message_id.len(), 36);
    assert!(user.violations().is_empty() && agent.violations().is_empty());
    let request = SendMessageRequest::new(user.clone());
    assert_eq!(request.message, Some(user.clone()));
    assert_eq!(SendMessageRequest::from(user), request);
    assert!(request.violations().is_empty());
}

#[test]
fn the_text_of_a_message_is_its_text_parts_one_a_line() {
    let parts = [Part::text("one"), Part::url("https://x"), Part::text("two")];
    assert_eq!(Message::new(Role::User, parts).text(), "one\ntwo");
    assert_eq!(Message::user(json!("data")).text(), "");
}

#[test]
fn the_text_of_an_artifact_is_its_chunks_without_a_seam() {
    let artifact = Artifact::new("a", ["Hello, ", "big ", "world!"]);
    assert_eq!(artifact.text(), "Hello, big world!");
    assert!(artifact.violations().is_empty());
}

// R029: an artifact has at least one part.
#[test]
fn an_artifact_without_parts_is_found_by_the_check() {
    let violations = Artifact::new("a", [] as [Part; 0]).violations();
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].field, "parts");
}

// A2A-4.6.2-01
#[test]
fn extension_data_lies_under_its_uri_which_is_listed_once() {
    let uri = "https://example.com/geo/v1";
    let message = Message::user("hi")
        .with_extension_data(uri, json!({ "lat": 1 }))
        .with_extension_data(uri, json!({ "lat": 2 }))
        .with_extension_data("urn:other:v1", "x");
    assert_eq!(message.extensions, [uri, "urn:other:v1"]);
    assert_eq!(message.extension_data(uri), Some(&json!({ "lat": 2 })));
    assert_eq!(message.extension_data("urn:none:v1"), None);
    let json = serde_json::to_value(&message).unwrap();
    assert_eq!(
        json["metadata"],
        json!({ uri: { "lat": 2 }, "urn:other:v1": "x" })
    );
    assert_eq!(serde_json::from_value::<Message>(json).unwrap(), message);

    let artifact = Artifact::new("a", ["x"]).with_extension_data(uri, 7);
    assert_eq!(artifact.extensions, [uri]);
    assert_eq!(artifact.extension_data(uri), Some(&json!(7)));
    assert_eq!(Artifact::default().extension_data(uri), None);
}

#[test]
fn states_are_active_interrupted_or_terminal() {
    use TaskState::*;
    for (state, terminal, interrupted) in [
        (Unspecified, false, false),
        (Submitted, false, false),
        (Working, false, false),
        (Completed, true, false),
        (Failed, true, false),
        (Canceled, true, false),
        (Rejected, true, false),
        (InputRequired, false, true),
        (AuthRequired, false, true),
    ] {
        assert_eq!(
            (state.is_terminal(), state.is_interrupted()),
            (terminal, interrupted)
        );
    }
    assert_eq!(Working.to_string(), "TASK_STATE_WORKING");
}

#[test]
fn a_task_tells_its_state_and_its_artifacts() {
    assert_eq!(Task::default().state(), TaskState::Unspecified);
    let task = Task::default()
        .with_status(TaskState::InputRequired)
        .with_artifacts([Artifact::new("a", ["1"]), Artifact::new("b", ["2"])]);
    assert_eq!(task.state(), TaskState::InputRequired);
    assert_eq!(task.artifact("b").unwrap().text(), "2");
    assert_eq!(task.artifact("c"), None);
}

#[test]
fn responses_are_made_from_what_they_hold() {
    let (task, message) = (Task::default().with_id("t"), Message::agent("hi"));
    let status = TaskStatusUpdateEvent::default().with_task_id("t");
    let artifact = TaskArtifactUpdateEvent::default().with_task_id("t");
    use stream_response::Payload;
    for (response, payload) in [
        (
            StreamResponse::from(task.clone()),
            Payload::Task(task.clone()),
        ),
        (
            StreamResponse::from(message.clone()),
            Payload::Message(message.clone()),
        ),
        (
            StreamResponse::from(status.clone()),
            Payload::StatusUpdate(status),
        ),
        (
            StreamResponse::from(artifact.clone()),
            Payload::ArtifactUpdate(artifact),
        ),
    ] {
        assert_eq!(response.payload, Some(payload));
    }
    use send_message_response::Payload as Sent;
    assert_eq!(
        SendMessageResponse::from(task.clone()).payload,
        Some(Sent::Task(task))
    );
    assert_eq!(
        SendMessageResponse::from(message.clone()).payload,
        Some(Sent::Message(message))
    );
}

#[test]
fn security_is_made_from_its_parts() {
    let bearer = HttpAuthSecurityScheme::default().with_scheme("Bearer");
    let scheme = SecurityScheme::from(bearer.clone());
    assert_eq!(
        scheme.scheme,
        Some(security_scheme::Scheme::HttpAuthSecurityScheme(bearer))
    );
    let requirement = SecurityRequirement::of("oauth", ["read", "write"]);
    assert_eq!(
        serde_json::to_value(&requirement).unwrap(),
        json!({ "schemes": { "oauth": { "list": ["read", "write"] } } })
    );
}
