use std::future::Future;
use std::sync::Arc;

use a2a_types::store::{Owner, Scope, ScopeKind};
use a2a_types::{A2aError, Extensions};

use super::reply::{EventStream, Reply, ReplyBody, ResponseMessage};
use crate::CallContext;
use crate::auth::owner;

/// A request that has passed every check. Only the pipeline makes one.
pub(crate) struct Call<R> {
    /// Boxed: calls are handed on by value through several functions.
    pub(crate) request: Box<R>,
    pub(crate) context: Arc<CallContext>,
    /// What the caller can see.
    pub(crate) scope: Scope,
}

impl<R> Call<R> {
    pub(super) fn new(request: Box<R>, context: Arc<CallContext>, scope: Scope) -> Self {
        Self {
            request,
            context,
            scope,
        }
    }

    /// Whom anything belongs to that the call makes: it lies inside of what the call can see.
    pub(crate) fn owner(&self) -> Owner {
        let caller = &self.context.caller;
        match self.scope.kind() {
            ScopeKind::Owner(owner) => owner.clone(),
            ScopeKind::Tenant(tenant) => owner(caller, tenant),
            ScopeKind::System => owner(caller, &self.context.tenant),
        }
    }

    pub(super) async fn reply<A, F>(self, handle: impl FnOnce(Self) -> F) -> Result<Reply, A2aError>
    where
        A: ResponseMessage + 'static,
        F: Future<Output = Result<A, A2aError>>,
    {
        let context = Arc::clone(&self.context);
        // Boxed: allocators are slow with what is large.
        let answer = Box::pin(handle(self)).await?;
        Ok(finish(&context, ReplyBody::One(Box::new(answer))))
    }

    pub(super) async fn stream<F>(self, handle: impl FnOnce(Self) -> F) -> Result<Reply, A2aError>
    where
        F: Future<Output = Result<EventStream, A2aError>>,
    {
        let context = Arc::clone(&self.context);
        let stream = Box::pin(handle(self)).await?;
        Ok(finish(&context, ReplyBody::Stream(stream)))
    }
}

fn finish(context: &CallContext, body: ReplyBody) -> Reply {
    let activated: Extensions = context.activated_extensions.clone();
    Reply {
        operation: context.operation,
        activated,
        body,
    }
}
