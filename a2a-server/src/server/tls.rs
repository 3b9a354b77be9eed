use std::fmt;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig, crypto};

use super::BuildError;

/// The identity of a server that speaks TLS 1.2 and 1.3, and whom it asks for theirs.
///
/// ```no_run
/// # use a2a_server::{Agent, AgentError, Request, Server, TaskHandle, Tls};
/// # use a2a_types::AgentCard;
/// # struct Echo;
/// # impl Agent for Echo {
/// #     async fn execute(&self, _: Request, task: TaskHandle) -> Result<(), AgentError> {
/// #         task.complete().await
/// #     }
/// # }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let tls = Tls::from_pem(std::fs::read("server.pem")?, std::fs::read("server.key")?)?;
/// Server::builder(Echo)
///     .card(AgentCard::builder("Echo", "Repeats").skill("echo", "Echo", "Repeats"))
///     .tls(tls)
///     .public_url("https://echo.example.com")
///     .serve("0.0.0.0:443")
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Tls {
    chain: Vec<CertificateDer<'static>>,
    key: Arc<PrivateKeyDer<'static>>,
    clients: Option<(Arc<RootCertStore>, ClientCertificates)>,
}

/// Whether clients must show a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientCertificates {
    /// Without a good one there is no connection.
    Required,
    /// They may. A bad one ends the connection; the authenticator decides about those that show
    /// none.
    Optional,
}

impl Tls {
    /// A certificate with the chain up to its root, and its private key, in PEM.
    ///
    /// # Errors
    ///
    /// When one of the two cannot be read.
    pub fn from_pem(
        certificates: impl AsRef<[u8]>,
        key: impl AsRef<[u8]>,
    ) -> Result<Self, BuildError> {
        let key = PrivateKeyDer::from_pem_slice(key.as_ref()).map_err(|error| {
            BuildError::new(format!("the private key of the server is no PEM: {error}"))
        })?;
        Ok(Self {
            chain: read("the certificate of the server", certificates.as_ref())?,
            key: Arc::new(key),
            clients: None,
        })
    }

    /// Asks clients for a certificate of one of these authorities, in PEM. An
    /// [`Authenticator`](crate::auth::Authenticator) finds it in its
    /// [`Credentials`](crate::auth::Credentials).
    ///
    /// # Errors
    ///
    /// When the authorities cannot be read.
    pub fn with_client_certificates(
        self,
        authorities: impl AsRef<[u8]>,
        demand: ClientCertificates,
    ) -> Result<Self, BuildError> {
        let mut roots = RootCertStore::empty();
        for root in read("a client authority", authorities.as_ref())? {
            roots
                .add(root)
                .map_err(|error| problem("a client authority is unusable", error))?;
        }
        Ok(Self {
            clients: Some((Arc::new(roots), demand)),
            ..self
        })
    }

    pub(super) fn config(&self) -> Result<Arc<ServerConfig>, BuildError> {
        let provider = Arc::new(crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| problem("TLS cannot be set up", error))?;
        let builder = match &self.clients {
            None => builder.with_no_client_auth(),
            Some((roots, demand)) => {
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::clone(roots), provider);
                let verifier = match demand {
                    ClientCertificates::Required => verifier,
                    ClientCertificates::Optional => verifier.allow_unauthenticated(),
                };
                let verifier = verifier
                    .build()
                    .map_err(|error| problem("client certificates cannot be verified", error))?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let mut config = builder
            .with_single_cert(self.chain.clone(), self.key.clone_key())
            .map_err(|error| problem("certificate and key do not go together", error))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clients = self.clients.as_ref().map(|(_, demand)| demand);
        f.debug_struct("Tls")
            .field("clients", &clients)
            .finish_non_exhaustive()
    }
}

fn read(what: &str, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BuildError> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let certificates =
        certificates.map_err(|error| problem(&format!("{what} is no PEM"), error))?;
    if certificates.is_empty() {
        return Err(BuildError::new(format!("{what} is missing in the PEM")));
    }
    Ok(certificates)
}

fn problem(what: &str, error: impl fmt::Display) -> BuildError {
    BuildError::new(format!("{what}: {error}"))
}
