//! What messages, artifacts and cards hold.

use a2a::{Part, Role, SendMessageResponse, StreamResponse, TaskState, error_code};
use serde_json::{Value, json};

use crate::peer::{
    Peer, all, artifact, chunks, kind_of, of_parts, plain, refused, says, says_to, text_of,
};

pub async fn direct_message(peer: Peer) {
    let answer = peer.send(&says("message hi")).await.unwrap();
    let SendMessageResponse::Message(message) = answer else {
        panic!("a message: {answer:?}")
    };
    assert_eq!(
        (text_of(&message.parts).as_str(), message.role),
        ("echo: message hi", Role::Agent)
    );
    let events = all(peer.stream(&says("message hi")).await).await;
    let [StreamResponse::Message(message)] = &events[..] else {
        panic!("a message: {events:?}")
    };
    assert_eq!(
        text_of(&message.parts),
        "echo: message hi",
        "text in the stream"
    );
}

pub async fn kinds(peer: Peer) {
    let wanted = [
        Part::text("plain text"),
        Part::raw((0..=255).collect())
            .with_media_type("application/octet-stream")
            .with_filename("bytes.bin"),
        Part::url("https://example.com/a%20b.png").with_media_type("image/png"),
        Part::data(json!({"n": 1.5, "s": "ü", "l": [true, null]})),
    ];
    assert_eq!(
        artifact(&peer.task(says("kinds")).await, "kinds"),
        wanted,
        "parts"
    );
    let events = all(peer.stream(&says("kinds")).await).await;
    assert_eq!(chunks(&events), wanted, "parts in the stream");
    // Binary parts are not among the modes that the agent takes.
    let mut noted = Part::text("x");
    noted.metadata = Some([("a".into(), json!(1))].into());
    let [text, _, _, data] = wanted;
    let parts = vec![
        Part::text("hello"),
        text,
        data,
        Part::data(json!([1, "x", {}])),
        noted,
    ];
    assert_eq!(
        kept(&peer, parts.clone()).await,
        plain(&parts),
        "parts in the history"
    );
}

pub async fn null_data(peer: Peer) {
    let parts = vec![Part::text("hello"), Part::data(Value::Null)];
    assert_eq!(
        kept(&peer, parts.clone()).await,
        plain(&parts),
        "parts in the history"
    );
}

/// The parts of a message, as they are in the history.
async fn kept(peer: &Peer, parts: Vec<Part>) -> Value {
    let task = peer.task(of_parts(parts)).await;
    plain(&task.history.expect("a history")[0].parts)
}

pub async fn large(peer: Peer) {
    let text = "ü🌍x \"\\\n".repeat(1024 * 1024 / 12);
    let echo = format!("echo: {text}");
    let task = peer.task(says(&text)).await;
    assert!(
        text_of(artifact(&task, "echo")) == echo,
        "1 MiB comes back as it was sent"
    );
    let events = all(peer.stream(&says(&text)).await).await;
    assert!(
        text_of(&chunks(&events)) == echo,
        "1 MiB is streamed as it was sent"
    );
}

pub async fn states(peer: Peer) {
    for (text, wanted) in [
        ("fail", TaskState::Failed),
        ("reject", TaskState::Rejected),
        ("panic", TaskState::Failed),
    ] {
        let state = peer.task(says(text)).await.status.state;
        assert_eq!(state, wanted, "state after {text}");
        let events = all(peer.stream(&says(text)).await).await;
        let last = kind_of(events.last().unwrap());
        assert_eq!(
            last,
            format!("status {wanted:?}"),
            "the last event of {text}"
        );
    }
}

pub async fn tenant(peer: Peer) {
    let there = peer.clone().claiming(|card| {
        for interface in &mut card.supported_interfaces {
            interface.tenant = Some("acme".into());
        }
    });
    let task = there.task(says("ask")).await;
    assert_eq!(
        there.get(&task.id, None).await.unwrap().id,
        task.id,
        "the task of the tenant"
    );
    let done = there.task(says_to(&task.id, "hello")).await;
    assert_eq!(
        (&done.id, &done.status.state),
        (&task.id, &TaskState::Completed),
        "state"
    );
    refused(peer.get(&task.id, None).await, error_code::TASK_NOT_FOUND);
}

pub async fn extended_card(peer: Peer) {
    let card = peer.extended_card().await.unwrap();
    let skills: Vec<_> = card.skills.iter().map(|skill| skill.id.as_str()).collect();
    assert_eq!(skills, ["echo", "hidden"], "skills");
    let public = peer.card().await;
    assert_eq!(
        card.supported_interfaces, public.supported_interfaces,
        "interfaces"
    );
    assert_eq!(
        card.security_requirements, public.security_requirements,
        "requirements"
    );
    let wanted = vec![[("bearer".to_owned(), vec![])].into()];
    assert_eq!(card.security_requirements, Some(wanted), "requirements");
}
