use std::collections::BTreeMap;

use a2a_types::card::{AgentCardBuilder, CardError, Served, lint};
use a2a_types::{
    AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill, ApiKeySecurityScheme,
    SecurityRequirement, SecurityScheme,
};
use serde_json::json;

use super::{bearer, found, good, hello, interface, jsonrpc};

#[test]
fn the_shortest_card_has_nothing_to_complain_about() {
    let card = good();
    assert_eq!(lint(&card), []);
    assert_eq!(card.skills[0].tags, ["echo"]);
    assert_eq!(card.version, "0.1.0");
}

// A2A-4.4-01, A2A-8.4.1-04, R029
#[test]
fn every_required_member_of_a_card_is_written_even_when_empty() {
    let card = AgentCard::builder("Echo", "")
        .default_input_modes([] as [&str; 0])
        .default_output_modes([] as [&str; 0])
        .add_skill(AgentSkill::default().with_id("s").with_name("S"))
        .interface(jsonrpc())
        .build()
        .unwrap();
    let json = serde_json::to_value(&card).unwrap();
    assert_eq!(json["description"], "");
    assert_eq!(json["defaultInputModes"], json!([]));
    assert_eq!(json["defaultOutputModes"], json!([]));
    assert_eq!(json["capabilities"], json!({}));
    assert_eq!(json["skills"][0]["tags"], json!([]));
    assert_eq!(json["skills"][0]["description"], "");
    assert_eq!(
        found(&card),
        [
            "Warning defaultInputModes",
            "Warning defaultOutputModes",
            "Warning skills[0].tags",
        ]
    );
}

// R029
#[test]
fn a_card_without_skills_is_warned_about() {
    let card = AgentCard::builder("Echo", "Repeats")
        .interface(jsonrpc())
        .build()
        .unwrap();
    assert_eq!(found(&card), ["Warning skills"]);
    assert_eq!(serde_json::to_value(&card).unwrap()["skills"], json!([]));
}

#[test]
fn the_builder_sets_everything_it_is_told() {
    let card = hello()
        .version("2.1.0")
        .provider("Example", "https://example.com")
        .documentation_url("https://example.com/docs")
        .icon_url("https://example.com/icon.png")
        .default_input_modes(["text/plain", "image/png"])
        .default_output_modes(["application/json"])
        .extension(AgentExtension::default().with_uri("https://example.com/geo/v1"))
        .security_scheme("bearer", bearer())
        .security_requirement(SecurityRequirement::of("bearer", [] as [&str; 0]))
        .interface(jsonrpc())
        .interface(interface(
            "https://example.com/bindings/carrier-pigeon/v1",
            "coop 7",
        ))
        .build()
        .unwrap();
    assert_eq!(
        serde_json::to_value(&card).unwrap(),
        json!({
            "name": "Echo",
            "description": "Repeats what it hears",
            "supportedInterfaces": [
                {
                    "url": "https://example.com/a2a",
                    "protocolBinding": "JSONRPC",
                    "protocolVersion": "1.0",
                },
                {
                    "url": "coop 7",
                    "protocolBinding": "https://example.com/bindings/carrier-pigeon/v1",
                    "protocolVersion": "1.0",
                },
            ],
            "provider": { "url": "https://example.com", "organization": "Example" },
            "version": "2.1.0",
            "documentationUrl": "https://example.com/docs",
            "capabilities": { "extensions": [{ "uri": "https://example.com/geo/v1" }] },
            "securitySchemes": { "bearer": { "httpAuthSecurityScheme": { "scheme": "Bearer" } } },
            "securityRequirements": [{ "schemes": { "bearer": {} } }],
            "defaultInputModes": ["text/plain", "image/png"],
            "defaultOutputModes": ["application/json"],
            "skills": [
                { "id": "echo", "name": "Echo", "description": "Repeats", "tags": ["echo"] },
            ],
            "iconUrl": "https://example.com/icon.png",
        })
    );
    assert_eq!(lint(&card), []);
}

// A2A-4.4-01, A2A-4.4-02, A2A-4.4-04, A2A-4.5-01, A2A-4.5-02, R146: wrong set-ups, and what the
// builder says about them.
#[test]
fn mistakes_do_not_build_and_are_named() {
    let with = |change: fn(AgentCardBuilder) -> AgentCardBuilder| {
        change(hello().interface(jsonrpc())).build().map(|_| ())
    };
    let table: [(Result<(), CardError>, &[&str]); 18] = [
        (
            hello().build().map(|_| ()),
            &["supportedInterfaces: must have at least one element"],
        ),
        (
            AgentCard::builder("", "d")
                .interface(jsonrpc())
                .build()
                .map(|_| ()),
            &["name: is required"],
        ),
        (with(|card| card.version("")), &["version: is required"]),
        (
            with(|card| card.provider("", "")),
            &["provider.url: ", "provider.organization: "],
        ),
        (
            with(|card| card.skill("", "", "")),
            &["skills[1].id: ", "skills[1].name: "],
        ),
        (
            with(|card| card.skill("echo", "Again", "x")),
            &["skills[1].id: echo is the id of an earlier skill"],
        ),
        (
            with(|card| card.extension(AgentExtension::default())),
            &["capabilities.extensions[0].uri: is required"],
        ),
        (
            with(|card| card.interface(AgentInterface::default())),
            &[
                "supportedInterfaces[1].url: is required",
                "supportedInterfaces[1].protocolBinding: is required",
                "supportedInterfaces[1].protocolVersion: is required",
            ],
        ),
        (
            with(|card| card.interface(interface("HTTP+JSON", "example.com/a2a"))),
            &["supportedInterfaces[1].url: example.com/a2a is no absolute URL; write https://"],
        ),
        (
            with(|card| card.interface(interface("JSONRPC", "ftp://example.com"))),
            &["supportedInterfaces[1].url: "],
        ),
        (
            with(|card| card.interface(interface("GRPC", "example.com"))),
            &["example.com is no gRPC address; write host:port"],
        ),
        (
            with(|card| card.interface(jsonrpc().with_protocol_version("v1"))),
            &["supportedInterfaces[1].protocolVersion: v1 is no version; write Major.Minor"],
        ),
        (
            with(|card| card.interface(jsonrpc().with_protocol_version("1.0.0"))),
            &["supportedInterfaces[1].protocolVersion: "],
        ),
        (
            with(|card| {
                let key = ApiKeySecurityScheme::default()
                    .with_location("body")
                    .with_name("k");
                card.security_scheme("key", key)
            }),
            &["securitySchemes.key.apiKeySecurityScheme.location: must be query, header or cookie"],
        ),
        (
            with(|card| card.security_scheme("key", ApiKeySecurityScheme::default())),
            &[
                "apiKeySecurityScheme.location: is required",
                "apiKeySecurityScheme.name: ",
            ],
        ),
        (
            with(|card| card.security_scheme("none", SecurityScheme::default())),
            &["securitySchemes.none: names no kind of scheme"],
        ),
        (
            with(|card| card.security_requirement(SecurityRequirement::of("oauth", ["read"]))),
            &["securityRequirements[0].schemes: oauth is not declared in securitySchemes"],
        ),
        (
            with(|card| {
                let needs = [SecurityRequirement::of("oauth", ["read"])];
                card.add_skill(
                    AgentSkill::default()
                        .with_id("s")
                        .with_name("S")
                        .with_tags(["s"])
                        .with_security_requirements(needs),
                )
            }),
            &["skills[1].securityRequirements[0].schemes: oauth is not declared"],
        ),
    ];
    for (index, (result, expected)) in table.into_iter().enumerate() {
        let error = result.expect_err(&format!("row {index} must not build"));
        assert_eq!(
            error.problems().len(),
            expected.len(),
            "row {index}: {error}"
        );
        for expected in expected {
            assert!(error.to_string().contains(expected), "row {index}: {error}");
        }
    }
}

#[test]
fn all_mistakes_are_named_at_once() {
    let error = AgentCard::builder("", "").version("").build().unwrap_err();
    let fields: Vec<_> = error.problems().iter().map(|p| p.field.as_str()).collect();
    assert_eq!(fields, ["name", "supportedInterfaces", "version"]);
}

fn served() -> Served {
    Served::new(
        vec![jsonrpc(), interface("HTTP+JSON", "https://example.com/a2a")],
        AgentCapabilities::default()
            .with_streaming(true)
            .with_push_notifications(false),
    )
}

// A2A-8.3.1-02, A2A-12.7-01, D45
#[test]
fn a_server_says_what_it_serves() {
    let security = BTreeMap::from([("bearer".to_owned(), bearer())]);
    let requirements = vec![SecurityRequirement::of("bearer", [] as [&str; 0])];
    let card = hello()
        .extension(
            AgentExtension::default()
                .with_uri("urn:x:v1")
                .with_required(true),
        )
        .interface(interface("urn:example:pigeon:v1", "coop 7"))
        .finish(served().with_security(security.clone(), requirements.clone()))
        .unwrap();
    let bindings: Vec<_> = card
        .supported_interfaces
        .iter()
        .map(|i| i.protocol_binding.as_str())
        .collect();
    assert_eq!(bindings, ["JSONRPC", "HTTP+JSON", "urn:example:pigeon:v1"]);
    let capabilities = card.capabilities.clone().unwrap();
    assert_eq!(capabilities.streaming, Some(true));
    assert_eq!(capabilities.push_notifications, Some(false));
    assert_eq!(capabilities.extended_agent_card, None);
    assert_eq!(capabilities.extensions[0].uri, "urn:x:v1");
    assert_eq!(
        (card.security_schemes.clone(), &card.security_requirements),
        (security, &requirements)
    );
    assert_eq!(lint(&card), []);
}

// R146: a card names a transport that is not mounted.
#[test]
fn an_interface_that_is_not_served_does_not_build() {
    let error = hello()
        .interface(interface("GRPC", "example.com:443"))
        .interface(interface("JSONRPC", "https://elsewhere.example/a2a"))
        .finish(served())
        .unwrap_err();
    assert_eq!(error.problems().len(), 2);
    assert!(
        error
            .to_string()
            .contains("GRPC at example.com:443 is declared but not served here")
    );
    assert!(
        error.to_string().contains("mount that binding"),
        "a hint: {error}"
    );
    // What is served may be named, and is not doubled.
    let card = hello().interface(jsonrpc()).finish(served()).unwrap();
    assert_eq!(card.supported_interfaces.len(), 2);
}

#[test]
fn security_beside_the_authenticator_does_not_build() {
    let schemes = BTreeMap::from([("bearer".to_owned(), bearer())]);
    let served = served().with_security(
        schemes,
        vec![SecurityRequirement::of("bearer", [] as [&str; 0])],
    );
    let key = ApiKeySecurityScheme::default()
        .with_location("header")
        .with_name("X-Key");
    for lie in [
        hello().security_scheme("key", key.clone()),
        hello().security_scheme("bearer", key),
        hello().security_requirement(SecurityRequirement::default()),
    ] {
        let error = lie.finish(served.clone()).unwrap_err();
        assert!(
            error.to_string().contains("the installed authenticator"),
            "{error}"
        );
    }
    assert!(
        hello()
            .security_scheme("bearer", bearer())
            .finish(served)
            .is_ok()
    );
}

// A gateway in front of the agent may check credentials.
#[test]
fn security_without_an_authenticator_is_kept() {
    let card = hello()
        .security_scheme("bearer", bearer())
        .security_requirement(SecurityRequirement::of("bearer", [] as [&str; 0]))
        .finish(served())
        .unwrap();
    assert_eq!(card.security_schemes.len(), 1);
    assert_eq!(card.security_requirements.len(), 1);
}
