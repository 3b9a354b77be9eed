use std::error::Error;
use std::fmt;
use std::io;

use a2a_types::card::CardError;

/// Why a server could not be put together. The text says what to change.
#[derive(Debug)]
pub struct BuildError {
    problem: String,
    source: Option<CardError>,
}

impl BuildError {
    /// A problem, with what to do about it.
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            source: None,
        }
    }

    pub(super) fn no_public_url() -> Self {
        Self::new("a router does not know its address: set `public_url`")
    }
}

impl From<CardError> for BuildError {
    fn from(source: CardError) -> Self {
        Self {
            problem: source.to_string(),
            source: Some(source),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().and_then(|error| error.source())
    }
}

/// Why a server does not run.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// It could not be put together.
    Build(BuildError),
    /// The address could not be bound, or the listener failed.
    Io(io::Error),
}

impl From<BuildError> for ServeError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the server cannot listen: {error}"),
        }
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Build(error) => error.source(),
            Self::Io(error) => Some(error),
        }
    }
}
