//! `Debug` of the messages that hold secrets.

use std::fmt;

use crate::{AuthenticationInfo, TaskPushNotificationConfig};

impl fmt::Debug for AuthenticationInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Named one by one, so that a new field does not compile before it is decided about.
        let Self {
            scheme,
            credentials,
        } = self;
        f.debug_struct("AuthenticationInfo")
            .field("scheme", scheme)
            .field("credentials", &redacted(credentials))
            .finish()
    }
}

impl fmt::Debug for TaskPushNotificationConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tenant,
            id,
            task_id,
            url,
            token,
            authentication,
        } = self;
        f.debug_struct("TaskPushNotificationConfig")
            .field("tenant", tenant)
            .field("id", id)
            .field("task_id", task_id)
            .field("url", url)
            .field("token", &redacted(token))
            .field("authentication", authentication)
            .finish()
    }
}

/// Says whether there is a secret, not which.
fn redacted(secret: &str) -> &'static str {
    if secret.is_empty() { "" } else { "[redacted]" }
}
