//! The order of lists, and how much of each task they show (A2A §3.1.4).

use crate::projection::HistoryLength;
use crate::store::{ListQuery, Scope};
use crate::testkit::support::{
    Tasks, Writer, at_millis, chunk, full_task, ids, input, owner, said, scope, stamped, status,
    task, whole,
};
use crate::{Message, TaskState, Timestamp};

// A2A-3.1.4-03
pub(crate) async fn list_begins_with_the_newest_status(store: Tasks) {
    let alice = owner("alice");
    for (id, second) in [("c", 20), ("a", 10), ("d", 0), ("b", 30)] {
        store.add(&alice, task(id, second)).await;
    }
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["b", "c", "a", "d"]);
}

// A2A-3.1.4-03
pub(crate) async fn list_orders_equal_times_by_id_descending(store: Tasks) {
    let alice = owner("alice");
    for id in ["b", "B", "10", "9", "a\u{e9}", "az", "a"] {
        store.add(&alice, task(id, 0)).await;
    }
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["b", "a\u{e9}", "az", "a", "B", "9", "10"]);
}

pub(crate) async fn list_orders_by_milliseconds(store: Tasks) {
    let alice = owner("alice");
    for (id, millis) in [("z", 0), ("a", 1), ("y", 999), ("x", 1000), ("b", -1)] {
        store.add(&alice, stamped(id, at_millis(millis))).await;
    }
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["x", "y", "a", "z", "b"]);
}

pub(crate) async fn list_orders_all_times_there_are(store: Tasks) {
    let alice = owner("alice");
    let times = [
        ("first", "0001-01-01T00:00:00Z"),
        ("early", "1969-12-31T23:59:59.999Z"),
        ("epoch", "1970-01-01T00:00:00Z"),
        ("y2038", "2038-01-19T03:14:08Z"),
        ("y2262", "2262-04-12T00:00:00Z"),
        ("last", "9999-12-31T23:59:59.999Z"),
    ];
    for (id, time) in times {
        let time: Timestamp = time.parse().unwrap();
        store.add(&alice, stamped(id, time)).await;
        assert_eq!(
            *store.stored(&scope(&alice), id).await.task,
            stamped(id, time)
        );
    }
    let walked = store.pages(&scope(&alice), &whole(1)).await.concat();
    assert_eq!(
        walked,
        times
            .map(|(id, _)| id)
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
    );
}

// A2A-3.1.4-03
pub(crate) async fn new_status_moves_the_task(store: Tasks) {
    let alice = owner("alice");
    let mut first = Writer::create(&store, &alice, task("first", 0)).await;
    store.add(&alice, task("second", 10)).await;
    store.add(&alice, task("third", 20)).await;
    first.write([status(TaskState::Working, 30)]).await;
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["first", "third", "second"]);
    first.write([status(TaskState::Working, 15)]).await;
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["third", "first", "second"]);
    first
        .write([
            status(TaskState::Working, 40),
            status(TaskState::Completed, 5),
        ])
        .await;
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["third", "second", "first"]);
    assert_eq!(page.total, 3);
}

// A2A-3.1.4-03
pub(crate) async fn other_entries_leave_the_task_in_its_place(store: Tasks) {
    let alice = owner("alice");
    let mut first = Writer::create(&store, &alice, task("first", 0)).await;
    store.add(&alice, task("second", 10)).await;
    first
        .write([chunk("x"), input("x"), said("at second 0")])
        .await;
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(ids(&page), ["second", "first"]);
    assert_eq!(*page.tasks[1], first.task);
}

pub(crate) async fn list_of_an_empty_store_is_empty(store: Tasks) {
    for scope in [
        scope(&owner("alice")),
        Scope::tenant("tenant"),
        Scope::__system(),
    ] {
        let page = store.page(&scope, &whole(10)).await;
        assert_eq!((page.tasks.len(), page.next, page.total), (0, None, 0));
    }
}

pub(crate) async fn listed_task_is_the_stored_one(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, full_task("t")).await;
    writer.write([said("x"), chunk("x"), input("y")]).await;
    let page = store.page(&scope(&alice), &whole(10)).await;
    assert_eq!(*page.tasks[0], writer.task);
}

// A2A-3.1.4-05
pub(crate) async fn list_omits_artifacts_unless_asked(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, full_task("t")).await;
    writer.write([chunk("x")]).await;
    let page = store.page(&scope(&alice), &ListQuery::new(10)).await;
    let mut expected = writer.task.clone();
    expected.artifacts.clear();
    assert_eq!(*page.tasks[0], expected);
    writer.check().await;
}

// A2A-3.2.4
pub(crate) async fn list_shows_the_newest_of_the_history(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, task("t", 0)).await;
    writer.write((0..10).map(|n| input(&n.to_string()))).await;
    store.add(&alice, task("none", 1)).await;
    for wanted in [0, 1, 3, 10, 11, usize::MAX] {
        let query = ListQuery {
            history: HistoryLength::AtMost(wanted),
            ..whole(10)
        };
        let page = store.page(&scope(&alice), &query).await;
        let texts: Vec<_> = page.tasks[1].history.iter().map(Message::text).collect();
        let first = 10_usize.saturating_sub(wanted);
        assert_eq!(
            texts,
            (first..10).map(|n| n.to_string()).collect::<Vec<_>>()
        );
        assert!(page.tasks[0].history.is_empty());
    }
    writer.check().await;
}

// R105
pub(crate) async fn listed_task_stays_as_it_was(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, full_task("t")).await;
    let whole_page = store.page(&scope(&alice), &whole(10)).await;
    let bare_page = store.page(&scope(&alice), &ListQuery::new(10)).await;
    writer
        .write([said("x"), chunk("x"), status(TaskState::Completed, 9)])
        .await;
    assert_eq!(*whole_page.tasks[0], full_task("t"));
    assert_eq!(bare_page.tasks[0].history, full_task("t").history);
}
