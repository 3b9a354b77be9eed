//! Texts, bytes and numbers that stores have been seen to change.

use serde_json::json;

use crate::reducer::TaskEvent;
use crate::store::{Created, ListQuery, Owner, Scope};
use crate::testkit::support::{
    Tasks, Writer, artifact, chunk, full_task, input, key, object, owner, scope, sorted, task,
    transient, whole,
};
use crate::{Artifact, Message, Part, Task};

/// Texts that break out of where they do not belong, or are not what they look like.
pub(crate) const TEXTS: &[&str] = &[
    "'; DROP TABLE tasks; --",
    "' OR '1'='1",
    "\" OR \"\"=\"",
    "x'; DELETE FROM tasks WHERE 'a'='a",
    "%",
    "_",
    "*",
    "?1",
    ":id",
    "$1",
    "{}",
    "\\",
    "a\\'b",
    "../../etc/passwd",
    "a/b",
    "a:b",
    "a|b",
    "a\nb",
    "a\r\nb",
    "a\u{0}b",
    "\u{1}\u{1f}\u{7f}",
    " ",
    "a",
    "A",
    " a",
    "a ",
    "0",
    "00",
    "1e3",
    "null",
    "NULL",
    "\u{e9}",
    "e\u{301}",
    "\u{df}",
    "ss",
    "\u{130}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "\u{202e}abc",
    "\u{5d0}\u{5d1}",
    "\u{feff}",
    "\u{fffd}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{2028}",
];

pub(crate) async fn any_text_is_an_id(store: Tasks) {
    let alice = owner("alice");
    for id in TEXTS {
        let mut writer = Writer::create(&store, &alice, task(id, 0)).await;
        writer.write([chunk(*id), input(id)]).await;
    }
    for id in TEXTS {
        let stored = store.stored(&scope(&alice), id).await;
        assert_eq!(stored.task.id, *id);
        assert_eq!(stored.task.artifacts[0].text(), *id);
        assert_eq!(store.log(id).await.len(), 1);
    }
    let walked = store.pages(&scope(&alice), &whole(7)).await.concat();
    let expected = sorted(TEXTS.iter().map(|&id| id.to_owned()).collect());
    assert_eq!(walked.into_iter().rev().collect::<Vec<_>>(), expected);
}

pub(crate) async fn any_text_is_a_context(store: Tasks) {
    let alice = owner("alice");
    for (n, context) in TEXTS.iter().enumerate() {
        store
            .add(&alice, task(&n.to_string(), 0).with_context_id(*context))
            .await;
    }
    for (n, context) in TEXTS.iter().enumerate() {
        let query = ListQuery {
            context_id: Some((*context).to_owned()),
            ..whole(100)
        };
        let page = store.page(&scope(&alice), &query).await;
        let found: Vec<_> = page.tasks.iter().map(|task| task.id.clone()).collect();
        assert_eq!(
            (found, page.total),
            (vec![n.to_string()], 1),
            "context {context:?}"
        );
    }
}

// A2A-13.1-01
pub(crate) async fn any_text_is_an_owner(store: Tasks) {
    let owners = || {
        let principals = TEXTS.iter().map(|text| Owner::new("tenant", *text));
        principals.chain(TEXTS.iter().map(|text| Owner::new(*text, "principal")))
    };
    for (n, owner) in owners().enumerate() {
        store.add(&owner, task(&n.to_string(), 0)).await;
    }
    for (n, owner) in owners().enumerate() {
        let page = store.page(&scope(&owner), &whole(100)).await;
        assert_eq!((page.tasks.len(), page.total), (1, 1), "{owner:?}");
        assert_eq!(
            store.stored(&scope(&owner), &n.to_string()).await.owner,
            owner
        );
    }
    for tenant in TEXTS {
        let page = store.page(&Scope::tenant(*tenant), &whole(100)).await;
        assert_eq!((page.tasks.len(), page.total), (1, 1), "tenant {tenant:?}");
    }
    for owner in owners() {
        assert_eq!(
            store.delete_owner(&owner).await.unwrap().len(),
            1,
            "{owner:?}"
        );
    }
}

pub(crate) async fn any_text_is_a_message_id(store: Tasks) {
    let alice = owner("alice");
    for (n, id) in TEXTS.iter().enumerate() {
        let created = store.send(&alice, &n.to_string(), key(id, 1, 0, 100)).await;
        assert_eq!(created, Created::New, "message {id:?}");
    }
    for (n, id) in TEXTS.iter().enumerate() {
        let created = store.send(&alice, "again", key(id, 1, 0, 100)).await;
        assert_eq!(created, Created::Existing(n.to_string()), "message {id:?}");
    }
}

pub(crate) async fn any_text_is_content(store: Tasks) {
    let text = TEXTS.concat();
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    let message = Message::user(text.as_str()).with_message_id(&text);
    let named = Artifact::new(&text, [Part::url(&text).with_filename(&text)])
        .with_name(&text)
        .with_description(&text)
        .with_metadata(object(json!({ &text: [&text] })))
        .with_extensions([&text]);
    let events = || [TaskEvent::Input(message.clone()), transient(&text)];
    writer.write(events()).await;
    writer
        .write([artifact(named.clone(), false), artifact(named, true)])
        .await;
    writer.check().await;
    assert_eq!(store.log("t").await.len(), 3);
}

// A2A-5.5: absent, empty and null are three things.
pub(crate) async fn what_is_absent_stays_absent(store: Tasks) {
    let alice = owner("alice");
    let bare = task("bare", 0);
    let empty = full_task("empty")
        .with_metadata(object(json!({})))
        .with_history([
            Message::default(),
            Message::default().with_metadata(object(json!({}))),
        ])
        .with_artifacts([Artifact::default(), Artifact::new("a", [Part::default()])]);
    for task in [bare, empty] {
        store.add(&alice, task.clone()).await;
        assert_eq!(*store.stored(&scope(&alice), &task.id).await.task, task);
    }
}

pub(crate) async fn numbers_keep_their_value(store: Tasks) {
    let numbers = json!({
        "whole": [0, -1, 9_007_199_254_740_991_u64, 9_007_199_254_740_993_u64, u64::MAX, i64::MIN],
        "broken": [0.1, 1e21, 1.5e300, 5e-324, -0.5],
    });
    let numbered = Task::default()
        .with_metadata(object(numbers.clone()))
        .with_id("t");
    let numbered = numbered.with_status(task("t", 0).status.unwrap());
    let mut writer = Writer::create(&store, &owner("alice"), numbered).await;
    writer.write([chunk(numbers.clone())]).await;
    writer.check().await;
    let stored = store.stored(&Scope::__system(), "t").await;
    let expected = numbers.to_string();
    assert_eq!(
        serde_json::to_string(&stored.task.metadata).unwrap(),
        expected
    );
    let data = stored.task.artifacts[0].parts[0].as_data().unwrap();
    assert_eq!(data.to_string(), expected);
}

pub(crate) async fn part_of_16_mib_is_kept(store: Tasks) {
    let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(16 << 20).collect();
    let mut writer = Writer::create(&store, &owner("alice"), task("t", 0)).await;
    writer
        .write([chunk(Part::raw(bytes.clone())), chunk("after")])
        .await;
    let stored = store.stored(&Scope::__system(), "t").await;
    let parts = &stored.task.artifacts[0].parts;
    assert_eq!(parts.len(), 2);
    assert!(
        parts[0].as_raw().unwrap() == bytes.as_slice(),
        "the bytes are the same"
    );
    assert_eq!(store.log("t").await.len(), 2);
}

pub(crate) async fn message_of_16_mib_is_kept(store: Tasks) {
    let text = "\u{e9}\u{1f600}\n\"a".repeat((16 << 20) / 9);
    let alice = owner("alice");
    let mut large = task("t", 0);
    large.history.push(Message::user(text.as_str()));
    let mut writer = Writer::create(&store, &alice, large).await;
    writer.write([input(&text)]).await;
    let stored = store.stored(&scope(&alice), "t").await;
    assert_eq!(stored.task.history.len(), 2);
    assert!(
        stored
            .task
            .history
            .iter()
            .all(|message| message.text() == text)
    );
}
