use a2a_types::A2aError;
use futures::future::BoxFuture;

use super::{Agent, AgentError, Answer, CancelRequest, Request, TaskHandle};

/// [`Agent`] in a form that can be a trait object.
pub(crate) trait DynAgent: Send + Sync + 'static {
    fn execute(&self, request: Request, task: TaskHandle) -> BoxFuture<'_, Result<(), AgentError>>;

    fn admit<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, A2aError>>;

    fn cancel(&self, request: CancelRequest) -> BoxFuture<'_, Result<(), AgentError>>;
}

impl<A: Agent> DynAgent for A {
    fn execute(&self, request: Request, task: TaskHandle) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(Agent::execute(self, request, task))
    }

    fn admit<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, A2aError>> {
        Box::pin(Agent::admit(self, request))
    }

    fn cancel(&self, request: CancelRequest) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(Agent::cancel(self, request))
    }
}
