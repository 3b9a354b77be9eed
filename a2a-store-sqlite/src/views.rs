//! Views of the writing connection: a row that is inserted into one does everything that has to be
//! done together, in one statement, or is refused and does nothing.

use std::sync::Arc;

use a2a_types::store::StoreErrorKind;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, SqliteConnection};

/// A new task.
pub(crate) const NEW_TASK: &str = "new_task";
/// Entries that change neither status nor history.
pub(crate) const NEW_PIECES: &str = "new_pieces";
/// Entries of any kind.
pub(crate) const NEW_ENTRIES: &str = "new_entries";

/// A new task and the entries that have ended it.
pub(crate) const NEW_LIFE: &str = "new_life";

/// What a row is refused with, and what that means for the caller.
const REFUSALS: [(&str, StoreErrorKind); 3] = [
    ("a2a: unknown", StoreErrorKind::NotFound),
    ("a2a: conflict", StoreErrorKind::Conflict),
    ("a2a: resent", StoreErrorKind::Conflict),
];

/// Makes the views. They belong to the connection, not to the file: they are code.
pub(crate) async fn create(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(include_str!("views.sql"))
        .execute(connection)
        .await?;
    Ok(())
}

/// A row for a view.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) view: &'static str,
    pub(crate) values: Vec<Value>,
}

/// A value of a row.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(Arc::from(value))
    }
}

impl From<&Arc<str>> for Value {
    fn from(value: &Arc<str>) -> Self {
        Self::Text(Arc::clone(value))
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Inserts rows into the view of the first one, all of them or none.
pub(crate) async fn insert(
    connection: &mut SqliteConnection,
    rows: Vec<Row>,
) -> Result<(), sqlx::Error> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let row = format!("(?{})", ", ?".repeat(first.values.len().saturating_sub(1)));
    let more = format!(", {row}").repeat(rows.len() - 1);
    let sql = format!("INSERT INTO {} VALUES {row}{more}", first.view);
    let mut arguments = SqliteArguments::default();
    for value in rows.into_iter().flat_map(|row| row.values) {
        let added = match value {
            Value::Null => arguments.add(None::<i64>),
            Value::Int(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    // The text is made of names that are written here.
    sqlx::query_with(AssertSqlSafe(sql), arguments)
        .execute(connection)
        .await?;
    Ok(())
}

/// Why a row was refused; `None` when something else went wrong.
pub(crate) fn refusal(error: &sqlx::Error) -> Option<StoreErrorKind> {
    let message = error.as_database_error()?.message();
    REFUSALS
        .into_iter()
        .find_map(|(text, kind)| (message == text).then_some(kind))
}
