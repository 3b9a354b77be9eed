use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::Events;

/// A binding under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    JsonRpc,
    Rest,
}

/// Every binding.
pub const BINDINGS: [Wire; 2] = [Wire::JsonRpc, Wire::Rest];

/// Calls operations over one binding, with plain HTTP and plain JSON: no code of ours but the
/// server's is under test.
#[derive(Clone)]
pub struct Caller {
    pub wire: Wire,
    base: String,
    tenant: String,
    headers: HeaderMap,
    http: reqwest::Client,
}

/// An answer, with the binding taken off: `result` or `error` as A2A has them.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Value,
    pub wire: Wire,
}

/// A user message with one text part, as JSON.
pub fn message(text: &str) -> Value {
    let id = format!("m-{}", text.len());
    json!({"messageId": id, "role": "ROLE_USER", "parts": [{"text": text}]})
}

impl Caller {
    pub fn new(wire: Wire, base: String) -> Self {
        super::crypto();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("a2a-version", HeaderValue::from_static("1.0"));
        Self {
            wire,
            base,
            tenant: String::new(),
            headers,
            http,
        }
    }

    /// With a header on every call; an empty value removes it.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        let name = HeaderName::from_static(name);
        match value {
            "" => self.headers.remove(name),
            value => self
                .headers
                .insert(name, HeaderValue::from_str(value).unwrap()),
        };
        self
    }

    pub fn bearer(self, token: &str) -> Self {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// Names this tenant in every request: over HTTP+JSON in the path, else in the parameters.
    pub fn in_tenant(self, tenant: &str) -> Self {
        let tenant = tenant.to_owned();
        Self { tenant, ..self }
    }

    /// Calls an operation by its name. `params` is the request message as JSON; over HTTP+JSON it
    /// is spread over path, query and body as the proto says.
    pub async fn call(&self, operation: &str, params: Value) -> Answer {
        let response = self.request(operation, params).send().await.unwrap();
        Answer::read(self.wire, response).await
    }

    /// Calls an operation that streams. `Err` when the answer is no stream.
    pub async fn stream(&self, operation: &str, params: Value) -> Result<Events, Answer> {
        let response = self.request(operation, params).send().await.unwrap();
        let content_type = response
            .headers()
            .get("content-type")
            .unwrap()
            .to_str()
            .unwrap();
        if content_type == "text/event-stream" {
            return Ok(Events::new(self.wire, response));
        }
        Err(Answer::read(self.wire, response).await)
    }

    /// `SendMessage` with one text.
    pub async fn send(&self, text: &str) -> Answer {
        self.call("SendMessage", json!({"message": message(text)}))
            .await
    }

    /// The same, answered as soon as the task exists.
    pub async fn send_immediately(&self, text: &str) -> Answer {
        let configuration = json!({"returnImmediately": true});
        self.call(
            "SendMessage",
            json!({"message": message(text), "configuration": configuration}),
        )
        .await
    }

    /// `SendMessage` to a task that exists.
    pub async fn send_to(&self, task_id: &str, text: &str) -> Answer {
        let mut message = message(text);
        message["taskId"] = task_id.into();
        self.call("SendMessage", json!({"message": message})).await
    }

    pub async fn get_task(&self, id: &str) -> Answer {
        self.call("GetTask", json!({"id": id})).await
    }

    /// The HTTP request, for tests that want to change it before it is sent.
    pub fn request(&self, operation: &str, mut params: Value) -> reqwest::RequestBuilder {
        let request = match self.wire {
            Wire::JsonRpc => {
                if !self.tenant.is_empty() {
                    params["tenant"] = self.tenant.clone().into();
                }
                let call =
                    json!({"jsonrpc": "2.0", "id": "t-1", "method": operation, "params": params});
                self.http
                    .post(format!("{}/", self.base))
                    .header("content-type", "application/json")
                    .body(call.to_string())
            }
            Wire::Rest => self.rest(operation, params),
        };
        request.headers(self.headers.clone())
    }

    fn rest(&self, operation: &str, params: Value) -> reqwest::RequestBuilder {
        let Value::Object(mut params) = params else {
            panic!("params are an object")
        };
        let mut take = |name: &str| {
            let value = params.remove(name).unwrap_or_default();
            encode(value.as_str().unwrap_or_default())
        };
        let (verb, path) = match operation {
            "SendMessage" => ("POST", "/message:send".to_owned()),
            "SendStreamingMessage" => ("POST", "/message:stream".to_owned()),
            "GetTask" => ("GET", format!("/tasks/{}", take("id"))),
            "ListTasks" => ("GET", "/tasks".to_owned()),
            "CancelTask" => ("POST", format!("/tasks/{}:cancel", take("id"))),
            "SubscribeToTask" => ("GET", format!("/tasks/{}:subscribe", take("id"))),
            "CreateTaskPushNotificationConfig" => (
                "POST",
                format!("/tasks/{}/pushNotificationConfigs", take("taskId")),
            ),
            "ListTaskPushNotificationConfigs" => (
                "GET",
                format!("/tasks/{}/pushNotificationConfigs", take("taskId")),
            ),
            "GetTaskPushNotificationConfig" => {
                let task = take("taskId");
                (
                    "GET",
                    format!("/tasks/{task}/pushNotificationConfigs/{}", take("id")),
                )
            }
            "DeleteTaskPushNotificationConfig" => {
                let task = take("taskId");
                (
                    "DELETE",
                    format!("/tasks/{task}/pushNotificationConfigs/{}", take("id")),
                )
            }
            "GetExtendedAgentCard" => ("GET", "/extendedAgentCard".to_owned()),
            other => panic!("no route for {other}"),
        };
        let path = match self.tenant.as_str() {
            "" => path,
            tenant => format!("/{}{path}", encode(tenant)),
        };
        let url = format!("{}{path}", self.base);
        let request = self.http.request(verb.parse().unwrap(), url);
        if verb == "POST" {
            return request
                .header("content-type", "application/a2a+json")
                .body(Value::Object(params).to_string());
        }
        let query: Vec<(String, String)> = params
            .into_iter()
            .map(|(name, value)| match value {
                Value::String(text) => (name, text),
                value => (name, value.to_string()),
            })
            .collect();
        let mut request_url = String::new();
        for (name, value) in query {
            let mark = if request_url.is_empty() { '?' } else { '&' };
            request_url.push_str(&format!("{mark}{name}={}", encode(&value)));
        }
        let url = format!("{}{path}{request_url}", self.base);
        self.http.request(verb.parse().unwrap(), url)
    }
}

/// Percent-encodes everything but unreserved characters.
fn encode(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    text.bytes()
        .map(|b| {
            if plain(b) {
                (b as char).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

impl Answer {
    pub async fn read(wire: Wire, response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.unwrap();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Self {
            status,
            headers,
            body,
            wire,
        }
    }

    /// The result; panics on an error.
    #[track_caller]
    pub fn result(&self) -> &Value {
        let ok = self.status == 200 && self.body.get("error").is_none();
        assert!(ok, "{:?}: {} {}", self.wire, self.status, self.body);
        match self.wire {
            Wire::JsonRpc => &self.body["result"],
            Wire::Rest => &self.body,
        }
    }

    /// The task in a result, of whichever operation.
    #[track_caller]
    pub fn task(&self) -> &Value {
        let result = self.result();
        result.get("task").unwrap_or(result)
    }

    /// The id of that task.
    #[track_caller]
    pub fn task_id(&self) -> String {
        self.task()["id"].as_str().unwrap().to_owned()
    }

    /// The state of that task, without its prefix.
    #[track_caller]
    pub fn state(&self) -> &str {
        self.task()["status"]["state"]
            .as_str()
            .unwrap()
            .trim_start_matches("TASK_STATE_")
    }

    #[track_caller]
    fn error(&self) -> &Value {
        let error = self.body.get("error");
        error.unwrap_or_else(|| panic!("{:?}: no error: {} {}", self.wire, self.status, self.body))
    }

    pub fn is_error(&self) -> bool {
        self.body.get("error").is_some()
    }

    #[track_caller]
    pub fn message(&self) -> &str {
        self.error()["message"].as_str().unwrap()
    }

    /// The detail objects of the error.
    #[track_caller]
    pub fn details(&self) -> Vec<Value> {
        let member = match self.wire {
            Wire::JsonRpc => "data",
            Wire::Rest => "details",
        };
        self.error()[member].as_array().cloned().unwrap_or_default()
    }

    /// The fields that the error names.
    #[track_caller]
    pub fn violations(&self) -> Vec<String> {
        let mut fields: Vec<String> = self
            .details()
            .iter()
            .filter_map(|detail| detail["fieldViolations"].as_array())
            .flatten()
            .map(|violation| violation["field"].as_str().unwrap().to_owned())
            .collect();
        fields.sort();
        fields
    }

    /// The `reason` of the `ErrorInfo`.
    #[track_caller]
    pub fn reason(&self) -> Option<String> {
        let details = self.details();
        let info = details
            .iter()
            .find(|d| d["@type"] == "type.googleapis.com/google.rpc.ErrorInfo");
        info.map(|info| {
            assert_eq!(info["domain"], "a2a-protocol.org");
            info["reason"].as_str().unwrap().to_owned()
        })
    }

    /// Checks that this is the error of a row of the table: JSON-RPC code, HTTP status and status
    /// name of HTTP+JSON, and reason.
    #[track_caller]
    pub fn expect_error(&self, code: i64, status: u16, name: &str, reason: Option<&str>) {
        let shown = format!("{:?}: {} {}", self.wire, self.status, self.body);
        assert_eq!(self.reason().as_deref(), reason, "{shown}");
        assert!(!self.message().is_empty(), "{shown}");
        for detail in self.details() {
            assert!(detail["@type"].is_string(), "{shown}");
        }
        match self.wire {
            Wire::JsonRpc => {
                assert_eq!(self.error()["code"], code, "{shown}");
                let apart = [401, 403, 413, 415, 429, 503, 504].contains(&status);
                assert_eq!(self.status, if apart { status } else { 200 }, "{shown}");
                let members = self.error().as_object().unwrap().keys();
                let known = members.filter(|m| !["code", "message", "data"].contains(&m.as_str()));
                assert_eq!(known.count(), 0, "{shown}");
            }
            Wire::Rest => {
                assert_eq!(self.status, status, "{shown}");
                assert_eq!(self.error()["code"], status, "{shown}");
                assert_eq!(self.error()["status"], name, "{shown}");
            }
        }
    }

    #[track_caller]
    pub fn expect_task_not_found(&self) {
        self.expect_error(-32001, 404, "NOT_FOUND", Some("TASK_NOT_FOUND"));
    }

    #[track_caller]
    pub fn expect_not_cancelable(&self) {
        let reason = Some("TASK_NOT_CANCELABLE");
        self.expect_error(-32002, 400, "FAILED_PRECONDITION", reason);
    }

    #[track_caller]
    pub fn expect_push_not_supported(&self) {
        let reason = Some("PUSH_NOTIFICATION_NOT_SUPPORTED");
        self.expect_error(-32003, 400, "FAILED_PRECONDITION", reason);
    }

    #[track_caller]
    pub fn expect_unsupported(&self) {
        let reason = Some("UNSUPPORTED_OPERATION");
        self.expect_error(-32004, 400, "FAILED_PRECONDITION", reason);
    }

    /// Checks for invalid parameters, these and no others.
    #[track_caller]
    pub fn expect_invalid(&self, fields: &[&str]) {
        self.expect_error(-32602, 400, "INVALID_ARGUMENT", None);
        let mut fields = fields.to_vec();
        fields.sort_unstable();
        assert_eq!(self.violations(), fields, "{}", self.body);
    }
}
