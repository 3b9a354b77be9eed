//! Whatever a message holds comes back, from JSON and from protobuf.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use a2a_types::{
    AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill, Artifact,
    AuthenticationInfo, AuthorizationCodeOAuthFlow, ListTasksRequest, ListTasksResponse, Message,
    MutualTlsSecurityScheme, OAuth2SecurityScheme, OAuthFlows, Part, SecurityRequirement,
    SecurityScheme, SendMessageConfiguration, SendMessageRequest, StreamResponse, StringList,
    Struct, Task, TaskArtifactUpdateEvent, TaskPushNotificationConfig, TaskStatus,
    TaskStatusUpdateEvent, Timestamp, json, operation::Wire,
};
use proptest::{
    collection::{btree_map, vec},
    option,
    prelude::*,
};
use prost::Message as _;
use serde_json::Value as Json;

proptest! {
    #[test]
    fn requests(request in send_message_request()) {
        round_trip(&request)?;
    }

    #[test]
    fn tasks(task in task()) {
        round_trip(&task)?;
        round_trip(&ListTasksResponse::default().with_tasks([task]).with_page_size(1))?;
    }

    #[test]
    fn events(event in event()) {
        round_trip(&event)?;
    }

    #[test]
    fn cards(card in card()) {
        round_trip(&card)?;
    }

    #[test]
    fn queries(request in list_tasks_request()) {
        round_trip(&request)?;
        let query = json::to_query(&request, &[]);
        prop_assert_eq!(json::from_query::<ListTasksRequest>(&query).unwrap(), request, "{}", query);
    }

    // R019
    #[test]
    fn bytes(bytes in vec(any::<u8>(), 0..5000)) {
        round_trip(&Part::default().with_raw(bytes))?;
    }

    // R025: extra members anywhere change nothing.
    #[test]
    fn unknown_members_change_nothing(task in task(), extra in json_value()) {
        let mut tree = serde_json::to_value(&task).unwrap();
        extend(&mut tree, &extra);
        prop_assert_eq!(json::from_slice::<Task>(tree.to_string().as_bytes()).unwrap(), task);
    }

    #[test]
    fn arbitrary_texts_never_panic(text in "[\\[\\]{}\",:0-9a-z\\\\ ]{0,64}") {
        let _ = json::from_slice::<SendMessageRequest>(text.as_bytes());
        let _ = json::from_query::<ListTasksRequest>(&text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..256)) {
        let _ = StreamResponse::decode(bytes.as_slice());
        let _ = json::from_slice::<StreamResponse>(&bytes);
    }
}

fn round_trip<T: Wire>(message: &T) -> Result<(), TestCaseError> {
    let text = json::to_vec(message).unwrap();
    let back: T = json::from_slice(&text).unwrap();
    prop_assert_eq!(&back, message, "{}", String::from_utf8_lossy(&text));
    let binary = message.encode_to_vec();
    prop_assert_eq!(binary.len(), message.encoded_len());
    prop_assert_eq!(&T::decode(binary.as_slice()).unwrap(), message);
    Ok(())
}

/// Adds a member that nobody knows to every object that is a message.
fn extend(tree: &mut Json, extra: &Json) {
    match tree {
        Json::Array(items) => items.iter_mut().for_each(|item| extend(item, extra)),
        Json::Object(object) => {
            for (name, value) in object.iter_mut() {
                // User data keeps whatever is in it.
                if name != "metadata" && name != "data" {
                    extend(value, extra);
                }
            }
            object.insert("x-unknown".to_owned(), extra.clone());
        }
        _ => {}
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        ".{0,12}",
        "[a-z<>&\"\\\\/\u{0}-\u{1f}é中😀]{0,8}"
    ]
}

/// Numbers as they are after they went through protobuf, so that one message fits both codecs.
fn json_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-(1_i64 << 53)..=1 << 53).prop_map(Json::from),
        any::<f64>()
            .prop_filter("finite, and not whole", |n| n.is_finite()
                && n.fract() != 0.0)
            .prop_map(Json::from),
        text().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            btree_map(text(), inner, 0..4).prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Option<Struct>> {
    option::of(btree_map(text(), json_value(), 0..3).prop_map(Struct::from_iter))
}

/// With milliseconds: what is finer is cut off in JSON.
fn timestamp() -> impl Strategy<Value = Option<Timestamp>> {
    let range = -62_135_596_800_000_i64..=253_402_300_799_999;
    option::of(range.prop_map(Timestamp::from_unix_millis))
}

fn part() -> impl Strategy<Value = Part> {
    let content = prop_oneof![
        Just(Part::default()),
        text().prop_map(|text| Part::default().with_text(text)),
        vec(any::<u8>(), 0..16).prop_map(|bytes| Part::default().with_raw(bytes)),
        text().prop_map(|url| Part::default().with_url(url)),
        json_value().prop_map(|value| Part::default().with_data(value)),
    ];
    (content, object(), text(), text()).prop_map(|(mut part, metadata, filename, media_type)| {
        part.metadata = metadata;
        part.with_filename(filename).with_media_type(media_type)
    })
}

prop_compose! {
    fn message()(
        ids in [text(), text(), text()],
        role in prop_oneof![0..3, any::<i32>()],
        parts in vec(part(), 0..4),
        metadata in object(),
        extensions in vec(text(), 0..3),
        reference_task_ids in vec(text(), 0..3),
    ) -> Message {
        let [message_id, context_id, task_id] = ids;
        let mut message = Message::default()
            .with_message_id(message_id)
            .with_context_id(context_id)
            .with_task_id(task_id)
            .with_parts(parts)
            .with_extensions(extensions)
            .with_reference_task_ids(reference_task_ids);
        message.role = role;
        message.metadata = metadata;
        message
    }
}

prop_compose! {
    fn artifact()(
        texts in [text(), text(), text()],
        parts in vec(part(), 0..3),
        metadata in object(),
    ) -> Artifact {
        let [id, name, description] = texts;
        let mut artifact = Artifact::default()
            .with_artifact_id(id)
            .with_name(name)
            .with_description(description)
            .with_parts(parts);
        artifact.metadata = metadata;
        artifact
    }
}

prop_compose! {
    fn status()(
        state in prop_oneof![0..9, any::<i32>()],
        message in option::of(message()),
        timestamp in timestamp(),
    ) -> TaskStatus {
        let mut status = TaskStatus::default();
        status.state = state;
        status.message = message;
        status.timestamp = timestamp;
        status
    }
}

prop_compose! {
    fn task()(
        ids in [text(), text()],
        status in option::of(status()),
        artifacts in vec(artifact(), 0..3),
        history in vec(message(), 0..3),
        metadata in object(),
    ) -> Task {
        let [id, context_id] = ids;
        let mut task = Task::default()
            .with_id(id)
            .with_context_id(context_id)
            .with_artifacts(artifacts)
            .with_history(history);
        task.status = status;
        task.metadata = metadata;
        task
    }
}

fn event() -> impl Strategy<Value = StreamResponse> {
    prop_oneof![
        task().prop_map(|task| StreamResponse::default().with_task(task)),
        message().prop_map(|message| StreamResponse::default().with_message(message)),
        (text(), status(), object()).prop_map(|(id, status, metadata)| {
            let mut event = TaskStatusUpdateEvent::default()
                .with_task_id(id)
                .with_status(status);
            event.metadata = metadata;
            StreamResponse::default().with_status_update(event)
        }),
        (text(), artifact(), any::<bool>(), any::<bool>()).prop_map(
            |(id, artifact, append, last)| {
                let event = TaskArtifactUpdateEvent::default()
                    .with_context_id(id)
                    .with_artifact(artifact)
                    .with_append(append)
                    .with_last_chunk(last);
                StreamResponse::default().with_artifact_update(event)
            }
        ),
    ]
}

prop_compose! {
    fn configuration()(
        modes in vec(text(), 0..3),
        history_length in option::of(any::<i32>()),
        return_immediately in any::<bool>(),
        push in option::of([text(), text(), text(), text()]),
    ) -> SendMessageConfiguration {
        let mut configuration = SendMessageConfiguration::default()
            .with_accepted_output_modes(modes)
            .with_return_immediately(return_immediately);
        configuration.history_length = history_length;
        configuration.task_push_notification_config = push.map(|[url, token, scheme, credentials]| {
            TaskPushNotificationConfig::default().with_url(url).with_token(token).with_authentication(
                AuthenticationInfo::default().with_scheme(scheme).with_credentials(credentials),
            )
        });
        configuration
    }
}

prop_compose! {
    fn send_message_request()(
        tenant in text(),
        message in option::of(message()),
        configuration in option::of(configuration()),
        metadata in object(),
    ) -> SendMessageRequest {
        let mut request = SendMessageRequest::default().with_tenant(tenant);
        request.message = message;
        request.configuration = configuration;
        request.metadata = metadata;
        request
    }
}

prop_compose! {
    fn list_tasks_request()(
        texts in [text(), text(), text()],
        status in prop_oneof![0..9, any::<i32>()],
        numbers in [option::of(any::<i32>()), option::of(any::<i32>())],
        after in timestamp(),
        include_artifacts in option::of(any::<bool>()),
    ) -> ListTasksRequest {
        let [tenant, context_id, page_token] = texts;
        let mut request = ListTasksRequest::default()
            .with_tenant(tenant)
            .with_context_id(context_id)
            .with_page_token(page_token);
        request.status = status;
        [request.page_size, request.history_length] = numbers;
        request.status_timestamp_after = after;
        request.include_artifacts = include_artifacts;
        request
    }
}

fn security_scheme() -> impl Strategy<Value = SecurityScheme> {
    let scopes = btree_map(text(), text(), 0..3);
    prop_oneof![
        Just(SecurityScheme::default()),
        Just(
            SecurityScheme::default().with_mtls_security_scheme(MutualTlsSecurityScheme::default())
        ),
        (text(), scopes, any::<bool>()).prop_map(|(url, scopes, pkce)| {
            let flow = AuthorizationCodeOAuthFlow::default()
                .with_token_url(url)
                .with_scopes(scopes)
                .with_pkce_required(pkce);
            let flows = OAuthFlows::default().with_authorization_code(flow);
            let scheme = OAuth2SecurityScheme::default().with_flows(flows);
            SecurityScheme::default().with_oauth2_security_scheme(scheme)
        }),
    ]
}

prop_compose! {
    fn skill()(
        texts in [text(), text(), text()],
        tags in vec(text(), 0..3),
        scopes in vec(text(), 0..3),
    ) -> AgentSkill {
        let [id, name, description] = texts;
        let scopes = StringList::default().with_list(scopes);
        let requirement = SecurityRequirement::default().with_schemes([(id.clone(), scopes)]);
        AgentSkill::default()
            .with_id(id)
            .with_name(name)
            .with_description(description)
            .with_tags(tags)
            .with_security_requirements([requirement])
    }
}

prop_compose! {
    fn card()(
        texts in [text(), text(), text(), text()],
        urls in [option::of(text()), option::of(text())],
        flags in [option::of(any::<bool>()), option::of(any::<bool>())],
        params in object(),
        skills in vec(skill(), 0..3),
        schemes in btree_map(text(), security_scheme(), 0..3),
    ) -> AgentCard {
        let [name, description, version, binding] = texts;
        let mut extension = AgentExtension::default().with_uri(version.clone());
        extension.params = params;
        let mut capabilities = AgentCapabilities::default().with_extensions([extension]);
        [capabilities.streaming, capabilities.extended_agent_card] = flags;
        let mut card = AgentCard::default()
            .with_name(name)
            .with_description(description)
            .with_version(version)
            .with_supported_interfaces([AgentInterface::default().with_protocol_binding(binding)])
            .with_capabilities(capabilities)
            .with_skills(skills)
            .with_security_schemes(schemes);
        [card.documentation_url, card.icon_url] = urls;
        card
    }
}
