use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection for bytes that no HTTP client would send.
pub struct Raw(TcpStream);

/// An answer as it came.
#[derive(Clone, Debug)]
pub struct RawAnswer {
    pub status: u16,
    /// Status line and headers, in lower case.
    pub head: String,
    pub body: Vec<u8>,
}

impl Raw {
    pub async fn connect(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    pub async fn write(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.unwrap();
    }

    /// Reads until the server closes the connection.
    pub async fn answer(mut self) -> RawAnswer {
        let mut bytes = Vec::new();
        // A server that closes with unread input in its socket resets the connection.
        let _ = self.0.read_to_end(&mut bytes).await;
        RawAnswer::of(&bytes)
    }
}

/// Sends a request with a body and reads the answer. `head` is the request line and further
/// headers, each line with its line end.
pub async fn raw(address: SocketAddr, head: &str, body: &[u8]) -> RawAnswer {
    let mut raw = Raw::connect(address).await;
    let (line, headers) = head.split_once("\r\n").unwrap();
    let length = body.len();
    let head = format!(
        "{line}\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    raw.write(head.as_bytes()).await;
    raw.write(body).await;
    raw.answer().await
}

impl RawAnswer {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self {
            status,
            head,
            body: bytes[end + 4..].to_vec(),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let line = |line: &'_ str| -> Option<usize> {
            let (key, value) = line.split_once(':')?;
            (key == name).then_some(value.len())
        };
        let found = self.head.lines().find(|text| line(text).is_some())?;
        Some(found.split_once(':')?.1.trim())
    }
}
