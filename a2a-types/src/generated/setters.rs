// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.

impl crate::SendMessageConfiguration {
    /// Sets `accepted_output_modes`. Replaces what was there.
    ///
    /// Media types the caller can consume; the agent should shape its output to them (SHOULD).
    #[must_use]
    pub fn with_accepted_output_modes(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.accepted_output_modes = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `task_push_notification_config`.
    ///
    /// Inline webhook registration. Its task_id stays empty here; the server fills it once the task exists.
    #[must_use]
    pub fn with_task_push_notification_config(
        mut self,
        value: impl Into<crate::TaskPushNotificationConfig>,
    ) -> Self {
        self.task_push_notification_config = Some(value.into());
        self
    }
    /// Sets `history_length`.
    ///
    /// Upper bound on history messages in the reply: unset = caller sets no bound, 0 = none, n = the n newest. Server may send fewer, never more.
    #[must_use]
    pub fn with_history_length(mut self, value: i32) -> Self {
        self.history_length = Some(value);
        self
    }
    /// Sets `return_immediately`.
    ///
    /// false (default) = block until a terminal or interrupted state; true = answer as soon as the task exists.
    #[must_use]
    pub fn with_return_immediately(mut self, value: bool) -> Self {
        self.return_immediately = value;
        self
    }
}
impl crate::Task {
    /// Sets `id`.
    ///
    /// Server-made identifier of the task.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
    /// Sets `context_id`.
    ///
    /// Conversation the task belongs to. Always sent by a server, although not marked as required.
    #[must_use]
    pub fn with_context_id(mut self, value: impl Into<String>) -> Self {
        self.context_id = value.into();
        self
    }
    /// Sets `status`.
    ///
    /// Current status.
    #[must_use]
    pub fn with_status(mut self, value: impl Into<crate::TaskStatus>) -> Self {
        self.status = Some(value.into());
        self
    }
    /// Sets `artifacts`. Replaces what was there.
    ///
    /// Outputs produced so far.
    #[must_use]
    pub fn with_artifacts(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::Artifact>>,
    ) -> Self {
        self.artifacts = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `history`. Replaces what was there.
    ///
    /// Messages the agent chose to keep, oldest first.
    #[must_use]
    pub fn with_history(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::Message>>,
    ) -> Self {
        self.history = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values on the task.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
}
impl crate::TaskStatus {
    /// Sets `state`.
    ///
    /// Lifecycle state; TASK_STATE_UNSPECIFIED is never a valid value to send.
    #[must_use]
    pub fn with_state(mut self, value: crate::TaskState) -> Self {
        self.state = i32::from(value);
        self
    }
    /// Sets `message`.
    ///
    /// Agent message that goes with this status.
    #[must_use]
    pub fn with_message(mut self, value: impl Into<crate::Message>) -> Self {
        self.message = Some(value.into());
        self
    }
    /// Sets `timestamp`.
    ///
    /// When the status was recorded (UTC).
    #[must_use]
    pub fn with_timestamp(mut self, value: impl Into<crate::Timestamp>) -> Self {
        self.timestamp = Some(value.into());
        self
    }
}
impl crate::Part {
    /// Sets `text`. Takes the place of the other members of its oneof.
    ///
    /// Plain text content.
    #[must_use]
    pub fn with_text(mut self, value: impl Into<String>) -> Self {
        self.content = Some(crate::part::Content::Text(value.into()));
        self
    }
    /// Sets `raw`. Takes the place of the other members of its oneof.
    ///
    /// Inline file bytes; base64 in JSON.
    #[must_use]
    pub fn with_raw(mut self, value: impl Into<bytes::Bytes>) -> Self {
        self.content = Some(crate::part::Content::Raw(value.into()));
        self
    }
    /// Sets `url`. Takes the place of the other members of its oneof.
    ///
    /// Location of the file content.
    #[must_use]
    pub fn with_url(mut self, value: impl Into<String>) -> Self {
        self.content = Some(crate::part::Content::Url(value.into()));
        self
    }
    /// Sets `data`. Takes the place of the other members of its oneof.
    ///
    /// Any JSON value. A JSON null is such a value too: it sets this member.
    #[must_use]
    pub fn with_data(mut self, value: impl Into<crate::Value>) -> Self {
        self.content = Some(crate::part::Content::Data(value.into()));
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values on the part.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
    /// Sets `filename`.
    ///
    /// File name; allowed with every content case.
    #[must_use]
    pub fn with_filename(mut self, value: impl Into<String>) -> Self {
        self.filename = value.into();
        self
    }
    /// Sets `media_type`.
    ///
    /// Media type of the content; allowed with every content case.
    #[must_use]
    pub fn with_media_type(mut self, value: impl Into<String>) -> Self {
        self.media_type = value.into();
        self
    }
}
impl crate::Message {
    /// Sets `message_id`.
    ///
    /// Identifier made by whoever creates the message.
    #[must_use]
    pub fn with_message_id(mut self, value: impl Into<String>) -> Self {
        self.message_id = value.into();
        self
    }
    /// Sets `context_id`.
    ///
    /// Conversation; optional from a client, always sent by our server.
    #[must_use]
    pub fn with_context_id(mut self, value: impl Into<String>) -> Self {
        self.context_id = value.into();
        self
    }
    /// Sets `task_id`.
    ///
    /// Task the message belongs to; if both ids are given they must agree.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `role`.
    ///
    /// Who speaks; ROLE_UNSPECIFIED is never a valid value to send.
    #[must_use]
    pub fn with_role(mut self, value: crate::Role) -> Self {
        self.role = i32::from(value);
        self
    }
    /// Sets `parts`. Replaces what was there.
    ///
    /// Content; at least one part.
    #[must_use]
    pub fn with_parts(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::Part>>,
    ) -> Self {
        self.parts = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values; extensions put their data under their URI.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
    /// Sets `extensions`. Replaces what was there.
    ///
    /// URIs of extensions that contributed to this message.
    #[must_use]
    pub fn with_extensions(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.extensions = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `reference_task_ids`. Replaces what was there.
    ///
    /// Other tasks this message refers to.
    #[must_use]
    pub fn with_reference_task_ids(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.reference_task_ids = value.into_iter().map(Into::into).collect();
        self
    }
}
impl crate::Artifact {
    /// Sets `artifact_id`.
    ///
    /// Identifier, unique inside the task.
    #[must_use]
    pub fn with_artifact_id(mut self, value: impl Into<String>) -> Self {
        self.artifact_id = value.into();
        self
    }
    /// Sets `name`.
    ///
    /// Human name; keep it stable when refining an earlier artifact.
    #[must_use]
    pub fn with_name(mut self, value: impl Into<String>) -> Self {
        self.name = value.into();
        self
    }
    /// Sets `description`.
    ///
    /// Human description.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `parts`. Replaces what was there.
    ///
    /// Content; at least one part.
    #[must_use]
    pub fn with_parts(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::Part>>,
    ) -> Self {
        self.parts = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values on the artifact.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
    /// Sets `extensions`. Replaces what was there.
    ///
    /// URIs of extensions that contributed to this artifact.
    #[must_use]
    pub fn with_extensions(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.extensions = value.into_iter().map(Into::into).collect();
        self
    }
}
impl crate::TaskStatusUpdateEvent {
    /// Sets `task_id`.
    ///
    /// Task that changed.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `context_id`.
    ///
    /// Conversation of that task.
    #[must_use]
    pub fn with_context_id(mut self, value: impl Into<String>) -> Self {
        self.context_id = value.into();
        self
    }
    /// Sets `status`.
    ///
    /// The new status.
    #[must_use]
    pub fn with_status(mut self, value: impl Into<crate::TaskStatus>) -> Self {
        self.status = Some(value.into());
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values on the event.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
}
impl crate::TaskArtifactUpdateEvent {
    /// Sets `task_id`.
    ///
    /// Task the artifact belongs to.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `context_id`.
    ///
    /// Conversation of that task.
    #[must_use]
    pub fn with_context_id(mut self, value: impl Into<String>) -> Self {
        self.context_id = value.into();
        self
    }
    /// Sets `artifact`.
    ///
    /// The artifact or the chunk of it.
    #[must_use]
    pub fn with_artifact(mut self, value: impl Into<crate::Artifact>) -> Self {
        self.artifact = Some(value.into());
        self
    }
    /// Sets `append`.
    ///
    /// true = add these parts to the artifact already sent under the same id; false/absent = new or replacement.
    #[must_use]
    pub fn with_append(mut self, value: bool) -> Self {
        self.append = value;
        self
    }
    /// Sets `last_chunk`.
    ///
    /// true = no more chunks for this artifact.
    #[must_use]
    pub fn with_last_chunk(mut self, value: bool) -> Self {
        self.last_chunk = value;
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values on the event.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
}
impl crate::AuthenticationInfo {
    /// Sets `scheme`.
    ///
    /// One HTTP auth scheme name (IANA registry), compared without case.
    #[must_use]
    pub fn with_scheme(mut self, value: impl Into<String>) -> Self {
        self.scheme = value.into();
        self
    }
    /// Sets `credentials`.
    ///
    /// Credentials in the form the scheme wants (for Bearer: the token).
    #[must_use]
    pub fn with_credentials(mut self, value: impl Into<String>) -> Self {
        self.credentials = value.into();
        self
    }
}
impl crate::AgentInterface {
    /// Sets `url`.
    ///
    /// Where the interface lives: an absolute https URL in production; for gRPC also host and port.
    #[must_use]
    pub fn with_url(mut self, value: impl Into<String>) -> Self {
        self.url = value.into();
        self
    }
    /// Sets `protocol_binding`.
    ///
    /// JSONRPC, GRPC, HTTP+JSON, or a URI for a custom binding.
    #[must_use]
    pub fn with_protocol_binding(mut self, value: impl Into<String>) -> Self {
        self.protocol_binding = value.into();
        self
    }
    /// Sets `tenant`.
    ///
    /// Opaque routing value the client must copy into tenant of every request it sends to this interface.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `protocol_version`.
    ///
    /// A2A version as Major.Minor, for example 1.0.
    #[must_use]
    pub fn with_protocol_version(mut self, value: impl Into<String>) -> Self {
        self.protocol_version = value.into();
        self
    }
}
impl crate::AgentCard {
    /// Sets `name`.
    ///
    /// Agent name.
    #[must_use]
    pub fn with_name(mut self, value: impl Into<String>) -> Self {
        self.name = value.into();
        self
    }
    /// Sets `description`.
    ///
    /// What the agent is for.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `supported_interfaces`. Replaces what was there.
    ///
    /// Interfaces in order of preference; first one is preferred.
    #[must_use]
    pub fn with_supported_interfaces(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::AgentInterface>>,
    ) -> Self {
        self.supported_interfaces = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `provider`.
    ///
    /// Who runs the agent.
    #[must_use]
    pub fn with_provider(mut self, value: impl Into<crate::AgentProvider>) -> Self {
        self.provider = Some(value.into());
        self
    }
    /// Sets `version`.
    ///
    /// The agent's own version (not the protocol's).
    #[must_use]
    pub fn with_version(mut self, value: impl Into<String>) -> Self {
        self.version = value.into();
        self
    }
    /// Sets `documentation_url`.
    ///
    /// More documentation.
    #[must_use]
    pub fn with_documentation_url(mut self, value: impl Into<String>) -> Self {
        self.documentation_url = Some(value.into());
        self
    }
    /// Sets `capabilities`.
    ///
    /// Optional features the agent declares.
    #[must_use]
    pub fn with_capabilities(
        mut self,
        value: impl Into<crate::AgentCapabilities>,
    ) -> Self {
        self.capabilities = Some(value.into());
        self
    }
    /// Sets `security_schemes`. Replaces what was there.
    ///
    /// Named security schemes.
    #[must_use]
    pub fn with_security_schemes(
        mut self,
        value: impl IntoIterator<
            Item = (impl Into<String>, impl Into<crate::SecurityScheme>),
        >,
    ) -> Self {
        self.security_schemes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
    /// Sets `security_requirements`. Replaces what was there.
    ///
    /// Alternatives (OR); schemes inside one entry are combined (AND).
    #[must_use]
    pub fn with_security_requirements(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::SecurityRequirement>>,
    ) -> Self {
        self.security_requirements = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `default_input_modes`. Replaces what was there.
    ///
    /// Media types accepted by every skill unless it overrides them.
    #[must_use]
    pub fn with_default_input_modes(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.default_input_modes = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `default_output_modes`. Replaces what was there.
    ///
    /// Media types produced by every skill unless it overrides them.
    #[must_use]
    pub fn with_default_output_modes(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.default_output_modes = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `skills`. Replaces what was there.
    ///
    /// What the agent can do.
    #[must_use]
    pub fn with_skills(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::AgentSkill>>,
    ) -> Self {
        self.skills = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `signatures`. Replaces what was there.
    ///
    /// JWS signatures over the card.
    #[must_use]
    pub fn with_signatures(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::AgentCardSignature>>,
    ) -> Self {
        self.signatures = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `icon_url`.
    ///
    /// Icon.
    #[must_use]
    pub fn with_icon_url(mut self, value: impl Into<String>) -> Self {
        self.icon_url = Some(value.into());
        self
    }
}
impl crate::AgentProvider {
    /// Sets `url`.
    ///
    /// Provider site.
    #[must_use]
    pub fn with_url(mut self, value: impl Into<String>) -> Self {
        self.url = value.into();
        self
    }
    /// Sets `organization`.
    ///
    /// Provider name.
    #[must_use]
    pub fn with_organization(mut self, value: impl Into<String>) -> Self {
        self.organization = value.into();
        self
    }
}
impl crate::AgentCapabilities {
    /// Sets `streaming`.
    ///
    /// Streaming operations are available.
    #[must_use]
    pub fn with_streaming(mut self, value: bool) -> Self {
        self.streaming = Some(value);
        self
    }
    /// Sets `push_notifications`.
    ///
    /// Push configuration operations are available.
    #[must_use]
    pub fn with_push_notifications(mut self, value: bool) -> Self {
        self.push_notifications = Some(value);
        self
    }
    /// Sets `extensions`. Replaces what was there.
    ///
    /// Extensions the agent supports.
    #[must_use]
    pub fn with_extensions(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::AgentExtension>>,
    ) -> Self {
        self.extensions = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `extended_agent_card`.
    ///
    /// An extended card exists for authenticated callers.
    #[must_use]
    pub fn with_extended_agent_card(mut self, value: bool) -> Self {
        self.extended_agent_card = Some(value);
        self
    }
}
impl crate::AgentExtension {
    /// Sets `uri`.
    ///
    /// Identifier of the extension. Useless when empty, although not marked as required.
    #[must_use]
    pub fn with_uri(mut self, value: impl Into<String>) -> Self {
        self.uri = value.into();
        self
    }
    /// Sets `description`.
    ///
    /// How this agent uses it.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `required`.
    ///
    /// true = a client that does not declare it is refused.
    #[must_use]
    pub fn with_required(mut self, value: bool) -> Self {
        self.required = value;
        self
    }
    /// Sets `params`.
    ///
    /// Extension's own settings.
    #[must_use]
    pub fn with_params(mut self, value: impl Into<crate::Struct>) -> Self {
        self.params = Some(value.into());
        self
    }
}
impl crate::AgentSkill {
    /// Sets `id`.
    ///
    /// Skill identifier.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
    /// Sets `name`.
    ///
    /// Skill name.
    #[must_use]
    pub fn with_name(mut self, value: impl Into<String>) -> Self {
        self.name = value.into();
        self
    }
    /// Sets `description`.
    ///
    /// What the skill does.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `tags`. Replaces what was there.
    ///
    /// Keywords.
    #[must_use]
    pub fn with_tags(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.tags = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `examples`. Replaces what was there.
    ///
    /// Sample prompts.
    #[must_use]
    pub fn with_examples(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.examples = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `input_modes`. Replaces what was there.
    ///
    /// Overrides the card default.
    #[must_use]
    pub fn with_input_modes(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.input_modes = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `output_modes`. Replaces what was there.
    ///
    /// Overrides the card default.
    #[must_use]
    pub fn with_output_modes(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.output_modes = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `security_requirements`. Replaces what was there.
    ///
    /// Extra security needed for this skill.
    #[must_use]
    pub fn with_security_requirements(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::SecurityRequirement>>,
    ) -> Self {
        self.security_requirements = value.into_iter().map(Into::into).collect();
        self
    }
}
impl crate::AgentCardSignature {
    /// Sets `protected`.
    ///
    /// base64url of the JSON protected header.
    #[must_use]
    pub fn with_protected(mut self, value: impl Into<String>) -> Self {
        self.protected = value.into();
        self
    }
    /// Sets `signature`.
    ///
    /// base64url of the signature bytes.
    #[must_use]
    pub fn with_signature(mut self, value: impl Into<String>) -> Self {
        self.signature = value.into();
        self
    }
    /// Sets `header`.
    ///
    /// Unprotected header as plain JSON.
    #[must_use]
    pub fn with_header(mut self, value: impl Into<crate::Struct>) -> Self {
        self.header = Some(value.into());
        self
    }
}
impl crate::TaskPushNotificationConfig {
    /// Sets `tenant`.
    ///
    /// Routing value, see AgentInterface.tenant.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `id`.
    ///
    /// Config identifier; the server makes one when empty.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
    /// Sets `task_id`.
    ///
    /// Task it watches; empty when sent inline with a message; taken from the path over HTTP+JSON.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `url`.
    ///
    /// Webhook address.
    #[must_use]
    pub fn with_url(mut self, value: impl Into<String>) -> Self {
        self.url = value.into();
        self
    }
    /// Sets `token`.
    ///
    /// Shared secret that the webhook can check.
    #[must_use]
    pub fn with_token(mut self, value: impl Into<String>) -> Self {
        self.token = value.into();
        self
    }
    /// Sets `authentication`.
    ///
    /// How the agent authenticates to the webhook.
    #[must_use]
    pub fn with_authentication(
        mut self,
        value: impl Into<crate::AuthenticationInfo>,
    ) -> Self {
        self.authentication = Some(value.into());
        self
    }
}
impl crate::StringList {
    /// Sets `list`. Replaces what was there.
    ///
    /// The strings (OAuth scopes).
    #[must_use]
    pub fn with_list(
        mut self,
        value: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.list = value.into_iter().map(Into::into).collect();
        self
    }
}
impl crate::SecurityRequirement {
    /// Sets `schemes`. Replaces what was there.
    ///
    /// Scheme name to needed scopes.
    #[must_use]
    pub fn with_schemes(
        mut self,
        value: impl IntoIterator<
            Item = (impl Into<String>, impl Into<crate::StringList>),
        >,
    ) -> Self {
        self.schemes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
}
impl crate::SecurityScheme {
    /// Sets `api_key_security_scheme`. Takes the place of the other members of its oneof.
    ///
    /// API key.
    #[must_use]
    pub fn with_api_key_security_scheme(
        mut self,
        value: impl Into<crate::ApiKeySecurityScheme>,
    ) -> Self {
        self.scheme = Some(
            crate::security_scheme::Scheme::ApiKeySecurityScheme(value.into()),
        );
        self
    }
    /// Sets `http_auth_security_scheme`. Takes the place of the other members of its oneof.
    ///
    /// HTTP auth (Basic, Bearer, ...).
    #[must_use]
    pub fn with_http_auth_security_scheme(
        mut self,
        value: impl Into<crate::HttpAuthSecurityScheme>,
    ) -> Self {
        self.scheme = Some(
            crate::security_scheme::Scheme::HttpAuthSecurityScheme(value.into()),
        );
        self
    }
    /// Sets `oauth2_security_scheme`. Takes the place of the other members of its oneof.
    ///
    /// OAuth 2.0.
    #[must_use]
    pub fn with_oauth2_security_scheme(
        mut self,
        value: impl Into<crate::OAuth2SecurityScheme>,
    ) -> Self {
        self.scheme = Some(
            crate::security_scheme::Scheme::Oauth2SecurityScheme(value.into()),
        );
        self
    }
    /// Sets `open_id_connect_security_scheme`. Takes the place of the other members of its oneof.
    ///
    /// OpenID Connect.
    #[must_use]
    pub fn with_open_id_connect_security_scheme(
        mut self,
        value: impl Into<crate::OpenIdConnectSecurityScheme>,
    ) -> Self {
        self.scheme = Some(
            crate::security_scheme::Scheme::OpenIdConnectSecurityScheme(value.into()),
        );
        self
    }
    /// Sets `mtls_security_scheme`. Takes the place of the other members of its oneof.
    ///
    /// Mutual TLS.
    #[must_use]
    pub fn with_mtls_security_scheme(
        mut self,
        value: impl Into<crate::MutualTlsSecurityScheme>,
    ) -> Self {
        self.scheme = Some(
            crate::security_scheme::Scheme::MtlsSecurityScheme(value.into()),
        );
        self
    }
}
impl crate::ApiKeySecurityScheme {
    /// Sets `description`.
    ///
    /// Human text.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `location`.
    ///
    /// query, header or cookie (a string, not an enum).
    #[must_use]
    pub fn with_location(mut self, value: impl Into<String>) -> Self {
        self.location = value.into();
        self
    }
    /// Sets `name`.
    ///
    /// Name of that parameter.
    #[must_use]
    pub fn with_name(mut self, value: impl Into<String>) -> Self {
        self.name = value.into();
        self
    }
}
impl crate::HttpAuthSecurityScheme {
    /// Sets `description`.
    ///
    /// Human text.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `scheme`.
    ///
    /// HTTP auth scheme name.
    #[must_use]
    pub fn with_scheme(mut self, value: impl Into<String>) -> Self {
        self.scheme = value.into();
        self
    }
    /// Sets `bearer_format`.
    ///
    /// Hint such as JWT.
    #[must_use]
    pub fn with_bearer_format(mut self, value: impl Into<String>) -> Self {
        self.bearer_format = value.into();
        self
    }
}
impl crate::OAuth2SecurityScheme {
    /// Sets `description`.
    ///
    /// Human text.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `flows`.
    ///
    /// The flow.
    #[must_use]
    pub fn with_flows(mut self, value: impl Into<crate::OAuthFlows>) -> Self {
        self.flows = Some(value.into());
        self
    }
    /// Sets `oauth2_metadata_url`.
    ///
    /// RFC 8414 metadata address (TLS).
    #[must_use]
    pub fn with_oauth2_metadata_url(mut self, value: impl Into<String>) -> Self {
        self.oauth2_metadata_url = value.into();
        self
    }
}
impl crate::OpenIdConnectSecurityScheme {
    /// Sets `description`.
    ///
    /// Human text.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
    /// Sets `open_id_connect_url`.
    ///
    /// OIDC discovery address.
    #[must_use]
    pub fn with_open_id_connect_url(mut self, value: impl Into<String>) -> Self {
        self.open_id_connect_url = value.into();
        self
    }
}
impl crate::MutualTlsSecurityScheme {
    /// Sets `description`.
    ///
    /// Human text.
    #[must_use]
    pub fn with_description(mut self, value: impl Into<String>) -> Self {
        self.description = value.into();
        self
    }
}
impl crate::OAuthFlows {
    /// Sets `authorization_code`. Takes the place of the other members of its oneof.
    ///
    /// Authorization code flow.
    #[must_use]
    pub fn with_authorization_code(
        mut self,
        value: impl Into<crate::AuthorizationCodeOAuthFlow>,
    ) -> Self {
        self.flow = Some(crate::o_auth_flows::Flow::AuthorizationCode(value.into()));
        self
    }
    /// Sets `client_credentials`. Takes the place of the other members of its oneof.
    ///
    /// Client credentials flow.
    #[must_use]
    pub fn with_client_credentials(
        mut self,
        value: impl Into<crate::ClientCredentialsOAuthFlow>,
    ) -> Self {
        self.flow = Some(crate::o_auth_flows::Flow::ClientCredentials(value.into()));
        self
    }
    /// Sets `implicit`. Takes the place of the other members of its oneof.
    ///
    /// Old flow; kept only for reading.
    #[must_use]
    pub fn with_implicit(mut self, value: impl Into<crate::ImplicitOAuthFlow>) -> Self {
        self.flow = Some(crate::o_auth_flows::Flow::Implicit(value.into()));
        self
    }
    /// Sets `password`. Takes the place of the other members of its oneof.
    ///
    /// Old flow; kept only for reading.
    #[must_use]
    pub fn with_password(mut self, value: impl Into<crate::PasswordOAuthFlow>) -> Self {
        self.flow = Some(crate::o_auth_flows::Flow::Password(value.into()));
        self
    }
    /// Sets `device_code`. Takes the place of the other members of its oneof.
    ///
    /// Device code flow (RFC 8628).
    #[must_use]
    pub fn with_device_code(
        mut self,
        value: impl Into<crate::DeviceCodeOAuthFlow>,
    ) -> Self {
        self.flow = Some(crate::o_auth_flows::Flow::DeviceCode(value.into()));
        self
    }
}
impl crate::AuthorizationCodeOAuthFlow {
    /// Sets `authorization_url`.
    ///
    /// Authorization endpoint.
    #[must_use]
    pub fn with_authorization_url(mut self, value: impl Into<String>) -> Self {
        self.authorization_url = value.into();
        self
    }
    /// Sets `token_url`.
    ///
    /// Token endpoint.
    #[must_use]
    pub fn with_token_url(mut self, value: impl Into<String>) -> Self {
        self.token_url = value.into();
        self
    }
    /// Sets `refresh_url`.
    ///
    /// Refresh endpoint.
    #[must_use]
    pub fn with_refresh_url(mut self, value: impl Into<String>) -> Self {
        self.refresh_url = value.into();
        self
    }
    /// Sets `scopes`. Replaces what was there.
    ///
    /// Scope name to description.
    #[must_use]
    pub fn with_scopes(
        mut self,
        value: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.scopes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
    /// Sets `pkce_required`.
    ///
    /// PKCE (RFC 7636) is mandatory.
    #[must_use]
    pub fn with_pkce_required(mut self, value: bool) -> Self {
        self.pkce_required = value;
        self
    }
}
impl crate::ClientCredentialsOAuthFlow {
    /// Sets `token_url`.
    ///
    /// Token endpoint.
    #[must_use]
    pub fn with_token_url(mut self, value: impl Into<String>) -> Self {
        self.token_url = value.into();
        self
    }
    /// Sets `refresh_url`.
    ///
    /// Refresh endpoint.
    #[must_use]
    pub fn with_refresh_url(mut self, value: impl Into<String>) -> Self {
        self.refresh_url = value.into();
        self
    }
    /// Sets `scopes`. Replaces what was there.
    ///
    /// Scope name to description.
    #[must_use]
    pub fn with_scopes(
        mut self,
        value: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.scopes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
}
impl crate::ImplicitOAuthFlow {
    /// Sets `authorization_url`.
    ///
    /// Authorization endpoint.
    #[must_use]
    pub fn with_authorization_url(mut self, value: impl Into<String>) -> Self {
        self.authorization_url = value.into();
        self
    }
    /// Sets `refresh_url`.
    ///
    /// Refresh endpoint.
    #[must_use]
    pub fn with_refresh_url(mut self, value: impl Into<String>) -> Self {
        self.refresh_url = value.into();
        self
    }
    /// Sets `scopes`. Replaces what was there.
    ///
    /// Scope name to description; may be empty.
    #[must_use]
    pub fn with_scopes(
        mut self,
        value: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.scopes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
}
impl crate::PasswordOAuthFlow {
    /// Sets `token_url`.
    ///
    /// Token endpoint.
    #[must_use]
    pub fn with_token_url(mut self, value: impl Into<String>) -> Self {
        self.token_url = value.into();
        self
    }
    /// Sets `refresh_url`.
    ///
    /// Refresh endpoint.
    #[must_use]
    pub fn with_refresh_url(mut self, value: impl Into<String>) -> Self {
        self.refresh_url = value.into();
        self
    }
    /// Sets `scopes`. Replaces what was there.
    ///
    /// Scope name to description; may be empty.
    #[must_use]
    pub fn with_scopes(
        mut self,
        value: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.scopes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
}
impl crate::DeviceCodeOAuthFlow {
    /// Sets `device_authorization_url`.
    ///
    /// Device authorization endpoint.
    #[must_use]
    pub fn with_device_authorization_url(mut self, value: impl Into<String>) -> Self {
        self.device_authorization_url = value.into();
        self
    }
    /// Sets `token_url`.
    ///
    /// Token endpoint.
    #[must_use]
    pub fn with_token_url(mut self, value: impl Into<String>) -> Self {
        self.token_url = value.into();
        self
    }
    /// Sets `refresh_url`.
    ///
    /// Refresh endpoint.
    #[must_use]
    pub fn with_refresh_url(mut self, value: impl Into<String>) -> Self {
        self.refresh_url = value.into();
        self
    }
    /// Sets `scopes`. Replaces what was there.
    ///
    /// Scope name to description.
    #[must_use]
    pub fn with_scopes(
        mut self,
        value: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Self {
        self.scopes = value
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        self
    }
}
impl crate::SendMessageRequest {
    /// Sets `tenant`.
    ///
    /// Routing value, see AgentInterface.tenant.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `message`.
    ///
    /// The message.
    #[must_use]
    pub fn with_message(mut self, value: impl Into<crate::Message>) -> Self {
        self.message = Some(value.into());
        self
    }
    /// Sets `configuration`.
    ///
    /// Send options.
    #[must_use]
    pub fn with_configuration(
        mut self,
        value: impl Into<crate::SendMessageConfiguration>,
    ) -> Self {
        self.configuration = Some(value.into());
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values for the request.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
}
impl crate::GetTaskRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `id`.
    ///
    /// Task id.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
    /// Sets `history_length`.
    ///
    /// Same meaning as in SendMessageConfiguration.
    #[must_use]
    pub fn with_history_length(mut self, value: i32) -> Self {
        self.history_length = Some(value);
        self
    }
}
impl crate::ListTasksRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `context_id`.
    ///
    /// Keep only this conversation.
    #[must_use]
    pub fn with_context_id(mut self, value: impl Into<String>) -> Self {
        self.context_id = value.into();
        self
    }
    /// Sets `status`.
    ///
    /// Keep only this state; UNSPECIFIED/absent = no filter.
    #[must_use]
    pub fn with_status(mut self, value: crate::TaskState) -> Self {
        self.status = i32::from(value);
        self
    }
    /// Sets `page_size`.
    ///
    /// 1 to 100; unset = at most 50.
    #[must_use]
    pub fn with_page_size(mut self, value: i32) -> Self {
        self.page_size = Some(value);
        self
    }
    /// Sets `page_token`.
    ///
    /// Token from the previous page.
    #[must_use]
    pub fn with_page_token(mut self, value: impl Into<String>) -> Self {
        self.page_token = value.into();
        self
    }
    /// Sets `history_length`.
    ///
    /// Bound on history inside each task.
    #[must_use]
    pub fn with_history_length(mut self, value: i32) -> Self {
        self.history_length = Some(value);
        self
    }
    /// Sets `status_timestamp_after`.
    ///
    /// Keep tasks whose status timestamp is at or after this instant (inclusive, despite the name).
    #[must_use]
    pub fn with_status_timestamp_after(
        mut self,
        value: impl Into<crate::Timestamp>,
    ) -> Self {
        self.status_timestamp_after = Some(value.into());
        self
    }
    /// Sets `include_artifacts`.
    ///
    /// Default false: leave artifacts out of every task.
    #[must_use]
    pub fn with_include_artifacts(mut self, value: bool) -> Self {
        self.include_artifacts = Some(value);
        self
    }
}
impl crate::ListTasksResponse {
    /// Sets `tasks`. Replaces what was there.
    ///
    /// Tasks of this page (may be empty).
    #[must_use]
    pub fn with_tasks(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::Task>>,
    ) -> Self {
        self.tasks = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `next_page_token`.
    ///
    /// Empty string on the last page; always printed in JSON.
    #[must_use]
    pub fn with_next_page_token(mut self, value: impl Into<String>) -> Self {
        self.next_page_token = value.into();
        self
    }
    /// Sets `page_size`.
    ///
    /// Page size that was applied (not the number of tasks returned).
    #[must_use]
    pub fn with_page_size(mut self, value: i32) -> Self {
        self.page_size = value;
        self
    }
    /// Sets `total_size`.
    ///
    /// Number of matching tasks before paging.
    #[must_use]
    pub fn with_total_size(mut self, value: i32) -> Self {
        self.total_size = value;
        self
    }
}
impl crate::CancelTaskRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `id`.
    ///
    /// Task id.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
    /// Sets `metadata`.
    ///
    /// Free-form values for the request.
    #[must_use]
    pub fn with_metadata(mut self, value: impl Into<crate::Struct>) -> Self {
        self.metadata = Some(value.into());
        self
    }
}
impl crate::GetTaskPushNotificationConfigRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `task_id`.
    ///
    /// Task id.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `id`.
    ///
    /// Config id.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
}
impl crate::DeleteTaskPushNotificationConfigRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `task_id`.
    ///
    /// Task id.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `id`.
    ///
    /// Config id.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
}
impl crate::SubscribeToTaskRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `id`.
    ///
    /// Task id.
    #[must_use]
    pub fn with_id(mut self, value: impl Into<String>) -> Self {
        self.id = value.into();
        self
    }
}
impl crate::ListTaskPushNotificationConfigsRequest {
    /// Sets `tenant`.
    ///
    /// Routing value, see AgentInterface.tenant. The number 4 in first place is no mistake.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
    /// Sets `task_id`.
    ///
    /// Task id.
    #[must_use]
    pub fn with_task_id(mut self, value: impl Into<String>) -> Self {
        self.task_id = value.into();
        self
    }
    /// Sets `page_size`.
    ///
    /// Largest number of configs to return.
    #[must_use]
    pub fn with_page_size(mut self, value: i32) -> Self {
        self.page_size = value;
        self
    }
    /// Sets `page_token`.
    ///
    /// Token from the previous page.
    #[must_use]
    pub fn with_page_token(mut self, value: impl Into<String>) -> Self {
        self.page_token = value.into();
        self
    }
}
impl crate::GetExtendedAgentCardRequest {
    /// Sets `tenant`.
    ///
    /// Routing value.
    #[must_use]
    pub fn with_tenant(mut self, value: impl Into<String>) -> Self {
        self.tenant = value.into();
        self
    }
}
impl crate::SendMessageResponse {
    /// Sets `task`. Takes the place of the other members of its oneof.
    ///
    /// Task created or continued.
    #[must_use]
    pub fn with_task(mut self, value: impl Into<crate::Task>) -> Self {
        self.payload = Some(crate::send_message_response::Payload::Task(value.into()));
        self
    }
    /// Sets `message`. Takes the place of the other members of its oneof.
    ///
    /// Direct reply without a task.
    #[must_use]
    pub fn with_message(mut self, value: impl Into<crate::Message>) -> Self {
        self.payload = Some(
            crate::send_message_response::Payload::Message(value.into()),
        );
        self
    }
}
impl crate::StreamResponse {
    /// Sets `task`. Takes the place of the other members of its oneof.
    ///
    /// Snapshot of the task.
    #[must_use]
    pub fn with_task(mut self, value: impl Into<crate::Task>) -> Self {
        self.payload = Some(crate::stream_response::Payload::Task(value.into()));
        self
    }
    /// Sets `message`. Takes the place of the other members of its oneof.
    ///
    /// Direct reply.
    #[must_use]
    pub fn with_message(mut self, value: impl Into<crate::Message>) -> Self {
        self.payload = Some(crate::stream_response::Payload::Message(value.into()));
        self
    }
    /// Sets `status_update`. Takes the place of the other members of its oneof.
    ///
    /// Status change.
    #[must_use]
    pub fn with_status_update(
        mut self,
        value: impl Into<crate::TaskStatusUpdateEvent>,
    ) -> Self {
        self.payload = Some(crate::stream_response::Payload::StatusUpdate(value.into()));
        self
    }
    /// Sets `artifact_update`. Takes the place of the other members of its oneof.
    ///
    /// Artifact or chunk.
    #[must_use]
    pub fn with_artifact_update(
        mut self,
        value: impl Into<crate::TaskArtifactUpdateEvent>,
    ) -> Self {
        self.payload = Some(
            crate::stream_response::Payload::ArtifactUpdate(value.into()),
        );
        self
    }
}
impl crate::ListTaskPushNotificationConfigsResponse {
    /// Sets `configs`. Replaces what was there.
    ///
    /// The configs.
    #[must_use]
    pub fn with_configs(
        mut self,
        value: impl IntoIterator<Item = impl Into<crate::TaskPushNotificationConfig>>,
    ) -> Self {
        self.configs = value.into_iter().map(Into::into).collect();
        self
    }
    /// Sets `next_page_token`.
    ///
    /// Empty when there is no further page.
    #[must_use]
    pub fn with_next_page_token(mut self, value: impl Into<String>) -> Self {
        self.next_page_token = value.into();
        self
    }
}
