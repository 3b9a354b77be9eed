//! The rules that every call passes, whatever binding it came in by.
//!
//! A codec makes an [`Incoming`] out of bytes; the pipeline checks it and hands a [`Call`] to the
//! handler. The order of the checks decides which error a caller sees when several apply:
//! authentication, envelope, version, operation, capability, parameters, extensions, permission.
//! An unchecked request cannot reach the handler, because nothing else can make a `Call`.

mod call;
mod check;
mod clock;
mod incoming;
mod params;
mod reply;
mod watch;

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use a2a_types::operation::{Kind, Operation, Request as _};
use a2a_types::operations::{
    CancelTask, CreateTaskPushNotificationConfig, DeleteTaskPushNotificationConfig,
    GetExtendedAgentCard, GetTask, GetTaskPushNotificationConfig, ListTaskPushNotificationConfigs,
    ListTasks, SendMessage, SendStreamingMessage, SubscribeToTask,
};
use a2a_types::{A2aError, ErrorKind, Extensions, OperationId, Version};
use futures::FutureExt;
use futures::future::BoxFuture;
use tower::Service;
use tracing::Instrument;

use crate::CallContext;
use crate::auth::{Access, Authenticator, Authorizer, Credentials, Principal};
use crate::context::trace_of;
use crate::handler::Handler;
use crate::limits::Limits;
use watch::Watch;

pub(crate) use call::Call;
pub(crate) use check::{MAX_PAGE, Rules};
pub(crate) use clock::Clock;
pub use incoming::Incoming;
pub(crate) use incoming::{Envelope, Named, Params, Peer};
pub use reply::Reply;
pub use reply::{EventStream, ReplyBody, ResponseMessage, StreamItem};
pub(crate) use reply::{SentAnswer, SharedAnswer};

/// What the pipeline checks against.
pub(crate) struct Pipeline {
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) authorizer: Arc<dyn Authorizer>,
    /// How often the credentials of an open stream are looked at again.
    pub(crate) recheck: Option<Duration>,
    pub(crate) capabilities: Capabilities,
    pub(crate) extensions: SupportedExtensions,
    /// The tenants that exist; `None` when any value is taken.
    pub(crate) tenants: Option<HashSet<String>>,
    pub(crate) limits: Limits,
    pub(crate) unversioned: Unversioned,
    pub(crate) clock: Arc<Clock>,
    pub(crate) handler: Handler,
}

/// The optional features that the agent card declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capabilities {
    pub(crate) streaming: bool,
    pub(crate) push_notifications: bool,
    pub(crate) extended_card: bool,
}

/// The extensions that the agent card declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct SupportedExtensions {
    pub(crate) supported: Vec<String>,
    pub(crate) required: Vec<String>,
    pub(crate) required_for: RequiredFor,
}

/// The operations that need the required extensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequiredFor {
    /// Those that send a message. The default.
    #[default]
    Messages,
    /// All but the one that reads the extended card.
    Everything,
}

/// What a request without a version asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unversioned {
    /// Version 0.3, as the protocol says (A2A §3.6.2). The default.
    #[default]
    Oldest,
    /// The newest version that is served.
    Newest,
}

impl Pipeline {
    /// Everything from the credentials to the answer.
    async fn run(&self, incoming: Box<Incoming>) -> Result<Reply, A2aError> {
        let caller = self.authenticate(&incoming).await?;
        let Incoming {
            binding,
            headers,
            query,
            peer,
            certificates,
            deadline,
            envelope,
            ..
        } = *incoming;
        let envelope = envelope?;
        let version = self.version(&headers, &query)?;
        let operation = match &envelope.operation {
            Named::Id(id) => *id,
            Named::Text(name) => {
                OperationId::from_name(name).ok_or_else(|| A2aError::method_not_found(name))?
            }
        };
        self.capabilities.check(operation)?;
        let watched = operation.spec().kind == Kind::ServerStreaming
            && (self.recheck.is_some() || caller.expiry().is_some());
        let watch = watched.then(|| {
            Box::new(Watch {
                authenticator: Arc::clone(&self.authenticator),
                headers: headers.clone(),
                query,
                peer,
                certificates,
                caller: caller.clone(),
                every: self.recheck,
            })
        });
        let context = Arc::new(CallContext {
            operation,
            binding,
            caller,
            tenant: String::new(),
            version,
            requested_extensions: extensions(&headers),
            activated_extensions: Extensions::default(),
            trace: trace_of(&headers),
            headers,
            peer,
            deadline: deadline.map(Into::into),
        });
        let reply = self.dispatch(operation, envelope.params, context).await?;
        Ok(match watch {
            Some(watch) => watch.over(reply),
            None => reply,
        })
    }

    async fn dispatch(
        &self,
        operation: OperationId,
        params: Params,
        context: Arc<CallContext>,
    ) -> Result<Reply, A2aError> {
        let handler = &self.handler;
        match operation {
            OperationId::SendMessage => {
                let call = self.admit::<SendMessage>(params, context).await?;
                call.reply(|call| handler.send_message(call)).await
            }
            OperationId::SendStreamingMessage => {
                let call = self.admit::<SendStreamingMessage>(params, context).await?;
                call.stream(|call| handler.send_streaming_message(call))
                    .await
            }
            OperationId::GetTask => {
                let call = self.admit::<GetTask>(params, context).await?;
                call.reply(|call| handler.get_task(call)).await
            }
            OperationId::ListTasks => {
                let call = self.admit::<ListTasks>(params, context).await?;
                call.reply(|call| handler.list_tasks(call)).await
            }
            OperationId::CancelTask => {
                let call = self.admit::<CancelTask>(params, context).await?;
                call.reply(|call| handler.cancel_task(call)).await
            }
            OperationId::SubscribeToTask => {
                let call = self.admit::<SubscribeToTask>(params, context).await?;
                call.stream(|call| handler.subscribe_to_task(call)).await
            }
            OperationId::CreateTaskPushNotificationConfig => {
                let call = self
                    .admit::<CreateTaskPushNotificationConfig>(params, context)
                    .await?;
                call.reply(|call| handler.create_push_config(call)).await
            }
            OperationId::GetTaskPushNotificationConfig => {
                let call = self
                    .admit::<GetTaskPushNotificationConfig>(params, context)
                    .await?;
                call.reply(|call| handler.get_push_config(call)).await
            }
            OperationId::ListTaskPushNotificationConfigs => {
                let call = self
                    .admit::<ListTaskPushNotificationConfigs>(params, context)
                    .await?;
                call.reply(|call| handler.list_push_configs(call)).await
            }
            OperationId::DeleteTaskPushNotificationConfig => {
                let call = self
                    .admit::<DeleteTaskPushNotificationConfig>(params, context)
                    .await?;
                call.reply(|call| handler.delete_push_config(call)).await
            }
            OperationId::GetExtendedAgentCard => {
                let call = self.admit::<GetExtendedAgentCard>(params, context).await?;
                call.reply(|call| handler.get_extended_card(call)).await
            }
            other => Err(A2aError::method_not_found(other.name())),
        }
    }

    /// The checks that need the typed request. The only place where a `Call` is made.
    async fn admit<O: Operation>(
        &self,
        params: Params,
        mut context: Arc<CallContext>,
    ) -> Result<Call<O::Request>, A2aError>
    where
        O::Request: Rules,
    {
        let request = params::read::<O>(params, self.capabilities, &self.limits)?;
        self.tenant(request.tenant())?;
        let activated = self.extensions.activate(&context)?;
        // Nobody else has it yet.
        let whole = Arc::make_mut(&mut context);
        whole.tenant = request.tenant().to_owned();
        whole.activated_extensions = activated;
        let access = Access {
            principal: &context.caller,
            operation: O::ID,
            tenant: &context.tenant,
            task_id: request.task_id(),
            context: &context,
        };
        let scope = self.authorizer.authorize(&access).await.inspect_err(|_| {
            let (operation, principal) = (O::ID.name(), context.caller.id());
            tracing::warn!(operation, principal, "permission denied");
        })?;
        Ok(Call::new(request, context, scope))
    }

    async fn authenticate(&self, incoming: &Incoming) -> Result<Principal, A2aError> {
        let Incoming {
            headers,
            query,
            peer,
            certificates,
            ..
        } = incoming;
        let credentials = Credentials {
            headers,
            query,
            peer: *peer,
            certificates: certificates.as_ref(),
        };
        self.authenticator
            .authenticate(&credentials)
            .await
            .inspect_err(|_| {
                let peer = peer.map(tracing::field::display);
                tracing::warn!(peer, "authentication failed");
            })
    }

    /// The version that the request asks for, if it is served.
    fn version(&self, headers: &http::HeaderMap, query: &str) -> Result<Version, A2aError> {
        let served = Version::V1_0;
        let requested = incoming::requested_version(headers, query)?;
        let requested = requested
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let version = match (requested, self.unversioned) {
            (None, Unversioned::Newest) => Ok(served),
            (requested, _) => Version::requested(requested),
        };
        match version {
            Ok(version) if version == served => Ok(version),
            Ok(other) => Err(A2aError::version_not_supported(other, [served])),
            Err(_) => Err(A2aError::version_not_supported(
                requested.unwrap_or_default(),
                [served],
            )),
        }
    }

    fn tenant(&self, tenant: &str) -> Result<(), A2aError> {
        match &self.tenants {
            Some(tenants) if !tenants.contains(tenant) => {
                let text = match tenant {
                    "" => "a tenant is required".to_owned(),
                    tenant => format!("tenant {tenant} not found"),
                };
                Err(A2aError::new(ErrorKind::TaskNotFound, text).with_metadata("tenant", tenant))
            }
            _ => Ok(()),
        }
    }
}

impl Capabilities {
    /// Refuses what the card does not declare, before anything is looked up (A2A §3.3.4).
    fn check(self, operation: OperationId) -> Result<(), A2aError> {
        let unsupported = |what: &str| {
            let text = format!("{what} is not supported by this agent");
            Err(A2aError::unsupported_operation(text).with_metadata("operation", operation.name()))
        };
        match operation {
            OperationId::SendStreamingMessage | OperationId::SubscribeToTask if !self.streaming => {
                unsupported("streaming")
            }
            OperationId::GetExtendedAgentCard if !self.extended_card => {
                unsupported("an extended agent card")
            }
            OperationId::CreateTaskPushNotificationConfig
            | OperationId::GetTaskPushNotificationConfig
            | OperationId::ListTaskPushNotificationConfigs
            | OperationId::DeleteTaskPushNotificationConfig
                if !self.push_notifications =>
            {
                Err(A2aError::push_not_supported())
            }
            _ => Ok(()),
        }
    }
}

impl SupportedExtensions {
    /// The extensions in use for the call: those asked for and supported, in the order of the
    /// request. Never another version of one (A2A §4.6.3).
    fn activate(&self, context: &CallContext) -> Result<Extensions, A2aError> {
        let requested = &context.requested_extensions;
        let needed = match context.operation {
            OperationId::SendMessage | OperationId::SendStreamingMessage => true,
            OperationId::GetExtendedAgentCard => false,
            _ => self.required_for == RequiredFor::Everything,
        };
        if needed && let Some(missing) = self.required.iter().find(|uri| !requested.contains(uri)) {
            return Err(A2aError::extension_required(missing));
        }
        let supported = |uri: &&str| self.supported.iter().any(|known| known == uri);
        Ok(requested.iter().filter(supported).collect())
    }
}

static EXTENSIONS: http::HeaderName = http::HeaderName::from_static("a2a-extensions");

fn extensions(headers: &http::HeaderMap) -> Extensions {
    let values = headers.get_all(&EXTENSIONS).iter();
    Extensions::from_header(values.filter_map(|value| value.to_str().ok()))
}

/// The pipeline as a service, which tower layers can wrap: once for all bindings.
#[derive(Clone)]
pub struct Core(pub(crate) Arc<Pipeline>);

impl Service<Incoming> for Core {
    type Response = Reply;
    type Error = A2aError;
    type Future = BoxFuture<'static, Result<Reply, A2aError>>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), A2aError>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, incoming: Incoming) -> Self::Future {
        let pipeline = Arc::clone(&self.0);
        let span = tracing::info_span!(
            "a2a.call",
            operation = incoming.operation(),
            binding = incoming.binding.name(),
        );
        let deadline = incoming.deadline;
        let incoming = Box::new(incoming);
        let call = async move {
            let run = AssertUnwindSafe(pipeline.run(incoming)).catch_unwind();
            // The panic hook has logged the panic itself.
            let run =
                run.map(|answer| answer.unwrap_or_else(|_| Err(A2aError::internal("a panic"))));
            // In place: a call is too large to be handed on.
            let run = std::pin::pin!(run);
            let limited = pipeline.clock.limit(run);
            let answer = match deadline {
                Some(deadline) if deadline <= tokio::time::Instant::now() => {
                    Err(A2aError::deadline_exceeded())
                }
                Some(deadline) => tokio::time::timeout_at(deadline, limited)
                    .await
                    .unwrap_or_else(|_| Err(A2aError::deadline_exceeded())),
                None => limited.await,
            };
            answer.map_err(log)
        };
        Box::pin(call.instrument(span))
    }
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core").finish_non_exhaustive()
    }
}

/// Logs what is the server's fault, with an id that the caller can name (A2A §3.3.2, §13.4).
fn log(error: A2aError) -> A2aError {
    let kind = error.kind();
    if kind.http_status() < 500 {
        return error;
    }
    let id = uuid::Uuid::new_v4().to_string();
    let cause = std::error::Error::source(&error);
    tracing::error!(error_id = id, ?kind, error = cause, "a call failed");
    let text = format!("{} (error id {id})", error.message());
    let mut shown = A2aError::new(kind, text);
    for (key, value) in error.metadata() {
        shown = shown.with_metadata(key, value);
    }
    for detail in error.details() {
        shown = shown.with_detail(detail.clone());
    }
    match error.retry_after() {
        Some(delay) => shown.with_retry_after(delay),
        None => shown,
    }
}
