//! What the client makes of answers that are errors, and of those that are nothing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::error::Error as _;
use std::time::Duration;

use a2a_client::testkit::{Answer, HostileServer};
use a2a_client::{Client, Error, Failure, RetryPolicy};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{AgentInterface, ErrorKind};
use serde_json::{Value, json};
use support::{BINDINGS, answering, task};

/// The error of a call that gets this answer.
async fn error(binding: &str, answer: Answer) -> Error {
    let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
    let builder = support::builder().with_retry(RetryPolicy::never());
    let client = builder.from_card(server.card(binding)).unwrap();
    client.get_task("t-1").await.unwrap_err()
}

fn info(reason: &str) -> Value {
    json!({ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason,
        "domain": "a2a-protocol.org", "metadata": { "taskId": "t-1" } })
}

// A2A-3.3.2-20, errors.md 1 and 7
#[tokio::test]
async fn every_error_of_the_protocol_is_read_from_both_bindings_and_both_tables() {
    let nine = ErrorKind::ALL
        .iter()
        .copied()
        .filter(|kind| (-32009..=-32001).contains(&kind.code()))
        .filter(|kind| *kind != ErrorKind::UnsupportedMediaType);
    for kind in nine {
        let reason = kind.reason().unwrap();
        let body = json!({ "jsonrpc": "2.0", "id": "1", "error": {
            "code": kind.code(), "message": "m", "data": [info(reason)] } });
        let rpc = error(JSONRPC, Answer::json(200, &body)).await;
        assert_eq!(rpc.kind(), Some(kind));
        assert_eq!(rpc.protocol().unwrap().metadata()["taskId"], "t-1");
        // Older servers have other statuses; the reason decides.
        for status in [kind.http_status(), 400, 409, 415, 422, 502] {
            let body =
                json!({ "error": { "code": status, "message": "m", "details": [info(reason)] } });
            let rest = error(HTTP_JSON, Answer::json(status, &body)).await;
            assert_eq!(rest.kind(), Some(kind), "{status}");
            assert_eq!(rest.failure(), Failure::Protocol);
            assert_eq!(rest.http_status(), Some(status));
        }
    }
}

// R040
#[tokio::test]
async fn the_code_of_an_error_counts_whatever_its_data_is() {
    let datas = [
        json!([info("TASK_NOT_FOUND")]),
        json!({ "reason": "x" }),
        json!("text"),
        json!(7),
        json!(null),
        json!([]),
        json!([null, 1, "x", {}]),
    ];
    for data in datas {
        let body = json!({ "jsonrpc": "2.0", "id": null,
            "error": { "code": -32001, "message": "gone", "data": data } });
        let error = error(JSONRPC, Answer::json(200, &body)).await;
        assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound), "{data}");
        assert_eq!(error.to_string(), "gone");
    }
    let body = json!({ "jsonrpc": "2.0", "id": "1", "result": null,
        "error": { "code": -32001, "message": "gone" } });
    let error = error(JSONRPC, Answer::json(200, &body)).await;
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
}

// R048
#[tokio::test]
async fn every_form_of_an_error_body_is_read() {
    let problem = json!({ "type": "https://a2a-protocol.org/errors/task-not-found",
        "title": "Task Not Found", "status": 404, "detail": "gone" });
    let bodies = [
        ("application/problem+json", 404, problem.to_string()),
        (
            "application/json",
            404,
            json!({ "code": -32001, "message": "gone", "data": null }).to_string(),
        ),
        (
            "application/a2a+json; charset=utf-8",
            404,
            json!({ "error": { "code": 404, "message": "gone", "details": [info("TASK_NOT_FOUND")] } })
                .to_string(),
        ),
    ];
    for (content_type, status, body) in bodies {
        let error = error(HTTP_JSON, Answer::new(status, content_type, body.clone())).await;
        assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound), "{body}");
        assert_eq!(error.protocol().unwrap().message(), "gone", "{body}");
    }
}

// R048
#[tokio::test]
async fn a_status_that_says_it_all_needs_no_body() {
    let statuses = [
        (401, ErrorKind::Unauthenticated),
        (403, ErrorKind::PermissionDenied),
        (413, ErrorKind::PayloadTooLarge),
        (429, ErrorKind::ResourceExhausted),
        (503, ErrorKind::Unavailable),
        (504, ErrorKind::DeadlineExceeded),
    ];
    for binding in BINDINGS {
        for (status, kind) in statuses {
            let answer = Answer::empty(status).with_header("Retry-After", "7");
            let error = error(binding, answer).await;
            assert_eq!(error.kind(), Some(kind), "{binding} {status}");
            assert_eq!(error.failure(), Failure::Protocol);
            assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
        }
    }
}

// R048
#[tokio::test]
async fn a_page_of_a_proxy_is_an_error_of_the_way_and_not_of_the_peer() {
    let page = "<html><body>Bad Gateway</body></html>";
    for binding in BINDINGS {
        for status in [404, 502] {
            let error = error(binding, Answer::new(status, "text/html", page)).await;
            assert_eq!(error.failure(), Failure::Transport, "{binding} {status}");
            assert_eq!(error.kind(), None);
            assert_eq!(error.http_status(), Some(status));
            assert!(!error.to_string().contains("html"), "{error}");
        }
        let error = error(binding, Answer::new(200, "text/html", page)).await;
        assert_eq!(error.failure(), Failure::Decode, "{binding}");
    }
}

#[tokio::test]
async fn an_error_with_the_status_of_success_is_an_error() {
    let body =
        json!({ "error": { "code": 404, "message": "gone", "details": [info("TASK_NOT_FOUND")] } });
    let error = error(HTTP_JSON, Answer::json(200, &body)).await;
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_says_where_it_leads() {
    for binding in BINDINGS {
        let answer = Answer::empty(307).with_header("Location", "https://elsewhere/");
        let error = error(binding, answer).await;
        assert_eq!(error.failure(), Failure::Transport);
        assert!(error.to_string().contains("https://elsewhere/"), "{error}");
    }
}

// R033
#[tokio::test]
async fn an_answer_that_cannot_be_read_says_where() {
    let odd = [
        (
            json!({ "id": "t", "status": { "state": "DONE" } }),
            "status.state",
        ),
        (json!({ "id": 5 }), "id"),
        (
            json!({ "id": "t", "artifacts": [{ "parts": [{ "raw": "!" }] }] }),
            "artifacts[0].parts[0].raw",
        ),
    ];
    for binding in BINDINGS {
        for (message, path) in &odd {
            let error = error(binding, support::answer(binding, message)).await;
            assert_eq!(error.failure(), Failure::Decode);
            assert_eq!(error.kind(), Some(ErrorKind::InvalidAgentResponse));
            assert!(error.to_string().contains(path), "{error}");
        }
    }
}

// R033
#[tokio::test]
async fn deep_nesting_is_an_error_and_no_overflow() {
    for binding in BINDINGS {
        for depth in [65, 200, 100_000] {
            let metadata = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let message = format!(r#"{{"id":"t","metadata":{{"x":{metadata}}}}}"#);
            let body = match binding {
                JSONRPC => format!(r#"{{"jsonrpc":"2.0","id":"1","result":{message}}}"#),
                _ => message,
            };
            let error = error(binding, Answer::new(200, "application/json", body)).await;
            assert_eq!(error.failure(), Failure::Decode, "{binding} {depth}");
        }
        let body = "[".repeat(100_000);
        for status in [200, 400] {
            let answer = Answer::new(status, "application/json", body.clone());
            assert_ne!(error(binding, answer).await.failure(), Failure::Timeout);
        }
    }
}

#[tokio::test]
async fn answers_of_every_wrong_kind_are_errors() {
    let bodies = [
        "",
        " ",
        "null",
        "[]",
        "5",
        "\"x\"",
        "{",
        "{}",
        "\u{0}",
        "{\"result\":5}",
        "{\"error\":5}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"1\"}",
        "{\"result\":[],\"error\":[]}",
    ];
    for binding in BINDINGS {
        for body in bodies {
            let answer = Answer::new(200, "application/json", body);
            let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
            let client = support::client(&server, binding);
            let error = client.send_message("hi").await.unwrap_err();
            let failure = error.failure();
            let wanted = [Failure::Decode, Failure::Protocol];
            assert!(wanted.contains(&failure), "{binding} {body:?}: {error:?}");
            assert_eq!(server.heard().len(), 1, "a send is never repeated");
        }
    }
}

#[tokio::test]
async fn what_is_no_http_is_an_error_of_the_way() {
    for bytes in [
        "",
        "\r\n\r\n",
        "SSH-2.0-x\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    ] {
        let error = error(JSONRPC, Answer::raw(bytes)).await;
        assert_eq!(error.failure(), Failure::Transport, "{bytes:?}: {error:?}");
        assert!(!error.is_unsent(), "{bytes:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_is_an_error_of_the_way() {
    for binding in BINDINGS {
        for answer in [
            support::answer(binding, &task("TASK_STATE_WORKING")).then_close(),
            support::answer(binding, &task("TASK_STATE_WORKING")).then_reset(),
        ] {
            let error = error(binding, answer).await;
            assert_eq!(error.failure(), Failure::Transport, "{error:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_larger_than_allowed_is_not_read() {
    let announced = Answer::new(200, "application/json", vec![b' '; 4096]);
    let endless = Answer::new(200, "application/json", vec![b' '; 4096]).for_ever();
    for answer in [announced, endless] {
        let server = HostileServer::start(move |_| answer.clone()).await.unwrap();
        let builder = support::builder().with_max_message_size(1024);
        let client = builder.from_card(server.card(JSONRPC)).unwrap();
        let error = client.get_task("t-1").await.unwrap_err();
        assert_eq!(error.failure(), Failure::Decode);
        assert!(error.to_string().contains("1024"), "{error}");
    }
}

#[tokio::test]
async fn an_endless_error_body_ends_at_its_limit() {
    for binding in BINDINGS {
        let answer = Answer::new(500, "text/plain", vec![b'x'; 4096]).for_ever();
        let error = error(binding, answer).await;
        assert_eq!(error.http_status(), Some(500));
        assert!(error.to_string().len() < 2048);
    }
}

#[tokio::test]
async fn silence_ends_in_time() {
    for binding in BINDINGS {
        let (server, client) = answering(binding, Answer::silence()).await;
        let wait = Duration::from_millis(50);
        let calls = [
            client.get_task("t-1").with_timeout(wait).await.unwrap_err(),
            client
                .send_message("hi")
                .with_timeout(wait)
                .await
                .unwrap_err(),
            client
                .stream_message("hi")
                .with_timeout(wait)
                .await
                .unwrap_err(),
        ];
        for error in calls {
            assert_eq!(error.failure(), Failure::Timeout);
            assert!(!error.is_unsent());
        }
        assert_eq!(
            server.heard().len(),
            3,
            "nothing is repeated after its time"
        );
        server.idle().await;
    }
}

// R068
#[tokio::test]
async fn the_cause_of_a_lost_connection_is_told() {
    let client = |url: &str| {
        let interface = AgentInterface::default()
            .with_url(url)
            .with_protocol_binding(JSONRPC)
            .with_protocol_version("1.0");
        let card = a2a_types::AgentCard::default().with_supported_interfaces([interface]);
        let builder = Client::builder().with_retry(RetryPolicy::never());
        builder.from_card(card).unwrap()
    };
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let refused = client(&format!("http://user:secret@{free}/rpc?key=secret"));
    let error = refused.get_task("t-1").await.unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    assert!(error.is_unsent());
    let text = error.to_string();
    assert!(
        text.contains("refused") && text.contains(&free.to_string()),
        "{text}"
    );
    assert!(error.source().is_some());
    assert!(
        !format!("{error:?} {error}").contains("secret"),
        "{error:?}"
    );

    let unknown = client("http://nobody.invalid/");
    let error = unknown.get_task("t-1").await.unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    assert!(error.is_unsent());
    assert!(error.to_string().contains("nobody.invalid"), "{error}");
}

// R068
#[cfg(feature = "rustls")]
#[tokio::test]
async fn a_peer_without_tls_is_told_from_one_that_is_not_there() {
    let server = HostileServer::start(|_| Answer::empty(200)).await.unwrap();
    let address = server.url("/").replace("http://", "https://");
    let error = Client::connect(&address).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    let text = error.to_string();
    assert!(!text.contains("refused"), "{text}");
    assert!(
        text.contains("corrupt message") || text.contains("tls"),
        "{text}"
    );
}
