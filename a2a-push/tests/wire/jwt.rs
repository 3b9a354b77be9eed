use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use a2a_push::receiver::{KeySet, Receiver, RemoteKeys, TaskList, TokenCheck};
use a2a_push::sign::{JWKS_PATH, Jwt, KeyRing, SigningKey};
use a2a_types::{AuthenticationInfo, TaskPushNotificationConfig};
use axum::Router;
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, StatusCode};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use crate::keys::{ed25519, es256, rs256};
use crate::support::{Hook, event, guard, headers, serve, signed};

fn tasks() -> TaskList {
    let tasks = TaskList::default();
    tasks.expect("t1");
    tasks
}

fn config(url: &str) -> TaskPushNotificationConfig {
    TaskPushNotificationConfig::default()
        .with_url(url)
        .with_task_id("t1")
}

fn key_set(ring: &KeyRing) -> KeySet {
    KeySet::from_json(ring.jwks().as_bytes()).unwrap()
}

#[tokio::test]
async fn a_token_of_each_algorithm_is_verified_by_the_published_key() {
    for key in [
        SigningKey::es256(&es256()).unwrap(),
        SigningKey::rs256(&rs256()).unwrap(),
        SigningKey::ed25519(&ed25519()).unwrap(),
    ] {
        let ring = KeyRing::new(key);
        let keys = RemoteKeys::new(
            format!("http://{}{JWKS_PATH}", serve(ring.router()).await),
            guard(),
        );
        let mut hook = Hook::bind(|url| {
            let check = TokenCheck::new(keys, url).with_issuer("https://agent.example");
            Receiver::builder(tasks()).with_jwt(check).build()
        })
        .await;
        let signer = Jwt::new(ring).with_issuer("https://agent.example");
        let body = event("t1");
        for id in ["1", "2"] {
            let headers = signed(&signer, id, SystemTime::now(), &config(&hook.url), &body);
            assert!(
                headers["authorization"]
                    .to_str()
                    .unwrap()
                    .starts_with("Bearer ey")
            );
            assert!(headers["authorization"].is_sensitive());
            assert_eq!(hook.post(headers, &body).await, StatusCode::NO_CONTENT);
        }
        assert_eq!(hook.heard(), 2);
    }
}

// A2A-4.3.3-02: the registered credentials keep their header.
#[tokio::test]
async fn the_token_makes_way_for_registered_credentials() {
    let ring = KeyRing::new(SigningKey::generate().unwrap());
    let keys = key_set(&ring);
    let mut hook = Hook::bind(|url| {
        Receiver::builder(tasks())
            .with_credentials("Bearer", "abc")
            .with_jwt(TokenCheck::new(keys, url))
            .build()
    })
    .await;
    let authentication = AuthenticationInfo::default()
        .with_scheme("Bearer")
        .with_credentials("abc");
    let config = config(&hook.url).with_authentication(authentication);
    let body = event("t1");
    let mut headers = signed(&Jwt::new(ring), "1", SystemTime::now(), &config, &body);
    assert!(!headers.contains_key("authorization"));
    assert_eq!(
        hook.post(headers.clone(), &body).await,
        StatusCode::UNAUTHORIZED
    );
    headers.extend(a2a_push::net::credentials(&config).unwrap());
    assert_eq!(hook.post(headers, &body).await, StatusCode::NO_CONTENT);
    assert_eq!(hook.heard(), 1);
}

#[tokio::test]
async fn a_token_is_for_one_webhook_task_notification_body_and_time() {
    let ring = KeyRing::new(SigningKey::generate().unwrap().with_id("k"));
    let keys = key_set(&ring);
    let mut hook = Hook::bind(|url| {
        let check = TokenCheck::new(keys, url).with_issuer("us");
        Receiver::builder(tasks()).with_jwt(check).build()
    })
    .await;
    let ours = Jwt::new(ring.clone()).with_issuer("us");
    let stranger = KeyRing::new(SigningKey::generate().unwrap().with_id("k"));
    let unknown = KeyRing::new(SigningKey::generate().unwrap());
    let (body, now) = (event("t1"), SystemTime::now());
    let here = config(&hook.url);
    let elsewhere = config("https://elsewhere.example/");
    let other_task = here.clone().with_task_id("t2");
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    let mut other_id = signed(&ours, "1", now, &here, &body);
    other_id.insert("webhook-id", "2".parse().unwrap());
    let mut twice = signed(&ours, "1", now, &here, &body);
    let again = twice["authorization"].clone();
    twice.append("authorization", again);
    for (why, headers) in [
        ("audience", signed(&ours, "1", now, &elsewhere, &body)),
        ("task", signed(&ours, "1", now, &other_task, &body)),
        (
            "expired",
            signed(&ours, "1", now - minutes(7), &here, &body),
        ),
        ("future", signed(&ours, "1", now + minutes(2), &here, &body)),
        ("body", signed(&ours, "1", now, &here, &event("t2"))),
        ("id", other_id),
        (
            "issuer",
            signed(&Jwt::new(ring.clone()), "1", now, &here, &body),
        ),
        (
            "key",
            signed(
                &Jwt::new(stranger).with_issuer("us"),
                "1",
                now,
                &here,
                &body,
            ),
        ),
        (
            "key id",
            signed(&Jwt::new(unknown).with_issuer("us"), "1", now, &here, &body),
        ),
        ("twice", twice),
        ("missing", HeaderMap::new()),
        ("empty", headers(&[("authorization", "Bearer ")])),
        ("none", headers(&[("authorization", "Basic abc")])),
        ("dots", headers(&[("authorization", "Bearer ...")])),
        (
            "long",
            headers(&[("authorization", &format!("Bearer {}", "a".repeat(17_000)))]),
        ),
    ] {
        let status = hook.post(headers, &body).await;
        assert_eq!(
            (status, hook.heard()),
            (StatusCode::UNAUTHORIZED, 0),
            "{why}"
        );
    }
    // A little early or late is what clocks are.
    for (id, at) in [
        ("1", now - minutes(5)),
        ("2", now + Duration::from_secs(30)),
    ] {
        let headers = signed(&ours, id, at, &here, &body);
        assert_eq!(hook.post(headers, &body).await, StatusCode::NO_CONTENT);
    }
    // Without `webhook-id` the id is the one of the token.
    let mut headers = signed(&ours, "1", now, &here, &body);
    headers.remove("webhook-id");
    assert_eq!(hook.post(headers, &body).await, StatusCode::NO_CONTENT);
    assert_eq!(hook.heard(), 2);
}

// What a forger may try with the head of a token.
#[tokio::test]
async fn the_algorithm_is_the_one_of_the_key() {
    let pem = es256();
    let ring = KeyRing::new(SigningKey::es256(&pem).unwrap().with_id("k"));
    let published = ring.jwks();
    let receiver = |url: &str| {
        let check = TokenCheck::new(key_set(&ring), url);
        Receiver::builder(tasks()).with_jwt(check).build()
    };
    let receiver = receiver("https://hook.example/");
    let body = event("t1");
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &body);
    let hash: String = hash
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let claims = json!({
        "aud": ["https://a.example", "https://hook.example/"],
        "iat": now,
        "exp": now + 60,
        "jti": "1",
        "request_body_sha256": hash,
    });
    let key = EncodingKey::from_ec_pem(&pem).unwrap();
    let mut head = Header::new(Algorithm::ES256);
    head.kid = Some("k".into());
    let present = |token: &str| headers(&[("authorization", &format!("bearer {token}"))]);
    let token = |head: &Header, claims: &Value, key: &EncodingKey| {
        present(&jsonwebtoken::encode(head, claims, key).unwrap())
    };
    // The same token is good when nothing is changed: several audiences, no task, one key, no id.
    drop(
        receiver
            .check(&token(&head, &claims, &key), &body)
            .await
            .unwrap(),
    );
    let mut anonymous = head.clone();
    anonymous.kid = None;
    drop(
        receiver
            .check(&token(&anonymous, &claims, &key), &body)
            .await
            .unwrap(),
    );

    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let unsigned = |alg: &str| {
        let head = json!({ "alg": alg, "kid": "k" });
        present(&format!("{}.{}.", part(&head), part(&claims)))
    };
    let mut hs256 = Header::new(Algorithm::HS256);
    hs256.kid = Some("k".into());
    let set: Value = serde_json::from_str(&published).unwrap();
    let x = set["keys"][0]["x"].as_str().unwrap();
    let by_public_key = EncodingKey::from_urlsafe_base64_secret(&format!("{x}=")).unwrap();
    let mut critical = head.clone();
    critical.crit = Some(vec!["b64".into()]);
    let without = |name: &str| {
        let mut claims = claims.clone();
        claims.as_object_mut().unwrap().remove(name);
        token(&head, &claims, &key)
    };
    let with = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        token(&head, &claims, &key)
    };
    for (why, headers) in [
        ("none", unsigned("none")),
        ("None", unsigned("None")),
        ("es256 unsigned", unsigned("ES256")),
        ("hs256", token(&hs256, &claims, &by_public_key)),
        ("crit", token(&critical, &claims, &key)),
        ("no exp", without("exp")),
        ("no iat", without("iat")),
        ("no aud", without("aud")),
        ("no jti", without("jti")),
        ("no hash", without("request_body_sha256")),
        ("negative", with("exp", json!(-1))),
        ("text", with("exp", json!("9999999999"))),
        ("exp", with("exp", json!(now - 120))),
        ("huge iat", with("iat", json!(u64::MAX))),
        ("aud", with("aud", json!([]))),
        ("null aud", with("aud", Value::Null)),
    ] {
        let refused = receiver.check(&headers, &body).await;
        assert!(
            refused.is_err_and(|error| error.status() == StatusCode::UNAUTHORIZED),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_key_is_replaced_without_a_notification_that_nobody_can_verify() {
    let ring = KeyRing::new(SigningKey::generate().unwrap().with_id("old"));
    let keys = key_set(&ring);
    let receiver = Receiver::builder(tasks())
        .with_jwt(TokenCheck::new(keys.clone(), "https://hook.example/"))
        .build();
    let signer = Jwt::new(ring.clone());
    let (config, body) = (config("https://hook.example/"), event("t1"));
    let sign = || signed(&signer, "1", SystemTime::now(), &config, &body);
    let is_good = |headers: HeaderMap| {
        let (receiver, body) = (receiver.clone(), body.clone());
        async move { receiver.check(&headers, &body).await.is_ok() }
    };
    let by_old = sign();
    ring.add(SigningKey::generate().unwrap().with_id("new"))
        .unwrap();
    assert!(
        is_good(sign()).await,
        "a new key signs only when it is told to"
    );
    keys.replace(ring.jwks().as_bytes()).unwrap();
    ring.sign_with("new").unwrap();
    let by_new = sign();
    assert!(is_good(by_old.clone()).await);
    assert!(is_good(by_new.clone()).await);
    ring.remove("old").unwrap();
    keys.replace(ring.jwks().as_bytes()).unwrap();
    assert!(!is_good(by_old).await);
    assert!(is_good(by_new.clone()).await);
    // What is no set leaves the keys as they are.
    for bad in [
        &b""[..],
        b"{}",
        br#"{"keys":[]}"#,
        br#"{"keys":[{"kty":"oct","k":"AAAA"}]}"#,
    ] {
        assert!(keys.replace(bad).is_err());
        assert!(KeySet::from_json(bad).is_err());
    }
    assert!(is_good(by_new).await);
}

#[test]
fn a_set_may_have_keys_that_are_for_others() {
    let ring = KeyRing::new(SigningKey::generate().unwrap());
    let mut set: Value = serde_json::from_str(&ring.jwks()).unwrap();
    let mut for_encryption = set["keys"][0].clone();
    for_encryption["use"] = json!("enc");
    let mut other_algorithm = set["keys"][0].clone();
    other_algorithm["alg"] = json!("ES384");
    let strange = json!({ "kty": "lattice", "alg": "ML-DSA-65" });
    let only_others = json!({ "keys": [for_encryption, other_algorithm, strange, 7] });
    assert!(KeySet::from_json(only_others.to_string().as_bytes()).is_err());
    let keys = set["keys"].as_array_mut().unwrap();
    keys.extend(only_others["keys"].as_array().unwrap().clone());
    assert!(KeySet::from_json(set.to_string().as_bytes()).is_ok());
}

/// Lets time pass for timers alone: sockets need the real one.
async fn later(span: Duration) {
    tokio::time::pause();
    tokio::time::advance(span).await;
    tokio::time::resume();
}

#[tokio::test]
async fn keys_are_fetched_when_they_are_needed_and_not_for_every_stranger() {
    let ring = KeyRing::new(SigningKey::generate().unwrap().with_id("1"));
    let fetched = Arc::new(AtomicUsize::new(0));
    let answer = {
        let (ring, fetched) = (ring.clone(), Arc::clone(&fetched));
        get(move || async move {
            fetched.fetch_add(1, Ordering::SeqCst);
            ring.jwks()
        })
    };
    let address = serve(Router::new().route("/keys", answer)).await;
    let keys = RemoteKeys::new(format!("http://{address}/keys"), guard());
    let receiver = Receiver::builder(tasks())
        .with_jwt(TokenCheck::new(keys, "https://hook.example/"))
        .build();
    let config = config("https://hook.example/");
    let body = event("t1");
    let by = |ring: &KeyRing| {
        let signer = Jwt::new(ring.clone());
        signed(&signer, "1", SystemTime::now(), &config, &body)
    };
    let check = |headers: HeaderMap| {
        let (receiver, body) = (receiver.clone(), body.clone());
        async move {
            let checked = receiver.check(&headers, &body).await;
            checked.map_or_else(|refused| refused.status(), |_| StatusCode::OK)
        }
    };
    let (good, unauthenticated) = (StatusCode::OK, StatusCode::UNAUTHORIZED);
    let later_please = StatusCode::SERVICE_UNAVAILABLE;
    let stranger = KeyRing::new(SigningKey::generate().unwrap().with_id("x"));
    let by_first = by(&ring);
    assert_eq!(check(by_first.clone()).await, good);
    assert_eq!(check(by_first.clone()).await, good);
    for _ in 0..5 {
        assert_eq!(check(by(&stranger)).await, later_please);
    }
    assert_eq!(fetched.load(Ordering::SeqCst), 1);

    // A key that is new is looked for, once the pause is over.
    ring.add(SigningKey::generate().unwrap().with_id("2"))
        .unwrap();
    ring.sign_with("2").unwrap();
    assert_eq!(check(by(&ring)).await, later_please);
    later(Duration::from_secs(31)).await;
    assert_eq!(check(by(&ring)).await, good);
    assert_eq!(fetched.load(Ordering::SeqCst), 2);
    later(Duration::from_secs(31)).await;
    assert_eq!(check(by(&stranger)).await, unauthenticated);
    assert_eq!(fetched.load(Ordering::SeqCst), 3);

    // A key that was withdrawn is believed for five minutes at most.
    ring.remove("1").unwrap();
    assert_eq!(check(by_first.clone()).await, good);
    later(Duration::from_secs(301)).await;
    assert_eq!(check(by_first).await, unauthenticated);
    assert_eq!(check(by(&ring)).await, good);
    assert_eq!(fetched.load(Ordering::SeqCst), 4);
}

// A notification is not lost because its keys cannot be had for a while.
#[tokio::test]
async fn without_the_keys_the_sender_is_asked_to_come_again() {
    for answer in [
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::OK, // and no key set
    ] {
        let router = Router::new().route("/keys", get(move || async move { (answer, "sorry") }));
        let keys = RemoteKeys::new(format!("http://{}/keys", serve(router).await), guard());
        let mut hook = Hook::bind(|url| {
            let check = TokenCheck::new(keys, url);
            Receiver::builder(tasks()).with_jwt(check).build()
        })
        .await;
        let signer = Jwt::new(KeyRing::new(SigningKey::generate().unwrap()));
        let body = event("t1");
        let headers = signed(&signer, "1", SystemTime::now(), &config(&hook.url), &body);
        for _ in 0..2 {
            let status = hook.post(headers.clone(), &body).await;
            assert_eq!((status, hook.heard()), (StatusCode::SERVICE_UNAVAILABLE, 0));
        }
    }
}
