use a2a_types::projection::HistoryLength;
use a2a_types::{
    CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, FieldViolation,
    GetExtendedAgentCardRequest, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTasksRequest, Role, SendMessageRequest,
    SubscribeToTaskRequest, TaskPushNotificationConfig,
};

use crate::limits::Limits;

/// The largest page of a list (A2A §3.1.4).
pub(crate) const MAX_PAGE: i32 = 100;

/// What the proto cannot say about a request: ranges and sizes.
pub(crate) trait Rules: Sized {
    /// The task that the request names.
    fn task_id(&self) -> Option<&str>;

    /// Whether a webhook comes along with something else.
    fn has_webhook(&self) -> bool {
        false
    }

    /// Adds what is out of range.
    fn rules(&self, limits: &Limits, violations: &mut Vec<FieldViolation>) {
        let _ = (limits, violations);
    }
}

impl Rules for SendMessageRequest {
    fn task_id(&self) -> Option<&str> {
        self.message
            .as_ref()
            .map(|message| message.task_id.as_str())
            .filter(|id| !id.is_empty())
    }

    fn has_webhook(&self) -> bool {
        let configuration = self.configuration.as_ref();
        configuration.is_some_and(|c| c.task_push_notification_config.is_some())
    }

    fn rules(&self, limits: &Limits, violations: &mut Vec<FieldViolation>) {
        if let Some(message) = &self.message {
            if message.parts.len() > limits.parts {
                let description = format!("must have at most {} elements", limits.parts);
                violations.push(FieldViolation::new("message.parts", description));
            }
            // A missing role has been told already.
            if message.role != 0 && message.role() != Role::User {
                let description = "must be ROLE_USER in a request";
                violations.push(FieldViolation::new("message.role", description));
            }
        }
        if let Some(configuration) = &self.configuration {
            let field = "configuration.historyLength";
            violations.extend(HistoryLength::new(configuration.history_length, field).err());
        }
    }
}

impl Rules for GetTaskRequest {
    fn task_id(&self) -> Option<&str> {
        Some(&self.id)
    }

    fn rules(&self, _: &Limits, violations: &mut Vec<FieldViolation>) {
        violations.extend(HistoryLength::new(self.history_length, "historyLength").err());
    }
}

impl Rules for ListTasksRequest {
    fn task_id(&self) -> Option<&str> {
        None
    }

    fn rules(&self, _: &Limits, violations: &mut Vec<FieldViolation>) {
        violations.extend(self.page_size.and_then(page_size));
        violations.extend(HistoryLength::new(self.history_length, "historyLength").err());
        if let Err(unknown) = a2a_types::TaskState::try_from(self.status) {
            let description = format!("{} is no task state", unknown.0);
            violations.push(FieldViolation::new("status", description));
        }
    }
}

impl Rules for ListTaskPushNotificationConfigsRequest {
    fn task_id(&self) -> Option<&str> {
        Some(&self.task_id)
    }

    fn rules(&self, _: &Limits, violations: &mut Vec<FieldViolation>) {
        // The field has no presence: 0 is the same as absent.
        if self.page_size != 0 {
            violations.extend(page_size(self.page_size));
        }
    }
}

impl Rules for CancelTaskRequest {
    fn task_id(&self) -> Option<&str> {
        Some(&self.id)
    }
}

impl Rules for SubscribeToTaskRequest {
    fn task_id(&self) -> Option<&str> {
        Some(&self.id)
    }
}

impl Rules for TaskPushNotificationConfig {
    fn task_id(&self) -> Option<&str> {
        Some(&self.task_id)
    }
}

impl Rules for GetTaskPushNotificationConfigRequest {
    fn task_id(&self) -> Option<&str> {
        Some(&self.task_id)
    }
}

impl Rules for DeleteTaskPushNotificationConfigRequest {
    fn task_id(&self) -> Option<&str> {
        Some(&self.task_id)
    }
}

impl Rules for GetExtendedAgentCardRequest {
    fn task_id(&self) -> Option<&str> {
        None
    }
}

fn page_size(value: i32) -> Option<FieldViolation> {
    let description = format!("must be between 1 and {MAX_PAGE}, got {value}");
    (!(1..=MAX_PAGE).contains(&value)).then(|| FieldViolation::new("pageSize", description))
}
