//! Receivers that misbehave: the sender lives on, and nobody else notices.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use a2a_types::push::Webhook;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::support::{Receiver, answer, hook, quickly, send, sender, within};

/// What a hostile receiver does with a connection once it has the head of a request.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Hang,
    /// Answers a byte at a time, for ever.
    Trickle,
    Reset,
    /// Announces more than it sends.
    CutBody,
    /// Answers with a body that does not end.
    Flood,
    /// Says something that is no HTTP.
    Babble,
}

/// A hostile receiver, which tells of each connection, and how many bytes it got rid of.
struct Hostile {
    address: SocketAddr,
    visits: mpsc::UnboundedReceiver<()>,
    written: Arc<AtomicU64>,
}

impl Hostile {
    async fn start(deed: Deed) -> Self {
        Self::on("127.0.0.1:0", deed).await
    }

    async fn on(address: &str, deed: Deed) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (told, visits) = mpsc::unbounded_channel();
        let written = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&written);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (told, counter) = (told.clone(), Arc::clone(&counter));
                tokio::spawn(async move {
                    let _ = misbehave(stream, deed, &told, &counter).await;
                });
            }
        });
        Self {
            address,
            visits,
            written,
        }
    }

    fn hook(&self, id: &str) -> Arc<Webhook> {
        hook(id, &format!("http://{}/", self.address))
    }

    async fn visits(&mut self, count: usize) {
        for _ in 0..count {
            within(self.visits.recv()).await.unwrap();
        }
    }
}

async fn misbehave(
    mut stream: TcpStream,
    deed: Deed,
    told: &mpsc::UnboundedSender<()>,
    written: &AtomicU64,
) -> io::Result<()> {
    let mut buffer = [0; 4096];
    let _ = stream.read(&mut buffer).await?;
    let _ = told.send(());
    match deed {
        Deed::Hang => while stream.read(&mut buffer).await? > 0 {},
        Deed::Trickle => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nX-Long: ").await?;
            loop {
                stream.write_all(b"x").await?;
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        Deed::Reset => stream.set_zero_linger()?,
        Deed::CutBody => {
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort";
            stream.write_all(head).await?;
        }
        Deed::Flood => {
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n";
            stream.write_all(head).await?;
            loop {
                let count = stream.write(&[b'x'; 65536]).await?;
                written.fetch_add(count as u64, Ordering::SeqCst);
            }
        }
        Deed::Babble => stream.write_all(b"SSH-2.0-nonsense\r\n\r\n").await?,
    }
    Ok(())
}

const FAILING: [Deed; 4] = [Deed::Hang, Deed::Trickle, Deed::Reset, Deed::Babble];

// A2A-4.3.3-10, A2A-13.2-02, R121
#[tokio::test]
async fn a_receiver_that_gives_no_answer_is_tried_again_and_given_up() {
    for deed in FAILING {
        let mut hostile = Hostile::start(deed).await;
        let sender = sender()
            .timeout(Duration::from_millis(200))
            .retry(quickly().with_attempts(3))
            .build()
            .unwrap();
        send(&sender, &[hostile.hook("a")], [1]).await;
        hostile.visits(3).await;
        within(async {
            while sender.metrics().given_up == 0 {
                tokio::task::yield_now().await;
            }
        })
        .await;
        within(sender.flush()).await;
        let letters = sender.dead_letters(0, 10).await.unwrap();
        assert_eq!(letters[0].attempts, 3);
        assert!(!letters[0].error.is_empty());
    }
}

// The status decides, whatever follows it.
#[tokio::test]
async fn an_answer_counts_whatever_becomes_of_its_body() {
    for deed in [Deed::CutBody, Deed::Flood] {
        let mut hostile = Hostile::start(deed).await;
        let sender = sender().build().unwrap();
        send(&sender, &[hostile.hook("a")], 1..=2).await;
        hostile.visits(2).await;
        within(sender.flush()).await;
        let metrics = sender.metrics();
        assert_eq!((metrics.delivered, metrics.attempts), (2, 2));
        // What fits into the buffers of the connection is all that it got rid of.
        assert!(hostile.written.load(Ordering::SeqCst) < 100_000_000);
    }
}

// A2A-13.2-05, R116
#[tokio::test]
async fn a_redirect_leads_nowhere() {
    let mut target = Receiver::start().await;
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    let statuses = [301, 302, 303, 307, 308];
    let to = target.url("/stolen");
    receiver.answer(statuses.map(|status| answer(status).with("location", &to)));
    send(&sender, &[receiver.hook("a")], 1..=5).await;
    assert_eq!(receiver.numbers(5).await, [1, 2, 3, 4, 5]);
    within(sender.flush()).await;
    target.expect_nothing();
    assert_eq!(sender.metrics().given_up, 5);
}

// However many webhooks there are to a receiver that hangs, the others get theirs.
#[tokio::test]
async fn a_receiver_that_hangs_holds_up_nobody_else() {
    let mut hostile = Hostile::start(Deed::Hang).await;
    let mut healthy = Receiver::start().await;
    let sender = sender()
        .timeout(Duration::from_secs(3600))
        .concurrency(12)
        .build()
        .unwrap();
    let hooks: Vec<_> = (0..100).map(|n| hostile.hook(&format!("h{n}"))).collect();
    send(&sender, &hooks, 1..=3).await;
    hostile.visits(8).await;
    send(&sender, &[healthy.hook("a")], 1..=50).await;
    let expected: Vec<_> = (1..=50).collect();
    assert_eq!(healthy.numbers(50).await, expected);
    assert!(hostile.visits.try_recv().is_err());
    within(async {
        while sender.health().await.unwrap().waiting > 300 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(sender.health().await.unwrap().in_flight, 8);
}

// However many receivers hang, those that are known to answer have slots of their own.
#[tokio::test]
async fn many_receivers_that_hang_leave_slots_to_those_that_answer() {
    let mut healthy = Receiver::start().await;
    let sender = sender()
        .timeout(Duration::from_secs(3600))
        .concurrency(8)
        .build()
        .unwrap();
    send(&sender, &[healthy.hook("a")], [0]).await;
    healthy.next().await;
    within(sender.flush()).await;
    let mut hostile = Vec::new();
    for n in 2..22 {
        hostile.push(Hostile::on(&format!("127.0.0.{n}:0"), Deed::Hang).await);
    }
    let hooks = hostile.iter().enumerate();
    let hooks: Vec<_> = hooks.map(|(n, h)| h.hook(&format!("h{n}"))).collect();
    send(&sender, &hooks, 1..=3).await;
    within(async {
        while sender.health().await.unwrap().in_flight < 6 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    send(&sender, &[healthy.hook("a")], 1..=20).await;
    let expected: Vec<_> = (1..=20).collect();
    assert_eq!(healthy.numbers(20).await, expected);
}
