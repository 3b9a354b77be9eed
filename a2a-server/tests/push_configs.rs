//! Webhook registrations, and what is sent to them (A2A §3.1.7 to §3.1.10, §13.2).

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
use a2a_server::{Answer, Limits, MemoryTaskStore, ServerBuilder};
use a2a_types::store::Scope;
use serde_json::{Value, json};
use support::{
    BINDINGS, Caller, Gate, Recorder, Scripted, Wire, builder, message, scripted, serve,
    serve_agent, within,
};

const CREATE: &str = "CreateTaskPushNotificationConfig";
const GET: &str = "GetTaskPushNotificationConfig";
const LIST: &str = "ListTaskPushNotificationConfigs";
const DELETE: &str = "DeleteTaskPushNotificationConfig";

const HOOK: &str = "https://hook.example.com/a";

fn pushing(agent: Scripted, recorder: &Recorder) -> ServerBuilder {
    builder(agent).push_sender(Arc::new(recorder.clone()))
}

async fn create(caller: &Caller, config: Value) -> Value {
    caller.call(CREATE, config).await.result().clone()
}

async fn delete(caller: &Caller, task: &str, id: &str) {
    let answer = caller.call(DELETE, json!({"taskId": task, "id": id})).await;
    assert_eq!(answer.status, 200);
    assert_eq!(*answer.result(), json!({}));
}

/// All registrations of the task.
async fn list(caller: &Caller, task: &str) -> Vec<Value> {
    let answer = caller.call(LIST, json!({"taskId": task})).await;
    let list = answer.result();
    assert!(list.is_object());
    assert!(list.get("nextPageToken").is_none_or(|token| token == ""));
    let configs = list.get("configs").cloned().unwrap_or(json!([]));
    configs.as_array().unwrap().clone()
}

/// Says WORKING, one artifact and the next one each time the gate opens, until told to end.
fn steady(gate: &Gate, steps: usize) -> Scripted {
    let gate = gate.clone();
    scripted(move |request, task| {
        let gate = gate.clone();
        async move {
            if request.text() == "park" {
                return task.input_required("more?").await;
            }
            task.working().await?;
            for step in 0..steps {
                gate.pass().await;
                task.artifact(format!("a{step}")).text("x").send().await?;
            }
            gate.pass().await;
            task.complete().await
        }
    })
}

// A2A-3.1.7-02, A2A-3.1.8-01, A2A-3.1.9-01, A2A-3.1.7-03, D13
#[tokio::test]
async fn a_registration_is_read_as_it_was_made() {
    let server = serve(pushing(Scripted::obedient(), &Recorder::default())).await;
    for caller in server.callers() {
        for state in ["WORKING", "INPUT_REQUIRED", "COMPLETED", "CANCELED"] {
            let task = caller.task_in(state).await;
            assert_eq!(list(&caller, &task).await, [json!({}); 0]);
            let mut config = json!({"taskId": task, "url": HOOK, "token": "t0k3n",
                "authentication": {"scheme": "Bearer", "credentials": "s3cr3t"}});
            let made = create(&caller, config.clone()).await;
            let id = made["id"].as_str().unwrap().to_owned();
            assert!(!id.is_empty());
            config["id"] = id.clone().into();
            assert_eq!(made, config);
            let read = caller.call(GET, json!({"taskId": task, "id": id})).await;
            assert_eq!(*read.result(), config);
            assert_eq!(list(&caller, &task).await, [config.clone()]);
            if state == "INPUT_REQUIRED" {
                caller.send_to(&task, "COMPLETED").await.result();
                assert_eq!(list(&caller, &task).await, [config]);
            }
            let second = create(&caller, json!({"taskId": task, "url": HOOK})).await;
            assert_ne!(second["id"], id.as_str());
            assert_eq!(list(&caller, &task).await.len(), 2);
        }
    }
}

// A2A-3.1.7-02
#[tokio::test]
async fn a_registration_with_a_known_id_replaces_the_one_before() {
    let gate = Gate::new();
    let recorder = Recorder::default();
    for wire in BINDINGS {
        let server = serve(pushing(steady(&gate, 2), &recorder)).await;
        let caller = server.caller(wire);
        let task = caller.send_immediately("hi").await.task_id();
        let mut events = caller.subscribe(&task).await.unwrap();
        while events.next().await.unwrap().state() != "WORKING" {}
        let [old, new] = ["old", "new"].map(|path| format!("https://{path}.{wire:?}.example.com"));
        create(
            &caller,
            json!({"taskId": task, "id": "a", "url": old, "token": "1"}),
        )
        .await;
        gate.open();
        events.next().await.unwrap();
        let replaced = create(&caller, json!({"taskId": task, "id": "a", "url": new})).await;
        assert_eq!(list(&caller, &task).await, [replaced.clone()]);
        assert_eq!(replaced, json!({"taskId": task, "id": "a", "url": new}));
        gate.open_for(2);
        events.all().await;
        assert_eq!(recorder.sent_to(&old), ["2 artifact"]);
        assert_eq!(recorder.sent_to(&new), ["3 artifact", "4 COMPLETED"]);
    }
}

// A2A-3.1.7-04, A2A-3.1.8-03, A2A-3.1.9-03, A2A-3.1.10-03, A2A-3.3.4-01, A2A-3.2.2-07, R127
#[tokio::test]
async fn without_the_capability_webhooks_are_refused_before_anything_is_looked_up() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        let known = caller.send("hi").await.task_id();
        let count = caller.count().await;
        for task in ["nope", known.as_str()] {
            for (operation, params) in [
                (CREATE, json!({"taskId": task, "url": HOOK})),
                (GET, json!({"taskId": task, "id": "a"})),
                (LIST, json!({"taskId": task})),
                (DELETE, json!({"taskId": task, "id": "a"})),
            ] {
                let answer = caller.call(operation, params).await;
                answer.expect_push_not_supported();
            }
        }
        // Not even what is wrong with the request matters.
        let answer = caller
            .call(LIST, json!({"taskId": "nope", "pageSize": -1}))
            .await;
        answer.expect_push_not_supported();
        let runs = agent.runs();
        for operation in ["SendMessage", "SendStreamingMessage"] {
            let inline = json!({"taskPushNotificationConfig": {"url": HOOK}});
            let params = json!({"message": message("hi"), "configuration": inline});
            let answer = caller.call(operation, params).await;
            answer.expect_push_not_supported();
        }
        assert_eq!((agent.runs(), caller.count().await), (runs, count));
    }
}

// A2A-3.1.7-05, A2A-3.1.8-02, A2A-3.1.9-03, A2A-3.1.10-03, R126
#[tokio::test]
async fn webhooks_of_an_unknown_task_are_not_found() {
    let server = serve(pushing(Scripted::echo(), &Recorder::default())).await;
    for caller in server.callers() {
        for (operation, params) in [
            (CREATE, json!({"taskId": "nope", "url": HOOK})),
            (GET, json!({"taskId": "nope", "id": "a"})),
            (LIST, json!({"taskId": "nope"})),
            (DELETE, json!({"taskId": "nope", "id": "a"})),
        ] {
            caller.call(operation, params).await.expect_task_not_found();
        }
        let task = caller.send("hi").await.task_id();
        let answer = caller
            .call(GET, json!({"taskId": task, "id": "nope"}))
            .await;
        answer.expect_task_not_found();
    }
}

// A2A-3.1.7-06
#[tokio::test]
async fn over_http_json_the_path_names_the_task() {
    let server = serve(pushing(Scripted::echo(), &Recorder::default())).await;
    let caller = server.caller(Wire::Rest);
    let task = caller.send("hi").await.task_id();
    let url = server.url(&format!("/tasks/{task}/pushNotificationConfigs"));
    let post = async |body: Value| {
        let request = reqwest::Client::new()
            .post(&url)
            .header("a2a-version", "1.0");
        let request = request.header("content-type", "application/json");
        let response = request.body(body.to_string()).send().await.unwrap();
        support::Answer::read(Wire::Rest, response).await
    };
    let made = post(json!({"url": HOOK, "id": "a"})).await;
    let config = json!({"taskId": task, "id": "a", "url": HOOK});
    assert_eq!(*made.result(), config);
    assert_eq!(*post(config).await.result(), *made.result());
    let other = post(json!({"url": HOOK, "taskId": "other"})).await;
    other.expect_invalid(&["taskId"]);
    // A wrapper, as an older protocol had it, is no registration.
    let wrapped = post(json!({"pushNotificationConfig": {"url": HOOK}})).await;
    wrapped.expect_invalid(&["url"]);
    assert_eq!(list(&caller, &task).await.len(), 1);
}

// A2A-13.2-12, D43
#[tokio::test]
async fn a_bad_registration_is_refused_with_its_field() {
    let agent = Scripted::echo();
    let server = serve(pushing(agent.clone(), &Recorder::default())).await;
    for caller in server.callers() {
        let task = caller.send("hi").await.task_id();
        let (runs, count) = (agent.runs(), caller.count().await);
        for bad in [
            json!({}),
            json!({"url": ""}),
            json!({"url": "http://plain.example.com"}),
        ] {
            let mut config = bad.clone();
            config["taskId"] = task.clone().into();
            caller.call(CREATE, config).await.expect_invalid(&["url"]);
            let inline = json!({"taskPushNotificationConfig": bad});
            let params = json!({"message": message("hi"), "configuration": inline});
            let answer = caller.call("SendMessage", params).await;
            answer.expect_invalid(&["configuration.taskPushNotificationConfig.url"]);
        }
        let half = json!({"taskId": task, "url": HOOK, "authentication": {"credentials": "x"}});
        let answer = caller.call(CREATE, half).await;
        answer.expect_invalid(&["authentication.scheme"]);
        assert_eq!(list(&caller, &task).await.len(), 0);
        assert_eq!((agent.runs(), caller.count().await), (runs, count));
    }
    let rpc = server.caller(Wire::JsonRpc);
    let answer = rpc.call(CREATE, json!({"url": HOOK})).await;
    answer.expect_invalid(&["taskId"]);
    for operation in [GET, DELETE] {
        let answer = rpc.call(operation, json!({})).await;
        answer.expect_invalid(&["id", "taskId"]);
    }
    rpc.call(LIST, json!({})).await.expect_invalid(&["taskId"]);
}

// A2A-3.1.9-01, A2A-3.1.9-02, R126
#[tokio::test]
async fn a_list_of_webhooks_comes_in_pages() {
    let server = serve(pushing(Scripted::echo(), &Recorder::default())).await;
    for caller in server.callers() {
        let task = caller.send("hi").await.task_id();
        for id in ["c", "a", "b"] {
            create(&caller, json!({"taskId": task, "id": id, "url": HOOK})).await;
        }
        let page = |size: i32, token: Value| {
            let params = json!({"taskId": task, "pageSize": size, "pageToken": token});
            let caller = caller.clone();
            async move { caller.call(LIST, params).await }
        };
        let ids = |answer: &support::Answer| -> Vec<String> {
            let configs = answer.result()["configs"].as_array().unwrap().iter();
            configs
                .map(|c| c["id"].as_str().unwrap().to_owned())
                .collect()
        };
        let first = page(2, "".into()).await;
        assert_eq!(ids(&first), ["a", "b"]);
        let token = first.result()["nextPageToken"].clone();
        assert!(!token.as_str().unwrap().is_empty());
        let second = page(2, token).await;
        assert_eq!(ids(&second), ["c"]);
        assert!(second.result().get("nextPageToken").is_none_or(|t| t == ""));
        for whole in [0, 3, 100] {
            let all = page(whole, "".into()).await;
            assert_eq!(ids(&all), ["a", "b", "c"]);
            assert!(all.result().get("nextPageToken").is_none_or(|t| t == ""));
        }
        for size in [-1, 101] {
            page(size, "".into()).await.expect_invalid(&["pageSize"]);
        }
        page(2, "?".into()).await.expect_invalid(&["pageToken"]);
    }
}

// A2A-3.1.10-01, A2A-3.1.10-02, D14, D32, R126
#[tokio::test]
async fn a_registration_can_be_deleted_more_than_once() {
    let server = serve(pushing(Scripted::obedient(), &Recorder::default())).await;
    for caller in server.callers() {
        for state in ["WORKING", "INPUT_REQUIRED", "COMPLETED"] {
            let task = caller.task_in(state).await;
            for id in ["a", "b"] {
                create(&caller, json!({"taskId": task, "id": id, "url": HOOK})).await;
            }
            for id in ["a", "a", "never made"] {
                delete(&caller, &task, id).await;
            }
            let answer = caller.call(GET, json!({"taskId": task, "id": "a"})).await;
            answer.expect_task_not_found();
            let left = list(&caller, &task).await;
            assert_eq!(left, [json!({"taskId": task, "id": "b", "url": HOOK})]);
        }
    }
}

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
            create(&caller, json!({"taskId": task, "url": url})).await;
        }
        gate.open_for(10);
        for _ in 0..10 {
            events.next().await.unwrap();
        }
        create(&caller, json!({"taskId": task, "url": urls[2]})).await;
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
        create(&caller, json!({"taskId": task, "id": "a", "url": HOOK})).await;

        let mut storing = store.hold(StoreCall::Append);
        gate.open();
        within(storing.arrived(1)).await;
        let deleting = tokio::spawn({
            let (caller, task, recorder) = (caller.clone(), task.clone(), recorder.clone());
            async move {
                delete(&caller, &task, "a").await;
                recorder.sent_to(HOOK)
            }
        });
        while !list(&caller, &task).await.is_empty() {}
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
            let configs = list(&caller, &task).await;
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
        assert_eq!(list(&caller, &task).await, [expected]);
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
        assert_eq!(list(&caller, &task).await.len(), 0);
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
        .authorizer(WholeTenant);
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
                create(caller, config).await;
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
