//! What the client tells its peers, and how little it minds what they make of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::collections::HashSet;

use a2a_client::testkit::{Answer, HostileServer};
use a2a_client::{Failure, StreamExt as _};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{
    ErrorKind, GetTaskRequest, ListTasksRequest, Message, Part, SendMessageConfiguration,
    SendMessageRequest, TaskState,
};
use serde_json::{Value, json};
use support::{
    BINDINGS, answer, answering, call_everything, chunk, client, events, fitting, operation,
    status, task, task_event,
};

// R035
#[tokio::test]
async fn an_answer_is_taken_whatever_its_peer_made_of_the_id() {
    for id in [
        json!("1"),
        json!(1),
        json!("other"),
        json!(9_007_199_254_740_993_u64),
        json!(1.5),
        json!([]),
        Value::Null,
    ] {
        let wrap = |result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
        let told = Answer::json(200, &wrap(task("TASK_STATE_WORKING")));
        let (_server, client) = answering(JSONRPC, told).await;
        let task = client.get_task("t-1").await.unwrap();
        assert_eq!(task.state(), TaskState::Working, "{id}");

        let story = [task_event("TASK_STATE_WORKING"), chunk("x", false)];
        let story = story.into_iter().chain([status("TASK_STATE_COMPLETED")]);
        let (_server, client) = answering(JSONRPC, Answer::events(story.map(wrap))).await;
        let events: Vec<_> = client.stream_message("hi").await.unwrap().collect().await;
        assert_eq!(events.len(), 3, "{id}");
        assert!(events.iter().all(Result::is_ok), "{id}");
    }
    let bare = json!({ "result": task("TASK_STATE_WORKING") });
    let (_server, client) = answering(JSONRPC, Answer::json(200, &bare)).await;
    client.get_task("t-1").await.unwrap();
}

// R038, A2A-9.1-01
#[tokio::test]
async fn every_call_over_json_rpc_is_a_whole_envelope() {
    let server = HostileServer::start(|heard| fitting(JSONRPC, heard))
        .await
        .unwrap();
    call_everything(&client(&server, JSONRPC)).await;
    let heard = server.heard();
    assert_eq!(heard.len(), 11);
    let mut ids = HashSet::new();
    for heard in heard {
        assert_eq!(
            (heard.method.as_str(), heard.target.as_str()),
            ("POST", "/")
        );
        assert_eq!(heard.header("content-type"), "application/json");
        let call = heard.json();
        let members: Vec<_> = call.as_object().unwrap().keys().collect();
        assert_eq!(members, ["id", "jsonrpc", "method", "params"], "{call}");
        assert_eq!(call["jsonrpc"], "2.0");
        assert!(call["params"].is_object(), "{call}");
        assert!(ids.insert(call["id"].as_str().unwrap().to_owned()));
    }
}

// R037
#[tokio::test]
async fn an_answer_that_is_no_object_is_an_error_and_says_so() {
    let one = json!({ "jsonrpc": "2.0", "id": "1", "result": task("TASK_STATE_WORKING") });
    for body in [
        String::new(),
        "[]".to_owned(),
        "[null, null]".to_owned(),
        json!([one]).to_string(),
        "5".to_owned(),
        "\"x\"".to_owned(),
        "null".to_owned(),
        "true".to_owned(),
    ] {
        for binding in BINDINGS {
            let told = Answer::new(200, "application/json", body.clone());
            let (_server, client) = answering(binding, told).await;
            let error = client.get_task("t-1").await.unwrap_err();
            assert_eq!(error.failure(), Failure::Decode, "{binding} {body}");
            let told = Answer::stream(format!("data: {body}\n\n"));
            let (_server, client) = answering(binding, told).await;
            let mut stream = client.stream_message("hi").await.unwrap();
            assert!(stream.next().await.unwrap().is_err(), "{binding} {body}");
            assert!(stream.next().await.is_none());
        }
    }
}

#[tokio::test]
async fn an_error_in_a_stream_is_read_also_as_json_rpc_has_it() {
    let bare = json!({ "code": -32008, "message": "declare it", "data": [] });
    let told = Answer::stream(format!("data: {bare}\n\n"));
    let (_server, client) = answering(HTTP_JSON, told).await;
    let mut stream = client.stream_message("hi").await.unwrap();
    let error = stream.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::ExtensionSupportRequired));
    assert_eq!(error.protocol().unwrap().message(), "declare it");
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn requirements_of_an_extended_card_are_read_without_their_lists() {
    for binding in BINDINGS {
        let card = json!({ "name": "x", "supportedInterfaces": [],
            "securityRequirements": [{ "schemes": { "oauth": ["read"] } }] });
        let (_server, client) = answering(binding, answer(binding, &card)).await;
        let card = client.get_extended_card().await.unwrap();
        assert_eq!(
            card.security_requirements[0].schemes["oauth"].list,
            ["read"]
        );
        let odd = json!({ "name": 5 });
        let (_server, client) = answering(binding, answer(binding, &odd)).await;
        let error = client.get_extended_card().await.unwrap_err();
        assert!(error.to_string().contains("name"), "{error}");
    }
}

// R024, A2A-5.7-01
#[tokio::test]
async fn a_part_without_content_is_not_sent() {
    for binding in BINDINGS {
        let server = HostileServer::start(move |heard| fitting(binding, heard))
            .await
            .unwrap();
        let client = client(&server, binding);
        let empty = Part::default().with_media_type("application/json");
        for (message, field) in [
            (Message::user("hi").with_parts([empty]), "message.parts[0]"),
            (Message::user("hi").with_parts([""; 0]), "message.parts"),
        ] {
            let unary = client.send_message(message.clone()).await.unwrap_err();
            let stream = client.stream_message(message).await.unwrap_err();
            for error in [unary, stream] {
                assert_eq!(error.failure(), Failure::Request);
                assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
                assert_eq!(error.protocol().unwrap().violations()[0].field, field);
            }
        }
        assert!(server.heard().is_empty());
    }
}

// R024
#[tokio::test]
async fn a_part_without_content_that_comes_is_borne() {
    for binding in BINDINGS {
        let mut told = task("TASK_STATE_COMPLETED");
        told["artifacts"] = json!([{ "artifactId": "a", "parts": [{}, { "text": "x" }] }]);
        let (_server, client) = answering(binding, answer(binding, &told)).await;
        let task = client.get_task("t-1").await.unwrap();
        assert_eq!(task.artifacts[0].parts.len(), 2);
        assert_eq!(task.artifacts[0].text(), "x");
    }
}

// R027, R030
#[tokio::test]
async fn what_is_set_is_sent_also_where_it_is_nothing() {
    for binding in BINDINGS {
        let server = HostileServer::start(move |heard| fitting(binding, heard))
            .await
            .unwrap();
        let client = client(&server, binding);
        let configuration = SendMessageConfiguration::default().with_history_length(0);
        let request = SendMessageRequest::new(Message::user(""));
        let request = request.with_configuration(configuration);
        client.send_message(request).await.unwrap();
        let request = GetTaskRequest::default().with_id("t-1");
        client
            .get_task(request.clone().with_history_length(0))
            .await
            .unwrap();
        client.get_task(request).await.unwrap();
        let request = ListTasksRequest::default()
            .with_history_length(0)
            .with_include_artifacts(false);
        client.list_tasks(request).await.unwrap();

        let heard = server.heard();
        let params = |n: usize| match binding {
            JSONRPC => heard[n].json()["params"].clone(),
            _ if heard[n].method == "POST" => heard[n].json(),
            _ => heard[n].query().split('&').collect(),
        };
        let sent = params(0);
        assert_eq!(sent["message"]["parts"], json!([{ "text": "" }]));
        assert_eq!(sent["configuration"]["historyLength"], 0);
        match binding {
            HTTP_JSON => {
                assert_eq!(params(1), json!(["historyLength=0"]));
                assert_eq!(params(2), json!([""]));
                let listed = params(3);
                let listed = listed.as_array().unwrap();
                assert!(listed.contains(&json!("historyLength=0")), "{listed:?}");
                assert!(
                    listed.contains(&json!("includeArtifacts=false")),
                    "{listed:?}"
                );
            }
            _ => {
                assert_eq!(params(1), json!({ "id": "t-1", "historyLength": 0 }));
                assert_eq!(params(2), json!({ "id": "t-1" }));
                assert_eq!(
                    params(3),
                    json!({ "historyLength": 0, "includeArtifacts": false })
                );
            }
        }
        assert_eq!(operation(&heard[3]), "ListTasks");
    }
}

// R029
#[tokio::test]
async fn lists_that_are_missing_or_null_are_empty() {
    for binding in BINDINGS {
        for page in [
            json!({}),
            json!({ "tasks": null, "nextPageToken": null, "pageSize": null }),
        ] {
            let (_server, client) = answering(binding, answer(binding, &page)).await;
            let page = client
                .list_tasks(ListTasksRequest::default())
                .await
                .unwrap();
            assert!(page.tasks.is_empty() && page.next_page_token.is_empty());
            let page = client.list_push_configs("t-1").await.unwrap();
            assert!(page.configs.is_empty());
        }
        let mut told = task("TASK_STATE_COMPLETED");
        told["artifacts"] = json!([{ "artifactId": "a", "parts": null }, { "artifactId": "b" }]);
        told["history"] = Value::Null;
        let (_server, client) = answering(binding, answer(binding, &told)).await;
        let task = client.get_task("t-1").await.unwrap();
        assert_eq!(task.artifacts.len(), 2);
    }
}

// R029, R078
#[tokio::test]
async fn a_card_that_lacks_lists_is_read() {
    let server = HostileServer::start(|heard| match heard.path() {
        "/.well-known/agent-card.json" => Answer::json(
            200,
            &json!({
                "name": "Poor",
                "capabilities": null,
                "defaultInputModes": null,
                "skills": [{ "id": "s", "tags": null }, { "id": "t" }],
                "supportedInterfaces": [{ "protocolBinding": "JSONRPC", "protocolVersion": "1.0",
                    "url": format!("http://{}/", heard.header("host")) }],
            }),
        ),
        _ => fitting(JSONRPC, heard),
    })
    .await
    .unwrap();
    let client = support::builder().connect(&server.url("")).await.unwrap();
    assert_eq!(client.card().skills.len(), 2);
    client.send_message("hi").await.unwrap();
}

// R016: whatever the pace at which it reads, and however the bytes come.
#[tokio::test]
async fn a_slow_reader_misses_nothing() {
    for binding in BINDINGS {
        for piece in [1, 7, usize::MAX] {
            let chunks = (0..500).map(|n| chunk(&format!("{n},"), n > 0));
            let story: Vec<_> = [task_event("TASK_STATE_WORKING")]
                .into_iter()
                .chain(chunks)
                .chain([status("TASK_STATE_COMPLETED")])
                .collect();
            let told = events(binding, &story).in_pieces(piece);
            let (_server, client) = answering(binding, told).await;
            let mut stream = client.stream_message("hi").await.unwrap();
            let mut fold = a2a_types::reducer::Fold::default();
            while let Some(event) = stream.next().await {
                fold.push(&event.unwrap());
                tokio::task::yield_now().await;
            }
            let whole: String = (0..500).map(|n| format!("{n},")).collect();
            assert_eq!(fold.task().unwrap().artifacts[0].text(), whole);
        }
    }
}
