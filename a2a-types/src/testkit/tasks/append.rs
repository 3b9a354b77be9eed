//! Entries that are added to the log, and what they make of the task.

use serde_json::json;

use crate::reducer::TaskEvent;
use crate::store::{Append, NewTask, StoreErrorKind};
use crate::testkit::support::{
    Tasks, Writer, artifact, chunk, full_task, input, object, owner, said, scope, status, task,
    transient, whole,
};
use crate::{Artifact, Message, Part, Role, TaskState};

pub(crate) async fn revision_counts_the_entries(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    for count in [1, 3, 2] {
        writer.write((0..count).map(|n| chunk(n.to_string()))).await;
        writer.check().await;
    }
    assert_eq!((writer.revision, writer.sequence), (6, 6));
}

pub(crate) async fn inputs_count_as_entries_but_not_as_events(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    writer.write([input("1")]).await;
    writer.check().await;
    assert_eq!((writer.revision, writer.sequence), (1, 0));
    writer
        .write([chunk("x"), input("2"), input("3"), said("x"), input("4")])
        .await;
    writer.check().await;
    assert_eq!((writer.revision, writer.sequence), (6, 2));
}

// R103
pub(crate) async fn append_at_another_revision_is_a_conflict(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, task("t", 0)).await;
    writer.write([chunk("1"), input("2"), said("3")]).await;
    let entries = writer.entries([chunk("x"), status(TaskState::Failed, 9)]);
    for after in [0, 2, 4, u64::MAX] {
        let append = Append::new(after, &entries);
        let error = store.append(&scope(&alice), "t", append).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Conflict, "after {after}");
    }
    writer.check().await;
    assert_eq!(store.log("t").await.len(), 2);
    writer.write([chunk("4")]).await;
    writer.check().await;
}

pub(crate) async fn task_that_has_ended_stays_as_it_was(store: Tasks) {
    let alice = owner("alice");
    let id = "0190a6c2-1b2c-4d3e-8f40-a1b2c3d4e5f6";
    let message = Message::new(Role::User, ["said"]).with_message_id("m");
    let parts = |parts: Vec<Part>| vec![Artifact::new("a", parts)];
    let large = Part::data(json!({ "large": 9_007_199_254_740_993_u64 }));
    let tasks = [
        task("plain", 0).with_history([message.clone()]),
        task(id, 0)
            .with_context_id(id)
            .with_history([message.with_task_id(id).with_context_id(id)]),
        task(&id.to_uppercase(), 0).with_context_id(id.to_uppercase()),
        full_task("full"),
        task("pieces", 0).with_artifacts(parts(vec![Part::text("piece"); 1000])),
        task("long", 0).with_artifacts(parts(vec![Part::text("x".repeat(100_000))])),
        task("raw", 0).with_artifacts(parts(vec![Part::raw(&b"\x00"[..]), Part::url("urn:x")])),
        task("data", 0).with_artifacts(parts(vec![large])),
    ];
    for begun in tasks {
        let id = begun.id.clone();
        let mut writer = Writer::create(&store, &alice, begun).await;
        writer.write([status(TaskState::Completed, 1)]).await;
        writer.check().await;
        let error = store.create(&alice, NewTask::new(task(&id, 0))).await;
        assert_eq!(error.unwrap_err().kind(), StoreErrorKind::Conflict);
    }
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(page.tasks.len(), 8);
    for listed in page.tasks {
        let stored = store.stored(&scope(&alice), &listed.id).await;
        assert_eq!(listed, stored.task);
    }
}

pub(crate) async fn append_of_nothing_changes_nothing(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, full_task("t")).await;
    writer.write([]).await;
    writer.check().await;
    writer.write([chunk("x")]).await;
    let error = store
        .append(&scope(&alice), "t", Append::new(0, &[]))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Conflict);
    writer.check().await;
}

pub(crate) async fn entries_together_do_what_they_do_one_by_one(store: Tasks) {
    let events = || {
        let metadata = object(json!({ "n": 1 }));
        let named = Artifact::new("b", ["1"])
            .with_name("b")
            .with_metadata(metadata);
        [
            said("one"),
            chunk("1"),
            artifact(named, false),
            TaskEvent::Input(Message::user("two").with_message_id("m")),
            chunk("2"),
            transient("three"),
            status(TaskState::Completed, 4),
        ]
    };
    let alice = owner("alice");
    let mut together = Writer::create(&store, &alice, task("together", 0)).await;
    together.write(events()).await;
    together.check().await;
    let mut single = Writer::create(&store, &alice, task("single", 0)).await;
    for event in events() {
        single.write([event]).await;
        single.check().await;
    }
    assert_eq!(together.task.artifacts, single.task.artifacts);
    assert_eq!(together.task.history.len(), single.task.history.len());
    assert_eq!(
        store.log("together").await.len(),
        store.log("single").await.len()
    );
}

// A2A-4.2-02, R092
pub(crate) async fn chunks_are_added_to_their_own_artifact(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), full_task("t")).await;
    let of = |id: &str, text: &str| artifact(Artifact::new(id, [text]), true);
    writer
        .write([of("a1", "1"), of("new", "1"), of("a2", "1")])
        .await;
    writer.write([of("new", "2")]).await;
    writer
        .write([of("a1", "2"), of("a2", "2"), of("new", "3")])
        .await;
    writer.check().await;
    let ids: Vec<_> = writer
        .task
        .artifacts
        .iter()
        .map(|a| a.artifact_id.as_str())
        .collect();
    assert_eq!(ids, ["a1", "a2", "new"]);
    assert_eq!(writer.task.artifact("new").unwrap().text(), "123");
}

// A2A-4.2-02
pub(crate) async fn chunks_merge_what_describes_the_artifact(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), full_task("t")).await;
    let renamed = Artifact::new("a1", ["x"])
        .with_name("newer")
        .with_metadata(object(json!({ "added": [1], "from": "chunk" })))
        .with_extensions(["urn:z:v1", "urn:new:v1"]);
    writer.write([artifact(renamed, true)]).await;
    writer.check().await;
    let merged = writer.task.artifact("a1").unwrap();
    assert_eq!(
        (merged.name.as_str(), merged.description.as_str()),
        ("newer", "description")
    );
    assert_eq!(merged.extensions, ["urn:z:v1", "urn:new:v1"]);
}

// A2A-4.1-09
pub(crate) async fn artifact_without_append_replaces_the_known_one(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), full_task("t")).await;
    writer.write([chunk("1"), chunk("2")]).await;
    writer
        .write([artifact(Artifact::new("a1", ["new"]), false)])
        .await;
    writer
        .write([artifact(Artifact::new("a", ["3"]), false), chunk("4")])
        .await;
    writer.check().await;
    assert_eq!(writer.task.artifacts[0], Artifact::new("a1", ["new"]));
    assert_eq!(writer.task.artifact("a").unwrap().text(), "34");
}

// A2A-3.7-06
pub(crate) async fn status_messages_move_into_the_history(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    writer.write([said("one")]).await;
    writer.write([input("two")]).await;
    writer.write([said("three"), said("four")]).await;
    writer.check().await;
    let texts: Vec<_> = writer.task.history.iter().map(Message::text).collect();
    assert_eq!(texts, ["one", "two", "three"]);
}

// A2A-3.7-06
pub(crate) async fn transient_message_is_in_the_log_alone(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    writer.write([said("one"), transient("two")]).await;
    writer.write([status(TaskState::Working, 1)]).await;
    writer.check().await;
    let texts: Vec<_> = writer.task.history.iter().map(Message::text).collect();
    assert_eq!(texts, ["one"]);
    let log = store.log("t").await;
    assert!(matches!(log[1].event(), TaskEvent::Transient(_)));
    assert_eq!(log[1].event().stream_json(), *log[1].json());
    assert!(String::from_utf8_lossy(log[1].json()).contains("two"));
}

// A2A-3.2.4, R110
pub(crate) async fn history_keeps_its_order_within_one_instant(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    writer.write((0..500).map(|n| said(&n.to_string()))).await;
    for n in 500..600 {
        writer
            .write([said(&n.to_string()), input(&n.to_string())])
            .await;
    }
    writer.check().await;
    let texts: Vec<_> = writer.task.history.iter().map(Message::text).collect();
    let twice = (500..600).flat_map(|n| [n, n]);
    let expected: Vec<_> = (0..500).chain(twice).map(|n| n.to_string()).collect();
    assert_eq!(texts, expected);
}

pub(crate) async fn long_log_adds_up(store: Tasks) {
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    for batch in 0..50 {
        writer
            .write((0..40).map(|n| chunk(format!("{batch}/{n} "))))
            .await;
    }
    writer.write([status(TaskState::Completed, 1)]).await;
    writer.check().await;
    assert_eq!((writer.revision, writer.sequence), (2001, 2001));
    assert_eq!(writer.task.artifacts[0].parts.len(), 2000);
}

/// The store keeps whatever the fold of the log says, for sequences that nobody thought of.
pub(crate) async fn loaded_task_is_the_fold_of_any_log(store: Tasks) {
    for seed in 1..=20 {
        let mut random = Random(seed);
        let id = format!("t{seed}");
        let mut writer = Writer::create(&store, &owner("alice"), full_task(&id)).await;
        for _ in 0..8 {
            let count = random.below(5);
            let events: Vec<_> = (0..count).map(|_| random.event()).collect();
            writer.write(events).await;
            writer.check().await;
        }
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound).unwrap()
    }

    fn event(&mut self) -> TaskEvent {
        let text = self.0.to_string();
        match self.below(6) {
            0 => input(&text),
            1 => said(&text),
            2 => transient(&text),
            3 => status(
                TaskState::InputRequired,
                i64::try_from(self.0 % 100).unwrap(),
            ),
            _ => {
                let id = ["a", "a1", "a2", "b"][self.below(4)];
                let mut chunk = Artifact::new(id, [text.clone()]);
                if self.below(2) == 0 {
                    chunk = chunk.with_name(text.clone());
                }
                if self.below(2) == 0 {
                    let key = ["from", "k1", "k2"][self.below(3)];
                    chunk = chunk.with_metadata(object(json!({ key: text })));
                }
                artifact(chunk, self.below(4) > 0)
            }
        }
    }
}
