//! Requests as query strings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use a2a_types::{
    CancelTaskRequest, GetTaskPushNotificationConfigRequest, GetTaskRequest, ListTasksRequest,
    Message, TaskState, Timestamp,
    json::{from_query, read_query, to_query},
};

fn wrong(query: &str) -> Vec<String> {
    let violations = from_query::<ListTasksRequest>(query).unwrap_err();
    violations.iter().map(ToString::to_string).collect()
}

#[test]
fn every_kind_of_field_is_read() {
    let request: ListTasksRequest = from_query(
        "contextId=c%2F1&status=TASK_STATE_WORKING&pageSize=10&pageToken=a%2Bb+c&historyLength=0\
         &statusTimestampAfter=2025-04-16T13%3A38%3A21%2B02%3A00&includeArtifacts=true&tenant=t",
    )
    .unwrap();
    let expected = ListTasksRequest::default()
        .with_context_id("c/1")
        .with_status(TaskState::Working)
        .with_page_size(10)
        .with_page_token("a+b c")
        .with_history_length(0)
        .with_status_timestamp_after("2025-04-16T11:38:21Z".parse::<Timestamp>().unwrap())
        .with_include_artifacts(true)
        .with_tenant("t");
    assert_eq!(request, expected);
}

#[test]
fn both_spellings_of_a_name_and_numbers_of_enums_are_read() {
    let request: ListTasksRequest = from_query("page_size=10&status=2").unwrap();
    let expected = ListTasksRequest::default()
        .with_page_size(10)
        .with_status(TaskState::Working);
    assert_eq!(request, expected);
}

#[test]
fn other_parameters_are_ignored() {
    let request: GetTaskRequest =
        from_query("A2A-Version=1.0&historyLength=1&x=%FF&&=&historylength=x").unwrap();
    assert_eq!(request, GetTaskRequest::default().with_history_length(1));
    assert_eq!(
        from_query::<GetTaskRequest>("").unwrap(),
        GetTaskRequest::default()
    );
}

#[test]
fn every_wrong_value_is_reported_at_once() {
    assert_eq!(
        wrong("pageSize=abc&status=FOO&includeArtifacts=1&statusTimestampAfter=yesterday"),
        [
            "pageSize: must be a whole number of 32 bits",
            "status: must be one of TASK_STATE_SUBMITTED, TASK_STATE_WORKING, \
             TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED, \
             TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED, TASK_STATE_AUTH_REQUIRED",
            "includeArtifacts: must be true or false",
            "statusTimestampAfter: must be a time such as 2025-10-28T10:30:00.000Z",
        ]
    );
}

#[test]
fn what_is_right_is_kept_for_further_checks() {
    let (request, violations) = read_query::<GetTaskRequest>("id=1&historyLength=x&tenant=t");
    let expected = GetTaskRequest::default().with_id("1").with_tenant("t");
    assert_eq!(request, expected);
    assert_eq!(violations.len(), 1);
}

#[test]
fn values_are_exact() {
    for query in [
        "includeArtifacts=TRUE",
        "includeArtifacts=",
        "includeArtifacts",
        "pageSize=",
        "pageSize=1.5",
        "pageSize=2147483648",
        "pageSize=+1 ",
        "status=",
        "status=working",
        // An offset whose plus sign was not escaped is a space.
        "statusTimestampAfter=2025-04-16T13:38:21+02:00",
    ] {
        assert_eq!(wrong(query).len(), 1, "{query}");
    }
}

#[test]
fn a_parameter_given_twice_is_an_error_in_either_spelling() {
    assert_eq!(
        wrong("pageSize=1&pageSize=1"),
        ["pageSize: is given more than once"]
    );
    assert_eq!(
        wrong("pageSize=1&page_size=2"),
        ["pageSize: is given more than once"]
    );
}

#[test]
fn a_list_is_repeated_or_has_commas() {
    let message: Message = from_query("extensions=a,b&extensions=c&role=1").unwrap();
    assert_eq!(message.extensions, ["a", "b", "c"]);
}

// A2A-11.5-05
#[test]
fn an_object_cannot_be_given() {
    let violations = from_query::<CancelTaskRequest>("metadata=%7B%7D").unwrap_err();
    assert_eq!(
        violations[0].to_string(),
        "metadata: cannot be given in a query"
    );
}

// A2A-5.5-01, R027
#[test]
fn what_is_set_is_written_and_what_the_path_holds_is_not() {
    let request = GetTaskRequest::default()
        .with_id("a/b")
        .with_history_length(0);
    assert_eq!(to_query(&request, &["id", "tenant"]), "historyLength=0");
    let request = request.with_tenant("t & t");
    assert_eq!(
        to_query(&request, &["id"]),
        "tenant=t+%26+t&historyLength=0"
    );
    let request = ListTasksRequest::default()
        .with_status(TaskState::InputRequired)
        .with_include_artifacts(false)
        .with_status_timestamp_after(Timestamp::from_unix_millis(1));
    assert_eq!(
        to_query(&request, &[]),
        "status=TASK_STATE_INPUT_REQUIRED&statusTimestampAfter=1970-01-01T00%3A00%3A00.001Z\
         &includeArtifacts=false"
    );
    // Required in the proto, and so always in JSON; an empty one says nothing here.
    assert_eq!(
        to_query(&GetTaskPushNotificationConfigRequest::default(), &[]),
        ""
    );
}
