//! The addresses of interfaces, against servers that are there.

use std::sync::Arc;

use a2a_client::auth::Bearer;
use a2a_client::{Client, Failure, RetryPolicy};
use a2a_grpc::client::{BareAddresses, Options};
use a2a_types::TaskState;
use a2a_types::card::GRPC;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

use crate::support::{Server, answer, builder_with, card, interface, task, within};

#[tokio::test]
async fn a_server_in_plain_text_is_reached_by_every_form_of_its_address() {
    // R052, D27
    let server = Server::start(|_| answer(&task(TaskState::Completed))).await;
    let port = server.port;
    for url in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("http://127.0.0.1:{port}"),
        format!("dns:///127.0.0.1:{port}"),
        format!("grpc://127.0.0.1:{port}/"),
    ] {
        let client = builder_with(Options::new())
            .from_card(card([interface(&url)]))
            .unwrap();
        within(client.get_task("t-1")).await.unwrap();
        let heard = server.heard().pop().unwrap();
        assert_eq!(heard.path, "/lf.a2a.v1.A2AService/GetTask");
    }
}

#[tokio::test]
async fn a_path_goes_before_that_of_the_method() {
    // R052: never dropped in silence
    let server = Server::start(|_| answer(&task(TaskState::Completed))).await;
    for path in ["/agents/one", "/agents/one/"] {
        let url = format!("{}{path}", server.address());
        let client = builder_with(Options::new())
            .from_card(card([interface(&url)]))
            .unwrap();
        within(client.get_task("t-1")).await.unwrap();
        let heard = server.heard().pop().unwrap();
        assert_eq!(heard.path, "/agents/one/lf.a2a.v1.A2AService/GetTask");
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_told_when_the_client_is_made() {
    let error = builder_with(Options::new())
        .from_card(card([interface("h:99999")]))
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Card);
    assert!(error.to_string().contains("h:99999"), "{error}");
}

/// An authority, and what it has signed.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    /// A certificate for these names with its key, in PEM.
    fn sign(&self, names: &[&str]) -> (String, String) {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(names).unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        (certificate.pem(), key.serialize_pem())
    }

    fn pem(&self) -> String {
        self.0.pem()
    }
}

/// A server over TLS; with an authority for clients it wants to see their certificates.
async fn secure_server(authority: &Authority, clients: Option<&Authority>) -> Server {
    let (chain, key) = authority.sign(&["localhost", "127.0.0.1"]);
    let chain = vec![CertificateDer::from_pem_slice(chain.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(clients) => {
            let mut roots = RootCertStore::empty();
            let root = CertificateDer::from_pem_slice(clients.pem().as_bytes()).unwrap();
            roots.add(root).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    let mut config = builder.with_single_cert(chain, key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let script = |_: &_| answer(&task(TaskState::Completed));
    Server::start_with(script, move |socket| {
        let acceptor = acceptor.clone();
        async move { acceptor.accept(socket).await.ok() }
    })
    .await
}

fn client(options: Options, url: &str) -> Client {
    builder_with(options)
        .with_retry(RetryPolicy::never())
        .from_card(card([interface(url)]))
        .unwrap()
}

#[tokio::test]
async fn a_server_over_tls_is_reached_and_recognized() {
    // R052, D27
    let authority = Authority::new();
    let server = secure_server(&authority, None).await;
    let port = server.port;
    let trusting = Options::new().with_root_certificates(authority.pem());
    for url in [
        format!("https://localhost:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("grpcs://localhost:{port}/"),
    ] {
        within(client(trusting.clone(), &url).get_task("t-1"))
            .await
            .unwrap();
        let error = within(client(Options::new(), &url).get_task("t-1"))
            .await
            .unwrap_err();
        assert_eq!(error.failure(), Failure::Transport);
        assert!(error.is_unsent(), "{error:?}");
    }
    let bare = format!("localhost:{port}");
    let tls = trusting.clone().with_bare_addresses(BareAddresses::Tls);
    within(client(tls, &bare).get_task("t-1")).await.unwrap();
    // Plain text is not what this server speaks.
    let error = within(client(trusting, &bare).get_task("t-1"))
        .await
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Transport);
    assert_eq!(server.heard().len(), 4);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    let server = secure_server(&authority, None).await;
    let trusting = Options::new().with_root_certificates(authority.pem());
    // The certificate has no such name.
    let url = format!("https://[::ffff:127.0.0.1]:{}", server.port);
    let error = within(client(trusting, &url).get_task("t-1"))
        .await
        .unwrap_err();
    assert_eq!(error.failure(), Failure::Transport, "{error:?}");
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn a_server_that_wants_to_know_its_clients_sees_their_certificates() {
    let (servers, clients) = (Authority::new(), Authority::new());
    let server = secure_server(&servers, Some(&clients)).await;
    let url = format!("https://localhost:{}", server.port);
    let anonymous = Options::new().with_root_certificates(servers.pem());
    let (chain, key) = clients.sign(&["client"]);
    let known = anonymous.clone().with_client_certificate(chain, key);
    within(client(known, &url).get_task("t-1")).await.unwrap();
    let (chain, key) = servers.sign(&["client"]);
    let stranger = anonymous.clone().with_client_certificate(chain, key);
    for options in [anonymous, stranger] {
        let error = within(client(options, &url).get_task("t-1"))
            .await
            .unwrap_err();
        assert_eq!(error.failure(), Failure::Transport);
    }
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn certificates_that_are_none_are_told_when_the_client_is_made() {
    let good = Authority::new();
    let (chain, _) = good.sign(&["client"]);
    for options in [
        Options::new().with_root_certificates("nothing"),
        Options::new().with_client_certificate("nothing", "nothing"),
        Options::new().with_client_certificate(chain, "s3cret"),
    ] {
        let made = builder_with(options.clone()).from_card(card([interface("https://localhost")]));
        let error = made.unwrap_err();
        assert_eq!(error.failure(), Failure::Request, "{error:?}");
        assert!(!format!("{error:?} {options:?}").contains("s3cret"));
    }
}

#[tokio::test]
async fn credentials_go_where_they_would_go_over_http() {
    // The card is in hand, so only the way counts; plain text elsewhere is not secure.
    let server = Server::start(|_| answer(&task(TaskState::Completed))).await;
    let options = Options::new();
    let client = Client::builder()
        .with_credentials(Bearer::new("tok"))
        .with_transport(GRPC, move |interface| options.transport(interface))
        .from_card(card([interface(&server.address())]))
        .unwrap();
    within(client.get_task("t-1")).await.unwrap();
    assert_eq!(server.heard()[0].header("authorization"), "Bearer tok");
    let address = |bare, url: &str| {
        let transport = Options::new()
            .with_bare_addresses(bare)
            .transport(&interface(url));
        a2a_client::Transport::address(&transport.unwrap()).unwrap()
    };
    let default = BareAddresses::default();
    assert_eq!(
        address(default, "agent.example.com:50051"),
        "https://agent.example.com:50051/"
    );
    assert_eq!(
        address(BareAddresses::PlainText, "agent.example.com:50051"),
        "http://agent.example.com:50051/"
    );
}
