//! From the settings of the builder to a server whose parts fit together.

use std::sync::Arc;

use a2a_types::card::{self, Severity};
use a2a_types::extensions::{ResendCallers, SafeResends};
use a2a_types::store::Sharing;
use a2a_types::{AgentCapabilities, AgentCard};
use http::HeaderValue;
use tokio::net::ToSocketAddrs;
use tokio::sync::Semaphore;

use super::mounting::mounts;
use super::{ExtendedCardAccess, InputModes, ServerBuilder, Streaming};
use crate::auth::Security;
use crate::card::CardSource;
use crate::codec::{Calls, Layered, Pace, Shared};
use crate::engine::{self, Engine, Threads, Webhooks};
use crate::handler::{AnonymousResends, Callers, ExtendedCard, Handler};
use crate::pipeline::{Capabilities, Clock, Core, Pipeline, SupportedExtensions};
use crate::server::transport::Transport;
use crate::server::{BuildError, ServeError, Server, Settings};

impl ServerBuilder {
    /// Builds the server and serves it; see [`Server::serve`].
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build) and [`Server::serve`].
    pub async fn serve(self, address: impl ToSocketAddrs) -> Result<(), ServeError> {
        self.build()?.serve(address).await
    }

    /// Puts the server together.
    ///
    /// # Errors
    ///
    /// When something is missing or contradicts something else: the error says what, and what to
    /// do about it. A card that promises what the server does not have does not build.
    pub fn build(mut self) -> Result<Server, BuildError> {
        let builder = self.card.take().ok_or_else(|| {
            BuildError::new("an agent needs a card: call `card(AgentCard::builder(…))`")
        })?;
        let public_url = self.public_url.as_deref();
        public_url.map(check_url).transpose()?;
        let given = std::mem::take(&mut self.mounts);
        self.mounts = mounts(given, self.only_mounted, public_url)?;
        if self.store.properties().sharing == Sharing::Shared {
            let joined = self.bus.as_ref().map(|bus| bus.sharing());
            let problem = match joined {
                Some(Sharing::Shared) => None,
                None => Some("set an `event_bus` that joins their servers"),
                Some(_) => Some("the event bus does not reach other processes"),
            };
            if let Some(problem) = problem {
                let problem = format!("the task store is shared between processes: {problem}");
                return Err(BuildError::new(problem));
            }
        }
        if !(1..=100).contains(&self.limits.default_page) {
            return Err(BuildError::new(
                "`Limits::default_page` must be between 1 and 100",
            ));
        }
        let capabilities = Capabilities {
            streaming: self.streaming == Streaming::On,
            push_notifications: self.push_sender.is_some(),
            extended_card: self.declares_extended_card,
        };
        let security = self.authenticator.security();
        let card = CardSource {
            builder,
            capabilities: AgentCapabilities::default()
                .with_streaming(capabilities.streaming)
                .with_push_notifications(capabilities.push_notifications)
                .with_extended_agent_card(capabilities.extended_card)
                .with_extensions(self.safe_resends(&security)),
            security,
            mounts: self.mounts.clone(),
            tenant: std::mem::take(&mut self.tenant),
            base: self
                .public_url
                .clone()
                .map_or_else(Default::default, |url| Arc::new(url.into())),
        };
        // Without a public URL the address is not known yet, but the rest can be checked.
        let base = self.public_url.as_deref().unwrap_or("http://127.0.0.1");
        let public = card.card(base)?;
        self.warn(&public, capabilities);
        let challenges = self.authenticator.challenges();
        let challenges = challenges
            .iter()
            .filter_map(|text| HeaderValue::from_str(text).ok());
        let challenges = challenges.collect();
        let threads = match self.agent_threads {
            None => Threads::shared(),
            Some(count) => Threads::own(count).map_err(|error| {
                BuildError::new(format!("the agent's threads could not be started: {error}"))
            })?,
        };
        #[cfg(feature = "tls")]
        let transport = Transport::new(self.tls.as_ref())?;
        #[cfg(not(feature = "tls"))]
        let transport = Transport::Plain;
        self.check_hsts(&transport)?;
        Ok(self.assemble(card, &public, capabilities, challenges, threads, transport))
    }

    /// Browsers heed the header over HTTPS alone.
    fn check_hsts(&self, transport: &Transport) -> Result<(), BuildError> {
        let secure = match &self.public_url {
            Some(url) => url.to_ascii_lowercase().starts_with("https:"),
            None => transport.scheme() == "https" || !self.proxies.is_empty(),
        };
        if self.hsts.is_none() || secure {
            return Ok(());
        }
        Err(BuildError::new(
            "`strict_transport_security` is for servers that are reached by HTTPS: set an https \
             `public_url`, `tls` or `trusted_proxies`",
        ))
    }

    /// The promise about repeated sends, if there is anybody to whom it can be made.
    fn safe_resends(&self, security: &Security) -> Option<SafeResends> {
        let callers = match self.resends.anonymous {
            AnonymousResends::Recognized => ResendCallers::Everybody,
            _ if security.schemes.is_empty() => return None,
            _ => ResendCallers::Authenticated,
        };
        let offer = SafeResends::new(self.resends.window?, callers);
        (!offer.window.is_zero()).then_some(offer)
    }

    /// Says what will work, but probably not as intended.
    fn warn(&self, card: &AgentCard, capabilities: Capabilities) {
        for finding in card::lint(card) {
            if finding.severity != Severity::Error {
                tracing::warn!(field = finding.field, "agent card: {}", finding.message);
            }
        }
        let unchecked = self.authenticator.security().schemes.is_empty();
        if unchecked && !card.security_requirements.is_empty() {
            tracing::warn!("the card demands security, but no authenticator is set");
        }
        let everybody = self.extended_card_access == ExtendedCardAccess::Everybody;
        if capabilities.extended_card && everybody {
            tracing::warn!("the extended card is served to everybody");
        }
    }

    fn assemble(
        self,
        card: CardSource,
        public: &AgentCard,
        capabilities: Capabilities,
        challenges: Arc<[HeaderValue]>,
        threads: Threads,
        transport: Transport,
    ) -> Server {
        let webhooks = self.push_sender.map(|sender| {
            let configs = Arc::clone(&self.push_configs);
            Webhooks::new(configs, sender, &*self.store, self.limits.webhooks)
        });
        let settings = engine::Settings {
            cancel_grace: self.cancel_grace,
            waiting_messages: self.waiting_messages,
            while_running: self.while_running,
            status_messages: self.status_messages,
            lost_runs: self.lost_runs,
            calendar: self.calendar,
            run_limits: self.run_limits,
            limits: self.limits.clone(),
        };
        let engine = Engine::new(
            self.agent,
            threads,
            self.store,
            webhooks.clone(),
            self.bus,
            settings,
        );
        let engine = Arc::new(engine);
        let callers = match self.extended_card_access {
            ExtendedCardAccess::Authenticated => Callers::Authenticated,
            ExtendedCardAccess::Everybody => Callers::Everybody,
        };
        let extended_card = match (self.extended_card, capabilities.extended_card) {
            (Some(provider), _) => ExtendedCard::Provided(callers, provider),
            (None, true) => ExtendedCard::Unconfigured(callers),
            (None, false) => ExtendedCard::Unsupported,
        };
        let checked = self.input_modes == InputModes::Checked;
        let handler = Handler {
            engine: Arc::clone(&engine),
            webhooks,
            extended_card,
            card: card.clone(),
            limits: self.limits.clone(),
            input_modes: checked.then(|| input_modes(public)),
            resends: self.resends,
            streams: room(self.limits.streams),
        };
        let declared = public.capabilities.iter().flat_map(|c| &c.extensions);
        let required = declared.clone().filter(|extension| extension.required);
        let extensions = SupportedExtensions {
            supported: declared.map(|extension| extension.uri.clone()).collect(),
            required: required.map(|extension| extension.uri.clone()).collect(),
            required_for: self.required_for,
        };
        let pipeline = Pipeline {
            authenticator: self.authenticator,
            authorizer: self.authorizer,
            recheck: self.recheck,
            capabilities,
            extensions,
            tenants: self.tenants,
            limits: self.limits.clone(),
            unversioned: self.unversioned,
            clock: Clock::new(self.limits.request_time),
            handler,
        };
        let core = Core(Arc::new(pipeline));
        let calls = self
            .wraps
            .into_iter()
            .fold(Calls::Plain(core), |calls, wrap| {
                Calls::Layered(wrap(match calls {
                    Calls::Plain(core) => Layered::new(core),
                    Calls::Layered(service) => service,
                }))
            });
        let connections = self.limits.connections;
        let codec = Shared {
            calls,
            limits: self.limits,
            compression: self.compression,
            pace: Pace {
                keep_alive: self.keep_alive,
            },
            challenges,
        };
        let settings = Settings {
            transport,
            public_url: self.public_url,
            card_max_age: self.card_max_age,
            proxies: self.proxies,
            cors: self.cors,
            hsts: self
                .hsts
                .and_then(|age| HeaderValue::from_str(&format!("max-age={}", age.as_secs())).ok()),
            hosts: self.hosts,
            connections: room(connections),
            push_configs: self.push_configs,
            drain: self.drain,
            retention: self.retention,
        };
        Server {
            engine,
            codec: Arc::new(codec),
            card,
            settings: Arc::new(settings),
        }
    }
}

/// The media types that the agent takes: by default, or for one of its skills, whose modes stand in
/// place of the default ones (A2A §4.4.5).
fn input_modes(card: &AgentCard) -> Vec<String> {
    let skills = card.skills.iter().flat_map(|skill| &skill.input_modes);
    card.default_input_modes
        .iter()
        .chain(skills)
        .cloned()
        .collect()
}

/// So many places, to be taken one by one.
fn room(places: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)))
}

fn check_url(url: &str) -> Result<(), BuildError> {
    let uri: Option<http::Uri> = url.parse().ok();
    let good = uri.is_some_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|h| !h.is_empty())
    });
    if good && !url.contains(['?', '#']) {
        return Ok(());
    }
    Err(BuildError::new(format!(
        "`{url}` is no public URL: write scheme and host, such as https://agent.example.com"
    )))
}
