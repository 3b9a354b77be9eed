use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use a2a_server::{Agent, AgentError, Answer, CancelRequest, Request, TaskHandle};
use a2a_types::A2aError;

type Run = Pin<Box<dyn Future<Output = Result<(), AgentError>> + Send>>;

/// What an agent does, given by the test.
pub type Script = Arc<dyn Fn(Request, TaskHandle) -> Run + Send + Sync>;

/// An agent that runs a script, answers as told, and remembers what it was asked.
#[derive(Clone)]
pub struct Scripted {
    script: Script,
    answer: Answer,
    refuse: Option<A2aError>,
    decline_cancel: bool,
    /// The requests that reached `execute`.
    pub seen: Arc<Mutex<Vec<Request>>>,
    /// The cancellations that reached `cancel`.
    pub canceled: Arc<Mutex<Vec<CancelRequest>>>,
}

/// An agent with this script.
pub fn scripted<F, T>(script: F) -> Scripted
where
    F: Fn(Request, TaskHandle) -> T + Send + Sync + 'static,
    T: Future<Output = Result<(), AgentError>> + Send + 'static,
{
    Scripted {
        script: Arc::new(move |request, task| Box::pin(script(request, task))),
        answer: Answer::Task,
        refuse: None,
        decline_cancel: false,
        seen: Arc::default(),
        canceled: Arc::default(),
    }
}

impl Scripted {
    /// Repeats what it hears: WORKING, artifact `echo`, COMPLETED.
    pub fn echo() -> Self {
        scripted(|request, task| async move {
            task.working().await?;
            task.artifact("echo").text(request.text()).send().await?;
            task.complete().await
        })
    }

    pub fn answering(self, answer: Answer) -> Self {
        Self { answer, ..self }
    }

    /// Refuses every message before it runs.
    pub fn refusing(self, error: A2aError) -> Self {
        Self {
            refuse: Some(error),
            ..self
        }
    }

    pub fn declining_cancel(self) -> Self {
        Self {
            decline_cancel: true,
            ..self
        }
    }

    /// How often the agent has run.
    pub fn runs(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

impl Agent for Scripted {
    async fn execute(&self, request: Request, task: TaskHandle) -> Result<(), AgentError> {
        self.seen.lock().unwrap().push(request.clone());
        (self.script)(request, task).await
    }

    async fn admit(&self, _: &Request) -> Result<Answer, A2aError> {
        match &self.refuse {
            Some(error) => Err(error.clone()),
            None => Ok(self.answer),
        }
    }

    async fn cancel(&self, request: CancelRequest) -> Result<(), AgentError> {
        self.canceled.lock().unwrap().push(request);
        if self.decline_cancel {
            Err(AgentError::not_cancelable())
        } else {
            Ok(())
        }
    }
}
