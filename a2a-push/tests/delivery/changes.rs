//! Webhooks that are deleted or replaced while something waits for them.

use std::time::Duration;

use a2a_types::push::{Forget, PushSender as _};

use crate::support::{Receiver, answer, forget, quickly, send, sender, within};

// A2A-3.1.10-01, R126
#[tokio::test]
async fn nothing_is_sent_once_a_webhook_is_forgotten() {
    let (mut receiver, gate) = Receiver::gated().await;
    let sender = sender().build().unwrap();
    send(&sender, &[receiver.hook("a"), receiver.hook("b")], 1..=3).await;
    // One attempt at each is under way; that at the first is cut off.
    receiver.next().await;
    receiver.next().await;
    forget(&sender, &receiver.hook("a")).await;
    gate.add_permits(100);
    assert_eq!(receiver.numbers(2).await, [2, 3]);
    within(sender.flush()).await;
    receiver.expect_nothing();
    assert_eq!(sender.health().await.unwrap().waiting, 0);
    // It can be registered again.
    send(&sender, &[receiver.hook("a")], [4]).await;
    let request = receiver.next().await;
    assert_eq!((request.number(), &*request.path), (4, "/a"));
}

// R126: delete while a retry is waiting.
#[tokio::test]
async fn an_attempt_that_waits_is_not_made_for_a_forgotten_webhook() {
    let mut receiver = Receiver::start().await;
    let retry = quickly()
        .with_first(Duration::from_secs(3600))
        .with_longest(Duration::from_secs(3600));
    let sender = sender().retry(retry).build().unwrap();
    receiver.answer([answer(429).with("retry-after", 0)]);
    receiver.answer(vec![answer(500); 3]);
    for what in [
        Forget::Webhook(&receiver.hook("a").key),
        Forget::Task("t"),
        Forget::Owner(&receiver.hook("a").key.owner),
    ] {
        send(&sender, &[receiver.hook("a")], [1]).await;
        receiver.next().await;
        within(sender.forget(what)).await.unwrap();
        let health = sender.health().await.unwrap();
        assert_eq!((health.waiting, health.dead_letters), (0, 0));
    }
    within(sender.flush()).await;
}

#[tokio::test]
async fn what_waits_follows_its_webhook_to_a_new_address() {
    let (mut old, _gate) = Receiver::gated().await;
    let mut new = Receiver::start().await;
    let sender = sender().timeout(Duration::from_secs(3600)).build().unwrap();
    send(&sender, &[old.hook("a")], 1..=3).await;
    let first = old.next().await;
    within(sender.replace(&new.hook("a"))).await.unwrap();
    let again = new.next().await;
    assert_eq!((again.id(), again.number()), (first.id(), 1));
    assert_eq!(new.numbers(2).await, [2, 3]);
    within(sender.flush()).await;
    old.expect_nothing();
}
