use std::hash::BuildHasher;

use a2a_types::store::{StoreError, StoreErrorKind};
use foldhash::quality::RandomState;
use hashbrown::HashTable;
use slab::Slab;

use super::id::Id;

/// How many parts hashes are split into.
pub(super) const PARTS: usize = 32;

/// Values that are found by an id, one behind the other in memory.
///
/// The slots of a large table are cold: each that is looked at is waited for. New ones are
/// therefore few at first, in a place of their own, and go to the others together, so that the
/// processor waits for many of them at once.
pub(super) struct Table<T> {
    /// The newest, last.
    recent: Vec<Slot>,
    slots: HashTable<Slot>,
    entries: Slab<(Id, T)>,
}

/// How many slots go to the others together.
pub(super) const TOGETHER: usize = 32;

/// Where an entry is, and the hash of its id: slots that move when there are more of them need not
/// look at the entries, which are cold.
struct Slot {
    hash: Hash,
    at: u32,
}

/// The hash of an id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Hash(u32);

impl Hash {
    pub(super) fn of(id: &Id, hasher: &RandomState) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "half of it is enough")]
        Self(hasher.hash_one(id) as u32)
    }

    /// One of the parts. Those of one part differ in the low bits.
    pub(super) fn part(self) -> usize {
        usize::try_from(self.0 >> (u32::BITS - PARTS.ilog2())).unwrap_or_default()
    }

    /// What slots are placed by: the highest and the lowest bits of it.
    fn spread(self) -> u64 {
        u64::from(self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl<T> Table<T> {
    pub(super) fn get(&self, hash: Hash, id: &Id) -> Option<&T> {
        let at = self.find(hash, id)?;
        self.entries.get(at).map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, hash: Hash, id: &Id) -> Option<&mut T> {
        let at = self.find(hash, id)?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    fn find(&self, hash: Hash, id: &Id) -> Option<usize> {
        let is = is(&self.entries, hash, id);
        let recent = self.recent.iter().rfind(|slot| is(slot));
        let slot = recent.or_else(|| self.slots.find(hash.spread(), is));
        slot.map(Slot::place)
    }

    /// The id must not be there yet.
    ///
    /// # Errors
    ///
    /// When the table is full.
    pub(super) fn insert(&mut self, hash: Hash, id: Id, value: T) -> Result<(), StoreError> {
        let at = u32::try_from(self.entries.vacant_key());
        let at = at.map_err(|full| StoreError::with_source(StoreErrorKind::Internal, full))?;
        self.entries.insert((id, value));
        self.recent.push(Slot { hash, at });
        if self.recent.len() >= TOGETHER {
            self.settle();
        }
        Ok(())
    }

    fn settle(&mut self) {
        self.slots
            .reserve(self.recent.len(), |slot| slot.hash.spread());
        for slot in self.recent.drain(..) {
            let hash = slot.hash.spread();
            self.slots
                .insert_unique(hash, slot, |slot| slot.hash.spread());
        }
    }

    /// Removes the value if `doomed` says so.
    pub(super) fn remove_if(
        &mut self,
        hash: Hash,
        id: &Id,
        doomed: impl FnOnce(&mut T) -> bool,
    ) -> Option<T> {
        self.settle();
        let found = self
            .slots
            .find_entry(hash.spread(), is(&self.entries, hash, id));
        let found = found.ok()?;
        let at = found.get().place();
        if !doomed(&mut self.entries.get_mut(at)?.1) {
            return None;
        }
        found.remove();
        self.entries.try_remove(at).map(|(_, value)| value)
    }
}

fn is<T>(entries: &Slab<(Id, T)>, hash: Hash, id: &Id) -> impl Fn(&Slot) -> bool {
    move |slot| {
        slot.hash == hash
            && entries
                .get(slot.place())
                .is_some_and(|entry| entry.0 == *id)
    }
}

impl Slot {
    fn place(&self) -> usize {
        usize::try_from(self.at).unwrap_or(usize::MAX)
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            recent: Vec::new(),
            slots: HashTable::new(),
            entries: Slab::new(),
        }
    }
}
