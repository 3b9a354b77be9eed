use std::collections::HashSet;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::policy::{Host, Policy};

/// How many names the operating system resolves at once. It does so on threads that block, of which
/// the runtime has 512 for everybody: names that never answer must not take them all.
const STRANGERS: usize = 128;

/// How many more of those names that resolved the last time.
const KNOWN: usize = 64;

/// How many of these are remembered.
const REMEMBERED: usize = 4096;

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

/// Asks the operating system. 128 names are resolved at once, and 64 more of those that resolved the
/// last time: who registers names that nobody answers for holds up no one else.
#[derive(Clone, Debug)]
pub struct SystemResolver(Arc<Turns>);

impl Default for SystemResolver {
    fn default() -> Self {
        Self(Arc::new(Turns::new(STRANGERS, KNOWN)))
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let turn = self.0.take(name).await?;
        let turns = Arc::clone(&self.0);
        let name = name.to_owned();
        // The thread goes on when nobody waits any more, and its turn does not end before it.
        tokio::spawn(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            drop(turn);
            let addresses = found?.map(|address| address.ip()).collect();
            turns.remember(name);
            Ok(addresses)
        })
        .await
        .map_err(io::Error::other)?
    }
}

/// Who may ask the operating system.
#[derive(Debug)]
struct Turns {
    strangers: Arc<Semaphore>,
    known: Arc<Semaphore>,
    /// Resolved the last time, and not being resolved now.
    names: Mutex<HashSet<String>>,
}

impl Turns {
    fn new(strangers: usize, known: usize) -> Self {
        Self {
            strangers: Arc::new(Semaphore::new(strangers)),
            known: Arc::new(Semaphore::new(known)),
            names: Mutex::default(),
        }
    }

    async fn take(&self, name: &str) -> io::Result<OwnedSemaphorePermit> {
        let known = self.names().remove(name);
        let turns = if known { &self.known } else { &self.strangers };
        let turn = Arc::clone(turns).acquire_owned().await;
        turn.map_err(io::Error::other)
    }

    fn remember(&self, name: String) {
        let mut names = self.names();
        if names.len() >= REMEMBERED {
            names.clear();
        }
        names.insert(name);
    }

    fn names(&self) -> MutexGuard<'_, HashSet<String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn names_that_never_answer_hold_up_no_name_that_did() {
        let turns = Turns::new(1, 1);
        turns.remember("healthy.example".to_owned());
        let _dead = turns.take("dead.example").await.unwrap();
        tokio::select! {
            biased;
            _ = turns.take("other.example") => panic!("one stranger at a time"),
            () = tokio::task::yield_now() => {}
        }
        let healthy = turns.take("healthy.example").await.unwrap();
        drop(healthy);
        turns.remember("healthy.example".to_owned());
        assert!(turns.take("healthy.example").await.is_ok());
        // One that did not resolve this time is a stranger the next time.
        assert!(turns.names().is_empty());
    }

    #[tokio::test]
    async fn the_operating_system_knows_localhost() {
        let resolver = SystemResolver::default();
        for _ in 0..2 {
            let addresses = resolver.resolve("localhost").await.unwrap();
            assert!(addresses.iter().any(IpAddr::is_loopback), "{addresses:?}");
        }
        let names = resolver.0.names().clone();
        assert_eq!(names, HashSet::from(["localhost".to_owned()]));
    }
}
