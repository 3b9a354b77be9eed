//! Webhook registrations (A2A §3.1.7 to §3.1.10, §13.2).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use serde_json::{Value, json};
use support::webhooks::{
    CREATE, DELETE, GET, HOOK, LIST, delete_webhook, list_webhooks, pushing, register_webhook,
    steady,
};
use support::{BINDINGS, Gate, Recorder, Scripted, Wire, message, serve, serve_agent};

// A2A-3.1.7-02, A2A-3.1.8-01, A2A-3.1.9-01, A2A-3.1.7-03, D13
#[tokio::test]
async fn a_registration_is_read_as_it_was_made() {
    let server = serve(pushing(Scripted::obedient(), &Recorder::default())).await;
    for caller in server.callers() {
        for state in ["WORKING", "INPUT_REQUIRED", "COMPLETED", "CANCELED"] {
            let task = caller.task_in(state).await;
            assert!(list_webhooks(&caller, &task).await.is_empty());
            let mut config = json!({"taskId": task, "url": HOOK, "token": "t0k3n",
                "authentication": {"scheme": "Bearer", "credentials": "s3cr3t"}});
            let made = register_webhook(&caller, config.clone()).await;
            let id = made["id"].as_str().unwrap().to_owned();
            assert!(!id.is_empty());
            config["id"] = id.clone().into();
            assert_eq!(made, config);
            let read = caller.call(GET, json!({"taskId": task, "id": id})).await;
            assert_eq!(*read.result(), config);
            assert_eq!(list_webhooks(&caller, &task).await, [config.clone()]);
            if state == "INPUT_REQUIRED" {
                caller.send_to(&task, "COMPLETED").await.result();
                assert_eq!(list_webhooks(&caller, &task).await, [config]);
            }
            let second = register_webhook(&caller, json!({"taskId": task, "url": HOOK})).await;
            assert_ne!(second["id"], id.as_str());
            assert_eq!(list_webhooks(&caller, &task).await.len(), 2);
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
        register_webhook(
            &caller,
            json!({"taskId": task, "id": "a", "url": old, "token": "1"}),
        )
        .await;
        gate.open();
        events.next().await.unwrap();
        let replaced =
            register_webhook(&caller, json!({"taskId": task, "id": "a", "url": new})).await;
        assert_eq!(
            list_webhooks(&caller, &task).await,
            std::slice::from_ref(&replaced)
        );
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
            // Nor does what else is wrong with the message, as long as the webhook can be seen.
            for webhook in [json!({}), json!({"url": HOOK})] {
                let inline = json!({"taskPushNotificationConfig": webhook, "historyLength": -1});
                let params = json!({"message": {"parts": []}, "configuration": inline});
                let answer = caller.call(operation, params).await;
                answer.expect_push_not_supported();
            }
            let unreadable = json!({"taskPushNotificationConfig": 7});
            let params = json!({"message": message("hi"), "configuration": unreadable});
            let answer = caller.call(operation, params).await;
            answer.expect_invalid(&["configuration.taskPushNotificationConfig"]);
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

// A2A-3.1.7-06, D8
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
    assert_eq!(list_webhooks(&caller, &task).await.len(), 1);
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
        assert_eq!(list_webhooks(&caller, &task).await.len(), 0);
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
            register_webhook(&caller, json!({"taskId": task, "id": id, "url": HOOK})).await;
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
                register_webhook(&caller, json!({"taskId": task, "id": id, "url": HOOK})).await;
            }
            for id in ["a", "a", "never made"] {
                delete_webhook(&caller, &task, id).await;
            }
            let answer = caller.call(GET, json!({"taskId": task, "id": "a"})).await;
            answer.expect_task_not_found();
            let left = list_webhooks(&caller, &task).await;
            assert_eq!(left, [json!({"taskId": task, "id": "b", "url": HOOK})]);
        }
    }
}

#[tokio::test]
async fn a_task_takes_no_more_webhooks_than_the_limit() {
    let limits = a2a_server::Limits::default().with_webhooks(2);
    let server = serve(pushing(Scripted::obedient(), &Recorder::default()).limits(limits)).await;
    for caller in server.callers() {
        let task = caller.task_in("INPUT_REQUIRED").await;
        for id in ["a", "b", "a"] {
            register_webhook(&caller, json!({"taskId": task, "id": id, "url": HOOK})).await;
        }
        let config = json!({"taskId": task, "id": "c", "url": HOOK});
        let refused = caller.call(CREATE, config).await;
        refused.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
        assert!(refused.message().contains("limit of 2 webhooks"));
        // Nor along with a message, which then has not been sent.
        let mut message = message("COMPLETED");
        message["taskId"] = task.clone().into();
        let inline = json!({"taskPushNotificationConfig": {"url": HOOK}});
        let params = json!({"message": message, "configuration": inline});
        let refused = caller.call("SendMessage", params).await;
        refused.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None);
        assert_eq!(caller.get_task(&task).await.state(), "INPUT_REQUIRED");
        assert_eq!(list_webhooks(&caller, &task).await.len(), 2);
        delete_webhook(&caller, &task, "a").await;
        register_webhook(&caller, json!({"taskId": task, "id": "c", "url": HOOK})).await;
    }
}
