use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use a2a_types::A2aError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::agent::{Agent, AgentError, Answer, CancelRequest, Request, TaskHandle};

/// An agent that does, step by step, what a test tells it, and where its runs arrive.
///
/// ```
/// use a2a_server::testkit;
/// use a2a_types::{Message, TaskState, send_message_response::Payload};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (agent, mut runs) = testkit::puppet();
/// let client = testkit::local(agent);
/// let call = tokio::spawn(async move { client.send(Message::user("hi")).await });
///
/// let run = runs.next().await;
/// assert_eq!(run.request().text(), "hi");
/// run.task().artifact("a").text("hello").send().await.unwrap();
/// run.panic();
///
/// let Some(Payload::Task(task)) = call.await??.payload else { unreachable!() };
/// assert_eq!(task.state(), TaskState::Failed);
/// assert_eq!(task.artifacts[0].text(), "hello");
/// # Ok(())
/// # }
/// ```
pub fn puppet() -> (Puppet, Runs) {
    let (begun, runs) = unbounded_channel();
    let puppet = Puppet {
        begun,
        manner: Arc::default(),
    };
    (puppet, Runs(runs))
}

/// The agent that [`puppet`] makes. Clones are the same agent.
#[derive(Clone)]
pub struct Puppet {
    begun: UnboundedSender<Run>,
    manner: Arc<Mutex<Manner>>,
}

#[derive(Default)]
struct Manner {
    answer: Answer,
    refusal: Option<A2aError>,
    on_cancel: OnCancel,
    canceled: Vec<CancelRequest>,
}

/// What a [`Puppet`] says when a client wants to cancel its task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnCancel {
    /// It agrees. The default.
    #[default]
    Agree,
    /// It declines.
    Decline,
    /// It panics.
    Panic,
    /// It says nothing for as long as it is waited for.
    Hang,
}

impl Puppet {
    /// How messages that begin something are answered from now on. Default: with a task.
    pub fn answer_with(&self, answer: Answer) {
        self.manner().answer = answer;
    }

    /// Refuses all messages from now on; `None` takes them again.
    pub fn refuse(&self, refusal: Option<A2aError>) {
        self.manner().refusal = refusal;
    }

    /// What is said to cancellations from now on.
    pub fn on_cancel(&self, on_cancel: OnCancel) {
        self.manner().on_cancel = on_cancel;
    }

    /// The cancellations that the agent was asked about, oldest first.
    pub fn cancellations(&self) -> Vec<CancelRequest> {
        self.manner().canceled.clone()
    }

    fn manner(&self) -> MutexGuard<'_, Manner> {
        self.manner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Agent for Puppet {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        let (orders, mut given) = unbounded_channel();
        let run = Run {
            request,
            task,
            orders,
        };
        if self.begun.send(run).is_err() {
            return Err(AgentError::new("the test takes no more runs"));
        }
        loop {
            match given.recv().await {
                Some(Order::Block(until)) => {
                    // Ends when the other side is dropped.
                    let _ = until.recv();
                }
                Some(Order::Return(result)) => return result,
                Some(Order::Panic) => panic_as_told(),
                None => return Ok(()),
            }
        }
    }

    async fn admit(&self, _: &Request) -> Result<Answer, A2aError> {
        let manner = self.manner();
        manner.refusal.clone().map_or(Ok(manner.answer), Err)
    }

    async fn cancel(&self, request: CancelRequest) -> Result<(), AgentError> {
        let on_cancel = {
            let mut manner = self.manner();
            manner.canceled.push(request);
            manner.on_cancel
        };
        match on_cancel {
            OnCancel::Agree => Ok(()),
            OnCancel::Decline => Err(AgentError::not_cancelable()),
            OnCancel::Panic => panic_as_told(),
            OnCancel::Hang => std::future::pending().await,
        }
    }
}

/// Without a word of the panic hook: it is no surprise.
fn panic_as_told() -> ! {
    std::panic::resume_unwind(Box::new("the agent was told to panic"))
}

/// The runs of a [`Puppet`], in the order in which they begin.
#[derive(Debug)]
pub struct Runs(UnboundedReceiver<Run>);

impl Runs {
    /// Waits for the next run to begin.
    ///
    /// # Panics
    ///
    /// When the agent is gone, and its server with it.
    #[expect(clippy::expect_used, reason = "a test that cannot go on")]
    pub async fn next(&mut self) -> Run {
        self.0.recv().await.expect("the agent is gone")
    }

    /// The next run, if it has begun already.
    pub fn try_next(&mut self) -> Option<Run> {
        self.0.try_recv().ok()
    }
}

/// One run of a [`Puppet`]. Its code waits for orders; when this is dropped it returns `Ok`.
#[must_use = "a run that is dropped is over"]
pub struct Run {
    request: Request,
    task: TaskHandle,
    orders: UnboundedSender<Order>,
}

enum Order {
    Block(std::sync::mpsc::Receiver<()>),
    Return(Result<(), AgentError>),
    Panic,
}

/// Blocks a thread until it is dropped; see [`Run::block`].
#[derive(Debug)]
#[must_use = "a thread whose block is dropped goes on"]
pub struct Blocked {
    _until: std::sync::mpsc::Sender<()>,
}

impl Run {
    /// The message that the run began with.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What the agent speaks, listens and looks for cancellation through.
    pub fn task(&self) -> &TaskHandle {
        &self.task
    }

    /// Returns `Ok` and drops the handle.
    pub fn finish(self) {
        self.order(Order::Return(Ok(())));
    }

    /// Returns an error and drops the handle.
    pub fn fail(self, error: AgentError) {
        self.order(Order::Return(Err(error)));
    }

    /// Panics, and drops the handle.
    pub fn panic(self) {
        self.order(Order::Panic);
    }

    /// Returns `Ok` but leaves the handle to somebody: the run goes on until that is dropped.
    pub fn leave(self) -> TaskHandle {
        self.order(Order::Return(Ok(())));
        self.task
    }

    /// Blocks the thread that the agent's code runs on. Needs a runtime with a thread to spare, or
    /// [`ServerBuilder::agent_threads`](crate::ServerBuilder::agent_threads).
    pub fn block(&self) -> Blocked {
        let (sender, until) = std::sync::mpsc::channel();
        self.order(Order::Block(until));
        Blocked { _until: sender }
    }

    /// Waits until the agent's code is there no more: it has returned, or it was stopped.
    pub async fn stopped(&self) {
        self.orders.closed().await;
    }

    /// Whether the agent's code is there no more.
    pub fn is_stopped(&self) -> bool {
        self.orders.is_closed()
    }

    /// To code that was stopped no order matters.
    fn order(&self, order: Order) {
        let _ = self.orders.send(order);
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Puppet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Puppet").finish_non_exhaustive()
    }
}
