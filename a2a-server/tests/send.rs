//! `SendMessage` (A2A §3.1.1).

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use serde_json::json;
use support::{Scripted, serve_agent};

// A2A-3.1.1-01, A2A-3.1.1-07, A2A-3.2.2-02, A2A-3.4.2-02
#[tokio::test]
async fn a_blocking_send_answers_with_the_finished_task() {
    let server = serve_agent(Scripted::echo()).await;
    for caller in server.callers() {
        let answer = caller.send("hi").await;
        assert_eq!(answer.state(), "COMPLETED");
        assert_eq!(
            answer.task()["artifacts"][0]["parts"],
            json!([{"text": "hi"}])
        );
        assert_eq!(answer.result().as_object().unwrap().len(), 1);
        let read = caller.get_task(&answer.task_id()).await;
        assert_eq!(read.task(), answer.task());
    }
}
