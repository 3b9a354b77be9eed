mod assemble;
mod choices;
mod mounting;

use std::collections::HashSet;
use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use a2a_types::A2aError;
use a2a_types::card::AgentCardBuilder;
use a2a_types::push::PushSender;
use a2a_types::store::{EventBus, PushConfigStore, TaskStore};
use ipnet::IpNet;
use tower::{Layer, Service as TowerService};

pub use choices::{ExtendedCardAccess, InputModes, Streaming};

use super::Cors;
use super::mount::Mount;
use crate::agent::{Agent, DynAgent};
use crate::auth::{Anonymous, Authenticator, Authorizer, Ownership};
use crate::codec::{Compression, Layered};
use crate::context::CallContext;
use crate::engine::{Calendar, LostRuns, RunLimits, StatusMessages, WhileRunning};
use crate::handler::{AnonymousResends, CardProvider, Resends};
use crate::limits::Limits;
use crate::pipeline::{Incoming, Reply, RequiredFor, Unversioned};
use crate::store::{MemoryPushConfigStore, MemoryTaskStore};

type Wrap = Box<dyn FnOnce(Layered) -> Layered + Send>;

/// A server in the making; see [`Server::builder`](super::Server::builder).
#[must_use = "a builder does nothing before `build` or `serve`"]
pub struct ServerBuilder {
    agent: Arc<dyn DynAgent>,
    card: Option<AgentCardBuilder>,
    mounts: Vec<Mount>,
    only_mounted: bool,
    #[cfg(feature = "tls")]
    tls: Option<super::Tls>,
    public_url: Option<String>,
    tenant: String,
    authenticator: Arc<dyn Authenticator>,
    authorizer: Arc<dyn Authorizer>,
    recheck: Option<Duration>,
    store: Arc<dyn TaskStore>,
    push_configs: Arc<dyn PushConfigStore>,
    bus: Option<Arc<dyn EventBus>>,
    push_sender: Option<Arc<dyn PushSender>>,
    extended_card: Option<CardProvider>,
    declares_extended_card: bool,
    extended_card_access: ExtendedCardAccess,
    streaming: Streaming,
    limits: Limits,
    tenants: Option<HashSet<String>>,
    required_for: RequiredFor,
    unversioned: Unversioned,
    input_modes: InputModes,
    resends: Resends,
    keep_alive: Duration,
    cancel_grace: Duration,
    waiting_messages: usize,
    while_running: WhileRunning,
    status_messages: StatusMessages,
    lost_runs: LostRuns,
    agent_threads: Option<NonZeroUsize>,
    calendar: Calendar,
    run_limits: RunLimits,
    retention: Option<Duration>,
    drain: Duration,
    card_max_age: Duration,
    cors: Option<Cors>,
    hsts: Option<Duration>,
    hosts: Vec<String>,
    proxies: Vec<IpNet>,
    compression: Compression,
    wraps: Vec<Wrap>,
}

impl ServerBuilder {
    pub(super) fn new<A: Agent>(agent: A) -> Self {
        let day = Duration::from_secs(24 * 60 * 60);
        Self {
            agent: Arc::new(agent),
            card: None,
            mounts: Vec::new(),
            only_mounted: false,
            #[cfg(feature = "tls")]
            tls: None,
            public_url: None,
            tenant: String::new(),
            authenticator: Arc::new(Anonymous),
            authorizer: Arc::new(Ownership),
            recheck: None,
            store: Arc::new(MemoryTaskStore::new()),
            push_configs: Arc::new(MemoryPushConfigStore::new()),
            bus: None,
            push_sender: None,
            extended_card: None,
            declares_extended_card: false,
            extended_card_access: ExtendedCardAccess::default(),
            streaming: Streaming::default(),
            limits: Limits::default(),
            tenants: None,
            required_for: RequiredFor::default(),
            unversioned: Unversioned::default(),
            input_modes: InputModes::default(),
            resends: Resends {
                window: Some(day),
                anonymous: AnonymousResends::default(),
            },
            keep_alive: Duration::from_secs(15),
            cancel_grace: Duration::from_secs(5),
            waiting_messages: 16,
            while_running: WhileRunning::default(),
            status_messages: StatusMessages::default(),
            lost_runs: LostRuns::default(),
            agent_threads: None,
            calendar: Calendar::default(),
            run_limits: RunLimits::default(),
            retention: None,
            drain: Duration::from_secs(30),
            card_max_age: Duration::from_secs(300),
            cors: None,
            hsts: None,
            hosts: Vec::new(),
            proxies: Vec::new(),
            compression: Compression::default(),
            wraps: Vec::new(),
        }
    }

    /// What the agent says about itself. Interfaces, capabilities and security are added from
    /// what is mounted and configured.
    pub fn card(self, card: AgentCardBuilder) -> Self {
        Self {
            card: Some(card),
            ..self
        }
    }

    /// The URL under which clients reach the server, as the card tells it. By default the address
    /// that [`Server::serve`](super::Server::serve) binds.
    pub fn public_url(self, url: impl Into<String>) -> Self {
        Self {
            public_url: Some(url.into()),
            ..self
        }
    }

    /// The tenant that the card asks its readers to send with every request (A2A §8.3.2).
    pub fn tenant(self, tenant: impl Into<String>) -> Self {
        Self {
            tenant: tenant.into(),
            ..self
        }
    }

    /// The tenants that exist; any other is refused as not found. By default every value is taken.
    pub fn tenants(self, tenants: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            tenants: Some(tenants.into_iter().map(Into::into).collect()),
            ..self
        }
    }

    /// Who finds out who calls. Default: nobody, all callers are anonymous.
    pub fn authenticator(self, authenticator: impl Authenticator) -> Self {
        Self {
            authenticator: Arc::new(authenticator),
            ..self
        }
    }

    /// How often the credentials of an open stream are looked at again, besides when they
    /// [expire](crate::auth::Principal::with_expiry): the authenticator is asked once more, and
    /// when it refuses them the stream ends with its error (A2A §13.4). Default: only when they
    /// expire; zero means that, too.
    pub fn recheck_streams(self, every: Duration) -> Self {
        Self {
            recheck: Some(every).filter(|every| !every.is_zero()),
            ..self
        }
    }

    /// Who says what callers may do. Default: everybody may do everything with what they own.
    pub fn authorizer(self, authorizer: impl Authorizer) -> Self {
        Self {
            authorizer: Arc::new(authorizer),
            ..self
        }
    }

    /// Where tasks are kept. Default: in memory.
    pub fn task_store(self, store: Arc<dyn TaskStore>) -> Self {
        Self { store, ..self }
    }

    /// Where webhook registrations are kept. Default: in memory.
    pub fn push_config_store(self, store: Arc<dyn PushConfigStore>) -> Self {
        Self {
            push_configs: store,
            ..self
        }
    }

    /// Joins this server with others that keep their tasks in the same store, so that a task which
    /// one of them runs can be read and subscribed to at each. Messages, cancellations and new
    /// webhooks are taken by the server that runs the task, or by any when nothing runs; others
    /// answer that they are unavailable for a moment. Default: there are no other servers.
    pub fn event_bus(self, bus: Arc<dyn EventBus>) -> Self {
        Self {
            bus: Some(bus),
            ..self
        }
    }

    /// Who calls webhooks. Without one the card declares no push notifications, and their
    /// operations are refused.
    pub fn push_sender(self, sender: Arc<dyn PushSender>) -> Self {
        Self {
            push_sender: Some(sender),
            ..self
        }
    }

    /// Begins the extended card for each caller, and declares in the public card that there is one.
    /// Interfaces, capabilities and security are added as in the public card.
    pub fn extended_card<F, T>(self, provider: F) -> Self
    where
        F: Fn(Arc<CallContext>) -> T + Send + Sync + 'static,
        T: Future<Output = Result<AgentCardBuilder, A2aError>> + Send + 'static,
    {
        let provider: CardProvider = Arc::new(move |context| Box::pin(provider(context)));
        Self {
            extended_card: Some(provider),
            declares_extended_card: true,
            ..self
        }
    }

    /// Declares an extended card that is not set up yet: authenticated callers get
    /// `ExtendedAgentCardNotConfiguredError`.
    pub fn declare_extended_card(self) -> Self {
        Self {
            declares_extended_card: true,
            ..self
        }
    }

    /// Who may read the extended card.
    pub fn extended_card_access(self, access: ExtendedCardAccess) -> Self {
        Self {
            extended_card_access: access,
            ..self
        }
    }

    /// Whether the server streams.
    pub fn streaming(self, streaming: Streaming) -> Self {
        Self { streaming, ..self }
    }

    /// What one call, one task and one server may use up.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The operations that need the extensions which the card marks as required.
    pub fn required_extensions_for(self, required_for: RequiredFor) -> Self {
        Self {
            required_for,
            ..self
        }
    }

    /// What a request without a version asks for.
    pub fn unversioned(self, unversioned: Unversioned) -> Self {
        Self {
            unversioned,
            ..self
        }
    }

    /// Whether the media types of parts are checked against the card.
    pub fn input_modes(self, input_modes: InputModes) -> Self {
        Self {
            input_modes,
            ..self
        }
    }

    /// For how long a repeated send of an authenticated caller joins the task that the first one
    /// made. Default: 24 hours; zero switches it off.
    ///
    /// The card tells it by an [extension](a2a_types::extensions::SafeResends) when there is an
    /// authenticator, so that clients know when they may repeat a send.
    pub fn resend_window(mut self, window: Duration) -> Self {
        self.resends.window = Some(window).filter(|window| !window.is_zero());
        self
    }

    /// Whether that holds for anonymous callers, too.
    pub fn anonymous_resends(mut self, anonymous: AnonymousResends) -> Self {
        self.resends.anonymous = anonymous;
        self
    }

    /// After how long without an event a stream shows that it is alive. Default: 15 seconds.
    pub fn keep_alive(self, keep_alive: Duration) -> Self {
        Self { keep_alive, ..self }
    }

    /// How long an agent that watches for cancellation may take. Default: 5 seconds.
    pub fn cancel_grace(self, grace: Duration) -> Self {
        Self {
            cancel_grace: grace,
            ..self
        }
    }

    /// How many messages may wait for a running task. Default: 16.
    pub fn waiting_messages(self, count: usize) -> Self {
        Self {
            waiting_messages: count,
            ..self
        }
    }

    /// What happens to a message for a task that is being worked on.
    pub fn while_running(self, while_running: WhileRunning) -> Self {
        Self {
            while_running,
            ..self
        }
    }

    /// What the history keeps of the messages that come with the status WORKING.
    pub fn status_messages(self, status_messages: StatusMessages) -> Self {
        Self {
            status_messages,
            ..self
        }
    }

    /// What happens to tasks that an earlier process left at work. Matters with a store that
    /// outlives the process.
    pub fn lost_runs(self, lost_runs: LostRuns) -> Self {
        Self { lost_runs, ..self }
    }

    /// Runs the agent on so many threads of its own; 0 runs it among everything else, which is the
    /// default and the fastest.
    ///
    /// For agents that block their thread. By default each of them takes away one worker thread
    /// of the Tokio runtime that serves, and the others take over, which a thread named
    /// `a2a-lookout` sees to; while all are taken, nothing is served at all. With
    /// threads of their own they can keep only other runs of the agent waiting: calls, streams,
    /// cancellation and shutdown go on, and a blocked thread is free again when its code gives
    /// way. Prefer `tokio::task::spawn_blocking` inside the agent where that is possible.
    pub fn agent_threads(self, count: usize) -> Self {
        Self {
            agent_threads: NonZeroUsize::new(count),
            ..self
        }
    }

    /// Lets the time of the server's timestamps begin now at `start` and pass by the clock of the
    /// runtime, which a test can stop and move. Needs a runtime; see [`testkit`](crate::testkit).
    #[cfg(feature = "testkit")]
    pub fn timestamps_from(self, start: a2a_types::Timestamp) -> Self {
        let since = tokio::time::Instant::now();
        Self {
            calendar: Calendar::Runtime { start, since },
            ..self
        }
    }

    /// How long an agent may stay silent before its task is failed; time that the task waits for
    /// its client does not count. Default: any time.
    pub fn run_idle_limit(mut self, limit: Duration) -> Self {
        self.run_limits.idle = Some(limit);
        self
    }

    /// How long an agent may work on one message before the task is failed; time that the task
    /// waits for its client does not count. Default: any time.
    pub fn run_limit(mut self, limit: Duration) -> Self {
        self.run_limits.total = Some(limit);
        self
    }

    /// After how long terminal tasks are purged, with their webhooks. Default: never.
    pub fn retention(self, retention: Duration) -> Self {
        Self {
            retention: Some(retention),
            ..self
        }
    }

    /// How long running agents may go on once the server is told to stop. Default: 30 seconds.
    pub fn drain_time(self, drain: Duration) -> Self {
        Self { drain, ..self }
    }

    /// How long clients may keep the card without asking again. Default: 5 minutes.
    pub fn card_max_age(self, age: Duration) -> Self {
        Self {
            card_max_age: age,
            ..self
        }
    }

    /// Which web pages may call the server from a browser. Default: none of other origins.
    pub fn cors(self, cors: Cors) -> Self {
        Self {
            cors: Some(cors),
            ..self
        }
    }

    /// Tells browsers for how long to use nothing but HTTPS, in `Strict-Transport-Security` on
    /// every answer (A2A §13.4). For servers that are reached by HTTPS. Default: nothing is told.
    pub fn strict_transport_security(self, max_age: Duration) -> Self {
        Self {
            hsts: Some(max_age),
            ..self
        }
    }

    /// Host names, without a port, that a server on a loopback address answers to besides its own.
    pub fn allowed_hosts(self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            hosts: hosts.into_iter().map(Into::into).collect(),
            ..self
        }
    }

    /// Networks of proxies whose `Forwarded` and `X-Forwarded-*` headers say how clients reach
    /// the server; the card then names that address.
    ///
    /// A proxy must set the headers that it knows, or add to them at the end, and should remove
    /// the others: of each list only the end counts, which is the proxy's own, and the card tells
    /// the configured address when the two kinds of headers disagree.
    pub fn trusted_proxies(self, networks: impl IntoIterator<Item = IpNet>) -> Self {
        Self {
            proxies: networks.into_iter().collect(),
            ..self
        }
    }

    /// Whether compressed request bodies are read.
    pub fn compressed_requests(self, compression: Compression) -> Self {
        Self {
            compression,
            ..self
        }
    }

    /// Puts a tower layer around the calls of all bindings: metrics, limits, audits. It sees each
    /// call before it is authenticated. The layer that is added last sees calls first.
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<Layered> + Send + 'static,
        L::Service: TowerService<Incoming, Response = Reply, Error = A2aError>
            + Clone
            + Send
            + Sync
            + 'static,
        <L::Service as TowerService<Incoming>>::Future: Send + 'static,
    {
        let wrap = move |service| Layered::new(layer.layer(service));
        self.wraps.push(Box::new(wrap));
        self
    }
}

impl std::fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerBuilder")
            .field("mounts", &self.mounts)
            .finish_non_exhaustive()
    }
}
