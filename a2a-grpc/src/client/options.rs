//! Everything about gRPC connections that can be different.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use a2a_client::Error;
use a2a_types::AgentInterface;

use super::address::{self, BareAddresses};
use super::connection::{Connection, Settings};
use super::tls::{Identity, Tls};
use super::transport::GrpcTransport;

/// How interfaces are called over gRPC.
///
/// ```
/// use a2a_client::Client;
/// use a2a_grpc::client::Options;
/// use a2a_types::card::GRPC;
/// use std::time::Duration;
///
/// let grpc = Options::new().with_keep_alive(Duration::from_secs(60));
/// let builder = Client::builder()
///     .with_transport(GRPC, move |interface| grpc.transport(interface));
/// ```
#[derive(Clone, Default)]
#[must_use = "options do nothing until a transport is made with them"]
pub struct Options {
    bare: BareAddresses,
    settings: Settings,
    roots: Vec<Vec<u8>>,
    identity: Option<Identity>,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The transport for an interface. It connects with its first call.
    ///
    /// # Errors
    ///
    /// [`Failure::Card`](a2a_client::Failure::Card) when the address of the interface cannot be
    /// called, [`Failure::Request`](a2a_client::Failure::Request) when a certificate or key is
    /// wrong.
    pub fn transport(&self, interface: &AgentInterface) -> Result<GrpcTransport, Error> {
        let origin = address::parse(&interface.url, self.bare)?;
        let tls = match origin.scheme_str() {
            Some("https") => Some(Tls::new(&origin, &self.roots, self.identity.as_ref())?),
            _ => None,
        };
        let connection = Connection::new(origin.clone(), tls, self.settings.clone());
        Ok(GrpcTransport::new(origin, Arc::new(connection)))
    }

    /// Sets how an address without a scheme is called.
    pub fn with_bare_addresses(mut self, bare: BareAddresses) -> Self {
        self.bare = bare;
        self
    }

    /// Sets how long a connection may take to be made, TLS included. Default 10 s.
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.settings.connect_timeout = timeout;
        self
    }

    /// Sends a PING of HTTP/2 after so much silence, also between calls, and gives the connection
    /// up when there is no answer within the same time, or within 20 s.
    ///
    /// Off by default, since many servers take frequent pings for an attack and close the
    /// connection: ask whoever runs the server, or choose at least 5 min. The probes of TCP, which
    /// no server sees, find a dead connection within a minute in any case.
    pub fn with_keep_alive(mut self, interval: Duration) -> Self {
        self.settings.keep_alive = Some(interval);
        self
    }

    /// Trusts these certificates, in PEM, beside those of the system.
    pub fn with_root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.roots.push(pem.into());
        self
    }

    /// Shows this certificate to the server, for mutual TLS: the chain and its private key, both in
    /// PEM.
    pub fn with_client_certificate(
        mut self,
        chain: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Self {
        self.identity = Some(Identity::new(chain, key));
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("bare_addresses", &self.bare)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
