use serde_json::Value;

use crate::{Artifact, Part, Struct};

impl Artifact {
    /// An artifact with these parts. The protocol wants at least one.
    pub fn new(id: impl Into<String>, parts: impl IntoIterator<Item = impl Into<Part>>) -> Self {
        Self {
            artifact_id: id.into(),
            parts: parts.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// The text parts as one text: they may have come as chunks of it.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }

    /// Adds the data of an extension: its value in the metadata under the URI, and the URI in the
    /// list of extensions (A2A §4.6.2).
    #[must_use]
    pub fn with_extension_data(mut self, uri: impl Into<String>, data: impl Into<Value>) -> Self {
        extend(
            &mut self.extensions,
            &mut self.metadata,
            uri.into(),
            data.into(),
        );
        self
    }

    /// The data of an extension, if the artifact has any.
    #[must_use]
    pub fn extension_data(&self, uri: &str) -> Option<&Value> {
        self.metadata.as_ref()?.0.get(uri)
    }
}

pub(super) fn extend(
    extensions: &mut Vec<String>,
    metadata: &mut Option<Struct>,
    uri: String,
    data: Value,
) {
    if !extensions.contains(&uri) {
        extensions.push(uri.clone());
    }
    metadata.get_or_insert_default().0.insert(uri, data);
}
