//! Everything about a client that can be different.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use a2a_types::{AgentCard, AgentInterface};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;

use crate::auth::CredentialsProvider;
use crate::card::{CardCache, InternalUrls, Preferences};
use crate::connect::Connect;
use crate::session::CapabilityChecks;
use crate::transport::{
    AnyTransport, DEFAULT_MAX_MESSAGE_SIZE, RequestType, SubscribeVerb, Transport,
};
use crate::{Client, Error, Failure, Interceptor, RetryPolicy};

/// The part of the configuration that a client keeps.
pub(crate) struct Config {
    pub(crate) timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) max_message_size: usize,
    pub(crate) retry: RetryPolicy,
    pub(crate) headers: HeaderMap,
    pub(crate) extensions: Vec<String>,
    pub(crate) interceptors: Vec<Arc<dyn Interceptor>>,
    pub(crate) providers: Vec<Arc<dyn CredentialsProvider>>,
    pub(crate) trusted_origins: Vec<Url>,
    pub(crate) plain_http: bool,
    pub(crate) capability_checks: CapabilityChecks,
    pub(crate) cache: CardCache,
    pub(crate) card_at_origin: bool,
    pub(crate) preferences: Preferences,
    pub(crate) subscribe_verb: SubscribeVerb,
    pub(crate) request_type: RequestType,
    pub(crate) transports: BTreeMap<String, MakeTransport>,
}

type MakeTransport = Box<dyn Fn(&AgentInterface) -> Result<AnyTransport, Error> + Send + Sync>;

/// A client in the making; see [`Client::builder`].
#[must_use = "a builder does nothing until it connects"]
pub struct ClientBuilder {
    config: Config,
    connect: Connect,
    http: Option<reqwest::Client>,
    /// The first thing that was wrong.
    error: Option<Error>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            config: Config {
                timeout: Duration::from_secs(60),
                idle_timeout: Duration::from_secs(300),
                max_message_size: DEFAULT_MAX_MESSAGE_SIZE,
                retry: RetryPolicy::default(),
                headers: HeaderMap::new(),
                extensions: Vec::new(),
                interceptors: Vec::new(),
                providers: Vec::new(),
                trusted_origins: Vec::new(),
                plain_http: false,
                capability_checks: CapabilityChecks::On,
                cache: CardCache::new(),
                card_at_origin: true,
                preferences: Preferences::default(),
                subscribe_verb: SubscribeVerb::default(),
                request_type: RequestType::default(),
                transports: BTreeMap::new(),
            },
            connect: Connect::default(),
            http: None,
            error: None,
        }
    }
}

/// The agent.
impl ClientBuilder {
    /// Gets the card of the agent at this address, and makes a client for it.
    ///
    /// The address is that of a card, or a base address: then the card is looked for at
    /// `<address>/.well-known/agent-card.json`, at the address itself and, unless
    /// [told otherwise](Self::without_card_of_host), at `/.well-known/agent-card.json` of the host.
    ///
    /// # Errors
    ///
    /// [`Failure::Card`] when there is no card, or none that names an interface which this client
    /// can call; [`Failure::Transport`] and [`Failure::Timeout`] when the host cannot be reached;
    /// [`Failure::Request`] when something given to the builder, or the address, is wrong.
    pub async fn connect(self, address: &str) -> Result<Client, Error> {
        let url: Url = address.trim().parse().map_err(|error| {
            let message = format!("{address:?} is no address; write https://…");
            Error::new(Failure::Request, message).with_source(error)
        })?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            let message = format!("{address:?} is no address of http or https");
            return Err(Error::new(Failure::Request, message));
        }
        let (config, http) = self.finish()?;
        Client::discover(config, http, url).await
    }

    /// Makes a client for the agent with this card. Credentials go to every interface in it.
    ///
    /// # Errors
    ///
    /// [`Failure::Card`] when the card names no interface which this client can call;
    /// [`Failure::Request`] when something given to the builder is wrong.
    pub fn from_card(self, card: AgentCard) -> Result<Client, Error> {
        let (config, http) = self.finish()?;
        Client::with_card(config, http, card)
    }

    fn finish(self) -> Result<(Config, reqwest::Client), Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let http = match self.http {
            Some(http) => http,
            None => self.connect.client()?,
        };
        Ok((self.config, http))
    }
}

/// The interface.
impl ClientBuilder {
    /// Uses only these bindings, the first that the card offers: `JSONRPC`, `HTTP+JSON`, or that of
    /// a transport that was [added](Self::with_transport). Without this the card decides.
    pub fn with_bindings(mut self, bindings: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.config.preferences.bindings = bindings.into_iter().map(Into::into).collect();
        self
    }

    /// Adds, or replaces, the transport for a binding. `make` is called once for each interface of
    /// that binding; one for which it gives an error of [`Failure::Card`] is passed over.
    pub fn with_transport<T: Transport>(
        mut self,
        binding: impl Into<String>,
        make: impl Fn(&AgentInterface) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Self {
        let make = move |interface: &AgentInterface| make(interface).map(AnyTransport::new);
        self.config
            .transports
            .insert(binding.into(), Box::new(make));
        self
    }

    /// Sets what becomes of internal addresses in the card of an agent elsewhere.
    pub fn with_internal_urls(mut self, internal_urls: InternalUrls) -> Self {
        self.config.preferences.internal_urls = internal_urls;
        self
    }

    /// Sets the verb with which a subscription over HTTP+JSON is tried first.
    pub fn with_subscribe_verb(mut self, verb: SubscribeVerb) -> Self {
        self.config.subscribe_verb = verb;
        self
    }

    /// Sets the content type with which a request over HTTP+JSON is tried first.
    pub fn with_request_type(mut self, request_type: RequestType) -> Self {
        self.config.request_type = request_type;
        self
    }

    /// Sends also what the card does not offer (streaming, webhooks, the extended card), for agents
    /// whose card says less than they do. By default such a call is refused here.
    pub fn without_capability_checks(mut self) -> Self {
        self.config.capability_checks = CapabilityChecks::Off;
        self
    }

    /// Uses this cache, which other clients may share. By default each client has its own.
    pub fn with_card_cache(mut self, cache: CardCache) -> Self {
        self.config.cache = cache;
        self
    }

    /// Does not take the card at the root of the host for that of an agent under a path.
    pub fn without_card_of_host(mut self) -> Self {
        self.config.card_at_origin = false;
        self
    }
}

/// Limits.
impl ClientBuilder {
    /// Sets how long a connection may take to be made. Default 10 s. Not for a client that was
    /// [given](Self::with_http_client).
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect.timeout = timeout;
        self
    }

    /// Sets how long a call may take, repetitions included, if the agent is not expected to work
    /// meanwhile. Default 60 s. A call can have its own.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.config.timeout = timeout;
        self
    }

    /// Sets how long an agent at work may be silent: before it answers a message, before a stream
    /// begins, and between any two bytes of a stream. Default 5 min. A call can have its own.
    pub fn with_idle_timeout(mut self, timeout: Duration) -> Self {
        self.config.idle_timeout = timeout;
        self
    }

    /// Sets the largest answer, and the largest event of a stream, in bytes of JSON. Default 96 MiB,
    /// in which a file of 64 MiB fits.
    pub fn with_max_message_size(mut self, bytes: usize) -> Self {
        self.config.max_message_size = bytes;
        self
    }

    /// Sets how often calls are repeated.
    pub fn with_retry(mut self, policy: RetryPolicy) -> Self {
        self.config.retry = policy;
        self
    }
}

/// What is sent along.
impl ClientBuilder {
    /// Sends a header with every request, that for the card included. A secret should be
    /// [sensitive](HeaderValue::set_sensitive): then it is not printed, and goes only where
    /// credentials go, like `Authorization` and `Cookie`.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.config.headers.insert(name, value);
        self
    }

    /// Declares an extension with every request.
    pub fn with_extension(mut self, uri: impl Into<String>) -> Self {
        self.config.extensions.push(uri.into());
        self
    }

    /// Adds an interceptor.
    pub fn with_interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.config.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Adds credentials. Of several that fit, the first are used.
    pub fn with_credentials(mut self, provider: impl CredentialsProvider) -> Self {
        self.config.providers.push(Arc::new(provider));
        self
    }

    /// Lets credentials go to another origin than that of the address with which the client is
    /// made, such as `https://api.example.com`.
    pub fn with_trusted_origin(mut self, origin: &str) -> Self {
        match Url::parse(origin) {
            Ok(url) if url.has_host() => self.config.trusted_origins.push(url),
            _ => {
                let message = format!("{origin:?} is no origin; write https://host");
                self.error
                    .get_or_insert(Error::new(Failure::Request, message));
            }
        }
        self
    }

    /// Lets credentials go over plain `http` to other machines, where everybody between can read
    /// them.
    pub fn with_credentials_over_plain_http(mut self) -> Self {
        self.config.plain_http = true;
        self
    }

    /// Trusts these certificates, in PEM, beside those of the system.
    ///
    /// Needs the feature `rustls`. Not for a client that was [given](Self::with_http_client).
    pub fn with_root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.connect.roots.push(pem.into());
        self
    }

    /// Uses this HTTP client, for proxies, client certificates and the like. It should not follow
    /// redirects.
    pub fn with_http_client(mut self, client: reqwest::Client) -> Self {
        self.http = Some(client);
        self
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").finish_non_exhaustive()
    }
}
