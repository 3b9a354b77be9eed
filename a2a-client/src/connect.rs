//! The HTTP client below everything.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use crate::{Error, Failure};

/// Neither a connection nor a proxy that is there needs longer.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How connections are made.
#[derive(Clone)]
pub(crate) struct Connect {
    pub(crate) timeout: Duration,
    /// Certificates to trust beside those of the system, in PEM.
    pub(crate) roots: Vec<Vec<u8>>,
}

impl Default for Connect {
    fn default() -> Self {
        Self {
            timeout: CONNECT_TIMEOUT,
            roots: Vec::new(),
        }
    }
}

impl Connect {
    pub(crate) fn client(&self) -> Result<Client, Error> {
        let builder = Client::builder()
            .connect_timeout(self.timeout)
            // A redirect could turn a POST into a GET, or lead credentials elsewhere.
            .redirect(Policy::none())
            .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")));
        #[cfg(feature = "rustls")]
        let builder = builder.tls_backend_preconfigured(self.tls()?);
        #[cfg(not(feature = "rustls"))]
        if !self.roots.is_empty() {
            let message = "certificates need the feature `rustls` of a2a-client";
            return Err(Error::new(Failure::Request, message));
        }
        builder.build().map_err(|error| {
            Error::new(Failure::Request, "cannot set up the HTTP client").with_source(error)
        })
    }
}

#[cfg(feature = "rustls")]
mod tls {
    use std::sync::Arc;

    use rustls::crypto::{CryptoProvider, ring};
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;
    use rustls::{ClientConfig, RootCertStore};
    use rustls_platform_verifier::Verifier;

    use super::Connect;
    use crate::{Error, Failure};

    impl Connect {
        /// TLS without a provider for the whole process, which is not ours to install.
        pub(super) fn tls(&self) -> Result<ClientConfig, Error> {
            let provider = CryptoProvider::get_default().cloned();
            let provider = provider.unwrap_or_else(|| Arc::new(ring::default_provider()));
            let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
                .with_safe_default_protocol_versions()
                .map_err(|error| {
                    let message = "the installed TLS provider lacks what TLS 1.2 and 1.3 need";
                    Error::new(Failure::Request, message).with_source(error)
                })?;
            let mut config = match self.verifier(provider)? {
                Some(verifier) => config
                    .dangerous()
                    .with_custom_certificate_verifier(Arc::new(verifier)),
                None => config.with_root_certificates(RootCertStore::empty()),
            }
            .with_no_client_auth();
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
            Ok(config)
        }

        /// `None` on a machine that trusts nobody: it can still call agents over plain `http`.
        fn verifier(&self, provider: Arc<CryptoProvider>) -> Result<Option<Verifier>, Error> {
            let mut roots = Vec::new();
            for pem in &self.roots {
                let before = roots.len();
                for certificate in CertificateDer::pem_slice_iter(pem) {
                    roots.push(certificate.map_err(|error| {
                        Error::new(Failure::Request, "cannot read a root certificate")
                            .with_source(error)
                    })?);
                }
                if roots.len() == before {
                    let message = "a root certificate is no PEM";
                    return Err(Error::new(Failure::Request, message));
                }
            }
            let own = !roots.is_empty();
            match Verifier::new_with_extra_roots(roots, provider) {
                Ok(verifier) => Ok(Some(verifier)),
                Err(error) if own => {
                    let message = "cannot use a root certificate";
                    Err(Error::new(Failure::Request, message).with_source(error))
                }
                Err(error) => {
                    tracing::warn!(%error, "no certificates to trust; https will fail");
                    Ok(None)
                }
            }
        }
    }
}
