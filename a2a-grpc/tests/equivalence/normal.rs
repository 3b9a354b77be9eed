//! What is left of a record when what differs by nature is replaced.

use std::collections::HashMap;

use serde_json::Value;

/// Replaces ids, times and tokens.
#[derive(Default)]
pub(crate) struct Normal {
    ids: HashMap<String, usize>,
}

impl Normal {
    pub(crate) fn value(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => self.text(&text).into(),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(members) => {
                let members = members.into_iter().map(|(name, value)| {
                    let opaque = name == "nextPageToken" && value != "";
                    let value = if opaque {
                        "(token)".into()
                    } else {
                        self.value(value)
                    };
                    (name, value)
                });
                Value::Object(members.collect())
            }
            other => other,
        }
    }

    /// An id becomes the number of its first appearance.
    fn text(&mut self, text: &str) -> String {
        if is_time(text) {
            return "(time)".to_owned();
        }
        let mut left = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            match rest.get(..36).filter(|id| is_uuid(id)) {
                Some(id) => {
                    let next = self.ids.len();
                    let number = *self.ids.entry(id.to_owned()).or_insert(next);
                    left.push_str(&format!("(id {number})"));
                    rest = &rest[36..];
                }
                None => {
                    left.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        left
    }
}

fn is_uuid(text: &str) -> bool {
    let mut parts = text.split('-');
    [8, 4, 4, 4, 12].iter().all(|length| {
        let part = parts.next();
        part.is_some_and(|part| part.len() == *length && is_hex(part))
    }) && parts.next().is_none()
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_time(text: &str) -> bool {
    text.len() == 24 && text.ends_with('Z') && text.parse::<a2a_types::Timestamp>().is_ok()
}

#[test]
fn only_what_differs_by_nature_is_replaced() {
    use serde_json::json;

    let id = "0190c5a2-7d6e-7abc-8def-0123456789ab";
    let other = "1190c5a2-7d6e-7abc-8def-0123456789ab";
    // Members come in the order of their names.
    let record = json!({
        "again": format!("task {id} of {other}"), "id": id, "n": 1, "nextPageToken": "abc",
        "text": "2026-01-02 ü", "time": "2026-01-02T03:04:05.678Z",
    });
    let wanted = json!({
        "again": "task (id 0) of (id 1)", "id": "(id 0)", "n": 1, "nextPageToken": "(token)",
        "text": "2026-01-02 ü", "time": "(time)",
    });
    assert_eq!(Normal::default().value(record), wanted);
}
