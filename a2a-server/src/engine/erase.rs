//! Deletion of everything that belongs to an owner (A2A §13.4).

use std::sync::Arc;

use a2a_types::OperationId;
use a2a_types::push::Forget;
use a2a_types::store::{Owner, PushConfigStore, StoreError};
use futures::future::join_all;

use super::live::Command;
use super::{Engine, Lease};
use crate::CallContext;
use crate::agent::CancelRequest;

impl Engine {
    /// Ends the tasks of the owner, then deletes them, and all webhooks that are the owner's or
    /// were registered for those tasks. Returns the ids of the tasks.
    pub(crate) async fn erase(
        &self,
        owner: &Owner,
        webhooks: &dyn PushConfigStore,
    ) -> Result<Vec<String>, StoreError> {
        // First of all, so that nothing of what follows is sent to the owner's webhooks.
        for id in webhooks.delete_owner(owner).await? {
            if let Some(lease) = self.shared.live.lease(&id) {
                self.webhooks_changed(&lease).await;
            }
        }
        if let Some(webhooks) = &self.shared.webhooks {
            webhooks.sender.forget(Forget::Owner(owner)).await?;
        }
        let leases = self.shared.live.of_owner(owner);
        join_all(leases.iter().map(|lease| self.end(owner, lease))).await;
        drop(leases);
        let erased = self.shared.store.delete_owner(owner).await?;
        for id in &erased {
            match &self.shared.webhooks {
                Some(webhooks) => webhooks.forget_task(id).await?,
                None => webhooks.delete_task(id).await?,
            }
        }
        Ok(erased)
    }

    /// Cancels the task. One whose agent does not agree is stopped.
    async fn end(&self, owner: &Owner, lease: &Lease) {
        let mut context = CallContext::of_owner(owner);
        context.operation = OperationId::CancelTask;
        let request = CancelRequest {
            task_id: lease.id().to_owned(),
            context_id: lease.context_id().to_owned(),
            metadata: None,
            context: Arc::new(context),
        };
        if self.cancel(lease, request).await.is_err() && lease.command(Command::Stop).is_ok() {
            lease.closed().await;
        }
    }
}
