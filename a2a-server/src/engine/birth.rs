use std::sync::Arc;

use a2a_types::store::{Created, Due, IdempotencyKey, NewTask, Owner};
use a2a_types::{A2aError, ErrorKind, Message, Role, Task, TaskPushNotificationConfig};
use futures::poll;
use tokio::sync::oneshot;
use tracing::Instrument;

use super::actor::Actor;
use super::rules::Ledger;
use super::run::Run;
use super::sends::Turn;
use super::{Lease, Shared, Snapshot, steps, store_error};
use crate::agent::{AgentError, Answer, Emission, Request};

/// Everything that is needed to begin something new.
pub(crate) struct Start {
    pub(crate) owner: Owner,
    /// The task as it will be stored if there is to be one.
    pub(crate) task: Arc<Task>,
    pub(crate) request: Request,
    pub(crate) idempotency: Option<IdempotencyKey>,
    pub(crate) webhook: Option<Box<TaskPushNotificationConfig>>,
    pub(crate) snapshot: Snapshot,
}

/// What has begun.
pub(crate) enum Started {
    /// A task, and what it was when it was stored or what it has come to, whichever was asked for.
    /// Whoever gets no task finds it in the store.
    Task {
        lease: Lease,
        task: Option<Arc<Task>>,
    },
    /// Nothing: the send was one that had made this task already.
    Existing(String),
    /// Nothing: the agent has answered with a message.
    Message(Box<Message>),
}

type Reply = oneshot::Sender<Result<Started, A2aError>>;

/// The word to whoever began a task that it is there.
pub(super) struct Announcement {
    reply: Reply,
    lease: Lease,
}

impl Announcement {
    pub(super) fn send(self, outcome: Result<Option<Arc<Task>>, A2aError>) {
        let Self { reply, lease } = self;
        // A caller that has left needs no word.
        let _ = reply.send(outcome.map(|task| Started::Task { lease, task }));
    }
}

/// Begins in a task of its own, which becomes the actor when there is a task. So a caller that
/// leaves at any moment leaves nothing half done.
///
/// What is over before it waits for anything needs no task: a caller that waits for the end goes
/// as far as that itself, when the agent is known to be quick.
pub(super) async fn begin(shared: Arc<Shared>, answer: Answer, start: Box<Start>, reply: Reply) {
    let in_place = start.snapshot == Snapshot::Unwanted && shared.steps.are_for_callers();
    let tracker = shared.tracker.clone();
    let begin = async move {
        match answer {
            Answer::Task => begin_task(shared, start, None, reply).await,
            Answer::Message | Answer::Either => {
                Box::pin(begin_open(shared, answer, start, reply)).await;
            }
        }
    };
    // Boxed: the runtime moves what it is given several times.
    let mut begin = Box::pin(tracker.track_future(begin.in_current_span()));
    if !in_place || poll!(&mut begin).is_pending() {
        tokio::spawn(begin);
    }
}

/// An agent that has begun a task before there was one.
struct Running {
    run: Run,
    said: Emission,
    /// Ends when the task is stored: then repeated sends find it.
    turn: Option<Turn>,
}

/// Stores the task, then runs the agent, unless it runs already.
async fn begin_task(
    shared: Arc<Shared>,
    start: Box<Start>,
    running: Option<Box<Running>>,
    reply: Reply,
) {
    let Start {
        owner,
        task,
        request,
        idempotency,
        webhook,
        snapshot,
    } = *start;
    let mut new = NewTask::new(Arc::clone(&task));
    if let (Some(webhooks), Some(config)) = (&shared.webhooks, webhook.clone()) {
        match Box::pin(webhooks.register((owner.clone(), *config))).await {
            Ok(webhook) => new.webhooks = webhooks.born(&webhook),
            Err(error) => {
                let _ = reply.send(Err(error));
                return;
            }
        }
    }
    new.idempotency = idempotency;
    if !new.webhooks.is_empty() {
        new.trace.clone_from(&request.context().trace);
    }
    // Before anybody can find the task in the store: whoever finds it there alone takes it for one
    // whose run was lost.
    let ledger = Ledger::of(&task, 0, 0, &shared.settings);
    let claim = match shared.claim(&task.id).await {
        Ok(claim) => claim,
        Err(error) => {
            let _ = reply.send(Err(error));
            return;
        }
    };
    let (mut actor, lease) = Actor::new(&shared, owner.clone(), ledger, claim);
    if snapshot == Snapshot::Unwanted && new.webhooks.is_empty() && !actor.is_shared() {
        // The task is told of when it has been settled.
        new.due = Due::FirstAppend;
    }
    match shared.store.create(&owner, new).await {
        Ok(Created::New) => {}
        other => {
            if let (Some(webhooks), Some(_)) = (&shared.webhooks, &webhook) {
                // Nothing will ever be sent to it.
                let _ = webhooks.configs.delete_task(&task.id).await;
            }
            if let Some(mut running) = running {
                let run = &mut running.run;
                run.refuse(AgentError::task_ended());
                run.abort();
            }
            let _ = reply.send(match other {
                Ok(Created::Existing(id)) => Ok(Started::Existing(id)),
                Ok(Created::New) => Err(A2aError::internal("unreachable")),
                Err(error) => Err(store_error(error)),
            });
            return;
        }
    }
    actor.listeners.answer_to(&request);
    if webhook.is_some() {
        actor.refresh_listeners().await;
        actor.notify_snapshot(&task).await;
    }
    let announcement = Announcement { reply, lease };
    match snapshot {
        Snapshot::Wanted => {
            // To read on from here.
            actor.live.follow();
            announcement.send(Ok(Some(task)));
        }
        // The answer is the settled task: until then nobody has to be woken.
        Snapshot::Unwanted => {
            drop(task);
            actor.announce_later(announcement);
        }
    }
    let (actor, heard) = match running {
        Some(running) => {
            let Running { run, said, turn } = *running;
            drop(turn);
            actor.start(run);
            (Some(actor), vec![said])
        }
        // Its caller waits for the end, so that nobody else has to run meanwhile.
        None if snapshot == Snapshot::Unwanted && shared.threads.are_shared() => {
            let (run, code) = Run::new(&shared, request);
            actor.start(run);
            (steps::first(actor, code).await, Vec::new())
        }
        None => {
            actor.start(Run::spawn(&shared, request));
            (Some(actor), Vec::new())
        }
    };
    if let Some(actor) = actor {
        Box::pin(actor.work(heard)).await;
    }
}

/// Runs the agent and waits for its first word, unless an earlier send has made the task.
async fn begin_open(shared: Arc<Shared>, answer: Answer, start: Box<Start>, reply: Reply) {
    let mut turn = None;
    if let (Answer::Either, Some(key)) = (answer, &start.idempotency) {
        turn = Some(shared.sends.turn(&start.owner, key).await);
        let outcome = match shared.store.resent(&start.owner, key).await {
            Ok(None) => None,
            Ok(Some(id)) => Some(Ok(Started::Existing(id))),
            Err(error) => Some(Err(store_error(error))),
        };
        if let Some(outcome) = outcome {
            let _ = reply.send(outcome);
            return;
        }
    }
    let mut run = Run::spawn(&shared, start.request.clone());
    match first_word(&mut run).await {
        Ok(Emission::Reply(message)) => {
            run.refuse(AgentError::invalid_response("the answer has been given"));
            let message = complete(message, start.request.context_id());
            let _ = reply.send(Ok(Started::Message(message)));
        }
        Ok(said) if answer == Answer::Either => {
            let running = Box::new(Running { run, said, turn });
            begin_task(shared, start, Some(running), reply).await;
        }
        Ok(_) => {
            run.refuse(AgentError::invalid_response(
                "a message was announced, not a task",
            ));
            let _ = reply.send(Err(invalid("the agent began a task instead of a message")));
        }
        Err(error) => {
            let _ = reply.send(Err(error));
        }
    }
}

/// The first thing the agent says.
async fn first_word(run: &mut Run) -> Result<Emission, A2aError> {
    let mut heard = Vec::new();
    while run.words.next(&mut heard, 1).await > 0
        && let Some(emission) = heard.pop()
    {
        match emission {
            said @ (Emission::Reply(_) | Emission::Update(..)) => return Ok(said),
            // There is no task that a next message could belong to.
            Emission::Next(_) | Emission::Done(Ok(())) => {}
            Emission::Done(Err(error)) => {
                tracing::error!(%error, ?error, "the agent failed");
                return Err(A2aError::new(ErrorKind::Internal, error.public_text())
                    .with_source(error.to_string()));
            }
        }
    }
    Err(invalid("the agent gave no answer"))
}

fn invalid(what: &str) -> A2aError {
    A2aError::invalid_agent_response(what)
}

/// A direct message speaks as the agent, in the conversation of the request.
fn complete(mut message: Box<Message>, context_id: &str) -> Box<Message> {
    message.context_id = context_id.to_owned();
    message.task_id.clear();
    message.set_role(Role::Agent);
    if message.message_id.is_empty() {
        message.message_id = uuid::Uuid::new_v4().to_string();
    }
    message
}
