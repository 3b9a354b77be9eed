//! Why JSON could not be read.

use std::{error::Error, fmt};

use serde_json::error::Category;

use crate::FieldViolation;

/// A text of the peer that comes back in an error is cut at this many characters.
const MAX_DESCRIPTION: usize = 200;

/// How the reader tells that a surrogate stands alone.
const LONE_SURROGATE: [&str; 2] = [
    "lone leading surrogate in hex escape",
    "unexpected end of hex escape",
];

/// Why JSON could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    path: String,
    description: String,
    is_syntax: bool,
}

impl JsonError {
    pub(super) fn new(path: &serde_path_to_error::Path, error: &serde_json::Error) -> Self {
        let mut this = Self::without_path(error);
        // The path of the document itself is a lone dot.
        if !this.is_syntax && path.iter().next().is_some() {
            let path = path.to_string();
            // A member whose name cannot be read is a lone question mark.
            let known = path.strip_suffix('?').unwrap_or(&path);
            this.path = cut(known.trim_end_matches('.'));
        }
        this
    }

    pub(super) fn without_path(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // A number like 1e400 is JSON; it is this reader that has no room for it.
        let out_of_range = text.starts_with("number out of range");
        // So is `"\ud800"`, which names no character: RFC 8259 leaves open what to do about it.
        let lone = LONE_SURROGATE.iter().any(|start| text.starts_with(start));
        let is_syntax =
            matches!(error.classify(), Category::Syntax | Category::Eof) && !out_of_range && !lone;
        let description = if is_syntax {
            text
        } else if lone {
            "a text holds half of a surrogate pair, which is no character".to_owned()
        } else {
            let position = format!(" at line {} column {}", error.line(), error.column());
            cut(text.strip_suffix(&position).unwrap_or(&text))
        };
        Self {
            path: String::new(),
            description,
            is_syntax,
        }
    }

    /// Where the error is: `message.parts[0].url`. Empty when it is the document itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong, in words that may be shown to whoever wrote the JSON.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Whether the text is not JSON at all, as opposed to JSON of the wrong shape.
    #[must_use]
    pub fn is_syntax(&self) -> bool {
        self.is_syntax
    }

    /// The error as an entry of a `BadRequest`.
    #[must_use]
    pub fn into_violation(self) -> FieldViolation {
        FieldViolation::new(self.path, self.description)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.description)
        } else {
            write!(f, "{}: {}", self.path, self.description)
        }
    }
}

impl Error for JsonError {}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_DESCRIPTION) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
