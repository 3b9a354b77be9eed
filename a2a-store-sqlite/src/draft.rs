//! A task put together from its rows.

use std::collections::HashMap;

use a2a_types::reducer;
use a2a_types::store::{Owner, StoreError};
use a2a_types::{Artifact, Message, Task, TaskState, TaskStatus, Timestamp};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::codec::{Entries, parse};
use crate::error::{corrupt, store_error};

/// The columns of every query that reads tasks. One statement reads everything, so that all of it
/// is of one moment; `part` tells what a row is:
///
/// | part | a | b | c | d | e | data | the texts |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | head | revision | sequence | shape | state | time | said | id, context, tenant, principal, metadata |
/// | message, artifact | position | | | | | JSON | |
/// | log | sequence | revision | | | | entries | |
/// | total | how many | | | | | | |
pub(crate) const HEAD: i64 = 0;
pub(crate) const MESSAGE: i64 = 1;
pub(crate) const ARTIFACT: i64 = 2;
pub(crate) const LOG: i64 = 3;
pub(crate) const TOTAL: i64 = 4;

/// The head of the task `t` of the owner `o`.
macro_rules! head {
    () => {
        "SELECT 0 AS part, t.key, t.revision AS a, t.sequence AS b, t.shape AS c, t.state AS d, \
         t.time AS e, t.said AS data, t.id, t.context, o.tenant, o.principal, \
         (SELECT data FROM metadata WHERE task = t.key) AS metadata \
         FROM tasks AS t JOIN owners AS o ON o.key = t.owner"
    };
}

/// The messages `m` of the task `t`, with what to join.
macro_rules! messages {
    () => {
        " UNION ALL SELECT 1, m.task, m.position, NULL, NULL, NULL, NULL, m.data, \
         NULL, NULL, NULL, NULL, NULL FROM "
    };
}

/// The artifacts `a`.
macro_rules! artifacts {
    () => {
        " UNION ALL SELECT 2, a.task, a.position, NULL, NULL, NULL, NULL, a.data, \
         NULL, NULL, NULL, NULL, NULL FROM "
    };
}

/// The rows `l` of the log.
macro_rules! log {
    () => {
        " UNION ALL SELECT 3, l.task, l.sequence, l.revision, NULL, NULL, NULL, l.entries, \
         NULL, NULL, NULL, NULL, NULL FROM "
    };
}

pub(crate) use {artifacts, head, log, messages};

/// The rows of one task.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) owner: Owner,
    /// The task without history and artifacts.
    pub(crate) task: Task,
    pub(crate) time: i64,
    /// Up to where the artifacts hold what the log says.
    pub(crate) folded: (i64, i64),
    messages: Vec<(i64, Vec<u8>)>,
    artifacts: Vec<(i64, Vec<u8>)>,
    log: Vec<((i64, i64), Vec<u8>)>,
}

/// The tasks whose rows were read.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    pub(crate) tasks: HashMap<i64, Draft>,
    pub(crate) total: i64,
    /// How much there is to put together.
    pub(crate) bytes: usize,
}

impl Drafts {
    pub(crate) fn read(rows: &[SqliteRow]) -> Result<Self, StoreError> {
        let mut drafts = Self::default();
        let (heads, rest): (Vec<_>, Vec<_>) = rows
            .iter()
            .partition(|row| row.try_get::<i64, _>(0).is_ok_and(|part| part == HEAD));
        for row in heads {
            let draft = Draft::read(row)?;
            drafts.tasks.insert(get(row, 1)?, draft);
        }
        for row in rest {
            let part: i64 = get(row, 0)?;
            if part == TOTAL {
                drafts.total = get(row, 2)?;
                continue;
            }
            let Some(draft) = drafts.tasks.get_mut(&get(row, 1)?) else {
                continue;
            };
            let data: &[u8] = get(row, 7)?;
            drafts.bytes += data.len();
            let position: i64 = get(row, 2)?;
            match part {
                MESSAGE => draft.messages.push((position, data.to_vec())),
                ARTIFACT => draft.artifacts.push((position, data.to_vec())),
                LOG => draft.log.push(((position, get(row, 3)?), data.to_vec())),
                _ => return Err(corrupt("a row of an unknown kind")),
            }
        }
        Ok(drafts)
    }
}

impl Draft {
    fn read(row: &SqliteRow) -> Result<Self, StoreError> {
        let mut task = Task::default()
            .with_id(get::<&str>(row, 8)?)
            .with_context_id(get::<&str>(row, 9)?);
        let (shape, state, time): (i64, i64, i64) = (get(row, 4)?, get(row, 5)?, get(row, 6)?);
        if shape > 0 {
            let state = i32::try_from(state)
                .ok()
                .and_then(|state| TaskState::try_from(state).ok());
            let state = state.ok_or_else(|| corrupt("a task is in an unknown state"))?;
            let mut status = TaskStatus::default().with_state(state);
            if shape > 1 {
                status.timestamp = Some(Timestamp::from_unix_millis(time));
            }
            let said: Option<&[u8]> = get(row, 7)?;
            status.message = said.map(parse).transpose()?;
            task.status = Some(status);
        }
        let metadata: Option<&[u8]> = get(row, 12)?;
        task.metadata = metadata.map(parse).transpose()?;
        Ok(Self {
            owner: Owner::new(get::<&str>(row, 10)?, get::<&str>(row, 11)?),
            task,
            time,
            folded: (get(row, 2)?, get(row, 3)?),
            messages: Vec::new(),
            artifacts: Vec::new(),
            log: Vec::new(),
        })
    }

    /// The revision and the sequence of the newest entry.
    pub(crate) fn place(&self) -> (i64, i64) {
        let newest = self.log.iter().map(|(place, _)| *place).max();
        newest.map_or(self.folded, |(sequence, revision)| (revision, sequence))
    }

    /// The same without what was said, for whoever wants the artifacts alone.
    pub(crate) fn without_history(self) -> Self {
        Self {
            messages: Vec::new(),
            ..self
        }
    }

    /// The whole task.
    pub(crate) fn finish(mut self) -> Result<Task, StoreError> {
        self.messages
            .sort_unstable_by_key(|(position, _)| *position);
        self.artifacts
            .sort_unstable_by_key(|(position, _)| *position);
        self.log.sort_unstable_by_key(|(place, _)| *place);
        let messages = self.messages.iter().map(|(_, json)| parse::<Message>(json));
        self.task.history = messages.collect::<Result<_, _>>()?;
        let artifacts = self
            .artifacts
            .iter()
            .map(|(_, json)| parse::<Artifact>(json));
        self.task.artifacts = artifacts.collect::<Result<_, _>>()?;
        for (_, entries) in &self.log {
            for entry in Entries(entries) {
                let entry = entry?;
                if entry.is_artifact() {
                    reducer::apply(&mut self.task, &entry.event()?);
                }
            }
        }
        Ok(self.task)
    }
}

/// A column.
pub(crate) fn get<'r, T>(row: &'r SqliteRow, index: usize) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(index).map_err(store_error)
}
