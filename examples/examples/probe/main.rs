//! One call of the client a run: for scripts, and to find out what a peer really does.
//!
//! ```console
//! cargo run --example probe -- http://127.0.0.1:8080 SendMessage \
//!     '{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"hi"}]}}'
//! ```
//!
//! Everything goes through the public API of `a2a-client`, with its defaults. Standard output has
//! one JSON object a line and nothing else; logs go to standard error. The exit status is 0 when
//! the call finished, 1 when an error line was printed, 2 when the command line was wrong.

mod options;
mod output;
mod run;

use std::io::{self, Write as _};
use std::process::ExitCode;

use options::Options;
use tracing_subscriber::filter::LevelFilter;

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(io::stderr)
        .init();
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            // There is nowhere else to say that standard error is closed.
            _ = writeln!(io::stderr(), "probe: {problem}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    match run::run(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error);
            ExitCode::FAILURE
        }
    }
}
