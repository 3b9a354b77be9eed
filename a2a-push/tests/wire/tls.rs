use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use a2a_push::net::{Failure, Guard, Policy};
use http::{HeaderMap, StatusCode};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::support::{Always, listener, send};

/// A webhook over TLS, and its certificate.
async fn hook(name: &str) -> (SocketAddr, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (listener, address) = listener().await;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                .await;
        }
    });
    (address, cert.pem())
}

fn guard(roots: Option<&str>) -> Guard {
    let policy = Policy::default().with_any_port().with_host("hooks.test");
    let mut guard = Guard::builder(policy).with_resolver(Always(vec![Ipv4Addr::LOCALHOST.into()]));
    if let Some(pem) = roots {
        guard = guard.with_root_certificates(pem);
    }
    guard.build().unwrap()
}

// A2A-13.2-12. No TLS provider is installed in this process.
#[tokio::test]
async fn https_needs_a_certificate_for_the_name_by_somebody_trusted() {
    let (address, pem) = hook("hooks.test").await;
    let url = format!("https://hooks.test:{}/", address.port());
    let answer = send(&guard(Some(&pem)), &url, HeaderMap::new(), b"{}").await;
    assert_eq!(answer.unwrap().status, StatusCode::OK);

    let (_, stranger) = hook("hooks.test").await;
    let (other, other_pem) = hook("other.test").await;
    let other = format!("https://hooks.test:{}/", other.port());
    for (url, roots) in [
        (&url, Some(&stranger)),
        (&other, Some(&other_pem)),
        (&url, None),
    ] {
        let guard = guard(roots.map(String::as_str));
        let failed = send(&guard, url, HeaderMap::new(), b"{}").await;
        assert!(matches!(failed, Err(Failure::Network(_))), "{failed:?}");
    }
}

#[test]
fn a_certificate_that_is_none_is_an_error_when_the_guard_is_made() {
    for pem in [
        "",
        "no PEM",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ] {
        let guard = Guard::builder(Policy::default()).with_root_certificates(pem);
        assert!(guard.build().is_err(), "{pem}");
    }
}
