//! The behaviours of a store of webhook registrations.
//!
//! A registration needs no task: whether there is one is for the server to know.

use std::sync::Arc;

use super::Subject;
use super::support::{owner, scope, sorted};
use super::tasks::content::TEXTS;
use crate::store::{Owner, PushConfigStore, Scope};
use crate::{AuthenticationInfo, TaskPushNotificationConfig};

type Configs = Subject<dyn PushConfigStore>;

fn config(task_id: &str, id: &str) -> TaskPushNotificationConfig {
    TaskPushNotificationConfig::default()
        .with_task_id(task_id)
        .with_id(id)
        .with_url(format!("https://example.com/{task_id}/{id}"))
}

fn full_config() -> TaskPushNotificationConfig {
    let authentication = AuthenticationInfo::default()
        .with_scheme("Bearer")
        .with_credentials("s3cret\u{e9}");
    config("t", "c")
        .with_tenant("tenant")
        .with_token("t0ken")
        .with_authentication(authentication)
}

impl Configs {
    async fn found(&self, scope: &Scope, task_id: &str, id: &str) -> Option<String> {
        let config = self.get(scope, task_id, id).await.unwrap();
        config.map(|config| config.url)
    }

    /// The ids of a page.
    async fn ids(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Vec<String> {
        let configs = self.list(scope, task_id, after, limit).await.unwrap();
        assert!(configs.iter().all(|config| config.task_id == task_id));
        configs.into_iter().map(|config| config.id).collect()
    }

    async fn all(&self, scope: &Scope, task_id: &str) -> Vec<String> {
        self.ids(scope, task_id, None, usize::MAX).await
    }

    async fn put_all(&self, owner: &Owner, task_id: &str, ids: &[&str]) {
        for id in ids {
            self.put(owner, config(task_id, id)).await.unwrap();
        }
    }
}

// A2A-3.1.7-02, A2A-3.1.8-01, A2A-13.2-14
pub(crate) async fn registration_is_read_as_it_was_stored(store: Configs) {
    let alice = owner("alice");
    store.put(&alice, full_config()).await.unwrap();
    assert_eq!(
        store.get(&scope(&alice), "t", "c").await.unwrap(),
        Some(full_config())
    );
    assert_eq!(
        store.list(&scope(&alice), "t", None, 10).await.unwrap(),
        [full_config()]
    );
    assert_eq!(
        store.list(&Scope::__system(), "t", None, 10).await.unwrap(),
        [full_config()]
    );
}

// A2A-3.1.8-02
pub(crate) async fn unknown_registration_is_none(store: Configs) {
    let alice = owner("alice");
    store.put_all(&alice, "t", &["c"]).await;
    for (task_id, id) in [
        ("t", "d"),
        ("u", "c"),
        ("c", "t"),
        ("t", ""),
        ("", "c"),
        ("T", "c"),
    ] {
        assert_eq!(
            store.found(&scope(&alice), task_id, id).await,
            None,
            "{task_id} {id}"
        );
    }
    assert!(store.all(&scope(&alice), "u").await.is_empty());
}

// A2A-3.1.7-02
pub(crate) async fn registration_with_a_known_id_replaces_it(store: Configs) {
    let alice = owner("alice");
    store.put(&alice, full_config()).await.unwrap();
    let newer = config("t", "c").with_url("https://example.com/newer");
    store.put(&alice, newer.clone()).await.unwrap();
    assert_eq!(
        store.list(&scope(&alice), "t", None, 10).await.unwrap(),
        [newer]
    );
}

// A2A-3.1.7-07
pub(crate) async fn registrations_of_one_task_are_several(store: Configs) {
    let alice = owner("alice");
    store.put_all(&alice, "t", &["b", "a", "c"]).await;
    for id in ["a", "b", "c"] {
        let url = store.found(&scope(&alice), "t", id).await.unwrap();
        assert_eq!(url, format!("https://example.com/t/{id}"));
    }
}

pub(crate) async fn same_id_at_another_task_is_another_registration(store: Configs) {
    let alice = owner("alice");
    store.put_all(&alice, "t", &["c"]).await;
    store.put_all(&alice, "u", &["c"]).await;
    store.delete(&scope(&alice), "t", "c").await.unwrap();
    let url = store.found(&scope(&alice), "u", "c").await.unwrap();
    assert_eq!(url, "https://example.com/u/c");
}

pub(crate) async fn same_id_of_another_owner_is_another_registration(store: Configs) {
    let owners = [
        owner("alice"),
        owner("bob"),
        Owner::new("tenant", "alice"),
        owner(""),
    ];
    for (n, owner) in owners.iter().enumerate() {
        store
            .put(owner, config("t", "c").with_url(n.to_string()))
            .await
            .unwrap();
    }
    for (n, owner) in owners.iter().enumerate() {
        assert_eq!(
            store.found(&scope(owner), "t", "c").await,
            Some(n.to_string())
        );
        assert_eq!(store.all(&scope(owner), "t").await, ["c"]);
    }
    assert_eq!(
        store
            .list(&Scope::__system(), "t", None, 10)
            .await
            .unwrap()
            .len(),
        4
    );
    assert_eq!(
        store
            .list(&Scope::tenant(""), "t", None, 10)
            .await
            .unwrap()
            .len(),
        3
    );
}

// A2A-3.1.9-01
pub(crate) async fn list_is_ordered_by_id(store: Configs) {
    let alice = owner("alice");
    store
        .put_all(&alice, "t", &["b", "10", "B", "a\u{e9}", "9", "az", "a"])
        .await;
    let expected = ["10", "9", "B", "a", "az", "a\u{e9}", "b"];
    assert_eq!(store.all(&scope(&alice), "t").await, expected);
}

// A2A-3.1.9-02
pub(crate) async fn list_begins_after_an_id(store: Configs) {
    let alice = owner("alice");
    store.put_all(&alice, "t", &["b", "d", "f"]).await;
    let cases = [
        ("", 3),
        ("a", 3),
        ("b", 2),
        ("c", 2),
        ("e", 1),
        ("f", 0),
        ("z", 0),
    ];
    for (after, count) in cases {
        let ids = store.ids(&scope(&alice), "t", Some(after), 10).await;
        assert_eq!(ids, ["b", "d", "f"][3 - count..], "after {after}");
    }
}

// A2A-3.1.9-02
pub(crate) async fn list_is_no_longer_than_the_limit(store: Configs) {
    let alice = owner("alice");
    store.put_all(&alice, "t", &["a", "b", "c"]).await;
    store.put_all(&owner("bob"), "t", &["a1", "a2"]).await;
    for limit in [0, 1, 2, 3, 4, usize::MAX] {
        let ids = store.ids(&scope(&alice), "t", None, limit).await;
        assert_eq!(ids, ["a", "b", "c"][..limit.min(3)]);
        let ids = store.ids(&scope(&alice), "t", Some("a"), limit).await;
        assert_eq!(ids, ["b", "c"][..limit.min(2)]);
    }
}

// A2A-3.1.9-02
pub(crate) async fn list_in_pages_is_the_list(store: Configs) {
    let alice = owner("alice");
    for n in 0..25 {
        store
            .put(&alice, config("t", &format!("c{:02}", n * 7 % 25)))
            .await
            .unwrap();
    }
    let mut seen: Vec<String> = Vec::new();
    loop {
        let after = seen.last().cloned();
        let page = store.ids(&scope(&alice), "t", after.as_deref(), 4).await;
        if page.is_empty() {
            break;
        }
        seen.extend(page);
        assert!(seen.len() <= 25, "the list has an end");
        // What goes behind the place where the next page begins changes nothing.
        store
            .delete(&scope(&alice), "t", seen.last().unwrap())
            .await
            .unwrap();
    }
    assert_eq!(
        seen,
        (0..25).map(|n| format!("c{n:02}")).collect::<Vec<_>>()
    );
}

// A2A-13.1-07
pub(crate) async fn registration_of_another_owner_is_unknown(store: Configs) {
    let alice = Owner::new("a", "alice");
    store.put(&alice, full_config()).await.unwrap();
    let owners = [
        Owner::new("a", "bob"),
        Owner::new("b", "alice"),
        Owner::new("a", ""),
        Owner::new("", "aalice"),
        Owner::new("a", "Alice"),
        Owner::new("aalice", ""),
    ];
    let scopes = owners.into_iter().map(Scope::owner);
    for outside in scopes.chain([Scope::tenant(""), Scope::tenant("b")]) {
        assert_eq!(
            store.get(&outside, "t", "c").await.unwrap(),
            None,
            "{outside:?}"
        );
        assert!(store.all(&outside, "t").await.is_empty(), "{outside:?}");
        store.delete(&outside, "t", "c").await.unwrap();
    }
    assert_eq!(
        store.get(&scope(&alice), "t", "c").await.unwrap(),
        Some(full_config())
    );
}

pub(crate) async fn wider_scope_covers_all_its_owners(store: Configs) {
    store
        .put_all(&Owner::new("a", "alice"), "t", &["c1", "c4"])
        .await;
    store.put_all(&Owner::new("a", "bob"), "t", &["c2"]).await;
    store.put_all(&Owner::new("b", "alice"), "t", &["c3"]).await;
    assert_eq!(
        store.all(&Scope::tenant("a"), "t").await,
        ["c1", "c2", "c4"]
    );
    assert_eq!(store.all(&Scope::tenant("b"), "t").await, ["c3"]);
    assert_eq!(
        store.all(&Scope::__system(), "t").await,
        ["c1", "c2", "c3", "c4"]
    );
    assert_eq!(
        store.ids(&Scope::__system(), "t", Some("c1"), 2).await,
        ["c2", "c3"]
    );
    assert!(store.found(&Scope::tenant("a"), "t", "c2").await.is_some());
    store.delete(&Scope::tenant("a"), "t", "c2").await.unwrap();
    store.delete(&Scope::__system(), "t", "c3").await.unwrap();
    assert_eq!(store.all(&Scope::__system(), "t").await, ["c1", "c4"]);
}

// A2A-3.1.10-01, A2A-3.1.10-02
pub(crate) async fn deletion_is_for_good_and_can_be_repeated(store: Configs) {
    let alice = owner("alice");
    store.delete(&scope(&alice), "t", "never").await.unwrap();
    store.put_all(&alice, "t", &["a", "b"]).await;
    for _ in 0..2 {
        store.delete(&scope(&alice), "t", "a").await.unwrap();
        assert_eq!(store.found(&scope(&alice), "t", "a").await, None);
        assert_eq!(store.all(&scope(&alice), "t").await, ["b"]);
    }
    store.delete(&scope(&alice), "t", "never").await.unwrap();
    store.put_all(&alice, "t", &["a"]).await;
    assert_eq!(store.all(&scope(&alice), "t").await, ["a", "b"]);
}

pub(crate) async fn deletion_leaves_the_same_id_of_others(store: Configs) {
    let (alice, bob) = (owner("alice"), owner("bob"));
    store.put_all(&alice, "t", &["c"]).await;
    store.put_all(&bob, "t", &["c"]).await;
    store.delete(&scope(&alice), "t", "c").await.unwrap();
    assert_eq!(store.found(&scope(&alice), "t", "c").await, None);
    assert!(store.found(&scope(&bob), "t", "c").await.is_some());
}

// D13
pub(crate) async fn purged_task_takes_its_registrations_along(store: Configs) {
    let owners = [owner("alice"), owner("bob"), Owner::new("tenant", "alice")];
    for owner in &owners {
        store.put_all(owner, "t", &["a", "b"]).await;
        store.put_all(owner, "t2", &["a"]).await;
    }
    for _ in 0..2 {
        store.delete_task("t").await.unwrap();
        assert!(store.all(&Scope::__system(), "t").await.is_empty());
    }
    for owner in &owners {
        assert_eq!(store.found(&scope(owner), "t", "a").await, None);
        assert_eq!(store.all(&scope(owner), "t2").await, ["a"]);
    }
    store.delete_task("unknown").await.unwrap();
    store.delete_task("%").await.unwrap();
    assert_eq!(
        store
            .list(&Scope::__system(), "t2", None, 10)
            .await
            .unwrap()
            .len(),
        3
    );
}

pub(crate) async fn any_text_is_a_name(store: Configs) {
    let alice = owner("alice");
    for text in TEXTS {
        store.put(&alice, config("t", text)).await.unwrap();
        store
            .put(&alice, config(text, "c").with_url(*text).with_token(*text))
            .await
            .unwrap();
        store
            .put(&Owner::new(*text, *text), config("u", "c"))
            .await
            .unwrap();
    }
    let expected = sorted(TEXTS.iter().map(|&text| text.to_owned()).collect());
    assert_eq!(store.all(&scope(&alice), "t").await, expected);
    for text in TEXTS {
        let stored = store.get(&scope(&alice), text, "c").await.unwrap().unwrap();
        assert_eq!((stored.url.as_str(), stored.token.as_str()), (*text, *text));
        assert!(store.found(&scope(&alice), "t", text).await.is_some());
        let own = Owner::new(*text, *text);
        assert_eq!(store.all(&scope(&own), "u").await, ["c"]);
        assert_eq!(store.all(&Scope::tenant(*text), "u").await, ["c"]);
        store.delete(&scope(&alice), text, "c").await.unwrap();
        store.delete(&scope(&own), "u", "c").await.unwrap();
    }
    assert_eq!(store.all(&scope(&alice), "t").await, expected);
    assert!(store.all(&Scope::__system(), "u").await.is_empty());
}

// R103
pub(crate) async fn concurrent_registrations_are_all_kept(store: Configs) {
    let put = |n: usize| {
        let store = Arc::clone(&store.store);
        async move {
            let owner = owner(["alice", "bob"][n % 2]);
            for m in 0..10 {
                store
                    .put(&owner, config("t", &format!("c{m}-{n:02}")))
                    .await
                    .unwrap();
            }
            store.put(&owner, config("t", "same")).await.unwrap();
        }
    };
    store.together((0..16).map(put)).await;
    for (principal, first) in [("alice", 0), ("bob", 1)] {
        let mut expected: Vec<_> = (0..10)
            .flat_map(|m| (first..16).step_by(2).map(move |n| format!("c{m}-{n:02}")))
            .collect();
        expected.push("same".to_owned());
        assert_eq!(store.all(&scope(&owner(principal)), "t").await, expected);
    }
}
