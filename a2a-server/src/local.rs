use a2a_types::operation::{Kind, Operation};
use a2a_types::operations::{SendMessage, SendStreamingMessage};
use a2a_types::{
    A2aError, Message, SendMessageRequest, SendMessageResponse, StreamResponse, Task, Version,
    send_message_response::Payload,
};
use futures::stream::{self, BoxStream, StreamExt};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::codec::Calls;
use crate::context::Binding;
use crate::pipeline::{Incoming, ReplyBody};

/// Calls an agent without a socket, through everything else that a call passes.
///
/// ```
/// # use a2a_server::{Agent, AgentError, Request, Server, TaskHandle};
/// # use a2a_types::AgentCard;
/// # struct Echo;
/// # impl Agent for Echo {
/// #     async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
/// #         task.artifact("echo").text(request.text()).send().await?;
/// #         task.complete().await
/// #     }
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let card = AgentCard::builder("Echo", "Repeats").skill("echo", "Echo", "Repeats");
/// let agent = Server::builder(Echo).card(card).build()?.local();
/// let task = agent.ask("hi").await?;
/// assert_eq!(task.artifacts[0].text(), "hi");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LocalClient {
    calls: Calls,
    headers: HeaderMap,
}

impl LocalClient {
    pub(crate) fn new(calls: Calls) -> Self {
        let mut headers = HeaderMap::new();
        if let Ok(version) = HeaderValue::from_str(&Version::V1_0.to_string()) {
            headers.insert(HeaderName::from_static("a2a-version"), version);
        }
        Self { calls, headers }
    }

    /// Sends a header with every call, such as credentials.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sends a text and waits for the task that answers.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call); also when the agent answers with a message.
    pub async fn ask(&self, text: &str) -> Result<Task, A2aError> {
        match self.send(Message::user(text)).await?.payload {
            Some(Payload::Task(task)) => Ok(task),
            _ => Err(A2aError::invalid_agent_response(
                "the agent answered with a message",
            )),
        }
    }

    /// Sends a message and waits for the answer.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn send(&self, message: Message) -> Result<SendMessageResponse, A2aError> {
        self.call::<SendMessage>(SendMessageRequest::new(message))
            .await
    }

    /// Sends a message and follows what happens.
    ///
    /// # Errors
    ///
    /// As [`stream`](Self::stream).
    pub async fn send_streaming(
        &self,
        message: Message,
    ) -> Result<BoxStream<'static, Result<StreamResponse, A2aError>>, A2aError> {
        self.stream::<SendStreamingMessage>(SendMessageRequest::new(message))
            .await
    }

    /// Calls any operation that has one answer.
    ///
    /// # Errors
    ///
    /// What the server answers; `InvalidRequest` for an operation that streams.
    pub async fn call<O: Operation>(&self, request: O::Request) -> Result<O::Response, A2aError> {
        let wrong = || A2aError::invalid_request("the operation streams");
        // Found out first: a message that is sent cannot be taken back.
        if O::ID.spec().kind == Kind::ServerStreaming {
            return Err(wrong());
        }
        let ReplyBody::One(answer) = self.reply::<O>(request).await? else {
            return Err(wrong());
        };
        let answer = answer.into_any().downcast();
        answer
            .map(|answer| *answer)
            .map_err(|_| A2aError::internal("an answer of another type"))
    }

    /// Calls any operation that streams. An error after the first event ends the stream.
    ///
    /// # Errors
    ///
    /// What the server answers; `InvalidRequest` for an operation that does not stream.
    pub async fn stream<O: Operation>(
        &self,
        request: O::Request,
    ) -> Result<BoxStream<'static, Result<StreamResponse, A2aError>>, A2aError> {
        let wrong = || A2aError::invalid_request("the operation does not stream");
        if O::ID.spec().kind != Kind::ServerStreaming {
            return Err(wrong());
        }
        let ReplyBody::Stream(events) = self.reply::<O>(request).await? else {
            return Err(wrong());
        };
        let items = events.flat_map(|batch| match batch {
            Ok(items) => {
                let items: Vec<_> = items
                    .iter()
                    .map(|item| Ok(item.to_stream_response()))
                    .collect();
                stream::iter(items)
            }
            Err(error) => stream::iter(vec![Err(error)]),
        });
        Ok(items.boxed())
    }

    async fn reply<O: Operation>(&self, request: O::Request) -> Result<ReplyBody, A2aError> {
        let incoming = Incoming::typed::<O>(Binding::Local, self.headers.clone(), Ok(request));
        Ok(self.calls.call(incoming).await?.body)
    }
}

impl std::fmt::Debug for LocalClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalClient").finish_non_exhaustive()
    }
}
