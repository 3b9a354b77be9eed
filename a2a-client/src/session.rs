//! What the client knows of its agent: the card, and the interfaces that can be called.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2a_types::card::{HTTP_JSON, JSONRPC};
use a2a_types::operation::Operation;
use a2a_types::{A2aError, AgentCard, OperationId, SendMessageRequest, TaskPushNotificationConfig};
use reqwest::{Client as HttpClient, Url};

use crate::builder::Config;
use crate::card::{Interface, select};
use crate::origin::is_secure;
use crate::transport::AnyTransport;
use crate::transport::http_json::HttpJson;
use crate::transport::jsonrpc::JsonRpc;
use crate::{Error, Failure};

pub(crate) struct Session {
    pub(crate) card: Arc<AgentCard>,
    /// Where the card is from; `None` for a card that the caller had.
    pub(crate) card_url: Option<Url>,
    endpoints: Vec<Endpoint>,
    /// The endpoint that answered last.
    current: AtomicUsize,
}

/// An interface and the way to it.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) interface: Interface,
    pub(crate) transport: AnyTransport,
    /// Whether it may see credentials.
    pub(crate) trusted: bool,
}

/// Whether the client refuses what the card does not offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CapabilityChecks {
    On,
    Off,
}

impl Session {
    pub(crate) fn new(
        config: &Config,
        http: &HttpClient,
        card: Arc<AgentCard>,
        card_url: Option<Url>,
        home: Option<&Url>,
    ) -> Result<Self, Error> {
        let speaks = |binding: &str| {
            matches!(binding, JSONRPC | HTTP_JSON) || config.transports.contains_key(binding)
        };
        let interfaces = select(&card, card_url.as_ref(), &config.preferences, speaks)?;
        let mut endpoints = Vec::new();
        let mut unusable = None;
        for interface in interfaces {
            match endpoint(config, http, interface, home) {
                Ok(endpoint) => endpoints.push(endpoint),
                Err(error) if error.failure() == Failure::Card => {
                    tracing::debug!(%error, "passed over an interface");
                    unusable.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = unusable.filter(|_| endpoints.is_empty()) {
            return Err(error);
        }
        Ok(Self {
            endpoints,
            card,
            card_url,
            current: AtomicUsize::new(0),
        })
    }

    /// The same way to another card of the agent's.
    pub(crate) fn with_card(&self, card: AgentCard) -> Self {
        Self {
            card: Arc::new(card),
            card_url: self.card_url.clone(),
            endpoints: self.endpoints.clone(),
            current: AtomicUsize::new(self.current.load(Ordering::Relaxed)),
        }
    }

    pub(crate) fn endpoints(&self) -> impl Iterator<Item = &Endpoint> {
        self.endpoints.iter()
    }

    /// The interface that is used at present.
    pub(crate) fn interface(&self) -> Option<&Interface> {
        let (_, endpoint) = self.in_order().next()?;
        Some(&endpoint.interface)
    }

    /// The endpoints in the order in which to try them: first the one that answered last.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (usize, &Endpoint)> {
        let current = self.current.load(Ordering::Relaxed);
        let first = self.endpoints.iter().enumerate().skip(current).take(1);
        let others = self.endpoints.iter().enumerate();
        first.chain(others.filter(move |(index, _)| *index != current))
    }

    pub(crate) fn prefer(&self, index: usize) {
        self.current.store(index, Ordering::Relaxed);
    }

    /// Refuses what the card says the agent would refuse (A2A §3.3.4).
    pub(crate) fn check<O: Operation>(
        &self,
        request: &O::Request,
        checks: CapabilityChecks,
    ) -> Result<(), Error> {
        let webhook = webhook(request);
        webhook.inspect(|webhook| warn_of_plain_http(&webhook.url));
        if checks == CapabilityChecks::Off {
            return Ok(());
        }
        let capabilities = self.card.capabilities.as_ref();
        let has = |capability: fn(&a2a_types::AgentCapabilities) -> Option<bool>| {
            capabilities.and_then(capability) == Some(true)
        };
        let pushes = || has(|capabilities| capabilities.push_notifications);
        let unsupported = |what: &str| {
            let message = format!("the card of the agent does not offer {what}");
            Err(Error::refused(A2aError::unsupported_operation(message)))
        };
        match O::ID {
            OperationId::SendStreamingMessage | OperationId::SubscribeToTask
                if !has(|capabilities| capabilities.streaming) =>
            {
                unsupported("streaming")
            }
            OperationId::GetExtendedAgentCard
                if !has(|capabilities| capabilities.extended_agent_card) =>
            {
                unsupported("an extended card")
            }
            OperationId::CreateTaskPushNotificationConfig
            | OperationId::GetTaskPushNotificationConfig
            | OperationId::ListTaskPushNotificationConfigs
            | OperationId::DeleteTaskPushNotificationConfig
                if !pushes() =>
            {
                Err(Error::refused(A2aError::push_not_supported()))
            }
            _ if webhook.is_some() && !pushes() => {
                Err(Error::refused(A2aError::push_not_supported()))
            }
            _ => Ok(()),
        }
    }
}

/// The webhook that the request registers.
fn webhook(request: &dyn Any) -> Option<&TaskPushNotificationConfig> {
    let Some(send) = request.downcast_ref::<SendMessageRequest>() else {
        return request.downcast_ref();
    };
    let configuration = send.configuration.as_ref()?;
    configuration.task_push_notification_config.as_ref()
}

/// What a webhook is told goes through other people's networks (A2A §13.2).
fn warn_of_plain_http(url: &str) {
    if let Ok(url) = Url::parse(url)
        && !is_secure(&url)
    {
        // The rest of the address may be a secret.
        let host = url.host_str();
        tracing::warn!(host, "this webhook is not called over https");
    }
}

fn endpoint(
    config: &Config,
    http: &HttpClient,
    interface: Interface,
    home: Option<&Url>,
) -> Result<Endpoint, Error> {
    let transport = transport(config, http, &interface)?;
    let address = transport.address().and_then(|text| text.parse().ok());
    let url = address.as_ref().unwrap_or(&interface.url);
    let trusted = config.trusts(url, home);
    if !trusted && !config.providers.is_empty() {
        let url = crate::transport::http::place(url);
        tracing::warn!(
            url,
            "credentials are not sent there: another origin, or plain http"
        );
    }
    Ok(Endpoint {
        transport,
        trusted,
        interface,
    })
}

fn transport(
    config: &Config,
    http: &HttpClient,
    interface: &Interface,
) -> Result<AnyTransport, Error> {
    let binding = interface.entry.protocol_binding.as_str();
    if let Some(make) = config.transports.get(binding) {
        return make(&interface.entry);
    }
    let (http, url) = (http.clone(), interface.url.clone());
    Ok(match binding {
        HTTP_JSON => AnyTransport::new(HttpJson::new(
            http,
            url,
            config.subscribe_verb,
            config.request_type,
        )),
        _ => AnyTransport::new(JsonRpc::new(http, url)),
    })
}

impl Config {
    /// Whether credentials may go to an address; `home` is the one that the caller gave.
    pub(crate) fn trusts(&self, url: &Url, home: Option<&Url>) -> bool {
        let known = match home {
            // The caller vouches for a card in hand.
            None => true,
            Some(home) => {
                let trusted = self.trusted_origins.iter().chain([home]);
                let mut origins = trusted.map(Url::origin);
                origins.any(|origin| origin == url.origin())
            }
        };
        known && (is_secure(url) || self.plain_http)
    }
}
