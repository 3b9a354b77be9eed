use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use super::policy::{Host, Policy};

/// How many names the operating system resolves at once. It does so on threads that block, of which
/// the runtime has 512 for everybody: names that never answer must not take them all.
const MAX_LOOKUPS: usize = 128;

/// How many addresses of a name are tried.
const MAX_ADDRESSES: usize = 16;

/// Finds the addresses of a name.
#[async_trait]
pub trait Resolver: Send + Sync + 'static {
    /// The addresses of `name`, the best one first.
    ///
    /// # Errors
    ///
    /// When the name has none, or nobody can be asked.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the operating system, 128 names at once at most.
#[derive(Debug)]
pub struct SystemResolver {
    lookups: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self {
            lookups: Arc::new(Semaphore::new(MAX_LOOKUPS)),
        }
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let lookup = Arc::clone(&self.lookups).acquire_owned().await;
        let lookup = lookup.map_err(io::Error::other)?;
        let name = name.to_owned();
        // The thread goes on when nobody waits any more, and its place is taken until it ends.
        tokio::spawn(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            drop(lookup);
            Ok(found?.map(|address| address.ip()).collect())
        })
        .await
        .map_err(io::Error::other)?
    }
}

/// The addresses of a name, one at least.
pub(super) async fn lookup(resolver: &dyn Resolver, name: &str) -> Result<Vec<IpAddr>, Unresolved> {
    let addresses = resolver.resolve(name).await.map_err(|error| {
        tracing::debug!(%error, "the name of a webhook does not resolve");
        Unresolved(Some(error))
    })?;
    if addresses.is_empty() {
        return Err(Unresolved(None));
    }
    Ok(addresses)
}

/// The name has no address.
#[derive(Debug)]
pub(super) struct Unresolved(Option<io::Error>);

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name does not resolve")
    }
}

impl std::error::Error for Unresolved {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.as_ref().map(|error| error as _)
    }
}

/// What the HTTP client asks for addresses: it gets those that are allowed.
pub(super) struct Checked {
    pub(super) policy: Arc<Policy>,
    pub(super) resolver: Arc<dyn Resolver>,
    /// The proxy's name. Whatever has this name is called through the proxy.
    pub(super) trusted: Option<Host>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = Arc::clone(&self.resolver);
        let policy = Arc::clone(&self.policy);
        let host = Host::name(name.as_str());
        let trusted = self.trusted.as_ref() == Some(&host);
        Box::pin(async move {
            let addresses = lookup(&*resolver, name.as_str()).await?;
            if !trusted {
                policy.permit_all(&host, &addresses)?;
            }
            let addresses = addresses.into_iter().take(MAX_ADDRESSES);
            // The client puts the URL's port in the place of 0.
            let addresses = addresses.map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
