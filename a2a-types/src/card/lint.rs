use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::rules;
use crate::o_auth_flows::Flow;
use crate::operation::{Check, Path};
use crate::security_scheme::Scheme;
use crate::{
    AgentCard, AgentExtension, AgentInterface, AgentSkill, FieldViolation, OAuth2SecurityScheme,
    SecurityRequirement, SecurityScheme, Version,
};

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Allowed, but hardly meant.
    Warning,
    /// Breaks a rule of the protocol, or cannot work.
    Error,
}

/// Something about a card that should be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The JSON path, such as `skills[0].tags`.
    pub field: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Finding {
    pub(super) fn error(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            field: field.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// Checks a card against the rules of the protocol and of good sense (A2A §4.4, §4.5, §4.6, §8).
///
/// A card that others may read as it is meant gives no findings.
#[must_use]
pub fn lint(card: &AgentCard) -> Vec<Finding> {
    let mut lint = Lint::default();
    lint.card(card);
    lint.findings
}

#[derive(Default)]
struct Lint {
    findings: Vec<Finding>,
}

impl Lint {
    fn error(&mut self, path: &Path<'_>, message: impl Into<String>) {
        self.findings
            .push(Finding::error(path.to_string(), message));
    }

    fn warn(&mut self, path: &Path<'_>, message: impl Into<String>) {
        let (field, message) = (path.to_string(), message.into());
        self.findings.push(Finding {
            severity: Severity::Warning,
            field,
            message,
        });
    }

    fn card(&mut self, card: &AgentCard) {
        for FieldViolation { field, description } in card.violations() {
            self.findings.push(Finding::error(field, description));
        }
        let root = Path::root();
        for (index, interface) in card.supported_interfaces.iter().enumerate() {
            self.interface(&root.field("supportedInterfaces").index(index), interface);
        }
        for (name, modes) in [
            ("defaultInputModes", &card.default_input_modes),
            ("defaultOutputModes", &card.default_output_modes),
        ] {
            if modes.is_empty() {
                self.warn(
                    &root.field(name),
                    "is empty; name the media types, such as text/plain",
                );
            }
            self.modes(&root.field(name), modes);
        }
        let capabilities = card.capabilities.iter();
        let path = root.field("capabilities");
        for (index, extension) in capabilities.flat_map(|c| c.extensions.iter().enumerate()) {
            self.extension(&path.field("extensions").index(index), extension);
        }
        for (name, scheme) in &card.security_schemes {
            self.scheme(&root.field("securitySchemes").key(name), scheme);
        }
        let schemes = &card.security_schemes;
        self.requirements(&root, &card.security_requirements, schemes);
        self.skills(card);
        for (path, problem) in rules::secrets(card) {
            self.findings.push(Finding {
                severity: Severity::Warning,
                field: path,
                message: format!("looks like {problem}; everybody can read a card"),
            });
        }
    }

    fn interface(&mut self, path: &Path<'_>, interface: &AgentInterface) {
        let AgentInterface {
            url,
            protocol_binding: binding,
            protocol_version: version,
            ..
        } = interface;
        if !binding.is_empty() && !rules::is_standard_binding(binding) && !rules::is_uri(binding) {
            let message = format!(
                "{binding} is no known binding: write JSONRPC, HTTP+JSON or GRPC, or name a custom \
                 binding by a URI"
            );
            self.warn(&path.field("protocolBinding"), message);
        }
        if !version.is_empty()
            && version.parse::<Version>().map(|v| v.to_string()).as_ref() != Ok(version)
        {
            let message = format!("{version} is no version; write Major.Minor, such as 1.0");
            self.error(&path.field("protocolVersion"), message);
        }
        if !url.is_empty()
            && let Err(message) = rules::interface_url(binding, url)
        {
            self.error(&path.field("url"), message);
        } else if rules::is_plaintext(url) {
            let message = "is not encrypted; use https outside of tests";
            self.warn(&path.field("url"), message);
        }
    }

    fn modes(&mut self, path: &Path<'_>, modes: &[String]) {
        for (index, mode) in modes.iter().enumerate() {
            if !crate::media::matches("*/*", mode) {
                let message = format!("{mode} is no media type; write type/subtype");
                self.warn(&path.index(index), message);
            }
        }
    }

    fn extension(&mut self, path: &Path<'_>, extension: &AgentExtension) {
        if extension.uri.trim().is_empty() {
            // Not marked as required in the proto, but an extension has no other name (A2A §4.4).
            self.error(&path.field("uri"), "is required");
        } else if !rules::is_uri(&extension.uri) {
            self.warn(&path.field("uri"), format!("{} is no URI", extension.uri));
        } else if !rules::has_version(&extension.uri) {
            let message = "has no version; end it in one, such as /v1 (A2A §4.6.3)";
            self.warn(&path.field("uri"), message);
        }
    }

    fn skills(&mut self, card: &AgentCard) {
        let root = Path::root();
        let path = root.field("skills");
        if card.skills.is_empty() {
            self.warn(&path, "is empty; clients choose agents by their skills");
        }
        let mut ids = BTreeSet::new();
        for (index, skill) in card.skills.iter().enumerate() {
            let path = path.index(index);
            let AgentSkill {
                id,
                tags,
                input_modes,
                output_modes,
                ..
            } = skill;
            if !id.is_empty() && !ids.insert(id) {
                self.error(
                    &path.field("id"),
                    format!("{id} is the id of an earlier skill"),
                );
            }
            if tags.iter().all(|tag| tag.trim().is_empty()) {
                self.warn(
                    &path.field("tags"),
                    "is empty; give keywords to find the skill by",
                );
            }
            self.modes(&path.field("inputModes"), input_modes);
            self.modes(&path.field("outputModes"), output_modes);
            self.requirements(&path, &skill.security_requirements, &card.security_schemes);
        }
    }

    fn requirements(
        &mut self,
        path: &Path<'_>,
        requirements: &[SecurityRequirement],
        schemes: &BTreeMap<String, SecurityScheme>,
    ) {
        let path = path.field("securityRequirements");
        for (index, requirement) in requirements.iter().enumerate() {
            for name in requirement
                .schemes
                .keys()
                .filter(|name| !schemes.contains_key(*name))
            {
                let message = format!("{name} is not declared in securitySchemes");
                self.error(&path.index(index).field("schemes"), message);
            }
        }
    }

    fn scheme(&mut self, path: &Path<'_>, scheme: &SecurityScheme) {
        match &scheme.scheme {
            None => self.error(path, "names no kind of scheme"),
            Some(Scheme::ApiKeySecurityScheme(key)) => {
                let location = key.location.as_str();
                if !matches!(location, "" | "query" | "header" | "cookie") {
                    let message = format!("must be query, header or cookie, got {location}");
                    let path = path.field("apiKeySecurityScheme");
                    self.error(&path.field("location"), message);
                }
            }
            Some(Scheme::Oauth2SecurityScheme(oauth)) => {
                self.oauth(&path.field("oauth2SecurityScheme"), oauth);
            }
            Some(Scheme::OpenIdConnectSecurityScheme(connect)) => {
                let path = path.field("openIdConnectSecurityScheme");
                self.encrypted(
                    &path.field("openIdConnectUrl"),
                    &connect.open_id_connect_url,
                );
            }
            Some(Scheme::HttpAuthSecurityScheme(_) | Scheme::MtlsSecurityScheme(_)) => {}
        }
    }

    #[expect(
        deprecated,
        reason = "the old flows must be recognized to warn about them"
    )]
    fn oauth(&mut self, path: &Path<'_>, oauth: &OAuth2SecurityScheme) {
        self.encrypted(&path.field("oauth2MetadataUrl"), &oauth.oauth2_metadata_url);
        let path = path.field("flows");
        let Some(flow) = oauth.flows.as_ref().and_then(|flows| flows.flow.as_ref()) else {
            return;
        };
        let urls: &[(&str, &str)] = match flow {
            Flow::AuthorizationCode(flow) => &[
                ("authorizationUrl", &flow.authorization_url),
                ("tokenUrl", &flow.token_url),
                ("refreshUrl", &flow.refresh_url),
            ],
            Flow::ClientCredentials(flow) => &[
                ("tokenUrl", &flow.token_url),
                ("refreshUrl", &flow.refresh_url),
            ],
            Flow::DeviceCode(flow) => &[
                ("deviceAuthorizationUrl", &flow.device_authorization_url),
                ("tokenUrl", &flow.token_url),
                ("refreshUrl", &flow.refresh_url),
            ],
            Flow::Implicit(_) | Flow::Password(_) => {
                let message = "is a flow of old; use authorizationCode, clientCredentials or \
                               deviceCode";
                return self.warn(&path, message);
            }
        };
        let member = match flow {
            Flow::AuthorizationCode(_) => "authorizationCode",
            Flow::ClientCredentials(_) => "clientCredentials",
            _ => "deviceCode",
        };
        for (name, url) in urls {
            self.encrypted(&path.field(member).field(name), url);
        }
    }

    fn encrypted(&mut self, path: &Path<'_>, url: &str) {
        if rules::is_plaintext(url) {
            self.warn(path, "is not encrypted; credentials need https");
        }
    }
}
