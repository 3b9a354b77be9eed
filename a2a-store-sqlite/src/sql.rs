//! SQL texts, and what they have in common.
//!
//! Parameters are named `$1`, `$2` and so on.

use a2a_types::store::{Scope, ScopeKind};

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

pub(crate) use {current, visible};

/// The tenant and the principal of a scope as [`visible!`] wants them.
pub(crate) fn limits(scope: &Scope) -> (Option<&str>, Option<&str>) {
    match scope.kind() {
        ScopeKind::Owner(owner) => (Some(owner.tenant()), Some(owner.principal())),
        ScopeKind::Tenant(tenant) => (Some(tenant), None),
        ScopeKind::System => (None, None),
    }
}
