//! Runs of the agent: how they end, and what an agent may say (A2A §3.2.2, §3.3.3, §4.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_server::{AgentError, TaskHandle};
use a2a_types::{
    Artifact, Message, Part, StreamResponse, Struct, Task, TaskArtifactUpdateEvent, TaskState,
    TaskStatus, TaskStatusUpdateEvent, Timestamp,
};
use serde_json::json;
use support::{Gate, Scripted, briefs, builder, capture, scripted, serve_agent, spoken, within};

const GENERIC: &str = "AGENT the agent failed";

/// What a client reads after a send to an agent with this script; the same by all ways.
async fn verdict(agent: Scripted) -> Vec<(String, String)> {
    let server = serve_agent(agent).await;
    let mut verdicts = Vec::new();
    for caller in server.callers() {
        let blocking = within(caller.send("hi")).await;
        let events = within(caller.stream_send("hi").await.all()).await;
        briefs(&events, 1);
        let streamed = &events.last().unwrap().body["statusUpdate"]["status"];
        let read = caller.get_task(&blocking.task_id()).await;
        assert_eq!(read.task(), blocking.task());
        for status in [&blocking.task()["status"], streamed] {
            let words = match status.get("message") {
                Some(message) => spoken(message),
                None => String::new(),
            };
            verdicts.push((status["state"].as_str().unwrap().to_owned(), words));
        }
    }
    verdicts
}

/// Checks that all clients saw the task fail with these words.
#[track_caller]
fn expect_failed(verdicts: &[(String, String)], words: &str) {
    assert_eq!(verdicts.len(), 4);
    for verdict in verdicts {
        assert_eq!(*verdict, ("TASK_STATE_FAILED".to_owned(), words.to_owned()));
    }
}

// D38
#[tokio::test]
async fn an_error_of_the_agent_fails_the_task_and_only_a_public_text_is_told() {
    let public = scripted(|_, task| async move {
        task.working().await?;
        Err(AgentError::new("the disk is full").with_source("secret"))
    });
    expect_failed(&verdict(public).await, "AGENT the disk is full");
    let private = scripted(|_, task| async move {
        task.working().await?;
        Err(io::Error::other("secret"))?
    });
    expect_failed(&verdict(private).await, GENERIC);
    let silent = scripted(|_, _| async { Err(io::Error::other("secret"))? });
    expect_failed(&verdict(silent).await, GENERIC);
}

// D38
#[tokio::test]
async fn a_panic_of_the_agent_fails_the_task() {
    let agent = scripted(|_, task| async move {
        task.working().await?;
        panic!("secret")
    });
    expect_failed(&verdict(agent).await, "AGENT the agent failed unexpectedly");
}

// D38 B2 R096
#[tokio::test]
async fn an_agent_that_ends_without_an_end_of_the_task_fails_it() {
    let words = "AGENT the agent ended without finishing the task";
    let logs = capture();
    let silent = scripted(|_, _| async { Ok(()) });
    expect_failed(&verdict(silent).await, words);
    assert_eq!(logs.lines(&["ERROR", "ended without finishing"]).len(), 4);
    let working = scripted(|_, task| async move { task.working().await });
    expect_failed(&verdict(working).await, words);
}

// D38
#[tokio::test]
async fn an_error_fails_a_task_that_waits_for_its_client_too() {
    for state in [TaskState::InputRequired, TaskState::AuthRequired] {
        let go = Gate::new();
        let agent = scripted({
            let go = go.clone();
            move |_, task| {
                let go = go.clone();
                async move {
                    task.status(state).message("?").send().await?;
                    go.pass().await;
                    Err(AgentError::new("gave up"))
                }
            }
        });
        let server = serve_agent(agent).await;
        for caller in server.callers() {
            let id = caller.send("hi").await.task_id();
            let events = caller.subscribe(&id).await.unwrap();
            go.open();
            let events = within(events.all()).await;
            assert_eq!(briefs(&events, 2)[1..], ["statusUpdate FAILED"]);
            let read = caller.get_task(&id).await;
            assert_eq!(spoken(&read.task()["status"]["message"]), "AGENT gave up");
        }
    }
}

// D38
#[tokio::test]
async fn the_run_goes_on_while_a_handle_is_left() {
    let go = Gate::new();
    let agent = scripted({
        let go = go.clone();
        move |request, task| {
            let go = go.clone();
            async move {
                task.working().await?;
                tokio::spawn(async move {
                    go.pass().await;
                    match request.text().as_str() {
                        "finish" => task.complete().await.unwrap(),
                        _ => drop(task),
                    }
                });
                Ok(())
            }
        }
    });
    let server = serve_agent(agent.clone()).await;
    for caller in server.callers() {
        for (text, state) in [("finish", "COMPLETED"), ("drop", "FAILED")] {
            let id = caller.send_immediately(text).await.task_id();
            let events = caller.subscribe(&id).await.unwrap();
            assert!(["SUBMITTED", "WORKING"].contains(&caller.get_task(&id).await.state()));
            go.open();
            let events = within(events.all()).await;
            assert_eq!(events.last().unwrap().state(), state);
            assert_eq!(caller.get_task(&id).await.state(), state);
        }
    }
}

// A2A-4.1-10 R097
#[tokio::test]
async fn nothing_changes_a_task_that_has_ended() {
    let (told, go) = (Gate::new(), Gate::new());
    let late: Arc<Mutex<Vec<AgentError>>> = Arc::default();
    let agent = scripted({
        let (late, told, go) = (Arc::clone(&late), told.clone(), go.clone());
        move |_, task| {
            let (late, told, go) = (Arc::clone(&late), told.clone(), go.clone());
            async move {
                task.complete().await?;
                go.pass().await;
                let words = [
                    task.working().await,
                    task.artifact("late").text("x").send().await,
                    task.fail("late").await,
                    task.reply("late").await,
                    task.next_message().await.map(drop),
                ];
                late.lock()
                    .unwrap()
                    .extend(words.map(|word| word.unwrap_err()));
                told.open();
                Err(AgentError::new("late"))
            }
        }
    });
    let server = serve_agent(agent).await;
    let logs = capture();
    for caller in server.callers() {
        let before = caller.send("hi").await;
        go.open();
        within(told.pass()).await;
        let late = std::mem::take(&mut *late.lock().unwrap());
        assert_eq!(late.len(), 5);
        assert!(late.iter().all(AgentError::is_task_ended), "{late:?}");
        let read = caller.get_task(&before.task_id()).await;
        assert_eq!(read.task(), before.task());
    }
    let refused = logs.lines(&["WARN", "was refused", "the task has ended"]);
    assert_eq!(refused.len(), 10);
}

// A2A-4.1-10 R097
#[tokio::test]
async fn what_is_said_in_one_breath_with_the_end_is_not_kept() {
    let agent = scripted(|_, task| async move {
        // As fast as nobody can read in between.
        let _ = futures::join!(
            task.artifact("a").text("1").send(),
            task.complete(),
            task.artifact("b").text("2").send(),
            task.fail("3"),
        );
        Ok(())
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        let expected = ["task SUBMITTED", "artifactUpdate", "statusUpdate COMPLETED"];
        assert_eq!(briefs(&events, 1), expected);
        let id = events[0].body["task"]["id"].as_str().unwrap();
        let read = caller.get_task(id).await;
        assert_eq!(read.state(), "COMPLETED");
        assert_eq!(read.task()["artifacts"].as_array().unwrap().len(), 1);
    }
}

/// Lets an agent say something that is not allowed, and hands back what it was told.
async fn told<F, T>(say: F) -> Vec<AgentError>
where
    F: Fn(TaskHandle) -> T + Clone + Send + Sync + 'static,
    T: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    let errors: Arc<Mutex<Vec<AgentError>>> = Arc::default();
    let agent = scripted({
        let errors = Arc::clone(&errors);
        move |_, task| {
            let (say, errors) = (say.clone(), Arc::clone(&errors));
            async move {
                task.working().await?;
                let error = say(task.clone()).await.unwrap_err();
                errors.lock().unwrap().push(error.clone());
                // The agent may go on: nothing has been said.
                task.complete().await
            }
        }
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let events = within(caller.stream_send("hi").await.all()).await;
        let expected = [
            "task SUBMITTED",
            "statusUpdate WORKING",
            "statusUpdate COMPLETED",
        ];
        assert_eq!(briefs(&events, 1), expected);
    }
    let errors = errors.lock().unwrap();
    errors.clone()
}

// A2A-4.1-01, A2A-4.1-02, A2A-4.1-03, A2A-4.1-06, A2A-3.2.3-01
#[tokio::test]
async fn an_agent_cannot_say_what_the_protocol_does_not_allow() {
    let mut errors = Vec::new();
    let unspecified = TaskState::Unspecified;
    errors.extend(told(move |task| async move { task.status(unspecified).send().await }).await);
    errors.extend(told(|task| async move { task.artifact("a").send().await }).await);
    errors.extend(told(|task| async move { task.artifact("").text("x").send().await }).await);
    let hollow =
        |task: TaskHandle| async move { task.artifact("a").part(Part::default()).send().await };
    errors.extend(told(hollow).await);
    errors.extend(told(|task| async move { task.fail(Vec::<Part>::new()).await }).await);
    errors.extend(told(|task| async move { task.fail(Part::default()).await }).await);
    errors.extend(told(|task| async move { task.forward(StreamResponse::default()).await }).await);
    let whole = |task: TaskHandle| async move { task.forward(Task::default().into()).await };
    errors.extend(told(whole).await);
    let stateless = |task: TaskHandle| async move {
        task.forward(TaskStatusUpdateEvent::default().into()).await
    };
    errors.extend(told(stateless).await);
    assert_eq!(errors.len(), 18);
    assert!(
        errors.iter().all(AgentError::is_invalid_response),
        "{errors:?}"
    );
}

// A2A-4.1-10
#[tokio::test]
async fn a_task_is_submitted_only_once() {
    let agent = scripted(|_, task| async move {
        task.working().await?;
        task.status(TaskState::Submitted).send().await?;
        task.complete().await
    });
    expect_failed(
        &verdict(agent).await,
        "AGENT the agent gave an invalid response",
    );
}

// A2A-4.2-01
#[tokio::test]
async fn a_forwarded_update_of_another_task_is_refused() {
    let status = || TaskStatus::default().with_state(TaskState::Working);
    let artifact = || Artifact::new("a", ["text"]);
    let errors = [
        told(move |task| async move {
            let event = TaskStatusUpdateEvent::default().with_status(status());
            task.forward(event.with_task_id("another").into()).await
        })
        .await,
        told(move |task| async move {
            let event = TaskStatusUpdateEvent::default().with_status(status());
            task.forward(event.with_context_id("elsewhere").into())
                .await
        })
        .await,
        told(move |task| async move {
            let event = TaskArtifactUpdateEvent::default().with_artifact(artifact());
            task.forward(event.with_task_id("another").into()).await
        })
        .await,
        told(move |task| async move {
            let event = TaskArtifactUpdateEvent::default().with_artifact(artifact());
            task.forward(event.with_context_id("elsewhere").into())
                .await
        })
        .await,
    ];
    let errors = errors.concat();
    assert_eq!(errors.len(), 8);
    assert!(
        errors.iter().all(AgentError::is_invalid_response),
        "{errors:?}"
    );
}

// A2A-4.2-01, A2A-4.1-08, A2A-3.2.5-01
#[tokio::test]
async fn a_forwarded_update_gets_the_ids_of_the_task_and_the_time_of_the_server() {
    let agent = scripted(|_, task| async move {
        let mut message = Message::user("far away").with_message_id("far-1");
        message.task_id = "theirs".into();
        message.context_id = "theirs".into();
        let status = TaskStatus::default()
            .with_state(TaskState::InputRequired)
            .with_message(message)
            .with_timestamp(Timestamp::from_unix_millis(0));
        let mut event = TaskStatusUpdateEvent::default().with_status(status);
        let metadata = json!({"k": [1, null]});
        event.metadata = Some(Struct(metadata.as_object().unwrap().clone()));
        task.forward(event.into()).await?;
        let mut event = TaskArtifactUpdateEvent::default()
            .with_artifact(Artifact::new("a", ["text"]))
            .with_task_id(task.id())
            .with_context_id(task.context_id());
        event.last_chunk = true;
        task.forward(event.into()).await
    });
    let server = serve_agent(agent).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        assert_eq!(answer.state(), "INPUT_REQUIRED");
        let task = answer.task();
        let status = &task["status"];
        assert!(status["timestamp"].as_str().unwrap() > "2020");
        assert_eq!(
            status["message"],
            json!({"messageId": "far-1", "role": "ROLE_AGENT", "parts": [{"text": "far away"}],
                   "taskId": task["id"], "contextId": task["contextId"]})
        );
    }
    for caller in server.callers() {
        let mut events = caller.stream_send("hi").await;
        events.next().await.unwrap();
        let status = events.next().await.unwrap();
        assert_eq!(
            status.body["statusUpdate"]["metadata"],
            json!({"k": [1, null]})
        );
    }
}

// D38
#[tokio::test]
async fn a_run_that_takes_too_long_is_ended_but_not_while_it_waits_for_its_client() {
    tokio::time::pause();
    let aborted = Arc::new(());
    let agent = scripted({
        let aborted = Arc::clone(&aborted);
        move |request, task| {
            let held = Arc::clone(&aborted);
            async move {
                let _held = held;
                if request.text() == "wait" {
                    task.input_required("?").await?;
                    tokio::time::sleep(Duration::from_secs(3600)).await;
                    return task.complete().await;
                }
                task.working().await?;
                std::future::pending().await
            }
        }
    });
    let server = builder(agent)
        .run_limit(Duration::from_secs(60))
        .build()
        .unwrap();
    let local = server.local();
    let task = local.ask("hang").await.unwrap();
    assert_eq!(task.state(), TaskState::Failed);
    assert_eq!(Arc::strong_count(&aborted), 2, "the agent was not stopped");
    let waiting = local.ask("wait").await.unwrap();
    assert_eq!(waiting.state(), TaskState::InputRequired);
    let mut request = a2a_types::SubscribeToTaskRequest::default();
    request.id = waiting.id;
    let stream = local.stream::<a2a_types::operations::SubscribeToTask>(request);
    let events: Vec<_> = futures::StreamExt::collect(stream.await.unwrap()).await;
    let last: &StreamResponse = events.last().unwrap().as_ref().unwrap();
    let Some(a2a_types::stream_response::Payload::StatusUpdate(last)) = &last.payload else {
        panic!("{last:?}")
    };
    assert_eq!(last.status.as_ref().unwrap().state(), TaskState::Completed);
}
