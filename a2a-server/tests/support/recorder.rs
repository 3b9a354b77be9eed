use std::sync::{Arc, Mutex};

use a2a_types::push::{Notification, PushSender};
use a2a_types::{A2aError, TaskPushNotificationConfig, TaskState};
use async_trait::async_trait;

/// A push sender that sends nothing and remembers everything. It registers https addresses only.
#[derive(Clone, Default)]
pub struct Recorder {
    sent: Arc<Mutex<Vec<Sent>>>,
}

type Sent = (Arc<TaskPushNotificationConfig>, String);

impl Recorder {
    /// What was sent to the address, in short and in order: `task SUBMITTED`, `1 WORKING`,
    /// `2 artifact`.
    pub fn sent_to(&self, url: &str) -> Vec<String> {
        let sent = self.sent.lock().unwrap();
        let to = sent.iter().filter(|(config, _)| config.url == url);
        to.map(|(_, what)| what.clone()).collect()
    }

    /// The same, for one task alone.
    pub fn sent_about(&self, task_id: &str) -> Vec<(String, String)> {
        let sent = self.sent.lock().unwrap();
        let about = sent.iter().filter(|(config, _)| config.task_id == task_id);
        about
            .map(|(config, what)| (config.url.clone(), what.clone()))
            .collect()
    }
}

#[async_trait]
impl PushSender for Recorder {
    async fn check(&self, config: &TaskPushNotificationConfig) -> Result<(), A2aError> {
        if config.url.starts_with("https://") {
            return Ok(());
        }
        Err(A2aError::invalid_param("url", "must be an https address"))
    }

    fn notify(&self, config: &Arc<TaskPushNotificationConfig>, notification: Notification) {
        let what = match notification {
            Notification::Task(task) => format!("task {}", state_of(task.state())),
            Notification::Event(entry) => {
                let state = entry.event().state();
                let what = state.map_or("artifact".to_owned(), state_of);
                format!("{} {what}", entry.sequence())
            }
            other => panic!("{other:?}"),
        };
        self.sent.lock().unwrap().push((Arc::clone(config), what));
    }
}

fn state_of(state: TaskState) -> String {
    state
        .as_str_name()
        .trim_start_matches("TASK_STATE_")
        .to_owned()
}
