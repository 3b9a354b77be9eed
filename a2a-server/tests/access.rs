//! What callers may do, and whose tasks they see (A2A §7.5, §13.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use a2a_server::MemoryTaskStore;
use a2a_server::auth::{Access, Authorizer, Principal};
use a2a_server::testkit::FaultyStore;
use a2a_types::store::{Owner, Scope, StoreErrorKind, TaskStore};
use a2a_types::{A2aError, OperationId};
use async_trait::async_trait;
use serde_json::{Value, json};
use support::{
    BINDINGS, Badges, Caller, Gate, Recorder, Scripted, bearers, builder, calls, complete, ids,
    message, scripted, serve, serve_agent,
};

/// What an authorizer was asked.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    operation: OperationId,
    principal: String,
    scopes: BTreeSet<String>,
    tenant: String,
    task_id: Option<String>,
}

type Rule = dyn Fn(&Access<'_>) -> Result<Scope, A2aError> + Send + Sync;

/// An authorizer that follows a rule of the test and remembers what it was asked.
#[derive(Clone)]
struct Ruled {
    rule: Arc<Rule>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

fn ruled(rule: impl Fn(&Access<'_>) -> Result<Scope, A2aError> + Send + Sync + 'static) -> Ruled {
    Ruled {
        rule: Arc::new(rule),
        asked: Arc::default(),
    }
}

#[async_trait]
impl Authorizer for Ruled {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        assert_eq!(access.context.caller, *access.principal);
        self.asked.lock().unwrap().push(Asked {
            operation: access.operation,
            principal: access.principal.id().to_owned(),
            scopes: access.principal.scopes().clone(),
            tenant: access.tenant.to_owned(),
            task_id: access.task_id.map(str::to_owned),
        });
        (self.rule)(access)
    }
}

/// An answer to the byte, but for what differs from call to call.
#[derive(Debug, PartialEq)]
struct Bytes {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
}

async fn bytes(caller: &Caller, operation: &str, params: Value, id: &str) -> Bytes {
    let response = caller.request(operation, params).send().await.unwrap();
    let status = response.status().as_u16();
    let headers = response.headers().iter();
    let headers = headers.filter(|(name, _)| *name != "date");
    let text = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
        (name.to_string(), value.to_str().unwrap().to_owned())
    };
    let headers = headers.map(text).collect();
    let body = response.text().await.unwrap().replace(id, "ID");
    Bytes {
        status,
        headers,
        body,
    }
}

/// Waits in WORKING for the gate when told to work; else answers at once, or asks back.
fn worker(gate: &Gate) -> Scripted {
    let gate = gate.clone();
    scripted(move |request, task| {
        let gate = gate.clone();
        async move {
            match request.text().as_str() {
                "ask" => return task.input_required("private question").await,
                "work" => {
                    task.working().await?;
                    task.artifact("a").text("private result").send().await?;
                    gate.pass().await;
                }
                _ => {}
            }
            task.complete().await
        }
    })
}

async fn register(caller: &Caller, task: &str, id: &str, url: &str) {
    let config = json!({"taskId": task, "id": id, "url": url, "token": "planted-secret"});
    let answer = caller
        .call("CreateTaskPushNotificationConfig", config)
        .await;
    answer.result();
}

async fn webhooks(caller: &Caller, task: &str) -> Vec<String> {
    let params = json!({"taskId": task});
    let list = caller.call("ListTaskPushNotificationConfigs", params).await;
    let configs = list.result().get("configs").cloned().unwrap_or(json!([]));
    let ids = configs.as_array().unwrap().iter();
    ids.map(|c| c["id"].as_str().unwrap().to_owned()).collect()
}

// B12, R129, R128
// A2A-13.1-01, A2A-13.1-03, A2A-13.1-05, A2A-13.1-06, A2A-13.1-07, A2A-13.1-08, A2A-14.1.1-06,
// A2A-14.1.1-07, A2A-3.1.7-05, A2A-3.1.8-02, A2A-3.1.9-03, A2A-3.1.10-03
#[tokio::test]
async fn a_task_of_another_principal_or_tenant_is_as_good_as_unknown() {
    for wire in BINDINGS {
        let gate = Gate::new();
        let recorder = Recorder::default();
        let agent = worker(&gate);
        let server = serve(complete(agent.clone(), &recorder)).await;
        let person =
            |token: &str, tenant: &str| server.caller(wire).bearer(token).in_tenant(tenant);
        let owner = person("alice-token-1", "acme");
        let live = owner.send_immediately("work").await.task_id();
        let parked = owner.send("ask").await.task_id();
        let done = owner.send("done").await.task_id();
        let context = owner.get_task(&live).await.task()["contextId"].clone();
        for task in [&live, &parked, &done] {
            register(&owner, task, "hook", "https://alice.example.com").await;
        }
        let runs = agent.runs();

        let unknown = "00000000-0000-4000-8000-000000000000";
        let mut tried = BTreeSet::new();
        for (token, tenant) in [
            ("bob-token", "acme"),
            ("alice-token-2", "globex"),
            ("bob-token", "globex"),
        ] {
            let stranger = person(token, tenant);
            for task in [&live, &parked, &done] {
                let about = calls(task, "hook").into_iter().zip(calls(unknown, "hook"));
                for ((operation, params), (_, same)) in about {
                    tried.insert(operation);
                    if ["ListTasks", "GetExtendedAgentCard"].contains(&operation) {
                        let answer = stranger.call(operation, params).await.result().to_string();
                        assert!(!answer.contains(task.as_str()), "{answer}");
                        assert!(!answer.contains("private"), "{answer}");
                        continue;
                    }
                    let foreign = stranger.call(operation, params.clone()).await;
                    foreign.expect_task_not_found();
                    let foreign = bytes(&stranger, operation, params, task).await;
                    let nothing = bytes(&stranger, operation, same, unknown).await;
                    assert_eq!(foreign, nothing, "{operation} by {token} in {tenant}");
                    assert!(foreign.body.contains("ID") && !foreign.body.contains("secret"));
                }
            }
            assert!(ids(&stranger, json!({})).await.is_empty());
            // Knowing the conversation is of no use either.
            let own = json!({"messageId": token, "role": "ROLE_USER", "contextId": context,
                "parts": [{"text": "hello"}]});
            let own = stranger.call("SendMessage", json!({"message": own})).await;
            let filter = json!({"contextId": context});
            assert_eq!(
                ids(&stranger, filter).await,
                BTreeSet::from([own.task_id()])
            );
        }
        let all: BTreeSet<_> = OperationId::ALL.iter().map(|id| id.name()).collect();
        assert_eq!(tried, all);

        // The owner finds everything as it was.
        assert_eq!(agent.runs(), runs + 3);
        let own = BTreeSet::from([live.clone(), parked.clone(), done.clone()]);
        assert_eq!(ids(&owner, json!({})).await, own);
        let filter = json!({"contextId": context});
        assert_eq!(ids(&owner, filter).await, BTreeSet::from([live.clone()]));
        let states = [
            (&live, "WORKING"),
            (&parked, "INPUT_REQUIRED"),
            (&done, "COMPLETED"),
        ];
        for (task, state) in states {
            assert_eq!(owner.get_task(task).await.state(), state);
            assert_eq!(webhooks(&owner, task).await, ["hook"]);
        }
        let mut events = owner.subscribe(&live).await.unwrap();
        assert_eq!(events.next().await.unwrap().brief(), "task WORKING");
        gate.open();
        assert_eq!(
            events.next().await.unwrap().brief(),
            "statusUpdate COMPLETED"
        );
        assert!(recorder.sent_to("https://evil.example.com").is_empty());
        assert_eq!(
            recorder.sent_to("https://alice.example.com"),
            ["3 COMPLETED"]
        );
    }
}

// B12: all anonymous callers are one principal, in each tenant another one.
#[tokio::test]
async fn anonymous_callers_share_their_tasks_but_not_across_tenants() {
    let server = serve_agent(Scripted::echo()).await;
    for wire in BINDINGS {
        let task = server
            .caller(wire)
            .in_tenant("acme")
            .send("hi")
            .await
            .task_id();
        let other = server.caller(wire).in_tenant("acme");
        assert_eq!(other.get_task(&task).await.state(), "COMPLETED");
        for stranger in [server.caller(wire), server.caller(wire).in_tenant("globex")] {
            stranger.get_task(&task).await.expect_task_not_found();
        }
    }
}

// A2A-13.1-02, A2A-7.5-01
#[tokio::test]
async fn the_authorizer_is_asked_about_every_operation() {
    let hook = ruled(|access| Ok(access.own()));
    let sam = Principal::new("sam").with_scopes(["tasks:read", "tasks:write"]);
    let badges = Badges::new([("sam-badge", sam.clone())]);
    let recorder = Recorder::default();
    let server = complete(Scripted::echo(), &recorder)
        .authenticator(badges)
        .authorizer(hook.clone());
    let server = serve(server).await;
    for caller in server.callers() {
        let caller = caller.with("x-badge", "sam-badge").in_tenant("acme");
        let task = caller.send("hi").await.task_id();
        hook.asked.lock().unwrap().clear();
        let calls = calls(&task, "hook");
        for (operation, params) in calls.clone() {
            caller.call(operation, params).await;
        }
        let expected = calls.iter().map(|(name, params)| {
            let task_id = match *name {
                "ListTasks" | "GetExtendedAgentCard" => None,
                _ => Some(task.clone()),
            };
            assert!(task_id.is_none() || params.to_string().contains(&task));
            Asked {
                operation: OperationId::from_name(name).unwrap(),
                principal: "sam".to_owned(),
                scopes: sam.scopes().clone(),
                tenant: "acme".to_owned(),
                task_id,
            }
        });
        assert_eq!(*hook.asked.lock().unwrap(), expected.collect::<Vec<_>>());
    }
}

// A2A-7.4-02, A2A-7.5-01, A2A-13.1-02, A2A-13.1-08, A2A-13.3-10
#[tokio::test]
async fn what_is_not_permitted_is_refused_before_the_store_is_touched() {
    let store = FaultyStore::new(Arc::new(MemoryTaskStore::new()));
    store.fail_until_restored(StoreErrorKind::Internal);
    let agent = Scripted::echo();
    let server = complete(agent.clone(), &Recorder::default())
        .task_store(Arc::new(store))
        .authorizer(ruled(|_| {
            Err(A2aError::permission_denied("scope tasks is missing"))
        }));
    let server = serve(server).await;
    for caller in server.callers() {
        let caller = caller.bearer("bob-token");
        for (operation, params) in calls("some-task", "hook") {
            let answer = caller.call(operation, params).await;
            answer.expect_error(-31403, 403, "PERMISSION_DENIED", None);
            assert_eq!(answer.message(), "scope tasks is missing");
            assert!(!answer.headers.contains_key("www-authenticate"));
        }
    }
    assert_eq!(agent.runs(), 0);
    assert_eq!(server.server.live_tasks(), 0);
}

// A2A-7.5-01
#[tokio::test]
async fn scopes_of_the_credential_decide_what_a_caller_may_use() {
    let reader = Principal::new("sam").with_scopes(["tasks:read"]);
    let writer = Principal::new("sam").with_scopes(["tasks:read", "tasks:write"]);
    let badges = Badges::new([("reader", reader), ("writer", writer)]);
    let hook = ruled(|access| {
        let needed = match access.operation {
            OperationId::GetTask | OperationId::ListTasks | OperationId::SubscribeToTask => {
                "tasks:read"
            }
            _ => "tasks:write",
        };
        let granted = access.principal.scopes().contains(needed);
        let missing = || A2aError::permission_denied(format!("scope {needed} is missing"));
        granted.then(|| access.own()).ok_or_else(missing)
    });
    for wire in BINDINGS {
        let server = builder(Scripted::obedient())
            .authenticator(badges.clone())
            .authorizer(hook.clone());
        let server = serve(server).await;
        let caller = server.caller(wire);
        let writer = caller.clone().with("x-badge", "writer");
        let reader = caller.clone().with("x-badge", "reader");
        let task = writer.send("INPUT_REQUIRED").await.task_id();
        // They are one principal: what differs is what its credentials allow.
        assert_eq!(reader.get_task(&task).await.state(), "INPUT_REQUIRED");
        assert!(ids(&reader, json!({})).await.contains(&task));
        for answer in [
            reader.cancel(&task).await,
            reader.send("COMPLETED").await,
            reader.send_to(&task, "COMPLETED").await,
        ] {
            answer.expect_error(-31403, 403, "PERMISSION_DENIED", None);
            assert_eq!(answer.message(), "scope tasks:write is missing");
        }
        assert_eq!(writer.cancel(&task).await.state(), "CANCELED");
    }
}

// A2A-13.1-04, R124: the webhooks of everybody who may see a task are called, and stay with those
// who made them.
#[tokio::test]
async fn an_authorizer_can_open_a_tenant_to_all_its_members() {
    for wire in BINDINGS {
        let recorder = Recorder::default();
        let server = complete(worker(&Gate::new()), &recorder)
            .authorizer(ruled(|access| Ok(Scope::tenant(access.tenant))));
        let server = serve(server).await;
        let person =
            |token: &str, tenant: &str| server.caller(wire).bearer(token).in_tenant(tenant);
        let alice = person("alice-token-1", "acme");
        let bob = person("bob-token", "acme");
        let task = alice.send("ask").await.task_id();
        assert_eq!(bob.get_task(&task).await.state(), "INPUT_REQUIRED");
        assert!(ids(&bob, json!({})).await.contains(&task));
        for tenant in ["globex", ""] {
            let other = person("bob-token", tenant);
            other.get_task(&task).await.expect_task_not_found();
            assert!(!ids(&other, json!({})).await.contains(&task));
        }

        register(&alice, &task, "hook", "https://alice.example.com").await;
        register(&bob, &task, "hook", "https://bob.example.com").await;
        register(&alice, &task, "other", "https://alice.example.com").await;
        assert_eq!(webhooks(&alice, &task).await, ["hook", "other"]);
        assert_eq!(webhooks(&bob, &task).await, ["hook"]);
        let one = |id: &str| json!({"taskId": task, "id": id});
        let get = "GetTaskPushNotificationConfig";
        let own = bob.call(get, one("hook")).await;
        assert_eq!(own.result()["url"], "https://bob.example.com");
        bob.call(get, one("other")).await.expect_task_not_found();
        // Neither can one take away what is another's.
        let delete = "DeleteTaskPushNotificationConfig";
        bob.call(delete, one("other")).await.result();
        assert_eq!(webhooks(&alice, &task).await, ["hook", "other"]);

        assert_eq!(bob.send_to(&task, "go on").await.state(), "COMPLETED");
        let told = recorder.sent_about(&task);
        let ended = told.iter().filter(|(_, what)| what == "2 COMPLETED");
        let mut to: Vec<&str> = ended.map(|(url, _)| url.as_str()).collect();
        to.sort_unstable();
        let [alice, bob] = ["https://alice.example.com", "https://bob.example.com"];
        assert_eq!(to, [alice, alice, bob]);
    }
}

// A2A-13.1-04: ownership by something else than the caller.
#[tokio::test]
async fn an_authorizer_can_let_a_project_own_what_its_members_make() {
    let project = |access: &Access<'_>| {
        let project = match access.principal.id() {
            "ann" | "bea" => "project-1",
            _ => "project-2",
        };
        Ok(Scope::owner(Owner::new(access.tenant, project)))
    };
    let badges = ["ann", "bea", "cid"].map(|id| (id, Principal::new(id)));
    for wire in BINDINGS {
        let server = complete(Scripted::obedient(), &Recorder::default())
            .authenticator(Badges::new(badges.clone()))
            .authorizer(ruled(project));
        let server = serve(server).await;
        let caller = server.caller(wire);
        let [ann, bea, cid] = ["ann", "bea", "cid"].map(|id| caller.clone().with("x-badge", id));
        let task = ann.send("INPUT_REQUIRED").await.task_id();
        assert_eq!(ann.get_task(&task).await.state(), "INPUT_REQUIRED");
        register(&ann, &task, "hook", "https://ann.example.com").await;
        assert_eq!(webhooks(&bea, &task).await, ["hook"]);
        cid.get_task(&task).await.expect_task_not_found();
        cid.cancel(&task).await.expect_task_not_found();
        assert_eq!(bea.send_to(&task, "COMPLETED").await.state(), "COMPLETED");
        // A resend by the same project finds the task.
        let params = json!({"message": message("COMPLETED")});
        let first = ann.call("SendMessage", params.clone()).await.task_id();
        assert_eq!(bea.call("SendMessage", params).await.task_id(), first);
    }
}

// An authorizer that narrows: what a caller may only read it cannot see for anything else.
#[tokio::test]
async fn an_authorizer_can_hide_tasks_from_some_operations() {
    let nothing = |tenant: &str| Scope::owner(Owner::new(tenant, "nobody at all"));
    let hook = ruled(move |access| {
        Ok(match access.operation {
            OperationId::CancelTask => nothing(access.tenant),
            _ => access.own(),
        })
    });
    let server = builder(Scripted::obedient())
        .authenticator(bearers())
        .authorizer(hook);
    let server = serve(server).await;
    for caller in server.callers() {
        let caller = caller.bearer("bob-token");
        let task = caller.send("INPUT_REQUIRED").await.task_id();
        caller.cancel(&task).await.expect_task_not_found();
        assert_eq!(caller.get_task(&task).await.state(), "INPUT_REQUIRED");
    }
}

// A2A-13.4-21
#[tokio::test]
async fn all_tasks_of_an_owner_can_be_deleted() {
    let store = Arc::new(MemoryTaskStore::new());
    let server = builder(Scripted::obedient())
        .authenticator(bearers())
        .task_store(store.clone());
    let server = serve(server).await;
    for wire in BINDINGS {
        let person =
            |token: &str, tenant: &str| server.caller(wire).bearer(token).in_tenant(tenant);
        let alice = person("alice-token-1", "acme");
        let mine = [
            alice.send("COMPLETED").await.task_id(),
            alice.send("INPUT_REQUIRED").await.task_id(),
        ];
        let others = [
            person("bob-token", "acme"),
            person("alice-token-1", "globex"),
        ];
        for other in &others {
            other.send("COMPLETED").await.result();
        }
        let before = [others[0].count().await, others[1].count().await];
        let deleted = store
            .delete_owner(&Owner::new("acme", "alice"))
            .await
            .unwrap();
        assert_eq!(BTreeSet::from_iter(deleted), BTreeSet::from(mine.clone()));
        assert_eq!(alice.count().await, 0);
        for task in mine {
            alice.get_task(&task).await.expect_task_not_found();
        }
        assert_eq!([others[0].count().await, others[1].count().await], before);
    }
}
