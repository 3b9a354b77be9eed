//! How much of a task is shown.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use std::sync::Arc;

use a2a_types::projection::{Artifacts, HistoryLength, project, project_shared};
use a2a_types::{Artifact, Message, Task, TaskState};

fn task() -> Task {
    Task::default()
        .with_id("t")
        .with_context_id("c")
        .with_status(TaskState::Submitted)
}

fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::text).collect()
}

fn long_task() -> Task {
    task()
        .with_history((0..10).map(|n| Message::user(n.to_string())))
        .with_artifacts([Artifact::new("a", ["1"])])
}

// A2A-3.2.4-01, A2A-3.2.4-02, A2A-3.2.4-03, B4
#[test]
fn history_length_keeps_the_newest_messages_oldest_first() {
    let shared = Arc::new(long_task());
    for (length, kept) in [
        (
            None,
            &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"][..],
        ),
        (Some(0), &[]),
        (Some(1), &["9"]),
        (Some(3), &["7", "8", "9"]),
        (
            Some(10),
            &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        ),
        (
            Some(i32::MAX),
            &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        ),
    ] {
        let history = HistoryLength::new(length, "historyLength").unwrap();
        let owned = project(long_task(), history, Artifacts::Include);
        assert_eq!(texts(&owned.history), kept, "{length:?}");
        assert_eq!(owned.artifacts.len(), 1);
        let cut = project_shared(&shared, history, Artifacts::Include);
        assert_eq!(
            *cut,
            project((*shared).clone(), history, Artifacts::Include)
        );
    }
}

// A2A-3.2.4-02
#[test]
fn no_history_means_no_member() {
    let none = HistoryLength::AtMost(0);
    let json = serde_json::to_value(project(long_task(), none, Artifacts::Omit)).unwrap();
    assert!(
        json.get("history").is_none() && json.get("artifacts").is_none(),
        "{json}"
    );
}

// A2A-3.2.4-04
#[test]
fn a_negative_history_length_is_refused_with_its_path() {
    for value in [-1, i32::MIN] {
        let violation = HistoryLength::new(Some(value), "configuration.historyLength").unwrap_err();
        assert_eq!(violation.field, "configuration.historyLength");
        assert!(
            violation.description.contains(&value.to_string()),
            "{violation}"
        );
    }
}

// A2A-3.1.4-05, A2A-3.1.4-06
#[test]
fn artifacts_are_left_out_unless_asked_for() {
    assert_eq!(Artifacts::from(None), Artifacts::Omit);
    assert_eq!(Artifacts::from(Some(false)), Artifacts::Omit);
    assert_eq!(Artifacts::from(Some(true)), Artifacts::Include);
    let shared = Arc::new(long_task());
    let omitted = project_shared(&shared, HistoryLength::Unset, Artifacts::Omit);
    assert!(omitted.artifacts.is_empty());
    assert_eq!(omitted.history, shared.history);
    assert_eq!(
        *omitted,
        project((*shared).clone(), HistoryLength::Unset, Artifacts::Omit)
    );
}

#[test]
fn a_task_of_which_nothing_is_cut_is_shared() {
    let shared = Arc::new(long_task());
    let same = project_shared(&shared, HistoryLength::AtMost(10), Artifacts::Include);
    assert!(Arc::ptr_eq(&shared, &same));
    let bare = Arc::new(task());
    assert!(Arc::ptr_eq(
        &bare,
        &project_shared(&bare, HistoryLength::Unset, Artifacts::Omit)
    ));
}
