//! Streams that their clients leave, and agents that block their thread.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "tests"
)]

mod support;

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use a2a_server::Limits;
use futures::future;
use serde_json::json;
use support::{
    Answer, Caller, Events, Gate, Recorder, Scripted, TestServer, builder, message, scripted,
    serve, serve_agent, within,
};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;

/// How many streams are left at once.
const STREAMS: usize = 500;

/// Says WORKING and one artifact; ends when the gate opens.
fn patient(gate: &Gate) -> Scripted {
    let gate = gate.clone();
    scripted(move |request, task| {
        let gate = gate.clone();
        async move {
            if request.text() == "park" {
                return task.input_required("more?").await;
            }
            task.working().await?;
            gate.pass().await;
            task.artifact("a").text("result").send().await?;
            task.complete().await
        }
    })
}

async fn forgotten(server: &TestServer) {
    within(async {
        while server.server.live_tasks() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// Opens one stream more than there is room for once the others are gone: until then it is
/// refused.
async fn room_again(caller: &Caller, id: &str) -> Events {
    within(async {
        loop {
            match caller.subscribe(id).await {
                Ok(events) => return events,
                Err(full) => full.expect_error(-32603, 429, "RESOURCE_EXHAUSTED", None),
            }
        }
    })
    .await
}

async fn open_all<F: Future<Output = Events>>(open: impl Fn(usize) -> F) -> Vec<Events> {
    let mut all = Vec::new();
    // In portions: no listener has room for this many connections that wait.
    for portion in 0..STREAMS / 50 {
        let some = (0..50).map(|n| open(portion * 50 + n));
        all.extend(within(future::join_all(some)).await);
    }
    all
}

// R015, A2A-3.5.2-06
#[tokio::test]
async fn streams_that_are_left_cost_nothing_and_leave_their_tasks_alone() {
    let gate = Gate::new();
    let limits = Limits::default().with_streams(STREAMS);
    let server = serve(builder(patient(&gate)).limits(limits)).await;
    for caller in server.callers() {
        let streams = open_all(|_| async {
            let mut events = caller.stream_send("go").await;
            assert_eq!(events.next().await.unwrap().brief(), "task SUBMITTED");
            events
        });
        let streams = streams.await;
        assert_eq!(server.server.live_tasks(), STREAMS);
        let working = caller.call("ListTasks", json!({"pageSize": 100}));
        let working = working.await.result()["tasks"].clone();
        let id = working[0]["id"].as_str().unwrap();
        let full = caller.subscribe(id).await;
        assert!(full.is_err(), "there is no room for one more");

        drop(streams);
        let mut events = room_again(&caller, id).await;
        assert_eq!(events.next().await.unwrap().brief(), "task WORKING");
        // The tasks go on without anybody who listens.
        assert_eq!(server.server.live_tasks(), STREAMS);
        gate.open_for(STREAMS);
        within(events.all()).await;
        forgotten(&server).await;
        for task in working.as_array().unwrap() {
            let task = caller.get_task(task["id"].as_str().unwrap()).await;
            assert_eq!(task.state(), "COMPLETED");
            assert_eq!(task.task()["artifacts"][0]["artifactId"], "a");
        }
    }
}

// R015
#[tokio::test]
async fn a_task_that_waits_is_forgotten_when_its_last_subscriber_leaves() {
    let server = serve_agent(patient(&Gate::new())).await;
    for caller in server.callers() {
        let ids = [caller.send("park").await, caller.send("park").await];
        let ids = ids.map(|answer| answer.task_id());
        forgotten(&server).await;
        let streams = open_all(|n| {
            let (caller, id) = (caller.clone(), ids[n % 2].clone());
            async move {
                let mut events = caller.subscribe(&id).await.unwrap();
                let first = events.next().await.unwrap();
                assert_eq!(first.brief(), "task INPUT_REQUIRED");
                events
            }
        });
        let streams = streams.await;
        assert_eq!(server.server.live_tasks(), 2);
        drop(streams);
        forgotten(&server).await;
        for id in ids {
            assert_eq!(caller.get_task(&id).await.state(), "INPUT_REQUIRED");
        }
    }
}

// R080, A2A-3.5.2-07
#[tokio::test]
async fn a_caller_that_leaves_loses_the_answer_and_nothing_else() {
    const HOOK: &str = "https://hook.example.com";
    for wire in support::BINDINGS {
        let gate = Gate::new();
        let agent = patient(&gate);
        let recorder = Recorder::default();
        let server = builder(agent.clone()).push_sender(Arc::new(recorder.clone()));
        let server = serve(server).await;
        let caller = server.caller(wire);
        let configuration = json!({"taskPushNotificationConfig": {"url": HOOK}});
        let params = json!({"message": message("go"), "configuration": configuration});
        // One leaves a stream, the other a call that waits.
        let mut events = caller
            .stream("SendStreamingMessage", params.clone())
            .await
            .unwrap();
        events.next().await.unwrap();
        drop(events);
        let waiting = tokio::spawn({
            let caller = caller.clone();
            async move { caller.call("SendMessage", params).await }
        });
        within(async {
            while agent.runs() < 2 {
                tokio::task::yield_now().await;
            }
        })
        .await;
        waiting.abort();
        assert!(within(waiting).await.unwrap_err().is_cancelled());

        let list = caller.call("ListTasks", json!({})).await;
        let list = list.result()["tasks"].as_array().unwrap().clone();
        let ids: Vec<_> = list.iter().map(|t| t["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), 2);
        for id in &ids {
            assert_eq!(caller.get_task(id).await.state(), "WORKING");
        }
        let mut again = caller.subscribe(ids[0]).await.unwrap();
        assert_eq!(again.next().await.unwrap().brief(), "task WORKING");
        gate.open_for(2);
        let rest: Vec<_> = within(again.all())
            .await
            .iter()
            .map(support::Event::brief)
            .collect();
        assert_eq!(rest, ["artifactUpdate", "statusUpdate COMPLETED"]);
        forgotten(&server).await;
        for id in &ids {
            let task = caller.get_task(id).await;
            assert_eq!(task.state(), "COMPLETED");
            assert_eq!(task.task()["artifacts"][0]["artifactId"], "a");
            let sent = recorder.sent_about(id);
            let sent: Vec<_> = sent.iter().map(|(_, what)| what.as_str()).collect();
            assert_eq!(
                sent,
                ["task SUBMITTED", "1 WORKING", "2 artifact", "3 COMPLETED"]
            );
        }
    }
}

/// Agents that have their thread and do not let it go.
struct Blocked {
    /// The id of the task when it begins, and nothing when it is over.
    news: UnboundedReceiver<String>,
    release: mpsc::Sender<()>,
}

/// Says what the message asks for, and then blocks its thread: at once, or right after it has said
/// something.
fn blocking() -> (Scripted, Blocked) {
    let (release, held) = mpsc::channel();
    let held = Arc::new(Mutex::new(held));
    let (blocks, news) = tokio::sync::mpsc::unbounded_channel();
    let agent = scripted(move |request, task| {
        let (held, blocks) = (Arc::clone(&held), blocks.clone());
        async move {
            match request.text().as_str() {
                "echo" => return task.complete().await,
                "status" => task.working().await?,
                "artifact" => task.artifact("a").text("x").send().await?,
                "both" => {
                    task.working().await?;
                    task.artifact("a").text("x").send().await?;
                }
                "much" => {
                    for _ in 0..500 {
                        task.artifact("a").text("x").append().send().await?;
                    }
                }
                _ => {}
            }
            blocks.send(task.id().to_owned()).unwrap();
            // So long only when the test has failed.
            let _ = held.lock().unwrap().recv_timeout(Duration::from_secs(20));
            blocks.send(String::new()).unwrap();
            Ok(())
        }
    });
    (agent, Blocked { news, release })
}

impl Blocked {
    /// The task whose agent blocks its thread now.
    async fn task(&mut self) -> String {
        within(self.news.recv()).await.unwrap()
    }

    /// Lets the thread go.
    async fn end(&mut self) {
        self.release.send(()).unwrap();
        assert_eq!(within(self.news.recv()).await.unwrap(), "");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_blocks_its_thread_stops_no_other_task_and_no_reader() {
    for answer in [a2a_server::Answer::Task, a2a_server::Answer::Either] {
        let (agent, mut blocked) = blocking();
        let server = serve_agent(agent.answering(answer)).await;
        for caller in server.callers() {
            for (text, said) in [
                ("at once", &[][..]),
                ("status", &["statusUpdate WORKING"]),
                ("artifact", &["artifactUpdate"]),
                ("both", &["statusUpdate WORKING", "artifactUpdate"]),
                ("much", &["artifactUpdate"; 500]),
            ] {
                if said.is_empty() && answer == a2a_server::Answer::Either {
                    // There is no task before the first word.
                    continue;
                }
                let mut events = within(caller.stream_send(text)).await;
                within(events.next()).await.unwrap();
                for said in said {
                    assert_eq!(within(events.next()).await.unwrap().brief(), *said);
                }
                let id = blocked.task().await;
                assert_eq!(within(caller.send("echo")).await.state(), "COMPLETED");
                let canceled = within(caller.cancel(&id)).await;
                assert_eq!(canceled.state(), "CANCELED");
                let last = within(events.next()).await.unwrap();
                assert_eq!(last.brief(), "statusUpdate CANCELED");
                assert!(within(events.next()).await.is_none());
                blocked.end().await;
            }
        }
    }
}

// The same where the caller waits for the task to end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_blocks_its_thread_keeps_no_caller_that_waits_for_its_task() {
    let (agent, mut blocked) = blocking();
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        for (text, parts) in [("at once", 0), ("artifact", 1), ("both", 1), ("much", 500)] {
            let sent = send_in_background(&caller, text);
            let id = blocked.task().await;
            let canceled = cancel_while_followed(&caller, &id, parts).await;
            assert_eq!(within(sent).await.unwrap().task(), canceled.task());
            blocked.end().await;
        }
    }
}

// Callers wait for an agent themselves that has been quick so far.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_blocks_its_thread_after_many_quick_runs_keeps_nobody_but_its_caller() {
    let (agent, mut blocked) = blocking();
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        for _ in 0..100 {
            assert_eq!(caller.send("echo").await.state(), "COMPLETED");
        }
        let sent = send_in_background(&caller, "artifact");
        let id = blocked.task().await;
        assert_eq!(within(caller.send("echo")).await.state(), "COMPLETED");
        let canceled = cancel_while_followed(&caller, &id, 1).await;
        blocked.end().await;
        assert_eq!(within(sent).await.unwrap().task(), canceled.task());

        // And the next caller is not kept any more.
        let sent = send_in_background(&caller, "artifact");
        let id = blocked.task().await;
        let canceled = cancel_while_followed(&caller, &id, 1).await;
        assert_eq!(within(sent).await.unwrap().task(), canceled.task());
        blocked.end().await;
    }
}

fn send_in_background(caller: &Caller, text: &str) -> JoinHandle<Answer> {
    let (caller, text) = (caller.clone(), text.to_owned());
    tokio::spawn(async move { caller.send(&text).await })
}

/// Cancels the task, which has so many parts, and sees that its followers hear of it.
async fn cancel_while_followed(caller: &Caller, id: &str, parts: usize) -> Answer {
    let mut events = within(caller.subscribe(id)).await.unwrap();
    within(events.next()).await.unwrap();
    let canceled = within(caller.cancel(id)).await;
    assert_eq!(canceled.state(), "CANCELED");
    let got = &canceled.task()["artifacts"][0]["parts"];
    assert_eq!(got.as_array().map_or(0, Vec::len), parts);
    let last = within(events.all()).await.pop().unwrap();
    assert_eq!(last.brief(), "statusUpdate CANCELED");
    canceled
}
