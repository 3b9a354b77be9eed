//! The HTTP+JSON binding (A2A §11): routes, verbs, paths, query strings and bodies.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::sync::Arc;

use a2a_server::{Binding, ExtendedCardAccess, MemoryTaskStore, ServerBuilder};
use a2a_types::store::{NewTask, Owner, TaskStore};
use a2a_types::{Task, TaskState, TaskStatus, Timestamp};
use serde_json::{Value, json};
use support::{RawAnswer, Recorder, Scripted, TestServer, Wire, builder, raw, serve, serve_agent};

/// A server that has everything that there is a route for.
fn complete(agent: Scripted) -> ServerBuilder {
    let extended = |_| async { Ok(support::card().interface(elsewhere())) };
    builder(agent)
        .push_sender(Arc::new(Recorder::default()))
        .extended_card(extended)
        .extended_card_access(ExtendedCardAccess::Everybody)
}

fn elsewhere() -> a2a_types::AgentInterface {
    a2a_types::AgentInterface::default()
        .with_url("https://example.com/a2a")
        .with_protocol_binding("urn:example:binding:v1")
        .with_protocol_version("1.0")
}

/// A request as it is written here: no client makes it nicer.
async fn http(server: &TestServer, method: &str, target: &str, body: &str) -> RawAnswer {
    let content_type = if body.is_empty() {
        ""
    } else {
        "Content-Type: application/json\r\n"
    };
    let head = format!("{method} {target} HTTP/1.1\r\nA2A-Version: 1.0\r\n{content_type}");
    raw(server.address, &head, body.as_bytes()).await
}

async fn get(server: &TestServer, target: &str) -> RawAnswer {
    http(server, "GET", target, "").await
}

/// A store with tasks of these ids that wait for input, in this tenant.
async fn with_tasks(tenant: &str, ids: &[&str]) -> Arc<MemoryTaskStore> {
    let store = Arc::new(MemoryTaskStore::new());
    for id in ids {
        let status = TaskStatus::default()
            .with_state(TaskState::InputRequired)
            .with_timestamp(Timestamp::now());
        let task = Task::default()
            .with_id(*id)
            .with_context_id("c-1")
            .with_status(status);
        store
            .create(&Owner::new(tenant, ""), NewTask::new(task))
            .await
            .unwrap();
    }
    store
}

#[track_caller]
fn expect(answer: &RawAnswer, status: u16, name: &str) -> Value {
    let body = answer.json();
    assert_eq!(answer.status, status, "{body}");
    assert_eq!(body["error"]["code"], status, "{body}");
    assert_eq!(body["error"]["status"], name, "{body}");
    body
}

#[track_caller]
fn fields(answer: &RawAnswer) -> Vec<String> {
    let body = expect(answer, 400, "INVALID_ARGUMENT");
    let violations = body["error"]["details"][0]["fieldViolations"]
        .as_array()
        .unwrap()
        .clone();
    violations
        .iter()
        .map(|v| v["field"].as_str().unwrap().to_owned())
        .collect()
}

// A2A-5.1-01, A2A-5.3-01, A2A-5.3-02, A2A-11.2-01, A2A-11.3-01, A2A-11.4-01, A2A-11.4-02, D32, B1
#[tokio::test]
async fn every_route_answers_plain_and_below_a_tenant() {
    for prefix in ["", "/acme"] {
        let store = with_tasks(prefix.trim_start_matches('/'), &["t-1", "t-2"]).await;
        let server = serve(complete(Scripted::echo()).task_store(store)).await;
        let send = json!({"message": support::message("hi")}).to_string();
        let config = json!({"id": "p-1", "url": "https://example.com/hook"}).to_string();
        let configs = "/tasks/t-1/pushNotificationConfigs";
        for (method, path, body, shows) in [
            ("POST", "/message:send", &*send, "/task/status"),
            ("GET", "/tasks/t-1", "", "/status/state"),
            ("GET", "/tasks", "", "/totalSize"),
            ("POST", configs, &config, "/url"),
            ("GET", "/tasks/t-1/pushNotificationConfigs/p-1", "", "/url"),
            ("GET", configs, "", "/configs/0/url"),
            ("DELETE", "/tasks/t-1/pushNotificationConfigs/p-1", "", ""),
            ("GET", "/extendedAgentCard", "", "/name"),
            ("POST", "/tasks/t-2:cancel", "{}", "/status/state"),
        ] {
            let answer = http(&server, method, &format!("{prefix}{path}"), body).await;
            let body = answer.json();
            assert_eq!(answer.status, 200, "{method} {prefix}{path}: {body}");
            assert!(
                body.pointer(shows).is_some(),
                "{method} {prefix}{path}: {body}"
            );
            if method == "DELETE" {
                assert_eq!(body, json!({}));
            }
        }
        let stream = http(&server, "POST", &format!("{prefix}/message:stream"), &send).await;
        assert_eq!(stream.header("content-type"), Some("text/event-stream"));
    }
}

// A2A-5.3-02, A2A-T-09, D26
#[tokio::test]
async fn a_tenant_comes_in_the_path_the_query_or_the_body() {
    let agent = Scripted::echo();
    let server = serve_agent(agent.clone()).await;
    let message = support::message("hi");
    let plain = json!({"message": message}).to_string();
    let named = json!({"message": message, "tenant": "acme"}).to_string();
    for (target, body) in [
        ("/acme/message:send", &plain),
        ("/message:send", &named),
        ("/acme/message:send", &named),
        ("/%61cme/message:send", &plain),
    ] {
        assert_eq!(http(&server, "POST", target, body).await.status, 200);
        assert_eq!(
            agent.seen.lock().unwrap().last().unwrap().context().tenant,
            "acme"
        );
    }
    for (target, total) in [
        ("/acme/tasks", 4),
        ("/tasks?tenant=acme", 4),
        ("/acme/tasks?tenant=acme", 4),
        ("/tasks", 0),
        ("/other/tasks", 0),
    ] {
        assert_eq!(
            get(&server, target).await.json()["totalSize"],
            total,
            "{target}"
        );
    }
    let answer = http(&server, "POST", "/other/message:send", &named).await;
    assert_eq!(fields(&answer), ["tenant"]);
    assert_eq!(
        fields(&get(&server, "/other/tasks?tenant=acme").await),
        ["tenant"]
    );
    assert_eq!(agent.runs(), 4);
}

// D26
#[tokio::test]
async fn an_unknown_tenant_is_not_found_when_tenants_are_configured() {
    let agent = Scripted::echo();
    let server = serve(builder(agent.clone()).tenants(["acme", "globex"])).await;
    for caller in server.callers() {
        for tenant in ["", "initech", "ACME"] {
            let params = json!({"message": support::message("hi"), "tenant": tenant});
            caller
                .call("SendMessage", params)
                .await
                .expect_task_not_found();
            caller
                .call("ListTasks", json!({"tenant": tenant}))
                .await
                .expect_task_not_found();
        }
        let list = caller.call("ListTasks", json!({"tenant": "acme"})).await;
        assert_eq!(list.result()["totalSize"], 0);
    }
    assert_eq!(agent.runs(), 0);
}

// A2A-11.1-02, R043
#[tokio::test]
async fn a_wrong_verb_is_told_which_are_right() {
    let server = serve_agent(Scripted::echo()).await;
    for (method, target, allow) in [
        ("GET", "/message:send", "post"),
        ("GET", "/message:stream", "post"),
        ("PUT", "/tasks/t-1", "get"),
        ("POST", "/tasks", "get"),
        ("DELETE", "/tasks/t-1", "get"),
        ("GET", "/tasks/t-1:cancel", "post"),
        ("PUT", "/tasks/t-1:subscribe", "get, post"),
        ("PUT", "/tasks/t-1/pushNotificationConfigs", "post, get"),
        (
            "POST",
            "/tasks/t-1/pushNotificationConfigs/p",
            "get, delete",
        ),
        ("POST", "/extendedAgentCard", "get"),
        ("GET", "/acme/message:send", "post"),
    ] {
        let answer = http(&server, method, target, "").await;
        let body = expect(&answer, 405, "UNIMPLEMENTED");
        assert!(body["error"].get("details").is_none(), "{body}");
        let sorted = |list: &str| {
            let mut verbs: Vec<_> = list.split(", ").map(str::to_owned).collect();
            verbs.sort();
            verbs
        };
        let allowed = sorted(answer.header("allow").unwrap());
        assert_eq!(allowed, sorted(allow), "{method} {target}");
    }
}

// A2A-5.3-01, R048
#[tokio::test]
async fn an_unknown_route_is_not_found_and_no_a2a_error() {
    let server = serve_agent(Scripted::echo()).await;
    for target in [
        "/nothing",
        "/v1/message:send/x",
        "/message:delete",
        "/tasks/",
        "/tasks//pushNotificationConfigs",
        "/tasks/t-1/other",
        "/a/b/tasks",
        "//tasks",
        "/tasks/t-1/pushNotificationConfigs/p/q",
        "/message:send/",
    ] {
        let body = expect(&http(&server, "POST", target, "{}").await, 404, "NOT_FOUND");
        assert!(body["error"].get("details").is_none(), "{target}: {body}");
    }
}

// B1, R043, A2A-11.3-01
#[tokio::test]
async fn a_subscription_takes_get_and_post_with_or_without_a_body() {
    let server =
        serve(builder(Scripted::obedient()).task_store(with_tasks("", &["t-1"]).await)).await;
    let tenant =
        serve(builder(Scripted::obedient()).task_store(with_tasks("acme", &["t-1"]).await)).await;
    for (server, prefix) in [(&server, ""), (&tenant, "/acme")] {
        for (method, body) in [("GET", ""), ("POST", ""), ("POST", "{}"), ("POST", "null")] {
            let url = server.url(&format!("{prefix}/tasks/t-1:subscribe"));
            let client = reqwest::Client::builder().no_proxy().build().unwrap();
            let mut request = client
                .request(method.parse().unwrap(), url)
                .header("A2A-Version", "1.0");
            if !body.is_empty() {
                request = request
                    .header("Content-Type", "application/json")
                    .body(body);
            }
            let response = request.send().await.unwrap();
            let mut events = support::Events::new(Wire::Rest, response);
            assert_eq!(
                events.next().await.unwrap().brief(),
                "task INPUT_REQUIRED",
                "{method} {body}"
            );
        }
        let unknown = http(
            server,
            "POST",
            &format!("{prefix}/tasks/nope:subscribe"),
            "",
        )
        .await;
        let body = expect(&unknown, 404, "NOT_FOUND");
        assert_eq!(body["error"]["details"][0]["metadata"]["taskId"], "nope");
    }
}

// A2A-11.3-01: peers send all of these.
#[tokio::test]
async fn a_cancellation_needs_no_body() {
    for (body, content_type) in [
        ("", ""),
        ("", "Content-Type: application/json\r\n"),
        ("{}", "Content-Type: application/json\r\n"),
        ("null", "Content-Type: application/json\r\n"),
        (" \n", "Content-Type: application/a2a+json\r\n"),
        (
            r#"{"metadata":{"why":"done"}}"#,
            "Content-Type: application/json\r\n",
        ),
        (
            r#"{"id":"t-1","tenant":""}"#,
            "Content-Type: application/json\r\n",
        ),
    ] {
        let store = with_tasks("", &["t-1"]).await;
        let server = serve(builder(Scripted::obedient()).task_store(store)).await;
        let head = format!("POST /tasks/t-1:cancel HTTP/1.1\r\nA2A-Version: 1.0\r\n{content_type}");
        let answer = raw(server.address, &head, body.as_bytes()).await;
        assert_eq!(
            answer.json()["status"]["state"],
            "TASK_STATE_CANCELED",
            "{body} {content_type}"
        );
    }
}

const ODD_IDS: [(&str, &str); 11] = [
    ("a/b", "a%2Fb"),
    ("a:b", "a:b"),
    ("a:b", "a%3Ab"),
    ("x:cancel", "x%3Acancel"),
    ("50%", "50%25"),
    ("a b", "a%20b"),
    ("..", ".."),
    ("..", "%2e%2E"),
    ("é水", "%C3%A9%E6%B0%B4"),
    ("a?b#c", "a%3Fb%23c"),
    ("%25", "%2525"),
];

// R045, D42, A2A-11.3-01
#[tokio::test]
async fn odd_ids_survive_the_path() {
    let ids: Vec<_> = ODD_IDS.iter().map(|(id, _)| *id).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    let store = with_tasks("", &unique).await;
    let server = serve(complete(Scripted::obedient()).task_store(store)).await;
    for (id, encoded) in ODD_IDS {
        let task = get(&server, &format!("/tasks/{encoded}")).await;
        assert_eq!(task.json()["id"], id, "{encoded}");
        let over_rpc = server.caller(Wire::JsonRpc).get_task(id).await;
        assert_eq!(over_rpc.task()["id"], id);

        // The same characters in the id of a registration.
        let configs = format!("/tasks/{encoded}/pushNotificationConfigs");
        let config = json!({"id": id, "url": "https://example.com/hook"}).to_string();
        let created = http(&server, "POST", &configs, &config).await.json();
        assert_eq!(
            (&created["taskId"], &created["id"]),
            (&json!(id), &json!(id))
        );
        let one = format!("{configs}/{encoded}");
        assert_eq!(get(&server, &one).await.json()["id"], id);
        assert_eq!(http(&server, "DELETE", &one, "").await.json(), json!({}));
        assert_eq!(get(&server, &one).await.status, 404);
    }
    let canceled = http(&server, "POST", "/tasks/x%3Acancel:cancel", "")
        .await
        .json();
    assert_eq!(
        (&canceled["id"], &canceled["status"]["state"]),
        (&json!("x:cancel"), &json!("TASK_STATE_CANCELED"))
    );
    let canceled = http(&server, "POST", "/tasks/a:b:cancel", "").await.json();
    assert_eq!(canceled["id"], "a:b");
}

// R046
#[tokio::test]
async fn a_registration_belongs_to_the_task_in_the_path() {
    let store = with_tasks("", &["t-1", "t-2"]).await;
    let server = serve(complete(Scripted::echo()).task_store(store)).await;
    let configs = "/tasks/t-1/pushNotificationConfigs";
    let plain = json!({"url": "https://example.com/1"}).to_string();
    let same = json!({"url": "https://example.com/2", "taskId": "t-1"}).to_string();
    let other = json!({"url": "https://example.com/3", "taskId": "t-2"}).to_string();
    assert_eq!(
        http(&server, "POST", configs, &plain).await.json()["taskId"],
        "t-1"
    );
    assert_eq!(
        http(&server, "POST", configs, &same).await.json()["taskId"],
        "t-1"
    );
    assert_eq!(
        fields(&http(&server, "POST", configs, &other).await),
        ["taskId"]
    );
    for (id, count) in [("t-1", 2), ("t-2", 0)] {
        let list = get(&server, &format!("/tasks/{id}/pushNotificationConfigs"))
            .await
            .json();
        assert_eq!(
            list["configs"].as_array().map_or(0, Vec::len),
            count,
            "{list}"
        );
    }
}

// A2A-11.5-02, A2A-11.5-03, A2A-5.7-06, I12
#[tokio::test]
async fn query_parameters_are_read_in_every_form_of_the_protocol() {
    let store = with_tasks("", &["t-1", "t-2"]).await;
    let server = serve(complete(Scripted::echo()).task_store(store)).await;
    for (query, tasks) in [
        ("", 2),
        ("?contextId=c-1", 2),
        ("?context_id=c-2", 0),
        ("?contextId=c%2D1", 2),
        ("?contextId=c+1", 0),
        ("?status=TASK_STATE_INPUT_REQUIRED", 2),
        ("?status=6", 2),
        ("?status=TASK_STATE_WORKING", 0),
        ("?pageSize=1", 1),
        (
            "?contextId=c-1&status=TASK_STATE_INPUT_REQUIRED&pageSize=10",
            2,
        ),
        (
            "?contextId=c-1&status=TASK_STATE_INPUT_REQUIRED&pageSize=1",
            1,
        ),
        ("?contextId=c-1&status=TASK_STATE_WORKING&pageSize=10", 0),
        (
            "?contextId=c-2&status=TASK_STATE_INPUT_REQUIRED&pageSize=10",
            0,
        ),
        ("?page_size=1", 1),
        ("?statusTimestampAfter=2025-11-09T10:30:00Z", 2),
        ("?statusTimestampAfter=2025-11-09T10%3A30%3A00%2B02%3A00", 2),
        ("?statusTimestampAfter=9999-12-31T23:59:59.999Z", 0),
        ("?includeArtifacts=true&historyLength=0", 2),
        ("?include_artifacts=false", 2),
        ("?unknown=1&a2a-version=1.0", 2),
        ("?pageToken=&contextId=", 2),
    ] {
        let answer = get(&server, &format!("/tasks{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.json());
        assert_eq!(
            answer.json()["tasks"].as_array().unwrap().len(),
            tasks,
            "{query}"
        );
    }
}

// A2A-6-01, A2A-11.5-03, A2A-3.3.2-10, A2A-3.3.2-11, A2A-11.6-03
#[tokio::test]
async fn every_bad_query_parameter_is_named_at_once() {
    let server = serve_agent(Scripted::echo()).await;
    let answer = get(&server, "/tasks?pageSize=150&historyLength=-5&status=FOO").await;
    let mut found = fields(&answer);
    found.sort();
    assert_eq!(found, ["historyLength", "pageSize", "status"]);
    let text = answer.json().to_string();
    assert!(
        text.contains("between 1 and 100") && text.contains("150"),
        "{text}"
    );
    for (query, field) in [
        ("pageSize=x", "pageSize"),
        ("pageSize=0", "pageSize"),
        ("pageSize=1.5", "pageSize"),
        ("pageSize=99999999999", "pageSize"),
        ("includeArtifacts=yes", "includeArtifacts"),
        ("statusTimestampAfter=yesterday", "statusTimestampAfter"),
        ("statusTimestampAfter=1731148200", "statusTimestampAfter"),
        ("status=99", "status"),
        ("status=working", "status"),
        ("pageToken=%21%21", "pageToken"),
        ("historyLength=-1", "historyLength"),
    ] {
        let answer = get(&server, &format!("/tasks?{query}")).await;
        assert_eq!(fields(&answer), [field], "{query}");
    }
    assert_eq!(
        fields(&get(&server, "/tasks/t-1?historyLength=many").await),
        ["historyLength"]
    );
}

// R049, A2A-11.3-01
#[tokio::test]
async fn routes_live_below_the_path_of_the_mount_and_nowhere_else() {
    let server = serve(builder(Scripted::echo()).mount(Binding::HttpJson, "/x/y/")).await;
    assert_eq!(get(&server, "/x/y/tasks").await.status, 200);
    assert_eq!(get(&server, "/x/y/acme/tasks").await.status, 200);
    for other in ["/tasks", "/x/tasks", "/x/yy/tasks", "/x/y/x/y/tasks"] {
        assert_eq!(get(&server, other).await.status, 404, "{other}");
    }
}
