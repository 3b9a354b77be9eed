//! The routing value `tenant` (A2A §5.3, §8.3.2).

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

use a2a_server::CARD_PATH;
use a2a_types::AgentCard;
use serde_json::{Value, json};
use support::{
    Answer, Caller, Recorder, Scripted, TestServer, Wire, builder, message, serve, serve_agent,
};

/// What the agent's context said for the last message.
fn heard(agent: &Scripted) -> String {
    let seen = agent.seen.lock().unwrap();
    seen.last().unwrap().context().tenant.clone()
}

async fn http(server: &TestServer, verb: &str, path: &str, body: Value) -> Answer {
    let verb = verb.parse().unwrap();
    let request = reqwest::Client::new().request(verb, server.url(path));
    let request = request.header("a2a-version", "1.0");
    let request = match body {
        Value::Null => request,
        body => request
            .header("content-type", "application/json")
            .body(body.to_string()),
    };
    Answer::read(Wire::Rest, request.send().await.unwrap()).await
}

// A2A-5.3-02, D26
#[tokio::test]
async fn the_tenant_reaches_the_agent_unchanged() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for tenant in ["acme", "ACME", "a c/m%e", "käse", "tasks", "0"] {
            let caller = caller.clone().in_tenant(tenant);
            let task = caller.send("hi").await.task_id();
            assert_eq!(heard(&agent), tenant);
            assert_eq!(caller.get_task(&task).await.state(), "COMPLETED");
        }
        caller.send("hi").await.result();
        assert_eq!(heard(&agent), "");
    }
}

// A2A-5.3-02, B12
#[tokio::test]
async fn every_route_exists_below_a_tenant() {
    let server =
        builder(Scripted::obedient())
            .push_sender(Arc::new(Recorder::default()))
            .extended_card(|context| async move {
                Ok(AgentCard::builder(&*context.tenant, "Extended").skill(
                    "more",
                    "More",
                    "Knows more",
                ))
            })
            .extended_card_access(a2a_server::ExtendedCardAccess::Everybody);
    let server = serve(server).await;
    for caller in server.callers() {
        let caller = caller.in_tenant("acme");
        let task = caller.task_in("INPUT_REQUIRED").await;
        let webhook = json!({"taskId": task, "id": "a", "url": "https://h.example.com"});
        let one = json!({"taskId": task, "id": "a"});
        for (operation, params) in [
            ("CreateTaskPushNotificationConfig", webhook),
            ("GetTaskPushNotificationConfig", one.clone()),
            ("ListTaskPushNotificationConfigs", json!({"taskId": task})),
            ("DeleteTaskPushNotificationConfig", one),
        ] {
            caller.call(operation, params).await.result();
        }
        assert_eq!(caller.get_task(&task).await.task_id(), task);
        let list = caller.call("ListTasks", json!({})).await;
        assert!(list.result()["tasks"].to_string().contains(&task));
        let mut events = caller.subscribe(&task).await.unwrap();
        assert_eq!(events.next().await.unwrap().state(), "INPUT_REQUIRED");
        let more = caller.stream_to(&task, "INPUT_REQUIRED").await.all().await;
        assert_eq!(more[0].body["task"]["id"], task.as_str());
        assert_eq!(
            caller.send_to(&task, "INPUT_REQUIRED").await.task_id(),
            task
        );
        assert_eq!(caller.cancel(&task).await.state(), "CANCELED");
        let card = caller.call("GetExtendedAgentCard", json!({})).await;
        assert_eq!(card.result()["name"], "acme");
    }
}

// D26
#[tokio::test]
async fn a_tenant_that_is_given_twice_must_be_the_same() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let send = |tenant: &str| json!({"tenant": tenant, "message": message("hi")});
    let answer = http(&server, "POST", "/acme/message:send", send("acme")).await;
    let task = answer.task_id();
    assert_eq!(heard(&agent), "acme");
    let runs = agent.runs();
    let answer = http(&server, "POST", "/acme/message:send", send("globex")).await;
    answer.expect_invalid(&["tenant"]);
    assert_eq!(agent.runs(), runs);

    let path = |query: &str| format!("/acme/tasks/{task}{query}");
    let same = http(&server, "GET", &path("?tenant=acme"), Value::Null).await;
    assert_eq!(same.task_id(), task);
    let other = http(&server, "GET", &path("?tenant=globex"), Value::Null).await;
    other.expect_invalid(&["tenant"]);
    // Without a path of its own the tenant may stand in body or query.
    let query = format!("/tasks/{task}?tenant=acme");
    assert_eq!(
        http(&server, "GET", &query, Value::Null).await.task_id(),
        task
    );
    let bare = format!("/tasks/{task}");
    http(&server, "GET", &bare, Value::Null)
        .await
        .expect_task_not_found();
    http(&server, "POST", "/message:send", send("acme"))
        .await
        .result();
    assert_eq!(heard(&agent), "acme");
}

// D26
#[tokio::test]
async fn with_tenants_configured_any_other_is_not_found() {
    let agent = Scripted::echo();
    let server = builder(agent.clone())
        .tenants(["acme", "globex"])
        .tenant("acme");
    let server = serve(server).await;
    let unknown = |caller: &Caller| {
        let caller = caller.clone();
        async move {
            for (operation, params) in [
                ("SendMessage", json!({"message": message("hi")})),
                ("ListTasks", json!({})),
                ("GetTask", json!({"id": "nope"})),
            ] {
                caller.call(operation, params).await.expect_task_not_found();
            }
        }
    };
    for caller in server.callers() {
        for tenant in ["acme", "globex"] {
            let caller = caller.clone().in_tenant(tenant);
            assert_eq!(caller.send("hi").await.state(), "COMPLETED");
            assert_eq!(heard(&agent), tenant);
        }
        let runs = agent.runs();
        for tenant in ["", "Acme", "acme ", "initech"] {
            unknown(&caller.clone().in_tenant(tenant)).await;
        }
        assert_eq!(agent.runs(), runs);
    }
    // The card tells its readers which one to send.
    let card = reqwest::get(server.url(CARD_PATH)).await.unwrap();
    let card: Value = serde_json::from_str(&card.text().await.unwrap()).unwrap();
    for interface in card["supportedInterfaces"].as_array().unwrap() {
        assert_eq!(interface["tenant"], "acme");
    }
}
