//! Who calls, and what they may do.
//!
//! An [`Authenticator`] turns the credentials of a request into a [`Principal`], before anything
//! else of the request is looked at (A2A §7.4). An [`Authorizer`] then says what that principal
//! can see; by default that is what it owns (A2A §13.1).
//!
//! Fixed secrets are built in, [`StaticBearer`] and [`ApiKeys`]; anything else implements the trait.
//! The agent card declares what the authenticator says.

mod anonymous;
mod api_keys;
mod authorizer;
mod bearer;
mod certificates;
mod principal;
mod secrets;

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;

use a2a_types::{A2aError, SecurityRequirement, SecurityScheme};
use async_trait::async_trait;
use http::HeaderMap;

use crate::context::Names;

pub use anonymous::Anonymous;
pub use api_keys::ApiKeys;
pub(crate) use authorizer::owner;
pub use authorizer::{Access, Authorizer, Ownership};
pub use bearer::StaticBearer;
pub use certificates::PeerCertificates;
pub use principal::Principal;

/// Finds out who makes a call.
///
/// It is asked for every request, so that credentials can be rotated and revoked (A2A §13.4).
#[async_trait]
pub trait Authenticator: Send + Sync + 'static {
    /// The principal behind the credentials.
    ///
    /// # Errors
    ///
    /// [`A2aError::unauthenticated`] when credentials are missing or wrong. The text must not tell
    /// which part was wrong.
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError>;

    /// What the agent card declares for this authenticator.
    fn security(&self) -> Security;

    /// The `WWW-Authenticate` values of a refusal, one a usable scheme.
    fn challenges(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Where the credentials of a request can be. Its `Debug` output holds none of them.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Credentials<'a> {
    /// The headers (over gRPC: metadata).
    pub headers: &'a HeaderMap,
    /// The query string, without the `?`.
    pub query: &'a str,
    /// The address of the peer, when the transport knows it.
    pub peer: Option<SocketAddr>,
    /// The certificates of the peer, when it has shown one that the server accepts.
    pub certificates: Option<&'a PeerCertificates>,
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("headers", &Names(self.headers))
            .field("peer", &self.peer)
            .finish_non_exhaustive()
    }
}

/// The security part of an agent card (A2A §4.5).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Security {
    /// The schemes by name.
    pub schemes: BTreeMap<String, SecurityScheme>,
    /// The alternatives, of which a request must meet one.
    pub requirements: Vec<SecurityRequirement>,
}

impl Security {
    /// These schemes and alternatives.
    pub fn new(
        schemes: BTreeMap<String, SecurityScheme>,
        requirements: Vec<SecurityRequirement>,
    ) -> Self {
        Self {
            schemes,
            requirements,
        }
    }
}
