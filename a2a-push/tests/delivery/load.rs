//! Many webhooks at once.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use a2a_types::push::GaveUp;

use crate::support::{Receiver, answer, send, sender, within};

// A2A-4.3.3-12
#[tokio::test]
async fn a_webhook_gets_one_after_the_other_however_slow_it_is() {
    let (mut receiver, gate) = Receiver::gated().await;
    let sender = sender().build().unwrap();
    send(&sender, &[receiver.hook("a")], 1..=30).await;
    for number in 1..=30 {
        assert_eq!(receiver.next().await.number(), number);
        receiver.expect_nothing();
        gate.add_permits(1);
    }
    assert_eq!(receiver.most_open(), 1);
}

// A2A-3.1.7-07: every event arrives, in order for each, with no more connections than slots.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_webhooks_get_every_event_in_order() {
    const EVENTS: usize = 5;
    let mut receivers = Vec::new();
    for _ in 0..4 {
        receivers.push(Receiver::start().await);
    }
    let sender = sender().concurrency(24).build().unwrap();
    // Some fail at first.
    for receiver in &receivers {
        receiver.answer(vec![answer(503); 20]);
    }
    let hooks: Vec<_> = (0..1000)
        .map(|n| receivers[n % 4].hook(&n.to_string()))
        .collect();
    send(&sender, &hooks, 1..=EVENTS).await;
    let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
    for receiver in &mut receivers {
        let mut unfinished = 250;
        // More than once, where this machine takes longer than an attempt may.
        while unfinished > 0 {
            let request = receiver.next().await;
            let number = request.number();
            let seen = seen.entry(request.path).or_default();
            if seen.last() != Some(&number) {
                seen.push(number);
                unfinished -= usize::from(number == EVENTS);
            }
        }
        assert!(receiver.most_open() <= 8);
    }
    assert_eq!(seen.len(), 1000);
    let all: Vec<_> = (1..=EVENTS).collect();
    assert!(seen.values().all(|numbers| *numbers == all));
    within(sender.flush()).await;
    let metrics = sender.metrics();
    assert_eq!(metrics.delivered, 5000);
    assert!(metrics.retried >= 80);
}

#[tokio::test]
async fn many_that_wait_for_one_webhook_give_way_and_hold_up_no_other() {
    let (mut many, mut few) = (Receiver::start().await, Receiver::start().await);
    let sender = sender().build().unwrap();
    let began = Instant::now();
    send(&sender, &[many.hook("many")], 1..=12).await;
    send(&sender, &[few.hook("few")], 1..=4).await;
    assert_eq!(few.numbers(4).await, [1, 2, 3, 4]);
    assert_eq!(many.numbers(12).await, (1..=12).collect::<Vec<_>>());
    assert!(began.elapsed() >= Duration::from_millis(240));
}

#[tokio::test]
async fn more_than_may_wait_loses_the_oldest() {
    let (mut receiver, gate) = Receiver::gated().await;
    let sender = sender().queue_length(3).build().unwrap();
    send(&sender, &[receiver.hook("a")], [1]).await;
    assert_eq!(receiver.next().await.number(), 1);
    send(&sender, &[receiver.hook("a")], 2..=10).await;
    within(async {
        while sender.metrics().given_up < 7 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    gate.add_permits(100);
    assert_eq!(receiver.numbers(2).await, [9, 10]);
    let letters = sender.dead_letters(0, 100).await.unwrap();
    let lost: Vec<_> = letters.iter().map(|l| l.notification.id()).collect();
    assert_eq!(lost, ["2", "3", "4", "5", "6", "7", "8"]);
    assert!(letters.iter().all(|l| l.reason == GaveUp::Overflow));
}
