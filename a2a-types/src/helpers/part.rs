use bytes::Bytes;

use crate::Part;
use crate::part::Content;

/// Content in and out.
///
/// ```
/// use a2a_types::Part;
/// use serde_json::json;
///
/// let report = Part::raw(&b"%PDF"[..]).with_media_type("application/pdf").with_filename("r.pdf");
/// assert_eq!(report.as_raw().map(|bytes| bytes.len()), Some(4));
/// assert_eq!(Part::text("hi").as_text(), Some("hi"));
/// assert_eq!(Part::data(json!({ "n": 1 })).as_data(), Some(&json!({ "n": 1 })));
/// ```
impl Part {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Content::Text(text.into()).into()
    }

    /// The bytes of a file.
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Content::Raw(bytes.into()).into()
    }

    /// The place where a file is. Nothing here fetches it.
    pub fn url(url: impl Into<String>) -> Self {
        Content::Url(url.into()).into()
    }

    /// Any JSON value, `null` included.
    pub fn data(data: impl Into<crate::Value>) -> Self {
        Content::Data(data.into()).into()
    }

    /// The text, if the part is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            Some(Content::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The bytes, if the part holds a file.
    #[must_use]
    pub fn as_raw(&self) -> Option<&Bytes> {
        match &self.content {
            Some(Content::Raw(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// The address, if the part is elsewhere.
    #[must_use]
    pub fn as_url(&self) -> Option<&str> {
        match &self.content {
            Some(Content::Url(url)) => Some(url),
            _ => None,
        }
    }

    /// The JSON value, if the part is data.
    #[must_use]
    pub fn as_data(&self) -> Option<&serde_json::Value> {
        match &self.content {
            Some(Content::Data(data)) => Some(&data.0),
            _ => None,
        }
    }
}

impl From<Content> for Part {
    fn from(content: Content) -> Self {
        Self {
            content: Some(content),
            ..Self::default()
        }
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<serde_json::Value> for Part {
    fn from(data: serde_json::Value) -> Self {
        Self::data(data)
    }
}
