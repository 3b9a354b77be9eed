use std::collections::HashMap;

use foldhash::quality::RandomState;

/// The encoded size of each artifact of a task.
#[derive(Default)]
pub(super) struct Sizes {
    /// Most tasks have one artifact, which needs no map.
    first: Option<(String, usize)>,
    others: HashMap<String, usize, RandomState>,
    bytes: usize,
}

impl Sizes {
    pub(super) fn get(&self, id: &str) -> Option<usize> {
        match &self.first {
            Some((first, size)) if first == id => Some(*size),
            _ => self.others.get(id).copied(),
        }
    }

    pub(super) fn set(&mut self, id: &str, size: usize) {
        let before = self.get(id).unwrap_or_default();
        match &mut self.first {
            None => self.first = Some((id.to_owned(), size)),
            Some((first, known)) if first == id => *known = size,
            Some(_) => match self.others.get_mut(id) {
                Some(known) => *known = size,
                None => drop(self.others.insert(id.to_owned(), size)),
            },
        }
        self.bytes = self.bytes.saturating_sub(before).saturating_add(size);
    }

    /// How many artifacts there are.
    pub(super) fn count(&self) -> usize {
        usize::from(self.first.is_some()) + self.others.len()
    }

    /// The size of all of them together.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
