use serde_json::Value;

use super::Wire;

/// The events of a stream, as they arrive, with the binding taken off.
pub struct Events {
    wire: Wire,
    response: reqwest::Response,
    buffer: Vec<u8>,
    /// The raw text of all comments so far.
    pub comments: usize,
}

/// One event.
#[derive(Clone, Debug)]
pub struct Event {
    pub id: Option<u64>,
    pub name: Option<String>,
    /// The `StreamResponse`, or the error object.
    pub body: Value,
    /// The JSON as it was sent.
    pub raw: Value,
}

impl Events {
    pub fn new(wire: Wire, response: reqwest::Response) -> Self {
        assert_eq!(response.status(), 200);
        Self {
            wire,
            response,
            buffer: Vec::new(),
            comments: 0,
        }
    }

    /// The next event; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.end_of_event() {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                let block = std::str::from_utf8(&block[..end]).unwrap();
                match self.parse(block) {
                    Some(event) => return Some(event),
                    None => self.comments += 1,
                }
            }
            match self.response.chunk().await.unwrap() {
                Some(chunk) => self.buffer.extend_from_slice(&chunk),
                None => {
                    assert!(self.buffer.is_empty(), "the stream ends inside of an event");
                    return None;
                }
            }
        }
    }

    /// Waits for so many comments in all, before which no event may come.
    pub async fn quiet(&mut self, comments: usize) {
        while self.comments < comments {
            while let Some(end) = self.end_of_event() {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                let block = std::str::from_utf8(&block[..end]).unwrap();
                assert!(self.parse(block).is_none(), "{block}");
                self.comments += 1;
            }
            let chunk = self.response.chunk().await.unwrap();
            self.buffer
                .extend_from_slice(&chunk.expect("the stream goes on"));
        }
    }

    fn end_of_event(&self) -> Option<usize> {
        // A character may be cut by the end of the buffer. The search in a string is the library's
        // own, so it is fast in tests, too.
        let text = match std::str::from_utf8(&self.buffer) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&self.buffer[..error.valid_up_to()]).unwrap(),
        };
        text.find("\n\n")
    }

    /// All events up to the end of the stream.
    pub async fn all(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    fn parse(&self, block: &str) -> Option<Event> {
        let mut event = Event {
            id: None,
            name: None,
            body: Value::Null,
            raw: Value::Null,
        };
        let mut data = 0;
        for line in block.split('\n') {
            let (field, value) = line.split_once(':').unwrap();
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "" => {}
                "id" => event.id = Some(value.parse().unwrap()),
                "event" => event.name = Some(value.to_owned()),
                "data" => {
                    data += 1;
                    event.raw = serde_json::from_str(value).unwrap();
                }
                other => panic!("field {other} in {block}"),
            }
        }
        if data == 0 {
            return None;
        }
        assert_eq!(data, 1, "one data line an event");
        event.body = match self.wire {
            Wire::JsonRpc => {
                assert_eq!(event.raw["jsonrpc"], "2.0");
                assert_eq!(event.raw["id"], "t-1");
                event
                    .raw
                    .get("result")
                    .or(event.raw.get("error"))
                    .unwrap()
                    .clone()
            }
            Wire::Rest => {
                assert!(event.raw.get("jsonrpc").is_none());
                event.raw.get("error").unwrap_or(&event.raw).clone()
            }
        };
        Some(event)
    }
}

impl Event {
    /// Which member of the `StreamResponse` is set. Exactly one must be.
    #[track_caller]
    pub fn kind(&self) -> &str {
        let members = self.body.as_object().unwrap();
        assert_eq!(members.len(), 1, "{}", self.body);
        members.keys().next().unwrap()
    }

    /// The state that a task or status event shows, without its prefix.
    #[track_caller]
    pub fn state(&self) -> &str {
        let state = &self.body[self.kind()]["status"]["state"];
        state
            .as_str()
            .unwrap_or_else(|| panic!("{}", self.body))
            .trim_start_matches("TASK_STATE_")
    }

    /// The text of an artifact event.
    #[track_caller]
    pub fn text(&self) -> &str {
        self.body["artifactUpdate"]["artifact"]["parts"][0]["text"]
            .as_str()
            .unwrap()
    }

    /// The kind, with the state where there is one: `task SUBMITTED`, `artifactUpdate`.
    pub fn brief(&self) -> String {
        match self.kind() {
            "artifactUpdate" | "message" => self.kind().to_owned(),
            kind => format!("{kind} {}", self.state()),
        }
    }
}
