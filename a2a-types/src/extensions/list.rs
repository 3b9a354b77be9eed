//! Lists of extension URIs, as the `A2A-Extensions` header carries them (A2A §3.2.6, §14.2.2).

use std::collections::HashSet;
use std::fmt;

/// Extension URIs in the order they were named, each once.
///
/// URIs are compared as they are written: another version, or another case, is another extension
/// (A2A §4.6.3).
///
/// ```
/// use a2a_types::Extensions;
///
/// let requested = Extensions::from_header(["urn:a:v1, urn:b:v2", " ", "urn:a:v1"]);
/// assert_eq!(requested.to_string(), "urn:a:v1, urn:b:v2");
/// assert!(!requested.contains("urn:b:v1"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extensions(Vec<String>);

impl Extensions {
    /// Reads the values of a header that may be repeated, each a comma-separated list.
    pub fn from_header<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        values
            .into_iter()
            .flat_map(|value| value.split(','))
            .collect()
    }

    /// Whether `uri` is in the list.
    #[must_use]
    pub fn contains(&self, uri: &str) -> bool {
        self.0.iter().any(|known| known == uri)
    }

    /// The URIs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether the list is empty; then no header is written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of URIs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Extensions {
    /// Collects URIs; blanks around them are dropped, as are empty and repeated ones.
    fn from_iter<I: IntoIterator<Item = S>>(uris: I) -> Self {
        let mut seen = HashSet::new();
        let uris = uris.into_iter().filter_map(|uri| {
            let uri = uri.as_ref().trim();
            let new = !uri.is_empty() && seen.insert(uri.to_owned());
            new.then(|| uri.to_owned())
        });
        Self(uris.collect())
    }
}

impl fmt::Display for Extensions {
    /// Writes the value of the header.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}
