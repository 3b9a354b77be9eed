//! Following a task to its end, across lost connections and with peers that cannot stream.

use std::future::IntoFuture;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use a2a_types::operations::GetTask;
use a2a_types::reducer::Fold;
use a2a_types::stream_response::Payload;
use a2a_types::{ErrorKind, Message, SendMessageRequest, StreamResponse, Task, TaskState};
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt as _};
use http::HeaderValue;
use tokio::time::{Instant, sleep};

use crate::call::Options;
use crate::retry::Backoff;
use crate::{Client, Error, EventStream, Failure, IntoRequest, Reply, RetryPolicy, Unary};

/// How often in a row a connection may be lost, or not come about, before following ends.
const MAX_FAILURES: u32 = 10;
/// The first pause between two looks at a task that cannot be streamed; each is half as long again.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

impl Client {
    /// Sends a message and follows its task to its end, or until the agent waits for input.
    ///
    /// Nothing is sent before the stream is polled. If the connection is lost before the agent has
    /// named the task, the stream ends with the error: sending again could begin a second task.
    pub fn send_and_follow(&self, message: impl IntoRequest<SendMessageRequest>) -> Follow {
        let phase = Phase::Send(Box::new(message.into_request()));
        Follow::new(State::new(self, phase, Kind::Send, None))
    }

    /// Follows a task to its end, beginning with the task as it is. One that has ended already is
    /// its only event.
    pub fn follow_task(&self, task_id: impl Into<String>) -> Follow {
        let id = Some(task_id.into());
        Follow::new(State::new(self, Phase::Subscribe, Kind::Task, id))
    }

    /// Sends a message and waits until its task has ended or is interrupted: it waits for input, or
    /// for an authorization. Works with agents that answer at once and with those that cannot
    /// stream, whose task is then read again and again.
    ///
    /// There is no limit to the time; see `tokio::time::timeout`.
    pub fn send_and_wait(&self, message: impl IntoRequest<SendMessageRequest>) -> SendAndWait {
        SendAndWait {
            client: self.clone(),
            request: message.into_request(),
            options: Options::default(),
        }
    }
}

/// A message whose task is waited for: await it. Nothing is sent before. What is set here holds for
/// each of the calls that are made.
#[must_use = "a message is sent when this is awaited"]
pub struct SendAndWait {
    client: Client,
    request: SendMessageRequest,
    pub(crate) options: Options,
}

impl SendAndWait {
    async fn run(self) -> Result<Reply, Error> {
        let Self {
            client,
            request,
            options,
        } = self;
        let card = client.card();
        let streams = card.capabilities.as_ref().and_then(|c| c.streaming);
        if streams == Some(true) {
            let follow = client.send_and_follow(request.clone());
            match follow.with_options(options.clone()).wait().await {
                // The card was wrong, and the message was not taken.
                Err(error) if is_unsupported(&error) => {}
                result => return result,
            }
        }
        let call = client.send_message(request).with_options(options.clone());
        let task = match call.await? {
            Reply::Task(task) if !is_settled(task.state()) => task,
            reply => return Ok(reply),
        };
        let follow = client.follow_task(task.id).with_options(options);
        follow.wait().await
    }
}

impl IntoFuture for SendAndWait {
    type Output = Result<Reply, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// What happens to a task, however many connections it takes. A stream of events that knows what
/// they add up to.
///
/// After a lost connection the peer is asked to go on behind the last event; one that cannot do so
/// begins with the task as it is, which is then the next event. The stream ends with `None` when
/// the task has ended or waits for input; with an error when ten attempts in a row have failed, or
/// the peer could not be reached for the idle timeout. Dropping it leaves the task alone.
///
/// What is set on it before it is polled holds for each of the calls that are made.
#[must_use = "nothing is followed until the stream is polled"]
pub struct Follow {
    /// Until the first poll.
    state: Option<Box<State>>,
    pub(crate) options: Options,
    events: BoxStream<'static, Result<StreamResponse, Error>>,
    fold: Fold,
}

impl Follow {
    fn new(state: State) -> Self {
        Self {
            state: Some(Box::new(state)),
            options: Options::default(),
            events: futures::stream::empty().boxed(),
            fold: Fold::default(),
        }
    }

    /// Sets how long a stream may be without any byte before it counts as lost, and after that how
    /// long the peer may not be reached before following ends.
    pub fn with_idle_timeout(mut self, timeout: Duration) -> Self {
        self.options.idle_timeout = Some(timeout);
        self
    }

    /// The task as far as it is known.
    #[must_use]
    pub fn task(&self) -> Option<&Task> {
        self.fold.task()
    }

    /// The direct message that the agent answered instead of a task.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        self.fold.message()
    }

    /// Reads on to the end.
    ///
    /// # Errors
    ///
    /// The first error of the stream.
    pub async fn finish(mut self) -> Result<Reply, Error> {
        while let Some(event) = self.next().await {
            event?;
        }
        self.into_reply()
    }

    /// Reads on until the task is settled.
    async fn wait(mut self) -> Result<Reply, Error> {
        while let Some(event) = self.next().await {
            event?;
            if self.task().is_some_and(|task| is_settled(task.state())) {
                break;
            }
        }
        self.into_reply()
    }

    fn into_reply(self) -> Result<Reply, Error> {
        match self.fold.into_parts() {
            (_, Some(message)) => Ok(Reply::Message(message)),
            (Some(task), None) => Ok(Reply::Task(task)),
            (None, None) => Err(Error::cut(None, None)),
        }
    }
}

impl Stream for Follow {
    type Item = Result<StreamResponse, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(mut state) = this.state.take() {
            state.options = this.options.clone();
            this.events = futures::stream::unfold(*state, State::next).boxed();
        }
        let event = this.events.poll_next_unpin(cx);
        if let Poll::Ready(Some(Ok(event))) = &event {
            this.fold.push(event);
        }
        event
    }
}

impl std::fmt::Debug for Follow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let task = self.task();
        f.debug_struct("Follow")
            .field("task_id", &task.map(|task| &task.id))
            .field("state", &task.map(Task::state))
            .finish_non_exhaustive()
    }
}

struct State {
    client: Client,
    options: Options,
    phase: Phase,
    kind: Kind,
    task_id: Option<String>,
    last_event_id: Option<String>,
    last_state: Option<TaskState>,
    /// The task as it was when it was read last.
    last_read: Option<Task>,
    failures: Backoff,
    /// When the present connection began.
    connected: Instant,
    /// Since when nothing has been heard.
    lost: Option<Instant>,
    pause: Duration,
    /// Whether events may be missing, so that the task must be read at its end.
    gap: bool,
}

/// A send is over at INPUT_REQUIRED, a subscription is not: another message may continue the task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Send,
    Task,
}

enum Phase {
    Send(Box<SendMessageRequest>),
    Subscribe,
    /// The first event of a subscription has not come yet.
    Begin(EventStream),
    Stream(EventStream),
    /// The task cannot be streamed.
    Read,
    /// The task has ended; what is missing of it is still to be read.
    Complete,
    Over,
}

type Step = (Option<Result<StreamResponse, Error>>, Phase);

impl State {
    fn new(client: &Client, phase: Phase, kind: Kind, task_id: Option<String>) -> Self {
        let policy = RetryPolicy {
            max_attempts: MAX_FAILURES,
            ..client.config().retry
        };
        Self {
            client: client.clone(),
            options: Options::default(),
            phase,
            kind,
            task_id,
            last_event_id: None,
            last_state: None,
            last_read: None,
            failures: Backoff::new(policy),
            connected: Instant::now(),
            lost: None,
            pause: FIRST_PAUSE,
            gap: false,
        }
    }

    async fn next(mut self) -> Option<(Result<StreamResponse, Error>, Self)> {
        loop {
            let phase = std::mem::replace(&mut self.phase, Phase::Over);
            let (event, phase) = match phase {
                Phase::Send(request) => {
                    let call = self.client.stream_message(*request);
                    match call.with_options(self.options.clone()).await {
                        Ok(stream) => (None, Phase::Stream(stream)),
                        Err(error) => (Some(Err(error)), Phase::Over),
                    }
                }
                Phase::Subscribe => self.subscribe().await,
                Phase::Begin(stream) => self.begin(stream).await,
                Phase::Stream(mut stream) => {
                    let event = stream.next().await;
                    self.step(event, stream).await
                }
                Phase::Read => self.read().await,
                Phase::Complete => {
                    let task = self.get().await;
                    (Some(task.map(Into::into)), Phase::Over)
                }
                Phase::Over => return None,
            };
            self.phase = phase;
            if let Some(event) = event {
                return Some((event, self));
            }
        }
    }

    fn id(&self) -> String {
        self.task_id.clone().unwrap_or_default()
    }

    /// How long nothing may be heard of the task while its peer cannot be reached.
    fn patience(&self) -> Duration {
        let configured = self.client.config().idle_timeout;
        self.options.idle_timeout.unwrap_or(configured)
    }

    fn get(&self) -> Unary<GetTask> {
        let call = self.client.get_task(self.id());
        call.with_options(self.options.clone())
    }

    async fn subscribe(&mut self) -> Step {
        let call = self.client.subscribe_to_task(self.id());
        let mut call = call.with_options(self.options.clone());
        if let Some(lost) = self.lost {
            call = call.with_timeout(self.patience().saturating_sub(lost.elapsed()));
        }
        if let Some(id) = &self.last_event_id {
            call = call.with_last_event_id(id);
        }
        match call.await {
            Ok(stream) => {
                self.connected = Instant::now();
                (None, Phase::Begin(stream))
            }
            // It has ended meanwhile, or the agent does not stream. Reading it tells.
            Err(error) if is_unsupported(&error) || is_unknown(&error) => (None, Phase::Read),
            Err(error) => self.retry(error, Phase::Subscribe).await,
        }
    }

    async fn begin(&mut self, mut stream: EventStream) -> Step {
        let before = self.last_event_id.clone();
        let event = stream.next().await;
        if let Some(Ok(event)) = &event
            && !matches!(event.payload, Some(Payload::Task(_)))
        {
            if before.is_none() {
                // The peer should have begun with the task.
                self.gap = true;
            } else if before.as_deref() == stream.last_event_id() {
                return (None, Phase::Stream(stream));
            }
        }
        self.step(event, stream).await
    }

    /// Takes what a stream has yielded.
    async fn step(
        &mut self,
        event: Option<Result<StreamResponse, Error>>,
        stream: EventStream,
    ) -> Step {
        match event {
            Some(Ok(event)) => {
                self.lost = None;
                let snapshot = matches!(event.payload, Some(Payload::Task(_)));
                // A peer that says the same each time and hangs up makes no progress.
                if !snapshot || stream.last_state() != self.last_state {
                    self.failures.reset();
                    self.pause = FIRST_PAUSE;
                }
                self.task_id = stream.task_id().map(str::to_owned).or(self.task_id.take());
                self.last_state = stream.last_state().or(self.last_state);
                let id = stream.last_event_id();
                // One that cannot be sent back is none.
                let id = id.filter(|id| HeaderValue::try_from(*id).is_ok());
                let id = id.map(str::to_owned);
                self.last_event_id = id.or(self.last_event_id.take());
                // The stream may be a subscription by now, which stays open.
                let next = match stream.awaits_input() && self.kind == Kind::Send {
                    true => Phase::Over,
                    false => Phase::Stream(stream),
                };
                (Some(Ok(event)), next)
            }
            Some(Err(error)) => {
                // Connections that last are lost to somebody's limit, however quiet they were.
                if self.connected.elapsed() >= self.longest_pause() {
                    self.failures.reset();
                }
                self.retry(error, Phase::Subscribe).await
            }
            None if self.last_state == Some(TaskState::AuthRequired) => {
                self.pause().await;
                (None, Phase::Subscribe)
            }
            None if self.gap => (None, Phase::Complete),
            None => (None, Phase::Over),
        }
    }

    /// Tries again after an error, if that can help.
    async fn retry(&mut self, error: Error, phase: Phase) -> Step {
        let passing = match error.failure() {
            Failure::Cut | Failure::Timeout | Failure::Transport => true,
            Failure::Protocol => error.kind().is_some_and(ErrorKind::is_retryable),
            _ => false,
        };
        if !passing || self.task_id.is_none() {
            return (Some(Err(error)), Phase::Over);
        }
        let lost = *self.lost.get_or_insert_with(Instant::now);
        let delay = self.failures.next(error.retry_after());
        let Some(delay) = delay.filter(|delay| lost.elapsed() + *delay < self.patience()) else {
            return (Some(Err(error)), Phase::Over);
        };
        tracing::debug!(%error, ?delay, "connecting to the task again");
        sleep(delay).await;
        (None, phase)
    }

    /// Looks at a task that cannot be streamed.
    async fn read(&mut self) -> Step {
        let task = match self.get().await {
            Ok(task) => task,
            Err(error) => return self.retry(error, Phase::Read).await,
        };
        self.failures.reset();
        self.lost = None;
        let state = task.state();
        let over = state.is_terminal() || state == TaskState::InputRequired;
        let news = self.last_read.as_ref() != Some(&task);
        self.last_state = Some(state);
        if !news && !over {
            self.pause().await;
            return (None, Phase::Read);
        }
        self.pause = FIRST_PAUSE;
        self.last_read = Some(task.clone());
        let next = if over { Phase::Over } else { Phase::Read };
        (Some(Ok(task.into())), next)
    }

    async fn pause(&mut self) {
        sleep(self.pause).await;
        self.pause = (self.pause * 3 / 2).min(self.longest_pause());
    }

    fn longest_pause(&self) -> Duration {
        self.client.config().retry.max_delay.max(FIRST_PAUSE)
    }
}

/// Whether there is nothing to wait for.
fn is_settled(state: TaskState) -> bool {
    state.is_terminal() || state.is_interrupted()
}

/// Whether the peer, or its card, has refused the operation and done nothing.
fn is_unsupported(error: &Error) -> bool {
    matches!(error.failure(), Failure::Protocol | Failure::Request)
        && matches!(
            error.kind(),
            Some(
                ErrorKind::UnsupportedOperation
                    | ErrorKind::MethodNotFound
                    | ErrorKind::MethodNotAllowed
            )
        )
}

fn is_unknown(error: &Error) -> bool {
    error.kind() == Some(ErrorKind::TaskNotFound)
}
