//! SQL texts, and what they have in common.
//!
//! Parameters are named `$1`, `$2` and so on, never `?1`: a text may hold several statements that
//! share their parameters, and sqlx binds those of a later statement right only by name.

use a2a_types::store::{Scope, ScopeKind};

/// The statements of a job that needs no others.
#[derive(Clone, Copy)]
pub(crate) struct Sql {
    /// As a transaction of their own: one trip to the thread of the connection.
    pub(crate) alone: &'static str,
    /// Inside a transaction that others share.
    pub(crate) together: &'static str,
}

/// Makes an [`Sql`] of literals.
macro_rules! sql {
    ($($part:expr),+ $(,)?) => {
        $crate::sql::Sql {
            alone: concat!("BEGIN IMMEDIATE;", $($part,)+ ";COMMIT"),
            together: concat!($($part),+),
        }
    };
}

/// Whether the task `t` has the id `$1` and lies in the scope: tenant `$2`, principal `$3`.
macro_rules! visible {
    () => {
        "t.id = $1 AND ($2 IS NULL OR t.tenant = $2) AND ($3 IS NULL OR t.owner = \
         (SELECT o.key FROM owners AS o WHERE o.tenant = $2 AND o.principal = $3))"
    };
}

/// How many entries the log of the task `t` has had.
macro_rules! current {
    () => {
        "coalesce((SELECT l.revision FROM log AS l WHERE l.task = t.key \
         ORDER BY l.sequence DESC, l.revision DESC LIMIT 1), t.revision)"
    };
}

pub(crate) use {current, sql, visible};

/// The tenant and the principal of a scope as [`visible!`] wants them.
pub(crate) fn limits(scope: &Scope) -> (Option<&str>, Option<&str>) {
    match scope.kind() {
        ScopeKind::Owner(owner) => (Some(owner.tenant()), Some(owner.principal())),
        ScopeKind::Tenant(tenant) => (Some(tenant), None),
        ScopeKind::System => (None, None),
    }
}
