use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use a2a_push::net::{Failure, Guard, Policy, Refusal};
use axum::Router;
use axum::extract::Request;
use axum::response::Redirect;
use axum::routing::post;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::sync::mpsc;

use crate::support::{Always, guard, headers, listener, send, serve};

/// Accepts connections and lets `answer` do with them what it wants; tells of each.
async fn raw<F, R>(answer: F) -> (SocketAddr, mpsc::UnboundedReceiver<()>)
where
    F: Fn(TcpStream) -> R + Send + Sync + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let (listener, address) = listener().await;
    let (connected, connections) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = connected.send(());
            tokio::spawn(answer(stream));
        }
    });
    (address, connections)
}

/// Reads the head of a request and as much of the body as comes with it.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 16 * 1024];
    let read = stream.read(&mut bytes).await.unwrap();
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

#[tokio::test]
async fn headers_and_body_arrive_and_the_connection_serves_again() {
    let (told, mut requests) = mpsc::unbounded_channel();
    let (address, mut connections) = raw(move |mut stream| {
        let told = told.clone();
        async move {
            for _ in 0..2 {
                told.send(read_request(&mut stream).await).unwrap();
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone";
                stream.write_all(answer).await.unwrap();
            }
        }
    })
    .await;
    let guard = guard();
    for _ in 0..2 {
        let headers = headers(&[("authorization", "Bearer s")]);
        let answer = send(&guard, &format!("http://{address}/a?b=c"), headers, b"{}").await;
        assert_eq!(answer.unwrap().status, StatusCode::OK);
        let request = requests.recv().await.unwrap().to_lowercase();
        assert!(request.starts_with("post /a?b=c http/1.1\r\n"), "{request}");
        assert!(request.contains("authorization: bearer s\r\n"), "{request}");
        assert!(!request.contains("accept-encoding"), "{request}");
    }
    connections.recv().await.unwrap();
    assert!(connections.try_recv().is_err(), "a second connection");
}

// A2A-13.2-05
#[tokio::test]
async fn a_redirect_is_an_answer_and_nothing_else() {
    let inner = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&inner);
    let secret = post(move || async move {
        count.fetch_add(1, Ordering::SeqCst);
    });
    let inside = serve(Router::new().route("/secret", secret)).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("http://{inside}/secret");
        let hook = post(move || async move {
            let mut answer = axum::response::IntoResponse::into_response(Redirect::to(&location));
            *answer.status_mut() = StatusCode::from_u16(status).unwrap();
            answer
        });
        let address = serve(Router::new().route("/", hook)).await;
        let answer = send(
            &guard(),
            &format!("http://{address}/"),
            HeaderMap::new(),
            b"{}",
        )
        .await;
        assert_eq!(answer.unwrap().status, status);
    }
    assert_eq!(inner.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn every_address_of_a_name_is_tried() {
    let hook = post(|| async {});
    let address = serve(Router::new().route("/", hook)).await;
    let dead: IpAddr = Ipv6Addr::LOCALHOST.into();
    let policy = Policy::default()
        .with_plain_http()
        .with_any_port()
        .with_private_networks();
    let guard = Guard::builder(policy)
        .with_resolver(Always(vec![dead, Ipv4Addr::LOCALHOST.into()]))
        .build()
        .unwrap();
    let url = format!("http://hooks.test:{}/", address.port());
    let answer = send(&guard, &url, HeaderMap::new(), b"{}").await;
    assert_eq!(answer.unwrap().status, StatusCode::OK);
}

#[tokio::test]
async fn a_body_without_end_is_not_read() {
    let (sent, mut result) = mpsc::unbounded_channel();
    let (address, _connections) = raw(move |mut stream| {
        let sent = sent.clone();
        async move {
            read_request(&mut stream).await;
            let head = b"HTTP/1.1 500 Oops\r\ncontent-length: 10000000000\r\n\r\n";
            stream.write_all(head).await.unwrap();
            let mut bytes = 0_u64;
            while stream.write_all(&[b'x'; 4096]).await.is_ok() {
                bytes += 4096;
            }
            sent.send(bytes).unwrap();
        }
    })
    .await;
    let answer = send(
        &guard(),
        &format!("http://{address}/"),
        HeaderMap::new(),
        b"{}",
    )
    .await;
    assert_eq!(answer.unwrap().status, StatusCode::INTERNAL_SERVER_ERROR);
    // What fits into the buffers of the two sockets, and not gigabytes.
    let bytes = result.recv().await.unwrap();
    assert!(bytes < 64 * 1024 * 1024, "{bytes}");
}

#[tokio::test]
async fn the_status_decides_whatever_becomes_of_the_body() {
    for rest in [
        &b"content-length: 10\r\n\r\nhalf"[..],
        b"transfer-encoding: chunked\r\n\r\nzz",
    ] {
        let (address, _connections) = raw(move |mut stream| async move {
            read_request(&mut stream).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\n").await.unwrap();
            stream.write_all(rest).await.unwrap();
        })
        .await;
        let answer = send(
            &guard(),
            &format!("http://{address}/"),
            HeaderMap::new(),
            b"{}",
        )
        .await;
        assert_eq!(answer.unwrap().status, StatusCode::OK);
    }
    // One that trickles is not waited for.
    let (address, _connections) = raw(|mut stream| async move {
        read_request(&mut stream).await;
        let head = b"HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\n";
        stream.write_all(head).await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let answer = send(
        &guard(),
        &format!("http://{address}/"),
        HeaderMap::new(),
        b"{}",
    )
    .await;
    assert_eq!(answer.unwrap().status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn who_does_not_answer_is_given_up() {
    let (silent, _connections) = raw(|stream| async move {
        let _open = stream;
        std::future::pending::<()>().await;
    })
    .await;
    let (short, body) = (Duration::from_millis(200), Bytes::from_static(b"{}"));
    let url = format!("http://{silent}/");
    let answer = guard().post(&url, HeaderMap::new(), body, short, 0).await;
    assert!(matches!(answer, Err(Failure::Timeout)), "{answer:?}");

    let (reset, _connections) = raw(|stream| async move { drop(stream) }).await;
    let (listener, closed) = listener().await;
    drop(listener);
    for address in [reset, closed] {
        let url = format!("http://{address}/?secret=1");
        let failed = send(&guard(), &url, HeaderMap::new(), b"{}")
            .await
            .unwrap_err();
        assert!(matches!(failed, Failure::Network(_)), "{failed:?}");
        assert!(
            !format!("{failed} {failed:?}").contains("secret"),
            "{failed:?}"
        );
    }
    let (garbage, _connections) = raw(|mut stream| async move {
        read_request(&mut stream).await;
        stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n").await.unwrap();
    })
    .await;
    let url = format!("http://{garbage}/");
    let failed = send(&guard(), &url, HeaderMap::new(), b"{}").await;
    assert!(matches!(failed, Err(Failure::Network(_))), "{failed:?}");
}

// The test runs itself again with the proxy in the environment.
#[tokio::test]
async fn a_proxy_of_the_environment_is_not_used() {
    if let Ok(url) = std::env::var("WEBHOOK_OF_THE_TEST") {
        let answer = send(&guard(), &url, HeaderMap::new(), b"{}").await;
        assert_eq!(answer.unwrap().status, StatusCode::OK);
        return;
    }
    let (hook, mut direct) = raw(|mut stream| async move {
        read_request(&mut stream).await;
        stream.write_all(OK).await.unwrap();
    })
    .await;
    let (proxy, mut proxied) = raw(|mut stream| async move {
        read_request(&mut stream).await;
        stream.write_all(OK).await.unwrap();
    })
    .await;
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "guard::a_proxy_of_the_environment_is_not_used"]);
    child.env("WEBHOOK_OF_THE_TEST", format!("http://{hook}/"));
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ] {
        child.env(name, format!("http://{proxy}"));
    }
    let output = child
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .await
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(direct.try_recv().is_ok(), "the webhook was not called");
    assert!(proxied.try_recv().is_err(), "the proxy was asked");
}

#[tokio::test]
async fn a_configured_proxy_is_used_and_does_not_open_the_policy() {
    let (told, mut requests) = mpsc::unbounded_channel();
    let (proxy, _connections) = raw(move |mut stream| {
        let told = told.clone();
        async move {
            told.send(read_request(&mut stream).await).unwrap();
            stream.write_all(OK).await.unwrap();
        }
    })
    .await;
    // Names are the proxy's to resolve: one that means nothing here is sent to it.
    let policy = Policy::default().with_plain_http();
    for proxy in [
        format!("http://{proxy}"),
        format!("http://proxy.test:{}", proxy.port()),
    ] {
        let guard = Guard::builder(policy.clone())
            .with_proxy(proxy)
            .with_resolver(OnlyProxy)
            .build()
            .unwrap();
        let answer = send(&guard, "http://hooks.test/a", HeaderMap::new(), b"{}").await;
        assert_eq!(answer.unwrap().status, StatusCode::OK);
        let request = requests.recv().await.unwrap();
        assert!(
            request.starts_with("POST http://hooks.test/a "),
            "{request}"
        );
        for (url, refusal) in [
            ("http://127.0.0.1/", Refusal::Address),
            ("http://inside.test/", Refusal::Address),
            ("http://hooks.test:81/", Refusal::Port(81)),
        ] {
            let refused = send(&guard, url, HeaderMap::new(), b"{}").await;
            assert!(
                matches!(refused, Err(Failure::Refused(found)) if found == refusal),
                "{url} {refused:?}"
            );
        }
        assert!(requests.try_recv().is_err());
    }
    let unreadable = Guard::builder(policy)
        .with_proxy("http://u:secret@[proxy")
        .build();
    let error = format!("{:?}", unreadable.err().unwrap());
    assert!(!error.contains("secret"), "{error}");
}

struct OnlyProxy;

#[async_trait::async_trait]
impl a2a_push::net::Resolver for OnlyProxy {
    async fn resolve(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        match name {
            "proxy.test" | "inside.test" => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
            _ => Err(std::io::Error::other("no such name")),
        }
    }
}

#[tokio::test]
async fn the_request_that_an_axum_handler_sees_is_the_one_that_was_posted() {
    let (told, mut bodies) = mpsc::unbounded_channel();
    let hook = post(move |request: Request| async move {
        let body = axum::body::to_bytes(request.into_body(), 1024)
            .await
            .unwrap();
        told.send(body).unwrap();
    });
    let address = serve(Router::new().route("/", hook)).await;
    let url = format!("http://localhost:{}/", address.port());
    let guard = Guard::builder(Policy::loopback())
        .with_resolver(Always(vec![Ipv4Addr::LOCALHOST.into()]))
        .build()
        .unwrap();
    send(&guard, &url, HeaderMap::new(), b"{\"a\":1}")
        .await
        .unwrap();
    assert_eq!(&bodies.recv().await.unwrap()[..], b"{\"a\":1}");
}
