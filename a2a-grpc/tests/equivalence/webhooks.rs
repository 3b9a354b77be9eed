//! What real webhooks get, and which there may be, whatever binding registers them.

use std::sync::Arc;

use a2a_push::PushSender;
use a2a_push::net::Policy;
use a2a_types::{SendMessageRequest, TaskPushNotificationConfig};
use axum::Router;
use axum::routing::post;
use http::HeaderMap;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::agent::{Running, open};
use crate::driver::{everywhere, said};

/// Addresses that must not be called, one a line.
const FORBIDDEN: &str = include_str!("../../../a2a-push/tests/delivery/forbidden.txt");

fn with_webhook(text: &str, url: &str) -> SendMessageRequest {
    let mut request = said(text);
    let config = TaskPushNotificationConfig::default().with_url(url);
    request
        .configuration
        .get_or_insert_default()
        .task_push_notification_config = Some(config);
    request
}

#[tokio::test]
async fn an_address_that_must_not_be_called_is_refused_the_same_way() {
    // R116, A2A-13.2-05, A2A-13.2-12
    let sender = PushSender::builder().build().unwrap();
    let server = Running::start(open().push_sender(Arc::new(sender))).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let task = d.say("ask").await;
            for url in FORBIDDEN.lines() {
                let config = TaskPushNotificationConfig::default()
                    .with_task_id(&task.id)
                    .with_url(url);
                let answer = d.client.create_push_config(config).await;
                d.got(answer);
                let reply = d.client.send_message(with_webhook("hello", url)).await;
                d.replied(reply);
                let events = d.client.stream_message(with_webhook("hello", url)).await;
                d.streamed(events).await;
            }
            d
        },
    )
    .await;
    let refusals = &record[1..];
    assert_eq!(refusals.len(), 3 * FORBIDDEN.lines().count());
    for (line, field) in refusals.iter().zip(["url", INLINE, INLINE].iter().cycle()) {
        assert_eq!(line["error"]["protocol"]["kind"], "InvalidParams", "{line}");
        assert_eq!(line["error"]["protocol"]["violations"][0][0], *field);
    }
}

const INLINE: &str = "configuration.taskPushNotificationConfig.url";

#[tokio::test]
async fn notifications_are_the_json_of_http_whatever_binding_registers_the_webhook() {
    // A2A-3.5.1-02
    let sender = PushSender::builder().policy(Policy::loopback()).build();
    let server = Running::start(open().push_sender(Arc::new(sender.unwrap()))).await;
    let (told, heard) = mpsc::unbounded_channel();
    let hook = move |headers: HeaderMap, body: String| {
        let kind = headers["content-type"].to_str().unwrap().to_owned();
        let _ = told.send((kind, body));
        async {}
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let app = Router::new().route("/hook", post(hook));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let heard = Arc::new(tokio::sync::Mutex::new(heard));
    let record = everywhere(
        &server,
        |b| b,
        |mut d| {
            let (url, heard) = (url.clone(), Arc::clone(&heard));
            async move {
                let reply = d.client.send_message(with_webhook("hello", &url)).await;
                d.replied(reply);
                let mut heard = heard.lock().await;
                for _ in 0..4 {
                    let (kind, body) = heard.recv().await.unwrap();
                    assert_eq!(kind, "application/a2a+json");
                    d.note(serde_json::from_str::<Value>(&body).unwrap());
                }
                d
            }
        },
    )
    .await;
    let members = |line: &Value| {
        line.as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let kinds: Vec<_> = record[1..].iter().flat_map(members).collect();
    assert_eq!(
        kinds,
        ["task", "statusUpdate", "artifactUpdate", "statusUpdate"]
    );
}
