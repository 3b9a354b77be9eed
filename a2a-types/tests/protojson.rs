//! The edges of ProtoJSON, one by one. The referee in `interop/protojson` compares the same with
//! Google's implementation; here stands what we want and why.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use a2a_types::{
    AgentCapabilities, AgentCard, AgentSkill, Artifact, AuthenticationInfo, GetTaskRequest,
    ListTasksRequest, ListTasksResponse, Message, Part, Role, SendMessageRequest, StreamResponse,
    Struct, Task, TaskPushNotificationConfig, TaskState, TaskStatus, Timestamp, Value,
    json::{self, JsonError, MAX_DEPTH},
    operation::Wire,
    part::Content,
};
use prost::Message as _;
use serde_json::json;

fn read<T: Wire>(text: &str) -> T {
    json::from_slice(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal<T: Wire>(text: &str) -> JsonError {
    match json::from_slice::<T>(text.as_bytes()) {
        Ok(message) => panic!("{text} is read as {message:?}"),
        Err(error) => error,
    }
}

fn write<T: Wire>(message: &T) -> String {
    String::from_utf8(json::to_vec(message).unwrap()).unwrap()
}

/// What we write of what we read.
fn rewrite<T: Wire>(text: &str) -> String {
    write(&read::<T>(text))
}

mod presence {
    use super::*;

    // R022: the arm of `data` stays set with null in it; for the other arms null is absence.
    #[test]
    fn null_is_a_value_for_data_alone() {
        let data =
            |part: Part| matches!(part.content, Some(Content::Data(value)) if value.is_null());
        assert!(data(read(
            r#"{"data":null,"mediaType":"application/json"}"#
        )));
        assert!(data(read(r#"{"text":null,"data":null}"#)));
        assert!(data(read(r#"{"data":null,"text":null}"#)));
        assert_eq!(read::<Part>(r#"{"text":null}"#).content, None);
        assert_eq!(rewrite::<Part>(r#"{"data":null}"#), r#"{"data":null}"#);
        assert!(data(
            Part::decode(
                Part::default()
                    .with_data(json!(null))
                    .encode_to_vec()
                    .as_slice()
            )
            .unwrap()
        ));
    }

    #[test]
    fn null_means_absent_for_every_other_field() {
        let task: Task = read(r#"{"id":null,"status":null,"artifacts":null,"metadata":null}"#);
        assert_eq!(task, Task::default());
        let request: GetTaskRequest = read(r#"{"historyLength":null}"#);
        assert_eq!(request.history_length, None);
    }

    #[test]
    fn null_inside_a_list_is_an_error() {
        assert_eq!(
            refusal::<Message>(r#"{"extensions":["a",null]}"#).path(),
            "extensions[1]"
        );
        assert_eq!(refusal::<Message>(r#"{"parts":[null]}"#).path(), "parts[0]");
    }

    // R027, A2A-5.7-04: presence counts, not truth.
    #[test]
    fn a_default_that_was_set_is_written() {
        for text in [
            r#"{"text":""}"#,
            r#"{"raw":""}"#,
            r#"{"url":""}"#,
            r#"{"data":false}"#,
            r#"{"data":0}"#,
            r#"{"data":""}"#,
        ] {
            assert_eq!(rewrite::<Part>(text), text);
        }
        let text = r#"{"streaming":false,"pushNotifications":false,"extendedAgentCard":false}"#;
        assert_eq!(rewrite::<AgentCapabilities>(text), text);
        let request = GetTaskRequest::default()
            .with_id("1")
            .with_history_length(0);
        assert_eq!(write(&request), r#"{"id":"1","historyLength":0}"#);
    }

    #[test]
    fn a_default_without_presence_is_left_out() {
        let text = r#"{"returnImmediately":false,"acceptedOutputModes":[]}"#;
        assert_eq!(rewrite::<a2a_types::SendMessageConfiguration>(text), "{}");
        assert_eq!(
            write(&Task::default().with_id("1").with_metadata(Struct::new())),
            r#"{"id":"1","metadata":{}}"#
        );
    }

    // R029, A2A-3.1.4-04: the four members of a page are always there.
    #[test]
    fn an_empty_page_of_tasks_has_all_its_members() {
        assert_eq!(
            write(&ListTasksResponse::default()),
            r#"{"tasks":[],"nextPageToken":"","pageSize":0,"totalSize":0}"#
        );
    }

    // R029: peers refuse a card without its required lists and texts.
    #[test]
    fn required_fields_of_a_card_are_written_even_when_empty() {
        assert_eq!(
            write(&AgentCard::default()),
            r#"{"name":"","description":"","supportedInterfaces":[],"version":"","defaultInputModes":[],"defaultOutputModes":[],"skills":[]}"#
        );
        assert_eq!(
            write(&AgentSkill::default()),
            r#"{"id":"","name":"","description":"","tags":[]}"#
        );
        assert_eq!(
            write(&Artifact::default()),
            r#"{"artifactId":"","parts":[]}"#
        );
        assert_eq!(
            write(&a2a_types::ClientCredentialsOAuthFlow::default()),
            r#"{"tokenUrl":"","scopes":{}}"#
        );
    }

    #[test]
    fn two_members_of_a_oneof_are_an_error_that_names_them() {
        let error = refusal::<SendMessageRequest>(
            r#"{"message":{"parts":[{"text":"a"},{"text":"a","raw":"YQ=="}]}}"#,
        );
        assert_eq!(error.path(), "message.parts[1]");
        assert_eq!(
            error.description(),
            "only one of text, raw, url, data may be set"
        );
        assert!(!error.is_syntax());
        refusal::<Part>(r#"{"text":"a","data":null}"#);
        refusal::<StreamResponse>(r#"{"statusUpdate":{},"artifact_update":{}}"#);
    }
}

mod names {
    use super::*;

    // A2A-5.5-01
    #[test]
    fn both_spellings_are_read_and_camel_case_is_written() {
        let snake = r#"{"message_id":"1","context_id":"2","task_id":"3","role":"ROLE_USER","reference_task_ids":["4"]}"#;
        let camel = r#"{"messageId":"1","contextId":"2","taskId":"3","role":"ROLE_USER","parts":[],"referenceTaskIds":["4"]}"#;
        assert_eq!(rewrite::<Message>(snake), camel);
        assert_eq!(rewrite::<Message>(camel), camel);
    }

    #[test]
    fn an_escaped_name_is_the_same_name() {
        assert_eq!(read::<Message>(r#"{"message\u0049d":"1"}"#).message_id, "1");
    }

    // R025, A2A-5.7-06: at every level, whatever is in them.
    #[test]
    fn unknown_fields_are_ignored() {
        let plain = r#"{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"hi"}]}}"#;
        let extended = r#"{"x":{"y":[1,{"z":null}]},"message":{"kind":"message","messageId":"1","role":"ROLE_USER","parts":[{"kind":"text","text":"hi","x":1}],"newField":{}},"":0}"#;
        assert_eq!(
            read::<SendMessageRequest>(extended),
            read::<SendMessageRequest>(plain)
        );
    }

    #[test]
    fn a_name_given_twice_is_an_error_that_names_it() {
        for text in [
            r#"{"contextId":"1","contextId":"1"}"#,
            r#"{"contextId":"1","context_id":"2"}"#,
            r#"{"context_id":null,"contextId":"1"}"#,
        ] {
            let error = refusal::<Task>(text);
            assert_eq!(error.description(), "`contextId` is given more than once");
            assert!(!error.is_syntax());
        }
        assert_eq!(
            refusal::<Task>(r#"{"metadata":{"a":[{"b":1,"b":1}]}}"#).path(),
            "metadata.a[0]"
        );
        refusal::<Part>(r#"{"data":{"a":1,"\u0061":1}}"#);
        refusal::<a2a_types::SecurityRequirement>(r#"{"schemes":{"a":{},"a":{}}}"#);
    }
}

mod scalars {
    use super::*;

    // A2A-5.5-02
    #[test]
    fn an_enum_is_a_name_or_a_number_and_written_as_a_name() {
        for value in [r#""TASK_STATE_INPUT_REQUIRED""#, "6", "6.0"] {
            let status: TaskStatus = read(&format!(r#"{{"state":{value}}}"#));
            assert_eq!(status.state(), TaskState::InputRequired);
            assert_eq!(write(&status), r#"{"state":"TASK_STATE_INPUT_REQUIRED"}"#);
        }
    }

    #[test]
    fn an_unknown_enum_number_survives() {
        for number in ["99", "-7", "2147483647"] {
            let text = format!(r#"{{"state":{number}}}"#);
            assert_eq!(rewrite::<TaskStatus>(&text), text);
        }
    }

    // R033: the error says where and what would be right.
    #[test]
    fn an_unknown_enum_name_is_an_error_that_names_it() {
        let error = refusal::<Message>(r#"{"role":"user"}"#);
        assert_eq!(error.path(), "role");
        assert!(error.description().contains(r#""user""#), "{error}");
        assert!(
            error.description().contains("ROLE_USER, ROLE_AGENT"),
            "{error}"
        );
        let error =
            refusal::<StreamResponse>(r#"{"task":{"id":"1","status":{"state":"working"}}}"#);
        assert_eq!(error.path(), "task.status.state");
        for value in [r#""""#, r#""1""#, "true", "1.5", "2147483648", "{}"] {
            refusal::<Message>(&format!(r#"{{"role":{value}}}"#));
        }
    }

    #[test]
    fn an_integer_is_a_whole_number_or_the_text_of_one() {
        for value in ["12", "12.0", "1.2e1", r#""12""#, r#""12.0""#] {
            let request: GetTaskRequest = read(&format!(r#"{{"historyLength":{value}}}"#));
            assert_eq!(request.history_length, Some(12), "{value}");
        }
        let request: GetTaskRequest = read(r#"{"historyLength":-2147483648}"#);
        assert_eq!(request.history_length, Some(i32::MIN));
        for value in [
            "1.5",
            "2147483648",
            "-2147483649",
            "1e10",
            "1e400",
            "true",
            r#""""#,
            r#"" 1""#,
            r#""x""#,
            r#""NaN""#,
            "[]",
            "{}",
        ] {
            let error = refusal::<GetTaskRequest>(&format!(r#"{{"historyLength":{value}}}"#));
            assert_eq!(error.path(), "historyLength", "{value}");
            assert!(!error.is_syntax(), "{value}");
        }
    }

    #[test]
    fn a_boolean_is_true_or_false() {
        for value in ["0", "1", r#""true""#, "{}"] {
            refusal::<AgentCapabilities>(&format!(r#"{{"streaming":{value}}}"#));
        }
    }

    // R034: neither escaped on the way out nor unescaped on the way in.
    #[test]
    fn strings_come_back_byte_for_byte() {
        for text in [
            r#"if a<b && c>d"#,
            r"\\u003c",
            "中文",
            "😀",
            r"\u0000",
            "\u{2028}",
        ] {
            let json = format!(r#"{{"text":"{text}"}}"#);
            assert_eq!(rewrite::<Part>(&json), json);
        }
        assert_eq!(
            read::<Part>(r#"{"text":"\u003c"}"#),
            Part::default().with_text("<")
        );
    }
}

mod bytes {
    use super::*;

    fn raw(text: &str) -> Vec<u8> {
        match read::<Part>(&json!({ "raw": text }).to_string()).content {
            Some(Content::Raw(bytes)) => bytes.to_vec(),
            other => panic!("{text}: {other:?}"),
        }
    }

    // R019
    #[test]
    fn base64_is_read_in_both_alphabets_with_and_without_padding() {
        for text in ["_-8", "_-8=", "/+8", "/+8="] {
            assert_eq!(raw(text), [0xff, 0xef], "{text}");
        }
        let table: [(&str, &str, &[u8]); 6] = [
            ("", "", &[]),
            ("/w==", "_w", &[0xff]),
            ("//4=", "__4", &[0xff, 0xfe]),
            ("//79", "__79", &[0xff, 0xfe, 0xfd]),
            ("//79/A==", "__79_A", &[0xff, 0xfe, 0xfd, 0xfc]),
            ("//79/Ps=", "__79_Ps", &[0xff, 0xfe, 0xfd, 0xfc, 0xfb]),
        ];
        for (standard, url_safe, bytes) in table {
            let padding = &standard[url_safe.len()..];
            for text in [
                standard,
                standard.trim_end_matches('='),
                url_safe,
                &format!("{url_safe}{padding}"),
            ] {
                assert_eq!(raw(text), bytes, "{text}");
            }
            let part = Part::default().with_raw(bytes.to_vec());
            assert_eq!(write(&part), json!({ "raw": standard }).to_string());
        }
    }

    #[test]
    fn what_is_not_base64_is_refused() {
        for text in [
            "YQ==\n", " YQ==", "Y Q==", "Y*Q=", "YQ==YQ==", "Y=Q=", "_+8=", "A", "é",
        ] {
            let error = refusal::<Part>(&json!({ "raw": text }).to_string());
            assert_eq!(error.path(), "raw", "{text}");
        }
        refusal::<Part>(r#"{"raw":[97]}"#);
    }
}

mod timestamps {
    use super::*;

    fn written(text: &str) -> Option<String> {
        let json = json!({ "timestamp": text, "state": "TASK_STATE_WORKING" }).to_string();
        let status: TaskStatus = json::from_slice(json.as_bytes()).ok()?;
        Some(status.timestamp?.to_string())
    }

    // R032, A2A-5.6.1-01 to -05
    #[test]
    fn any_rfc_3339_time_is_read_and_written_in_utc_with_milliseconds() {
        for (text, expected) in [
            ("2025-04-16T13:38:21Z", "2025-04-16T13:38:21.000Z"),
            ("2025-04-16T13:38:21.5Z", "2025-04-16T13:38:21.500Z"),
            ("2025-04-16T13:38:21.503444Z", "2025-04-16T13:38:21.503Z"),
            ("2025-04-16T13:38:21.123456789Z", "2025-04-16T13:38:21.123Z"),
            // Cut off, not rounded: rounding could move a time past the one it is compared with.
            ("2025-04-16T13:38:21.999999999Z", "2025-04-16T13:38:21.999Z"),
            ("2025-04-16T13:38:21+02:00", "2025-04-16T11:38:21.000Z"),
            ("2025-12-31T23:30:00-11:30", "2026-01-01T11:00:00.000Z"),
            ("2025-04-16t13:38:21z", "2025-04-16T13:38:21.000Z"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"),
            ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"),
            ("1969-12-31T23:59:59.250Z", "1969-12-31T23:59:59.250Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"),
            // D41: agents leave the zone away.
            ("2025-04-16T13:38:21.503444", "2025-04-16T13:38:21.503Z"),
        ] {
            assert_eq!(written(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "2016-12-31T23:59:60Z",
            "2025-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2025-04-31T00:00:00Z",
            "2025-13-01T00:00:00Z",
            "2025-04-16T24:00:00Z",
            "2025-04-16T13:60:00Z",
            "0000-01-01T00:00:00Z",
            "10000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "2025-04-16T13:38:21.Z",
            "2025-04-16T13:38:21.1234567890Z",
            "2025-04-16T13:38:21+0200",
            "2025-04-16T13:38:21+24:00",
            "2025-04-16 13:38:21Z",
            "2025-04-16T13:38:21ZZ",
            "2025-04-16",
            "1744810701",
            "",
            "2025-04-16T13:38:21é",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
        for value in ["1744810701", "1.5", "true", "{}"] {
            let error = refusal::<TaskStatus>(&format!(r#"{{"timestamp":{value}}}"#));
            assert_eq!(error.path(), "timestamp");
        }
    }

    #[test]
    fn days_all_over_the_calendar_have_a_text_that_reads_as_the_same_day() {
        let first = "0001-01-01T00:00:00Z".parse::<Timestamp>().unwrap().seconds;
        let last = "9999-12-31T00:00:00Z".parse::<Timestamp>().unwrap().seconds;
        let mut previous = String::new();
        for seconds in (first..=last).step_by(13 * 86_400) {
            let text = Timestamp { seconds, nanos: 0 }.to_string();
            assert!(text > previous, "{text} comes after {previous}");
            assert_eq!(text.parse(), Ok(Timestamp { seconds, nanos: 0 }));
            previous = text;
        }
    }

    #[test]
    fn a_time_outside_of_the_calendar_is_not_written() {
        for timestamp in [
            Timestamp {
                seconds: 253_402_300_800,
                nanos: 0,
            },
            Timestamp {
                seconds: -62_135_596_801,
                nanos: 0,
            },
            Timestamp {
                seconds: i64::MAX,
                nanos: 0,
            },
            Timestamp {
                seconds: i64::MIN,
                nanos: 0,
            },
            Timestamp {
                seconds: 0,
                nanos: -1,
            },
            Timestamp {
                seconds: 0,
                nanos: 1_000_000_000,
            },
        ] {
            let request = ListTasksRequest::default().with_status_timestamp_after(timestamp);
            assert!(json::to_vec(&request).is_err(), "{timestamp}");
        }
    }
}

mod values {
    use super::*;

    // R021
    #[test]
    fn numbers_keep_their_value_and_whole_ones_have_no_fraction() {
        for (read, written) in [
            ("0", "0"),
            ("-1", "-1"),
            ("1.0", "1"),
            ("1e2", "100"),
            ("-0.0", "0"),
            ("0.1", "0.1"),
            ("9007199254740991", "9007199254740991"),
            ("9007199254740993", "9007199254740993"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("18446744073709551615", "18446744073709551615"),
            ("9999999999999998.0", "9999999999999998"),
            ("1e16", "1e16"),
            ("1e21", "1e21"),
            ("1.7976931348623157e308", "1.7976931348623157e308"),
            ("5e-324", "5e-324"),
            // The reader must find the nearest double, or the value moves at every hop.
            ("122.416294033786585", "122.41629403378658"),
        ] {
            let text = format!(r#"{{"data":{{"n":{read}}}}}"#);
            // Some releases of serde_json write a plus sign into the exponent.
            let ours = rewrite::<Part>(&text).replace("e+", "e");
            assert_eq!(ours, format!(r#"{{"data":{{"n":{written}}}}}"#));
        }
        // What a user puts in by hand is written in the same way.
        let part = Part::default().with_data(json!([1.0, { "x": 2.0 }]));
        assert_eq!(write(&part), r#"{"data":[1,{"x":2}]}"#);
    }

    #[test]
    fn a_number_that_no_double_can_hold_is_refused_as_data_not_as_syntax() {
        for value in ["1e400", "-1e400", "1e999999999999"] {
            let error = refusal::<Part>(&format!(r#"{{"data":{{"n":{value}}}}}"#));
            assert_eq!(error.path(), "data.n");
            assert!(!error.is_syntax());
        }
    }

    // R021: over gRPC numbers are doubles.
    #[test]
    fn protobuf_rounds_to_doubles_and_gives_integers_back() {
        let value = Value(json!([1, 0.5, 9_007_199_254_740_993_u64, null, "x", true, { "a": [] }]));
        let back = Value::decode(value.encode_to_vec().as_slice()).unwrap();
        assert_eq!(
            back.0,
            json!([1, 0.5, 9_007_199_254_740_992_u64, null, "x", true, { "a": [] }])
        );
        assert_eq!(value.encode_to_vec().len(), value.encoded_len());
    }

    #[test]
    fn nan_and_infinities_are_refused_from_protobuf() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut bytes = vec![0x11];
            bytes.extend(number.to_le_bytes());
            assert!(Value::decode(bytes.as_slice()).is_err(), "{number}");
        }
    }

    #[test]
    fn broken_protobuf_is_an_error() {
        for bytes in [
            &[0x2a, 0x7f][..],
            &[0x32, 0x02, 0x0a, 0x05],
            &[0x1a, 0x01, 0xff],
            &[0x28, 0x01],
            &[0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        ] {
            assert!(Value::decode(bytes).is_err(), "{bytes:x?}");
        }
        // A field of a newer Value is skipped; a Value without any is null.
        assert_eq!(Value::decode(&[0x38, 0x01][..]).unwrap(), Value::default());
    }

    fn nested(depth: usize) -> String {
        format!(r#"{{"data":{}{}}}"#, "[".repeat(depth), "]".repeat(depth))
    }

    /// The same in protobuf; made from the inside out.
    fn nested_binary(depth: usize) -> Vec<u8> {
        let wrap = |tag: u8, inner: &[u8]| {
            let mut out = vec![tag];
            prost::encoding::encode_varint(inner.len() as u64, &mut out);
            out.extend(inner);
            out
        };
        let mut value = vec![0x32, 0x00];
        for _ in 1..depth {
            value = wrap(0x32, &wrap(0x0a, &value));
        }
        wrap(0x22, &value)
    }

    // R033, D44: the same limit in both codecs, an error and not an overflow.
    #[test]
    fn user_data_nests_at_most_64_levels() {
        let deepest: Part = read(&nested(MAX_DEPTH));
        assert_eq!(
            Part::decode(nested_binary(MAX_DEPTH).as_slice()).unwrap(),
            deepest
        );
        let Some(Content::Data(value)) = &deepest.content else {
            panic!("no data")
        };
        assert!(!value.is_too_deep());
        assert!(Value(json!([value.0])).is_too_deep());
        for depth in [MAX_DEPTH + 1, 200, 100_000] {
            let error = refusal::<Part>(&nested(depth));
            assert!(
                error.description().starts_with("nested too deep"),
                "{error}"
            );
            assert!(!error.is_syntax());
        }
        for depth in [MAX_DEPTH + 1, 200, 5_000] {
            assert!(Part::decode(nested_binary(depth).as_slice()).is_err());
        }
        let objects = |n: usize| {
            format!(
                r#"{{"metadata":{}1{}}}"#,
                r#"{"a":"#.repeat(n),
                "}".repeat(n)
            )
        };
        read::<Part>(&objects(MAX_DEPTH));
        refusal::<Part>(&objects(MAX_DEPTH + 1));
    }

    #[test]
    fn what_is_ignored_may_be_deep() {
        let text = format!(
            r#"{{"text":"a","x":{}{}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert_eq!(read::<Part>(&text), Part::default().with_text("a"));
    }

    #[test]
    fn a_struct_is_an_object() {
        for value in ["1", r#""x""#, "[]", "true"] {
            refusal::<Task>(&format!(r#"{{"metadata":{value}}}"#));
        }
        assert_eq!(
            rewrite::<Part>(r#"{"metadata":{"b":null,"a":1}}"#),
            r#"{"metadata":{"a":1,"b":null}}"#
        );
    }
}

mod errors {
    use super::*;

    // R033
    #[test]
    fn an_error_says_where() {
        for (text, path) in [
            (
                r#"{"message":{"parts":[{"text":"a"},{"url":1}]}}"#,
                "message.parts[1].url",
            ),
            (r#"{"message":{"metadata":[]}}"#, "message.metadata"),
            (
                r#"{"configuration":{"history_length":"x"}}"#,
                "configuration.history_length",
            ),
            ("[]", ""),
            ("null", ""),
        ] {
            let error = refusal::<SendMessageRequest>(text);
            assert_eq!(error.path(), path, "{text}");
            assert!(!error.is_syntax(), "{text}");
            assert!(!error.description().contains("line"), "{error}");
        }
    }

    #[test]
    fn what_is_not_json_is_a_syntax_error() {
        for text in [
            "",
            "{",
            "{\"id\":}",
            "{} x",
            "{'id':1}",
            "{\"id\":\"1\",}",
            "\u{feff}{}",
        ] {
            assert!(refusal::<Task>(text).is_syntax(), "{text}");
        }
        assert!(
            json::from_slice::<Part>(b"{\"text\":\"\xff\"}")
                .unwrap_err()
                .is_syntax()
        );
    }

    #[test]
    fn half_a_surrogate_pair_is_told_with_its_place() {
        for (text, path) in [
            (r#"{"message":{"messageId":"\ud800"}}"#, "message.messageId"),
            (
                r#"{"message":{"parts":[{"text":"a"},{"text":"\udc00\ud800"}]}}"#,
                "message.parts[1].text",
            ),
            (
                r#"{"message":{"parts":[{"text":"\ud800\u0041"}]}}"#,
                "message.parts[0].text",
            ),
            (r#"{"metadata":{"a":["\ud83d"]}}"#, "metadata.a[0]"),
            (r#"{"metadata":{"\ud83d":1}}"#, "metadata"),
        ] {
            let error = refusal::<SendMessageRequest>(text);
            assert_eq!(error.path(), path, "{text}");
            assert!(!error.is_syntax(), "{text}");
            assert!(error.description().contains("surrogate"), "{error}");
        }
    }

    #[test]
    fn an_error_does_not_repeat_a_long_text() {
        let error = refusal::<Message>(&format!(r#"{{"role":"{}"}}"#, "é".repeat(100_000)));
        assert!(error.description().chars().count() < 250);
    }
}

#[test]
fn debug_shows_no_secrets() {
    let config = TaskPushNotificationConfig::default()
        .with_url("https://a.example/")
        .with_token("hush-token")
        .with_authentication(
            AuthenticationInfo::default()
                .with_scheme("Bearer")
                .with_credentials("hush-key"),
        );
    let text = format!("{config:?}");
    assert!(!text.contains("hush"), "{text}");
    assert!(
        text.contains("https://a.example/") && text.contains("Bearer"),
        "{text}"
    );
}

#[test]
fn members_are_written_in_the_order_of_the_proto() {
    let message = Message::default()
        .with_parts([Part::default()
            .with_media_type("text/plain")
            .with_text("hi")])
        .with_role(Role::User)
        .with_message_id("1");
    assert_eq!(
        write(&message),
        r#"{"messageId":"1","role":"ROLE_USER","parts":[{"text":"hi","mediaType":"text/plain"}]}"#
    );
}
