//! Tasks and their events.

use a2a::{ListTasksRequest, Message, Role, StreamResponse, Task, TaskState, error_code};
use futures::StreamExt;
use serde_json::json;

use crate::peer::{
    Peer, SLOW, all, artifact, chunks, immediately, kind_of, listed, plain, refused, says, says_to,
    steady, text_of,
};

pub async fn card(peer: Peer) {
    let card = peer.card().await;
    let skills: Vec<_> = card.skills.iter().map(|skill| skill.id.as_str()).collect();
    assert_eq!(skills, ["echo"], "skills");
    let interfaces = card.supported_interfaces.iter();
    let interfaces: Vec<_> = interfaces
        .map(|i| format!("{} {}", i.protocol_binding, i.protocol_version))
        .collect();
    assert_eq!(
        interfaces,
        ["JSONRPC 1.0", "HTTP+JSON 1.0", "GRPC 1.0"],
        "interfaces"
    );
}

pub async fn send_blocking(peer: Peer) {
    let mut request = says("hello wörld ✓");
    request.message.metadata = Some([("k".into(), json!([1, {"n": null}]))].into());
    let task = peer.task(request.clone()).await;
    assert_eq!(task.status.state, TaskState::Completed, "state");
    assert_eq!(
        text_of(artifact(&task, "echo")),
        "echo: hello wörld ✓",
        "artifact"
    );
    let said = task.status.message.as_ref().expect("a status message");
    assert_eq!(
        (text_of(&said.parts).as_str(), &said.role),
        ("echo: hello wörld ✓", &Role::Agent)
    );
    let kept = Message {
        task_id: Some(task.id.clone()),
        context_id: Some(task.context_id.clone()),
        ..request.message
    };
    assert_eq!(plain(&task.history), plain([kept]), "history");
    assert_eq!(
        peer.get(&task.id, None).await.unwrap(),
        task,
        "the task afterwards"
    );
}

pub async fn send_immediate(peer: Peer) {
    let task = peer.task(immediately("slow")).await;
    let unfinished = [TaskState::Submitted, TaskState::Working];
    assert!(
        unfinished.contains(&task.status.state),
        "not done: {:?}",
        task.status.state
    );
    let done = peer.until(&task.id, TaskState::Completed).await;
    assert_eq!(text_of(artifact(&done, "slow")), SLOW, "artifact");
}

pub async fn stream(peer: Peer) {
    let events = all(peer.stream(&says("slow")).await).await;
    let wanted = [
        "task Submitted",
        "status Working",
        "artifact",
        "append",
        "append",
        "status Completed",
    ];
    assert_eq!(steady(&events), wanted, "events");
    assert_eq!(text_of(&chunks(&events)), SLOW, "chunks");
    let StreamResponse::ArtifactUpdate(last) = &events[4] else {
        panic!("the last chunk")
    };
    assert_eq!(last.last_chunk, Some(true), "the last chunk is marked");
    let task = peer.get(&id_of(&events), None).await.unwrap();
    assert_eq!(text_of(artifact(&task, "slow")), SLOW, "artifact");
}

fn id_of(events: &[StreamResponse]) -> String {
    let StreamResponse::Task(task) = &events[0] else {
        panic!("the task comes first")
    };
    task.id.clone()
}

pub async fn stream_burst(peer: Peer) {
    let events = all(peer.stream(&says("stream 500")).await).await;
    let kinds = steady(&events);
    let whole: String = (1..=500)
        .map(|number| format!("chunk {number:08} abcde"))
        .collect();
    assert_eq!(text_of(&chunks(&events)), whole, "chunks");
    assert_eq!(kinds.last().unwrap(), "status Completed", "the last event");
}

pub async fn subscribe(peer: Peer) {
    let mut begun = peer.stream(&says("forever")).await.unwrap();
    let mut id = String::new();
    while let Some(event) = begun.next().await {
        match event.unwrap() {
            StreamResponse::Task(task) => id = task.id,
            StreamResponse::ArtifactUpdate(_) => break,
            _ => {}
        }
    }
    // That stream is dropped; the task goes on.
    drop(begun);
    let mut stream = peer.subscribe(&id).await.unwrap();
    let mut events = vec![];
    while let Some(event) = stream.next().await {
        events.push(event.unwrap());
        if events.len() == 3 {
            assert_eq!(
                peer.cancel(&id).await.unwrap().status.state,
                TaskState::Canceled,
                "state"
            );
        }
    }
    let kinds = steady(&events);
    assert_eq!(kinds[0], "task Working", "the first event");
    assert_eq!(kinds.last().unwrap(), "status Canceled", "the last event");
    let StreamResponse::Task(first) = &events[0] else {
        panic!("the task comes first")
    };
    let text = text_of(artifact(first, "slow")) + &text_of(&chunks(&events));
    let count = text.matches(';').count();
    let wanted: String = (1..=count)
        .map(|number| format!("chunk {number};"))
        .collect();
    assert_eq!(text, wanted, "chunks");
    let task = peer.get(&id, None).await.unwrap();
    assert_eq!(
        text_of(artifact(&task, "slow")),
        text,
        "artifact afterwards"
    );
}

pub async fn history(peer: Peer) {
    let asked = peer.task(says("ask")).await;
    let mut request = says_to(&asked.id, "hello");
    request.message.context_id = Some(asked.context_id.clone());
    let whole = messages(&peer.task(request).await);
    let said: Vec<_> = whole
        .iter()
        .map(|m| (m.role.clone(), text_of(&m.parts)))
        .collect();
    let wanted = [
        (Role::User, "ask".to_owned()),
        (Role::Agent, "What else should I know?".to_owned()),
        (Role::User, "hello".to_owned()),
    ];
    assert_eq!(said, wanted, "history");
    let lengths = [
        (None, &whole[..]),
        (Some(0), &[]),
        (Some(1), &whole[2..]),
        (Some(100), &whole),
    ];
    for (length, wanted) in lengths {
        let task = peer.get(&asked.id, length).await.unwrap();
        assert_eq!(messages(&task), wanted, "history of length {length:?}");
        let request = ListTasksRequest {
            history_length: length,
            ..listed(&asked.context_id)
        };
        let page = peer.list(&request).await.unwrap();
        assert_eq!(
            messages(&page.tasks[0]),
            wanted,
            "listed history of length {length:?}"
        );
    }
}

fn messages(task: &Task) -> Vec<Message> {
    task.history.clone().unwrap_or_default()
}

pub async fn list(peer: Peer) {
    let context = a2a::new_context_id();
    let mut made = vec![];
    for text in ["one", "two", "three", "ask"] {
        let mut request = says(text);
        request.message.context_id = Some(context.clone());
        made.push(peer.task(request).await);
    }
    let request = ListTasksRequest {
        page_size: Some(3),
        ..listed(&context)
    };
    let first = peer.list(&request).await.unwrap();
    let sizes = (first.tasks.len(), first.total_size, first.page_size);
    assert_eq!(sizes, (3, 4, 3), "sizes of the first page");
    let request = ListTasksRequest {
        page_token: Some(first.next_page_token.clone()),
        ..request
    };
    let second = peer.list(&request).await.unwrap();
    assert_eq!(second.next_page_token, "", "the last page has no token");
    let found = [first.tasks, second.tasks].concat();
    assert_eq!(ids(&found), ids(&made), "tasks of all pages");
    let bare = |task: &Task| task.artifacts.as_ref().is_none_or(Vec::is_empty);
    assert!(
        found.iter().all(bare),
        "no artifacts unless they are asked for"
    );
    let some = ListTasksRequest {
        status: Some(TaskState::Completed),
        include_artifacts: Some(true),
        ..listed(&context)
    };
    let some = peer.list(&some).await.unwrap().tasks;
    assert_eq!(ids(&some), ids(&made[..3]), "completed tasks");
    assert!(!some.iter().any(bare), "artifacts, when they are asked for");
}

fn ids(tasks: &[Task]) -> Vec<&str> {
    let mut ids: Vec<_> = tasks.iter().map(|task| task.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

pub async fn cancel(peer: Peer) {
    let task = peer.task(immediately("forever")).await;
    let canceled = peer.cancel(&task.id).await.unwrap();
    assert_eq!(
        (&canceled.id, &canceled.status.state),
        (&task.id, &TaskState::Canceled),
        "state"
    );
    let state = peer.get(&task.id, None).await.unwrap().status.state;
    assert_eq!(state, TaskState::Canceled, "state afterwards");
}

pub async fn cancel_twice(peer: Peer) {
    let task = peer.task(says("ask")).await;
    peer.cancel(&task.id).await.unwrap();
    refused(peer.cancel(&task.id).await, error_code::TASK_NOT_CANCELABLE);
}

pub async fn follow_up(peer: Peer) {
    for streams in [false, true] {
        let asked = peer.task(says("ask")).await;
        assert_eq!(asked.status.state, TaskState::InputRequired, "state");
        let request = says_to(&asked.id, "hello");
        if streams {
            let events = all(peer.stream(&request).await).await;
            assert_eq!(
                kind_of(events.last().unwrap()),
                "status Completed",
                "the last event"
            );
        } else {
            let task = peer.task(request).await;
            assert_eq!(
                (&task.id, &task.status.state),
                (&asked.id, &TaskState::Completed),
                "state"
            );
        }
        let task = peer.get(&asked.id, None).await.unwrap();
        assert_eq!(text_of(artifact(&task, "echo")), "echo: hello", "artifact");
    }
    let events = all(peer.stream(&says("ask")).await).await;
    assert_eq!(
        kind_of(events.last().unwrap()),
        "status InputRequired",
        "the last event"
    );
}

pub async fn auth_required(peer: Peer) {
    let task = peer.task(says("auth")).await;
    assert_eq!(task.status.state, TaskState::AuthRequired, "state");
    let done = peer.task(says_to(&task.id, "hello")).await;
    assert_eq!(
        (&done.id, &done.status.state),
        (&task.id, &TaskState::Completed),
        "state"
    );
}
