//! Reads messages in one form and answers in both: the Rust side of `interop/protojson`.
//!
//! Input, one JSON object a line: `{"type": "Task", "json": "<text>"}` or
//! `{"type": "Task", "binary": "<base64>"}`. Output, one a line: `{"json": "<text>", "binary":
//! "<base64>"}` or `{"error": "<why>"}`.
#![allow(clippy::print_stdout, reason = "a filter between two pipes")]

use std::{
    collections::BTreeMap,
    io::{self, BufRead as _},
};

use a2a_types::{json, operation::Wire};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;

type Input = BTreeMap<String, String>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let input: Input = serde_json::from_str(&line?)?;
        let answer = match answer(&input) {
            Ok((json, binary)) => json!({ "json": json, "binary": BASE64_STANDARD.encode(binary) }),
            Err(error) => json!({ "error": error }),
        };
        println!("{answer}");
    }
    Ok(())
}

type Answer = Result<(String, Vec<u8>), String>;

/// Picks the message with this name. The other side asks for every message of the proto.
macro_rules! dispatch {
    ($input:expr, $($message:ident)*) => {
        match $input.get("type").map_or("", String::as_str) {
            $(name if name == a2a_types::$message::NAME => convert::<a2a_types::$message>($input),)*
            other => Err(format!("no message is called {other}")),
        }
    };
}

fn answer(input: &Input) -> Answer {
    dispatch!(
        input,
        SendMessageConfiguration Task TaskStatus Part Message Artifact TaskStatusUpdateEvent
        TaskArtifactUpdateEvent AuthenticationInfo AgentInterface AgentCard AgentProvider
        AgentCapabilities AgentExtension AgentSkill AgentCardSignature TaskPushNotificationConfig
        StringList SecurityRequirement SecurityScheme ApiKeySecurityScheme HttpAuthSecurityScheme
        OAuth2SecurityScheme OpenIdConnectSecurityScheme MutualTlsSecurityScheme OAuthFlows
        AuthorizationCodeOAuthFlow ClientCredentialsOAuthFlow ImplicitOAuthFlow PasswordOAuthFlow
        DeviceCodeOAuthFlow SendMessageRequest GetTaskRequest ListTasksRequest ListTasksResponse
        CancelTaskRequest GetTaskPushNotificationConfigRequest
        DeleteTaskPushNotificationConfigRequest SubscribeToTaskRequest
        ListTaskPushNotificationConfigsRequest GetExtendedAgentCardRequest SendMessageResponse
        StreamResponse ListTaskPushNotificationConfigsResponse
    )
}

fn convert<T: Wire>(input: &Input) -> Answer {
    let message: T = match (input.get("json"), input.get("binary")) {
        (Some(text), None) => json::from_slice(text.as_bytes()).map_err(|e| e.to_string())?,
        (None, Some(text)) => {
            let bytes = BASE64_STANDARD
                .decode(text)
                .map_err(|error| error.to_string())?;
            T::decode(bytes.as_slice()).map_err(|error| error.to_string())?
        }
        _ => return Err("one of json and binary".to_owned()),
    };
    let text = json::to_vec(&message).map_err(|error| error.to_string())?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    Ok((text, message.encode_to_vec()))
}
