//! Versions, extension lists and media types.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use a2a_types::media::{A2A_JSON, JSON, is_json, matches, negotiate};
use a2a_types::{Extensions, Version};
use proptest::prelude::*;

// R136, B7, A2A-3.6-02, A2A-14.2.1-01
#[test]
fn versions_are_major_and_minor_and_nothing_else() {
    for (text, version) in [
        ("1.0", Version::V1_0),
        (" 1.0 ", Version::V1_0),
        ("1.0.0", Version::V1_0),
        ("1.0.7", Version::V1_0),
        ("1", Version::V1_0),
        ("1.1", Version::new(1, 1)),
        ("0.3", Version::V0_3),
        ("0.3.0", Version::V0_3),
        ("0.30", Version::new(0, 30)),
        ("10.0", Version::new(10, 0)),
    ] {
        assert_eq!(text.parse(), Ok(version), "{text:?}");
    }
    for text in [
        "", "v1", "1.", ".1", "1.0.", "1.0.0.0", "1.x", "1.0-rc", "+1.0", "-1.0", "0.03", "1 .0",
        "70000.0", "1,0", "١.0",
    ] {
        assert!(text.parse::<Version>().is_err(), "{text:?}");
    }
    assert_eq!(Version::V1_0.to_string(), "1.0");
}

// A2A-3.6.2-03
#[test]
fn a_request_without_a_version_means_0_3() {
    assert_eq!(Version::requested(None), Ok(Version::V0_3));
    assert_eq!(Version::requested(Some("")), Ok(Version::V0_3));
    assert_eq!(Version::requested(Some("  ")), Ok(Version::V0_3));
    assert_eq!(Version::requested(Some("1.0")), Ok(Version::V1_0));
    assert!(Version::requested(Some("latest")).is_err());
}

proptest! {
    #[test]
    fn versions_round_trip(major: u16, minor: u16, patch: u16) {
        let version = Version::new(major, minor);
        prop_assert_eq!(version.to_string().parse(), Ok(version));
        prop_assert_eq!(format!("{version}.{patch}").parse(), Ok(version));
    }

    #[test]
    fn extension_lists_round_trip(uris in prop::collection::vec("[a-z:/#.]{0,4}", 0..20)) {
        let list: Extensions = uris.iter().collect();
        prop_assert_eq!(&Extensions::from_header([list.to_string().as_str()]), &list);
        prop_assert!(uris.iter().all(|uri| uri.is_empty() || list.contains(uri)));
    }
}

// R138, A2A-14.2.2-01
#[test]
fn extension_headers_may_be_lists_or_repeated() {
    let one = Extensions::from_header(["urn:a:v1,urn:b:v1 ,, urn:A:v1"]);
    let many = Extensions::from_header(["urn:a:v1", "urn:b:v1", "", "urn:a:v1", "\turn:A:v1"]);
    assert_eq!(one, many);
    assert_eq!(
        one.iter().collect::<Vec<_>>(),
        ["urn:a:v1", "urn:b:v1", "urn:A:v1"]
    );
    assert_eq!(one.to_string(), "urn:a:v1, urn:b:v1, urn:A:v1");
    assert_eq!(one.len(), 3);
    assert!(Extensions::from_header(["", " , "]).is_empty());
}

// A2A-4.6.3-05
#[test]
fn another_version_of_an_extension_is_another_extension() {
    let list = Extensions::from_header(["urn:a:v1"]);
    assert!(list.contains("urn:a:v1"));
    assert!(!list.contains("urn:a:v2") && !list.contains("urn:a") && !list.contains("URN:a:v1"));
}

// B8
#[test]
fn json_is_known_by_type_or_suffix() {
    for yes in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/Json",
        "application/a2a+json",
        "application/problem+JSON",
        " application/json ",
    ] {
        assert!(is_json(yes), "{yes}");
    }
    for no in [
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/+json",
        "json",
        "application/xml; x=application/json",
        "multipart/form-data",
    ] {
        assert!(!is_json(no), "{no}");
    }
}

#[test]
fn patterns_of_media_types_match_whole_types() {
    assert!(matches("*/*", "text/plain"));
    assert!(matches("text/*", "TEXT/html; q=1"));
    assert!(matches("text/plain", "text/plain"));
    for (pattern, media_type) in [
        ("text/plain", "text/html"),
        ("text/*", "textual/plain"),
        ("text", "text/plain"),
        ("text/plain", "text"),
        ("text/plain", ""),
        ("text/plain", "text/*"),
    ] {
        assert!(!matches(pattern, media_type), "{pattern} {media_type}");
    }
}

// B8, rules 1 to 3
#[test]
fn accept_decides_then_the_request_then_the_kind_of_answer() {
    for (accept, content_type, success, error) in [
        // An explicit type decides, the heavier one, a2a+json on a tie.
        (
            &["application/a2a+json"][..],
            Some(JSON),
            A2A_JSON,
            A2A_JSON,
        ),
        (&["application/json"], Some(A2A_JSON), JSON, JSON),
        (
            &["application/json, application/a2a+json"],
            None,
            A2A_JSON,
            A2A_JSON,
        ),
        (
            &["application/json", "application/a2a+json;q=0.9"],
            None,
            JSON,
            JSON,
        ),
        (
            &["application/json;q=0.8,application/a2a+json;q=0.85"],
            None,
            A2A_JSON,
            A2A_JSON,
        ),
        (
            &["APPLICATION/JSON; charset=utf-8 ; Q=1.0, */*"],
            None,
            JSON,
            JSON,
        ),
        // A weight of zero, or one that cannot be read, names nothing.
        (
            &["application/a2a+json;q=0, application/json;q=0.1"],
            None,
            JSON,
            JSON,
        ),
        (
            &["application/json;q=0"],
            Some(A2A_JSON),
            A2A_JSON,
            A2A_JSON,
        ),
        (
            &["application/json;q=x"],
            Some(A2A_JSON),
            A2A_JSON,
            A2A_JSON,
        ),
        // Ranges name neither: the type of the request is mirrored.
        (
            &["*/*"],
            Some("application/json; charset=utf-8"),
            JSON,
            JSON,
        ),
        (&["application/*"], Some(A2A_JSON), A2A_JSON, A2A_JSON),
        (&["text/event-stream"], Some(JSON), JSON, JSON),
        (&[], Some(JSON), JSON, JSON),
        // No hint at all.
        (&[], None, A2A_JSON, JSON),
        (&["*/*"], None, A2A_JSON, JSON),
        (&[], Some("application/vnd.api+json"), A2A_JSON, JSON),
    ] {
        let named = negotiate(accept.iter().copied(), content_type);
        let types = (named.unwrap_or(A2A_JSON), named.unwrap_or(JSON));
        assert_eq!(types, (success, error), "{accept:?} {content_type:?}");
    }
}
