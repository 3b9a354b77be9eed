use std::io;
use std::sync::{Arc, Mutex};

use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Everything that is logged on this thread while it lives. A test on one thread (the default)
/// sees what the server logs, too.
pub struct Logs {
    text: Buffer,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

/// Captures all levels, also the beginning of each span.
pub fn capture() -> Logs {
    let text = Buffer::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(FmtSpan::NEW)
        .with_ansi(false)
        .with_writer(text.clone())
        .finish();
    Logs {
        text,
        _guard: tracing::subscriber::set_default(subscriber),
    }
}

impl Logs {
    pub fn text(&self) -> String {
        String::from_utf8(self.text.0.lock().unwrap().clone()).unwrap()
    }

    /// The lines that hold all of these.
    pub fn lines(&self, wanted: &[&str]) -> Vec<String> {
        let text = self.text();
        let fits = |line: &&str| wanted.iter().all(|word| line.contains(word));
        text.lines().filter(fits).map(str::to_owned).collect()
    }
}

impl io::Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Buffer {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
