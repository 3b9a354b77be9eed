//! The agent card as it is served (A2A §4.4, §8, §14.3).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use a2a_server::auth::StaticBearer;
use a2a_server::{Binding, CARD_PATH, Server, Streaming};
use a2a_types::{AgentCard, AgentInterface};
use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use support::{Caller, Recorder, Scripted, TestServer, Wire, builder, capture, serve, serve_agent};

async fn ask(server: &TestServer, method: &str, headers: &[(&str, &str)]) -> Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = client.request(method.parse().unwrap(), server.url(CARD_PATH));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

async fn fetch(server: &TestServer, headers: &[(&str, &str)]) -> (HeaderMap, Value) {
    let response = ask(server, "GET", headers).await;
    assert_eq!(response.status(), 200);
    let headers = response.headers().clone();
    (
        headers,
        serde_json::from_str(&response.text().await.unwrap()).unwrap(),
    )
}

async fn card(server: &TestServer) -> Value {
    fetch(server, &[]).await.1
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers[name].to_str().unwrap()
}

// A2A-8.1-01, A2A-14.3-01, A2A-4.4-01, A2A-5.7-01, R029, D7, D43
#[tokio::test]
async fn a_card_has_all_of_its_required_members_also_the_empty_ones() {
    let bare = AgentCard::builder("Bare", "")
        .default_input_modes([""; 0])
        .default_output_modes([""; 0]);
    let server = serve(Server::builder(Scripted::echo()).card(bare)).await;
    let url = server.url("");
    let interface =
        |binding: &str| json!({"url": url, "protocolBinding": binding, "protocolVersion": "1.0"});
    let expected = json!({
        "name": "Bare",
        "description": "",
        "supportedInterfaces": [interface("JSONRPC"), interface("HTTP+JSON")],
        "version": "0.1.0",
        "capabilities": {"streaming": true, "pushNotifications": false, "extendedAgentCard": false},
        "defaultInputModes": [],
        "defaultOutputModes": [],
        "skills": [],
    });
    assert_eq!(card(&server).await, expected);
}

// A2A-8.1-01, A2A-14.3-01, B8
#[tokio::test]
async fn the_card_is_plain_json_unless_a2a_json_is_asked_for() {
    let server = serve_agent(Scripted::echo()).await;
    for (accept, content_type) in [
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("application/json", "application/json"),
        ("application/a2a+json", "application/a2a+json"),
        (
            "application/a2a+json, application/json",
            "application/a2a+json",
        ),
    ] {
        let (headers, _) = fetch(&server, &[("accept", accept)]).await;
        assert_eq!(text(&headers, "content-type"), content_type, "{accept}");
        assert!(text(&headers, "vary").contains("Accept"));
    }
}

// A2A-5.2-01, A2A-8.3-01, A2A-8.3.1-01, A2A-8.3.1-02, A2A-8.3.1-03, D45, D47, R049
#[tokio::test]
async fn the_card_lists_what_is_mounted_in_the_order_of_mounting_and_all_of_it_works() {
    for (mounts, expected) in [
        (vec![], vec![("JSONRPC", ""), ("HTTP+JSON", "")]),
        (
            vec![(Binding::HttpJson, "/"), (Binding::JsonRpc, "/rpc")],
            vec![("HTTP+JSON", ""), ("JSONRPC", "/rpc")],
        ),
        (
            vec![(Binding::JsonRpc, "/a/rpc/"), (Binding::HttpJson, "/a")],
            vec![("JSONRPC", "/a/rpc"), ("HTTP+JSON", "/a")],
        ),
        (vec![(Binding::HttpJson, "/v1")], vec![("HTTP+JSON", "/v1")]),
        (vec![(Binding::JsonRpc, "")], vec![("JSONRPC", "")]),
    ] {
        let builder = mounts
            .into_iter()
            .fold(builder(Scripted::echo()), |builder, (binding, path)| {
                builder.mount(binding, path)
            });
        let server = serve(builder).await;
        let card = card(&server).await;
        let interfaces = card["supportedInterfaces"].as_array().unwrap();
        let listed: Vec<_> = interfaces
            .iter()
            .map(|i| {
                (
                    i["protocolBinding"].as_str().unwrap(),
                    i["url"]
                        .as_str()
                        .unwrap()
                        .strip_prefix(&server.url(""))
                        .unwrap(),
                )
            })
            .collect();
        assert_eq!(listed, expected);
        for interface in interfaces {
            let url = interface["url"].as_str().unwrap();
            let wire = match interface["protocolBinding"].as_str().unwrap() {
                "JSONRPC" => Wire::JsonRpc,
                _ => Wire::Rest,
            };
            let caller = Caller::new(wire, url.to_owned());
            assert_eq!(caller.send("hi").await.state(), "COMPLETED", "{url}");
        }
    }
}

// A2A-5.7-04, A2A-3.3.4-01, A2A-3.3.4-02
#[tokio::test]
async fn capabilities_are_what_is_configured() {
    let off = serve(builder(Scripted::echo()).streaming(Streaming::Off)).await;
    let none = json!({"streaming": false, "pushNotifications": false, "extendedAgentCard": false});
    assert_eq!(card(&off).await["capabilities"], none);
    let builder = builder(Scripted::echo()).push_sender(Arc::new(Recorder::default()));
    let on = serve(builder.declare_extended_card()).await;
    let all = json!({"streaming": true, "pushNotifications": true, "extendedAgentCard": true});
    assert_eq!(card(&on).await["capabilities"], all);
}

// A2A-14.3-02, A2A-5.1-04, D6
#[tokio::test]
async fn security_comes_from_the_authenticator_and_the_card_needs_none() {
    let bearer = StaticBearer::new([("secret-token", "alice")]);
    let server = serve(builder(Scripted::echo()).authenticator(bearer)).await;
    let card = card(&server).await;
    let scheme = json!({"bearer": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}});
    assert_eq!(card["securitySchemes"], scheme);
    assert_eq!(
        card["securityRequirements"],
        json!([{"schemes": {"bearer": {}}}])
    );
    assert!(card.get("security").is_none());
    assert!(!card.to_string().contains("secret-token"));
}

// A2A-13.3-01, A2A-14.3-03
#[tokio::test]
async fn a_card_that_demands_what_nobody_checks_is_warned_about() {
    let logs = capture();
    let scheme = a2a_types::HttpAuthSecurityScheme::default().with_scheme("Bearer");
    let demanding = support::card()
        .security_scheme("gateway", scheme)
        .security_requirement(a2a_types::SecurityRequirement::of("gateway", [""; 0]));
    let server = serve(builder(Scripted::echo()).card(demanding)).await;
    assert_eq!(
        card(&server).await["securityRequirements"],
        json!([{"schemes": {"gateway": {}}}])
    );
    assert_eq!(logs.lines(&["WARN", "no authenticator"]).len(), 1);
}

// A2A-T-09, D47, A2A-3.6-01
#[tokio::test]
async fn the_public_url_and_the_tenant_are_shown_as_configured() {
    for (url, base) in [
        ("https://agent.example.com", "https://agent.example.com"),
        ("https://agent.example.com/", "https://agent.example.com"),
        (
            "https://example.com:8443/a/b/",
            "https://example.com:8443/a/b",
        ),
        ("http://localhost:1", "http://localhost:1"),
    ] {
        let builder = builder(Scripted::echo())
            .public_url(url)
            .tenant("acme")
            .mount(Binding::JsonRpc, "/rpc");
        let server = serve(builder).await;
        let expected = json!([{
            "url": format!("{base}/rpc"), "protocolBinding": "JSONRPC", "tenant": "acme", "protocolVersion": "1.0",
        }]);
        assert_eq!(card(&server).await["supportedInterfaces"], expected);
    }
}

// A2A-5.8-01, D30
#[tokio::test]
async fn a_custom_binding_that_is_served_elsewhere_follows_the_own_ones() {
    let custom = AgentInterface::default()
        .with_url("wss://example.com/a2a")
        .with_protocol_binding("https://example.com/bindings/ws/v1")
        .with_protocol_version("1.0");
    let server = serve(builder(Scripted::echo()).card(support::card().interface(custom))).await;
    let card = card(&server).await;
    let interfaces = card["supportedInterfaces"].as_array().unwrap();
    let expected = json!({
        "url": "wss://example.com/a2a", "protocolBinding": "https://example.com/bindings/ws/v1", "protocolVersion": "1.0",
    });
    assert_eq!((interfaces.len(), &interfaces[2]), (3, &expected));
}

// A2A-8.6.1-01, A2A-8.6.1-02
#[tokio::test]
async fn an_etag_stands_for_the_content_and_saves_the_body() {
    let server = serve(
        builder(Scripted::echo())
            .card_max_age(Duration::from_secs(77))
            .public_url("https://e.com"),
    )
    .await;
    let same = serve(builder(Scripted::echo()).public_url("https://e.com")).await;
    let other = serve(
        builder(Scripted::echo())
            .card(support::card().version("0.2.0"))
            .public_url("https://e.com"),
    )
    .await;
    let (headers, _) = fetch(&server, &[]).await;
    assert_eq!(text(&headers, "cache-control"), "public, max-age=77");
    let etag = text(&headers, "etag");
    assert!(
        etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"'),
        "{etag}"
    );
    assert_eq!(text(&fetch(&same, &[]).await.0, "etag"), etag);
    assert_ne!(text(&fetch(&other, &[]).await.0, "etag"), etag);
    for (tags, fresh) in [
        (etag.to_owned(), true),
        (format!("W/{etag}"), true),
        (format!("\"x\" , {etag}"), true),
        ("*".to_owned(), true),
        ("\"x\"".to_owned(), false),
        (etag.trim_matches('"').to_owned(), false),
        (String::new(), false),
    ] {
        for method in ["GET", "HEAD"] {
            let response = ask(&server, method, &[("if-none-match", &tags)]).await;
            assert_eq!(
                response.status(),
                if fresh { 304 } else { 200 },
                "{method} {tags}"
            );
            assert_eq!(text(response.headers(), "etag"), etag);
            assert_eq!(
                text(response.headers(), "cache-control"),
                "public, max-age=77"
            );
            let body = response.bytes().await.unwrap();
            assert_eq!(body.is_empty(), fresh || method == "HEAD");
        }
    }
}

// A2A-8.6.1-03
#[tokio::test]
async fn last_modified_is_a_weaker_way_to_ask() {
    let server = serve_agent(Scripted::echo()).await;
    let (headers, _) = fetch(&server, &[]).await;
    let (since, etag) = (text(&headers, "last-modified"), text(&headers, "etag"));
    let shifted = |seconds: i64| {
        let time = httpdate::parse_http_date(since).unwrap();
        let step = Duration::from_secs(seconds.unsigned_abs());
        httpdate::fmt_http_date(if seconds < 0 {
            time - step
        } else {
            time + step
        })
    };
    for (date, fresh) in [
        (since.to_owned(), true),
        (shifted(3600), true),
        (shifted(-1), false),
        (httpdate::fmt_http_date(SystemTime::UNIX_EPOCH), false),
        ("yesterday".to_owned(), false),
    ] {
        let response = ask(&server, "GET", &[("if-modified-since", &date)]).await;
        assert_eq!(response.status(), if fresh { 304 } else { 200 }, "{date}");
        // The tag is asked first.
        for (tag, status) in [(etag, 304), ("\"x\"", 200)] {
            let headers = [("if-modified-since", &*date), ("if-none-match", tag)];
            assert_eq!(
                ask(&server, "GET", &headers).await.status(),
                status,
                "{date} {tag}"
            );
        }
    }
}

// A2A-8.1-01
#[tokio::test]
async fn the_card_is_only_read() {
    let server = serve_agent(Scripted::echo()).await;
    let head = ask(&server, "HEAD", &[]).await;
    assert_eq!(head.status(), 200);
    let length = text(head.headers(), "content-length").to_owned();
    assert_eq!(head.bytes().await.unwrap().len(), 0);
    let got = ask(&server, "GET", &[]).await;
    assert_eq!(text(got.headers(), "content-length"), length);
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let response = ask(&server, method, &[]).await;
        assert_eq!(response.status(), 405, "{method}");
        assert_eq!(text(response.headers(), "allow"), "GET, HEAD");
    }
}

// A2A-13.3-01, A2A-14.3-07, A2A-14.3-08, A2A-8.6.1-02, B13
#[tokio::test]
async fn the_extended_card_is_for_its_caller_alone() {
    let extended = |context: Arc<a2a_server::CallContext>| async move {
        let name = format!("For {}", context.caller.id());
        Ok(AgentCard::builder(name, "More"))
    };
    let builder = builder(Scripted::echo()).extended_card(extended);
    let server =
        serve(builder.authenticator(StaticBearer::new([("a", "alice"), ("b", "bob")]))).await;
    for caller in server.callers() {
        let refused = caller.call("GetExtendedAgentCard", json!({})).await;
        refused.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        let mut tags = Vec::new();
        for (token, name) in [("a", "For alice"), ("b", "For bob")] {
            let answer = caller
                .clone()
                .bearer(token)
                .call("GetExtendedAgentCard", json!({}))
                .await;
            assert_eq!(answer.result()["name"], name);
            assert_eq!(answer.result()["skills"], json!([]));
            if caller.wire == Wire::Rest {
                assert!(text(&answer.headers, "cache-control").starts_with("private"));
                assert!(text(&answer.headers, "vary").contains("Authorization"));
                tags.push(text(&answer.headers, "etag").to_owned());
            }
        }
        tags.dedup();
        assert_eq!(tags.len(), if caller.wire == Wire::Rest { 2 } else { 0 });
    }
}

// A2A-13.3-01, B13: nobody is authenticated when there is no authenticator.
#[tokio::test]
async fn the_extended_card_is_not_for_anonymous_callers() {
    let extended = |_| async { panic!("the card must not be made") };
    let server = serve(builder(Scripted::echo()).extended_card(extended)).await;
    for caller in server.callers() {
        let refused = caller.call("GetExtendedAgentCard", json!({})).await;
        refused.expect_error(-31401, 401, "UNAUTHENTICATED", None);
    }
}
