//! What a server sends, without the server: the targets of `fuzz/`.
//!
//! Every function takes any bytes and must come back: with a value or an error, never by a panic.

use std::cell::RefCell;
use std::error::Error as _;

use a2a_types::card::lint;
use a2a_types::operation::{Operation, Visitor};
use a2a_types::reducer::Fold;
use a2a_types::{OperationId, StreamResponse, json};
use bytes::Bytes;
use futures::StreamExt as _;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use tokio::runtime::{Builder, Runtime};

use crate::card::{Preferences, read_card, select};
use crate::stream::StreamKind;
use crate::transport::{Context, http as web, http_json, jsonrpc};
use crate::{Error, EventStream};

/// An agent card: read, checked, and its interfaces chosen.
pub fn card(data: &[u8]) {
    match read_card(data) {
        Ok(card) => {
            let findings = lint(&card);
            touch(&findings);
            let url = "https://agent.example.com/.well-known/agent-card.json".parse();
            if let Err(error) = select(&card, url.ok().as_ref(), &Preferences::default(), |_| true)
            {
                look_at(&error);
            }
            _ = json::to_vec(&card);
        }
        Err(error) => look_at(&error),
    }
}

/// The answer to a call over JSON-RPC, of whichever operation.
pub fn jsonrpc_answer(data: &[u8]) {
    for id in OperationId::ALL {
        id.visit(Answer(data));
    }
}

struct Answer<'a>(&'a [u8]);

impl Visitor for Answer<'_> {
    type Output = ();

    fn visit<O: Operation>(self) {
        match jsonrpc::answer::<O::Response>(self.0) {
            Ok(message) => _ = json::to_vec(&message),
            Err(error) => look_at(&error),
        }
    }
}

/// A stream of events, over both bindings. The first byte says in how large pieces it comes, the
/// second whether it answers a send.
pub fn events(data: &[u8]) {
    let [piece, kind, body @ ..] = data else {
        return;
    };
    let kind = match kind % 3 {
        0 => StreamKind::Send,
        1 => StreamKind::Continuation,
        _ => StreamKind::Subscription,
    };
    let readers = [
        (
            jsonrpc::answer as fn(&[u8]) -> _,
            jsonrpc::event as fn(&str) -> _,
        ),
        (http_json::answer, http_json::event),
    ];
    for (answer, event) in readers {
        run(read(usize::from(*piece), kind, body, answer, event));
    }
}

async fn read(
    piece: usize,
    kind: StreamKind,
    body: &[u8],
    answer: fn(&[u8]) -> Result<StreamResponse, Error>,
    event: fn(&str) -> Result<Option<StreamResponse>, Error>,
) {
    let pieces = body.chunks(piece.max(1)).map(Bytes::copy_from_slice);
    let pieces: Vec<_> = pieces.map(Ok::<_, std::io::Error>).collect();
    let body = reqwest::Body::wrap_stream(futures::stream::iter(pieces));
    let response = http::Response::builder()
        .header(CONTENT_TYPE, "text/event-stream")
        .body(body);
    let Ok(response) = response else { return };
    let context = Context {
        max_message_size: 4096,
        ..Context::default()
    };
    let stream = web::stream(response.into(), &context, answer, event).await;
    let Ok(answer) = stream else { return };
    let mut events = EventStream::new(answer.content, kind);
    let mut fold = Fold::default();
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => fold.push(&event),
            Err(error) => look_at(&error),
        }
    }
    touch(&(events.task_id(), events.last_state(), fold.task()));
}

/// The answer of a status that is no success: two bytes for the status, the length of a
/// `Retry-After`, and its text; the rest is the body.
pub fn refusal(data: &[u8]) {
    let [high, low, length, rest @ ..] = data else {
        return;
    };
    let status = 300 + u16::from_be_bytes([*high, *low]) % 700;
    let Ok(status) = StatusCode::from_u16(status) else {
        return;
    };
    let (after, body) = rest.split_at(rest.len().min(usize::from(*length)));
    let mut headers = HeaderMap::new();
    if let Ok(value) = after.try_into() {
        headers.insert(http::header::RETRY_AFTER, value);
    }
    let place = "https://agent.example.com";
    look_at(&web::unsuccessful(
        place,
        status,
        &headers,
        body,
        jsonrpc::refusal,
    ));
    look_at(&web::unsuccessful(
        place,
        status,
        &headers,
        body,
        http_json::refusal,
    ));
}

/// Everything that a caller may do with an error.
fn look_at(error: &Error) {
    touch(&(error.kind(), error.retry_after(), error.last_state()));
    touch(&error.to_string());
    touch(error);
    let mut source = error.source();
    while let Some(cause) = source {
        touch(&cause.to_string());
        source = cause.source();
    }
    if let Some(protocol) = error.protocol() {
        touch(&(protocol.message(), protocol.reason(), protocol.violations()));
        _ = serde_json::to_vec(&protocol.to_jsonrpc());
        touch(&protocol.to_http());
    }
}

fn touch<T: std::fmt::Debug + ?Sized>(value: &T) {
    std::hint::black_box(format!("{value:?}"));
}

/// The timers of a stream need a runtime.
fn run(future: impl Future<Output = ()>) {
    thread_local! {
        static RUNTIME: RefCell<Option<Runtime>> = const { RefCell::new(None) };
    }
    RUNTIME.with_borrow_mut(|runtime| {
        if runtime.is_none() {
            *runtime = Builder::new_current_thread().enable_time().build().ok();
        }
        if let Some(runtime) = runtime {
            runtime.block_on(future);
        }
    });
}
