//! The least HTTP/1.1 that a client needs to be misled.

use std::io;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::answer::{Answer, End, Framing, Head};
use super::{Heard, Shared};

pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((socket, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        shared.open.send_modify(|open| *open += 1);
        tokio::spawn(async move {
            // A client that goes away is what many tests are about.
            _ = connection(socket, &shared).await;
            shared.open.send_modify(|open| *open -= 1);
        });
    }
}

async fn connection(socket: TcpStream, shared: &Shared) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut socket = BufReader::new(socket);
    while let Some(heard) = read(&mut socket).await? {
        let answer = (shared.answer)(&heard);
        let all = shared.heard.lock();
        all.unwrap_or_else(PoisonError::into_inner).push(heard);
        let goes_on = write(socket.get_mut(), &answer).await?;
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Reads a request; `None` when the client has closed the connection.
async fn read(socket: &mut BufReader<TcpStream>) -> io::Result<Option<Heard>> {
    let mut line = String::new();
    if socket.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default().to_owned();
    let mut headers = HeaderMap::new();
    loop {
        line.clear();
        socket.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        let name = HeaderName::try_from(name).map_err(io::Error::other)?;
        let value = HeaderValue::try_from(value.trim()).map_err(io::Error::other)?;
        headers.append(name, value);
    }
    let length = headers.get("content-length");
    let length = length.and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await?;
    Ok(Some(Heard {
        method,
        target,
        headers,
        body: Bytes::from(body),
    }))
}

/// Writes an answer; whether the connection can be used again.
async fn write(socket: &mut TcpStream, answer: &Answer) -> io::Result<bool> {
    if let Some(head) = &answer.head {
        socket.write_all(head_of(head, answer).as_bytes()).await?;
    }
    body(socket, answer).await?;
    match answer.end {
        End::Finish if answer.framing == Framing::Chunked => {
            socket.write_all(b"0\r\n\r\n").await?;
        }
        End::Finish | End::Close => {}
        End::Reset => {
            socket.set_zero_linger()?;
            return Ok(false);
        }
        End::Hold => {
            gone(socket).await;
            return Ok(false);
        }
        End::Repeat => loop {
            body(socket, answer).await?;
        },
    }
    let again = answer.end == End::Finish && answer.framing != Framing::Close;
    if !again {
        socket.shutdown().await?;
        // Closing with unread bytes would be a reset.
        gone(socket).await;
    }
    Ok(again)
}

fn head_of(head: &Head, answer: &Answer) -> String {
    let mut text = format!("HTTP/1.1 {} Told\r\n", head.status);
    for (name, value) in &head.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    match answer.framing {
        // These have no body (RFC 9110 §8.6).
        _ if matches!(head.status, 204 | 304) => {}
        Framing::Length if answer.end == End::Finish => {
            text.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
        }
        // More is promised than comes.
        Framing::Length => {
            text.push_str(&format!("Content-Length: {}\r\n", answer.body.len() + 1));
        }
        Framing::Chunked => text.push_str("Transfer-Encoding: chunked\r\n"),
        Framing::Close => text.push_str("Connection: close\r\n"),
    }
    text.push_str("\r\n");
    text
}

async fn body(socket: &mut TcpStream, answer: &Answer) -> io::Result<()> {
    if answer.framing != Framing::Chunked {
        return socket.write_all(&answer.body).await;
    }
    for piece in answer.body.chunks(answer.piece.min(64 * 1024)) {
        let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
        chunk.extend_from_slice(piece);
        chunk.extend_from_slice(b"\r\n");
        socket.write_all(&chunk).await?;
    }
    Ok(())
}

/// Waits until the client has closed the connection.
async fn gone(socket: &mut TcpStream) {
    let mut rest = [0; 1024];
    while matches!(socket.read(&mut rest).await, Ok(read) if read > 0) {}
}
