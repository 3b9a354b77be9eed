//! What lies outside the scope does not exist (A2A §3.3.2, §13.1).

use crate::TaskState;
use crate::store::{Append, ListQuery, Owner, Scope, StoreErrorKind};
use crate::testkit::support::{
    Tasks, Writer, at, chunk, entries, full_task, ids, input, owner, place, scope, status, task,
    whole,
};

/// Checks that every call in this scope behaves as if there were no such task.
async fn check_hidden(store: &Tasks, outside: &Scope, writer: &Writer) {
    let id = writer.task.id.as_str();
    assert!(
        store.load(outside, id).await.unwrap().is_none(),
        "{outside:?}"
    );
    for after in [0, writer.sequence, writer.sequence + 1] {
        assert!(
            store
                .events(outside, id, after, 10)
                .await
                .unwrap()
                .is_none(),
            "{outside:?}"
        );
    }
    let entries = writer.entries([chunk("foreign")]);
    for after in [writer.revision, writer.revision + 1] {
        let append = Append::new(after, &entries);
        let error = store.append(outside, id, append).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::NotFound, "{outside:?}");
    }
    let context_id = Some(writer.task.context_id.clone());
    let queries = [
        whole(10),
        ListQuery {
            context_id,
            ..whole(10)
        },
        ListQuery {
            status: Some(writer.task.state()),
            ..whole(10)
        },
        ListQuery {
            updated_since: Some(at(-1000)),
            ..whole(10)
        },
        ListQuery {
            after: Some(place(&task("z", 1000))),
            ..whole(10)
        },
    ];
    for query in queries {
        let page = store.page(outside, &query).await;
        assert_eq!(
            (page.tasks.len(), page.next, page.total),
            (0, None, 0),
            "{outside:?}"
        );
    }
    writer.check().await;
}

async fn written(store: &Tasks, owner: &Owner) -> Writer {
    let mut writer = Writer::create(store, owner, full_task("t")).await;
    writer
        .write([input("x"), chunk("x"), status(TaskState::Working, 5)])
        .await;
    writer
}

// A2A-13.1-06, A2A-13.1-07, A2A-3.3.2-13
pub(crate) async fn task_of_another_owner_is_unknown(store: Tasks) {
    let writer = written(&store, &owner("alice")).await;
    for other in ["bob", "", "Alice", "alice ", "alic", "%", "alice\0"] {
        check_hidden(&store, &scope(&owner(other)), &writer).await;
    }
}

// A2A-13.1-01
pub(crate) async fn same_principal_in_another_tenant_is_another_owner(store: Tasks) {
    let writer = written(&store, &Owner::new("a", "alice")).await;
    for tenant in ["b", "", "A", "a ", "%"] {
        check_hidden(&store, &scope(&Owner::new(tenant, "alice")), &writer).await;
    }
}

pub(crate) async fn tenant_and_principal_do_not_run_together(store: Tasks) {
    let writer = written(&store, &Owner::new("a", "b")).await;
    for (tenant, principal) in [("", "ab"), ("ab", ""), ("b", "a"), ("a/b", ""), ("", "a/b")] {
        check_hidden(&store, &scope(&Owner::new(tenant, principal)), &writer).await;
    }
}

pub(crate) async fn anonymous_owner_is_one_per_tenant(store: Tasks) {
    let writer = written(&store, &Owner::new("a", "")).await;
    for other in [
        Owner::new("", ""),
        Owner::new("b", ""),
        Owner::new("a", "alice"),
    ] {
        check_hidden(&store, &scope(&other), &writer).await;
    }
    assert_eq!(
        *store.stored(&scope(&Owner::new("a", "")), "t").await.task,
        writer.task
    );
}

pub(crate) async fn task_of_another_tenant_is_unknown(store: Tasks) {
    let writer = written(&store, &Owner::new("a", "alice")).await;
    for tenant in ["", "b", "alice", "A", "aa", "%"] {
        check_hidden(&store, &Scope::tenant(tenant), &writer).await;
    }
    assert_eq!(
        *store.stored(&Scope::tenant("a"), "t").await.task,
        writer.task
    );
}

/// Works on a task in a scope that covers it though it is not the owner's own.
async fn check_covered(store: &Tasks, wider: &Scope, owner: &Owner, id: &str) {
    let before = store.stored(wider, id).await;
    assert_eq!(before.owner, *owner);
    let entries = entries(&before.task, before.sequence, [chunk("by another")]);
    store
        .append(wider, id, Append::new(before.revision, &entries))
        .await
        .unwrap();
    let stored = store.stored(&scope(owner), id).await;
    assert_eq!(stored.owner, *owner);
    assert_eq!(
        (stored.revision, stored.sequence),
        (before.revision + 1, before.sequence + 1)
    );
    let events = store
        .events(wider, id, before.sequence, 10)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(events.len(), 1);
}

// A2A-13.1-04
pub(crate) async fn tenant_scope_covers_all_owners_of_the_tenant(store: Tasks) {
    let owners = [
        Owner::new("a", "alice"),
        Owner::new("a", "bob"),
        Owner::new("a", ""),
    ];
    store
        .add(&Owner::new("b", "alice"), task("foreign", 1))
        .await;
    store.add(&Owner::new("", "alice"), task("none", 1)).await;
    for (n, owner) in owners.iter().enumerate() {
        store.add(owner, task(&n.to_string(), 0)).await;
        check_covered(&store, &Scope::tenant("a"), owner, &n.to_string()).await;
    }
    let page = store.page(&Scope::tenant("a"), &whole(10)).await;
    assert_eq!((ids(&page), page.total), (vec!["2", "1", "0"], 3));
    let page = store.page(&Scope::tenant(""), &whole(10)).await;
    assert_eq!((ids(&page), page.total), (vec!["none"], 1));
}

pub(crate) async fn system_scope_covers_everything(store: Tasks) {
    let owners = [
        Owner::new("a", "alice"),
        Owner::new("b", "alice"),
        Owner::new("", ""),
        owner("alice"),
    ];
    for (n, owner) in owners.iter().enumerate() {
        store.add(owner, task(&n.to_string(), 0)).await;
        check_covered(&store, &Scope::__system(), owner, &n.to_string()).await;
    }
    let page = store.page(&Scope::__system(), &whole(10)).await;
    assert_eq!((ids(&page), page.total), (vec!["3", "2", "1", "0"], 4));
}

// A2A-3.1.4-01, A2A-3.1.4-13, R113
pub(crate) async fn list_and_total_are_of_the_scope(store: Tasks) {
    let (alice, bob) = (owner("alice"), owner("bob"));
    for n in 0..5 {
        store.add(&alice, task(&format!("own{n}"), n)).await;
    }
    for n in 0..3 {
        store.add(&bob, task(&format!("foreign{n}"), n)).await;
    }
    let page = store.page(&scope(&alice), &whole(2)).await;
    assert_eq!((ids(&page), page.total), (vec!["own4", "own3"], 5));
    let page = store.page(&scope(&bob), &whole(2)).await;
    assert_eq!((ids(&page), page.total), (vec!["foreign2", "foreign1"], 3));
    assert_eq!(store.page(&Scope::tenant(""), &whole(2)).await.total, 8);
}

// A2A-3.1.4-02
pub(crate) async fn wider_list_is_in_order_over_its_owners(store: Tasks) {
    for n in 0..30 {
        let owner = Owner::new(["a", "b"][n % 2], ["x", "y", "z"][n % 3]);
        let second = i64::try_from(n % 4).unwrap();
        store.add(&owner, task(&format!("t{n:02}"), second)).await;
    }
    for (scope, total) in [(Scope::__system(), 30), (Scope::tenant("a"), 15)] {
        let list = store.page(&scope, &whole(100)).await;
        assert_eq!(list.total, total);
        let places: Vec<_> = list.tasks.iter().map(|task| place(task)).collect();
        assert!(places.is_sorted_by(|newer, older| newer > older));
        for page_size in [1, 4, 15] {
            assert_eq!(
                store.pages(&scope, &whole(page_size)).await.concat(),
                ids(&list)
            );
        }
    }
}

/// A cursor of one caller is a place in the lists of all, and shows no more of them.
pub(crate) async fn cursor_of_another_owner_widens_nothing(store: Tasks) {
    let (alice, bob) = (owner("alice"), owner("bob"));
    for n in 0..6 {
        let owner = if n % 2 == 0 { &alice } else { &bob };
        store.add(owner, task(&format!("t{n}"), n)).await;
    }
    let foreign = store.page(&scope(&alice), &whole(2)).await;
    assert_eq!(ids(&foreign), ["t4", "t2"]);
    let query = ListQuery {
        after: foreign.next,
        ..whole(2)
    };
    let page = store.page(&scope(&bob), &query).await;
    assert_eq!(
        (ids(&page), page.next.clone(), page.total),
        (vec!["t1"], None, 3)
    );
}
