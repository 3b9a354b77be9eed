use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::Once;

use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

type Buffer = Rc<RefCell<Vec<u8>>>;

thread_local! {
    static BUFFER: RefCell<Option<Buffer>> = const { RefCell::new(None) };
}

/// Everything that is logged on this thread while it lives. A test on one thread (the default)
/// sees what its server logs, too.
pub struct Logs(Buffer);

/// Captures all levels, also the beginning of each span.
pub fn capture() -> Logs {
    static INSTALL: Once = Once::new();
    // One subscriber for all threads: with one for each thread, whether a place in the code logs
    // at all would depend on which thread came there first.
    INSTALL.call_once(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_span_events(FmtSpan::NEW)
            .with_ansi(false)
            .with_writer(ToBuffer)
            .finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
        tracing::callsite::rebuild_interest_cache();
    });
    let buffer = Buffer::default();
    BUFFER.set(Some(Rc::clone(&buffer)));
    Logs(buffer)
}

impl Logs {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }

    /// The lines that hold all of these.
    pub fn lines(&self, wanted: &[&str]) -> Vec<String> {
        let text = self.text();
        let fits = |line: &&str| wanted.iter().all(|word| line.contains(word));
        text.lines().filter(fits).map(str::to_owned).collect()
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        BUFFER.set(None);
    }
}

/// Writes into the buffer of the thread, if it has one.
struct ToBuffer;

impl io::Write for ToBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        BUFFER.with_borrow(|buffer| {
            if let Some(buffer) = buffer {
                buffer.borrow_mut().extend_from_slice(bytes);
            }
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for ToBuffer {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        Self
    }
}
