use std::error::Error;
use std::time::Duration;

use a2a_types::ErrorKind::{self, *};
use a2a_types::{A2aError, FieldViolation, GrpcError};
use prost::Message;
use serde_json::json;

use super::{A2A, from_http, http, info, jsonrpc};

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
        assert_eq!(back.kind(), InvalidParams);
        assert_eq!(back.violations(), error.violations());
    }
    let bare = A2aError::new(InvalidParams, "no field to blame");
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
