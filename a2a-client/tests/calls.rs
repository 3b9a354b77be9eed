//! What is the same for every call: what is sent along, what is refused, what is repeated.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_client::{Error, Failure, Incoming, Interceptor, Outgoing, Reply, StreamExt as _};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::operations::{GetTask, SendMessage, SendStreamingMessage};
use a2a_types::{
    ErrorKind, GetTaskRequest, ListTasksRequest, Message, Part, SendMessageRequest,
    TaskPushNotificationConfig, TaskState, Version,
};
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use support::{
    BINDINGS, answer, answering, builder, call_everything, client, fitting, task, task_event,
};

// R065, A2A-8.3.2-04, A2A-T-09
#[tokio::test]
async fn the_tenant_of_the_interface_is_in_every_request() {
    for binding in BINDINGS {
        let server = HostileServer::start(move |heard| fitting(binding, heard))
            .await
            .unwrap();
        for tenant in ["acme", "a/b ü", ""] {
            let mut card = server.card(binding);
            card.supported_interfaces[0].tenant = tenant.to_owned();
            let client = builder().from_card(card).unwrap();
            let before = server.heard().len();
            call_everything(&client).await;
            let heard = server.heard().split_off(before);
            assert_eq!(heard.len(), 11);
            for heard in heard {
                let encoded = tenant
                    .replace('/', "%2F")
                    .replace(' ', "%20")
                    .replace('ü', "%C3%BC");
                let text = format!("{} {}", heard.target, String::from_utf8_lossy(&heard.body));
                match (binding, tenant) {
                    (_, "") => assert!(!text.contains("tenant"), "{text}"),
                    (JSONRPC, _) => assert_eq!(heard.json()["params"]["tenant"], tenant),
                    _ => assert!(heard.target.starts_with(&format!("/{encoded}/")), "{text}"),
                }
            }
        }
    }
}

// R136, A2A-3.6.1-01, A2A-9.2-03
#[tokio::test]
async fn version_extensions_and_headers_are_sent_with_every_request() {
    for binding in BINDINGS {
        let server = HostileServer::start(move |heard| fitting(binding, heard))
            .await
            .unwrap();
        let client = builder()
            .with_extension("urn:a")
            .with_extension("urn:b")
            .with_header(
                HeaderName::from_static("x-own"),
                HeaderValue::from_static("yes"),
            )
            .from_card(server.card(binding))
            .unwrap();
        call_everything(&client).await;
        for heard in server.heard() {
            assert_eq!(heard.header("a2a-version"), "1.0");
            assert_eq!(heard.header("a2a-extensions"), "urn:a, urn:b");
            assert_eq!(heard.headers.get_all("a2a-extensions").iter().count(), 1);
            assert_eq!(heard.header("x-own"), "yes");
            assert!(!heard.query().to_ascii_lowercase().contains("version"));
        }
        let call = client
            .get_task("t-1")
            .with_extension("urn:c")
            .with_version(Version::V0_3);
        let call = call.with_header(
            HeaderName::from_static("x-own"),
            HeaderValue::from_static("no"),
        );
        call.await.unwrap();
        let heard = server.heard().pop().unwrap();
        assert_eq!(heard.header("a2a-version"), "0.3");
        assert_eq!(heard.header("a2a-extensions"), "urn:a, urn:b, urn:c");
        assert_eq!(heard.header("x-own"), "no");
    }
}

// A2A-3.1.1-08
#[tokio::test]
async fn both_answers_to_a_message_are_read_and_neither_is_an_error() {
    for binding in BINDINGS {
        let message = json!({ "message": { "messageId": "m", "role": "ROLE_AGENT",
            "parts": [{ "text": "yes" }, { "raw": "_-8" }, { "data": null }] } });
        let (_server, client) = answering(binding, answer(binding, &message)).await;
        let reply = client.send_message(Message::user("hi")).await.unwrap();
        assert_eq!(reply.text(), "yes");
        let message = reply.message().unwrap();
        // R019, R022
        assert_eq!(message.parts[1].as_raw().unwrap().as_ref(), [0xff, 0xef]);
        assert_eq!(message.parts[2].as_data(), Some(&Value::Null));

        let (_server, client) =
            answering(binding, answer(binding, &task_event("TASK_STATE_WORKING"))).await;
        let reply = client.send_message(Part::data(json!([1]))).await.unwrap();
        assert_eq!(reply.task().unwrap().state(), TaskState::Working);

        let (_server, client) = answering(binding, answer(binding, &json!({}))).await;
        let error = client.send_message("hi").await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::InvalidAgentResponse));
        assert_eq!(error.failure(), Failure::Decode);
    }
}

// R021, R025, R032, R034, A2A-3.2.5-01
#[tokio::test]
async fn odd_but_legal_answers_are_read() {
    let odd = json!({ "id": "t", "context_id": "c", "kind": "task", "new": { "x": [1] },
        "status": { "state": "TASK_STATE_WORKING", "timestamp": "2025-04-16T13:38:21.503444" },
        "artifacts": [{ "artifactId": "a", "parts": [{ "text": "if a<b && c>d \\u003c", "kind": "text" }] }],
        "metadata": { "n": 1, "big": 9007199254740993i64, "f": 1.5, "null": null, "o": { "l": [] } } });
    for binding in BINDINGS {
        let (_server, client) = answering(binding, answer(binding, &odd)).await;
        let task = client.get_task("t").await.unwrap();
        assert_eq!(task.context_id, "c");
        assert_eq!(task.artifacts[0].text(), "if a<b && c>d \\u003c");
        let metadata = serde_json::to_value(task.metadata.unwrap()).unwrap();
        assert_eq!(metadata, odd["metadata"]);
    }
}

// R030, decision B4
#[tokio::test]
async fn history_is_never_longer_than_wanted_and_never_negative() {
    let message =
        |id: &str| json!({ "messageId": id, "role": "ROLE_USER", "parts": [{ "text": id }] });
    let mut task = task("TASK_STATE_WORKING");
    task["history"] = json!([message("1"), message("2"), message("3")]);
    for binding in BINDINGS {
        let (server, client) = answering(binding, answer(binding, &task)).await;
        let ids = async |length: Option<i32>| {
            let mut request = GetTaskRequest::default().with_id("t-1");
            request.history_length = length;
            let task = client.get_task(request).await?;
            Ok::<_, Error>(
                task.history
                    .into_iter()
                    .map(|m| m.message_id)
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(ids(None).await.unwrap(), ["1", "2", "3"]);
        assert_eq!(ids(Some(2)).await.unwrap(), ["2", "3"]);
        assert_eq!(ids(Some(0)).await.unwrap(), Vec::<String>::new());
        assert_eq!(ids(Some(9)).await.unwrap().len(), 3);
        let error = ids(Some(-1)).await.unwrap_err();
        assert_eq!(error.failure(), Failure::Request);
        assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
        assert_eq!(server.heard().len(), 4);
    }
}

#[tokio::test]
async fn a_request_that_lacks_something_is_not_sent() {
    let (server, client) = answering(JSONRPC, Answer::empty(200)).await;
    let errors = [
        client.get_task("").await.unwrap_err(),
        client
            .send_message(SendMessageRequest::default())
            .await
            .unwrap_err(),
        client.get_push_config(("t", "")).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.failure(), Failure::Request);
        assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
        assert!(!error.protocol().unwrap().violations().is_empty());
    }
    assert!(server.heard().is_empty());
}

// A2A-3.3.4-05
#[tokio::test]
async fn what_the_card_does_not_offer_is_not_asked_for() {
    let server = HostileServer::start(|heard| fitting(JSONRPC, heard))
        .await
        .unwrap();
    let mut card = server.card(JSONRPC);
    card.capabilities = None;
    let client = builder().from_card(card.clone()).unwrap();
    let push = SendMessageRequest::new(Message::user("hi")).with_configuration(
        a2a_types::SendMessageConfiguration::default().with_task_push_notification_config(
            TaskPushNotificationConfig::default().with_url("h"),
        ),
    );
    let errors = [
        (
            client.stream_message("hi").await.unwrap_err(),
            ErrorKind::UnsupportedOperation,
        ),
        (
            client.subscribe_to_task("t").await.unwrap_err(),
            ErrorKind::UnsupportedOperation,
        ),
        (
            client.get_extended_card().await.unwrap_err(),
            ErrorKind::UnsupportedOperation,
        ),
        (
            client.list_push_configs("t").await.unwrap_err(),
            ErrorKind::PushNotificationNotSupported,
        ),
        (
            client.send_message(push).await.unwrap_err(),
            ErrorKind::PushNotificationNotSupported,
        ),
    ];
    for (error, kind) in errors {
        assert_eq!(
            (error.failure(), error.kind()),
            (Failure::Request, Some(kind))
        );
    }
    assert!(server.heard().is_empty());
    let client = builder()
        .without_capability_checks()
        .from_card(card)
        .unwrap();
    call_everything(&client).await;
}

// R134, A2A-3.1.11-05
#[tokio::test]
async fn the_extended_card_takes_the_place_of_the_card() {
    let server = HostileServer::start(|heard| fitting(HTTP_JSON, heard))
        .await
        .unwrap();
    let client = client(&server, HTTP_JSON);
    assert_eq!(client.card().name, "Hostile");
    client.get_extended_card().await.unwrap();
    assert_eq!(client.card().name, "Extended");
    client.get_task("t-1").await.unwrap();
}

// A2A-3.1.4-12
#[tokio::test]
async fn all_pages_are_turned_and_an_endless_book_is_closed() {
    for binding in BINDINGS {
        let pages = move |heard: &Heard| {
            let second = heard.target.contains("pageToken=p2")
                || heard.json()["params"]["pageToken"] == "p2";
            let page = match second {
                true => json!({ "tasks": [{ "id": "3" }] }),
                false => json!({ "tasks": [{ "id": "1" }, { "id": "2" }], "nextPageToken": "p2" }),
            };
            answer(binding, &page)
        };
        let server = HostileServer::start(pages).await.unwrap();
        let tasks = client(&server, binding).all_tasks(ListTasksRequest::default());
        let ids: Vec<_> = tasks.map(|task| task.unwrap().id).collect().await;
        assert_eq!(ids, ["1", "2", "3"]);

        let same = answer(binding, &json!({ "tasks": [], "nextPageToken": "p" }));
        let (_server, client) = answering(binding, same).await;
        let tasks: Vec<_> = client
            .all_tasks(ListTasksRequest::default())
            .collect()
            .await;
        assert!(matches!(tasks.as_slice(), [Err(_)]));
    }
}

struct Watcher(Arc<AtomicUsize>, &'static str);

#[async_trait::async_trait]
impl Interceptor for Watcher {
    async fn request(&self, call: &mut Outgoing<'_>) -> Result<(), Error> {
        let seen = call
            .headers
            .get("x-seen")
            .and_then(|seen| seen.to_str().ok());
        let seen = format!("{}{}", seen.unwrap_or_default(), self.1);
        call.headers.insert("x-seen", seen.parse().unwrap());
        if let Some(request) = call.message::<SendMessage>() {
            request.message.get_or_insert_default().context_id = "c-9".to_owned();
        }
        if call
            .message::<GetTask>()
            .is_some_and(|request| request.id == "secret")
        {
            return Err(Error::new(Failure::Request, "not that one"));
        }
        Ok(())
    }

    async fn answer(&self, answer: &mut Incoming<'_>) -> Result<(), Error> {
        if let Some(event) = answer.message::<SendStreamingMessage>() {
            self.0.fetch_add(1, Ordering::SeqCst);
            *event = event.clone();
        }
        let date = answer
            .headers
            .get("x-date")
            .and_then(|date| date.to_str().ok());
        let date = date.unwrap_or_default().to_owned();
        if let Some(task) = answer.message::<GetTask>() {
            task.context_id.push_str(&format!("{}{date}", self.1));
        }
        Ok(())
    }
}

#[tokio::test]
async fn interceptors_see_and_change_what_goes_out_and_what_comes_in() {
    for binding in BINDINGS {
        let dated = move |heard: &Heard| fitting(binding, heard).with_header("X-Date", "!");
        let server = HostileServer::start(dated).await.unwrap();
        let seen = Arc::new(AtomicUsize::new(0));
        let client = builder()
            .with_interceptor(Watcher(Arc::clone(&seen), "a"))
            .with_interceptor(Watcher(Arc::clone(&seen), "b"))
            .from_card(server.card(binding))
            .unwrap();
        let reply = client.send_message("hi").await.unwrap();
        assert!(matches!(reply, Reply::Task(_)));
        let heard = server.heard().pop().unwrap();
        assert_eq!(heard.header("x-seen"), "ab");
        let text = String::from_utf8_lossy(&heard.body).into_owned();
        assert!(text.contains(r#""contextId":"c-9""#), "{text}");

        let mut stream = client.stream_message("hi").await.unwrap();
        while let Some(event) = stream.next().await {
            event.unwrap();
        }
        assert_eq!(
            seen.load(Ordering::SeqCst),
            2,
            "each has seen the one event"
        );
        assert_eq!(client.get_task("t-1").await.unwrap().context_id, "c-1b!a!");

        let before = server.heard().len();
        let error = client.get_task("secret").await.unwrap_err();
        assert_eq!(error.to_string(), "not that one");
        assert_eq!(server.heard().len(), before);
    }
}
