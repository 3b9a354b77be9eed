//! Pages of tasks.
//!
//! The keys of a page come from an index alone; only then the tasks are read. How the index is
//! walked depends on the scope and the filters:
//!
//! | | owner | tenant |
//! | --- | --- | --- |
//! | no filter | the lists of all states, merged | `tasks_by_tenant` |
//! | state | `tasks_by_state` | `tasks_by_tenant`, passing over other states |
//! | context | `tasks_by_context` | `tasks_by_context` of each owner |

use std::cmp::Reverse;
use std::sync::Arc;

use a2a_types::projection::{Artifacts, HistoryLength};
use a2a_types::store::{Cursor, ListQuery, Scope, ScopeKind, StoreError, TaskPage};
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::load::{finish_all, put_together};
use super::purge::ceil;
use crate::draft::{Drafts, artifacts, head, log, messages};
use crate::error::store_error;

// The parameters: $1 tenant, $2 principal, $3 context, $4 state, $5 since, $6 and $7 the cursor,
// $8 how many tasks, $9 how many messages.

const OWNER: &str = "(SELECT key FROM owners WHERE tenant = $1 AND principal = $2)";

/// Every state that a task can be in.
const STATES: std::ops::RangeInclusive<u8> = 0..=8;

/// One page of the tasks that the scope covers.
pub(crate) async fn list(
    connection: &mut SqliteConnection,
    scope: &Scope,
    query: &ListQuery,
) -> Result<TaskPage, StoreError> {
    let (tenant, principal) = crate::sql::limits(scope);
    let size = i64::try_from(query.page_size).unwrap_or(i64::MAX);
    let after = query.after.as_ref();
    let newest = match query.history {
        HistoryLength::AtMost(count) => Some(i64::try_from(count).unwrap_or(i64::MAX)),
        _ => None,
    };
    // The text holds no value of the caller's.
    let rows = sqlx::query(AssertSqlSafe(text(scope, query)))
        .bind(tenant)
        .bind(principal)
        .bind(query.context_id.as_deref())
        .bind(query.status.map(|state| i64::from(state as i32)))
        .bind(query.updated_since.map(ceil))
        .bind(after.map(|after| ceil(after.timestamp)))
        .bind(after.map(|after| after.id.as_str()))
        .bind(size.saturating_add(1))
        .bind(newest)
        .fetch_all(connection)
        .await
        .map_err(store_error)?;
    let drafts = Drafts::read(&rows)?;
    let total = usize::try_from(drafts.total).unwrap_or_default();
    let mut found: Vec<_> = drafts.tasks.into_values().collect();
    found.sort_unstable_by(|a, b| {
        (Reverse(a.time), Reverse(&a.task.id)).cmp(&(Reverse(b.time), Reverse(&b.task.id)))
    });
    let more = found.len() > query.page_size;
    found.truncate(query.page_size);
    let last = found.last().filter(|_| more).map(|draft| Cursor {
        timestamp: a2a_types::Timestamp::from_unix_millis(draft.time),
        id: draft.task.id.clone(),
    });
    let tasks = put_together(drafts.bytes, move || finish_all(found)).await?;
    let tasks = tasks.into_iter().map(Arc::new).collect();
    Ok(TaskPage::new(tasks, last, total))
}

fn text(scope: &Scope, query: &ListQuery) -> String {
    let mut text = format!(
        "WITH page AS MATERIALIZED ({}) {} WHERE t.key IN (SELECT key FROM page)",
        page(scope, query),
        head!()
    );
    match query.history {
        HistoryLength::AtMost(0) => {}
        HistoryLength::AtMost(_) => text.push_str(concat!(
            messages!(),
            "page AS p JOIN messages AS m ON m.task = p.key AND m.position > (SELECT \
             max(n.position) FROM messages AS n WHERE n.task = p.key) - $9"
        )),
        _ => text.push_str(concat!(
            messages!(),
            "page AS p JOIN messages AS m ON m.task = p.key"
        )),
    }
    if query.artifacts == Artifacts::Include {
        text.push_str(concat!(
            artifacts!(),
            "page AS p JOIN artifacts AS a ON a.task = p.key",
            log!(),
            "page AS p JOIN tasks AS t ON t.key = p.key JOIN log AS l ON l.task = t.key \
             AND l.sequence >= t.sequence AND l.revision > t.revision"
        ));
    }
    text.push_str(" UNION ALL SELECT 4, NULL, (");
    text.push_str(&total(scope, query));
    text.push_str("), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL");
    text
}

/// The keys of the page.
fn page(scope: &Scope, query: &ListQuery) -> String {
    let order = "ORDER BY time DESC, id DESC LIMIT $8";
    let mut rest = String::new();
    if query.updated_since.is_some() {
        rest.push_str(" AND time >= $5");
    }
    if query.after.is_some() {
        rest.push_str(" AND (time, id) < ($6, $7)");
    }
    let is_merged = matches!(scope.kind(), ScopeKind::Owner(_))
        && query.context_id.is_none()
        && query.status.is_none();
    if !is_merged {
        let matching = matching(scope, query);
        return format!("SELECT key, time, id FROM tasks WHERE {matching}{rest} {order}");
    }
    let lists: Vec<_> = STATES
        .map(|state| {
            format!(
                "SELECT * FROM (SELECT key, time, id FROM tasks INDEXED BY tasks_by_state \
                 WHERE state = {state} AND owner = {OWNER}{rest} {order})"
            )
        })
        .collect();
    format!("{} {order}", lists.join(" UNION ALL "))
}

/// What holds for the tasks of the list, but for times.
fn matching(scope: &Scope, query: &ListQuery) -> String {
    let owners = match scope.kind() {
        ScopeKind::Owner(_) => format!("owner = {OWNER}"),
        ScopeKind::Tenant(_) if query.context_id.is_none() => "tenant = $1".to_owned(),
        ScopeKind::Tenant(_) => "owner IN (SELECT key FROM owners WHERE tenant = $1)".to_owned(),
        ScopeKind::System if query.context_id.is_none() => "TRUE".to_owned(),
        ScopeKind::System => "owner IN (SELECT key FROM owners)".to_owned(),
    };
    let context = query
        .context_id
        .as_ref()
        .map_or("", |_| " AND context = $3");
    let state = query.status.map_or("", |_| " AND state = $4");
    format!("{owners}{context}{state}")
}

/// How many tasks there are on all pages.
fn total(scope: &Scope, query: &ListQuery) -> String {
    if query.context_id.is_none() && query.updated_since.is_none() {
        let owners = match scope.kind() {
            ScopeKind::Owner(_) => format!("tenant = $1 AND owner = {OWNER}"),
            ScopeKind::Tenant(_) => "tenant = $1".to_owned(),
            ScopeKind::System => "TRUE".to_owned(),
        };
        let state = query.status.map_or("", |_| " AND state = $4");
        return format!("SELECT coalesce(sum(tasks), 0) FROM counts WHERE {owners}{state}");
    }
    let mut matching = matching(scope, query);
    if query.updated_since.is_some() {
        matching.push_str(" AND time >= $5");
    }
    let is_merged = matches!(scope.kind(), ScopeKind::Owner(_))
        && query.context_id.is_none()
        && query.status.is_none();
    if is_merged {
        // Lets the index be sought in, which begins with the state.
        matching.push_str(" AND state IN (0, 1, 2, 3, 4, 5, 6, 7, 8)");
    }
    format!("SELECT count(*) FROM tasks WHERE {matching}")
}
