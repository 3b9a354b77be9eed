use std::time::{Duration, SystemTime};

use a2a_push::net::credentials;
use a2a_push::receiver::{
    Accepted, Expected, Notification, PresentedToken, Receiver, TaskList, Tasks,
};
use a2a_push::sign::{Hmac, Secret};
use a2a_types::stream_response::Payload;
use a2a_types::{AuthenticationInfo, TaskPushNotificationConfig};
use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::support::{Hook, event, guard, headers, send, serve, signed};

const TOKEN: &str = "x-a2a-notification-token";

fn expecting(task_id: &str, token: &str) -> TaskList {
    let tasks = TaskList::default();
    tasks.expect_with_token(task_id, token);
    tasks
}

// A2A-4.3.3-04, A2A-4.3.3-07, A2A-13.2-06, A2A-13.2-08, A2A-T-14
#[tokio::test]
async fn the_token_of_the_task_is_required_in_either_header() {
    let mut hook = Hook::serve(Receiver::builder(expecting("t1", "s3cret")).build()).await;
    for given in [
        &[(TOKEN, "s3cret")][..],
        &[("a2a-notification-token", "s3cret")],
        &[(TOKEN, "s3cret"), ("a2a-notification-token", "s3cret")],
    ] {
        let status = hook.post(headers(given), &event("t1")).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::NO_CONTENT, 1),
            "{given:?}"
        );
    }
    for given in [
        &[][..],
        &[(TOKEN, "")],
        &[(TOKEN, "s3cre")],
        &[(TOKEN, "s3cret2")],
        &[(TOKEN, "S3CRET")],
        &[("authorization", "Bearer s3cret")],
    ] {
        let status = hook.post(headers(given), &event("t1")).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::UNAUTHORIZED, 0),
            "{given:?}"
        );
    }
}

// What the sender writes for a registration is what the receiver reads (B3).
#[tokio::test]
async fn credentials_of_any_scheme_are_checked_as_registered() {
    for (scheme, secret) in [
        ("Bearer", "abc"),
        ("Basic", "dTpw"),
        ("X-Odd", "a=\"b c\", d=e"),
    ] {
        let tasks = TaskList::default();
        tasks.expect("t1");
        let receiver = Receiver::builder(tasks)
            .with_credentials(scheme, secret)
            .build();
        let mut hook = Hook::serve(receiver).await;
        let authentication = AuthenticationInfo::default()
            .with_scheme(scheme.to_lowercase())
            .with_credentials(secret);
        let config = TaskPushNotificationConfig::default().with_authentication(authentication);
        let status = hook.post(credentials(&config).unwrap(), &event("t1")).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::NO_CONTENT, 1),
            "{scheme}"
        );
        for wrong in [
            String::new(),
            scheme.to_owned(),
            format!("{scheme} {secret}x"),
            format!("{scheme}x {secret}"),
            secret.to_owned(),
        ] {
            let status = hook
                .post(headers(&[("authorization", &wrong)]), &event("t1"))
                .await;
            assert_eq!(
                (status, hook.heard()),
                (StatusCode::UNAUTHORIZED, 0),
                "{wrong}"
            );
        }
    }
}

// A2A-4.3.3-06, A2A-13.2-07, D17
#[tokio::test]
async fn an_unexpected_task_does_not_reach_the_handler() {
    let receiver = Receiver::builder(expecting("t1", "own"))
        .with_token("all")
        .build();
    let mut hook = Hook::serve(receiver).await;
    let status = hook.post(headers(&[(TOKEN, "all")]), &event("t2")).await;
    assert_eq!((status, hook.heard()), (StatusCode::NOT_FOUND, 0));

    // Who proves nothing does not learn which tasks there are.
    let tasks = expecting("t1", "own");
    tasks.expect("open");
    let mut hook = Hook::serve(Receiver::builder(tasks).build()).await;
    for task in ["t1", "t2", "open"] {
        let status = hook.post(headers(&[(TOKEN, "guess")]), &event(task)).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::UNAUTHORIZED, 0),
            "{task}"
        );
    }
}

// A2A-13.2-15: the registration travels with the message, before the task has an id.
#[tokio::test]
async fn a_token_is_bound_to_the_first_task_that_presents_it() {
    let tasks = TaskList::default();
    let token = a2a_push::receiver::random_token().unwrap();
    assert_ne!(token, a2a_push::receiver::random_token().unwrap());
    tasks.expect_token(&token);
    let mut hook = Hook::serve(Receiver::builder(tasks.clone()).build()).await;
    let with_token = || headers(&[(TOKEN, &token)]);
    assert_eq!(
        hook.post(with_token(), b"{}").await,
        StatusCode::BAD_REQUEST
    );
    assert_eq!(
        hook.post(with_token(), &event("t1")).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        hook.post(with_token(), &event("t1")).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        hook.post(with_token(), &event("t2")).await,
        StatusCode::UNAUTHORIZED
    );
    tasks.forget("t1");
    assert_eq!(
        hook.post(with_token(), &event("t1")).await,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(hook.heard(), 2);
    let shown = format!("{tasks:?}");
    assert!(!shown.contains(&token), "{shown}");
}

// A2A-13.2-10
#[tokio::test]
async fn how_often_a_receiver_is_called_can_be_limited() {
    let budget = std::sync::atomic::AtomicI32::new(2);
    let receiver = Receiver::builder(expecting("t1", "s")).with_limit(move |headers| {
        let from = headers.get("x-from").map(|from| from.as_bytes());
        let left = budget.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
        (from == Some(b"one") && left <= 0).then_some(Duration::from_millis(1500))
    });
    let mut hook = Hook::serve(receiver.build()).await;
    let from = |from| headers(&[(TOKEN, "s"), ("x-from", from)]);
    for expected in [StatusCode::NO_CONTENT; 2] {
        assert_eq!(hook.post(from("one"), &event("t1")).await, expected);
    }
    // Before anything else is looked at: also what is wrong beside.
    for from in [from("one"), headers(&[("x-from", "one")])] {
        let refused = send(&guard(), &hook.url, from, &event("t1")).await.unwrap();
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refused.headers["retry-after"], "2");
    }
    let status = hook.post(from("two"), &event("t1")).await;
    assert_eq!((status, hook.heard()), (StatusCode::NO_CONTENT, 3));
}

// B3, R122: by shape, whatever the content type says.
#[tokio::test]
async fn the_four_kinds_of_event_are_read_whatever_the_content_type() {
    let status = r#"{"state":"TASK_STATE_COMPLETED"}"#;
    let bodies = [
        format!(r#"{{"task":{{"id":"t1","contextId":"c","status":{status}}}}}"#),
        format!(r#"{{"statusUpdate":{{"taskId":"t1","contextId":"c","status":{status}}}}}"#),
        r#"{"artifactUpdate":{"taskId":"t1","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}"#.to_owned(),
        r#"{"message":{"messageId":"m","taskId":"t1","role":"ROLE_AGENT","parts":[{"text":"x"}]}}"#.to_owned(),
    ];
    let receiver = Receiver::builder(expecting("t1", "s")).build();
    for body in &bodies {
        let notification = receiver
            .check(&headers(&[(TOKEN, "s")]), body.as_bytes())
            .await;
        assert_eq!(notification.unwrap().task_id(), "t1");
    }
    let mut hook = Hook::serve(receiver).await;
    for kind in [
        "application/a2a+json",
        "application/json",
        "text/plain",
        "nonsense",
    ] {
        let given = headers(&[(TOKEN, "s"), ("content-type", kind)]);
        let status = hook.post(given, bodies[0].as_bytes()).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::NO_CONTENT, 1),
            "{kind}"
        );
    }
}

// A2A-4.3.3-04
#[tokio::test]
async fn a_body_that_is_no_event_is_refused() {
    let mut hook = Hook::serve(Receiver::builder(expecting("t1", "s")).build()).await;
    for body in [
        &b""[..],
        b"{",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        br#"{"kind":"task","id":"t1"}"#,
        br#"{"jsonrpc":"2.0","method":"x","params":{}}"#,
        br#"{"statusUpdate":{"contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}"#,
        br#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}]}}"#,
        br#"{"task":{"id":"t1"},"message":{"messageId":"m"}}"#,
    ] {
        let status = hook.post(headers(&[(TOKEN, "s")]), body).await;
        let text = String::from_utf8_lossy(body);
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::BAD_REQUEST, 0),
            "{text}"
        );
    }
    let deep = format!("{}{}", "{\"task\":".repeat(10_000), "}".repeat(10_000));
    let status = hook.post(headers(&[(TOKEN, "s")]), deep.as_bytes()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_body_is_bounded_in_size_and_time() {
    let receiver = Receiver::builder(expecting("t1", "s"))
        .with_token("s")
        .with_max_body(1000)
        .with_body_timeout(Duration::from_millis(200))
        .build();
    let hook = Hook::serve(receiver).await;
    let given = || headers(&[(TOKEN, "s")]);
    assert_eq!(
        hook.post(given(), &event("t1")).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        hook.post(given(), &[b' '; 1001]).await,
        StatusCode::PAYLOAD_TOO_LARGE
    );

    let address = hook
        .url
        .trim_start_matches("http://")
        .trim_end_matches("/hook");
    for (rest, status) in [
        ("content-length: 10\r\n\r\n{", "HTTP/1.1 408"),
        (
            &format!("transfer-encoding: chunked\r\n\r\n3e9\r\n{:1001}\r\n", ""),
            "HTTP/1.1 413",
        ),
    ] {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let head = format!("POST /hook HTTP/1.1\r\nhost: a\r\n{TOKEN}: s\r\n{rest}");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(String::from_utf8(answer).unwrap(), status);
    }
    // A stranger's body is not even waited for.
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = "POST /hook HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(String::from_utf8(answer).unwrap(), "HTTP/1.1 401");
}

// A2A-4.3.3-05, A2A-13.2-09
#[tokio::test]
async fn a_notification_that_comes_again_is_answered_without_the_handler() {
    let tasks = expecting("t1", "s");
    tasks.expect_with_token("t2", "s");
    let mut hook = Hook::serve(Receiver::builder(tasks).build()).await;
    let given = |id: &str| headers(&[(TOKEN, "s"), ("webhook-id", id)]);
    assert_eq!(
        hook.post(given("1"), &event("t1")).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        hook.post(given("1"), &event("t1")).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(hook.heard(), 1);
    // The ids of one task are not those of another, and a stranger uses up none.
    hook.post(headers(&[(TOKEN, "x"), ("webhook-id", "2")]), &event("t1"))
        .await;
    hook.post(given("1"), &event("t2")).await;
    hook.post(given("2"), &event("t1")).await;
    assert_eq!(hook.heard(), 2);
    // Without an id nothing can be recognized.
    for _ in 0..2 {
        hook.post(headers(&[(TOKEN, "s")]), &event("t1")).await;
    }
    assert_eq!(hook.heard(), 2);
}

#[derive(Clone)]
struct Busy {
    receiver: Receiver,
    /// Where the handler says that it is at work, and learns whether to accept.
    work: mpsc::UnboundedSender<oneshot::Sender<bool>>,
}

impl axum::extract::FromRef<Busy> for Receiver {
    fn from_ref(busy: &Busy) -> Self {
        busy.receiver.clone()
    }
}

#[tokio::test]
async fn only_an_accepted_notification_is_a_duplicate() {
    async fn hook(
        State(busy): State<Busy>,
        notification: Notification,
    ) -> Result<Accepted, StatusCode> {
        let (answer, decision) = oneshot::channel();
        busy.work.send(answer).unwrap();
        if decision.await.unwrap() {
            Ok(notification.accept())
        } else {
            Err(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
    let (work, mut at_work) = mpsc::unbounded_channel();
    let receiver = Receiver::builder(expecting("t1", "s")).build();
    let router = Router::new()
        .route("/", post(hook))
        .with_state(Busy { receiver, work });
    let url = format!("http://{}/", serve(router).await);
    let deliver = || {
        let url = url.clone();
        tokio::spawn(async move {
            let given = headers(&[(TOKEN, "s"), ("webhook-id", "1")]);
            send(&guard(), &url, given, &event("t1")).await.unwrap()
        })
    };
    let first = deliver();
    let decide = at_work.recv().await.unwrap();
    let meanwhile = deliver().await.unwrap();
    assert_eq!(meanwhile.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(meanwhile.headers["retry-after"], "1");
    decide.send(false).unwrap();
    assert_eq!(
        first.await.unwrap().status,
        StatusCode::INTERNAL_SERVER_ERROR
    );
    let second = deliver();
    at_work.recv().await.unwrap().send(true).unwrap();
    assert_eq!(second.await.unwrap().status, StatusCode::NO_CONTENT);
    assert_eq!(deliver().await.unwrap().status, StatusCode::NO_CONTENT);
    assert!(at_work.try_recv().is_err());
}

// A2A-T-15
#[tokio::test]
async fn a_signature_covers_id_time_and_body_and_grows_old() {
    let (secret, old) = (Secret::random().unwrap(), Secret::random().unwrap());
    let tasks = TaskList::default();
    tasks.expect("t1");
    let receiver = Receiver::builder(tasks)
        .with_secret(secret.clone())
        .with_secret(old.clone())
        .build();
    let mut hook = Hook::serve(receiver).await;
    let config = TaskPushNotificationConfig::default();
    let body = event("t1");
    let sign = |secret: &Secret, id: &str, at: SystemTime| {
        signed(&Hmac::new(secret.clone()), id, at, &config, &body)
    };
    let now = SystemTime::now();
    for (id, secret) in [("1", &secret), ("2", &old)] {
        let status = hook.post(sign(secret, id, now), &body).await;
        assert_eq!((status, hook.heard()), (StatusCode::NO_CONTENT, 1), "{id}");
    }
    let change = |name: &'static str, value: &str| {
        let mut headers = sign(&secret, "3", now);
        headers.insert(name, value.parse().unwrap());
        headers
    };
    let without = |name: &str| {
        let mut headers = sign(&secret, "3", now);
        headers.remove(name);
        headers
    };
    let mut other_body = body.clone();
    other_body.push(b' ');
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    for (wrong, body) in [
        (sign(&Secret::random().unwrap(), "3", now), &body),
        (sign(&secret, "3", now), &other_body),
        (sign(&secret, "3", now - minutes(6)), &body),
        (sign(&secret, "3", now + minutes(6)), &body),
        (change("webhook-id", "4"), &body),
        (change("webhook-timestamp", "1"), &body),
        (change("webhook-timestamp", "soon"), &body),
        (change("webhook-signature", "v1,"), &body),
        (change("webhook-signature", ""), &body),
        (without("webhook-id"), &body),
        (without("webhook-timestamp"), &body),
        (without("webhook-signature"), &body),
        (HeaderMap::new(), &body),
    ] {
        let status = hook.post(wrong.clone(), body).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::UNAUTHORIZED, 0),
            "{wrong:?}"
        );
    }
    let status = hook.post(sign(&secret, "3", now - minutes(4)), &body).await;
    assert_eq!((status, hook.heard()), (StatusCode::NO_CONTENT, 1));
}

/// Tasks that are kept elsewhere.
struct Elsewhere(Mutex<Vec<String>>);

#[async_trait]
impl Tasks for Elsewhere {
    async fn expected(&self, task_id: &str, token: &PresentedToken) -> Expected {
        self.0.lock().await.push(task_id.to_owned());
        if token.is("s") {
            Expected::YesByToken
        } else {
            Expected::WrongToken
        }
    }
}

// What is required of all is required beside the token of the task.
#[tokio::test]
async fn every_configured_check_must_hold() {
    let receiver = Receiver::builder(Elsewhere(Mutex::default()))
        .with_credentials("Bearer", "abc")
        .build();
    let body = event("t1");
    let both = headers(&[(TOKEN, "s"), ("authorization", "Bearer abc")]);
    let notification = receiver.check(&both, &body).await.unwrap();
    assert!(matches!(
        notification.event().payload,
        Some(Payload::StatusUpdate(_))
    ));
    assert_eq!(notification.id(), None);
    for one in [&[(TOKEN, "s")][..], &[("authorization", "Bearer abc")], &[]] {
        let refused = receiver.check(&headers(one), &body).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{one:?}");
    }
    // Two values of which one is right are no proof.
    let mut twice = both.clone();
    twice.append("authorization", "Bearer other".parse().unwrap());
    assert!(receiver.check(&twice, &body).await.is_err());
}

// A2A-13.2-13
#[test]
fn no_secret_is_shown() {
    let tasks = expecting("t1", "s3cret-1");
    let secret = Secret::random().unwrap();
    let receiver = Receiver::builder(tasks.clone())
        .with_token("s3cret-2")
        .with_credentials("Bearer", "s3cret-3")
        .with_secret(secret.clone())
        .build();
    let shown = format!("{receiver:?} {tasks:?} {secret:?}");
    assert!(!shown.contains("s3cret-"), "{shown}");
    assert!(!shown.contains(&secret.reveal()), "{shown}");
}
