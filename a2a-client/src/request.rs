//! What the methods of the client take.

use a2a_types::{
    CancelTaskRequest, DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest, GetTaskRequest, ListTaskPushNotificationConfigsRequest,
    ListTasksRequest, Message, Part, SendMessageRequest, SubscribeToTaskRequest, Task,
    TaskPushNotificationConfig,
};

/// What can be made into a request: the request itself, or what it mostly consists of.
///
/// A message can be a text, a [`Part`] or a [`Message`]; a task is named by its id.
pub trait IntoRequest<R> {
    /// The request.
    fn into_request(self) -> R;
}

macro_rules! itself {
    ($($request:ident)*) => {$(
        impl IntoRequest<$request> for $request {
            fn into_request(self) -> $request {
                self
            }
        }
    )*};
}

itself! {
    SendMessageRequest GetTaskRequest ListTasksRequest CancelTaskRequest SubscribeToTaskRequest
    TaskPushNotificationConfig GetTaskPushNotificationConfigRequest
    ListTaskPushNotificationConfigsRequest DeleteTaskPushNotificationConfigRequest
}

impl IntoRequest<SendMessageRequest> for Message {
    fn into_request(self) -> SendMessageRequest {
        SendMessageRequest::new(self)
    }
}

macro_rules! content {
    ($($content:ty)*) => {$(
        impl IntoRequest<SendMessageRequest> for $content {
            fn into_request(self) -> SendMessageRequest {
                SendMessageRequest::new(Message::user(self))
            }
        }
    )*};
}

content! { &str String Part }

macro_rules! named {
    ($($request:ident::$with:ident)*) => {$(
        impl IntoRequest<$request> for &str {
            fn into_request(self) -> $request {
                $request::default().$with(self)
            }
        }

        impl IntoRequest<$request> for String {
            fn into_request(self) -> $request {
                $request::default().$with(self)
            }
        }

        impl IntoRequest<$request> for &String {
            fn into_request(self) -> $request {
                $request::default().$with(self)
            }
        }

        impl IntoRequest<$request> for &Task {
            fn into_request(self) -> $request {
                $request::default().$with(&self.id)
            }
        }
    )*};
}

named! {
    GetTaskRequest::with_id
    CancelTaskRequest::with_id
    SubscribeToTaskRequest::with_id
    ListTaskPushNotificationConfigsRequest::with_task_id
}

macro_rules! paired {
    ($($request:ident)*) => {$(
        /// The ids of the task and of the configuration.
        impl IntoRequest<$request> for (&str, &str) {
            fn into_request(self) -> $request {
                $request::default().with_task_id(self.0).with_id(self.1)
            }
        }
    )*};
}

paired! { GetTaskPushNotificationConfigRequest DeleteTaskPushNotificationConfigRequest }
