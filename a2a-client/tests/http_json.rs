//! The HTTP+JSON binding: paths, queries, bodies, and its two fallbacks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_client::{Client, Failure, RequestType, SubscribeVerb};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{
    ErrorKind, ListTasksRequest, Message, SendMessageRequest, TaskPushNotificationConfig,
    TaskState, Timestamp,
};
use serde_json::json;
use support::{answer, answering, client, events, task, task_event};

fn not_found() -> Answer {
    Answer::json(404, &json!({ "detail": "Not Found" }))
}

fn task_not_found() -> Answer {
    let info = json!({ "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org" });
    Answer::json(
        404,
        &json!({ "error": { "code": 404, "message": "gone", "details": [info] } }),
    )
}

fn stream() -> Answer {
    events(HTTP_JSON, &[task_event("TASK_STATE_COMPLETED")])
}

/// A server that answers subscriptions by their verb.
async fn by_verb(post: Answer, get: Answer) -> HostileServer {
    let answer = move |heard: &Heard| match heard.method.as_str() {
        "POST" => post.clone(),
        _ => get.clone(),
    };
    HostileServer::start(answer).await.unwrap()
}

fn verbs(server: &HostileServer) -> Vec<String> {
    server
        .heard()
        .into_iter()
        .map(|heard| heard.method)
        .collect()
}

// R043, B1
#[tokio::test]
async fn a_subscription_is_posted_first_and_a_server_without_that_route_gets_a_get() {
    let server = by_verb(stream(), not_found()).await;
    let posts = client(&server, HTTP_JSON);
    for _ in 0..2 {
        drop(posts.subscribe_to_task("t-1").await.unwrap());
    }
    assert_eq!(verbs(&server), ["POST", "POST"]);
    assert_eq!(server.heard()[0].target, "/tasks/t-1:subscribe");

    for refusal in [
        not_found(),
        Answer::empty(405),
        Answer::new(501, "text/html", "<p>"),
    ] {
        let server = by_verb(refusal, stream()).await;
        let gets = client(&server, HTTP_JSON);
        for _ in 0..2 {
            drop(gets.subscribe_to_task("t-1").await.unwrap());
        }
        assert_eq!(
            verbs(&server),
            ["POST", "GET", "GET"],
            "the verb is remembered"
        );
        assert!(server.heard()[1].body.is_empty());
    }
}

// R043, B1
#[tokio::test]
async fn an_error_of_the_protocol_is_no_missing_route() {
    let server = by_verb(task_not_found(), stream()).await;
    let client = client(&server, HTTP_JSON);
    let error = client.subscribe_to_task("t-1").await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
    assert_eq!(verbs(&server), ["POST"]);
}

// R043
#[tokio::test]
async fn two_missing_routes_are_no_missing_task() {
    let server = by_verb(not_found(), not_found()).await;
    let client = client(&server, HTTP_JSON);
    let error = client.subscribe_to_task("t-1").await.unwrap_err();
    assert_ne!(error.kind(), Some(ErrorKind::TaskNotFound));
    let server = by_verb(not_found(), task_not_found()).await;
    let client = support::client(&server, HTTP_JSON);
    let error = client.subscribe_to_task("t-1").await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
}

// B1, I14
#[tokio::test]
async fn a_setting_begins_with_get_and_falls_back_to_post() {
    let get_first = |server: &HostileServer| {
        let builder = support::builder().with_subscribe_verb(SubscribeVerb::Get);
        builder.from_card(server.card(HTTP_JSON)).unwrap()
    };
    let server = by_verb(Answer::empty(405), stream()).await;
    drop(get_first(&server).subscribe_to_task("t-1").await.unwrap());
    assert_eq!(verbs(&server), ["GET"]);

    // Some servers take the GET for a task with an odd id.
    let server = by_verb(stream(), task_not_found()).await;
    let client = get_first(&server);
    for _ in 0..2 {
        drop(client.subscribe_to_task("t-1").await.unwrap());
    }
    assert_eq!(verbs(&server), ["GET", "POST", "POST"]);
}

// B8
#[tokio::test]
async fn a_server_that_refuses_our_content_type_gets_plain_json() {
    let refusals = [
        Answer::new(415, "text/plain", "Unsupported Media Type"),
        Answer::json(
            400,
            &json!({ "error": { "code": 400, "details": [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "CONTENT_TYPE_NOT_SUPPORTED", "domain": "a2a-protocol.org" }] } }),
        ),
    ];
    for refusal in refusals {
        let answers = move |heard: &Heard| match heard.header("content-type") {
            "application/json" => answer(HTTP_JSON, &task_event("TASK_STATE_COMPLETED")),
            _ => refusal.clone(),
        };
        let server = HostileServer::start(answers).await.unwrap();
        let client = client(&server, HTTP_JSON);
        for _ in 0..2 {
            client.send_message("hi").await.unwrap();
        }
        let heard = server.heard();
        let types: Vec<_> = heard
            .iter()
            .map(|heard| heard.header("content-type"))
            .collect();
        let plain = "application/json";
        assert_eq!(types, ["application/a2a+json", plain, plain]);
        assert_eq!(heard[0].body, heard[1].body);
    }
}

// B8
#[tokio::test]
async fn a_refusal_of_the_parts_is_not_taken_for_one_of_the_request() {
    let refusal = Answer::json(
        400,
        &json!({ "error": { "code": 400, "details": [{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "CONTENT_TYPE_NOT_SUPPORTED", "domain": "a2a-protocol.org" }] } }),
    );
    let (server, client) = answering(HTTP_JSON, refusal).await;
    for _ in 0..2 {
        let error = client.send_message("hi").await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::ContentTypeNotSupported));
    }
    let heard = server.heard();
    assert_eq!(heard[2].header("content-type"), "application/a2a+json");
}

// B8
#[tokio::test]
async fn a_setting_begins_with_plain_json() {
    let answer = answer(HTTP_JSON, &task_event("TASK_STATE_COMPLETED"));
    let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
    let builder = support::builder().with_request_type(RequestType::Json);
    let client = builder.from_card(server.card(HTTP_JSON)).unwrap();
    client.send_message("hi").await.unwrap();
    assert_eq!(server.heard()[0].header("content-type"), "application/json");
}

// R045
#[tokio::test]
async fn odd_ids_stay_one_segment_of_the_path() {
    let (server, client) =
        answering(HTTP_JSON, answer(HTTP_JSON, &task("TASK_STATE_WORKING"))).await;
    let ids = [
        ("a/b", "a%2Fb"),
        ("a:b", "a%3Ab"),
        ("x:cancel", "x%3Acancel"),
        ("50%", "50%25"),
        ("a%2Fb", "a%252Fb"),
        ("a b", "a%20b"),
        ("é", "%C3%A9"),
        ("a?b#c", "a%3Fb%23c"),
        ("...", "..."),
        ("a\\b", "a%5Cb"),
        ("~-_.", "~-_."),
    ];
    for (id, encoded) in ids {
        client.get_task(id).await.unwrap();
        assert_eq!(
            server.heard().pop().unwrap().target,
            format!("/tasks/{encoded}")
        );
        client.cancel_task(id).await.unwrap();
        assert_eq!(
            server.heard().pop().unwrap().target,
            format!("/tasks/{encoded}:cancel")
        );
        client.get_push_config((id, id)).await.unwrap_or_default();
        let target = format!("/tasks/{encoded}/pushNotificationConfigs/{encoded}");
        assert_eq!(server.heard().pop().unwrap().target, target);
    }
}

// R045
#[tokio::test]
async fn an_id_that_every_url_parser_takes_for_a_step_up_is_refused() {
    let (server, client) =
        answering(HTTP_JSON, answer(HTTP_JSON, &task("TASK_STATE_WORKING"))).await;
    for id in [".", ".."] {
        let error = client.get_task(id).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Request);
        assert!(server.heard().is_empty());
    }
    client.cancel_task("..").await.unwrap();
    assert_eq!(server.heard()[0].target, "/tasks/..:cancel");
}

// R046
#[tokio::test]
async fn what_is_in_the_path_is_not_in_the_body() {
    let config = json!({ "taskId": "t/1", "id": "p", "url": "https://h/x" });
    let (server, client) = answering(HTTP_JSON, answer(HTTP_JSON, &config)).await;
    let request = TaskPushNotificationConfig::default()
        .with_task_id("t/1")
        .with_id("p")
        .with_url("https://h/x");
    let created = client.create_push_config(request.clone()).await.unwrap();
    assert_eq!(created, request);
    let heard = server.heard().pop().unwrap();
    assert_eq!(heard.target, "/tasks/t%2F1/pushNotificationConfigs");
    assert_eq!(heard.json(), json!({ "id": "p", "url": "https://h/x" }));

    let (server, client) =
        answering(HTTP_JSON, answer(HTTP_JSON, &task("TASK_STATE_CANCELED"))).await;
    client.cancel_task("t-1").await.unwrap();
    assert_eq!(server.heard()[0].json(), json!({}));
}

// A2A-11.5-01, A2A-11.5-06
#[tokio::test]
async fn requests_without_a_body_have_a_query() {
    let page = json!({ "tasks": [], "nextPageToken": "" });
    let (server, client) = answering(HTTP_JSON, answer(HTTP_JSON, &page)).await;
    let request = ListTasksRequest::default()
        .with_context_id("ü &=")
        .with_status(TaskState::Working)
        .with_page_size(7)
        .with_page_token("+/=&é")
        .with_history_length(0)
        .with_include_artifacts(false)
        .with_status_timestamp_after("2025-01-02T03:04:05Z".parse::<Timestamp>().unwrap());
    client.list_tasks(request).await.unwrap();
    let heard = server.heard().pop().unwrap();
    assert_eq!((heard.method.as_str(), heard.path()), ("GET", "/tasks"));
    assert!(heard.body.is_empty());
    assert_eq!(heard.header("content-type"), "");
    let query: Vec<_> = heard.query().split('&').collect();
    assert_eq!(
        query,
        [
            "contextId=%C3%BC+%26%3D",
            "status=TASK_STATE_WORKING",
            "pageSize=7",
            "pageToken=%2B%2F%3D%26%C3%A9",
            "historyLength=0",
            "statusTimestampAfter=2025-01-02T03%3A04%3A05.000Z",
            "includeArtifacts=false",
        ]
    );
}

// R049
#[tokio::test]
async fn the_path_of_the_operation_is_joined_to_that_of_the_interface() {
    let server = HostileServer::start(|_| answer(HTTP_JSON, &task("TASK_STATE_WORKING"))).await;
    let server = server.unwrap();
    let table = [
        ("", "/tasks/t-1"),
        ("/", "/tasks/t-1"),
        ("/x/y", "/x/y/tasks/t-1"),
        ("/x/y/", "/x/y/tasks/t-1"),
        ("/?k=v", "/tasks/t-1?k=v"),
        ("/x%2Fy?k=v%20w", "/x%2Fy/tasks/t-1?k=v%20w"),
    ];
    for (path, target) in table {
        let mut card = server.card(HTTP_JSON);
        card.supported_interfaces[0].url = server.url(path);
        let client = Client::from_card(card).unwrap();
        client.get_task("t-1").await.unwrap();
        assert_eq!(server.heard().pop().unwrap().target, target, "{path}");
    }
    let mut card = server.card(HTTP_JSON);
    card.supported_interfaces[0].url = server.url("/x/?k=v");
    let request = a2a_types::GetTaskRequest::default()
        .with_id("t")
        .with_history_length(3);
    let client = Client::from_card(card).unwrap();
    client.get_task(request).await.unwrap();
    let target = server.heard().pop().unwrap().target;
    assert_eq!(target, "/x/tasks/t?k=v&historyLength=3");
}

// R049
#[tokio::test]
async fn json_rpc_posts_to_the_interface_as_it_is() {
    let server = HostileServer::start(|_| answer(JSONRPC, &task("TASK_STATE_WORKING"))).await;
    let server = server.unwrap();
    for (path, target) in [
        ("", "/"),
        ("/x", "/x"),
        ("/x/", "/x/"),
        ("/x?k=v", "/x?k=v"),
    ] {
        let mut card = server.card(JSONRPC);
        card.supported_interfaces[0].url = server.url(path);
        let client = Client::from_card(card).unwrap();
        client.get_task("t-1").await.unwrap();
        let heard = server.heard().pop().unwrap();
        assert_eq!(
            (heard.method.as_str(), heard.target.as_str()),
            ("POST", target)
        );
    }
}

// Decision D32, A2A-11.4-02
#[tokio::test]
async fn every_status_of_success_is_one() {
    for answer in [
        Answer::empty(204),
        Answer::empty(200),
        Answer::json(202, &json!({})),
    ] {
        let (_server, client) = answering(HTTP_JSON, answer).await;
        client.delete_push_config(("t-1", "p")).await.unwrap();
    }
    let created = Answer::json(201, &task("TASK_STATE_WORKING"));
    let (_server, client) = answering(HTTP_JSON, created).await;
    assert_eq!(client.get_task("t-1").await.unwrap().id, "t-1");
}

#[tokio::test]
async fn a_large_message_arrives_whole() {
    let (server, client) = answering(
        HTTP_JSON,
        answer(HTTP_JSON, &task_event("TASK_STATE_COMPLETED")),
    )
    .await;
    let text = "x".repeat(3 * 1024 * 1024);
    client.send_message(text.as_str()).await.unwrap();
    let heard = server.heard().pop().unwrap();
    let request: SendMessageRequest = serde_json::from_slice(&heard.body).unwrap();
    assert_eq!(request.message.map(|m: Message| m.text()), Some(text));
}
