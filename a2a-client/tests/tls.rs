//! Whom the client believes over TLS.
#![cfg(feature = "rustls")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests"
)]

use std::net::SocketAddr;
use std::sync::Arc;

use a2a_client::auth::Bearer;
use a2a_client::{Client, ClientBuilder, Error, Failure, RetryPolicy};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// An agent at `https://localhost`, whose certificate nobody knows; it wants a token. Gives its
/// address and the certificate.
async fn agent() -> (SocketAddr, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let card = json!({ "name": "Secret", "supportedInterfaces": [
        { "url": "/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" } ] });
    let body = card.to_string();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let Ok(mut socket) = acceptor.accept(socket).await else {
                continue;
            };
            let mut request = vec![0; 4096];
            let read = socket.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..read]).to_lowercase();
            let status = if request.contains("authorization: bearer tok") {
                200
            } else {
                401
            };
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status} OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
            socket.write_all(answer.as_bytes()).await.unwrap();
            socket.shutdown().await.ok();
        }
    });
    (address, made.cert.pem())
}

async fn connect(builder: ClientBuilder, host: &str, agent: SocketAddr) -> Result<Client, Error> {
    let builder = builder.with_retry(RetryPolicy::never());
    let builder = builder.with_credentials(Bearer::new("tok"));
    builder
        .connect(&format!("https://{host}:{}", agent.port()))
        .await
}

// A2A-7.2-01, R068
#[tokio::test]
async fn a_certificate_is_believed_if_it_is_trusted_and_of_the_right_name() {
    let (agent, certificate) = agent().await;
    let trusting = || Client::builder().with_root_certificates(certificate.as_bytes());

    let client = connect(trusting(), "localhost", agent).await.unwrap();
    assert_eq!(client.card().name, "Secret");
    assert!(client.interface().url.starts_with("https://localhost:"));

    let error = connect(Client::builder(), "localhost", agent)
        .await
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    assert!(error.is_unsent());
    assert!(error.to_string().contains("UnknownIssuer"), "{error}");

    let error = connect(trusting(), "127.0.0.1", agent).await.unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    assert!(error.to_string().contains("not valid for name"), "{error}");
}

#[tokio::test]
async fn what_is_no_certificate_is_refused() {
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for pem in ["", "x", broken] {
        let builder = Client::builder().with_root_certificates(pem);
        let error = builder.connect("https://localhost:1").await.unwrap_err();
        assert_eq!(error.failure(), Failure::Request, "{pem:?}: {error}");
    }
}
