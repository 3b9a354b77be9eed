//! The versions of the schema. They only go forward, each in one transaction.

use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use crate::error::OpenError;

/// What each version adds, from version 1 on. What is released here never changes: a database
/// that has it is not given it again.
const MIGRATIONS: [&str; 2] = [
    include_str!("../migrations/1.sql"),
    include_str!("../migrations/2.sql"),
];

/// Says in the file's header whose database it is: "a2a" and a 1.
const APPLICATION: i64 = 0x6132_6101;

/// Whether the database may be used: it is empty, or ours and not newer than this crate.
pub(crate) async fn inspect(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let application = number(connection, "PRAGMA application_id").await?;
    if application == APPLICATION {
        let found = number(connection, "PRAGMA user_version").await?;
        let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
        return if found > known {
            Err(OpenError::Newer { found, known })
        } else {
            Ok(())
        };
    }
    let is_empty = number(connection, "SELECT count(*) FROM sqlite_schema").await? == 0;
    if application == 0 && is_empty {
        return Ok(());
    }
    Err(OpenError::Foreign)
}

/// Brings the database to the newest version.
pub(crate) async fn migrate(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let version = number(connection, "PRAGMA user_version").await?;
    for (version, migration) in (1_i64..).zip(MIGRATIONS).skip_while(|(v, _)| *v <= version) {
        let script = format!(
            "BEGIN IMMEDIATE;\n{migration}\nPRAGMA application_id = {APPLICATION};\n\
             PRAGMA user_version = {version};\nCOMMIT"
        );
        let result = sqlx::raw_sql(AssertSqlSafe(script))
            .execute(&mut *connection)
            .await;
        if let Err(error) = result {
            let _ = sqlx::raw_sql("ROLLBACK").execute(connection).await;
            return Err(error.into());
        }
        tracing::info!(version, "the database has a new version");
    }
    Ok(())
}

/// The only number that a statement answers with.
pub(crate) async fn number(
    connection: &mut SqliteConnection,
    sql: &'static str,
) -> Result<i64, sqlx::Error> {
    sqlx::query(sql).fetch_one(connection).await?.try_get(0)
}
