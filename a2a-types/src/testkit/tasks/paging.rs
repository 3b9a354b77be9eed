//! Lists in pages, also while their tasks come, change and go (A2A §3.1.4).

use std::collections::BTreeSet;

use crate::store::{Cursor, ListQuery, Scope};
use crate::testkit::support::{
    Tasks, Writer, at, ids, in_state, owner, place, scope, status, task, whole,
};
use crate::{TaskState, Timestamp};

/// Tasks `t0` to `t9`, each a second newer than the one before.
async fn ten_tasks(store: &Tasks) -> Vec<Writer> {
    let mut writers = Vec::new();
    for n in 0..10 {
        writers.push(Writer::create(store, &owner("alice"), task(&format!("t{n}"), n)).await);
    }
    writers
}

fn after(cursor: Option<Cursor>, page_size: usize) -> ListQuery {
    ListQuery {
        after: cursor,
        ..whole(page_size)
    }
}

// A2A-3.1.4-02
pub(crate) async fn pages_together_are_the_list(store: Tasks) {
    ten_tasks(&store).await;
    let scope = scope(&owner("alice"));
    let list = store.page(&scope, &whole(100)).await;
    assert_eq!(list.next, None);
    for page_size in 1..=11 {
        let pages = store.pages(&scope, &whole(page_size)).await;
        assert_eq!(pages.len(), 10_usize.div_ceil(page_size));
        assert_eq!(pages.concat(), ids(&list));
    }
}

// R112
pub(crate) async fn pages_of_equal_times_skip_and_repeat_nothing(store: Tasks) {
    let alice = owner("alice");
    for n in 0..250 {
        store
            .add(&alice, task(&format!("t{:03}", n * 7 % 250), 0))
            .await;
    }
    let pages = store.pages(&scope(&alice), &whole(100)).await;
    assert_eq!(
        pages.iter().map(Vec::len).collect::<Vec<_>>(),
        [100, 100, 50]
    );
    let expected: Vec<_> = (0..250).rev().map(|n| format!("t{n:03}")).collect();
    assert_eq!(pages.concat(), expected);
}

// A2A-3.1.4-04
pub(crate) async fn full_last_page_is_the_last(store: Tasks) {
    ten_tasks(&store).await;
    let page = store.page(&scope(&owner("alice")), &whole(10)).await;
    assert_eq!((page.tasks.len(), page.next), (10, None));
    let first = store.page(&scope(&owner("alice")), &whole(5)).await;
    let second = store
        .page(&scope(&owner("alice")), &after(first.next, 5))
        .await;
    assert_eq!((second.tasks.len(), second.next), (5, None));
}

// A2A-3.1.4-09
pub(crate) async fn total_counts_all_pages(store: Tasks) {
    ten_tasks(&store).await;
    let scope = scope(&owner("alice"));
    for cursor in [
        None,
        Some(place(&task("t5", 5))),
        Some(place(&task("t0", 0))),
    ] {
        assert_eq!(store.page(&scope, &after(cursor, 3)).await.total, 10);
    }
}

pub(crate) async fn page_may_be_of_any_size(store: Tasks) {
    ten_tasks(&store).await;
    for page_size in [1_000_000, usize::MAX - 1, usize::MAX] {
        for scope in [scope(&owner("alice")), Scope::tenant(""), Scope::__system()] {
            let page = store.page(&scope, &whole(page_size)).await;
            assert_eq!((page.tasks.len(), page.next, page.total), (10, None, 10));
        }
    }
}

pub(crate) async fn cursor_is_a_place_and_not_a_task(store: Tasks) {
    ten_tasks(&store).await;
    let scope = scope(&owner("alice"));
    let cases = [
        (
            Cursor {
                timestamp: at(5),
                id: "t5".to_owned(),
            },
            vec!["t4", "t3"],
        ),
        (
            Cursor {
                timestamp: at(5),
                id: "t50".to_owned(),
            },
            vec!["t5", "t4"],
        ),
        (
            Cursor {
                timestamp: at(5),
                id: String::new(),
            },
            vec!["t4", "t3"],
        ),
        (
            Cursor {
                timestamp: at(100),
                id: String::new(),
            },
            vec!["t9", "t8"],
        ),
        (
            Cursor {
                timestamp: at(-1),
                id: "z".to_owned(),
            },
            vec![],
        ),
        (
            Cursor {
                timestamp: at(0),
                id: "t0".to_owned(),
            },
            vec![],
        ),
        (
            Cursor {
                timestamp: Timestamp::default(),
                id: String::new(),
            },
            vec![],
        ),
    ];
    for (cursor, expected) in cases {
        let page = store.page(&scope, &after(Some(cursor.clone()), 2)).await;
        assert_eq!(ids(&page), expected, "after {cursor:?}");
        assert_eq!(
            (page.next.is_some(), page.total),
            (!expected.is_empty(), 10)
        );
    }
}

// R112
pub(crate) async fn cursor_of_a_purged_task_keeps_its_place(store: Tasks) {
    let alice = owner("alice");
    for n in 0..6 {
        store.add(&alice, task(&format!("t{n}"), n)).await;
        store.add(&owner("bob"), task(&format!("u{n}"), n)).await;
    }
    let first = store.page(&Scope::tenant(""), &whole(5)).await;
    assert_eq!(ids(&first), ["u5", "t5", "u4", "t4", "u3"]);
    store.delete_owner(&owner("bob")).await.unwrap();
    let second = store.page(&Scope::tenant(""), &after(first.next, 5)).await;
    assert_eq!(ids(&second), ["t3", "t2", "t1", "t0"]);
    assert_eq!((second.next, second.total), (None, 6));
}

// R112
pub(crate) async fn cursor_of_a_moved_task_keeps_its_place(store: Tasks) {
    let mut writers = ten_tasks(&store).await;
    let scope = scope(&owner("alice"));
    let first = store.page(&scope, &whole(3)).await;
    assert_eq!(ids(&first), ["t9", "t8", "t7"]);
    writers[7].write([status(TaskState::Working, 100)]).await;
    let second = store.page(&scope, &after(first.next.clone(), 3)).await;
    assert_eq!(ids(&second), ["t6", "t5", "t4"]);
    writers[7].write([status(TaskState::Working, -100)]).await;
    let second = store.page(&scope, &after(first.next, 3)).await;
    assert_eq!(ids(&second), ["t6", "t5", "t4"]);
}

// A2A-3.1.4-11
pub(crate) async fn walk_while_tasks_are_added_repeats_nothing(store: Tasks) {
    ten_tasks(&store).await;
    let alice = owner("alice");
    let mut query = whole(3);
    let mut seen = Vec::new();
    for round in 0.. {
        let page = store.page(&scope(&alice), &query).await;
        seen.extend(page.tasks.iter().map(|task| task.id.clone()));
        assert!(seen.len() <= 10, "the list has an end");
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
        store
            .add(&alice, task(&format!("new{round}"), 100 + round))
            .await;
        store.add(&alice, task(&format!("a{round}"), 9)).await;
    }
    let expected: Vec<_> = (0..10).rev().map(|n| format!("t{n}")).collect();
    assert_eq!(seen, expected);
}

// R112
pub(crate) async fn walk_while_tasks_are_updated_skips_no_other(store: Tasks) {
    let mut writers = ten_tasks(&store).await;
    let scope = scope(&owner("alice"));
    for (page_size, touched) in [(1, [9, 5, 0]), (2, [8, 7, 1]), (3, [2, 6, 3])] {
        let order = store.pages(&scope, &whole(100)).await.concat();
        let mut query = whole(page_size);
        let mut seen = Vec::new();
        for round in 0.. {
            let page = store.page(&scope, &query).await;
            seen.extend(page.tasks.iter().map(|task| task.id.clone()));
            assert!(seen.len() <= 10, "the list has an end");
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
            if let Some(n) = touched.get(round) {
                let second = 1000 + i64::try_from(round + 10 * page_size).unwrap();
                writers[*n]
                    .write([status(TaskState::Working, second)])
                    .await;
            }
        }
        let once: BTreeSet<_> = seen.iter().collect();
        assert_eq!(once.len(), seen.len(), "no task is seen twice");
        let is_touched = |id: &String| touched.iter().any(|n| *id == format!("t{n}"));
        seen.retain(|id| !is_touched(id));
        let expected: Vec<_> = order.into_iter().filter(|id| !is_touched(id)).collect();
        assert_eq!(seen, expected);
    }
}

// R112
pub(crate) async fn walk_over_purged_tasks_goes_on(store: Tasks) {
    let alice = owner("alice");
    for n in 0..12 {
        let state = if n % 4 == 0 {
            TaskState::Submitted
        } else {
            TaskState::Canceled
        };
        store
            .add(&alice, in_state(&format!("t{n:02}"), n, state))
            .await;
    }
    let first = store.page(&scope(&alice), &whole(2)).await;
    assert_eq!(ids(&first), ["t11", "t10"]);
    store.expire(at(11), 100).await.unwrap();
    let second = store.page(&scope(&alice), &after(first.next, 2)).await;
    assert_eq!(ids(&second), ["t08", "t04"]);
    let third = store.page(&scope(&alice), &after(second.next, 2)).await;
    assert_eq!(
        (ids(&third), third.next.clone(), third.total),
        (vec!["t00"], None, 4)
    );
}
