//! The command line.

use std::io::{self, Read as _};
use std::time::Duration;

use a2a_client::{HeaderName, HeaderValue};
use a2a_types::OperationId;

pub(crate) const USAGE: &str = "\
usage: probe [OPTION]... URL OPERATION [REQUEST-JSON]

  URL           a base address, the address of a card, or card:FILE
  OPERATION     the name of an operation of A2A 1.0, Card (find and print the card) or SendAndWait
  REQUEST-JSON  the request in ProtoJSON; - reads standard input; {} when it is left out

  --binding NAME      use only this binding: JSONRPC, HTTP+JSON or GRPC
  --timeout SECONDS   how long the call may take, and a stream be silent; 30 when it is left out
  --header 'K: V'     send this header (may be repeated)
  --bearer TOKEN      send this token
  --trust ORIGIN      send it there as well (may be repeated)
  --version 1.0       the version to speak
  --extension URI     declare this extension (may be repeated)
  --follow            follow the task to its end, across lost connections";

/// What the command line says.
pub(crate) struct Options {
    pub(crate) binding: Option<String>,
    pub(crate) timeout: Duration,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) bearer: Option<String>,
    pub(crate) trusted: Vec<String>,
    pub(crate) extensions: Vec<String>,
    pub(crate) follow: bool,
    pub(crate) url: String,
    pub(crate) operation: Operation,
    pub(crate) request: Vec<u8>,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Card,
    SendAndWait,
    Call(OperationId),
}

impl Options {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = arguments;
        let mut options = Self {
            binding: None,
            timeout: Duration::from_secs(30),
            headers: Vec::new(),
            bearer: None,
            trusted: Vec::new(),
            extensions: Vec::new(),
            follow: false,
            url: String::new(),
            operation: Operation::Card,
            request: b"{}".to_vec(),
        };
        let mut plain = Vec::new();
        while let Some(argument) = arguments.next() {
            if !argument.starts_with("--") {
                plain.push(argument);
                continue;
            }
            if argument == "--follow" {
                options.follow = true;
                continue;
            }
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("{argument} needs a value"))?;
            match argument.as_str() {
                "--binding" => options.binding = Some(value),
                "--timeout" => options.timeout = seconds(&value)?,
                "--header" => options.headers.push(header(&value)?),
                "--bearer" => options.bearer = Some(value),
                "--trust" => options.trusted.push(value),
                "--version" if value == "1.0" => {}
                "--version" => return Err(format!("this client does not speak version {value}")),
                "--extension" => options.extensions.push(value),
                _ => return Err(format!("unknown option {argument}")),
            }
        }
        let mut plain = plain.into_iter();
        options.url = plain.next().ok_or("URL is missing")?;
        let operation = plain.next().ok_or("OPERATION is missing")?;
        options.operation = match operation.as_str() {
            "Card" => Operation::Card,
            "SendAndWait" => Operation::SendAndWait,
            name => match OperationId::from_name(name) {
                Some(id) => Operation::Call(id),
                None => return Err(format!("unknown operation {name}")),
            },
        };
        if let Some(request) = plain.next() {
            options.request = request_of(request)?;
            serde_json::from_slice::<serde_json::Value>(&options.request)
                .map_err(|error| format!("REQUEST-JSON is no JSON: {error}"))?;
        }
        match plain.next() {
            Some(surplus) => Err(format!("{surplus:?} is too much")),
            None => Ok(options),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let timeout = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let timeout = timeout.filter(|timeout| !timeout.is_zero());
    timeout.ok_or_else(|| format!("{text:?} is no number of seconds"))
}

fn header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let wrong = || format!("{text:?} is no header; write 'Name: value'");
    let (name, value) = text.split_once(':').ok_or_else(wrong)?;
    let name = HeaderName::try_from(name.trim()).map_err(|_| wrong())?;
    let value = HeaderValue::try_from(value.trim()).map_err(|_| wrong())?;
    Ok((name, value))
}

fn request_of(text: String) -> Result<Vec<u8>, String> {
    if text != "-" {
        return Ok(text.into_bytes());
    }
    let mut request = Vec::new();
    let read = io::stdin().read_to_end(&mut request);
    read.map_err(|error| format!("cannot read the request: {error}"))?;
    Ok(request)
}
