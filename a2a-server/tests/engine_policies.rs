//! What a server's builder says about the engine: folded status messages, lost runs, threads for
//! the agent, timestamps.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use a2a_server::testkit::{self, FaultyStore};
use a2a_server::{AgentError, LostRuns, MemoryTaskStore, StatusMessages, TaskHandle};
use a2a_types::store::{Durability, Sharing, StoreProperties};
use a2a_types::{Message, Part, Struct, TaskState, Timestamp, send_message_response::Payload};
use serde_json::{Value, json};
use support::{
    BINDINGS, Event, Gate, Scripted, briefs, builder, message, said, scripted, serve, serve_agent,
    within,
};

/// Says a text with the status WORKING.
async fn think(task: &TaskHandle, text: &str) -> Result<(), AgentError> {
    let working = task.status(TaskState::Working);
    working.message(text).send().await
}

async fn think_folded(task: &TaskHandle, text: &str) -> Result<(), AgentError> {
    let working = task.status(TaskState::Working);
    working.message(text).folded().send().await
}

/// The texts of the status messages that a stream shows.
fn shown(events: &[Event]) -> Vec<String> {
    let updates = events.iter().filter_map(|e| e.body.get("statusUpdate"));
    let messages = updates.filter_map(|update| update["status"].get("message"));
    messages
        .map(|message| message["parts"][0]["text"].as_str().unwrap().to_owned())
        .collect()
}

// A2A-3.7-03
#[tokio::test]
async fn pieces_of_a_thought_are_one_entry_of_the_history_and_many_events() {
    let agent = scripted(|_, task| async move {
        think(&task, "let me see").await?;
        for piece in ["Oslo ", "is in ", "Norway."] {
            think_folded(&task, piece).await?;
            task.artifact("a").text(piece).append().send().await?;
        }
        think(&task, "I know that").await?;
        think_folded(&task, "And ").await?;
        think_folded(&task, "now?").await?;
        task.status(TaskState::Completed)
            .message("done")
            .folded()
            .send()
            .await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        let pieces = ["let me see", "Oslo ", "is in ", "Norway.", "I know that"];
        let all = [&pieces[..], &["And ", "now?", "done"]].concat();
        assert_eq!(shown(&events), all);
        let id = events[0].body["task"]["id"].as_str().unwrap().to_owned();
        let read = caller.get_task(&id).await;
        let whole = [
            "USER hi",
            "AGENT let me see",
            "AGENT Oslo is in Norway.",
            "AGENT I know that",
            "AGENT And now?",
        ];
        assert_eq!(said(read.task()), whole);
        // The message of a state that ends or waits is never folded away.
        assert_eq!(read.task()["status"]["message"]["parts"][0]["text"], "done");
        let ids: Vec<&Value> = events
            .iter()
            .filter_map(|e| e.body.get("statusUpdate"))
            .map(|update| &update["status"]["message"]["messageId"])
            .collect();
        let history = &read.task()["history"];
        assert!(ids[1..4].iter().all(|id| **id == history[2]["messageId"]));
        assert!(ids[5..7].iter().all(|id| **id == history[4]["messageId"]));
        assert_ne!(ids[1], ids[5]);
    }
}

// A2A-3.7-03: whatever comes next, nothing of the thought is lost or out of order.
#[tokio::test]
async fn a_thought_ends_with_the_run_the_next_message_or_a_cancellation() {
    let (thought, go) = (Gate::new(), Gate::new());
    let agent = scripted({
        let gates = (thought.clone(), go.clone());
        move |request, task| {
            let (thought, go) = gates.clone();
            async move {
                think_folded(&task, "hm, ").await?;
                think_folded(&task, "hm").await?;
                thought.open();
                match request.text().as_str() {
                    "fail" => Err(AgentError::new("no idea")),
                    "ask" => task.input_required("which one?").await,
                    "listen" => {
                        let next = task.next_message().await?;
                        think_folded(&task, &next.text()).await?;
                        task.complete().await
                    }
                    _ => {
                        go.pass().await;
                        Ok(())
                    }
                }
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let failed = caller.send("fail").await;
        assert_eq!(said(failed.task()), ["USER fail", "AGENT hm, hm"]);
        thought.pass().await;
        let asked = caller.send("ask").await;
        assert_eq!(said(asked.task()), ["USER ask", "AGENT hm, hm"]);
        thought.pass().await;
        let id = caller.send_immediately("listen").await.task_id();
        within(thought.pass()).await;
        let heard = within(caller.send_to(&id, "yes")).await;
        let whole = ["USER listen", "AGENT hm, hm", "USER yes", "AGENT yes"];
        assert_eq!(said(heard.task()), whole);
        let id = caller.send_immediately("wait").await.task_id();
        within(thought.pass()).await;
        let canceled = within(caller.cancel(&id)).await;
        assert_eq!(said(canceled.task()), ["USER wait", "AGENT hm, hm"]);
    }
}

// A2A-3.7-03
#[tokio::test]
async fn a_server_can_fold_what_every_agent_thinks_aloud() {
    let agent = scripted(|_, task| async move {
        for n in 0..3 {
            think(&task, &format!("{n} ")).await?;
        }
        let data = vec![Part::data(json!({"n": 3})), Part::text("4")];
        let piece = task.status(TaskState::Working).message(data);
        piece.metadata(Struct::default()).send().await?;
        // Not kept, and no end of the thought either.
        let glimpse = task.status(TaskState::Working).message("50 %");
        glimpse.transient().send().await?;
        think(&task, " 5").await?;
        task.working().await?;
        think(&task, " 6").await?;
        task.input_required("so?").await
    });
    let server = builder(agent).status_messages(StatusMessages::Folded);
    let server = serve(server).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        let history = answer.task()["history"].as_array().unwrap();
        assert_eq!(history.len(), 2, "{history:?}");
        assert_eq!(
            history[1]["parts"],
            json!([{"text": "0 1 2 "}, {"data": {"n": 3}}, {"text": "4 5 6"}])
        );
        let asked = &answer.task()["status"]["message"]["parts"][0];
        assert_eq!(asked["text"], "so?");
    }
}

/// A store that says that it outlives the process, as the server behind it does not.
fn lasting() -> FaultyStore {
    let properties = StoreProperties::new(Durability::Process, Sharing::Exclusive);
    FaultyStore::new(Arc::new(MemoryTaskStore::new())).with_properties(properties)
}

// The restart of a process, with tasks in every state that is not terminal.
#[tokio::test]
async fn lost_runs_are_failed_or_handed_to_the_agent_again() {
    for lost in [LostRuns::Fail, LostRuns::RunAgain] {
        let (store, stuck) = (lasting(), Gate::new());
        let agent = scripted({
            let stuck = stuck.clone();
            move |request, task| {
                let stuck = stuck.clone();
                async move {
                    match request.text().as_str() {
                        "silent" => {}
                        "working" => task.artifact("a").text("half").send().await?,
                        "input" => return task.input_required("which?").await,
                        _ => return task.auth_required("x", "please sign in").await,
                    }
                    if request.text() == "working" {
                        task.working().await?;
                    }
                    stuck.open();
                    std::future::pending().await
                }
            }
        });
        let before = serve(builder(agent).task_store(Arc::new(store.clone()))).await;
        let caller = before.caller(BINDINGS[0]);
        let mut ids = Vec::new();
        for text in ["silent", "working"] {
            ids.push(caller.send_immediately(text).await.task_id());
            within(stuck.pass()).await;
        }
        for text in ["input", "auth"] {
            ids.push(caller.send(text).await.task_id());
        }
        // The earlier process is gone without a word: its actors have nothing more to say.
        let finished = scripted(|request, task| async move {
            let known = request.task().await?.unwrap();
            let pieces = known.artifacts.len();
            assert!(request.context().caller.is_anonymous());
            let end = task.status(TaskState::Completed);
            let text = format!("{} after {pieces}", request.text());
            end.message(text).send().await
        });
        let after = builder(finished.clone()).task_store(Arc::new(store));
        let after = serve(after.lost_runs(lost)).await;
        for caller in after.callers() {
            for id in &ids[..2] {
                let ended = within(async {
                    loop {
                        let read = caller.get_task(id).await;
                        if support::TERMINAL.contains(&read.state()) {
                            return read;
                        }
                    }
                })
                .await;
                let words = support::spoken(&ended.task()["status"]["message"]);
                match lost {
                    LostRuns::RunAgain => {
                        assert_eq!(ended.state(), "COMPLETED");
                        let expected = if *id == ids[0] {
                            "AGENT silent after 0"
                        } else {
                            "AGENT working after 1"
                        };
                        assert_eq!(words, expected);
                        // The message was in the history before, and is there once.
                        assert_eq!(said(ended.task()).len(), 1);
                    }
                    _ => {
                        assert_eq!(ended.state(), "FAILED");
                        assert_eq!(words, "AGENT the run of this task was lost");
                    }
                }
            }
            assert_eq!(caller.get_task(&ids[2]).await.state(), "INPUT_REQUIRED");
            assert_eq!(caller.get_task(&ids[3]).await.state(), "AUTH_REQUIRED");
        }
        for (caller, id) in after.callers().zip(&ids[2..]) {
            assert_eq!(caller.send_to(id, "go on").await.state(), "COMPLETED");
        }
        let runs = if lost == LostRuns::Fail { 2 } else { 4 };
        assert_eq!(finished.runs(), runs);
    }
}

// One thread serves; three agents block as many threads as there are for agents.
#[tokio::test]
async fn agents_that_block_threads_of_their_own_stop_nobody_else() {
    let (agent, mut runs) = testkit::puppet();
    let server = builder(agent)
        .agent_threads(2)
        .cancel_grace(Duration::from_millis(50));
    let server = serve(server).await;
    for caller in server.callers() {
        let (mut blocks, mut running) = (Vec::new(), Vec::new());
        for n in 0..3 {
            let mut events = caller.stream_send("hi").await;
            let first = within(events.next()).await.unwrap();
            let id = first.body["task"]["id"].as_str().unwrap().to_owned();
            blocks.push((id, vec![first], events));
            if n < 2 {
                let run = within(runs.next()).await;
                run.task().working().await.unwrap();
                let block = run.block();
                running.push((run, block));
            }
        }
        // No thread is left for the third, but all else goes on.
        let health = reqwest::get(server.url("/health"));
        assert_eq!(within(health).await.unwrap().status(), 200);
        assert_eq!(
            within(caller.get_task(&blocks[2].0)).await.state(),
            "SUBMITTED"
        );
        for (id, seen, events) in &mut blocks {
            if running.iter().any(|(run, _)| run.task().id() == id) {
                let event = within(events.next()).await.unwrap();
                assert_eq!(event.brief(), "statusUpdate WORKING");
                seen.push(event);
            }
            let watching = caller.subscribe(id).await.unwrap();
            let cancel = tokio::spawn({
                let (caller, id) = (caller.clone(), id.clone());
                async move { caller.cancel(&id).await }
            });
            // It cannot be asked, for no thread is left, and is not waited for much longer.
            assert_eq!(within(cancel).await.unwrap().state(), "CANCELED");
            assert_eq!(
                within(watching.all()).await.last().unwrap().state(),
                "CANCELED"
            );
        }
        for (_, mut seen, events) in blocks {
            seen.extend(within(events.all()).await);
            assert_eq!(briefs(&seen, 1).last().unwrap(), "statusUpdate CANCELED");
        }
        drop(running);
        // The third has never begun.
        assert!(runs.try_next().is_none());
    }
    assert_eq!(server.server.live_tasks(), 0);
}

// With a clock under control every timestamp is known.
#[tokio::test(start_paused = true)]
async fn timestamps_follow_the_clock_of_the_test() {
    let agent = scripted(|_, task| async move {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        task.input_required("more?").await
    });
    let start = Timestamp::from_unix_millis(1_000_000);
    let server = testkit::server(agent).timestamps_from(start);
    let client = server.build().unwrap().local();
    let sent = client.send(Message::user("hi")).await.unwrap();
    let Some(Payload::Task(task)) = sent.payload else {
        panic!("{sent:?}")
    };
    let status = task.status.unwrap();
    assert_eq!(status.timestamp.unwrap().unix_millis(), 1_001_500);
    let again = message("again")["parts"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let sent = client.send(Message::user(again).with_task_id(task.id));
    let Some(Payload::Task(task)) = sent.await.unwrap().payload else {
        panic!()
    };
    let status = task.status.unwrap();
    assert_eq!(status.timestamp.unwrap().unix_millis(), 1_003_000);
}

// A conversation inside of one run outlives the server: it waits for its client, not for us.
#[tokio::test]
async fn a_run_that_waits_for_its_client_leaves_its_task_waiting_at_shutdown() {
    let (store, parked) = (lasting(), Gate::new());
    let agent = Scripted::clone(&scripted({
        let parked = parked.clone();
        move |request, task| {
            let parked = parked.clone();
            async move {
                if request.text() == "go on" {
                    return task.complete().await;
                }
                task.input_required("which?").await?;
                parked.open();
                task.next_message().await.map(drop)
            }
        }
    }));
    let before = serve(builder(agent.clone()).task_store(Arc::new(store.clone()))).await;
    let mut ids = Vec::new();
    for caller in before.callers() {
        let id = caller.send("hi").await.task_id();
        within(parked.pass()).await;
        let watching = caller.subscribe(&id).await.unwrap();
        ids.push((id, watching));
    }
    before.server.shutdown(Duration::from_millis(10)).await;
    assert_eq!(before.server.live_tasks(), 0);
    let after = serve(builder(agent).task_store(Arc::new(store))).await;
    for (caller, (id, watching)) in after.callers().zip(ids) {
        let seen = within(watching.all()).await;
        assert_eq!(briefs(&seen, 2), ["task INPUT_REQUIRED"]);
        assert_eq!(caller.get_task(&id).await.state(), "INPUT_REQUIRED");
        assert_eq!(caller.send_to(&id, "go on").await.state(), "COMPLETED");
    }
}
