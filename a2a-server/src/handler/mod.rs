//! What each operation means: eleven functions over the engine and the stores.

mod cards;
mod list;
mod push;
mod send;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use a2a_types::projection::{Artifacts, HistoryLength, project_shared};
use a2a_types::store::Scope;
use a2a_types::{
    A2aError, CancelTaskRequest, GetTaskRequest, ListTasksRequest, ListTasksResponse, Task,
};
use tokio::sync::Semaphore;

pub(crate) use cards::{Callers, CardProvider, ExtendedCard};

use crate::agent::CancelRequest;
use crate::card::CardSource;
use crate::engine::{Engine, Found, Webhooks, store_error};
use crate::limits::Limits;
use crate::pipeline::{Call, SharedAnswer};

/// The operations.
pub(crate) struct Handler {
    pub(crate) engine: Arc<Engine>,
    pub(crate) webhooks: Option<Webhooks>,
    pub(crate) extended_card: ExtendedCard,
    pub(crate) card: CardSource,
    pub(crate) limits: Limits,
    /// The media types of the card's default input modes, when parts are checked against them.
    pub(crate) input_modes: Option<Vec<String>>,
    pub(crate) resends: Resends,
    pub(crate) streams: Arc<Semaphore>,
}

/// Which repeated sends are recognized (decision on A2A §3.3.1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resends {
    /// How long; `None` for never.
    pub(crate) window: Option<Duration>,
    /// Also for anonymous callers, who share one scope.
    pub(crate) anonymous: AnonymousResends,
}

/// Whether the repeated sends of anonymous callers are recognized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnonymousResends {
    /// No: two strangers may send the same message. The default.
    #[default]
    Separate,
    /// Yes.
    Recognized,
}

impl Handler {
    /// A2A §3.1.3
    pub(crate) async fn get_task(
        &self,
        call: Call<GetTaskRequest>,
    ) -> Result<SharedAnswer<Task>, A2aError> {
        let history = history(call.request.history_length, "historyLength")?;
        let task = self.load(&call.scope, &call.request.id).await?;
        Ok(SharedAnswer(project_shared(
            &task,
            history,
            Artifacts::Include,
        )))
    }

    /// A2A §3.1.4
    pub(crate) async fn list_tasks(
        &self,
        call: Call<ListTasksRequest>,
    ) -> Result<ListTasksResponse, A2aError> {
        let query = list::query(&call.request, self.limits.default_page)?;
        let page = self
            .engine
            .store()
            .list(&call.scope, &query)
            .await
            .map_err(store_error)?;
        Ok(list::response(&call.request, query.page_size, page))
    }

    /// A2A §3.1.5
    pub(crate) async fn cancel_task(
        &self,
        call: Call<CancelTaskRequest>,
    ) -> Result<SharedAnswer<Task>, A2aError> {
        let Call {
            request,
            context,
            scope,
        } = call;
        match self.engine.find(&scope, &request.id).await? {
            Found::Settled(stored) => {
                let state = stored.task.state();
                Err(A2aError::task_not_cancelable(
                    request.id,
                    state.as_str_name(),
                ))
            }
            Found::Live(lease) => {
                let wish = CancelRequest {
                    task_id: request.id,
                    context_id: lease.context_id().to_owned(),
                    metadata: request.metadata,
                    context,
                };
                self.engine.cancel(&lease, wish).await?;
                Ok(SharedAnswer(self.load(&scope, lease.id()).await?))
            }
        }
    }

    async fn load(&self, scope: &Scope, id: &str) -> Result<Arc<Task>, A2aError> {
        let stored = self
            .engine
            .store()
            .load(scope, id)
            .await
            .map_err(store_error)?;
        stored
            .map(|stored| stored.task)
            .ok_or_else(|| A2aError::task_not_found(id))
    }
}

/// The history length of a request; the pipeline has refused what this could refuse.
fn history(value: Option<i32>, field: &str) -> Result<HistoryLength, A2aError> {
    HistoryLength::new(value, field).map_err(|violation| A2aError::invalid_params([violation]))
}
