use a2a_types::store::{Owner, Scope};
use a2a_types::{A2aError, OperationId};
use async_trait::async_trait;

use super::Principal;
use super::principal::shared;
use crate::CallContext;

/// Says what a principal may do and see.
#[async_trait]
pub trait Authorizer: Send + Sync + 'static {
    /// What the call can see. Asked for each of the eleven operations, before any task is looked
    /// for.
    ///
    /// A scope of one owner also says whom the tasks and webhooks belong to that the call makes:
    /// members of a project that are given the project's scope share what they make. With the
    /// scope of a tenant they belong to the principal in that tenant. Webhooks are shown to
    /// their owner alone, whatever the scope.
    ///
    /// # Errors
    ///
    /// [`A2aError::permission_denied`] when the principal may not use the operation at all. The
    /// text should name the missing scope and nothing else.
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError>;
}

/// What is to be authorized.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Access<'a> {
    /// Who calls.
    pub principal: &'a Principal,
    /// What is called.
    pub operation: OperationId,
    /// The tenant of the request; empty when there is none.
    pub tenant: &'a str,
    /// The task that the request names.
    pub task_id: Option<&'a str>,
    /// Everything else that is known about the call.
    pub context: &'a CallContext,
}

impl Access<'_> {
    /// What the principal owns in the tenant of the request.
    pub fn own(&self) -> Scope {
        Scope::owner(owner(self.principal, self.tenant))
    }
}

/// The owner of what `principal` makes in `tenant`.
pub(crate) fn owner(principal: &Principal, tenant: &str) -> Owner {
    Owner::new(shared(tenant), principal.shared_id())
}

/// Everybody may use every operation, on what they own. The default.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Ownership;

#[async_trait]
impl Authorizer for Ownership {
    async fn authorize(&self, access: &Access<'_>) -> Result<Scope, A2aError> {
        Ok(access.own())
    }
}
