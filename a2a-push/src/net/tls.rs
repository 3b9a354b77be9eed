//! TLS whose provider is named, so that nothing depends on one for the whole process.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use super::guard::SetupError;

/// Trusts what the operating system trusts, and `roots` (PEM).
pub(super) fn config(roots: &[Vec<u8>]) -> Result<ClientConfig, SetupError> {
    let provider = CryptoProvider::get_default().cloned();
    let provider = provider.unwrap_or_else(|| Arc::new(aws_lc_rs::default_provider()));
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| SetupError::new("the TLS provider lacks TLS 1.2 or 1.3", error))?;
    let roots = certificates(roots)?;
    let own = !roots.is_empty();
    let config = match Verifier::new_with_extra_roots(roots, provider) {
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier)),
        Err(error) if own => {
            return Err(SetupError::new("cannot use a root certificate", error));
        }
        // A machine that trusts nobody may still call receivers over plain `http`.
        Err(error) => {
            tracing::warn!(%error, "no certificates to trust; https will fail");
            builder.with_root_certificates(RootCertStore::empty())
        }
    };
    // No ALPN: the client speaks HTTP/1.1 alone.
    Ok(config.with_no_client_auth())
}

fn certificates(roots: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, SetupError> {
    let mut certificates = Vec::new();
    for pem in roots {
        let before = certificates.len();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            certificates.push(
                certificate
                    .map_err(|error| SetupError::new("cannot read a root certificate", error))?,
            );
        }
        if certificates.len() == before {
            return Err(SetupError::new(
                "cannot read a root certificate",
                "there is no certificate in the PEM",
            ));
        }
    }
    Ok(certificates)
}
