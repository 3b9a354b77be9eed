// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.

/// How the caller wants a send to be answered.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct SendMessageConfiguration {
    /// Media types the caller can consume; the agent should shape its output to them (SHOULD).
    #[prost(string, repeated, tag = "1")]
    pub accepted_output_modes: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Inline webhook registration. Its task_id stays empty here; the server fills it once the task
    /// exists.
    #[prost(message, optional, tag = "2")]
    pub task_push_notification_config: ::core::option::Option<
        TaskPushNotificationConfig,
    >,
    /// Upper bound on history messages in the reply: unset = caller sets no bound, 0 = none, n = the
    /// n newest. Server may send fewer, never more.
    #[prost(int32, optional, tag = "3")]
    pub history_length: ::core::option::Option<i32>,
    /// false (default) = block until a terminal or interrupted state; true = answer as soon as the
    /// task exists.
    #[prost(bool, tag = "4")]
    pub return_immediately: bool,
}
/// The unit of work: what was asked, where it stands and what came out of it.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct Task {
    /// Server-made identifier of the task.
    #[prost(string, tag = "1")]
    pub id: ::prost::alloc::string::String,
    /// Conversation the task belongs to. Always sent by a server, although not marked as required.
    #[prost(string, tag = "2")]
    pub context_id: ::prost::alloc::string::String,
    /// Current status.
    #[prost(message, optional, tag = "3")]
    pub status: ::core::option::Option<TaskStatus>,
    /// Outputs produced so far.
    #[prost(message, repeated, tag = "4")]
    pub artifacts: ::prost::alloc::vec::Vec<Artifact>,
    /// Messages the agent chose to keep, oldest first.
    #[prost(message, repeated, tag = "5")]
    pub history: ::prost::alloc::vec::Vec<Message>,
    /// Free-form values on the task.
    #[prost(message, optional, tag = "6")]
    pub metadata: ::core::option::Option<crate::Struct>,
}
/// A state together with its message and its time.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct TaskStatus {
    /// Lifecycle state; TASK_STATE_UNSPECIFIED is never a valid value to send.
    #[prost(enumeration = "TaskState", tag = "1")]
    pub state: i32,
    /// Agent message that goes with this status.
    #[prost(message, optional, tag = "2")]
    pub message: ::core::option::Option<Message>,
    /// When the status was recorded (UTC).
    #[prost(message, optional, tag = "3")]
    pub timestamp: ::core::option::Option<crate::Timestamp>,
}
/// One piece of content. Exactly one member of the oneof must be set.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct Part {
    /// Free-form values on the part.
    #[prost(message, optional, tag = "5")]
    pub metadata: ::core::option::Option<crate::Struct>,
    /// File name; allowed with every content case.
    #[prost(string, tag = "6")]
    pub filename: ::prost::alloc::string::String,
    /// Media type of the content; allowed with every content case.
    #[prost(string, tag = "7")]
    pub media_type: ::prost::alloc::string::String,
    /// What the part holds.
    #[prost(oneof = "part::Content", tags = "1, 2, 3, 4")]
    pub content: ::core::option::Option<part::Content>,
}
/// Nested message and enum types in `Part`.
pub mod part {
    /// What the part holds.
    #[non_exhaustive]
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Content {
        /// Plain text content.
        #[prost(string, tag = "1")]
        Text(::prost::alloc::string::String),
        /// Inline file bytes; base64 in JSON.
        #[prost(bytes, tag = "2")]
        Raw(::prost::bytes::Bytes),
        /// Location of the file content.
        #[prost(string, tag = "3")]
        Url(::prost::alloc::string::String),
        /// Any JSON value. A JSON null is such a value too: it sets this member.
        #[prost(message, tag = "4")]
        Data(crate::Value),
    }
}
/// One turn of a conversation.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct Message {
    /// Identifier made by whoever creates the message.
    #[prost(string, tag = "1")]
    pub message_id: ::prost::alloc::string::String,
    /// Conversation; optional from a client, always sent by our server.
    #[prost(string, tag = "2")]
    pub context_id: ::prost::alloc::string::String,
    /// Task the message belongs to; if both ids are given they must agree.
    #[prost(string, tag = "3")]
    pub task_id: ::prost::alloc::string::String,
    /// Who speaks; ROLE_UNSPECIFIED is never a valid value to send.
    #[prost(enumeration = "Role", tag = "4")]
    pub role: i32,
    /// Content; at least one part.
    #[prost(message, repeated, tag = "5")]
    pub parts: ::prost::alloc::vec::Vec<Part>,
    /// Free-form values; extensions put their data under their URI.
    #[prost(message, optional, tag = "6")]
    pub metadata: ::core::option::Option<crate::Struct>,
    /// URIs of extensions that contributed to this message.
    #[prost(string, repeated, tag = "7")]
    pub extensions: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Other tasks this message refers to.
    #[prost(string, repeated, tag = "8")]
    pub reference_task_ids: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
}
/// An output of a task.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct Artifact {
    /// Identifier, unique inside the task.
    #[prost(string, tag = "1")]
    pub artifact_id: ::prost::alloc::string::String,
    /// Human name; keep it stable when refining an earlier artifact.
    #[prost(string, tag = "2")]
    pub name: ::prost::alloc::string::String,
    /// Human description.
    #[prost(string, tag = "3")]
    pub description: ::prost::alloc::string::String,
    /// Content; at least one part.
    #[prost(message, repeated, tag = "4")]
    pub parts: ::prost::alloc::vec::Vec<Part>,
    /// Free-form values on the artifact.
    #[prost(message, optional, tag = "5")]
    pub metadata: ::core::option::Option<crate::Struct>,
    /// URIs of extensions that contributed to this artifact.
    #[prost(string, repeated, tag = "6")]
    pub extensions: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
}
/// Tells that the status of a task changed.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct TaskStatusUpdateEvent {
    /// Task that changed.
    #[prost(string, tag = "1")]
    pub task_id: ::prost::alloc::string::String,
    /// Conversation of that task.
    #[prost(string, tag = "2")]
    pub context_id: ::prost::alloc::string::String,
    /// The new status.
    #[prost(message, optional, tag = "3")]
    pub status: ::core::option::Option<TaskStatus>,
    /// Free-form values on the event.
    #[prost(message, optional, tag = "4")]
    pub metadata: ::core::option::Option<crate::Struct>,
}
/// Carries an artifact of a task, or a chunk of one.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct TaskArtifactUpdateEvent {
    /// Task the artifact belongs to.
    #[prost(string, tag = "1")]
    pub task_id: ::prost::alloc::string::String,
    /// Conversation of that task.
    #[prost(string, tag = "2")]
    pub context_id: ::prost::alloc::string::String,
    /// The artifact or the chunk of it.
    #[prost(message, optional, tag = "3")]
    pub artifact: ::core::option::Option<Artifact>,
    /// true = add these parts to the artifact already sent under the same id; false/absent = new or
    /// replacement.
    #[prost(bool, tag = "4")]
    pub append: bool,
    /// true = no more chunks for this artifact.
    #[prost(bool, tag = "5")]
    pub last_chunk: bool,
    /// Free-form values on the event.
    #[prost(message, optional, tag = "6")]
    pub metadata: ::core::option::Option<crate::Struct>,
}
/// How the agent authenticates to a webhook.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct AuthenticationInfo {
    /// One HTTP auth scheme name (IANA registry), compared without case.
    #[prost(string, tag = "1")]
    pub scheme: ::prost::alloc::string::String,
    /// Credentials in the form the scheme wants (for Bearer: the token).
    #[prost(string, tag = "2")]
    pub credentials: ::prost::alloc::string::String,
}
/// One address under which the agent speaks one protocol binding.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct AgentInterface {
    /// Where the interface lives: an absolute https URL in production; for gRPC also host and port.
    #[prost(string, tag = "1")]
    pub url: ::prost::alloc::string::String,
    /// JSONRPC, GRPC, HTTP+JSON, or a URI for a custom binding.
    #[prost(string, tag = "2")]
    pub protocol_binding: ::prost::alloc::string::String,
    /// Opaque routing value the client must copy into tenant of every request it sends to this
    /// interface.
    #[prost(string, tag = "3")]
    pub tenant: ::prost::alloc::string::String,
    /// A2A version as Major.Minor, for example 1.0.
    #[prost(string, tag = "4")]
    pub protocol_version: ::prost::alloc::string::String,
}
/// The manifest of an agent: who it is, what it can do and how to reach it.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct AgentCard {
    /// Agent name.
    #[prost(string, tag = "1")]
    pub name: ::prost::alloc::string::String,
    /// What the agent is for.
    #[prost(string, tag = "2")]
    pub description: ::prost::alloc::string::String,
    /// Interfaces in order of preference; first one is preferred.
    #[prost(message, repeated, tag = "3")]
    pub supported_interfaces: ::prost::alloc::vec::Vec<AgentInterface>,
    /// Who runs the agent.
    #[prost(message, optional, tag = "4")]
    pub provider: ::core::option::Option<AgentProvider>,
    /// The agent's own version (not the protocol's).
    #[prost(string, tag = "5")]
    pub version: ::prost::alloc::string::String,
    /// More documentation.
    #[prost(string, optional, tag = "6")]
    pub documentation_url: ::core::option::Option<::prost::alloc::string::String>,
    /// Optional features the agent declares.
    #[prost(message, optional, tag = "7")]
    pub capabilities: ::core::option::Option<AgentCapabilities>,
    /// Named security schemes.
    #[prost(btree_map = "string, message", tag = "8")]
    pub security_schemes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        SecurityScheme,
    >,
    /// Alternatives (OR); schemes inside one entry are combined (AND).
    #[prost(message, repeated, tag = "9")]
    pub security_requirements: ::prost::alloc::vec::Vec<SecurityRequirement>,
    /// Media types accepted by every skill unless it overrides them.
    #[prost(string, repeated, tag = "10")]
    pub default_input_modes: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Media types produced by every skill unless it overrides them.
    #[prost(string, repeated, tag = "11")]
    pub default_output_modes: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// What the agent can do.
    #[prost(message, repeated, tag = "12")]
    pub skills: ::prost::alloc::vec::Vec<AgentSkill>,
    /// JWS signatures over the card.
    #[prost(message, repeated, tag = "13")]
    pub signatures: ::prost::alloc::vec::Vec<AgentCardSignature>,
    /// Icon.
    #[prost(string, optional, tag = "14")]
    pub icon_url: ::core::option::Option<::prost::alloc::string::String>,
}
/// Who runs an agent.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct AgentProvider {
    /// Provider site.
    #[prost(string, tag = "1")]
    pub url: ::prost::alloc::string::String,
    /// Provider name.
    #[prost(string, tag = "2")]
    pub organization: ::prost::alloc::string::String,
}
/// Optional features of an agent. A feature that is absent is not supported.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct AgentCapabilities {
    /// Streaming operations are available.
    #[prost(bool, optional, tag = "1")]
    pub streaming: ::core::option::Option<bool>,
    /// Push configuration operations are available.
    #[prost(bool, optional, tag = "2")]
    pub push_notifications: ::core::option::Option<bool>,
    /// Extensions the agent supports.
    #[prost(message, repeated, tag = "3")]
    pub extensions: ::prost::alloc::vec::Vec<AgentExtension>,
    /// An extended card exists for authenticated callers.
    #[prost(bool, optional, tag = "4")]
    pub extended_agent_card: ::core::option::Option<bool>,
}
/// An extension that the agent declares.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct AgentExtension {
    /// Identifier of the extension. Useless when empty, although not marked as required.
    #[prost(string, tag = "1")]
    pub uri: ::prost::alloc::string::String,
    /// How this agent uses it.
    #[prost(string, tag = "2")]
    pub description: ::prost::alloc::string::String,
    /// true = a client that does not declare it is refused.
    #[prost(bool, tag = "3")]
    pub required: bool,
    /// Extension's own settings.
    #[prost(message, optional, tag = "4")]
    pub params: ::core::option::Option<crate::Struct>,
}
/// Something that the agent can do.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct AgentSkill {
    /// Skill identifier.
    #[prost(string, tag = "1")]
    pub id: ::prost::alloc::string::String,
    /// Skill name.
    #[prost(string, tag = "2")]
    pub name: ::prost::alloc::string::String,
    /// What the skill does.
    #[prost(string, tag = "3")]
    pub description: ::prost::alloc::string::String,
    /// Keywords.
    #[prost(string, repeated, tag = "4")]
    pub tags: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Sample prompts.
    #[prost(string, repeated, tag = "5")]
    pub examples: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Overrides the card default.
    #[prost(string, repeated, tag = "6")]
    pub input_modes: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Overrides the card default.
    #[prost(string, repeated, tag = "7")]
    pub output_modes: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Extra security needed for this skill.
    #[prost(message, repeated, tag = "8")]
    pub security_requirements: ::prost::alloc::vec::Vec<SecurityRequirement>,
}
/// A JSON Web Signature over the card, in three members.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct AgentCardSignature {
    /// base64url of the JSON protected header.
    #[prost(string, tag = "1")]
    pub protected: ::prost::alloc::string::String,
    /// base64url of the signature bytes.
    #[prost(string, tag = "2")]
    pub signature: ::prost::alloc::string::String,
    /// Unprotected header as plain JSON.
    #[prost(message, optional, tag = "3")]
    pub header: ::core::option::Option<crate::Struct>,
}
/// A webhook registration; request and response of the operation that creates one.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
#[prost(skip_debug)]
pub struct TaskPushNotificationConfig {
    /// Routing value, see AgentInterface.tenant.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Config identifier; the server makes one when empty.
    #[prost(string, tag = "2")]
    pub id: ::prost::alloc::string::String,
    /// Task it watches; empty when sent inline with a message; taken from the path over HTTP+JSON.
    #[prost(string, tag = "3")]
    pub task_id: ::prost::alloc::string::String,
    /// Webhook address.
    #[prost(string, tag = "4")]
    pub url: ::prost::alloc::string::String,
    /// Shared secret that the webhook can check.
    #[prost(string, tag = "5")]
    pub token: ::prost::alloc::string::String,
    /// How the agent authenticates to the webhook.
    #[prost(message, optional, tag = "6")]
    pub authentication: ::core::option::Option<AuthenticationInfo>,
}
/// A list of strings as a message of its own, so that a map can hold it.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct StringList {
    /// The strings (OAuth scopes).
    #[prost(string, repeated, tag = "1")]
    pub list: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
}
/// One way of meeting the security of an agent: all of these schemes together.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct SecurityRequirement {
    /// Scheme name to needed scopes.
    #[prost(btree_map = "string, message", tag = "1")]
    pub schemes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        StringList,
    >,
}
/// A way of authenticating to the agent. Exactly one member is set.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct SecurityScheme {
    /// The scheme.
    #[prost(oneof = "security_scheme::Scheme", tags = "1, 2, 3, 4, 5")]
    pub scheme: ::core::option::Option<security_scheme::Scheme>,
}
/// Nested message and enum types in `SecurityScheme`.
pub mod security_scheme {
    /// The scheme.
    #[non_exhaustive]
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Scheme {
        /// API key.
        #[prost(message, tag = "1")]
        ApiKeySecurityScheme(super::ApiKeySecurityScheme),
        /// HTTP auth (Basic, Bearer, ...).
        #[prost(message, tag = "2")]
        HttpAuthSecurityScheme(super::HttpAuthSecurityScheme),
        /// OAuth 2.0.
        #[prost(message, tag = "3")]
        Oauth2SecurityScheme(super::OAuth2SecurityScheme),
        /// OpenID Connect.
        #[prost(message, tag = "4")]
        OpenIdConnectSecurityScheme(super::OpenIdConnectSecurityScheme),
        /// Mutual TLS.
        #[prost(message, tag = "5")]
        MtlsSecurityScheme(super::MutualTlsSecurityScheme),
    }
}
/// An API key in a header, a query parameter or a cookie.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ApiKeySecurityScheme {
    /// Human text.
    #[prost(string, tag = "1")]
    pub description: ::prost::alloc::string::String,
    /// query, header or cookie (a string, not an enum).
    #[prost(string, tag = "2")]
    pub location: ::prost::alloc::string::String,
    /// Name of that parameter.
    #[prost(string, tag = "3")]
    pub name: ::prost::alloc::string::String,
}
/// An HTTP authentication scheme.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct HttpAuthSecurityScheme {
    /// Human text.
    #[prost(string, tag = "1")]
    pub description: ::prost::alloc::string::String,
    /// HTTP auth scheme name.
    #[prost(string, tag = "2")]
    pub scheme: ::prost::alloc::string::String,
    /// Hint such as JWT.
    #[prost(string, tag = "3")]
    pub bearer_format: ::prost::alloc::string::String,
}
/// OAuth 2.0.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct OAuth2SecurityScheme {
    /// Human text.
    #[prost(string, tag = "1")]
    pub description: ::prost::alloc::string::String,
    /// The flow.
    #[prost(message, optional, tag = "2")]
    pub flows: ::core::option::Option<OAuthFlows>,
    /// RFC 8414 metadata address (TLS).
    #[prost(string, tag = "3")]
    pub oauth2_metadata_url: ::prost::alloc::string::String,
}
/// OpenID Connect.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct OpenIdConnectSecurityScheme {
    /// Human text.
    #[prost(string, tag = "1")]
    pub description: ::prost::alloc::string::String,
    /// OIDC discovery address.
    #[prost(string, tag = "2")]
    pub open_id_connect_url: ::prost::alloc::string::String,
}
/// Mutual TLS.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct MutualTlsSecurityScheme {
    /// Human text.
    #[prost(string, tag = "1")]
    pub description: ::prost::alloc::string::String,
}
/// The OAuth 2.0 flow of a scheme. Exactly one member is set.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct OAuthFlows {
    /// The flow.
    #[prost(oneof = "o_auth_flows::Flow", tags = "1, 2, 3, 4, 5")]
    pub flow: ::core::option::Option<o_auth_flows::Flow>,
}
/// Nested message and enum types in `OAuthFlows`.
pub mod o_auth_flows {
    /// The flow.
    #[non_exhaustive]
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Flow {
        /// Authorization code flow.
        #[prost(message, tag = "1")]
        AuthorizationCode(super::AuthorizationCodeOAuthFlow),
        /// Client credentials flow.
        #[prost(message, tag = "2")]
        ClientCredentials(super::ClientCredentialsOAuthFlow),
        /// Old flow; kept only for reading.
        #[deprecated]
        #[prost(message, tag = "3")]
        Implicit(super::ImplicitOAuthFlow),
        /// Old flow; kept only for reading.
        #[deprecated]
        #[prost(message, tag = "4")]
        Password(super::PasswordOAuthFlow),
        /// Device code flow (RFC 8628).
        #[prost(message, tag = "5")]
        DeviceCode(super::DeviceCodeOAuthFlow),
    }
}
/// Settings of the authorization code flow.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct AuthorizationCodeOAuthFlow {
    /// Authorization endpoint.
    #[prost(string, tag = "1")]
    pub authorization_url: ::prost::alloc::string::String,
    /// Token endpoint.
    #[prost(string, tag = "2")]
    pub token_url: ::prost::alloc::string::String,
    /// Refresh endpoint.
    #[prost(string, tag = "3")]
    pub refresh_url: ::prost::alloc::string::String,
    /// Scope name to description.
    #[prost(btree_map = "string, string", tag = "4")]
    pub scopes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
    /// PKCE (RFC 7636) is mandatory.
    #[prost(bool, tag = "5")]
    pub pkce_required: bool,
}
/// Settings of the client credentials flow.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ClientCredentialsOAuthFlow {
    /// Token endpoint.
    #[prost(string, tag = "1")]
    pub token_url: ::prost::alloc::string::String,
    /// Refresh endpoint.
    #[prost(string, tag = "2")]
    pub refresh_url: ::prost::alloc::string::String,
    /// Scope name to description.
    #[prost(btree_map = "string, string", tag = "3")]
    pub scopes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
}
/// Settings of the implicit flow, an old one that is kept for reading only.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ImplicitOAuthFlow {
    /// Authorization endpoint.
    #[prost(string, tag = "1")]
    pub authorization_url: ::prost::alloc::string::String,
    /// Refresh endpoint.
    #[prost(string, tag = "2")]
    pub refresh_url: ::prost::alloc::string::String,
    /// Scope name to description; may be empty.
    #[prost(btree_map = "string, string", tag = "3")]
    pub scopes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
}
/// Settings of the password flow, an old one that is kept for reading only.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct PasswordOAuthFlow {
    /// Token endpoint.
    #[prost(string, tag = "1")]
    pub token_url: ::prost::alloc::string::String,
    /// Refresh endpoint.
    #[prost(string, tag = "2")]
    pub refresh_url: ::prost::alloc::string::String,
    /// Scope name to description; may be empty.
    #[prost(btree_map = "string, string", tag = "3")]
    pub scopes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
}
/// Settings of the device code flow (RFC 8628).
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct DeviceCodeOAuthFlow {
    /// Device authorization endpoint.
    #[prost(string, tag = "1")]
    pub device_authorization_url: ::prost::alloc::string::String,
    /// Token endpoint.
    #[prost(string, tag = "2")]
    pub token_url: ::prost::alloc::string::String,
    /// Refresh endpoint.
    #[prost(string, tag = "3")]
    pub refresh_url: ::prost::alloc::string::String,
    /// Scope name to description.
    #[prost(btree_map = "string, string", tag = "4")]
    pub scopes: ::prost::alloc::collections::BTreeMap<
        ::prost::alloc::string::String,
        ::prost::alloc::string::String,
    >,
}
/// Request of the two operations that send a message.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct SendMessageRequest {
    /// Routing value, see AgentInterface.tenant.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// The message.
    #[prost(message, optional, tag = "2")]
    pub message: ::core::option::Option<Message>,
    /// Send options.
    #[prost(message, optional, tag = "3")]
    pub configuration: ::core::option::Option<SendMessageConfiguration>,
    /// Free-form values for the request.
    #[prost(message, optional, tag = "4")]
    pub metadata: ::core::option::Option<crate::Struct>,
}
/// Request for one task.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct GetTaskRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Task id.
    #[prost(string, tag = "2")]
    pub id: ::prost::alloc::string::String,
    /// Same meaning as in SendMessageConfiguration.
    #[prost(int32, optional, tag = "3")]
    pub history_length: ::core::option::Option<i32>,
}
/// Request for a page of tasks. Filters that are absent let everything through.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ListTasksRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Keep only this conversation.
    #[prost(string, tag = "2")]
    pub context_id: ::prost::alloc::string::String,
    /// Keep only this state; UNSPECIFIED/absent = no filter.
    #[prost(enumeration = "TaskState", tag = "3")]
    pub status: i32,
    /// 1 to 100; unset = at most 50.
    #[prost(int32, optional, tag = "4")]
    pub page_size: ::core::option::Option<i32>,
    /// Token from the previous page.
    #[prost(string, tag = "5")]
    pub page_token: ::prost::alloc::string::String,
    /// Bound on history inside each task.
    #[prost(int32, optional, tag = "6")]
    pub history_length: ::core::option::Option<i32>,
    /// Keep tasks whose status timestamp is at or after this instant (inclusive, despite the name).
    #[prost(message, optional, tag = "7")]
    pub status_timestamp_after: ::core::option::Option<crate::Timestamp>,
    /// Default false: leave artifacts out of every task.
    #[prost(bool, optional, tag = "8")]
    pub include_artifacts: ::core::option::Option<bool>,
}
/// A page of tasks. Every member is always written.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ListTasksResponse {
    /// Tasks of this page (may be empty).
    #[prost(message, repeated, tag = "1")]
    pub tasks: ::prost::alloc::vec::Vec<Task>,
    /// Empty string on the last page; always printed in JSON.
    #[prost(string, tag = "2")]
    pub next_page_token: ::prost::alloc::string::String,
    /// Page size that was applied (not the number of tasks returned).
    #[prost(int32, tag = "3")]
    pub page_size: i32,
    /// Number of matching tasks before paging.
    #[prost(int32, tag = "4")]
    pub total_size: i32,
}
/// Request to cancel a task.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct CancelTaskRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Task id.
    #[prost(string, tag = "2")]
    pub id: ::prost::alloc::string::String,
    /// Free-form values for the request.
    #[prost(message, optional, tag = "3")]
    pub metadata: ::core::option::Option<crate::Struct>,
}
/// Request for one webhook registration.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct GetTaskPushNotificationConfigRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Task id.
    #[prost(string, tag = "2")]
    pub task_id: ::prost::alloc::string::String,
    /// Config id.
    #[prost(string, tag = "3")]
    pub id: ::prost::alloc::string::String,
}
/// Request to remove a webhook registration.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct DeleteTaskPushNotificationConfigRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Task id.
    #[prost(string, tag = "2")]
    pub task_id: ::prost::alloc::string::String,
    /// Config id.
    #[prost(string, tag = "3")]
    pub id: ::prost::alloc::string::String,
}
/// Request to follow a task.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct SubscribeToTaskRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
    /// Task id.
    #[prost(string, tag = "2")]
    pub id: ::prost::alloc::string::String,
}
/// Request for a page of webhook registrations.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ListTaskPushNotificationConfigsRequest {
    /// Routing value, see AgentInterface.tenant. The number 4 in first place is no mistake.
    #[prost(string, tag = "4")]
    pub tenant: ::prost::alloc::string::String,
    /// Task id.
    #[prost(string, tag = "1")]
    pub task_id: ::prost::alloc::string::String,
    /// Largest number of configs to return.
    #[prost(int32, tag = "2")]
    pub page_size: i32,
    /// Token from the previous page.
    #[prost(string, tag = "3")]
    pub page_token: ::prost::alloc::string::String,
}
/// Request for the extended card.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct GetExtendedAgentCardRequest {
    /// Routing value.
    #[prost(string, tag = "1")]
    pub tenant: ::prost::alloc::string::String,
}
/// Answer to a message. Exactly one member is set.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct SendMessageResponse {
    /// What the agent answered.
    #[prost(oneof = "send_message_response::Payload", tags = "1, 2")]
    pub payload: ::core::option::Option<send_message_response::Payload>,
}
/// Nested message and enum types in `SendMessageResponse`.
pub mod send_message_response {
    /// What the agent answered.
    #[non_exhaustive]
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Payload {
        /// Task created or continued.
        #[prost(message, tag = "1")]
        Task(super::Task),
        /// Direct reply without a task.
        #[prost(message, tag = "2")]
        Message(super::Message),
    }
}
/// One event of a stream, and the body of a webhook call. Exactly one member is set.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct StreamResponse {
    /// What happened.
    #[prost(oneof = "stream_response::Payload", tags = "1, 2, 3, 4")]
    pub payload: ::core::option::Option<stream_response::Payload>,
}
/// Nested message and enum types in `StreamResponse`.
pub mod stream_response {
    /// What happened.
    #[non_exhaustive]
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Payload {
        /// Snapshot of the task.
        #[prost(message, tag = "1")]
        Task(super::Task),
        /// Direct reply.
        #[prost(message, tag = "2")]
        Message(super::Message),
        /// Status change.
        #[prost(message, tag = "3")]
        StatusUpdate(super::TaskStatusUpdateEvent),
        /// Artifact or chunk.
        #[prost(message, tag = "4")]
        ArtifactUpdate(super::TaskArtifactUpdateEvent),
    }
}
/// A page of webhook registrations.
#[non_exhaustive]
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ListTaskPushNotificationConfigsResponse {
    /// The configs.
    #[prost(message, repeated, tag = "1")]
    pub configs: ::prost::alloc::vec::Vec<TaskPushNotificationConfig>,
    /// Empty when there is no further page.
    #[prost(string, tag = "2")]
    pub next_page_token: ::prost::alloc::string::String,
}
/// Where a task stands in its life.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum TaskState {
    /// Not known. Invalid on input, never sent.
    Unspecified = 0,
    /// Accepted, not started. (Active state.)
    Submitted = 1,
    /// Being processed. (Active state.)
    Working = 2,
    /// Finished well. (Terminal state.)
    Completed = 3,
    /// Finished with an error. (Terminal state.)
    Failed = 4,
    /// Canceled before the end. (Terminal state.)
    Canceled = 5,
    /// Needs more input from the caller. (Interrupted state.)
    InputRequired = 6,
    /// Agent declined, at creation or later. (Terminal state.)
    Rejected = 7,
    /// Needs authorization. (Interrupted state.)
    AuthRequired = 8,
}
impl TaskState {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "TASK_STATE_UNSPECIFIED",
            Self::Submitted => "TASK_STATE_SUBMITTED",
            Self::Working => "TASK_STATE_WORKING",
            Self::Completed => "TASK_STATE_COMPLETED",
            Self::Failed => "TASK_STATE_FAILED",
            Self::Canceled => "TASK_STATE_CANCELED",
            Self::InputRequired => "TASK_STATE_INPUT_REQUIRED",
            Self::Rejected => "TASK_STATE_REJECTED",
            Self::AuthRequired => "TASK_STATE_AUTH_REQUIRED",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "TASK_STATE_UNSPECIFIED" => Some(Self::Unspecified),
            "TASK_STATE_SUBMITTED" => Some(Self::Submitted),
            "TASK_STATE_WORKING" => Some(Self::Working),
            "TASK_STATE_COMPLETED" => Some(Self::Completed),
            "TASK_STATE_FAILED" => Some(Self::Failed),
            "TASK_STATE_CANCELED" => Some(Self::Canceled),
            "TASK_STATE_INPUT_REQUIRED" => Some(Self::InputRequired),
            "TASK_STATE_REJECTED" => Some(Self::Rejected),
            "TASK_STATE_AUTH_REQUIRED" => Some(Self::AuthRequired),
            _ => None,
        }
    }
}
/// Who speaks in a message.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum Role {
    /// Unknown; invalid on input, never sent.
    Unspecified = 0,
    /// From client to agent.
    User = 1,
    /// From agent to client.
    Agent = 2,
}
impl Role {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unspecified => "ROLE_UNSPECIFIED",
            Self::User => "ROLE_USER",
            Self::Agent => "ROLE_AGENT",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "ROLE_UNSPECIFIED" => Some(Self::Unspecified),
            "ROLE_USER" => Some(Self::User),
            "ROLE_AGENT" => Some(Self::Agent),
            _ => None,
        }
    }
}
