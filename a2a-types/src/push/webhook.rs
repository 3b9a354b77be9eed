use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::store::{LogEntry, Owner};
use crate::{StreamResponse, Task, TaskPushNotificationConfig, TraceContext};

/// A webhook that is registered for a task, and whose it is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Webhook {
    /// What tells it from all others.
    pub key: WebhookKey,
    /// The registration.
    pub config: TaskPushNotificationConfig,
}

impl Webhook {
    /// The registration of this owner. The names of the task and of the registration itself are
    /// those in `config`.
    pub fn new(owner: Owner, config: TaskPushNotificationConfig) -> Self {
        let key = WebhookKey::new(&*config.task_id, owner, &*config.id);
        Self { key, config }
    }

    /// Who is called: scheme, host and port of the address, as they are written, in lower case.
    /// Webhooks of one receiver share its fate when it is slow or down.
    #[must_use]
    pub fn receiver(&self) -> String {
        let url = &*self.config.url;
        let start = url.find("://").map_or(0, |at| at + 3);
        let authority = url.get(start..).unwrap_or_default();
        let length = authority.find(['/', '?', '#']).unwrap_or(authority.len());
        url.get(..start + length)
            .unwrap_or(url)
            .to_ascii_lowercase()
    }
}

/// What tells one webhook from all others: notifications that have it in common are sent in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "the three values are the key")]
pub struct WebhookKey {
    /// The task that it is registered for.
    pub task_id: Arc<str>,
    /// Who registered it; two owners may choose the same id.
    pub owner: Owner,
    /// The id of the registration.
    pub id: Arc<str>,
}

impl WebhookKey {
    /// The webhook of the task that this owner has registered by this id.
    pub fn new(task_id: impl Into<Arc<str>>, owner: Owner, id: impl Into<Arc<str>>) -> Self {
        Self {
            task_id: task_id.into(),
            owner,
            id: id.into(),
        }
    }
}

/// What a webhook is told. Clones share the body.
#[derive(Clone)]
#[non_exhaustive]
pub struct Notification {
    content: Content,
    /// The trace of the call that led to it.
    pub trace: Option<TraceContext>,
}

#[derive(Clone)]
enum Content {
    Written {
        id: Arc<str>,
        body: Bytes,
    },
    /// Written when it is delivered: a webhook does not keep the task waiting.
    Entry(Arc<LogEntry>),
}

impl Notification {
    /// A notification whose body is this ProtoJSON of a `StreamResponse`.
    pub fn new(id: impl Into<Arc<str>>, body: impl Into<Bytes>) -> Self {
        let (id, body) = (id.into(), body.into());
        Self {
            content: Content::Written { id, body },
            trace: None,
        }
    }

    /// What tells it from all others to the same webhook. A repetition has the same.
    #[must_use]
    pub fn id(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Written { id, .. } => Cow::Borrowed(id),
            Content::Entry(entry) => Cow::Owned(entry.sequence().to_string()),
        }
    }

    /// The ProtoJSON of one `StreamResponse`.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        match &self.content {
            Content::Written { body, .. } => body,
            Content::Entry(entry) => entry.json(),
        }
    }

    /// Sends the trace along, so that the receiver can go on with it.
    #[must_use]
    pub fn with_trace(self, trace: Option<TraceContext>) -> Self {
        Self { trace, ..self }
    }

    /// Tells of the task as it is before its first event.
    #[must_use]
    pub fn of_task(task: &Task) -> Self {
        // A task has nothing that JSON cannot hold.
        let task = serde_json::to_vec(task).unwrap_or_default();
        let body = [br#"{"task":"#, &*task, b"}"].concat();
        Self::new("0", body)
    }

    /// Tells of an event; `None` when webhooks do not hear of it.
    #[must_use]
    pub fn of_entry(entry: &Arc<LogEntry>) -> Option<Self> {
        entry.is_visible().then(|| Self {
            content: Content::Entry(Arc::clone(entry)),
            trace: None,
        })
    }

    /// Tells of something in a stream, by a random id.
    #[must_use]
    pub fn of_stream(event: &StreamResponse) -> Self {
        let id = uuid::Uuid::new_v4().to_string();
        // Messages have nothing that JSON cannot hold.
        Self::new(id, serde_json::to_vec(event).unwrap_or_default())
    }
}

impl PartialEq for Notification {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id() && self.body() == other.body() && self.trace == other.trace
    }
}

impl Eq for Notification {}

impl fmt::Debug for Notification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notification")
            .field("id", &self.id())
            .field("bytes", &self.body().len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_receiver_is_the_front_of_the_address() {
        for (url, receiver) in [
            ("https://a.example/x?y=https://b/", "https://a.example"),
            ("HTTPS://A.Example:8443", "https://a.example:8443"),
            ("http://[::1]:80?q", "http://[::1]:80"),
            ("nonsense", "nonsense"),
            ("", ""),
        ] {
            let config = TaskPushNotificationConfig::default().with_url(url);
            let webhook = Webhook::new(Owner::new("", ""), config);
            assert_eq!(webhook.receiver(), receiver, "{url}");
        }
    }
}
