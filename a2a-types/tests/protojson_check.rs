//! The required fields, and the table of operations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use std::collections::BTreeSet;

use a2a_types::{
    AgentCard, AuthenticationInfo, GetTaskRequest, ListTasksResponse, Message, OperationId, Part,
    Role, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, StreamResponse, Task,
    TaskPushNotificationConfig, TaskState, TaskStatus, Timestamp, json,
    operation::{Body, Check, Kind, Operation, Request, Segment, Visitor},
    operations::{self, CreateTaskPushNotificationConfig, GetTask, SendMessage},
};

fn violations(message: &impl Check) -> Vec<String> {
    message
        .violations()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn request(json: &str) -> SendMessageRequest {
    json::from_slice(json.as_bytes()).unwrap()
}

// A2A-5.7-01, A2A-5.7-02
#[test]
fn everything_that_is_missing_is_reported_at_once() {
    assert_eq!(
        violations(&SendMessageRequest::default()),
        ["message: is required"]
    );
    assert_eq!(
        violations(&request(r#"{"message":{}}"#)),
        [
            "message.messageId: is required",
            "message.role: is required; must be one of ROLE_USER, ROLE_AGENT",
            "message.parts: must have at least one element",
        ]
    );
}

// R024
#[test]
fn a_part_without_content_is_reported_by_its_place() {
    let message = |parts| {
        format!(r#"{{"message":{{"messageId":"1","role":"ROLE_USER","parts":[{parts}]}}}}"#)
    };
    for part in [
        "{}",
        r#"{"mediaType":"application/json"}"#,
        r#"{"text":null}"#,
    ] {
        assert_eq!(
            violations(&request(&message(part))),
            ["message.parts[0]: must have exactly one of text, raw, url, data"]
        );
    }
    let parts = r#"{"text":""},{"data":null},{"raw":""},{"url":""}"#;
    assert!(violations(&request(&message(parts))).is_empty());
}

// D43
#[test]
fn an_empty_text_counts_as_missing() {
    let json = r#"{"message":{"messageId":"","role":"ROLE_USER","parts":[{"text":"a"}]}}"#;
    assert_eq!(
        violations(&request(json)),
        ["message.messageId: is required"]
    );
    assert_eq!(violations(&GetTaskRequest::default()), ["id: is required"]);
}

#[test]
fn the_unspecified_value_counts_as_missing() {
    let json = r#"{"message":{"messageId":"1","role":"ROLE_UNSPECIFIED","parts":[{"text":"a"}]}}"#;
    assert_eq!(violations(&request(json)).len(), 1);
    assert_eq!(violations(&TaskStatus::default()).len(), 1);
    assert!(violations(&TaskStatus::default().with_state(TaskState::Working)).is_empty());
}

#[test]
fn checks_reach_through_every_level() {
    let message = Message::default()
        .with_message_id("1")
        .with_role(Role::User)
        .with_parts([Part::default().with_text("a")]);
    let config =
        TaskPushNotificationConfig::default().with_authentication(AuthenticationInfo::default());
    let configuration =
        SendMessageConfiguration::default().with_task_push_notification_config(config);
    let request = SendMessageRequest::default()
        .with_message(message.clone())
        .with_configuration(configuration);
    assert_eq!(
        violations(&request),
        [
            "configuration.taskPushNotificationConfig.url: is required",
            "configuration.taskPushNotificationConfig.authentication.scheme: is required",
        ]
    );
    let status = TaskStatus::default().with_message(message.with_parts([Part::default()]));
    let task = Task::default().with_id("1").with_status(status);
    let event = StreamResponse::default().with_task(task);
    let found = violations(&event);
    assert!(found[0].starts_with("task.status.state: "), "{found:?}");
    assert!(
        found[1].starts_with("task.status.message.parts[0]: "),
        "{found:?}"
    );
}

#[test]
fn an_answer_says_something() {
    let found = SendMessageResponse::default().violations();
    assert_eq!(found[0].field, "");
    assert_eq!(
        found[0].description,
        "must have exactly one of task, message"
    );
    assert_eq!(violations(&StreamResponse::default()).len(), 1);
    assert!(violations(&ListTasksResponse::default()).is_empty());
}

// D5, D43: what the documents' own cards leave empty may be empty.
#[test]
fn a_card_may_have_no_skills_and_no_description() {
    let text = r#"{"name":"a","description":"","supportedInterfaces":[{"url":"https://a.example/",
        "protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"version":"1","capabilities":{},
        "defaultInputModes":[],"defaultOutputModes":[],"skills":[],
        "securitySchemes":{"new":{"schemeOfTheFuture":{}},"key":{"apiKeySecurityScheme":{}}}}"#;
    let card: AgentCard = json::from_slice(text.as_bytes()).unwrap();
    assert_eq!(
        violations(&card),
        [
            "securitySchemes.key.apiKeySecurityScheme.location: is required",
            "securitySchemes.key.apiKeySecurityScheme.name: is required",
        ]
    );
    assert_eq!(
        violations(&AgentCard::default()),
        [
            "name: is required",
            "supportedInterfaces: must have at least one element",
            "version: is required",
            "capabilities: is required",
        ]
    );
}

#[test]
fn a_time_that_cannot_be_written_is_reported() {
    let request = a2a_types::ListTasksRequest::default().with_status_timestamp_after(Timestamp {
        seconds: i64::MAX,
        nanos: 0,
    });
    assert_eq!(
        violations(&request),
        ["statusTimestampAfter: must be in the years 1 to 9999"]
    );
}

// D43: Create's task id is required although the proto does not say so; inline it stays empty.
#[test]
fn what_the_path_binds_is_required_of_the_operation() {
    let config = TaskPushNotificationConfig::default().with_url("https://a.example/");
    assert!(violations(&config).is_empty());
    let found = CreateTaskPushNotificationConfig::check(&config);
    assert_eq!(
        found.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["taskId: is required"]
    );
    assert!(CreateTaskPushNotificationConfig::check(&config.with_task_id("1")).is_empty());
    assert_eq!(
        GetTask::check(&GetTaskRequest::default()).len(),
        1,
        "reported once"
    );
    assert_eq!(SendMessage::check(&SendMessageRequest::default()).len(), 1);
}

#[test]
fn an_operation_is_found_by_its_exact_name() {
    assert_eq!(OperationId::ALL.len(), 11);
    for id in OperationId::ALL {
        assert_eq!(OperationId::from_name(id.name()), Some(id));
        assert_eq!(id.spec().id, id);
    }
    for name in ["", "sendMessage", "message/send", "SendMessage "] {
        assert_eq!(OperationId::from_name(name), None);
    }
    assert_eq!(operations::SERVICE, "lf.a2a.v1.A2AService");
}

#[test]
fn a_visitor_gets_the_type_of_the_operation() {
    struct Name;
    impl Visitor for Name {
        type Output = OperationId;
        fn visit<O: Operation>(self) -> OperationId {
            O::ID
        }
    }
    for id in OperationId::ALL {
        assert_eq!(id.visit(Name), id);
    }
}

#[test]
fn paths_are_those_of_the_proto() {
    let path = |id: OperationId, rule: usize| {
        let rule = &id.spec().http[rule];
        let mut path = String::new();
        for segment in rule.segments {
            match segment {
                Segment::Literal(text) => path += &format!("/{text}"),
                Segment::Field(name) => path += &format!("/{{{name}}}"),
            }
        }
        let verb = rule.verb.map(|verb| format!(":{verb}")).unwrap_or_default();
        format!("{} {path}{verb}", rule.method.as_str())
    };
    let expected = [
        "POST /message:send",
        "POST /message:stream",
        "GET /tasks/{id}",
        "GET /tasks",
        "POST /tasks/{id}:cancel",
        "GET /tasks/{id}:subscribe",
        "POST /tasks/{task_id}/pushNotificationConfigs",
        "GET /tasks/{task_id}/pushNotificationConfigs/{id}",
        "GET /tasks/{task_id}/pushNotificationConfigs",
        "GET /extendedAgentCard",
        "DELETE /tasks/{task_id}/pushNotificationConfigs/{id}",
    ];
    for (id, plain) in OperationId::ALL.into_iter().zip(expected) {
        assert_eq!(path(id, 0), plain);
        assert_eq!(path(id, 1), plain.replacen('/', "/{tenant}/", 1));
        assert_eq!(
            id.spec().http[0].body == Body::Whole,
            plain.starts_with("POST")
        );
    }
    let streams: BTreeSet<&str> = OperationId::ALL
        .into_iter()
        .filter(|id| id.spec().kind == Kind::ServerStreaming)
        .map(OperationId::name)
        .collect();
    assert_eq!(
        streams,
        BTreeSet::from(["SendStreamingMessage", "SubscribeToTask"])
    );
}

#[test]
fn path_fields_can_be_read_and_set() {
    struct Binds;
    impl Visitor for Binds {
        type Output = ();
        fn visit<O: Operation>(self) {
            let mut request = O::Request::default();
            for segment in O::ID.spec().http[1].segments {
                let Segment::Field(name) = segment else {
                    continue;
                };
                request.path_field(name).unwrap().push_str(name);
                assert_eq!(request.path_value(name), Some(*name));
            }
            assert_eq!(request.tenant(), "tenant");
            assert_eq!(request.path_value("metadata"), None);
        }
    }
    for id in OperationId::ALL {
        id.visit(Binds);
    }
}
