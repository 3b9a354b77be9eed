//! Heads are claimed when they are due, by one at a time.

use std::sync::Arc;

use super::support::{LONG, Outbox, at_url, hook, name, names, note, notes};
use crate::push::{Claim, Outcome};
use crate::testkit::support::at;

// A2A-4.3.3-12
pub(crate) async fn head_is_claimed_once_until_it_is_settled(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2"]).await;
    let first = outbox.take_one(0).await;
    assert_eq!(name(&first), "a/1");
    assert!(outbox.take(9).await.is_empty());
    outbox.put(&hook("a"), &["3"]).await;
    assert!(outbox.take(9).await.is_empty());
    outbox.deliver(&first).await;
    let second = outbox.take_one(0).await;
    assert_eq!(name(&second), "a/2");
    assert_ne!(first.ticket, second.ticket);
}

// A2A-4.3.3-09, A2A-4.3.3-12
pub(crate) async fn failed_head_is_due_when_its_time_has_come(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2"]).await;
    for (attempts, (now, again)) in [(0, 3), (3, 4), (4, 100)].into_iter().enumerate() {
        assert!(outbox.take(now - 1).await.is_empty() || now == 0);
        let claimed = outbox.take_one(now).await;
        assert_eq!(name(&claimed), "a/1");
        assert_eq!(claimed.attempts as usize, attempts);
        assert_eq!(claimed.queued, at(0));
        outbox.end(&claimed, Outcome::Retry(at(again)), now).await;
        assert_eq!(outbox.next(now).await, Some(at(again)));
    }
    let claimed = outbox.take_one(100).await;
    assert_eq!(claimed.attempts, 3);
    outbox.deliver(&claimed).await;
    // The next one starts afresh.
    let claimed = outbox.take_one(100).await;
    assert_eq!((&*name(&claimed), claimed.attempts), ("a/2", 0));
}

pub(crate) async fn released_head_is_as_it_was(outbox: Outbox) {
    outbox.put(&hook("a"), &["1"]).await;
    let claimed = outbox.take_one(0).await;
    outbox.end(&claimed, Outcome::Retry(at(2)), 0).await;
    let claimed = outbox.take_one(2).await;
    outbox.end(&claimed, Outcome::Release, 2).await;
    let again = outbox.take_one(2).await;
    assert_eq!((&*name(&again), again.attempts), ("a/1", 1));
    assert_eq!(again.queued, at(0));
    assert_ne!(again.ticket, claimed.ticket);
}

pub(crate) async fn next_head_can_be_kept(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2", "3"]).await;
    let first = outbox.take_one(0).await;
    let settled = outbox.settle(&first, Outcome::Delivered, at(0), Some(at(5)));
    let second = settled.await.unwrap().unwrap();
    assert_eq!((&*name(&second), second.attempts), ("a/2", 0));
    assert!(outbox.take(4).await.is_empty());
    let outcome = Outcome::GiveUp(crate::push::GaveUp::Refused, "no".to_owned());
    let settled = outbox.settle(&second, outcome, at(1), Some(at(6)));
    let third = settled.await.unwrap().unwrap();
    assert_eq!((&*name(&third), third.attempts), ("a/3", 0));
    assert!(outbox.take(5).await.is_empty());
    // What stays on the queue keeps nothing.
    let settled = outbox.settle(&third, Outcome::Retry(at(3)), at(2), Some(at(9)));
    assert!(settled.await.unwrap().is_none());
    let third = outbox.take_one(3).await;
    let settled = outbox.settle(&third, Outcome::Release, at(3), Some(at(9)));
    assert!(settled.await.unwrap().is_none());
    let third = outbox.take_one(3).await;
    let settled = outbox.settle(&third, Outcome::Delivered, at(3), Some(at(9)));
    assert!(settled.await.unwrap().is_none());
    assert!(outbox.take(LONG).await.is_empty());
}

pub(crate) async fn claim_ends_with_its_time(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2"]).await;
    let lost = outbox.take_until(at(0), at(5)).await.remove(0);
    assert!(outbox.take_until(at(4), at(9)).await.is_empty());
    assert_eq!(outbox.next(4).await, Some(at(5)));
    let again = outbox.take_until(at(5), at(9)).await.remove(0);
    assert_eq!((&*name(&again), again.attempts), ("a/1", 0));
    assert_ne!(again.ticket, lost.ticket);
    // Who comes too late changes nothing.
    for outcome in [Outcome::Delivered, Outcome::Retry(at(50)), Outcome::Release] {
        let settled = outbox.settle(&lost, outcome, at(6), Some(at(9))).await;
        assert!(settled.unwrap().is_none());
    }
    assert!(outbox.take_until(at(6), at(9)).await.is_empty());
    outbox.deliver(&again).await;
    assert_eq!(outbox.drain(6).await, ["a/2"]);
}

pub(crate) async fn claims_are_no_more_than_wanted(outbox: Outbox) {
    for id in ["a", "b", "c", "d", "e"] {
        outbox.put(&hook(id), &["1"]).await;
    }
    let mut seen = Vec::new();
    for (limit, expected) in [(0, 0), (2, 2), (1, 1), (9, 2), (9, 0)] {
        let claim = Claim::new(at(0), at(LONG), limit);
        let claimed = outbox.claim(&claim).await.unwrap().claimed;
        assert_eq!(claimed.len(), expected);
        seen.extend(names(&claimed));
    }
    seen.sort_unstable();
    assert_eq!(seen, ["a/1", "b/1", "c/1", "d/1", "e/1"]);
}

pub(crate) async fn who_is_due_for_longest_comes_first(outbox: Outbox) {
    for (id, second) in [("a", 4), ("b", 2), ("c", 3), ("d", 1)] {
        outbox
            .enqueue(&[hook(id)], &notes(["1"]), at(second))
            .await
            .unwrap();
    }
    let claim = Claim::new(at(9), at(LONG), 3);
    let claimed = outbox.claim(&claim).await.unwrap().claimed;
    assert_eq!(names(&claimed), ["d/1", "b/1", "c/1"]);
    // After a failure it counts when the next attempt is due.
    for (claimed, again) in claimed.iter().zip([8, 7, 3]) {
        outbox.end(claimed, Outcome::Retry(at(again)), 5).await;
    }
    let claimed = outbox.take(9).await;
    assert_eq!(names(&claimed), ["c/1", "a/1", "b/1", "d/1"]);
}

pub(crate) async fn receivers_can_be_passed_over(outbox: Outbox) {
    let at_receiver = |id: &str, receiver: &str| at_url(id, &format!("{receiver}/{id}?x"));
    let (one, two) = ("https://one.example.com", "https://two.example.com:8443");
    for (id, receiver) in [("a", one), ("b", two), ("c", one), ("d", two)] {
        outbox.put(&at_receiver(id, receiver), &["1"]).await;
    }
    let except = [one.to_owned(), "https://three.example.com".to_owned()];
    let claim = Claim::new(at(0), at(LONG), 9).except(&except);
    let claims = outbox.claim(&claim).await.unwrap();
    let mut claimed = names(&claims.claimed);
    claimed.sort_unstable();
    assert_eq!(claimed, ["b/1", "d/1"]);
    let again = outbox.claim(&claim).await.unwrap();
    assert!(again.claimed.is_empty());
    let all = [one.to_owned(), two.to_owned()];
    let claim = Claim::new(at(0), at(LONG), 9).except(&all);
    assert!(outbox.claim(&claim).await.unwrap().claimed.is_empty());
    assert_eq!(outbox.take(0).await.len(), 2);
}

pub(crate) async fn next_due_time_is_told(outbox: Outbox) {
    assert_eq!(outbox.next(0).await, None);
    outbox.put(&hook("a"), &["1"]).await;
    outbox.put(&hook("b"), &["1"]).await;
    let claimed = outbox.take(0).await;
    for (claimed, again) in claimed.iter().zip([7, 5]) {
        outbox.end(claimed, Outcome::Retry(at(again)), 0).await;
    }
    assert_eq!(outbox.next(0).await, Some(at(5)));
    // What is due and not claimed for want of room counts, too.
    let next = outbox.next(6).await.unwrap();
    assert!(next <= at(6), "{next:?}");
    let claimed = outbox.take(5).await;
    assert_eq!(claimed.len(), 1);
    // A claim may end; it is told or not, but never before the head that is due.
    assert_eq!(outbox.next(5).await, Some(at(7)));
    outbox.deliver(&claimed[0]).await;
    let last = outbox.take_one(7).await;
    outbox.deliver(&last).await;
    assert_eq!(outbox.next(7).await, None);
}

pub(crate) async fn concurrent_claims_never_get_the_same_head(outbox: Outbox) {
    for n in 0..40 {
        let hook = hook(&format!("h{n:02}"));
        let ids = ["1", "2", "3"].map(note);
        outbox.enqueue(&[hook], &ids, at(0)).await.unwrap();
    }
    let work = |_| {
        let outbox = Arc::clone(&outbox.store);
        async move {
            let mut seen = Vec::new();
            loop {
                let claim = Claim::new(at(0), at(LONG), 3);
                let claimed = outbox.claim(&claim).await.unwrap().claimed;
                if claimed.is_empty() {
                    return seen;
                }
                for claimed in claimed {
                    seen.push(name(&claimed));
                    let settled = outbox.settle(&claimed, Outcome::Delivered, at(0), None);
                    settled.await.unwrap();
                }
            }
        }
    };
    let mut seen: Vec<String> = outbox.together((0..6).map(work)).await.concat();
    seen.sort_unstable();
    let all = (0..40).flat_map(|n| (1..=3).map(move |m| format!("h{n:02}/{m}")));
    assert_eq!(seen, all.collect::<Vec<_>>());
}
