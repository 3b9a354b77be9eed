use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use a2a_types::TaskPushNotificationConfig;
use a2a_types::push::Webhook;
use a2a_types::store::{
    Owner, PushConfigStore, PushCursor, PushPage, Registered, Scope, StoreError,
};
use async_trait::async_trait;

/// Webhook registrations in memory. They end with the process.
#[derive(Default)]
pub struct MemoryPushConfigStore {
    tasks: Mutex<BTreeMap<String, Configs>>,
}

/// The registrations of one task, by their places.
type Configs = BTreeMap<PushCursor, TaskPushNotificationConfig>;

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
        most: usize,
    ) -> Result<Registered, StoreError> {
        let place = PushCursor::new(&config.id, owner.clone());
        let mut tasks = self.tasks();
        let known = tasks.get(&config.task_id);
        let is_new = known.is_none_or(|configs| !configs.contains_key(&place));
        if is_new && known.map_or(0, BTreeMap::len) >= most {
            return Ok(Registered::Full);
        }
        tasks
            .entry(config.task_id.clone())
            .or_default()
            .insert(place, config);
        Ok(Registered::Stored)
    }

    async fn get(
        &self,
        scope: &Scope,
        task_id: &str,
        id: &str,
    ) -> Result<Option<TaskPushNotificationConfig>, StoreError> {
        let tasks = self.tasks();
        let mut configs = tasks.get(task_id).into_iter().flatten();
        let found = configs.find(|(place, _)| place.id == id && scope.covers(&place.owner));
        Ok(found.map(|(_, config)| config.clone()))
    }

    async fn list(
        &self,
        scope: &Scope,
        task_id: &str,
        after: Option<&PushCursor>,
        limit: usize,
    ) -> Result<PushPage, StoreError> {
        let tasks = self.tasks();
        let Some(configs) = tasks.get(task_id) else {
            return Ok(PushPage::default());
        };
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = configs
            .range::<PushCursor, _>((start, Bound::Unbounded))
            .filter(|(place, _)| scope.covers(&place.owner));
        let page: Vec<_> = rest.by_ref().take(limit).collect();
        let next = page.last().filter(|_| rest.next().is_some());
        let next = next.map(|(place, _)| (*place).clone());
        let webhooks = page.into_iter().map(|(place, config)| {
            // Registered by these very names.
            Webhook::new(place.owner.clone(), config.clone())
        });
        Ok(PushPage::new(webhooks.collect(), next))
    }

    async fn delete(&self, scope: &Scope, task_id: &str, id: &str) -> Result<(), StoreError> {
        let mut tasks = self.tasks();
        if let Some(configs) = tasks.get_mut(task_id) {
            configs.retain(|place, _| place.id != id || !scope.covers(&place.owner));
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

    async fn delete_owner(&self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        let mut changed = Vec::new();
        self.tasks().retain(|task_id, configs| {
            let before = configs.len();
            configs.retain(|place, _| place.owner != *owner);
            if configs.len() < before {
                changed.push(task_id.clone());
            }
            !configs.is_empty()
        });
        Ok(changed)
    }
}

impl std::fmt::Debug for MemoryPushConfigStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryPushConfigStore")
            .finish_non_exhaustive()
    }
}
