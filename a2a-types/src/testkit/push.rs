//! The behaviours of a store of webhook registrations.
//!
//! A registration needs no task: whether there is one is for the server to know.

use std::sync::Arc;

use super::Subject;
use super::support::{owner, scope, sorted};
use super::tasks::content::TEXTS;
use crate::push::Webhook;
use crate::store::{Owner, PushConfigStore, PushCursor, PushPage, Registered, Scope};
use crate::{AuthenticationInfo, TaskPushNotificationConfig};

pub(super) type Configs = Subject<dyn PushConfigStore>;

pub(super) fn config(task_id: &str, id: &str) -> TaskPushNotificationConfig {
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
    pub(super) async fn found(&self, scope: &Scope, task_id: &str, id: &str) -> Option<String> {
        let config = self.get(scope, task_id, id).await.unwrap();
        config.map(|config| config.url)
    }

    /// A page that begins after a place.
    pub(super) async fn page(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&PushCursor>,
        limit: usize,
    ) -> PushPage {
        let page = self.list(scope, task_id, after, limit).await.unwrap();
        assert!(page.webhooks.len() <= limit);
        for Webhook { key, config } in &page.webhooks {
            assert!(scope.covers(&key.owner));
            assert_eq!((&*key.task_id, &*key.id), (task_id, &*config.id));
            assert_eq!(config.task_id, task_id);
        }
        page
    }

    /// All registrations, which fit into one page.
    pub(super) async fn configs(
        &self,
        scope: &Scope,
        task_id: &str,
    ) -> Vec<TaskPushNotificationConfig> {
        let page = self.page(scope, task_id, None, usize::MAX).await;
        assert_eq!(page.next, None);
        page.into_configs()
    }

    pub(super) async fn all(&self, scope: &Scope, task_id: &str) -> Vec<String> {
        ids(&self.page(scope, task_id, None, usize::MAX).await)
    }

    /// Registers without a limit.
    pub(super) async fn register(&self, owner: &Owner, config: TaskPushNotificationConfig) {
        let registered = self.put(owner, config, usize::MAX).await.unwrap();
        assert_eq!(registered, Registered::Stored);
    }

    pub(super) async fn put_all(&self, owner: &Owner, task_id: &str, ids: &[&str]) {
        for id in ids {
            self.register(owner, config(task_id, id)).await;
        }
    }
}

pub(super) fn ids(page: &PushPage) -> Vec<String> {
    let ids = page
        .webhooks
        .iter()
        .map(|webhook| webhook.config.id.clone());
    ids.collect()
}

// A2A-3.1.7-02, A2A-3.1.8-01, A2A-13.2-14
pub(crate) async fn registration_is_read_as_it_was_stored(store: Configs) {
    let alice = owner("alice");
    store.register(&alice, full_config()).await;
    assert_eq!(
        store.get(&scope(&alice), "t", "c").await.unwrap(),
        Some(full_config())
    );
    assert_eq!(store.configs(&scope(&alice), "t").await, [full_config()]);
    assert_eq!(
        store.configs(&Scope::__system(), "t").await,
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
    store.register(&alice, full_config()).await;
    let newer = config("t", "c").with_url("https://example.com/newer");
    store.register(&alice, newer.clone()).await;
    assert_eq!(store.configs(&scope(&alice), "t").await, [newer]);
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
            .register(owner, config("t", "c").with_url(n.to_string()))
            .await;
    }
    for (n, owner) in owners.iter().enumerate() {
        assert_eq!(
            store.found(&scope(owner), "t", "c").await,
            Some(n.to_string())
        );
        assert_eq!(store.all(&scope(owner), "t").await, ["c"]);
    }
    assert_eq!(store.configs(&Scope::__system(), "t").await.len(), 4);
    assert_eq!(store.configs(&Scope::tenant(""), "t").await.len(), 3);
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

// A2A-13.1-07
pub(crate) async fn registration_of_another_owner_is_unknown(store: Configs) {
    let alice = Owner::new("a", "alice");
    store.register(&alice, full_config()).await;
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
    let place = PushCursor::new("c1", Owner::new("a", "alice"));
    let page = store.page(&Scope::__system(), "t", Some(&place), 2).await;
    assert_eq!(
        page.next,
        Some(PushCursor::new("c3", Owner::new("b", "alice")))
    );
    assert_eq!(ids(&page), ["c2", "c3"]);
    let owners = page.webhooks.iter().map(|webhook| &webhook.key.owner);
    let expected = [Owner::new("a", "bob"), Owner::new("b", "alice")];
    assert!(owners.eq(&expected));
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
    assert_eq!(store.configs(&Scope::__system(), "t2").await.len(), 3);
}

// A2A-13.4-21
pub(crate) async fn deleted_owner_takes_its_registrations_along(store: Configs) {
    let (alice, bob) = (owner("alice"), owner("bob"));
    let elsewhere = Owner::new("tenant", "alice");
    store.put_all(&alice, "t", &["a", "b"]).await;
    store.put_all(&alice, "u", &["a"]).await;
    store.put_all(&bob, "t", &["a"]).await;
    store.put_all(&elsewhere, "t", &["a"]).await;
    store.put_all(&bob, "v", &["a"]).await;
    let tasks = store.delete_owner(&alice).await.unwrap();
    assert_eq!(sorted(tasks), ["t", "u"]);
    assert_eq!(store.delete_owner(&alice).await.unwrap(), [""; 0]);
    for task_id in ["t", "u"] {
        assert!(store.all(&scope(&alice), task_id).await.is_empty());
    }
    assert!(store.found(&scope(&bob), "t", "a").await.is_some());
    assert!(store.found(&scope(&elsewhere), "t", "a").await.is_some());
    assert!(store.found(&scope(&bob), "v", "a").await.is_some());
    store.put_all(&alice, "t", &["a"]).await;
    assert_eq!(store.all(&scope(&alice), "t").await, ["a"]);
}

pub(crate) async fn any_text_is_a_name(store: Configs) {
    let alice = owner("alice");
    for text in TEXTS {
        store.register(&alice, config("t", text)).await;
        store
            .register(&alice, config(text, "c").with_url(*text).with_token(*text))
            .await;
        store
            .register(&Owner::new(*text, *text), config("u", "c"))
            .await;
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
                let config = config("t", &format!("c{m}-{n:02}"));
                let _ = store.put(&owner, config, usize::MAX).await.unwrap();
            }
            let config = config("t", "same");
            let _ = store.put(&owner, config, usize::MAX).await.unwrap();
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
