//! What a message may hold, and what of it reaches the agent and comes back (A2A §3.2.2, §3.2.5,
//! §4.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use a2a_server::{InputModes, Server};
use a2a_types::{A2aError, AgentCard, AgentSkill};
use serde_json::{Value, json};
use support::{Scripted, builder, message, scripted, serve, serve_agent};

// A2A-3.1.1-04, A2A-13.4-07 D25
#[tokio::test]
async fn a_part_of_an_unsupported_media_type_is_refused_when_types_are_checked() {
    let agent = Scripted::echo();
    let checked = serve(builder(agent.clone()).input_modes(InputModes::Checked)).await;
    let mut odd = message("hi");
    odd["parts"] = json!([{"text": "a"}, {"raw": "AAAA", "mediaType": "application/x-foo"}]);
    for caller in checked.callers() {
        let params = json!({"message": odd});
        let answer = caller.call("SendMessage", params.clone()).await;
        let reason = Some("CONTENT_TYPE_NOT_SUPPORTED");
        answer.expect_error(-32005, 400, "INVALID_ARGUMENT", reason);
        let refused = caller.stream("SendStreamingMessage", params).await;
        let refused = refused.err().unwrap();
        refused.expect_error(-32005, 400, "INVALID_ARGUMENT", reason);
        assert_eq!(caller.send("hi").await.state(), "COMPLETED");
    }
    assert_eq!(agent.runs(), 2);
    let unchecked = serve_agent(Scripted::echo()).await;
    for caller in unchecked.callers() {
        let answer = caller.call("SendMessage", json!({"message": odd})).await;
        assert_eq!(answer.state(), "COMPLETED");
    }
}

// D25: a skill may take more than the agent takes by default.
#[tokio::test]
async fn a_media_type_of_a_skill_is_no_unsupported_one() {
    let skill = AgentSkill::default()
        .with_id("see")
        .with_name("See")
        .with_description("Looks at pictures")
        .with_tags(["see"])
        .with_input_modes(["image/*"]);
    let card = AgentCard::builder("Eyes", "Looks at pictures").add_skill(skill);
    let agent = Server::builder(Scripted::echo()).card(card);
    let server = serve(agent.input_modes(InputModes::Checked)).await;
    for caller in server.callers() {
        for (media_type, state) in [("image/png", Some("COMPLETED")), ("audio/wav", None)] {
            let mut sent = message("look");
            sent["parts"] = json!([{"raw": "AAAA", "mediaType": media_type}]);
            let answer = caller.call("SendMessage", json!({"message": sent})).await;
            match state {
                Some(state) => assert_eq!(answer.state(), state),
                None => answer.expect_error(
                    -32005,
                    400,
                    "INVALID_ARGUMENT",
                    Some("CONTENT_TYPE_NOT_SUPPORTED"),
                ),
            }
        }
    }
}

// A2A-3.2.2-05
#[tokio::test]
async fn the_agent_knows_the_accepted_output_modes() {
    let agent = scripted(|request, task| async move {
        let modes = request.accepted_output_modes().join(" ");
        task.artifact("modes").data(json!(modes)).send().await?;
        task.complete().await
    });
    let refusing = A2aError::content_type_not_supported("image/png");
    let server = serve_agent(agent.clone()).await;
    let refuses = serve_agent(agent.refusing(refusing)).await;
    let configuration = json!({"acceptedOutputModes": ["image/png", "text/plain"]});
    for caller in server.callers() {
        let params = json!({"message": message("hi"), "configuration": configuration});
        let answer = caller.call("SendMessage", params.clone()).await;
        let parts = &answer.task()["artifacts"][0]["parts"];
        assert_eq!(*parts, json!([{"data": "image/png text/plain"}]));
        let refuses = refuses.caller(caller.wire);
        let answer = refuses.call("SendMessage", params).await;
        let reason = Some("CONTENT_TYPE_NOT_SUPPORTED");
        answer.expect_error(-32005, 400, "INVALID_ARGUMENT", reason);
        assert_eq!(refuses.count().await, 0);
    }
}

// A2A-3.2.5-01
#[tokio::test]
async fn metadata_and_data_pass_through_unchanged() {
    let agent = scripted(|request, task| async move {
        let mut artifact = task.artifact("back");
        for part in &request.message().parts {
            artifact = artifact.part(part.clone());
        }
        let metadata = request.metadata().unwrap().clone();
        artifact.metadata(metadata).send().await?;
        task.complete().await
    });
    let server = serve_agent(agent).await;
    let odd = json!({
        "object": {"nested": {"deep": [1, [2, {"three": null}]]}}, "null": null, "half": 1.5,
        "true": true, "whole": 1, "big": 18_446_744_073_709_551_615_u64, "text": "ü\n\"</x>",
        "empty": {}, "none": [], "a.b/c": "",
    });
    let kinds = [
        json!({"k": 1}),
        json!([1, "a"]),
        json!("s"),
        json!(2),
        json!(true),
        json!(null),
    ];
    // A2A-4.1-04, A2A-4.1-05
    let parts: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({"data": kind, "metadata": odd, "mediaType": "a/b", "filename": "f"}))
        .collect();
    let question = json!({
        "messageId": "m", "role": "ROLE_USER", "parts": parts, "metadata": odd,
        "extensions": ["urn:x"], "contextId": "c-1",
    });
    for caller in server.callers() {
        let params = json!({"message": question, "metadata": odd});
        let answer = caller.call("SendMessage", params).await;
        let task = answer.task();
        assert_eq!(
            task["artifacts"],
            json!([{"artifactId": "back", "parts": parts, "metadata": odd}])
        );
        let mut kept = question.clone();
        kept["taskId"] = task["id"].clone();
        assert_eq!(task["history"], json!([kept]));
    }
}

// A2A-4.1-01, A2A-4.1-02, A2A-4.1-03, A2A-4.1-07, A2A-3.3.2-09, A2A-3.3.2-10
#[tokio::test]
async fn a_message_without_what_it_needs_is_refused_before_the_agent_runs() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let whole = message("hi");
    let without = |member: &str| {
        let mut message = whole.clone();
        message.as_object_mut().unwrap().remove(member);
        json!({"message": message})
    };
    let with = |member: &str, value: Value| {
        let mut message = whole.clone();
        message[member] = value;
        json!({"message": message})
    };
    for caller in server.callers() {
        for (params, fields) in [
            (json!({}), vec!["message"]),
            (without("messageId"), vec!["message.messageId"]),
            (with("messageId", json!("")), vec!["message.messageId"]),
            (without("role"), vec!["message.role"]),
            (
                with("role", json!("ROLE_UNSPECIFIED")),
                vec!["message.role"],
            ),
            (with("role", json!("ROLE_AGENT")), vec!["message.role"]),
            (without("parts"), vec!["message.parts"]),
            (with("parts", json!([])), vec!["message.parts"]),
            (
                with("parts", json!([{"text": "a"}, {}])),
                vec!["message.parts[1]"],
            ),
            (
                json!({"message": {"parts": []}}),
                vec!["message.messageId", "message.parts", "message.role"],
            ),
        ] {
            caller
                .call("SendMessage", params.clone())
                .await
                .expect_invalid(&fields);
            let streamed = caller.stream("SendStreamingMessage", params).await;
            streamed.err().unwrap().expect_invalid(&fields);
        }
        let two = with("parts", json!([{"text": "a", "url": "https://b"}]));
        let answer = caller.call("SendMessage", two).await;
        answer.expect_error(-32602, 400, "INVALID_ARGUMENT", None);
        assert_eq!(answer.violations().len(), 1);
        assert_eq!(caller.count().await, 0);
    }
    assert_eq!(agent.runs(), 0);
}
