// Generated from proto/a2a.proto by `cargo run -p a2a-codegen`. Do not edit.

use crate::operation::{
    Body, HttpMethod, HttpRule, Kind, Operation, Request, Segment, Spec, Visitor,
};
/// Full name of the gRPC service: a method's path is `/<service>/<operation>`.
pub const SERVICE: &str = "lf.a2a.v1.A2AService";
/// Names an operation of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum OperationId {
    /// Sends a message to the agent and answers with the task that it started or continued, or with a direct reply.
    SendMessage,
    /// Sends a message and streams what happens to its task until the agent needs the caller or is done.
    SendStreamingMessage,
    /// Reads a task.
    GetTask,
    /// Lists the tasks that the caller may see, newest status first, page by page.
    ListTasks,
    /// Asks the agent to stop working on a task.
    CancelTask,
    /// Streams the updates of a task that is not finished, starting with its present state.
    SubscribeToTask,
    /// Registers a webhook that is told about every update of a task.
    CreateTaskPushNotificationConfig,
    /// Reads one webhook registration of a task.
    GetTaskPushNotificationConfig,
    /// Lists the webhook registrations of a task.
    ListTaskPushNotificationConfigs,
    /// Reads the card that the agent shows to authenticated callers.
    GetExtendedAgentCard,
    /// Removes a webhook registration. Removing one that does not exist succeeds.
    DeleteTaskPushNotificationConfig,
}
impl OperationId {
    /// Every operation, in the order of the proto.
    pub const ALL: [Self; 11] = [
        Self::SendMessage,
        Self::SendStreamingMessage,
        Self::GetTask,
        Self::ListTasks,
        Self::CancelTask,
        Self::SubscribeToTask,
        Self::CreateTaskPushNotificationConfig,
        Self::GetTaskPushNotificationConfig,
        Self::ListTaskPushNotificationConfigs,
        Self::GetExtendedAgentCard,
        Self::DeleteTaskPushNotificationConfig,
    ];
    /// What is fixed about the operation.
    #[must_use]
    pub fn spec(self) -> &'static Spec {
        match self {
            Self::SendMessage => &SEND_MESSAGE,
            Self::SendStreamingMessage => &SEND_STREAMING_MESSAGE,
            Self::GetTask => &GET_TASK,
            Self::ListTasks => &LIST_TASKS,
            Self::CancelTask => &CANCEL_TASK,
            Self::SubscribeToTask => &SUBSCRIBE_TO_TASK,
            Self::CreateTaskPushNotificationConfig => {
                &CREATE_TASK_PUSH_NOTIFICATION_CONFIG
            }
            Self::GetTaskPushNotificationConfig => &GET_TASK_PUSH_NOTIFICATION_CONFIG,
            Self::ListTaskPushNotificationConfigs => &LIST_TASK_PUSH_NOTIFICATION_CONFIGS,
            Self::GetExtendedAgentCard => &GET_EXTENDED_AGENT_CARD,
            Self::DeleteTaskPushNotificationConfig => {
                &DELETE_TASK_PUSH_NOTIFICATION_CONFIG
            }
        }
    }
    /// The operation with this name, which is case-sensitive.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(
            match name {
                "SendMessage" => Self::SendMessage,
                "SendStreamingMessage" => Self::SendStreamingMessage,
                "GetTask" => Self::GetTask,
                "ListTasks" => Self::ListTasks,
                "CancelTask" => Self::CancelTask,
                "SubscribeToTask" => Self::SubscribeToTask,
                "CreateTaskPushNotificationConfig" => {
                    Self::CreateTaskPushNotificationConfig
                }
                "GetTaskPushNotificationConfig" => Self::GetTaskPushNotificationConfig,
                "ListTaskPushNotificationConfigs" => {
                    Self::ListTaskPushNotificationConfigs
                }
                "GetExtendedAgentCard" => Self::GetExtendedAgentCard,
                "DeleteTaskPushNotificationConfig" => {
                    Self::DeleteTaskPushNotificationConfig
                }
                _ => return None,
            },
        )
    }
    /// Calls the visitor with the type of the operation.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::SendMessage => visitor.visit::<SendMessage>(),
            Self::SendStreamingMessage => visitor.visit::<SendStreamingMessage>(),
            Self::GetTask => visitor.visit::<GetTask>(),
            Self::ListTasks => visitor.visit::<ListTasks>(),
            Self::CancelTask => visitor.visit::<CancelTask>(),
            Self::SubscribeToTask => visitor.visit::<SubscribeToTask>(),
            Self::CreateTaskPushNotificationConfig => {
                visitor.visit::<CreateTaskPushNotificationConfig>()
            }
            Self::GetTaskPushNotificationConfig => {
                visitor.visit::<GetTaskPushNotificationConfig>()
            }
            Self::ListTaskPushNotificationConfigs => {
                visitor.visit::<ListTaskPushNotificationConfigs>()
            }
            Self::GetExtendedAgentCard => visitor.visit::<GetExtendedAgentCard>(),
            Self::DeleteTaskPushNotificationConfig => {
                visitor.visit::<DeleteTaskPushNotificationConfig>()
            }
        }
    }
}
/// Sends a message to the agent and answers with the task that it started or continued, or with a direct reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SendMessage;
impl Operation for SendMessage {
    type Request = crate::SendMessageRequest;
    type Response = crate::SendMessageResponse;
    const ID: OperationId = OperationId::SendMessage;
}
static SEND_MESSAGE: Spec = Spec {
    id: OperationId::SendMessage,
    name: "SendMessage",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Post,
            segments: &[Segment::Literal("message")],
            verb: Some("send"),
            body: Body::Whole,
        },
        HttpRule {
            method: HttpMethod::Post,
            segments: &[Segment::Field("tenant"), Segment::Literal("message")],
            verb: Some("send"),
            body: Body::Whole,
        },
    ],
};
/// Sends a message and streams what happens to its task until the agent needs the caller or is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SendStreamingMessage;
impl Operation for SendStreamingMessage {
    type Request = crate::SendMessageRequest;
    type Response = crate::StreamResponse;
    const ID: OperationId = OperationId::SendStreamingMessage;
}
static SEND_STREAMING_MESSAGE: Spec = Spec {
    id: OperationId::SendStreamingMessage,
    name: "SendStreamingMessage",
    kind: Kind::ServerStreaming,
    http: &[
        HttpRule {
            method: HttpMethod::Post,
            segments: &[Segment::Literal("message")],
            verb: Some("stream"),
            body: Body::Whole,
        },
        HttpRule {
            method: HttpMethod::Post,
            segments: &[Segment::Field("tenant"), Segment::Literal("message")],
            verb: Some("stream"),
            body: Body::Whole,
        },
    ],
};
/// Reads a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct GetTask;
impl Operation for GetTask {
    type Request = crate::GetTaskRequest;
    type Response = crate::Task;
    const ID: OperationId = OperationId::GetTask;
}
static GET_TASK: Spec = Spec {
    id: OperationId::GetTask,
    name: "GetTask",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Get,
            segments: &[Segment::Literal("tasks"), Segment::Field("id")],
            verb: None,
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Get,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("id"),
            ],
            verb: None,
            body: Body::None,
        },
    ],
};
/// Lists the tasks that the caller may see, newest status first, page by page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ListTasks;
impl Operation for ListTasks {
    type Request = crate::ListTasksRequest;
    type Response = crate::ListTasksResponse;
    const ID: OperationId = OperationId::ListTasks;
}
static LIST_TASKS: Spec = Spec {
    id: OperationId::ListTasks,
    name: "ListTasks",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Get,
            segments: &[Segment::Literal("tasks")],
            verb: None,
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Get,
            segments: &[Segment::Field("tenant"), Segment::Literal("tasks")],
            verb: None,
            body: Body::None,
        },
    ],
};
/// Asks the agent to stop working on a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CancelTask;
impl Operation for CancelTask {
    type Request = crate::CancelTaskRequest;
    type Response = crate::Task;
    const ID: OperationId = OperationId::CancelTask;
}
static CANCEL_TASK: Spec = Spec {
    id: OperationId::CancelTask,
    name: "CancelTask",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Post,
            segments: &[Segment::Literal("tasks"), Segment::Field("id")],
            verb: Some("cancel"),
            body: Body::Whole,
        },
        HttpRule {
            method: HttpMethod::Post,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("id"),
            ],
            verb: Some("cancel"),
            body: Body::Whole,
        },
    ],
};
/// Streams the updates of a task that is not finished, starting with its present state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SubscribeToTask;
impl Operation for SubscribeToTask {
    type Request = crate::SubscribeToTaskRequest;
    type Response = crate::StreamResponse;
    const ID: OperationId = OperationId::SubscribeToTask;
}
static SUBSCRIBE_TO_TASK: Spec = Spec {
    id: OperationId::SubscribeToTask,
    name: "SubscribeToTask",
    kind: Kind::ServerStreaming,
    http: &[
        HttpRule {
            method: HttpMethod::Get,
            segments: &[Segment::Literal("tasks"), Segment::Field("id")],
            verb: Some("subscribe"),
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Get,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("id"),
            ],
            verb: Some("subscribe"),
            body: Body::None,
        },
    ],
};
/// Registers a webhook that is told about every update of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CreateTaskPushNotificationConfig;
impl Operation for CreateTaskPushNotificationConfig {
    type Request = crate::TaskPushNotificationConfig;
    type Response = crate::TaskPushNotificationConfig;
    const ID: OperationId = OperationId::CreateTaskPushNotificationConfig;
}
static CREATE_TASK_PUSH_NOTIFICATION_CONFIG: Spec = Spec {
    id: OperationId::CreateTaskPushNotificationConfig,
    name: "CreateTaskPushNotificationConfig",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Post,
            segments: &[
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
            ],
            verb: None,
            body: Body::Whole,
        },
        HttpRule {
            method: HttpMethod::Post,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
            ],
            verb: None,
            body: Body::Whole,
        },
    ],
};
/// Reads one webhook registration of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct GetTaskPushNotificationConfig;
impl Operation for GetTaskPushNotificationConfig {
    type Request = crate::GetTaskPushNotificationConfigRequest;
    type Response = crate::TaskPushNotificationConfig;
    const ID: OperationId = OperationId::GetTaskPushNotificationConfig;
}
static GET_TASK_PUSH_NOTIFICATION_CONFIG: Spec = Spec {
    id: OperationId::GetTaskPushNotificationConfig,
    name: "GetTaskPushNotificationConfig",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Get,
            segments: &[
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
                Segment::Field("id"),
            ],
            verb: None,
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Get,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
                Segment::Field("id"),
            ],
            verb: None,
            body: Body::None,
        },
    ],
};
/// Lists the webhook registrations of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ListTaskPushNotificationConfigs;
impl Operation for ListTaskPushNotificationConfigs {
    type Request = crate::ListTaskPushNotificationConfigsRequest;
    type Response = crate::ListTaskPushNotificationConfigsResponse;
    const ID: OperationId = OperationId::ListTaskPushNotificationConfigs;
}
static LIST_TASK_PUSH_NOTIFICATION_CONFIGS: Spec = Spec {
    id: OperationId::ListTaskPushNotificationConfigs,
    name: "ListTaskPushNotificationConfigs",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Get,
            segments: &[
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
            ],
            verb: None,
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Get,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
            ],
            verb: None,
            body: Body::None,
        },
    ],
};
/// Reads the card that the agent shows to authenticated callers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct GetExtendedAgentCard;
impl Operation for GetExtendedAgentCard {
    type Request = crate::GetExtendedAgentCardRequest;
    type Response = crate::AgentCard;
    const ID: OperationId = OperationId::GetExtendedAgentCard;
}
static GET_EXTENDED_AGENT_CARD: Spec = Spec {
    id: OperationId::GetExtendedAgentCard,
    name: "GetExtendedAgentCard",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Get,
            segments: &[Segment::Literal("extendedAgentCard")],
            verb: None,
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Get,
            segments: &[Segment::Field("tenant"), Segment::Literal("extendedAgentCard")],
            verb: None,
            body: Body::None,
        },
    ],
};
/// Removes a webhook registration. Removing one that does not exist succeeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DeleteTaskPushNotificationConfig;
impl Operation for DeleteTaskPushNotificationConfig {
    type Request = crate::DeleteTaskPushNotificationConfigRequest;
    type Response = crate::Empty;
    const ID: OperationId = OperationId::DeleteTaskPushNotificationConfig;
}
static DELETE_TASK_PUSH_NOTIFICATION_CONFIG: Spec = Spec {
    id: OperationId::DeleteTaskPushNotificationConfig,
    name: "DeleteTaskPushNotificationConfig",
    kind: Kind::Unary,
    http: &[
        HttpRule {
            method: HttpMethod::Delete,
            segments: &[
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
                Segment::Field("id"),
            ],
            verb: None,
            body: Body::None,
        },
        HttpRule {
            method: HttpMethod::Delete,
            segments: &[
                Segment::Field("tenant"),
                Segment::Literal("tasks"),
                Segment::Field("task_id"),
                Segment::Literal("pushNotificationConfigs"),
                Segment::Field("id"),
            ],
            verb: None,
            body: Body::None,
        },
    ],
};
impl Request for crate::CancelTaskRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "id" => Some(&self.id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "id" => Some(&mut self.id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::DeleteTaskPushNotificationConfigRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "id" => Some(&self.id),
            "task_id" => Some(&self.task_id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "id" => Some(&mut self.id),
            "task_id" => Some(&mut self.task_id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::GetExtendedAgentCardRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::GetTaskPushNotificationConfigRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "id" => Some(&self.id),
            "task_id" => Some(&self.task_id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "id" => Some(&mut self.id),
            "task_id" => Some(&mut self.task_id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::GetTaskRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "id" => Some(&self.id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "id" => Some(&mut self.id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::ListTaskPushNotificationConfigsRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "task_id" => Some(&self.task_id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "task_id" => Some(&mut self.task_id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::ListTasksRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::SendMessageRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::SubscribeToTaskRequest {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "id" => Some(&self.id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "id" => Some(&mut self.id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
impl Request for crate::TaskPushNotificationConfig {
    fn path_value(&self, name: &str) -> Option<&str> {
        match name {
            "task_id" => Some(&self.task_id),
            "tenant" => Some(&self.tenant),
            _ => None,
        }
    }
    fn path_field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "task_id" => Some(&mut self.task_id),
            "tenant" => Some(&mut self.tenant),
            _ => None,
        }
    }
    fn tenant(&self) -> &str {
        &self.tenant
    }
}
