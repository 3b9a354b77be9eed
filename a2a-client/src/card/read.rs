//! Reading cards as they really are.

use a2a_types::operation::Wire;
use a2a_types::{AgentCard, json};
use serde_json::{Map, Value};

use super::discover::Miss;
use crate::{Error, Failure};

/// Reads a card of version 1.0, and says so when it is an older one.
pub(super) fn read(body: &[u8]) -> Result<AgentCard, Miss> {
    let mut value: Value = serde_json::from_slice(body).map_err(|error| {
        Miss::Elsewhere(Error::new(Failure::Card, "the card is not JSON").with_source(error))
    })?;
    let Value::Object(card) = &mut value else {
        let message = "the card is no JSON object";
        return Err(Miss::Elsewhere(Error::new(Failure::Card, message)));
    };
    let has = |name: &str| card.contains_key(name);
    if !has("supportedInterfaces") && !has("supported_interfaces") {
        return Err(
            match has("url") && (has("protocolVersion") || has("skills")) {
                true => {
                    let version = card.get("protocolVersion").and_then(Value::as_str);
                    let message = format!(
                        "the agent speaks only A2A {}, which this client does not",
                        version.unwrap_or("0.3")
                    );
                    Miss::Final(Error::new(Failure::Card, message))
                }
                false => Miss::Elsewhere(Error::new(Failure::Card, "the JSON is no agent card")),
            },
        );
    }
    settle(card);
    // Back to text: only from there errors have a path.
    json::from_slice(value.to_string().as_bytes()).map_err(|error| {
        let message = format!("cannot read the card: {error}");
        Miss::Final(Error::new(Failure::Card, message).with_source(error))
    })
}

/// The card at this place of an answer that could not be read as it is.
#[cold]
pub(crate) fn repaired<T: Wire>(body: &[u8], pointer: &str) -> Option<T> {
    if T::NAME != AgentCard::NAME {
        return None;
    }
    let mut value: Value = serde_json::from_slice(body).ok()?;
    let card = value.pointer_mut(pointer)?;
    settle(card.as_object_mut()?);
    json::from_slice(card.to_string().as_bytes()).ok()
}

/// Brings the requirements of a card and of its skills into their form.
fn settle(card: &mut Map<String, Value>) {
    rename_security(card);
    let skills = card.get_mut("skills").and_then(Value::as_array_mut);
    for skill in skills.into_iter().flatten() {
        if let Value::Object(skill) = skill {
            rename_security(skill);
        }
    }
}

/// Some texts of the specification call the requirements `security` and write them as 0.3 did:
/// `[{"scheme": ["scope"]}]`. Agents on the Go SDK give them the right name and no `list` inside:
/// `[{"schemes": {"scheme": ["scope"]}}]`.
fn rename_security(object: &mut Map<String, Value>) {
    let has = |name: &&str| object.get(*name).is_some_and(|value| !value.is_null());
    let named = ["securityRequirements", "security_requirements"];
    let name = named.into_iter().find(has).unwrap_or("security");
    let Some(mut requirements) = object.remove(name) else {
        return;
    };
    for requirement in requirements.as_array_mut().into_iter().flatten() {
        let Value::Object(found) = requirement else {
            continue;
        };
        if name == "security" && !found.contains_key("schemes") {
            let schemes = std::mem::take(found);
            found.insert("schemes".to_owned(), schemes.into());
        }
        let schemes = found.get_mut("schemes").and_then(Value::as_object_mut);
        for scopes in schemes.into_iter().flat_map(Map::values_mut) {
            if scopes.is_array() {
                *scopes = Map::from_iter([("list".to_owned(), scopes.take())]).into();
            }
        }
    }
    object.insert("securityRequirements".to_owned(), requirements);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Result<AgentCard, Error> {
        read(text.as_bytes()).map_err(|miss| match miss {
            Miss::Elsewhere(error) | Miss::Final(error) => error,
        })
    }

    #[test]
    fn the_requirements_are_read_under_their_other_name() {
        // R078
        let card = card(
            r#"{"name":"x","supportedInterfaces":[],"new":1,
                "security":[{"oauth":["read","write"],"key":[]},{}],
                "skills":[{"id":"s","security":[{"schemes":{"key":{"list":[]}}}]}]}"#,
        )
        .unwrap();
        let schemes = &card.security_requirements[0].schemes;
        assert_eq!(schemes["oauth"].list, ["read", "write"]);
        assert!(schemes["key"].list.is_empty());
        assert!(card.security_requirements[1].schemes.is_empty());
        assert!(
            card.skills[0].security_requirements[0]
                .schemes
                .contains_key("key")
        );
    }

    #[test]
    fn requirements_without_a_list_are_read() {
        let card = card(
            r#"{"name":"x","supportedInterfaces":[],
                "securityRequirements":[{"schemes":{"oauth":["read"],"key":{"list":["all"]}}},{}]}"#,
        )
        .unwrap();
        let schemes = &card.security_requirements[0].schemes;
        assert_eq!(schemes["oauth"].list, ["read"]);
        assert_eq!(schemes["key"].list, ["all"]);
        assert!(card.security_requirements[1].schemes.is_empty());
    }

    #[test]
    fn requirements_of_another_shape_are_an_error() {
        let error = card(r#"{"supportedInterfaces":[],"securityRequirements":{}}"#).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("securityRequirements"), "{text}");
    }

    #[test]
    fn a_card_of_the_older_version_is_recognised() {
        // R078
        let error = card(r#"{"name":"x","url":"http://h","protocolVersion":"0.3.0","skills":[]}"#);
        let error = error.unwrap_err();
        assert_eq!(error.failure(), Failure::Card);
        assert!(error.to_string().contains("0.3.0"), "{error}");
    }

    #[test]
    fn an_error_in_a_card_names_its_place() {
        let error = card(r#"{"supportedInterfaces":[{"url":5}]}"#).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("supportedInterfaces[0].url"), "{text}");
    }
}
