//! What the client says of webhooks that it registers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::io;
use std::sync::{Arc, Mutex};

use a2a_client::testkit::HostileServer;
use a2a_types::card::JSONRPC;
use a2a_types::{
    Message, SendMessageConfiguration, SendMessageRequest, TaskPushNotificationConfig,
};
use support::{builder, fitting};

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

// A2A-13.2-11
#[tokio::test]
async fn a_webhook_over_plain_http_is_warned_of() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let server = HostileServer::start(|heard| fitting(JSONRPC, heard))
        .await
        .unwrap();
    let card = server.card(JSONRPC);
    let clients = [builder(), builder().without_capability_checks()];
    for client in clients.map(|client| client.from_card(card.clone()).unwrap()) {
        for (url, warned) in [
            ("http://hooks.example.com/s3cr3t?key=s3cr3t", true),
            ("HTTP://192.0.2.1/s3cr3t", true),
            ("https://hooks.example.com/s3cr3t", false),
            ("http://127.0.0.1:9/s3cr3t", false),
            ("http://localhost/s3cr3t", false),
        ] {
            let config = TaskPushNotificationConfig::default()
                .with_task_id("t")
                .with_url(url);
            let send = SendMessageRequest::new(Message::user("hi")).with_configuration(
                SendMessageConfiguration::default()
                    .with_task_push_notification_config(config.clone()),
            );
            client.create_push_config(config).await.unwrap();
            let log = [lines.take(), {
                client.send_message(send).await.unwrap();
                lines.take()
            }];
            for log in log {
                assert_eq!(log.contains("not called over https"), warned, "{url} {log}");
                assert!(!log.contains("s3cr3t"), "{log}");
            }
        }
    }
    client_without_webhooks_is_quiet(&lines).await;
}

async fn client_without_webhooks_is_quiet(lines: &Lines) {
    let server = HostileServer::start(|heard| fitting(JSONRPC, heard))
        .await
        .unwrap();
    let client = builder().from_card(server.card(JSONRPC)).unwrap();
    client.send_message("hi").await.unwrap();
    assert_eq!(lines.take(), "");
}
