//! `GetExtendedAgentCard` (A2A §3.1.11, §13.3).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_server::auth::{Access, Authorizer, StaticBearer};
use a2a_server::{CARD_PATH, ExtendedCardAccess, ServerBuilder};
use a2a_types::store::Scope;
use a2a_types::{A2aError, AgentCard};
use async_trait::async_trait;
use serde_json::{Value, json};
use support::{Answer, Caller, Scripted, TestServer, Wire, builder, serve, serve_agent};

/// A server whose extended card says who reads it, and how often one was made.
fn extended() -> (ServerBuilder, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let server = builder(Scripted::echo()).authenticator(bearers());
    let server = server.extended_card({
        let made = Arc::clone(&made);
        move |context| {
            made.fetch_add(1, Ordering::Relaxed);
            let name = format!("for {} in {}", context.caller.id(), context.tenant);
            let card = AgentCard::builder(name, "For those who may read it");
            async move { Ok(card.skill("secret", "Secret", "Is not for everybody")) }
        }
    });
    (server, made)
}

fn bearers() -> StaticBearer {
    StaticBearer::new([("alice-token", "alice"), ("bob-token", "bob")])
}

async fn extended_card(caller: &Caller) -> Answer {
    caller.call("GetExtendedAgentCard", json!({})).await
}

async fn public_card(server: &TestServer) -> Value {
    let card = reqwest::get(server.url(CARD_PATH)).await.unwrap();
    serde_json::from_str(&card.text().await.unwrap()).unwrap()
}

// A2A-3.1.11-02, A2A-13.3-13, A2A-3.3.4-03, B13, R134
#[tokio::test]
async fn without_the_capability_the_extended_card_is_unsupported() {
    let server = serve_agent(Scripted::echo()).await;
    let secured = serve(builder(Scripted::echo()).authenticator(bearers())).await;
    for wire in support::BINDINGS {
        extended_card(&server.caller(wire))
            .await
            .expect_unsupported();
        extended_card(&secured.caller(wire).bearer("bob-token"))
            .await
            .expect_unsupported();
    }
    let capability = &public_card(&server).await["capabilities"]["extendedAgentCard"];
    assert_ne!(*capability, true);
}

// A2A-3.1.11-03, A2A-13.3-14, B13, R134
#[tokio::test]
async fn a_card_that_is_declared_but_not_set_up_is_an_error_of_its_own() {
    let server = builder(Scripted::echo())
        .authenticator(bearers())
        .declare_extended_card();
    let server = serve(server).await;
    for caller in server.callers() {
        let answer = extended_card(&caller.clone().bearer("bob-token")).await;
        let reason = Some("EXTENDED_AGENT_CARD_NOT_CONFIGURED");
        answer.expect_error(-32007, 400, "FAILED_PRECONDITION", reason);
        // Who may not know that is not told.
        let answer = extended_card(&caller).await;
        answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
    }
    let capability = &public_card(&server).await["capabilities"]["extendedAgentCard"];
    assert_eq!(*capability, true);
}

// A2A-13.3-01, A2A-13.3-02, B13, R134
#[tokio::test]
async fn the_extended_card_needs_credentials_by_a_scheme_of_the_public_card() {
    let (server, made) = extended();
    let server = serve(server).await;
    for caller in server.callers() {
        for stranger in [
            caller.clone(),
            caller.clone().bearer("wrong"),
            caller.clone().with("x-api-key", "alice-token"),
            caller.clone().with("authorization", "Basic alice-token"),
        ] {
            let answer = extended_card(&stranger).await;
            answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
        }
    }
    assert_eq!(made.load(Ordering::Relaxed), 0);
    let public = public_card(&server).await;
    assert_eq!(public["capabilities"]["extendedAgentCard"], true);
    let scheme = &public["securitySchemes"]["bearer"]["httpAuthSecurityScheme"];
    assert_eq!(scheme["scheme"], "Bearer");
    assert_eq!(
        public["securityRequirements"],
        json!([{"schemes": {"bearer": {}}}])
    );
    assert!(!public.to_string().contains("secret"));
}

// A2A-13.3-01, B13: an authenticator that lets anybody in is no authentication.
#[tokio::test]
async fn anonymous_callers_get_no_extended_card_unless_that_is_switched_on() {
    let provider = |_| async { Ok(AgentCard::builder("extended", "For tests")) };
    let closed = builder(Scripted::echo()).extended_card(provider);
    let open = builder(Scripted::echo())
        .extended_card(provider)
        .extended_card_access(ExtendedCardAccess::Everybody);
    let unconfigured = builder(Scripted::echo()).declare_extended_card();
    let (closed, open) = (serve(closed).await, serve(open).await);
    let unconfigured = serve(unconfigured).await;
    for wire in support::BINDINGS {
        for server in [&closed, &unconfigured] {
            let answer = extended_card(&server.caller(wire)).await;
            answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
        }
        let answer = extended_card(&open.caller(wire)).await;
        assert_eq!(answer.result()["name"], "extended");
    }
}

// A2A-3.1.11-04, A2A-3.1.11-06, A2A-13.3-03, A2A-13.3-05, A2A-13.3-10, R134
#[tokio::test]
async fn each_caller_gets_its_own_card() {
    let (server, _) = extended();
    let server = serve(server).await;
    for caller in server.callers() {
        for (who, tenant) in [("alice", "acme"), ("bob", "acme"), ("alice", "")] {
            let caller = caller.clone().bearer(&format!("{who}-token"));
            let answer = extended_card(&caller.in_tenant(tenant)).await;
            let card = answer.result();
            assert_eq!(card["name"], format!("for {who} in {tenant}"));
            assert_eq!(card["skills"][0]["id"], "secret");
            // What the server offers is the same in every card.
            let public = public_card(&server).await;
            for member in ["supportedInterfaces", "capabilities", "securitySchemes"] {
                assert_eq!(card[member], public[member]);
            }
        }
    }
}

// A2A-13.3-04, A2A-13.3-12, B13
#[tokio::test]
async fn over_http_json_the_card_can_be_cached_by_its_reader_alone() {
    let (server, _) = extended();
    let server = serve(server).await;
    let caller = server.caller(Wire::Rest);
    let [alice, bob] = ["alice-token", "bob-token"].map(|token| caller.clone().bearer(token));
    let first = extended_card(&alice).await;
    let caching = first.headers["cache-control"].to_str().unwrap();
    assert!(caching.contains("private") && !caching.contains("public"));
    assert_eq!(first.headers["vary"], "Authorization");
    let etag = first.headers["etag"].to_str().unwrap();
    assert_eq!(extended_card(&alice).await.headers["etag"], etag);
    assert_ne!(extended_card(&bob).await.headers["etag"], etag);

    let ask = |caller: Caller, etag: String| async move {
        let request = caller.request("GetExtendedAgentCard", json!({}));
        let request = request.header("if-none-match", etag);
        Answer::read(Wire::Rest, request.send().await.unwrap()).await
    };
    for known in [etag.to_owned(), format!("\"x\", W/{etag}")] {
        let unchanged = ask(alice.clone(), known).await;
        assert_eq!((unchanged.status, unchanged.body), (304, Value::Null));
        assert_eq!(unchanged.headers["etag"], etag);
        assert_eq!(unchanged.headers["cache-control"], caching);
    }
    // The tag of somebody else's card, or none of these, or no credentials.
    let changed = ask(bob, etag.to_owned()).await;
    assert_eq!(changed.result()["name"], "for bob in ");
    assert_eq!(ask(alice, "\"x\"".to_owned()).await.status, 200);
    let answer = ask(caller, etag.to_owned()).await;
    answer.expect_error(-31401, 401, "UNAUTHENTICATED", None);
}

struct Nobody;

#[async_trait]
impl Authorizer for Nobody {
    async fn authorize(&self, _: &Access<'_>) -> Result<Scope, A2aError> {
        Err(A2aError::permission_denied("scope card:read is missing"))
    }
}

// A2A-13.3-10
#[tokio::test]
async fn no_card_is_made_for_whom_it_is_not_permitted() {
    let (server, made) = extended();
    let server = serve(server.authorizer(Nobody)).await;
    for caller in server.callers() {
        let answer = extended_card(&caller.bearer("bob-token")).await;
        answer.expect_error(-31403, 403, "PERMISSION_DENIED", None);
    }
    assert_eq!(made.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_card_that_cannot_be_made_is_an_error() {
    let provider = |_| async { Err(A2aError::internal("ldap://10.0.0.1 is down")) };
    let server = builder(Scripted::echo())
        .authenticator(bearers())
        .extended_card(provider);
    let server = serve(server).await;
    for caller in server.callers() {
        let answer = extended_card(&caller.bearer("bob-token")).await;
        answer.expect_error(-32603, 500, "INTERNAL", None);
        assert!(!answer.body.to_string().contains("ldap"));
    }
}
