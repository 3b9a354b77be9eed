//! A transport whose type is not known: the same two methods behind a pointer.
//!
//! [`Transport`] is generic over the operation and therefore cannot be an object. Here the
//! operation is a value, requests and answers are `Any`, and a visit brings the types back.

use std::any::Any;
use std::sync::Arc;

use a2a_types::OperationId;
use a2a_types::operation::{Operation, Visitor};
use futures::future::BoxFuture;

use super::{Answer, Context, Events, Transport};
use crate::{Error, Failure};

/// Any transport.
#[derive(Clone)]
pub(crate) struct AnyTransport(Arc<dyn Erased>);

impl AnyTransport {
    pub(crate) fn new(transport: impl Transport) -> Self {
        Self(Arc::new(transport))
    }

    pub(crate) fn address(&self) -> Option<String> {
        self.0.address()
    }

    pub(crate) async fn unary<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<O::Response>, Error> {
        narrow(self.0.unary(O::ID, request, context).await?)
    }

    pub(crate) async fn stream<O: Operation>(
        &self,
        request: &O::Request,
        context: &Context,
    ) -> Result<Answer<Events<O::Response>>, Error> {
        narrow(self.0.stream(O::ID, request, context).await?)
    }
}

type AnyRequest = dyn Any + Send + Sync;
type AnyAnswer = Box<dyn Any + Send>;
type Answering<'a> = BoxFuture<'a, Result<AnyAnswer, Error>>;

trait Erased: Send + Sync {
    fn address(&self) -> Option<String>;

    fn unary<'a>(
        &'a self,
        id: OperationId,
        request: &'a AnyRequest,
        context: &'a Context,
    ) -> Answering<'a>;

    fn stream<'a>(
        &'a self,
        id: OperationId,
        request: &'a AnyRequest,
        context: &'a Context,
    ) -> Answering<'a>;
}

impl<T: Transport> Erased for T {
    fn address(&self) -> Option<String> {
        Transport::address(self)
    }

    fn unary<'a>(
        &'a self,
        id: OperationId,
        request: &'a AnyRequest,
        context: &'a Context,
    ) -> Answering<'a> {
        id.visit(Unary(Call {
            transport: self,
            request,
            context,
        }))
    }

    fn stream<'a>(
        &'a self,
        id: OperationId,
        request: &'a AnyRequest,
        context: &'a Context,
    ) -> Answering<'a> {
        id.visit(Stream(Call {
            transport: self,
            request,
            context,
        }))
    }
}

struct Call<'a, T> {
    transport: &'a T,
    request: &'a AnyRequest,
    context: &'a Context,
}

impl<'a, T> Call<'a, T> {
    fn request<O: Operation>(&self) -> Result<&'a O::Request, Error> {
        self.request.downcast_ref().ok_or_else(mismatch)
    }
}

struct Unary<'a, T>(Call<'a, T>);

impl<'a, T: Transport> Visitor for Unary<'a, T> {
    type Output = Answering<'a>;

    fn visit<O: Operation>(self) -> Answering<'a> {
        Box::pin(async move {
            let Self(call) = self;
            let answer = call
                .transport
                .unary::<O>(call.request::<O>()?, call.context);
            Ok(Box::new(answer.await?) as AnyAnswer)
        })
    }
}

struct Stream<'a, T>(Call<'a, T>);

impl<'a, T: Transport> Visitor for Stream<'a, T> {
    type Output = Answering<'a>;

    fn visit<O: Operation>(self) -> Answering<'a> {
        Box::pin(async move {
            let Self(call) = self;
            let answer = call
                .transport
                .stream::<O>(call.request::<O>()?, call.context);
            Ok(Box::new(answer.await?) as AnyAnswer)
        })
    }
}

fn narrow<T: 'static>(answer: AnyAnswer) -> Result<T, Error> {
    match answer.downcast() {
        Ok(answer) => Ok(*answer),
        Err(_) => Err(mismatch()),
    }
}

/// Cannot happen: the operation decides both types, at both ends.
fn mismatch() -> Error {
    Error::new(Failure::Request, "the message is not of this operation")
}
