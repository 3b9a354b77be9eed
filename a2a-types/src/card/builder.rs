use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use super::lint::{Finding, Severity, lint};
use super::rules;
use crate::{
    AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentProvider, AgentSkill,
    SecurityRequirement, SecurityScheme,
};

impl AgentCard {
    /// Begins a card.
    ///
    /// ```
    /// use a2a_types::{AgentCard, AgentInterface};
    ///
    /// let card = AgentCard::builder("Echo", "Repeats what it hears")
    ///     .skill("echo", "Echo", "Repeats the message")
    ///     .interface(
    ///         AgentInterface::default()
    ///             .with_url("https://echo.example.com/a2a")
    ///             .with_protocol_binding("JSONRPC")
    ///             .with_protocol_version("1.0"),
    ///     )
    ///     .build()?;
    /// assert_eq!(card.default_input_modes, ["text/plain"]);
    /// # Ok::<(), a2a_types::card::CardError>(())
    /// ```
    pub fn builder(name: impl Into<String>, description: impl Into<String>) -> AgentCardBuilder {
        let text = || vec!["text/plain".to_owned()];
        AgentCardBuilder {
            card: AgentCard {
                name: name.into(),
                description: description.into(),
                version: "0.1.0".to_owned(),
                default_input_modes: text(),
                default_output_modes: text(),
                ..AgentCard::default()
            },
            extensions: Vec::new(),
        }
    }
}

/// An agent card in the making; see [`AgentCard::builder`].
///
/// Give it to a server, which adds what it offers, or call [`build`](Self::build) for a card of
/// interfaces that are served elsewhere.
#[must_use = "a builder does nothing until it is built or given to a server"]
#[derive(Clone, Debug)]
pub struct AgentCardBuilder {
    card: AgentCard,
    extensions: Vec<AgentExtension>,
}

/// What a server offers, as it knows it from what is mounted and configured.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Served {
    /// The mounted interfaces, the preferred one first.
    pub interfaces: Vec<AgentInterface>,
    /// What is configured. Extensions in here come before those of the builder.
    pub capabilities: AgentCapabilities,
    /// The schemes that the authenticator understands, by name.
    pub security_schemes: BTreeMap<String, SecurityScheme>,
    /// What the authenticator demands: alternatives.
    pub security_requirements: Vec<SecurityRequirement>,
}

impl Served {
    /// These interfaces with these capabilities, without security.
    #[must_use]
    pub fn new(interfaces: Vec<AgentInterface>, capabilities: AgentCapabilities) -> Self {
        Self {
            interfaces,
            capabilities,
            ..Self::default()
        }
    }

    /// With the security of the installed authenticator.
    #[must_use]
    pub fn with_security(
        self,
        security_schemes: BTreeMap<String, SecurityScheme>,
        security_requirements: Vec<SecurityRequirement>,
    ) -> Self {
        Self {
            security_schemes,
            security_requirements,
            ..self
        }
    }
}

impl AgentCardBuilder {
    /// The agent's own version; `0.1.0` unless set.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.card.version = version.into();
        self
    }

    /// Who runs the agent, and their site.
    pub fn provider(mut self, organization: impl Into<String>, url: impl Into<String>) -> Self {
        let provider = AgentProvider::default()
            .with_organization(organization)
            .with_url(url);
        self.card.provider = Some(provider);
        self
    }

    /// Where more documentation is.
    pub fn documentation_url(mut self, url: impl Into<String>) -> Self {
        self.card.documentation_url = Some(url.into());
        self
    }

    /// Where an icon is.
    pub fn icon_url(mut self, url: impl Into<String>) -> Self {
        self.card.icon_url = Some(url.into());
        self
    }

    /// The media types that every skill accepts unless it says otherwise; `text/plain` unless set.
    pub fn default_input_modes(
        mut self,
        modes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.card.default_input_modes = modes.into_iter().map(Into::into).collect();
        self
    }

    /// The media types that every skill produces unless it says otherwise; `text/plain` unless
    /// set.
    pub fn default_output_modes(
        mut self,
        modes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.card.default_output_modes = modes.into_iter().map(Into::into).collect();
        self
    }

    /// Adds a skill whose only tag is its id. For tags, examples and modes use
    /// [`add_skill`](Self::add_skill).
    pub fn skill(
        self,
        id: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        let id = id.into();
        self.add_skill(
            AgentSkill::default()
                .with_tags([id.as_str()])
                .with_id(id)
                .with_name(name)
                .with_description(description),
        )
    }

    /// Adds a skill.
    pub fn add_skill(mut self, skill: impl Into<AgentSkill>) -> Self {
        self.card.skills.push(skill.into());
        self
    }

    /// Declares an extension that the agent supports (A2A §4.6.1).
    pub fn extension(mut self, extension: impl Into<AgentExtension>) -> Self {
        self.extensions.push(extension.into());
        self
    }

    /// Adds an interface that something else serves: for a server a custom binding, named by a
    /// URI (A2A §5.8).
    pub fn interface(mut self, interface: impl Into<AgentInterface>) -> Self {
        self.card.supported_interfaces.push(interface.into());
        self
    }

    /// Declares a security scheme that something in front of the agent checks, such as a gateway.
    /// A server with an authenticator declares its own.
    pub fn security_scheme(
        mut self,
        name: impl Into<String>,
        scheme: impl Into<SecurityScheme>,
    ) -> Self {
        self.card
            .security_schemes
            .insert(name.into(), scheme.into());
        self
    }

    /// Adds an alternative of what callers must present. All of them together: any one will do.
    pub fn security_requirement(mut self, requirement: impl Into<SecurityRequirement>) -> Self {
        self.card.security_requirements.push(requirement.into());
        self
    }

    /// The card of an agent whose interfaces are served elsewhere.
    ///
    /// # Errors
    ///
    /// When [`lint`] finds errors: all of them at once.
    pub fn build(self) -> Result<AgentCard, CardError> {
        self.assemble(Served::default(), Vec::new())
    }

    /// The card of an agent on a server, which says what it serves.
    ///
    /// # Errors
    ///
    /// When [`lint`] finds errors, and when the builder declares what the server does not serve: an
    /// interface of a standard binding that is not mounted, or a security beside that of the
    /// installed authenticator. All of them at once.
    pub fn finish(self, served: Served) -> Result<AgentCard, CardError> {
        let lies = self.lies(&served);
        self.assemble(served, lies)
    }

    /// What the builder declares and the server does not have.
    fn lies(&self, served: &Served) -> Vec<Finding> {
        let mut lies = Vec::new();
        for interface in &self.card.supported_interfaces {
            let AgentInterface {
                protocol_binding: binding,
                url,
                ..
            } = interface;
            if rules::is_standard_binding(binding) && !served.interfaces.contains(interface) {
                lies.push(Finding::error(
                    "supportedInterfaces",
                    format!(
                        "{binding} at {url} is declared but not served here; mount that binding \
                         instead, interfaces then declare themselves"
                    ),
                ));
            }
        }
        let checked = !served.security_schemes.is_empty();
        let differs = self.card.security_schemes.iter().any(|(name, scheme)| {
            served
                .security_schemes
                .get(name)
                .is_none_or(|known| known != scheme)
        });
        if checked && (differs || !self.card.security_requirements.is_empty()) {
            lies.push(Finding::error(
                "securitySchemes",
                "the installed authenticator declares its own security; remove security from the \
                 card",
            ));
        }
        lies
    }

    fn assemble(self, served: Served, lies: Vec<Finding>) -> Result<AgentCard, CardError> {
        let Self {
            mut card,
            extensions,
        } = self;
        let mut interfaces = served.interfaces;
        for interface in card.supported_interfaces {
            if !interfaces.contains(&interface) {
                interfaces.push(interface);
            }
        }
        card.supported_interfaces = interfaces;
        let mut capabilities = served.capabilities;
        capabilities.extensions.extend(extensions);
        card.capabilities = Some(capabilities);
        card.security_schemes.extend(served.security_schemes);
        card.security_requirements
            .extend(served.security_requirements);

        let found = lint(&card)
            .into_iter()
            .filter(|f| f.severity == Severity::Error);
        let problems: Vec<_> = lies.into_iter().chain(found).collect();
        match problems.is_empty() {
            true => Ok(card),
            false => Err(CardError { problems }),
        }
    }
}

/// Why a card was not built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardError {
    problems: Vec<Finding>,
}

impl CardError {
    /// Everything that is wrong, at least one.
    #[must_use]
    pub fn problems(&self) -> &[Finding] {
        &self.problems
    }
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<_> = self.problems.iter().map(ToString::to_string).collect();
        write!(f, "the agent card is not valid: {}", problems.join("; "))
    }
}

impl Error for CardError {}
