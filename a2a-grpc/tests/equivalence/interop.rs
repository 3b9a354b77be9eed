//! Interop scenarios that are about the wire itself: asked without our client.

use a2a_grpc::a2a_service_client::A2aServiceClient;
use a2a_grpc::from_status;
use a2a_types::{A2aError, GetTaskRequest, ListTasksRequest, Message, SendMessageRequest};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::transport::Channel;

use crate::agent::{Running, open};

async fn grpc(server: &Running) -> A2aServiceClient<Channel> {
    let channel = Channel::from_shared(server.base.clone()).unwrap();
    A2aServiceClient::new(channel.connect().await.unwrap())
}

/// A request over HTTP/1.1, its headers in this spelling; the status and the JSON of the answer.
async fn http(
    server: &Running,
    method: &str,
    path: &str,
    headers: &[&str],
    body: &Value,
) -> (u16, Value) {
    let host = server.base.trim_start_matches("http://");
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for header in headers {
        request.push_str(&format!("{header}\r\n"));
    }
    if !body.is_empty() {
        let length = body.len();
        request.push_str(&format!(
            "Content-Type: application/json\r\nContent-Length: {length}\r\n"
        ));
    }
    request.push_str(&format!("\r\n{body}"));
    let mut socket = TcpStream::connect(host).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    // Chunked or not, the JSON is the part in braces.
    let json = body
        .find('{')
        .zip(body.rfind('}'))
        .map(|(start, end)| &body[start..=end]);
    (
        status,
        json.map_or(Value::Null, |json| serde_json::from_str(json).unwrap()),
    )
}

fn call(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

#[tokio::test]
async fn an_unknown_task_has_the_code_of_each_binding_and_one_reason() {
    // I2
    let server = Running::start(open()).await;
    let version = ["A2A-Version: 1.0"];
    let body = call("GetTask", json!({ "id": "nope" }));
    let (status, rpc) = http(&server, "POST", "/", &version, &body).await;
    assert_eq!((status, &rpc["error"]["code"]), (200, &json!(-32001)));
    let (status, rest) = http(&server, "GET", "/tasks/nope", &version, &Value::Null).await;
    assert_eq!((status, &rest["error"]["code"]), (404, &json!(404)));
    assert_eq!(rest["error"]["status"], "NOT_FOUND");
    let mut request = tonic::Request::new(GetTaskRequest::default().with_id("nope"));
    request
        .metadata_mut()
        .insert("a2a-version", "1.0".parse().unwrap());
    let status = grpc(&server).await.get_task(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::NotFound);
    let info = json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org", "metadata": { "taskId": "nope" },
    });
    assert_eq!(rpc["error"]["data"], json!([info]));
    assert_eq!(rest["error"]["details"], json!([info]));
    let error = from_status(&status);
    assert_eq!(error.reason(), Some("TASK_NOT_FOUND"));
    assert_eq!(error.metadata()["taskId"], "nope");
    assert_eq!(rpc["error"]["message"], status.message());
    assert_eq!(rest["error"]["message"], status.message());
}

#[tokio::test]
async fn whatever_is_missing_is_found_on_every_binding() {
    // I2, A2A-5.7
    let server = Running::start(open()).await;
    let version = ["A2A-Version: 1.0"];
    let params = json!({ "message": { "role": "ROLE_USER", "parts": [{ "text": "" }, {}] } });
    let (_, rpc) = http(
        &server,
        "POST",
        "/",
        &version,
        &call("SendMessage", params.clone()),
    )
    .await;
    let rpc = A2aError::from_jsonrpc(&rpc["error"], None);
    let (status, rest) = http(&server, "POST", "/message:send", &version, &params).await;
    let rest = A2aError::from_http(status, rest.to_string().as_bytes());
    let message: SendMessageRequest = serde_json::from_value(params).unwrap();
    let mut request = tonic::Request::new(message);
    request
        .metadata_mut()
        .insert("a2a-version", "1.0".parse().unwrap());
    let status = grpc(&server).await.send_message(request).await.unwrap_err();
    let over_grpc = from_status(&status);
    assert!(rpc.violations().len() >= 2, "{rpc:?}");
    for other in [rest, over_grpc] {
        assert_eq!(other.kind(), rpc.kind());
        assert_eq!(other.violations(), rpc.violations());
        assert_eq!(other.message(), rpc.message());
    }
}

#[tokio::test]
async fn the_version_decides_the_same_on_every_binding() {
    // I3, I4, I5
    let server = Running::start(open()).await;
    let body = call("ListTasks", json!({}));
    for (version, good) in [
        (None, false),
        (Some(""), false),
        (Some("1.0"), true),
        (Some("9.9"), false),
        (Some("1.0.1"), true),
    ] {
        let line = version.map(|version| format!("A2A-Version: {version}"));
        let headers: Vec<_> = line.iter().map(String::as_str).collect();
        let (_, rpc) = http(&server, "POST", "/", &headers, &body).await;
        let (status, rest) = http(&server, "GET", "/tasks", &headers, &Value::Null).await;
        let mut request = tonic::Request::new(ListTasksRequest::default());
        if let Some(version) = version {
            let version = version.parse().unwrap();
            request.metadata_mut().insert("a2a-version", version);
        }
        let over_grpc = grpc(&server).await.list_tasks(request).await;
        if good {
            assert!(rpc["result"].is_object(), "{version:?} {rpc}");
            assert_eq!(status, 200, "{version:?} {rest}");
            over_grpc.unwrap();
            continue;
        }
        for error in [
            A2aError::from_jsonrpc(&rpc["error"], None),
            A2aError::from_http(status, rest.to_string().as_bytes()),
            from_status(&over_grpc.unwrap_err()),
        ] {
            assert_eq!(error.reason(), Some("VERSION_NOT_SUPPORTED"), "{version:?}");
            assert_eq!(error.metadata()["supportedVersions"], "1.0");
        }
    }
}

#[tokio::test]
async fn a_client_of_one_binding_calls_the_entry_that_it_speaks() {
    // I9
    let server = Running::start(open()).await;
    let entry = |binding: &str, url: &str| {
        a2a_types::AgentInterface::default()
            .with_protocol_binding(binding)
            .with_protocol_version("1.0")
            .with_url(url)
    };
    let address = server.base.trim_start_matches("http://");
    let card = a2a_types::AgentCard::default().with_supported_interfaces([
        entry("JSONRPC", "http://127.0.0.1:9/"),
        entry("GRPC", address),
    ]);
    let client = crate::agent::client().with_bindings(["GRPC"]);
    let client = client.from_card(card).unwrap();
    let reply = client.send_message("hello").await.unwrap();
    assert!(reply.task().is_some());
    assert_eq!(client.interface().url, address);
}

#[tokio::test]
async fn the_name_of_the_version_is_the_same_in_every_spelling() {
    // I6
    let server = Running::start(open()).await;
    let body = call("ListTasks", json!({}));
    for (version, good) in [("1.0", true), ("9.9", false)] {
        for name in ["A2A-Version", "a2a-version", "A2A-VERSION", "a2A-vErSiOn"] {
            let header = format!("{name}: {version}");
            let (_, rpc) = http(&server, "POST", "/", &[&header], &body).await;
            assert_eq!(rpc["result"].is_object(), good, "{header}: {rpc}");
            let (status, rest) = http(&server, "GET", "/tasks", &[&header], &Value::Null).await;
            assert_eq!(status, if good { 200 } else { 400 }, "{header}: {rest}");
        }
        let mut request = tonic::Request::new(ListTasksRequest::default());
        request
            .metadata_mut()
            .insert("a2a-version", version.parse().unwrap());
        let result = grpc(&server).await.list_tasks(request).await;
        assert_eq!(result.is_ok(), good);
        if let Err(status) = result {
            assert_eq!(from_status(&status).reason(), Some("VERSION_NOT_SUPPORTED"));
        }
    }
}

#[tokio::test]
async fn a_tenant_is_the_same_in_the_path_in_the_body_and_in_the_message() {
    // I8
    let server = Running::start(open().tenants(["acme", "other"])).await;
    let version = ["A2A-Version: 1.0"];
    let body = |tenant: Option<&str>, id: &str| {
        let mut body = json!({ "message": {
            "messageId": id, "role": "ROLE_USER", "parts": [{ "text": "ask" }],
        }});
        if let Some(tenant) = tenant {
            body["tenant"] = tenant.into();
        }
        body
    };
    let mut tasks = Vec::new();
    for (path, body) in [
        ("/message:send", body(Some("acme"), "m-1")),
        ("/acme/message:send", body(None, "m-2")),
        ("/acme/message:send", body(Some("acme"), "m-3")),
    ] {
        let (status, answer) = http(&server, "POST", path, &version, &body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        tasks.push(answer["task"]["id"].as_str().unwrap().to_owned());
    }
    let (_, answer) = http(
        &server,
        "POST",
        "/",
        &version,
        &call("SendMessage", body(Some("acme"), "m-4")),
    )
    .await;
    tasks.push(answer["result"]["task"]["id"].as_str().unwrap().to_owned());
    let message = Message::user("ask").with_message_id("m-5");
    let mut request = tonic::Request::new(SendMessageRequest::new(message).with_tenant("acme"));
    request
        .metadata_mut()
        .insert("a2a-version", "1.0".parse().unwrap());
    let mut client = grpc(&server).await;
    let answer = client.send_message(request).await.unwrap().into_inner();
    let answer = serde_json::to_value(answer).unwrap();
    tasks.push(answer["task"]["id"].as_str().unwrap().to_owned());
    tasks.sort();
    // All five are found the same way by every binding, and in that tenant alone.
    for (tenant, wanted) in [("acme", &tasks[..]), ("other", &[])] {
        let ids = |page: &Value| {
            let mut ids: Vec<_> = page["tasks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|task| task["id"].as_str().unwrap().to_owned())
                .collect();
            ids.sort();
            ids
        };
        let path = format!("/{tenant}/tasks");
        let (_, rest) = http(&server, "GET", &path, &version, &Value::Null).await;
        assert_eq!(ids(&rest), wanted);
        let path = format!("/tasks?tenant={tenant}");
        let (_, rest) = http(&server, "GET", &path, &version, &Value::Null).await;
        assert_eq!(ids(&rest), wanted);
        let body = call("ListTasks", json!({ "tenant": tenant }));
        let (_, rpc) = http(&server, "POST", "/", &version, &body).await;
        assert_eq!(ids(&rpc["result"]), wanted);
        let mut request = tonic::Request::new(ListTasksRequest::default().with_tenant(tenant));
        request
            .metadata_mut()
            .insert("a2a-version", "1.0".parse().unwrap());
        let page = client.list_tasks(request).await.unwrap().into_inner();
        assert_eq!(ids(&serde_json::to_value(page).unwrap()), wanted);
    }
}
