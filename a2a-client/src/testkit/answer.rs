use bytes::Bytes;
use serde_json::Value;

/// What the server sends, and how it ends.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(super) head: Option<Head>,
    pub(super) body: Bytes,
    /// How many bytes of the body are sent at once.
    pub(super) piece: usize,
    pub(super) framing: Framing,
    pub(super) end: End,
}

#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// The length is announced.
    Length,
    /// Every piece is a chunk.
    Chunked,
    /// The body is what comes before the connection is closed.
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// As it should.
    Finish,
    /// The connection is closed without the rest.
    Close,
    /// The connection is reset.
    Reset,
    /// Nothing more comes, until the client closes the connection.
    Hold,
    /// The body is sent again and again, until the client closes the connection.
    Repeat,
}

impl Answer {
    /// A body of this type, whose length is announced.
    pub fn new(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self {
            head: Some(Head {
                status,
                headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
            }),
            body: body.into(),
            piece: usize::MAX,
            framing: Framing::Length,
            end: End::Finish,
        }
    }

    /// A JSON body.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json", body.to_string())
    }

    /// A JSON-RPC answer with this result.
    #[must_use]
    pub fn result(result: &Value) -> Self {
        let body = serde_json::json!({ "jsonrpc": "2.0", "id": "1", "result": result });
        Self::json(200, &body)
    }

    /// No body at all.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        let mut answer = Self::new(status, "", "");
        answer.head = Some(Head {
            status,
            headers: Vec::new(),
        });
        answer
    }

    /// The body of an event stream, chunked.
    pub fn stream(body: impl Into<Bytes>) -> Self {
        Self {
            framing: Framing::Chunked,
            ..Self::new(200, "text/event-stream", body)
        }
    }

    /// An event stream with these data.
    pub fn events(events: impl IntoIterator<Item = Value>) -> Self {
        let events = events.into_iter();
        let events: String = events.map(|event| format!("data: {event}\n\n")).collect();
        Self::stream(events)
    }

    /// Bytes that need not be HTTP, then the end of the connection.
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self {
            head: None,
            framing: Framing::Close,
            ..Self::new(0, "", bytes)
        }
    }

    /// Not a byte, and an open connection.
    #[must_use]
    pub fn silence() -> Self {
        Self::raw("").then_hold()
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let Some(head) = &mut self.head {
            head.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Sends the body in chunks of so many bytes.
    #[must_use]
    pub fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece = bytes.max(1);
        self.framing = Framing::Chunked;
        self
    }

    /// Announces neither length nor chunks: the end of the connection is that of the body.
    #[must_use]
    pub fn until_close(mut self) -> Self {
        self.framing = Framing::Close;
        self
    }

    /// Closes the connection where the body ends, as if more should come.
    #[must_use]
    pub fn then_close(mut self) -> Self {
        self.end = End::Close;
        self
    }

    /// Resets the connection where the body ends.
    #[must_use]
    pub fn then_reset(mut self) -> Self {
        self.end = End::Reset;
        self
    }

    /// Keeps the connection open where the body ends, as if more should come.
    #[must_use]
    pub fn then_hold(mut self) -> Self {
        self.end = End::Hold;
        self
    }

    /// Sends the body for ever.
    #[must_use]
    pub fn for_ever(mut self) -> Self {
        self.framing = Framing::Chunked;
        self.end = End::Repeat;
        self
    }
}
