use std::mem;
use std::sync::Arc;

use a2a_types::part::Content;
use a2a_types::prost::Message as _;
use a2a_types::store::{LogEntry, StoreError, StoreErrorKind};
use a2a_types::{Message, Part, Task};
use bytes::{Bytes, BytesMut};

use super::id::Id;

/// What a task is.
pub(super) enum Body {
    /// A task at work, and all the visible entries that there have been.
    Live {
        task: Arc<Task>,
        log: Vec<Arc<LogEntry>>,
    },
    /// One that has ended.
    Ended(Arc<Task>),
    /// One that has ended, in its protobuf form: a task in pieces takes several times the memory.
    /// Its own id is not in it, nor are that and the context's in its messages.
    Packed(Bytes),
}

/// Memory for tasks that are packed, one behind the other: each by itself would lie among what is
/// soon forgotten, and whatever comes later would be scattered over the gaps.
#[derive(Default)]
pub(super) struct Room(BytesMut);

/// How many bytes are allocated at once. They are freed together, too: when the last task in them
/// is gone.
const BLOCK: usize = 64 * 1024;

/// A part that has more bytes than this is not packed, nor are more parts: others wait meanwhile,
/// and long texts are dense anyway.
const BYTES: usize = 4096;
const PARTS: usize = 64;

impl Body {
    /// A task at work that nothing has been said of.
    pub(super) fn new(task: Arc<Task>) -> Self {
        let log = Vec::new();
        Self::Live { task, log }
    }

    /// The task, made anew when it was packed.
    pub(super) fn task(&self, id: &Id) -> Result<Arc<Task>, StoreError> {
        let bytes = match self {
            Self::Live { task, .. } | Self::Ended(task) => return Ok(Arc::clone(task)),
            Self::Packed(bytes) => bytes,
        };
        let mut task = Task::decode(&**bytes)
            .map_err(|error| StoreError::with_source(StoreErrorKind::Internal, error))?;
        task.id = id.to_string();
        let Task { id, context_id, .. } = &task;
        let (id, context_id) = (id.clone(), context_id.clone());
        for message in messages(&mut task) {
            message.task_id.clone_from(&id);
            message.context_id.clone_from(&context_id);
        }
        Ok(Arc::new(task))
    }

    /// The visible entries; none when the task has ended.
    pub(super) fn log(&self) -> &[Arc<LogEntry>] {
        match self {
            Self::Live { log, .. } => log,
            Self::Ended(_) | Self::Packed(_) => &[],
        }
    }

    /// The task and its log, to be gone on with.
    pub(super) fn live(
        &mut self,
        id: &Id,
    ) -> Result<(&mut Task, &mut Vec<Arc<LogEntry>>), StoreError> {
        if !matches!(self, Self::Live { .. }) {
            *self = Self::new(self.task(id)?);
        }
        match self {
            Self::Live { task, log } => Ok((Arc::make_mut(task), log)),
            Self::Ended(_) | Self::Packed(_) => Err(StoreError::new(StoreErrorKind::Internal)),
        }
    }

    /// The task has ended, and its log has been taken. Returns the task as it was.
    pub(super) fn end(&mut self, room: &mut Room) -> Option<Arc<Task>> {
        let Self::Live { task, .. } = self else {
            return None;
        };
        // Where somebody else has it as well, it is in pieces anyway.
        let packed = Arc::get_mut(task)
            .filter(|task| is_small(task))
            .map(|task| room.pack(task));
        let task = Arc::clone(task);
        *self = match packed {
            Some(bytes) => Self::Packed(bytes),
            None => Self::Ended(Arc::clone(&task)),
        };
        Some(task)
    }
}

impl Room {
    /// Leaves the task as it was.
    fn pack(&mut self, task: &mut Task) -> Bytes {
        let Self(block) = self;
        if block.capacity() < BYTES {
            *block = BytesMut::with_capacity(BLOCK);
        }
        let id = mem::take(&mut task.id);
        let ids: Vec<_> = messages(task).map(take_ids).collect();
        task.encode_raw(block);
        for (message, (task_id, context_id)) in messages(task).zip(ids) {
            (message.task_id, message.context_id) = (task_id, context_id);
        }
        task.id = id;
        block.split().freeze()
    }
}

fn take_ids(message: &mut Message) -> (String, String) {
    (
        mem::take(&mut message.task_id),
        mem::take(&mut message.context_id),
    )
}

fn messages(task: &mut Task) -> impl Iterator<Item = &mut Message> {
    let said = task.status.iter_mut().filter_map(|s| s.message.as_mut());
    task.history.iter_mut().chain(said)
}

/// Whether the packed form is the whole task, and soon made.
fn is_small(task: &Task) -> bool {
    let status = task.status.as_ref();
    let said = status.and_then(|status| status.message.as_ref());
    let mut parts = 0;
    let mut are_small = |of: &[Part]| {
        parts += of.len();
        parts <= PARTS && of.iter().all(is_small_part)
    };
    task.metadata.is_none()
        && task
            .artifacts
            .iter()
            .all(|artifact| artifact.metadata.is_none() && are_small(&artifact.parts))
        && task.history.iter().chain(said).all(|message| {
            message.metadata.is_none()
                && message.task_id == task.id
                && message.context_id == task.context_id
                && are_small(&message.parts)
        })
}

/// The numbers of JSON are not all doubles, which is what protobuf makes of them: data stays as it
/// is.
fn is_small_part(part: &Part) -> bool {
    let length = match &part.content {
        Some(Content::Text(text) | Content::Url(text)) => text.len(),
        Some(Content::Raw(bytes)) => bytes.len(),
        Some(_) => return false,
        None => 0,
    };
    part.metadata.is_none() && length <= BYTES
}
