//! Large messages (R055).

use a2a_types::{ErrorKind, Message, Part, SendMessageRequest};

use crate::agent::{Running, open};
use crate::driver::{everywhere, said};

#[tokio::test]
async fn files_of_many_megabytes_pass_every_binding() {
    // R055
    let server = Running::start(open()).await;
    everywhere(
        &server,
        |b| b,
        |mut d| async {
            for mebibytes in [3, 5, 12] {
                let size = mebibytes << 20;
                let reply = d
                    .client
                    .send_message(said(&format!("big {size}")))
                    .await
                    .unwrap();
                let task = reply.task().unwrap().clone();
                let read = d.client.get_task(&task.id).await.unwrap();
                assert_eq!(read.artifacts, task.artifacts);
                let bytes = read.artifacts[0].parts[0].as_raw().unwrap();
                assert!(bytes.iter().all(|byte| *byte == 7));
                d.note(bytes.len());
            }
            d
        },
    )
    .await;
}

#[tokio::test]
async fn what_is_too_large_is_refused_by_name() {
    // R055: 413 over HTTP, RESOURCE_EXHAUSTED over gRPC, which has no finer code.
    let limits = a2a_server::Limits::default().with_body_bytes(100_000);
    let server = Running::start(open().limits(limits)).await;
    everywhere(
        &server,
        |b| b,
        |mut d| async {
            let message = Message::user("x").with_parts([Part::text("x".repeat(200_000))]);
            let error = d
                .client
                .send_message(SendMessageRequest::new(message))
                .await
                .unwrap_err();
            let kind = error.kind().unwrap();
            let known = matches!(
                kind,
                ErrorKind::PayloadTooLarge | ErrorKind::ResourceExhausted
            );
            assert!(known, "{}: {error:?}", d.binding);
            d.note(known);
            d
        },
    )
    .await;
    // An answer that is larger than the caller takes.
    everywhere(
        &server,
        |b| b.with_max_message_size(10_000),
        |mut d| async {
            let error = d.client.send_message(said("big 50000")).await.unwrap_err();
            assert_eq!(
                error.failure(),
                a2a_client::Failure::Decode,
                "{}",
                d.binding
            );
            assert!(
                error
                    .to_string()
                    .contains("larger than the limit of 10000 bytes"),
                "{error}"
            );
            d.note(true);
            d
        },
    )
    .await;
}
