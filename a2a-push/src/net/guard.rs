use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use reqwest::{Client, ClientBuilder, Proxy, RequestBuilder, Response, Url, redirect, retry};

use super::policy::{Host, Policy, Refusal, Target};
use super::resolve::{Checked, Resolver, SystemResolver, lookup};
use super::tls;

/// How long a registration waits for a name.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// How long making a connection may take. It is shared by the addresses that are tried.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an answer's body is waited for, once its status is known.
const BODY_TIMEOUT: Duration = Duration::from_secs(1);

/// How long an unused connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Posts to addresses that the [`Policy`] allows, and to no other.
///
/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Guard {
    policy: Arc<Policy>,
    resolver: Arc<dyn Resolver>,
    client: Client,
    proxied: bool,
}

impl Guard {
    /// A guard that calls directly and trusts the certificates that the operating system trusts.
    ///
    /// # Errors
    ///
    /// When the HTTP client cannot be set up.
    pub fn new(policy: Policy) -> Result<Self, SetupError> {
        Self::builder(policy).build()
    }

    /// Sets more than the policy.
    pub fn builder(policy: Policy) -> GuardBuilder {
        GuardBuilder {
            policy,
            resolver: Arc::new(SystemResolver::default()),
            proxy: None,
            roots: Vec::new(),
        }
    }

    /// Checks an address at the time when it is registered. A name that does not resolve yet is
    /// accepted: it is checked again for each connection. Waits 5 seconds at most.
    ///
    /// # Errors
    ///
    /// When the policy does not allow the address.
    pub async fn check(&self, url: &str) -> Result<(), Refusal> {
        let target = self.policy.target(url)?;
        let checked = tokio::time::timeout(CHECK_TIMEOUT, self.check_name(&target.host));
        checked.await.unwrap_or(Ok(()))
    }

    /// Posts once: no redirects, no repetition, no proxy but the configured one. All of it, from the
    /// name to the answer, may take as long as `timeout`. Of the answer's body up to `cap` bytes are
    /// read and dropped; the connection of a longer one is closed.
    ///
    /// # Errors
    ///
    /// When there is no answer. Any status is an answer.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
        timeout: Duration,
        cap: usize,
    ) -> Result<Answer, Failure> {
        let target = self.policy.target(url).map_err(Failure::Refused)?;
        let request = self.client.post(target.url.clone());
        let request = request.headers(headers).body(body);
        let mut response = self.send(&target, request, timeout).await?;
        let answer = Answer {
            status: response.status(),
            headers: std::mem::take(response.headers_mut()),
        };
        // The status decides, whatever becomes of the body. Reading it lets the connection serve
        // the next notification.
        let drained = async {
            let mut left = cap;
            while let Ok(Some(chunk)) = response.chunk().await {
                let Some(rest) = left.checked_sub(chunk.len()) else {
                    break;
                };
                left = rest;
            }
        };
        let _ = tokio::time::timeout(BODY_TIMEOUT, drained).await;
        Ok(answer)
    }

    /// Gets up to `cap` bytes, and `None` when there is no document of that size at the address.
    #[cfg(feature = "receiver")]
    pub(crate) async fn fetch(
        &self,
        url: &str,
        timeout: Duration,
        cap: usize,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let target = self.policy.target(url).map_err(Failure::Refused)?;
        let request = self.client.get(target.url.clone()).timeout(timeout);
        let mut response = self.send(&target, request, timeout).await?;
        if response.status() != StatusCode::OK {
            return Ok(None);
        }
        let mut document = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(Failure::of)? {
            if chunk.len() > cap - document.len() {
                return Ok(None);
            }
            document.extend_from_slice(&chunk);
        }
        Ok(Some(document))
    }

    async fn send(
        &self,
        target: &Target,
        request: RequestBuilder,
        timeout: Duration,
    ) -> Result<Response, Failure> {
        let sent = async {
            if self.proxied {
                // The client resolves the proxy's name alone. What the proxy connects to is its own
                // affair; what can be seen from here is refused here.
                let checked = self.check_name(&target.host).await;
                checked.map_err(Failure::Refused)?;
            }
            request.send().await.map_err(Failure::of)
        };
        let sent = tokio::time::timeout(timeout, sent).await;
        sent.map_err(|_| Failure::Timeout)?
    }

    /// A name that does not resolve leads nowhere.
    async fn check_name(&self, host: &Host) -> Result<(), Refusal> {
        let Host::Name(name) = host else {
            return Ok(());
        };
        match lookup(&*self.resolver, name).await {
            Ok(addresses) => self.policy.permit_all(host, &addresses),
            Err(_) => Ok(()),
        }
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("policy", &self.policy)
            .field("proxied", &self.proxied)
            .finish_non_exhaustive()
    }
}

/// See [`Guard::builder`].
#[must_use]
pub struct GuardBuilder {
    policy: Policy,
    resolver: Arc<dyn Resolver>,
    proxy: Option<String>,
    roots: Vec<Vec<u8>>,
}

impl GuardBuilder {
    /// Resolves names by something else than the operating system.
    pub fn with_resolver(mut self, resolver: impl Resolver) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Calls everything through this HTTP proxy (`http://proxy.internal:3128`). Proxies named in the
    /// environment are never used.
    ///
    /// The proxy resolves the names, and a name may mean something else to it than to us. It must
    /// refuse the addresses itself that it must not reach; the check here is a second one.
    pub fn with_proxy(mut self, url: impl Into<String>) -> Self {
        self.proxy = Some(url.into());
        self
    }

    /// Trusts these certificates too, one or more in PEM.
    pub fn with_root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.roots.push(pem.into());
        self
    }

    /// Makes the guard.
    ///
    /// # Errors
    ///
    /// When the proxy's address or a certificate cannot be read, or TLS cannot be set up.
    pub fn build(self) -> Result<Guard, SetupError> {
        self.build_with(|client| client)
    }

    /// Lets a test stand in the way of every connection.
    pub(super) fn build_with(
        self,
        adjust: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Result<Guard, SetupError> {
        let policy = Arc::new(self.policy);
        let proxy = self.proxy.as_deref().map(read_proxy).transpose()?;
        let proxied = proxy.is_some();
        let (proxy, proxy_name) = proxy.unzip();
        let checked = Checked {
            policy: Arc::clone(&policy),
            resolver: Arc::clone(&self.resolver),
            trusted: proxy_name.flatten(),
        };
        let mut client = Client::builder()
            // The tree may have been built with more features of the client than are wanted here.
            .no_proxy()
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .http1_only()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(checked)
            .tls_backend_preconfigured(tls::config(&self.roots)?);
        if let Some(proxy) = proxy {
            client = client.proxy(proxy);
        }
        let client = adjust(client)
            .build()
            .map_err(|error| SetupError::new("cannot set up the HTTP client", error))?;
        Ok(Guard {
            policy,
            resolver: self.resolver,
            client,
            proxied,
        })
    }
}

/// The proxy, and its name if that has to be resolved. It may stand in a private network.
fn read_proxy(url: &str) -> Result<(Proxy, Option<Host>), SetupError> {
    // The address may hold a password, so that no cause is kept that would show it.
    let unreadable = || SetupError {
        message: "cannot read the address of the proxy",
        source: None,
    };
    let proxy = Proxy::all(url).map_err(|_| unreadable())?;
    let url = Url::parse(url).map_err(|_| unreadable())?;
    Ok((proxy, url.domain().map(Host::name)))
}

/// What a receiver answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// Any status: it is not followed, and it is no failure here.
    pub status: StatusCode,
    /// The answer's headers.
    pub headers: HeaderMap,
}

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The policy does not allow the address. Nothing was sent.
    Refused(Refusal),
    /// There was no answer in time.
    Timeout,
    /// The name did not resolve, the connection failed, or it broke.
    Network(Box<dyn StdError + Send + Sync>),
}

impl Failure {
    fn of(error: reqwest::Error) -> Self {
        let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
        while let Some(error) = cause {
            if let Some(refusal) = error.downcast_ref::<Refusal>() {
                return Self::Refused(*refusal);
            }
            cause = error.source();
        }
        if error.is_timeout() {
            return Self::Timeout;
        }
        // The address may hold a secret.
        Self::Network(error.without_url().into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "the address {refusal}"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::Network(_) => f.write_str("the receiver cannot be reached"),
        }
    }
}

impl StdError for Failure {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Timeout => None,
            Self::Network(error) => Some(&**error),
        }
    }
}

/// The HTTP client cannot be set up as configured.
#[derive(Debug)]
pub struct SetupError {
    message: &'static str,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl SetupError {
    pub(super) fn new(
        message: &'static str,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self {
            message,
            source: Some(source.into()),
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl StdError for SetupError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
