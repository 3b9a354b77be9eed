//! The end of a sender, and what comes after it.

use std::sync::Arc;
use std::time::Duration;

use a2a_push::MemoryOutbox;
use a2a_types::Timestamp;
use a2a_types::push::{Claim, PushOutbox as _, PushSender as _};

use crate::support::{Receiver, answer, quickly, send, sender, within};

#[tokio::test]
async fn shutdown_delivers_what_can_be_delivered() {
    let mut receiver = Receiver::start().await;
    let sender = sender().build().unwrap();
    send(&sender, &[receiver.hook("a")], 1..=20).await;
    within(sender.shutdown(Duration::from_secs(3600))).await;
    let expected: Vec<_> = (1..=20).collect();
    assert_eq!(receiver.numbers(20).await, expected);
    // Nothing leaves it any more, and asking it for something hangs nowhere.
    send(&sender, &[receiver.hook("a")], [21]).await;
    within(sender.flush()).await;
    within(sender.shutdown(Duration::ZERO)).await;
    receiver.expect_nothing();
}

#[tokio::test]
async fn shutdown_waits_for_nobody_beyond_its_time() {
    let (mut receiver, _gate) = Receiver::gated().await;
    let sender = sender().timeout(Duration::from_secs(3600)).build().unwrap();
    send(&sender, &[receiver.hook("a")], 1..=2).await;
    receiver.next().await;
    within(sender.shutdown(Duration::ZERO)).await;
    receiver.expect_nothing();
}

// After a restart delivery goes on where it was, with the ids that it had.
#[tokio::test]
async fn the_next_sender_goes_on_where_the_one_before_stopped() {
    let (mut stuck, _gate) = Receiver::gated().await;
    let mut receiver = Receiver::start().await;
    let outbox = Arc::new(MemoryOutbox::new());
    let make = || {
        sender()
            .timeout(Duration::from_secs(3600))
            .outbox(outbox.clone())
    };
    let first = make().retry(quickly().with_attempts(9)).build().unwrap();
    receiver.answer([answer(200), answer(503).with("retry-after", 1)]);
    send(&first, &[receiver.hook("a")], 1..=4).await;
    send(&first, &[stuck.hook("b")], 1..=2).await;
    assert_eq!(receiver.next().await.number(), 1);
    let failed = receiver.next().await;
    let interrupted = stuck.next().await;
    within(first.shutdown(Duration::ZERO)).await;

    let _second = make().build().unwrap();
    let again = receiver.next().await;
    assert_eq!((again.number(), again.id()), (2, failed.id()));
    assert_eq!(receiver.numbers(2).await, [3, 4]);
    let again = stuck.next().await;
    assert_eq!((again.number(), again.id()), (1, interrupted.id()));
}

// A sender that is dropped gives back what it holds.
#[tokio::test]
async fn a_dropped_sender_leaves_everything_to_the_next() {
    let (mut receiver, gate) = Receiver::gated().await;
    let outbox = Arc::new(MemoryOutbox::new());
    let first = sender().outbox(outbox.clone()).build().unwrap();
    send(&first, &[receiver.hook("a")], 1..=2).await;
    receiver.next().await;
    drop(first);
    within(async {
        let look = Claim::new(Timestamp::now(), Timestamp::now(), 0);
        let given_back = async || outbox.claim(&look).await.unwrap().next <= Some(look.now);
        while !given_back().await {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let _second = sender().outbox(outbox).build().unwrap();
    gate.add_permits(100);
    let mut seen = receiver.next().await.number();
    assert_eq!(seen, 1);
    while seen < 2 {
        seen = receiver.next().await.number();
    }
}
