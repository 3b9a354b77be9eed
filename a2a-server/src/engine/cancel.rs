use a2a_types::{A2aError, TaskState};
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::Instrument;

use super::actor::{Actor, Flow};
use crate::agent::{AgentError, CancelRequest};

type Reply = oneshot::Sender<Result<(), A2aError>>;

/// A cancellation in progress. All who ask meanwhile join it.
pub(super) struct Canceling {
    replies: Vec<Reply>,
    deadline: Instant,
    stage: Stage,
}

enum Stage {
    /// The agent is asked whether it agrees.
    Asking(JoinHandle<Result<(), AgentError>>),
    /// The agent's answer is there.
    Answered(Result<(), AgentError>),
    /// The running code has been told and may put things in order.
    Leaving,
}

impl Canceling {
    /// Waits for the agent's answer, or for the deadline.
    pub(super) async fn step(&mut self) {
        let deadline = tokio::time::sleep_until(self.deadline);
        match &mut self.stage {
            Stage::Asking(hook) => {
                let answer = tokio::select! {
                    biased;
                    answer = &mut *hook => match answer {
                        Ok(answer) => answer,
                        Err(_) => Err(AgentError::new("the agent failed unexpectedly")),
                    },
                    () = deadline => {
                        hook.abort();
                        Ok(())
                    }
                };
                self.stage = Stage::Answered(answer);
            }
            Stage::Answered(_) => {}
            Stage::Leaving => deadline.await,
        }
    }
}

impl Actor {
    pub(super) async fn begin_cancel(&mut self, request: CancelRequest, reply: Reply) -> Flow {
        if let Some(canceling) = &mut self.canceling {
            canceling.replies.push(reply);
            return Flow::Continue;
        }
        self.listeners.cancel_by(Some(&request.context));
        let deadline = Instant::now() + self.shared.settings.cancel_grace;
        let running = self.run.is_some();
        let stage = if running {
            let agent = Arc::clone(&self.shared.agent);
            // Its time is the same when the task ends meanwhile: nothing stays for ever.
            let hook = async move {
                let agreed = tokio::time::timeout_at(deadline, agent.cancel(request));
                agreed.await.unwrap_or(Ok(()))
            };
            Stage::Asking(self.shared.threads.spawn(hook.in_current_span()))
        } else {
            Stage::Leaving
        };
        self.canceling = Some(Canceling {
            replies: vec![reply],
            deadline,
            stage,
        });
        if running {
            Flow::Continue
        } else {
            self.conclude(TaskState::Canceled, "").await
        }
    }

    /// Goes on with a cancellation whose step is done.
    pub(super) async fn advance_cancel(&mut self) -> Flow {
        let Some(canceling) = &mut self.canceling else {
            return Flow::Continue;
        };
        match std::mem::replace(&mut canceling.stage, Stage::Leaving) {
            Stage::Answered(Err(error)) if error.is_not_cancelable() => {
                let refusal = self.not_cancelable();
                self.fail_cancel(&refusal);
                return Flow::Continue;
            }
            Stage::Answered(answer) => {
                if let Err(error) = answer {
                    let task_id = &*self.live.id;
                    tracing::error!(task_id, %error, "the agent failed to cancel");
                }
                let Some(run) = &self.run else {
                    return Flow::Continue;
                };
                if run.words.control().cancel() {
                    return Flow::Continue;
                }
                // Code that never looked at the token would only use up the time.
            }
            Stage::Asking(_) | Stage::Leaving => {}
        }
        self.abort();
        self.conclude(TaskState::Canceled, "").await
    }

    /// Answers all who asked for the cancellation of a task that has ended.
    pub(super) fn answer_cancel(&mut self) {
        if self.canceling.is_none() {
            return;
        }
        let outcome = self.verdict();
        for reply in self.canceling.take().into_iter().flat_map(|c| c.replies) {
            let _ = reply.send(outcome.clone());
        }
    }

    /// Refuses all who asked for the cancellation.
    pub(super) fn fail_cancel(&mut self, error: &A2aError) {
        self.listeners.cancel_by(None);
        for reply in self.canceling.take().into_iter().flat_map(|c| c.replies) {
            let _ = reply.send(Err(error.clone()));
        }
    }

    /// What a cancellation has come to: only one that was under way when the task ended succeeds.
    pub(super) fn verdict(&self) -> Result<(), A2aError> {
        if self.canceling.is_some() && self.state() == TaskState::Canceled {
            return Ok(());
        }
        Err(self.not_cancelable())
    }

    fn not_cancelable(&self) -> A2aError {
        A2aError::task_not_cancelable(&self.live.id, self.state().as_str_name())
    }
}
