use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use a2a_types::TaskPushNotificationConfig;
use a2a_types::store::{Owner, PushConfigStore, Scope, StoreError};
use async_trait::async_trait;

/// Webhook registrations in memory. They end with the process.
#[derive(Default)]
pub struct MemoryPushConfigStore {
    tasks: Mutex<BTreeMap<String, Configs>>,
}

/// The registrations of one task, by id and owner.
type Configs = BTreeMap<(String, Owner), TaskPushNotificationConfig>;

impl MemoryPushConfigStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn tasks(&self) -> MutexGuard<'_, BTreeMap<String, Configs>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl PushConfigStore for MemoryPushConfigStore {
    async fn put(
        &self,
        owner: &Owner,
        config: TaskPushNotificationConfig,
    ) -> Result<(), StoreError> {
        let key = (config.id.clone(), owner.clone());
        self.tasks()
            .entry(config.task_id.clone())
            .or_default()
            .insert(key, config);
        Ok(())
    }

    async fn get(
        &self,
        scope: &Scope,
        task_id: &str,
        id: &str,
    ) -> Result<Option<TaskPushNotificationConfig>, StoreError> {
        let tasks = self.tasks();
        let mut configs = tasks.get(task_id).into_iter().flatten();
        let found = configs.find(|((known, owner), _)| known == id && scope.covers(owner));
        Ok(found.map(|(_, config)| config.clone()))
    }

    async fn list(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<TaskPushNotificationConfig>, StoreError> {
        let tasks = self.tasks();
        let Some(configs) = tasks.get(task_id) else {
            return Ok(Vec::new());
        };
        let visible = configs.iter().filter(|((id, owner), _)| {
            after.is_none_or(|after| id.as_str() > after) && scope.covers(owner)
        });
        Ok(visible
            .take(limit)
            .map(|(_, config)| config.clone())
            .collect())
    }

    async fn delete(&self, scope: &Scope, task_id: &str, id: &str) -> Result<(), StoreError> {
        let mut tasks = self.tasks();
        if let Some(configs) = tasks.get_mut(task_id) {
            configs.retain(|(known, owner), _| known != id || !scope.covers(owner));
            if configs.is_empty() {
                tasks.remove(task_id);
            }
        }
        Ok(())
    }

    async fn delete_task(&self, task_id: &str) -> Result<(), StoreError> {
        self.tasks().remove(task_id);
        Ok(())
    }
}

impl std::fmt::Debug for MemoryPushConfigStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryPushConfigStore")
            .finish_non_exhaustive()
    }
}
