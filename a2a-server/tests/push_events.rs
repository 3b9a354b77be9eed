//! What is sent to webhooks (A2A §3.1.7, §3.1.10, §3.2.2).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::auth::StaticBearer;
use a2a_server::testkit::{FaultyStore, StoreCall};
use a2a_server::{Answer, Limits, MemoryTaskStore};
use a2a_types::store::Scope;
use serde_json::json;
use support::webhooks::{HOOK, delete_webhook, list_webhooks, pushing, register_webhook, steady};
use support::{BINDINGS, Gate, Recorder, Scripted, Wire, message, scripted, serve, within};

// A2A-3.1.7-01, A2A-3.1.7-07, B3
#[tokio::test]
async fn every_webhook_of_a_task_gets_every_event_in_order() {
    let gate = Gate::new();
    let recorder = Recorder::default();
    for wire in BINDINGS {
        let server = serve(pushing(steady(&gate, 20), &recorder)).await;
        let caller = server.caller(wire);
        let task = caller.send_immediately("hi").await.task_id();
        let mut events = caller.subscribe(&task).await.unwrap();
        while events.next().await.unwrap().state() != "WORKING" {}
        let urls = [1, 2, 3].map(|n| format!("https://{n}.{wire:?}.example.com"));
        for url in &urls[..2] {
            register_webhook(&caller, json!({"taskId": task, "url": url})).await;
        }
        gate.open_for(10);
        for _ in 0..10 {
            events.next().await.unwrap();
        }
        register_webhook(&caller, json!({"taskId": task, "url": urls[2]})).await;
        gate.open_for(11);
        events.all().await;
        let from = |first: usize| -> Vec<String> {
            let artifacts = (first..=21).map(|n| format!("{n} artifact"));
            artifacts.chain(["22 COMPLETED".to_owned()]).collect()
        };
        assert_eq!(recorder.sent_to(&urls[0]), from(2));
        assert_eq!(recorder.sent_to(&urls[1]), from(2));
        assert_eq!(recorder.sent_to(&urls[2]), from(12));
    }
}

// A2A-3.1.10-01, R126: not even an event that was on its way to the store.
#[tokio::test]
async fn nothing_is_sent_to_a_webhook_once_its_deletion_is_answered() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let recorder = Recorder::default();
        let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
        let server = pushing(steady(&gate, 1), &recorder).task_store(Arc::new(store.clone()));
        let server = serve(server).await;
        let caller = server.caller(wire);
        let task = caller.send_immediately("hi").await.task_id();
        let mut events = caller.subscribe(&task).await.unwrap();
        while events.next().await.unwrap().state() != "WORKING" {}
        register_webhook(&caller, json!({"taskId": task, "id": "a", "url": HOOK})).await;

        let mut storing = store.hold(StoreCall::Append);
        gate.open();
        within(storing.arrived(1)).await;
        let deleting = tokio::spawn({
            let (caller, task, recorder) = (caller.clone(), task.clone(), recorder.clone());
            async move {
                delete_webhook(&caller, &task, "a").await;
                recorder.sent_to(HOOK)
            }
        });
        while !list_webhooks(&caller, &task).await.is_empty() {}
        drop(storing);
        let sent = within(deleting).await.unwrap();
        gate.open();
        within(events.all()).await;
        assert_eq!(recorder.sent_to(HOOK), sent);
    }
}

// A2A-3.2.2-06, A2A-3.2.2-04, B3
#[tokio::test]
async fn a_webhook_that_comes_with_a_message_hears_everything_from_the_start() {
    for wire in BINDINGS {
        let recorder = Recorder::default();
        let server = serve(pushing(Scripted::echo(), &recorder)).await;
        let caller = server.caller(wire);
        let sends = [
            ("SendMessage", false),
            ("SendMessage", true),
            ("SendStreamingMessage", false),
        ];
        for (n, (operation, immediately)) in sends.into_iter().enumerate() {
            let url = format!("https://{n}.example.com");
            // The id of another task is not believed.
            let config = json!({"url": url, "taskId": "another", "token": "t"});
            let configuration =
                json!({"taskPushNotificationConfig": config, "returnImmediately": immediately});
            let params = json!({"message": message("hi"), "configuration": configuration});
            let task = if operation == "SendMessage" {
                caller.call(operation, params).await.task_id()
            } else {
                let events = caller.stream(operation, params).await.unwrap().all().await;
                events[0].body["task"]["id"].as_str().unwrap().to_owned()
            };
            let configs = list_webhooks(&caller, &task).await;
            let id = configs[0]["id"].as_str().unwrap();
            assert!(!id.is_empty());
            let expected = json!({"taskId": task, "id": id, "url": url, "token": "t"});
            assert_eq!(configs, [expected]);
            if let Ok(events) = caller.subscribe(&task).await {
                events.all().await;
            }
            let all = ["task SUBMITTED", "1 WORKING", "2 artifact", "3 COMPLETED"];
            assert_eq!(recorder.sent_to(&url), all);
        }
    }
}

// A2A-3.2.2-06
#[tokio::test]
async fn a_webhook_that_comes_with_a_later_message_hears_all_of_its_answer() {
    for wire in BINDINGS {
        let gate = Gate::new();
        gate.open_for(2);
        let recorder = Recorder::default();
        let server = serve(pushing(steady(&gate, 1), &recorder)).await;
        let caller = server.caller(wire);
        let task = caller.send("park").await.task_id();
        let mut message = message("go on");
        message["taskId"] = task.clone().into();
        let configuration = json!({"taskPushNotificationConfig": {"url": HOOK, "id": "a"}});
        let params = json!({"message": message, "configuration": configuration});
        let answer = caller.call("SendMessage", params).await;
        assert_eq!(answer.state(), "COMPLETED");
        let expected = json!({"taskId": task, "url": HOOK, "id": "a"});
        assert_eq!(list_webhooks(&caller, &task).await, [expected]);
        let sent = ["2 WORKING", "3 artifact", "4 COMPLETED"];
        assert_eq!(recorder.sent_to(HOOK), sent);
    }
}

// A message that is not accepted leaves no webhook behind, or a client that tries again would
// hear everything twice.
#[tokio::test]
async fn a_webhook_that_comes_with_a_refused_message_is_not_registered() {
    for wire in BINDINGS {
        let recorder = Recorder::default();
        let limits = Limits::default().with_history(1);
        let server = pushing(Scripted::obedient(), &recorder).limits(limits);
        let server = serve(server).await;
        let caller = server.caller(wire);
        let task = caller.task_in("WORKING").await;
        let mut message = message("go on");
        message["taskId"] = task.clone().into();
        let configuration = json!({"taskPushNotificationConfig": {"url": HOOK}});
        let params = json!({"message": message, "configuration": configuration});
        let answer = caller.call("SendMessage", params).await;
        answer.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
        assert_eq!(list_webhooks(&caller, &task).await.len(), 0);
        caller.cancel(&task).await.result();
        assert!(recorder.sent_to(HOOK).is_empty());
    }
}

// B3: a direct reply has no task.
#[tokio::test]
async fn a_direct_reply_is_pushed_to_nobody() {
    let agent = scripted(|_, task| async move { task.reply("hello").await });
    let recorder = Recorder::default();
    let server = serve(pushing(agent.answering(Answer::Message), &recorder)).await;
    for caller in server.callers() {
        let configuration = json!({"taskPushNotificationConfig": {"url": HOOK}});
        let params = json!({"message": message("hi"), "configuration": configuration});
        let answer = caller.call("SendMessage", params).await;
        assert_eq!(
            answer.result()["message"]["parts"],
            json!([{"text": "hello"}])
        );
    }
    assert!(recorder.sent_to(HOOK).is_empty());
}

// R124: however many there are, and whatever ids their owners chose.
#[tokio::test]
async fn the_webhooks_of_all_owners_are_called() {
    let gate = Gate::new();
    let recorder = Recorder::default();
    let tokens = StaticBearer::new([("alice-token", "alice"), ("bob-token", "bob")]);
    let server = pushing(steady(&gate, 1), &recorder)
        .authenticator(tokens)
        .authorizer(WholeTenant)
        .limits(Limits::default().with_webhooks(200));
    let server = serve(server).await;
    let [alice, bob] =
        ["alice-token", "bob-token"].map(|token| server.caller(Wire::Rest).bearer(token));
    let task = alice.send_immediately("hi").await.task_id();
    let mut events = alice.subscribe(&task).await.unwrap();
    while events.next().await.unwrap().state() != "WORKING" {}
    let mut urls = Vec::new();
    for n in 0..75 {
        for (who, caller) in [("alice", &alice), ("bob", &bob)] {
            // One more of alice's, so that equal ids do not come in pairs.
            if (who, n) != ("bob", 0) {
                let url = format!("https://{who}-{n}.example.com");
                let config = json!({"taskId": task, "id": format!("{n:03}"), "url": url});
                register_webhook(caller, config).await;
                urls.push(url);
            }
        }
    }
    gate.open_for(2);
    events.all().await;
    for url in urls {
        assert_eq!(
            recorder.sent_to(&url),
            ["2 artifact", "3 COMPLETED"],
            "{url}"
        );
    }
}

struct WholeTenant;

#[async_trait::async_trait]
impl a2a_server::auth::Authorizer for WholeTenant {
    async fn authorize(
        &self,
        access: &a2a_server::auth::Access<'_>,
    ) -> Result<Scope, a2a_types::A2aError> {
        Ok(Scope::tenant(access.tenant))
    }
}
