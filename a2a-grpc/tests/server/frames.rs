//! What is no proper request: an answer to that call, and nothing else is harmed.

use std::time::Duration;

use a2a_types::prost::Message as _;
use a2a_types::prost::encoding::{self, WireType, encode_key, encode_varint};
use a2a_types::{GetTaskRequest, Message, Part, SendMessageRequest};
use tonic::Code;

use crate::support::{begin_call, frame, http, raw, say, send, serve, v1, within};

const V1: [(&str, &str); 1] = [("a2a-version", "1.0")];

#[tokio::test]
async fn broken_frames_are_refused_and_the_server_goes_on() {
    let server = serve(|server| server).await;
    let message = say("hi").encode_to_vec();
    let whole = frame(&message);
    let mut compressed = whole.clone();
    compressed[0] = 1;
    for (body, expected) in [
        (Vec::new(), Code::Internal),
        (vec![0, 0, 0], Code::Internal),
        (whole[..whole.len() - 1].to_vec(), Code::Internal),
        ([whole.clone(), whole.clone()].concat(), Code::Internal),
        (compressed, Code::Unimplemented),
        (frame(b"\xff\xff\xff\xff"), Code::InvalidArgument),
        // An empty message is one: what is missing in it is another matter.
        (frame(b""), Code::InvalidArgument),
    ] {
        let (status, code, text) = raw(server.address, "SendMessage", &V1, body).await;
        assert_eq!((status, code), (200, Some(expected)), "{text}");
    }
    let (status, code, _) = raw(server.address, "SendMessage", &V1, whole.clone()).await;
    // The status of a good answer is in the trailers.
    assert_eq!((status, code), (200, None));
    let json = [("a2a-version", "1.0"), ("content-type", "application/json")];
    let (status, code, _) = raw(server.address, "SendMessage", &json, whole).await;
    assert_eq!((status, code), (415, None));
    send(&mut server.client().await, "still there").await;
}

#[tokio::test]
async fn fields_of_a_later_version_are_passed_over() {
    // I13
    let server = serve(|server| server).await;
    let mut message = say("hi").encode_to_vec();
    encoding::string::encode(1000, &"new".to_owned(), &mut message);
    encoding::uint64::encode(1001, &7, &mut message);
    let (status, code, text) = raw(server.address, "SendMessage", &V1, frame(&message)).await;
    assert_eq!((status, code), (200, None), "{text}");
}

#[tokio::test]
async fn a_call_over_http_1_is_refused_as_its_status_would_be_lost() {
    let server = serve(|server| server).await;
    let call = http().http1_only().build().unwrap();
    let call = call.post(server.url("/lf.a2a.v1.A2AService/SendMessage"));
    let call = call
        .header("content-type", "application/grpc")
        .header("a2a-version", "1.0");
    let answer = within(call.body(frame(&say("hi").encode_to_vec())).send()).await;
    assert_eq!(answer.unwrap().status(), 505);
}

#[tokio::test]
async fn deadlines_that_are_none_are_refused() {
    let server = serve(|server| server).await;
    let body = frame(&GetTaskRequest::default().with_id("t").encode_to_vec());
    for timeout in ["", "5", "S", "1x", "-1S", "+1S", "123456789S", "1.5S"] {
        let headers = [("a2a-version", "1.0"), ("grpc-timeout", timeout)];
        let (_, code, text) = raw(server.address, "GetTask", &headers, body.clone()).await;
        assert_eq!(code, Some(Code::InvalidArgument), "{timeout:?}: {text}");
    }
    let headers = [("a2a-version", "1.0"), ("grpc-timeout", "0n")];
    let (_, code, _) = raw(server.address, "GetTask", &headers, body).await;
    assert_eq!(code, Some(Code::DeadlineExceeded));
}

#[tokio::test]
async fn a_message_that_does_not_come_is_not_waited_for_long() {
    let limits = a2a_server::Limits::default().with_body_time(Duration::from_millis(200));
    let server = serve(|server| server.limits(limits)).await;
    let (answer, mut body) = begin_call(server.address, "SendMessage", "1H").await;
    body.send_data(frame(b"more")[..6].to_vec().into(), false)
        .unwrap();
    let answer = within(answer).await.unwrap();
    // DEADLINE_EXCEEDED
    assert_eq!(answer.headers()["grpc-status"], "4");
}

/// A list in a list, `levels` of them, as the bytes of a `google.protobuf.Value`.
fn nested(levels: usize) -> Vec<u8> {
    const LIST: u32 = 6;
    const VALUES: u32 = 1;
    let mut value = Vec::new();
    for level in 0..levels {
        let mut list = Vec::new();
        if level > 0 {
            encode_key(VALUES, WireType::LengthDelimited, &mut list);
            encode_varint(value.len() as u64, &mut list);
            list.extend_from_slice(&value);
        }
        value = Vec::new();
        encode_key(LIST, WireType::LengthDelimited, &mut value);
        encode_varint(list.len() as u64, &mut value);
        value.extend_from_slice(&list);
    }
    value
}

fn with_data(value: &[u8]) -> Vec<u8> {
    const PARTS: u32 = 5;
    const DATA: u32 = 4;
    let field = |tag: u32, content: &[u8]| {
        let mut out = Vec::new();
        encoding::bytes::encode(tag, &content.to_vec(), &mut out);
        out
    };
    let mut message = Message::user("x")
        .with_parts(Vec::<Part>::new())
        .encode_to_vec();
    message.extend(field(PARTS, &field(DATA, value)));
    field(2, &message)
}

// D44
#[tokio::test]
async fn user_data_may_be_64_levels_deep_and_no_deeper() {
    let server = serve(|server| server).await;
    let good = with_data(&nested(64));
    let read = SendMessageRequest::decode(&*good).unwrap();
    assert_eq!(read.message.unwrap().parts.len(), 1);
    let (_, code, text) = raw(server.address, "SendMessage", &V1, frame(&good)).await;
    assert_eq!(code, None, "{text}");
    for levels in [65, 10_000] {
        let body = frame(&with_data(&nested(levels)));
        let (_, code, text) = raw(server.address, "SendMessage", &V1, body).await;
        assert_eq!(code, Some(Code::InvalidArgument), "{levels}");
        assert!(text.contains("deep"), "{text}");
    }
}

// A2A §5.5: what is no JSON value is no value.
#[tokio::test]
async fn numbers_that_json_does_not_know_are_refused() {
    let server = serve(|server| server).await;
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut value = Vec::new();
        encoding::double::encode(2, &number, &mut value);
        let body = frame(&with_data(&value));
        let (_, code, text) = raw(server.address, "SendMessage", &V1, body).await;
        assert_eq!(code, Some(Code::InvalidArgument), "{text}");
    }
}

#[tokio::test]
async fn a_method_that_does_not_exist_is_unimplemented() {
    let server = serve(|server| server).await;
    let (_, code, text) = raw(server.address, "Sendmessage", &V1, frame(b"")).await;
    assert_eq!(code, Some(Code::Unimplemented), "{text}");
    // A service that does not exist is no page either.
    let client = http().http2_prior_knowledge().build().unwrap();
    let other = server.url("/a2a.v1.A2AService/SendMessage");
    let request = client
        .post(other)
        .header("content-type", "application/grpc");
    let response = within(request.body(frame(b"")).send()).await.unwrap();
    assert_eq!(response.headers()["grpc-status"], "12");
    let mut client = server.client().await;
    let unknown = GetTaskRequest::default().with_id("t");
    let missing = within(client.get_task(v1(unknown))).await.unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
}
