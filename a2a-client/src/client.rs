//! The client: a method for every operation.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use a2a_types::operations::{
    CancelTask, CreateTaskPushNotificationConfig, DeleteTaskPushNotificationConfig,
    GetExtendedAgentCard, GetTask, GetTaskPushNotificationConfig, ListTaskPushNotificationConfigs,
    ListTasks, SendMessage, SendStreamingMessage, SubscribeToTask,
};
use a2a_types::{
    AgentCard, AgentInterface, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTasksRequest, SendMessageRequest,
    SubscribeToTaskRequest, Task, TaskPushNotificationConfig,
};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use http::HeaderMap;
use reqwest::Url;
use tokio::time::sleep;

use crate::auth::choose;
use crate::builder::Config;
use crate::card::{Discovery, Found, drop_secrets};
use crate::retry::{Backoff, is_passing};
use crate::session::Session;
use crate::{ClientBuilder, Error, Failure, IntoRequest, Reply, Streaming, Unary};

/// Calls one agent. Clones are cheap, and share everything.
///
/// Every operation is a method. What it gives is a call that can still be changed, and that is made
/// when it is awaited:
///
/// ```no_run
/// # async fn run(client: a2a_client::Client) -> Result<(), a2a_client::Error> {
/// use std::time::Duration;
///
/// let task = client.get_task("t-42").with_timeout(Duration::from_secs(5)).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    config: Config,
    http: reqwest::Client,
    /// The address that the caller gave; `None` for a card in hand.
    home: Option<Url>,
    session: RwLock<Arc<Session>>,
}

impl Client {
    /// Gets the card of the agent at this address, and makes a client for it with all defaults.
    ///
    /// # Errors
    ///
    /// As [`ClientBuilder::connect`].
    pub async fn connect(address: &str) -> Result<Self, Error> {
        Self::builder().connect(address).await
    }

    /// Makes a client for the agent with this card with all defaults.
    ///
    /// # Errors
    ///
    /// As [`ClientBuilder::from_card`].
    pub fn from_card(card: AgentCard) -> Result<Self, Error> {
        Self::builder().from_card(card)
    }

    /// Begins a client.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// The card of the agent, as it was when it was read last.
    #[must_use]
    pub fn card(&self) -> Arc<AgentCard> {
        Arc::clone(&self.session().card)
    }

    /// The interface that is called at present, its address made absolute.
    #[must_use]
    pub fn interface(&self) -> AgentInterface {
        let session = self.session();
        let interface = session.interface();
        interface.map(|i| i.entry.clone()).unwrap_or_default()
    }

    /// Reads the card again, if it may have changed, and chooses the interface anew. Does nothing
    /// for a client that was made from a card.
    ///
    /// # Errors
    ///
    /// As [`ClientBuilder::connect`]; the client goes on with the card it had.
    pub async fn refresh_card(&self) -> Result<Arc<AgentCard>, Error> {
        let Some(home) = &self.0.home else {
            return Ok(self.card());
        };
        let found = find(&self.0.config, &self.0.http, home).await?;
        let session = Session::new(
            &self.0.config,
            &self.0.http,
            Arc::clone(&found.card),
            Some(found.url),
            Some(home),
        )?;
        self.set_session(session);
        Ok(found.card)
    }
}

/// Messages.
impl Client {
    /// Sends a message and waits until the agent has done what it can: until its task has ended or
    /// needs the caller. With `return_immediately` in the request it answers at once.
    ///
    /// Some agents never wait; [`send_and_wait`](Self::send_and_wait) does.
    ///
    /// When the answer is lost the call is repeated only where the card promises
    /// [safe resends](a2a_types::extensions::SafeResends): elsewhere the agent might begin a second
    /// task.
    pub fn send_message(
        &self,
        message: impl IntoRequest<SendMessageRequest>,
    ) -> Unary<SendMessage, Reply> {
        Unary::new(self, message.into_request(), |_, response| {
            Reply::new(response)
        })
    }

    /// Sends a message and streams what happens.
    ///
    /// [`send_and_follow`](Self::send_and_follow) is the same across lost connections.
    pub fn stream_message(
        &self,
        message: impl IntoRequest<SendMessageRequest>,
    ) -> Streaming<SendStreamingMessage> {
        Streaming::new(self, message.into_request())
    }
}

/// Tasks.
impl Client {
    /// Reads a task.
    pub fn get_task(&self, task: impl IntoRequest<GetTaskRequest>) -> Unary<GetTask> {
        Unary::new(self, task.into_request(), |_, task| Ok(task))
    }

    /// Lists tasks, one page. [`all_tasks`](Self::all_tasks) turns the pages.
    pub fn list_tasks(&self, request: impl IntoRequest<ListTasksRequest>) -> Unary<ListTasks> {
        Unary::new(self, request.into_request(), |_, page| Ok(page))
    }

    /// Asks the agent to stop working on a task.
    pub fn cancel_task(&self, task: impl IntoRequest<CancelTaskRequest>) -> Unary<CancelTask> {
        Unary::new(self, task.into_request(), |_, task| Ok(task))
    }

    /// Streams what happens to a task, beginning with the task as it is.
    ///
    /// [`follow_task`](Self::follow_task) is the same across lost connections.
    pub fn subscribe_to_task(
        &self,
        task: impl IntoRequest<SubscribeToTaskRequest>,
    ) -> Streaming<SubscribeToTask> {
        Streaming::new(self, task.into_request())
    }

    /// All tasks that the request selects, page after page. Tasks that change meanwhile may come
    /// twice or not at all.
    #[must_use = "a stream does nothing until it is polled"]
    pub fn all_tasks(
        &self,
        request: impl IntoRequest<ListTasksRequest>,
    ) -> BoxStream<'static, Result<Task, Error>> {
        let client = self.clone();
        let pages = futures::stream::try_unfold(
            Some(request.into_request()),
            move |request: Option<ListTasksRequest>| {
                let client = client.clone();
                async move {
                    let Some(request) = request else {
                        return Ok(None);
                    };
                    let page = client.list_tasks(request.clone()).await?;
                    let token = page.next_page_token;
                    if !token.is_empty() && token == request.page_token {
                        let message = "the agent sends the same page for ever";
                        return Err(Error::invalid_answer(message));
                    }
                    let next = (!token.is_empty()).then(|| request.with_page_token(token));
                    let tasks = page.tasks.into_iter().map(Ok);
                    Ok(Some((futures::stream::iter(tasks), next)))
                }
            },
        );
        futures::TryStreamExt::try_flatten(pages).boxed()
    }
}

/// Webhooks.
impl Client {
    /// Registers a webhook that is told about every update of a task.
    pub fn create_push_config(
        &self,
        config: impl IntoRequest<TaskPushNotificationConfig>,
    ) -> Unary<CreateTaskPushNotificationConfig> {
        Unary::new(self, config.into_request(), |_, config| Ok(config))
    }

    /// Reads one webhook of a task.
    pub fn get_push_config(
        &self,
        config: impl IntoRequest<GetTaskPushNotificationConfigRequest>,
    ) -> Unary<GetTaskPushNotificationConfig> {
        Unary::new(self, config.into_request(), |_, config| Ok(config))
    }

    /// Lists the webhooks of a task, one page.
    pub fn list_push_configs(
        &self,
        task: impl IntoRequest<ListTaskPushNotificationConfigsRequest>,
    ) -> Unary<ListTaskPushNotificationConfigs> {
        Unary::new(self, task.into_request(), |_, page| Ok(page))
    }

    /// Removes a webhook. Removing one that is not there succeeds.
    pub fn delete_push_config(
        &self,
        config: impl IntoRequest<DeleteTaskPushNotificationConfigRequest>,
    ) -> Unary<DeleteTaskPushNotificationConfig, ()> {
        Unary::new(self, config.into_request(), |_, _| Ok(()))
    }
}

/// The card that the agent shows to those it knows.
impl Client {
    /// Reads it. From then on it is [the card](Self::card) of this client, until
    /// [`refresh_card`](Self::refresh_card) (A2A §3.1.11).
    pub fn get_extended_card(&self) -> Unary<GetExtendedAgentCard> {
        let request = GetExtendedAgentCardRequest::default();
        Unary::new(self, request, |client, card: AgentCard| {
            client.set_session(client.session().with_card(card.clone()));
            Ok(card)
        })
    }
}

impl Client {
    pub(crate) async fn discover(
        config: Config,
        http: reqwest::Client,
        home: Url,
    ) -> Result<Self, Error> {
        let Found { card, url } = find(&config, &http, &home).await?;
        let session = Session::new(&config, &http, card, Some(url), Some(&home))?;
        Ok(Self::of(config, http, Some(home), session))
    }

    pub(crate) fn with_card(
        config: Config,
        http: reqwest::Client,
        card: AgentCard,
    ) -> Result<Self, Error> {
        let session = Session::new(&config, &http, Arc::new(card), None, None)?;
        Ok(Self::of(config, http, None, session))
    }

    fn of(config: Config, http: reqwest::Client, home: Option<Url>, session: Session) -> Self {
        Self(Arc::new(Inner {
            config,
            http,
            home,
            session: RwLock::new(Arc::new(session)),
        }))
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn session(&self) -> Arc<Session> {
        let session = self.0.session.read();
        Arc::clone(&session.unwrap_or_else(PoisonError::into_inner))
    }

    fn set_session(&self, session: Session) {
        let mut present = self
            .0
            .session
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *present = Arc::new(session);
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interface = self.interface();
        f.debug_struct("Client")
            .field("agent", &self.session().card.name)
            .field("binding", &interface.protocol_binding)
            .finish_non_exhaustive()
    }
}

/// Finds the card, with the credentials that may be sent without being asked for.
async fn find(config: &Config, http: &reqwest::Client, home: &Url) -> Result<Found, Error> {
    let mut headers: HeaderMap = config.headers.clone();
    // Some servers choose the form of the card by it.
    let version = a2a_types::Version::V1_0.to_string();
    headers.insert(
        crate::call::name(a2a_types::VERSION_HEADER)?,
        version
            .parse()
            .map_err(|_| Error::new(Failure::Request, "that is no version"))?,
    );
    match config.trusts(home, Some(home)) {
        true => {
            let chosen = choose(&config.providers, None).await?;
            chosen.apply(&mut headers, &mut Vec::new())?;
        }
        false => drop_secrets(&mut headers),
    }
    let discovery = Discovery {
        client: http,
        cache: &config.cache,
        headers,
        timeout: config.timeout,
        at_origin: config.card_at_origin,
    };
    let mut backoff = Backoff::new(config.retry);
    loop {
        let error = match discovery.find(home).await {
            Err(error) if error.failure() == Failure::Transport && is_passing(&error) => error,
            result => return result,
        };
        let Some(delay) = backoff.next(None) else {
            return Err(error);
        };
        tracing::debug!(%error, ?delay, "looking for the card again");
        sleep(delay).await;
    }
}
