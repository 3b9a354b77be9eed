//! What a webhook may point to.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use reqwest::Url;

use super::address::Reach;

/// The longest URL that is taken, in bytes.
const MAX_URL: usize = 2048;

/// Which addresses webhooks may have (A2A §13.2).
///
/// By default those of hosts on the public internet, over `https`, at port 443 or 8443. Every method
/// but [`only_hosts`](Self::only_hosts) allows more.
#[derive(Clone, Debug)]
#[must_use]
pub struct Policy {
    plain_http: bool,
    private: bool,
    loopback: bool,
    networks: Vec<IpNet>,
    hosts: Vec<Pattern>,
    only: Option<Vec<Pattern>>,
    /// `None`: any.
    ports: Option<BTreeSet<u16>>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            plain_http: false,
            private: false,
            loopback: false,
            networks: Vec::new(),
            hosts: Vec::new(),
            only: None,
            ports: Some([443, 8443].into()),
        }
    }
}

impl Policy {
    /// For tests and for trying things out: this machine alone, over `http` too, at any port.
    pub fn loopback() -> Self {
        let hosts = ["localhost", "127.0.0.1", "::1"];
        Self::default()
            .with_plain_http()
            .with_any_port()
            .with_private_networks()
            .only_hosts(hosts)
    }

    /// Allows `http`: everybody on the way reads the notifications and the credentials.
    /// Port 80 becomes allowed with it.
    pub fn with_plain_http(mut self) -> Self {
        self.plain_http = true;
        self.with_port(80)
    }

    /// Allows one more port.
    pub fn with_port(mut self, port: u16) -> Self {
        if let Some(ports) = &mut self.ports {
            ports.insert(port);
        }
        self
    }

    /// Allows every port.
    pub fn with_any_port(mut self) -> Self {
        self.ports = None;
        self
    }

    /// Allows this machine and the networks around it: loopback, RFC 1918, RFC 6598 and
    /// unique-local addresses. Link-local addresses and the metadata services of clouds stay
    /// refused.
    pub fn with_private_networks(mut self) -> Self {
        self.private = true;
        self
    }

    /// Allows this machine, by the names `localhost`, `127.0.0.1` and `[::1]`: over `http`, too, and at
    /// any port. For tests that also register addresses elsewhere.
    pub fn with_loopback(mut self) -> Self {
        self.loopback = true;
        self
    }

    /// Allows every address of `network`, whatever it is.
    ///
    /// In a network with NAT64 (`64:ff9b::/96`) an address stands for an IPv4 address; allowing it
    /// allows private ones, too.
    pub fn with_network(mut self, network: IpNet) -> Self {
        self.networks.push(network.trunc());
        self
    }

    /// Allows the host `name` to have an address that
    /// [`with_private_networks`](Self::with_private_networks) would allow.
    ///
    /// `*.example.com` is every name below `example.com`.
    pub fn with_host(mut self, name: impl AsRef<str>) -> Self {
        self.hosts.push(Pattern::new(name.as_ref()));
        self
    }

    /// Refuses all other hosts than these, names (with `*.` as in [`with_host`](Self::with_host)) or
    /// literal addresses. They are still held to the rest of the policy.
    pub fn only_hosts<S: AsRef<str>>(mut self, hosts: impl IntoIterator<Item = S>) -> Self {
        let hosts = hosts.into_iter().map(|host| Pattern::new(host.as_ref()));
        self.only = Some(hosts.collect());
        self
    }

    /// Reads `url` and checks all of it that can be checked without resolving a name.
    pub(crate) fn target(&self, url: &str) -> Result<Target, Refusal> {
        let written = Written::read(url)?;
        let url = Url::parse(url).map_err(|_| Refusal::Unreadable)?;
        let here = self.loopback && Host::of(&url, &written).is_ok_and(|host| host.is_loopback());
        match url.scheme() {
            "https" => {}
            "http" if self.plain_http || here => {}
            _ => return Err(Refusal::Scheme),
        }
        let port = url.port_or_known_default().ok_or(Refusal::Unreadable)?;
        if self
            .ports
            .as_ref()
            .is_some_and(|open| !open.contains(&port) && !here)
        {
            return Err(Refusal::Port(port));
        }
        let host = Host::of(&url, &written)?;
        if let Some(only) = &self.only
            && !only.iter().any(|pattern| pattern.matches(&host))
        {
            return Err(Refusal::Host);
        }
        match &host {
            Host::Address(address) => self.permit(&host, *address)?,
            // RFC 6761: loopback, whatever a resolver would say.
            Host::Name(name) if name == "localhost" || name.ends_with(".localhost") => {
                self.permit(&host, IpAddr::V4(Ipv4Addr::LOCALHOST))?;
            }
            Host::Name(_) => {}
        }
        Ok(Target { url, host })
    }

    /// Whether `host` may have all of these addresses. One that it may not have is enough to refuse
    /// the others: whoever answers so is playing.
    pub(super) fn permit_all(&self, host: &Host, addresses: &[IpAddr]) -> Result<(), Refusal> {
        addresses
            .iter()
            .try_for_each(|address| self.permit(host, *address))
    }

    fn permit(&self, host: &Host, address: IpAddr) -> Result<(), Refusal> {
        let allowed = match Reach::of(address) {
            Reach::Public => true,
            Reach::Private => {
                self.private
                    || self.hosts.iter().any(|pattern| pattern.matches(host))
                    || self.loopback && address.is_loopback() && host.is_loopback()
            }
            Reach::Nobody => false,
        };
        if allowed || self.networks.iter().any(|net| net.contains(&address)) {
            Ok(())
        } else {
            tracing::debug!(%address, "a webhook leads to an address that is not allowed");
            Err(Refusal::Address)
        }
    }
}

/// Why a webhook is refused. The text is fit for whoever registered it: it does not say what a name
/// resolves to here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It is longer than 2048 bytes.
    TooLong,
    /// It is no absolute URL, or is written so that readers may disagree about what it says.
    Unreadable,
    /// It is neither `https` nor, where that is allowed, `http`.
    Scheme,
    /// It has a user name or a password.
    UserInfo,
    /// The policy does not allow the port.
    Port(u16),
    /// The policy names the hosts that are allowed, and it is none of them.
    Host,
    /// The host has an address that the policy does not allow.
    Address,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "is longer than {MAX_URL} bytes"),
            Self::Unreadable => f.write_str("is not a plainly written absolute URL"),
            Self::Scheme => f.write_str("has a scheme that is not allowed here"),
            Self::UserInfo => f.write_str("must not contain a user name or password"),
            Self::Port(port) => write!(f, "has a port that is not allowed here: {port}"),
            Self::Host => f.write_str("has a host that is not allowed here"),
            Self::Address => f.write_str("leads to an address that is not allowed here"),
        }
    }
}

impl std::error::Error for Refusal {}

/// A URL that has been checked but for what its name resolves to.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(super) url: Url,
    pub(super) host: Host,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Address(IpAddr),
    /// In lower case, without the final dot.
    Name(String),
}

impl Host {
    fn of(url: &Url, written: &Written<'_>) -> Result<Self, Refusal> {
        let host = url.host_str().ok_or(Refusal::Unreadable)?;
        if let Some(name) = url.domain() {
            let host = Self::name(name);
            return if host.is_plain() {
                Ok(host)
            } else {
                Err(Refusal::Unreadable)
            };
        }
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let address = bare.parse().map_err(|_| Refusal::Unreadable)?;
        // `2130706433`, `0x7f.1` and `127.1` are only written by those who have something to hide.
        if matches!(address, IpAddr::V4(_)) && written.host != host {
            return Err(Refusal::Unreadable);
        }
        Ok(Self::Address(address))
    }

    /// Whether a name is made as names of hosts are (RFC 1123, and `_`), so that no resolver takes it
    /// for an address or for something to take apart.
    fn is_plain(&self) -> bool {
        let Self::Name(name) = self else {
            return true;
        };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let is_label = |label: &str| matches!(label.len(), 1..=63) && label.bytes().all(plain);
        name.len() <= 253 && name.split('.').all(is_label) && name.parse::<IpAddr>().is_err()
    }

    /// Whether it is this machine by one of the names that everybody reads so. Others may resolve to
    /// it, and that is for whoever answers for the name to change.
    fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => [
                IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(Ipv6Addr::LOCALHOST),
            ]
            .contains(address),
            Self::Name(name) => name == "localhost",
        }
    }

    pub(super) fn name(name: &str) -> Self {
        Self::Name(name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase())
    }
}

/// The parts of a URL as they are written. The parser of the URL standard is lenient: it drops tabs,
/// takes `\` for `/`, and finds a host in `https:host`. What others could read otherwise is refused.
struct Written<'a> {
    host: &'a str,
}

impl<'a> Written<'a> {
    fn read(url: &'a str) -> Result<Self, Refusal> {
        if url.len() > MAX_URL {
            return Err(Refusal::TooLong);
        }
        let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
        if url.contains(odd) {
            return Err(Refusal::Unreadable);
        }
        let (_, rest) = url.split_once("://").ok_or(Refusal::Unreadable)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(Refusal::UserInfo);
        }
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
            _ => authority,
        };
        // `https:///host` has an empty authority, to most readers.
        if host.is_empty() || host.contains('%') {
            return Err(Refusal::Unreadable);
        }
        Ok(Self { host })
    }
}

/// A host of an allow-list.
#[derive(Clone, Debug)]
enum Pattern {
    Is(Host),
    /// Ends with this, the dot in front included.
    Below(String),
}

impl Pattern {
    fn new(text: &str) -> Self {
        if let Some(suffix) = text.strip_prefix('*') {
            let suffix = suffix.strip_suffix('.').unwrap_or(suffix);
            return Self::Below(suffix.to_ascii_lowercase());
        }
        let bare = text.trim_start_matches('[').trim_end_matches(']');
        Self::Is(
            bare.parse()
                .map_or_else(|_| Host::name(text), Host::Address),
        )
    }

    fn matches(&self, host: &Host) -> bool {
        match (self, host) {
            (Self::Is(expected), host) => expected == host,
            (Self::Below(suffix), Host::Name(name)) => {
                suffix.starts_with('.') && name.ends_with(suffix.as_str())
            }
            (Self::Below(_), Host::Address(_)) => false,
        }
    }
}
