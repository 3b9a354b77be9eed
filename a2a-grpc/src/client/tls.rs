//! TLS for connections to agents.

use std::sync::Arc;

use a2a_client::{Error, Failure};
use http::Uri;
use rustls::client::WantsClientCert;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore};
use rustls_platform_verifier::Verifier;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::address::host;

/// Who we are, for servers that want to know.
#[derive(Clone)]
pub(super) struct Identity {
    chain: Vec<u8>,
    key: Vec<u8>,
}

impl Identity {
    pub(super) fn new(chain: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        Self {
            chain: chain.into(),
            key: key.into(),
        }
    }
}

/// How to speak TLS with one server.
#[derive(Clone)]
pub(super) struct Tls {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl Tls {
    pub(super) fn new(
        origin: &Uri,
        roots: &[Vec<u8>],
        identity: Option<&Identity>,
    ) -> Result<Self, Error> {
        let name = ServerName::try_from(host(origin).to_owned()).map_err(|error| {
            let message = format!("{:?} is no name for TLS", host(origin));
            Error::new(Failure::Card, message).with_source(error)
        })?;
        let builder = trusting(roots)?;
        let mut config = match identity {
            None => builder.with_no_client_auth(),
            Some(identity) => authenticated(builder, identity)?,
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self {
            config: Arc::new(config),
            name,
        })
    }

    pub(super) async fn connect(&self, socket: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        let connector = TlsConnector::from(Arc::clone(&self.config));
        let stream = connector.connect(self.name.clone(), socket).await?;
        match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => Ok(stream),
            _ => Err(std::io::Error::other("the server does not offer HTTP/2")),
        }
    }
}

type Trusting = ConfigBuilder<ClientConfig, WantsClientCert>;

/// TLS without a provider for the whole process, which is not ours to install.
fn trusting(roots: &[Vec<u8>]) -> Result<Trusting, Error> {
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.unwrap_or_else(|| Arc::new(ring::default_provider()));
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong("the installed TLS provider", error))?;
    let mut certificates = Vec::new();
    for pem in roots {
        certificates.extend(chain(pem, "a root certificate")?);
    }
    let own = !certificates.is_empty();
    Ok(
        match Verifier::new_with_extra_roots(certificates, provider) {
            Ok(verifier) => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier)),
            Err(error) if own => return Err(wrong("a root certificate", error)),
            Err(error) => {
                // A machine that trusts nobody can still call agents in plain text.
                tracing::warn!(%error, "no certificates to trust; TLS will fail");
                builder.with_root_certificates(RootCertStore::empty())
            }
        },
    )
}

fn authenticated(builder: Trusting, identity: &Identity) -> Result<ClientConfig, Error> {
    let chain = chain(&identity.chain, "the client certificate")?;
    let key = PrivateKeyDer::from_pem_slice(&identity.key)
        .map_err(|error| wrong("the key of the client certificate", error))?;
    builder
        .with_client_auth_cert(chain, key)
        .map_err(|error| wrong("the client certificate with this key", error))
}

fn chain(pem: &[u8], what: &str) -> Result<Vec<CertificateDer<'static>>, Error> {
    let chain = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|error| wrong(what, error))?;
    match chain.is_empty() {
        true => Err(Error::new(Failure::Request, format!("{what} is no PEM"))),
        false => Ok(chain),
    }
}

fn wrong(what: &str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::new(Failure::Request, format!("cannot use {what}")).with_source(error)
}
