//! What a request is like.

use std::time::{Duration, SystemTime};

use a2a_push::sign::{SignError, Signer};
use a2a_types::push::PushSender as _;
use a2a_types::{AuthenticationInfo, ErrorKind, StreamResponse, TaskPushNotificationConfig};
use http::{HeaderMap, HeaderValue};

use crate::support::{Receiver, config, event, send, sender};

fn authentication(scheme: &str, credentials: &str) -> AuthenticationInfo {
    AuthenticationInfo::default()
        .with_scheme(scheme)
        .with_credentials(credentials)
}

// A2A-4.3.3-01, A2A-4.3.3-02, A2A-4.3.3-03, A2A-4.3.2-01, A2A-13.2-01, B3, R119, R122
#[tokio::test]
async fn a_request_is_one_stream_response_with_the_configured_secrets() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    let plain = config(&receiver.url("/hook?x=y"));
    for (config, authorization, token) in [
        (plain.clone(), None, None),
        (plain.clone().with_token("t0k"), None, Some("t0k")),
        (
            plain
                .clone()
                .with_authentication(authentication("Bearer", "abc")),
            Some("Bearer abc"),
            None,
        ),
        (
            plain
                .clone()
                .with_authentication(authentication("basic", "dTpw"))
                .with_token("t0k"),
            Some("basic dTpw"),
            Some("t0k"),
        ),
        (
            plain.with_authentication(authentication("X-Ours", "k=\"v\", s=1")),
            Some("X-Ours k=\"v\", s=1"),
            None,
        ),
    ] {
        sender.notify(&config, &event(7)).await.unwrap();
        let request = receiver.next().await;
        assert_eq!(request.method, "POST");
        assert_eq!(request.path, "/hook");
        assert_eq!(request.header("content-type"), Some("application/a2a+json"));
        assert_eq!(request.header("a2a-version"), Some("1.0"));
        assert_eq!(request.header("authorization"), authorization);
        assert_eq!(request.header("x-a2a-notification-token"), token);
        assert_eq!(request.header("a2a-notification-token"), token);
        assert_eq!(request.header("webhook-signature"), None);
        let stamp: u64 = request
            .header("webhook-timestamp")
            .unwrap()
            .parse()
            .unwrap();
        let stamp = SystemTime::UNIX_EPOCH + Duration::from_secs(stamp);
        assert!(stamp.elapsed().unwrap() < Duration::from_secs(60));
        let body: StreamResponse = a2a_types::json::from_slice(&request.body).unwrap();
        assert_eq!(body, event(7));
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(body.as_object().unwrap().len(), 1);
    }
}

// B3: stable, and never the same for two notifications or two webhooks.
#[tokio::test]
async fn each_notification_has_an_id_of_its_own() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    let hooks = [receiver.hook("a"), receiver.hook("b")];
    send(&sender, &hooks, 1..=3).await;
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..6 {
        let request = receiver.next().await;
        assert!(ids.insert(request.id().to_owned()));
    }
}

struct Rude;

impl Signer for Rude {
    fn headers(
        &self,
        id: &str,
        _: SystemTime,
        config: &TaskPushNotificationConfig,
        body: &[u8],
    ) -> Result<HeaderMap, SignError> {
        let mut headers = HeaderMap::new();
        for name in [
            "authorization",
            "webhook-timestamp",
            "a2a-version",
            "webhook-id",
        ] {
            headers.insert(name, HeaderValue::from_static("forged"));
        }
        let seen = format!("{id} {} {}", config.id, body.len());
        headers.insert("x-signed", HeaderValue::from_str(&seen).unwrap());
        Ok(headers)
    }
}

#[tokio::test]
async fn signers_see_what_is_sent_and_replace_nothing() {
    let mut receiver = Receiver::start().await;
    let sender = sender().signer(Rude).build().unwrap();
    let config = config(&receiver.url("/"))
        .with_id("c")
        .with_authentication(authentication("Bearer", "abc"));
    sender.notify(&config, &event(1)).await.unwrap();
    let request = receiver.next().await;
    assert_eq!(request.header("authorization"), Some("Bearer abc"));
    assert_eq!(request.header("a2a-version"), Some("1.0"));
    assert_ne!(request.header("webhook-timestamp"), Some("forged"));
    let expected = format!("{} c {}", request.id(), request.body.len());
    assert_eq!(request.header("x-signed"), Some(&*expected));
}

// R116, R118, A2A-13.2-05, A2A-13.2-12: at registration, and again at delivery.
#[tokio::test]
async fn a_bad_registration_is_refused_with_its_field_and_never_called() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    let good = config(&receiver.url("/"));
    sender.check(&good).await.unwrap();
    let cases = [
        (good.clone().with_url("http://10.0.0.1/"), "url"),
        (good.clone().with_url("http://u:p@127.0.0.1/"), "url"),
        (good.clone().with_url("ftp://127.0.0.1/"), "url"),
        (good.clone().with_url("no address"), "url"),
        (good.clone().with_token("a\r\nX-Admin: 1"), "token"),
        (
            good.clone()
                .with_authentication(authentication("Bearer", "a\0")),
            "authentication.credentials",
        ),
        (
            good.clone()
                .with_authentication(authentication("Be arer", "a")),
            "authentication.scheme",
        ),
    ];
    for (config, field) in &cases {
        let error = sender.check(config).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParams);
        let fields: Vec<_> = error.violations().iter().map(|v| &*v.field).collect();
        assert_eq!(fields, [*field]);
        sender.notify(config, &event(1)).await.unwrap();
    }
    sender.flush().await;
    receiver.expect_nothing();
    let letters = sender.dead_letters(0, 100).await.unwrap();
    assert_eq!(letters.len(), cases.len());
    for letter in letters {
        assert_eq!(letter.attempts, 1);
        assert_eq!(letter.reason, a2a_types::push::GaveUp::Refused);
    }
}

#[test]
fn a_sender_needs_a_runtime() {
    let error = a2a_push::PushSender::builder().build().unwrap_err();
    assert!(matches!(error, a2a_push::BuildError::NoRuntime));
}

#[tokio::test]
async fn configs_without_an_id_are_told_apart_by_their_addresses() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    for path in ["/a", "/b"] {
        let config = config(&receiver.url(path)).with_task_id("t");
        sender.notify(&config, &event(1)).await.unwrap();
    }
    let mut paths = [receiver.next().await.path, receiver.next().await.path];
    paths.sort_unstable();
    assert_eq!(paths, ["/a", "/b"]);
}
