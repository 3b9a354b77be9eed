//! Which credentials go where.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_client::auth::{ApiKey, Basic, Bearer, ClientAuthentication, ClientCredentials};
use a2a_client::testkit::{Answer, Heard, HostileServer};
use a2a_client::{Client, ClientBuilder, Failure};
use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::{
    AgentCard, ApiKeySecurityScheme, ErrorKind, HttpAuthSecurityScheme, MutualTlsSecurityScheme,
    OAuth2SecurityScheme, OpenIdConnectSecurityScheme, SecurityRequirement, SecurityScheme,
    StringList,
};
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use support::{BINDINGS, answer, builder, fitting, task};

fn key(location: &str, name: &str) -> SecurityScheme {
    ApiKeySecurityScheme::default()
        .with_location(location)
        .with_name(name)
        .into()
}

fn http(scheme: &str) -> SecurityScheme {
    HttpAuthSecurityScheme::default().with_scheme(scheme).into()
}

fn schemes() -> BTreeMap<String, SecurityScheme> {
    [
        ("header", key("header", "X-Key")),
        ("query", key("query", "api key")),
        ("cookie", key("cookie", "session")),
        ("bearer", http("bearer")),
        ("basic", http("BASIC")),
        ("digest", http("digest")),
        ("oauth", OAuth2SecurityScheme::default().into()),
        ("oidc", OpenIdConnectSecurityScheme::default().into()),
        ("mtls", MutualTlsSecurityScheme::default().into()),
    ]
    .map(|(name, scheme)| (name.to_owned(), scheme))
    .into()
}

/// A card with these alternatives, each of these schemes.
fn card(server: &HostileServer, binding: &str, alternatives: &[&[&str]]) -> AgentCard {
    let alternatives = alternatives.iter().map(|names| {
        let names = names.iter().map(|name| (*name, StringList::default()));
        SecurityRequirement::default().with_schemes(names)
    });
    let mut card = server
        .card(binding)
        .with_security_requirements(alternatives);
    card.security_schemes = schemes();
    card
}

/// What a request shows of secrets.
fn shown(heard: &Heard) -> String {
    let mut shown = vec![
        heard.header("authorization").to_owned(),
        heard.header("x-key").to_owned(),
        heard.header("cookie").to_owned(),
        heard.query().to_owned(),
    ];
    shown.retain(|text| !text.is_empty());
    shown.join(" | ")
}

async fn server() -> HostileServer {
    HostileServer::start(|_| answer(HTTP_JSON, &task("TASK_STATE_WORKING")))
        .await
        .unwrap()
}

// R131, A2A-4.5-04, A2A-7.3-01, A2A-3.1.11-01
#[tokio::test]
async fn the_first_alternative_is_used_for_which_there_is_everything() {
    let server = server().await;
    type Give = fn(ClientBuilder) -> ClientBuilder;
    let nothing: Give = |builder| builder;
    let bearer: Give = |builder| builder.with_credentials(Bearer::new("tok"));
    let basic: Give = |builder| builder.with_credentials(Basic::new("me", "pw"));
    let api_key: Give = |builder| builder.with_credentials(ApiKey::new("k 1"));
    let both: Give = |builder| {
        let builder = builder.with_credentials(Bearer::new("tok"));
        builder.with_credentials(ApiKey::new("k").with_scheme("header"))
    };
    let table: [(&[&[&str]], Give, &str); 19] = [
        (&[&["bearer"]], bearer, "Bearer tok"),
        (&[&["oauth"]], bearer, "Bearer tok"),
        (&[&["oidc"]], bearer, "Bearer tok"),
        (&[&["basic"]], basic, "Basic bWU6cHc="),
        (&[&["header"]], api_key, "k 1"),
        (&[&["query"]], api_key, "api+key=k+1"),
        (&[&["cookie"]], api_key, "session=k 1"),
        (
            &[&["header", "cookie", "query"]],
            api_key,
            "k 1 | session=k 1 | api+key=k+1",
        ),
        (&[&["bearer", "header"], &["basic"]], both, "Bearer tok | k"),
        (&[&["bearer", "query"], &["bearer"]], both, "Bearer tok"),
        (&[&["mtls"], &["digest"], &["header"]], both, "k"),
        (&[&["unknown"], &["header"]], both, "k"),
        (&[&["header"], &["bearer"]], bearer, "Bearer tok"),
        (&[&[], &["bearer"]], bearer, ""),
        (&[], bearer, "Bearer tok"),
        (&[], api_key, ""),
        (&[&["basic"]], bearer, "Bearer tok"),
        (&[&["basic"]], api_key, ""),
        (&[&["bearer"]], nothing, ""),
    ];
    for (alternatives, give, wanted) in table {
        let card = card(&server, HTTP_JSON, alternatives);
        let client = give(builder()).from_card(card).unwrap();
        client.get_task("t").await.unwrap();
        assert_eq!(
            shown(&server.heard().pop().unwrap()),
            wanted,
            "{alternatives:?}"
        );
    }
}

// R066
#[tokio::test]
async fn every_call_and_the_card_carry_the_credentials() {
    for binding in BINDINGS {
        let answers = move |heard: &Heard| match heard.target.as_str() {
            "/.well-known/agent-card.json" => Answer::json(
                200,
                &json!({
                "capabilities": { "streaming": true, "extendedAgentCard": true },
                "supportedInterfaces": [
                    { "url": "/", "protocolBinding": binding, "protocolVersion": "1.0" } ] }),
            ),
            _ => fitting(binding, heard),
        };
        let server = HostileServer::start(answers).await.unwrap();
        let client = builder()
            .with_credentials(ApiKey::in_header(HeaderName::from_static("x-key"), "k"))
            .connect(&server.url(""))
            .await
            .unwrap();
        client.send_message("hi").await.unwrap();
        drop(client.stream_message("hi").await.unwrap());
        drop(client.subscribe_to_task("t-1").await.unwrap());
        client.get_extended_card().await.unwrap();
        let heard = server.heard();
        assert_eq!(heard.len(), 5);
        assert!(heard.iter().all(|heard| heard.header("x-key") == "k"));
    }
}

// R066
#[tokio::test]
async fn another_origin_gets_no_secrets_unless_it_is_trusted() {
    let api = server().await;
    let interface = json!({ "url": api.url("/"), "protocolBinding": HTTP_JSON,
        "protocolVersion": "1.0" });
    let card = json!({ "supportedInterfaces": [interface] });
    let home = HostileServer::start(move |_| Answer::json(200, &card))
        .await
        .unwrap();
    let with_secrets = || {
        let mut secret = HeaderValue::from_static("s");
        secret.set_sensitive(true);
        builder()
            .with_credentials(Bearer::new("tok"))
            .with_header(HeaderName::from_static("x-key"), secret)
            .with_header(
                HeaderName::from_static("cookie"),
                HeaderValue::from_static("c=1"),
            )
            .with_header(
                HeaderName::from_static("x-plain"),
                HeaderValue::from_static("p"),
            )
    };
    let client = with_secrets().connect(&home.url("")).await.unwrap();
    client.get_task("t").await.unwrap();
    let heard = api.heard().pop().unwrap();
    assert_eq!(shown(&heard), "");
    assert_eq!(heard.header("x-plain"), "p");
    assert_eq!(shown(&home.heard()[0]), "Bearer tok | s | c=1");

    let trusting = with_secrets().with_trusted_origin(&api.url(""));
    let client = trusting.connect(&home.url("")).await.unwrap();
    client.get_task("t").await.unwrap();
    assert_eq!(shown(&api.heard().pop().unwrap()), "Bearer tok | s | c=1");

    let error = builder()
        .with_trusted_origin("h")
        .connect(&home.url(""))
        .await
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Request);
}

#[tokio::test]
async fn secrets_are_in_no_debug_output_and_in_no_error() {
    let server = server().await;
    let client = builder()
        .with_credentials(Bearer::new("hush"))
        .with_credentials(ApiKey::new("hush"))
        .from_card(server.card(JSONRPC))
        .unwrap();
    let oauth = ClientCredentials::new("https://u:hush@h/?k=hush", "me", "hush").unwrap();
    let texts = [
        format!(
            "{client:?} {:?}",
            builder().with_credentials(Bearer::new("hush"))
        ),
        format!(
            "{:?} {:?} {oauth:?}",
            Bearer::new("hush"),
            Basic::new("me", "hush")
        ),
        format!("{:?}", ApiKey::new("hush")),
        format!("{:?}", a2a_client::auth::Credential::bearer("hush")),
    ];
    for text in texts {
        assert!(!text.contains("hush"), "{text}");
    }
    let client = builder()
        .with_credentials(Bearer::new("hush\n"))
        .from_card(server.card(JSONRPC))
        .unwrap();
    let error = client.get_task("t").await.unwrap_err();
    assert_eq!(error.failure(), Failure::Request);
    assert!(!format!("{error} {error:?}").contains("hush"));
    assert!(server.heard().is_empty());
}

/// A server that is agent and authorization server in one, whose tokens have numbers.
struct Tokens {
    server: HostileServer,
    /// The number of the token that the agent takes.
    valid: Arc<AtomicUsize>,
}

async fn tokens(expires: Value) -> Tokens {
    let valid = Arc::new(AtomicUsize::new(1));
    let issued = AtomicUsize::new(0);
    let wanted = Arc::clone(&valid);
    let answers = move |heard: &Heard| {
        if heard.path() == "/token" {
            let number = issued.fetch_add(1, Ordering::SeqCst) + 1;
            return Answer::json(
                200,
                &json!({ "access_token": format!("n{number}"),
                "token_type": "Bearer", "expires_in": expires }),
            );
        }
        let token = format!("Bearer n{}", wanted.load(Ordering::SeqCst));
        match heard.header("authorization") == token {
            true => fitting(HTTP_JSON, heard),
            false => Answer::empty(401).with_header("WWW-Authenticate", "Bearer"),
        }
    };
    let server = HostileServer::start(answers).await.unwrap();
    Tokens { server, valid }
}

impl Tokens {
    fn provider(&self) -> ClientCredentials {
        ClientCredentials::new(&self.server.url("/token"), "me", "s&cret").unwrap()
    }

    fn client(&self) -> Client {
        let card = self.server.card(HTTP_JSON);
        builder()
            .with_credentials(self.provider())
            .from_card(card)
            .unwrap()
    }

    fn requests(&self, path: &str) -> Vec<Heard> {
        let mut heard = self.server.heard();
        heard.retain(|heard| heard.path() == path);
        heard
    }
}

// R132
#[tokio::test]
async fn one_token_serves_many_calls() {
    let tokens = tokens(json!(3600)).await;
    let client = tokens.client();
    let calls = (0..50).map(|_| {
        let client = client.clone();
        async move { client.get_task("t").await.unwrap() }
    });
    futures::future::join_all(calls).await;
    let requests = tokens.requests("/token");
    assert_eq!(requests.len(), 1);
    let form = String::from_utf8_lossy(&requests[0].body).into_owned();
    assert_eq!(form, "grant_type=client_credentials");
    assert_eq!(
        requests[0].header("authorization"),
        "Basic bWU6cyUyNmNyZXQ="
    );
    assert_eq!(
        requests[0].header("content-type"),
        "application/x-www-form-urlencoded"
    );
}

// R132
#[tokio::test]
async fn a_refused_token_is_replaced_once_for_all_calls() {
    let tokens = tokens(json!(null)).await;
    let client = tokens.client();
    client.get_task("t").await.unwrap();
    tokens.valid.store(2, Ordering::SeqCst);
    let calls = (0..50).map(|_| {
        let client = client.clone();
        async move { client.send_message("hi").await.unwrap() }
    });
    futures::future::join_all(calls).await;
    drop(client.stream_message("hi").await.unwrap());
    assert_eq!(tokens.requests("/token").len(), 2);

    tokens.valid.store(0, Ordering::SeqCst);
    let before = tokens.requests("/message:send").len();
    let error = client.send_message("hi").await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Unauthenticated));
    assert_eq!(
        tokens.requests("/message:send").len() - before,
        2,
        "once more, not for ever"
    );
}

// R132
#[tokio::test]
async fn a_token_that_is_refused_when_a_stream_opens_is_replaced() {
    let tokens = tokens(json!("3600")).await;
    tokens.valid.store(2, Ordering::SeqCst);
    drop(tokens.client().stream_message("hi").await.unwrap());
    assert_eq!(tokens.requests("/token").len(), 2);
}

// R132
#[tokio::test]
async fn a_token_is_replaced_before_it_ends() {
    let tokens = tokens(json!(0)).await;
    tokens.valid.store(1, Ordering::SeqCst);
    let client = tokens.client();
    client.get_task("t").await.unwrap();
    tokens.valid.store(2, Ordering::SeqCst);
    client.get_task("t").await.unwrap();
    assert_eq!(tokens.requests("/token").len(), 2);
    assert_eq!(tokens.requests("/tasks/t").len(), 2, "nothing was refused");
}

// R132
#[tokio::test]
async fn the_token_request_says_what_was_configured_and_what_the_card_wants() {
    let tokens = tokens(json!(60)).await;
    let mut card = card(&tokens.server, HTTP_JSON, &[]);
    card.security_requirements = vec![SecurityRequirement::of("oauth", ["read", "write"])];
    let provider = tokens
        .provider()
        .with_authentication(ClientAuthentication::Body)
        .with_parameter("audience", "a b");
    let client = builder()
        .with_credentials(provider)
        .from_card(card.clone())
        .unwrap();
    client.get_task("t").await.unwrap();
    let request = tokens.requests("/token").pop().unwrap();
    assert_eq!(request.header("authorization"), "");
    assert_eq!(
        String::from_utf8_lossy(&request.body),
        "grant_type=client_credentials&scope=read+write&audience=a+b&client_id=me\
         &client_secret=s%26cret"
    );
    tokens.valid.store(2, Ordering::SeqCst);
    let provider = tokens.provider().with_scopes(["own"]);
    let client = builder()
        .with_credentials(provider)
        .from_card(card)
        .unwrap();
    client.get_task("t").await.unwrap();
    let request = tokens.requests("/token").pop().unwrap();
    assert!(String::from_utf8_lossy(&request.body).contains("scope=own"));
}

// R132
#[tokio::test]
async fn a_secret_is_not_sent_over_plain_http_to_others() {
    for url in [
        "http://example.com/token",
        "http://10.0.0.1/",
        "ftp://h/",
        "x",
    ] {
        let error = ClientCredentials::new(url, "me", "hush").unwrap_err();
        assert_eq!(error.failure(), Failure::Request, "{url}");
    }
    for url in [
        "https://example.com/token",
        "http://localhost:1/",
        "http://[::1]/",
    ] {
        ClientCredentials::new(url, "me", "hush").unwrap();
    }
}

// R132
#[tokio::test]
async fn a_token_endpoint_that_fails_ends_the_call_before_it_is_made() {
    let answers = [
        Answer::json(
            400,
            &json!({ "error": "invalid_client", "error_description": "who?" }),
        ),
        Answer::json(200, &json!({ "token": "hush" })),
        Answer::new(200, "text/html", "<p>hush"),
        Answer::new(200, "application/json", vec![b' '; 4096]).for_ever(),
        Answer::raw("").then_reset(),
        Answer::empty(302).with_header("Location", "http://elsewhere.invalid/"),
    ];
    for answer in answers {
        let told = answer.clone();
        let server = HostileServer::start(move |heard| match heard.path() {
            "/token" => told.clone(),
            _ => fitting(HTTP_JSON, heard),
        });
        let server = server.await.unwrap();
        let provider = ClientCredentials::new(&server.url("/token"), "me", "x").unwrap();
        let card = server.card(HTTP_JSON);
        let client = builder()
            .with_credentials(provider)
            .from_card(card)
            .unwrap();
        let error = client.send_message("hi").await.unwrap_err();
        assert!(error.is_unsent(), "{answer:?}: {error:?}");
        assert!(!format!("{error} {error:?}").contains("hush"), "{error:?}");
        assert!(server.heard().iter().all(|heard| heard.path() == "/token"));
    }
}
