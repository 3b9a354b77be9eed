//! The fold of events into a task, on both sides, against a model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use a2a_types::prost::Message as _;
use a2a_types::reducer::{Fold, TaskEvent, apply, apply_taking};
use a2a_types::{
    Artifact, Message, Part, StreamResponse, Struct, Task, TaskArtifactUpdateEvent, TaskState,
    TaskStatus, TaskStatusUpdateEvent,
};
use proptest::prelude::*;
use serde_json::json;

fn task() -> Task {
    Task::default()
        .with_id("t")
        .with_context_id("c")
        .with_status(TaskState::Submitted)
}

fn status(state: TaskState, text: Option<&str>) -> TaskEvent {
    let status = TaskStatus::from(state);
    let status = match text {
        Some(text) => status.with_message(Message::agent(text)),
        None => status,
    };
    TaskEvent::Status(
        TaskStatusUpdateEvent::default()
            .with_task_id("t")
            .with_context_id("c")
            .with_status(status),
    )
}

fn transient(state: TaskState, text: &str) -> TaskEvent {
    match status(state, Some(text)) {
        TaskEvent::Status(event) => TaskEvent::Transient(event),
        other => other,
    }
}

fn input(text: &str) -> TaskEvent {
    TaskEvent::Input(Message::user(text))
}

fn chunk(append: bool, artifact: Artifact) -> TaskEvent {
    TaskEvent::Artifact(
        TaskArtifactUpdateEvent::default()
            .with_task_id("t")
            .with_context_id("c")
            .with_artifact(artifact)
            .with_append(append),
    )
}

fn text(append: bool, id: &str, text: &str) -> TaskEvent {
    chunk(append, Artifact::new(id, [text]))
}

fn fold(events: impl IntoIterator<Item = TaskEvent>) -> Task {
    events.into_iter().fold(task(), |mut task, event| {
        apply(&mut task, &event);
        task
    })
}

fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::text).collect()
}

fn parts(artifact: &Artifact) -> Vec<&str> {
    artifact.parts.iter().filter_map(Part::as_text).collect()
}

// A2A-4.2-02, R092
#[test]
fn interleaved_chunks_are_added_to_their_own_artifact_in_order() {
    let task = fold([
        text(false, "a1", "1"),
        text(false, "a2", "x"),
        text(true, "a1", "2"),
        text(true, "a2", "y"),
        text(true, "a1", "3"),
    ]);
    assert_eq!(task.artifacts.len(), 2);
    assert_eq!(parts(&task.artifacts[0]), ["1", "2", "3"]);
    assert_eq!(parts(&task.artifacts[1]), ["x", "y"]);
}

// A2A-4.1-09, R092
#[test]
fn an_artifact_without_append_replaces_the_known_one_in_its_place() {
    let old = Artifact::new("a1", ["old"])
        .with_name("name")
        .with_extensions(["urn:x:v1"]);
    let task = fold([
        chunk(false, old),
        text(false, "a2", "x"),
        text(false, "a1", "new"),
    ]);
    assert_eq!(
        task.artifacts,
        [Artifact::new("a1", ["new"]), Artifact::new("a2", ["x"])]
    );
}

// B11
#[test]
fn a_chunk_for_an_unknown_artifact_begins_it() {
    let task = fold([text(true, "a", "1"), text(true, "a", "2")]);
    assert_eq!(parts(&task.artifacts[0]), ["1", "2"]);
    assert_eq!(task.artifacts.len(), 1);
}

// R092
#[test]
fn a_chunk_merges_names_metadata_and_extensions_and_newer_values_win() {
    let metadata = |value: serde_json::Value| Struct(value.as_object().unwrap().clone());
    let first = Artifact::new("a", ["1"])
        .with_name("name")
        .with_description("old")
        .with_metadata(metadata(json!({ "kept": 1, "changed": 1 })))
        .with_extensions(["urn:x:v1"]);
    let second = Artifact::new("a", ["2"])
        .with_description("new")
        .with_metadata(metadata(json!({ "changed": 2, "added": null })))
        .with_extensions(["urn:y:v1", "urn:x:v1"]);
    let task = fold([
        chunk(false, first),
        chunk(true, second),
        text(true, "a", "3"),
    ]);
    assert_eq!(
        task.artifacts,
        [Artifact::new("a", ["1", "2", "3"])
            .with_name("name")
            .with_description("new")
            .with_metadata(metadata(json!({ "kept": 1, "changed": 2, "added": null })))
            .with_extensions(["urn:x:v1", "urn:y:v1"])]
    );
}

// A2A-3.7-06
#[test]
fn a_superseded_status_message_moves_into_the_history() {
    let task = fold([
        input("hello"),
        status(TaskState::Working, Some("looking")),
        status(TaskState::Working, None),
        status(TaskState::Completed, Some("done")),
    ]);
    assert_eq!(texts(&task.history), ["hello", "looking"]);
    let status = task.status.unwrap();
    assert_eq!(status.state(), TaskState::Completed);
    assert_eq!(status.message.unwrap().text(), "done");
}

#[test]
fn an_answer_comes_after_the_question_in_the_history() {
    let task = fold([
        input("book a table"),
        status(TaskState::InputRequired, Some("for how many?")),
        input("two"),
        status(TaskState::Completed, Some("booked")),
    ]);
    assert_eq!(
        texts(&task.history),
        ["book a table", "for how many?", "two"]
    );
}

#[test]
fn a_status_message_said_again_is_one_message() {
    let message = Message::agent("working on it");
    let again = TaskStatus::from(TaskState::Working).with_message(message);
    let event = TaskEvent::Status(TaskStatusUpdateEvent::default().with_status(again));
    let task = fold([
        event.clone(),
        event.clone(),
        event,
        status(TaskState::Completed, None),
    ]);
    assert_eq!(texts(&task.history), ["working on it"]);
}

// A2A-3.7-03
#[test]
fn a_transient_message_is_shown_but_not_kept() {
    let event = transient(TaskState::Working, "37 %");
    let shown = event.to_stream_response().unwrap();
    assert!(serde_json::to_string(&shown).unwrap().contains("37 %"));
    assert_eq!(event.stream_json(), serde_json::to_vec(&shown).unwrap());
    let task = fold([
        status(TaskState::Submitted, Some("kept")),
        event,
        status(TaskState::Completed, None),
    ]);
    assert_eq!(texts(&task.history), ["kept"]);
    let task = fold([transient(TaskState::Failed, "secret")]);
    assert_eq!(
        (task.state(), task.status.unwrap().message),
        (TaskState::Failed, None)
    );
}

// B14: peers reuse message ids, so that an id alone never makes two messages one.
#[test]
fn two_inputs_with_one_id_are_two_messages() {
    let one = Message::user("one").with_message_id("m");
    let two = Message::user("two").with_message_id("m");
    let task = fold([TaskEvent::Input(one), TaskEvent::Input(two)]);
    assert_eq!(texts(&task.history), ["one", "two"]);
}

#[test]
fn metadata_of_events_stays_with_the_events() {
    let metadata = Struct(json!({ "k": 1 }).as_object().unwrap().clone());
    let status = TaskStatusUpdateEvent::default()
        .with_status(TaskState::Working)
        .with_metadata(metadata.clone());
    let artifact = TaskArtifactUpdateEvent::default()
        .with_artifact(Artifact::new("a", ["1"]))
        .with_metadata(metadata);
    let task = fold([TaskEvent::Status(status), TaskEvent::Artifact(artifact)]);
    assert_eq!((task.metadata, &task.artifacts[0].metadata), (None, &None));
}

#[test]
fn events_without_content_change_nothing() {
    let before = fold([text(false, "a", "1"), status(TaskState::Working, Some("m"))]);
    let mut after = before.clone();
    apply(
        &mut after,
        &TaskEvent::Status(TaskStatusUpdateEvent::default()),
    );
    apply(
        &mut after,
        &TaskEvent::Transient(TaskStatusUpdateEvent::default()),
    );
    apply(
        &mut after,
        &TaskEvent::Artifact(TaskArtifactUpdateEvent::default()),
    );
    assert_eq!(after, before);
}

#[test]
fn an_event_tells_the_state_it_brings() {
    assert_eq!(
        status(TaskState::Failed, None).state(),
        Some(TaskState::Failed)
    );
    assert_eq!(
        transient(TaskState::Working, "x").state(),
        Some(TaskState::Working)
    );
    for event in [
        input("x"),
        text(false, "a", "1"),
        TaskEvent::Status(Default::default()),
    ] {
        assert_eq!(event.state(), None);
    }
}

#[test]
fn the_json_of_an_event_is_that_of_its_stream_response() {
    for event in [
        status(TaskState::Working, Some("ü\n")),
        text(true, "a", "1"),
    ] {
        let response = event.to_stream_response().unwrap();
        assert_eq!(event.stream_json(), serde_json::to_vec(&response).unwrap());
        assert_eq!(event.stream_protobuf(), response.encode_to_vec());
        let back: StreamResponse = serde_json::from_slice(&event.stream_json()).unwrap();
        assert_eq!(back, response);
    }
    assert!(input("hidden").stream_json().is_empty());
    assert!(input("hidden").stream_protobuf().is_empty());
    assert_eq!(input("hidden").to_stream_response(), None);
}

#[test]
fn a_fold_keeps_a_message_beside_a_task() {
    let mut fold = Fold::default();
    assert_eq!((fold.task(), fold.message()), (None, None));
    let message = Message::agent("hi");
    fold.push(&message.clone().into());
    fold.push(&StreamResponse::default());
    assert_eq!((fold.task(), fold.message()), (None, Some(&message)));
    fold.push(&task().into());
    assert_eq!(fold.into_parts(), (Some(task()), Some(message)));
}

// Some peers send no task first.
#[test]
fn a_fold_begins_a_task_from_its_first_update() {
    let mut fold = Fold::default();
    fold.push(&text(true, "a", "1").to_stream_response().unwrap());
    let task = fold.task().unwrap();
    assert_eq!((task.id.as_str(), task.context_id.as_str()), ("t", "c"));
    assert_eq!(task.artifacts, [Artifact::new("a", ["1"])]);
}

/// What can happen, for the model.
#[derive(Clone, Debug)]
enum Step {
    Chunk {
        artifact: u8,
        append: bool,
        text: String,
    },
    Status {
        state: TaskState,
        message: Option<String>,
    },
    Transient(String),
    Input(String),
}

fn step() -> impl Strategy<Value = Step> {
    let state = prop::sample::select(vec![
        TaskState::Working,
        TaskState::InputRequired,
        TaskState::AuthRequired,
    ]);
    prop_oneof![
        4 => (0..3u8, any::<bool>(), "[a-z]{0,3}")
            .prop_map(|(artifact, append, text)| Step::Chunk { artifact, append, text }),
        2 => (state, prop::option::of("[a-z]{1,3}"))
            .prop_map(|(state, message)| Step::Status { state, message }),
        1 => "[a-z]{1,3}".prop_map(Step::Transient),
        1 => "[a-z]{1,3}".prop_map(Step::Input),
    ]
}

/// What must come out, said in the simplest way: everything said, and the texts by artifact.
#[derive(Default)]
struct Model {
    said: Vec<String>,
    artifacts: Vec<(String, Vec<String>)>,
}

impl Model {
    fn take(&mut self, step: &Step) -> TaskEvent {
        match step {
            Step::Status { state, message } => {
                self.said.extend(message.clone());
                status(*state, message.as_deref())
            }
            Step::Transient(message) => transient(TaskState::Working, message),
            Step::Input(message) => {
                self.said.push(message.clone());
                input(message)
            }
            Step::Chunk {
                artifact,
                append,
                text: chunk,
            } => {
                let id = artifact.to_string();
                let known = self.artifacts.iter().position(|(known, _)| *known == id);
                let at = known.unwrap_or_else(|| {
                    self.artifacts.push((id.clone(), Vec::new()));
                    self.artifacts.len() - 1
                });
                let texts = &mut self.artifacts[at].1;
                if !append {
                    texts.clear();
                }
                texts.push(chunk.clone());
                text(*append, &id, chunk)
            }
        }
    }
}

proptest! {
    // R060, R092, A2A-4.2-03: events alone, a snapshot alone, both, and a resubscription in the
    // middle all give the same, which is what the model says.
    #[test]
    fn every_way_to_learn_of_a_task_gives_what_the_model_says(
        steps in prop::collection::vec(step(), 0..40),
        resubscribe in any::<prop::sample::Index>(),
    ) {
        let mut model = Model::default();
        let mut events: Vec<_> = steps.iter().map(|step| model.take(step)).collect();
        events.push(status(TaskState::Completed, Some("end")));
        model.said.push("end".to_owned());

        let mut server = task();
        let mut from_events = Fold::default();
        from_events.push(&server.clone().into());
        let mut resubscribed = Fold::default();
        for (index, event) in events.iter().enumerate() {
            if index == resubscribe.index(events.len()) {
                resubscribed = Fold::from_task(task());
                resubscribed.push(&server.clone().into());
            }
            apply(&mut server, event);
            if let Some(event) = event.to_stream_response() {
                from_events.push(&event);
                resubscribed.push(&event);
            }
        }

        let artifacts: Vec<_> = server
            .artifacts
            .iter()
            .map(|a| (a.artifact_id.clone(), parts(a).into_iter().map(str::to_owned).collect()))
            .collect();
        prop_assert_eq!(artifacts, model.artifacts);
        let mut said = texts(&server.history);
        said.extend(server.status.as_ref().unwrap().message.as_ref().map(Message::text));
        prop_assert_eq!(said, model.said);

        let mut taken = task();
        for mut event in events {
            apply_taking(&mut taken, &mut event);
        }
        prop_assert_eq!(&taken, &server);

        let mut with_final_snapshot = from_events.clone();
        with_final_snapshot.push(&server.clone().into());
        prop_assert_eq!(with_final_snapshot.task(), Some(&server));
        for fold in [from_events, resubscribed] {
            let task = fold.task().unwrap();
            prop_assert_eq!(&task.artifacts, &server.artifacts);
            prop_assert_eq!(&task.status, &server.status);
        }
    }
}
