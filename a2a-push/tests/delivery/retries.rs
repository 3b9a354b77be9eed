//! What is tried again, when, and for how long.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use a2a_push::sign::{SignError, Signer};
use a2a_push::{Circuit, Retry};
use a2a_types::TaskPushNotificationConfig;
use a2a_types::push::GaveUp;
use http::HeaderMap;
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::support::{Receiver, answer, hook, quickly, send, sender, within};

// A2A-4.3.3-09, A2A-13.2-03, R121
#[tokio::test]
async fn what_may_pass_is_tried_again_with_the_same_id_and_body() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    let statuses = [500, 503, 408, 425, 429, 502, 599];
    receiver.answer(statuses.map(answer));
    send(&sender, &[receiver.hook("a")], 1..=2).await;
    let first = receiver.next().await;
    assert_eq!(first.number(), 1);
    for _ in statuses {
        let again = receiver.next().await;
        assert_eq!((again.id(), &again.body), (first.id(), &first.body));
    }
    let second = receiver.next().await;
    assert_eq!(second.number(), 2);
    assert_ne!(second.id(), first.id());
    sender.flush().await;
    receiver.expect_nothing();
    let metrics = sender.metrics();
    assert_eq!((metrics.taken, metrics.delivered), (2, 2));
    assert_eq!(
        (metrics.attempts, metrics.retried, metrics.given_up),
        (9, 7, 0)
    );
}

// R121, B3: one event is given up, not the webhook. The ITK's receiver refuses artifact events.
#[tokio::test]
async fn what_is_refused_is_given_up_at_once_and_alone() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    let statuses = [400, 401, 403, 404, 410, 418, 301, 307, 304];
    for (n, status) in statuses.into_iter().enumerate() {
        receiver.answer([answer(status), answer(200)]);
        send(&sender, &[receiver.hook("a")], [2 * n, 2 * n + 1]).await;
        assert_eq!(receiver.numbers(2).await, [2 * n, 2 * n + 1]);
    }
    sender.flush().await;
    receiver.expect_nothing();
    let letters = sender.dead_letters(0, 100).await.unwrap();
    assert_eq!(letters.len(), statuses.len());
    for (letter, status) in letters.iter().zip(statuses) {
        assert_eq!((letter.reason, letter.attempts), (GaveUp::Refused, 1));
        assert_eq!(letter.error, format!("the receiver answered {status}"));
    }
}

// A2A-4.3.3-08: a receiver that is down at first.
#[tokio::test]
async fn a_receiver_that_comes_up_later_gets_everything() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let retry = quickly().with_attempts(1000);
    let sender = sender().retry(retry).build().unwrap();
    let hook = hook("a", &format!("http://{address}/"));
    send(&sender, &[hook], 1..=5).await;
    within(async {
        while sender.metrics().retried < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let mut receiver = Receiver::on(address).await;
    assert_eq!(receiver.numbers(5).await, [1, 2, 3, 4, 5]);
}

// R121
#[tokio::test]
async fn a_receiver_that_asks_for_a_pause_gets_it() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    for status in [429, 503] {
        receiver.answer([answer(status).with("retry-after", 1)]);
        let asked = Instant::now();
        send(&sender, &[receiver.hook("a")], [1]).await;
        let first = receiver.next().await;
        let second = receiver.next().await;
        assert_eq!(first.id(), second.id());
        assert!(asked.elapsed() >= Duration::from_secs(1));
    }
}

// A2A-4.3.3-11, A2A-13.2-04, B3
#[tokio::test]
async fn what_fails_for_too_often_can_be_replayed_by_its_old_id() {
    let mut receiver = Receiver::start().await;
    let sender = sender().retry(quickly().with_attempts(3)).build().unwrap();
    receiver.answer(vec![answer(500); 3]);
    send(&sender, &[receiver.hook("a")], 1..=2).await;
    assert_eq!(receiver.numbers(3).await, [1, 1, 1]);
    let second = receiver.next().await;
    assert_eq!(second.number(), 2);
    sender.flush().await;
    let letters = sender.dead_letters(0, 100).await.unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!(
        (letters[0].reason, letters[0].attempts),
        (GaveUp::Exhausted, 3)
    );
    assert_eq!(letters[0].webhook, receiver.hook("a"));
    assert_eq!(sender.health().await.unwrap().dead_letters, 1);
    assert!(sender.replay(letters[0].number).await.unwrap());
    assert!(!sender.replay(letters[0].number).await.unwrap());
    let again = receiver.next().await;
    assert_eq!(
        (again.number(), &again.body),
        (1, letters[0].notification.body())
    );
    sender.flush().await;
    assert_eq!(sender.health().await.unwrap().dead_letters, 0);
}

// A2A-4.3.3-08: also what has grown too old behind others is tried once.
#[tokio::test]
async fn what_is_too_old_is_tried_once_and_given_up() {
    let mut receiver = Receiver::start().await;
    let sender = sender()
        .retry(Retry::volatile().with_age(Duration::ZERO))
        .build()
        .unwrap();
    receiver.answer([answer(500), answer(500), answer(200)]);
    send(&sender, &[receiver.hook("a")], 1..=3).await;
    assert_eq!(receiver.numbers(3).await, [1, 2, 3]);
    sender.flush().await;
    let letters = sender.dead_letters(0, 100).await.unwrap();
    let lost: Vec<_> = letters
        .iter()
        .map(|l| (l.notification.id(), l.reason))
        .collect();
    assert_eq!(
        lost,
        [
            ("1".into(), GaveUp::Exhausted),
            ("2".into(), GaveUp::Exhausted)
        ]
    );
    let old = a2a_types::Timestamp::from_unix_millis(0);
    assert_eq!(sender.purge_dead_letters(old).await.unwrap(), 0);
}

// B3
#[tokio::test]
async fn a_receiver_that_is_down_is_left_alone_for_a_while() {
    let mut receiver = Receiver::start().await;
    let pause = Duration::from_millis(300);
    let circuit = Circuit::default().with_failures(5).with_pause(pause);
    let sender = sender()
        .retry(quickly().with_attempts(1000))
        .circuit(circuit)
        .build()
        .unwrap();
    receiver.answer(vec![answer(500); 6]);
    send(&sender, &[receiver.hook("a")], 1..=2).await;
    assert_eq!(receiver.numbers(5).await, [1; 5]);
    let opened = Instant::now();
    let slack = Duration::from_millis(20);
    // One attempt finds out that it is still down, and the next that it is not.
    for _ in 0..2 {
        assert_eq!(receiver.next().await.number(), 1);
    }
    assert!(opened.elapsed() + slack >= 2 * pause);
    assert_eq!(receiver.next().await.number(), 2);
}

// B3: the circuit is the receiver's, not the webhook's.
#[tokio::test]
async fn all_webhooks_of_a_receiver_share_its_circuit() {
    let mut receiver = Receiver::start().await;
    let mut other = Receiver::start().await;
    let circuit = Circuit::default().with_pause(Duration::from_secs(3600));
    let sender = sender()
        .circuit(circuit)
        .receiver_concurrency(1)
        .build()
        .unwrap();
    receiver.answer(vec![answer(500); 100]);
    let hooks: Vec<_> = (0..20).map(|n| receiver.hook(&n.to_string())).collect();
    send(&sender, &hooks, 1..=2).await;
    for _ in 0..5 {
        receiver.next().await;
    }
    send(&sender, &[other.hook("a")], 1..=2).await;
    assert_eq!(other.numbers(2).await, [1, 2]);
    within(sender.flush()).await;
    receiver.expect_nothing();
    let health = sender.health().await.unwrap();
    assert_eq!((health.waiting, health.open_circuits), (40, 1));
    assert_eq!(health.in_flight, 0);
}

struct Broken(AtomicUsize);

impl Signer for Broken {
    fn headers(
        &self,
        _: &str,
        _: SystemTime,
        _: &TaskPushNotificationConfig,
        _: &[u8],
    ) -> Result<HeaderMap, SignError> {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            0 => Err(SignError::new("no key yet")),
            1 => panic!("on purpose"),
            _ => Ok(HeaderMap::new()),
        }
    }
}

// Each attempt is counted, and a sender tells how it is.
#[tokio::test]
async fn what_is_done_is_counted_and_what_waits_is_told() {
    let (mut receiver, gate) = Receiver::gated().await;
    let sender = sender()
        .timeout(Duration::from_secs(3600))
        .retry(quickly().with_attempts(2))
        .circuit(Circuit::default().with_failures(2))
        .build()
        .unwrap();
    assert_eq!(sender.metrics(), a2a_push::Metrics::default());
    assert_eq!(sender.health().await.unwrap(), a2a_push::Health::default());
    receiver.answer([
        answer(500),
        answer(204),
        answer(403),
        answer(500),
        answer(500),
    ]);
    send(&sender, &[receiver.hook("a")], 1..=3).await;
    receiver.next().await;
    let health = within(async {
        loop {
            let health = sender.health().await.unwrap();
            if !health.oldest.is_zero() && health.in_flight == 1 {
                return health;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!((health.waiting, health.dead_letters), (3, 0));
    gate.add_permits(5);
    for _ in 0..4 {
        receiver.next().await;
    }
    within(async {
        while sender.health().await.unwrap().open_circuits == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let health = sender.health().await.unwrap();
    assert_eq!((health.waiting, health.dead_letters), (0, 2));
    assert_eq!((health.oldest, health.in_flight), (Duration::ZERO, 0));
    let metrics = sender.metrics();
    assert_eq!((metrics.taken, metrics.attempts), (3, 5));
    assert_eq!((metrics.delivered, metrics.retried), (1, 2));
    assert_eq!(metrics.given_up, 2);
}

#[tokio::test]
async fn what_cannot_be_signed_is_tried_again() {
    let mut receiver = Receiver::start().await;
    let sender = sender()
        .signer(Broken(AtomicUsize::new(0)))
        .build()
        .unwrap();
    send(&sender, &[receiver.hook("a")], [1]).await;
    assert_eq!(receiver.next().await.number(), 1);
    sender.flush().await;
    assert_eq!(sender.metrics().attempts, 3);
}
