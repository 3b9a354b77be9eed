//! How a store of webhook registrations lists them, and how many it takes.

use std::sync::Arc;

use super::push::{Configs, config, ids};
use super::support::{owner, scope};
use crate::store::{Owner, PushCursor, Registered, Scope};

// A2A-3.1.9-02
pub(crate) async fn list_begins_after_a_place(store: Configs) {
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
        let place = PushCursor::new(after, alice.clone());
        let page = store.page(&scope(&alice), "t", Some(&place), 10).await;
        assert_eq!(ids(&page), ["b", "d", "f"][3 - count..], "{after}");
        assert_eq!(page.next, None, "{after}");
    }
}

// A2A-3.1.9-02
pub(crate) async fn list_is_no_longer_than_the_limit(store: Configs) {
    let alice = owner("alice");
    store.put_all(&alice, "t", &["a", "b", "c"]).await;
    store.put_all(&owner("bob"), "t", &["a1", "a2"]).await;
    for limit in [1, 2, 3, 4, usize::MAX] {
        let page = store.page(&scope(&alice), "t", None, limit).await;
        let last = PushCursor::new(["a", "b"][usize::from(limit == 2)], alice.clone());
        assert_eq!(page.next, (limit < 3).then_some(last), "{limit}");
        assert_eq!(ids(&page), ["a", "b", "c"][..limit.min(3)]);
        let place = PushCursor::new("a", alice.clone());
        let page = store.page(&scope(&alice), "t", Some(&place), limit).await;
        assert_eq!(page.next.is_some(), limit < 2, "{limit}");
        assert_eq!(ids(&page), ["b", "c"][..limit.min(2)]);
    }
}

// A2A-3.1.9-02
pub(crate) async fn list_in_pages_is_the_list(store: Configs) {
    let alice = owner("alice");
    for n in 0..25 {
        let config = config("t", &format!("c{:02}", n * 7 % 25));
        store.register(&alice, config).await;
    }
    let mut seen: Vec<String> = Vec::new();
    let mut after = None;
    loop {
        let page = store.page(&scope(&alice), "t", after.as_ref(), 4).await;
        seen.extend(ids(&page));
        assert!(seen.len() <= 25, "the list has an end");
        // What goes behind the place where the next page begins changes nothing.
        store
            .delete(&scope(&alice), "t", seen.last().unwrap())
            .await
            .unwrap();
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(
        seen,
        (0..25).map(|n| format!("c{n:02}")).collect::<Vec<_>>()
    );
}

pub(crate) async fn pages_skip_no_owner_of_the_same_id(store: Configs) {
    let owners = [
        owner(""),
        owner("alice"),
        owner("bob"),
        Owner::new("a", "alice"),
        Owner::new("b", ""),
    ];
    for (n, owner) in owners.iter().enumerate().rev() {
        for id in ["c", "d"] {
            let config = config("t", id).with_url(format!("{id}{n}"));
            store.register(owner, config).await;
        }
    }
    let expected: Vec<_> = ["c", "d"]
        .iter()
        .flat_map(|id| (0..owners.len()).map(move |n| format!("{id}{n}")))
        .collect();
    for limit in 1..=11 {
        let mut seen: Vec<String> = Vec::new();
        let mut after = None;
        loop {
            let page = store
                .page(&Scope::__system(), "t", after.as_ref(), limit)
                .await;
            seen.extend(
                page.webhooks
                    .iter()
                    .map(|webhook| webhook.config.url.clone()),
            );
            assert!(seen.len() <= 10, "the list has an end");
            match page.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, expected, "{limit} a page");
    }
}

pub(crate) async fn cursor_of_another_owner_shows_nothing_of_his(store: Configs) {
    let (alice, bob) = (owner("alice"), owner("bob"));
    store.put_all(&alice, "t", &["a", "c"]).await;
    store.put_all(&bob, "t", &["b", "c"]).await;
    let place = PushCursor::new("a", bob.clone());
    let page = store.page(&scope(&alice), "t", Some(&place), 10).await;
    assert_eq!(ids(&page), ["c"]);
    let place = PushCursor::new("c", alice.clone());
    let page = store.page(&scope(&bob), "t", Some(&place), 10).await;
    assert_eq!(ids(&page), ["c"]);
}

pub(crate) async fn full_task_takes_no_more_registrations(store: Configs) {
    let (alice, bob) = (owner("alice"), owner("bob"));
    let put = |owner: &Owner, task_id: &str, id: &str, most: usize| {
        let (owner, config) = (
            owner.clone(),
            config(task_id, id).with_url(most.to_string()),
        );
        let store = &store;
        async move { store.put(&owner, config, most).await.unwrap() }
    };
    assert_eq!(put(&alice, "t", "a", 0).await, Registered::Full);
    assert!(store.all(&Scope::__system(), "t").await.is_empty());
    assert_eq!(put(&alice, "t", "a", 2).await, Registered::Stored);
    assert_eq!(put(&bob, "t", "a", 2).await, Registered::Stored);
    for owner in [&alice, &bob] {
        assert_eq!(put(owner, "t", "b", 2).await, Registered::Full);
        assert_eq!(store.all(&scope(owner), "t").await, ["a"]);
        // Another task has room of its own.
        assert_eq!(put(owner, "u", "b", 2).await, Registered::Stored);
    }
    // What replaces another takes no room.
    assert_eq!(put(&alice, "t", "a", 1).await, Registered::Stored);
    let url = store.found(&scope(&alice), "t", "a").await.unwrap();
    assert_eq!(url, "1");
    store.delete(&scope(&bob), "t", "a").await.unwrap();
    assert_eq!(put(&alice, "t", "b", 2).await, Registered::Stored);
}

pub(crate) async fn concurrent_registrations_keep_the_limit(store: Configs) {
    let put = |n: usize| {
        let store = Arc::clone(&store.store);
        async move {
            let owner = owner(["alice", "bob"][n % 2]);
            store.put(&owner, config("t", &n.to_string()), 5).await
        }
    };
    let results = store.together((0..16).map(put)).await;
    let stored = results
        .into_iter()
        .filter(|result| *result.as_ref().unwrap() == Registered::Stored)
        .count();
    assert_eq!(stored, 5);
    assert_eq!(store.all(&Scope::__system(), "t").await.len(), 5);
}
