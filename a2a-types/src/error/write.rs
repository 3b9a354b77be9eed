//! Errors as JSON: the JSON-RPC error object and the HTTP+JSON error body.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::A2aError;
use super::details::Details;

impl A2aError {
    /// The JSON-RPC error object (A2A §9.5): `code`, `message` and, when there are details,
    /// `data`. The HTTP status of the answer is [`JsonRpcError::http_status`].
    #[must_use]
    pub fn to_jsonrpc(&self) -> JsonRpcError<'_> {
        JsonRpcError(self)
    }

    /// The HTTP+JSON error body (A2A §11.6): `{"error":{code,status,message,details}}`.
    #[must_use]
    pub fn to_http(&self) -> HttpError<'_> {
        HttpError(self)
    }
}

/// An error as a JSON-RPC error object; serialize it as the `error` member of the answer.
#[derive(Clone, Copy, Debug)]
pub struct JsonRpcError<'a>(&'a A2aError);

impl JsonRpcError<'_> {
    /// The HTTP status of an answer with this error object.
    #[must_use]
    pub fn http_status(&self) -> u16 {
        self.0.kind().jsonrpc_http_status()
    }
}

impl Serialize for JsonRpcError<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.0.kind().code())?;
        map.serialize_entry("message", self.0.message())?;
        let details = Details(self.0);
        if !details.is_empty() {
            map.serialize_entry("data", &details)?;
        }
        map.end()
    }
}

/// An error as the body of an HTTP+JSON answer; serialize it as the whole body.
#[derive(Clone, Copy, Debug)]
pub struct HttpError<'a>(&'a A2aError);

impl HttpError<'_> {
    /// The HTTP status of the answer; `error.code` in the body repeats it.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.kind().http_status()
    }
}

impl Serialize for HttpError<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("error", &Status(self.0))?;
        map.end()
    }
}

struct Status<'a>(&'a A2aError);

impl Serialize for Status<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = self.0.kind();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &kind.http_status())?;
        map.serialize_entry("status", kind.status())?;
        map.serialize_entry("message", self.0.message())?;
        let details = Details(self.0);
        if !details.is_empty() {
            map.serialize_entry("details", &details)?;
        }
        map.end()
    }
}
