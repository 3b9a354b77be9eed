//! Which error a caller sees when several things are wrong: the checks have one order, on every
//! binding.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use a2a_server::auth::{Access, Authorizer, StaticBearer};
use a2a_server::{InputModes, Streaming};
use a2a_types::store::Scope;
use a2a_types::{A2aError, AgentExtension};
use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use support::{Answer, Caller, Scripted, Wire, builder, message, serve};

/// Something wrong with a call, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Flaw {
    ContentType,
    Credentials,
    Syntax,
    Envelope,
    Version,
    Method,
    Capability,
    Params,
    Extension,
    Permission,
    UnknownTask,
    OtherContext,
    TerminalTask,
    MediaType,
}

use Flaw::*;

const FLAWS: [Flaw; 14] = [
    ContentType,
    Credentials,
    Syntax,
    Envelope,
    Version,
    Method,
    Capability,
    Params,
    Extension,
    Permission,
    UnknownTask,
    OtherContext,
    TerminalTask,
    MediaType,
];

impl Flaw {
    fn exists_on(self, wire: Wire) -> bool {
        wire == Wire::JsonRpc || ![Envelope, Method].contains(&self)
    }

    /// Two that cannot be in one call.
    fn excludes(self, other: Self) -> bool {
        let pair = |a, b| (self, other) == (a, b) || (self, other) == (b, a);
        pair(Credentials, Permission)
            || pair(Method, Capability)
            || pair(UnknownTask, OtherContext)
            || pair(UnknownTask, TerminalTask)
    }

    #[track_caller]
    fn expect(self, answer: &Answer) {
        let invalid = "INVALID_ARGUMENT";
        let failed = "FAILED_PRECONDITION";
        match self {
            ContentType => {
                answer.expect_error(-32005, 415, invalid, Some("CONTENT_TYPE_NOT_SUPPORTED"))
            }
            Credentials => answer.expect_error(-31401, 401, "UNAUTHENTICATED", None),
            Syntax => answer.expect_error(-32700, 400, invalid, None),
            Envelope => answer.expect_error(-32600, 400, invalid, None),
            Version => answer.expect_error(-32009, 400, failed, Some("VERSION_NOT_SUPPORTED")),
            Method => answer.expect_error(-32601, 404, "NOT_FOUND", None),
            Capability | TerminalTask => answer.expect_unsupported(),
            Params => answer.expect_invalid(&["message.messageId"]),
            Extension => {
                answer.expect_error(-32008, 400, failed, Some("EXTENSION_SUPPORT_REQUIRED"))
            }
            Permission => answer.expect_error(-31403, 403, "PERMISSION_DENIED", None),
            UnknownTask => answer.expect_task_not_found(),
            OtherContext => answer.expect_invalid(&["message.contextId"]),
            MediaType => {
                answer.expect_error(-32005, 400, invalid, Some("CONTENT_TYPE_NOT_SUPPORTED"))
            }
        }
        // Both are -32004; their texts differ.
        if self == TerminalTask {
            assert!(
                answer.message().contains("has ended"),
                "{}",
                answer.message()
            );
        }
    }
}

/// Two tasks to send to: one that waits and one that has ended.
struct Tasks {
    open: Value,
    ended: Value,
}

async fn call(caller: &Caller, tasks: &Tasks, flaws: &[Flaw]) -> Answer {
    let has = |flaw| flaws.contains(&flaw);
    let target = if has(TerminalTask) {
        &tasks.ended
    } else {
        &tasks.open
    };
    let mut message = message("INPUT_REQUIRED");
    message["taskId"] = target["id"].clone();
    if has(UnknownTask) {
        message["taskId"] = "nope".into();
    }
    if has(OtherContext) {
        message["contextId"] = "another".into();
    }
    if has(MediaType) {
        message["parts"] = json!([{"raw": "AAA=", "mediaType": "image/png"}]);
    }
    if has(Params) {
        message["messageId"] = "".into();
    }
    let operation = if has(Capability) {
        "SendStreamingMessage"
    } else {
        "SendMessage"
    };
    let token = match (has(Credentials), has(Permission)) {
        (true, _) => "wrong",
        (_, true) => "bob",
        _ => "alice",
    };
    let caller = caller
        .clone()
        .bearer(token)
        .with("a2a-version", if has(Version) { "0.3" } else { "1.0" })
        .with(
            "a2a-extensions",
            if has(Extension) { "" } else { "urn:x:v1" },
        );
    let mut request = caller.request(operation, json!({"message": message}));
    if has(ContentType) {
        let text = HeaderValue::from_static("text/plain");
        request = request.headers(HeaderMap::from_iter([(CONTENT_TYPE, text)]));
    }
    let mut request = request.build().unwrap();
    let body = request.body().unwrap().as_bytes().unwrap();
    let mut body = String::from_utf8(body.to_vec()).unwrap();
    if has(Method) {
        body = body.replace("\"SendMessage\"", "\"SendMassage\"");
    }
    if has(Envelope) {
        body = body.replace("\"2.0\"", "\"1.0\"");
    }
    if has(Syntax) {
        body.push('}');
    }
    *request.body_mut() = Some(body.into());
    let response = reqwest::Client::builder().no_proxy().build().unwrap();
    Answer::read(caller.wire, response.execute(request).await.unwrap()).await
}

/// Denies everything to one caller.
struct NotBob;

#[async_trait]
impl Authorizer for NotBob {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        match access.principal.id() {
            "bob" => Err(A2aError::permission_denied("scope tasks is missing")),
            _ => Ok(access.own()),
        }
    }
}

// A2A-3.3.2-01, A2A-5.1-03
#[tokio::test]
async fn of_two_things_wrong_the_earlier_check_speaks() {
    let extension = AgentExtension::default()
        .with_uri("urn:x:v1")
        .with_required(true);
    let agent = Scripted::obedient();
    let builder = builder(agent.clone())
        .card(support::card().extension(extension))
        .authenticator(StaticBearer::new([("alice", "alice"), ("bob", "bob")]))
        .authorizer(NotBob)
        .streaming(Streaming::Off)
        .input_modes(InputModes::Checked);
    let server = serve(builder).await;
    for caller in server.callers() {
        let alice = caller
            .clone()
            .bearer("alice")
            .with("a2a-extensions", "urn:x:v1");
        let tasks = Tasks {
            open: alice.send("INPUT_REQUIRED").await.task().clone(),
            ended: alice.send("COMPLETED").await.task().clone(),
        };
        call(&caller, &tasks, &[]).await.result();
        let runs = agent.runs();
        let flaws = || FLAWS.into_iter().filter(|flaw| flaw.exists_on(caller.wire));
        for first in flaws() {
            first.expect(&call(&caller, &tasks, &[first]).await);
            for second in flaws().filter(|flaw| *flaw > first && !flaw.excludes(first)) {
                first.expect(&call(&caller, &tasks, &[first, second]).await);
            }
        }
        let everything: Vec<_> = flaws()
            .filter(|flaw| ![Permission, Method, UnknownTask].contains(flaw))
            .collect();
        for (index, first) in everything.iter().enumerate() {
            first.expect(&call(&caller, &tasks, &everything[index..]).await);
        }
        assert_eq!(agent.runs(), runs, "the agent has seen none of it");
    }
}
