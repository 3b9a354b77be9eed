//! Code of the user around every call.

use std::any::Any;

use a2a_types::OperationId;
use a2a_types::operation::Operation;
use async_trait::async_trait;
use http::HeaderMap;

use crate::Error;

/// Sees, and may change, what goes out and what comes back.
///
/// Interceptors are called in the order in which they were added for a request, and in the
/// opposite order for an answer. They run once a call, not once an attempt.
///
/// ```
/// use a2a_client::{Error, Incoming, Interceptor, Outgoing};
/// use a2a_types::operations::SendMessage;
///
/// struct Greedy;
///
/// #[async_trait::async_trait]
/// impl Interceptor for Greedy {
///     async fn request(&self, call: &mut Outgoing<'_>) -> Result<(), Error> {
///         call.headers.insert("x-caller", "greedy".parse().unwrap());
///         if let Some(request) = call.message::<SendMessage>() {
///             let configuration = request.configuration.get_or_insert_default();
///             configuration.history_length = Some(0);
///         }
///         Ok(())
///     }
/// }
/// ```
#[async_trait]
pub trait Interceptor: Send + Sync + 'static {
    /// Called before a request is sent.
    ///
    /// # Errors
    ///
    /// An error ends the call; nothing is sent.
    async fn request(&self, call: &mut Outgoing<'_>) -> Result<(), Error> {
        _ = call;
        Ok(())
    }

    /// Called for the answer of a call, and for every event of a stream.
    ///
    /// # Errors
    ///
    /// An error takes the place of the answer, and ends a stream.
    async fn answer(&self, answer: &mut Incoming<'_>) -> Result<(), Error> {
        _ = answer;
        Ok(())
    }
}

/// A request on its way out.
#[non_exhaustive]
pub struct Outgoing<'a> {
    /// The operation.
    pub operation: OperationId,
    /// Version, extensions and what the caller added; credentials come later.
    pub headers: &'a mut HeaderMap,
    message: &'a mut (dyn Any + Send + Sync),
}

impl<'a> Outgoing<'a> {
    pub(crate) fn new<O: Operation>(
        request: &'a mut O::Request,
        headers: &'a mut HeaderMap,
    ) -> Self {
        Self {
            operation: O::ID,
            headers,
            message: request,
        }
    }

    /// The request, if it is of the operation `O`. Its tenant is set later, by the interface that
    /// is called.
    pub fn message<O: Operation>(&mut self) -> Option<&mut O::Request> {
        let wanted = self.operation == O::ID;
        wanted.then(|| self.message.downcast_mut()).flatten()
    }
}

/// An answer, or an event of a stream, on its way in.
#[non_exhaustive]
pub struct Incoming<'a> {
    /// The operation.
    pub operation: OperationId,
    /// The headers of the answer; of an event those of its stream.
    pub headers: &'a HeaderMap,
    message: &'a mut (dyn Any + Send),
}

impl<'a> Incoming<'a> {
    pub(crate) fn new<O: Operation>(answer: &'a mut O::Response, headers: &'a HeaderMap) -> Self {
        Self {
            operation: O::ID,
            headers,
            message: answer,
        }
    }

    /// The answer or event, if it is of the operation `O`.
    pub fn message<O: Operation>(&mut self) -> Option<&mut O::Response> {
        let wanted = self.operation == O::ID;
        wanted.then(|| self.message.downcast_mut()).flatten()
    }
}
