use std::sync::Arc;

use a2a_types::push::{Notification, PushSender, Webhook};
use a2a_types::store::StoreError;
use a2a_types::stream_response::Payload;
use a2a_types::{
    A2aError, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTasksRequest, StreamResponse,
    SubscribeToTaskRequest, TaskPushNotificationConfig, TaskState,
};
use tonic::{Code, Streaming};

use crate::support::{card, raw_call, say, send, serve, state, text_of, v1, with, within};

fn get(id: &str) -> GetTaskRequest {
    GetTaskRequest::default().with_id(id)
}

fn subscribe(id: &str) -> SubscribeToTaskRequest {
    SubscribeToTaskRequest::default().with_id(id)
}

async fn rest(stream: &mut Streaming<StreamResponse>) -> Vec<Payload> {
    let mut events = Vec::new();
    while let Some(event) = within(stream.message()).await.unwrap() {
        events.push(event.payload.unwrap());
    }
    events
}

fn task_id(event: &StreamResponse) -> String {
    match event.payload.as_ref().unwrap() {
        Payload::Task(task) => task.id.clone(),
        other => panic!("no task: {other:?}"),
    }
}

/// Sends nothing: no test of this file looks at webhooks.
struct Silent;

#[async_trait::async_trait]
impl PushSender for Silent {
    async fn check(&self, _: &TaskPushNotificationConfig) -> Result<(), A2aError> {
        Ok(())
    }

    async fn notify(&self, _: &[Arc<Webhook>], _: &[Notification]) -> Result<(), StoreError> {
        Ok(())
    }
}

// A2A-5.1-01, A2A-5.3-01, A2A-10.1-03, A2A-10.3-01
#[tokio::test]
async fn all_eleven_operations_work() {
    let server = serve(|server| {
        server
            .push_sender(Arc::new(Silent))
            .extended_card(|_| async { Ok(card().skill("hidden", "Hidden", "Secret")) })
            .extended_card_access(a2a_server::ExtendedCardAccess::Everybody)
    })
    .await;
    let mut client = server.client().await;

    let task = send(&mut client, "hello").await;
    assert_eq!(task.state(), TaskState::Completed);
    assert_eq!(task.artifacts[0].text(), "hello");
    let read = within(client.get_task(v1(get(&task.id)))).await.unwrap();
    assert_eq!(read.into_inner(), task);
    let list = within(client.list_tasks(v1(ListTasksRequest::default())));
    let list = list.await.unwrap().into_inner();
    assert_eq!((list.total_size, list.tasks[0].id.as_str()), (1, &*task.id));

    let stream = within(client.send_streaming_message(v1(say("wait")))).await;
    let mut stream = stream.unwrap().into_inner();
    let id = task_id(&within(stream.message()).await.unwrap().unwrap());
    within(server.signals.begun.notified()).await;
    let mut subscription = within(client.subscribe_to_task(v1(subscribe(&id))))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        task_id(&within(subscription.message()).await.unwrap().unwrap()),
        id
    );
    let canceled = client.cancel_task(v1(CancelTaskRequest::default().with_id(&*id)));
    let canceled = within(canceled).await.unwrap().into_inner();
    assert_eq!(canceled.state(), TaskState::Canceled);
    for stream in [&mut stream, &mut subscription] {
        match rest(stream).await.last().unwrap() {
            Payload::StatusUpdate(update) => assert_eq!(state(update), TaskState::Canceled),
            other => panic!("no status: {other:?}"),
        }
    }

    let config = TaskPushNotificationConfig::default()
        .with_task_id(&*task.id)
        .with_url("https://receiver.example/hook");
    let made = client.create_task_push_notification_config(v1(config));
    let made = within(made).await.unwrap().into_inner();
    let wanted = GetTaskPushNotificationConfigRequest::default()
        .with_task_id(&*task.id)
        .with_id(&*made.id);
    let read = client.get_task_push_notification_config(v1(wanted));
    assert_eq!(within(read).await.unwrap().into_inner(), made);
    let list = ListTaskPushNotificationConfigsRequest::default().with_task_id(&*task.id);
    let list = client.list_task_push_notification_configs(v1(list));
    assert_eq!(
        within(list).await.unwrap().into_inner().configs,
        std::slice::from_ref(&made)
    );
    let gone = DeleteTaskPushNotificationConfigRequest::default()
        .with_task_id(&*task.id)
        .with_id(&*made.id);
    let gone = client.delete_task_push_notification_config(v1(gone));
    within(gone).await.unwrap();

    let extended = client.get_extended_agent_card(v1(GetExtendedAgentCardRequest::default()));
    let extended = within(extended).await.unwrap().into_inner();
    assert_eq!(extended.skills[1].id, "hidden");
}

// A2A-10.7-01
#[tokio::test]
async fn a_stream_brings_every_event_in_order_and_then_ends() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let response = client.send_streaming_message(v1(say("chunks 2000")));
    let response = within(response).await.unwrap();
    assert_eq!(text_of(response.metadata(), "first-event-id").unwrap(), "0");
    let events = rest(&mut response.into_inner()).await;
    let Payload::Task(first) = &events[0] else {
        panic!("no task first");
    };
    assert_eq!(first.state(), TaskState::Submitted);
    let chunks: String = events.iter().filter_map(chunk).collect();
    let expected: String = (0..2000).map(|i| format!("{i};")).collect();
    assert_eq!(chunks, expected);
    match events.last().unwrap() {
        Payload::StatusUpdate(update) => assert_eq!(state(update), TaskState::Completed),
        other => panic!("no status: {other:?}"),
    }
}

fn chunk(event: &Payload) -> Option<&str> {
    match event {
        Payload::ArtifactUpdate(update) => update.artifact.as_ref()?.parts[0].as_text(),
        _ => None,
    }
}

#[tokio::test]
async fn a_direct_message_is_an_answer_and_a_stream_of_one() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let answer = within(client.send_message(v1(say("message hi")))).await;
    match answer.unwrap().into_inner().payload.unwrap() {
        a2a_types::send_message_response::Payload::Message(message) => {
            assert_eq!(message.text(), "hi");
        }
        other => panic!("no message: {other:?}"),
    }
    let stream = client.send_streaming_message(v1(say("message hi")));
    let stream = within(stream).await.unwrap();
    assert_eq!(text_of(stream.metadata(), "first-event-id"), None);
    let events = rest(&mut stream.into_inner()).await;
    assert!(matches!(&events[..], [Payload::Message(message)] if message.text() == "hi"));
}

// D35
#[tokio::test]
async fn a_subscription_goes_on_after_the_last_event_that_was_seen() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    // Somebody has seen events of it, so that its log is kept.
    let stream = within(client.send_streaming_message(v1(say("chunks 5")))).await;
    let mut stream = stream.unwrap().into_inner();
    let id = task_id(&within(stream.message()).await.unwrap().unwrap());
    rest(&mut stream).await;
    let all = [("last-event-id", "0")];
    let response = within(client.subscribe_to_task(with(subscribe(&id), &all)));
    let response = response.await.unwrap();
    assert_eq!(text_of(response.metadata(), "first-event-id").unwrap(), "1");
    let events = rest(&mut response.into_inner()).await;
    // WORKING, five chunks, COMPLETED.
    assert_eq!(events.len(), 7);
    let some = [("last-event-id", "3")];
    let response = within(client.subscribe_to_task(with(subscribe(&id), &some)));
    let response = response.await.unwrap();
    assert_eq!(text_of(response.metadata(), "first-event-id").unwrap(), "4");
    assert_eq!(rest(&mut response.into_inner()).await, events[3..]);
    // Without it a task that has ended cannot be subscribed to.
    let refused = within(client.subscribe_to_task(v1(subscribe(&id)))).await;
    assert_eq!(refused.unwrap_err().code(), Code::FailedPrecondition);
}

// A2A-10.7-01
#[tokio::test]
async fn a_caller_that_leaves_stops_no_agent() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let mut ids = Vec::new();
    for streaming in [true, false] {
        if streaming {
            let stream = client.send_streaming_message(v1(say("wait")));
            let mut stream = within(stream).await.unwrap().into_inner();
            ids.push(task_id(&within(stream.message()).await.unwrap().unwrap()));
            within(server.signals.begun.notified()).await;
        } else {
            let mut other = client.clone();
            let call = tokio::spawn(async move { other.send_message(v1(say("wait"))).await });
            within(server.signals.begun.notified()).await;
            call.abort();
            assert!(call.await.unwrap_err().is_cancelled());
        }
        server.signals.go.notify_one();
        within(server.signals.done.notified()).await;
    }
    let list = within(client.list_tasks(v1(ListTasksRequest::default())));
    let tasks = list.await.unwrap().into_inner().tasks;
    assert_eq!(tasks.len(), 2);
    assert!(tasks.iter().any(|task| task.id == ids[0]));
    for task in tasks {
        assert_eq!(task.state(), TaskState::Completed);
    }
}

// The server keeps the deadline: the client of this test only says it.
#[tokio::test]
async fn a_call_ends_at_its_deadline_and_the_agent_goes_on() {
    let server = serve(|server| server).await;
    for (method, events) in [("SendMessage", 0), ("SendStreamingMessage", 2)] {
        let answer = raw_call(server.address, method, "300m", &say("wait")).await;
        assert_eq!(answer.code, Code::DeadlineExceeded, "{method}");
        assert_eq!(answer.messages.len(), events);
        within(server.signals.begun.notified()).await;
        server.signals.go.notify_one();
        within(server.signals.done.notified()).await;
    }
    let mut client = server.client().await;
    let list = within(client.list_tasks(v1(ListTasksRequest::default())));
    for task in list.await.unwrap().into_inner().tasks {
        assert_eq!(task.state(), TaskState::Completed);
    }
}

#[tokio::test]
async fn a_deadline_far_away_ends_nothing_and_the_agent_knows_it() {
    let server = serve(|server| server).await;
    let mut client = server.client().await;
    let hour = [("grpc-timeout", "1H")];
    let told = within(client.send_message(with(say("left"), &hour))).await;
    let told = format!("{:?}", told.unwrap());
    assert!(told.contains("3599"), "{told}");
    for timeout in ["99999999H", "1000M", "100S"] {
        let answer = raw_call(server.address, "SendMessage", timeout, &say("hi")).await;
        assert_eq!(
            (answer.code, answer.messages.len()),
            (Code::Ok, 1),
            "{timeout}"
        );
    }
}
