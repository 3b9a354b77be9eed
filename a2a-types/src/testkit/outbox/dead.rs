//! What was given up can be read and sent again.

use super::support::{LONG, Outbox, at_url, bounds, hook, name};
use crate::push::{Claimed, GaveUp, Outcome};
use crate::testkit::support::at;

async fn give_up(outbox: &Outbox, claimed: &Claimed, second: i64) {
    let outcome = Outcome::GiveUp(GaveUp::Exhausted, "no answer".to_owned());
    outbox.end(claimed, outcome, second).await;
}

/// Gives up `1` to `count`, in these seconds.
async fn cemetery(outbox: &Outbox, count: i64) {
    for n in 1..=count {
        outbox.put(&hook("a"), &[&n.to_string()]).await;
        let claimed = outbox.take_one(n).await;
        give_up(outbox, &claimed, n).await;
    }
}

async fn ids(outbox: &Outbox) -> Vec<String> {
    let letters = outbox.letters().await;
    assert!(letters.is_sorted_by_key(|letter| letter.number));
    let ids = letters.iter().map(|l| l.notification.id().into_owned());
    ids.collect()
}

pub(crate) async fn given_up_notification_is_a_dead_letter(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2"]).await;
    let claimed = outbox.take_one(0).await;
    outbox.end(&claimed, Outcome::Retry(at(2)), 1).await;
    let claimed = outbox.take_one(2).await;
    give_up(&outbox, &claimed, 3).await;
    let letters = outbox.letters().await;
    let [letter] = &letters[..] else {
        panic!("{letters:?}")
    };
    assert_eq!(letter.webhook, hook("a"));
    assert_eq!(letter.notification, claimed.notification);
    assert_eq!((letter.attempts, letter.queued), (2, at(0)));
    assert_eq!((letter.given_up, letter.reason), (at(3), GaveUp::Exhausted));
    assert_eq!(letter.error, "no answer");
    // The others do not wait for it.
    assert_eq!(outbox.drain(3).await, ["a/2"]);
}

pub(crate) async fn every_reason_is_kept(outbox: Outbox) {
    let reasons = [GaveUp::Refused, GaveUp::Exhausted, GaveUp::Overflow];
    for reason in reasons {
        outbox.put(&hook("a"), &["1"]).await;
        let claimed = outbox.take_one(0).await;
        let outcome = Outcome::GiveUp(reason, reason.to_string());
        outbox.end(&claimed, outcome, 0).await;
    }
    let letters = outbox.letters().await;
    let kept = letters.iter().map(|letter| letter.reason);
    assert!(kept.eq(reasons));
    assert!(letters.iter().all(|l| l.error == l.reason.as_str()));
    for reason in reasons {
        assert_eq!(reason.as_str().parse(), Ok(reason));
    }
}

pub(crate) async fn dead_letters_come_in_pages(outbox: Outbox) {
    assert!(outbox.letters().await.is_empty());
    cemetery(&outbox, 5).await;
    assert_eq!(ids(&outbox).await, ["1", "2", "3", "4", "5"]);
    let mut seen = Vec::new();
    let mut after = 0;
    loop {
        let page = outbox.dead_letters(after, 2).await.unwrap();
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { break };
        after = last.number;
        seen.extend(page.iter().map(|l| l.notification.id().into_owned()));
    }
    assert_eq!(seen, ["1", "2", "3", "4", "5"]);
}

pub(crate) async fn replayed_dead_letter_is_like_new(outbox: Outbox) {
    cemetery(&outbox, 2).await;
    outbox.put(&hook("a"), &["3"]).await;
    let letter = outbox.letters().await.remove(0);
    assert!(outbox.replay(letter.number, at(8)).await.unwrap());
    assert_eq!(ids(&outbox).await, ["2"]);
    // It is there once, and its number names nothing any more.
    assert!(!outbox.replay(letter.number, at(8)).await.unwrap());
    assert!(!outbox.replay(u64::from(u32::MAX), at(8)).await.unwrap());
    let before = outbox.take_one(8).await;
    assert_eq!(name(&before), "a/3");
    let kept = outbox.settle(&before, Outcome::Delivered, at(8), Some(at(LONG)));
    let again = kept.await.unwrap().unwrap();
    assert_eq!((&*name(&again), again.attempts), ("a/1", 0));
    assert_eq!(again.queued, at(8));
    assert_eq!(again.notification, letter.notification);
    // Given up again it has a new number.
    give_up(&outbox, &again, 9).await;
    assert_eq!(ids(&outbox).await, ["2", "1"]);
}

pub(crate) async fn dead_letter_is_replayed_to_the_newest_registration(outbox: Outbox) {
    cemetery(&outbox, 1).await;
    let new = at_url("a", "https://new.example.com");
    outbox.replace(&new).await.unwrap();
    let letter = outbox.letters().await.remove(0);
    assert_eq!(letter.webhook, new);
    assert!(outbox.replay(letter.number, at(5)).await.unwrap());
    assert_eq!(outbox.take_one(5).await.webhook, new);
}

pub(crate) async fn forgotten_webhook_leaves_no_dead_letters(outbox: Outbox) {
    cemetery(&outbox, 2).await;
    outbox.put(&hook("b"), &["9"]).await;
    let claimed = outbox.take_one(0).await;
    give_up(&outbox, &claimed, 0).await;
    outbox.forget_one(&hook("a").key).await;
    assert_eq!(ids(&outbox).await, ["9"]);
}

pub(crate) async fn old_dead_letters_can_be_purged(outbox: Outbox) {
    cemetery(&outbox, 4).await;
    assert_eq!(outbox.purge(at(1)).await.unwrap(), 0);
    assert_eq!(outbox.purge(at(3)).await.unwrap(), 2);
    assert_eq!(ids(&outbox).await, ["3", "4"]);
    assert_eq!(outbox.purge(at(3)).await.unwrap(), 0);
    assert_eq!(outbox.purge(at(99)).await.unwrap(), 2);
    assert!(outbox.letters().await.is_empty());
}

pub(crate) async fn dead_letters_are_bounded(outbox: Outbox) {
    cemetery(&outbox, 4).await;
    assert_eq!(outbox.trim(bounds(9, 4), at(9)).await.unwrap(), 0);
    assert_eq!(ids(&outbox).await.len(), 4);
    assert_eq!(outbox.trim(bounds(9, 2), at(9)).await.unwrap(), 0);
    assert_eq!(ids(&outbox).await, ["3", "4"]);
    // New ones have numbers that were never used.
    let newest = outbox.letters().await[1].number;
    outbox.trim(bounds(9, 0), at(9)).await.unwrap();
    outbox.put(&hook("a"), &["5"]).await;
    let claimed = outbox.take_one(9).await;
    give_up(&outbox, &claimed, 9).await;
    assert!(outbox.letters().await[0].number > newest);
}
