use std::future::poll_fn;
use std::task::Poll;

/// Lets the tasks run that wait for this thread, once.
///
/// Unlike `tokio::task::yield_now` it does not look for I/O in between: that is a system call,
/// which costs as much as all the rest of a small task.
pub(crate) async fn give_way() {
    let mut given = false;
    poll_fn(|context| {
        if std::mem::replace(&mut given, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
