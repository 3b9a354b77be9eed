use std::fmt;
use std::sync::Arc;

/// Who a task belongs to: one principal in one tenant.
///
/// The same principal in another tenant is another owner. Anonymous callers share the principal
/// `""`, that is one owner per tenant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner {
    tenant: Arc<str>,
    principal: Arc<str>,
}

impl Owner {
    /// The owner `principal` in `tenant` (`""` when the agent has no tenants).
    pub fn new(tenant: impl Into<Arc<str>>, principal: impl Into<Arc<str>>) -> Self {
        Self {
            tenant: tenant.into(),
            principal: principal.into(),
        }
    }

    /// The routing value of the agent interface; empty without tenants.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The stable identity of the caller; empty for anonymous callers.
    pub fn principal(&self) -> &str {
        &self.principal
    }
}

/// On whose behalf a store is asked.
///
/// Only the engine makes a scope that covers everything; a call that came from outside always has
/// an owner or, when the installed authorizer says so, a whole tenant.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Scope(Inner);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Inner {
    Owner(Owner),
    Tenant(Arc<str>),
    System,
}

impl Scope {
    /// What one owner can see.
    pub fn owner(owner: Owner) -> Self {
        Self(Inner::Owner(owner))
    }

    /// What all owners of one tenant can see together.
    pub fn tenant(tenant: impl Into<Arc<str>>) -> Self {
        Self(Inner::Tenant(tenant.into()))
    }

    /// Everything. For the engine's recovery, expiry and delivery; never for a call from outside.
    #[doc(hidden)]
    pub fn __system() -> Self {
        Self(Inner::System)
    }

    /// The parts of the scope, for a store that turns it into a query.
    pub fn kind(&self) -> ScopeKind<'_> {
        match &self.0 {
            Inner::Owner(owner) => ScopeKind::Owner(owner),
            Inner::Tenant(tenant) => ScopeKind::Tenant(tenant),
            Inner::System => ScopeKind::System,
        }
    }

    /// Whether what belongs to `owner` lies inside the scope.
    pub fn covers(&self, owner: &Owner) -> bool {
        match &self.0 {
            Inner::Owner(own) => own == owner,
            Inner::Tenant(tenant) => **tenant == *owner.tenant,
            Inner::System => true,
        }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

/// What a [`Scope`] covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a store must handle every kind of scope"
)]
pub enum ScopeKind<'a> {
    /// What belongs to this owner.
    Owner(&'a Owner),
    /// What belongs to any owner of this tenant.
    Tenant(&'a str),
    /// Everything.
    System,
}
