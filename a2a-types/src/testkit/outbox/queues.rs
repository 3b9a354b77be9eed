//! What goes into an outbox comes out in order, to the right webhook.

use std::sync::Arc;

use super::support::{Outbox, at_url, bounds, hook, hook_of, name, note, notes, sorted_names};
use crate::push::{Forget, GaveUp, Notification, Outcome, Webhook};
use crate::store::Owner;
use crate::testkit::support::{at, owner};
use crate::{AuthenticationInfo, TaskPushNotificationConfig};

// A2A-4.3.3-12
pub(crate) async fn notifications_leave_in_the_order_in_which_they_came(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2"]).await;
    outbox.put(&hook("a"), &[]).await;
    outbox.put(&hook("a"), &["9", "10", "3"]).await;
    assert_eq!(outbox.drain(0).await, ["a/1", "a/2", "a/9", "a/10", "a/3"]);
    assert!(outbox.take(0).await.is_empty());
    outbox.put(&hook("a"), &["4"]).await;
    assert_eq!(outbox.drain(0).await, ["a/4"]);
}

// A2A-3.1.7-07
pub(crate) async fn each_webhook_gets_each_notification(outbox: Outbox) {
    let hooks = [hook("a"), hook("b"), hook("c")];
    outbox
        .enqueue(&hooks, &notes(["1", "2"]), at(0))
        .await
        .unwrap();
    outbox.enqueue(&[], &notes(["3"]), at(0)).await.unwrap();
    let first = outbox.take(0).await;
    assert_eq!(sorted_names(&first), ["a/1", "b/1", "c/1"]);
    for claimed in &first {
        outbox.deliver(claimed).await;
    }
    let second = outbox.take(0).await;
    assert_eq!(sorted_names(&second), ["a/2", "b/2", "c/2"]);
}

// R124
pub(crate) async fn same_id_of_another_owner_or_task_is_another_queue(outbox: Outbox) {
    let hooks = [
        hook_of(owner("alice"), "t", "a"),
        hook_of(owner("bob"), "t", "a"),
        hook_of(Owner::new("alice", ""), "t", "a"),
        hook_of(Owner::new("tenant", "alice"), "t", "a"),
        hook_of(owner("alice"), "u", "a"),
    ];
    for (n, hook) in hooks.iter().enumerate() {
        outbox.put(hook, &[&n.to_string()]).await;
    }
    let mut claimed = outbox.take(0).await;
    claimed.sort_by_key(|claimed| claimed.notification.id().into_owned());
    assert_eq!(claimed.len(), hooks.len());
    for (claimed, hook) in claimed.iter().zip(&hooks) {
        assert_eq!(claimed.webhook, *hook);
    }
    outbox.forget_one(&hooks[0].key).await;
    for (claimed, hook) in claimed.iter().zip(&hooks).skip(1) {
        assert_eq!(claimed.webhook.key, hook.key);
        outbox.end(claimed, Outcome::Retry(at(5)), 0).await;
    }
    assert_eq!(outbox.take(5).await.len(), hooks.len() - 1);
}

pub(crate) async fn everything_comes_out_as_it_went_in(outbox: Outbox) {
    let authentication = AuthenticationInfo::default()
        .with_scheme("Bearer")
        .with_credentials("s3cret\u{e9}");
    let config = TaskPushNotificationConfig::default()
        .with_tenant("tenant")
        .with_task_id("t")
        .with_id("c")
        .with_url("https://example.com/a?b=c#d")
        .with_token("t0ken")
        .with_authentication(authentication);
    let hook = Arc::new(Webhook::new(Owner::new("tenant", "alice"), config));
    let body = "{\"task\":{\"id\":\"\u{1f980}\\u0000\"}}";
    let note = Notification::new("17", body);
    outbox
        .enqueue(
            std::slice::from_ref(&hook),
            std::slice::from_ref(&note),
            at(7),
        )
        .await
        .unwrap();
    let claimed = outbox.take_one(7).await;
    assert_eq!(claimed.webhook, hook);
    assert_eq!(claimed.notification, note);
    assert_eq!((claimed.attempts, claimed.queued), (0, at(7)));
}

pub(crate) async fn any_text_is_a_name_in_an_outbox(outbox: Outbox) {
    let texts = [
        "",
        "%",
        "_",
        "'",
        "\"",
        "a\0b",
        "\u{1f980}",
        "a b",
        "A",
        "a",
    ];
    for text in texts {
        let hook = hook_of(Owner::new(text, text), text, text);
        outbox.enqueue(&[hook], &[note(text)], at(0)).await.unwrap();
    }
    let claimed = outbox.take(0).await;
    assert_eq!(claimed.len(), texts.len());
    for text in texts {
        let hook = hook_of(Owner::new(text, text), text, text);
        let found = claimed.iter().find(|claimed| claimed.webhook == hook);
        let found = found.unwrap_or_else(|| panic!("{text:?}"));
        assert_eq!(found.notification, note(text));
    }
    outbox.forget(Forget::Task("%")).await.unwrap();
    assert_eq!(outbox.status().await.unwrap().waiting, 9);
}

pub(crate) async fn what_waits_goes_to_the_newest_registration(outbox: Outbox) {
    outbox
        .put(&at_url("a", "https://old.example.com"), &["1", "2", "3"])
        .await;
    let claimed = outbox.take_one(0).await;
    assert_eq!(claimed.webhook.config.url, "https://old.example.com");
    outbox.end(&claimed, Outcome::Retry(at(5)), 0).await;
    let new = at_url("a", "https://new.example.com");
    outbox.replace(&new).await.unwrap();
    let claimed = outbox.take_one(5).await;
    assert_eq!((&claimed.webhook, claimed.attempts), (&new, 1));
    let newer = at_url("a", "https://newer.example.com");
    outbox.put(&newer, &["4"]).await;
    let kept = outbox.settle(&claimed, Outcome::Delivered, at(5), Some(at(9)));
    let kept = kept.await.unwrap().unwrap();
    assert_eq!((&kept.webhook, &*kept.notification.id()), (&newer, "2"));
    // Its queue is now one of the new receiver's.
    let new = at_url("a", "https://newest.example.com");
    outbox.replace(&new).await.unwrap();
    outbox.end(&kept, Outcome::Release, 5).await;
    let claim = crate::push::Claim::new(at(6), at(9), 1);
    let except = ["https://newest.example.com".to_owned()];
    let claims = outbox.claim(&claim.except(&except)).await.unwrap();
    assert!(claims.claimed.is_empty());
    assert_eq!(outbox.take_one(6).await.webhook, new);
}

pub(crate) async fn replacing_what_nothing_waits_for_makes_nothing(outbox: Outbox) {
    outbox.put(&hook("a"), &["1"]).await;
    outbox.replace(&hook("b")).await.unwrap();
    assert_eq!(outbox.drain(0).await, ["a/1"]);
    outbox.replace(&hook("a")).await.unwrap();
    assert!(outbox.take(0).await.is_empty());
    assert_eq!(outbox.status().await.unwrap().waiting, 0);
}

// A2A-3.1.10-01, R126
pub(crate) async fn forgotten_webhook_gets_nothing_more(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2"]).await;
    outbox.put(&hook("b"), &["1"]).await;
    outbox.forget_one(&hook("a").key).await;
    outbox.forget_one(&hook("a").key).await;
    outbox.forget_one(&hook("never").key).await;
    assert_eq!(outbox.drain(0).await, ["b/1"]);
}

// A2A-3.1.10-01: also when an attempt was under way, whose end must not touch what comes after.
pub(crate) async fn forgotten_webhook_is_not_settled(outbox: Outbox) {
    for outcome in [
        Outcome::Delivered,
        Outcome::Retry(at(1)),
        Outcome::Release,
        Outcome::GiveUp(GaveUp::Refused, "no".to_owned()),
    ] {
        outbox.put(&hook("a"), &["1", "2"]).await;
        let claimed = outbox.take_one(0).await;
        outbox.forget_one(&hook("a").key).await;
        outbox.put(&hook("a"), &["3", "4"]).await;
        let again = outbox.take_one(0).await;
        assert_eq!(name(&again), "a/3");
        for keep in [None, Some(at(9))] {
            let kept = outbox.settle(&claimed, outcome.clone(), at(0), keep).await;
            assert!(kept.unwrap().is_none());
        }
        assert!(outbox.take(5).await.is_empty(), "{outcome:?}");
        outbox.deliver(&again).await;
        assert_eq!(outbox.drain(0).await, ["a/4"]);
        assert!(outbox.letters().await.is_empty());
    }
}

// D13, A2A-13.4-21
pub(crate) async fn tasks_and_owners_are_forgotten_with_all_they_have(outbox: Outbox) {
    let of = |principal: &str, task: &str, id: &str| hook_of(owner(principal), task, id);
    let hooks = [
        of("alice", "t", "a"),
        of("alice", "t", "b"),
        of("bob", "t", "a"),
        of("alice", "u", "c"),
        of("bob", "u", "d"),
        of("carol", "v", "e"),
    ];
    for hook in &hooks {
        outbox.put(hook, &["dead", "1"]).await;
    }
    for claimed in outbox.take(0).await {
        let outcome = Outcome::GiveUp(GaveUp::Refused, String::new());
        outbox.end(&claimed, outcome, 0).await;
    }
    let claimed = outbox.take(0).await;
    outbox.forget(Forget::Task("t")).await.unwrap();
    outbox.forget(Forget::Owner(&owner("bob"))).await.unwrap();
    outbox.forget(Forget::Task("nope")).await.unwrap();
    let left: Vec<_> = outbox.letters().await;
    let mut left: Vec<_> = left.iter().map(|l| l.webhook.key.id.to_string()).collect();
    left.sort_unstable();
    assert_eq!(left, ["c", "e"]);
    for claimed in &claimed {
        outbox.end(claimed, Outcome::Release, 0).await;
    }
    assert_eq!(sorted_names(&outbox.take(0).await), ["c/1", "e/1"]);
    assert_eq!(outbox.status().await.unwrap().waiting, 2);
}

pub(crate) async fn queue_that_is_too_long_loses_its_oldest(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2", "3", "4", "5"]).await;
    outbox.put(&hook("b"), &["1", "2"]).await;
    assert_eq!(outbox.trim(bounds(5, 9), at(3)).await.unwrap(), 0);
    assert_eq!(outbox.trim(bounds(3, 9), at(3)).await.unwrap(), 2);
    let letters = outbox.letters().await;
    let lost: Vec<_> = letters.iter().map(|l| l.notification.id()).collect();
    assert_eq!(lost, ["1", "2"]);
    for letter in &letters {
        assert_eq!((letter.reason, letter.given_up), (GaveUp::Overflow, at(3)));
        assert_eq!((&letter.webhook, letter.queued), (&hook("a"), at(0)));
    }
    let mut left = outbox.drain(3).await;
    left.sort_unstable();
    assert_eq!(left, ["a/3", "a/4", "a/5", "b/1", "b/2"]);
}

pub(crate) async fn claimed_head_is_not_trimmed(outbox: Outbox) {
    outbox.put(&hook("a"), &["1", "2", "3", "4"]).await;
    let claimed = outbox.take_one(0).await;
    assert_eq!(outbox.trim(bounds(2, 9), at(0)).await.unwrap(), 2);
    outbox.deliver(&claimed).await;
    assert_eq!(outbox.drain(0).await, ["a/4"]);
    let letters = outbox.letters().await;
    let lost: Vec<_> = letters.iter().map(|l| l.notification.id()).collect();
    assert_eq!(lost, ["2", "3"]);
}

pub(crate) async fn status_counts_what_waits(outbox: Outbox) {
    let status = outbox.status().await.unwrap();
    assert_eq!((status.waiting, status.dead_letters), (0, 0));
    assert_eq!(status.oldest, None);
    let hooks = [hook("a"), hook("b")];
    outbox
        .enqueue(&hooks[..1], &notes(["1"]), at(3))
        .await
        .unwrap();
    outbox.enqueue(&hooks, &notes(["2"]), at(4)).await.unwrap();
    let status = outbox.status().await.unwrap();
    assert_eq!((status.waiting, status.oldest), (3, Some(at(3))));
    let claimed = outbox.take(4).await;
    assert_eq!(outbox.status().await.unwrap().waiting, 3);
    let first = claimed.iter().find(|c| name(c) == "a/1").unwrap();
    outbox.deliver(first).await;
    let status = outbox.status().await.unwrap();
    assert_eq!((status.waiting, status.oldest), (2, Some(at(4))));
    let second = claimed.iter().find(|c| name(c) == "b/2").unwrap();
    let outcome = Outcome::GiveUp(GaveUp::Refused, String::new());
    outbox.end(second, outcome, 4).await;
    let status = outbox.status().await.unwrap();
    assert_eq!((status.waiting, status.dead_letters), (1, 1));
}

// R103
pub(crate) async fn concurrent_notifications_are_all_kept_in_order(outbox: Outbox) {
    let put = |n: usize| {
        let outbox = Arc::clone(&outbox.store);
        async move {
            for m in 0..20 {
                let id = format!("{n:02}-{m:02}");
                let hooks = [hook("a"), hook("b")];
                outbox.enqueue(&hooks, &[note(&id)], at(0)).await.unwrap();
            }
        }
    };
    outbox.together((0..8).map(put)).await;
    let all = outbox.drain(0).await;
    for id in ["a", "b"] {
        for n in 0..8 {
            let prefix = format!("{id}/{n:02}-");
            let of_one = all.iter().filter(|name| name.starts_with(&prefix));
            let expected: Vec<_> = (0..20).map(|m| format!("{prefix}{m:02}")).collect();
            assert!(of_one.eq(&expected), "{id} {n}");
        }
    }
    assert_eq!(all.len(), 320);
}
