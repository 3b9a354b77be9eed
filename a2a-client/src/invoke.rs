//! The way of every call: checks, interceptors, credentials, attempts.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use a2a_types::extensions::{ResendCallers, SafeResends};
use a2a_types::operation::Operation;
use a2a_types::operations::GetTask;
use a2a_types::projection::{Artifacts, HistoryLength, project};
use a2a_types::{
    A2aError, ErrorKind, GetTaskRequest, ListTasksRequest, ListTasksResponse, OperationId,
    SendMessageRequest, SendMessageResponse, Task, TaskState, VERSION_HEADER,
    send_message_response,
};
use futures::StreamExt as _;
use futures::future::BoxFuture;
use http::HeaderMap;
use http::header::Entry;
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;

use crate::auth::{Chosen, choose};
use crate::call::{self, Options};
use crate::card::drop_secrets;
use crate::retry::{Backoff, is_retryable};
use crate::session::{Endpoint, Session};
use crate::transport::{Answer, AnyTransport, Context, Events};
use crate::{Client, Error, Failure, Incoming, Interceptor, Outgoing};

/// How many answers a call has.
pub(crate) trait Mode<O: Operation>: 'static {
    /// One, or a stream of them.
    type Content: Send + 'static;

    fn attempt<'a>(
        transport: &'a AnyTransport,
        request: &'a O::Request,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Answer<Self::Content>, Error>>;

    /// Cuts what was not wanted, and shows the rest to the interceptors.
    fn finish(
        answer: Answer<Self::Content>,
        history: HistoryLength,
        interceptors: Vec<Arc<dyn Interceptor>>,
    ) -> BoxFuture<'static, Result<Self::Content, Error>>;
}

/// One answer.
pub(crate) struct One;

impl<O: Operation> Mode<O> for One {
    type Content = O::Response;

    fn attempt<'a>(
        transport: &'a AnyTransport,
        request: &'a O::Request,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Answer<O::Response>, Error>> {
        Box::pin(transport.unary::<O>(request, context))
    }

    fn finish(
        answer: Answer<O::Response>,
        history: HistoryLength,
        interceptors: Vec<Arc<dyn Interceptor>>,
    ) -> BoxFuture<'static, Result<O::Response, Error>> {
        let Answer {
            mut content,
            headers,
            ..
        } = answer;
        cut_history(&mut content, history);
        Box::pin(async move {
            intercept::<O>(&mut content, &headers, &interceptors).await?;
            Ok(content)
        })
    }
}

/// A stream of answers.
pub(crate) struct Stream;

impl<O: Operation> Mode<O> for Stream {
    type Content = Events<O::Response>;

    fn attempt<'a>(
        transport: &'a AnyTransport,
        request: &'a O::Request,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Answer<Events<O::Response>>, Error>> {
        Box::pin(transport.stream::<O>(request, context))
    }

    fn finish(
        answer: Answer<Events<O::Response>>,
        _history: HistoryLength,
        interceptors: Vec<Arc<dyn Interceptor>>,
    ) -> BoxFuture<'static, Result<Events<O::Response>, Error>> {
        let Answer {
            content, headers, ..
        } = answer;
        if interceptors.is_empty() {
            return Box::pin(async { Ok(content) });
        }
        let shared = Arc::new((headers, interceptors));
        let events = content.then(move |event| {
            let shared = Arc::clone(&shared);
            async move {
                let (headers, interceptors) = &*shared;
                let mut event = event?;
                intercept::<O>(&mut event.message, headers, interceptors).await?;
                Ok(event)
            }
        });
        let events = events.boxed();
        Box::pin(async { Ok(events) })
    }
}

async fn intercept<O: Operation>(
    answer: &mut O::Response,
    headers: &HeaderMap,
    interceptors: &[Arc<dyn Interceptor>],
) -> Result<(), Error> {
    for interceptor in interceptors.iter().rev() {
        let mut answer = Incoming::new::<O>(answer, headers);
        interceptor.answer(&mut answer).await?;
    }
    Ok(())
}

impl Client {
    /// Makes a call.
    pub(crate) async fn invoke<O: Operation, M: Mode<O>>(
        &self,
        request: O::Request,
        options: Options,
    ) -> Result<M::Content, Error> {
        let span = tracing::debug_span!("a2a.call", operation = O::ID.name());
        self.prepare::<O, M>(request, options)
            .instrument(span)
            .await
    }

    async fn prepare<O: Operation, M: Mode<O>>(
        &self,
        mut request: O::Request,
        options: Options,
    ) -> Result<M::Content, Error> {
        let config = self.config();
        let mut headers = options.headers(&config.headers, &config.extensions)?;
        for interceptor in &config.interceptors {
            let mut call = Outgoing::new::<O>(&mut request, &mut headers);
            interceptor.request(&mut call).await?;
        }
        let session = self.session();
        session.check::<O>(&request, config.capability_checks)?;
        let violations = O::check(&request);
        if !violations.is_empty() {
            return Err(Error::refused(A2aError::invalid_params(violations)));
        }
        let history = history_length(&request)?;

        let idle_timeout = options.idle_timeout.unwrap_or(config.idle_timeout);
        let limit = options
            .timeout
            .unwrap_or(match may_work_long::<O>(&request) {
                true => idle_timeout,
                false => config.timeout,
            });
        let call = Call {
            client: self,
            session: &session,
            headers,
            deadline: Instant::now().checked_add(limit),
            idle_timeout,
        };
        let answer = timeout(limit, call.attempts::<O, M>(request)).await;
        let answer = answer.unwrap_or_else(|_| {
            let message = format!("{} had no answer within {limit:?}", O::ID.name());
            Err(Error::new(Failure::Timeout, message))
        })?;
        M::finish(answer, history, config.interceptors.clone()).await
    }
}

/// What the attempts of one call have in common.
struct Call<'a> {
    client: &'a Client,
    session: &'a Session,
    headers: HeaderMap,
    /// `None` when it is too far away to be a time.
    deadline: Option<Instant>,
    idle_timeout: Duration,
}

impl Call<'_> {
    async fn attempts<O: Operation, M: Mode<O>>(
        &self,
        mut request: O::Request,
    ) -> Result<Answer<M::Content>, Error> {
        let begun = Instant::now();
        let mut backoff = Backoff::new(self.client.config().retry);
        let mut authorized_again = false;
        // Only who has got a send can recognize it when it comes again.
        let mut only = None;
        loop {
            let chosen = self.credentials().await?;
            let attempt = self.attempt::<O, M>(&mut request, &chosen, only).await;
            let Failed { error, at } = match attempt {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let unauthenticated = error.failure() == Failure::Protocol
                && error.kind() == Some(ErrorKind::Unauthenticated);
            // A call that was refused for its credentials has not run, not even a send.
            if unauthenticated && !authorized_again && chosen.refused().await {
                authorized_again = true;
                continue;
            }
            if backoff.is_repetition()
                && error.kind() == Some(ErrorKind::TaskNotCancelable)
                && let Some(task) = self.canceled_before::<O>(&request, &chosen).await
                && let Ok(answer) = (Box::new(task) as Box<dyn Any>).downcast()
            {
                return Ok(*answer);
            }
            let resends = only
                .or(at)
                .and_then(|at| self.resends::<O>(&request, &chosen, at));
            if !is_retryable::<O>(&error, resends.is_some()) {
                return Err(error);
            }
            let Some(delay) = backoff.next(error.retry_after()) else {
                return Err(error);
            };
            if let Some(window) = resends {
                if begun.elapsed() + delay >= window {
                    return Err(error);
                }
                only = only.or(at);
            }
            tracing::debug!(%error, ?delay, "repeating the call");
            sleep(delay).await;
        }
    }

    async fn credentials(&self) -> Result<Chosen, Error> {
        match self.session.endpoints().any(|endpoint| endpoint.trusted) {
            true => choose(&self.client.config().providers, Some(&self.session.card)).await,
            false => Ok(Chosen::default()),
        }
    }

    /// Tries the interfaces until one can be reached.
    async fn attempt<O: Operation, M: Mode<O>>(
        &self,
        request: &mut O::Request,
        chosen: &Chosen,
        only: Option<usize>,
    ) -> Result<Answer<M::Content>, Failed> {
        let mut unreachable: Option<Error> = None;
        let endpoints = self.session.in_order();
        for (index, endpoint) in endpoints.filter(|(index, _)| only.is_none_or(|o| o == *index)) {
            set_tenant::<O>(request, endpoint);
            let context = self.context(endpoint, chosen)?;
            let result = M::attempt(&endpoint.transport, request, &context).await;
            match result {
                Err(error) if is_unreachable(&error) => {
                    tracing::debug!(%error, url = endpoint.interface.entry.url, "unreachable");
                    unreachable.get_or_insert(error);
                }
                result => {
                    self.session.prefer(index);
                    let at = Some(index);
                    return result.map_err(|error| Failed { error, at });
                }
            }
        }
        let error =
            unreachable.unwrap_or_else(|| Error::new(Failure::Card, "there is no interface"));
        Err(error.into())
    }

    /// For how long the agent recognizes this send when it comes again to an endpoint; `None` when
    /// it is no send, or the agent would take it for another one.
    fn resends<O: Operation>(
        &self,
        request: &O::Request,
        chosen: &Chosen,
        endpoint: usize,
    ) -> Option<Duration> {
        let request = (request as &dyn Any).downcast_ref::<SendMessageRequest>()?;
        let offer = SafeResends::of(&self.session.card)?;
        // A message that continues a task continues it each time.
        let begins = request.message.as_ref()?.task_id.is_empty();
        let endpoint = self.session.endpoints().nth(endpoint)?;
        let known = match offer.callers {
            ResendCallers::Everybody => true,
            _ => self.context(endpoint, chosen).ok()?.has_secrets(),
        };
        (begins && known).then_some(offer.window)
    }

    fn context(&self, endpoint: &Endpoint, chosen: &Chosen) -> Result<Context, Error> {
        let mut headers = self.headers.clone();
        let mut query = Vec::new();
        if let Entry::Vacant(entry) = headers.entry(call::name(VERSION_HEADER)?) {
            let version = endpoint.interface.version.to_string();
            if let Ok(version) = version.parse() {
                entry.insert(version);
            }
        }
        match endpoint.trusted {
            true => chosen.apply(&mut headers, &mut query)?,
            false => drop_secrets(&mut headers),
        }
        Ok(Context {
            headers,
            query,
            timeout: self.deadline.map(|at| at.duration_since(Instant::now())),
            idle_timeout: self.idle_timeout,
            max_message_size: self.client.config().max_message_size,
        })
    }

    /// The task, if a cancel whose answer was lost has canceled it.
    async fn canceled_before<O: Operation>(
        &self,
        request: &O::Request,
        chosen: &Chosen,
    ) -> Option<Answer<Task>> {
        if O::ID != OperationId::CancelTask {
            return None;
        }
        let cancel = (request as &dyn Any).downcast_ref::<a2a_types::CancelTaskRequest>()?;
        let mut request = GetTaskRequest::default().with_id(&cancel.id);
        let task = self
            .attempt::<GetTask, One>(&mut request, chosen, None)
            .await;
        task.ok()
            .filter(|task| task.content.state() == TaskState::Canceled)
    }
}

/// An attempt that came to nothing.
struct Failed {
    error: Error,
    /// The endpoint that may have got the request.
    at: Option<usize>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, at: None }
    }
}

/// Whether another interface may be tried.
fn is_unreachable(error: &Error) -> bool {
    error.is_unsent() && matches!(error.failure(), Failure::Transport | Failure::Timeout)
}

/// Every request carries the tenant of the interface it goes to, and none without (A2A §8.3.2).
fn set_tenant<O: Operation>(request: &mut O::Request, endpoint: &Endpoint) {
    use a2a_types::operation::Request as _;
    let tenant = &endpoint.interface.entry.tenant;
    if let Some(field) = request.path_field("tenant") {
        field.clone_from(tenant);
    }
}

/// Whether the agent works before it answers.
fn may_work_long<O: Operation>(request: &O::Request) -> bool {
    match O::ID {
        OperationId::SendStreamingMessage | OperationId::SubscribeToTask => true,
        OperationId::SendMessage => (request as &dyn Any)
            .downcast_ref::<SendMessageRequest>()
            .and_then(|request| request.configuration.as_ref())
            .is_none_or(|configuration| !configuration.return_immediately),
        _ => false,
    }
}

/// How much history the caller wants, if the operation has a say in it.
fn history_length(request: &dyn Any) -> Result<HistoryLength, Error> {
    let (wanted, field) = if let Some(request) = request.downcast_ref::<GetTaskRequest>() {
        (request.history_length, "historyLength")
    } else if let Some(request) = request.downcast_ref::<ListTasksRequest>() {
        (request.history_length, "historyLength")
    } else if let Some(request) = request.downcast_ref::<SendMessageRequest>() {
        let configuration = request.configuration.as_ref();
        let wanted = configuration.and_then(|configuration| configuration.history_length);
        (wanted, "configuration.historyLength")
    } else {
        (None, "")
    };
    HistoryLength::new(wanted, field)
        .map_err(|violation| Error::refused(A2aError::invalid_params([violation])))
}

/// Some peers send more history than was asked for.
fn cut_history(answer: &mut dyn Any, history: HistoryLength) {
    if history == HistoryLength::Unset {
        return;
    }
    let cut = |task: &mut Task| {
        *task = project(std::mem::take(task), history, Artifacts::Include);
    };
    if let Some(task) = answer.downcast_mut::<Task>() {
        cut(task);
    } else if let Some(page) = answer.downcast_mut::<ListTasksResponse>() {
        page.tasks.iter_mut().for_each(cut);
    } else if let Some(response) = answer.downcast_mut::<SendMessageResponse>()
        && let Some(send_message_response::Payload::Task(task)) = &mut response.payload
    {
        cut(task);
    }
}
