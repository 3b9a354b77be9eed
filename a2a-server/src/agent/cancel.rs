use std::sync::Arc;

use a2a_types::Struct;

use crate::CallContext;

/// A client's wish to cancel a task (A2A §3.1.5).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CancelRequest {
    /// The task.
    pub task_id: String,
    /// The conversation of the task.
    pub context_id: String,
    /// What the client sent along.
    pub metadata: Option<Struct>,
    /// Who asks.
    pub context: Arc<CallContext>,
}
