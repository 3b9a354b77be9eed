use a2a_push::sign::{JWKS_PATH, KeyRing, SigningKey};
use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::support::serve;

pub(crate) fn pem(der: &[u8]) -> Vec<u8> {
    let body = STANDARD.encode(der);
    format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n").into_bytes()
}

pub(crate) fn es256() -> Vec<u8> {
    let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
    pem(
        EcdsaKeyPair::generate_pkcs8(algorithm, &SystemRandom::new())
            .unwrap()
            .as_ref(),
    )
}

pub(crate) fn rs256() -> Vec<u8> {
    let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let der: Pkcs8V1Der<'_> = key.as_der().unwrap();
    pem(der.as_ref())
}

pub(crate) fn ed25519() -> Vec<u8> {
    pem(Ed25519KeyPair::generate_pkcs8v1(&SystemRandom::new())
        .unwrap()
        .as_ref())
}

#[test]
fn a_key_that_cannot_sign_is_found_out_when_it_is_read() {
    let p384 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &SystemRandom::new());
    let p384 = pem(p384.unwrap().as_ref());
    let (ec, rsa, ed) = (es256(), rs256(), ed25519());
    for (key, good) in [
        (SigningKey::es256(&ec), true),
        (SigningKey::rs256(&rsa), true),
        (SigningKey::ed25519(&ed), true),
        (SigningKey::es256(&p384), false),
        (SigningKey::es256(&rsa), false),
        (SigningKey::es256(&ed), false),
        (SigningKey::rs256(&ec), false),
        (SigningKey::ed25519(&ec), false),
        (SigningKey::ed25519(b"no PEM"), false),
        (SigningKey::rs256(&pem(b"no key")), false),
        (SigningKey::es256(&ec[..ec.len() / 2]), false),
    ] {
        assert_eq!(key.is_ok(), good, "{key:?}");
    }
    let shown = format!("{:?}", SigningKey::es256(&ec).unwrap());
    assert!(!shown.contains("content"), "{shown}");
}

#[test]
fn the_published_set_has_public_halves_only() {
    let ring = KeyRing::new(SigningKey::es256(&es256()).unwrap());
    ring.add(SigningKey::rs256(&rs256()).unwrap().with_id("rsa"))
        .unwrap();
    ring.add(SigningKey::ed25519(&ed25519()).unwrap().with_id("ed"))
        .unwrap();
    let set: serde_json::Value = serde_json::from_str(&ring.jwks()).unwrap();
    let keys = set["keys"].as_array().unwrap();
    let names = |key: &serde_json::Value| {
        let mut names: Vec<_> = key.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(names(&keys[0]), "alg crv kid kty use x y");
    assert_eq!(names(&keys[1]), "alg e kid kty n use");
    assert_eq!(names(&keys[2]), "alg crv kid kty use x");
    assert_eq!(keys[0]["alg"], "ES256");
    assert_eq!(keys[1]["alg"], "RS256");
    assert_eq!(keys[2]["alg"], "EdDSA");
    assert_eq!(keys[1]["kid"], "rsa");
    // RFC 7638: 32 bytes in base64.
    assert_eq!(keys[0]["kid"].as_str().unwrap().len(), 43);
}

// The example of RFC 8037, appendices A.1 to A.3.
#[test]
fn the_id_of_a_key_is_its_thumbprint() {
    let seed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
    let seed = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(seed)
        .unwrap();
    let mut der = vec![
        0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20,
    ];
    der.extend(seed);
    let key = SigningKey::ed25519(&pem(&der)).unwrap();
    assert_eq!(key.id(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
}

#[test]
fn the_key_that_signs_cannot_be_removed_and_ids_are_unique() {
    let key = |id: &str| SigningKey::generate().unwrap().with_id(id);
    let ring = KeyRing::new(key("1"));
    assert!(ring.add(key("1")).is_err());
    assert!(ring.sign_with("2").is_err());
    ring.add(key("2")).unwrap();
    assert!(ring.add(key("2")).is_err());
    assert!(ring.remove("1").is_err());
    ring.sign_with("2").unwrap();
    ring.sign_with("2").unwrap();
    assert!(ring.remove("2").is_err());
    ring.remove("1").unwrap();
    ring.remove("1").unwrap();
    assert!(!ring.jwks().contains("\"1\""));
}

#[tokio::test]
async fn the_router_publishes_the_set_as_it_is_now() {
    let ring = KeyRing::new(SigningKey::generate().unwrap().with_id("first"));
    let address = serve(ring.router()).await;
    let fetch = || async {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {JWKS_PATH} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    };
    let before = fetch().await;
    assert!(before.starts_with("HTTP/1.1 200"), "{before}");
    assert!(
        before.contains("content-type: application/jwk-set+json\r\n"),
        "{before}"
    );
    assert!(
        before.contains("cache-control: public, max-age=300\r\n"),
        "{before}"
    );
    ring.add(SigningKey::generate().unwrap().with_id("second"))
        .unwrap();
    let after = fetch().await;
    assert!(
        after.contains("first") && after.contains("second"),
        "{after}"
    );
}
