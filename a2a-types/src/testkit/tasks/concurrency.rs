//! Calls at the same time.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reducer;
use crate::store::{Append, Created, NewTask, Scope, StoreError, StoreErrorKind};
use crate::testkit::subject::turn;
use crate::testkit::support::{
    Tasks, Writer, append_one, at, chunk, entries, in_state, input, key, owner, scope, sorted,
    task, whole,
};
use crate::{Part, TaskState};

fn is_conflict<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(error) if error.kind() == StoreErrorKind::Conflict)
}

pub(crate) async fn concurrent_creates_of_one_id_make_one_task(store: Tasks) {
    let create = |n: usize| {
        let store = Arc::clone(&store.store);
        async move {
            let principal = format!("p{n}");
            let created = store
                .create(&owner(&principal), NewTask::new(task("t", 0)))
                .await;
            match created {
                Ok(created) => {
                    assert_eq!(created, Created::New);
                    Some(principal)
                }
                Err(error) => {
                    assert_eq!(error.kind(), StoreErrorKind::Conflict);
                    None
                }
            }
        }
    };
    let winners = store.together((0..16).map(create)).await;
    let winners: Vec<_> = winners.into_iter().flatten().collect();
    assert_eq!(winners.len(), 1);
    let stored = store.stored(&Scope::__system(), "t").await;
    assert_eq!(stored.owner.principal(), winners[0]);
}

// B14
pub(crate) async fn concurrent_sends_of_one_message_make_one_task(store: Tasks) {
    let send = |n: usize| {
        let store = Arc::clone(&store.store);
        async move {
            let id = format!("t{n}");
            let new = NewTask::new(task(&id, 0)).with_idempotency(key("m", 1, 0, 100));
            match store.create(&owner("alice"), new).await.unwrap() {
                Created::New => (Some(id.clone()), id),
                Created::Existing(existing) => (None, existing),
            }
        }
    };
    let sent = store.together((0..16).map(send)).await;
    let made: Vec<_> = sent.iter().filter_map(|(made, _)| made.as_ref()).collect();
    assert_eq!(made.len(), 1);
    assert!(sent.iter().all(|(_, found)| found == made[0]));
    assert_eq!(store.page(&Scope::__system(), &whole(100)).await.total, 1);
}

// R103
pub(crate) async fn one_of_concurrent_appends_wins_a_revision(store: Tasks) {
    let alice = owner("alice");
    let mut writer = Writer::create(&store, &alice, task("t", 0)).await;
    for round in 0..10 {
        let append = |n: usize| {
            let entries = writer.entries([chunk(format!("{round}/{n}")), input("x")]);
            let (store, scope, after) = (Arc::clone(&store.store), scope(&alice), writer.revision);
            async move {
                let result = store
                    .append(&scope, "t", Append::new(after, &entries))
                    .await;
                (result, entries)
            }
        };
        let results = store.together((0..8).map(append)).await;
        let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(|(r, _)| r.is_ok());
        assert_eq!(won.len(), 1);
        assert!(lost.iter().all(|(result, _)| is_conflict(result)));
        for entry in &won[0].1 {
            reducer::apply(&mut writer.task, entry.event());
        }
        writer.revision += 2;
        writer.sequence += 1;
        writer.check().await;
    }
}

// R103
pub(crate) async fn concurrent_writers_lose_no_update(store: Tasks) {
    let alice = owner("alice");
    store.add(&alice, task("t", 0)).await;
    let write = |writer: usize| {
        let (store, scope) = (Arc::clone(&store.store), scope(&alice));
        async move {
            for n in 0..20 {
                let event = || chunk(format!("{writer}/{n}"));
                loop {
                    let result = append_one(&*store, &scope, "t", event()).await;
                    if result.is_ok() {
                        break;
                    }
                    assert!(is_conflict(&result), "{result:?}");
                }
            }
        }
    };
    store.together((0..6).map(write)).await;
    let stored = store.stored(&scope(&alice), "t").await;
    assert_eq!((stored.revision, stored.sequence), (120, 120));
    let parts = &stored.task.artifacts[0].parts;
    let texts: BTreeSet<_> = parts
        .iter()
        .filter_map(Part::as_text)
        .map(str::to_owned)
        .collect();
    assert_eq!((parts.len(), texts.len()), (120, 120));
    let sequences: Vec<_> = store
        .log("t")
        .await
        .iter()
        .map(|entry| entry.sequence())
        .collect();
    assert_eq!(sequences, (1..=120).collect::<Vec<_>>());
}

// R107
pub(crate) async fn concurrent_tasks_do_not_disturb_each_other(store: Tasks) {
    let run = |n: usize| {
        let store = Arc::clone(&store.store);
        async move {
            let (id, owner) = (format!("t{n}"), owner(&format!("p{}", n % 5)));
            let new = task(&id, 0);
            store
                .create(&owner, NewTask::new(new.clone()))
                .await
                .unwrap();
            for sequence in 0..40 {
                let entries = entries(&new, sequence, [chunk(format!("{n}/{sequence} "))]);
                let append = Append::new(sequence, &entries);
                store.append(&scope(&owner), &id, append).await.unwrap();
            }
        }
    };
    store.together((0..50).map(run)).await;
    for n in 0..50 {
        let stored = store.stored(&Scope::__system(), &format!("t{n}")).await;
        assert_eq!((stored.revision, stored.sequence), (40, 40));
        let expected: String = (0..40).map(|sequence| format!("{n}/{sequence} ")).collect();
        assert_eq!(stored.task.artifacts[0].text(), expected);
    }
}

/// The task, its revision and its sequence are always of one moment.
pub(crate) async fn task_that_is_read_while_it_is_written_is_whole(store: Tasks) {
    let alice = owner("alice");
    store.add(&alice, task("t", 0)).await;
    let job = |n: usize| {
        let (store, scope) = (Arc::clone(&store.store), scope(&alice));
        async move {
            for sequence in (0..200).step_by(2) {
                if n == 0 {
                    let events = [chunk("x"), chunk("y")];
                    let entries = entries(&task("t", 0), sequence, events);
                    store
                        .append(&scope, "t", Append::new(sequence, &entries))
                        .await
                        .unwrap();
                    continue;
                }
                let stored = store.load(&scope, "t").await.unwrap().unwrap();
                let parts = stored
                    .task
                    .artifacts
                    .first()
                    .map_or(0, |a| a.parts.len() as u64);
                assert_eq!((parts, parts), (stored.revision, stored.sequence));
                assert_eq!(parts % 2, 0);
                let log = store
                    .events(&scope, "t", stored.sequence, 1000)
                    .await
                    .unwrap()
                    .unwrap();
                let sequences: Vec<_> = log.iter().map(|entry| entry.sequence()).collect();
                let expected: Vec<_> = (stored.sequence + 1..).take(log.len()).collect();
                assert_eq!(sequences, expected);
                assert_eq!(log.len() % 2, 0);
            }
        }
    };
    store.together((0..3).map(job)).await;
    assert_eq!(store.stored(&scope(&alice), "t").await.sequence, 200);
}

// R112: what is purged meanwhile ends no list early.
pub(crate) async fn walk_while_tasks_are_purged_skips_no_other(store: Tasks) {
    for n in 0..150 {
        let (ended, kept) = (format!("ended{n:03}"), format!("kept{n:03}"));
        let ended = in_state(&ended, n, TaskState::Completed);
        store.add(&owner("alice"), ended).await;
        store.add(&owner("bob"), task(&kept, n)).await;
    }
    let walk = |n: usize| {
        let store = Tasks::new(Arc::clone(&store.store));
        async move {
            if n == 0 {
                while !store.expire(at(1000), 1).await.unwrap().is_empty() {
                    turn().await;
                }
                return;
            }
            let mut rest = 150;
            while rest > 0 {
                turn().await;
                let mut query = whole(20);
                let mut kept = 0;
                rest = 0;
                loop {
                    let page = store.page(&Scope::tenant(""), &query).await;
                    let all = page.tasks.len();
                    let ended = page
                        .tasks
                        .iter()
                        .filter(|task| task.state().is_terminal())
                        .count();
                    kept += all - ended;
                    rest += ended;
                    query.after = page.next;
                    if query.after.is_none() {
                        break;
                    }
                }
                assert_eq!(kept, 150, "every task is on one page");
            }
        }
    };
    store.together((0..3).map(walk)).await;
    assert_eq!(store.page(&Scope::__system(), &whole(1)).await.total, 150);
}

// A2A-13.4-22
pub(crate) async fn concurrent_purges_purge_each_task_once(store: Tasks) {
    for round in 0..4 {
        let ids: Vec<_> = (0..250).map(|n| format!("{round}/{n:03}")).collect();
        for id in &ids {
            let ended = in_state(id, 0, TaskState::Failed);
            store.add(&owner("alice"), ended).await;
        }
        let purge = |n: usize| {
            let store = Arc::clone(&store.store);
            async move {
                let purged = match n {
                    0 => store.delete_owner(&owner("alice")).await,
                    _ => store.expire(at(1), 250).await,
                };
                purged.unwrap()
            }
        };
        let purged = store.together((0..4).map(purge)).await;
        assert_eq!(sorted(purged.concat()), ids);
    }
}
