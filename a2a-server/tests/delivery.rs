//! Events on their way to those who watch: all of them, in order, to everybody (A2A §3.5.2).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use futures::future::join_all;
use serde_json::json;
use support::{Event, Gate, Scripted, briefs, expect_updates, fold, scripted, serve_agent, within};

/// Says so many numbered pieces, then ends.
fn counting(count: usize, padding: usize) -> Scripted {
    let padding = "x".repeat(padding);
    scripted(move |_, task| {
        let padding = padding.clone();
        async move {
            for i in 0..count {
                let piece = task.artifact("n").text(format!("{i} {padding}"));
                piece.append().send().await?;
            }
            task.complete().await
        }
    })
}

#[track_caller]
fn expect_count(events: &[Event], count: usize) {
    let (last, pieces) = events[1..].split_last().unwrap();
    assert_eq!(pieces.len(), count);
    for (i, piece) in pieces.iter().enumerate() {
        assert_eq!(piece.text().split(' ').next(), Some(&*i.to_string()));
        assert_eq!(piece.body["artifactUpdate"].get("append").is_some(), i > 0);
    }
    assert_eq!(last.state(), "COMPLETED");
    briefs(events, 1);
}

// A2A-3.5.2-01 R004 R016
#[tokio::test]
async fn a_burst_that_is_followed_by_the_end_is_whole() {
    let server = serve_agent(counting(10_000, 0)).await;
    for caller in server.callers() {
        let events = caller.stream_send("hi").await.all();
        expect_count(&within(events).await, 10_000);
    }
}

// A2A-3.5.2-02, A2A-3.5.2-08 R085 R094
#[tokio::test]
async fn a_slow_reader_gets_everything_and_holds_nobody_up() {
    // More than the buffers of two sockets hold.
    let server = serve_agent(counting(4000, 4096)).await;
    for caller in server.callers() {
        let mut slow = caller.stream_send("hi").await;
        let task = slow.next().await.unwrap();
        let id = task.body["task"]["id"].as_str().unwrap().to_owned();
        within(async {
            while caller.get_status(&id).await.state() != "COMPLETED" {
                tokio::task::yield_now().await;
            }
        })
        .await;
        let mut events = vec![task];
        events.extend(within(slow.all()).await);
        expect_count(&events, 4000);
    }
}

// A2A-3.5.2-06, A2A-3.5.2-07, A2A-3.3.3-01 R080
#[tokio::test]
async fn a_client_that_leaves_its_stream_does_not_stop_the_agent() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                go.pass().await;
                task.artifact("a").text("done").send().await?;
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut stream = caller.stream_send("hi").await;
        let task = within(stream.next()).await.unwrap();
        let id = task.body["task"]["id"].as_str().unwrap();
        drop(stream);
        let stays = caller.subscribe(id).await.unwrap();
        drop(caller.subscribe(id).await.unwrap());
        go.open();
        let events = within(stays.all()).await;
        assert_eq!(events.last().unwrap().state(), "COMPLETED");
        let read = caller.get_task(id).await;
        assert_eq!(
            read.task()["artifacts"][0]["parts"],
            json!([{"text": "done"}])
        );
    }
}

// A2A-3.5.2-03, A2A-3.5.2-04, A2A-3.5.2-05
#[tokio::test]
async fn all_streams_of_a_task_show_the_same_events_in_the_same_order() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |_, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                for i in 0..10 {
                    go.pass().await;
                    for j in 0..100 {
                        let piece = task.artifact("n").text(format!("{i}.{j}"));
                        piece.append().send().await?;
                    }
                }
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let mut sender = caller.stream_send("hi").await;
        let mut first = vec![within(sender.next()).await.unwrap()];
        let id = first[0].body["task"]["id"].as_str().unwrap().to_owned();
        let mut others = Vec::new();
        for _ in 0..10 {
            for other in server.callers() {
                others.push(other.subscribe(&id).await.unwrap().all());
            }
            go.open();
        }
        first.extend(within(sender.all()).await);
        assert_eq!(briefs(&first, 1).len(), 1003);
        for events in within(join_all(others)).await {
            let updates = &events[1..];
            let from = usize::try_from(updates[0].id.unwrap()).unwrap();
            expect_updates(updates, &events[0].body["task"], from as u64);
            assert_eq!(updates.len(), first[from..].len());
            for (seen, sent) in updates.iter().zip(&first[from..]) {
                assert_eq!(seen.body, sent.body);
            }
            assert_eq!(fold(&events), fold(&first));
        }
    }
}
