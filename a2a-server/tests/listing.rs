//! `ListTasks` (A2A §3.1.4).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::auth::StaticBearer;
use a2a_server::{Limits, MemoryTaskStore};
use a2a_types::store::{NewTask, Owner, TaskStore};
use a2a_types::{Artifact, Task, TaskState, TaskStatus, Timestamp};
use serde_json::{Value, json};
use support::{Answer, Caller, Scripted, TestServer, builder, serve};

/// 2024-05-01T00:00:00Z in milliseconds.
const MAY: i64 = 1_714_521_600_000;

/// A server, and the store that it serves from.
async fn serve_store() -> (TestServer, Arc<MemoryTaskStore>) {
    let store = Arc::new(MemoryTaskStore::new());
    let server = serve(builder(Scripted::obedient()).task_store(store.clone())).await;
    (server, store)
}

/// Puts a task into the store whose status is so many milliseconds after the beginning of May.
async fn put(store: &MemoryTaskStore, id: &str, context: &str, state: TaskState, after: i64) {
    let status = TaskStatus::default()
        .with_state(state)
        .with_timestamp(Timestamp::from_unix_millis(MAY + after));
    let task = Task::default()
        .with_id(id)
        .with_context_id(context)
        .with_status(status)
        .with_artifacts([Artifact::new("a", ["text"])]);
    let owner = Owner::new("", "");
    store.create(&owner, NewTask::new(task)).await.unwrap();
}

async fn list(caller: &Caller, params: Value) -> Answer {
    caller.call("ListTasks", params).await
}

#[track_caller]
fn ids(answer: &Answer) -> Vec<String> {
    let tasks = answer.result()["tasks"].as_array().unwrap();
    tasks
        .iter()
        .map(|task| task["id"].as_str().unwrap().to_owned())
        .collect()
}

/// All pages, one after the other.
async fn walk(caller: &Caller, mut params: Value) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    loop {
        let page = list(caller, params.clone()).await;
        pages.push(ids(&page));
        assert_eq!(page.result()["pageSize"], params["pageSize"]);
        let token = page.result()["nextPageToken"].as_str().unwrap().to_owned();
        if token.is_empty() {
            return pages;
        }
        assert!(
            token
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)),
            "{token}"
        );
        params["pageToken"] = token.into();
    }
}

// A2A-3.1.4-04, A2A-3.1.4-09
#[tokio::test]
async fn an_empty_list_has_all_its_members() {
    let (server, _) = serve_store().await;
    for caller in server.callers() {
        let empty = json!({"tasks": [], "nextPageToken": "", "pageSize": 50, "totalSize": 0});
        assert_eq!(*list(&caller, json!({})).await.result(), empty);
    }
}

// A2A-3.1.4-02, A2A-3.1.4-03, A2A-3.1.4-04, A2A-3.1.4-09 B5 R112 R113
#[tokio::test]
async fn pages_follow_each_other_without_a_repeat_or_a_gap() {
    let (server, store) = serve_store().await;
    for (id, after) in [("c", 5), ("a", 1), ("e", 5), ("b", 3), ("d", 5)] {
        put(&store, id, "c-1", TaskState::Completed, after).await;
    }
    for caller in server.callers() {
        for (size, pages) in [
            (
                1,
                vec![vec!["e"], vec!["d"], vec!["c"], vec!["b"], vec!["a"]],
            ),
            (2, vec![vec!["e", "d"], vec!["c", "b"], vec!["a"]]),
            (4, vec![vec!["e", "d", "c", "b"], vec!["a"]]),
            (5, vec![vec!["e", "d", "c", "b", "a"]]),
            (100, vec![vec!["e", "d", "c", "b", "a"]]),
        ] {
            for filter in [
                json!({}),
                json!({"contextId": "c-1"}),
                json!({"status": "TASK_STATE_COMPLETED"}),
                json!({"statusTimestampAfter": "2024-05-01T00:00:00Z"}),
            ] {
                let mut params = filter;
                params["pageSize"] = size.into();
                assert_eq!(walk(&caller, params.clone()).await, pages);
                let first = list(&caller, params).await;
                assert_eq!(first.result()["totalSize"], 5);
            }
        }
    }
}

// A2A-3.1.4-02, A2A-3.1.4-03 R112
#[tokio::test]
async fn tasks_of_one_instant_are_all_listed() {
    let (server, store) = serve_store().await;
    let mut all: Vec<String> = (0..250).map(|i| format!("t-{i:03}")).collect();
    for id in &all {
        put(&store, id, id, TaskState::Working, 0).await;
    }
    all.reverse();
    for caller in server.callers() {
        let pages = walk(&caller, json!({"pageSize": 100})).await;
        let sizes: Vec<usize> = pages.iter().map(Vec::len).collect();
        assert_eq!(sizes, [100, 100, 50]);
        assert_eq!(pages.concat(), all);
    }
}

// A2A-3.1.4-03
#[tokio::test]
async fn a_task_whose_status_changes_moves_to_the_front() {
    for wire in support::BINDINGS {
        let (server, store) = serve_store().await;
        let caller = server.caller(wire);
        for (id, after) in [("a", 1), ("b", 2), ("c", 3)] {
            put(&store, id, "", TaskState::InputRequired, after).await;
        }
        assert_eq!(ids(&list(&caller, json!({})).await), ["c", "b", "a"]);
        caller.cancel("a").await.result();
        assert_eq!(ids(&list(&caller, json!({})).await), ["a", "c", "b"]);
    }
}

// A2A-3.1.4-08, A2A-3.1.4-09, A2A-5.7-05 B5
#[tokio::test]
async fn a_page_has_fifty_tasks_unless_the_client_or_the_server_says_otherwise() {
    let store = Arc::new(MemoryTaskStore::new());
    for i in 0..120 {
        put(&store, &format!("t-{i}"), "", TaskState::Working, i).await;
    }
    let plain = serve(builder(Scripted::echo()).task_store(store.clone())).await;
    let limits = Limits::default().with_default_page(7);
    let other = serve(builder(Scripted::echo()).task_store(store).limits(limits)).await;
    for (server, default) in [(plain, 50), (other, 7)] {
        for caller in server.callers() {
            for (params, size) in [
                (json!({}), default),
                (json!({"pageSize": 1}), 1),
                (json!({"pageSize": 100}), 100),
            ] {
                let page = list(&caller, params).await;
                assert_eq!(ids(&page).len(), size);
                assert_eq!(page.result()["pageSize"], size);
                assert_eq!(page.result()["totalSize"], 120);
            }
        }
    }
}

// A2A-3.1.4-08 B5
#[tokio::test]
async fn a_page_size_out_of_range_is_invalid() {
    let (server, _) = serve_store().await;
    for caller in server.callers() {
        for size in [0, -1, 101, i32::MIN, i32::MAX] {
            let answer = list(&caller, json!({"pageSize": size})).await;
            answer.expect_invalid(&["pageSize"]);
        }
    }
}

// A2A-3.1.4-10 B5
#[tokio::test]
async fn a_token_that_is_not_of_this_list_is_invalid() {
    let (server, store) = serve_store().await;
    for i in 0..4 {
        put(&store, &format!("t-{i}"), "c-1", TaskState::Working, i).await;
    }
    for caller in server.callers() {
        let first = list(&caller, json!({"pageSize": 1})).await;
        let token = first.result()["nextPageToken"].as_str().unwrap().to_owned();
        let cut = &token[..token.len() - 2];
        for token in ["garbage", "2", "e30", "bnVsbA", "ü", cut] {
            let answer = list(&caller, json!({"pageToken": token})).await;
            answer.expect_invalid(&["pageToken"]);
        }
        for filter in [
            json!({"contextId": "c-1"}),
            json!({"status": "TASK_STATE_WORKING"}),
            json!({"statusTimestampAfter": "2024-05-01T00:00:00Z"}),
        ] {
            let mut params = filter;
            params["pageToken"] = token.clone().into();
            list(&caller, params).await.expect_invalid(&["pageToken"]);
        }
        // What is shown of the tasks, and how many, may change from page to page.
        let params = json!({
            "pageToken": token, "pageSize": 2, "includeArtifacts": true, "historyLength": 0,
        });
        assert_eq!(ids(&list(&caller, params).await), ["t-2", "t-1"]);
    }
}

// A2A-3.1.4-11 R112
#[tokio::test]
async fn paging_goes_on_while_tasks_come_change_and_go() {
    for wire in support::BINDINGS {
        let (server, store) = serve_store().await;
        let caller = server.caller(wire);
        for (id, after) in [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5), ("f", 6)] {
            put(&store, id, "", TaskState::InputRequired, after).await;
        }
        let first = list(&caller, json!({"pageSize": 2})).await;
        assert_eq!(ids(&first), ["f", "e"]);
        put(&store, "g", "", TaskState::InputRequired, 7).await;
        caller.cancel("a").await.result();
        // The task that the token names is at another place now.
        caller.cancel("e").await.result();
        let token = &first.result()["nextPageToken"];
        let second = list(&caller, json!({"pageSize": 2, "pageToken": token})).await;
        assert_eq!(ids(&second), ["d", "c"]);
        assert_eq!(second.result()["totalSize"], 7);
        let token = &second.result()["nextPageToken"];
        let third = list(&caller, json!({"pageSize": 2, "pageToken": token})).await;
        assert_eq!(ids(&third), ["b"]);
        assert_eq!(third.result()["nextPageToken"], "");
        // All tasks of the token are gone.
        store.delete_owner(&Owner::new("", "")).await.unwrap();
        put(&store, "old", "", TaskState::Working, 0).await;
        let page = list(&caller, json!({"pageSize": 2, "pageToken": token})).await;
        assert_eq!(ids(&page), ["old"]);
    }
}

// A2A-3.1.4-07 R113
#[tokio::test]
async fn filters_apply_together() {
    let (server, store) = serve_store().await;
    for (id, context, state, after) in [
        ("a", "c-1", TaskState::Working, 1000),
        ("b", "c-1", TaskState::Working, 2000),
        ("c", "c-1", TaskState::Completed, 2000),
        ("d", "c-2", TaskState::Working, 2000),
        ("e", "c-1", TaskState::Working, 3000),
    ] {
        put(&store, id, context, state, after).await;
    }
    for caller in server.callers() {
        for (params, expected) in [
            (json!({"contextId": "c-1"}), vec!["e", "c", "b", "a"]),
            (json!({"contextId": "c"}), vec![]),
            (json!({"contextId": ""}), vec!["e", "d", "c", "b", "a"]),
            (
                json!({"status": "TASK_STATE_WORKING"}),
                vec!["e", "d", "b", "a"],
            ),
            (json!({"status": 3}), vec!["c"]),
            (
                json!({"status": "TASK_STATE_UNSPECIFIED"}),
                vec!["e", "d", "c", "b", "a"],
            ),
            // A task of exactly that instant is included.
            (
                json!({"statusTimestampAfter": "2024-05-01T00:00:02Z"}),
                vec!["e", "d", "c", "b"],
            ),
            (
                json!({"statusTimestampAfter": "2024-05-01T00:00:02.001Z"}),
                vec!["e"],
            ),
            (
                json!({"statusTimestampAfter": "2024-05-01T02:00:03+02:00"}),
                vec!["e"],
            ),
            (
                json!({"statusTimestampAfter": "2999-01-01T00:00:00Z"}),
                vec![],
            ),
            (
                json!({
                    "contextId": "c-1", "status": "TASK_STATE_WORKING",
                    "statusTimestampAfter": "2024-05-01T00:00:02.000Z",
                }),
                vec!["e", "b"],
            ),
        ] {
            let answer = list(&caller, params.clone()).await;
            assert_eq!(ids(&answer), expected, "{params}");
            assert_eq!(answer.result()["totalSize"], expected.len());
            assert_eq!(answer.result()["nextPageToken"], "");
        }
        list(&caller, json!({"status": "FOO"}))
            .await
            .expect_invalid(&["status"]);
        list(&caller, json!({"status": 99}))
            .await
            .expect_invalid(&["status"]);
        let answer = list(&caller, json!({"statusTimestampAfter": "yesterday"})).await;
        answer.expect_invalid(&["statusTimestampAfter"]);
    }
}

// A2A-3.1.4-05, A2A-3.1.4-06 R113
#[tokio::test]
async fn artifacts_are_listed_only_when_they_are_asked_for() {
    let (server, store) = serve_store().await;
    put(&store, "a", "c", TaskState::Completed, 1).await;
    for caller in server.callers() {
        for params in [json!({}), json!({"includeArtifacts": false})] {
            let answer = list(&caller, params).await;
            let task = answer.result()["tasks"][0].as_object().unwrap();
            assert!(!task.contains_key("artifacts"));
        }
        let answer = list(&caller, json!({"includeArtifacts": true})).await;
        let read = caller.get_task("a").await;
        assert_eq!(answer.result()["tasks"][0], *read.task());
        assert_eq!(
            read.task()["artifacts"][0]["parts"],
            json!([{"text": "text"}])
        );
    }
}

// A2A-3.1.4-01, A2A-3.1.4-13, A2A-3.1.4-09
#[tokio::test]
async fn a_list_holds_and_counts_what_the_caller_may_see() {
    let agent = Scripted::echo();
    let known = StaticBearer::new([("a", "alice"), ("b", "bob")]);
    let server = serve(
        builder(agent)
            .authenticator(known)
            .resend_window(std::time::Duration::ZERO),
    )
    .await;
    let mut owned = [Vec::new(), Vec::new()];
    for caller in server.callers() {
        for (i, token) in ["a", "b"].into_iter().enumerate() {
            let caller = caller.clone().bearer(token);
            owned[i].push(caller.send("hi").await.task_id());
            for params in [json!({}), json!({"pageSize": 1}), json!({"status": 3})] {
                let answer = list(&caller, params).await;
                assert_eq!(answer.result()["totalSize"], owned[i].len());
                assert!(ids(&answer).iter().all(|id| owned[i].contains(id)));
            }
        }
    }
}
