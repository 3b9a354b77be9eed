use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use a2a_types::Timestamp;
use a2a_types::push::{Claim, Claimed, Claims, Forget, Notification, Webhook, WebhookKey};
use a2a_types::store::Owner;

/// A queue for each webhook that something waits for.
#[derive(Default)]
pub(super) struct Queues {
    queues: BTreeMap<WebhookKey, Queue>,
    agenda: Agenda,
    /// The claimed ones, by when their claims end.
    claimed: BTreeMap<Place, WebhookKey>,
    /// How many queues and claims there have been.
    serial: u64,
}

struct Queue {
    webhook: Arc<Webhook>,
    receiver: Arc<str>,
    waiting: VecDeque<Waiting>,
    /// Failed attempts at the head.
    attempts: u32,
    /// When the head is due, or, while it is claimed, was due. The number makes it unique.
    due: Place,
    claim: Option<Lease>,
}

struct Waiting {
    notification: Notification,
    queued: Timestamp,
}

#[derive(Clone, Copy)]
struct Lease {
    ticket: u64,
    end: Place,
}

/// An instant, and a number that tells two of them apart.
type Place = (Timestamp, u64);

impl Queues {
    pub(super) fn append(
        &mut self,
        webhook: &Arc<Webhook>,
        notifications: &[Notification],
        now: Timestamp,
    ) {
        if notifications.is_empty() {
            return;
        }
        let waiting = notifications.iter().map(|notification| Waiting {
            notification: notification.clone(),
            queued: now,
        });
        if let Some(queue) = self.queues.get_mut(&webhook.key) {
            queue.waiting.extend(waiting);
            if !Arc::ptr_eq(&queue.webhook, webhook) {
                self.replace(webhook);
            }
            return;
        }
        let queue = Queue {
            webhook: Arc::clone(webhook),
            receiver: webhook.receiver().into(),
            waiting: waiting.collect(),
            attempts: 0,
            due: (now, self.next_serial()),
            claim: None,
        };
        self.agenda.insert(&queue);
        self.queues.insert(webhook.key.clone(), queue);
    }

    pub(super) fn replace(&mut self, webhook: &Arc<Webhook>) {
        let Some(queue) = self.queues.get_mut(&webhook.key) else {
            return;
        };
        if queue.claim.is_none() {
            self.agenda.remove(queue);
        }
        queue.receiver = webhook.receiver().into();
        queue.webhook = Arc::clone(webhook);
        if queue.claim.is_none() {
            self.agenda.insert(queue);
        }
    }

    pub(super) fn claim(&mut self, claim: &Claim<'_>) -> Claims {
        self.end_claims(claim.now);
        let except: HashSet<&str> = claim.except.iter().map(String::as_str).collect();
        let mut claimed = Vec::new();
        let mut last = None;
        while let Some((place, key)) = self.agenda.first(last, &except) {
            if place.0 > claim.now || claimed.len() >= claim.limit {
                break;
            }
            last = Some(place);
            let serial = self.next_serial();
            let Some(queue) = self.queues.get_mut(&key) else {
                break;
            };
            self.agenda.remove(queue);
            claimed.extend(queue.lease(claim.until, serial, &mut self.claimed));
        }
        let due = self.agenda.first(last, &except);
        let due = due.map(|(place, _)| place.0);
        let freed = self.claimed.first_key_value().map(|(place, _)| place.0);
        Claims::new(claimed, due.into_iter().chain(freed).min())
    }

    /// The head is due again at this time.
    pub(super) fn retry(&mut self, claimed: &Claimed, at: Timestamp) {
        if let Some(queue) = self.held(claimed) {
            queue.attempts = claimed.attempts.saturating_add(1);
            queue.due.0 = at;
            self.put_back(&claimed.webhook.key);
        }
    }

    pub(super) fn release(&mut self, claimed: &Claimed) {
        if self.held(claimed).is_some() {
            self.put_back(&claimed.webhook.key);
        }
    }

    /// Takes the head off; returns it, and the next one if that is to stay claimed.
    pub(super) fn advance(
        &mut self,
        claimed: &Claimed,
        keep_until: Option<Timestamp>,
    ) -> (Option<Claimed>, Option<Claimed>) {
        let serial = self.next_serial();
        let Some(queue) = self.held(claimed) else {
            return (None, None);
        };
        let gone = queue.pop();
        let lease = queue.claim.take();
        let next = queue.waiting.front().map(|next| next.queued);
        let end = lease.map(|lease| lease.end);
        let key = &claimed.webhook.key;
        end.and_then(|end| self.claimed.remove(&end));
        let Some(queued) = next else {
            self.queues.remove(key);
            return (gone, None);
        };
        let Some(queue) = self.queues.get_mut(key) else {
            return (gone, None);
        };
        queue.due = (queued, serial);
        match keep_until {
            Some(until) => {
                let next = queue.lease(until, serial, &mut self.claimed);
                (gone, next)
            }
            None => {
                self.agenda.insert(queue);
                (gone, None)
            }
        }
    }

    pub(super) fn forget(&mut self, what: Forget<'_>) {
        let gone: Vec<WebhookKey> = match what {
            Forget::Webhook(key) => vec![key.clone()],
            Forget::Task(id) => {
                let first = WebhookKey::new(id, Owner::new("", ""), "");
                let from = self
                    .queues
                    .range((Bound::Included(first), Bound::Unbounded));
                from.map(|(key, _)| key)
                    .take_while(|key| what.covers(key))
                    .cloned()
                    .collect()
            }
            _ => {
                let all = self.queues.keys();
                all.filter(|key| what.covers(key)).cloned().collect()
            }
        };
        for key in gone {
            if let Some(queue) = self.queues.remove(&key) {
                match queue.claim {
                    Some(lease) => {
                        self.claimed.remove(&lease.end);
                    }
                    None => self.agenda.remove(&queue),
                }
            }
        }
    }

    /// Shortens queues to `most`, at their older ends; claimed heads stay. Returns what was taken.
    pub(super) fn shorten(&mut self, most: usize) -> Vec<Claimed> {
        let mut taken = Vec::new();
        for queue in self.queues.values_mut() {
            let surplus = queue.waiting.len().saturating_sub(most.max(1));
            if surplus == 0 {
                continue;
            }
            let head = queue.claim.and_then(|_| queue.waiting.pop_front());
            for _ in 0..surplus {
                let attempts = if head.is_none() { queue.attempts } else { 0 };
                let Some(oldest) = queue.waiting.pop_front() else {
                    break;
                };
                let webhook = Arc::clone(&queue.webhook);
                let lost = Claimed::new(0, webhook, oldest.notification, oldest.queued);
                taken.push(lost.with_attempts(attempts));
                if head.is_none() {
                    queue.attempts = 0;
                }
            }
            if let Some(head) = head {
                queue.waiting.push_front(head);
            }
        }
        taken
    }

    /// How many notifications wait, and since when.
    pub(super) fn waiting(&self) -> (u64, Option<Timestamp>) {
        let count = self.queues.values().map(|queue| queue.waiting.len() as u64);
        let heads = self.queues.values().filter_map(|q| q.waiting.front());
        (count.sum(), heads.map(|head| head.queued).min())
    }

    fn end_claims(&mut self, now: Timestamp) {
        while let Some(entry) = self.claimed.first_entry()
            && entry.key().0 <= now
        {
            let key = entry.remove();
            self.put_back(&key);
        }
    }

    /// The queue, if it is still claimed by this claim.
    fn held(&mut self, claimed: &Claimed) -> Option<&mut Queue> {
        let queue = self.queues.get_mut(&claimed.webhook.key)?;
        let lease = queue.claim?;
        (lease.ticket == claimed.ticket).then_some(queue)
    }

    /// Ends the claim of the queue.
    fn put_back(&mut self, key: &WebhookKey) {
        if let Some(queue) = self.queues.get_mut(key)
            && let Some(lease) = queue.claim.take()
        {
            self.claimed.remove(&lease.end);
            self.agenda.insert(queue);
        }
    }

    fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }
}

impl Queue {
    fn lease(
        &mut self,
        until: Timestamp,
        ticket: u64,
        claimed: &mut BTreeMap<Place, WebhookKey>,
    ) -> Option<Claimed> {
        let head = self.waiting.front()?;
        let end = (until, ticket);
        self.claim = Some(Lease { ticket, end });
        claimed.insert(end, self.webhook.key.clone());
        let webhook = Arc::clone(&self.webhook);
        let head = Claimed::new(ticket, webhook, head.notification.clone(), head.queued);
        Some(head.with_attempts(self.attempts))
    }

    fn pop(&mut self) -> Option<Claimed> {
        let head = self.waiting.pop_front()?;
        self.attempts = 0;
        let webhook = Arc::clone(&self.webhook);
        Some(Claimed::new(0, webhook, head.notification, head.queued))
    }
}

/// The queues that nobody has claimed, by when their heads are due, so that those of a receiver
/// that is passed over cost nothing however many they are.
#[derive(Default)]
struct Agenda {
    receivers: HashMap<Arc<str>, BTreeMap<Place, WebhookKey>>,
    /// The first place of each receiver.
    firsts: BTreeSet<(Place, Arc<str>)>,
}

impl Agenda {
    fn insert(&mut self, queue: &Queue) {
        self.change(&queue.receiver, |places| {
            places.insert(queue.due, queue.webhook.key.clone());
        });
    }

    fn remove(&mut self, queue: &Queue) {
        self.change(&queue.receiver, |places| {
            places.remove(&queue.due);
        });
    }

    /// The first place after `last` of a receiver that is not excepted, and whose queue it is.
    fn first(&self, last: Option<Place>, except: &HashSet<&str>) -> Option<(Place, WebhookKey)> {
        let start = last.map_or(Bound::Unbounded, |last| Bound::Included((last, "".into())));
        let mut firsts = self.firsts.range((start, Bound::Unbounded));
        let (place, receiver) = firsts.find(|(_, receiver)| !except.contains(&**receiver))?;
        let places = self.receivers.get(receiver)?;
        Some((*place, places.get(place)?.clone()))
    }

    fn change(
        &mut self,
        receiver: &Arc<str>,
        change: impl FnOnce(&mut BTreeMap<Place, WebhookKey>),
    ) {
        let places = self.receivers.entry(Arc::clone(receiver)).or_default();
        let before = places.first_key_value().map(|(place, _)| *place);
        change(places);
        let after = places.first_key_value().map(|(place, _)| *place);
        if after.is_none() {
            self.receivers.remove(receiver);
        }
        if before != after {
            if let Some(place) = before {
                self.firsts.remove(&(place, Arc::clone(receiver)));
            }
            if let Some(place) = after {
                self.firsts.insert((place, Arc::clone(receiver)));
            }
        }
    }
}
