//! The scenarios.

use a2a_types::{
    CancelTaskRequest, DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest, GetTaskRequest, ListTaskPushNotificationConfigsRequest,
    ListTasksRequest, Message, Part, SendMessageRequest, TaskPushNotificationConfig, TaskState,
    Version,
};
use serde_json::json;

use crate::agent::{EXTENSION, Running, object, open};
use crate::driver::{everywhere, said};

#[tokio::test]
async fn the_same_message_gets_the_same_answer() {
    // I1, A2A-5.1-01
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            for text in [
                "hello",
                "message hi",
                "ask",
                "auth",
                "reject",
                "fail",
                "panic",
                "quit",
                "kinds",
                "chunks 3",
                "context",
                "refuse",
            ] {
                d.say(text).await;
            }
            let mut request = said("context");
            let configuration = request.configuration.get_or_insert_default();
            configuration.accepted_output_modes = vec!["text/plain".to_owned()];
            request.metadata = Some(object(json!({"a": {"b": [1, 2.5, "ü", null]}})));
            let reply = d
                .client
                .send_message(request)
                .with_extension(EXTENSION)
                .await;
            d.replied(reply);
            d
        },
    )
    .await;
    // The records are of something.
    assert_eq!(
        record[0]["answer"]["task"]["artifacts"][0]["parts"][0]["text"],
        "hello"
    );
    assert_eq!(
        record[11]["error"]["protocol"]["kind"],
        "ContentTypeNotSupported"
    );
    assert_eq!(record[12]["activated"], EXTENSION);
}

#[tokio::test]
async fn a_conversation_goes_the_same_way() {
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let task = d.say("ask").await;
            let turn = |text: &str| {
                let mut request = said(text);
                let message = request.message.get_or_insert_default();
                message.task_id.clone_from(&task.id);
                request
            };
            let reply = d.client.send_message(turn("ask again")).await;
            d.replied(reply);
            let mut mixed = turn("hello");
            mixed.message.get_or_insert_default().context_id = "another".to_owned();
            let reply = d.client.send_message(mixed).await;
            d.replied(reply);
            let events = d.client.stream_message(turn("hello")).await;
            d.streamed(events).await;
            // It has ended.
            let reply = d.client.send_message(turn("too late")).await;
            d.replied(reply);
            let events = d.client.stream_message(turn("too late")).await;
            d.streamed(events).await;
            for history in [None, Some(0), Some(1), Some(100)] {
                let mut request = GetTaskRequest::default().with_id(&task.id);
                request.history_length = history;
                let answer = d.client.get_task(request).await;
                d.got(answer);
            }
            d
        },
    )
    .await;
    let state = &record[0]["answer"]["task"]["status"]["state"];
    assert_eq!(state, "TASK_STATE_INPUT_REQUIRED");
    assert_eq!(record[2]["error"]["protocol"]["kind"], "InvalidParams");
}

#[tokio::test]
async fn streams_tell_the_same_events_under_the_same_ids() {
    // D35
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            for text in [
                "hello",
                "message hi",
                "ask",
                "fail",
                "panic",
                "chunks 20",
                "refuse",
            ] {
                let events = d.client.stream_message(said(text)).await;
                d.streamed(events).await;
            }
            d
        },
    )
    .await;
    assert_eq!(record[0]["eventId"], "0");
}

#[tokio::test]
async fn subscriptions_and_resumptions_are_the_same() {
    // D35, B2
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let task = d.begin("hold").await;
            let events = d.client.subscribe_to_task(&task.id).await;
            let mut events = d.opened(events).unwrap();
            // The first event may be of the task before or after it has begun to work.
            while events.last_state() != Some(TaskState::Working) {
                _ = futures::StreamExt::next(&mut events)
                    .await
                    .unwrap()
                    .unwrap();
            }
            _ = d.begin("go").await;
            while d.next(&mut events).await {}
            for seen in ["0", "1", "2", "99", "x"] {
                let call = d
                    .client
                    .subscribe_to_task(&task.id)
                    .with_last_event_id(seen);
                let events = call.await;
                d.streamed(events).await;
            }
            let events = d.client.subscribe_to_task(&task.id).await;
            d.streamed(events).await;
            let parked = d.say("ask").await;
            let events = d.client.subscribe_to_task(&parked.id).await;
            let mut events = d.opened(events).unwrap();
            d.next(&mut events).await;
            let answer = d.client.cancel_task(&parked.id).await;
            d.got(answer);
            while d.next(&mut events).await {}
            d
        },
    )
    .await;
    let ends = record
        .iter()
        .filter(|line| line["end"] == "TASK_STATE_COMPLETED");
    assert!(ends.count() >= 3, "{record:#?}");
}

#[tokio::test]
async fn the_same_failure_is_the_same_error() {
    // I2, R054
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            for id in ["no-such-task", "ü/?#%", "a:cancel"] {
                let answer = d.client.get_task(id).await;
                d.got(answer);
                let answer = d.client.cancel_task(id).await;
                d.got(answer);
                let events = d.client.subscribe_to_task(id).await;
                d.streamed(events).await;
                let mut request = said("hello");
                request.message.get_or_insert_default().task_id = id.to_owned();
                let reply = d.client.send_message(request.clone()).await;
                d.replied(reply);
                let events = d.client.stream_message(request).await;
                d.streamed(events).await;
            }
            let task = d.say("hello").await;
            let request = CancelTaskRequest::default()
                .with_id(&task.id)
                .with_metadata(object(json!({"why": "late"})));
            let answer = d.client.cancel_task(request).await;
            d.got(answer);
            let events = d.client.subscribe_to_task(&task.id).await;
            d.streamed(events).await;
            for page_size in [0, -1, 101] {
                let request = ListTasksRequest::default().with_page_size(page_size);
                let answer = d.client.list_tasks(request).await;
                d.got(answer);
            }
            let request = ListTasksRequest::default().with_page_token("rubbish");
            let answer = d.client.list_tasks(request).await;
            d.got(answer);
            let image = Part::raw("x").with_media_type("image/png");
            let message = Message::user("look")
                .with_message_id("m-look")
                .with_parts([image]);
            let reply = d
                .client
                .send_message(SendMessageRequest::new(message))
                .await;
            d.replied(reply);
            let version = Version::new(9, 9);
            let answer = d.client.get_task(&task.id).with_version(version).await;
            d.got(answer);
            let events = d
                .client
                .stream_message(said("hello"))
                .with_version(version)
                .await;
            d.streamed(events).await;
            let answer = d.client.get_extended_card().await;
            d.got(answer);
            d
        },
    )
    .await;
    let kinds: Vec<_> = record
        .iter()
        .map(|line| &line["error"]["protocol"]["kind"])
        .collect();
    for kind in [
        "TaskNotFound",
        "TaskNotCancelable",
        "UnsupportedOperation",
        "InvalidParams",
        "ContentTypeNotSupported",
        "VersionNotSupported",
    ] {
        assert!(kinds.iter().any(|found| **found == kind), "{kind}");
    }
}

#[tokio::test]
async fn tasks_are_canceled_the_same_way() {
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let task = d.begin("wait").await;
            let answer = d.client.cancel_task(&task.id).await;
            d.note(answer.map(|task| task.state().to_string()).ok());
            let answer = d.client.cancel_task(&task.id).await;
            d.got(answer);
            d
        },
    )
    .await;
    assert_eq!(record[0], "TASK_STATE_CANCELED");
    assert_eq!(record[1]["error"]["protocol"]["kind"], "TaskNotCancelable");
}

#[tokio::test]
async fn lists_are_the_same() {
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let context = format!("list-{}", d.binding);
            for text in ["hello", "ask", "hello again", "fail"] {
                let mut request = said(text);
                request
                    .message
                    .get_or_insert_default()
                    .context_id
                    .clone_from(&context);
                _ = d.client.send_message(request).await.unwrap();
            }
            let all = ListTasksRequest::default().with_context_id(&context);
            let hidden = |text: serde_json::Value| text.to_string().replace(&context, "(context)");
            for request in [
                all.clone(),
                all.clone().with_include_artifacts(true),
                all.clone().with_history_length(0),
                all.clone().with_status(TaskState::InputRequired),
                all.clone().with_page_size(3),
            ] {
                let page = d.client.list_tasks(request).await.unwrap();
                let mut normal = crate::normal::Normal::default();
                // Tasks of one millisecond are in the order of their ids.
                let mut tasks: Vec<_> = page
                    .tasks
                    .iter()
                    .map(|task| hidden(crate::normal::Normal::default().value(json!(task))))
                    .collect();
                tasks.sort();
                let tasks = if page.next_page_token.is_empty() {
                    tasks
                } else {
                    Vec::new()
                };
                let mut rest = page;
                rest.tasks.clear();
                d.note(json!([tasks, normal.value(json!(rest))]));
            }
            let first = d
                .client
                .list_tasks(all.clone().with_page_size(3))
                .await
                .unwrap();
            let rest = all
                .with_page_size(3)
                .with_page_token(&first.next_page_token);
            let second = d.client.list_tasks(rest).await.unwrap();
            d.note([first.tasks.len(), second.tasks.len()]);
            d.note(second.next_page_token);
            d
        },
    )
    .await;
    assert_eq!(record[0][0].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn webhooks_are_registered_the_same_way() {
    let server = Running::start(open()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let task = d.say("ask").await;
            let config = TaskPushNotificationConfig::default()
                .with_task_id(&task.id)
                .with_id("hook")
                .with_url("https://hooks.example.com/a")
                .with_token("tok");
            let answer = d.client.create_push_config(config.clone()).await;
            d.got(answer);
            let answer = d
                .client
                .create_push_config(config.clone().with_url("ftp://x"))
                .await;
            d.got(answer);
            let answer = d
                .client
                .create_push_config(config.with_task_id("no-such-task"))
                .await;
            d.got(answer);
            for id in ["hook", "none"] {
                let request = GetTaskPushNotificationConfigRequest::default()
                    .with_task_id(&task.id)
                    .with_id(id);
                let answer = d.client.get_push_config(request).await;
                d.got(answer);
            }
            let list = ListTaskPushNotificationConfigsRequest::default().with_task_id(&task.id);
            let answer = d.client.list_push_configs(list.clone()).await;
            d.got(answer);
            for id in ["hook", "hook"] {
                let request = DeleteTaskPushNotificationConfigRequest::default()
                    .with_task_id(&task.id)
                    .with_id(id);
                let answer = d.client.delete_push_config(request).await;
                d.got(answer);
            }
            let answer = d.client.list_push_configs(list).await;
            d.got(answer);
            d
        },
    )
    .await;
    assert_eq!(record[1]["answer"]["id"], "hook");
    assert_eq!(record[2]["error"]["protocol"]["violations"][0][0], "url");
}
