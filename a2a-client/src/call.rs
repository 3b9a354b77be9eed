//! One call that is about to be made, and what the caller wants to be different about it.

use std::any::Any;
use std::future::IntoFuture;
use std::time::Duration;

use a2a_types::operation::Operation;
use a2a_types::{
    EXTENSIONS_HEADER, Extensions, LAST_EVENT_ID_HEADER, SendMessageRequest, VERSION_HEADER,
    Version,
};
use futures::future::BoxFuture;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::invoke::{One, Stream};
use crate::stream::StreamKind;
use crate::{Client, Error, EventStream, Failure, Follow, SendAndWait};

/// What is special about one call.
#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) timeout: Option<Duration>,
    pub(crate) idle_timeout: Option<Duration>,
    headers: HeaderMap,
    extensions: Vec<String>,
    version: Option<Version>,
    last_event_id: Option<String>,
}

impl Options {
    /// All headers of the call but credentials and the version of the interface.
    pub(crate) fn headers(
        &self,
        common: &HeaderMap,
        extensions: &[String],
    ) -> Result<HeaderMap, Error> {
        let mut headers = common.clone();
        let extensions: Extensions = extensions.iter().chain(&self.extensions).collect();
        if !extensions.is_empty() {
            headers.insert(name(EXTENSIONS_HEADER)?, value(&extensions.to_string())?);
        }
        if let Some(version) = self.version {
            headers.insert(name(VERSION_HEADER)?, value(&version.to_string())?);
        }
        if let Some(id) = &self.last_event_id {
            headers.insert(name(LAST_EVENT_ID_HEADER)?, value(id)?);
        }
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        for name in [AUTHORIZATION, COOKIE] {
            if let Some(value) = headers.get_mut(name) {
                value.set_sensitive(true);
            }
        }
        Ok(headers)
    }
}

pub(crate) fn name(text: &str) -> Result<HeaderName, Error> {
    HeaderName::try_from(text).map_err(|error| {
        Error::new(Failure::Request, "that is no name of a header").with_source(error)
    })
}

fn value(text: &str) -> Result<HeaderValue, Error> {
    HeaderValue::try_from(text).map_err(|error| {
        let message = format!("{text:?} cannot be the value of a header");
        Error::new(Failure::Request, message).with_source(error)
    })
}

/// A call with one answer: await it. Nothing is sent before.
#[must_use = "a call is made when it is awaited"]
pub struct Unary<O: Operation, T = <O as Operation>::Response> {
    client: Client,
    request: O::Request,
    options: Options,
    finish: Finish<O, T>,
}

/// What the client makes of the answer.
type Finish<O, T> = fn(&Client, <O as Operation>::Response) -> Result<T, Error>;

impl<O: Operation, T> Unary<O, T> {
    pub(crate) fn new(client: &Client, request: O::Request, finish: Finish<O, T>) -> Self {
        Self {
            client: client.clone(),
            request,
            options: Options::default(),
            finish,
        }
    }
}

impl<O: Operation, T: 'static> IntoFuture for Unary<O, T> {
    type Output = Result<T, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let answer = self.client.invoke::<O, One>(self.request, self.options);
            (self.finish)(&self.client, answer.await?)
        })
    }
}

/// A call with a stream of answers: await it, then read the [`EventStream`]. Nothing is sent
/// before.
#[must_use = "a call is made when it is awaited"]
pub struct Streaming<O: Operation> {
    client: Client,
    request: O::Request,
    options: Options,
}

impl<O: Operation> Streaming<O> {
    pub(crate) fn new(client: &Client, request: O::Request) -> Self {
        Self {
            client: client.clone(),
            request,
            options: Options::default(),
        }
    }

    /// Sets how long the stream may be without any byte, comments included, before it counts as
    /// dead.
    pub fn with_idle_timeout(mut self, timeout: Duration) -> Self {
        self.options.idle_timeout = Some(timeout);
        self
    }

    /// Asks the peer to go on behind this event, if it can, instead of starting with the task as it
    /// is.
    pub fn with_last_event_id(mut self, id: impl Into<String>) -> Self {
        self.options.last_event_id = Some(id.into());
        self
    }
}

impl<O: Operation<Response = a2a_types::StreamResponse>> IntoFuture for Streaming<O> {
    type Output = Result<EventStream, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let sent = (&self.request as &dyn Any).downcast_ref::<SendMessageRequest>();
        let kind = match sent.and_then(|request| request.message.as_ref()) {
            Some(message) if message.task_id.is_empty() => StreamKind::Send,
            Some(_) => StreamKind::Continuation,
            None => StreamKind::Subscription,
        };
        Box::pin(async move {
            let events = self.client.invoke::<O, Stream>(self.request, self.options);
            Ok(EventStream::new(events.await?, kind))
        })
    }
}

macro_rules! options {
    ($([$($generics:tt)*] $call:ty),*) => {$(
        impl<$($generics)*> $call {
            /// Sets how long the call may take, repetitions included; of a stream, how long until
            /// it begins.
            pub fn with_timeout(mut self, timeout: Duration) -> Self {
                self.options.timeout = Some(timeout);
                self
            }

            /// Sets a header. A secret should be [sensitive](HeaderValue::set_sensitive): then it
            /// is not printed, and goes only where credentials go.
            pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
                self.options.headers.insert(name, value);
                self
            }

            /// Declares an extension beside those of the client.
            pub fn with_extension(mut self, uri: impl Into<String>) -> Self {
                self.options.extensions.push(uri.into());
                self
            }

            /// Claims another protocol version than the interface's; for trying out servers.
            pub fn with_version(mut self, version: Version) -> Self {
                self.options.version = Some(version);
                self
            }
        }
    )*};
}

options! { [O: Operation, T] Unary<O, T>, [O: Operation] Streaming<O>, [] Follow, [] SendAndWait }

/// Calls that are made for another one, and take over what was set on it.
macro_rules! takes_over {
    ($([$($generics:tt)*] $call:ty),*) => {$(
        impl<$($generics)*> $call {
            pub(crate) fn with_options(mut self, options: Options) -> Self {
                self.options = options;
                self
            }
        }
    )*};
}

takes_over! { [O: Operation, T] Unary<O, T>, [O: Operation] Streaming<O>, [] Follow }
