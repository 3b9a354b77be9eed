//! TLS for all bindings on one port, and certificates of clients.

use std::net::SocketAddr;
use std::sync::Arc;

use a2a_grpc::a2a_service_client::A2aServiceClient;
use a2a_grpc::{Grpc, ServeGrpc};
use a2a_server::auth::{Authenticator, Credentials, Principal, Security};
use a2a_server::{BuildError, ClientCertificates, Tls};
use a2a_types::{A2aError, AgentCard, ListTasksRequest, TaskState};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};
use tonic::{Code, Status};

use crate::support::{Obedient, builder, http, say, send, v1, within};

/// An authority, the certificate of a server that it has made, and that of a client.
struct Authority {
    root: String,
    server: (String, String),
    client: (String, String),
}

impl Authority {
    fn new() -> Self {
        let mut root = CertificateParams::new(Vec::new()).unwrap();
        root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(root, KeyPair::generate().unwrap()).unwrap();
        let make = |name: &str| {
            let key = KeyPair::generate().unwrap();
            let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
            let certificate = params.signed_by(&key, &issuer).unwrap();
            (certificate.pem(), key.serialize_pem())
        };
        Self {
            server: make("localhost"),
            client: make("alice.example"),
            root: issuer.pem(),
        }
    }

    fn tls(&self) -> Tls {
        Tls::from_pem(&self.server.0, &self.server.1).unwrap()
    }

    async fn channel(
        &self,
        address: SocketAddr,
        with: Option<&Self>,
    ) -> Result<Channel, tonic::transport::Error> {
        let mut tls = ClientTlsConfig::new()
            .ca_certificate(Certificate::from_pem(&self.root))
            .domain_name("localhost");
        if let Some(other) = with {
            tls = tls.identity(Identity::from_pem(&other.client.0, &other.client.1));
        }
        let endpoint = Channel::from_shared(format!("https://{address}")).unwrap();
        endpoint.tls_config(tls).unwrap().connect().await
    }
}

/// Knows callers by the certificate that they show.
struct ByCertificate;

#[async_trait::async_trait]
impl Authenticator for ByCertificate {
    async fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Principal, A2aError> {
        let certificates = credentials.certificates;
        let leaf = certificates.and_then(|certificates| certificates.leaf());
        match leaf {
            Some(der) if String::from_utf8_lossy(der).contains("alice.example") => {
                Ok(Principal::new("alice"))
            }
            _ => Err(A2aError::unauthenticated("show a certificate")),
        }
    }

    fn security(&self) -> Security {
        Security::default()
    }
}

async fn serve(
    tls: Tls,
    authenticator: Option<ByCertificate>,
) -> (SocketAddr, oneshot::Sender<()>) {
    let mut server = builder(Obedient::default()).grpc(Grpc::new()).tls(tls);
    if let Some(authenticator) = authenticator {
        server = server.authenticator(authenticator);
    }
    let server = server.build().unwrap().bind("127.0.0.1:0").await.unwrap();
    let address = server.address();
    assert!(server.card_url().starts_with("https://"));
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(server.run_until(async move {
        let _ = stopped.await;
    }));
    (address, stop)
}

// A2A-10.1-01, A2A-7.1-01, A2A-13.4-01
#[tokio::test]
async fn one_port_speaks_all_bindings_over_tls() {
    let authority = Authority::new();
    let (address, _stop) = serve(authority.tls(), None).await;
    let channel = within(authority.channel(address, None)).await.unwrap();
    let mut client = A2aServiceClient::new(channel);
    let task = send(&mut client, "hi").await;
    assert_eq!(task.state(), TaskState::Completed);

    let root = reqwest::Certificate::from_pem(authority.root.as_bytes()).unwrap();
    let name = format!("https://localhost:{}", address.port());
    for (http1_only, version) in [
        (true, reqwest::Version::HTTP_11),
        (false, reqwest::Version::HTTP_2),
    ] {
        let client = http()
            .tls_certs_only([root.clone()])
            .resolve("localhost", address);
        let client = match http1_only {
            true => client.http1_only(),
            false => client,
        };
        let client = client.build().unwrap();
        let card = client.get(format!("{name}{}", a2a_server::CARD_PATH));
        let card = within(card.send()).await.unwrap();
        assert_eq!(card.version(), version);
        let card: AgentCard = serde_json::from_slice(&card.bytes().await.unwrap()).unwrap();
        let url = format!("https://{address}");
        for interface in &card.supported_interfaces {
            assert_eq!(interface.url, url, "{}", interface.protocol_binding);
        }
        let read = client.get(format!("{name}/tasks/{}", task.id));
        let read = within(read.header("a2a-version", "1.0").send()).await;
        assert_eq!(read.unwrap().status(), 200);
    }
    // In plain text there is nothing.
    let plain = http()
        .build()
        .unwrap()
        .get(format!("http://{address}/health"))
        .send();
    assert!(within(plain).await.is_err());
}

// A2A-7.4-01
#[tokio::test]
async fn the_certificate_of_a_client_says_who_calls() {
    let authority = Authority::new();
    let tls = authority
        .tls()
        .with_client_certificates(&authority.root, ClientCertificates::Optional)
        .unwrap();
    let (address, _stop) = serve(tls, Some(ByCertificate)).await;
    let channel = within(authority.channel(address, Some(&authority))).await;
    let mut known = A2aServiceClient::new(channel.unwrap());
    let told = within(known.send_message(v1(say("caller")))).await.unwrap();
    assert!(format!("{told:?}").contains("alice"), "{told:?}");

    let channel = within(authority.channel(address, None)).await.unwrap();
    let mut stranger = A2aServiceClient::new(channel);
    let refused = within(stranger.send_message(v1(say("caller")))).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated);
}

/// Whether a client with the certificate of `other` gets an answer at all.
async fn answers(address: SocketAddr, authority: &Authority, other: Option<&Authority>) -> bool {
    let Ok(channel) = within(authority.channel(address, other)).await else {
        return false;
    };
    let mut client = A2aServiceClient::new(channel);
    let outcome: Result<_, Status> =
        within(client.list_tasks(v1(ListTasksRequest::default()))).await;
    outcome.is_ok()
}

#[tokio::test]
async fn clients_without_a_good_certificate_have_no_connection_where_one_is_required() {
    let (authority, other) = (Authority::new(), Authority::new());
    let tls = authority
        .tls()
        .with_client_certificates(&authority.root, ClientCertificates::Required)
        .unwrap();
    let (address, _stop) = serve(tls, None).await;
    assert!(answers(address, &authority, Some(&authority)).await);
    assert!(!answers(address, &authority, None).await);
    assert!(!answers(address, &authority, Some(&other)).await);
}

// Whoever only connects, or speaks no TLS, keeps nobody waiting.
#[tokio::test]
async fn a_client_that_does_not_finish_the_handshake_holds_nobody_up() {
    let authority = Authority::new();
    let (address, _stop) = serve(authority.tls(), None).await;
    let mut silent = Vec::new();
    for _ in 0..20 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    assert!(answers(address, &authority, None).await);
}

/// The version that a client gets which offers no more than `versions`.
async fn negotiated(
    address: SocketAddr,
    authority: &Authority,
    versions: &[&'static rustls::SupportedProtocolVersion],
) -> rustls::ProtocolVersion {
    let mut roots = rustls::RootCertStore::empty();
    let root = CertificateDer::from_pem_slice(authority.root.as_bytes()).unwrap();
    roots.add(root).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await.unwrap();
    let name = "localhost".try_into().unwrap();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let stream = within(connector.connect(name, stream)).await.unwrap();
    stream.get_ref().1.protocol_version().unwrap()
}

// A2A-7.1-02, A2A-13.4-02, A2A-13.4-04
#[tokio::test]
async fn tls_is_1_3_or_1_2_and_never_older() {
    let authority = Authority::new();
    let (address, _stop) = serve(authority.tls(), None).await;
    let all = negotiated(address, &authority, rustls::ALL_VERSIONS).await;
    assert_eq!(all, rustls::ProtocolVersion::TLSv1_3);
    let old = negotiated(address, &authority, &[&rustls::version::TLS12]).await;
    assert_eq!(old, rustls::ProtocolVersion::TLSv1_2);

    // A greeting of TLS 1.1: version, random bytes, no session, one cipher, no compression.
    let hello = [&[3, 2][..], &[7; 32], &[0], &[0, 2, 0, 0x2f], &[1, 0]].concat();
    let length = u8::try_from(hello.len()).unwrap();
    let handshake = [&[1, 0, 0, length][..], &hello].concat();
    let record = [&[22, 3, 1, 0, length + 4][..], &handshake].concat();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&record).await.unwrap();
    let mut answer = Vec::new();
    let _ = within(stream.read_to_end(&mut answer)).await;
    // A fatal alert.
    assert_eq!((answer[0], answer[5]), (21, 2), "{answer:?}");
}

#[test]
fn what_is_no_certificate_is_refused_with_a_reason() {
    let (authority, other) = (Authority::new(), Authority::new());
    let (certificate, key) = &authority.server;
    let build = |tls: Result<Tls, BuildError>| {
        let server = builder(Obedient::default()).tls(tls?);
        server.build().map(|_| ())
    };
    assert!(build(Tls::from_pem(certificate, key)).is_ok());
    for (tls, expected) in [
        (
            Tls::from_pem("", key),
            "certificate of the server is missing",
        ),
        (Tls::from_pem(certificate, ""), "private key of the server"),
        (
            Tls::from_pem(certificate, &other.server.1),
            "do not go together",
        ),
        (
            authority
                .tls()
                .with_client_certificates("", ClientCertificates::Required),
            "client authority is missing",
        ),
    ] {
        let error = build(tls).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let shown = format!("{:?}", authority.tls());
    assert!(!shown.contains("PRIVATE") && shown.len() < 60, "{shown}");
}
