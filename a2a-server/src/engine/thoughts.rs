use a2a_types::prost::Message as _;
use a2a_types::{Message, Part, part::Content};

/// How many bytes become one entry of the history at most; what follows begins another one.
const FULL: usize = 1 << 20;

/// A row of status messages that the history keeps as one.
pub(super) struct Thoughts {
    message: Message,
    bytes: usize,
}

impl Thoughts {
    /// Adds a piece, whose text goes on where the last one ended.
    pub(super) fn add(thoughts: &mut Option<Box<Self>>, piece: &Message) {
        let bytes = piece.encoded_len();
        let Some(known) = thoughts else {
            let message = piece.clone();
            *thoughts = Some(Box::new(Self { message, bytes }));
            return;
        };
        known.bytes += bytes;
        let message = &mut known.message;
        for part in &piece.parts {
            match (message.parts.last_mut(), plain_text(part)) {
                (Some(last), Some(more)) if plain_text(last).is_some() => {
                    if let Some(Content::Text(text)) = &mut last.content {
                        text.push_str(more);
                    }
                }
                _ => message.parts.push(part.clone()),
            }
        }
        if let Some(newer) = &piece.metadata {
            let metadata = message.metadata.get_or_insert_default();
            metadata.0.extend(newer.0.clone());
        }
        for (known, newer) in [
            (&mut message.extensions, &piece.extensions),
            (&mut message.reference_task_ids, &piece.reference_task_ids),
        ] {
            for name in newer {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
        }
    }

    pub(super) fn id(&self) -> &String {
        &self.message.message_id
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= FULL
    }

    pub(super) fn into_message(self) -> Message {
        self.message
    }
}

/// The text of a part that is nothing but text.
fn plain_text(part: &Part) -> Option<&str> {
    let bare = part.metadata.is_none() && part.filename.is_empty() && part.media_type.is_empty();
    match &part.content {
        Some(Content::Text(text)) if bare => Some(text),
        _ => None,
    }
}
