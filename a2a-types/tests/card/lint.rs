use a2a_types::card::{AgentCardBuilder, Finding, Severity, lint};
use a2a_types::{
    AgentCard, AgentCardSignature, AgentExtension, OpenIdConnectSecurityScheme, Struct,
};
use serde_json::{Value, json};

use super::{found, good, hello, interface, jsonrpc};

fn parse(value: Value) -> AgentCard {
    serde_json::from_value(value).unwrap()
}

// A2A-5.8-01, A2A-4.6.3-01, and the addresses of every binding
#[test]
fn odd_but_allowed_things_are_warned_about() {
    let warned = |card: AgentCardBuilder| found(&card.interface(jsonrpc()).build().unwrap());
    for (builder, expected) in [
        (
            hello().interface(interface("jsonrpc", "x")),
            "supportedInterfaces[0].protocolBinding",
        ),
        (
            hello().interface(interface("MQTT", "x")),
            "supportedInterfaces[0].protocolBinding",
        ),
        (
            hello().interface(interface("JSONRPC", "http://example.com/a2a")),
            "supportedInterfaces[0].url",
        ),
        (
            hello().extension(AgentExtension::default().with_uri("https://v1.example.com/geo")),
            "capabilities.extensions[0].uri",
        ),
        (
            hello().extension(AgentExtension::default().with_uri("geo v1")),
            "capabilities.extensions[0].uri",
        ),
        (
            hello().default_input_modes(["text"]),
            "defaultInputModes[0]",
        ),
        (
            hello().security_scheme(
                "oidc",
                OpenIdConnectSecurityScheme::default()
                    .with_open_id_connect_url("http://id.example"),
            ),
            "securitySchemes.oidc.openIdConnectSecurityScheme.openIdConnectUrl",
        ),
    ] {
        assert_eq!(warned(builder), [format!("Warning {expected}")]);
    }
}

#[test]
fn right_addresses_and_names_are_not_warned_about() {
    for (binding, url) in [
        ("JSONRPC", "http://localhost:8080"),
        ("HTTP+JSON", "http://127.0.0.1:8080/x"),
        ("JSONRPC", "http://[::1]:8080/"),
        ("HTTP+JSON", "HTTPS://example.com"),
        ("GRPC", "example.com:443"),
        ("GRPC", "[::1]:50051"),
        ("GRPC", "dns:///example.com:443"),
        ("GRPC", "https://example.com/a2a"),
        ("GRPC", "grpcs://example.com:443"),
        ("urn:example:binding:v1", "anything at all"),
    ] {
        let card = hello().interface(interface(binding, url)).build().unwrap();
        assert_eq!(lint(&card), [], "{binding} {url}");
    }
    for uri in [
        "https://example.com/geo/v1",
        "https://example.com/geo/v1.2/x",
        "urn:example:geo:2",
        "https://example.com/geo-v1",
        "https://example.com/geo#1.0",
    ] {
        let extension = AgentExtension::default().with_uri(uri);
        let card = hello()
            .interface(jsonrpc())
            .extension(extension)
            .build()
            .unwrap();
        assert_eq!(lint(&card), [], "{uri}");
    }
}

#[test]
fn secrets_in_a_public_card_are_warned_about() {
    let token = format!(
        "eyJhbGciOiJIUzI1NiJ9.{}.{}",
        "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
        "A1".repeat(20)
    );
    let key = format!("sk-{}", "a1B2".repeat(8));
    for (text, suspicious) in [
        (format!("call me with Authorization: Bearer {token}"), true),
        (format!("key={key}"), true),
        ("AKIA1234567890ABCDEF".to_owned(), true),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE".to_owned(), true),
        ("https://root:hunter2@example.com/".to_owned(), true),
        ("https://root@example.com/".to_owned(), false),
        (
            "Ask-me-anything: a sk-etch artist with a Bearer token scheme".to_owned(),
            false,
        ),
        (
            "risk-assessment-of-1000-companies-worldwide".to_owned(),
            false,
        ),
        ("write to a@example.com: at 10:30".to_owned(), false),
    ] {
        let card = good().with_description(text.clone());
        let expected: &[&str] = if suspicious {
            &["Warning description"]
        } else {
            &[]
        };
        assert_eq!(found(&card), expected, "{text}");
        if suspicious {
            assert!(
                !lint(&card)[0].message.contains("hunter2"),
                "a finding may be logged"
            );
        }
    }
    let params = |value: Value| {
        let params = Struct(value.as_object().unwrap().clone());
        let extension = AgentExtension::default()
            .with_uri("urn:x:v1")
            .with_params(params);
        hello()
            .interface(jsonrpc())
            .extension(extension)
            .build()
            .unwrap()
    };
    let path = "Warning capabilities.extensions[0].params.";
    assert_eq!(
        found(&params(json!({ "api_key": "x" }))),
        [format!("{path}api_key")]
    );
    assert_eq!(
        found(&params(json!({ "a": { "clientSecret": "x" } }))),
        [format!("{path}a.clientSecret")]
    );
    assert_eq!(
        found(&params(json!({ "apiKey": "", "keys": "x", "tokens": 5 }))),
        [""; 0]
    );
    // A signature looks like a token and is none.
    let signature = AgentCardSignature::default()
        .with_protected(&token)
        .with_signature(&token);
    assert_eq!(lint(&good().with_signatures([signature])), []);
}

// A2A-4.5-01, A2A-4.5-02
#[test]
fn all_five_kinds_of_scheme_are_read_checked_and_written_back() {
    let schemes = json!({
        "key": { "apiKeySecurityScheme": { "location": "header", "name": "X-Key" } },
        "http": { "httpAuthSecurityScheme": { "scheme": "Bearer", "bearerFormat": "JWT" } },
        "oauth": { "oauth2SecurityScheme": { "flows": { "clientCredentials": {
            "tokenUrl": "https://id.example/token", "scopes": { "read": "Read" },
        } } } },
        "oidc": { "openIdConnectSecurityScheme": { "openIdConnectUrl": "https://id.example/x" } },
        "mtls": { "mtlsSecurityScheme": {} },
    });
    let mut json = serde_json::to_value(good()).unwrap();
    json["securitySchemes"] = schemes;
    let card = parse(json.clone());
    assert_eq!(lint(&card), []);
    assert_eq!(serde_json::to_value(&card).unwrap(), json);

    let oauth = |flows: Value| {
        let mut json = json.clone();
        json["securitySchemes"]["oauth"]["oauth2SecurityScheme"]["flows"] = flows;
        json
    };
    let path = "securitySchemes.oauth.oauth2SecurityScheme.flows";
    let flow = oauth(json!({ "clientCredentials": { "scopes": {} } }));
    assert_eq!(
        found(&parse(flow)),
        [format!("Error {path}.clientCredentials.tokenUrl")]
    );
    let flow = oauth(json!({ "deviceCode": {
        "deviceAuthorizationUrl": "https://id.example/d", "tokenUrl": "http://id.example/t",
        "scopes": {},
    } }));
    assert_eq!(
        found(&parse(flow)),
        [format!("Warning {path}.deviceCode.tokenUrl")]
    );
    let flow = oauth(json!({ "implicit": { "authorizationUrl": "https://id.example/a" } }));
    assert_eq!(found(&parse(flow)), [format!("Warning {path}")]);
    // A2A-4.5-03
    let two = oauth(json!({
        "clientCredentials": { "tokenUrl": "https://x", "scopes": {} },
        "deviceCode": { "deviceAuthorizationUrl": "https://x", "tokenUrl": "https://x", "scopes": {} },
    }));
    assert!(serde_json::from_value::<AgentCard>(two).is_err());
}

// A2A-4.4-02, A2A-4.4-03
#[test]
fn a_card_of_a_peer_is_checked_with_paths() {
    let mut json = serde_json::to_value(good()).unwrap();
    json["signatures"] = json!([{ "protected": "eyJ9" }]);
    json["provider"] = json!({ "organization": "x" });
    json["skills"][0] = json!({ "name": "x", "tags": ["x"] });
    assert_eq!(
        found(&parse(json)),
        [
            "Error provider.url",
            "Error skills[0].id",
            "Error signatures[0].signature"
        ]
    );
}

#[test]
fn a_finding_says_where_and_what() {
    let card = good().with_version("");
    let [finding] = &lint(&card)[..] else {
        unreachable!()
    };
    let Finding {
        severity,
        field,
        message,
        ..
    } = finding;
    assert_eq!((*severity, field.as_str()), (Severity::Error, "version"));
    assert_eq!(finding.to_string(), format!("version: {message}"));
    assert!(Severity::Error > Severity::Warning);
}
