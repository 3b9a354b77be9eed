//! Who calls, and what an agent does not do for everybody.

use a2a_client::auth::Bearer;
use a2a_types::{SubscribeToTaskRequest, TaskPushNotificationConfig};

use crate::agent::{EXTENSION, Running, bare, closed, demanding, open};
use crate::driver::{everywhere, said};

#[tokio::test]
async fn callers_are_known_or_refused_the_same_way() {
    // B12, B13
    let server = Running::start(closed()).await;
    let stranger = everywhere(
        &server,
        |b| b,
        |mut d| async {
            d.say("context").await;
            let events = d.client.stream_message(said("context")).await;
            d.streamed(events).await;
            let answer = d.client.get_extended_card().await;
            d.got(answer);
            d
        },
    )
    .await;
    assert_eq!(stranger[0]["error"]["protocol"]["kind"], "Unauthenticated");
    let known = |token: &'static str| {
        move |b: a2a_client::ClientBuilder| b.with_credentials(Bearer::new(token))
    };
    everywhere(&server, known("wrong"), |mut d| async {
        d.say("context").await;
        d
    })
    .await;
    let alice = everywhere(&server, known("secret-a"), |mut d| async {
        d.say("context").await;
        d.say("refuse").await;
        let card = d.client.get_extended_card().await;
        d.got(card);
        d
    })
    .await;
    let told = &alice[0]["answer"]["task"]["artifacts"][0]["parts"][0]["text"];
    assert!(told.as_str().unwrap().starts_with("alice"), "{told}");
    assert_eq!(alice[2]["answer"]["skills"].as_array().unwrap().len(), 2);
    let client = crate::agent::client().with_credentials(Bearer::new("secret-a"));
    let client = client.connect(&server.base).await.unwrap();
    let task = client
        .send_message(said("ask"))
        .await
        .unwrap()
        .task()
        .unwrap()
        .clone();
    let bob = everywhere(&server, known("secret-b"), |mut d| {
        let id = task.id.clone();
        async move {
            let answer = d.client.get_task(&id).await;
            d.got(answer);
            let answer = d.client.cancel_task(&id).await;
            d.got(answer);
            let events = d
                .client
                .subscribe_to_task(SubscribeToTaskRequest::default().with_id(&id))
                .await;
            d.streamed(events).await;
            d
        }
    })
    .await;
    for line in bob {
        assert_eq!(line["error"]["protocol"]["kind"], "TaskNotFound");
    }
}

#[tokio::test]
async fn what_an_agent_does_not_offer_is_refused_the_same_way() {
    let server = Running::start(bare()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let events = d.client.stream_message(said("hello")).await;
            d.streamed(events).await;
            let events = d.client.subscribe_to_task("no-such-task").await;
            d.streamed(events).await;
            let answer = d.client.get_extended_card().await;
            d.got(answer);
            let config = TaskPushNotificationConfig::default()
                .with_task_id("no-such-task")
                .with_url("https://hooks.example.com/a");
            let answer = d.client.create_push_config(config.clone()).await;
            d.got(answer);
            let mut request = said("hello");
            let configuration = request.configuration.get_or_insert_default();
            configuration.task_push_notification_config = Some(config);
            let reply = d.client.send_message(request).await;
            d.replied(reply);
            d
        },
    )
    .await;
    for line in record {
        assert!(line["error"]["protocol"]["reason"].is_string(), "{line}");
    }
}

#[tokio::test]
async fn a_required_extension_is_demanded_the_same_way() {
    // I7
    let server = Running::start(demanding()).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            d.say("context").await;
            let events = d.client.stream_message(said("context")).await;
            d.streamed(events).await;
            for extensions in [&["urn:must"][..], &["urn:must", EXTENSION, "urn:unknown"]] {
                let mut call = d.client.send_message(said("context"));
                for uri in extensions {
                    call = call.with_extension(*uri);
                }
                let reply = call.await;
                d.replied(reply);
                let call = d
                    .client
                    .stream_message(said("context"))
                    .with_extension("urn:must");
                let events = call.await;
                d.streamed(events).await;
            }
            d
        },
    )
    .await;
    assert_eq!(
        record[0]["error"]["protocol"]["kind"],
        "ExtensionSupportRequired"
    );
    assert_eq!(record[2]["activated"], "urn:must");
}

#[tokio::test]
async fn the_tenant_of_the_interface_reaches_the_agent_the_same_way() {
    let server = Running::start(open().tenant("acme")).await;
    let record = everywhere(
        &server,
        |b| b,
        |mut d| async {
            let task = d.say("context").await;
            let answer = d.client.get_task(&task.id).await;
            d.got(answer);
            d
        },
    )
    .await;
    let told = &record[0]["answer"]["task"]["artifacts"][0]["parts"][0]["text"];
    assert!(told.as_str().unwrap().contains("acme"), "{told}");
}
