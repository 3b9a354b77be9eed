//! The error table and its three carriers, in both directions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use std::error::Error;
use std::time::Duration;

use a2a_types::{A2aError, ErrorKind, FieldViolation, GrpcError};
use prost::Message;
use serde_json::{Value, json};

/// Kind, reason, JSON-RPC code, HTTP status, status name, gRPC code: the published table.
const A2A: [(ErrorKind, &str, i32, u16, &str, i32); 9] = [
    (
        ErrorKind::TaskNotFound,
        "TASK_NOT_FOUND",
        -32001,
        404,
        "NOT_FOUND",
        5,
    ),
    (
        ErrorKind::TaskNotCancelable,
        "TASK_NOT_CANCELABLE",
        -32002,
        400,
        "FAILED_PRECONDITION",
        9,
    ),
    (
        ErrorKind::PushNotificationNotSupported,
        "PUSH_NOTIFICATION_NOT_SUPPORTED",
        -32003,
        400,
        "FAILED_PRECONDITION",
        9,
    ),
    (
        ErrorKind::UnsupportedOperation,
        "UNSUPPORTED_OPERATION",
        -32004,
        400,
        "FAILED_PRECONDITION",
        9,
    ),
    (
        ErrorKind::ContentTypeNotSupported,
        "CONTENT_TYPE_NOT_SUPPORTED",
        -32005,
        400,
        "INVALID_ARGUMENT",
        3,
    ),
    (
        ErrorKind::InvalidAgentResponse,
        "INVALID_AGENT_RESPONSE",
        -32006,
        500,
        "INTERNAL",
        13,
    ),
    (
        ErrorKind::ExtendedAgentCardNotConfigured,
        "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
        -32007,
        400,
        "FAILED_PRECONDITION",
        9,
    ),
    (
        ErrorKind::ExtensionSupportRequired,
        "EXTENSION_SUPPORT_REQUIRED",
        -32008,
        400,
        "FAILED_PRECONDITION",
        9,
    ),
    (
        ErrorKind::VersionNotSupported,
        "VERSION_NOT_SUPPORTED",
        -32009,
        400,
        "FAILED_PRECONDITION",
        9,
    ),
];

fn jsonrpc(error: &A2aError) -> Value {
    serde_json::to_value(error.to_jsonrpc()).unwrap()
}

fn http(error: &A2aError) -> Value {
    serde_json::to_value(error.to_http()).unwrap()
}

fn from_http(status: u16, body: &Value) -> A2aError {
    A2aError::from_http(status, body.to_string().as_bytes())
}

fn info(reason: &str) -> Value {
    json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    })
}

// A2A-5.4-01, A2A-9.5-01, A2A-9.5-02, A2A-9.5-03, A2A-11.6-01, A2A-11.6-02, A2A-11.6-04,
// A2A-3.3.2-17, A2A-3.3.2-18, R040, R048
#[test]
fn a2a_errors_have_exactly_the_published_form_on_both_json_bindings() {
    for (kind, reason, code, status, name, _) in A2A {
        let error = A2aError::new(kind, "what and why").with_metadata("key", "value");
        let mut detail = info(reason);
        detail["metadata"] = json!({ "key": "value" });
        assert_eq!(
            jsonrpc(&error),
            json!({ "code": code, "message": "what and why", "data": [detail] })
        );
        assert_eq!(error.to_jsonrpc().http_status(), 200, "{kind:?}");
        assert_eq!(
            http(&error),
            json!({ "error": {
                "code": status, "status": name, "message": "what and why", "details": [detail],
            } })
        );
        assert_eq!(error.to_http().status(), status);
    }
}

// A2A-10.6-01, A2A-10.6-02, R054
#[test]
fn a2a_errors_over_grpc_repeat_code_and_message_and_carry_error_info() {
    #[derive(PartialEq, Message)]
    struct Status {
        #[prost(int32, tag = "1")]
        code: i32,
        #[prost(string, tag = "2")]
        message: String,
        #[prost(message, repeated, tag = "3")]
        details: Vec<Any>,
    }
    #[derive(PartialEq, Message)]
    struct Any {
        #[prost(string, tag = "1")]
        type_url: String,
        #[prost(bytes = "vec", tag = "2")]
        value: Vec<u8>,
    }
    #[derive(PartialEq, Message)]
    struct ErrorInfo {
        #[prost(string, tag = "1")]
        reason: String,
        #[prost(string, tag = "2")]
        domain: String,
        #[prost(btree_map = "string, string", tag = "3")]
        metadata: std::collections::BTreeMap<String, String>,
    }
    for (kind, reason, _, _, _, code) in A2A {
        let error = A2aError::new(kind, "what and why").with_metadata("key", "value");
        let sent = error.to_grpc();
        assert_eq!((sent.code, sent.message.as_str()), (code, "what and why"));
        let status = Status::decode(sent.details.as_slice()).unwrap();
        assert_eq!(
            (status.code, status.message.as_str()),
            (code, "what and why")
        );
        let [any] = status.details.as_slice() else {
            panic!("{:?}", status.details)
        };
        assert_eq!(any.type_url, "type.googleapis.com/google.rpc.ErrorInfo");
        let info = ErrorInfo::decode(any.value.as_slice()).unwrap();
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            (reason, "a2a-protocol.org")
        );
        assert_eq!(info.metadata["key"], "value");
    }
}

// A2A-3.3.2-20, A2A-10.6-03
#[test]
fn a2a_errors_survive_the_way_to_a_peer_and_back_on_every_binding() {
    for (kind, ..) in A2A {
        let error = A2aError::new(kind, "what and why").with_metadata("taskId", "t-1");
        let GrpcError {
            code,
            message,
            details,
            ..
        } = error.to_grpc();
        for back in [
            A2aError::from_jsonrpc(&jsonrpc(&error), Some(200)),
            from_http(error.to_http().status(), &http(&error)),
            A2aError::from_grpc(code, &message, &details),
        ] {
            assert_eq!(back.kind(), kind);
            assert_eq!(back.message(), "what and why");
            assert_eq!(back.metadata()["taskId"], "t-1");
            assert!(back.details().is_empty(), "{back:?}");
        }
    }
}

// A2A-9.5-05, D22, D24
#[test]
fn other_errors_have_the_codes_of_json_rpc_and_of_the_transports() {
    use ErrorKind::*;
    for (kind, code, status, rpc_status, name, grpc) in [
        (ParseError, -32700, 400, 200, "INVALID_ARGUMENT", 3),
        (InvalidRequest, -32600, 400, 200, "INVALID_ARGUMENT", 3),
        (MethodNotFound, -32601, 404, 200, "NOT_FOUND", 12),
        (MethodNotAllowed, -32601, 405, 200, "UNIMPLEMENTED", 12),
        (InvalidParams, -32602, 400, 200, "INVALID_ARGUMENT", 3),
        (Internal, -32603, 500, 200, "INTERNAL", 13),
        (Unauthenticated, -31401, 401, 401, "UNAUTHENTICATED", 16),
        (PermissionDenied, -31403, 403, 403, "PERMISSION_DENIED", 7),
        (
            UnsupportedMediaType,
            -32005,
            415,
            415,
            "INVALID_ARGUMENT",
            3,
        ),
        (PayloadTooLarge, -32600, 413, 413, "RESOURCE_EXHAUSTED", 8),
        (ResourceExhausted, -32603, 429, 429, "RESOURCE_EXHAUSTED", 8),
        (Unavailable, -32603, 503, 503, "UNAVAILABLE", 14),
        (DeadlineExceeded, -32603, 504, 504, "DEADLINE_EXCEEDED", 4),
    ] {
        let error = A2aError::new(kind, "x");
        assert_eq!(jsonrpc(&error)["code"], code, "{kind:?}");
        assert_eq!(error.to_jsonrpc().http_status(), rpc_status, "{kind:?}");
        assert_eq!(http(&error)["error"]["code"], status, "{kind:?}");
        assert_eq!(http(&error)["error"]["status"], name, "{kind:?}");
        assert_eq!(error.to_grpc().code, grpc, "{kind:?}");
    }
}

// A2A-3.3.2-10, A2A-9.5-03, A2A-11.6-03
#[test]
fn wrong_parameters_are_named_in_a_bad_request_detail_and_in_the_text() {
    let error = A2aError::invalid_params([
        FieldViolation::new("pageSize", "must be between 1 and 100, got 500"),
        FieldViolation::new("message.parts[0].url", "must not be empty"),
    ]);
    let detail = json!({
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [
            { "field": "pageSize", "description": "must be between 1 and 100, got 500" },
            { "field": "message.parts[0].url", "description": "must not be empty" },
        ],
    });
    assert_eq!(jsonrpc(&error)["data"], json!([detail]));
    assert_eq!(http(&error)["error"]["details"], json!([detail]));
    assert!(
        error
            .message()
            .contains("pageSize: must be between 1 and 100"),
        "{error}"
    );

    let GrpcError {
        code,
        message,
        details,
        ..
    } = error.to_grpc();
    for back in [
        A2aError::from_jsonrpc(&jsonrpc(&error), None),
        from_http(400, &http(&error)),
        A2aError::from_grpc(code, &message, &details),
    ] {
        assert_eq!(back.kind(), ErrorKind::InvalidParams);
        assert_eq!(back.violations(), error.violations());
    }
    let bare = A2aError::new(ErrorKind::InvalidParams, "no field to blame");
    assert_eq!(
        jsonrpc(&bare)["data"][0]["fieldViolations"],
        json!([{ "field": "", "description": "no field to blame" }])
    );
}

// A2A-3.3.2-15, A2A-3.3.2-14, R048
#[test]
fn retry_guidance_survives_on_every_binding() {
    for delay in [
        Duration::from_secs(7),
        Duration::from_millis(1_500),
        Duration::from_micros(20),
        Duration::from_nanos(5),
        Duration::ZERO,
    ] {
        for error in [
            A2aError::unavailable(delay),
            A2aError::resource_exhausted(delay),
        ] {
            let GrpcError {
                code,
                message,
                details,
                ..
            } = error.to_grpc();
            for back in [
                A2aError::from_jsonrpc(&jsonrpc(&error), Some(error.to_jsonrpc().http_status())),
                from_http(error.to_http().status(), &http(&error)),
                A2aError::from_grpc(code, &message, &details),
            ] {
                assert_eq!(back.retry_after(), Some(delay));
                assert_eq!(back.kind(), error.kind());
                assert!(back.kind().is_retryable());
            }
        }
    }
    assert_eq!(
        jsonrpc(&A2aError::unavailable(Duration::from_millis(1_500)))["data"],
        json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.500s" }])
    );
    assert_eq!(A2aError::unavailable(None).retry_after(), None);
    assert!(!A2aError::internal("bug").kind().is_retryable());
}

#[test]
fn retry_delays_that_are_no_durations_are_ignored() {
    for delay in [
        "",
        "s",
        "-1s",
        "1",
        "1.s2",
        "1.0000000001s",
        "99999999999999999999s",
        "1h",
    ] {
        let data = json!([{ "@type": "x/google.rpc.RetryInfo", "retryDelay": delay }]);
        let error = A2aError::from_jsonrpc(&json!({ "code": -32603, "data": data }), None);
        assert_eq!(error.retry_after(), None, "{delay}");
    }
}

// A2A-3.3.2-08, A2A-3.3.2-13
#[test]
fn foreign_and_unknown_tasks_differ_in_nothing_but_the_id() {
    let text = |id: &str| {
        let error = A2aError::task_not_found(id);
        format!(
            "{} {} {:?}",
            jsonrpc(&error),
            http(&error),
            error.to_grpc().message
        )
    };
    assert_eq!(
        text("foreign").replace("foreign", "unknown"),
        text("unknown")
    );
    assert_eq!(A2aError::task_not_found("a").metadata()["taskId"], "a");
}

// R041
#[test]
fn causes_reach_the_log_and_no_carrier() {
    let secret = "postgres://root:hunter2@10.0.0.7/tasks";
    for error in [
        A2aError::internal(secret),
        A2aError::unavailable(None).with_source(secret),
        A2aError::invalid_agent_response("the agent broke the protocol").with_source(secret),
    ] {
        let sent = format!(
            "{error} {} {} {:?} {}",
            jsonrpc(&error),
            http(&error),
            error.to_grpc(),
            String::from_utf8_lossy(&error.to_grpc().details)
        );
        assert!(!sent.contains("hunter2"), "{sent}");
        assert_eq!(error.source().unwrap().to_string(), secret);
        assert!(format!("{error:?}").contains("hunter2"));
    }
    assert_eq!(A2aError::internal(secret).message(), "internal error");
}

// R040: the code decides, whatever shape the data has.
#[test]
fn json_rpc_errors_are_read_whatever_the_shape_of_their_data() {
    let data = info("TASK_NOT_FOUND");
    for data in [
        json!([data]),
        data,
        json!("task t-1 is gone"),
        json!({ "a": 1 }),
        Value::Null,
    ] {
        let error = json!({ "code": -32001, "message": "gone", "data": data });
        let error = A2aError::from_jsonrpc(&error, Some(200));
        assert_eq!(error.kind(), ErrorKind::TaskNotFound, "{error:?}");
        assert_eq!(error.message(), "gone");
    }
    let absent = A2aError::from_jsonrpc(&json!({ "code": -32001, "message": "gone" }), None);
    assert_eq!(absent.kind(), ErrorKind::TaskNotFound);
    let odd = json!({ "code": -32001, "message": "gone", "data": "why" });
    assert_eq!(A2aError::from_jsonrpc(&odd, None).details(), [json!("why")]);
    let java = json!({ "code": -32603, "message": "", "details": [info("UNSUPPORTED_OPERATION")] });
    let java = A2aError::from_jsonrpc(&java, None);
    assert_eq!(java.kind(), ErrorKind::UnsupportedOperation);
}

// A2A-9.5-06
#[test]
fn unknown_codes_of_the_a2a_range_are_kept() {
    for code in [-32050, -32099, -32000, -1] {
        let error = A2aError::from_jsonrpc(&json!({ "code": code, "message": "new" }), Some(200));
        assert_eq!((error.kind(), error.code()), (ErrorKind::Unknown, code));
        assert_eq!(error.message(), "new");
    }
    // Not even beside a status that would tell a kind by itself.
    let error = A2aError::from_jsonrpc(&json!({ "code": -32050, "message": "new" }), Some(503));
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unknown, -32050));
}

#[test]
fn an_http_status_refines_the_json_rpc_codes_that_kinds_share() {
    for (code, status, kind) in [
        (-32603, Some(429), ErrorKind::ResourceExhausted),
        (-32603, Some(503), ErrorKind::Unavailable),
        (-32603, Some(504), ErrorKind::DeadlineExceeded),
        (-32603, Some(500), ErrorKind::Internal),
        (-32603, None, ErrorKind::Internal),
        (-32600, Some(413), ErrorKind::PayloadTooLarge),
        (-32600, Some(400), ErrorKind::InvalidRequest),
        (-32602, Some(503), ErrorKind::InvalidParams),
        (-31401, Some(401), ErrorKind::Unauthenticated),
        (-31403, Some(200), ErrorKind::PermissionDenied),
    ] {
        let error = A2aError::from_jsonrpc(&json!({ "code": code, "message": "x" }), status);
        assert_eq!(error.kind(), kind, "{code} {status:?}");
    }
}

// D4: v1.0.0 servers use other statuses; the reason decides.
#[test]
fn older_tables_are_read_by_reason() {
    use ErrorKind::*;
    for (kind, reason, status, name, grpc) in [
        (
            TaskNotCancelable,
            "TASK_NOT_CANCELABLE",
            409,
            "FAILED_PRECONDITION",
            9,
        ),
        (
            PushNotificationNotSupported,
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
            400,
            "UNIMPLEMENTED",
            12,
        ),
        (
            UnsupportedOperation,
            "UNSUPPORTED_OPERATION",
            501,
            "UNIMPLEMENTED",
            12,
        ),
        (
            ContentTypeNotSupported,
            "CONTENT_TYPE_NOT_SUPPORTED",
            415,
            "INVALID_ARGUMENT",
            3,
        ),
        (
            InvalidAgentResponse,
            "INVALID_AGENT_RESPONSE",
            502,
            "INTERNAL",
            13,
        ),
        (
            VersionNotSupported,
            "VERSION_NOT_SUPPORTED",
            400,
            "UNIMPLEMENTED",
            12,
        ),
    ] {
        let body = json!({ "error": {
            "code": status, "status": name, "message": "old", "details": [info(reason)],
        } });
        let error = from_http(status, &body);
        assert_eq!(error.kind(), kind);
        assert_eq!(
            error.http_status(),
            status,
            "what the peer sent stays readable"
        );

        let details = A2aError::new(kind, "old").to_grpc().details;
        assert_eq!(A2aError::from_grpc(grpc, "old", &details).kind(), kind);
    }
    assert_eq!(
        from_http(422, &json!({ "message": "bad" })).kind(),
        InvalidParams
    );
}

// R048, D3
#[test]
fn http_errors_are_read_in_every_shape() {
    // Bare, with a JSON-RPC code.
    let error = from_http(
        404,
        &json!({ "code": -32001, "message": "gone", "data": null }),
    );
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::TaskNotFound, "gone")
    );

    // Problem details.
    let error = from_http(
        400,
        &json!({
            "type": "https://a2a-protocol.org/errors/version-not-supported",
            "title": "Not supported", "status": 400, "detail": "only 0.3", "supportedVersions": ["0.3"],
        }),
    );
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::VersionNotSupported, "only 0.3")
    );
    assert_eq!(error.details()[0]["supportedVersions"], json!(["0.3"]));
    let error = from_http(
        403,
        &json!({ "type": "about:blank", "title": "No", "status": 403 }),
    );
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::PermissionDenied, "No")
    );
    let elsewhere = "https://example.com/errors/task-not-found";
    let error = from_http(404, &json!({ "type": elsewhere, "title": "No" }));
    assert_eq!(error.kind(), ErrorKind::Unknown);

    // A JSON string, text, nothing at all, a gateway's own words.
    let error = from_http(500, &json!("boom"));
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Internal, "boom")
    );
    let error = A2aError::from_http(429, b"slow down\n");
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::ResourceExhausted, "slow down")
    );
    let error = A2aError::from_http(503, b"");
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.message().contains("503"), "{error}");
    let error = from_http(
        401,
        &json!({ "error": "invalid_token", "message": "expired" }),
    );
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Unauthenticated, "expired")
    );
    let error = from_http(401, &json!({ "error": "invalid_token" }));
    assert_eq!(error.message(), "invalid_token");
    let error = from_http(400, &json!([1, 2]));
    assert_eq!(error.kind(), ErrorKind::Unknown);

    // A page of a proxy is cut, not swallowed; the cut is at a whole character.
    let page = format!("<html>{}", "ü".repeat(4000));
    let error = A2aError::from_http(502, page.as_bytes());
    assert_eq!(
        (error.kind(), error.http_status()),
        (ErrorKind::Unknown, 502)
    );
    assert!(error.message().starts_with("<html>ü") && error.message().len() <= 1024);
}

// errors.md 1: six errors share FAILED_PRECONDITION, seven share 400, any proxy says 404.
#[test]
fn shared_statuses_without_a_reason_prove_nothing() {
    for (status, body) in [
        (
            404,
            json!({ "error": { "code": 404, "status": "NOT_FOUND", "message": "x" } }),
        ),
        (
            400,
            json!({ "error": { "code": 400, "status": "FAILED_PRECONDITION", "message": "x" } }),
        ),
        (400, json!({ "message": "x" })),
        (409, json!({ "message": "x" })),
        (502, json!({ "message": "x" })),
    ] {
        let error = from_http(status, &body);
        assert_eq!(
            (error.kind(), error.http_status()),
            (ErrorKind::Unknown, status)
        );
    }
    for code in [5, 9, 2, 99] {
        let error = A2aError::from_grpc(code, "x", b"");
        assert_eq!(
            (error.kind(), error.grpc_code()),
            (ErrorKind::Unknown, code)
        );
    }
    // A reason of somebody else is no reason of ours.
    let mut foreign = info("TASK_NOT_FOUND");
    foreign["domain"] = json!("storage.example.com");
    let body = json!({ "error": { "code": 404, "message": "x", "details": [foreign] } });
    let error = from_http(404, &body);
    assert_eq!(error.kind(), ErrorKind::Unknown);
    assert_eq!(error.details(), [foreign]);
    // A reason of ours that we do not know stays readable.
    let body = json!({ "error": { "code": 400, "message": "x", "details": [info("FROM_1_1")] } });
    let error = from_http(400, &body);
    assert_eq!(
        (error.kind(), error.reason()),
        (ErrorKind::Unknown, Some("FROM_1_1"))
    );
}

#[test]
fn statuses_of_one_kind_tell_it_without_a_reason() {
    use ErrorKind::*;
    for (status, kind) in [
        (401, Unauthenticated),
        (403, PermissionDenied),
        (405, MethodNotAllowed),
        (413, PayloadTooLarge),
        (415, UnsupportedMediaType),
        (429, ResourceExhausted),
        (500, Internal),
        (503, Unavailable),
        (504, DeadlineExceeded),
    ] {
        assert_eq!(A2aError::from_http(status, b"").kind(), kind);
    }
    for (code, kind) in [
        (1, Cancelled),
        (3, InvalidParams),
        (4, DeadlineExceeded),
        (7, PermissionDenied),
        (8, ResourceExhausted),
        (12, MethodNotFound),
        (13, Internal),
        (14, Unavailable),
        (16, Unauthenticated),
    ] {
        assert_eq!(A2aError::from_grpc(code, "", b"").kind(), kind);
    }
    let body = json!({ "error": { "code": 400, "status": "INVALID_ARGUMENT", "message": "x" } });
    assert_eq!(from_http(400, &body).kind(), InvalidParams);
}

// errors.md 3: reasons that peers give to the errors of JSON-RPC.
#[test]
fn reasons_of_peers_for_json_rpc_errors_are_understood() {
    use ErrorKind::*;
    for (reason, kind) in [
        ("INVALID_PARAMS", InvalidParams),
        ("INVALID_REQUEST", InvalidRequest),
        ("METHOD_NOT_FOUND", MethodNotFound),
        ("INTERNAL_ERROR", Internal),
        ("UNAUTHENTICATED", Unauthenticated),
    ] {
        let body = json!({ "error": { "code": 400, "message": "x", "details": [info(reason)] } });
        assert_eq!(from_http(400, &body).kind(), kind);
    }
}

// R012, D9: what a stream may hold as an error.
#[test]
fn error_events_are_read_in_every_shape() {
    for event in [
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32006,"message":"m"}}"#.to_owned(),
        http(&A2aError::invalid_agent_response("m")).to_string(),
        http(&A2aError::invalid_agent_response("m"))["error"].to_string(),
    ] {
        let error = A2aError::from_event(&event);
        assert_eq!(
            (error.kind(), error.message()),
            (ErrorKind::InvalidAgentResponse, "m")
        );
    }
    let error = A2aError::from_event("out of memory");
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Unknown, "out of memory")
    );
    let error = A2aError::from_event(r#"{"error":{"code":503,"message":"m"}}"#);
    assert_eq!(error.kind(), ErrorKind::Unavailable);
}

// A2A-9.5-04, A2A-11.6-05
#[test]
fn further_details_are_kept_and_only_typed_ones_are_sent() {
    let hint = json!({ "@type": "type.googleapis.com/google.rpc.Help", "links": [] });
    let error = A2aError::unsupported_operation("no")
        .with_detail(hint.clone())
        .with_detail(json!({ "untyped": true }));
    assert_eq!(jsonrpc(&error)["data"].as_array().unwrap().len(), 2);
    let back = A2aError::from_jsonrpc(&jsonrpc(&error), None);
    assert_eq!(back.details(), [hint]);
}

#[test]
fn grpc_details_of_unknown_types_or_broken_bytes_do_no_harm() {
    let error = A2aError::from_grpc(14, "down", &[0xff, 0xff, 0xff]);
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Unavailable, "down")
    );
    // google.rpc.Status { code: 5, details: [Any { type_url: "x/y", value: [1] }] }
    let error = A2aError::from_grpc(5, "", b"\x08\x05\x1a\x08\x0a\x03x/y\x12\x01\x01");
    assert_eq!(
        error.details(),
        [json!({ "@type": "x/y", "value": "AQ==" })]
    );
    assert!(error.message().contains('5'), "{error}");
}

#[test]
fn grpc_errors_stay_small_enough_for_trailers() {
    let violations = (0..5000).map(|n| FieldViolation::new(format!("f[{n}]"), "ü".repeat(900)));
    let error = A2aError::invalid_params(violations);
    let sent = error.to_grpc();
    assert!(sent.message.len() <= 1024 && sent.details.len() <= 6 * 1024);
    let back = A2aError::from_grpc(sent.code, &sent.message, &sent.details);
    assert!(!back.violations().is_empty());
    let long = A2aError::task_not_found("x".repeat(1 << 20)).to_grpc();
    assert!(long.details.len() <= 6 * 1024, "{}", long.details.len());
}

// A2A-3.6.2-02, B7
#[test]
fn version_errors_name_what_is_supported() {
    let error = A2aError::version_not_supported("9.9", ["1.0", "0.3"]);
    assert_eq!(error.metadata()["supportedVersions"], "1.0,0.3");
    assert!(
        error.message().contains("9.9") && error.message().contains("1.0"),
        "{error}"
    );
}

#[test]
fn every_constructor_gives_its_kind_and_a_text() {
    use ErrorKind::*;
    let errors = [
        (TaskNotFound, A2aError::task_not_found("t")),
        (
            TaskNotCancelable,
            A2aError::task_not_cancelable("t", "TASK_STATE_FAILED"),
        ),
        (PushNotificationNotSupported, A2aError::push_not_supported()),
        (UnsupportedOperation, A2aError::unsupported_operation("no")),
        (
            ContentTypeNotSupported,
            A2aError::content_type_not_supported("image/png"),
        ),
        (InvalidAgentResponse, A2aError::invalid_agent_response("no")),
        (
            ExtendedAgentCardNotConfigured,
            A2aError::extended_card_not_configured(),
        ),
        (
            ExtensionSupportRequired,
            A2aError::extension_required("urn:x"),
        ),
        (
            VersionNotSupported,
            A2aError::version_not_supported("2.0", ["1.0"]),
        ),
        (ParseError, A2aError::parse_error("line 1")),
        (InvalidRequest, A2aError::invalid_request("no method")),
        (MethodNotFound, A2aError::method_not_found("tasks/get")),
        (MethodNotAllowed, A2aError::method_not_allowed("PUT", "GET")),
        (InvalidParams, A2aError::invalid_param("id", "must be set")),
        (Internal, A2aError::internal("bug")),
        (Unauthenticated, A2aError::unauthenticated("sign in")),
        (
            PermissionDenied,
            A2aError::permission_denied("scope x is missing"),
        ),
        (
            UnsupportedMediaType,
            A2aError::unsupported_media_type("text/plain"),
        ),
        (ResourceExhausted, A2aError::resource_exhausted(None)),
        (PayloadTooLarge, A2aError::payload_too_large(1024)),
        (Unavailable, A2aError::unavailable(None)),
        (DeadlineExceeded, A2aError::deadline_exceeded()),
        (Cancelled, A2aError::cancelled()),
    ];
    for (kind, error) in &errors {
        assert_eq!(error.kind(), *kind);
        assert!(!error.message().is_empty());
    }
    // All but Unknown, which only reading gives.
    assert_eq!(errors.len() + 1, ErrorKind::ALL.len());
}

#[test]
fn clones_share_and_do_not_change_each_other() {
    let first = A2aError::task_not_found("t");
    let second = first.clone().with_metadata("more", "here");
    assert_eq!(first.metadata().len(), 1);
    assert_eq!(second.metadata().len(), 2);
}
