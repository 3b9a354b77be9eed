//! Who calls, and what becomes of their secrets (A2A §7.4, §13.4).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::time::Duration;

use a2a_server::CARD_PATH;
use a2a_server::auth::{ApiKeys, Principal};
use serde_json::{Value, json};
use support::{
    Answer, BINDINGS, Badges, Caller, Recorder, Scripted, TestServer, Wire, bearers, builder,
    calls, complete, ids, message, scripted, serve, serve_agent, within,
};
use tokio::net::TcpListener;

// A2A-7.4-01, A2A-7.4-02, A2A-7.4-03, A2A-13.1-08, A2A-14.1.1-06, A2A-T-03
#[tokio::test]
async fn nothing_is_answered_without_credentials_but_the_public_card() {
    let agent = Scripted::echo();
    let server = serve(complete(agent.clone(), &Recorder::default())).await;
    for caller in server.callers() {
        let strangers = [
            caller.clone(),
            caller.clone().bearer("wrong"),
            caller.clone().bearer("alice-token"),
            caller.clone().bearer("alice-token-11"),
            caller.clone().with("authorization", "Bearer "),
            caller
                .clone()
                .with("authorization", "Basic YWxpY2U6YWxpY2U="),
            caller.clone().with("authorization", "alice-token-1"),
            caller.clone().with("authorization", "Token alice-token-1"),
        ];
        for stranger in strangers {
            for (operation, params) in calls("some-task", "hook") {
                let answer = stranger.call(operation, params).await;
                answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
                assert_eq!(answer.headers["www-authenticate"], "Bearer");
                assert!(!answer.body.to_string().contains("alice"));
            }
        }
        // What else is wrong with a request is told to those alone who may know it.
        let wrong_version = caller.clone().with("a2a-version", "9.9");
        let answer = wrong_version.get_task("t").await;
        answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        let answer = caller.call("ListTasks", json!({"pageSize": -1})).await;
        answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
    }
    let rpc = server.caller(Wire::JsonRpc);
    // A method of an extension is no way around.
    let answer = rpc.call("x/ExtensionMethod", json!({})).await;
    answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
    let known = rpc
        .bearer("bob-token")
        .call("x/ExtensionMethod", json!({}))
        .await;
    known.expect_error(-32601, 200, "", None);
    assert_eq!(agent.runs(), 0);
    for path in [CARD_PATH, "/health"] {
        let answer = reqwest::get(server.url(path)).await.unwrap();
        assert_eq!(answer.status(), 200);
    }
}

#[tokio::test]
async fn a_bearer_token_is_read_whatever_the_case_of_its_scheme() {
    let server = serve(builder(Scripted::echo()).authenticator(bearers())).await;
    for caller in server.callers() {
        for good in [
            "Bearer alice-token-1",
            "bearer alice-token-1",
            "BEARER alice-token-1",
            "Bearer  alice-token-1",
        ] {
            let caller = caller.clone().with("authorization", good);
            assert_eq!(caller.send("hi").await.state(), "COMPLETED");
        }
        // The token itself has a case.
        let answer = caller.clone().bearer("ALICE-TOKEN-1").send("hi").await;
        answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
    }
}

// Two credentials leave open who calls.
#[tokio::test]
async fn two_authorization_headers_are_refused() {
    let server = serve(builder(Scripted::echo()).authenticator(bearers())).await;
    for caller in server.callers() {
        for second in ["Bearer alice-token-1", "Bearer bob-token", "Basic YTpi"] {
            let request = caller
                .request("SendMessage", json!({"message": message("hi")}))
                .header("authorization", "Bearer alice-token-1")
                .header("authorization", second);
            let answer = support::Answer::read(caller.wire, request.send().await.unwrap()).await;
            answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        }
    }
}

// R135: the id of a principal is not its token. A2A-13.4-09
#[tokio::test]
async fn tasks_outlive_the_token_they_were_made_with() {
    for wire in BINDINGS {
        let server = serve(builder(Scripted::obedient()).authenticator(bearers())).await;
        let caller = server.caller(wire);
        let (old, new) = ("alice-token-1", "alice-token-2");
        let task = caller
            .clone()
            .bearer(old)
            .send("INPUT_REQUIRED")
            .await
            .task_id();
        let renewed = caller.clone().bearer(new);
        assert_eq!(renewed.get_task(&task).await.state(), "INPUT_REQUIRED");
        assert!(ids(&renewed, json!({})).await.contains(&task));
        assert_eq!(renewed.cancel(&task).await.state(), "CANCELED");
    }
}

// R135: the same subject of another issuer is somebody else.
#[tokio::test]
async fn equal_subjects_of_two_issuers_are_two_principals() {
    let badges = Badges::new([
        ("one", Principal::new("https://one.example.com|sam")),
        ("two", Principal::new("https://two.example.com|sam")),
    ]);
    let server = serve(builder(Scripted::echo()).authenticator(badges)).await;
    for caller in server.callers() {
        let task = caller
            .clone()
            .with("x-badge", "one")
            .send("hi")
            .await
            .task_id();
        let other = caller.clone().with("x-badge", "two");
        other.get_task(&task).await.expect_task_not_found();
    }
}

// A2A-13.4-11, A2A-13.4-09
#[tokio::test]
async fn a_revoked_credential_ends_with_the_next_request() {
    let badges = Badges::new([("sam-badge", Principal::new("sam"))]);
    let agent = Scripted::echo();
    let server = serve(builder(agent.clone()).authenticator(badges.clone())).await;
    for caller in server.callers() {
        let caller = caller.with("x-badge", "sam-badge");
        let before = *badges.asked.lock().unwrap();
        for _ in 0..3 {
            caller.send("hi").await.result();
        }
        assert_eq!(*badges.asked.lock().unwrap(), before + 3);
        let sam = badges.known.lock().unwrap().remove("sam-badge").unwrap();
        let runs = agent.runs();
        let answer = caller.send("hi").await;
        answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        assert_eq!(agent.runs(), runs);
        badges
            .known
            .lock()
            .unwrap()
            .insert("sam-badge".to_owned(), sam);
    }
}

// A2A-T-11
#[tokio::test]
async fn credentials_inside_of_a_message_count_for_nothing() {
    let server = serve(builder(Scripted::echo()).authenticator(bearers())).await;
    for caller in server.callers() {
        let secrets = json!({"authorization": "Bearer alice-token-1", "token": "alice-token-1"});
        let mut message = message("Bearer alice-token-1");
        message["metadata"] = secrets.clone();
        let params = json!({"message": message, "metadata": secrets});
        let answer = caller.call("SendMessage", params).await;
        answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
    }
}

// A2A-13.4-08, R128, A2A-13.4-16
#[tokio::test]
async fn secrets_are_in_no_log_no_debug_output_and_no_error() {
    let logs = support::capture();
    let agent = Scripted::obedient();
    let server = complete(agent.clone(), &Recorder::default()).resend_window(Duration::ZERO);
    let debug = format!("{server:?} {:?}", bearers());
    let server = serve(server).await;
    for caller in server.callers() {
        let bob = caller
            .clone()
            .bearer("bob-token")
            .with("cookie", "cookie-secret");
        let task = bob.send("INPUT_REQUIRED").await.task_id();
        let config = json!({"taskId": task, "url": "https://bob.example.com",
            "token": "planted-secret",
            "authentication": {"scheme": "Bearer", "credentials": "planted-secret"}});
        let create = "CreateTaskPushNotificationConfig";
        bob.call(create, config.clone()).await.result();
        bob.cancel(&task).await.result();
        let mut plain = config.clone();
        plain["url"] = "http://bob.example.com".into();
        let refused = bob.call(create, plain).await;
        refused.expect_invalid(&["url"]);
        let stranger = caller
            .clone()
            .bearer("alice-token-1")
            .call(create, config)
            .await;
        stranger.expect_task_not_found();
        let wrong = caller.bearer("wrong-token").send("hi").await;
        wrong.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        for answer in [refused, stranger, wrong] {
            let body = answer.body.to_string();
            assert!(
                !body.contains("secret") && !body.contains("token-"),
                "{body}"
            );
        }
    }
    let (seen, canceled) = (agent.seen.lock().unwrap(), agent.canceled.lock().unwrap());
    let request = seen.first().unwrap();
    let context = format!("{:?} {:?}", request.context(), request);
    let debug = format!("{debug} {context} {canceled:?} {:?}", server.server);
    assert!(context.contains("authorization"), "the header is named");
    for shown in [debug, logs.text()] {
        for secret in ["bob-token", "alice-token", "wrong-token", "secret"] {
            assert!(!shown.contains(secret), "{secret} in {shown}");
        }
    }
}

// A2A-14.1.1-05
#[tokio::test]
async fn the_server_fetches_nothing_that_a_message_refers_to() {
    let trap = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/secret", trap.local_addr().unwrap());
    let agent = scripted(|request, task| async move {
        let part = request.message().parts[0].clone();
        task.artifact("copy").part(part).send().await?;
        task.complete().await
    });
    let server: TestServer = serve_agent(agent).await;
    for caller in server.callers() {
        let parts = json!([{"url": url, "mediaType": "text/plain"}]);
        let message = json!({"messageId": "m", "role": "ROLE_USER", "parts": parts,
            "extensions": [url], "referenceTaskIds": [url]});
        let answer = caller
            .call("SendMessage", json!({"message": message}))
            .await;
        assert_eq!(answer.task()["artifacts"][0]["parts"], parts);
        assert_eq!(
            caller.get_task(&answer.task_id()).await.task(),
            answer.task()
        );
    }
    let visit = tokio::time::timeout(Duration::ZERO, trap.accept()).await;
    assert!(visit.is_err(), "somebody came");
    // The trap works.
    let visit = tokio::net::TcpStream::connect(trap.local_addr().unwrap());
    assert!(
        within(async { tokio::join!(visit, trap.accept()) })
            .await
            .1
            .is_ok()
    );
}

/// Where a key goes, and the header or query parameter that brings it there.
fn api_keys() -> [(ApiKeys, &'static str, &'static str); 3] {
    let keys = [("key-1", "alice"), ("key-2", "alice"), ("key-3", "bob")];
    let name = reqwest::header::HeaderName::from_static("x-api-key");
    [
        (ApiKeys::header(name, keys), "header", "x-api-key"),
        (ApiKeys::query("api_key", keys), "query", "api_key"),
        (ApiKeys::cookie("session", keys), "cookie", "session"),
    ]
}

/// Calls with keys in a place, in this order.
async fn call_with(
    caller: &Caller,
    location: &str,
    name: &str,
    keys: &[&str],
    operation: &str,
    params: Value,
) -> Answer {
    let mut request = caller.request(operation, params).build().unwrap();
    for key in keys {
        match location {
            "header" => {
                let name = reqwest::header::HeaderName::try_from(name).unwrap();
                request.headers_mut().append(name, key.parse().unwrap());
            }
            "query" => {
                request.url_mut().query_pairs_mut().append_pair(name, key);
            }
            _ => {
                let cookie = format!("theme=dark; {name}={key}; x=y").parse().unwrap();
                request.headers_mut().append("cookie", cookie);
            }
        }
    }
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    Answer::read(caller.wire, client.execute(request).await.unwrap()).await
}

// A2A-7.4-01, A2A-7.4-02
#[tokio::test]
async fn an_api_key_is_read_where_the_card_says() {
    for (keys, location, name) in api_keys() {
        let server = serve(builder(Scripted::obedient()).authenticator(keys)).await;
        let card = reqwest::get(server.url(CARD_PATH)).await.unwrap();
        let card: Value = serde_json::from_str(&card.text().await.unwrap()).unwrap();
        let declared = &card["securitySchemes"]["apiKey"]["apiKeySecurityScheme"];
        assert_eq!(*declared, json!({"location": location, "name": name}));
        let required = json!([{"schemes": {"apiKey": {}}}]);
        assert_eq!(card["securityRequirements"], required);
        for caller in server.callers() {
            let send = json!({"message": message("INPUT_REQUIRED")});
            let call = async |keys: &[&str], operation: &str, params: Value| {
                call_with(&caller, location, name, keys, operation, params).await
            };
            let task = call(&["key-1"], "SendMessage", send.clone())
                .await
                .task_id();
            // Another key of the same principal is the same principal.
            let get = json!({"id": task});
            let read = call(&["key-2"], "GetTask", get.clone()).await;
            assert_eq!(read.state(), "INPUT_REQUIRED");
            let others = call(&["key-3"], "GetTask", get.clone()).await;
            others.expect_task_not_found();
            // Neither none, a wrong one nor two.
            let wrong: [&[&str]; 6] = [
                &[],
                &[""],
                &["key-"],
                &["key-11"],
                &["KEY-1"],
                &["key-1", "key-1"],
            ];
            for keys in wrong {
                let refused = call(keys, "SendMessage", send.clone()).await;
                refused.expect_error(-31401, 401, "UNAUTHENTICATED", None);
                assert_eq!(refused.headers["www-authenticate"], "ApiKey", "{keys:?}");
                assert!(!refused.body.to_string().contains("key-1"));
            }
            // A key in another place is none.
            for elsewhere in ["header", "query", "cookie"] {
                if elsewhere != location {
                    let key = &["key-1"];
                    let refused =
                        call_with(&caller, elsewhere, name, key, "GetTask", get.clone()).await;
                    refused.expect_error(-31401, 401, "UNAUTHENTICATED", None);
                }
            }
        }
    }
}

// A2A-13.4-08
#[test]
fn fixed_secrets_are_not_shown() {
    for (keys, ..) in api_keys() {
        let shown = format!("{keys:?}");
        assert!(
            !shown.contains("key-1") && !shown.contains("alice"),
            "{shown}"
        );
    }
    let shown = format!("{:?}", bearers());
    assert!(
        !shown.contains("token") || !shown.contains("alice"),
        "{shown}"
    );
}

#[tokio::test]
async fn an_empty_secret_lets_nobody_in() {
    let name = reqwest::header::HeaderName::from_static("x-api-key");
    let server = builder(Scripted::echo()).authenticator(ApiKeys::header(name, [("", "alice")]));
    let server = serve(server).await;
    for caller in server.callers() {
        for caller in [caller.clone(), caller.with("x-api-key", " ")] {
            let refused = caller.send("hi").await;
            refused.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        }
    }
}
