//! The engine in the place of the model: does what a schedule says, and tells what can be seen.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a_server::testkit::{self, FaultyStore, OnCancel, Puppet, Run, Runs, StoreCall};
use a2a_server::{AgentError, AnonymousResends, Limits, LocalClient, MemoryTaskStore, Server};
use a2a_types::operations::{CancelTask, SendMessage, SendStreamingMessage, SubscribeToTask};
use a2a_types::store::{Scope, StoreErrorKind, TaskStore};
use a2a_types::{
    A2aError, CancelTaskRequest, Message, SendMessageConfiguration, SendMessageRequest,
    StreamResponse, SubscribeToTaskRequest, Task, Timestamp, send_message_response,
    stream_response,
};
use futures::StreamExt;
use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::model::{Entry, No, QUEUE, text};
use crate::schedule::{Action, End, Hook, Id, Mode, Pass, Step, Store, Word};
use crate::view::{Summary, no, summary, task_id, to_entry, to_task_state};

const CANCEL_GRACE: Duration = Duration::from_secs(50);
const DRAIN: Duration = Duration::from_secs(200);
const RUN_LIMIT: Duration = Duration::from_secs(1000);

/// What a client has got so far.
#[derive(Clone, Debug, Default)]
pub struct Got {
    /// The task of an answer, or at the beginning of a stream.
    pub task: Option<Summary>,
    pub events: Vec<Entry>,
    /// The stream has begun.
    pub open: bool,
    /// It is the answer to a message.
    pub answer: bool,
    /// It began after this event, without the task.
    pub from: Option<u64>,
    /// What it came to.
    pub outcome: Option<Result<(), No>>,
}

/// What can be seen when nothing moves any more.
#[derive(Debug)]
pub struct Seen {
    pub task: Option<Summary>,
    pub events: Option<Vec<Entry>>,
    pub clients: BTreeMap<Id, Got>,
    pub given: Vec<Vec<String>>,
    pub running: bool,
    pub told: Option<bool>,
    pub live: usize,
}

pub struct World {
    server: Server,
    local: LocalClient,
    puppet: Puppet,
    runs: Runs,
    store: FaultyStore,
    inner: Arc<MemoryTaskStore>,
    task_id: Option<String>,
    current: Option<Current>,
    given: Vec<Arc<Mutex<Vec<String>>>>,
    clients: BTreeMap<Id, (Arc<Mutex<Got>>, JoinHandle<()>)>,
    first: Mode,
    shutdowns: Vec<JoinHandle<()>>,
}

/// The newest run.
struct Current {
    run: Option<Run>,
    asker: Option<JoinHandle<()>>,
    token: Option<CancellationToken>,
}

impl World {
    pub fn new(first: Mode) -> Self {
        let (puppet, runs) = testkit::puppet();
        let inner = Arc::new(MemoryTaskStore::new());
        let store = FaultyStore::new(inner.clone());
        let limits = Limits::default()
            .with_request_time(Duration::from_secs(1 << 30))
            .with_auth_wait(Duration::from_secs(1 << 30));
        let server = testkit::server(puppet.clone())
            .task_store(Arc::new(store.clone()))
            .anonymous_resends(AnonymousResends::Recognized)
            .resend_window(Duration::from_secs(1 << 30))
            .waiting_messages(QUEUE)
            .cancel_grace(CANCEL_GRACE)
            .run_limit(RUN_LIMIT)
            .limits(limits)
            .timestamps_from(Timestamp::from_unix_millis(1 << 40))
            .build()
            .unwrap();
        Self {
            local: server.local(),
            server,
            puppet,
            runs,
            store,
            inner,
            task_id: None,
            current: None,
            given: Vec::new(),
            clients: BTreeMap::new(),
            first,
            shutdowns: Vec::new(),
        }
    }

    pub async fn step(&mut self, step: &Step) {
        match step {
            Step::Pass(Pass::Grace) => tokio::time::sleep(CANCEL_GRACE).await,
            Step::Pass(Pass::Limit) => tokio::time::sleep(RUN_LIMIT).await,
            Step::Group(store, actions) => {
                let gate = (*store == Store::Slow).then(|| self.store.hold(StoreCall::Append));
                if *store == Store::Out {
                    self.store.fail_until_restored(StoreErrorKind::Internal);
                }
                for (yields, id, action) in actions {
                    for _ in 0..*yields {
                        tokio::task::yield_now().await;
                    }
                    self.act(*id, *action).await;
                }
                // Time that nobody needs passes only when everybody waits.
                tokio::time::sleep(Duration::from_millis(1)).await;
                drop(gate);
                if *store == Store::Out {
                    self.store.end_outage();
                }
            }
        }
        // Longer than a store that failed is left alone.
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.take_runs();
    }

    fn take_runs(&mut self) {
        while let Some(run) = self.runs.try_next() {
            self.task_id = Some(run.task().id().to_owned());
            let given = Arc::new(Mutex::new(vec![run.request().text()]));
            self.given.push(given);
            self.leave_current();
            self.current = Some(Current {
                run: Some(run),
                asker: None,
                token: None,
            });
        }
    }

    /// An agent whose run was ended by the engine speaks no more.
    fn leave_current(&mut self) {
        if let Some(asker) = self.current.take().and_then(|c| c.asker) {
            asker.abort();
        }
    }

    async fn act(&mut self, id: Id, action: Action) {
        match action {
            Action::Send(mode) => {
                let message = Message::user("first").with_message_id("first");
                let request = self.request(message, self.first);
                self.call(id, mode, request);
            }
            Action::Message(mode) => {
                let message = Message::user(text(id)).with_task_id(self.id());
                let request = self.request(message, mode);
                self.call(id, mode, request);
            }
            Action::Subscribe(from) => self.subscribe(id, from),
            Action::Cancel(hook) => {
                self.puppet.on_cancel(match hook {
                    Hook::Agree => OnCancel::Agree,
                    Hook::Decline => OnCancel::Decline,
                    Hook::Panic => OnCancel::Panic,
                    Hook::Hang => OnCancel::Hang,
                });
                let (local, task_id) = (self.local.clone(), self.id());
                self.client(id, |got| async move {
                    let request = CancelTaskRequest::default().with_id(task_id);
                    let answer = local.call::<CancelTask>(request).await;
                    set_task(&got, answer);
                });
            }
            Action::Leave(id) => {
                let (_, client) = self.clients.remove(&id).unwrap();
                client.abort();
            }
            Action::FailAppend => {
                let kind = StoreErrorKind::Internal;
                self.store.fail_next(StoreCall::Append, kind);
            }
            Action::Shutdown => {
                let server = self.server.clone();
                let shutdown = async move { server.shutdown(DRAIN).await };
                self.shutdowns.push(tokio::spawn(shutdown));
            }
            _ => self.speak(id, action).await,
        }
    }

    fn id(&self) -> String {
        self.task_id.clone().unwrap_or_else(|| "none".to_owned())
    }

    fn request(&self, message: Message, mode: Mode) -> SendMessageRequest {
        let immediately = mode == Mode::Immediate;
        let configuration = SendMessageConfiguration::default();
        SendMessageRequest::new(message)
            .with_configuration(configuration.with_return_immediately(immediately))
    }

    /// Starts a client.
    fn client<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        id: Id,
        client: impl FnOnce(Arc<Mutex<Got>>) -> F,
    ) {
        let got = Arc::new(Mutex::new(Got::default()));
        let running = tokio::spawn(client(Arc::clone(&got)));
        self.clients.insert(id, (got, running));
    }

    fn call(&mut self, id: Id, mode: Mode, request: SendMessageRequest) {
        let (local, inner) = (self.local.clone(), Arc::clone(&self.inner));
        self.client(id, move |got| async move {
            if mode == Mode::Stream {
                got.lock().unwrap().answer = true;
                let stream = local.stream::<SendStreamingMessage>(request).await;
                return follow(stream, got, inner).await;
            }
            let answer = local.call::<SendMessage>(request).await;
            let task = answer.map(|answer| match answer.payload {
                Some(send_message_response::Payload::Task(task)) => task,
                other => panic!("{other:?}"),
            });
            set_task(&got, task);
        });
    }

    fn subscribe(&mut self, id: Id, from: Option<u64>) {
        let (mut local, inner) = (self.local.clone(), Arc::clone(&self.inner));
        if let Some(from) = from {
            let name = HeaderName::from_static("last-event-id");
            local = local.with_header(name, HeaderValue::from(from));
        }
        let request = SubscribeToTaskRequest::default().with_id(self.id());
        self.client(id, move |got| async move {
            got.lock().unwrap().from = from;
            let stream = local.stream::<SubscribeToTask>(request).await;
            follow(stream, got, inner).await;
        });
    }

    async fn speak(&mut self, id: Id, action: Action) {
        let Some(current) = &mut self.current else {
            return;
        };
        let Some(run) = &current.run else { return };
        match action {
            Action::Say(Word::Artifact) => {
                let artifact = run.task().artifact("a").text(format!("s{id}"));
                let _ = artifact.append().send().await;
            }
            Action::Say(Word::Status(state)) => {
                let status = run.task().status(to_task_state(state));
                let _ = status.message(format!("s{id}")).send().await;
            }
            Action::Watch => current.token = Some(run.task().cancellation_token()),
            Action::Ask => {
                let task = run.task().clone();
                let given = Arc::clone(self.given.last().unwrap());
                let asker = async move {
                    if let Ok(request) = task.next_message().await {
                        given.lock().unwrap().push(request.text());
                    }
                };
                current.asker = Some(tokio::spawn(asker));
                // It asks before the agent says anything else.
                tokio::task::yield_now().await;
            }
            Action::StopAsking | Action::End(_) => {
                if let Some(asker) = current.asker.take() {
                    asker.abort();
                    // The future is dropped before anything else is done by this agent.
                    let _ = asker.await;
                }
                if let Action::End(end) = action
                    && let Some(run) = current.run.take()
                {
                    match end {
                        End::Ok => run.finish(),
                        End::Error => run.fail(AgentError::new("as told")),
                        End::Panic => run.panic(),
                    }
                }
            }
            other => unreachable!("{other:?}"),
        }
    }

    /// What can be seen now.
    pub async fn look(&mut self) -> Seen {
        let stored = match &self.task_id {
            Some(id) => self.inner.load(&Scope::__system(), id).await.unwrap(),
            None => None,
        };
        let (mut events, mut known) = (Vec::new(), true);
        if let Some(stored) = &stored {
            let (scope, id) = (Scope::__system(), &stored.task.id);
            let log = self.inner.events(&scope, id, 0, usize::MAX);
            // What nobody has ever followed is forgotten when it ends.
            let log = log.await.unwrap();
            known = log.is_some();
            for (entry, sequence) in log.unwrap_or_default().iter().zip(1..) {
                assert_eq!(entry.sequence(), sequence);
                let event = entry.event().to_stream_response().unwrap();
                events.push(to_entry(event).unwrap_or_else(|| panic!("{entry:?}")));
            }
            let times = stored.task.status.as_ref().unwrap().timestamp;
            assert!(times.is_some());
        }
        let clients = self.clients.iter();
        let clients = clients.map(|(id, (got, _))| (*id, got.lock().unwrap().clone()));
        let given = self.given.iter().map(|given| given.lock().unwrap().clone());
        let current = self.current.as_ref();
        let running = current.is_some_and(|c| c.run.as_ref().is_some_and(|r| !r.is_stopped()));
        let token = current.and_then(|c| c.token.as_ref());
        Seen {
            task: stored.map(|stored| summary(&stored.task)),
            events: known.then_some(events),
            clients: clients.collect(),
            given: given.collect(),
            running,
            told: token.map(CancellationToken::is_cancelled),
            live: self.server.live_tasks(),
        }
    }

    /// Stops the server and checks that nothing is left.
    pub async fn finish(mut self) -> Result<(), String> {
        self.store.restore();
        if self.server.live_tasks() == 0 {
            // What is left is an agent after its last word.
            self.leave_current();
        }
        self.server.shutdown(DRAIN).await;
        // Agents go on until they look up.
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.take_runs();
        if self.server.live_tasks() > 0 {
            return Err("a task is left after the shutdown".to_owned());
        }
        if let Some(run) = self.current.as_ref().and_then(|c| c.run.as_ref())
            && !run.is_stopped()
        {
            return Err("a run is left after the shutdown".to_owned());
        }
        for (id, (got, client)) in std::mem::take(&mut self.clients) {
            if !client.is_finished() {
                return Err(format!(
                    "client #{id} still waits: {:?}",
                    got.lock().unwrap()
                ));
            }
            client
                .await
                .map_err(|error| format!("client #{id}: {error}"))?;
        }
        self.leave_current();
        drop(self);
        // The clock of the calls looks up once a minute.
        tokio::time::sleep(Duration::from_secs(120)).await;
        match tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
        {
            0 => Ok(()),
            left => Err(format!("{left} Tokio tasks are left")),
        }
    }
}

fn set_task(got: &Mutex<Got>, answer: Result<Task, A2aError>) {
    let mut got = got.lock().unwrap();
    match answer {
        Ok(task) => {
            got.task = Some(summary(&task));
            got.outcome = Some(Ok(()));
        }
        Err(error) => got.outcome = Some(Err(no(&error))),
    }
}

type Stream = BoxStream<'static, Result<StreamResponse, A2aError>>;

/// Reads a stream, and checks that what it shows is stored.
async fn follow(
    stream: Result<Stream, A2aError>,
    got: Arc<Mutex<Got>>,
    inner: Arc<MemoryTaskStore>,
) {
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => {
            got.lock().unwrap().outcome = Some(Err(no(&error)));
            return;
        }
    };
    got.lock().unwrap().open = true;
    while let Some(item) = stream.next().await {
        let event = match item {
            Ok(event) => event,
            Err(error) => {
                got.lock().unwrap().outcome = Some(Err(no(&error)));
                return;
            }
        };
        match event.payload {
            Some(stream_response::Payload::Task(task)) => {
                let mut got = got.lock().unwrap();
                assert!(
                    got.task.is_none() && got.events.is_empty(),
                    "a task in between"
                );
                got.task = Some(summary(&task));
            }
            _ => {
                let id = task_id(&event);
                let entry = to_entry(event.clone()).unwrap();
                let scope = Scope::__system();
                let log = inner.events(&scope, &id, 0, usize::MAX).await;
                // A log that is forgotten was stored to its end.
                if let Some(log) = log.unwrap() {
                    let mut stored = log.iter().map(|e| e.event().to_stream_response().unwrap());
                    let stored = stored.any(|stored| stored == event);
                    assert!(stored, "seen before it is stored");
                }
                got.lock().unwrap().events.push(entry);
            }
        }
    }
    got.lock().unwrap().outcome = Some(Ok(()));
}
