// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.

use crate::{FieldViolation, operation::{Check, Path}};
impl Check for crate::SendMessageConfiguration {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if let Some(value) = &self.task_push_notification_config {
            value.check(&path.field("taskPushNotificationConfig"), violations);
        }
    }
}
impl Check for crate::Task {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
        if let Some(value) = &self.status {
            value.check(&path.field("status"), violations);
        } else {
            path.field("status").report("is required", violations);
        }
        for (index, value) in self.artifacts.iter().enumerate() {
            value.check(&path.field("artifacts").index(index), violations);
        }
        for (index, value) in self.history.iter().enumerate() {
            value.check(&path.field("history").index(index), violations);
        }
    }
}
impl Check for crate::TaskStatus {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.state == 0 {
            path.field("state")
                .report(
                    "is required; must be one of TASK_STATE_SUBMITTED, TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED, TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED, TASK_STATE_AUTH_REQUIRED",
                    violations,
                );
        }
        if let Some(value) = &self.message {
            value.check(&path.field("message"), violations);
        }
        if let Some(value) = &self.timestamp {
            value.check(&path.field("timestamp"), violations);
        }
    }
}
impl Check for crate::Part {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        match &self.content {
            None => {
                path.report("must have exactly one of text, raw, url, data", violations)
            }
            Some(_) => {}
        }
    }
}
impl Check for crate::Message {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.message_id.is_empty() {
            path.field("messageId").report("is required", violations);
        }
        if self.role == 0 {
            path.field("role")
                .report("is required; must be one of ROLE_USER, ROLE_AGENT", violations);
        }
        if self.parts.is_empty() {
            path.field("parts").report("must have at least one element", violations);
        }
        for (index, value) in self.parts.iter().enumerate() {
            value.check(&path.field("parts").index(index), violations);
        }
    }
}
impl Check for crate::Artifact {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.artifact_id.is_empty() {
            path.field("artifactId").report("is required", violations);
        }
        if self.parts.is_empty() {
            path.field("parts").report("must have at least one element", violations);
        }
        for (index, value) in self.parts.iter().enumerate() {
            value.check(&path.field("parts").index(index), violations);
        }
    }
}
impl Check for crate::TaskStatusUpdateEvent {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.task_id.is_empty() {
            path.field("taskId").report("is required", violations);
        }
        if self.context_id.is_empty() {
            path.field("contextId").report("is required", violations);
        }
        if let Some(value) = &self.status {
            value.check(&path.field("status"), violations);
        } else {
            path.field("status").report("is required", violations);
        }
    }
}
impl Check for crate::TaskArtifactUpdateEvent {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.task_id.is_empty() {
            path.field("taskId").report("is required", violations);
        }
        if self.context_id.is_empty() {
            path.field("contextId").report("is required", violations);
        }
        if let Some(value) = &self.artifact {
            value.check(&path.field("artifact"), violations);
        } else {
            path.field("artifact").report("is required", violations);
        }
    }
}
impl Check for crate::AuthenticationInfo {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.scheme.is_empty() {
            path.field("scheme").report("is required", violations);
        }
    }
}
impl Check for crate::AgentInterface {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.url.is_empty() {
            path.field("url").report("is required", violations);
        }
        if self.protocol_binding.is_empty() {
            path.field("protocolBinding").report("is required", violations);
        }
        if self.protocol_version.is_empty() {
            path.field("protocolVersion").report("is required", violations);
        }
    }
}
impl Check for crate::AgentCard {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.name.is_empty() {
            path.field("name").report("is required", violations);
        }
        if self.supported_interfaces.is_empty() {
            path.field("supportedInterfaces")
                .report("must have at least one element", violations);
        }
        for (index, value) in self.supported_interfaces.iter().enumerate() {
            value.check(&path.field("supportedInterfaces").index(index), violations);
        }
        if let Some(value) = &self.provider {
            value.check(&path.field("provider"), violations);
        }
        if self.version.is_empty() {
            path.field("version").report("is required", violations);
        }
        if self.capabilities.is_none() {
            path.field("capabilities").report("is required", violations);
        }
        for (key, value) in &self.security_schemes {
            value.check(&path.field("securitySchemes").key(key), violations);
        }
        for (index, value) in self.skills.iter().enumerate() {
            value.check(&path.field("skills").index(index), violations);
        }
        for (index, value) in self.signatures.iter().enumerate() {
            value.check(&path.field("signatures").index(index), violations);
        }
    }
}
impl Check for crate::AgentProvider {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.url.is_empty() {
            path.field("url").report("is required", violations);
        }
        if self.organization.is_empty() {
            path.field("organization").report("is required", violations);
        }
    }
}
impl Check for crate::AgentCapabilities {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::AgentExtension {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::AgentSkill {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
        if self.name.is_empty() {
            path.field("name").report("is required", violations);
        }
    }
}
impl Check for crate::AgentCardSignature {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.protected.is_empty() {
            path.field("protected").report("is required", violations);
        }
        if self.signature.is_empty() {
            path.field("signature").report("is required", violations);
        }
    }
}
impl Check for crate::TaskPushNotificationConfig {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.url.is_empty() {
            path.field("url").report("is required", violations);
        }
        if let Some(value) = &self.authentication {
            value.check(&path.field("authentication"), violations);
        }
    }
}
impl Check for crate::StringList {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::SecurityRequirement {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::SecurityScheme {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        match &self.scheme {
            Some(crate::security_scheme::Scheme::ApiKeySecurityScheme(value)) => {
                value.check(&path.field("apiKeySecurityScheme"), violations)
            }
            Some(crate::security_scheme::Scheme::HttpAuthSecurityScheme(value)) => {
                value.check(&path.field("httpAuthSecurityScheme"), violations)
            }
            Some(crate::security_scheme::Scheme::Oauth2SecurityScheme(value)) => {
                value.check(&path.field("oauth2SecurityScheme"), violations)
            }
            Some(crate::security_scheme::Scheme::OpenIdConnectSecurityScheme(value)) => {
                value.check(&path.field("openIdConnectSecurityScheme"), violations)
            }
            _ => {}
        }
    }
}
impl Check for crate::ApiKeySecurityScheme {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.location.is_empty() {
            path.field("location").report("is required", violations);
        }
        if self.name.is_empty() {
            path.field("name").report("is required", violations);
        }
    }
}
impl Check for crate::HttpAuthSecurityScheme {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.scheme.is_empty() {
            path.field("scheme").report("is required", violations);
        }
    }
}
impl Check for crate::OAuth2SecurityScheme {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if let Some(value) = &self.flows {
            value.check(&path.field("flows"), violations);
        } else {
            path.field("flows").report("is required", violations);
        }
    }
}
impl Check for crate::OpenIdConnectSecurityScheme {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.open_id_connect_url.is_empty() {
            path.field("openIdConnectUrl").report("is required", violations);
        }
    }
}
impl Check for crate::MutualTlsSecurityScheme {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::OAuthFlows {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        match &self.flow {
            Some(crate::o_auth_flows::Flow::AuthorizationCode(value)) => {
                value.check(&path.field("authorizationCode"), violations)
            }
            Some(crate::o_auth_flows::Flow::ClientCredentials(value)) => {
                value.check(&path.field("clientCredentials"), violations)
            }
            Some(crate::o_auth_flows::Flow::DeviceCode(value)) => {
                value.check(&path.field("deviceCode"), violations)
            }
            _ => {}
        }
    }
}
impl Check for crate::AuthorizationCodeOAuthFlow {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.authorization_url.is_empty() {
            path.field("authorizationUrl").report("is required", violations);
        }
        if self.token_url.is_empty() {
            path.field("tokenUrl").report("is required", violations);
        }
    }
}
impl Check for crate::ClientCredentialsOAuthFlow {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.token_url.is_empty() {
            path.field("tokenUrl").report("is required", violations);
        }
    }
}
impl Check for crate::ImplicitOAuthFlow {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::PasswordOAuthFlow {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::DeviceCodeOAuthFlow {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.device_authorization_url.is_empty() {
            path.field("deviceAuthorizationUrl").report("is required", violations);
        }
        if self.token_url.is_empty() {
            path.field("tokenUrl").report("is required", violations);
        }
    }
}
impl Check for crate::SendMessageRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if let Some(value) = &self.message {
            value.check(&path.field("message"), violations);
        } else {
            path.field("message").report("is required", violations);
        }
        if let Some(value) = &self.configuration {
            value.check(&path.field("configuration"), violations);
        }
    }
}
impl Check for crate::GetTaskRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
    }
}
impl Check for crate::ListTasksRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if let Some(value) = &self.status_timestamp_after {
            value.check(&path.field("statusTimestampAfter"), violations);
        }
    }
}
impl Check for crate::ListTasksResponse {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        for (index, value) in self.tasks.iter().enumerate() {
            value.check(&path.field("tasks").index(index), violations);
        }
    }
}
impl Check for crate::CancelTaskRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
    }
}
impl Check for crate::GetTaskPushNotificationConfigRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.task_id.is_empty() {
            path.field("taskId").report("is required", violations);
        }
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
    }
}
impl Check for crate::DeleteTaskPushNotificationConfigRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.task_id.is_empty() {
            path.field("taskId").report("is required", violations);
        }
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
    }
}
impl Check for crate::SubscribeToTaskRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.id.is_empty() {
            path.field("id").report("is required", violations);
        }
    }
}
impl Check for crate::ListTaskPushNotificationConfigsRequest {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        if self.task_id.is_empty() {
            path.field("taskId").report("is required", violations);
        }
    }
}
impl Check for crate::GetExtendedAgentCardRequest {
    fn check(&self, _path: &Path<'_>, _violations: &mut Vec<FieldViolation>) {}
}
impl Check for crate::SendMessageResponse {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        match &self.payload {
            Some(crate::send_message_response::Payload::Task(value)) => {
                value.check(&path.field("task"), violations)
            }
            Some(crate::send_message_response::Payload::Message(value)) => {
                value.check(&path.field("message"), violations)
            }
            None => path.report("must have exactly one of task, message", violations),
        }
    }
}
impl Check for crate::StreamResponse {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        match &self.payload {
            Some(crate::stream_response::Payload::Task(value)) => {
                value.check(&path.field("task"), violations)
            }
            Some(crate::stream_response::Payload::Message(value)) => {
                value.check(&path.field("message"), violations)
            }
            Some(crate::stream_response::Payload::StatusUpdate(value)) => {
                value.check(&path.field("statusUpdate"), violations)
            }
            Some(crate::stream_response::Payload::ArtifactUpdate(value)) => {
                value.check(&path.field("artifactUpdate"), violations)
            }
            None => {
                path.report(
                    "must have exactly one of task, message, statusUpdate, artifactUpdate",
                    violations,
                )
            }
        }
    }
}
impl Check for crate::ListTaskPushNotificationConfigsResponse {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        for (index, value) in self.configs.iter().enumerate() {
            value.check(&path.field("configs").index(index), violations);
        }
    }
}
