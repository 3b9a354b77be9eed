//! The address in the card of a server behind proxies (D47).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use a2a_server::CARD_PATH;
use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::Value;
use support::{Scripted, TestServer, builder, serve, serve_agent};

async fn ask(server: &TestServer, headers: &[(&str, &str)]) -> Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = client.get(server.url(CARD_PATH));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

async fn fetch(server: &TestServer, headers: &[(&str, &str)]) -> (HeaderMap, Value) {
    let response = ask(server, headers).await;
    assert_eq!(response.status(), 200);
    let headers = response.headers().clone();
    let body = response.text().await.unwrap();
    (headers, serde_json::from_str(&body).unwrap())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers[name].to_str().unwrap()
}

// D47
#[tokio::test]
async fn forwarded_addresses_count_only_from_trusted_proxies() {
    let trusting =
        serve(builder(Scripted::echo()).trusted_proxies(["127.0.0.0/8".parse().unwrap()])).await;
    let wary =
        serve(builder(Scripted::echo()).trusted_proxies(["10.0.0.0/8".parse().unwrap()])).await;
    let plain = serve_agent(Scripted::echo()).await;
    for (headers, base) in [
        (
            &[(
                "forwarded",
                "for=1.2.3.4;proto=https;host=agent.example.com",
            )][..],
            "https://agent.example.com",
        ),
        (
            &[(
                "forwarded",
                "host=evil, Host=\"a.example.com:8443\";Proto=http",
            )],
            "http://a.example.com:8443",
        ),
        (
            &[("forwarded", "host=a.example.com")],
            "https://a.example.com",
        ),
        (
            &[("x-forwarded-host", "b.example.com")],
            "https://b.example.com",
        ),
        (
            &[
                ("x-forwarded-host", "evil:80, b.example.com"),
                ("x-forwarded-proto", "https, http"),
            ],
            "http://b.example.com",
        ),
        (
            &[
                ("x-forwarded-host", "b.example.com"),
                ("x-forwarded-proto", "https"),
                ("x-forwarded-prefix", "/agents/x/"),
            ],
            "https://b.example.com/agents/x",
        ),
        (
            &[
                ("forwarded", "proto=http"),
                ("x-forwarded-host", "c.example.com"),
            ],
            "https://c.example.com",
        ),
        (
            &[("x-forwarded-host", "[2001:db8::1]:443")],
            "https://[2001:db8::1]:443",
        ),
        // What is no address of a web server is ignored.
        (&[("x-forwarded-proto", "https")], ""),
        (&[("x-forwarded-host", "user@evil.example.com")], ""),
        (&[("x-forwarded-host", "evil.example.com/path")], ""),
        (&[("x-forwarded-host", "")], ""),
        (
            &[
                ("x-forwarded-host", "a.example.com"),
                ("x-forwarded-proto", "javascript"),
            ],
            "",
        ),
        (
            &[
                ("x-forwarded-host", "a.example.com"),
                ("x-forwarded-prefix", "no-slash"),
            ],
            "",
        ),
        (
            &[("x-forwarded-for", "1.2.3.4"), ("forwarded", "for=1.2.3.4")],
            "",
        ),
    ] {
        let (got, card) = fetch(&trusting, headers).await;
        let own = trusting.url("");
        let expected = if base.is_empty() { &*own } else { base };
        for interface in card["supportedInterfaces"].as_array().unwrap() {
            assert_eq!(interface["url"], expected, "{headers:?}");
        }
        // The tag belongs to what is shown.
        let fresh = ask(
            &trusting,
            &[headers, &[("if-none-match", text(&got, "etag"))]].concat(),
        )
        .await;
        assert_eq!(fresh.status(), 304);
        for server in [&wary, &plain] {
            let (_, card) = fetch(server, headers).await;
            assert_eq!(
                card["supportedInterfaces"][0]["url"],
                server.url(""),
                "{headers:?}"
            );
        }
    }
}

// D47
#[tokio::test]
async fn a_client_in_front_of_a_proxy_cannot_choose_the_address() {
    let networks = ["127.0.0.0/8", "10.0.0.0/8", "fd00::/8"].map(|text| text.parse().unwrap());
    let server = serve(builder(Scripted::echo()).trusted_proxies(networks)).await;
    let own = server.url("");
    let good = "https://agent.example.com";
    for (headers, base) in [
        // The proxy adds to what the client has sent, in the same line or in one of its own.
        (
            &[(
                "forwarded",
                "host=evil;proto=http, for=1.2.3.4;host=agent.example.com",
            )][..],
            good,
        ),
        (
            &[
                ("forwarded", "host=evil;proto=http"),
                ("forwarded", "for=1.2.3.4;host=agent.example.com"),
            ],
            good,
        ),
        (
            &[
                ("x-forwarded-host", "evil"),
                ("x-forwarded-proto", "http"),
                ("x-forwarded-prefix", "/evil"),
                ("x-forwarded-host", "agent.example.com"),
                ("x-forwarded-proto", "https"),
                ("x-forwarded-prefix", "/"),
            ],
            good,
        ),
        // An open quote swallows nothing.
        (
            &[("forwarded", "host=evil;by=\", host=agent.example.com")],
            good,
        ),
        // Two trusted proxies: the one next to the client knows its address best.
        (
            &[(
                "forwarded",
                "host=evil, for=1.2.3.4;host=agent.example.com, for=10.0.0.7;host=inner;proto=http",
            )],
            good,
        ),
        (
            &[(
                "forwarded",
                "for=\"[2001:db8::1]\";host=agent.example.com;proto=https, \
                 for=\"[fd00::7]:4711\";proto=http",
            )],
            good,
        ),
        (
            &[(
                "forwarded",
                "host=evil, for=\"1.2.3.4:80\";host=agent.example.com, for=\"10.0.0.7:4711\"",
            )],
            good,
        ),
        // A client that says it were a proxy is none: its own address follows.
        (
            &[(
                "forwarded",
                "for=10.0.0.7;host=evil, for=1.2.3.4;host=agent.example.com",
            )],
            good,
        ),
        (
            &[("forwarded", "for=10.0.0.7;host=evil, for=unknown")],
            &own,
        ),
        (&[("forwarded", "host=evil, for=_hidden;proto=http")], &own),
        // A proxy that writes the one kind of header passes on the other.
        (
            &[
                ("forwarded", "host=evil"),
                ("x-forwarded-host", "agent.example.com"),
            ],
            &own,
        ),
        (
            &[
                ("x-forwarded-host", "evil"),
                ("forwarded", "for=1.2.3.4;host=agent.example.com"),
            ],
            &own,
        ),
        (
            &[
                ("x-forwarded-host", "agent.example.com"),
                ("forwarded", "for=1.2.3.4;host=agent.example.com"),
            ],
            good,
        ),
    ] {
        let (got, card) = fetch(&server, headers).await;
        for interface in card["supportedInterfaces"].as_array().unwrap() {
            assert_eq!(interface["url"], base, "{headers:?}");
        }
        // A cache in between keeps the answers apart.
        let vary = text(&got, "vary").to_ascii_lowercase();
        for (name, _) in headers {
            assert!(vary.contains(name), "{vary}");
        }
    }
}
