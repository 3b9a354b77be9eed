//! Artifacts and the pieces they come in (A2A §3.7, §4.2.2).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use a2a_types::Struct;
use serde_json::{Value, json};
use support::{Event, Scripted, briefs, fold, scripted, serve_agent, within};

fn object(value: Value) -> Struct {
    Struct(value.as_object().unwrap().clone())
}

/// Streams what the agent says; hands out the artifact events and the artifacts of the task.
async fn artifacts(agent: Scripted) -> (Vec<Value>, Value) {
    let server = serve_agent(agent).await;
    let mut seen = Vec::new();
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        briefs(&events, 1);
        let id = events[0].body["task"]["id"].as_str().unwrap();
        let read = caller.get_task(id).await;
        let blocking = caller.send("hi").await;
        let artifacts = &read.task()["artifacts"];
        assert_eq!(*artifacts, blocking.task()["artifacts"]);
        seen.push((
            events.iter().filter_map(update).collect(),
            artifacts.clone(),
        ));
    }
    let (first, second) = (seen.remove(0), seen.remove(0));
    assert_eq!(first, second);
    first
}

/// The update without its ids.
fn update(event: &Event) -> Option<Value> {
    let mut update = event.body.get("artifactUpdate")?.clone();
    let members = update.as_object_mut().unwrap();
    members.remove("taskId");
    members.remove("contextId");
    Some(update)
}

// A2A-4.2-02
#[tokio::test]
async fn appended_pieces_make_one_artifact() {
    let agent = scripted(|_, task| async move {
        task.artifact("a").text("1").send().await?;
        task.artifact("a").text("2").append().send().await?;
        task.artifact("a")
            .text("3")
            .data(json!([3]))
            .append()
            .last_chunk()
            .send()
            .await?;
        task.complete().await
    });
    let (events, artifacts) = artifacts(agent).await;
    assert_eq!(
        events,
        [
            json!({"artifact": {"artifactId": "a", "parts": [{"text": "1"}]}}),
            json!({"artifact": {"artifactId": "a", "parts": [{"text": "2"}]}, "append": true}),
            json!({
                "artifact": {"artifactId": "a", "parts": [{"text": "3"}, {"data": [3]}]},
                "append": true, "lastChunk": true,
            }),
        ]
    );
    let parts = json!([{"text": "1"}, {"text": "2"}, {"text": "3"}, {"data": [3]}]);
    assert_eq!(artifacts, json!([{"artifactId": "a", "parts": parts}]));
}

// A2A-4.1-09, A2A-4.2-02
#[tokio::test]
async fn the_same_id_without_append_replaces_the_artifact_in_its_place() {
    let agent = scripted(|_, task| async move {
        task.artifact("a").name("old").text("1").send().await?;
        task.artifact("b").text("2").send().await?;
        task.artifact("a").text("3").send().await?;
        task.complete().await
    });
    let (events, artifacts) = artifacts(agent).await;
    assert_eq!(
        events[2],
        json!({"artifact": {"artifactId": "a", "parts": [{"text": "3"}]}})
    );
    let expected = json!([
        {"artifactId": "a", "parts": [{"text": "3"}]},
        {"artifactId": "b", "parts": [{"text": "2"}]},
    ]);
    assert_eq!(artifacts, expected);
}

// A2A-4.2-02 B11
#[tokio::test]
async fn the_first_piece_on_the_wire_is_never_an_append() {
    let agent = scripted(|request, task| async move {
        task.artifact("a")
            .text(request.text())
            .append()
            .send()
            .await?;
        task.artifact("a").text("2").append().send().await?;
        task.complete().await
    });
    let (events, artifacts) = artifacts(agent).await;
    assert_eq!(
        events[0],
        json!({"artifact": {"artifactId": "a", "parts": [{"text": "hi"}]}})
    );
    assert_eq!(events[1]["append"], true);
    let parts = json!([{"text": "hi"}, {"text": "2"}]);
    assert_eq!(artifacts, json!([{"artifactId": "a", "parts": parts}]));
}

// B11
#[tokio::test]
async fn a_later_turn_appends_to_what_an_earlier_one_made() {
    let agent = scripted(|request, task| async move {
        let text = request.text();
        task.artifact("a").text(&*text).append().send().await?;
        match text.as_str() {
            "end" => task.complete().await,
            _ => task.input_required("more?").await,
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let id = caller.send("hi").await.task_id();
        let events = within(caller.stream_to(&id, "end").await.all()).await;
        let expected = json!({
            "artifact": {"artifactId": "a", "parts": [{"text": "end"}]}, "append": true,
        });
        assert_eq!(update(&events[1]).unwrap(), expected);
        let read = caller.get_task(&id).await;
        let parts = json!([{"text": "hi"}, {"text": "end"}]);
        assert_eq!(
            read.task()["artifacts"],
            json!([{"artifactId": "a", "parts": parts}])
        );
        assert_eq!(fold(&events), *read.task());
    }
}

// A2A-4.2-02, A2A-3.2.5-01 R092
#[tokio::test]
async fn pieces_of_several_artifacts_may_come_mixed_and_keep_what_is_known_of_each() {
    let agent = scripted(|_, task| async move {
        let first = task
            .artifact("a1")
            .name("one")
            .description("first")
            .text("1");
        first
            .metadata(object(json!({"x": 1, "y": 1})))
            .extension("urn:e")
            .send()
            .await?;
        task.artifact("a2").text("2").send().await?;
        let more = task.artifact("a1").text("3").append();
        more.metadata(object(json!({"y": 2, "z": null})))
            .extension("urn:f")
            .send()
            .await?;
        task.artifact("a2")
            .name("two")
            .text("4")
            .append()
            .send()
            .await?;
        task.artifact("a1")
            .text("5")
            .append()
            .last_chunk()
            .send()
            .await?;
        task.complete().await
    });
    let (events, artifacts) = artifacts(agent).await;
    assert_eq!(events.len(), 5);
    let one = json!({
        "artifactId": "a1", "name": "one", "description": "first",
        "parts": [{"text": "1"}, {"text": "3"}, {"text": "5"}],
        "metadata": {"x": 1, "y": 2, "z": null}, "extensions": ["urn:e", "urn:f"],
    });
    let two = json!({
        "artifactId": "a2", "name": "two", "parts": [{"text": "2"}, {"text": "4"}],
    });
    assert_eq!(artifacts, json!([one, two]));
}
