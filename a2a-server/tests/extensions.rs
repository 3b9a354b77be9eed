//! Extensions (A2A §3.2.6, §3.3.4, §4.6, §14.2.2).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::{ExtendedCardAccess, RequiredFor, ServerBuilder};
use a2a_types::AgentExtension;
use serde_json::{Value, json};
use support::{Recorder, Scripted, Wire, builder, message, raw, scripted, serve, serve_agent};

const OPTIONAL: &str = "https://example.com/ext/maps/v1";
const SECOND: &str = "urn:example:Ext:v2";
const REQUIRED: &str = "urn:example:signed:v2";

/// A server that declares the optional ones.
fn with_optional(agent: Scripted) -> ServerBuilder {
    let card = support::card()
        .extension(AgentExtension::default().with_uri(OPTIONAL))
        .extension(AgentExtension::default().with_uri(SECOND));
    builder(agent).card(card)
}

/// The same with one that is required.
fn with_required(agent: Scripted) -> ServerBuilder {
    let required = AgentExtension::default()
        .with_uri(REQUIRED)
        .with_required(true);
    let card = support::card().extension(AgentExtension::default().with_uri(OPTIONAL));
    builder(agent).card(card.extension(required))
}

// R138, A2A-3.2.6-01, A2A-3.2.6-03, A2A-4.6.3-03, A2A-4.6.3-05, A2A-14.2.2-01, A2A-T-01, A2A-T-02,
// D21, I7
#[tokio::test]
async fn extensions_are_active_when_they_are_asked_for_and_supported() {
    let agent = Scripted::echo();
    let server = serve(with_optional(agent.clone())).await;
    let (one, two) = (OPTIONAL, SECOND);
    let both = format!("{one}, {two}");
    for (lines, requested, activated) in [
        (vec![], vec![], String::new()),
        (vec![String::new()], vec![], String::new()),
        (vec![one.to_owned()], vec![one], one.to_owned()),
        (vec![both.clone()], vec![one, two], both.clone()),
        (
            vec![format!("{two},{one}")],
            vec![two, one],
            format!("{two}, {one}"),
        ),
        (
            vec![format!("  {one} ,, {two} ,")],
            vec![one, two],
            both.clone(),
        ),
        (
            vec![one.to_owned(), two.to_owned()],
            vec![one, two],
            both.clone(),
        ),
        (
            vec![both.clone(), two.to_owned(), one.to_owned()],
            vec![one, two],
            both.clone(),
        ),
        (
            vec!["urn:unknown:v1".to_owned()],
            vec!["urn:unknown:v1"],
            String::new(),
        ),
        (
            vec![format!("urn:unknown:v1, {two}")],
            vec!["urn:unknown:v1", two],
            two.to_owned(),
        ),
        // Another version, and another case, is another extension.
        (
            vec!["urn:example:Ext:v1".to_owned()],
            vec!["urn:example:Ext:v1"],
            String::new(),
        ),
        (
            vec!["urn:example:Ext:v2.1".to_owned()],
            vec!["urn:example:Ext:v2.1"],
            String::new(),
        ),
        (
            vec![two.to_lowercase()],
            vec!["urn:example:ext:v2"],
            String::new(),
        ),
    ] {
        for wire in support::BINDINGS {
            let headers: String = lines
                .iter()
                .map(|line| format!("A2A-Extensions: {line}\r\n"))
                .collect();
            let send = json!({"message": message("hi")});
            let (target, body) = match wire {
                Wire::JsonRpc => (
                    "/",
                    json!({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": send}),
                ),
                Wire::Rest => ("/message:send", send),
            };
            let head = format!(
                "POST {target} HTTP/1.1\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n{headers}"
            );
            let answer = raw(server.address, &head, body.to_string().as_bytes()).await;
            assert_eq!(answer.status, 200, "{headers}");
            let shown = answer.header("a2a-extensions").unwrap_or_default();
            assert_eq!(shown, activated.to_lowercase(), "{headers}");
            let request = agent.seen.lock().unwrap().last().unwrap().clone();
            let context = request.context();
            assert_eq!(
                context.requested_extensions.iter().collect::<Vec<_>>(),
                requested,
                "{headers}"
            );
            assert_eq!(
                context.activated_extensions.to_string(),
                activated,
                "{headers}"
            );
        }
    }
}

// D21, A2A-T-01
#[tokio::test]
async fn streams_and_other_operations_name_the_active_extensions_too() {
    let server = serve(with_optional(Scripted::echo())).await;
    for caller in server.callers() {
        let caller = caller.with("a2a-extensions", &format!("{OPTIONAL},urn:other:v1"));
        let stream = caller.request("SendStreamingMessage", json!({"message": message("hi")}));
        let stream = stream.send().await.unwrap();
        assert_eq!(stream.headers()["content-type"], "text/event-stream");
        assert_eq!(stream.headers()["a2a-extensions"], OPTIONAL);
        let list = caller.call("ListTasks", json!({})).await;
        assert_eq!(list.headers["a2a-extensions"], OPTIONAL);
        let missing = caller.get_task("nope").await;
        assert!(!missing.headers.contains_key("a2a-extensions"));
    }
}

// R138, D12, A2A-3.3.4-04, A2A-4.6.3-04, A2A-4.6.3-05, I7
#[tokio::test]
async fn a_required_extension_must_be_asked_for_by_the_header() {
    let agent = Scripted::echo();
    let server = serve(with_required(agent.clone())).await;
    for caller in server.callers() {
        for header in [
            "",
            OPTIONAL,
            "urn:example:signed:v1",
            "urn:example:signed:v3",
            "URN:EXAMPLE:SIGNED:V2",
            "urn:example:signed",
        ] {
            let caller = caller.clone().with("a2a-extensions", header);
            let mut message = message("hi");
            // What the message says of itself is no request.
            message["extensions"] = json!([REQUIRED]);
            message["metadata"] = json!({REQUIRED: {"signature": "x"}});
            for operation in ["SendMessage", "SendStreamingMessage"] {
                let answer = caller.call(operation, json!({"message": message})).await;
                let reason = Some("EXTENSION_SUPPORT_REQUIRED");
                answer.expect_error(-32008, 400, "FAILED_PRECONDITION", reason);
                assert_eq!(answer.details()[0]["metadata"]["extensionUri"], REQUIRED);
                assert!(answer.message().contains(REQUIRED), "{}", answer.message());
            }
            // Reading needs no extension.
            caller.get_task("nope").await.expect_task_not_found();
            caller.call("ListTasks", json!({})).await.result();
        }
        let caller = caller.with("a2a-extensions", &format!("urn:other:v1, {REQUIRED}"));
        let answer = caller.send("hi").await;
        assert_eq!(answer.state(), "COMPLETED");
        assert_eq!(answer.headers["a2a-extensions"], REQUIRED);
        caller.stream_send("hi").await.all().await;
    }
    assert_eq!(agent.runs(), 4);
}

// D12
#[tokio::test]
async fn a_switch_asks_for_required_extensions_everywhere_but_for_the_extended_card() {
    let extended = |_| async { Ok(a2a_types::AgentCard::builder("Extended", "For tests")) };
    let builder = with_required(Scripted::echo())
        .required_extensions_for(RequiredFor::Everything)
        .push_sender(Arc::new(Recorder::default()))
        .extended_card(extended)
        .extended_card_access(ExtendedCardAccess::Everybody);
    let server = serve(builder).await;
    for caller in server.callers() {
        let named = json!({"id": "x", "taskId": "x", "url": "https://example.com", "message": message("hi")});
        for operation in a2a_types::OperationId::ALL {
            let answer = caller.call(operation.name(), named.clone()).await;
            if operation == a2a_types::OperationId::GetExtendedAgentCard {
                assert_eq!(answer.result()["name"], "Extended");
            } else {
                let reason = Some("EXTENSION_SUPPORT_REQUIRED");
                answer.expect_error(-32008, 400, "FAILED_PRECONDITION", reason);
            }
        }
        let caller = caller.with("a2a-extensions", REQUIRED);
        caller.get_task("x").await.expect_task_not_found();
    }
}

// A2A-4.6.1-01, A2A-T-04
#[tokio::test]
async fn the_card_declares_extensions_as_they_are_given() {
    let params = serde_json::Map::from_iter([("level".to_owned(), json!(3))]);
    let extension = AgentExtension::default()
        .with_uri(REQUIRED)
        .with_description("Signs")
        .with_required(true)
        .with_params(a2a_types::Struct(params));
    let server = serve(builder(Scripted::echo()).card(support::card().extension(extension))).await;
    let card: Value = reqwest::get(server.url(a2a_server::CARD_PATH))
        .await
        .unwrap()
        .text()
        .await
        .map(|text| serde_json::from_str(&text).unwrap())
        .unwrap();
    let expected = json!([{"uri": REQUIRED, "description": "Signs", "required": true, "params": {"level": 3}}]);
    assert_eq!(card["capabilities"]["extensions"], expected);
}

// A2A-4.6.2-01
#[tokio::test]
async fn extension_data_travels_in_metadata_under_its_uri() {
    let agent = scripted(|request, task| async move {
        let heard = request.message().metadata.clone().unwrap_or_default();
        let artifact = task
            .artifact("a")
            .text("x")
            .metadata(heard)
            .extension(OPTIONAL);
        artifact.send().await?;
        task.complete().await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut message = message("hi");
        message["extensions"] = json!([OPTIONAL]);
        message["metadata"] = json!({OPTIONAL: {"lat": 1, "lon_deg": -2.5}});
        let answer = caller
            .call("SendMessage", json!({"message": message}))
            .await;
        let (artifact, kept) = (&answer.task()["artifacts"][0], &answer.task()["history"][0]);
        for holder in [artifact, kept] {
            assert_eq!(holder["extensions"], message["extensions"]);
            assert_eq!(holder["metadata"], message["metadata"]);
        }
    }
}
