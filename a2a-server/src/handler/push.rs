use a2a_types::push::WebhookKey;
use a2a_types::store::{PushCursor, Scope};
use a2a_types::{
    A2aError, DeleteTaskPushNotificationConfigRequest, Empty, ErrorKind,
    GetTaskPushNotificationConfigRequest, ListTaskPushNotificationConfigsRequest,
    ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Handler;
use crate::engine::{Found, Webhooks, store_error};
use crate::pipeline::{Call, MAX_PAGE};

impl Handler {
    /// A2A §3.1.7
    pub(crate) async fn create_push_config(
        &self,
        call: Call<TaskPushNotificationConfig>,
    ) -> Result<TaskPushNotificationConfig, A2aError> {
        let webhooks = self.webhooks()?;
        let owner = call.owner();
        let mut config = *call.request;
        let found = self.engine.find(&call.scope, &config.task_id).await?;
        webhooks.sender.check(&config).await?;
        if config.id.is_empty() {
            config.id = uuid::Uuid::new_v4().to_string();
        }
        let webhook = webhooks.register((owner, config.clone())).await?;
        self.changed(&found).await;
        webhooks.replaced(&webhook).await?;
        Ok(config)
    }

    /// A2A §3.1.8
    pub(crate) async fn get_push_config(
        &self,
        call: Call<GetTaskPushNotificationConfigRequest>,
    ) -> Result<TaskPushNotificationConfig, A2aError> {
        let webhooks = self.webhooks()?;
        let GetTaskPushNotificationConfigRequest { task_id, id, .. } = &*call.request;
        self.load(&call.scope, task_id).await?;
        let found = webhooks
            .configs
            .get(&own(&call), task_id, id)
            .await
            .map_err(store_error)?;
        found.ok_or_else(|| {
            let text = format!("push notification config {id} of task {task_id} not found");
            A2aError::new(ErrorKind::TaskNotFound, text)
                .with_metadata("taskId", task_id)
                .with_metadata("configId", id)
        })
    }

    /// A2A §3.1.9
    pub(crate) async fn list_push_configs(
        &self,
        call: Call<ListTaskPushNotificationConfigsRequest>,
    ) -> Result<ListTaskPushNotificationConfigsResponse, A2aError> {
        let webhooks = self.webhooks()?;
        let request = &*call.request;
        let after = after(&request.page_token, &call)?;
        self.load(&call.scope, &request.task_id).await?;
        let size = if request.page_size == 0 {
            MAX_PAGE
        } else {
            request.page_size
        };
        let size = usize::try_from(size).unwrap_or(1);
        let page = webhooks
            .configs
            .list(&own(&call), &request.task_id, after.as_ref(), size)
            .await
            .map_err(store_error)?;
        // The owner is the caller itself: the id alone is the place.
        let next = page.next.as_ref();
        let token = next
            .map(|place| URL_SAFE_NO_PAD.encode(&place.id))
            .unwrap_or_default();
        let configs = page.into_configs();
        Ok(ListTaskPushNotificationConfigsResponse::default()
            .with_configs(configs)
            .with_next_page_token(token))
    }

    /// A2A §3.1.10
    pub(crate) async fn delete_push_config(
        &self,
        call: Call<DeleteTaskPushNotificationConfigRequest>,
    ) -> Result<Empty, A2aError> {
        let webhooks = self.webhooks()?;
        let DeleteTaskPushNotificationConfigRequest { task_id, id, .. } = &*call.request;
        let found = self.engine.find(&call.scope, task_id).await?;
        webhooks
            .configs
            .delete(&own(&call), task_id, id)
            .await
            .map_err(store_error)?;
        self.changed(&found).await;
        // After the task has stopped to notify it.
        let key = WebhookKey::new(&**task_id, call.owner(), &**id);
        webhooks.forget(&key).await?;
        Ok(Empty::default())
    }

    fn webhooks(&self) -> Result<&Webhooks, A2aError> {
        self.webhooks
            .as_ref()
            .ok_or_else(A2aError::push_not_supported)
    }

    async fn changed(&self, found: &Found) {
        if let Found::Live(lease) = found {
            self.engine.webhooks_changed(lease).await;
        }
    }
}

/// Webhooks hold secrets: who may see the task of another still does not see its webhooks.
fn own<R>(call: &Call<R>) -> Scope {
    Scope::owner(call.owner())
}

/// The place after which the page begins.
fn after<R>(token: &str, call: &Call<R>) -> Result<Option<PushCursor>, A2aError> {
    if token.is_empty() {
        return Ok(None);
    }
    let id = URL_SAFE_NO_PAD
        .decode(token)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    id.map(|id| Some(PushCursor::new(id, call.owner())))
        .ok_or_else(|| A2aError::invalid_param("pageToken", "is not a page token"))
}
