//! What is logged: each attempt, and no secrets.

use std::cell::RefCell;
use std::io;
use std::sync::Once;

use a2a_types::AuthenticationInfo;
use tracing_subscriber::fmt::MakeWriter;

use crate::support::{Receiver, answer, config, event, quickly, sender, within};

thread_local! {
    static LINES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Writes into the buffer of the thread, which is that of one test.
#[derive(Clone, Copy)]
struct Lines;

impl Lines {
    /// One subscriber for all threads: with one for each, whether a place in the code logs at all
    /// would depend on which thread came there first.
    fn capture() {
        static INSTALL: Once = Once::new();
        INSTALL.call_once(|| {
            let subscriber = tracing_subscriber::fmt()
                .with_max_level(tracing::Level::TRACE)
                .with_ansi(false)
                .with_writer(Lines)
                .finish();
            tracing::subscriber::set_global_default(subscriber).unwrap();
            tracing::callsite::rebuild_interest_cache();
        });
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        *self
    }
}

// A2A-13.2-13, R119, R128
#[tokio::test]
async fn attempts_are_logged_without_secrets() {
    Lines::capture();
    let mut receiver = Receiver::start().await;
    let sender = sender().retry(quickly().with_attempts(2)).build().unwrap();
    receiver.answer([
        answer(500),
        answer(200),
        answer(500),
        answer(500),
        answer(403),
    ]);
    let authentication = AuthenticationInfo::default()
        .with_scheme("Bearer")
        .with_credentials("s3cr3t-credentials");
    let config = config(&receiver.url("/s3cr3t-path?key=s3cr3t-query"))
        .with_task_id("task-7")
        .with_id("config-7")
        .with_token("s3cr3t-token")
        .with_authentication(authentication);
    for number in 1..=3 {
        sender.notify(&config, &event(number)).await.unwrap();
    }
    for _ in 0..5 {
        receiver.next().await;
    }
    within(sender.flush()).await;
    let letters = sender.dead_letters(0, 10).await.unwrap();
    assert_eq!(letters.len(), 2);
    let log = LINES.with_borrow(|lines| String::from_utf8(lines.clone()).unwrap());
    let shown = format!("{log}{letters:?}{sender:?}{:?}", sender.metrics());
    let ours = log.lines().filter(|line| line.contains("a2a_push"));
    let ours: Vec<_> = ours.collect();
    for (what, count) in [
        ("notification delivered", 1),
        ("notification failed", 2),
        ("notification given up", 2),
        ("config-7", 5),
        ("task-7", 5),
    ] {
        let found = ours.iter().filter(|line| line.contains(what)).count();
        assert!(found >= count, "{what}: {found}\n{log}");
    }
    for secret in ["s3cr3t-credentials", "s3cr3t-token"] {
        assert!(!shown.contains(secret), "{secret}");
    }
    // Addresses can be secrets, too: what we log of them is the front.
    assert!(ours.iter().all(|line| !line.contains("s3cr3t")), "{log}");
}
