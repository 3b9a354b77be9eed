//! The filters of lists, alone, together and over pages (A2A §3.1.4).

use crate::store::{ListQuery, Scope, TaskPage};
use crate::testkit::support::{
    Tasks, Writer, at, at_millis, ids, in_state, owner, place, scope, stamped, status, task, whole,
};
use crate::{TaskState, Timestamp};

const STATES: [TaskState; 8] = [
    TaskState::Submitted,
    TaskState::Working,
    TaskState::InputRequired,
    TaskState::AuthRequired,
    TaskState::Completed,
    TaskState::Failed,
    TaskState::Canceled,
    TaskState::Rejected,
];

fn context(id: &str) -> ListQuery {
    ListQuery {
        context_id: Some(id.to_owned()),
        ..whole(100)
    }
}

fn since(timestamp: Timestamp) -> ListQuery {
    ListQuery {
        updated_since: Some(timestamp),
        ..whole(100)
    }
}

fn of_state(state: TaskState) -> ListQuery {
    ListQuery {
        status: Some(state),
        ..whole(100)
    }
}

fn found(page: &TaskPage) -> (Vec<&str>, usize) {
    (ids(page), page.total)
}

// A2A-3.1.4-07
pub(crate) async fn context_filter_is_exact(store: Tasks) {
    let alice = owner("alice");
    let contexts = ["c", "c1", "C", "c ", "c\0", "", "cc", "%", "c%", "_"];
    for (n, context) in contexts.iter().enumerate() {
        for copy in ["a", "b"] {
            let id = format!("{copy}{n}");
            store
                .add(&alice, task(&id, 0).with_context_id(*context))
                .await;
        }
    }
    for (n, id) in contexts.iter().enumerate() {
        let page = store.page(&scope(&alice), &context(id)).await;
        let expected = [format!("b{n}"), format!("a{n}")];
        assert_eq!(
            found(&page),
            (expected.iter().map(String::as_str).collect(), 2),
            "{id:?}"
        );
    }
    assert_eq!(
        found(&store.page(&scope(&alice), &context("d")).await),
        (vec![], 0)
    );
}

// A2A-3.1.4-07
pub(crate) async fn state_filter_finds_tasks_in_that_state(store: Tasks) {
    let alice = owner("alice");
    for state in STATES {
        store
            .add(&alice, in_state(state.as_str_name(), 0, state))
            .await;
    }
    for state in STATES {
        let page = store.page(&scope(&alice), &of_state(state)).await;
        assert_eq!(found(&page), (vec![state.as_str_name()], 1));
    }
}

// A2A-3.1.4-07
pub(crate) async fn state_filter_follows_the_task(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, task("t", 0)).await;
    store.add(&alice, task("other", 1)).await;
    for (second, state) in [(1, TaskState::Working), (1, TaskState::InputRequired)] {
        writer.write([status(state, second)]).await;
        let page = store.page(&scope(&alice), &of_state(state)).await;
        assert_eq!(found(&page), (vec!["t"], 1));
        let page = store
            .page(&scope(&alice), &of_state(TaskState::Submitted))
            .await;
        assert_eq!(found(&page), (vec!["other"], 1));
    }
    let page = store
        .page(&scope(&alice), &of_state(TaskState::Working))
        .await;
    assert_eq!(found(&page), (vec![], 0));
}

// A2A-3.1.4-07, R113
pub(crate) async fn updated_since_includes_the_instant(store: Tasks) {
    let alice = owner("alice");
    for millis in [-1000, -1, 0, 1, 1000] {
        store
            .add(&alice, stamped(&millis.to_string(), at_millis(millis)))
            .await;
    }
    let page = store.page(&scope(&alice), &since(at(0))).await;
    assert_eq!(found(&page), (vec!["1000", "1", "0"], 3));
    let page = store.page(&scope(&alice), &since(at_millis(-1))).await;
    assert_eq!(found(&page), (vec!["1000", "1", "0", "-1"], 4));
    let page = store.page(&scope(&alice), &since(at_millis(1001))).await;
    assert_eq!(found(&page), (vec![], 0));
}

pub(crate) async fn updated_since_follows_the_status(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, task("t", 0)).await;
    writer.write([status(TaskState::Working, 10)]).await;
    assert_eq!(
        found(&store.page(&scope(&alice), &since(at(10))).await),
        (vec!["t"], 1)
    );
    assert_eq!(
        found(&store.page(&scope(&alice), &since(at(11))).await),
        (vec![], 0)
    );
    let mut both = since(at(10));
    both.context_id = Some("context".to_owned());
    assert_eq!(
        found(&store.page(&scope(&alice), &both).await),
        (vec!["t"], 1)
    );
}

/// Tasks in all combinations of two contexts, two states and two times; twice each.
async fn combinations(store: &Tasks) {
    for copy in ["a", "b"] {
        for context in ["c1", "c2"] {
            for (name, state) in [("w", TaskState::Working), ("f", TaskState::Failed)] {
                for second in [10, 20] {
                    let id = format!("{second}-{context}-{name}-{copy}");
                    let task = in_state(&id, second, state).with_context_id(context);
                    store.add(&owner("alice"), task).await;
                }
            }
        }
    }
}

// A2A-3.1.4-07
pub(crate) async fn filters_apply_together(store: Tasks) {
    combinations(&store).await;
    let query = ListQuery {
        context_id: Some("c1".to_owned()),
        status: Some(TaskState::Working),
        updated_since: Some(at(20)),
        ..whole(100)
    };
    let scope = scope(&owner("alice"));
    let both = ["20-c1-w-b", "20-c1-w-a"];
    assert_eq!(found(&store.page(&scope, &query).await), (both.to_vec(), 2));

    let pair = ListQuery {
        context_id: None,
        ..query.clone()
    };
    let four = ["20-c2-w-b", "20-c2-w-a", "20-c1-w-b", "20-c1-w-a"];
    assert_eq!(found(&store.page(&scope, &pair).await), (four.to_vec(), 4));
    let pair = ListQuery {
        status: None,
        ..query.clone()
    };
    let four = ["20-c1-w-b", "20-c1-w-a", "20-c1-f-b", "20-c1-f-a"];
    assert_eq!(found(&store.page(&scope, &pair).await), (four.to_vec(), 4));
    let pair = ListQuery {
        updated_since: None,
        ..query.clone()
    };
    let four = ["20-c1-w-b", "20-c1-w-a", "10-c1-w-b", "10-c1-w-a"];
    assert_eq!(found(&store.page(&scope, &pair).await), (four.to_vec(), 4));
}

// A2A-3.1.4-02, A2A-3.1.4-09
pub(crate) async fn filtered_pages_are_the_filtered_list(store: Tasks) {
    combinations(&store).await;
    let none = whole(100);
    let queries = [
        ListQuery {
            context_id: Some("c2".to_owned()),
            ..none.clone()
        },
        ListQuery {
            status: Some(TaskState::Failed),
            ..none.clone()
        },
        ListQuery {
            updated_since: Some(at(20)),
            ..none.clone()
        },
        ListQuery {
            context_id: Some("c1".to_owned()),
            updated_since: Some(at(11)),
            ..none
        },
    ];
    for query in queries {
        for scope in [scope(&owner("alice")), Scope::tenant(""), Scope::__system()] {
            let list = store.page(&scope, &query).await;
            assert!([4, 8].contains(&list.total));
            for page_size in [1, 3, 4, 8] {
                let query = ListQuery {
                    page_size,
                    ..query.clone()
                };
                assert_eq!(store.pages(&scope, &query).await.concat(), ids(&list));
            }
        }
    }
}

// A2A-3.1.4-04
pub(crate) async fn filtered_page_is_the_last_when_no_more_tasks_match(store: Tasks) {
    let alice = owner("alice");
    for n in 0..10 {
        let state = if n < 7 {
            TaskState::Submitted
        } else {
            TaskState::Working
        };
        let task = in_state(&format!("t{n}"), n, state);
        let context = if n < 7 { "old" } else { "new" };
        store.add(&alice, task.with_context_id(context)).await;
    }
    let query = |query: ListQuery| ListQuery {
        page_size: 3,
        ..query
    };
    for query in [
        query(of_state(TaskState::Working)),
        query(context("new")),
        query(since(at(7))),
    ] {
        let page = store.page(&scope(&alice), &query).await;
        assert_eq!(found(&page), (vec!["t9", "t8", "t7"], 3));
        assert_eq!(page.next, None);
    }
}

/// A cursor need not be of a task that matches, and filters are no cursors.
pub(crate) async fn filters_and_cursor_narrow_the_list_together(store: Tasks) {
    combinations(&store).await;
    let scope = scope(&owner("alice"));
    let after = Some(place(&task("20-c1-w-b", 20)));
    let query = ListQuery {
        status: Some(TaskState::Failed),
        after: after.clone(),
        ..whole(1)
    };
    let page = store.page(&scope, &query).await;
    assert_eq!(found(&page), (vec!["20-c1-f-b"], 8));
    let query = ListQuery {
        after,
        ..since(at(20))
    };
    let page = store.page(&scope, &query).await;
    assert_eq!(
        found(&page),
        (vec!["20-c1-w-a", "20-c1-f-b", "20-c1-f-a"], 8)
    );
}

/// The cursor lies where the filter by time has left nothing.
pub(crate) async fn cursor_older_than_updated_since_ends_the_list(store: Tasks) {
    combinations(&store).await;
    for (id, second) in [("00", 20), ("", 20), ("20-c1-w-b", 10), ("", -1000)] {
        for (context, status) in [
            (None, None),
            (Some("c1"), None),
            (None, Some(TaskState::Failed)),
        ] {
            let query = ListQuery {
                context_id: context.map(str::to_owned),
                status,
                after: Some(place(&task(id, second))),
                ..since(at(20))
            };
            let page = store.page(&scope(&owner("alice")), &query).await;
            assert_eq!((page.tasks.len(), page.next), (0, None));
            let filters = u32::from(context.is_some()) + u32::from(status.is_some());
            assert_eq!(page.total, 8 >> filters);
        }
    }
}

// R112: a filter that the tasks leave and enter while the list is walked.
pub(crate) async fn filtered_walk_while_states_change_skips_no_other(store: Tasks) {
    let alice = owner("alice");
    let mut writers = Vec::new();
    for n in 0..20 {
        writers.push(Writer::create(&store, &alice, task(&format!("t{n:02}"), n)).await);
    }
    let mut query = ListQuery {
        page_size: 4,
        ..of_state(TaskState::Submitted)
    };
    let mut seen = Vec::new();
    let mut left = vec![0, 19, 16, 3, 9];
    loop {
        let page = store.page(&scope(&alice), &query).await;
        seen.extend(page.tasks.iter().map(|task| task.id.clone()));
        assert!(seen.len() <= 20, "the list has an end");
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
        if let Some(n) = left.pop() {
            writers[n].write([status(TaskState::Working, 100)]).await;
        }
    }
    // 16 and 19 had been seen; of the others, 9 and 3 left before their pages came.
    let untouched: Vec<_> = (0..20).rev().filter(|n| ![9, 3].contains(n)).collect();
    assert_eq!(
        seen,
        untouched
            .iter()
            .map(|n| format!("t{n:02}"))
            .collect::<Vec<_>>()
    );
}
