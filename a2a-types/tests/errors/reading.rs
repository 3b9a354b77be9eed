use a2a_types::A2aError;
use a2a_types::ErrorKind::*;
use serde_json::{Value, json};

use super::{from_http, http, info};

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
        assert_eq!(error.kind(), TaskNotFound, "{error:?}");
        assert_eq!(error.message(), "gone");
    }
    let absent = A2aError::from_jsonrpc(&json!({ "code": -32001, "message": "gone" }), None);
    assert_eq!(absent.kind(), TaskNotFound);
    let odd = json!({ "code": -32001, "message": "gone", "data": "why" });
    assert_eq!(A2aError::from_jsonrpc(&odd, None).details(), [json!("why")]);
    let java = json!({ "code": -32603, "message": "", "details": [info("UNSUPPORTED_OPERATION")] });
    let java = A2aError::from_jsonrpc(&java, None);
    assert_eq!(java.kind(), UnsupportedOperation);
}

// A2A-9.5-06
#[test]
fn unknown_codes_of_the_a2a_range_are_kept() {
    for code in [-32050, -32099, -32000, -1] {
        let error = A2aError::from_jsonrpc(&json!({ "code": code, "message": "new" }), Some(200));
        assert_eq!((error.kind(), error.code()), (Unknown, code));
        assert_eq!(error.message(), "new");
    }
    // Not even beside a status that would tell a kind by itself.
    let error = A2aError::from_jsonrpc(&json!({ "code": -32050, "message": "new" }), Some(503));
    assert_eq!((error.kind(), error.code()), (Unknown, -32050));
}

#[test]
fn an_http_status_refines_the_json_rpc_codes_that_kinds_share() {
    for (code, status, kind) in [
        (-32603, Some(429), ResourceExhausted),
        (-32603, Some(503), Unavailable),
        (-32603, Some(504), DeadlineExceeded),
        (-32603, Some(500), Internal),
        (-32603, None, Internal),
        (-32600, Some(413), PayloadTooLarge),
        (-32600, Some(400), InvalidRequest),
        (-32602, Some(503), InvalidParams),
        (-31401, Some(401), Unauthenticated),
        (-31403, Some(200), PermissionDenied),
    ] {
        let error = A2aError::from_jsonrpc(&json!({ "code": code, "message": "x" }), status);
        assert_eq!(error.kind(), kind, "{code} {status:?}");
    }
}

// D4: v1.0.0 servers use other statuses; the reason decides.
#[test]
fn older_tables_are_read_by_reason() {
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
    assert_eq!((error.kind(), error.message()), (TaskNotFound, "gone"));

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
        (VersionNotSupported, "only 0.3")
    );
    assert_eq!(error.details()[0]["supportedVersions"], json!(["0.3"]));
    let error = from_http(
        403,
        &json!({ "type": "about:blank", "title": "No", "status": 403 }),
    );
    assert_eq!((error.kind(), error.message()), (PermissionDenied, "No"));
    let elsewhere = "https://example.com/errors/task-not-found";
    let error = from_http(404, &json!({ "type": elsewhere, "title": "No" }));
    assert_eq!(error.kind(), Unknown);

    // A JSON string, text, nothing at all, a gateway's own words.
    let error = from_http(500, &json!("boom"));
    assert_eq!((error.kind(), error.message()), (Internal, "boom"));
    let error = A2aError::from_http(429, b"slow down\n");
    assert_eq!(
        (error.kind(), error.message()),
        (ResourceExhausted, "slow down")
    );
    let error = A2aError::from_http(503, b"");
    assert_eq!(error.kind(), Unavailable);
    assert!(error.message().contains("503"), "{error}");
    let error = from_http(
        401,
        &json!({ "error": "invalid_token", "message": "expired" }),
    );
    assert_eq!(
        (error.kind(), error.message()),
        (Unauthenticated, "expired")
    );
    let error = from_http(401, &json!({ "error": "invalid_token" }));
    assert_eq!(error.message(), "invalid_token");
    let error = from_http(400, &json!([1, 2]));
    assert_eq!(error.kind(), Unknown);

    // A page of a proxy is cut, not swallowed; the cut is at a whole character.
    let page = format!("<html>{}", "ü".repeat(4000));
    let error = A2aError::from_http(502, page.as_bytes());
    assert_eq!((error.kind(), error.http_status()), (Unknown, 502));
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
        assert_eq!((error.kind(), error.http_status()), (Unknown, status));
    }
    for code in [5, 9, 2, 99] {
        let error = A2aError::from_grpc(code, "x", b"");
        assert_eq!((error.kind(), error.grpc_code()), (Unknown, code));
    }
    // A reason of somebody else is no reason of ours.
    let mut foreign = info("TASK_NOT_FOUND");
    foreign["domain"] = json!("storage.example.com");
    let body = json!({ "error": { "code": 404, "message": "x", "details": [foreign] } });
    let error = from_http(404, &body);
    assert_eq!(error.kind(), Unknown);
    assert_eq!(error.details(), [foreign]);
    // A reason of ours that we do not know stays readable.
    let body = json!({ "error": { "code": 400, "message": "x", "details": [info("FROM_1_1")] } });
    let error = from_http(400, &body);
    assert_eq!((error.kind(), error.reason()), (Unknown, Some("FROM_1_1")));
}

#[test]
fn statuses_of_one_kind_tell_it_without_a_reason() {
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
        assert_eq!((error.kind(), error.message()), (InvalidAgentResponse, "m"));
    }
    let error = A2aError::from_event("out of memory");
    assert_eq!((error.kind(), error.message()), (Unknown, "out of memory"));
    let error = A2aError::from_event(r#"{"error":{"code":503,"message":"m"}}"#);
    assert_eq!(error.kind(), Unavailable);
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

#[test]
fn grpc_details_of_unknown_types_or_broken_bytes_do_no_harm() {
    let error = A2aError::from_grpc(14, "down", &[0xff, 0xff, 0xff]);
    assert_eq!((error.kind(), error.message()), (Unavailable, "down"));
    // google.rpc.Status { code: 5, details: [Any { type_url: "x/y", value: [1] }] }
    let error = A2aError::from_grpc(5, "", b"\x08\x05\x1a\x08\x0a\x03x/y\x12\x01\x01");
    assert_eq!(
        error.details(),
        [json!({ "@type": "x/y", "value": "AQ==" })]
    );
    assert!(error.message().contains('5'), "{error}");
}
